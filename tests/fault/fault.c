/*
 * fault.c - run a program with a fault in each of its system and library calls
 *
 *         fault-PROGRAM [--seconds=N] [--jobs=N] [--way=N] [--only=N]
 *
 * This file is linked with shim.c and with one program, whose main() has the
 * name hp_program_main() here. paths.c lists the command lines ("ways"). Each
 * way first runs without a fault, to count the calls. Then it runs once for
 * each call and each possible fault of this call, in a child process of its
 * own. judge() checks each run.
 *
 * The faults are injected in a shuffled order, so that a run with a time limit
 * still tries faults of all ways. --only=N injects only fault N (of --way=N)
 * and prints where it happens.
 */
#include "tests/fault/paths.h"
#include "tests/fault/shim.h"
#include "tests/sanitizers.h"
#include "tests/sweep/turns.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int hp_program_main(int argc, char **argv);

#define LIMIT_S 20 /* maximum duration of one run, in seconds */
#define MAX_FAILURES 12
#define WAYS_MAX 64
#define JOBS_MAX 64

const char *
__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=1:max_allocation_size_mb=2048:"
	       "allocator_may_return_null=1";
}

const char *
__ubsan_default_options(void)
{
	return "exitcode=99:print_stacktrace=1";
}

/* The kinds of calls, and the faults that are injected into each kind. */
static const struct {
	enum fault_kind kind;
	int what;
	bool lasting;
	const char *name;
} wrongs[] = {
	{FAULT_MEMORY, ENOMEM, false, "no memory"},
	{FAULT_MEMORY, ENOMEM, true, "no memory from here on"},
	{FAULT_MAP, ENOMEM, false, "mmap: no memory"},
	{FAULT_THREAD, EAGAIN, false, "no thread"},
	{FAULT_THREAD, EAGAIN, true, "no thread from here on"},
	{FAULT_OPEN, EMFILE, false, "open: EMFILE"},
	{FAULT_OPEN, EMFILE, true, "open: EMFILE from here on"},
	{FAULT_OPEN, ENOSPC, false, "open: ENOSPC"},
	{FAULT_READ, EIO, false, "read: EIO"},
	{FAULT_READ, EINTR, false, "read: EINTR"},
	{FAULT_READ, FAULT_SHORT, false, "read: one byte"},
	{FAULT_READ, FAULT_SHORT, true, "read: one byte from here on"},
	{FAULT_READ, FAULT_END, true, "read: the end from here on"},
	{FAULT_WRITE, ENOSPC, false, "write: ENOSPC"},
	{FAULT_WRITE, ENOSPC, true, "write: ENOSPC from here on"},
	{FAULT_WRITE, EIO, false, "write: EIO"},
	{FAULT_WRITE, EPIPE, true, "write: EPIPE from here on"},
	{FAULT_WRITE, EINTR, false, "write: EINTR"},
	{FAULT_WRITE, FAULT_SHORT, false, "write: one byte"},
	{FAULT_WRITE, FAULT_SHORT, true, "write: one byte from here on"},
	{FAULT_PLACE, EIO, false, "link, rename, fsync, fstat: EIO"},
	{FAULT_PLACE, ENOSPC, false, "link, rename, fsync, fstat: ENOSPC"},
};

enum { WRONGS = sizeof(wrongs) / sizeof(wrongs[0]) };

struct clean {
	uint64_t calls[FAULT_KINDS];
	int code;
	/* the standard output, and the contents of the output file "out" */
	struct b out, written;
	bool wrote;
};

/* Counters that all worker processes share. */
struct tally {
	uint64_t runs, injected, refused, survived, failures;
	/*
	 * for each worker process: the numbers of calls of each kind in its
	 * current child process
	 */
	uint64_t seen[JOBS_MAX][FAULT_KINDS];
};

struct run {
	const char *program;
	const struct fault_way *ways;
	size_t nways;
	struct clean clean[WAYS_MAX];
	uint64_t total; /* number of faults of all command lines together */
	struct turn_options options;
	unsigned worker;
	/* number of the only fault to inject; UINT64_MAX: inject all faults */
	uint64_t only;
	struct tally *t;
};

