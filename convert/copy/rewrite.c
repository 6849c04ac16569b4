/*
 * rewrite.c - write a dump with changes: the first pass computes the new
 * lengths of records, the second pass writes the output
 */
#include "convert/copy/copy.h"

#include "common/format/record_writer.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/object_ids/id_map.h"

struct length {
	/*
	 * `record`: index of the record in the file. `bytes`: by how many bytes
	 * the record becomes shorter.
	 */
	uint64_t record, bytes;
};

struct rewrite {
	const struct hp_rewrite *how;
	/* heap records whose length changes, in file order */
	struct length *lengths;
	size_t count, cap;
	/*
	 * A set of indexes in the file: the records that are removed as a whole
	 * and are not heap records.
	 */
	struct hp_id_map omitted;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct rewrite *s = ctx;

	return s->how->header ? s->how->header(s->how->ctx, h, err) : HP_OK;
}

/*
 * ---- the first pass: by how many bytes each heap record becomes shorter ----
 */

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct rewrite *s = ctx;

	if (s->how->omit(s->how->ctx, rec, body) &&
	    !hp_id_map_put(&s->omitted, rec->ordinal, NULL))
		return hp_no_memory(err);
	return HP_OK;
}

/*
 * Find the records that become shorter. For each of them, append a struct
 * length to @out.
 */
static enum hp_status
count_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct rewrite *s = ctx;
	struct length l = {.record = r->record}, last;

	if (!sub && (r->kind != HP_RUN_ARRAY || !r->piece.head))
		return HP_OK;
	l.bytes = s->how->loss(s->how->ctx, b, r, sub ? sub : &r->piece.sub);
	if (l.bytes == 0)
		return HP_OK;
	if (out->len > 0) {
		memcpy(&last, out->data + out->len - sizeof(last),
		       sizeof(last));
		if (last.record == l.record) {
			last.bytes += l.bytes;
			memcpy(out->data + out->len - sizeof(last), &last,
			       sizeof(last));
			return HP_OK;
		}
	}
	hp_buf_add(out, &l, sizeof(l));
	return HP_OK;
}

static enum hp_status
add_length(struct rewrite *s, const struct length *l, struct hp_error *err)
{
	if (s->count > 0 && s->lengths[s->count - 1].record == l->record) {
		s->lengths[s->count - 1].bytes += l->bytes;
		return HP_OK;
	}
	if (!HP_LIST_RESERVE(s->lengths, s->count, s->cap))
		return hp_no_memory(err);
	s->lengths[s->count++] = *l;
	return HP_OK;
}

static enum hp_status
count_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	      struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct length l;

	for (size_t at = 0; at < out->len && st == HP_OK; at += sizeof(l)) {
		memcpy(&l, out->data + at, sizeof(l));
		st = add_length(ctx, &l, err);
	}
	return st;
}

/* ---- the second pass: write the dump with the new lengths ---- */

/*
 * Returns by how many bytes the record becomes shorter. @record is its index in
 * the file.
 */
static uint64_t
loss_of(const struct rewrite *s, uint64_t record)
{
	size_t i = hp_list_find(s->lengths, s->count, sizeof(*s->lengths),
				offsetof(struct length, record), record);

	return i < s->count && s->lengths[i].record == record
		       ? s->lengths[i].bytes
		       : 0;
}

/*
 * Write the head of a heap record with its new length. A HEAP DUMP record of
 * length 0 would look as if the writer had crashed before it could write the
 * length. So an empty HEAP DUMP is written as an empty segment and a HEAP DUMP
 * END record.
 */
static void
write_heap_head(struct hp_buf *out, size_t at, uint64_t loss)
{
	uint8_t *p = (uint8_t *)out->data + at;
	/*
	 * compute modulo 2^32: if a record has more than 4 GB, its length field
	 * is too small, in the input and in the output
	 */
	uint32_t length = (uint32_t)(hp_load4(p + 5) - loss);

	hp_store4(p + 5, length);
	if (p[0] != HP_REC_HEAP_DUMP || length != 0 || loss == 0)
		return;
	p[0] = HP_REC_HEAP_DUMP_SEGMENT;
	hp_append_record_head(out, HP_REC_HEAP_DUMP_END, 0, 0);
}

