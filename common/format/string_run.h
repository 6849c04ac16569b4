/*
 * string_run.h - STRING records that stand one behind the other in memory
 *
 * Nine of ten records outside the heap are strings, and nearly all of them are
 * whole and short. Who takes runs of them looks at each once and leaves
 * whatever is odd to those who take records one by one.
 */
#ifndef HP_FORMAT_STRING_RUN_H
#define HP_FORMAT_STRING_RUN_H

#include "common/format/cursor.h"
#include "common/format/format.h"

struct hp_string_run {
	struct hp_cursor bytes; /* from the head of the next record on */
	uint64_t ordinal;	/* of the next record */
	unsigned id_size;
};

/* A text of no more bytes than these may be looked at without a loop. */
enum { HP_STRING_SHORT = 64 };

struct hp_string_row {
	uint32_t time;
	uint32_t length; /* of the text */
	uint64_t id;
	const uint8_t *text;
	bool is_short; /* and HP_STRING_SHORT bytes can be read of it */
};

/* The offset of the next record in the dump. */
static inline uint64_t
hp_string_run_offset(const struct hp_string_run *run)
{
	return run->bytes.origin + run->bytes.pos;
}

/**
 * hp_string_run_look() - the next record of a run
 *
 * Shape:   u1 tag | u4 time | u4 length | id | u1 text[length - id size]
 * Returns: false if it is no STRING that is here whole.
 */
HP_HOT bool
hp_string_run_look(const struct hp_string_run *run, struct hp_string_row *row)
{
	const uint8_t *p = run->bytes.data + run->bytes.pos;
	uint64_t left = hp_left(&run->bytes);
	uint32_t length;

	if (left < HP_HEAD_SIZE + run->id_size || *p != HP_REC_STRING)
		return false;
	length = hp_load4(p + 5);
	if (length < run->id_size || length > left - HP_HEAD_SIZE)
		return false;
	row->time = hp_load4(p + 1);
	row->length = length - run->id_size;
	row->id = hp_load_id(p + HP_HEAD_SIZE, run->id_size);
	row->text = p + HP_HEAD_SIZE + run->id_size;
	row->is_short = (row->length <= HP_STRING_SHORT) &
			(left >= HP_HEAD_SIZE + run->id_size + HP_STRING_SHORT);
	return true;
}

/* Step behind a record that was looked at. */
HP_HOT void
hp_string_run_step(struct hp_string_run *run, const struct hp_string_row *row)
{
	run->bytes.pos += HP_HEAD_SIZE + run->id_size + row->length;
	run->ordinal++;
}

/* Step behind @n records that were looked at; @last: the last one of them. */
static inline void
hp_string_run_pass(struct hp_string_run *run, const struct hp_string_row *last,
		   uint64_t n)
{
	run->bytes.pos =
		(uint64_t)(last->text + last->length - run->bytes.data);
	run->ordinal += n;
}

#endif
