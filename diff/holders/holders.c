/*
 * holders.c - make the rows of --by=holder from the counts of references
 */
#include "diff/holders/holders.h"
#include "common/base/memory.h"

#include "diff/holders/internal.h"

#include <string.h>

/*
 * The references of the current kind to objects of one kind (class and size) or
 * of one class name. references: number of these references. objects, bytes:
 * number and bytes of the objects to which they refer; each object counts once.
 */
struct held {
	uint64_t objects, bytes, references;
};

struct holders {
	struct hp_holder_pass pass;
	struct hp_keys keys;
	const struct hp_column *c;
	/* one row for each class name that objects of the dump have */
	struct hp_rows names;
	/* maps a class id to 1 + the index of the class name in `names` */
	struct hp_id_map classes;
	/*
	 * for each kind of object (class and size): the index of its class name
	 * in `names`
	 */
	uint32_t *name_of;
	/*
	 * for each kind of object (class and size): its sum for the current
	 * kind of reference
	 */
	struct held *by_kind;
	struct held *by_name;
	/* the indexes in `by_kind` or `by_name` of the sums that are not 0 */
	uint32_t *touched;
	uint32_t ntouched;
	struct hp_buf text;
	struct hp_error *err;
};

/* --- class names ---------------------------------------------------------- */

/*
 * Returns the row with the class name of a kind of object, or NULL if out of
 * memory. Arrays of one class with different lengths are different kinds, so
 * the row of each class is cached.
 */
static const struct hp_row *
name_row(struct holders *h, const struct hp_node_kind *kind)
{
	bool class = kind->of == HP_NODE_INSTANCE ||
		     kind->of == HP_NODE_OBJECT_ARRAY;
	uint64_t *slot =
		class ? hp_id_map_put(&h->classes, kind->class_id, NULL) : NULL;
	const struct hp_row *row;

	if (slot && *slot)
		return h->names.list[*slot - 1];
	row = hp_key_row(&h->names, hp_key_kind(&h->keys, kind));
	if (slot && row)
		*slot = row->index + 1;
	return row;
}

static enum hp_status
name_kinds(struct holders *h)
{
	const struct hp_node_kinds *kinds = &h->pass.kinds;
	size_t n = (size_t)kinds->count + 1;

	h->name_of = hp_calloc(n, sizeof(*h->name_of));
	h->by_kind = hp_calloc(n, sizeof(*h->by_kind));
	h->by_name = hp_calloc(n, sizeof(*h->by_name));
	h->touched = hp_calloc(n, sizeof(*h->touched));
	if (!h->name_of || !h->by_kind || !h->by_name || !h->touched)
		return hp_no_memory(h->err);
	for (uint32_t k = 1; k < kinds->count; k++) {
		const struct hp_row *row = name_row(h, &kinds->list[k]);

		if (!row)
			return hp_no_memory(h->err);
		h->name_of[k] = (uint32_t)row->index;
	}
	return HP_OK;
}

/* --- rows ----------------------------------------------------------------- */

static enum hp_status
add_row(struct holders *h, uint32_t edge, uint32_t name,
	const struct held *held)
{
	const struct hp_row *class_row = h->names.list[name];
	struct hp_row *row;
	size_t holder_len;

	hp_buf_clear(&h->text);
	if (!hp_edge_kind_text(&h->pass.edges, edge, &h->text))
		return hp_no_memory(h->err);
	holder_len = h->text.len;
	hp_buf_text(&h->text, HP_ROW_ARROW);
	hp_buf_add(&h->text, class_row->key, class_row->key_len);
	row = hp_rows_put_text(h->c->rows, &h->text);
	if (!row)
		return hp_no_memory(h->err);
	row->holder_len = holder_len;
	row->count[h->c->index] += held->objects;
	row->bytes[h->c->index] += held->bytes;
	row->references[h->c->index] += held->references;
	return HP_OK;
}

static void
touch(struct holders *h, uint32_t kind, uint64_t objects, uint64_t references)
{
	struct held *held = &h->by_kind[kind];

	if (references == 0)
		return;
	if (held->references == 0)
		h->touched[h->ntouched++] = kind;
	held->objects += objects;
	held->references += references;
}

/*
 * Make the rows for one kind of reference: add up, by class name, the objects
 * to which such references refer; make a row for each class name; and reset the
 * sums.
 */
