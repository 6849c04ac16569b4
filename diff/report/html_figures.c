/*
 * html_figures.c - write the texts that the HTML page shows for its rows:
 * growth in percent, share, average and so on
 */
#include "diff/report/html_figures.h"

#include "common/cli/quantity.h"

#include <string.h>

void
hp_html_text_number(struct hp_json *j, struct hp_rows *texts, const char *text)
{
	const struct hp_row *row = hp_rows_put_word(texts, text);

	j->buf.failed |= !row;
	hp_json_u64(j, row ? row->index : 0);
}

void
hp_html_texts(struct hp_json *j, struct hp_rows *texts)
{
	hp_json_put_array_flat(j, "texts");
	for (size_t i = 0; i < texts->count; i++)
		hp_json_visible(j, texts->list[i]->key,
				texts->list[i]->key_len);
	hp_json_array_end(j);
	hp_rows_release(texts);
}

void
hp_html_name_number(struct hp_json *j, struct hp_rows *texts,
		    struct hp_buf *text)
{
	hp_html_text_number(j, texts, hp_buf_string(text));
	hp_buf_inherit(&j->buf, text);
	hp_buf_clear(text);
}

/*
 * Returns the index of a text in the list, with a typographic minus. Empties
 * @text.
 */
static size_t
figure_index(struct hp_json *j, struct hp_rows *texts, struct hp_buf *text)
{
	struct hp_buf out = {0};
	const struct hp_row *row;

	hp_html_figures(&out, hp_buf_string(text));
	hp_buf_inherit(&out, text);
	row = hp_rows_put_word(texts, hp_buf_string(&out));
	j->buf.failed |= !row || !hp_buf_ok(&out);
	hp_buf_release(&out);
	hp_buf_clear(text);
	return row ? row->index : 0;
}

void
hp_html_number(struct hp_json *j, struct hp_rows *texts, struct hp_buf *text)
{
	hp_json_u64(j, figure_index(j, texts, text));
}

