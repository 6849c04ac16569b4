/*
 * text.c - findings about the lines of text dumps, and line numbers for all
 * others
 *
 * Each record of the translated dump is made from a line of the text. For each
 * record, a temporary file gets the offset and the line, as differences from
 * the previous record (about five bytes). The file must have an entry for every
 * record, because it is known only at the end which records have findings, and
 * a pipe cannot be read again.
 */
#include "validate/internal.h"

#include "common/base/memory.h"
#include "common/text/text.h"

#include <stdlib.h>

bool
hp_text_check_rule(enum hp_rule rule)
{
	return rule >= HP_RULE_TEXT_LINE && rule <= HP_RULE_TEXT_ID;
}

static void
on_problem(void *ctx, const struct hp_text_problem *p)
{
	struct hp_text_check *c = ctx;
	struct hp_finding f = {.rule = (uint16_t)hp_text_rule(p->oddity),
			       .severity = HP_SEVERITY_DEFAULT,
			       .offset = p->offset,
			       .args = {p->args[0], p->args[1], 0, 0, p->line}};

	/*
	 * an unknown line between two reports of the agent is harmless: no data
	 * is lost
	 */
	if (p->oddity == HP_TEXT_ODD_LINE && p->args[0] == 0)
		f.severity = HP_SEVERITY_WARNING;
	hp_findings_add(&c->findings, &f);
}

/*
 * Encode the difference from @before to @now such that small absolute values
 * become small numbers (zigzag encoding).
 */
static uint64_t
folded(uint64_t now, uint64_t before)
{
	uint64_t d = now - before;

	return d << 1 ^ (0 - (d >> 63));
}

static uint64_t
unfolded(uint64_t v, uint64_t before)
{
	return before + (v >> 1 ^ (0 - (v & 1)));
}

static void
on_place(void *ctx, uint64_t offset, uint64_t line, uint64_t line_offset)
{
	struct hp_text_check *c = ctx;

	if (c->lost.status != HP_OK ||
	    hp_text_spool_room(&c->places, &c->lost) != HP_OK)
		return;
	hp_text_spool_number(&c->places, offset - c->offset);
	hp_text_spool_number(&c->places, folded(line, c->line));
	hp_text_spool_number(&c->places, folded(line_offset, c->line_offset));
	c->offset = offset;
	c->line = line;
	c->line_offset = line_offset;
}

static void
on_end(void *ctx, uint64_t bytes, uint64_t lines)
{
	struct hp_text_check *c = ctx;

	c->bytes = bytes;
}

void
hp_text_check_init(struct hp_text_check *c, size_t max_examples, bool located)
{
	*c = (struct hp_text_check){.watch = {.problem = on_problem,
					      .place = on_place,
					      .end = on_end,
					      .ctx = c}};
	hp_findings_init(&c->findings, max_examples, located);
}

void
hp_text_check_release(struct hp_text_check *c)
{
	hp_findings_release(&c->findings);
	hp_text_spool_release(&c->places);
}

/* ---- find the line numbers of examples ---- */

static int
compare_examples(const void *a, const void *b)
{
	const struct hp_example *const *x = a, *const *y = b;

	return hp_order((*x)->offset, (*y)->offset);
}

/*
 * Returns all examples that have an offset in the translated dump, sorted by
 * offset. Returns NULL if out of memory.
 */
static struct hp_example **
examples_of(const struct hp_validation *v, size_t *count)
{
	struct hp_example **list;
	size_t n = 0;

	for (size_t i = 0; i < v->nrules; i++)
		n += v->rules[i].nexamples;
	list = hp_malloc((n + 1) * sizeof(*list));
	*count = 0;
	for (size_t i = 0; list && i < v->nrules; i++) {
		const struct hp_reported *r = &v->rules[i];

		if (hp_text_check_rule(r->rule) ||
		    hp_rule_desc(r->rule)->section == HP_SECTION_CONTAINER)
			continue;
		for (size_t k = 0; k < r->nexamples; k++)
			list[(*count)++] = &r->examples[k];
	}
	if (list)
		qsort(list, *count, sizeof(*list), compare_examples);
	return list;
}

static void
settle(struct hp_example *e, uint64_t line, uint64_t offset)
{
	e->line = line;
	e->offset = offset;
	e->record = 0;
}

enum hp_status
hp_text_check_lines(struct hp_text_check *c, struct hp_validation *v,
		    struct hp_error *err)
{
	size_t n, k = 0;
	struct hp_example **list = examples_of(v, &n);
	uint64_t offset = 0, line = 0, at = 0, before, before_at;
	enum hp_status st = HP_OK;
	bool more = c->places.buf;

	if (!list)
		return hp_no_memory(err);
	if (n > 0)
		st = hp_fail_as(err, &c->lost);
	if (st == HP_OK && more)
		st = hp_text_spool_turn(&c->places, err);
	/*
	 * an example belongs to the last record that begins at or before the
	 * offset of the example
	 */
	while (st == HP_OK && k < n && more) {
		st = hp_text_spool_more(&c->places, &more, err);
		if (st != HP_OK || !more)
			break;
		before = line;
		before_at = at;
		offset += hp_text_spool_take_number(&c->places);
		line = unfolded(hp_text_spool_take_number(&c->places), line);
		at = unfolded(hp_text_spool_take_number(&c->places), at);
		while (k < n && list[k]->offset < offset)
			settle(list[k++], before ? before : 1, before_at);
	}
	while (st == HP_OK && k < n)
		settle(list[k++], line ? line : 1, at);
	hp_free(list);
	return st;
}
