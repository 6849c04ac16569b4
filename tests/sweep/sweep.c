/*
 * sweep.c - run a fuzz target on every mutation of small fixtures
 *
 *         sweep-TARGET [--seconds=N] [--jobs=N] [--seed=N] [--chunk=N]
 *                 [--limit=N] [--round=N] [--only=N] [FIXTURE[:4|:8]|all...]
 *
 * This file is linked with one target of tests/fuzz. A child process runs the
 * mutations of a chunk (a range of mutations) one after the other, under the
 * sanitizers. A mutation fails if the child dies, hangs for --limit seconds,
 * uses more than 2 GB of memory, or leaks memory. The sweep then prints the
 * mutation and saves it as sweep-TARGET-N.bin in the working directory. It
 * starts another child for the mutations that follow.
 *
 * The mutations run in a shuffled order, which is always the same. With
 * --round=N, the target uses another variant of its test for every mutation.
 * --only=N runs one mutation in this process.
 *
 * mutation.c makes the mutations. mutate.c checks the exit status and the
 * output of complete programs.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/sanitizers.h"
#include "tests/sweep/mutation.h"
#include "tests/sweep/turns.h"

#include <fcntl.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	JOBS_MAX = 256,
	FOUND_MAX = 50, /* the sweep ends after this number of findings */
	/* memory limit of the child process for a chunk, in MB */
	MEMORY_MB = 2048,
	SHOWN = 14, /* number of lines of a child's messages to print */
};

/*
 * The exit status of a child that runs a chunk (a range of mutations). 99 means
 * that a sanitizer has printed a message.
 */
enum { CHUNK_DONE = 0, CHUNK_LATE = 90, CHUNK_LEAKS = 91, CHUNK_ODD = 92 };

/*
 * Options of AddressSanitizer. It searches for leaks at the end of a chunk. The
 * quarantine (freed memory that is not used again yet) is small, because a
 * large one slows down the processor's caches. For each allocation, only three
 * stack frames are recorded. To see more, run --only=N with
 * ASAN_OPTIONS=malloc_context_size=30.
 */
const char *
__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=1:leak_check_at_exit=0:"
	       "max_allocation_size_mb=2048:quarantine_size_mb=4:"
	       "malloc_context_size=3";
}

const char *
__ubsan_default_options(void)
{
	return "exitcode=99:print_stacktrace=1";
}

struct tally {
	/*
	 * the first turn that no worker has taken; turn i runs mutation i of
	 * the shuffled list
	 */
	uint64_t next;
	uint64_t tried, found;
	uint64_t
		/*
		 * for each worker: index, in the shuffled list, of the mutation
		 * that its child process runs now
		 */
		at[JOBS_MAX];
};

struct sweep {
	const char *target;
	struct mutation_set set;
	struct turn_options options;
	uint64_t *numbers; /* numbers of the mutations to run */
	struct turn_order order;
	struct tally *tally;
	uint64_t chunk, only;
	unsigned limit, round, worker;
	double end; /* time at which the sweep ends; 0: it has no time limit */
	char folder[32], said[64];
};

static bool
is_late(const struct sweep *s)
{
	return s->end > 0 && turn_now() > s->end;
}

static uint64_t
number_at(const struct sweep *s, uint64_t at)
{
	return s->numbers[turn_nth(&s->order, at)];
}

static void
one(const struct sweep *s, uint64_t number)
{
	struct mutation m;

	mutation_make(&s->set, number, &m);
	hp_fuzz_one(m.data, m.n);
	mutation_release(&m);
}

/*
 * Returns the size of the data segment of this process in bytes. Most of it is
 * the shadow memory of the sanitizer.
 */
static rlim_t
mapped(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long kb = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "VmData: %llu", &kb);
	if (f)
		fclose(f);
	return (rlim_t)kb << 10;
}

