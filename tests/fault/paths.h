/*
 * paths.h - how the programs are called for fault.c, and on what
 */
#ifndef HP_FAULT_WAYS_H
#define HP_FAULT_WAYS_H

#include "tests/builder/fixtures.h"

#include <stdbool.h>
#include <stddef.h>

struct fault_way {
	int code;    /* the exit code without a fault */
	bool old;    /* "out" exists and holds "old" */
	bool named;  /* the system has no files without a name */
	bool limits; /* the result may say instead what it could not do */
	const char *report; /* "out" may say that the input is unreadable */
	const char *words[12];
};

/* Those of a program; their number in @n. */
const struct fault_way *fault_ways(const char *program, size_t *n);

/* Make the inputs in the working directory, and remove them. */
void fault_inputs(void);
void fault_remove_inputs(void);
bool fault_is_input(const char *name);

#endif
