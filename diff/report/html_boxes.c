/*
 * html_boxes.c - write the dominator tree for the HTML page: its boxes, and for
 * rows the boxes that their objects are in, and what their objects retain
 */
#include "diff/report/html_figures.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* maximum number of names that are listed as retained by a row */
	KEPT_SHOWN = 8,
	/* maximum number of boxes for which a row shows what keeps them alive
	 */
	PLACES_SHOWN = 6
};

static void
write_pair(struct hp_json *j, const struct hp_result *r, uint64_t first,
	   uint64_t last)
{
	if (r->ndumps > 1)
		hp_json_u64(j, first);
	hp_json_u64(j, last);
}

/*
 * Write the JSON member "dominators": the boxes of the picture of the dominator
 * tree, each as [parent, "name", retained bytes ..., "class", "label"]. If
 * there is no label, it is left out. If then the class equals the name, the
 * class is also left out.
 */
static void
write_boxes(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array_flat(j, "dominators");
	for (size_t i = 0; i < r->nboxes; i++) {
		const struct hp_box *b = &r->boxes[i];

		hp_json_array_flat(j);
		hp_json_u64(j, b->parent);
		hp_json_visible(j, b->name, strlen(b->name));
		write_pair(j, r, b->retained[0].bytes, b->retained[1].bytes);
		if (b->label || strcmp(b->name, b->class) != 0)
			hp_json_visible(j, b->class, strlen(b->class));
		if (b->label)
			hp_json_visible(j, b->label, strlen(b->label));
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
}

/*
 * Write the JSON member "box_texts": indexes of texts for each box. The first
 * two are "12 objects" and, if there are several objects, "12 × "; the others
 * are those of hp_html_box(). The root has no number of objects.
 */
static void
write_box_texts(struct hp_json *j, const struct hp_result *r,
		struct hp_rows *texts)
{
	struct hp_buf text = {0};

	hp_json_put_array_flat(j, "box_texts");
	for (size_t i = 0; i < r->nboxes; i++) {
		const struct hp_box *b = &r->boxes[i];
		uint64_t n = i > 0 ? b->members[1] : 0;

		if (i > 0)
			hp_count_noun_text(&text, n, "object");
		hp_html_number(j, texts, &text);
		if (n > 1) {
			hp_count_text(&text, n);
			hp_buf_text(&text, " × ");
		}
		hp_html_number(j, texts, &text);
		hp_html_box(j, r, texts, HP_COLS,
			    (uint64_t[2]){b->retained[0].bytes,
					  b->retained[1].bytes});
	}
	hp_json_array_end(j);
	hp_buf_release(&text);
}

/*
 * Write the JSON member "owners": the classes that own the most bytes, each as
 * ["class", bytes ..., text ...], with the texts of hp_html_box().
 */
static void
write_owners(struct hp_json *j, const struct hp_result *r,
	     struct hp_rows *texts)
{
	hp_json_put_array_flat(j, "owners");
	for (size_t i = 0; i < r->owners.count; i++) {
		const struct hp_row *row = r->owners.list[i];

		hp_json_array_flat(j);
		hp_json_visible(j, row->key, row->key_len);
		write_pair(j, r, row->bytes[0], row->bytes[1]);
		hp_html_box(j, r, texts, HP_COLS, row->bytes);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
}

/* --- the boxes that the objects of a row are in --------------------------- */

/*
 * Returns 1 + the index of the row whose objects are in the box, 0: none. A row
 * of --by=dominator is the box with its name and size, because other boxes may
 * have the same name.
 */
static uint32_t
place_of_box(const struct hp_result *r, const struct hp_html_places *p,
	     const struct hp_box *b)
{
	bool owners = hp_key_is(r->by, HP_KEY_OWNERS);
	const char *key = owners ? b->name : b->class;
	const struct hp_row *row = hp_rows_find(p->rows, key, strlen(key));

	if (!row ||
	    (owners &&
	     (row->retained_bytes[r->ndumps - 1] != b->retained[1].bytes ||
	      (r->ndumps > 1 &&
	       row->retained_bytes[0] != b->retained[0].bytes))))
		return 0;
	return p->of[row->index];
}

/* A box that has objects of a row. */
struct place {
	uint32_t of; /* 1 + the index of the row */
	uint32_t box;
	uint64_t change, bytes; /* bytes in the last dump */
};

/*
 * A comparison function: by row; then by the change, then by the size, largest
 * first; then in the order of the boxes.
 */
static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->of != y->of)
		return hp_order(x->of, y->of);
	if (x->change != y->change)
		return hp_order(y->change, x->change);
	if (x->bytes != y->bytes)
		return hp_order(y->bytes, x->bytes);
	return hp_order(x->box, y->box);
}

static size_t
find_boxes(struct place *list, const struct hp_result *r,
	   const struct hp_html_places *p)
{
	size_t n = 0;

	for (size_t i = 1; i < r->nboxes; i++) {
		const struct hp_box *b = &r->boxes[i];
		uint64_t first = r->ndumps > 1 ? b->retained[0].bytes : 0;
		uint64_t last = b->retained[1].bytes;
		uint32_t of = place_of_box(r, p, b);

		if (of > 0)
			list[n++] = (struct place){
				.of = of,
				.box = (uint32_t)i,
				.change = first > last ? first - last
						       : last - first,
				.bytes = last};
	}
	qsort(list, n, sizeof(*list), compare_places);
	return n;
}

