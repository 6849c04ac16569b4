/*
 * cutter.c - add ranges of bytes of the dump (runs), such as whole records, to
 * batches
 */
#include "common/format/internal.h"

#include "common/io/workers.h"

enum {
	/*
	 * The maximum gap in bytes between two runs (ranges of bytes) of a
	 * batch. The bytes of a gap are also read.
	 */
	GAP_MAX = 64 << 10,
};

enum hp_status
hp_cutter_slot(struct hp_cutter *c, struct hp_error *err)
{
	if (c->slot)
		return HP_OK;
	c->slot = hp_queue_slot(&c->queue);
	if (!c->slot)
		return hp_queue_drain(&c->queue, err);
	c->slot->b.index = c->next_index++;
	c->slot->b.dump = c->dump;
	return HP_OK;
}

/*
 * A batch may use bytes in a buffer of the decompressor without copying them.
 * If it uses only a small part of the buffer, copy this part and release the
 * buffer, so that less memory is in use. If there is no memory for a copy, keep
 * the buffer.
 */
static void
drop_mostly_unused_block(struct hp_slot *s)
{
	bool copied;

	if (!s->held || s->weight >= s->held->room / 16)
		return;
	copied = hp_slot_settle(s);
	(void)copied;
}

static bool
is_wanted(const struct hp_cutter *c, const struct hp_batch *b)
{
	const struct hp_pass *pass = c->queue.pass;

	return b->nruns > 0 && (!pass->wanted || pass->wanted(pass->ctx, b));
}

void
hp_cutter_submit(struct hp_cutter *c)
{
	if (!c->slot)
		return;
	if (is_wanted(c, &c->slot->b)) {
		if (c->queue.pass->cut)
			c->queue.pass->cut(c->queue.pass->ctx, &c->slot->b);
		drop_mostly_unused_block(c->slot);
		hp_queue_submit(&c->queue);
	} else {
		hp_slot_clear(c->slot);
		c->next_index--;
	}
	c->slot = NULL;
}

/*
 * Submit the current batch to the queue if it is full. Also submit it if the
 * next run (range of bytes), which begins at @offset, is far away from the last
 * run of the batch.
 */
static void
close_batch(struct hp_cutter *c, uint64_t offset)
{
	const struct hp_slot *s = c->slot;

	if (s && (s->weight >= HP_BATCH_TARGET ||
		  (s->b.nruns > 0 && offset - c->run_end > GAP_MAX)))
		hp_cutter_submit(c);
}

struct hp_run *
hp_cutter_run(struct hp_cutter *c, enum hp_run_kind kind, uint64_t offset,
	      uint64_t length, uint64_t limit)
{
	struct hp_batch *b = &c->slot->b;
	struct hp_run *run = hp_batch_run(b);

	if (!run)
		return NULL;
	run->kind = kind;
	run->offset = offset;
	run->length = length;
	run->limit = limit;
	run->record = c->rec ? c->rec->ordinal : 0;
	if (b->nruns == 1)
		b->offset = offset;
	if (hp_cutter_data_is_stable(c))
		run->at = (size_t)(offset - b->offset);
	else
		run->at = b->length;
	b->length = run->at + (size_t)length;
	/* the entry in the list of runs (ranges of bytes) also needs memory */
	c->slot->weight += length + sizeof(*run);
	c->run_end = offset + length;
	return run;
}

/*
 * Add the next @n bytes from a buffer of the decompressor. If all bytes of the
 * batch are in this buffer, they are not copied. Otherwise all bytes of the
 * batch are copied to its own memory.
 */
static enum hp_status
borrow_bytes(struct hp_slot *slot, struct hp_source *src, uint64_t offset,
	     size_t n, struct hp_error *err)
{
	bool first = slot->b.nruns == 0;
	uint8_t *lent = NULL;

	if (first || slot->held)
		lent = hp_source_borrow(src, offset, n, &slot->held);
	if (!lent)
		return hp_slot_settle(slot) ? HP_OK : hp_no_memory(err);
	if (first) {
		slot->own = slot->b.data;
		slot->b.data = lent;
	}
	return HP_OK;
}

enum hp_status
hp_cutter_get_slot_for(struct hp_cutter *c, uint64_t offset, uint64_t n,
		       struct hp_error *err)
{
	enum hp_status st;

	close_batch(c, offset);
	st = hp_cutter_slot(c, err);
	if (st != HP_OK)
		return st;
	c->slot->load = c->seekable;
	return c->seekable ? HP_OK
			   : borrow_bytes(c->slot, c->queue.src, offset,
					  (size_t)n, err);
}

bool
hp_cutter_grow_data(struct hp_cutter *c)
{
	struct hp_batch *b = &c->slot->b;

	return hp_cutter_data_is_stable(c) || hp_batch_reserve(b, b->length);
}

enum hp_status
hp_cutter_add_bytes(struct hp_cutter *c, uint64_t offset, const void *data,
		    size_t n, bool record_start, struct hp_error *err)
{
	enum hp_status st;
	struct hp_run *run;

	st = hp_cutter_get_slot_for(c, offset, n, err);
	if (st != HP_OK)
		return st;
	run = hp_cutter_run(c, HP_RUN_BYTES, offset, n, n);
	if (!run || !hp_cutter_grow_data(c))
		return hp_no_memory(err);
	run->record_start = record_start;
	if (!hp_cutter_data_is_stable(c))
		memcpy(c->slot->b.data + run->at, data, n);
	return HP_OK;
}

enum hp_status
hp_cutter_rest(struct hp_cutter *c, struct hp_error *err)
{
	uint64_t left, offset;
	enum hp_status st;
	size_t n, got;

	if (!hp_cutter_wants_all_bytes(c))
		return hp_reader_skip(c->reader, UINT64_MAX, &left, err);
	n = HP_BATCH_TARGET;
	if (!hp_batch_reserve(&c->scratch, n))
		return hp_no_memory(err);
	do {
		offset = hp_reader_tell(c->reader);
		st = hp_reader_read(c->reader, c->scratch.data, n, &got, err);
		if (st == HP_OK && got > 0)
			st = hp_cutter_add_bytes(c, offset, c->scratch.data,
						 got, false, err);
	} while (st == HP_OK && got == n);
	return st;
}
