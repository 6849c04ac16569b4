/*
 * html_lead.c - write the headline and the cards of the HTML page
 *
 * This file computes all numbers and texts of the headline and of the cards, as
 * the JSON member "lead". The script of the page only lays them out.
 */
#include "diff/report/report.h"

#include "common/cli/quantity.h"

#include <ctype.h>
#include <string.h>

/* --- numbers as texts ----------------------------------------------------- */

void
hp_html_figures(struct hp_buf *b, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '-' && text[i + 1] >= '0' &&
		    text[i + 1] <= '9' &&
		    (i == 0 || text[i - 1] == ' ' || text[i - 1] == '('))
			hp_buf_text(b, "−");
		else
			hp_buf_byte(b, text[i]);
	}
}

void
hp_html_put_figures(struct hp_json *j, const char *key, struct hp_buf *text)
{
	struct hp_buf out = {0};

	hp_html_figures(&out, hp_buf_string(text));
	hp_buf_inherit(&out, text);
	if (key)
		hp_json_put_buf(j, key, &out);
	else
		hp_json_buf(j, &out);
	hp_buf_release(&out);
	hp_buf_clear(text);
}

const char *
hp_html_tone(int64_t growth)
{
	return growth > 0 ? "up" : growth < 0 ? "down" : "same";
}

enum hp_col
hp_html_weight(const struct hp_result *r, size_t k)
{
	const enum hp_col *c = hp_row_keys[r->by].weight;

	for (; *c != HP_COLS; c++)
		if (r->columns & 1u << *c && k-- == 0)
			return *c;
	return HP_COLS;
}

void
hp_html_value(struct hp_buf *b, enum hp_col c, uint64_t v)
{
	const char *one = c == HP_COLS ? NULL : hp_columns[c].one;

	if (c == HP_COLS || hp_columns[c].unit == HP_IN_BYTES)
		hp_size_text(b, v);
	else if (one && *one && hp_columns[c].unit != HP_IN_MS)
		hp_count_noun_text(b, v, one);
	else
		hp_column_text(b, c, v);
	if (c != HP_COLS && hp_columns[c].unit == HP_IN_MS)
		hp_buf_text(b, " ms");
}

/* The numbers of the page: in the first and in the last dump. */
struct pair {
	uint64_t first, last;
	int64_t growth;
};

uint64_t
hp_html_row_value(const struct hp_result *r, const struct hp_row *row,
		  enum hp_col c, size_t dump)
{
	return c != HP_COLS && hp_result_has_value(row, c)
		       ? hp_result_value(r, row, c, dump)
		       : 0;
}

uint64_t
hp_html_whole(const struct hp_result *r, size_t dump)
{
	/* the sum of rows that overlap is not a whole */
	if (r->options->heap || hp_key_is(r->by, HP_KEY_OVERLAPS))
		return r->dumps[dump].bytes;
	return hp_html_row_value(r, r->total, hp_html_weight(r, 0), dump);
}

bool
hp_html_of_heap(const struct hp_result *r)
{
	return !r->options->why &&
	       !hp_key_is(r->by, HP_KEY_EVENTS | HP_KEY_PARTS_OF_HEAP |
					 HP_KEY_SUMS_RETAINED);
}

/*
 * Whether the rows do not add up to the heap: an object counts in several rows
 * or only if it is kept alive, or the rows are those of one Android heap.
 */
static bool
rows_differ(const struct hp_result *r)
{
	return hp_html_of_heap(r) &&
	       (r->options->heap ||
		hp_key_is(r->by,
			  HP_KEY_OVERLAPS | HP_KEY_OWNERS | HP_KEY_PATHS));
}

/* The number that the headline shows for a dump. */
static uint64_t
main_value(const struct hp_result *r, size_t dump)
{
	return rows_differ(r) ? r->dumps[dump].bytes : hp_html_whole(r, dump);
}

static uint64_t
count_value(const struct hp_result *r, size_t dump)
{
	return rows_differ(r) ? r->dumps[dump].objects
			      : hp_html_row_value(r, r->total,
						  hp_html_weight(r, 1), dump);
}