/*
 * Write the JSON member "places": the boxes of each row that has any, as [row,
 * more, box ...]. "more" is the index of a text: how many boxes are left out,
 * or nothing.
 */
static void
write_places(struct hp_json *j, const struct hp_result *r,
	     const struct hp_html_places *p, struct hp_rows *texts)
{
	struct place *list = hp_malloc(r->nboxes * sizeof(*list));
	size_t n = list ? find_boxes(list, r, p) : 0, k;
	struct hp_buf more = {0};

	j->buf.failed |= !list;
	hp_json_put_array_flat(j, "places");
	for (size_t i = 0; i < n; i += k) {
		for (k = 1; i + k < n && list[i + k].of == list[i].of;)
			k++;
		hp_json_array_flat(j);
		hp_json_u64(j, list[i].of - 1);
		if (k > PLACES_SHOWN)
			hp_count_noun_text(&more, k - PLACES_SHOWN,
					   "smaller place");
		hp_html_number(j, texts, &more);
		for (size_t m = 0; m < k && m < PLACES_SHOWN; m++)
			hp_json_u64(j, list[i + m].box);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&more);
	hp_free(list);
}

/* --- what the objects of a row retain ------------------------------------- */

/* The boxes with one name directly in the boxes of one row, as a sum. */
struct kept {
	uint32_t place; /* 1 + the index of the row */
	uint32_t box;	/* the first of these boxes */
	uint64_t objects, bytes[2];
};

/*
 * A comparison function: by row, then by size in the last dump, largest first.
 */
static int
compare_kept(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->place != y->place)
		return hp_order(x->place, y->place);
	if (x->bytes[1] != y->bytes[1])
		return hp_order(y->bytes[1], x->bytes[1]);
	return hp_order(x->box, y->box);
}

/* Add the box @i, which is directly in a box of the row at @place. */
static bool
add_kept(struct hp_rows *index, struct kept *list, const struct hp_result *r,
	 uint32_t place, size_t i)
{
	const struct hp_box *b = &r->boxes[i];
	struct hp_buf key = {0};
	const struct hp_row *at;
	size_t known = index->count;

	hp_buf_add(&key, (const char *)&place, sizeof(place));
	hp_buf_text(&key, b->name);
	at = hp_rows_put_text(index, &key);
	hp_buf_release(&key);
	if (!at)
		return false;
	if (index->count > known)
		list[at->index] =
			(struct kept){.place = place, .box = (uint32_t)i};
	hp_sum_add(&list[at->index].objects, b->members[1]);
	hp_sum_add(&list[at->index].bytes[0], b->retained[0].bytes);
	hp_sum_add(&list[at->index].bytes[1], b->retained[1].bytes);
	return true;
}

/*
 * Write the JSON member "kept": what the objects of each row retain directly,
 * as [row, box with the name, objects, size, change], the largest first. The
 * last three are indexes of texts; with one dump, there is no change.
 */
static void
write_kept(struct hp_json *j, const struct hp_result *r,
	   const struct hp_html_places *p, struct hp_rows *texts)
{
	struct hp_rows index;
	struct kept *list = hp_calloc(r->nboxes, sizeof(*list));
	size_t same = 0;
	bool ok = list;

	hp_rows_init(&index, 0);
	for (size_t i = 1; ok && i < r->nboxes; i++) {
		const struct hp_box *up = &r->boxes[r->boxes[i].parent];
		uint32_t place =
			r->boxes[i].parent > 0 ? place_of_box(r, p, up) : 0;

		if (place > 0)
			ok = add_kept(&index, list, r, place, i);
	}
	if (ok)
		qsort(list, index.count, sizeof(*list), compare_kept);
	hp_json_put_array_flat(j, "kept");
	for (size_t i = 0; ok && i < index.count; i++) {
		same = i && list[i - 1].place == list[i].place ? same + 1 : 0;
		if (same >= KEPT_SHOWN)
			continue;
		hp_json_array_flat(j);
		hp_json_u64(j, list[i].place - 1);
		hp_json_u64(j, list[i].box);
		hp_html_count_number(j, texts, list[i].objects);
		hp_html_size_number(j, texts, list[i].bytes[1]);
		if (r->ndumps > 1)
			hp_html_size_change(j, texts, list[i].bytes[0],
					    list[i].bytes[1]);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	j->buf.failed |= !ok;
	hp_rows_release(&index);
	hp_free(list);
}

void
hp_html_boxes(struct hp_json *j, const struct hp_result *r,
	      struct hp_rows *texts)
{
	struct hp_html_places p = {0};

	write_boxes(j, r);
	write_box_texts(j, r, texts);
	write_owners(j, r, texts);
	if (!hp_key_is(r->by, HP_KEY_DETAILS | HP_KEY_OWNERS))
		return;
	if (hp_html_find_places(&p, r)) {
		write_places(j, r, &p, texts);
		write_kept(j, r, &p, texts);
	}
	j->buf.failed |= !p.of;
	hp_free(p.of);
}
