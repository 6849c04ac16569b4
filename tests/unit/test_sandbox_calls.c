/*
 * test_sandbox_calls.c - tests of the system calls that the sandbox forbids
 *
 * Each attempt runs in a process of its own, inside the sandbox. A call that is
 * not on the sandbox's list fails with ENOSYS, which the kernel never returns
 * for an existing call. A call with forbidden arguments fails with EPERM. The
 * same attempt is first made without the sandbox, where it must not fail with
 * EPERM, or the test would prove nothing.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/platform.h"
#include "common/cli/sandbox.h"

Suite *test_sandbox_calls_suite(void);

enum { ALL_WELL, NOT_CONFINED, WENT_THROUGH, BAD_END };

/* --- calls that are not on the list, made with harmless arguments --------- */

#ifndef __NR_open_tree
#define __NR_open_tree 428
#define __NR_move_mount 429
#define __NR_fsopen 430
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif
#ifndef __NR_openat2
#define __NR_openat2 437
#endif
#ifndef __NR_process_madvise
#define __NR_process_madvise 440
#endif
#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif

/* Call the system call @name with arguments that are -1 or null. */
#define NAMED(name)                                                            \
	{                                                                      \
#name, __NR_##name                                             \
	}

static const struct {
	const char *name;
	long call;
} unlisted[] = {
	/* start and control programs and processes */
	NAMED(execve),
	NAMED(execveat),
	NAMED(clone3),
	NAMED(setsid),
	NAMED(setpgid),
	NAMED(tkill),
	NAMED(rt_sigqueueinfo),
	NAMED(rt_tgsigqueueinfo),
	NAMED(pidfd_send_signal),
	NAMED(pidfd_open),
	NAMED(pidfd_getfd),
	NAMED(kcmp),
	NAMED(process_vm_writev),
	NAMED(process_madvise),
	NAMED(setpriority),
	NAMED(ioprio_set),
	NAMED(sched_setaffinity),
	NAMED(sched_setscheduler),
	NAMED(unshare),
	NAMED(setns),
	NAMED(personality),
	/* use the network, or send data in another way */
	NAMED(socket),
	NAMED(socketpair),
	NAMED(connect),
	NAMED(bind),
	NAMED(listen),
	NAMED(accept),
	NAMED(accept4),
	NAMED(sendto),
	NAMED(sendmsg),
	NAMED(sendmmsg),
	NAMED(recvmsg),
	NAMED(shmget),
	NAMED(msgget),
	NAMED(semget),
	NAMED(mq_open),
	NAMED(memfd_create),
	NAMED(io_uring_setup),
	NAMED(splice),
	NAMED(vmsplice),
	/* change other files and their attributes */
	NAMED(fchmod),
	NAMED(fchmodat),
	NAMED(fchown),
	NAMED(fchownat),
	NAMED(setxattr),
	NAMED(lsetxattr),
	NAMED(fsetxattr),
	NAMED(removexattr),
	NAMED(utimensat),
	NAMED(truncate),
	NAMED(mknodat),
	NAMED(mkdirat),
	NAMED(symlinkat),
	NAMED(open_by_handle_at),
	NAMED(name_to_handle_at),
	NAMED(openat2),
	NAMED(inotify_init1),
	NAMED(fanotify_init),
	NAMED(flock),
	NAMED(chdir),
	NAMED(umask),
	/* change the system */
	NAMED(mount),
	NAMED(umount2),
	NAMED(pivot_root),
	NAMED(chroot),
	NAMED(fsopen),
	NAMED(open_tree),
	NAMED(move_mount),
	NAMED(mount_setattr),
	NAMED(init_module),
	NAMED(finit_module),
	NAMED(delete_module),
	NAMED(swapoff),
	NAMED(acct),
	NAMED(quotactl),
	NAMED(syslog),
	NAMED(bpf),
	NAMED(perf_event_open),
	NAMED(userfaultfd),
	NAMED(add_key),
	NAMED(request_key),
	NAMED(keyctl),
	NAMED(settimeofday),
	NAMED(clock_settime),
	NAMED(adjtimex),
	NAMED(clock_adjtime),
	NAMED(sethostname),
	NAMED(setdomainname),
	/* change the identity and the rights of the process */
	NAMED(setuid),
	NAMED(setresuid),
	NAMED(setresgid),
	NAMED(setgroups),
	NAMED(capset),
	NAMED(seccomp),
#if !HP_SANITIZED
	NAMED(ptrace),
	NAMED(process_vm_readv),
	NAMED(wait4),
#endif
#ifdef __x86_64__
	NAMED(fork),
	NAMED(vfork),
	NAMED(chmod),
	NAMED(chown),
	NAMED(lchown),
	NAMED(mknod),
	NAMED(mkdir),
	NAMED(rmdir),
	NAMED(link),
	NAMED(symlink),
	NAMED(utime),
	NAMED(utimes),
	NAMED(iopl),
	NAMED(ioperm),
	NAMED(modify_ldt),
	NAMED(arch_prctl),
	NAMED(alarm),
#endif
};

