/*
 * undescribed.c - count objects with fields that are not described in the dump,
 * because a class is missing
 */
#include "common/model/undescribed.h"

/*
 * Whether the maximum number of different classes has been counted. Then no
 * further class is counted.
 */
static bool
is_full(const struct hp_undescribed_tally *t)
{
	return t->classes.count >= HP_UNDESCRIBED_CLASSES;
}

bool
hp_undescribed_add(struct hp_undescribed_tally *t, uint64_t class_id,
		   uint64_t objects)
{
	t->objects += objects;
	return is_full(t) || hp_id_map_put(&t->classes, class_id, NULL);
}

enum hp_status
hp_undescribed_instance(struct hp_undescribed_tally *t, const struct hp_sub *s,
			struct hp_error *err)
{
	return s->count == 0 || hp_undescribed_add(t, s->class_id, 1)
		       ? HP_OK
		       : hp_no_memory(err);
}

static bool
merge(struct hp_undescribed_tally *into,
      const struct hp_undescribed_tally *from)
{
	uint64_t id, value;
	size_t at = 0;

	into->objects += from->objects;
	while (!is_full(into) &&
	       hp_id_map_next(&from->classes, &at, &id, &value))
		if (!hp_id_map_put(&into->classes, id, NULL))
			return false;
	return true;
}

enum hp_status
hp_undescribed_all(const struct hp_undescribed_tally *first, size_t stride,
		   unsigned n, struct hp_undescribed *out, struct hp_error *err)
{
	struct hp_undescribed_tally all = {0};
	bool fine = true;
	uint64_t classes;

	for (unsigned i = 0; i < n && fine; i++)
		fine = merge(&all,
			     (const struct hp_undescribed_tally
				      *)((const char *)first + i * stride));
	classes = all.classes.count + all.classes.has_zero;
	*out = (struct hp_undescribed){
		.objects = all.objects,
		.classes = classes < HP_UNDESCRIBED_CLASSES
				   ? classes
				   : HP_UNDESCRIBED_CLASSES};
	hp_undescribed_release(&all);
	return fine ? HP_OK : hp_no_memory(err);
}

void
hp_undescribed_release(struct hp_undescribed_tally *t)
{
	hp_id_map_release(&t->classes);
	*t = (struct hp_undescribed_tally){0};
}
