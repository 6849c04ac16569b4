/*
 * html_growth.c - write the chart "Where the growth is" of the HTML page
 *
 * The chart has a bar for the first dump, a bar for each of the owners or rows
 * that changed most, a bar for all others, and a bar for the last dump. With an
 * object graph, the bars are the owners of the heap: static fields and other
 * roots. Otherwise, or if the report is about a part of the heap such as waste,
 * the bars are the rows. With one dump, the bars are the largest owners or
 * rows.
 *
 * The bars begin where the previous bar ended, so that they add up to the
 * growth. If the same bytes count in several rows, bars have no sum. Then each
 * bar begins at the size of its row in the first dump.
 */
#include "diff/report/report.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <string.h>

enum {
	BARS = 8,
	/* a change below 1/VISIBLE_PARTS of the largest one has no bar */
	VISIBLE_PARTS = 1000
};

/* A bar of the chart: an owner, a row, or a part of the heap. */
struct bar {
	const char *name; /* with control characters escaped */
	/* the class of the object of a static field; NULL: there is none */
	const char *class;
	/* the name is a word of this program, not a name of the dump */
	bool is_word;
	uint64_t from, to; /* the value in the first and in the last dump */
	/* what a click opens: "box" or "row", and its index; NULL: nothing */
	const char *opens;
	size_t place;
	/* another bar also stands for this one */
	bool merged;
};

struct chart {
	const struct hp_result *r;
	enum hp_col column; /* the column of the values */
	bool of_graph;	    /* the bars are owners */
	bool overlaps;	    /* the same bytes count in several bars */
	uint64_t before, after;
	/*
	 * the bars that changed most; `others`: number of further bars of
	 * owners or rows
	 */
	struct bar top[BARS];
	size_t ntop, others;
};

static int64_t
change(const struct bar *b)
{
	return hp_growth(b->from, b->to);
}

/*
 * Insert a bar into the list of those that changed most, if it changed. Bars
 * with equal changes stay in the order in which they are added.
 */
static void
add_bar(struct chart *c, const struct bar *b)
{
	uint64_t size = hp_magnitude(change(b));
	size_t i = c->ntop;

	if (size == 0 || b->merged)
		return;
	if (c->ntop == BARS) {
		const struct bar *last = &c->top[BARS - 1];
		bool small = size <= hp_magnitude(change(last));

		c->others += !(small ? b : last)->is_word;
		if (small)
			return;
		i--;
	} else {
		c->ntop++;
	}
	for (; i > 0 && hp_magnitude(change(&c->top[i - 1])) < size; i--)
		c->top[i] = c->top[i - 1];
	c->top[i] = *b;
}

/* Leave out the bars that would be too small to see. */
static void
leave_out_small(struct chart *c)
{
	uint64_t least = hp_magnitude(change(&c->top[0])) / VISIBLE_PARTS;

	for (; hp_magnitude(change(&c->top[c->ntop - 1])) < least; c->ntop--)
		c->others += !c->top[c->ntop - 1].is_word;
}

/* --- owners --------------------------------------------------------------- */

/* The owners of the heap, and their names, which have the same indexes. */
struct owners {
	struct bar *list;
	struct hp_rows names;
};

/*
 * Whether the box is an owner: it is at the root, or it is a static field in
 * the box of a class.
 * @inner: for each box: it contains boxes
 */
static bool
is_owner(const struct hp_result *r, const bool *inner, size_t i)
{
	const struct hp_box *b = &r->boxes[i], *up = &r->boxes[b->parent];

	if (b->parent == 0)
		return strncmp(b->name, "class ", 6) != 0 || !inner[i];
	return up->parent == 0 && strncmp(up->name, "class ", 6) == 0;
}

/*
 * Add a box to the owners. The class may own the object of a static field in
 * one dump, and several roots in another. These two boxes are one owner.
 */
static bool
add_owner(struct owners *o, const struct hp_result *r, size_t i)
{
	const struct hp_box *b = &r->boxes[i];
	size_t known = o->names.count;
	const struct hp_row *name = hp_rows_put_word(&o->names, b->name);
	struct bar *bar;

	if (!name)
		return false;
	bar = &o->list[name->index];
	if (o->names.count > known)
		*bar = (struct bar){.name = b->name,
				    .class = strcmp(b->name, b->class) != 0
						     ? b->class
						     : NULL,
				    .opens = "box",
				    .place = i};
	hp_sum_add(&bar->from, b->retained[0].bytes);
	hp_sum_add(&bar->to, b->retained[1].bytes);
	return true;
}

/*
 * The object of a static field may have another owner in the other dump, for
 * example because a second field refers to it. Then its own class is the owner.
 * Such a pair becomes one bar, so that the chart does not show the same bytes
 * as growth and as loss.
 */
