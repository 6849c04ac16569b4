/*
 * ids.c - sets of object ids, one for each heap dump of a file
 */
#include "convert/ids.h"

#include <stdlib.h>

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
make(struct hp_ids *s, unsigned dump, struct hp_error *err)
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
	/* ids of 4 bytes may be Android's, which are not aligned */
	if (hp_id_sets_init(&d->sets, 1, s->id_size == 4 ? 0 : 3, s->bytes,
			    UINT64_MAX, err) != HP_OK) {
		free(d);
		return NULL;
	}
	s->dumps[s->count++] = d;
	return d;
}

enum hp_status
hp_ids_add(struct hp_ids *s, unsigned dump, uint64_t id, struct hp_error *err)
{
	struct hp_dump_ids *d = find(s, dump);

	if (!d)
		d = make(s, dump, err);
	if (!d)
		return hp_fail(err, HP_NOMEM, "out of memory");
	hp_id_define(&d->sets.worker[0], id);
	return HP_OK;
}

enum hp_status
hp_ids_finish(struct hp_ids *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < s->count && st == HP_OK; i++)
		st = hp_id_sets_finish(&s->dumps[i]->sets, err);
	s->finished = st == HP_OK;
	return st;
}

const struct hp_id_sets *
hp_ids_dump(const struct hp_ids *s, unsigned dump)
{
	const struct hp_dump_ids *d = s->finished ? find(s, dump) : NULL;

	return d ? &d->sets : NULL;
}

void
hp_ids_release(struct hp_ids *s)
{
	for (size_t i = 0; i < s->count; i++) {
		hp_id_sets_release(&s->dumps[i]->sets);
		free(s->dumps[i]);
	}
	free(s->dumps);
	*s = (struct hp_ids){0};
}
