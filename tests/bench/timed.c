/*
 * timed.c - run a command and print its cost as one line of TSV
 *
 * The columns are seconds, user seconds, system seconds, peak memory in KiB,
 * and exit status.
 *
 *	timed [-o FILE] [-w MIB] COMMAND [ARGUMENT]...
 *
 * -w first touches and frees MIB of memory. Otherwise the first command after a
 * pause would be slower, because the host or the kernel must first provide,
 * split and clear the memory pages.
 *
 * The command's standard output goes to FILE (/dev/null without -o). Its
 * messages go to standard error. An exit status of 128 or more is a signal.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double
seconds(struct timespec t)
{
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
used(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int
start(pid_t *pid, const char *path, char **argv)
{
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path,
					 O_WRONLY | O_CREAT | O_TRUNC, 0666);
	error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/*
 * Make the kernel provide memory before the command starts: write to memory, in
 * large pages if possible, and free it. This runs in a process of its own,
 * because a command inherits its parent's peak memory.
 */
static void
warm(size_t bytes)
{
	pid_t pid = fork();
	void *p;

	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (pid != 0)
		return;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED) {
		madvise(p, bytes, MADV_HUGEPAGE);
		memset(p, 1, bytes);
	}
	_exit(0);
}

int
main(int argc, char **argv)
{
	const char *out = "/dev/null";
	struct timespec from, to;
	struct rusage usage;
	int status, error, option;
	pid_t pid;

	while ((option = getopt(argc, argv, "+o:w:")) != -1) {
		if (option == 'o')
			out = optarg;
		else if (option == 'w')
			warm((size_t)strtoul(optarg, NULL, 10) << 20);
		else
			return 2;
	}
	argv += optind;
	if (!argv[0]) {
		fprintf(stderr, "Usage: timed [-o FILE] [-w MIB] COMMAND...\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	error = start(&pid, out, argv);
	if (error) {
		fprintf(stderr, "timed: %s: %s\n", argv[0], strerror(error));
		return 2;
	}
	if (wait4(pid, &status, 0, &usage) != pid) {
		perror("timed: wait4");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%.6f\t%.6f\t%.6f\t%ld\t%d\n", seconds(to) - seconds(from),
	       used(usage.ru_utime), used(usage.ru_stime), usage.ru_maxrss,
	       WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status));
	return 0;
}
