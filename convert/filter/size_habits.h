/*
 * size_habits.h - find out how the writer of a dump computes instance sizes
 */
#ifndef HP_CONVERT_FILTER_SIZE_HABITS_H
#define HP_CONVERT_FILTER_SIZE_HABITS_H

#include "convert/pass/class_prepass.h"

struct hp_size_habits {
	/* the writer uses the sum of the fields of a class as instance size */
	bool exact;
	/* the writer uses 0 as instance size of classes without objects */
	bool zero;
	/*
	 * in a dump of this writer, hprof-validate reports any other size as an
	 * error
	 */
	bool strict;
};

/*
 * Detect how the writer of the dump computes instance sizes. @prepass:
 * finished, with tables and evidence.
 */
struct hp_size_habits hp_size_habits_of(const struct hp_prepass *prepass);

#endif