static void
join_moved(struct owners *o)
{
	for (size_t i = 0; i < o->names.count; i++) {
		struct bar *bar = &o->list[i], *other;
		const struct hp_row *row;

		if (!bar->class || bar->merged)
			continue;
		row = hp_rows_find(&o->names, bar->class, strlen(bar->class));
		if (!row || o->list[row->index].merged)
			continue;
		other = &o->list[row->index];
		if (bar->to == 0 && other->from == 0) {
			other->from = bar->from;
			bar->merged = true;
		} else if (bar->from == 0 && other->to == 0) {
			bar->from = other->from;
			other->merged = true;
		}
	}
}

static bool
find_owners(struct chart *c)
{
	const struct hp_result *r = c->r;
	bool *inner = hp_calloc(r->nboxes, sizeof(*inner));
	struct owners o = {.list = hp_calloc(r->nboxes, sizeof(*o.list))};
	bool ok = inner && o.list;

	hp_rows_init(&o.names, 0);
	for (size_t i = 1; ok && i < r->nboxes; i++)
		inner[r->boxes[i].parent] = true;
	for (size_t i = 1; ok && i < r->nboxes; i++)
		if (is_owner(r, inner, i))
			ok = add_owner(&o, r, i);
	if (ok && r->ndumps > 1)
		join_moved(&o);
	for (size_t i = 0; ok && i < o.names.count; i++)
		add_bar(c, &o.list[i]);
	c->before = r->boxes[0].retained[0].bytes;
	c->after = r->boxes[0].retained[1].bytes;
	hp_rows_release(&o.names);
	hp_free(o.list);
	hp_free(inner);
	return ok;
}

/* Add a part of the heap whose objects have no owner. */
static void
add_part(struct chart *c, const char *name, uint64_t first, uint64_t last)
{
	struct bar bar = {.name = name,
			  .is_word = true,
			  .from = c->r->ndumps > 1 ? first : 0,
			  .to = last};

	add_bar(c, &bar);
}

/*
 * Add the parts of the heap that are not reachable, so that the sum of all bars
 * is the size of the heap in the headline. Objects that wait for a finalizer
 * have an owner, the finalizer queue, so they get no further bar.
 */
static void
add_unreachable(struct chart *c)
{
	const struct hp_result *r = c->r;
	struct hp_answer a;

	hp_answer_find(&a, r);
	if (!a.of_graph)
		return;
	add_part(c, "garbage", a.garbage.first, a.garbage.last);
	add_part(c, "weakly reachable", a.weak.first, a.weak.last);
	add_part(c, "kept by hidden fields", a.hidden.first, a.hidden.last);
	if (a.compared) {
		hp_sum_add(&c->before, a.garbage.first);
		hp_sum_add(&c->before, a.queue.first);
		hp_sum_add(&c->before, a.weak.first);
		hp_sum_add(&c->before, a.hidden.first);
	}
	hp_sum_add(&c->after, a.garbage.last);
	hp_sum_add(&c->after, a.queue.last);
	hp_sum_add(&c->after, a.weak.last);
	hp_sum_add(&c->after, a.hidden.last);
}

/* --- rows ----------------------------------------------------------------- */

static uint64_t
total_value(const struct chart *c, size_t dump)
{
	const struct hp_result *r = c->r;

	if (r->options->heap)
		return r->dumps[dump].bytes;
	return hp_result_has_value(r->total, c->column)
		       ? hp_result_value(r, r->total, c->column, dump)
		       : 0;
}

static void
find_rows(struct chart *c)
{
	const struct hp_result *r = c->r;
	bool compared = r->ndumps > 1;

	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		struct bar bar = {.name = row->key, .opens = "row", .place = i};

		if (row->rollup || !hp_result_has_value(row, c->column))
			continue;
		if (compared)
			bar.from = hp_result_value(r, row, c->column, 0);
		bar.to = hp_result_value(r, row, c->column, r->ndumps - 1);
		add_bar(c, &bar);
	}
	c->before = compared ? total_value(c, 0) : 0;
	c->after = total_value(c, r->ndumps - 1);
}

/* --- the chart as JSON ---------------------------------------------------- */

/* Append what the bars show, for example "Bytes by owner." */
static void
add_note(struct hp_buf *b, const struct chart *c)
{
	const struct hp_row_key *key = &hp_row_keys[c->r->by];

	if (c->of_graph)
		hp_buf_text(b, "Bytes by owner");
	else
		hp_buf_printf(b, "%s by %s",
			      key->flags & HP_KEY_EVENTS
				      ? hp_columns[c->column].title
				      : "Size",
			      key->title);
	if (c->r->ndumps > 1)
		hp_buf_text(b, ", from the first dump to the last");
	hp_buf_byte(b, '.');
	if (c->overlaps)
		hp_buf_text(b, " The bars do not add up, because an object can "
			       "count in several of them.");
}

