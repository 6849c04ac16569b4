/* dump_id_sets.c - sets of object ids, one set for each heap dump of a file */
#include "convert/prepass/class_prepass.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>

enum {
	/* a set with more ids than this becomes a bit set */
	FEW = 1 << 16,
	FIRST = 16, /* initial capacity of a set that is a list, in ids */
};

static struct hp_dump_id_set *
find_set(const struct hp_dump_id_sets *s, unsigned dump)
{
	size_t i = hp_list_find(s->dumps, s->count, sizeof(*s->dumps),
				offsetof(struct hp_dump_id_set, dump), dump);

	return i < s->count && s->dumps[i].dump == dump ? &s->dumps[i] : NULL;
}

static bool
reserve_memory(struct hp_dump_id_sets *s, uint64_t n)
{
	if (s->memory && (s->taken > s->memory || n > s->memory - s->taken))
		return false;
	s->taken += n;
	return true;
}

static enum hp_status
too_much(struct hp_error *err)
{
	return hp_fail(err, HP_LIMIT,
		       "the ids of the objects to keep do not fit in --memory; "
		       "allow more");
}

/*
 * Double the capacity of a list. @list is the address of the pointer to the
 * list.
 */
static enum hp_status
enlarge(struct hp_dump_id_sets *s, void *list, size_t *cap, size_t size,
	struct hp_error *err)
{
	size_t n = *cap ? 2 * *cap : FIRST;

	if (!reserve_memory(s, (n - *cap) * size))
		return too_much(err);
	return hp_list_fit(list, cap, n, size) ? HP_OK : hp_no_memory(err);
}

/*
 * Append a set for dump number @dump. The dumps come in file order, so the sets
 * are sorted by dump, as find_set() requires.
 */
static enum hp_status
make_set(struct hp_dump_id_sets *s, unsigned dump, struct hp_dump_id_set **out,
	 struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (s->count == s->cap)
		st = enlarge(s, &s->dumps, &s->cap, sizeof(*s->dumps), err);
	if (st != HP_OK)
		return st;
	*out = &s->dumps[s->count++];
	**out = (struct hp_dump_id_set){.dump = dump};
	return HP_OK;
}

/* Convert the list of ids of @d to a bit set, because it has become long. */
static enum hp_status
make_bit_set(struct hp_dump_id_sets *s, struct hp_dump_id_set *d,
	     struct hp_error *err)
{
	struct hp_id_sets *sets = hp_calloc(1, sizeof(*sets));
	uint64_t left = s->memory ? s->memory - s->taken : UINT64_MAX;
	enum hp_status st;

	if (!sets)
		return hp_no_memory(err);
	/*
	 * Ids of 8 bytes are multiples of 8. Ids of 4 bytes may come from
	 * Android, where they can have any value.
	 */
	st = hp_id_definitions_init(sets, 1, s->id_size == 4 ? 0 : 3, s->bytes,
				    left, 1, err);
	if (st != HP_OK) {
		hp_free(sets);
		return st;
	}
	d->many = sets;
	for (size_t i = 0; i < d->count; i++)
		hp_id_define(&sets->worker[0], d->few[i]);
	s->taken -= d->cap * sizeof(*d->few);
	hp_free(d->few);
	d->few = NULL;
	d->count = d->cap = 0;
	return HP_OK;
}

enum hp_status
hp_dump_id_sets_announce(struct hp_dump_id_sets *s, unsigned dump,
			 struct hp_error *err)
{
	struct hp_dump_id_set *d = find_set(s, dump);

	return d ? HP_OK : make_set(s, dump, &d, err);
}

enum hp_status
hp_dump_id_sets_add(struct hp_dump_id_sets *s, unsigned dump, uint64_t id,
		    struct hp_error *err)
{
	struct hp_dump_id_set *d = find_set(s, dump);
	enum hp_status st = HP_OK;

	if (!d)
		st = make_set(s, dump, &d, err);
	if (st == HP_OK && !d->many && d->count == d->cap)
		st = d->count >= FEW ? make_bit_set(s, d, err)
				     : enlarge(s, &d->few, &d->cap,
					       sizeof(*d->few), err);
	if (st != HP_OK)
		return st;
	if (d->many)
		hp_id_define(&d->many->worker[0], id);
	else
		d->few[d->count++] = id;
	return HP_OK;
}

static enum hp_status
finish_set(struct hp_dump_id_sets *s, struct hp_dump_id_set *d,
	   struct hp_error *err)
{
	enum hp_status st;

	if (!d->many) {
		hp_sort_u64(d->few, d->count);
		return HP_OK;
	}
	st = hp_id_sets_finish(d->many, err);
	if (st != HP_OK)
		return st;
	s->taken += d->many->leaf_bytes;
	return hp_id_sets_partial(d->many) || hp_id_sets_over_memory(d->many) ||
			       d->many->full ||
			       (s->memory && s->taken > s->memory)
		       ? too_much(err)
		       : HP_OK;
}

enum hp_status
hp_dump_id_sets_finish(struct hp_dump_id_sets *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < s->count && st == HP_OK; i++)
		st = finish_set(s, &s->dumps[i], err);
	s->finished = st == HP_OK;
	return st;
}

const struct hp_dump_id_set *
hp_dump_id_sets_get(const struct hp_dump_id_sets *s, unsigned dump)
{
	return s->finished ? find_set(s, dump) : NULL;
}

bool
hp_dump_ids_has(const struct hp_dump_id_set *d, uint64_t id)
{
	if (!d)
		return false;
	return d->many ? hp_id_sets_defined(d->many, id)
		       : d->count > 0 &&
				 bsearch(&id, d->few, d->count, sizeof(id),
					 hp_compare_u64) != NULL;
}

void
hp_dump_id_sets_release(struct hp_dump_id_sets *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->dumps[i].many)
			hp_id_sets_release(s->dumps[i].many);
		hp_free(s->dumps[i].many);
		hp_free(s->dumps[i].few);
	}
	hp_free(s->dumps);
	*s = (struct hp_dump_id_sets){0};
}