const struct hp_row *
hp_html_largest(const struct hp_result *r, size_t dump, uint64_t *value)
{
	enum hp_col c = hp_html_weight(r, 0);
	bool sums = hp_key_is(r->by, HP_KEY_EVENTS);
	const struct hp_row *top = NULL;

	*value = 0;
	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		uint64_t v = hp_html_row_value(r, row, c, dump);

		if (row->rollup ? !sums : top && top->rollup)
			continue;
		if (v > *value || (v > 0 && row->rollup && !top->rollup)) {
			top = row;
			*value = v;
		}
	}
	return top;
}

static struct pair
pair_of(const struct hp_result *r,
	uint64_t (*value)(const struct hp_result *r, size_t dump))
{
	struct pair p = {.first = value(r, 0), .last = value(r, r->ndumps - 1)};

	p.growth = hp_growth(p.first, p.last);
	return p;
}

/* Append a text whose first letter becomes a capital letter. */
static void
add_capital(struct hp_buf *b, const char *text)
{
	hp_buf_byte(b, (char)toupper((unsigned char)text[0]));
	hp_buf_text(b, text + 1);
}

/* --- the headline --------------------------------------------------------- */

/*
 * A headline consists of pieces. The page emphasises some of them and does not
 * break them in two lines; they have a tone: "whole", "up" or "down".
 */
struct headline {
	void (*add)(void *to, const char *text, const char *tone);
	void *to;
	struct hp_buf *into; /* fails if there is no memory for a piece */
};

static void
add_piece(const struct headline *h, struct hp_buf *piece, const char *tone)
{
	h->add(h->to, hp_buf_string(piece), tone);
	hp_buf_inherit(h->into, piece);
	hp_buf_clear(piece);
}

static void
add_growth(const struct headline *h, const struct pair *p, enum hp_col c,
	   struct hp_buf *b)
{
	const char *tone = hp_html_tone(p->growth);

	hp_buf_text(b, p->growth > 0 ? " grew by " : " shrank by ");
	add_piece(h, b, NULL);
	hp_html_value(b, c, hp_magnitude(p->growth));
	add_piece(h, b, tone);
	h->add(h->to, ", from ", NULL);
	hp_html_value(b, c, p->first);
	add_piece(h, b, "whole");
	h->add(h->to, " to ", NULL);
	hp_html_value(b, c, p->last);
	add_piece(h, b, "whole");
	h->add(h->to, " ", NULL);
	hp_buf_byte(b, '(');
	hp_growth_percent_text(b, p->growth, p->first);
	hp_buf_byte(b, ')');
	add_piece(h, b, tone);
}

static void
add_subject(struct hp_buf *b, const struct hp_result *r)
{
	if (r->options->why) {
		hp_buf_printf(b, "What matches %s", r->options->why);
		return;
	}
	add_capital(b,
		    hp_html_of_heap(r) ? "the heap" : hp_row_keys[r->by].whole);
	if (r->options->heap)
		hp_buf_printf(b, " %s", r->options->heap);
}

static void
write_headline(const struct headline *h, const struct hp_result *r)
{
	struct pair p = pair_of(r, main_value);
	enum hp_col c = hp_html_weight(r, 0);
	struct hp_buf b = {0};

	if (r->ndumps > 1 && r->changed && p.growth != 0) {
		add_subject(&b, r);
		add_growth(h, &p, c, &b);
	} else if (r->ndumps > 1 && r->changed) {
		add_subject(&b, r);
		hp_buf_text(&b, " kept its size: ");
		add_piece(h, &b, NULL);
		hp_html_value(&b, c, p.last);
		add_piece(h, &b, "whole");
	} else if (r->ndumps > 1) {
		h->add(h->to, "Nothing changed: ", NULL);
		hp_html_value(&b, c, p.last);
		add_piece(h, &b, "whole");
	} else if (hp_key_is(r->by, HP_KEY_EVENTS)) {
		hp_html_value(&b, c, p.last);
		add_piece(h, &b, "whole");
		hp_buf_printf(&b, " of %s", hp_row_keys[r->by].whole);
		add_piece(h, &b, NULL);
	} else {
		if (!hp_html_of_heap(r)) {
			add_subject(&b, r);
			hp_buf_text(&b, ": ");
		}
		hp_count_noun_text(&b, count_value(r, 0), "object");
		hp_buf_text(&b, " in ");
		add_piece(h, &b, NULL);
		hp_html_value(&b, c, p.last);
		add_piece(h, &b, "whole");
	}
	hp_buf_release(&b);
}

