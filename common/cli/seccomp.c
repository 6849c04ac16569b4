/*
 * seccomp.c - allow only the system calls that the programs need
 *
 * The list contains the system calls of the programs and of their C library. If
 * the effect of a call depends on its arguments, the list has conditions for
 * the arguments. A call that is not in the list fails with ENOSYS, as on an
 * older kernel, so that a newer C library uses its fallback. A listed call
 * whose arguments do not meet the conditions fails with EPERM. A call of
 * another architecture (such as 32-bit x86) ends the process, because the
 * programs never make one. Landlock (sandbox.c) restricts which files can be
 * opened.
 */
#include "common/cli/sandbox.h"

#include "common/base/platform.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define HP_AUDIT_ARCH AUDIT_ARCH_X86_64
#else
#define HP_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/*
 * Numbers of system calls that some headers, for example those of musl, do not
 * define yet.
 */
#ifndef __NR_rseq
#ifdef __x86_64__
#define __NR_rseq 334
#else
#define __NR_rseq 293
#endif
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

/* Source: Linux, include/uapi/asm-generic/ioctls.h, .../linux/prctl.h */
#define HP_TCGETS 0x5401
/* TCGETS2, which glibc uses from version 2.42 on */
#define HP_TCGETS2 0x802c542a
#define HP_PR_SET_VMA 0x53564d41

/*
 * The flags with which clone() creates a thread, and further flags that a C
 * library may add.
 */
#define HP_CLONE_THREAD                                                        \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define HP_CLONE_OPTIONS                                                       \
	(CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |                  \
	 CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_DETACHED)

/* Commands of membarrier(), which some headers define in an enum. */
enum {
	HP_MEMBARRIER_QUERY = 0,
	HP_MEMBARRIER_PRIVATE = 1 << 3,
	HP_MEMBARRIER_REGISTER_PRIVATE = 1 << 4
};

enum { HP_CONDITIONS = 3, HP_VALUES = 6 };

/*
 * A condition for an argument of a system call: one 32-bit half of the
 * argument, after a bitwise "and" with the mask, must equal one of the values.
 * The low half suffices for arguments that are an int in the kernel.
 */
struct condition {
	uint8_t argument; /* index of the argument of the system call, from 0 */
	/*
	 * `high`: use the upper half of the argument. `own_pid`: the argument
	 * must be the id of this process.
	 */
	bool high, own_pid;
	/*
	 * The number of values that are allowed. 0: any argument is allowed,
	 * unless own_pid is set.
	 */
	uint8_t count;
	uint32_t mask;
	uint32_t values[HP_VALUES];
};

struct allowed {
	uint32_t call;
	struct condition conditions[HP_CONDITIONS];
};

#define ANY(name)                                                              \
	{                                                                      \
		.call = __NR_##name                                            \
	}

/*
 * A condition for the mode of a new file, which is argument number @at: no bits
 * above 0777 may be set. So a file cannot be setuid (04000), setgid (02000) or
 * sticky (01000). A C library passes the mode 0 if it creates no file.
 */
#define MODE(at)                                                               \
	{                                                                      \
		.argument = at, .count = 1, .mask = ~(uint32_t)0777            \
	}

static const struct allowed allowed[] = {
	/* system calls for memory, which must not be executable */
	{__NR_mmap, {{.argument = 2, .count = 1, .mask = PROT_EXEC}}},
	{__NR_mprotect, {{.argument = 2, .count = 1, .mask = PROT_EXEC}}},
	ANY(munmap),
	ANY(mremap),
	ANY(madvise),
	ANY(brk),
	/* system calls for files that are already open */
	ANY(read),
	ANY(readv),
	ANY(pread64),
	ANY(write),
	ANY(writev),
	ANY(pwrite64),
	ANY(lseek),
	ANY(close),
	ANY(fstat),
	ANY(newfstatat),
	ANY(statx),
	ANY(fadvise64),
	ANY(fsync),
	ANY(fallocate), /* used to store the object graph in temporary files */
	ANY(ftruncate),
	ANY(ppoll),
	ANY(eventfd2),
	{__NR_fcntl,
	 {{.argument = 1,
	   .count = 6,
	   .mask = UINT32_MAX,
	   .values = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC, F_DUPFD,
		      F_SETPIPE_SZ}}}},
	{__NR_ioctl,
	 {{.argument = 1,
	   .count = 3,
	   .mask = UINT32_MAX,
	   .values = {HP_TCGETS, HP_TCGETS2, TIOCGWINSZ}}}},
