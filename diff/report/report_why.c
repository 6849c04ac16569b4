/*
 * report_why.c - print the tree of --why; consecutive steps without branches
 * are in one line
 */

#include "diff/report/report.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <string.h>

/* The data for making the lines of the tree of --why. */
struct hp_why_lines {
	const struct hp_result *r;
	size_t width; /* width of the table in columns; 0: no limit */
	/* with one dump: the width of the columns with numbers */
	size_t numbers;
};

/* --- lines ---------------------------------------------------------------- */

/*
 * Whether the line of a node continues with its child. It does if the child is
 * the only one, and no path to an object that --why asks for ends at the node
 * itself.
 */
static bool
goes_on(const struct hp_why *w, uint32_t node)
{
	uint32_t child = w->list[node].child;

	return child != 0 && w->list[child].sibling == 0 &&
	       !w->list[node].has_some;
}

/*
 * Append a mark to a step: "grew" or "moved". If only some of the objects to
 * which the step leads are new, also append their number, for example "grew by
 * 1,500".
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

	l->rank = 4;
	hp_table_lines_values(l, "count", n->count, hp_count_text);
	l->rank = 5;
	hp_table_lines_values(l, "bytes", n->bytes, hp_size_text);
	l->rank = 2;
	hp_table_lines_growth(l, "+count", n->count, true,
			      hp_count_text_signed);
	l->rank = 3;
	hp_table_lines_growth(l, "+bytes", n->bytes, false,
			      hp_size_text_signed);
	l->rank = 1;
	cell = l->dumps > 1
		       ? hp_table_lines_cell(l, "", HP_COLOR_RED, false, false)
		       : NULL;
	if (cell)
		add_mark(cell, n, l->dumps);
}

static struct hp_buf *
add_name(struct hp_table_lines *l, enum hp_color color)
{
	l->rank = 0;
	return hp_table_lines_cell(l, "kept by", color, false, true);
}

/*
 * Returns the width of the two columns of numbers with one dump, each followed
 * by two spaces. The total has the largest numbers, which determine the width.
 */
static size_t
width_of_numbers(const struct hp_why_node *total)
{
	struct hp_buf count = {0}, bytes = {0};
	size_t least = strlen("count"), width;

	hp_count_text(&count, total->count[0]);
	hp_size_text(&bytes, total->bytes[0]);
	width = (count.len > least ? count.len : least) +
		(bytes.len > least ? bytes.len : least) + 4;
	hp_buf_release(&count);
	hp_buf_release(&bytes);
	return width;
}

/*
 * Returns how many characters of a line the path may take; 0: no limit. With
 * several dumps, the path gets a fixed share of the line; columns of numbers
 * that do not fit in the rest are left out.
 */
static size_t
path_room(const struct hp_why_lines *w)
{
	size_t share = w->width * HP_TABLE_PATHS / 100, rest;

	if (w->width == 0 || w->r->ndumps > 1)
		return share;
	rest = w->width - w->numbers;
	return w->numbers < w->width && rest > share ? rest : share;
}

/*
 * Append a text to the line. If the line is full, start a new line without
 * numbers. @join: a text before it, if the line goes on
 */
static struct hp_buf *
add_text(struct hp_table_lines *l, struct hp_buf *cell, size_t *used,
	 unsigned indent, const char *join, const char *text)
{
	const struct hp_why_lines *w = l->ctx;
	size_t width = hp_text_width(text, strlen(text));
	bool first = *used == 2 * (size_t)indent;

	if (!first && path_room(w) > 0 && *used + width > path_room(w)) {
		l->blank = true;
		add_numbers(l, &w->r->why.list[0]);
		l->blank = false;
		cell = add_name(l, HP_COLOR_NONE);
		*used = 2 * (size_t)indent + 4;
		hp_buf_fill(cell, ' ', *used);
		/* the line already begins with spaces */
		join += strspn(join, " ");
	}
	hp_buf_text(cell, join);
	hp_buf_text(cell, text);
	*used += width + hp_text_width(join, strlen(join));
	return cell;
}

/*
 * Append a step to the line and, in parentheses, a description of the object at
 * the end of the step.
 */
static struct hp_buf *
add_step(struct hp_table_lines *l, struct hp_buf *cell, size_t *used,
	 unsigned indent, const struct hp_why_node *n, bool first)
{
	const struct hp_why_lines *w = l->ctx;
	const char *join = w->r->why.list[n->parent].label ? " " : "";
	struct hp_buf label = {0};

	if (n->is_static)
		join = HP_ROW_ARROW;
	cell = add_text(l, cell, used, indent, first ? "" : join, n->text);
	if (!n->label)
		return cell;
	hp_buf_printf(&label, "(%s)", n->label);
	if (hp_buf_ok(&label))
		cell = add_text(l, cell, used, indent, " ",
				hp_buf_string(&label));
	hp_buf_inherit(cell, &label);
	hp_buf_release(&label);
	return cell;
}

/*
 * Add a line to the table. The first step in the line is @node. Returns the
 * last node in the line.
 */
static uint32_t
add_line(struct hp_table_lines *l, const struct hp_why *w, uint32_t node,
	 unsigned indent)
{
	size_t room = path_room(l->ctx), used;
	struct hp_buf *cell;

	/* even deep in the tree, indent by at most a quarter of the line */
	if (room > 0 && indent > room / 4)
		indent = (unsigned)room / 4;
	used = 2 * (size_t)indent;
	add_numbers(l, &w->list[node]);
	cell = add_name(l, HP_COLOR_NONE);
	hp_buf_fill(cell, ' ', used);
	cell = add_step(l, cell, &used, indent, &w->list[node], true);
	while (goes_on(w, node)) {
		node = w->list[node].child;
		cell = add_step(l, cell, &used, indent, &w->list[node], false);
	}
	return node;
}

static void
plan_lines(struct hp_table_lines *l)
{
	const struct hp_why_lines *w = l->ctx;

	add_numbers(l, &w->r->why.list[0]);
	add_name(l, HP_COLOR_NONE);
}

static enum hp_status
add_lines(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = ((const struct hp_why_lines *)l->ctx)->r;
	const struct hp_why *w = &r->why;
	/*
	 * for each node: number of columns by which its children are indented
	 */
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
		 * nodes are in depth-first order, so the nodes of one line are
		 * consecutive
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
	const struct hp_why_lines ctx = {
		.r = r,
		.width = style->width,
		.numbers = width_of_numbers(&r->why.list[0])};
	struct hp_table_lines lines = {.dumps = r->ndumps,
				       .most = 2 * r->ndumps + 4,
				       .ctx = &ctx,
				       .plan = plan_lines,
				       .fill = add_lines};
	struct hp_table_style wide = *style;

	wide.names = HP_TABLE_PATHS;
	return hp_table_lines_print(&lines, &wide, b, out, err);
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
	if (n->label)
		hp_json_put_visible(j, "label", n->label);
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
	/* number of JSON objects that were begun and not ended yet */
	uint32_t open = 0;

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
