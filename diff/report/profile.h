/*
 * profile.h - rows as stacks, for the formats of profilers; private to
 * diff/report
 */
#ifndef HP_DIFF_REPORT_PROFILE_H
#define HP_DIFF_REPORT_PROFILE_H

#include "common/base/hash.h"
#include "diff/result/result.h"

/*
 * The distinct frames of a profile, and the stack of one row. A frame is the
 * text of a step of a path, of a stack frame, or of a class. A zeroed struct is
 * ready for use.
 */
struct hp_profile {
	struct hp_intern frames;
	/* the stack of the row: numbers of frames, outermost first */
	uint32_t *stack;
	size_t depth, cap;
};

/*
 * Set p->stack to the stack of a row. The outermost frame says what the width
 * of a frame means, such as "bytes by path". Returns false if out of memory.
 */
bool hp_profile_stack(struct hp_profile *p, const struct hp_result *r,
		      const struct hp_row *row);
void hp_profile_release(struct hp_profile *p);

/* The parts of the text of a stack frame. */
struct hp_profile_place {
	/*
	 * how many bytes at the beginning of the text are the name of the
	 * function
	 */
	size_t name;
	const char *file; /* name of the source file; NULL: not known */
	size_t file_len;
	uint32_t line; /* line in the source file; 0: not known */
};

/*
 * Split "com.acme.Order.put(Order.java:12)". The whole text is the name if it
 * does not end with a source file.
 */
struct hp_profile_place hp_profile_place(const char *text, size_t length);

/*
 * The columns whose values can be added up over rows, as bits: those that are
 * shown and have a sum, and the column by which the growth of rows is compared.
 */
unsigned hp_profile_columns(const struct hp_result *r);

#endif