static void
put_value(struct hp_json *j, const struct chart *c, const char *key, uint64_t v)
{
	struct hp_buf b = {0};

	hp_json_put_object_flat(j, key);
	hp_json_put_u64(j, "value", v);
	if (c->of_graph)
		hp_size_text(&b, v);
	else
		hp_column_text(&b, c->column, v);
	hp_html_put_figures(j, "text", &b);
	hp_json_object_end(j);
	hp_buf_release(&b);
}

/* Write the members of a bar that begins at @from. */
static void
put_bar(struct hp_json *j, const struct chart *c, int64_t from, int64_t growth)
{
	struct hp_buf b = {0};

	hp_json_put_i64(j, "from", from);
	hp_json_put_i64(j, "to", from + growth);
	hp_json_put_i64(j, "growth", growth);
	if (c->r->ndumps == 1 && c->of_graph)
		hp_size_text(&b, hp_magnitude(growth));
	else if (c->r->ndumps == 1)
		hp_column_text(&b, c->column, hp_magnitude(growth));
	else if (c->of_graph)
		hp_size_text_signed(&b, growth);
	else
		hp_column_growth_text(&b, c->column, growth);
	hp_html_put_figures(j, "text", &b);
	if (c->r->ndumps > 1)
		hp_json_put_string(j, "tone", hp_html_tone(growth));
	hp_json_object_end(j);
	hp_buf_release(&b);
}

/*
 * Write the bars that changed most. @at: the end of the bar before them;
 * returns the end of the last bar.
 */
static void
write_top(struct hp_json *j, const struct chart *c, int64_t *at)
{
	for (size_t i = 0; i < c->ntop; i++) {
		const struct bar *bar = &c->top[i];

		hp_json_object_flat(j);
		hp_json_put_visible(j, bar->is_word ? "word" : "name",
				    bar->name);
		if (bar->class)
			hp_json_put_visible(j, "sub", bar->class);
		if (bar->opens)
			hp_json_put_u64(j, bar->opens, bar->place);
		put_bar(j, c, c->overlaps ? (int64_t)bar->from : *at,
			change(bar));
		*at += change(bar);
	}
}

/* Write the bar of everything that has no bar of its own, if it changed. */
static void
write_rest(struct hp_json *j, const struct chart *c, int64_t at)
{
	int64_t rest = (int64_t)(c->after - (uint64_t)at);
	struct hp_buf b = {0};

	if (rest == 0)
		return;
	hp_json_object_flat(j);
	hp_json_put_string(j, "word", "Everything else");
	if (c->others > 0) {
		hp_count_noun_text(&b, c->others,
				   c->of_graph ? "owner" : "row");
		if (c->of_graph)
			hp_buf_text(&b, " and smaller parts");
		else if (c->r->ncut > 0 || c->r->options->filter)
			hp_buf_text(&b, " and those left out");
		hp_json_put_buf(j, "sub", &b);
	}
	put_bar(j, c, at, rest);
	hp_buf_release(&b);
}

void
hp_html_growth(struct hp_json *j, const struct hp_result *r)
{
	struct chart c = {.r = r,
			  .column = r->basis.weight,
			  .overlaps = hp_key_is(r->by, HP_KEY_OVERLAPS),
			  .of_graph = r->nboxes > 0 && !r->options->heap &&
				      hp_html_of_heap(r)};
	struct hp_buf note = {0};
	int64_t at;

	if (c.of_graph) {
		j->buf.failed |= !find_owners(&c);
		add_unreachable(&c);
	} else if (c.column != HP_COLS) {
		find_rows(&c);
	}
	if (c.ntop == 0)
		return;
	leave_out_small(&c);
	at = (int64_t)c.before;
	hp_json_put_object(j, "growth");
	hp_json_put_string(j, "title",
			   r->ndumps > 1 ? "Where the growth is"
					 : "The largest parts");
	add_note(&note, &c);
	hp_json_put_buf(j, "note", &note);
	hp_buf_release(&note);
	if (r->ndumps > 1 && !c.overlaps)
		put_value(j, &c, "before", c.before);
	hp_json_put_array(j, "bars");
	write_top(j, &c, &at);
	if (!c.overlaps)
		write_rest(j, &c, at);
	hp_json_array_end(j);
	if (!c.overlaps)
		put_value(j, &c, "after", c.after);
	hp_json_object_end(j);
}
