/*
 * scan.c - read a dump once, divided into parts (batches) for several threads
 *
 * A heap record of ordinary size becomes part of a batch without being decoded.
 * For example, a HEAP DUMP SEGMENT that HotSpot has written becomes one batch;
 * several small segments of Android share a batch. A long record is divided at
 * boundaries between sub-records. long_record.c finds these boundaries. Where
 * batches begin and end depends only on the bytes of the dump.
 */
#include "common/format/scan.h"

#include "common/base/memory.h"
#include "common/base/platform.h"
#include "common/base/threads.h"
#include "common/format/internal.h"

enum {
	/*
	 * Records of at most this many bytes are not divided: each becomes part
	 * of one batch. long_record.c divides longer records.
	 */
	WHOLE_MAX = 2 << 20,
	/*
	 * A scan uses at most one thread for each EACH_THREAD bytes of the
	 * dump.
	 */
	EACH_THREAD = 4 << 20,
	/*
	 * This number of bytes is subtracted from the size of the dump before
	 * it is divided by EACH_THREAD.
	 */
	FIRST_MORE = 4 << 20,
	/*
	 * The factor by which a dump is assumed to be larger than the
	 * compressed file.
	 */
	UNPACKS_TO = 8,
};

/*
 * If the pass needs every byte (HP_NEED_EVERYTHING), add the record header
 * (nine bytes) to the batch.
 */
static enum hp_status
add_head(struct hp_cutter *c, struct hp_error *err)
{
	uint8_t head[HP_HEAD_SIZE];

	if (!hp_cutter_wants_all_bytes(c))
		return HP_OK;
	head[0] = c->rec->tag;
	hp_store4(head + 1, c->rec->time);
	hp_store4(head + 5, c->rec->length);
	return hp_cutter_add_bytes(c, c->rec->offset, head, sizeof(head), true,
				   err);
}

static enum hp_status
add_header(struct hp_cutter *c, const struct hp_header *h, struct hp_error *err)
{
	uint8_t bytes[64] = {0};
	unsigned text = h->length - 12;

	if (!hp_cutter_wants_all_bytes(c) || !hp_header_readable(h))
		return HP_OK;
	memcpy(bytes, h->text, text);
	hp_store4(bytes + text, h->id_size);
	hp_store8(bytes + text + 4, h->timestamp_ms);
	return hp_cutter_add_bytes(c, 0, bytes, h->length, true, err);
}

static enum hp_status
pass_on_record(struct hp_cutter *c, struct hp_error *err)
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
	if (st == HP_OK && hp_cutter_wants_all_bytes(c) && body.len > 0)
		st = hp_cutter_add_bytes(c, body.origin, body.data,
					 (size_t)body.len, false, err);
	if (st == HP_OK && hp_reader_left(c->reader) > 0)
		st = hp_cutter_rest(c, err);
	return st;
}

/* Add a heap record of ordinary size to a batch, without decoding it. */
static enum hp_status
add_whole_heap_record(struct hp_cutter *c, struct hp_error *err)
{
	uint64_t limit = c->rec->body, there = limit, passed;
	uint64_t offset = hp_reader_tell(c->reader);
	enum hp_status st;
	struct hp_run *run;
	size_t got;

	if (c->seekable && there > c->size - offset)
		there = c->size - offset;
	st = hp_cutter_get_slot_for(c, offset, there, err);
	if (st != HP_OK)
		return st;
	run = hp_cutter_run(c, HP_RUN_SUBS, offset, there, limit);
	if (!run || !hp_cutter_grow_data(c))
		return hp_no_memory(err);
	if (hp_cutter_data_is_stable(c))
		return hp_reader_skip(c->reader, limit, &passed, err);
	st = hp_reader_read(c->reader, c->slot->b.data + run->at, (size_t)limit,
			    &got, err);
	c->slot->b.length -= run->length - got;
	c->run_end -= run->length - got;
	run->length = got;
	return st;
}