/* system calls with file names */
#if HP_SANITIZED
	/*
	 * with any arguments, because the sanitizers create files with any mode
	 */
	ANY(openat),
#else
	{__NR_openat, {MODE(3)}},
#endif
	ANY(linkat),
	ANY(renameat),
	ANY(renameat2),
	ANY(unlinkat),
	/* system calls for threads */
	{__NR_clone,
	 {{.argument = 0,
	   .count = 1,
	   .mask = ~(uint32_t)HP_CLONE_OPTIONS,
	   .values = {HP_CLONE_THREAD}}}},
	ANY(futex),
	ANY(set_robust_list),
	ANY(rseq),
	{__NR_membarrier,
	 {{.argument = 0,
	   .count = 3,
	   .mask = UINT32_MAX,
	   .values = {HP_MEMBARRIER_QUERY, HP_MEMBARRIER_PRIVATE,
		      HP_MEMBARRIER_REGISTER_PRIVATE}}}},
	ANY(sched_getaffinity),
	ANY(sched_yield),
	ANY(gettid),
	ANY(getpid),
	ANY(exit),
	ANY(exit_group),
	/* system calls for signals, which can be sent only to this process */
	ANY(rt_sigaction),
	ANY(rt_sigprocmask),
	ANY(rt_sigreturn),
	ANY(sigaltstack),
	ANY(restart_syscall),
	{__NR_kill, {{.argument = 0, .own_pid = true, .mask = UINT32_MAX}}},
	{__NR_tgkill, {{.argument = 0, .own_pid = true, .mask = UINT32_MAX}}},
	/* system calls that only return information */
	ANY(getrandom),
	ANY(sysinfo),
	ANY(clock_gettime),
	ANY(clock_nanosleep),
	ANY(nanosleep),
	ANY(gettimeofday),
	/*
	 * prlimit64(), which getrlimit() calls: only for this process, and only
	 * to read a limit
	 */
	{__NR_prlimit64,
	 {{.argument = 0, .count = 1, .mask = UINT32_MAX},
	  {.argument = 2, .count = 1, .mask = UINT32_MAX},
	  {.argument = 2, .high = true, .count = 1, .mask = UINT32_MAX}}},
	/* prctl(), with which glibc gives names to parts of its memory */
	{__NR_prctl,
	 {{.argument = 0,
	   .count = 1,
	   .mask = UINT32_MAX,
	   .values = {HP_PR_SET_VMA}}}},
#ifdef __x86_64__
/* musl makes these system calls instead of some of the system calls above */
#if HP_SANITIZED
	ANY(open),
#else
	{__NR_open, {MODE(2)}},
#endif
	ANY(stat),
	ANY(lstat),
	ANY(rename),
	ANY(unlink),
	ANY(poll),
	ANY(time),
#endif
};

#if HP_SANITIZED
/*
 * System calls of the sanitizers, whose runtimes stop all threads at the end of
 * the process and inspect them.
 */
static const uint32_t sanitizers[] = {
	__NR_ptrace,   __NR_wait4,	__NR_process_vm_readv,
	__NR_getppid,  __NR_readlinkat, __NR_getdents64,
	__NR_pipe2,    __NR_uname,	__NR_getrlimit,
	__NR_msync,    __NR_mincore,
#ifdef __x86_64__
	__NR_readlink, __NR_pipe,	__NR_getdents,
#endif
};
#endif

/*
 * maximum number of instructions of the filter; the list of system calls above
 * needs fewer
 */
enum { HP_FILTER_MAX = 512 };

struct filter {
	struct sock_filter code[HP_FILTER_MAX];
	unsigned short len;
	bool full;
};

static void
add_code(struct filter *f, uint16_t code, uint32_t k, uint8_t if_true,
	 uint8_t if_false)
{
	if (f->len == HP_FILTER_MAX)
		f->full = true;
	else
		f->code[f->len++] =
			(struct sock_filter){code, if_true, if_false, k};
}

