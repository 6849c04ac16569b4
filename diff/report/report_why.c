/*
 * report_why.c - print the tree of --why, in which steps without branches share
 * a line
 */

#include "diff/report/report.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <string.h>

/* --- lines ---------------------------------------------------------------- */

/*
 * Whether the line of a node continues with its child: it has only one child,
 * and none of the objects that --why asks for.
 */
static bool
goes_on(const struct hp_why *w, uint32_t node)
{
	uint32_t child = w->list[node].child;

	return child != 0 && w->list[child].sibling == 0 &&
	       !w->list[node].has_some;
}

/*
 * Append "grew" or "moved". If only some of the objects are new, append their
 * number, for example "grew by 1,500".
 */
static void
add_mark(struct hp_buf *b, const struct hp_why_node *n, size_t dumps)
{
	hp_buf_text(b, n->grew ? "grew" : n->moved > 0 ? "moved" : "");
	if (!n->grew || n->moved == 0)
		return;
	hp_buf_text(b, " by ");
	hp_count_text(b, n->count[dumps - 1] - n->count[0] - n->moved);
}

static void
add_numbers(struct hp_table_lines *l, const struct hp_why_node *n)
{
	struct hp_buf *cell;

	hp_table_lines_values(l, "count", n->count, hp_count_text);
	hp_table_lines_values(l, "bytes", n->bytes, hp_size_text);
	hp_table_lines_growth(l, "+count", n->count, true,
			      hp_count_text_signed);
	hp_table_lines_growth(l, "+bytes", n->bytes, false,
			      hp_size_text_signed);
	cell = l->dumps > 1
		       ? hp_table_lines_cell(l, "", HP_COLOR_RED, false, false)
		       : NULL;
	if (cell)
		add_mark(cell, n, l->dumps);
}

/* Begin the cell that has the path. */
static struct hp_buf *
add_name(struct hp_table_lines *l, enum hp_color color)
{
	return hp_table_lines_cell(l, "kept by", color, false, false);
}

/* Add a line that begins with @node. Returns the last node in the line. */
static uint32_t
add_line(struct hp_table_lines *l, const struct hp_why *w, uint32_t node,
	 unsigned indent)
{
	struct hp_buf *cell;

	add_numbers(l, &w->list[node]);
	cell = add_name(l, HP_COLOR_NONE);
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

static void
plan_lines(struct hp_table_lines *l)
{
	const struct hp_result *r = l->ctx;

	add_numbers(l, &r->why.list[0]);
	add_name(l, HP_COLOR_NONE);
}

static enum hp_status
add_lines(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = l->ctx;
	const struct hp_why *w = &r->why;
	/* for each node: how far its children are indented */
	uint8_t *indents = hp_calloc(w->count, sizeof(*indents));
	enum hp_status st = HP_OK;
	uint64_t lines = 0;

	if (!indents)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < w->count && st == HP_OK; i++) {
		unsigned indent = indents[w->list[i].parent];

		if (r->top && lines++ == r->top)
			break;
		/*
		 * nodes are in depth-first order, so the nodes of a line follow
		 * each other
		 */
		i = add_line(l, w, i, indent);
		indents[i] = (uint8_t)(indent + 1);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	hp_free(indents);
	hp_table_rule(&l->table);
	add_numbers(l, &w->list[0]);
	hp_buf_text(add_name(l, HP_COLOR_BOLD), "total");
	return st;
}

enum hp_status
hp_why_table(const struct hp_result *r, const struct hp_table_style *style,
	     struct hp_buf *b, FILE *out, struct hp_error *err)
{
	struct hp_table_lines lines = {.dumps = r->ndumps,
				       .most = 2 * r->ndumps + 4,
				       .ctx = r,
				       .plan = plan_lines,
				       .fill = add_lines};

	return hp_table_lines_print(&lines, style, b, out, err);
}

/* --- JSON ----------------------------------------------------------------- */

void
hp_report_json_moved(struct hp_json *j, uint64_t count, const char *from)
{
	hp_json_put_object_flat(j, "moved");
	hp_json_put_u64(j, "count", count);
	if (from)
		hp_json_put_visible(j, "from", from);
	hp_json_object_end(j);
}

static void
begin_node(struct hp_json *j, const struct hp_why *w,
	   const struct hp_why_node *n)
{
	hp_json_object(j);
	hp_json_put_visible(j, "step", n->text);
	hp_json_put_u64s(j, "count", n->count, w->dumps);
	hp_json_put_u64s(j, "bytes", n->bytes, w->dumps);
	if (w->dumps > 1)
		hp_json_put_bool(j, "grew", n->grew);
	if (n->moved > 0)
		hp_report_json_moved(j, n->moved, n->moved_from);
	hp_json_put_array(j, "children");
}

void
hp_why_json(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_why *w = &r->why;
	uint32_t open = 0; /* number of JSON objects that are open */

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
