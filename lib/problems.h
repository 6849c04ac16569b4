/*
 * problems.h - keep a framing problem until hprof_next() can report it
 *
 * Private to lib/.
 */
#ifndef HP_LIB_PROBLEMS_H
#define HP_LIB_PROBLEMS_H

#include "lib/hprof_reader.h"

/*
 * The callback for the internal reader. Keeps a problem if some part of the
 * dump is lost because of it.
 */
void hp_reader_note_problem(void *ctx, const struct hp_problem *p);

/*
 * Fill @err with the status @st, the offset and the usual description of a
 * symptom. Returns @st.
 */
enum hp_status hp_reader_fail_symptom(const struct hp_symptom *s,
				      enum hp_status st, struct hp_error *err);

/* Return the kept problem as a failure, and forget it. */
enum hp_status hp_reader_tell_problem(struct hprof_reader *r,
				      struct hp_error *err);

#endif
