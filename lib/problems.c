/*
 * problems.c - keep a framing problem until hprof_next() can return it
 *
 * A framing problem is a wrong length or tag of a record. The internal reader
 * reports problems through a callback, in the middle of a call. hprof_next()
 * returns them later, one by one, as failures.
 */
#include "lib/internal.h"

#include <inttypes.h>

void
hp_reader_note_problem(void *ctx, const struct hp_problem *p)
{
	struct hprof_reader *r = ctx;

	/*
	 * These kinds of problems lose no data: the reader corrects the length
	 * or skips bytes. If a problem is already kept, it is not replaced.
	 */
	if (p->kind == HP_PROBLEM_OVERFLOW || p->kind == HP_PROBLEM_UNPATCHED ||
	    p->kind == HP_PROBLEM_TAG || r->has_problem)
		return;
	r->problem = *p;
	r->has_problem = true;
}

enum hp_status
hp_reader_fail_symptom(const struct hp_symptom *s, enum hp_status st,
		       struct hp_error *err)
{
	char text[HP_SYMPTOM_TEXT];

	hp_symptom_text(s, text);
	return hp_fail(err, st, "offset %" PRIu64 ": %s", s->offset, text);
}

enum hp_status
hp_reader_tell_problem(struct hprof_reader *r, struct hp_error *err)
{
	const struct hp_problem *p = &r->problem;
	struct hp_symptom s = hp_symptom_of_problem(p);

	r->has_problem = false;
	return hp_reader_fail_symptom(&s,
				      p->kind == HP_PROBLEM_HEAD_SHORT ||
						      p->kind == HP_PROBLEM_CUT
					      ? HP_TRUNCATED
					      : HP_DAMAGED,
				      err);
}
