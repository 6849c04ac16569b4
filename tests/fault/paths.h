/*
 * paths.h - the command lines and inputs that fault.c uses
 */
#ifndef HP_FAULT_WAYS_H
#define HP_FAULT_WAYS_H

#include "tests/builder/fixtures.h"

#include <stdbool.h>
#include <stddef.h>

struct fault_way {
	int code; /* the exit status of the run if no fault is injected */
	/* Before the run, there is a file "out" with the text "old". */
	bool old;
	bool named;  /* the file system has no unnamed temporary files */
	bool limits; /* the result may instead list what the program could not
			do */
	const char *report; /* the text in a report "out" that says that the
			       input is unreadable; NULL if such a report is not
			       expected */
	const char *words[12];
};

/* Returns the command lines of a program. Stores their number in @n. */
const struct fault_way *fault_ways(const char *program, size_t *n);

/* Create the input files in the working directory, and remove them. */
void fault_inputs(void);
void fault_remove_inputs(void);
bool fault_is_input(const char *name);

#endif
