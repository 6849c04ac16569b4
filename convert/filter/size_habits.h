/*
 * size_habits.h - find out how the writer of a dump computes instance sizes
 */
#ifndef HP_CONVERT_FILTER_SIZE_HABITS_H
#define HP_CONVERT_FILTER_SIZE_HABITS_H

#include "convert/pass/class_prepass.h"

struct hp_size_habits {
	bool exact;  /* a size is the sum of the fields of the class */
	bool zero;   /* or it is 0 for classes without objects */
	bool strict; /* any other size is an error in a dump of this writer */
};

/*
 * Detect how the writer of the dump computes instance sizes. @prepass:
 * finished, with tables and evidence.
 */
struct hp_size_habits hp_size_habits_of(const struct hp_prepass *prepass);

#endif
