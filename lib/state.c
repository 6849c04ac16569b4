/*
 * state.c - what an hprof_reader remembers, for reader.c and what it calls
 */
#include "lib/reader.h"

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
