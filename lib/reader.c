/*
 * reader.c - hprof_open() and hprof_next(): read a dump one item at a time
 *
 * The reader loads heap records into its buffer in steps of a megabyte. If a
 * sub-record does not end in the buffer, it loads more. An array or instance
 * longer than a megabyte is returned in pieces. So a wrong length in a dump
 * never makes the reader allocate too much memory.
 */
#include "common/base/memory.h"
#include "lib/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* number of bytes per read, and maximum size of a piece */
enum { STEP = 1 << 20 };

static enum hp_status
judge_header(struct hprof_reader *r, struct hp_error *err)
{
	const struct hp_header *h = hp_reader_header(r->records);
	struct hp_symptom s;

	if (h->version == HP_VERSION_1_0)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the dump has version 1.0 of the format: "
			       "convert it with hprof-convert");
	if (!hp_header_readable(h))
		return hp_symptom_of_header(h, &s)
			       ? hp_reader_fail_symptom(&s, HP_DAMAGED, err)
			       : hp_fail(err, HP_DAMAGED,
					 "the header cannot be read");
	r->id_size = h->id_size;
	memcpy(r->version, h->text, sizeof(r->version));
	r->header.version = r->version;
	r->header.id_size = h->id_size;
	r->header.time_ms = h->timestamp_ms;
	return HP_OK;
}

static enum hp_status
open_records(struct hprof_reader *r, struct hp_error *err)
{
	enum hp_status st = hp_reader_open(&r->records, r->src,
					   hp_reader_note_problem, r, err);

	return st == HP_OK ? judge_header(r, err) : st;
}

static enum hp_status
open_reader(struct hprof_reader *r, const char *path, struct hp_error *err)
{
	const struct hp_source_options so = hp_lib_source_options(&r->options);
	enum hp_status st = hp_source_open(&r->src, path, &so, err);

	if (st != HP_OK)
		return st;
	r->header.compression = hp_source_compression(r->src);
	return open_records(r, err);
}

int
hprof_open(const char *path, const struct hprof_options *options,
	   hprof_reader **out, struct hprof_error *error)
{
	struct hp_lib_options o;
	struct hp_error err = {0};
	struct hprof_reader *r;
	int status;

	status = hp_lib_begin(path && out, "path or out is NULL", options, &o,
			      error);
	if (status != HPROF_OK)
		return status;
	*out = NULL;
	r = hp_lib_new(sizeof(*r), error);
	if (!r)
		return HPROF_NO_MEMORY;
	r->options = o;
	if (open_reader(r, path, &err) == HP_OK) {
		*out = r;
		return HPROF_OK;
	}
	hprof_close(r);
	return hp_lib_fail(error, &err);
}

void
hprof_close(hprof_reader *r)
{
	if (!r)
		return;
	hp_reader_release_classes(r);
	hp_reader_close(r->records);
	hp_source_close(r->src);
	for (size_t i = 0; i < HP_ARRAY_LEN(r->rows); i++)
		hp_free(r->rows[i].data);
	hp_free(r->buf.data);
	hp_free(r);
}

const struct hprof_header *
hprof_get_header(const hprof_reader *r)
{
	return r ? &r->header : NULL;
}

static struct hprof_item *
begin_item(struct hprof_reader *r, const struct hp_record_desc *d, uint8_t tag,
	   uint64_t offset)
{
	memset(&r->item, 0, sizeof(r->item));
	r->item.tag = tag;
	if (!hp_record_is_named(d))
		snprintf(r->unknown, sizeof(r->unknown), "0x%02x", tag);
	r->item.name = hp_record_is_named(d) ? d->name : r->unknown;
	r->item.offset = offset;
	return &r->item;
}

/*
 * Load bytes into the buffer until it has @n bytes from r->buf[r->at] on, or
 * the record or the input ends. The buffer grows only with bytes that were
 * really read.
 */
static enum hp_status
fill(struct hprof_reader *r, uint64_t n, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint8_t *buf = r->buf.data;
	size_t got = STEP;

	if (r->have - r->at >= n)
		return HP_OK;
	if (r->at > 0)
		memmove(buf, buf + r->at, r->have - r->at);
	r->have -= r->at;
	r->at = 0;
	while (st == HP_OK && r->have < n && got == STEP) {
		buf = hp_scratch_reserve(&r->buf, r->have + STEP);
		if (!buf)
			return hp_no_memory(err);
		st = hp_reader_read(r->records, buf + r->have, STEP, &got, err);
		r->have += got;
	}
	return st;
}

/*
 * Finish the current heap record. Returns @st if it is a failure, otherwise
 * HP_EOF.
 */
static enum hp_status
end_heap(struct hprof_reader *r, enum hp_status st)
{
	r->in_heap = false;
	r->pieces.width = 0;
	return st == HP_OK ? HP_EOF : st;
}

/*
 * Skip the rest of the current heap record after the failure @why. Returns
 * @why; if skipping fails, returns the failure of skipping.
 */
