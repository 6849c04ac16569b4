/*
 * refusals.c - run a program and report the system calls that its own sandbox
 * refused
 *
 * refusals CMD [ARGUMENT]...
 *
 * The program traces CMD with ptrace. It prints a line to standard error for
 * each call of any thread that failed with EPERM or ENOSYS after a seccomp
 * filter was installed. It ignores clone3(): the sandbox refuses this call on
 * purpose, so that the C library uses clone().
 *
 * Exit status: that of CMD; 99 if a call was refused; 98 if CMD never installed
 * a filter; 97 if ptrace does not work here; 128 + N if signal N killed CMD.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __NR_clone3
#define __NR_clone3 435
#endif

enum { REFUSED = 99, NEVER_CONFINED = 98, NOT_TRACED = 97, THREADS = 256 };

/* For each thread: the system call that it is executing. */
struct tracing {
	struct {
		pid_t thread;
		unsigned long long call;
	} in[THREADS];
	bool confined, refused;
};

static size_t
place_of(struct tracing *t, pid_t thread)
{
	size_t i = 0;

	while (i < THREADS - 1 && t->in[i].thread != thread &&
	       t->in[i].thread != 0)
		i++;
	t->in[i].thread = thread;
	return i;
}

static void
see_call(struct tracing *t, pid_t thread)
{
	struct __ptrace_syscall_info info = {0};
	size_t i = place_of(t, thread);
	unsigned long long call;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof(info),
		   &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		t->in[i].call = info.entry.nr;
		return;
	}
	if (info.op != PTRACE_SYSCALL_INFO_EXIT)
		return;
	call = t->in[i].call;
	if (call == __NR_seccomp && info.exit.rval == 0) {
		t->confined = true;
	} else if (t->confined && call != __NR_clone3 &&
		   (info.exit.rval == -EPERM || info.exit.rval == -ENOSYS)) {
		fprintf(stderr, "refused: system call %llu: %s\n", call,
			strerror((int)-info.exit.rval));
		t->refused = true;
	}
}

static pid_t
start(char **argv)
{
	const long options =
		PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		raise(SIGSTOP);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, WUNTRACED) != pid ||
	    ptrace(PTRACE_SEIZE, pid, NULL, (void *)options) != 0)
		exit(NOT_TRACED);
	kill(pid, SIGCONT);
	return pid;
}

/*
 * Let @thread continue after a stop. If a signal stopped it, deliver this
 * signal.
 */
static void
resume_thread(struct tracing *t, pid_t thread, int status)
{
	int sig = WSTOPSIG(status);

	if (sig == (SIGTRAP | 0x80)) {
		see_call(t, thread);
		sig = 0;
	} else if (status >> 16 != 0 || sig == SIGSTOP || sig == SIGTRAP) {
		/*
		 * the thread was stopped by an event of ptrace, not by a signal
		 */
		sig = 0;
	}
	ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(long)sig);
}

int
main(int argc, char **argv)
{
	struct tracing t = {0};
	int status = 0, code = -1;
	pid_t program, thread;

	if (argc < 2) {
		fprintf(stderr, "usage: refusals CMD [ARGUMENT]...\n");
		return 2;
	}
	program = start(argv + 1);
	ptrace(PTRACE_INTERRUPT, program, NULL, NULL);
	while ((thread = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			resume_thread(&t, thread, status);
		else if (thread == program)
			code = WIFEXITED(status) ? WEXITSTATUS(status)
						 : 128 + WTERMSIG(status);
	}
	if (t.refused)
		return REFUSED;
	return t.confined ? code : NEVER_CONFINED;
}