/* Write the index of the text that @add makes of a value. */
static void
write_value(struct hp_json *j, struct hp_rows *texts,
	    void (*add)(struct hp_buf *, uint64_t), uint64_t v)
{
	struct hp_buf b = {0};

	add(&b, v);
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

/* Write the index of the text that @add makes of a change. */
static void
write_change(struct hp_json *j, struct hp_rows *texts,
	     void (*add)(struct hp_buf *, int64_t), uint64_t first,
	     uint64_t last)
{
	struct hp_buf b = {0};

	add(&b, hp_growth(first, last));
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

void
hp_html_count_number(struct hp_json *j, struct hp_rows *texts, uint64_t v)
{
	write_value(j, texts, hp_count_text, v);
}

void
hp_html_count_change(struct hp_json *j, struct hp_rows *texts, uint64_t first,
		     uint64_t last)
{
	write_change(j, texts, hp_count_text_signed, first, last);
}

void
hp_html_size_number(struct hp_json *j, struct hp_rows *texts, uint64_t v)
{
	write_value(j, texts, hp_size_text, v);
}

void
hp_html_size_change(struct hp_json *j, struct hp_rows *texts, uint64_t first,
		    uint64_t last)
{
	write_change(j, texts, hp_size_text_signed, first, last);
}

void
hp_html_objects(struct hp_json *j, struct hp_rows *texts, uint64_t objects,
		uint64_t bytes)
{
	struct hp_buf b = {0};

	hp_count_noun_text(&b, objects, "object");
	hp_buf_text(&b, ", ");
	hp_size_text(&b, bytes);
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

void
hp_html_step(struct hp_json *j, const struct hp_result *r,
	     struct hp_rows *texts, const uint64_t objects[2],
	     const uint64_t bytes[2])
{
	hp_html_objects(j, texts, objects[1], bytes[1]);
	if (r->ndumps > 1)
		hp_html_count_change(j, texts, objects[0], objects[1]);
}

/* --- paths ---------------------------------------------------------------- */

/* Write a sentence about objects that moved from another path, if any did. */
static void
write_moved(struct hp_json *j, struct hp_rows *texts, uint64_t count)
{
	struct hp_buf b = {0};

	if (count > 0) {
		hp_count_noun_text(&b, count, "object");
		hp_buf_text(&b,
			    " may have been on another path in the first dump");
	}
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

static void
write_why(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts)
{
	size_t last = r->ndumps - 1;

	hp_json_put_array_flat(j, "why_texts");
	/* the first entry of the list is the total */
	for (uint32_t i = 1; i < r->why.count; i++) {
		const struct hp_why_node *n = &r->why.list[i];

		write_moved(j, texts, n->moved);
		hp_html_step(j, r, texts,
			     (uint64_t[2]){n->count[0], n->count[last]},
			     (uint64_t[2]){n->bytes[0], n->bytes[last]});
	}
	hp_json_array_end(j);
}

void
hp_html_paths(struct hp_json *j, const struct hp_result *r,
	      struct hp_rows *texts)
{
	if (r->why.count > 0)
		write_why(j, r, texts);
	hp_json_put_array_flat(j, "moved_texts");
	for (size_t i = 0; i < r->nshown; i++) {
		if (!r->shown[i]->moved_from)
			continue;
		hp_json_array_flat(j);
		hp_json_u64(j, i);
		write_moved(j, texts, r->shown[i]->moved_count);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
}

/* --- boxes ---------------------------------------------------------------- */

/* Append a value with a sign, for example "+12 samples" or "0 B". */
static void
add_signed(struct hp_buf *b, enum hp_col c, int64_t v)
{
	if (v != 0)
		hp_buf_byte(b, v < 0 ? '-' : '+');
	hp_html_value(b, c, hp_magnitude(v));
}

void
hp_html_box(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	    enum hp_col c, const uint64_t v[2])
{
	int64_t growth = hp_growth(v[0], v[1]);
	struct hp_buf b = {0};

	hp_html_value(&b, c, v[1]);
	hp_html_number(j, texts, &b);
	if (r->ndumps > 1) {
		add_signed(&b, c, growth);
		hp_html_number(j, texts, &b);
		if (growth != 0) {
			hp_buf_byte(&b, '(');
			hp_growth_percent_text(&b, growth, v[0]);
			hp_buf_byte(&b, ')');
		} else {
			hp_buf_text(&b, "unchanged");
		}
		hp_html_number(j, texts, &b);
	}
	hp_buf_release(&b);
}

static void
add_growth(struct hp_buf *b, uint64_t first, uint64_t last)
{
	hp_growth_percent_text(b, hp_growth(first, last), first);
}

/* --- the texts of a row --------------------------------------------------- */

/* What the page shows for a row, as a text; nothing if the row has no value. */
typedef void add_figure(struct hp_buf *b, const struct hp_result *r,
			const struct hp_row *row);

/* The growth of the row in percent. */
static void
add_row_growth(struct hp_buf *b, const struct hp_result *r,
	       const struct hp_row *row)
{
	enum hp_col c = hp_html_weight(r, 0);

	if (r->ndumps > 1)
		add_growth(b, hp_html_row_value(r, row, c, 0),
			   hp_html_row_value(r, row, c, r->ndumps - 1));
}

/* The share of the row in the last dump. */
static void
add_share(struct hp_buf *b, const struct hp_result *r, const struct hp_row *row)
{
	size_t last = r->ndumps - 1;

	hp_percent_text(
		b, hp_percent_of(hp_html_row_value(r, row, hp_html_weight(r, 0),
						   last),
				 hp_html_whole(r, last)));
}

/* Append a / b as a size. */
static void
add_quotient(struct hp_buf *b, uint64_t bytes, uint64_t count)
{
	hp_size_text(b, bytes / count + (bytes % count >= count - count / 2));
}

/* The average size of an object in the last dump. */
static void
add_each(struct hp_buf *b, const struct hp_result *r, const struct hp_row *row)
{
	uint64_t count =
		hp_html_row_value(r, row, hp_html_weight(r, 1), r->ndumps - 1);

	if (count > 0 && !hp_key_is(r->by, HP_KEY_EVENTS) &&
	    !hp_key_is(r->by, HP_KEY_OWNERS))
		add_quotient(b,
			     hp_html_row_value(r, row, hp_html_weight(r, 0),
					       r->ndumps - 1),
			     count);
}

/* The margin of error of an estimate: of its value or of its growth. */
static void
add_margin(struct hp_buf *b, const struct hp_result *r,
	   const struct hp_row *row)
{
	enum hp_col c = hp_html_weight(r, 0);

	if (c == HP_COLS || !hp_result_is_sampled(r) ||
	    !hp_column_is(c, HP_COLUMN_IS_ESTIMATE))
		return;
	hp_column_text(b, c,
		       (uint64_t)(r->ndumps > 1
					  ? hp_result_growth_margin(r, row, c)
					  : hp_result_margin(r, row, 0, c)));
}

/* How many objects a row has and how much they retain, or the growth of both.
 */
struct retained {
	int64_t objects, bytes;
};

/* Returns false if there are no objects that retain anything. */
static bool
find_retained(struct retained *k, const struct hp_result *r,
	      const struct hp_row *row)
{
	size_t last = r->ndumps - 1;

	if (!row->retained_bytes || !row->count || row->count[last] == 0)
		return false;
	k->objects = hp_growth(last ? row->count[0] : 0, row->count[last]);
	k->bytes = hp_growth(last ? row->retained_bytes[0] : 0,
			     row->retained_bytes[last]);
	return k->objects > 0 && k->bytes > 0;
}

/*
 * The bytes in the sentence "Each retains 1.2 KB on average." or, with several
 * dumps, in the sentence "The retained size grew by 1.2 KB for each of the 40
 * new objects, on average." Old objects may also retain more than before, so
 * the second sentence does not say what the new objects retain.
 */
static void
add_retains(struct hp_buf *b, const struct hp_result *r,
	    const struct hp_row *row)
{
	struct retained k;

	if (find_retained(&k, r, row))
		add_quotient(b, (uint64_t)k.bytes, (uint64_t)k.objects);
}

/* The end of the sentence with the bytes of add_retains(). */
static void
add_retainers(struct hp_buf *b, const struct hp_result *r,
	      const struct hp_row *row)
{
	struct retained k;

	if (!find_retained(&k, r, row))
		return;
	if (r->ndumps == 1) {
		hp_buf_text(b, " on average.");
	} else if (k.objects == 1) {
		hp_buf_text(b, " while one object was added.");
	} else {
		hp_buf_text(b, " for each of the ");
		hp_count_text(b, (uint64_t)k.objects);
		hp_buf_text(b, " new objects, on average.");
	}
}

static const struct {
	const char *key;
	add_figure *add;
	bool of_sum; /* rows that are sums also have it */
} figures[] = {
	{"growth", add_row_growth, true}, {"share", add_share, true},
	{"each", add_each, true},	  {"margin", add_margin, false},
	{"retains", add_retains, false},  {"retainers", add_retainers, false}};

static bool
any_row_has(struct hp_json *j, const struct hp_result *r, add_figure *add)
{
	struct hp_buf b = {0};
	bool any = false;

	for (size_t i = 0; !any && i < r->nshown; i++) {
		add(&b, r, r->shown[i]);
		any = b.len > 0;
	}
	j->buf.failed |= !hp_buf_ok(&b);
	hp_buf_release(&b);
	return any;
}

/*
 * A list of indexes. If an index is equal to the one before it, only the number
 * of such indexes is written, as a negative number.
 */
struct list {
	struct hp_json *j;
	size_t at, same;
};

static struct list
begin_list(struct hp_json *j, const char *key)
{
	hp_json_put_array_flat(j, key);
	return (struct list){.j = j, .at = SIZE_MAX};
}

static void
end_run(struct list *l)
{
	if (l->same > 0)
		hp_json_i64(l->j, -(int64_t)l->same);
	l->same = 0;
}

static void
add_index(struct list *l, size_t index)
{
	if (index == l->at) {
		l->same++;
		return;
	}
	end_run(l);
	hp_json_u64(l->j, index);
	l->at = index;
}

static void
end_list(struct list *l)
{
	end_run(l);
	hp_json_array_end(l->j);
}

/* Write the texts of all rows as indexes. */
static void
write_list(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const char *key, add_figure *add)
{
	struct list l = begin_list(j, key);
	struct hp_buf b = {0};

	for (size_t i = 0; i < r->nshown; i++) {
		add(&b, r, r->shown[i]);
		add_index(&l, figure_index(j, texts, &b));
	}
	end_list(&l);
	hp_buf_release(&b);
}

/*
 * With two dumps, write the growth of each further column, which the page shows
 * when a row is opened: as the members "growth_count" and so on.
 */
static void
write_growths(struct hp_json *j, const struct hp_result *r,
	      struct hp_rows *texts)
{
	struct hp_buf b = {0};
	struct list l;
	char key[64];

	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;

		if (!hp_result_tells(r, c) || c == hp_html_weight(r, 0) ||
		    !hp_column_is(c, HP_COLUMN_IS_GROWS))
			continue;
		snprintf(key, sizeof(key), "growth_%s", hp_columns[c].key);
		l = begin_list(j, key);
		for (size_t k = 0; k < r->nshown; k++) {
			add_growth(&b, hp_html_row_value(r, r->shown[k], c, 0),
				   hp_html_row_value(r, r->shown[k], c, 1));
			add_index(&l, figure_index(j, texts, &b));
		}
		end_list(&l);
	}
	hp_buf_release(&b);
}

void
hp_html_row_figures(struct hp_json *j, const struct hp_result *r,
		    struct hp_rows *texts)
{
	hp_json_put_object(j, "figures");
	for (size_t k = 0; k < HP_ARRAY_LEN(figures); k++)
		if (any_row_has(j, r, figures[k].add))
			write_list(j, r, texts, figures[k].key, figures[k].add);
	if (r->ndumps == 2)
		write_growths(j, r, texts);
	hp_json_object_end(j);
}

void
hp_html_sum_figures(struct hp_json *j, const struct hp_result *r,
		    struct hp_rows *texts, const struct hp_row *sum)
{
	struct hp_buf b = {0};

	hp_json_put_object_flat(j, "figures");
	for (size_t k = 0; k < HP_ARRAY_LEN(figures); k++) {
		if (!figures[k].of_sum)
			continue;
		figures[k].add(&b, r, sum);
		hp_json_put_u64(j, figures[k].key, figure_index(j, texts, &b));
	}
	for (unsigned i = 0; r->ndumps == 2 && i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;
		char key[64];

		if (!sum->value[c] || c == hp_html_weight(r, 0) ||
		    !hp_column_is(c, HP_COLUMN_IS_GROWS))
			continue;
		snprintf(key, sizeof(key), "growth_%s", hp_columns[c].key);
		add_growth(&b, sum->value[c][0], sum->value[c][1]);
		hp_json_put_u64(j, key, figure_index(j, texts, &b));
	}
	hp_json_object_end(j);
	hp_buf_release(&b);
}
