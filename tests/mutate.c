/*
 * mutate.c - a program over every prefix, flipped byte and extreme length
 *
 *	mutate-PROGRAM [--seconds=N] [--jobs=N] [--seed=N] [FIXTURE...]
 *
 * Linked with one program, whose main() is called hp_program_main() here.
 * Each mutation runs in a child of its own: it must end within the limit
 * with 0, 1 or 2, without a sanitizer's word, and leave no file behind but
 * a whole output (exit 0). Mutations are taken in a scattered order, so that
 * a run that its budget cuts short has seen every part of every fixture.
 * Failing inputs are kept in the working directory as mutate-*.bin.
 */
#include "tests/builder/fixtures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int hp_program_main(int argc, char **argv);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

#define LIMIT_S 20 /* a run may take */
#define MAX_FIXTURES 64
#define MAX_FAILURES 8

/* Never a leak check here: the command-line cases do that. */
const char *
__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=0:max_allocation_size_mb=2048";
}

const char *
__ubsan_default_options(void)
{
	return "exitcode=99:print_stacktrace=1";
}

enum { PER_BYTE = 9 }; /* a prefix, three flips, five extremes */

struct run {
	const char *program; /* validate, diff, convert */
	struct b dumps[MAX_FIXTURES];
	const char *names[MAX_FIXTURES];
	size_t ndumps;
	uint64_t total; /* mutations */
	uint64_t seed;
	unsigned jobs;
	double seconds; /* 0: all of them */
};

/* Shared between the workers. */
struct tally {
	uint64_t runs, codes[3], failures;
};

/* Ways to call each program; "in" is the mutated file, "fine" the original,
 * "out" may be written. */
static const char *const validate_ways[][8] = {
	{"--format=json", "in"},
	{"--strict", "--threads=2", "in"},
	{"--level=framing", "in", "fine"},
	{"-"},
};
static const char *const diff_ways[][8] = {
	{"--format=json", "in"},
	{"--partial", "--format=csv", "in"},
	{"--partial", "--threads=2", "fine", "in"},
	{"--dump=2", "-"},
};
static const char *const convert_ways[][8] = {
	{"in", "out"},
	{"--strip-arrays", "in", "out"},
	{"--compress=zstd", "--threads=2", "-", "out"},
	{"--strip-arrays", "--compress=gzip", "-", "-o", "out"},
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static const char *const *
way_of(const struct run *r, uint64_t n)
{
	if (strcmp(r->program, "validate") == 0)
		return validate_ways[n % 4];
	if (strcmp(r->program, "diff") == 0)
		return diff_ways[n % 4];
	return convert_ways[n % 4];
}

static void
save(const char *name, const uint8_t *data, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n || close(fd))
		die(name);
}

/* Write mutation @n of @b as the file "in"; says in @what which it is. */
static void
mutate(const struct b *b, uint64_t n, char what[64])
{
	static const uint8_t masks[] = {0x01, 0x80, 0xFF};
	static const uint32_t extremes[] = {0, 1, 0x7FFFFFFF, 0x80000000,
					    0xFFFFFFFF};
	size_t at = (size_t)(n / PER_BYTE), kind = (size_t)(n % PER_BYTE);
	uint8_t *copy = malloc(b->len + 4);

	if (!copy)
		die("malloc");
	memcpy(copy, b->data, b->len);
	if (kind == 0) {
		snprintf(what, 64, "prefix of %zu bytes", at);
		save("in", copy, at);
	} else if (kind <= 3) {
		copy[at] ^= masks[kind - 1];
		snprintf(what, 64, "byte %zu xor %#x", at, masks[kind - 1]);
		save("in", copy, b->len);
	} else {
		for (size_t i = 0; i < 4; i++)
			copy[at + i] =
				(uint8_t)(extremes[kind - 4] >> (24 - 8 * i));
		snprintf(what, 64, "u4 at %zu = %#x", at, extremes[kind - 4]);
		save("in", copy, b->len);
	}
	free(copy);
}

