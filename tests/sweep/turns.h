/*
 * turns.h - what checks over very many cases share
 *
 * A scattered order, so that a check that its time cuts short has seen every
 * part; worker processes and what they count together; limits of a child.
 */
#ifndef TESTS_SWEEP_TURNS_H
#define TESTS_SWEEP_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct turn_options {
	double seconds; /* 0: all of them */
	unsigned jobs;	/* worker processes */
	uint64_t seed;	/* of the order */
};

/* --seconds=N, --jobs=N (0: a worker for each processor) or --seed=N? */
bool turn_option(struct turn_options *o, const char *argument);

/* Of @total cases each once; the same order for the same seed. */
struct turn_order {
	uint64_t total, step;
};

struct turn_order turn_order(uint64_t total, uint64_t seed);
/* The case that has turn @i; both are below the total. */
uint64_t turn_nth(const struct turn_order *o, uint64_t i);

double turn_now(void); /* seconds */

/* Say what failed and why, and exit with 2. */
_Noreturn void turn_die(const char *what);

/* Zeroed memory that this process and its children share. */
void *turn_shared(size_t n);

/**
 * turn_workers() - processes that do the work together, until all have ended
 * @work: called in each, with its number; it returns where it is done
 *
 * Returns: how many ended otherwise.
 */
unsigned turn_workers(unsigned jobs, void (*work)(void *context, unsigned n),
		      void *context);

/* The CPUs that this process may run on. */
unsigned turn_processors(void);

/* Start a child; where its parent ends, it is killed. 0 in the child. */
int turn_fork(void);
/* Its status as waitpid() gives it. */
int turn_wait(int pid);

/* For a child: no core file; its end after @seconds of CPU time, or twice
 * that by the clock. */
void turn_limits(unsigned seconds);

/* Make a file of the bytes. */
void turn_save(const char *name, const void *data, size_t n);

/**
 * turn_left_over() - remove whatever does not belong into a folder
 * @why: the last name, if there is one
 *
 * Returns: whether there was anything.
 */
bool turn_left_over(const char *folder,
		    bool (*belongs)(void *context, const char *name),
		    void *context, char why[128]);

/* What a child said in a file: its first @lines, indented. */
void turn_show(const char *name, unsigned lines);

#endif
