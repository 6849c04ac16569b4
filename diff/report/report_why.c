/*
 * report_why.c - the tree of paths: steps that do not branch share a line
 */
#include "diff/report/report_why.h"

#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16 /* bytes of cells, or of lines */ };

/* --- lines ---------------------------------------------------------------- */

/* Does all that the node leads to go on to its only child? */
static bool
goes_on(const struct hp_why *w, uint32_t node)
{
	uint32_t child = w->list[node].child;

	return child != 0 && w->list[child].sibling == 0 &&
	       !w->list[node].has_some;
}

static void
add_numbers(struct hp_table *t, const struct hp_why *w,
	    const struct hp_why_node *n)
{
	size_t last = w->dumps - 1;
	int64_t count = (int64_t)(n->count[last] - n->count[0]);
	int64_t bytes = (int64_t)(n->bytes[last] - n->bytes[0]);

	for (size_t i = 0; i <= last; i++)
		hp_count_text(hp_table_open(t, HP_COLOR_NONE), n->count[i]);
	for (size_t i = 0; i <= last; i++)
		hp_size_text(hp_table_open(t, HP_COLOR_NONE), n->bytes[i]);
	if (last == 0)
		return;
	hp_count_text_signed(hp_table_open(t, count > 0	  ? HP_COLOR_RED
					      : count < 0 ? HP_COLOR_GREEN
							  : HP_COLOR_NONE),
			     count);
	hp_size_text_signed(hp_table_open(t, HP_COLOR_NONE), bytes);
	hp_buf_text(hp_table_open(t, HP_COLOR_RED), n->grew ? "grew" : "");
}

/* The line that begins with @node: the last node on it. */
static uint32_t
add_line(struct hp_table *t, const struct hp_why *w, uint32_t node,
	 unsigned indent)
{
	struct hp_buf *cell;

	add_numbers(t, w, &w->list[node]);
	cell = hp_table_open(t, HP_COLOR_NONE);
	hp_buf_fill(cell, ' ', 2 * (size_t)indent);
	hp_buf_text(cell, w->list[node].text);
	while (goes_on(w, node)) {
		node = w->list[node].child;
		if (w->list[node].is_static)
			hp_buf_text(cell, HP_ROW_ARROW);
		hp_buf_text(cell, w->list[node].text);
	}
	return node;
}

/* Measure the lines, or print them where @b is given. */
static enum hp_status
add_lines(struct hp_table *t, const struct hp_result *r,
	  const struct hp_table_style *look, struct hp_buf *b, FILE *out,
	  struct hp_error *err)
{
	const struct hp_why *w = &r->why;
	uint8_t *indents = calloc(w->count, sizeof(*indents)); /* by node */
	enum hp_status st = HP_OK;
	uint64_t lines = 0;

	if (!indents)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (uint32_t i = 1; i < w->count && st == HP_OK; i++) {
		unsigned indent = indents[w->list[i].parent];

		if (r->top && lines++ == r->top)
			break;
		/* nodes are depth first: those of the line follow each other */
		i = add_line(t, w, i, indent);
		indents[i] = (uint8_t)(indent + 1);
		if (t->text.len < TEXT)
			continue;
		st = b ? hp_table_print_rows(t, look, b, err)
		       : hp_table_measure(t, err);
		if (st == HP_OK && b)
			st = hp_buf_flush(b, out, err);
	}
	free(indents);
	if (st != HP_OK)
		return st;
	hp_table_rule(t);
	add_numbers(t, w, &w->list[0]);
	hp_buf_text(hp_table_open(t, HP_COLOR_BOLD), "total");
	return b ? hp_table_print_rows(t, look, b, err)
		 : hp_table_measure(t, err);
}

static struct hp_table_column *
make_columns(const struct hp_result *r, char (**titles)[24], size_t *n)
{
	size_t cap = 2 * r->ndumps + 4;
	struct hp_table_column *columns = calloc(cap, sizeof(*columns));

	*titles = calloc(cap, sizeof(**titles));
	*n = 0;
	if (!columns || !*titles)
		return columns;
	for (size_t i = 0; i < 2 * r->ndumps; i++) {
		snprintf((*titles)[i], sizeof(**titles),
			 r->ndumps > 1 ? "%s %zu" : "%s",
			 i < r->ndumps ? "count" : "bytes", i % r->ndumps + 1);
		columns[(*n)++] = (struct hp_table_column){
			.title = (*titles)[i], .right = true};
	}
	if (r->ndumps > 1) {
		columns[(*n)++] = (struct hp_table_column){.title = "+count",
							   .right = true};
		columns[(*n)++] = (struct hp_table_column){.title = "+bytes",
							   .right = true};
		columns[(*n)++] = (struct hp_table_column){.title = ""};
	}
	columns[(*n)++] = (struct hp_table_column){.title = "kept by"};
	return columns;
}

enum hp_status
hp_why_table(const struct hp_result *r, const struct hp_table_style *look,
	     struct hp_buf *b, FILE *out, struct hp_error *err)
{
	char(*titles)[24] = NULL;
	size_t n;
	struct hp_table_column *columns = make_columns(r, &titles, &n);
	struct hp_table t;
	enum hp_status st;

	if (columns && titles) {
		hp_table_init(&t, columns, n);
		st = add_lines(&t, r, look, NULL, out, err);
		if (st == HP_OK)
			st = add_lines(&t, r, look, b, out, err);
		hp_table_release(&t);
	} else {
		st = hp_fail(err, HP_NOMEM, "out of memory");
	}
	free(columns);
	free(titles);
	return st;
}

/* --- JSON ----------------------------------------------------------------- */

static void
begin_node(struct hp_json *j, const struct hp_why *w,
	   const struct hp_why_node *n)
{
	hp_json_object(j);
	hp_json_key(j, "step");
	hp_json_visible(j, n->text, strlen(n->text));
	hp_json_put_u64s(j, "count", n->count, w->dumps);
	hp_json_put_u64s(j, "bytes", n->bytes, w->dumps);
	if (w->dumps > 1)
		hp_json_put_bool(j, "grew", n->grew);
	hp_json_put_array(j, "children");
}

void
hp_why_json(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_why *w = &r->why;
	uint32_t open = 0; /* nodes that are begun */

	if (w->count == 0)
		return;
	hp_json_put_object(j, "why");
	hp_json_put_string(j, "of", r->options->why);
	hp_json_put_array(j, "tree");
	for (uint32_t i = 1; i <= w->count; i++) {
		uint32_t depth = i < w->count ? w->list[i].depth : 1;

		for (; open >= depth; open--) {
			hp_json_array_end(j);
			hp_json_object_end(j);
		}
		if (i == w->count)
			break;
		begin_node(j, w, &w->list[i]);
		open = depth;
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
}
