/*
 * segments.c - convert HEAP DUMP records to HEAP DUMP SEGMENT records, and back
 *
 * The conversion to segments (version 1.0.2) takes one pass: several threads
 * find where a HEAP DUMP is cut into segments, and the bytes are written in
 * file order. The conversion to version 1.0.1 takes two passes. The first pass
 * computes the length of each dump, and copies the records between the segments
 * of the dump to a temporary file. The second pass writes the output.
 */
#include "convert/version/version.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "convert/copy/ordered_pass.h"
#include "convert/copy/copy.h"

enum { SEGMENT = 1 << 20, CHUNK = 1 << 16 };

/* A part of a HEAP DUMP that becomes one segment: consecutive sub-records. */
struct cut {
	size_t run;
	uint64_t length;
};

/* A dump whose segments become one HEAP DUMP record. */
struct joined {
	/* sum of the sizes of the bodies of the segments, in bytes */
	uint64_t body;
	/*
	 * size of the records that are between the segments of the dump, in
	 * bytes
	 */
	uint64_t between;
};

/* The place of a record of the input in the output. */
enum target {
	TO_OUTPUT,
	/*
	 * the record is between two segments, so it is written before the heap
	 * dump
	 */
	BEFORE_DUMP,
	NOWHERE, /* the record is left out */
};

struct segmenter {
	unsigned version;
	struct hp_sink *sink;
	/* a heap dump has begun and not ended */
	bool in_dump;
	bool bare; /* no segment of the current dump was written yet */
	/*
	 * the current heap record is a HEAP DUMP, which must be cut into
	 * segments
	 */
	bool split;
	/* the time field of the current heap record, as bytes of the file */
	uint8_t stamp[4];
	/*
	 * The following members are used only for the conversion to version
	 * 1.0.1.
	 */
	bool measuring; /* this is the first pass, which computes the lengths */
	/* where the current record is written */
	enum target target;
	/*
	 * temporary file for the records that are written before the heap dump
	 */
	struct hp_sink *spooler;
	/* source that reads the file of `spooler` in the second pass */
	struct hp_source *between;
	struct joined *joined;
	size_t count, cap, next;
};

static enum hp_status
write_bytes(struct segmenter *p, const void *bytes, uint64_t n,
	    struct hp_error *err)
{
	if (p->measuring)
		return HP_OK;
	return hp_sink_write(p->sink, bytes, (size_t)n, err);
}

static enum hp_status
write_head(struct segmenter *p, uint8_t tag, const uint8_t *stamp,
	   uint64_t length, struct hp_error *err)
{
	uint8_t head[HP_HEAD_SIZE] = {tag};

	if (length > UINT32_MAX)
		return hp_fail(err, HP_DAMAGED,
			       "a heap dump of %llu bytes does not fit into "
			       "one record",
			       (unsigned long long)length);
	if (stamp)
		memcpy(head + 1, stamp, 4);
	hp_store4(head + 5, (uint32_t)length);
	return write_bytes(p, head, sizeof(head), err);
}

static enum hp_status
write_header(struct segmenter *p, const uint8_t *text, uint64_t n,
	     struct hp_error *err)
{
	const char digit = (char)('0' + p->version);
	enum hp_status st;

	if (n < 18)
		return write_bytes(p, text, n, err);
	if (text[17] == '3')
		return hp_fail(err, HP_DAMAGED,
			       "an Android dump (1.0.3) has sub-records that "
			       "no other version has; --standard converts it "
			       "to 1.0.2");
	st = write_bytes(p, text, 17, err);
	if (st == HP_OK)
		st = write_bytes(p, &digit, 1, err);
	return st == HP_OK ? write_bytes(p, text + 18, n - 18, err) : st;
}

/* ---- convert to 1.0.2: cut each HEAP DUMP into segments ---- */

static enum hp_status
write_segment(struct segmenter *p, uint64_t length, struct hp_error *err)
{
	p->bare = false;
	return write_head(p, HP_REC_HEAP_DUMP_SEGMENT, p->stamp, length, err);
}

/*
 * End the current heap dump. If it has no segment, write an empty one, because
 * a HEAP DUMP END alone is not a heap dump.
 */
static enum hp_status
close_heap(struct segmenter *p, struct hp_error *err)
{
	bool empty = p->in_dump && p->bare;

	p->in_dump = p->split = false;
	return empty ? write_segment(p, 0, err) : HP_OK;
}

static enum hp_status
end_dump(struct segmenter *p, struct hp_error *err)
{
	bool open = p->in_dump;
	enum hp_status st = close_heap(p, err);

	if (st != HP_OK || !open)
		return st;
	return write_head(p, HP_REC_HEAP_DUMP_END, NULL, 0, err);
}

/*
 * Begin a heap record. A HEAP DUMP will be divided into segments. Do not write
 * the head of a segment yet: a segment without sub-records is removed, unless
 * it is the only segment of its dump.
 */
