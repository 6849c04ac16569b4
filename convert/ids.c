/*
 * ids.c - sets of object ids, one for each heap dump of a file
 */
#include "convert/ids.h"

#include <stdlib.h>

enum { FEW = 512 }; /* ids of a dump in a hash table */

static struct hp_dump_ids *
find(const struct hp_ids *s, unsigned dump)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->dumps[middle]->dump < dump)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->dumps[low]->dump == dump ? s->dumps[low]
							     : NULL;
}

/* Dumps come in the file's order. NULL: out of memory. */
static struct hp_dump_ids *
make(struct hp_ids *s, unsigned dump)
{
	size_t cap = s->cap ? 2 * s->cap : 4;
	struct hp_dump_ids *d, **larger;

	if (s->count == s->cap) {
		larger = realloc(s->dumps, cap * sizeof(*s->dumps));
		if (!larger)
			return NULL;
		s->dumps = larger;
		s->cap = cap;
	}
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->dump = dump;
	s->dumps[s->count++] = d;
	return d;
}

/* From the hash table to sets of bits. */
static enum hp_status
spread(const struct hp_ids *s, struct hp_dump_ids *d, struct hp_error *err)
{
	uint64_t id, ignored;
	size_t at = 0;
	/* ids of 4 bytes may be Android's, which are not aligned */
	enum hp_status st =
		hp_id_sets_init(&d->sets, 1, s->id_size == 4 ? 0 : 3, s->bytes,
				UINT64_MAX, err);

	if (st != HP_OK)
		return st;
	d->many = true;
	while (hp_id_map_next(&d->few, &at, &id, &ignored))
		hp_id_define(&d->sets.worker[0], id);
	hp_id_map_release(&d->few);
	return HP_OK;
}

enum hp_status
hp_ids_add(struct hp_ids *s, unsigned dump, uint64_t id, struct hp_error *err)
{
	struct hp_dump_ids *d = find(s, dump);
	enum hp_status st = HP_OK;

	if (!d)
		d = make(s, dump);
	if (!d)
		return hp_fail(err, HP_NOMEM, "out of memory");
	if (!d->many && d->few.count < FEW)
		return hp_id_map_put(&d->few, id, NULL)
			       ? HP_OK
			       : hp_fail(err, HP_NOMEM, "out of memory");
	if (!d->many)
		st = spread(s, d, err);
	if (st == HP_OK)
		hp_id_define(&d->sets.worker[0], id);
	return st;
}

enum hp_status
hp_ids_finish(struct hp_ids *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < s->count && st == HP_OK; i++)
		if (s->dumps[i]->many)
			st = hp_id_sets_finish(&s->dumps[i]->sets, err);
	s->finished = st == HP_OK;
	return st;
}

const struct hp_dump_ids *
hp_ids_dump(const struct hp_ids *s, unsigned dump)
{
	return s->finished ? find(s, dump) : NULL;
}

void
hp_ids_release(struct hp_ids *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->dumps[i]->many)
			hp_id_sets_release(&s->dumps[i]->sets);
		hp_id_map_release(&s->dumps[i]->few);
		free(s->dumps[i]);
	}
	free(s->dumps);
	*s = (struct hp_ids){0};
}
