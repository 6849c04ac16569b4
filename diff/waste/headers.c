/*
 * headers.c - find what compact object headers would save
 *
 * The JVM option -XX:+UseCompactObjectHeaders makes the header of an object 8
 * bytes, and that of an array 12. Because sizes are rounded up to the alignment
 * of objects, the saving depends on the size of each object.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"

void
hp_waste_compact_layout(struct hp_waste *w)
{
	w->plain = *w->layout;
	w->plain.measured = NULL;
	w->compact = w->plain;
	w->compact.header = 8;
	w->compact.array_header = 12;
	w->have_compact = w->plain.model == HP_SIZE_MODEL_HOTSPOT &&
			  w->plain.header > w->compact.header;
}

/* The bytes that compact headers save in an object. */
static uint64_t
saving(uint64_t plain, uint64_t compact)
{
	return plain > compact ? plain - compact : 0;
}

static uint64_t
saving_of_array(const struct hp_waste *w, const struct hp_sub *s)
{
	unsigned width = s->tag == HP_SUB_OBJECT_ARRAY_DUMP
				 ? w->plain.reference
				 : hp_type_size(s->type, 4);
	struct hp_size_model compact = w->compact;

	/* elements of 8 bytes are aligned */
	if (width == 8)
		compact.array_header = 16;
	return saving(hp_array_bytes(&w->plain, s->count, width),
		      hp_array_bytes(&compact, s->count, width));
}

bool
hp_waste_note_array(struct hp_waste_worker *k, const struct hp_sub *s,
		    uint32_t kind)
{
	uint64_t bytes = saving_of_array(k->w, s);

	if (bytes == 0)
		return true;
	if (kind >= k->saved_cap) {
		uint32_t cap = kind < 512 ? 1024 : 2 * kind;
		uint64_t *list = hp_realloc(k->saved, cap * sizeof(*list));

		if (!list)
			return false;
		memset(list + k->saved_cap, 0,
		       (cap - k->saved_cap) * sizeof(*list));
		k->saved = list;
		k->saved_cap = cap;
	}
	k->saved[kind] += bytes;
	return true;
}

/* What compact headers save in all objects of a kind. */
static uint64_t
saving_of_kind(const struct hp_waste *w, uint32_t number, uint64_t objects)
{
	const struct hp_node_kind *kind = &w->kinds.list[number];
	unsigned id_size = w->nodes.id_size;
	const struct hp_class *c;
	uint64_t sum = 0;

	if (kind->of == HP_NODE_INSTANCE) {
		c = hp_classes_get(&w->g->classes, kind->class_id);
		return objects *
		       saving(hp_instance_bytes(&w->plain, c, id_size),
			      hp_instance_bytes(&w->compact, c, id_size));
	}
	for (unsigned i = 0; i < w->g->options->threads; i++)
		if (number < w->workers[i].saved_cap)
			hp_sum_add(&sum, w->workers[i].saved[number]);
	return sum;
}

bool
hp_waste_find_headers(struct hp_waste *w)
{
	uint64_t *objects;
	bool fine = true;

	if (!w->have_compact)
		return true;
	objects = hp_calloc(w->kinds.count + (size_t)1, sizeof(*objects));
	if (!objects)
		return false;
	for (uint32_t node = 0; node < w->nodes.count; node++)
		objects[*hp_waste_kind_of(w, node)]++;
	for (uint32_t i = 1; i < w->kinds.count && fine; i++) {
		uint64_t bytes = saving_of_kind(w, i, objects[i]);

		if (bytes > 0)
			fine = hp_waste_sums_add(
				&w->sums, (uint64_t)HP_WASTE_HEADERS << 32 | i,
				objects[i], bytes, 0);
	}
	hp_free(objects);
	return fine;
}
