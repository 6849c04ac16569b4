/*
 * string_run.h - consecutive STRING records in memory
 *
 * About 90 % of the records outside the heap are strings, and nearly all of
 * them are complete and short. This interface reads them faster than the record
 * reader, which handles all unusual strings.
 */
#ifndef HP_FORMAT_STRING_RUN_H
#define HP_FORMAT_STRING_RUN_H

#include "common/format/cursor.h"
#include "common/format/format.h"

struct hp_string_run {
	/* bytes from the header of the next record on */
	struct hp_cursor bytes;
	uint64_t ordinal; /* ordinal of the next record */
	unsigned id_size;
};

/* A text with at most this many bytes can be read without a loop. */
enum { HP_STRING_SHORT = 64 };

struct hp_string_row {
	uint32_t time;
	uint32_t length; /* bytes of the text */
	uint64_t id;
	const uint8_t *text;
	/* the text is short, and HP_STRING_SHORT bytes are readable at it */
	bool is_short;
};

/* The offset of the next record in the dump. */
static inline uint64_t
hp_string_run_offset(const struct hp_string_run *run)
{
	return run->bytes.origin + run->bytes.pos;
}

/**
 * hp_string_run_look() - get the next record of a run, without stepping over it
 *
 * Shape:   u1 tag | u4 time | u4 length | id | u1 text[length - id size]
 * Returns: false if the next record is not a STRING that is completely in
 *          memory.
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

/* Step over a record that hp_string_run_look() has returned. */
HP_HOT void
hp_string_run_step(struct hp_string_run *run, const struct hp_string_row *row)
{
	run->bytes.pos += HP_HEAD_SIZE + run->id_size + row->length;
	run->ordinal++;
}

/* Step over @n records; @last is the last one of them. */
static inline void
hp_string_run_pass(struct hp_string_run *run, const struct hp_string_row *last,
		   uint64_t n)
{
	run->bytes.pos =
		(uint64_t)(last->text + last->length - run->bytes.data);
	run->ordinal += n;
}

#endif
