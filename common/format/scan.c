/*
 * scan.c - cutting a dump into batches
 *
 * A heap record of ordinary size goes into a batch whole, unseen: HotSpot's
 * segments are one batch each, Android's small ones share one. A large record
 * is walked sub-record by sub-record to find places to cut (walk.c). Where the
 * cuts fall depends on the bytes alone.
 */
#include "common/format/cut.h"

#include "common/io/shelf.h"

enum {
	BATCH_TARGET = HP_BATCH_TARGET,
	WHOLE_MAX = 2 << 20, /* longer records are walked */
	GAP_MAX = 64 << 10,  /* bytes between runs that are read along */
};

enum hp_status
hp_cut_slot(struct hp_cut *c, struct hp_error *err)
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
 * A batch that has next to nothing of the block it holds takes a copy; where
 * there is no memory for one it goes on to hold the block.
 */
static void
lighten(struct hp_slot *s)
{
	bool light = !s->held || s->weight >= s->held->room / 16 ||
		     hp_slot_settle(s);

	(void)light;
}

void
hp_cut_submit(struct hp_cut *c)
{
	if (!c->slot)
		return;
	lighten(c->slot);
	if (c->slot->b.nruns > 0)
		hp_queue_submit(&c->queue);
	else
		c->next_index--;
	c->slot = NULL;
}

/* Submit a batch that is full, or that @offset would make gappy. */
static void
close_batch(struct hp_cut *c, uint64_t offset)
{
	const struct hp_slot *s = c->slot;

	if (s && (s->weight >= BATCH_TARGET ||
		  (s->b.nruns > 0 && offset - c->run_end > GAP_MAX)))
		hp_cut_submit(c);
}

/*
 * Do the slot's bytes stay where they are, in the file or where they were
 * unpacked? Else they are put into the batch's own memory.
 */
static bool
data_stays(const struct hp_cut *c)
{
	return c->seekable || c->slot->held;
}

struct hp_run *
hp_cut_run(struct hp_cut *c, enum hp_run_kind kind, uint64_t offset,
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
	if (data_stays(c))
		run->at = (size_t)(offset - b->offset);
	else
		run->at = b->length;
	b->length = run->at + (size_t)length;
	/* many short runs are a batch's memory, too */
	c->slot->weight += length + sizeof(*run);
	c->run_end = offset + length;
	return run;
}

/*
 * The next @n bytes are lent if they lie where they were unpacked, with all
 * that the batch has; else what it has becomes its own.
 */
static enum hp_status
borrow(struct hp_slot *slot, struct hp_source *src, uint64_t offset, size_t n,
       struct hp_error *err)
{
	bool first = slot->b.nruns == 0;
	uint8_t *lent = NULL;

	if (first || slot->held)
		lent = hp_source_lend(src, offset, n, &slot->held);
	if (!lent)
		return hp_slot_settle(slot)
			       ? HP_OK
			       : hp_fail(err, HP_NOMEM, "out of memory");
	if (first) {
		slot->own = slot->b.data;
		slot->b.data = lent;
	}
	return HP_OK;
}

/* A slot for a run of @n bytes at @offset: data_stays() says where they are. */
static enum hp_status
find_place(struct hp_cut *c, uint64_t offset, uint64_t n, struct hp_error *err)
{
	enum hp_status st;

	close_batch(c, offset);
	st = hp_cut_slot(c, err);
	if (st != HP_OK)
		return st;
	c->slot->load = c->seekable;
	return c->seekable
		       ? HP_OK
		       : borrow(c->slot, c->queue.src, offset, (size_t)n, err);
}

/* Room for the slot's runs, where they are the batch's own. */
static bool
have_room(struct hp_cut *c)
{
	struct hp_batch *b = &c->slot->b;

	return data_stays(c) || hp_batch_reserve(b, b->length);
}

/* The next @n bytes of the dump become bytes of the current batch. */
static enum hp_status
add_bytes(struct hp_cut *c, uint64_t offset, const void *data, size_t n,
	  bool record_start, struct hp_error *err)
{
	enum hp_status st;
	struct hp_run *run;

	st = find_place(c, offset, n, err);
	if (st != HP_OK)
		return st;
	run = hp_cut_run(c, HP_RUN_BYTES, offset, n, n);
	if (!run || !have_room(c))
		return hp_fail(err, HP_NOMEM, "out of memory");
	run->record_start = record_start;
	if (!data_stays(c))
		memcpy(c->slot->b.data + run->at, data, n);
	return HP_OK;
}