/*
 * Write one run (range of bytes): the file header, or a record with its head.
 */
static void
write_bytes(const struct rewrite *s, const struct hp_batch *b,
	    const struct hp_run *r, struct hp_buf *out)
{
	size_t at = out->len;
	uint8_t *p;

	if (hp_id_map_get(&s->omitted, r->record))
		return;
	hp_buf_add(out, b->data + r->at, (size_t)r->length);
	if (!r->record_start || !hp_buf_ok(out))
		return;
	p = (uint8_t *)out->data + at;
	/*
	 * the bytes before the first record are the file header, "JAVA PROFILE
	 * 1.0.2"
	 */
	if (r->record == 0) {
		if (s->how->version && r->length > 17)
			p[17] = (uint8_t)s->how->version;
	} else if (p[0] == HP_REC_HEAP_DUMP ||
		   p[0] == HP_REC_HEAP_DUMP_SEGMENT) {
		write_heap_head(out, at, loss_of(s, r->record));
	}
}

/*
 * Write one piece of a very long array; the first piece includes the fixed
 * fields.
 */
static void
write_piece(const struct rewrite *s, const struct hp_batch *b,
	    const struct hp_run *r, struct hp_buf *out)
{
	size_t at = out->len;

	if (s->how->loss(s->how->ctx, b, r, &r->piece.sub))
		return;
	if (r->piece.head)
		hp_buf_add(out, b->data, r->at);
	if (r->piece.head && s->how->edit_head && hp_buf_ok(out))
		s->how->edit_head(s->how->ctx, b, &r->piece.sub,
				  (uint8_t *)out->data + at);
	at = out->len;
	hp_buf_add(out, b->data + r->at, (size_t)r->length);
	if (s->how->edit_piece && hp_buf_ok(out))
		s->how->edit_piece(s->how->ctx, b, &r->piece,
				   (uint8_t *)out->data + at);
}

static enum hp_status
write_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct rewrite *s = ctx;
	size_t at = out->len;
	uint64_t loss;

	if (!sub && r->kind == HP_RUN_BYTES) {
		write_bytes(s, b, r, out);
		return HP_OK;
	}
	if (!sub) {
		write_piece(s, b, r, out);
		return HP_OK;
	}
	loss = s->how->loss(s->how->ctx, b, r, sub);
	if (loss == sub->size)
		return HP_OK;
	hp_buf_add(out, sub->start, (size_t)sub->size);
	if (!hp_buf_ok(out))
		return HP_OK;
	if (s->how->edit)
		s->how->edit(s->how->ctx, b, sub, (uint8_t *)out->data + at);
	out->len -= (size_t)loss;
	return HP_OK;
}

enum hp_status
hp_rewrite(struct hp_source *src, struct hp_sink *sink,
	   const struct hp_rewrite *rewrite, unsigned threads,
	   struct hp_error *err)
{
	struct rewrite s = {.how = rewrite};
	struct hp_transform count = {.need = HP_NEED_HEADS,
				     .framing_only = rewrite->framing_only,
				     .ctx = &s,
				     .header = on_header,
				     .record = rewrite->omit ? on_record : NULL,
				     .run = count_run,
				     .retired = count_retired};
	struct hp_transform write = {.need = HP_NEED_EVERYTHING,
				     /*
				      * the first pass has already checked the
				      * input: only damage that prevents
				      * decoding can remain
				      */
				     .framing_only = true,
				     .ctx = &s,
				     .header = on_header,
				     .run = write_run};
	enum hp_status st =
		hp_ordered_pass_run(src, NULL, &count, threads, err);

	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, sink, &write, threads, err);
	hp_free(s.lengths);
	hp_id_map_release(&s.omitted);
	return st == HP_OK ? hp_sink_finish(sink, err) : st;
}
