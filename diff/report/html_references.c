/*
 * html_references.c - write which references the HTML page shows when a row is
 * opened: those to the objects of its class, and those from them
 *
 * The rows of --by=holder have all kinds of references. This file chooses for
 * each class the kinds that changed most or are most frequent.
 */
#include "diff/report/html_figures.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* maximum number of kinds of references in each list of a row */
	SHOWN = 10
};

/* A kind of reference, for example a field and the class of its objects. */
struct kind {
	const struct hp_row *row; /* the row of --by=holder */
	/*
	 * 1 + the index of the class to whose objects it refers, and of the
	 * class that has the reference, among the rows of the page; 0: this
	 * class is not on the page
	 */
	uint32_t to, from;
	size_t class_len; /* the length of the class in the holder, or 0 */
	uint32_t number;  /* 1 + its index in the member "list"; 0: none yet */
};

struct kinds {
	const struct hp_result *r;
	const struct hp_html_places *p;
	struct hp_rows *texts;
	struct kind *all;
	uint32_t *order; /* indexes in `all`, sorted for one list */
	uint32_t *list;	 /* indexes in `all`, in the order of their numbers */
	uint32_t count, listed;
	bool to; /* the lists are of references to the objects of a class */
};

static size_t
held_at(const struct hp_row *row)
{
	return row->holder_len + strlen(HP_ROW_ARROW);
}

/*
 * Returns the length of the class in a holder: the class of a field, or an
 * array. Returns 0 if a reference is of another kind, such as a local variable.
 */
static size_t
class_length(const struct hp_row *row)
{
	static const char mark[] = " (static)";
	size_t len = row->holder_len, n = sizeof(mark) - 1;
	const char *dot;

	if (len > n && memcmp(row->key + len - n, mark, n) == 0)
		len -= n;
	if (len > 2 && memcmp(row->key + len - 2, "[]", 2) == 0)
		return len;
	dot = memrchr(row->key, '.', len);
	return dot ? (size_t)(dot - row->key) : 0;
}

static uint32_t
place_of(const struct hp_html_places *p, const char *key, size_t len)
{
	const struct hp_row *row = hp_rows_find(p->rows, key, len);

	return row ? p->of[row->index] : 0;
}

static void
find_kinds(struct kinds *k)
{
	const struct hp_rows *rows = &k->r->holders;

	for (size_t i = 0; i < rows->count; i++) {
		const struct hp_row *row = rows->list[i];
		struct kind kind = {.row = row};
		size_t at = held_at(row);

		if (row->holder_len == 0)
			continue;
		kind.to = place_of(k->p, row->key + at, row->key_len - at);
		kind.class_len = class_length(row);
		if (kind.class_len > 0)
			kind.from = place_of(k->p, row->key, kind.class_len);
		k->all[k->count++] = kind;
	}
}

static uint32_t
place_in_list(const struct kinds *k, const struct kind *kind)
{
	return k->to ? kind->to : kind->from;
}

static int64_t
change(const struct kinds *k, const struct hp_row *row)
{
	return hp_growth(row->references[0],
			 row->references[k->r->holders.dumps - 1]);
}

/*
 * A comparison function: by the row to which the kinds belong; then by the
 * change, then by the number of references in the last dump, largest first.
 */
static int
compare_kinds(const void *a, const void *b, void *ctx)
{
	const struct kinds *k = ctx;
	const struct kind *x = &k->all[*(const uint32_t *)a];
	const struct kind *y = &k->all[*(const uint32_t *)b];
	uint64_t p = hp_magnitude(change(k, x->row)),
		 q = hp_magnitude(change(k, y->row));
	size_t last = k->r->holders.dumps - 1;

	if (place_in_list(k, x) != place_in_list(k, y))
		return hp_order(place_in_list(k, x), place_in_list(k, y));
	if (p == q) {
		p = x->row->references[last];
		q = y->row->references[last];
	}
	return p != q ? hp_order(q, p) : strcmp(x->row->key, y->row->key);
}

/* Write one list of a row: the first of @n kinds, and how many are left out. */
static void
write_row(struct hp_json *j, struct kinds *k, const uint32_t *order, size_t n)
{
	struct hp_buf more = {0};

	hp_json_array_flat(j);
	hp_json_u64(j, place_in_list(k, &k->all[order[0]]) - 1);
	if (n > SHOWN) {
		hp_count_noun_text(&more, n - SHOWN, "more kind");
		hp_buf_text(&more, " of reference");
	}
	hp_html_number(j, k->texts, &more);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		struct kind *kind = &k->all[order[i]];

		if (kind->number == 0) {
			k->list[k->listed++] = order[i];
			kind->number = k->listed;
		}
		hp_json_u64(j, kind->number - 1);
	}
	hp_json_array_end(j);
	hp_buf_release(&more);
}

static void
write_lists(struct hp_json *j, struct kinds *k, bool to)
{
	size_t n;

	k->to = to;
	for (uint32_t i = 0; i < k->count; i++)
		k->order[i] = i;
	if (k->count > 0)
		qsort_r(k->order, k->count, sizeof(*k->order), compare_kinds,
			k);
	hp_json_put_array_flat(j, to ? "to" : "from");
	for (size_t i = 0; i < k->count; i += n) {
		uint32_t place = place_in_list(k, &k->all[k->order[i]]);

		for (n = 1; i + n < k->count &&
			    place_in_list(k, &k->all[k->order[i + n]]) == place;
		     n++)
			continue;
		if (place > 0)
			write_row(j, k, &k->order[i], n);
	}
	hp_json_array_end(j);
}

/* Write a class: the index of its row or, if it has no row, its name. */
static void
write_class(struct hp_json *j, uint32_t place, const char *name, size_t len)
{
	if (place > 0)
		hp_json_u64(j, place - 1);
	else
		hp_json_visible(j, name, len);
}

static void
write_kind(struct hp_json *j, const struct kinds *k, const struct kind *kind)
{
	const struct hp_row *row = kind->row;
	size_t at = held_at(row), len = row->holder_len;
	size_t class = kind->from > 0 ? kind->class_len : len;
	size_t last = k->r->holders.dumps - 1;
	struct hp_buf b = {0};

	write_class(j, kind->from, row->key, len);
	hp_buf_add(&b, row->key + class, len - class);
	hp_html_name_number(j, k->texts, &b);
	write_class(j, kind->to, row->key + at, row->key_len - at);
	hp_html_count_number(j, k->texts, row->references[last]);
	if (k->r->ndumps > 1)
		hp_html_count_change(j, k->texts, row->references[0],
				     row->references[last]);
	hp_buf_release(&b);
}

void
hp_html_references(struct hp_json *j, const struct hp_result *r,
		   const struct hp_html_places *p, struct hp_rows *texts)
{
	size_t n = r->holders.count + 1;
	struct kinds k = {.r = r,
			  .p = p,
			  .texts = texts,
			  .all = hp_malloc(n * sizeof(*k.all)),
			  .order = hp_malloc(n * sizeof(*k.order)),
			  .list = hp_malloc(n * sizeof(*k.list))};
	bool ok = k.all && k.order && k.list;

	hp_json_put_object_flat(j, "references");
	if (ok) {
		find_kinds(&k);
		write_lists(j, &k, true);
		write_lists(j, &k, false);
	}
	hp_json_put_array_flat(j, "list");
	for (uint32_t i = 0; i < k.listed; i++)
		write_kind(j, &k, &k.all[k.list[i]]);
	hp_json_array_end(j);
	hp_json_object_end(j);
	j->buf.failed |= !ok;
	hp_free(k.all);
	hp_free(k.order);
	hp_free(k.list);
}