static void
add_to_json(void *to, const char *text, const char *tone)
{
	struct hp_json *j = to;
	struct hp_buf b = {0};

	if (!tone) {
		hp_json_string(j, text);
		return;
	}
	hp_json_array_flat(j);
	hp_html_figures(&b, text);
	hp_json_string(j, hp_buf_string(&b));
	hp_json_string(j, tone);
	hp_json_array_end(j);
	j->buf.failed |= !hp_buf_ok(&b);
	hp_buf_release(&b);
}

static void
add_to_html(void *to, const char *text, const char *tone)
{
	(void)tone;
	hp_html_text(to, text);
}

void
hp_html_headline(struct hp_html *h, const struct hp_result *r)
{
	write_headline(&(struct headline){.add = add_to_html,
					  .to = h,
					  .into = &h->buf},
		       r);
}

/* --- the cards ------------------------------------------------------------ */

static void
begin_card(struct hp_json *j, const char *title)
{
	hp_json_object(j);
	hp_json_put_string(j, "title", title);
}

/*
 * Write a part of the bar of a card. Its width is in proportion to @v. @color
 * is a colour of page.css. A part without @text has no entry in the legend.
 */
static void
write_part(struct hp_json *j, uint64_t v, const char *color,
	   struct hp_buf *text)
{
	hp_json_object_flat(j);
	hp_json_put_u64(j, "value", v);
	hp_json_put_string(j, "color", color);
	if (text) {
		hp_buf_inherit(&j->buf, text);
		if (text->len > 0)
			hp_json_put_buf(j, "text", text);
		hp_buf_clear(text);
	}
	hp_json_object_end(j);
}

/*
 * Write the values of a card: the last one as its number, the growth, and for
 * the bars or the line of the card the values of all dumps. @c: HP_COLS:
 * numbers without a noun.
 */
static void
write_values(struct hp_json *j, const struct hp_result *r, enum hp_col c,
	     uint64_t (*value)(const struct hp_result *r, size_t dump))
{
	struct pair p = pair_of(r, value);
	struct hp_buf b = {0};
	size_t last = r->ndumps - 1;

	if (c == HP_COLS)
		hp_count_text(&b, p.last);
	else
		hp_html_value(&b, c, p.last);
	hp_html_put_figures(j, "value", &b);
	if (r->ndumps > 1) {
		if (c == HP_COLS) {
			hp_count_text_signed(&b, p.growth);
		} else {
			if (p.growth != 0)
				hp_buf_byte(&b, p.growth < 0 ? '-' : '+');
			hp_html_value(&b, c, hp_magnitude(p.growth));
		}
		hp_html_put_figures(j, "growth", &b);
		hp_growth_percent_text(&b, p.growth, p.first);
		hp_html_put_figures(j, "percent", &b);
		hp_json_put_string(j, "tone", hp_html_tone(p.growth));
		hp_json_put_array_flat(j, "values");
		for (size_t i = 0; i <= last; i++)
			hp_json_u64(j, value(r, i));
		hp_json_array_end(j);
		hp_json_put_array_flat(j, "texts");
		for (size_t i = 0; i <= last; i += last) {
			if (c == HP_COLS)
				hp_count_text(&b, value(r, i));
			else
				hp_html_value(&b, c, value(r, i));
			hp_html_put_figures(j, NULL, &b);
		}
		hp_json_array_end(j);
	}
	hp_buf_release(&b);
}

/*
 * With one dump, the cards of the heap and of the objects show how many are
 * kept alive. A card for one Android heap cannot: the object graph is that of
 * all heaps.
 */
static bool
cards_have_parts(const struct hp_result *r)
{
	return r->ndumps == 1 && r->rows.retained && !r->options->heap &&
	       hp_html_of_heap(r);
}

/*
 * Write the part of a bar for a part of the heap: its bytes, or if @of_objects
 * is true, its number of objects.
 */
static void
write_sum(struct hp_json *j, const char *word, const struct hp_graph_sum *s,
	  const char *color, bool of_objects)
{
	struct hp_buf b = {0};

	if (of_objects)
		hp_count_text(&b, s->objects);
	else
		hp_size_text(&b, s->bytes);
	hp_buf_printf(&b, " %s", word);
	write_part(j, of_objects ? s->objects : s->bytes, color, &b);
	hp_buf_release(&b);
}