static void
add_load(struct filter *f, size_t offset)
{
	add_code(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void
add_return(struct filter *f, uint32_t action)
{
	add_code(f, BPF_RET | BPF_K, action, 0, 0);
}

/*
 * Append instructions to the filter that check a condition. If it is met, the
 * filter continues with the next instruction; otherwise the system call fails
 * with EPERM. The low half of an argument comes first in memory, because Linux
 * is little-endian on both supported processors.
 */
static void
add_condition(struct filter *f, const struct condition *c)
{
	uint8_t n = c->own_pid ? 1 : c->count;

	add_load(f, offsetof(struct seccomp_data, args) + 8u * c->argument +
			    (c->high ? 4 : 0));
	add_code(f, BPF_ALU | BPF_AND | BPF_K, c->mask, 0, 0);
	for (uint8_t i = 0; i < n; i++)
		add_code(f, BPF_JMP | BPF_JEQ | BPF_K,
			 c->own_pid ? (uint32_t)getpid() : c->values[i],
			 (uint8_t)(n - i), 0);
	add_return(f, SECCOMP_RET_ERRNO | (uint32_t)EPERM);
}

/*
 * Append instructions to the filter that allow the system call a->call. When
 * they run, the register of the filter contains the number of the actual call.
 * If it is another call, this number stays in the register for the next check.
 */
static void
add_allowed(struct filter *f, const struct allowed *a)
{
	unsigned short jump = f->len;

	add_code(f, BPF_JMP | BPF_JEQ | BPF_K, a->call, 0, 0);
	for (unsigned i = 0; i < HP_CONDITIONS; i++) {
		if (a->conditions[i].count > 0 || a->conditions[i].own_pid)
			add_condition(f, &a->conditions[i]);
	}
	add_return(f, SECCOMP_RET_ALLOW);
	if (!f->full)
		f->code[jump].jf = (uint8_t)(f->len - jump - 1);
}

static void
add_architecture(struct filter *f)
{
	add_load(f, offsetof(struct seccomp_data, arch));
	add_code(f, BPF_JMP | BPF_JEQ | BPF_K, HP_AUDIT_ARCH, 1, 0);
	add_return(f, SECCOMP_RET_KILL_PROCESS);
	add_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	/*
	 * A call of the x32 ABI ends the process. A tracer sets the number of a
	 * call to -1 to cancel it, so this number must not end the process.
	 */
	add_code(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 2);
	add_code(f, BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 1, 0);
	add_return(f, SECCOMP_RET_KILL_PROCESS);
#endif
}

static void
build_filter(struct filter *f, bool folders)
{
	f->len = 0;
	f->full = false;
	add_architecture(f);
#if HP_SANITIZED
	for (size_t i = 0; i < HP_ARRAY_LEN(sanitizers); i++)
		add_allowed(f, &(struct allowed){.call = sanitizers[i]});
	/*
	 * LeakSanitizer starts a process, which shares the memory with this
	 * process and traces it. Allow the calls that are needed for this.
	 */
	add_allowed(f, &(struct allowed){.call = __NR_prctl});
	add_allowed(f, &(struct allowed){
			       __NR_clone,
			       {{.count = 2,
				 .mask = ~(uint32_t)HP_CLONE_OPTIONS,
				 .values = {HP_CLONE_THREAD,
					    CLONE_VM | CLONE_FS | CLONE_FILES |
						    CLONE_UNTRACED}}}});
#endif
	for (size_t i = 0; i < HP_ARRAY_LEN(allowed); i++)
		add_allowed(f, &allowed[i]);
	if (folders)
		add_allowed(f, &(struct allowed){__NR_mkdirat, {MODE(2)}});
	add_return(f, SECCOMP_RET_ERRNO | (uint32_t)ENOSYS);
}

bool
hp_seccomp_enter(bool folders)
{
	struct filter f;

	build_filter(&f, folders);
	if (f.full)
		return false;
	struct sock_fprog program = {.len = f.len, .filter = f.code};
	if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		    &program) == 0)
		return true;
	/*
	 * Try again without the flag SPEC_ALLOW, which Linux before 4.17 does
	 * not have.
	 */
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

bool
hp_seccomp_enter(bool folders)
{
	return false;
}

#endif