static enum hp_status
begin_heap(struct segmenter *p, const uint8_t *head, uint64_t n,
	   struct hp_error *err)
{
	p->split = head[0] == HP_REC_HEAP_DUMP;
	p->bare = p->bare || !p->in_dump;
	p->in_dump = true;
	memcpy(p->stamp, head + 1, sizeof(p->stamp));
	if (p->split || hp_load4(head + 5) == 0)
		return HP_OK;
	p->bare = false;
	return write_bytes(p, head, n, err);
}

/*
 * Convert a run (range of bytes) that is not sub-records: the head of a record,
 * and the bytes after it.
 */
static enum hp_status
split_record(struct segmenter *p, const uint8_t *head, uint64_t n,
	     struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint8_t tag = head[0];

	if (tag == HP_REC_HEAP_DUMP_END)
		st = close_heap(p, err);
	else if (tag == HP_REC_HEAP_DUMP || p->split)
		st = end_dump(p, err);
	if (st != HP_OK)
		return st;
	if (tag == HP_REC_HEAP_DUMP || tag == HP_REC_HEAP_DUMP_SEGMENT)
		return begin_heap(p, head, n, err);
	return write_bytes(p, head, n, err);
}

/*
 * Find where the sub-records of a HEAP DUMP must be divided into segments.
 * Several threads call this.
 */
static enum hp_status
find_cuts(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct segmenter *p = ctx;
	struct cut c = {.run = (size_t)(r - b->runs)}, last;
	size_t size = sizeof(c);

	if (!sub || p->version != 2)
		return HP_OK;
	c.length = sub->size;
	if (out->len > 0) {
		memcpy(&last, out->data + out->len - size, size);
		if (last.run == c.run && last.length <= SEGMENT &&
		    c.length <= SEGMENT - last.length) {
			last.length += c.length;
			memcpy(out->data + out->len - size, &last, size);
			return HP_OK;
		}
	}
	hp_buf_add(out, &c, size);
	return HP_OK;
}

/*
 * Write the sub-records of run number @i (a range of bytes). @cuts contains the
 * places where segments begin; the first of them in this run has the index
 * *@at.
 */
static enum hp_status
split_subs(struct segmenter *p, const struct hp_batch *b, size_t i,
	   const struct hp_buf *cuts, size_t *at, struct hp_error *err)
{
	const uint8_t *from = b->data + b->runs[i].at;
	enum hp_status st = HP_OK;
	struct cut c;

	for (; st == HP_OK && *at < cuts->len; *at += sizeof(c)) {
		memcpy(&c, cuts->data + *at, sizeof(c));
		if (c.run != i)
			break;
		if (p->split)
			st = write_segment(p, c.length, err);
		if (st == HP_OK)
			st = write_bytes(p, from, c.length, err);
		from += c.length;
	}
	return st;
}

/*
 * Write one piece of a very long array; the first piece includes the fixed
 * fields.
 */
static enum hp_status
write_piece(struct segmenter *p, const struct hp_batch *b,
	    const struct hp_run *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (r->piece.head && p->split)
		st = write_segment(p, r->piece.sub.size, err);
	if (st == HP_OK && r->piece.head)
		st = write_bytes(p, b->data, r->at, err);
	return st == HP_OK ? write_bytes(p, b->data + r->at, r->length, err)
			   : st;
}

/* ---- convert to 1.0.1: join the segments of each dump ---- */

static enum hp_status
write_between(struct segmenter *p, const struct joined *j, struct hp_error *err)
{
	uint64_t left = j->between;
	uint8_t buf[CHUNK];
	enum hp_status st = HP_OK;

	while (left > 0 && st == HP_OK) {
		size_t n = left < sizeof(buf) ? (size_t)left : sizeof(buf);
		size_t got;

		st = hp_source_read(p->between, buf, n, &got, err);
		if (st == HP_OK && got < n)
			st = hp_fail(err, HP_IO,
				     "a temporary file was truncated");
		if (st == HP_OK)
			st = write_bytes(p, buf, n, err);
		left -= n;
	}
	return st;
}

static enum hp_status
open_joined(struct segmenter *p, const uint8_t *head, struct hp_error *err)
{
	const struct joined *j;
	enum hp_status st;

	p->in_dump = true;
	if (p->measuring) {
		return HP_LIST_PUSH(p->joined, p->count, p->cap,
				    (struct joined){0})
			       ? HP_OK
			       : hp_no_memory(err);
	}
	if (p->next == p->count)
		return hp_fail(err, HP_IO,
			       "the file was changed while it was read");
	j = &p->joined[p->next++];
	st = write_between(p, j, err);
	return st == HP_OK
		       ? write_head(p, HP_REC_HEAP_DUMP, head + 1, j->body, err)
		       : st;
}