static bool
call_without_arguments(long call)
{
	pid_t self = getpid();
	long got = syscall(call, -1L, 0L, 0L, 0L, 0L, 0L);
	int why = errno;

	if (getpid() != self)
		_exit(0);
	return got == -1 && why == ENOSYS;
}

/* --- calls that are refused because of their arguments -------------------- */

static int
signal_parent(void)
{
	return (int)syscall(__NR_kill, getppid(), 0);
}

static int
signal_all(void)
{
	return (int)syscall(__NR_kill, -1, 0);
}

static int
signal_group(void)
{
	return (int)syscall(__NR_kill, 0, 0);
}

static int
signal_thread_of_parent(void)
{
	return (int)syscall(__NR_tgkill, getppid(), getppid(), 0);
}

static int
pass_signals_to_parent(void)
{
	return fcntl(0, F_SETOWN, getppid());
}

static int
pass_signals_to_thread(void)
{
	struct f_owner_ex owner = {.type = F_OWNER_PID, .pid = getppid()};

	return fcntl(0, F_SETOWN_EX, &owner);
}

static int
choose_signal(void)
{
	return fcntl(0, F_SETSIG, SIGUSR1);
}

/*
 * Request a signal for changes in the folder /tmp. Such a change would end this
 * process by SIGIO.
 */
static int
watch_folder(void)
{
	int fd = open("/tmp", O_RDONLY | O_DIRECTORY);

	signal(SIGIO, SIG_IGN);
	return fcntl(fd < 0 ? 0 : fd, F_NOTIFY, DN_MODIFY);
}

static int
change_status(void)
{
	return fcntl(0, F_SETFL, O_ASYNC);
}

static int
lease(void)
{
	return fcntl(0, F_SETLEASE, F_UNLCK);
}

static int
limit_parent(void)
{
	struct rlimit limit;

	return prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
}

static int
limit_itself(void)
{
	struct rlimit limit = {0};

	return prlimit(0, RLIMIT_CORE, &limit, NULL);
}

static int
run_what_was_written(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? -1 : 0;
}

static int
make_runnable(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

static int
clone_with(unsigned long flags)
{
	long pid = syscall(__NR_clone, flags, 0L, 0L, 0L, 0L);

	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : 0;
}

static int
clone_process(void)
{
	return clone_with(SIGCHLD);
}

static int
clone_user_namespace(void)
{
	return clone_with(CLONE_NEWUSER | SIGCHLD);
}

static int
clone_vfork(void)
{
	return clone_with(CLONE_VFORK | SIGCHLD);
}

#if !HP_SANITIZED /* programs with sanitizers make these calls themselves */
static int
name_thread(void)
{
	return prctl(PR_SET_NAME, "other");
}

static int
get_dumpable(void)
{
	return prctl(PR_GET_DUMPABLE) < 0 ? -1 : 0;
}
#endif

/*
 * Call an ioctl of terminals on standard input. It is /dev/null, so without the
 * sandbox the call fails with ENOTTY.
 */
static int
type_into_terminal(void)
{
	char c = 'x';

	return ioctl(0, TIOCSTI, &c);
}

static int
paste_into_console(void)
{
	return ioctl(0, 0x541C /* the number of TIOCLINUX */, NULL);
}

static int
ask_for_bytes(void)
{
	int n;

	return ioctl(0, FIONREAD, &n);
}

#if !HP_SANITIZED /* programs with sanitizers create files with other modes */
/* Create a new file with set-user-ID, set-group-ID or sticky mode bits. */
static int
open_with_mode(unsigned mode)
{
	long fd = syscall(__NR_openat, AT_FDCWD, "/dev/null", O_RDONLY, mode);

	if (fd >= 0)
		close((int)fd);
	return fd < 0 ? -1 : 0;
}

static int
make_setuid(void)
{
	return open_with_mode(04700);
}

static int
make_setgid(void)
{
	return open_with_mode(02700);
}

static int
make_sticky(void)
{
	return open_with_mode(01700);
}
#endif

#define ATTEMPT(name)                                                          \
	{                                                                      \
#name, name                                                    \
	}

static const struct {
	const char *name;
	int (*attempt)(void);
} argued[] = {
	ATTEMPT(signal_parent),
	ATTEMPT(signal_all),
	ATTEMPT(signal_group),
	ATTEMPT(signal_thread_of_parent),
	ATTEMPT(pass_signals_to_parent),
	ATTEMPT(pass_signals_to_thread),
	ATTEMPT(choose_signal),
	ATTEMPT(watch_folder),
	ATTEMPT(change_status),
	ATTEMPT(lease),
	ATTEMPT(limit_parent),
	ATTEMPT(limit_itself),
	ATTEMPT(run_what_was_written),
	ATTEMPT(make_runnable),
	ATTEMPT(clone_process),
	ATTEMPT(clone_user_namespace),
	ATTEMPT(clone_vfork),
#if !HP_SANITIZED
	ATTEMPT(name_thread),
	ATTEMPT(make_setuid),
	ATTEMPT(make_setgid),
	ATTEMPT(make_sticky),
	ATTEMPT(get_dumpable),
#endif
	ATTEMPT(type_into_terminal),
	ATTEMPT(paste_into_console),
	ATTEMPT(ask_for_bytes),
};

/* --- make an attempt in a process of its own ----------------------------- */

/*
 * Make an attempt in a child process with a process group of its own. The
 * parent of the child was also created for this attempt only. So if the sandbox
 * wrongly allows a signal, the signal hits no other process.
 */
static int
attempt_in_child(bool (*body)(size_t), size_t i, bool confined)
{
	const struct hp_sandbox_rules rules = {0};
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDONLY);

		dup2(null, STDIN_FILENO);
		setpgid(0, 0);
		if (confined && !(hp_sandbox_enter(&rules) & HP_SANDBOX_CALLS))
			_exit(NOT_CONFINED);
		_exit(body(i) ? ALL_WELL : WENT_THROUGH);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : BAD_END;
}

