/*
 * turns.c - helpers for checks that run very many cases
 *
 * mutate.c, sweep.c and fault.c use these helpers.
 */
#include "tests/sweep/turns.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

unsigned
turn_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

bool
turn_option(struct turn_options *o, const char *argument)
{
	if (strncmp(argument, "--seconds=", 10) == 0)
		o->seconds = atof(argument + 10);
	else if (strncmp(argument, "--jobs=", 7) == 0)
		o->jobs = (unsigned)atoi(argument + 7);
	else if (strncmp(argument, "--seed=", 7) == 0)
		o->seed = strtoull(argument + 7, NULL, 10);
	else
		return false;
	if (o->jobs == 0)
		o->jobs = turn_processors();
	return true;
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t c = a % b;

		a = b;
		b = c;
	}
	return a;
}

struct turn_order
turn_order(uint64_t total, uint64_t seed)
{
	struct turn_order o = {total, total * 618 / 1000 + seed * 7919 + 1};

	while (total > 1 && gcd(o.step, total) != 1)
		o.step++;
	return o;
}

uint64_t
turn_nth(const struct turn_order *o, uint64_t i)
{
	return (uint64_t)((unsigned __int128)i * o->step % o->total);
}

double
turn_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

_Noreturn void
turn_die(const char *what)
{
	perror(what);
	exit(2);
}

void *
turn_shared(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		turn_die("mmap");
	return p;
}

int
turn_fork(void)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		turn_die("fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(2);
	}
	return pid;
}

int
turn_wait(int pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			turn_die("waitpid");
	}
	return status;
}

unsigned
turn_workers(unsigned jobs, void (*work)(void *context, unsigned n),
	     void *context)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < jobs; i++) {
		if (turn_fork() == 0) {
			work(context, i);
			exit(0);
		}
	}
	for (int status = 0; wait(&status) > 0;)
		failed += status != 0;
	return failed;
}

void
turn_limits(unsigned seconds)
{
	struct rlimit cpu = {seconds, seconds}, core = {0, 0};

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	alarm(seconds * 2);
}

void
turn_save(const char *name, const void *data, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n || close(fd))
		turn_die(name);
}

bool
turn_left_over(const char *folder,
	       bool (*belongs)(void *context, const char *name), void *context,
	       char why[128])
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	bool bad = false;

	if (!dir)
		turn_die(folder);
	while ((e = readdir(dir))) {
		const char *n = e->d_name;

		if (strcmp(n, ".") == 0 || strcmp(n, "..") == 0 ||
		    belongs(context, n))
			continue;
		snprintf(why, 128, "left over: %.90s", n);
		bad = true;
		unlinkat(dirfd(dir), n, 0);
	}
	closedir(dir);
	return bad;
}

void
turn_show(const char *name, unsigned lines)
{
	char line[256];
	FILE *f = fopen(name, "r");

	for (unsigned i = 0; f && i < lines && fgets(line, sizeof(line), f);
	     i++)
		printf("    %s%s", line, strchr(line, '\n') ? "" : "\n");
	if (f)
		fclose(f);
	fflush(stdout);
}