static void
slurp_file(FILE *f, struct b *to)
{
	uint8_t buf[65536];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		b_bytes(to, buf, n);
	fclose(f);
}

static void
slurp_folder(const char *name, struct b *to)
{
	struct dirent **list;
	int n = scandir(name, &list, NULL, alphasort);
	char path[300];

	if (n < 0)
		turn_die(name);
	for (int i = 0; i < n; free(list[i++])) {
		FILE *f;

		if (list[i]->d_type == DT_DIR)
			continue;
		snprintf(path, sizeof(path), "%s/%s", name, list[i]->d_name);
		b_bytes(to, path, strlen(path));
		f = fopen(path, "rb");
		if (f)
			slurp_file(f, to);
	}
	free(list);
}

static bool
slurp(const char *name, struct b *to)
{
	FILE *f = fopen(name, "rb");
	struct stat s;

	to->len = 0;
	if (!f)
		return false;
	if (fstat(fileno(f), &s) == 0 && S_ISDIR(s.st_mode)) {
		fclose(f);
		slurp_folder(name, to);
	} else {
		slurp_file(f, to);
	}
	return true;
}

static void
remove_output(void)
{
	struct dirent *e;
	DIR *dir;

	if (unlink("out") == 0 || errno == ENOENT)
		return;
	dir = opendir("out");
	if (!dir)
		turn_die("out");
	while ((e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	closedir(dir);
	rmdir("out");
}

_Noreturn static void
child(const struct run *r, const struct fault_way *way, const struct fault *f)
{
	int in = open("in", O_RDONLY | O_CLOEXEC);
	int out = open("stdout", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int err = open("stderr", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *argv[16], name[32];
	int argc = 1, code;

	if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 ||
	    dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(98);
	turn_limits(LIMIT_S);
	snprintf(name, sizeof(name), "hprof-%s", r->program);
	argv[0] = name;
	for (const char *const *w = way->words; *w; w++)
		argv[argc++] = (char *)*w;
	argv[argc] = NULL;
	fault = *f;
	fault.named = way->named;
	fault.armed = true;
	code = hp_program_main(argc, argv);
	fault.armed = false;
	exit(code);
}

static int
run_child(struct run *r, const struct fault_way *way, struct fault f)
{
	int pid;

	f.seen = r->t->seen[r->worker];
	memset(f.seen, 0, sizeof(r->t->seen[0]));
	remove_output();
	if (way->old)
		turn_save("out", "old", 3);
	pid = turn_fork();
	if (pid == 0)
		child(r, way, &f);
	__atomic_add_fetch(&r->t->runs, 1, __ATOMIC_RELAXED);
	return turn_wait(pid);
}

static bool
belongs(void *context, const char *name)
{
	return fault_is_input(name) || !strcmp(name, "out") ||
	       !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

static bool
same(const struct b *a, const struct b *b)
{
	return a->len == b->len &&
	       (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/*
 * Whether a failed run left the output unchanged: either there is no file, or
 * the file from before the run still exists.
 */
static bool
place_untouched(const struct fault_way *way, const struct b *now, bool there)
{
	bool old = way->old && there && now->len == 3 &&
		   memcmp(now->data, "old", 3) == 0;

	/*
	 * the run may have written a complete report which says that the input
	 * is unreadable
	 */
	if (there && way->report && !old)
		return memmem(now->data, now->len, way->report,
			      strlen(way->report)) != NULL;
	return way->old ? old : !there;
}

/*
 * Check a run. It must not crash, hang, leave files behind or cause a message
 * of a sanitizer. Its result must be the same as without a fault; or the
 * program must exit with status 2, print a message and leave the output file
 * unchanged. A fault that only delays a call must not change the result.
 */
static bool
judge(struct run *r, size_t way, const struct fault *f, int status,
      char why[128])
{
	const struct clean *c = &r->clean[way];
	struct b out = {0}, written = {0}, err = {0};
	bool soft = f->what == EINTR || f->what == FAULT_SHORT, wrote, good;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	/*
	 * This fault imitates a reader that has closed the output. The program
	 * may then end by SIGPIPE, as cat does.
	 */
	bool closed = f->what == EPIPE && WIFSIGNALED(status) &&
		      WTERMSIG(status) == SIGPIPE;

	why[0] = '\0';
	slurp("stdout", &out);
	slurp("stderr", &err);
	wrote = slurp("out", &written);
	good = code == c->code && same(&out, &c->out) && wrote == c->wrote &&
	       same(&written, &c->written);
	if (WIFSIGNALED(status) && !closed)
		snprintf(why, 128, "killed by signal %d", WTERMSIG(status));
	else if (good)
		__atomic_add_fetch(&r->t->survived, 1, __ATOMIC_RELAXED);
	else if (code == 99)
		snprintf(why, 128, "a sanitizer objects");
	else if (soft)
		snprintf(why, 128, "exit %d: another result", code);
	else if (code == c->code && r->ways[way].limits &&
		 out.len + written.len > 0)
		__atomic_add_fetch(&r->t->survived, 1, __ATOMIC_RELAXED);
	else if (code != 2 && !closed)
		snprintf(why, 128, "exit %d with another result", code);
	else if (err.len == 0 && !closed)
		snprintf(why, 128, "no message");
	else if (f->kind == FAULT_PLACE && wrote && same(&written, &c->written))
		/* only fsync() failed: the output exists and is complete */
		__atomic_add_fetch(&r->t->refused, 1, __ATOMIC_RELAXED);
	else if (!place_untouched(&r->ways[way], &written, wrote))
		snprintf(why, 128, "something is at the output's place");
	else
		__atomic_add_fetch(&r->t->refused, 1, __ATOMIC_RELAXED);
	b_release(&out);
	b_release(&written);
	b_release(&err);
	if (!why[0])
		turn_left_over(".", belongs, NULL, why);
	return !why[0];
}

static void
report(const struct run *r, size_t way, uint64_t nth, const struct fault *f,
       const char *wrong, const char *why)
{
	printf("FAILED hprof-%s", r->program);
	for (const char *const *w = r->ways[way].words; *w; w++)
		printf(" %s", *w);
	printf(": %s, call %llu: %s (--way=%zu --only=%llu)\n", wrong,
	       (unsigned long long)f->number, why, way,
	       (unsigned long long)nth);
	turn_show("stderr", 24);
}

/*
 * Inject fault number @n (the faults of all command lines are numbered
 * consecutively). Returns false if a check failed.
 */
static bool
one(struct run *r, uint64_t n)
{
	char why[128];
	int status;

	for (size_t way = 0; way < r->nways; way++) {
		uint64_t nth = n;

		for (size_t i = 0; i < WRONGS; i++) {
			struct fault f = {.kind = wrongs[i].kind,
					  .what = wrongs[i].what,
					  .lasting = wrongs[i].lasting};
			uint64_t calls = r->clean[way].calls[f.kind];

			if (n >= calls) {
				n -= calls;
				continue;
			}
			f.number = n + 1;
			f.trace = r->only != UINT64_MAX;
			status = run_child(r, &r->ways[way], f);
			__atomic_add_fetch(&r->t->injected, 1,
					   __ATOMIC_RELAXED);
			if (judge(r, way, &f, status, why) && !f.trace)
				return true;
			report(r, way, nth, &f, wrongs[i].name, why);
			return false;
		}
	}
	return true;
}

static bool
measure(struct run *r, size_t way)
{
	struct clean *c = &r->clean[way];
	struct fault none = {.number = 0};
	int status = run_child(r, &r->ways[way], none);
	char why[128];

	slurp("stdout", &c->out);
	c->wrote = slurp("out", &c->written);
	c->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (c->code != r->ways[way].code ||
	    turn_left_over(".", belongs, NULL, why)) {
		snprintf(why, sizeof(why), "exit %d", c->code);
		report(r, way, 0, &none, "no fault", why);
		return false;
	}
	for (unsigned k = 0; k < FAULT_KINDS; k++)
		c->calls[k] = r->t->seen[r->worker][k];
	for (size_t i = 0; i < WRONGS; i++)
		r->total += c->calls[wrongs[i].kind];
	return true;
}

/*
 * The work of one worker process. The list of all faults is in shuffled order.
 * With N workers, each injects every N-th fault of the list.
 */
static void
work(struct run *r)
{
	struct turn_order order = turn_order(r->total, r->options.seed);
	double end = turn_now() + r->options.seconds;

	for (uint64_t i = r->worker; i < r->total; i += r->options.jobs) {
		uint64_t n = turn_nth(&order, i);

		if (r->only != UINT64_MAX)
			n = r->only;
		if (r->options.seconds > 0 && turn_now() > end)
			break;
		if (!one(r, n) &&
		    __atomic_add_fetch(&r->t->failures, 1, __ATOMIC_RELAXED) >=
			    MAX_FAILURES)
			break;
		if (r->only != UINT64_MAX)
			break;
	}
}

static void
options(struct run *r, int argc, char **argv, size_t *only)
{
	const char *base = strrchr(argv[0], '-');

	*r = (struct run){.program = base ? base + 1 : "",
			  .options = {.jobs = 2, .seconds = 60},
			  .only = UINT64_MAX};
	*only = SIZE_MAX;
	for (int i = 1; i < argc; i++) {
		if (turn_option(&r->options, argv[i]))
			continue;
		if (strncmp(argv[i], "--way=", 6) == 0)
			*only = (size_t)atoi(argv[i] + 6);
		else if (strncmp(argv[i], "--only=", 7) == 0)
			r->only = strtoull(argv[i] + 7, NULL, 10);
	}
	if (r->options.jobs > JOBS_MAX)
		r->options.jobs = JOBS_MAX;
	r->ways = fault_ways(r->program, &r->nways);
	if (*only < r->nways) {
		r->ways += *only;
		r->nways = 1;
	}
}

/*
 * The main function of one worker process: create a folder, run all command
 * lines without a fault, then inject the faults of this worker.
 */
static void
worker(void *context, unsigned number)
{
	struct run *r = context;
	char dir[] = "/tmp/hprof-fault-XXXXXX";

	r->worker = number;
	if (!mkdtemp(dir) || chdir(dir) || setenv("TMPDIR", ".", 1))
		turn_die(dir);
	fault_inputs();
	for (size_t i = 0; i < r->nways; i++) {
		if (!measure(r, i))
			__atomic_add_fetch(&r->t->failures, 1,
					   __ATOMIC_RELAXED);
	}
	if (r->total > 0)
		work(r);
	if (r->worker == 0)
		printf("hprof-%s: %zu ways, %llu faults\n", r->program,
		       r->nways, (unsigned long long)r->total);
	fault_remove_inputs();
	remove_output();
	unlink("stdout");
	unlink("stderr");
	if (chdir("/") || rmdir(dir))
		turn_die(dir);
	for (size_t i = 0; i < r->nways; i++) {
		b_release(&r->clean[i].out);
		b_release(&r->clean[i].written);
	}
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct tally *t;
	size_t only;

	options(&r, argc, argv, &only);
	t = turn_shared(sizeof(*t));
	if (r.nways == 0 || r.nways > WAYS_MAX)
		turn_die("fault");
	r.t = t;
	t->failures += turn_workers(r.options.jobs, worker, &r);
	printf("hprof-%s: %llu faults injected: %llu refused with exit code 2 "
	       "and a message, %llu survived\n",
	       r.program, (unsigned long long)t->injected,
	       (unsigned long long)t->refused, (unsigned long long)t->survived);
	printf("%d passed, %llu failed, 0 skipped\n", t->failures == 0,
	       (unsigned long long)t->failures);
	return t->failures != 0;
}
