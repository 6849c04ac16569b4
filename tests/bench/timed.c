/*
 * timed - run a command and print what it took, as one line of TSV:
 * seconds, user seconds, system seconds, peak memory in KiB, exit code
 *
 *   timed [-o FILE] COMMAND [ARGUMENT]...
 *
 * The command's standard output goes to FILE (/dev/null without -o); its
 * messages go where ours go. An exit code of 128 and more is a signal.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
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

/* Starts the command with standard output in @path; returns 0 or an errno. */
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

int
main(int argc, char **argv)
{
	const char *out = "/dev/null";
	struct timespec from, to;
	struct rusage usage;
	int status, error, first = 1;
	pid_t pid;

	if (argc > 2 && strcmp(argv[1], "-o") == 0) {
		out = argv[2];
		first = 3;
	}
	if (first >= argc) {
		fprintf(stderr, "Usage: timed [-o FILE] COMMAND...\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	error = start(&pid, out, argv + first);
	if (error) {
		fprintf(stderr, "timed: %s: %s\n", argv[first],
			strerror(error));
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
