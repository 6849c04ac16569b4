/*
 * output.h - output of the translation: bytes of the binary dump, and problems
 */
#ifndef HP_TEXT_OUTPUT_H
#define HP_TEXT_OUTPUT_H

#include "common/text/records_state.h"

void hp_text_tell(const struct hp_text_records *r, enum hp_text_oddity oddity,
		  const struct hp_text_spot *spot, uint64_t a, uint64_t b);

static inline struct hp_text_spot
hp_text_here(const struct hp_text_records *r)
{
	return (struct hp_text_spot){r->line.number, r->line.offset};
}

static inline void
hp_text_place(const struct hp_text_records *r, uint64_t offset,
	      const struct hp_text_spot *spot)
{
	if (r->options.place)
		r->options.place(r->options.ctx, offset, spot->line,
				 spot->offset);
}

/*
 * Limit an id to the width of the ids in this text. Reports a problem if it is
 * wider.
 */
static inline uint64_t
hp_text_narrow(const struct hp_text_records *r, uint64_t id)
{
	const struct hp_text_spot here = hp_text_here(r);

	if (r->model.id_size == 8 || id <= UINT32_MAX)
		return id;
	hp_text_tell(r, HP_TEXT_ODD_ID, &here, id, 0);
	return id & UINT32_MAX;
}

static inline void
hp_text_put_id(const struct hp_text_records *r, struct hp_buf *b, uint64_t v)
{
	hp_append_uint(b, v, r->model.id_size);
}

/* Append bytes to the output. */
void hp_text_out(struct hp_text_records *r, const void *bytes, size_t n);
uint32_t hp_text_time_us(const struct hp_text_records *r, uint64_t ms);

#endif
