/*
 * waste.c - run the passes for --by=waste, and make rows of the sums
 */
#include "diff/waste/waste.h"

#include "diff/waste/internal.h"

#include <string.h>

struct maker {
	struct hp_waste *w;
	const struct hp_column *c;
	/*
	 * a row for each pair of a family (such as all Strings) and a holder:
	 * the number of objects of the family at this holder, waste or not
	 */
	struct hp_rows good;
	struct hp_buf text;
	struct hp_error *err;
};

/*
 * Begin the key of a row with the number of a family (such as all Strings), so
 * that the rows of different families for the same holder have different keys.
 */
static bool
set_family_key(struct maker *m, unsigned family, uint64_t key)
{
	hp_buf_clear(&m->text);
	hp_buf_u64(&m->text, family);
	hp_buf_byte(&m->text, ' ');
	return hp_waste_holder_text(m->w, (uint32_t)key, &m->text);
}

static bool
count_family(struct maker *m, const struct hp_waste_sum *sum)
{
	struct hp_row *row = NULL;

	if (set_family_key(m, (unsigned)(sum->key >> 32) - HP_WASTES, sum->key))
		row = hp_rows_put_text(&m->good, &m->text);
	if (row)
		row->count[0] += sum->count;
	return row;
}

/*
 * Find how many objects of a family (such as all Strings) a holder has, whether
 * they are waste or not. @sum: any sum for this family and holder.
 */
static bool
find_family(struct maker *m, const struct hp_waste_sum *sum, uint64_t *objects)
{
	const struct hp_row *row;

	if (!set_family_key(m, hp_waste_kinds[sum->key >> 32].family, sum->key))
		return false;
	row = hp_rows_find(&m->good, m->text.data, m->text.len);
	*objects = row ? row->count[0] : 0;
	return true;
}

static bool
add_row(struct maker *m, const struct hp_waste_sum *sum)
{
	const char *kind = hp_waste_kinds[sum->key >> 32].name;
	size_t dump = m->c->index;
	struct hp_row *row;
	uint64_t family;

	if (!find_family(m, sum, &family))
		return false;
	hp_buf_clear(&m->text);
	hp_buf_text(&m->text, kind);
	hp_buf_text(&m->text, HP_ROW_ARROW);
	if (!hp_waste_holder_text(m->w, (uint32_t)sum->key, &m->text))
		return false;
	row = hp_rows_put_text(m->c->rows, &m->text);
	if (!row)
		return false;
	row->holder_len = strlen(kind);
	row->beside = hp_waste_kinds[sum->key >> 32].beside;
	row->count[dump] += sum->count;
	row->waste[dump] += sum->waste;
	row->dedup[dump] += sum->dedup;
	row->good[dump] =
		family > row->count[dump] ? family - row->count[dump] : 0;
	return sum->key >> 32 != HP_WASTE_SAME_STRINGS ||
	       hp_waste_show_value(m->w, (uint32_t)sum->key, m->c->rows, row);
}

static enum hp_status
make_rows(struct maker *m)
{
	const struct hp_waste_sums *s = &m->w->sums;
	bool fine = true;

	for (size_t i = 0; i < s->count && fine; i++)
		if (s->list[i].key >> 32 >= HP_WASTES)
			fine = count_family(m, &s->list[i]);
	for (size_t i = 0; i < s->count && fine; i++)
		if (s->list[i].key >> 32 < HP_WASTES)
			fine = add_row(m, &s->list[i]);
	return fine ? HP_OK : hp_no_memory(m->err);
}

enum hp_status
hp_waste_rows_add(const struct hp_column *c, struct hp_source *src,
		  struct hp_retained *graph, struct hp_waste_notes *notes,
		  struct hp_error *err)
{
	struct hp_keys keys = {.g = c->g, .o = c->o};
	struct hp_waste w = {.g = c->g,
			     .o = c->o,
			     .layout = &c->info->layout,
			     .keys = &keys,
			     .want_values = c->o->show_values &&
					    c->index + 1 == c->rows->dumps};
	struct maker m = {.w = &w, .c = c, .err = err};
	const struct hp_waste_graph of_graph = {c, &keys, graph};
	enum hp_status st = hp_waste_find_all(&w, src, err);

	hp_rows_init(&m.good, 1);
	if (st == HP_OK)
		st = make_rows(&m);
	if (st == HP_OK && graph)
		st = hp_waste_graph_rows_add(&of_graph, err);
	*notes = (struct hp_waste_notes){.no_texts = w.no_texts,
					 .no_data = w.no_data,
					 .removed_from = w.removed_from,
					 .slices = w.slices};
	hp_rows_release(&m.good);
	hp_buf_release(&m.text);
	hp_nodes_keep(&w.nodes, &c->g->nodes, &w.memory);
	hp_waste_release(&w);
	hp_keys_release(&keys);
	return st;
}
