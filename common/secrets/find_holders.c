/*
 * find_holders.c - find the objects that hold the secrets of a dump
 *
 * The first pass over the dump looks for the first reference to each array with
 * a secret. If this reference is in a String, a further pass looks for the
 * first reference to the String.
 */
#include "common/secrets/find.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"

#include <stdlib.h>

/* maximum number of passes over the dump */
enum { LEVELS = 3 };

/*
 * A reference to an object in the map `wanted`. If there are several references
 * to an object, the one with the smallest offset is used.
 */
struct reference {
	uint64_t target, offset, object, class, index, static_name;
	enum hp_secret_place place;
};

struct finder {
	const struct hp_secret_search *q;
	const struct hp_tables *tables;
	struct hp_classes *classes;
	struct hp_secret_hits *hits;
	unsigned id_size;
	/*
	 * For each worker: the references that it has found in the current
	 * pass. Elements: struct reference.
	 */
	struct hp_vec *found;
	/* set of the ids of the objects whose holders are searched */
	struct hp_id_map wanted;
	/*
	 * targets[i]: the id of the object whose holder is searched for secret
	 * number i. 0: the search for this secret has ended.
	 */
	uint64_t *targets;
	struct hp_class_cache *caches;
};

static bool
add_reference(struct finder *f, unsigned worker, const struct reference *r)
{
	return !hp_id_map_get(&f->wanted, r->target) ||
	       hp_vec_push(&f->found[worker], r, sizeof(*r));
}

static bool
refer_instance(struct finder *f, unsigned worker, const struct hp_sub *s)
{
	const struct hp_class *k =
		hp_classes_layout(f->classes, &f->caches[worker], s->class_id);
	bool ok = true;

	if (!hp_instance_decodable(k, s))
		return true;
	for (uint32_t i = 0; i < k->nrefs && ok; i++) {
		const struct reference r = {
			.target =
				hp_load_id(s->data + k->ref_at[i], f->id_size),
			.offset = s->offset,
			.object = s->id,
			.class = s->class_id,
			.index = k->ref_at[i],
			.place = HP_SECRET_FIELD};

		ok = add_reference(f, worker, &r);
	}
	return ok;
}

static bool
refer_elements(struct finder *f, unsigned worker, const struct hp_sub *s,
	       const uint8_t *data, uint64_t first, uint64_t n)
{
	bool ok = true;

	for (uint64_t i = 0; i < n && ok; i++) {
		const struct reference r = {
			.target = hp_load_id(data + i * f->id_size, f->id_size),
			.offset = s->offset,
			.object = s->id,
			.class = s->class_id,
			.index = first + i,
			.place = HP_SECRET_ELEMENT};

		ok = add_reference(f, worker, &r);
	}
	return ok;
}

static enum hp_status
refer_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_batch_walk w = {.every_piece = true};
	struct hp_sub s;
	bool ok = true;

	while (ok && !b->replay && hp_batch_next(&w, b, &s, f->id_size)) {
		if (s.tag == HP_SUB_INSTANCE_DUMP && !w.piece)
			ok = refer_instance(f, b->worker, &s);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP && w.piece)
			ok = refer_elements(f, b->worker, &s,
					    b->data + w.run->at, w.piece->first,
					    w.piece->elements);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			ok = refer_elements(f, b->worker, &s, s.data, 0,
					    s.count);
	}
	return ok ? HP_OK : hp_no_memory(err);
}

static bool
refer_statics(struct finder *f)
{
	const struct hp_classes *c = f->classes;
	bool ok = true;

	for (size_t i = 0; i < c->count; i++)
		for (uint32_t k = 0; k < c->list[i]->nstatics && ok; k++) {
			const struct hp_class_static *s =
				&c->list[i]->statics[k];
			const struct reference r = {.target = s->value,
						    .offset =
							    c->list[i]->offset,
						    .class = c->list[i]->id,
						    .index = k,
						    .static_name = s->name,
						    .place = HP_SECRET_STATIC};

			if (hp_type_is_reference(s->type))
				ok = add_reference(f, 0, &r);
		}
	return ok;
}

static int
compare_references(const void *a, const void *b)
{
	const struct reference *x = a, *y = b;
	int c = hp_order(x->target, y->target);

	c = c ? c : hp_order(x->offset, y->offset);
	return c ? c : hp_order(x->index, y->index);
}

