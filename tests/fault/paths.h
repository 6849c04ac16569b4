/*
 * paths.h - the command lines and inputs that fault.c uses
 */
#ifndef HP_FAULT_WAYS_H
#define HP_FAULT_WAYS_H

#include "tests/builder/fixtures.h"

#include <stdbool.h>
#include <stddef.h>

struct fault_way {
	int code; /* the exit status of the command if no fault is injected */
	/*
	 * Before the command runs, there is already a file "out" with the text
	 * "old".
	 */
	bool old;
	/* imitate a file system that has no unnamed temporary files */
	bool named;
	/*
	 * after a fault, the program may also succeed with a result that lists
	 * what it could not compute
	 */
	bool limits;
	/*
	 * a text of the report which says that the input is unreadable; NULL:
	 * the command writes no such report to "out"
	 */
	const char *report;
	const char *words[12];
};

/*
 * Returns the list of the command lines for a program. Stores their number in
 * @n.
 */
const struct fault_way *fault_ways(const char *program, size_t *n);

/*
 * fault_inputs() creates the input files in the working directory.
 * fault_remove_inputs() removes them.
 */
void fault_inputs(void);
void fault_remove_inputs(void);
bool fault_is_input(const char *name);

#endif
