/*
 * output.c - collect the output of the translation of a text: bytes of the
 * binary dump, and problems for the caller to report
 */
#include "common/text/internal.h"

/* ---- bytes ---- */

void
hp_text_out(struct hp_text_records *r, const void *bytes, size_t n)
{
	hp_buf_add(&r->out, bytes, n);
	r->total += n;
}

uint32_t
hp_text_time_us(const struct hp_text_records *r, uint64_t ms)
{
	return ms > r->start_ms ? (uint32_t)((ms - r->start_ms) * 1000) : 0;
}

/* ---- problems ---- */

void
hp_text_tell(const struct hp_text_records *r, enum hp_text_oddity oddity,
	     const struct hp_text_spot *spot, uint64_t a, uint64_t b)
{
	const struct hp_text_problem p = {
		oddity, spot->line, spot->offset, {a, b}};

	if (r->options.problem)
		r->options.problem(r->options.ctx, &p);
}