static bool
is_unknown(size_t i)
{
	return call_without_arguments(unlisted[i].call);
}

static bool
is_refused(size_t i)
{
	errno = 0;
	return argued[i].attempt() < 0 && errno == EPERM;
}

START_TEST(unlisted_calls)
{
	size_t i = (size_t)_i;
	int got = attempt_in_child(is_unknown, i, true);

	if (got != NOT_CONFINED)
		ck_assert_msg(got == ALL_WELL, "%s: %d", unlisted[i].name, got);
}
END_TEST

START_TEST(refused_arguments)
{
	size_t i = (size_t)_i;
	int got = attempt_in_child(is_refused, i, true);

	if (got == NOT_CONFINED)
		return;
	ck_assert_msg(got == ALL_WELL, "%s: %d", argued[i].name, got);
	got = attempt_in_child(is_refused, i, false);
	ck_assert_msg(got == WENT_THROUGH, "%s: refused without the sandbox",
		      argued[i].name);
}
END_TEST

/* --- calls that end the process, and calls that must work ---------------- */

#ifdef __x86_64__
/*
 * Call getpid() as a 32-bit program does: by the interrupt 0x80, with the call
 * number of i386.
 */
static bool
call_as_i386(size_t i)
{
	long got = 20;

	__asm__ volatile("int $0x80" : "+a"(got) : : "memory");
	return true;
}

static bool
call_as_x32(size_t i)
{
	syscall(0x40000000 | __NR_getpid);
	return true;
}

static int
signal_of(bool (*body)(size_t))
{
	const struct hp_sandbox_rules rules = {0};
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (!(hp_sandbox_enter(&rules) & HP_SANDBOX_CALLS))
			_exit(NOT_CONFINED);
		body(0);
		_exit(WENT_THROUGH);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_CONFINED)
		return SIGSYS;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/*
 * Test system calls of another architecture. The process must end, even if the
 * kernel cannot emulate i386.
 */
START_TEST(other_architectures)
{
	if (attempt_in_child(call_as_i386, 0, false) == ALL_WELL)
		ck_assert_int_eq(signal_of(call_as_i386), SIGSYS);
	ck_assert_int_eq(signal_of(call_as_x32), SIGSYS);
}
END_TEST
#endif

static void *
allocate(void *argument)
{
	char *p = malloc(3 << 20);

	p = p ? realloc(p, 64 << 20) : NULL;
	*(bool *)argument = p != NULL;
	free(p);
	return NULL;
}

static bool
call_further(size_t i)
{
	struct timespec soon = {.tv_nsec = 1000};
	struct rlimit limit;
	cpu_set_t set;
	bool done = false;
	pthread_t t;

	return pthread_create(&t, NULL, allocate, &done) == 0 &&
	       pthread_join(t, NULL) == 0 && done &&
	       sched_getaffinity(0, sizeof(set), &set) == 0 &&
	       getrlimit(RLIMIT_AS, &limit) == 0 &&
	       nanosleep(&soon, NULL) == 0 && sysconf(_SC_PHYS_PAGES) > 0 &&
	       fcntl(1, F_GETFL) >= 0 && isatty(0) == 0 && errno == ENOTTY &&
	       raise(0) == 0 && kill(getpid(), 0) == 0;
}

START_TEST(what_goes_on)
{
	int got = attempt_in_child(call_further, 0, true);

	ck_assert(got == ALL_WELL || got == NOT_CONFINED);
}
END_TEST

/*
 * Test that the sandbox is active on kernels that support it. Otherwise the
 * other tests would prove nothing.
 */
START_TEST(in_force_where_possible)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	if (syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
		ck_assert_int_eq(attempt_in_child(call_further, 0, true),
				 ALL_WELL);
}
END_TEST

Suite *
test_sandbox_calls_suite(void)
{
	Suite *s = suite_create("sandbox_calls");
	TCase *t = tcase_create("sandbox_calls");

	tcase_add_loop_test(t, unlisted_calls, 0, HP_ARRAY_LEN(unlisted));
	tcase_add_loop_test(t, refused_arguments, 0, HP_ARRAY_LEN(argued));
#ifdef __x86_64__
	tcase_add_test(t, other_architectures);
#endif
	tcase_add_test(t, what_goes_on);
	tcase_add_test(t, in_force_where_possible);
	suite_add_tcase(s, t);
	return s;
}
