/*
 * headers.c - find how many bytes compact object headers would save, and how
 * many bytes the padding of objects takes
 *
 * With the JVM option -XX:+UseCompactObjectHeaders, the header of an object has
 * 8 bytes, and that of an array 12. Sizes are rounded up to the alignment of
 * objects, so the saving depends on the size of each object.
 *
 * Padding is the part of an object that is neither header nor contents: gaps
 * between fields, and the bytes up to the next multiple of the alignment.
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
	hp_size_model_set_compact(&w->compact);
	w->have_compact = w->plain.model == HP_SIZE_MODEL_HOTSPOT &&
			  w->plain.header > w->compact.header;
}

/*
 * Returns the bytes that compact headers save in one object. @plain: its size
 * with normal headers. @compact: its size with compact headers.
 */
static uint64_t
saving(uint64_t plain, uint64_t compact)
{
	return plain > compact ? plain - compact : 0;
}

static void
add(struct hp_waste_overhead *sum, uint64_t objects, uint64_t saved,
    uint64_t padding)
{
	if (saved > 0) {
		hp_sum_add(&sum->saved, objects * saved);
		sum->smaller += (uint32_t)objects;
	}
	if (padding > 0) {
		hp_sum_add(&sum->padding, objects * padding);
		sum->padded += (uint32_t)objects;
	}
}

static void
add_array(const struct hp_waste *w, const struct hp_sub *s,
	  struct hp_waste_overhead *sum)
{
	unsigned width = s->tag == HP_SUB_OBJECT_ARRAY_DUMP
				 ? w->plain.reference
				 : hp_type_size(s->type, 4);
	uint64_t bytes = hp_array_bytes(&w->plain, s->count, width);
	uint64_t used = w->plain.array_header + (uint64_t)s->count * width;
	struct hp_size_model compact = w->compact;

	/*
	 * array elements of 8 bytes are aligned to 8 bytes, so a header of 12
	 * bytes is padded to 16
	 */
	if (width == 8)
		compact.array_header = 16;
	add(sum, 1,
	    w->have_compact
		    ? saving(bytes, hp_array_bytes(&compact, s->count, width))
		    : 0,
	    bytes - used);
}

bool
hp_waste_note_array(struct hp_waste_worker *k, const struct hp_sub *s,
		    uint32_t kind)
{
	if (kind >= k->overhead_cap) {
		uint32_t cap = kind < 512 ? 1024 : 2 * kind;
		struct hp_waste_overhead *list =
			hp_realloc(k->overhead, cap * sizeof(*list));

		if (!list)
			return false;
		memset(list + k->overhead_cap, 0,
		       (cap - k->overhead_cap) * sizeof(*list));
		k->overhead = list;
		k->overhead_cap = cap;
	}
	add_array(k->w, s, &k->overhead[kind]);
	return true;
}

/*
 * Add to @sum, for all objects of one kind (class and size), the bytes that
 * compact headers would save, and the bytes of the objects' padding. Class
 * objects are left out, because most of their fields are not in the dump.
 */
static void
add_kind(const struct hp_waste *w, uint32_t number, uint64_t objects,
	 struct hp_waste_overhead *sum)
{
	const struct hp_node_kind *kind = &w->kinds.list[number];
	unsigned id_size = w->nodes.id_size;
	const struct hp_class *c = hp_node_kind_class(kind, &w->g->classes);

	if (kind->of == HP_NODE_INSTANCE)
		add(sum, objects,
		    w->have_compact
			    ? saving(hp_instance_bytes(&w->plain, c, id_size),
				     hp_instance_bytes(&w->compact, c, id_size))
			    : 0,
		    hp_instance_padding(w->layout, c, id_size));
	for (unsigned i = 0; i < w->g->options->threads; i++) {
		const struct hp_waste_worker *k = &w->workers[i];

		if (number >= k->overhead_cap)
			continue;
		hp_sum_add(&sum->saved, k->overhead[number].saved);
		hp_sum_add(&sum->padding, k->overhead[number].padding);
		sum->smaller += k->overhead[number].smaller;
		sum->padded += k->overhead[number].padded;
	}
}

static bool
add_row(struct hp_waste *w, enum hp_waste_kind kind, uint32_t number,
	uint64_t objects, uint64_t bytes)
{
	return objects == 0 ||
	       hp_waste_sums_add(&w->sums, (uint64_t)kind << 32 | number,
				 objects, bytes, 0);
}

bool
hp_waste_find_overhead(struct hp_waste *w)
{
	uint64_t *objects =
		hp_calloc(w->kinds.count + (size_t)1, sizeof(*objects));
	bool fine = true;

	if (!objects)
		return false;
	for (uint32_t node = 0; node < w->nodes.count; node++)
		objects[hp_waste_kind_of(w, node)]++;
	for (uint32_t i = 1; i < w->kinds.count && fine; i++) {
		struct hp_waste_overhead sum = {0};

		add_kind(w, i, objects[i], &sum);
		fine = add_row(w, HP_WASTE_HEADERS, i, sum.smaller,
			       sum.saved) &&
		       add_row(w, HP_WASTE_ALIGNMENT, i, sum.padded,
			       sum.padding);
	}
	hp_free(objects);
	return fine;
}
