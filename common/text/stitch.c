/*
 * stitch.c - add objects that several threads have parsed to the heap dump
 *
 * A run is a group of consecutive lines of objects and arrays. Each thread
 * delivers a run in packed form: a row has the values of one object, and a
 * definition has the class and the fields that many objects share. This file
 * processes a definition like the line of an object, and stores the rows
 * unchanged after the definitions.
 */
#include "common/text/internal.h"

#include <string.h>

static void
append_number(struct hp_buf *b, uint64_t v)
{
	if (hp_buf_reserve(b, HP_TEXT_NUMBER_MOST))
		b->len = (size_t)((char *)hp_text_number_put(
					  (uint8_t *)b->data + b->len, v) -
				  b->data);
}

/*
 * Whether a run (group of packed lines) can be added to the dump. The ids of
 * the run must not need more bytes than the ids of the text. If the run begins
 * with elements of an array, they must continue the array that is being read.
 */
static bool
fits(const struct hp_text_records *r, const struct hp_text_run *run)
{
	if (run->wide && r->model.id_size == 4)
		return false;
	return !run->continues ||
	       (r->within == HP_WITHIN_ARRAY && run->least >= r->next_index &&
		run->behind <= r->elements);
}

/*
 * Process a definition of a run (group of packed lines): the class of similar
 * objects, the number of their fields, and each field.
 */
static enum hp_status
read_def(struct hp_text_records *r, const struct hp_text_run *run,
	 const struct hp_text_def *def, struct hp_error *err)
{
	struct hp_text_item i;
	enum hp_status st;
	uint32_t class, slot;
	size_t at = def->at;

	hp_text_lines_look(&r->lines, run, at, def->line, &r->line);
	hp_text_parse(r->line.text, r->line.length, HP_WITHIN_HEAP, &i);
	class = hp_text_show_class(r, &i);
	if (!class)
		return hp_no_memory(err);
	if (i.kind == HP_TEXT_OBJECT)
		hp_text_show_object(r, class, &i);
	append_number(&r->defs, class);
	append_number(&r->defs, def->fields);
	for (uint32_t n = 1; n <= def->fields; n++) {
		at += r->line.length + 1;
		hp_text_lines_look(&r->lines, run, at, def->line + n, &r->line);
		hp_text_parse(r->line.text, r->line.length, HP_WITHIN_OBJECT,
			      &i);
		st = hp_text_show_field(r, i.name, &slot, err);
		if (st != HP_OK)
			return st;
		append_number(&r->defs, slot);
		r->def_left_out |= slot == HP_TEXT_NO_FIELD;
	}
	return HP_OK;
}

static enum hp_status
read_defs(struct hp_text_records *r, const struct hp_text_run *run,
	  struct hp_error *err)
{
	const struct hp_text_def *defs = r->lines.block->runs.defs;
	enum hp_status st = HP_OK;

	hp_buf_clear(&r->defs);
	r->def_left_out = false;
	for (uint32_t n = 0; n < run->defs && st == HP_OK; n++)
		st = read_def(r, run, &defs[run->def + n], err);
	if (st == HP_OK && !hp_buf_ok(&r->defs))
		return hp_no_memory(err);
	return st;
}

static bool
use_traces(struct hp_text_records *r, const struct hp_text_run *run)
{
	const struct hp_text_met *met = r->lines.block->runs.traces;
	bool fine = true;

	for (uint32_t n = run->trace; n < run->trace + run->traces && fine;
	     n++) {
		r->line.number =
			r->lines.number + 1 + (met[n].line - run->line);
		r->line.offset = r->lines.offset + (met[n].at - run->from);
		fine = hp_text_use_trace(r, met[n].trace);
	}
	return fine;
}

/*
 * Store the rows of a run (group of packed lines) and their definitions (class
 * and fields of similar objects) in the spool (temporary file).
 */
static enum hp_status
spool_run(struct hp_text_records *r, const struct hp_text_run *run,
	  struct hp_error *err)
{
	const uint8_t *rows = r->lines.block->runs.rows + run->row;
	enum hp_status st = hp_text_spool_room(&r->spool, err);

	if (st != HP_OK)
		return st;
	hp_text_spool_byte(&r->spool, ENTRY_RUN);
	if (r->options.place) {
		hp_text_spool_number(&r->spool, r->lines.number + 1);
		hp_text_spool_number(&r->spool, r->lines.offset);
	}
	hp_text_spool_number(&r->spool, run->defs);
	hp_text_spool_number(&r->spool, r->defs.len);
	hp_text_spool_number(&r->spool, run->rows);
	st = hp_text_spool_add(&r->spool, r->defs.data, r->defs.len, err);
	if (st == HP_OK)
		st = hp_text_spool_add(&r->spool, rows, run->rows, err);
	return st;
}

enum hp_status
hp_text_take_run(struct hp_text_records *r, const struct hp_text_run *run,
		 bool *taken, struct hp_error *err)
{
	enum hp_status st;

	*taken = false;
	if (!fits(r, run))
		return HP_OK;
	st = read_defs(r, run, err);
	if (st != HP_OK || r->def_left_out)
		return st;
	if (!use_traces(r, run))
		return hp_no_memory(err);
	st = spool_run(r, run, err);
	if (st != HP_OK)
		return st;
	*taken = true;
	r->within = run->array ? HP_WITHIN_ARRAY : HP_WITHIN_OBJECT;
	if (run->array && run->elements != UINT64_MAX)
		r->elements = run->elements;
	r->next_index = run->next;
	hp_text_lines_take_run(&r->lines, run, &r->line);
	return HP_OK;
}
