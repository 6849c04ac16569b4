/*
 * mutate.c - run a program on every prefix, flipped byte and extreme length
 *
 *         mutate-PROGRAM [--seconds=N] [--jobs=N] [--seed=N] [FIXTURE...]
 *
 * This file is linked with one program, whose main() has the name
 * hp_program_main() here. Every mutation runs in a child process of its own.
 * The child must end within the time limit with exit status 0, 1 or 2, and
 * without a message of a sanitizer. It must leave no file. Only with exit
 * status 0 may there be a complete output.
 *
 * The mutations run in a shuffled order, so that a run with a time limit still
 * tries all parts of every fixture. Failing inputs are kept in the working
 * directory as mutate-*.bin.
 */
#include "tests/sanitizers.h"
#include "tests/sweep/mutation.h"
#include "tests/sweep/turns.h"

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
#define MAX_FAILURES 8

/* Do not search for leaks here: the command-line tests do that. */
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

struct run {
	/*
	 * the name of the program without "hprof-": validate, diff or convert
	 */
	const char *program;
	struct mutation_set set;
	struct turn_options options;
	struct turn_order order;
	struct tally *tally;
	/* path of the folder in which failing inputs are kept */
	const char *top;
};

/* Counters that all worker processes share. */
struct tally {
	uint64_t runs, codes[3], failures;
};

/*
 * The command lines ("ways") of each program. The file "in" is the mutated
 * dump, "fine" is the original dump, and "out" is the only file that the
 * program may write.
 */
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

static const char *const *
way_of(const struct run *r, uint64_t n)
{
	if (strcmp(r->program, "validate") == 0)
		return validate_ways[n % 4];
	if (strcmp(r->program, "diff") == 0)
		return diff_ways[n % 4];
	return convert_ways[n % 4];
}

_Noreturn static void
child(const struct run *r, const char *const *way)
{
	char *argv[12], name[32];
	int argc = 1, in = open("in", O_RDONLY), null, err;

	null = open("/dev/null", O_WRONLY);
	err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (in < 0 || null < 0 || err < 0)
		_exit(98);
	dup2(in, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	turn_limits(LIMIT_S);
	snprintf(name, sizeof name, "hprof-%s", r->program);
	argv[0] = name;
	for (; *way; way++)
		argv[argc++] = strdup(*way);
	argv[argc] = NULL;
	exit(hp_program_main(argc, argv));
}

/*
 * Whether the file @name may exist after a run. @context points to a bool:
 * whether an output may exist.
 */
static bool
belongs(void *context, const char *name)
{
	const bool *output = context;

	return strcmp(name, "in") == 0 || strcmp(name, "fine") == 0 ||
	       strcmp(name, "err") == 0 ||
	       (*output && strcmp(name, "out") == 0);
}

static bool
left_over(bool output_allowed, char why[128])
{
	bool bad = turn_left_over(".", belongs, &output_allowed, why);

	unlink("out");
	return bad;
}

static void
report(const struct run *r, const struct mutation *m, const char *const *way,
       const char *why, const char *keep)
{
	printf("FAILED hprof-%s", r->program);
	for (; *way; way++)
		printf(" %s", *way);
	printf(": %s, %s: %s (%s)\n", r->set.names[m->fixture], m->what, why,
	       keep);
	turn_show("err", 12);
}

/*
 * Run the program. @why receives a description of the failure, or "" if there
 * was none.
 */
static void
judge(const struct run *r, const char *const *way, char why[128])
{
	int status, pid = turn_fork();

	if (pid == 0)
		child(r, way);
	status = turn_wait(pid);
	why[0] = '\0';
	__atomic_add_fetch(&r->tally->runs, 1, __ATOMIC_RELAXED);
	if (WIFSIGNALED(status)) {
		int signal = WTERMSIG(status);

		snprintf(why, 128, "killed by signal %d%s", signal,
			 signal == SIGALRM || signal == SIGXCPU ? " (too slow)"
								: "");
	} else if (WEXITSTATUS(status) > 2) {
		snprintf(why, 128, "exit %d", WEXITSTATUS(status));
	} else {
		__atomic_add_fetch(&r->tally->codes[WEXITSTATUS(status)], 1,
				   __ATOMIC_RELAXED);
		left_over(WEXITSTATUS(status) == 0, why);
	}
}

static bool
one(const struct run *r, uint64_t n)
{
	const char *const *way = way_of(r, n / 4 + n);
	char why[128], keep[512];
	struct mutation m;
	const struct b *fine;

	mutation_make(&r->set, n, &m);
	fine = &r->set.dumps[m.fixture];
	turn_save("in", m.data, m.n);
	turn_save("fine", fine->data, fine->len);
	judge(r, way, why);
	if (why[0]) {
		snprintf(keep, sizeof(keep), "%s/mutate-%s-%llu.bin", r->top,
			 r->program, (unsigned long long)n);
		turn_save(keep, m.data, m.n);
		report(r, &m, way, why, strrchr(keep, '/') + 1);
		left_over(false, keep);
	}
	mutation_release(&m);
	return !why[0];
}

/*
 * The work of one worker process. The list of all mutations is in shuffled
 * order. With N workers, each runs every N-th mutation of the list.
 */
static void
work(void *context, unsigned worker)
{
	char dir[] = "/tmp/hprof-mutate-XXXXXX";
	const struct run *r = context;
	double end = turn_now() + r->options.seconds;

	if (!mkdtemp(dir) || chdir(dir))
		turn_die(dir);
	for (uint64_t i = worker; i < r->set.total; i += r->options.jobs) {
		if (r->options.seconds > 0 && turn_now() > end)
			break;
		if (!one(r, turn_nth(&r->order, i)) &&
		    __atomic_add_fetch(&r->tally->failures, 1,
				       __ATOMIC_RELAXED) >= MAX_FAILURES)
			break;
	}
	unlink("in");
	unlink("fine");
	unlink("err");
	if (chdir(r->top) || rmdir(dir))
		turn_die(dir);
}

static void
options(struct run *r, int argc, char **argv)
{
	const char *base = strrchr(argv[0], '-');

	r->program = base ? base + 1 : "";
	r->options = (struct turn_options){.jobs = 2, .seed = 1, .seconds = 60};
	for (int i = 1; i < argc; i++) {
		if (turn_option(&r->options, argv[i]) ||
		    mutation_add(&r->set, argv[i]))
			continue;
		fprintf(stderr, "mutate: no fixture %s\n", argv[i]);
		exit(2);
	}
	if (r->set.ndumps == 0)
		mutation_add_small(&r->set);
	r->order = turn_order(r->set.total, r->options.seed);
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct tally *t = turn_shared(sizeof(*t));
	char *top = getcwd(NULL, 0);

	if (!top)
		turn_die("getcwd");
	r.tally = t;
	r.top = top;
	options(&r, argc, argv);
	t->failures += turn_workers(r.options.jobs, work, &r);
	printf("hprof-%s: %llu runs of %llu mutations of %zu fixtures; exit "
	       "0: %llu, 1: %llu, 2: %llu\n",
	       r.program, (unsigned long long)t->runs,
	       (unsigned long long)r.set.total, r.set.ndumps,
	       (unsigned long long)t->codes[0], (unsigned long long)t->codes[1],
	       (unsigned long long)t->codes[2]);
	printf("%d passed, %llu failed, 0 skipped\n", t->failures == 0,
	       (unsigned long long)t->failures);
	mutation_set_release(&r.set);
	free(top);
	return t->failures != 0;
}
