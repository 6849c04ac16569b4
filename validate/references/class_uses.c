/*
 * class_uses.c - the classes of which a thread has seen instances ("class
 * uses")
 *
 * references.c counts the instances of each class here. The files in checks/
 * apply rules to the result.
 */
#include "validate/references/internal.h"

#include <endian.h>

void
hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size)
{
	/*
	 * An entry that matches no instance. It fills the empty slots of the
	 * cache, so that the innermost loop need not test for NULL.
	 */
	static struct hp_class_use none = {.raw_size = UINT32_MAX};

	w->id_size = id_size;
	for (size_t i = 0; i < HP_USE_NEAR; i++)
		w->near[i] = &none;
}

struct hp_class_use *
hp_reference_use_far(struct hp_reference_worker *w, uint64_t id)
{
	uint64_t *place = hp_id_map_put(&w->use_by_class, id, NULL);
	static const uint32_t no_places[1];
	struct hp_class_use *use;
	uint8_t spelt[8];

	if (!place)
		return NULL;
	use = (struct hp_class_use *)(uintptr_t)*place;
	if (!use) {
		use = hp_arena_alloc(&w->arena, sizeof(*use));
		if (!use)
			return NULL;
		hp_store8(spelt, id);
		*use = (struct hp_class_use){
			.class_id = id,
			.known = true,
			.raw_class = hp_load_raw_id(spelt + 8 - w->id_size,
						    w->id_size),
			.raw_size = UINT32_MAX,
			.ref_at = no_places,
		};
		*place = (uintptr_t)use;
	}
	*hp_reference_use_slot(w, id) = use;
	return use;
}

const struct hp_class *
hp_reference_resolve_use(struct hp_references *r, struct hp_reference_worker *w,
			 struct hp_class_use *use)
{
	const struct hp_class *thread;

	use->class = hp_classes_layout(&r->classes, &w->classes, use->class_id);
	if (hp_known_class(&r->class_classes, use->class_id) ||
	    hp_known_class(&r->thread_classes, use->class_id))
		use->keep_ids = true;
	if (!use->class || use->class->chain == HP_CHAIN_CYCLE)
		return use->class;
	for (unsigned i = 0; i < r->thread_classes.count; i++) {
		thread = hp_classes_layout(&r->classes, &w->classes,
					   r->thread_classes.ids[i]);
		if (thread && hp_class_is_a(use->class, thread))
			use->keep_ids = true;
	}
	if (use->class->chain != HP_CHAIN_FINE)
		return use->class;
	if (!use->keep_ids && use->class->data_size < UINT32_MAX)
		use->raw_size = htobe32((uint32_t)use->class->data_size);
	/*
	 * If the class has no references, ref_at still points to an empty
	 * array: the innermost loop adds 0 to this pointer, which would be
	 * undefined for NULL.
	 */
	if (use->class->nrefs > 0)
		use->ref_at = use->class->ref_at;
	use->nrefs = use->class->nrefs;
	return use->class;
}

const struct hp_class_use *
hp_references_class_uses(const struct hp_references *r, size_t *at)
{
	uint64_t id, value;

	if (!hp_id_map_next(&r->workers[0].use_by_class, at, &id, &value))
		return NULL;
	return (const struct hp_class_use *)(uintptr_t)value;
}