static enum hp_status
buffer_other_record(struct segmenter *p, const uint8_t *bytes, uint64_t n,
		    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (!p->measuring)
		/*
		 * the first pass has written this record to the temporary file,
		 * and the record is already in the output
		 */
		return HP_OK;
	if (!p->spooler)
		st = hp_sink_open_temporary(&p->spooler, err);
	p->joined[p->count - 1].between += n;
	return st == HP_OK ? hp_sink_write(p->spooler, bytes, (size_t)n, err)
			   : st;
}

static enum hp_status
join_record(struct segmenter *p, const uint8_t *head, uint64_t n,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	p->target = TO_OUTPUT;
	switch (head[0]) {
	case HP_REC_HEAP_DUMP_SEGMENT:
		if (!p->in_dump)
			st = open_joined(p, head, err);
		if (st == HP_OK && p->measuring)
			p->joined[p->count - 1].body += hp_load4(head + 5);
		return st;
	case HP_REC_HEAP_DUMP_END:
		p->in_dump = false;
		p->target = NOWHERE;
		return HP_OK;
	case HP_REC_HEAP_DUMP:
		p->in_dump = false;
		return write_bytes(p, head, n, err);
	default:
		if (!p->in_dump)
			return write_bytes(p, head, n, err);
		p->target = BEFORE_DUMP;
		return buffer_other_record(p, head, n, err);
	}
}

/* ---- functions for both conversions ---- */

static enum hp_status
handle_bytes(struct segmenter *p, const struct hp_batch *b,
	     const struct hp_run *r, struct hp_error *err)
{
	const uint8_t *bytes = b->data + r->at;

	/*
	 * The record is omitted from the output. Normally it has no body; if it
	 * has one, skip it.
	 */
	if (!r->record_start && p->target == NOWHERE)
		return HP_OK;
	if (!r->record_start)
		return p->target == BEFORE_DUMP
			       ? buffer_other_record(p, bytes, r->length, err)
			       : write_bytes(p, bytes, r->length, err);
	if (r->record == 0)
		return write_header(p, bytes, r->length, err);
	if (p->version == 2)
		return split_record(p, bytes, r->length, err);
	return join_record(p, bytes, r->length, err);
}

static enum hp_status
on_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	   struct hp_error *err)
{
	struct segmenter *p = ctx;
	enum hp_status st = HP_OK;
	size_t at = 0;

	for (size_t i = 0; i < b->nruns && st == HP_OK; i++) {
		const struct hp_run *r = &b->runs[i];

		if (r->kind == HP_RUN_BYTES)
			st = handle_bytes(p, b, r, err);
		else if (r->kind == HP_RUN_ARRAY)
			st = write_piece(p, b, r, err);
		else if (p->version == 2)
			st = split_subs(p, b, i, out, &at, err);
		else
			st = write_bytes(p, b->data + r->at, r->length, err);
	}
	if (st == HP_OK && !p->measuring)
		hp_sink_boundary(p->sink, 0);
	return st;
}

/*
 * Check that each dump is short enough for one HEAP DUMP record, whose length
 * field has 32 bits.
 */
static enum hp_status
check_bodies(const struct segmenter *p, struct hp_error *err)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->joined[i].body == 0)
			return hp_fail(
				err, HP_DAMAGED,
				"an empty heap dump cannot be written in "
				"version 1.0.1, because it would look like an "
				"incomplete dump");
	}
	return HP_OK;
}

static enum hp_status
measure_input(struct segmenter *p, struct hp_source *src,
	      const struct hp_transform *pass, unsigned threads,
	      struct hp_error *err)
{
	enum hp_status st;

	p->measuring = true;
	st = hp_ordered_pass_run(src, NULL, pass, threads, err);
	p->measuring = p->in_dump = false;
	if (st == HP_OK)
		st = check_bodies(p, err);
	if (st == HP_OK && p->spooler) {
		st = hp_temp_copy_end(p->spooler, &p->between, err);
		p->spooler = NULL;
	}
	return st == HP_OK ? hp_source_rewind(src, err) : st;
}

enum hp_status
hp_segments_convert(struct hp_source *src, struct hp_sink *sink,
		    unsigned version, unsigned threads, struct hp_error *err)
{
	struct segmenter p = {.version = version, .sink = sink};
	struct hp_transform pass = {.need = HP_NEED_EVERYTHING,
				    .ctx = &p,
				    .run = find_cuts,
				    .retired = on_retired};
	enum hp_status st = HP_OK;

	if (version == 1)
		st = measure_input(&p, src, &pass, threads, err);
	/*
	 * the first pass has already checked the input: only damage that
	 * prevents decoding can remain
	 */
	pass.framing_only = version == 1;
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &pass, threads, err);
	if (st == HP_OK && version == 2)
		st = end_dump(&p, err);
	if (st == HP_OK)
		st = hp_sink_finish(sink, err);
	hp_sink_abort(p.spooler);
	hp_source_close(p.between);
	hp_free(p.joined);
	return st;
}