static enum hp_status
skip_heap(struct hprof_reader *r, enum hp_status why, struct hp_error *err)
{
	uint64_t skipped;
	enum hp_status st = hp_reader_skip(
		r->records, hp_reader_left(r->records), &skipped, err);

	/*
	 * hprof_next() returns the failure @why, so the kept problem (that the
	 * record is truncated) need not be returned as well.
	 */
	r->has_problem = false;
	return end_heap(r, st == HP_OK ? why : st);
}

static enum hp_status
next_piece(struct hprof_reader *r, struct hp_error *err)
{
	struct hp_pieces *p = &r->pieces;
	uint64_t left = p->sub.count - p->next, most = STEP / p->width;
	uint64_t want = left < most ? left : most, n;
	struct hprof_item *item = begin_item(r, hp_subrecord_desc(p->sub.tag),
					     p->sub.tag, p->sub.offset);
	enum hp_status st = fill(r, p->width * want, err);

	if (st != HP_OK)
		return st;
	/* return at most those elements that are completely in the buffer */
	n = (r->have - r->at) / p->width;
	if (n > want)
		n = want;
	if (n == 0)
		return skip_heap(r,
				 hp_fail(err, HP_TRUNCATED,
					 "the dump ends inside the object at "
					 "offset %" PRIu64,
					 p->sub.offset),
				 err);
	hp_decode_object(r, &p->sub);
	item->dump = r->rec->dump;
	item->u.object.first = (uint32_t)p->next;
	item->u.object.here = (uint32_t)n;
	item->u.object.data = (const uint8_t *)r->buf.data + r->at;
	r->at += (size_t)n * p->width;
	r->offset += n * p->width;
	p->next += n;
	if (p->next == p->sub.count)
		p->width = 0;
	return HP_OK;
}

/*
 * If an object may be returned in pieces, returns the size of its elements in
 * bytes; otherwise 0.
 */
static unsigned
piece_width(const struct hprof_reader *r, const struct hp_sub *s)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		return 1;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return r->id_size;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		return hp_type_size(s->type, r->id_size);
	default:
		return 0;
	}
}

/* Whether an object is so long that it must be returned in pieces. */
static bool
is_long(const struct hprof_reader *r, const struct hp_sub *s)
{
	unsigned width = s->size > STEP ? piece_width(r, s) : 0;

	return width > 0 && s->count > STEP / width;
}

static enum hp_status
begin_pieces(struct hprof_reader *r, const struct hp_sub *s,
	     struct hp_error *err)
{
	unsigned head = hp_subrecord_fixed[hp_widen(r->id_size)][s->tag];

	r->pieces = (struct hp_pieces){.sub = *s, .width = piece_width(r, s)};
	r->at += head;
	r->offset += head;
	return next_piece(r, err);
}

/*
 * Handle a sub-record that cannot be decoded: skip the rest of the heap record,
 * and return a failure.
 */
static enum hp_status
bad_sub(struct hprof_reader *r, const struct hp_heap_iter *it,
	struct hp_error *err)
{
	struct hp_symptom s = {0};

	/* the iterator has stopped at damage, so the result is always true */
	(void)!hp_symptom_of_stop(it, &s);
	return skip_heap(r, hp_reader_fail_symptom(&s, HP_DAMAGED, err), err);
}

static enum hp_status
give_sub(struct hprof_reader *r, const struct hp_sub *s, struct hp_error *err)
{
	struct hprof_item *item =
		begin_item(r, hp_subrecord_desc(s->tag), s->tag, s->offset);

	item->dump = r->rec->dump;
	r->at += (size_t)s->size;
	r->offset += s->size;
	return hp_decode_sub(r, s, err);
}

/*
 * Return a failure for a heap record whose length was never written, although
 * all its sub-records are complete. The program that wrote the dump has stopped
 * before the end of the record.
 */
static enum hp_status
fail_unfinished(struct hprof_reader *r, struct hp_error *err)
{
	const struct hp_symptom s = {.rule = HP_RULE_HEAP_LENGTH_UNPATCHED,
				     .offset = r->rec->offset};

	return hp_reader_fail_symptom(&s, HP_TRUNCATED, err);
}

/*
 * Handle the end of the input or of the heap record. It is a failure if this
 * end is inside a sub-record, or if the length of the record was never written.
 */
static enum hp_status
heap_is_short(struct hprof_reader *r, struct hp_error *err)
{
	if (r->have > r->at || r->has_problem)
		return skip_heap(r,
				 hp_fail(err, HP_TRUNCATED,
					 "the dump ends inside a heap record, "
					 "at offset %" PRIu64,
					 r->offset + (r->have - r->at)),
				 err);
	return end_heap(r, r->rec->unpatched ? fail_unfinished(r, err) : HP_OK);
}

/*
 * Whether the heap record continues after its stated length, because the length
 * has only 32 bits and has overflowed. Called when no further sub-record can be
 * decoded. @sound: the last sub-record ends exactly at the stated length.
 */
static bool
is_longer(struct hprof_reader *r, bool sound, enum hp_status *st,
	  struct hp_error *err)
{
	bool longer;

