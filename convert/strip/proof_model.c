/*
 * proof_model.c - the classes and names of the input, as the proof has read
 * them with its own decoder
 */
#include "convert/strip/proof.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "convert/strip/proof_internal.h"

void
hp_proof_model_release(struct hp_proof_model *f)
{
	for (size_t i = 0; i < f->ndumps; i++) {
		hp_id_map_release(&f->dumps[i].by_id);
		hp_free(f->dumps[i].classes);
		hp_free(f->dumps[i].keep);
	}
	hp_free(f->dumps);
	hp_free(f->types);
	hp_id_map_release(&f->names);
	hp_free(f->field_names);
	hp_free(f->loads);
	hp_id_map_release(&f->class_bits);
	hp_id_map_release(&f->class_texts);
	hp_id_map_release(&f->field_texts);
	hp_dump_id_sets_release(&f->kept[0]);
	hp_dump_id_sets_release(&f->kept[1]);
	*f = (struct hp_proof_model){0};
}

static struct hp_model_dump *
dump_of(struct hp_proof_model *f, unsigned dump)
{
	if (f->ndumps > 0 && f->dumps[f->ndumps - 1].dump == dump)
		return &f->dumps[f->ndumps - 1];
	return HP_LIST_PUSH(f->dumps, f->ndumps, f->dumps_cap,
			    (struct hp_model_dump){.dump = dump})
		       ? &f->dumps[f->ndumps - 1]
		       : NULL;
}

void
hp_proof_model_class(struct hp_proof_model *f, unsigned dump, uint64_t id,
		     uint64_t super)
{
	struct hp_model_dump *d = dump_of(f, dump);
	uint64_t *place;
	bool fresh = false;

	f->open = false;
	place = d ? hp_id_map_put(&d->by_id, id, &fresh) : NULL;
	if (!place || !HP_LIST_RESERVE(d->classes, d->count, d->cap)) {
		f->failed = true;
		return;
	}
	if (!fresh)
		return;
	d->classes[d->count] =
		(struct hp_model_class){.super = super, .first = f->ntypes};
	*place = ++d->count;
	f->open = true;
}

void
hp_proof_model_field(struct hp_proof_model *f, uint8_t type, uint64_t name)
{
	struct hp_model_dump *d;

	if (!f->open || f->failed)
		return;
	if (!HP_LIST_RESERVE(f->types, f->ntypes, f->types_cap) ||
	    (f->policy->nkeep &&
	     !HP_LIST_RESERVE(f->field_names, f->ntypes, f->field_names_cap))) {
		f->failed = true;
		return;
	}
	if (f->policy->nkeep)
		f->field_names[f->ntypes] = name;
	d = &f->dumps[f->ndumps - 1];
	f->types[f->ntypes++] = type;
	d->classes[d->count - 1].count++;
}

void
hp_proof_model_load(struct hp_proof_model *f, uint64_t class_id, uint64_t name)
{
	if (!HP_LIST_PUSH(
		    f->loads, f->nloads, f->loads_cap,
		    (struct hp_model_load){.class_id = class_id, .name = name}))
		f->failed = true;
}

void
hp_proof_model_name(struct hp_proof_model *f, uint64_t id)
{
	if (id != 0 && !hp_id_map_set(&f->names, id, 1))
		f->failed = true;
}

#define UNKNOWN (HP_MODEL_BROKEN - 1)
#define BUSY (HP_MODEL_BROKEN - 2)

/*
 * Find the nearest superclass of class @i that has fields (hp_model_class.up).
 * Classes without fields between @i and that superclass get the same result, so
 * that the total time is linear. Until then they are marked as BUSY, to detect
 * a cycle.
 */
static void
link_class(struct hp_model_dump *d, size_t i)
{
	uint32_t up = BUSY;
	size_t at = i;

	while (up == BUSY) {
		struct hp_model_class *k = &d->classes[at];
		const uint64_t *next;

		k->up = BUSY;
		if (k->super == 0) {
			up = 0;
			break;
		}
		next = hp_id_map_get(&d->by_id, k->super);
		if (!next || *next == 0)
			up = HP_MODEL_BROKEN;
		else if (d->classes[*next - 1].count > 0)
			up = (uint32_t)*next;
		else if (d->classes[*next - 1].up == BUSY)
			/* the superclasses form a cycle */
			up = HP_MODEL_BROKEN;
		else if (d->classes[*next - 1].up != UNKNOWN)
			up = d->classes[*next - 1].up;
		else
			at = *next - 1;
	}
	for (at = i; d->classes[at].up == BUSY;) {
		const uint64_t *next;

		d->classes[at].up = up;
		next = hp_id_map_get(&d->by_id, d->classes[at].super);
		if (!next || *next == 0)
			break;
		at = *next - 1;
	}
}

static enum hp_status
link_classes(struct hp_proof_model *f, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (f->policy->nkeep && !hp_proof_model_gather_loads(f))
		return hp_no_memory(err);
	for (size_t i = 0; i < f->ndumps && st == HP_OK; i++) {
		struct hp_model_dump *d = &f->dumps[i];

		for (size_t k = 0; k < d->count; k++)
			d->classes[k].up = UNKNOWN;
		for (size_t k = 0; k < d->count; k++)
			if (d->classes[k].up == UNKNOWN)
				link_class(d, k);
		if (f->policy->nkeep)
			st = hp_proof_model_link_keep(f, d, err);
	}
	return st;
}

enum hp_status
hp_proof_model_end(struct hp_proof_model *f, unsigned round,
		   struct hp_error *err)
{
	if (f->failed)
		return hp_no_memory(err);
	return round == 1 ? link_classes(f, err)
			  : hp_dump_id_sets_finish(&f->kept[round - 2], err);
}

const struct hp_model_dump *
hp_proof_model_dump(const struct hp_proof_model *f, unsigned dump)
{
	size_t i = hp_list_find(f->dumps, f->ndumps, sizeof(*f->dumps),
				offsetof(struct hp_model_dump, dump), dump);

	return i < f->ndumps && f->dumps[i].dump == dump ? &f->dumps[i] : NULL;
}

const struct hp_model_class *
hp_proof_model_find(const struct hp_model_dump *d, uint64_t id)
{
	const uint64_t *place = d ? hp_id_map_get(&d->by_id, id) : NULL;

	return place && *place ? &d->classes[*place - 1] : NULL;
}
