/*
 * turns.h - helpers for checks that run very many cases
 *
 * The cases run in a shuffled order: each turn (0, 1, 2 ...) selects one case.
 * So a check with a time limit still tries cases of all parts. Other helpers
 * start worker processes that share counters, and limit child processes.
 */
#ifndef TESTS_SWEEP_TURNS_H
#define TESTS_SWEEP_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct turn_options {
	/*
	 * after this many seconds no more cases are started; 0: run all cases
	 */
	double seconds;
	/* number of processes among which the cases are divided */
	unsigned jobs;
	/* number from which the order of the cases is computed */
	uint64_t seed;
};

/*
 * Parse one argument: --seconds=N, --jobs=N (0 for one worker per processor) or
 * --seed=N. Returns whether the argument was one of these options.
 */
bool turn_option(struct turn_options *o, const char *argument);

/*
 * A shuffled order of @total cases. Each case occurs once. The same seed gives
 * the same order.
 */
struct turn_order {
	uint64_t total, step;
};

struct turn_order turn_order(uint64_t total, uint64_t seed);
/*
 * Returns the number of the case that runs in turn @i. Both numbers are less
 * than the total.
 */
uint64_t turn_nth(const struct turn_order *o, uint64_t i);

double
turn_now(void); /* Returns the current time of a monotonic clock, in seconds. */

/* Print that @what failed, with the reason from errno. Exit with status 2. */
_Noreturn void turn_die(const char *what);

/* Allocate zeroed memory that this process shares with its children. */
void *turn_shared(size_t n);

/**
 * turn_workers() - start worker processes and wait until all have ended
 *
 * @work: function that each worker process runs; its second argument is the
 * number of the worker
 *
 * Returns: how many workers did not end normally.
 */
unsigned turn_workers(unsigned jobs, void (*work)(void *context, unsigned n),
		      void *context);

/* Returns the number of processors that this process may use. */
unsigned turn_processors(void);

/* Fork a child that is killed when its parent ends. Returns 0 in the child. */
int turn_fork(void);
/* Wait for a child process. Returns its status in the format of waitpid(). */
int turn_wait(int pid);

/*
 * Limit the current child process: no core file, @seconds of CPU time, and
 * twice that much elapsed time.
 */
void turn_limits(unsigned seconds);

/* Write the bytes to a new file. */
void turn_save(const char *name, const void *data, size_t n);

/**
 * turn_left_over() - remove all files of a folder except those for which
 * @belongs returns true
 *
 * @why: receives the name of one of the removed files
 *
 * Returns: whether a file was removed.
 */
bool turn_left_over(const char *folder,
		    bool (*belongs)(void *context, const char *name),
		    void *context, char why[128]);

/*
 * Print the first @lines lines of the file @name, indented. The file contains
 * the messages of a child process.
 */
void turn_show(const char *name, unsigned lines);

#endif