	*st = hp_reader_measure(r->records, sound, &longer, err);
	return *st == HP_OK && longer;
}

static enum hp_status
next_sub(struct hprof_reader *r, struct hp_error *err)
{
	uint64_t need = 1;

	if (r->pieces.width)
		return next_piece(r, err);
	for (;;) {
		uint64_t have, left;
		enum hp_status st = fill(r, need, err);
		struct hp_heap_iter it;
		struct hp_sub s = {0};

		if (st != HP_OK)
			return st;
		/*
		 * if the length was never written, the record ends where the
		 * input ends
		 */
		left = r->rec->unpatched ? UINT64_MAX
					 : hp_reader_left(r->records);
		have = r->have - r->at;
		if (have < need) {
			if (is_longer(r, have == 0, &st, err))
				continue;
			return st == HP_OK ? heap_is_short(r, err) : st;
		}
		it = hp_heap_begin((const uint8_t *)r->buf.data + r->at, have,
				   left > UINT64_MAX - have ? UINT64_MAX
							    : have + left,
				   r->offset);
		if (hp_heap_next(&it, &s, r->id_size))
			return is_long(r, &s) ? begin_pieces(r, &s, err)
					      : give_sub(r, &s, err);
		if (it.stop == HP_HEAP_END)
			return end_heap(r, HP_OK);
		/*
		 * If the record is truncated, all bytes that are left of it are
		 * in the buffer.
		 */
		if (r->rec->cut && it.stop != HP_HEAP_UNKNOWN_TAG &&
		    it.stop != HP_HEAP_TYPE)
			return heap_is_short(r, err);
		if (it.stop != HP_HEAP_CUT) {
			if (is_longer(r, false, &st, err))
				continue;
			return st == HP_OK ? bad_sub(r, &it, err) : st;
		}
		if (it.need > STEP && piece_width(r, &s) > 0 &&
		    have >= hp_subrecord_fixed[hp_widen(r->id_size)][s.tag]) {
			s.offset = r->offset;
			return begin_pieces(r, &s, err);
		}
		need = it.need;
	}
}

static enum hp_status
begin_heap(struct hprof_reader *r)
{
	r->dumps = r->rec->dump;
	if (r->options.dump && r->rec->dump != r->options.dump)
		/* the next call of hp_reader_next() skips the record */
		return HP_EOF;
	r->in_heap = true;
	r->at = r->have = 0;
	r->offset = r->rec->offset + HP_HEAD_SIZE;
	r->item.kind = HPROF_HEAP_START;
	r->item.dump = r->rec->dump;
	return HP_OK;
}

/*
 * Read the next record. If there is an item for it, returns HP_OK. Otherwise
 * returns HP_EOF, and *@end says whether the input has ended.
 */
static enum hp_status
next_record(struct hprof_reader *r, bool *end, struct hp_error *err)
{
	const struct hp_record_desc *d;
	struct hp_cursor body;
	enum hp_status st = hp_reader_next(r->records, &r->rec, err);

	*end = st == HP_EOF;
	if (st == HP_EOF && r->has_problem) {
		*end = false;
		return hp_reader_tell_problem(r, err);
	}
	if (st != HP_OK)
		return st;
	d = hp_record_desc(r->rec->tag);
	begin_item(r, d, r->rec->tag, r->rec->offset)->time_us = r->rec->time;
	if (d && d->ending == HP_ENDS_HEAP)
		return begin_heap(r);
	st = hp_reader_body(r->records, &body, err);
	if (st != HP_OK)
		return st;
	if (r->has_problem)
		return hp_reader_tell_problem(r, err);
	r->too_long = r->rec->partial;
	if (r->too_long)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the record at offset %" PRIu64
			       " is longer than %d bytes",
			       r->rec->offset, HP_BODY_MAX);
	return hp_decode_record(r, body, err);
}

/*
 * Whether hprof_next() may be called again after it has returned this status.
 */
static bool
goes_on(const struct hprof_reader *r, enum hp_status st)
{
	return st == HP_OK || st == HP_TRUNCATED || st == HP_DAMAGED ||
	       r->too_long;
}

int
hprof_next(hprof_reader *r, const struct hprof_item **item,
	   struct hprof_error *error)
{
	struct hp_error err = {0};
	enum hp_status st = HP_EOF;
	bool end = r->ended;

	hp_lib_error_clear(error);
	*item = NULL;
	r->begun = true;
	r->too_long = false;
	while (st == HP_EOF && !end)
		st = r->in_heap ? next_sub(r, &err)
				: next_record(r, &end, &err);
	if (st == HP_OK) {
		*item = &r->item;
		return HPROF_OK;
	}
	if (end && !r->ended && r->options.dump > r->dumps) {
		r->ended = true;
		return hp_lib_fail_text(error, HPROF_NOT_FOUND,
					"there is no dump %u: the input has %u",
					r->options.dump, r->dumps);
	}
	r->ended = r->ended || end || !goes_on(r, st);
	if (st == HP_EOF)
		err.status = HP_EOF;
	return hp_lib_fail(error, &err);
}
