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

/**
 * hp_size_habits_find() - how the writer of @src gives instance sizes
 * @survey: of the same source, done, with tables
 *
 * The source is read again if a class's size is not the sum of its fields.
 * Returns: HP_OK; HP_DAMAGED: it cannot be decoded; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_size_habits_find(struct hp_size_habits *h,
					       struct hp_source *src,
					       const struct hp_prepass *survey,
					       unsigned threads,
					       struct hp_error *err);

#endif
