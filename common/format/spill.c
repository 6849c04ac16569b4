/*
 * spill.c - store batches that a pass handles a second time, in memory or in a
 * temporary file, and put them into the queue again
 */
#include "common/format/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/io/anon_file.h"

#include <unistd.h>

struct hp_deferred {
	uint64_t index, resume_at;
	unsigned dump;
	/*
	 * the runs (ranges of bytes) of the batch, beginning with run number
	 * resume_run
	 */
	struct hp_run *runs;
	size_t nruns;
	size_t length; /* number of bytes in all ranges of `runs` */
	/*
	 * The offset of the bytes of the batch: in the dump if the source is
	 * seekable, otherwise in the temporary file.
	 */
	uint64_t from;
	/*
	 * The bytes of the batch. NULL: they must be read at the offset `from`.
	 */
	uint8_t *data;
};

void
hp_spill_init(struct hp_spill *s, bool seekable, uint64_t memory,
	      const char *dir)
{
	memset(s, 0, sizeof(*s));
	s->seekable = seekable;
	s->memory = memory;
	s->dir = dir;
	s->fd = -1;
}

static void
free_deferred(struct hp_spill *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		hp_free(s->list[i].runs);
		hp_free(s->list[i].data);
	}
	s->count = 0;
	s->held = 0;
	s->file_size = 0;
}

void
hp_spill_release(struct hp_spill *s)
{
	free_deferred(s);
	hp_free(s->list);
	if (s->fd >= 0)
		close(s->fd);
}

static enum hp_status
write_out(struct hp_spill *s, const uint8_t *data, size_t n,
	  struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (s->fd < 0)
		st = hp_anon_file_open(&s->fd, s->dir, err);
	if (st == HP_OK)
		st = hp_anon_file_write(s->fd, data, n, s->file_size, err);
	if (st == HP_OK)
		s->file_size += n;
	return st;
}

static enum hp_status
store_bytes(struct hp_spill *s, struct hp_deferred *d, const uint8_t *data,
	    struct hp_error *err)
{
	if (s->held + d->length > s->memory) {
		d->from = s->file_size;
		return write_out(s, data, d->length, err);
	}
	d->data = hp_malloc(d->length ? d->length : 1);
	if (!d->data)
		return hp_no_memory(err);
	memcpy(d->data, data, d->length);
	s->held += d->length;
	return HP_OK;
}

enum hp_status
hp_spill_add(void *spill, struct hp_batch *b, struct hp_error *err)
{
	struct hp_spill *s = spill;
	const struct hp_run *first = &b->runs[b->resume_run];
	struct hp_deferred *d;
	size_t i;

	if (!HP_LIST_RESERVE(s->list, s->count, s->cap))
		return hp_no_memory(err);
	d = &s->list[s->count];
	*d = (struct hp_deferred){.index = b->index,
				  .resume_at = b->resume_at,
				  .dump = b->dump,
				  .nruns = b->nruns - b->resume_run,
				  .length = b->length - first->at,
				  .from = b->offset + first->at};
	d->runs = hp_malloc(d->nruns * sizeof(*d->runs));
	if (!d->runs)
		return hp_no_memory(err);
	s->count++;
	memcpy(d->runs, first, d->nruns * sizeof(*d->runs));
	for (i = d->nruns; i-- > 0;)
		d->runs[i].at -= d->runs[0].at;
	return s->seekable ? HP_OK
			   : store_bytes(s, d, b->data + first->at, err);
}

static enum hp_status
replay_one(struct hp_spill *s, struct hp_queue *q, struct hp_deferred *d,
	   struct hp_error *err)
{
	struct hp_slot *slot = hp_queue_slot(q);
	enum hp_status st = HP_OK;
	struct hp_batch *b;

	if (!slot)
		return hp_queue_drain(q, err);
	b = &slot->b;
	hp_free(b->runs);
	b->runs = d->runs;
	b->nruns = b->runs_cap = d->nruns;
	d->runs = NULL;
	b->index = d->index;
	b->dump = d->dump;
	b->length = d->length;
	b->offset = d->from;
	b->replay = true;
	b->resume_run = 0;
	b->resume_at = d->resume_at;
	slot->load = s->seekable;
	if (d->data) {
		hp_free(b->data);
		b->data = d->data;
		b->data_cap = d->length;
		d->data = NULL;
	} else if (!s->seekable) {
		if (!hp_batch_reserve(b, d->length))
			return hp_no_memory(err);
		st = hp_anon_file_read(s->fd, b->data, d->length, d->from, err);
	}
	if (st == HP_OK)
		hp_queue_submit(q);
	return st;
}

enum hp_status
hp_spill_replay(struct hp_spill *s, struct hp_queue *q, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t i;

	for (i = 0; i < s->count && st == HP_OK; i++)
		st = replay_one(s, q, &s->list[i], err);
	if (st == HP_OK)
		st = hp_queue_drain(q, err);
	free_deferred(s);
	return st;
}
