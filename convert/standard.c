/*
 * standard.c - Android's dumps (1.0.3) as standard ones (1.0.2)
 *
 * A first pass finds how long every heap record becomes, a second one writes.
 * Heap names go; Android's roots become ROOT UNKNOWN; arrays without data
 * become empty ones; UNREACHABLE goes, since it says that there is no root.
 * Everything else stays as it is, record for record.
 */
#include "convert/standard.h"

#include "convert/inorder.h"
#include "convert/spool.h"

#include <stdatomic.h>
#include <stdlib.h>

struct length {
	uint64_t record, bytes; /* ordinal; of the new body */
};

struct standard {
	unsigned id_size;
	/* heap records whose length changes, ascending */
	struct length *lengths;
	size_t count, cap;
	_Atomic uint64_t roots, arrays, unreachable;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct standard *s = ctx;

	(void)err;
	s->id_size = h->id_size;
	return HP_OK;
}

/* Bytes that a sub-record loses. */
static unsigned
shrink(const struct standard *s, const struct hp_sub *sub)
{
	switch (sub->tag) {
	case HP_SUB_HEAP_DUMP_INFO:
	case HP_SUB_UNREACHABLE:
		return (unsigned)sub->size;
	case HP_SUB_ROOT_JNI_MONITOR:
		return (unsigned)sub->size - 1 - s->id_size;
	default:
		return 0;
	}
}

/* ---- the first pass: what each heap record loses ---- */

/* The batch's buffer holds struct length, one a record that loses bytes. */
static enum hp_status
count_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct standard *s = ctx;
	struct length l = {.record = r->record}, last;

	(void)b;
	(void)err;
	if (!sub)
		return HP_OK;
	l.bytes = shrink(s, sub);
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
add_length(struct standard *s, const struct length *l, struct hp_error *err)
{
	size_t cap = s->cap ? 2 * s->cap : 256;
	struct length *larger;

	if (s->count > 0 && s->lengths[s->count - 1].record == l->record) {
		s->lengths[s->count - 1].bytes += l->bytes;
		return HP_OK;
	}
	if (s->count == s->cap) {
		larger = realloc(s->lengths, cap * sizeof(*larger));
		if (!larger)
			return hp_fail(err, HP_NOMEM, "out of memory");
		s->lengths = larger;
		s->cap = cap;
	}
	s->lengths[s->count++] = *l;
	return HP_OK;
}

static enum hp_status
count_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	      struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct length l;

	(void)b;
	for (size_t at = 0; at < out->len && st == HP_OK; at += sizeof(l)) {
		memcpy(&l, out->data + at, sizeof(l));
		st = add_length(ctx, &l, err);
	}
	return st;
}

/* ---- the second pass ---- */

/* What the record loses. */
static uint64_t
loss_of(const struct standard *s, uint64_t record)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->lengths[middle].record < record)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->lengths[low].record == record ?
		       s->lengths[low].bytes :
		       0;
}

/* The header, a record's head, or bytes that stay. */
static void
write_bytes(const struct standard *s, const struct hp_batch *b,
	    const struct hp_run *r, struct hp_buf *out)
{
	size_t at = out->len;
	uint8_t *p;

	hp_buf_add(out, b->data + r->at, (size_t)r->length);
	if (!r->record_start || !hp_buf_ok(out))
		return;
	p = (uint8_t *)out->data + at;
	if (r->record == 0) { /* "JAVA PROFILE 1.0.3" */
		if (r->length > 17 && p[17] == '3')
			p[17] = '2';
	} else if (p[0] == HP_REC_HEAP_DUMP || p[0] == HP_REC_HEAP_DUMP_SEGMENT) {
		/* modulo 2^32, as the length of an overflown record is */
		hp_store4(p + 5, (uint32_t)(hp_load4(p + 5) -
					    loss_of(s, r->record)));
	}
}

static enum hp_status
write_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct standard *s = ctx;
	size_t at = out->len;

	(void)err;
	if (!sub && r->kind == HP_RUN_BYTES) {
		write_bytes(s, b, r, out);
		return HP_OK;
	}
	if (!sub) { /* a piece, its head's bytes in front */
		if (r->piece.head)
			hp_buf_add(out, b->data, r->at);
		hp_buf_add(out, b->data + r->at, (size_t)r->length);
		return HP_OK;
	}
	if (sub->tag == HP_SUB_HEAP_DUMP_INFO)
		return HP_OK;
	if (sub->tag == HP_SUB_UNREACHABLE) {
		atomic_fetch_add(&s->unreachable, 1);
		return HP_OK;
	}
	hp_buf_add(out, sub->start, (size_t)sub->size - shrink(s, sub));
	if (sub->tag < HP_SUB_ROOT_INTERNED_STRING || sub->tag == 0xFF ||
	    !hp_buf_ok(out))
		return HP_OK;
	if (sub->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA) {
		out->data[at] = HP_SUB_PRIMITIVE_ARRAY_DUMP;
		hp_store4(out->data + at + 5 + s->id_size, 0);
		atomic_fetch_add(&s->arrays, 1);
	} else {
		out->data[at] = (char)HP_SUB_ROOT_UNKNOWN;
		atomic_fetch_add(&s->roots, 1);
	}
	return HP_OK;
}

enum hp_status
hp_standard(struct hp_source *src, struct hp_sink *sink, unsigned threads,
	    struct hp_standard_result *result, struct hp_error *err)
{
	struct standard s = {0};
	struct hp_source *spooled = NULL;
	struct hp_transform count = {.need = HP_NEED_HEADS,
				     .ctx = &s,
				     .header = on_header,
				     .run = count_run,
				     .retired = count_retired};
	struct hp_transform write = {.need = HP_NEED_EVERYTHING,
				     .ctx = &s,
				     .run = write_run};
	enum hp_status st = HP_OK;

	if (!hp_source_rewindable(src))
		st = hp_spool_checked(src, &spooled, err);
	if (spooled)
		src = spooled;
	if (st == HP_OK)
		st = hp_inorder_run(src, NULL, &count, threads, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_inorder_run(src, sink, &write, threads, err);
	if (st == HP_OK)
		st = hp_sink_finish(sink, err);
	*result = (struct hp_standard_result){.roots = s.roots,
					      .arrays = s.arrays,
					      .unreachable = s.unreachable};
	hp_source_close(spooled);
	free(s.lengths);
	return st;
}