/* Write the bar of the parts of the heap in the last dump. */
static void
write_heap_parts(struct hp_json *j, const struct hp_result *r, bool of_objects)
{
	const struct hp_dump_info *d = &r->dumps[r->ndumps - 1];
	const struct hp_graph_sum weak = hp_answer_weak(d);

	hp_json_put_array(j, "parts");
	write_sum(j, "kept alive", &d->reachable, "accent", of_objects);
	if (d->waiting.objects > 0)
		write_sum(j, "in the finalizer queue", &d->waiting, "up-3",
			  of_objects);
	if (weak.objects > 0)
		write_sum(j, "weakly reachable", &weak, "strong", of_objects);
	if (d->hidden.objects > 0)
		write_sum(j, "kept by hidden fields", &d->hidden, "soft",
			  of_objects);
	write_sum(j, "garbage", &d->unreachable, "was", of_objects);
	hp_json_array_end(j);
}

/* Write a bar of @part, which has no text, and of the rest of @whole. */
static void
write_share_bar(struct hp_json *j, uint64_t part, uint64_t whole,
		struct hp_buf *rest)
{
	hp_json_put_array(j, "parts");
	write_part(j, part, "accent", NULL);
	write_part(j, whole > part ? whole - part : 0, "was", rest);
	hp_json_array_end(j);
}

static void
write_size_card(struct hp_json *j, const struct hp_result *r)
{
	enum hp_col c = hp_html_weight(r, 0);
	uint64_t heap = r->dumps[0].bytes, part = main_value(r, 0);
	const char *title = hp_key_is(r->by, HP_KEY_EVENTS)
				    ? hp_columns[c].title
			    : r->options->why ? "What matches, shallow bytes"
			    : hp_key_is(r->by, HP_KEY_PARTS_OF_HEAP)
				    ? "Waste, shallow bytes"
			    : hp_key_is(r->by, HP_KEY_SUMS_RETAINED)
				    ? "Kept only by references"
				    : "Heap, shallow bytes";
	struct hp_buf rest = {0};

	begin_card(j, title);
	write_values(j, r, c, main_value);
	if (cards_have_parts(r)) {
		write_heap_parts(j, r, false);
	} else if (r->ndumps == 1 && !hp_html_of_heap(r) &&
		   !hp_key_is(r->by, HP_KEY_EVENTS) && heap >= part) {
		hp_size_text(&rest, heap - part);
		hp_buf_text(&rest, " in the rest of the heap");
		write_share_bar(j, part, heap, &rest);
	}
	hp_json_object_end(j);
	hp_buf_release(&rest);
}

/* Write the average size of the objects that a card counts. */
static void
write_average(struct hp_json *j, const struct hp_result *r)
{
	uint64_t bytes = main_value(r, 0), n = count_value(r, 0);
	struct hp_buf b = {0};

	if (r->ndumps > 1 || n == 0 || hp_key_is(r->by, HP_KEY_EVENTS))
		return;
	hp_size_text(&b, bytes / n + (bytes % n >= n - n / 2));
	hp_buf_text(&b, " each, on average");
	hp_json_put_array_flat(j, "line");
	hp_html_put_figures(j, NULL, &b);
	hp_json_array_end(j);
	hp_buf_release(&b);
}

static void
write_count_card(struct hp_json *j, const struct hp_result *r)
{
	enum hp_col c = hp_html_weight(r, 1);

	if (c == HP_COLS)
		return;
	begin_card(j, hp_key_is(r->by, HP_KEY_EVENTS) ? hp_columns[c].title
						      : "Objects");
	write_values(j, r, HP_COLS, count_value);
	write_average(j, r);
	if (cards_have_parts(r))
		write_heap_parts(j, r, true);
	hp_json_object_end(j);
}

/* Write the part of a bar for an owner: "66 %: list of 1,370 CartListener". */
static void
write_owner(struct hp_json *j, const struct hp_answer *a,
	    const struct hp_suspect *s, const char *color)
{
	struct hp_buf b = {0};
	uint64_t share;

	if (hp_answer_share(a, s, &share))
		hp_percent_text(&b, share);
	hp_buf_text(&b, ": ");
	hp_suspect_label(&b, s, false);
	write_part(j, hp_suspect_bytes(s, 1), color, &b);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&b);
}

/*
 * Write how much of what is kept alive the largest owners have together, and
 * how much the first of them have. If an owner contains another one, their
 * sizes cannot be added, so the bar shows only the first one.
 */
