/*
 * waste_list.c - list each collection, and each group of objects with equal
 * contents
 */
#include "diff/waste/waste_list.h"

#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>

struct lister {
	struct hp_waste *w;
	const struct hp_waste_list *l;
	unsigned dump; /* number of the listed dump in the file */
	/*
	 * for each object, by its number in the graph: its object id, as
	 * uint64_t
	 */
	struct hp_big_array ids;
	/*
	 * the texts of the current entry: the holder, and the class of the
	 * object
	 */
	struct hp_buf holder, of;
};

static uint64_t
id_of(const struct lister *p, uint32_t node)
{
	return ((const uint64_t *)p->ids.at)[node];
}

/* Set p->holder and p->of, the texts for @holder and for the class of @kind. */
static bool
set_texts(struct lister *p, uint32_t holder, const struct hp_node_kind *kind)
{
	const struct hp_name *name = hp_key_kind(p->w->keys, kind);

	hp_buf_clear(&p->holder);
	hp_buf_clear(&p->of);
	if (name)
		hp_buf_add(&p->of, name->text, name->len);
	return name && hp_waste_holder_text(p->w, holder, &p->holder) &&
	       hp_buf_ok(&p->of) && hp_buf_ok(&p->holder);
}

/* --- collections ---------------------------------------------------------- */

static int
by_node(const void *a, const void *b)
{
	const struct hp_waste_collection *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static bool
list_collection(void *ctx, const struct hp_waste_collection *c,
		struct hp_waste_listed *found)
{
	struct lister *p = ctx;
	struct hp_listed_collection row = {.id = id_of(p, c->node),
					   .size = found->size,
					   .capacity = found->slots,
					   .used = found->used,
					   .bytes = found->bytes,
					   .waste = found->waste};

	if (!set_texts(p, hp_waste_holder(p->w, c->node),
		       hp_waste_kind(p->w, c->node)))
		return false;
	row.class_name = hp_buf_string(&p->of);
	row.holder = hp_buf_string(&p->holder);
	return p->l->collection(p->l->ctx, p->dump, &row);
}

static bool
list_collections(struct lister *p)
{
	struct hp_waste *w = p->w;

	if (w->found.count == 0)
		return true;
	qsort(w->found.array.at, w->found.count,
	      sizeof(struct hp_waste_collection), by_node);
	for (uint64_t i = 0; i < w->found.count; i++)
		*hp_waste_link(w, hp_waste_found_at(w, i)->node) =
			(uint32_t)i + 1;
	return hp_waste_each_collection(w, list_collection, p);
}

/* --- duplicates ----------------------------------------------------------- */

/*
 * Returns a number for sorting duplicates by their holder. The number
 * identifies the field or, if no field holds the objects, their class. The
 * number is the same in each run.
 */
static uint64_t
order_of(const struct hp_waste *w, uint64_t key)
{
	uint32_t holder = (uint32_t)(key >> 32);

	return holder & HP_HELD_FIELD ? holder : w->kinds.list[holder].class_id;
}

static int
by_array(const void *a, const void *b, void *ctx)
{
	const struct hp_waste_sum *x = a, *y = b;
	int c = hp_order((uint32_t)x->key, (uint32_t)y->key);

	if (c == 0)
		c = hp_order(x->key >> 63, y->key >> 63);
	if (c == 0)
		c = hp_order(order_of(ctx, x->key), order_of(ctx, y->key));
	return c;
}

static uint32_t
length_of(const struct hp_waste *w, uint32_t array)
{
	return ((const uint32_t *)w->lengths.at)[array];
}

static bool
list_sum(struct lister *p, const struct hp_waste_sum *sum)
{
	struct hp_waste *w = p->w;
	uint32_t array = (uint32_t)sum->key;
	bool text = hp_waste_is_text(w, array);
	struct hp_listed_duplicates row = {
		.array_id = id_of(p, array),
		.length = text ? hp_waste_characters(w, array)
			       : length_of(w, array),
		.count = sum->count,
		.waste = sum->waste,
		.dedup = sum->dedup};

	if (!set_texts(p, (uint32_t)(sum->key >> 32), hp_waste_kind(w, array)))
		return false;
	row.class_name = text ? "java.lang.String" : hp_buf_string(&p->of);
	row.holder = hp_buf_string(&p->holder);
	return p->l->duplicates(p->l->ctx, p->dump, &row);
}

static bool
list_duplicates(struct lister *p)
{
	struct hp_waste_sum *list = p->w->values.list;
	size_t n = p->w->values.count, end;
	bool fine = true;

	if (n == 0)
		return true;
	qsort_r(list, n, sizeof(*list), by_array, p->w);
	for (size_t i = 0; i < n && fine; i = end) {
		struct hp_waste_sum sum = list[i];

		for (end = i + 1;
		     end < n && by_array(&list[i], &list[end], p->w) == 0;
		     end++) {
			sum.count += list[end].count;
			sum.waste += list[end].waste;
			sum.dedup += list[end].dedup;
		}
		fine = list_sum(p, &sum);
	}
	return fine;
}

/* --- the list ------------------------------------------------------------- */

static enum hp_status
list_all(struct lister *p, struct hp_error *err)
{
	struct hp_waste *w = p->w;
	enum hp_status st = hp_big_array_make(
		&w->memory, &p->ids, 8 * (w->nodes.count + UINT64_C(1)),
		HP_BIG_RANDOM, err);

	if (st != HP_OK)
		return st;
	hp_id_ranks_ids(&w->nodes.ranks, p->ids.at);
	if (!list_collections(p) || !list_duplicates(p))
		st = hp_no_memory(err);
	hp_big_array_drop(&w->memory, &p->ids);
	hp_buf_release(&p->holder);
	hp_buf_release(&p->of);
	return st;
}

static enum hp_status
list_dump(const struct hp_waste_list *l, struct hp_histogram *g,
	  const struct hp_diff_options *o, const struct hp_size_model *layout,
	  struct hp_source *src, struct hp_error *err)
{
	struct hp_keys keys = {.g = g, .o = o};
	struct hp_waste w = {.g = g,
			     .o = o,
			     .layout = layout,
			     .keys = &keys,
			     .want_values = true,
			     .want_arrays = true};
	struct lister p = {.w = &w,
			   .l = l,
			   .dump = g->options->dump ? g->options->dump
						    : g->dumps};
	enum hp_status st = hp_waste_find_all(&w, src, err);

	if (st == HP_OK)
		st = list_all(&p, err);
	hp_waste_release(&w);
	hp_keys_release(&keys);
	return st;
}

enum hp_status
hp_waste_list_make(const struct hp_waste_list *l, struct hp_source *src,
		   const struct hp_waste_list_options *options,
		   struct hp_error *err)
{
	const struct hp_histogram_options counting = {.threads =
							      options->threads,
						      .dump = options->dump,
						      .nodes = true};
	const struct hp_diff_options o = {.raw_names = true};
	struct hp_size_model layout = *options->layout;
	struct hp_histogram g;
	enum hp_status st = hp_source_rewind(src, err);

	if (st != HP_OK)
		return st;
	layout.measured = NULL;
	st = hp_histogram_run(&g, src, &counting, err);
	if (st == HP_OK && g.have_classes && g.dumps > 0)
		st = list_dump(l, &g, &o, &layout, src, err);
	hp_histogram_release(&g);
	return st;
}