/* In the child: the program with its output thrown away. Never returns. */
_Noreturn static void
child(const struct run *r, const char *const *way)
{
	struct rlimit cpu = {LIMIT_S, LIMIT_S}, core = {0, 0};
	char *argv[12], name[32];
	int argc = 1, in = open("in", O_RDONLY), null, err;

	null = open("/dev/null", O_WRONLY);
	err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (in < 0 || null < 0 || err < 0)
		_exit(98);
	dup2(in, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	alarm(LIMIT_S * 2);
	snprintf(name, sizeof name, "hprof-%s", r->program);
	argv[0] = name;
	for (; *way; way++)
		argv[argc++] = strdup(*way);
	argv[argc] = NULL;
	exit(hp_program_main(argc, argv));
}

/* Whether anything but what belongs here is in the directory. */
static bool
left_over(bool output_allowed, char found[64])
{
	DIR *dir = opendir(".");
	struct dirent *e;
	bool bad = false;

	if (!dir)
		die("opendir");
	while ((e = readdir(dir))) {
		const char *n = e->d_name;

		if (strcmp(n, ".") == 0 || strcmp(n, "..") == 0 ||
		    strcmp(n, "in") == 0 || strcmp(n, "fine") == 0 ||
		    strcmp(n, "err") == 0 ||
		    (output_allowed && strcmp(n, "out") == 0))
			continue;
		snprintf(found, 64, "left over: %.50s", n);
		bad = true;
		unlink(n);
	}
	closedir(dir);
	unlink("out");
	return bad;
}

static void
report(const struct run *r, size_t dump, const char *what,
       const char *const *way, const char *why, const char *keep)
{
	char line[256];
	FILE *err = fopen("err", "r");

	printf("FAILED hprof-%s", r->program);
	for (; *way; way++)
		printf(" %s", *way);
	printf(": %s, %s: %s (%s)\n", r->names[dump], what, why, keep);
	for (int i = 0; err && i < 12 && fgets(line, sizeof line, err); i++)
		printf("    %s", line);
	if (err)
		fclose(err);
	fflush(stdout);
}

/* Run mutation @n; false if it failed. */
static bool
one(const struct run *r, uint64_t n, const char *top, struct tally *t)
{
	char what[64], why[64] = "", keep[512];
	const char *const *way = way_of(r, n / PER_BYTE + n);
	size_t dump = 0;
	uint64_t k = n;
	int status;
	pid_t pid;

	while (k >= r->dumps[dump].len * PER_BYTE)
		k -= r->dumps[dump++].len * PER_BYTE;
	if (k / PER_BYTE + 4 > r->dumps[dump].len && k % PER_BYTE > 3)
		return true; /* no u4 there */
	mutate(&r->dumps[dump], k, what);
	save("fine", r->dumps[dump].data, r->dumps[dump].len);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0)
		child(r, way);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	__atomic_add_fetch(&t->runs, 1, __ATOMIC_RELAXED);
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "killed by signal %d%s",
			 WTERMSIG(status),
			 WTERMSIG(status) == SIGALRM ||
					 WTERMSIG(status) == SIGXCPU
				 ? " (too slow)"
				 : "");
	else if (WEXITSTATUS(status) > 2)
		snprintf(why, sizeof why, "exit %d", WEXITSTATUS(status));
	else
		__atomic_add_fetch(&t->codes[WEXITSTATUS(status)], 1,
				   __ATOMIC_RELAXED);
	if (!why[0] && !left_over(WEXITSTATUS(status) == 0, why))
		return true;
	snprintf(keep, sizeof keep, "%s/mutate-%s-%llu.bin", top, r->program,
		 (unsigned long long)n);
	if (rename("in", keep))
		snprintf(keep, sizeof keep, "input not kept");
	report(r, dump, what, way, why,
	       strrchr(keep, '/') ? strrchr(keep, '/') + 1 : keep);
	left_over(false, why);
	return false;
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

/* A worker takes every jobs-th mutation, in a scattered order. */
static void
work(const struct run *r, unsigned worker, struct tally *t)
{
	char dir[] = "/tmp/hprof-mutate-XXXXXX", *top = getcwd(NULL, 0);
	uint64_t step = r->total * 618 / 1000 + r->seed * 7919 + 1;
	double end = now() + r->seconds;

	while (gcd(step, r->total) != 1)
		step++;
	if (!top || !mkdtemp(dir) || chdir(dir))
		die(dir);
	for (uint64_t i = worker; i < r->total; i += r->jobs) {
		uint64_t n = (uint64_t)((unsigned __int128)i * step % r->total);

		if (r->seconds > 0 && now() > end)
			break;
		if (!one(r, n, top, t) &&
		    __atomic_add_fetch(&t->failures, 1, __ATOMIC_RELAXED) >=
			    MAX_FAILURES)
			break;
	}
	unlink("in");
	unlink("fine");
	unlink("err");
	if (chdir(top) || rmdir(dir))
		die(dir);
	free(top);
}

static void
add(struct run *r, const char *name, unsigned id_size)
{
	const struct b_fixture *f = b_fixture_find(name);

	if (!f || r->ndumps == MAX_FIXTURES) {
		fprintf(stderr, "mutate: no fixture %s\n", name);
		exit(2);
	}
	b_fixture_build(f, &r->dumps[r->ndumps], id_size);
	r->names[r->ndumps] = name;
	r->total += r->dumps[r->ndumps++].len * PER_BYTE;
}

static void
options(struct run *r, int argc, char **argv)
{
	const char *base = strrchr(argv[0], '-');

	*r = (struct run){.program = base ? base + 1 : "",
			  .jobs = 2,
			  .seed = 1,
			  .seconds = 60};
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--seconds=", 10) == 0)
			r->seconds = atof(argv[i] + 10);
		else if (strncmp(argv[i], "--jobs=", 7) == 0)
			r->jobs = (unsigned)atoi(argv[i] + 7);
		else if (strncmp(argv[i], "--seed=", 7) == 0)
			r->seed = (uint64_t)atoll(argv[i] + 7);
		else
			add(r, argv[i], 0);
	}
	if (r->jobs == 0)
		r->jobs = 1;
	if (r->ndumps > 0)
		return;
	add(r, "hotspot", 8);
	add(r, "hotspot25", 4);
	add(r, "agent", 4);
	add(r, "art", 4);
	add(r, "two-dumps-102", 4);
	add(r, "all-tags", 8);
	add(r, "unpatched", 4);
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct tally *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		die("mmap");
	options(&r, argc, argv);
	for (unsigned i = 0; i < r.jobs; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0) {
			work(&r, i, t);
			exit(0);
		}
	}
	for (int status = 0; wait(&status) > 0;)
		if (status)
			t->failures++;
	printf("hprof-%s: %llu runs of %llu mutations of %zu fixtures; exit "
	       "0: %llu, 1: %llu, 2: %llu\n",
	       r.program, (unsigned long long)t->runs,
	       (unsigned long long)r.total, r.ndumps,
	       (unsigned long long)t->codes[0], (unsigned long long)t->codes[1],
	       (unsigned long long)t->codes[2]);
	printf("%d passed, %llu failed, 0 skipped\n", t->failures == 0,
	       (unsigned long long)t->failures);
	for (size_t i = 0; i < r.ndumps; i++)
		b_release(&r.dumps[i]);
	return t->failures != 0;
}