static void
write_owners_card(struct hp_json *j, const struct hp_result *r)
{
	static const char *const colors[] = {"accent", "strong", "soft"};
	size_t n = HP_ARRAY_LEN(colors);
	uint64_t sum = 0, listed = 0, explained = (uint64_t)r->explained_growth;
	struct hp_buf b = {0};
	struct hp_answer a;

	hp_answer_find(&a, r);
	if (!cards_have_parts(r) || r->nsuspects == 0 ||
	    r->explained_growth <= 0 || a.explained.last < explained)
		return;
	for (size_t i = 0; i < r->nsuspects; i++)
		hp_sum_add(&sum, hp_suspect_bytes(&r->suspects[i], 1));
	if (sum > explained)
		n = 1;
	begin_card(j, r->nsuspects > 1 ? "Largest owners" : "Largest owner");
	hp_percent_text(&b, hp_percent_of(explained, a.explained.last));
	hp_html_put_figures(j, "value", &b);
	hp_buf_printf(&b, "of %s", a.explained_of);
	hp_json_put_array_flat(j, "line");
	hp_html_put_figures(j, NULL, &b);
	hp_json_array_end(j);
	hp_json_put_array(j, "parts");
	for (size_t i = 0; i < r->nsuspects && i < n; i++) {
		write_owner(j, &a, &r->suspects[i], colors[i]);
		listed += hp_suspect_bytes(&r->suspects[i], 1);
	}
	if (explained > listed)
		hp_buf_printf(&b, "%zu more", r->nsuspects - n);
	write_part(j, explained > listed ? explained - listed : 0, "was", &b);
	write_part(j, a.explained.last - explained, "sunk", NULL);
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_buf_release(&b);
}

static void
write_reachable_card(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_dump_info *d = &r->dumps[r->ndumps - 1];
	struct hp_buf b = {0};

	if (!r->rows.retained || cards_have_parts(r))
		return;
	begin_card(j, "Reachable from the roots");
	hp_percent_text(&b, hp_percent_of(d->reachable.bytes,
					  d->reachable.bytes + d->weak.bytes +
						  d->hidden.bytes +
						  d->unreachable.bytes));
	hp_html_put_figures(j, "value", &b);
	write_heap_parts(j, r, false);
	hp_json_object_end(j);
	hp_buf_release(&b);
}

/* How many of the rows that the page has grew, shrank and so on. */
struct row_counts {
	uint64_t all, grew, shrank, kept_size, unchanged;
};

static struct row_counts
count_rows(const struct hp_result *r)
{
	const struct hp_rows *rows = r->heap_shown ? &r->in_heap : &r->rows;
	enum hp_col c = hp_html_weight(r, 0);
	struct row_counts n = {0};

	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		int64_t growth;

		if (row->rollup)
			continue;
		n.all++;
		growth = r->ndumps > 1 && c != HP_COLS &&
					 hp_result_has_value(row, c)
				 ? hp_result_growth(r, row, c)
				 : 0;
		if (growth > 0)
			n.grew++;
		else if (growth < 0)
			n.shrank++;
		else if (hp_row_changed(rows, row))
			n.kept_size++;
		else
			n.unchanged++;
	}
	return n;
}

static void
write_row_parts(struct hp_json *j, const struct row_counts *n)
{
	struct hp_buf b = {0};

	hp_json_put_array(j, "parts");
	write_part(j, n->grew, "up-3", NULL);
	write_part(j, n->shrank, "down-3", NULL);
	if (n->kept_size > 0) {
		hp_count_text(&b, n->kept_size);
		hp_buf_text(&b, n->kept_size == 1 ? " kept its size"
						  : " kept their size");
	}
	write_part(j, n->kept_size, "strong", &b);
	if (n->unchanged > 0) {
		hp_count_text(&b, n->unchanged);
		hp_buf_text(&b, " unchanged");
	}
	write_part(j, n->unchanged, "was", &b);
	hp_json_array_end(j);
	hp_buf_release(&b);
}

/*
 * Write the largest row, and its share: "Largest: byte[], 1.5 MB, 72 % of the
 * heap". The rows of some keys overlap, so they have no bar.
 */