static void
confine(const struct sweep *s)
{
	rlim_t most = mapped() + ((rlim_t)MEMORY_MB << 20);
	struct rlimit data = {most, most}, core = {0, 0};
	int said = open(s->said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int null = open("/dev/null", O_RDWR);

	if (said < 0 || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    dup2(said, 2) < 0)
		_exit(CHUNK_ODD);
	close(null);
	close(said);
	setrlimit(RLIMIT_DATA, &data);
	setrlimit(RLIMIT_CORE, &core);
}

/*
 * In the child process, run the mutations from @from to @to - 1 of the shuffled
 * list. Never returns.
 */
_Noreturn static void
child(const struct sweep *s, uint64_t from, uint64_t to)
{
	uint64_t *at = &s->tally->at[s->worker];

	confine(s);
	for (; from < to; from++) {
		__atomic_store_n(at, from, __ATOMIC_RELAXED);
		if (is_late(s))
			_exit(CHUNK_LATE);
		alarm(s->limit);
		one(s, number_at(s, from));
	}
	alarm(0);
	__atomic_store_n(at, to, __ATOMIC_RELAXED);
	_exit(__lsan_do_recoverable_leak_check() ? CHUNK_LEAKS : CHUNK_DONE);
}

/*
 * Run a chunk (a range of mutations) in a child process. Returns how the child
 * ended. @at receives the turn (index in the shuffled list) of the last
 * mutation that the child ran.
 */
static int
spawn(const struct sweep *s, uint64_t from, uint64_t to, uint64_t *at)
{
	int pid, status;

	s->tally->at[s->worker] = from;
	pid = turn_fork();
	if (pid == 0)
		child(s, from, to);
	status = turn_wait(pid);
	*at = s->tally->at[s->worker];
	return status;
}

static bool
ended(int status, int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static void
report(const struct sweep *s, uint64_t at, const char *why)
{
	uint64_t number = number_at(s, at);
	struct mutation m;
	char keep[128];

	mutation_make(&s->set, number, &m);
	snprintf(keep, sizeof(keep), "sweep-%s-%llu.bin", s->target,
		 (unsigned long long)number);
	turn_save(keep, m.data, m.n);
	printf("FAILED %s: %s, %s: %s (--only=%llu%s, kept as %s)\n", s->target,
	       s->set.names[m.fixture], m.what, why, (unsigned long long)number,
	       s->round ? " in that round" : "", keep);
	turn_show(s->said, SHOWN);
	mutation_release(&m);
	__atomic_add_fetch(&s->tally->found, 1, __ATOMIC_RELAXED);
}

static void
found(const struct sweep *s, uint64_t at, int status)
{
	char why[64];

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(why, sizeof(why), "hangs for %u s", s->limit);
	else if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "killed by signal %d",
			 WTERMSIG(status));
	else if (WEXITSTATUS(status) == 99)
		snprintf(why, sizeof(why), "a sanitizer objects");
	else
		snprintf(why, sizeof(why), "ended the process with %d",
			 WEXITSTATUS(status));
	report(s, at, why);
}

/*
 * Some mutations of this chunk (range of mutations) leak memory. To find them,
 * run each mutation in a process of its own.
 */
static void
find_leaks(const struct sweep *s, uint64_t from, uint64_t to)
{
	uint64_t before = s->tally->found, at;

	for (; from < to; from++) {
		int status = spawn(s, from, from + 1, &at);

		if (ended(status, CHUNK_LEAKS))
			report(s, from, "leaks");
		else if (at == from && !ended(status, CHUNK_LATE))
			found(s, from, status);
	}
	if (s->tally->found == before)
		report(s, to - 1, "leaks, with those before it in its chunk");
}

/*
 * Run the mutations from @from to @to - 1 again, and report those that leak
 * memory. The child that ran them has crashed, so it could not check for leaks.
 */
static void
look_for_leaks(const struct sweep *s, uint64_t from, uint64_t to)
{
	uint64_t at;

	if (from < to && ended(spawn(s, from, to, &at), CHUNK_LEAKS))
		find_leaks(s, from, to);
}

static void
run_chunk(const struct sweep *s, uint64_t from, uint64_t to)
{
	struct tally *t = s->tally;

	while (from < to && t->found < FOUND_MAX) {
		uint64_t at;
		int status = spawn(s, from, to, &at);
		bool late = ended(status, CHUNK_LATE);
		bool dead = at < to && !late;

		__atomic_add_fetch(&t->tried, at - from + dead,
				   __ATOMIC_RELAXED);
		if (late)
			return;
		if (dead) {
			found(s, at, status);
			look_for_leaks(s, from, at);
		} else if (ended(status, CHUNK_LEAKS)) {
			find_leaks(s, from, to);
		}
		from = at + 1;
	}
}

static void
work(void *context, unsigned worker)
{
	struct sweep *s = context;
	struct tally *t = s->tally;

	s->worker = worker;
	snprintf(s->said, sizeof(s->said), "%s/said-%u", s->folder, worker);
	while (t->found < FOUND_MAX && !is_late(s)) {
		uint64_t from = __atomic_fetch_add(&t->next, s->chunk,
						   __ATOMIC_RELAXED);
		uint64_t left =
			from < s->order.total ? s->order.total - from : 0;

		if (left == 0)
			break;
		run_chunk(s, from, from + (left < s->chunk ? left : s->chunk));
	}
	unlink(s->said);
}

static uint64_t
number_of(const char *argument)
{
	return strtoull(strchr(argument, '=') + 1, NULL, 10);
}

static void
options(struct sweep *s, int argc, char **argv)
{
	const char *base = strrchr(argv[0], '-');

	*s = (struct sweep){.target = base ? base + 1 : "",
			    .options = {.jobs = turn_processors()},
			    .chunk = 2000,
			    .limit = 20,
			    .only = UINT64_MAX};
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];

		if (turn_option(&s->options, a))
			continue;
		if (strncmp(a, "--chunk=", 8) == 0) {
			s->chunk = number_of(a) ? number_of(a) : 1;
		} else if (strncmp(a, "--limit=", 8) == 0) {
			s->limit = (unsigned)number_of(a);
		} else if (strncmp(a, "--round=", 8) == 0) {
			s->round = (unsigned)number_of(a);
		} else if (strncmp(a, "--only=", 7) == 0) {
			s->only = number_of(a);
		} else if (!mutation_add(&s->set, a)) {
			fprintf(stderr, "sweep: no option or fixture %s\n", a);
			exit(2);
		}
	}
	if (s->options.jobs > JOBS_MAX)
		s->options.jobs = JOBS_MAX;
	if (s->set.ndumps == 0) {
		mutation_add(&s->set, "tiny:4");
		mutation_add(&s->set, "tiny:8");
		mutation_add_small(&s->set);
	}
}

