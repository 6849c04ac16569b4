/*
 * dump_id_sets.c - sets of object ids, one for each heap dump of a file
 */
#include "convert/pass/dump_id_sets.h"

#include <stdlib.h>

enum {
	FEW = 1 << 16, /* ids of a dump that has no bit set */
	FIRST = 16,    /* places of a list at first */
};

static struct hp_dump_id_set *
find_set(const struct hp_dump_id_sets *s, unsigned dump)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->dumps[middle].dump < dump)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->dumps[low].dump == dump ? &s->dumps[low]
							    : NULL;
}

/* May @n more bytes be taken? */
static bool
fits(struct hp_dump_id_sets *s, uint64_t n)
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
		       "the ids of the objects that stay do not fit in "
		       "--memory; allow more");
}

/* Behind the others: find_set() needs them in order. */
static enum hp_status
make_set(struct hp_dump_id_sets *s, unsigned dump, struct hp_dump_id_set **out,
	 struct hp_error *err)
{
	size_t cap = s->cap ? 2 * s->cap : 4;
	struct hp_dump_id_set *larger;

	if (s->count == s->cap) {
		if (!fits(s, (cap - s->cap) * sizeof(*s->dumps)))
			return too_much(err);
		larger = realloc(s->dumps, cap * sizeof(*s->dumps));
		if (!larger)
			return hp_no_memory(err);
		s->dumps = larger;
		s->cap = cap;
	}
	*out = &s->dumps[s->count++];
	**out = (struct hp_dump_id_set){.dump = dump};
	return HP_OK;
}

/* The list became long: a bit set in its stead. */
static enum hp_status
spread(struct hp_dump_id_sets *s, struct hp_dump_id_set *d,
       struct hp_error *err)
{
	struct hp_id_sets *sets = calloc(1, sizeof(*sets));
	uint64_t left = s->memory ? s->memory - s->taken : UINT64_MAX;
	enum hp_status st;

	if (!sets)
		return hp_no_memory(err);
	/* ids of 4 bytes may be Android's, which are not aligned */
	st = hp_id_sets_init(sets, 1, s->id_size == 4 ? 0 : 3, s->bytes, left,
			     err);
	if (st != HP_OK) {
		free(sets);
		return st;
	}
	d->many = sets;
	for (size_t i = 0; i < d->count; i++)
		hp_id_define(&sets->worker[0], d->few[i]);
	s->taken -= d->cap * sizeof(*d->few);
	free(d->few);
	d->few = NULL;
	d->count = d->cap = 0;
	return HP_OK;
}

static enum hp_status
grow(struct hp_dump_id_sets *s, struct hp_dump_id_set *d, struct hp_error *err)
{
	size_t cap = d->cap ? 2 * d->cap : FIRST;
	uint64_t *larger;

	if (d->count >= FEW)
		return spread(s, d, err);
	if (!fits(s, (cap - d->cap) * sizeof(*d->few)))
		return too_much(err);
	larger = realloc(d->few, cap * sizeof(*larger));
	if (!larger)
		return hp_no_memory(err);
	d->few = larger;
	d->cap = cap;
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
		st = grow(s, d, err);
	if (st != HP_OK)
		return st;
	if (d->many)
		hp_id_define(&d->many->worker[0], id);
	else
		d->few[d->count++] = id;
	return HP_OK;
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static enum hp_status
finish(struct hp_dump_id_sets *s, struct hp_dump_id_set *d,
       struct hp_error *err)
{
	enum hp_status st;

	if (!d->many) {
		if (d->count > 0)
			qsort(d->few, d->count, sizeof(*d->few), compare);
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
		st = finish(s, &s->dumps[i], err);
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
		       : d->count > 0 && bsearch(&id, d->few, d->count,
						 sizeof(id), compare) != NULL;
}

void
hp_dump_id_sets_release(struct hp_dump_id_sets *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->dumps[i].many)
			hp_id_sets_release(s->dumps[i].many);
		free(s->dumps[i].many);
		free(s->dumps[i].few);
	}
	free(s->dumps);
	*s = (struct hp_dump_id_sets){0};
}
