/*
 * path_fields.c - give each reference field of all classes a number
 */
#include "diff/paths/internal.h"
#include "common/base/memory.h"

/*
 * Count the reference fields that a class declares itself. If the list of all
 * fields is already allocated, also append them to it.
 */
static void
list_fields(struct hp_path_fields *f, const struct hp_class *c)
{
	struct hp_path_class *own = &f->classes[c->index];

	own->first = f->count;
	for (uint32_t i = 0; i < c->nfields; i++) {
		if (!hp_type_is_reference(c->fields[i].type))
			continue;
		if (f->list)
			f->list[f->count] = (struct hp_path_field){
				c->fields[i].name, c->index};
		f->count++;
	}
	own->count = f->count - own->first;
}

/*
 * Find the nearest superclass that declares reference fields. The result is
 * also stored for all superclasses on the way to it, so that the search for all
 * classes together takes linear time (path compression).
 */
static void
find_above(struct hp_path_fields *f, const struct hp_class *c)
{
	const struct hp_class *top = c->super, *next;
	uint32_t above = c->index;

	while (top && f->classes[top->index].count == 0 &&
	       f->classes[top->index].above == UINT32_MAX)
		top = top->super;
	if (top && f->classes[top->index].count > 0)
		above = top->index;
	else if (top && f->classes[top->index].above != top->index)
		above = f->classes[top->index].above;
	for (next = c; next && next != top; next = next->super)
		f->classes[next->index].above =
			above == c->index ? next->index : above;
}

enum hp_status
hp_path_fields_number(struct hp_path_fields *f,
		      const struct hp_classes *classes, struct hp_error *err)
{
	f->classes = hp_calloc(classes->count + 1, sizeof(*f->classes));
	if (!f->classes)
		return hp_no_memory(err);
	for (unsigned round = 0; round < 2; round++) {
		if (round == 1)
			f->list = hp_calloc((size_t)f->count + 1,
					    sizeof(*f->list));
		if (round == 1 && !f->list)
			return hp_no_memory(err);
		f->count = 1;
		for (size_t i = 0; i < classes->count; i++)
			list_fields(f, classes->list[i]);
		if (f->count >= HP_PATH_FIELDS_MOST)
			return hp_fail(err, HP_LIMIT,
				       "there are too many fields");
	}
	for (size_t i = 0; i < classes->count; i++)
		f->classes[i].above = UINT32_MAX;
	for (size_t i = 0; i < classes->count; i++)
		if (f->classes[i].above == UINT32_MAX)
			find_above(f, classes->list[i]);
	return HP_OK;
}

void
hp_path_fields_release(struct hp_path_fields *f)
{
	hp_free(f->list);
	hp_free(f->classes);
	*f = (struct hp_path_fields){0};
}