static enum hp_status
add_touched(struct holders *h, uint32_t edge)
{
	enum hp_status st = HP_OK;
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->ntouched; i++) {
		uint32_t k = h->touched[i];
		struct held *kind = &h->by_kind[k];
		struct held *of_name = &h->by_name[h->name_of[k]];

		if (of_name->references == 0)
			h->touched[n++] = h->name_of[k];
		of_name->objects += kind->objects;
		of_name->bytes += kind->objects * h->pass.kinds.list[k].bytes;
		of_name->references += kind->references;
		*kind = (struct held){0};
	}
	for (uint32_t i = 0; i < n; i++) {
		struct held *of_name = &h->by_name[h->touched[i]];

		if (st == HP_OK)
			st = add_row(h, edge, h->touched[i], of_name);
		*of_name = (struct held){0};
	}
	h->ntouched = 0;
	return st;
}

static uint32_t
kind_at(const struct holders *h, uint32_t node)
{
	return ((const uint32_t *)h->pass.kind_of.at)[node];
}

/*
 * Make rows for the references from fields and array elements that one pass has
 * counted.
 */
static enum hp_status
add_counts(struct holders *h)
{
	const struct hp_holder_count *list = h->pass.counts.items, *count;
	size_t n = h->pass.counts.count;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < n && st == HP_OK; i++) {
		count = &list[i];
		touch(h, count->kind, count->objects, count->references);
		if (i + 1 == n || list[i + 1].edge != count->edge)
			st = add_touched(h, count->edge);
	}
	return st;
}

/*
 * Make rows for the references from classes and roots. These references are in
 * a sorted list.
 */
static enum hp_status
add_pairs(struct holders *h)
{
	const struct hp_holder_pair *p = h->pass.pairs.items;
	size_t n = h->pass.pairs.count;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < n && st == HP_OK; i++) {
		bool twice = i > 0 && p[i].edge == p[i - 1].edge &&
			     p[i].node == p[i - 1].node;

		touch(h, kind_at(h, p[i].node), !twice, 1);
		if (i + 1 == n || p[i + 1].edge != p[i].edge)
			st = add_touched(h, p[i].edge);
	}
	return st;
}

/*
 * Make rows for the references from each object to its class, if the dump
 * contains the class object.
 */
static enum hp_status
add_classes(struct holders *h)
{
	const struct hp_classes *classes = &h->pass.g->classes;
	const struct hp_node_kinds *kinds = &h->pass.kinds;
	uint32_t edge = hp_edge_kind_words(&h->pass.edges, "an object's class");
	bool *seen = hp_calloc(classes->count + 1, sizeof(*seen));
	const uint64_t *objects = h->pass.objects;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	bool fine = seen && near && edge != HP_NO_EDGE;

	for (uint32_t k = 1; k < kinds->count && fine; k++) {
		const struct hp_node_kind *kind = &kinds->list[k];
		const struct hp_class *c =
			kind->of == HP_NODE_INSTANCE ||
					kind->of == HP_NODE_OBJECT_ARRAY
				? hp_classes_get(classes, kind->class_id)
				: NULL;
		uint32_t node = c ? hp_node_of(&h->pass.nodes, near, c->id)
				  : HP_NO_NODE;

		if (node == HP_NO_NODE || objects[k] == 0)
			continue;
		touch(h, kind_at(h, node), !seen[c->index], objects[k]);
		seen[c->index] = true;
	}
	hp_free(seen);
	hp_free(near);
	return fine ? add_touched(h, edge) : hp_no_memory(h->err);
}

static enum hp_status
add_all(struct holders *h, struct hp_source *src)
{
	enum hp_status st =
		hp_holder_pass_begin(&h->pass, &h->keys, src, h->err);

	while (st == HP_OK) {
		st = hp_holder_pass_next(&h->pass, src, h->err);
		if (st == HP_OK && !h->name_of)
			st = name_kinds(h);
		if (st == HP_OK)
			st = add_counts(h);
	}
	if (st == HP_EOF)
		st = add_pairs(h);
	return st == HP_OK && !hp_holder_roots_only(&h->pass) ? add_classes(h)
							      : st;
}

enum hp_status
hp_holders_add(const struct hp_column *c, struct hp_source *src,
	       struct hp_error *err)
{
	struct holders h = {
		.pass = {.g = c->g, .o = c->o, .layout = &c->info->layout},
		.keys = {.g = c->g, .o = c->o},
		.c = c,
		.err = err};
	enum hp_status st;

	hp_rows_init(&h.names, 1);
	st = add_all(&h, src);
	hp_free(h.name_of);
	hp_free(h.by_kind);
	hp_free(h.by_name);
	hp_free(h.touched);
	hp_id_map_release(&h.classes);
	hp_buf_release(&h.text);
	hp_holder_pass_release(&h.pass);
	hp_keys_release(&h.keys);
	hp_rows_release(&h.names);
	return st;
}