static bool
everything(const struct hp_cut *c)
{
	return c->pass->need == HP_NEED_EVERYTHING;
}

/* The nine bytes of a record's head, as they stood in the file. */
static enum hp_status
add_head(struct hp_cut *c, struct hp_error *err)
{
	uint8_t head[HP_HEAD_SIZE];

	if (!everything(c))
		return HP_OK;
	head[0] = c->rec->tag;
	hp_store4(head + 1, c->rec->time);
	hp_store4(head + 5, c->rec->length);
	return add_bytes(c, c->rec->offset, head, sizeof(head), true, err);
}

static enum hp_status
add_header(struct hp_cut *c, const struct hp_header *h, struct hp_error *err)
{
	uint8_t bytes[64] = {0};
	unsigned text = h->length - 12;

	if (!everything(c) || !hp_header_readable(h))
		return HP_OK;
	memcpy(bytes, h->text, text);
	hp_store4(bytes + text, h->id_size);
	hp_store8(bytes + text + 4, h->timestamp_ms);
	return add_bytes(c, 0, bytes, h->length, true, err);
}

enum hp_status
hp_cut_rest(struct hp_cut *c, struct hp_error *err)
{
	uint64_t left, offset;
	enum hp_status st;
	size_t n, got;

	if (!everything(c))
		return hp_reader_skip(c->reader, UINT64_MAX, &left, err);
	n = BATCH_TARGET;
	if (!hp_batch_reserve(&c->scratch, n))
		return hp_fail(err, HP_NOMEM, "out of memory");
	do {
		offset = hp_reader_tell(c->reader);
		st = hp_reader_read(c->reader, c->scratch.data, n, &got, err);
		if (st == HP_OK && got > 0)
			st = add_bytes(c, offset, c->scratch.data, got, false,
				       err);
	} while (st == HP_OK && got == n);
	return st;
}

/* A record that is no heap record. */
static enum hp_status
take_record(struct hp_cut *c, struct hp_error *err)
{
	struct hp_cursor body;
	enum hp_status st = add_head(c, err);

	if (st != HP_OK)
		return st;
	if (!hp_record_desc(c->rec->tag)) {
		body = (struct hp_cursor){.origin = hp_reader_tell(c->reader)};
		c->rec->partial = true;
	} else {
		st = hp_reader_body(c->reader, &body, err);
	}
	if (st == HP_OK && c->pass->record)
		st = c->pass->record(c->pass->ctx, c->rec, body, err);
	if (st == HP_OK && everything(c) && body.len > 0)
		st = add_bytes(c, body.origin, body.data, (size_t)body.len,
			       false, err);
	if (st == HP_OK && hp_reader_left(c->reader) > 0)
		st = hp_cut_rest(c, err);
	return st;
}

/* A heap record that goes into a batch as it is. */
static enum hp_status
take_whole(struct hp_cut *c, struct hp_error *err)
{
	uint64_t limit = c->rec->body, there = limit, passed;
	uint64_t offset = hp_reader_tell(c->reader);
	enum hp_status st;
	struct hp_run *run;
	size_t got;

	if (c->seekable && there > c->size - offset)
		there = c->size - offset;
	st = find_place(c, offset, there, err);
	if (st != HP_OK)
		return st;
	run = hp_cut_run(c, HP_RUN_SUBS, offset, there, limit);
	if (!run || !have_room(c))
		return hp_fail(err, HP_NOMEM, "out of memory");
	if (data_stays(c))
		return hp_reader_skip(c->reader, limit, &passed, err);
	st = hp_reader_read(c->reader, c->slot->b.data + run->at, (size_t)limit,
			    &got, err);
	c->slot->b.length -= run->length - got;
	c->run_end -= run->length - got;
	run->length = got;
	return st;
}

static enum hp_status
end_dump(struct hp_cut *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	enum hp_status st;

	if (!c->dump)
		return HP_OK;
	hp_cut_submit(c);
	st = hp_queue_drain(&c->queue, err);
	if (st == HP_OK && p->classes_complete)
		st = p->classes_complete(p->ctx, c->dump, err);
	if (st == HP_OK)
		st = hp_spill_replay(&c->spill, &c->queue, err);
	if (st == HP_OK && p->dump_end)
		st = p->dump_end(p->ctx, c->dump, err);
	c->dump = 0;
	return st;
}

