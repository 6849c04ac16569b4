/*
 * lines.c - divide blocks of text into lines
 *
 * A line can extend over several blocks only if it is longer than a block. Such
 * a line is also longer than HP_TEXT_LINE_MOST, so it is truncated anyway.
 */
#include "common/text/lines/lines.h"

#include <string.h>

enum hp_status
hp_text_lines_init(struct hp_text_lines *l,
		   const struct hp_text_blocks_options *options,
		   struct hp_error *err)
{
	*l = (struct hp_text_lines){0};
	return hp_text_blocks_open(&l->blocks, options, err);
}

void
hp_text_lines_release(struct hp_text_lines *l)
{
	hp_text_blocks_close(l->blocks);
	*l = (struct hp_text_lines){0};
}

/*
 * Set *@left to the number of unread bytes of the block. If the block has no
 * unread bytes, read the next block first.
 */
static enum hp_status
fetch(struct hp_text_lines *l, size_t *left, struct hp_error *err)
{
	enum hp_status st = l->end;

	*left = l->block ? l->block->length - l->at : 0;
	if (*left > 0 || (l->block && l->block->last))
		return HP_OK;
	if (st == HP_OK)
		st = hp_text_blocks_next(l->blocks, &l->block, err);
	else
		return hp_fail(err, st, "reading the text has already failed");
	l->end = st;
	if (st != HP_OK) {
		l->block = NULL;
		return st;
	}
	l->at = 0;
	l->run = 0;
	*left = l->block->length;
	return HP_OK;
}

static enum hp_status
pass_over(struct hp_text_lines *l, struct hp_error *err)
{
	enum hp_status st;
	size_t left;

	for (;;) {
		const char *p, *end;
		size_t n;

		st = fetch(l, &left, err);
		if (st != HP_OK || left == 0)
			return st;
		p = l->block->text + l->at;
		end = memchr(p, '\n', left);
		n = end ? (size_t)(end - p) + 1 : left;
		l->at += n;
		l->offset += n;
		if (end)
			return HP_OK;
	}
}

/*
 * Return the next @length bytes as a line, and continue after them. @ended: the
 * line ends with a newline.
 */
static void
cut_line(struct hp_text_lines *l, size_t length, bool ended,
	 struct hp_text_line *line)
{
	*line = (struct hp_text_line){.text = l->block->text + l->at,
				      .length = length,
				      .offset = l->offset,
				      .number = ++l->number,
				      .ended = ended};
	l->at += length + ended;
	l->offset += length + ended;
	line->carriage = length > 0 && line->text[length - 1] == '\r';
	if (line->number == 1)
		l->crlf = line->carriage && ended;
	line->carriage = line->carriage && l->crlf;
	line->length -= line->carriage;
}

enum hp_status
hp_text_lines_next(struct hp_text_lines *l, struct hp_text_line *line,
		   struct hp_error *err)
{
	enum hp_status st = l->passing ? pass_over(l, err) : HP_OK;
	const char *p, *end;
	size_t left;

	l->passing = false;
	if (st == HP_OK)
		st = fetch(l, &left, err);
	if (st != HP_OK)
		return st;
	if (left == 0)
		return HP_EOF;
	p = l->block->text + l->at;
	end = memchr(p, '\n', left);
	cut_line(l, end ? (size_t)(end - p) : left, end != NULL, line);
	line->longer = line->length > HP_TEXT_LINE_MOST;
	l->passing = line->longer && !end && !l->block->last;
	if (line->longer)
		line->length = HP_TEXT_LINE_MOST;
	return HP_OK;
}

void
hp_text_lines_split(struct hp_text_lines *l, struct hp_text_line *line,
		    size_t keep)
{
	size_t back = line->length - keep + line->carriage + line->ended;

	l->at -= back;
	l->offset -= back;
	l->number--;
	line->length = keep;
	line->ended = line->carriage = false;
}

/* ---- runs ---- */

enum hp_status
hp_text_lines_run(struct hp_text_lines *l, const struct hp_text_run **out,
		  struct hp_error *err)
{
	const struct hp_text_runs *runs;
	size_t left;
	enum hp_status st = fetch(l, &left, err);

	*out = NULL;
	if (st == HP_OK && left > 0)
		st = hp_text_blocks_pack(l->blocks, err);
	if (st != HP_OK || left == 0 || l->passing)
		return st;
	runs = &l->block->runs;
	while (l->run < runs->count && runs->list[l->run].from < l->at)
		l->run++;
	if (l->run < runs->count && runs->list[l->run].from == l->at)
		*out = &runs->list[l->run];
	return HP_OK;
}

void
hp_text_lines_look(const struct hp_text_lines *l, const struct hp_text_run *run,
		   size_t at, uint32_t number, struct hp_text_line *line)
{
	const char *p = l->block->text + at;
	const char *end = memchr(p, '\n', l->block->length - at);

	*line = (struct hp_text_line){
		.text = p,
		.length = end ? (size_t)(end - p) : l->block->length - at,
		.offset = l->offset + (at - run->from),
		.number = l->number + 1 + (number - run->line),
		.ended = end != NULL};
}

void
hp_text_lines_take_run(struct hp_text_lines *l, const struct hp_text_run *run,
		       struct hp_text_line *line)
{
	hp_text_lines_look(l, run, run->last, run->line + run->lines - 1, line);
	l->at = run->to;
	l->offset += run->to - run->from;
	l->number += run->lines;
	l->run++;
}