static void
make_folder(struct sweep *s)
{
	strcpy(s->folder, "/dev/shm/hprof-sweep-XXXXXX");
	if (!mkdtemp(s->folder)) {
		strcpy(s->folder, "/tmp/hprof-sweep-XXXXXX");
		if (!mkdtemp(s->folder))
			turn_die(s->folder);
	}
	if (setenv("HP_FUZZ_TMP", s->folder, 1) ||
	    setenv("TMPDIR", s->folder, 1))
		turn_die("setenv");
}

static bool
nothing_belongs(void *context, const char *name)
{
	return false;
}

static int
finish(struct sweep *s)
{
	struct tally *t = s->tally;
	char why[128];

	if (turn_left_over(s->folder, nothing_belongs, NULL, why)) {
		printf("FAILED %s: %s\n", s->target, why);
		t->found++;
	}
	rmdir(s->folder);
	printf("%s: %llu of %llu mutations of %zu fixtures tried, %llu more "
	       "are like others, %llu findings%s\n",
	       s->target, (unsigned long long)t->tried,
	       (unsigned long long)s->order.total, s->set.ndumps,
	       (unsigned long long)(s->set.total - s->order.total),
	       (unsigned long long)t->found,
	       t->found >= FOUND_MAX ? ", which are enough" : "");
	printf("%llu passed, %llu failed, %llu skipped\n",
	       (unsigned long long)(t->tried > t->found ? t->tried - t->found
							: 0),
	       (unsigned long long)t->found,
	       (unsigned long long)(s->order.total - t->tried));
	return t->found != 0;
}

static int
run(struct sweep *s)
{
	uint64_t distinct;
	int rc;

	s->tally = turn_shared(sizeof(*s->tally));
	s->numbers = mutation_distinct(&s->set, &distinct);
	s->order = turn_order(distinct, s->options.seed);
	make_folder(s);
	if (s->options.seconds > 0)
		s->end = turn_now() + s->options.seconds;
	s->tally->found += turn_workers(s->options.jobs, work, s);
	rc = finish(s);
	free(s->numbers);
	return rc;
}

int
main(int argc, char **argv)
{
	static struct sweep s;
	int rc = 0;

	options(&s, argc, argv);
	hp_fuzz_round(s.round);
	if (s.only < s.set.total)
		one(&s, s.only);
	else
		rc = run(&s);
	mutation_set_release(&s.set);
	return rc;
}