static enum hp_status
begin_dump(struct hp_cut *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	enum hp_status st = end_dump(c, err);

	if (st != HP_OK)
		return st;
	hp_cut_submit(c);
	c->dump = c->rec->dump;
	return p->dump_begin ? p->dump_begin(p->ctx, c->dump, err) : HP_OK;
}

static enum hp_status
take_heap(struct hp_cut *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	bool wanted = !c->only_dump || c->only_dump == c->rec->dump;
	enum hp_status st = HP_OK;
	uint64_t passed;

	if (c->rec->first && wanted)
		st = begin_dump(c, err);
	if (st == HP_OK && p->record)
		st = p->record(
			p->ctx, c->rec,
			(struct hp_cursor){.origin = hp_reader_tell(c->reader)},
			err);
	if (st == HP_OK && !wanted)
		return hp_reader_skip(c->reader, UINT64_MAX, &passed, err);
	if (st == HP_OK)
		st = add_head(c, err);
	if (st == HP_OK && c->rec->body > WHOLE_MAX)
		st = hp_cut_walk(c, err);
	else if (st == HP_OK && c->rec->body > 0)
		st = take_whole(c, err);
	if (st == HP_OK && p->heap_end)
		st = p->heap_end(p->ctx, c->rec, err);
	if (st == HP_OK && c->rec->tag == HP_REC_HEAP_DUMP)
		st = end_dump(c, err);
	return st;
}

static enum hp_status
take_all(struct hp_cut *c, struct hp_error *err)
{
	const struct hp_record_desc *d;
	enum hp_status st;

	for (;;) {
		st = hp_reader_next(c->reader, &c->rec, err);
		if (st != HP_OK || (c->then_end && c->rec->first &&
				    c->rec->dump > c->only_dump))
			break;
		d = hp_record_desc(c->rec->tag);
		if (d && d->ending == HP_ENDS_HEAP)
			st = take_heap(c, err);
		else
			st = take_record(c, err);
		if (st == HP_OK && c->rec->tag == HP_REC_HEAP_DUMP_END)
			st = end_dump(c, err);
		if (st != HP_OK)
			return st;
	}
	if (st != HP_EOF && st != HP_OK)
		return st;
	st = end_dump(c, err);
	hp_cut_submit(c);
	return st == HP_OK ? hp_queue_drain(&c->queue, err) : st;
}

/* A pass without a problem callback still needs somebody to call. */
static void
tell_problem(void *ctx, const struct hp_problem *p)
{
	const struct hp_pass *pass = ctx;

	if (pass->problem)
		pass->problem(pass->ctx, p);
}

enum hp_status
hp_scan(struct hp_source *src, const struct hp_pass *pass,
	const struct hp_scan_options *options, struct hp_error *err)
{
	struct hp_cut c = {.pass = pass,
			   .only_dump = options->only_dump,
			   .then_end = options->from.offset > 0,
			   .seekable = hp_source_seekable(src),
			   .size = hp_source_size(src)};
	const struct hp_header *h;
	enum hp_status st;

	st = hp_queue_open(&c.queue, src, pass,
			   options->threads ? options->threads : 1, err);
	if (st != HP_OK)
		return st;
	hp_spill_init(&c.spill, c.seekable, options->spill_memory,
		      options->spill_dir);
	c.queue.defer = hp_spill_add;
	c.queue.defer_ctx = &c.spill;
	st = hp_reader_open(&c.reader, src, tell_problem, (void *)pass, err);
	if (st == HP_OK) {
		h = hp_reader_header(c.reader);
		c.id_size = h->id_size;
		if (pass->header)
			st = pass->header(pass->ctx, h, err);
		if (st == HP_OK)
			st = add_header(&c, h, err);
		if (st == HP_OK && c.then_end)
			st = hp_reader_go(c.reader, &options->from, err);
		if (st == HP_OK)
			st = take_all(&c, err);
	}
	hp_queue_close(&c.queue);
	hp_reader_close(c.reader);
	hp_spill_release(&c.spill);
	free(c.scratch.data);
	return st;
}
