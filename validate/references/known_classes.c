/*
 * known_classes.c - remember the ids of the classes java.lang.Class and
 * java.lang.Thread
 *
 * Several classes may have the same name: the id of a class may change between
 * two dumps of a file, and several class loaders may define a class with this
 * name.
 */
#include "validate/references/internal.h"

#include <string.h>

static bool
is_thread_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Thread", "java.lang.Thread");
}

static void
add_id(struct hp_known_classes *k, uint64_t id)
{
	if (id == 0 || hp_known_class(k, id))
		return;
	if (k->count == HP_KNOWN_CLASSES_MOST)
		memmove(k->ids, k->ids + 1, --k->count * sizeof(k->ids[0]));
	k->ids[k->count++] = id;
}

/* Remove ids that now belong to a class with another name. */
static void
drop_renamed(struct hp_known_classes *k, const struct hp_tables *t,
	     bool (*is_named)(const struct hp_string *name))
{
	unsigned kept = 0;

	for (unsigned i = 0; i < k->count; i++)
		if (is_named(hp_tables_class_name(t, k->ids[i])))
			k->ids[kept++] = k->ids[i];
	k->count = kept;
}

void
hp_reference_find_classes(struct hp_references *r, const struct hp_tables *t)
{
	const struct hp_load *loads = t->load_list.items;
	const struct hp_string *name;

	for (; r->looked < t->load_list.count; r->looked++) {
		name = hp_tables_load_name(t, &loads[r->looked]);
		if (is_thread_class(name))
			add_id(&r->thread_classes, loads[r->looked].class_id);
		if (hp_reference_is_class_class(name))
			add_id(&r->class_classes, loads[r->looked].class_id);
	}
	drop_renamed(&r->thread_classes, t, is_thread_class);
	drop_renamed(&r->class_classes, t, hp_reference_is_class_class);
}

const struct hp_class *
hp_reference_class_class(const struct hp_references *r)
{
	const struct hp_class *c = NULL;

	for (unsigned i = 0; i < r->class_classes.count && !c; i++)
		c = hp_classes_get(&r->classes, r->class_classes.ids[i]);
	return c;
}
