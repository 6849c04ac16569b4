/*
 * problems.c - what breaks the framing of a dump, kept until hprof_next() can
 * tell it; and memory that the items point to
 */
#include "lib/reader.h"

#include <inttypes.h>
#include <stdlib.h>

void *
hp_scratch_reserve(struct hp_scratch *s, size_t n)
{
	size_t room = s->size + s->size / 2;
	void *grown;

	if (n <= s->size)
		return s->data;
	if (room < n)
		room = n;
	grown = realloc(s->data, room);
	if (!grown)
		return NULL;
	s->data = grown;
	s->size = room;
	return grown;
}

void
hp_reader_note_problem(void *ctx, const struct hp_problem *p)
{
	struct hprof_reader *r = ctx;

	/* repaired, or skipped, without a loss */
	if (p->kind == HP_PROBLEM_OVERFLOW || p->kind == HP_PROBLEM_UNPATCHED ||
	    p->kind == HP_PROBLEM_TAG || r->has_problem)
		return;
	r->problem = *p;
	r->has_problem = true;
}

enum hp_status
hp_reader_tell_problem(struct hprof_reader *r, struct hp_error *err)
{
	const struct hp_problem *p = &r->problem;

	r->has_problem = false;
	switch (p->kind) {
	case HP_PROBLEM_HEAD_SHORT:
		return hp_fail(err, HP_TRUNCATED,
			       "%" PRIu64 " bytes left at offset %" PRIu64
			       ", where a record should be",
			       p->got, p->offset);
	case HP_PROBLEM_CUT:
		return hp_fail(err, HP_TRUNCATED,
			       "the record at offset %" PRIu64 " has %" PRIu64
			       " bytes of %" PRIu64,
			       p->offset, p->got, p->want);
	default:
		return hp_fail(err, HP_DAMAGED,
			       "no record can be made out from offset %" PRIu64
			       " on",
			       p->offset);
	}
}
