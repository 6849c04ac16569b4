/*
 * size_habits.h - what the instance sizes of a dump's classes say
 */
#ifndef HP_CONVERT_FILTER_SIZE_HABITS_H
#define HP_CONVERT_FILTER_SIZE_HABITS_H

#include "convert/pass/class_prepass.h"

struct hp_size_habits {
	bool exact;  /* they are the sum of a class's fields */
	bool zero;   /* ... or 0, of classes without an object */
	bool strict; /* all others are errors in a dump of this dialect */
};

/*
 * How the writer of a dump gives instance sizes. @prepass: done, with tables
 * and evidence.
 */
struct hp_size_habits hp_size_habits_of(const struct hp_prepass *prepass);

#endif