static bool
is_string(const struct finder *f, uint64_t class_id)
{
	return hp_string_is(hp_tables_class_name(f->tables, class_id),
			    "java/lang/String", "java.lang.String");
}

/*
 * For each secret, store the object that refers to its array (the holder). If
 * this object is a String, another pass must look for the object that refers to
 * the String. Returns whether another pass is needed.
 */
static bool
assign_holders(struct finder *f, const struct hp_vec *all)
{
	struct hp_secret_hit *hits = f->hits->list;
	const struct reference *list = all->items;
	bool waits = false;

	for (size_t i = 0; i < f->hits->count; i++) {
		uint64_t target = f->targets[i];
		size_t at = hp_list_find(list, all->count, sizeof(*list), 0,
					 target);
		const struct reference *r;

		if (!target || at == all->count || list[at].target != target)
			continue;
		r = &list[at];
		hits[i].holder = r->class;
		hits[i].index = r->index;
		hits[i].place = r->place;
		hits[i].static_name = r->static_name;
		f->targets[i] = is_string(f, r->class) ? r->object : 0;
		waits |= f->targets[i] != 0;
	}
	return waits;
}

static enum hp_status
want_targets(struct finder *f, struct hp_error *err)
{
	hp_id_map_release(&f->wanted);
	for (size_t i = 0; i < f->hits->count; i++)
		if (f->targets[i] &&
		    !hp_id_map_set(&f->wanted, f->targets[i], 1))
			return hp_no_memory(err);
	return HP_OK;
}

/*
 * Collect the references to the wanted objects in @all, sorted by target and
 * then by offset. The source is read once.
 */
static enum hp_status
collect(struct finder *f, struct hp_source *src, struct hp_vec *all,
	struct hp_error *err)
{
	const struct hp_pass pass = {
		.need = HP_NEED_REFERENCES, .ctx = f, .batch = refer_batch};
	const struct hp_scan_options options = {.threads = f->q->threads,
						.only_dump = f->q->dump};
	enum hp_status st = hp_source_rewind(src, err);
	bool ok = true;

	if (st == HP_OK)
		st = hp_scan(src, &pass, &options, err);
	if (st != HP_OK)
		return st;
	ok = refer_statics(f);
	for (unsigned i = 0; i < f->q->threads && ok; i++)
		ok = hp_vec_move(all, &f->found[i], sizeof(struct reference));
	return ok && hp_sort(all->items, all->count, sizeof(struct reference),
			     compare_references)
		       ? HP_OK
		       : hp_no_memory(err);
}

static enum hp_status
find_holders(struct finder *f, struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	bool waits = true;

	for (size_t i = 0; i < f->hits->count; i++)
		f->targets[i] = f->hits->list[i].array;
	for (unsigned level = 0; level < LEVELS && waits && st == HP_OK;
	     level++) {
		struct hp_vec all = {0};

		st = want_targets(f, err);
		if (st != HP_OK || hp_id_map_is_empty(&f->wanted))
			break;
		st = collect(f, src, &all, err);
		if (st == HP_OK)
			waits = assign_holders(f, &all);
		hp_free(all.items);
	}
	return st;
}

enum hp_status
hp_secrets_find_holders(struct hp_source *src, const struct hp_secret_search *q,
			const struct hp_tables *tables,
			struct hp_classes *classes, struct hp_secret_hits *hits,
			struct hp_error *err)
{
	struct finder f = {.q = q,
			   .tables = tables,
			   .classes = classes,
			   .hits = hits,
			   .id_size = tables->id_size};
	enum hp_status st;

	if (hits->count == 0)
		return HP_OK;
	f.found = hp_calloc(q->threads, sizeof(*f.found));
	f.caches = hp_calloc(q->threads, sizeof(*f.caches));
	f.targets = hp_calloc(hits->count, sizeof(*f.targets));
	st = f.found && f.caches && f.targets ? find_holders(&f, src, err)
					      : hp_no_memory(err);
	for (unsigned i = 0; f.found && i < q->threads; i++)
		hp_free(f.found[i].items);
	hp_free(f.found);
	hp_free(f.caches);
	hp_free(f.targets);
	hp_id_map_release(&f.wanted);
	return st;
}
