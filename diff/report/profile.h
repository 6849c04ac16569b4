/*
 * profile.h - show rows as stacks of frames, for formats that are read by
 * profilers; only diff/report uses it
 */
#ifndef HP_DIFF_REPORT_PROFILE_H
#define HP_DIFF_REPORT_PROFILE_H

#include "common/base/hash.h"
#include "diff/result/result.h"

/*
 * All distinct frames of a profile (a report for profilers), and the stack of
 * the current row. A frame is a text: a step of a path, a stack frame, or a
 * class. A zeroed struct is ready for use.
 */
struct hp_profile {
	struct hp_intern frames;
	/*
	 * the stack of the current row: indexes of texts in `frames`, outermost
	 * first
	 */
	uint32_t *stack;
	size_t depth, cap;
};

/*
 * Set p->stack to the stack of @row. The outermost frame is a text that
 * explains the widths of the frames in a flame graph, for example "bytes by
 * path". Returns false if out of memory.
 */
bool hp_profile_stack(struct hp_profile *p, const struct hp_result *r,
		      const struct hp_row *row);
void hp_profile_release(struct hp_profile *p);

/*
 * The parts of the text of a stack frame, such as
 * "com.acme.Order.put(Order.java:12)".
 */
struct hp_profile_place {
	/* length of the name of the function, at the beginning of the text */
	size_t name;
	const char *file; /* name of the source file; NULL: not known */
	size_t file_len;
	uint32_t line; /* line in the source file; 0: not known */
};

/*
 * Split a text such as "com.acme.Order.put(Order.java:12)" into its parts. If
 * the text does not end with a source file in parentheses, the whole text is
 * the name.
 */
struct hp_profile_place hp_profile_place(const char *text, size_t length);

/*
 * Returns a set of columns, one bit for each: the shown columns whose values
 * can be added up over rows, and the column by which rows are sorted.
 */
unsigned hp_profile_columns(const struct hp_result *r);

#endif