static void
write_largest(struct hp_json *j, const struct hp_result *r)
{
	bool overlap = hp_key_is(r->by, HP_KEY_OVERLAPS);
	uint64_t whole = hp_html_whole(r, 0), most;
	const struct hp_row *top = hp_html_largest(r, 0, &most);
	struct hp_buf b = {0};

	if (!top || whole == 0)
		return;
	hp_json_put_array_flat(j, "line");
	hp_json_string(j, "Largest: ");
	hp_json_array_flat(j);
	hp_json_visible(j, top->key, top->key_len);
	hp_json_array_end(j);
	hp_buf_text(&b, ", ");
	hp_html_value(&b, hp_html_weight(r, 0), most);
	hp_buf_text(&b, ", ");
	hp_percent_text(&b, hp_percent_of(most, whole));
	hp_buf_printf(&b, " of %s",
		      r->options->why ? "what matches"
				      : hp_row_keys[r->by].whole);
	hp_html_put_figures(j, NULL, &b);
	hp_json_array_end(j);
	if (!overlap)
		write_share_bar(j, most, whole, NULL);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&b);
}

static void
write_rows_card(struct hp_json *j, const struct hp_result *r)
{
	struct row_counts n = count_rows(r);
	struct hp_buf b = {0};

	add_capital(&b, hp_row_keys[r->by].noun);
	if (r->ncut > 0 || r->options->filter)
		hp_buf_text(&b, " in this report");
	begin_card(j, hp_buf_string(&b));
	hp_buf_clear(&b);
	hp_count_text(&b, r->ndumps > 1 ? n.grew : n.all);
	hp_buf_text(&b, r->ndumps > 1 ? " grew" : "");
	hp_html_put_figures(j, "value", &b);
	if (r->ndumps > 1) {
		hp_count_text(&b, n.shrank);
		hp_buf_text(&b, " shrank");
		hp_html_put_figures(j, "growth", &b);
		hp_json_put_string(j, "tone", "down");
	}
	hp_ignored_text(&b, r);
	hp_buf_inherit(&j->buf, &b);
	if (b.len > 0)
		hp_json_put_buf(j, "note", &b);
	hp_buf_release(&b);
	if (r->ndumps > 1)
		write_row_parts(j, &n);
	else
		write_largest(j, r);
	hp_json_object_end(j);
}

static void
write_gates_card(struct hp_json *j, const struct hp_result *r)
{
	size_t failed = 0, idle = 0, n = r->ngates;
	struct hp_buf b = {0}, none = {0};

	for (size_t i = 0; i < n; i++) {
		failed += r->gates[i].tripped;
		idle += r->gates[i].matched == 0;
	}
	if (n == 0)
		return;
	hp_buf_printf(&none, "%zu of %zu %s no row", idle, n,
		      idle == 1 ? "matches" : "match");
	if (failed > 0)
		hp_buf_printf(&b, "✕ %zu of %zu failed", failed, n);
	else if (idle > 0)
		hp_buf_printf(&b, "? %s", hp_buf_string(&none));
	else if (n > 1)
		hp_buf_printf(&b, "✓ all %zu passed", n);
	else
		hp_buf_text(&b, "✓ 1 passed");
	begin_card(j, "Gates");
	hp_json_put_buf(j, "value", &b);
	if (failed > 0 || idle == 0)
		hp_json_put_string(j, "mark", failed > 0 ? "failed" : "passed");
	if (failed > 0 && idle > 0)
		hp_json_put_buf(j, "bad", &none);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_inherit(&j->buf, &none);
	hp_buf_release(&b);
	hp_buf_release(&none);
	hp_json_put_array(j, "parts");
	write_part(j, failed, "bad", NULL);
	write_part(j, idle, "was", NULL);
	write_part(j, n - failed - idle, "good", NULL);
	hp_json_array_end(j);
	hp_json_object_end(j);
}

void
hp_html_lead(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_object(j, "lead");
	hp_json_put_array_flat(j, "headline");
	write_headline(&(struct headline){.add = add_to_json,
					  .to = j,
					  .into = &j->buf},
		       r);
	hp_json_array_end(j);
	hp_json_put_array(j, "cards");
	write_size_card(j, r);
	write_count_card(j, r);
	write_reachable_card(j, r);
	write_rows_card(j, r);
	write_owners_card(j, r);
	write_gates_card(j, r);
	hp_json_array_end(j);
	hp_json_object_end(j);
}
