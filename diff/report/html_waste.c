/*
 * html_waste.c - write the JSON from which the HTML report shows the waste: one
 * sentence, and the largest rows of --by=waste
 */
#include "diff/report/report.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

/*
 * The largest rows of --by=waste, and sums. With --by=waste, these are the rows
 * of the page; otherwise they were made only for the part of the page that
 * shows waste.
 */
struct waste {
	const struct hp_row *rows[SHOWN]; /* the rows, the largest first */
	/* count: number of elements of `rows`. dump: index of the last dump. */
	size_t count, dump;
	/* total: bytes of all waste. heap: bytes of the whole heap. */
	uint64_t total, heap;
};

static uint64_t
bytes_of(const struct waste *w, const struct hp_row *row)
{
	return row->waste[w->dump];
}

/*
 * Whether the row @a comes before the row @b: the row with more waste first,
 * rows with equal waste in the order of their names.
 */
static bool
is_before(const struct waste *w, const struct hp_row *a, const struct hp_row *b)
{
	uint64_t x = bytes_of(w, a), y = bytes_of(w, b);

	return x > y || (x == y && strcmp(a->key, b->key) < 0);
}

static void
insert_row(struct waste *w, const struct hp_row *row)
{
	size_t i = w->count < SHOWN ? w->count++ : SHOWN - 1;

	if (i == SHOWN - 1 && w->rows[i] && !is_before(w, row, w->rows[i]))
		return;
	for (; i > 0 && is_before(w, row, w->rows[i - 1]); i--)
		w->rows[i] = w->rows[i - 1];
	w->rows[i] = row;
}

static void
find(struct waste *w, const struct hp_result *r)
{
	bool own = hp_key_is(r->by, HP_KEY_PARTS_OF_HEAP);
	const struct hp_rows *rows = own ? &r->rows : &r->waste;

	*w = (struct waste){.dump = rows->dumps - 1,
			    .heap = r->dumps[r->ndumps - 1].bytes};
	for (size_t i = 0; i < rows->count; i++) {
		const struct hp_row *row = rows->list[i];

		if (row->rollup || row->beside || bytes_of(w, row) == 0)
			continue;
		hp_sum_add(&w->total, bytes_of(w, row));
		insert_row(w, row);
	}
}

static const char *
holder_of(const struct hp_row *row)
{
	return row->key + row->holder_len + strlen(HP_ROW_ARROW);
}

/*
 * Write a sentence such as "12.4 MB, 7 % of the heap, mostly from
 * com.acme.Order.country". If @own is true, the headline of the page already
 * has the number of bytes: "Waste is 7 % of the heap, ...".
 */
static void
write_words(struct hp_json *j, const struct waste *w, bool own)
{
	bool mostly = bytes_of(w, w->rows[0]) >= w->total / 2;
	struct hp_buf b = {0};

	if (own && w->heap > 0)
		hp_buf_text(&b, "Waste is ");
	else
		hp_size_text(&b, w->total);
	if (w->heap > 0) {
		hp_buf_text(&b, own ? "" : ", ");
		hp_percent_text(&b, hp_percent_of(w->total, w->heap));
		hp_buf_text(&b, " of the heap");
	}
	hp_buf_text(&b, mostly ? ", mostly from " : ", the most from ");
	hp_buf_text(&b, holder_of(w->rows[0]));
	hp_json_put_buf(j, "words", &b);
	hp_buf_release(&b);
}

void
hp_html_waste(struct hp_json *j, const struct hp_result *r)
{
	struct hp_buf b = {0};
	struct waste w;

	find(&w, r);
	if (w.count == 0)
		return;
	hp_json_put_object(j, "waste");
	write_words(j, &w, hp_key_is(r->by, HP_KEY_PARTS_OF_HEAP));
	hp_json_put_array(j, "rows");
	for (size_t i = 0; i < w.count; i++) {
		const struct hp_row *row = w.rows[i];

		hp_json_array_flat(j);
		hp_json_visible(j, row->key, row->key_len);
		hp_count_text(&b, row->count[w.dump]);
		hp_json_buf(j, &b);
		hp_buf_clear(&b);
		hp_size_text(&b, bytes_of(&w, row));
		hp_json_buf(j, &b);
		hp_buf_clear(&b);
		if (row->example.text)
			hp_json_visible(j, row->example.text,
					strlen(row->example.text));
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_buf_release(&b);
}