static enum hp_status
end_dump(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	enum hp_status st;

	if (!c->dump)
		return HP_OK;
	hp_cutter_submit(c);
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

/*
 * Called after the last heap record of a dump. Calls dump_end() of the pass,
 * unless dump_waits() returns true. If it does, the dump ends when the next
 * dump begins, or at the end of the file.
 */
static enum hp_status
end_dump_or_wait(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	enum hp_status st;

	if (!c->dump || !p->dump_waits)
		return end_dump(c, err);
	hp_cutter_submit(c);
	st = hp_queue_drain(&c->queue, err);
	if (st != HP_OK || p->dump_waits(p->ctx, c->dump))
		return st;
	return end_dump(c, err);
}

static enum hp_status
begin_dump(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	enum hp_status st = end_dump(c, err);

	if (st != HP_OK)
		return st;
	hp_cutter_submit(c);
	c->dump = c->rec->dump;
	return p->dump_begin ? p->dump_begin(p->ctx, c->dump, err) : HP_OK;
}

/*
 * Whether the sub-records of the current record must be decoded, for one of two
 * reasons: the record is long and must be divided, or its 32-bit length may
 * have wrapped at 4 GB, so that the end of the record must be searched.
 */
static bool
is_walked(const struct hp_cutter *c)
{
	return c->rec->body > WHOLE_MAX ||
	       (c->rec->body > 0 && hp_reader_may_measure(c->reader));
}

/*
 * Skip the body of a heap record that the pass does not need. In a compressed
 * file, the 32-bit length of the record may have wrapped at 4 GB. This is
 * checked at the position where the record ends according to its length.
 */
static enum hp_status
pass_over_body(struct hp_cutter *c, struct hp_error *err)
{
	bool longer = false;
	uint64_t passed;
	enum hp_status st;

	st = hp_reader_skip(c->reader, UINT64_MAX, &passed, err);
	if (st == HP_OK)
		st = hp_reader_measure(c->reader, true, &longer, err);
	if (st == HP_OK && longer)
		st = hp_reader_skip(c->reader, UINT64_MAX, &passed, err);
	return st;
}

static enum hp_status
cut_heap_record(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	bool wanted = !c->only_dump || c->only_dump == c->rec->dump;
	enum hp_status st = HP_OK;

	/*
	 * If the previous dump of the file has not ended yet, begin_dump() and
	 * end_dump() end it.
	 */
	if (c->rec->first)
		st = wanted ? begin_dump(c, err) : end_dump(c, err);
	if (st == HP_OK && p->record)
		st = p->record(
			p->ctx, c->rec,
			(struct hp_cursor){.origin = hp_reader_tell(c->reader)},
			err);
	if (st == HP_OK && !wanted)
		return pass_over_body(c, err);
	if (st == HP_OK)
		st = add_head(c, err);
	if (st == HP_OK && is_walked(c))
		st = hp_cutter_walk_record(c, err);
	else if (st == HP_OK && c->rec->body > 0)
		st = add_whole_heap_record(c, err);
	if (st == HP_OK && p->heap_end)
		st = p->heap_end(p->ctx, c->rec, err);
	if (st == HP_OK && c->rec->tag == HP_REC_HEAP_DUMP)
		st = end_dump_or_wait(c, err);
	return st;
}

/*
 * Give all STRING records that are in the reader's buffer to the pass in one
 * call. If the pass has no callback for them, skip them.
 */
static enum hp_status
pass_on_strings(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_pass *p = c->pass;
	struct hp_string_run run;
	struct hp_string_row row;
	enum hp_status st = HP_OK;

	if ((p->record && !p->strings) || hp_cutter_wants_all_bytes(c) ||
	    !hp_reader_strings(c->reader, &run))
		return HP_OK;
	if (p->strings)
		st = p->strings(p->ctx, &run, err);
	while (!p->record && hp_string_run_look(&run, &row))
		hp_string_run_step(&run, &row);
	hp_reader_took(c->reader, &run);
	return st;
}

static enum hp_status
cut_all_records(struct hp_cutter *c, struct hp_error *err)
{
	const struct hp_record_desc *d;
	enum hp_status st;

	for (;;) {
		st = pass_on_strings(c, err);
		if (st != HP_OK)
			return st;
		st = hp_reader_next(c->reader, &c->rec, err);
		if (st != HP_OK || (c->then_end && c->rec->first &&
				    c->rec->dump > c->only_dump))
			break;
		d = hp_record_desc(c->rec->tag);
		if (d && d->ending == HP_ENDS_HEAP)
			st = cut_heap_record(c, err);
		else
			st = pass_on_record(c, err);
		if (st == HP_OK && c->rec->tag == HP_REC_HEAP_DUMP_END)
			st = end_dump_or_wait(c, err);
		if (st != HP_OK)
			return st;
	}
	if (st != HP_EOF && st != HP_OK)
		return st;
	st = end_dump(c, err);
	hp_cutter_submit(c);
	return st == HP_OK ? hp_queue_drain(&c->queue, err) : st;
}

static void
report_problem(void *ctx, const struct hp_problem *p)
{
	const struct hp_pass *pass = ctx;

	if (pass->problem)
		pass->problem(pass->ctx, p);
}

unsigned
hp_scan_threads(const struct hp_source *src, unsigned wanted)
{
	uint64_t size = hp_source_size(src), taken;

	if (size == UINT64_MAX) {
		hp_source_progress(src, &taken, &size);
		size *= UNPACKS_TO;
	}
	/*
	 * With a sanitizer, use all threads even for a small dump, so that
	 * tests with small dumps also check the code for threads.
	 */
	if (size == 0 || HP_SANITIZED)
		return wanted;
	return hp_threads_within(wanted, size, FIRST_MORE, EACH_THREAD);
}

enum hp_status
hp_scan(struct hp_source *src, const struct hp_pass *pass,
	const struct hp_scan_options *options, struct hp_error *err)
{
	struct hp_cutter c = {.pass = pass,
			      .only_dump = options->only_dump,
			      .then_end = options->from.offset > 0,
			      .seekable = hp_source_seekable(src),
			      .size = hp_source_length(src)};
	const struct hp_header *h;
	struct hp_error first = {0};
	enum hp_status st, before;

	st = hp_queue_open(&c.queue, src, pass,
			   options->threads ? options->threads : 1, err);
	if (st != HP_OK)
		return st;
	hp_spill_init(&c.spill, c.seekable, options->spill_memory,
		      options->spill_dir);
	c.queue.defer = hp_spill_add;
	c.queue.defer_ctx = &c.spill;
	st = hp_reader_open(&c.reader, src, report_problem, (void *)pass, err);
	if (st == HP_OK) {
		h = hp_reader_header(c.reader);
		c.id_size = h->id_size;
		if (pass->header)
			st = pass->header(pass->ctx, h, err);
		if (st == HP_OK)
			st = add_header(&c, h, err);
		if (st == HP_OK && c.then_end)
			st = hp_reader_resume_at(c.reader, &options->from, err);
		if (st == HP_OK)
			st = cut_all_records(&c, err);
	}
	/*
	 * A batch before the current position may have an error that was not
	 * reported yet. Report the error of the earliest batch, so that the
	 * result does not depend on the timing of threads.
	 */
	before = st != HP_OK ? hp_queue_drain(&c.queue, &first) : HP_OK;
	if (before != HP_OK) {
		/* `first` has the text of the error of the earlier batch */
		st = before;
		if (err)
			*err = first;
	}
	hp_queue_close(&c.queue);
	hp_reader_close(c.reader);
	hp_spill_release(&c.spill);
	hp_free(c.scratch.data);
	return st;
}

enum hp_status
hp_scan_no_dump(unsigned dump, unsigned dumps, struct hp_error *err)
{
	return hp_fail(err, HP_UNSUPPORTED,
		       "there is no dump %u: the input has %u", dump, dumps);
}
