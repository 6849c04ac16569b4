/*
 * salvage.c - the valid part of a damaged dump, as a valid dump
 *
 * Two steps. First everything that is framed well goes to a temporary file:
 * whole records, and of heap records the stretches of whole sub-records, each
 * a segment. Then that dump is rewritten without the instances whose class is
 * lost, which is sift.c's. Where to go on behind damage is wreck.c's.
 */
#include "convert/salvage.h"

#include "convert/spool.h"
#include "convert/wreck.h"

#include <stdlib.h>

enum { CHUNK = 1 << 20, SEGMENT_MAX = 1 << 30 };

struct salvage {
	struct hp_wreck w;
	struct hp_sink *out;
	struct hp_salvage_result *result;
	bool in_dump;	    /* a segment was written, no end yet */
	bool heap;	    /* any was */
	bool heapless;	    /* the agent's: it need not have one */
	uint64_t heap_info; /* offset of the heap name in force; 0: none */
	uint64_t info_seen; /* the same while a stretch is walked */
	uint64_t objects, heap_bytes; /* kept */
	uint64_t heap_lost;	      /* bytes of heap records */
	enum hp_status status;
	struct hp_error *err;
};

static void
put(struct salvage *s, const void *bytes, size_t n)
{
	if (s->status == HP_OK)
		s->status = hp_sink_write(s->out, bytes, n, s->err);
}

/* Bytes of the input, as they are. */
static void
put_range(struct salvage *s, uint64_t from, uint64_t to)
{
	while (from < to && s->status == HP_OK) {
		uint64_t n = to - from < CHUNK ? to - from : CHUNK;
		const uint8_t *p;
		size_t got;

		p = hp_wreck_view(&s->w, from, (size_t)n, &got);
		if (!p || got < n) {
			s->status = hp_fail(s->err, HP_IO,
					    "cannot read the input again");
			return;
		}
		put(s, p, (size_t)n);
		from += n;
	}
}

static void
put_head(struct salvage *s, uint8_t tag, uint64_t length)
{
	uint8_t head[HP_HEAD_SIZE] = {tag};

	hp_store4(head + 5, (uint32_t)length);
	put(s, head, sizeof(head));
}

/* @heap: it was the heap's, as far as can be told. */
static void
lose(struct salvage *s, uint64_t from, uint64_t to, bool heap)
{
	if (to <= from)
		return;
	if (heap)
		s->heap_lost += to - from;
	s->result->lost += to - from;
	s->result->places++;
	if (from < s->result->first)
		s->result->first = from;
}

static void
end_dump(struct salvage *s)
{
	if (s->in_dump)
		put_head(s, HP_REC_HEAP_DUMP_END, 0);
	s->in_dump = false;
}

/* The sub-records from @from to @to become a segment. */
static void
put_segment(struct salvage *s, uint64_t from, uint64_t to)
{
	unsigned info = 5 + s->w.id_size;
	bool named = s->heap_info != 0;

	if (from == to)
		return;
	s->heap_bytes += to - from;
	put_head(s, HP_REC_HEAP_DUMP_SEGMENT, to - from + (named ? info : 0));
	if (named)
		put_range(s, s->heap_info, s->heap_info + info);
	put_range(s, from, to);
	s->in_dump = s->heap = true;
}

/* A dump that ends before its heap would not be valid: an empty one. */
static void
put_empty_heap(struct salvage *s)
{
	if (s->heap || s->heapless || s->result->records == 0)
		return;
	put_head(s, HP_REC_HEAP_DUMP_SEGMENT, 0);
	s->in_dump = true;
	end_dump(s);
}

static void
see(void *ctx, const struct hp_sub *sub)
{
	struct salvage *s = ctx;

	if (sub->tag == HP_SUB_HEAP_DUMP_INFO)
		s->info_seen = sub->offset;
	else if (sub->tag == HP_SUB_INSTANCE_DUMP ||
		 sub->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
		 sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
		 sub->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA)
		s->objects++;
	else if (hp_subrecord_is_root(sub->tag))
		s->result->roots++;
}

/* Whole sub-records from @at on; returns the place where they stop. */
static uint64_t
take_subs(struct salvage *s, uint64_t at, uint64_t end)
{
	uint64_t stop, most;
	unsigned count;

	do {
		most = end - at > SEGMENT_MAX ? SEGMENT_MAX : end - at;
		s->info_seen = s->heap_info;
		/* by number, so that a segment stays far below 4 GB */
		hp_wreck_walk(&s->w, at, end, (unsigned)(most / 256 + 16), see,
			      s, &stop, &count);
		if (stop - at > UINT32_MAX - 64)
			break;
		put_segment(s, at, stop);
		s->heap_info = s->info_seen;
		at = stop;
	} while (count > 0 && at < end && s->status == HP_OK);
	return at;
}

/* Where the heap record at @at ends; *@sure: what follows says so, too. */
static uint64_t
heap_end(struct salvage *s, uint64_t at, uint8_t tag, uint32_t length,
	 bool *sure)
{
	uint64_t body = at + HP_HEAD_SIZE, left = s->w.size - body;

	*sure = true;
	if (tag == HP_REC_HEAP_DUMP && left > UINT32_MAX &&
	    (uint32_t)(left - length) == 0)
		return s->w.size;
	if (length == 0 && !hp_wreck_begins(&s->w, body)) {
		*sure = false; /* never patched */
		return s->w.size;
	}
	*sure = length <= left && hp_wreck_begins(&s->w, body + length);
	return length <= left ? body + length : s->w.size;
}

/*
 * What is whole of a heap record's sub-records, from @at on; its head may be
 * lost. @sure: that it ends at @end; else it ends where other records begin.
 * Returns its end.
 */
static uint64_t
take_body(struct salvage *s, uint64_t at, uint64_t end, bool sure)
{
	bool was = s->in_dump;
	uint64_t next;

	s->heap_info = 0;
	while (at < end && s->status == HP_OK && s->w.status == HP_OK) {
		next = take_subs(s, at, end);
		if (next == end) {
			at = end;
			break;
		}
		if (!sure && next > at && hp_wreck_begins(&s->w, next)) {
			end = at = next; /* the record's length is wrong */
			break;
		}
		at = hp_wreck_find_sub(&s->w, next + 1, end);
		if (!sure) {
			uint64_t rec = hp_wreck_find_record(&s->w, next);

			if (rec < at)
				end = at = rec;
		}
		lose(s, next, at, true);
	}
	if (s->in_dump && !was)
		s->result->records++;
	return end;
}

/* A heap record: what is whole in it. Returns where to go on. */
static uint64_t
take_heap(struct salvage *s, uint64_t pos, uint8_t tag, uint32_t length)
{
	bool sure;
	uint64_t end = heap_end(s, pos, tag, length, &sure);
	uint64_t at = pos + HP_HEAD_SIZE, left = s->w.size - at;

	if (tag == HP_REC_HEAP_DUMP)
		end_dump(s);
	s->result->missing = !sure && length > left ? length - left : 0;
	end = take_body(s, at, end, sure);
	if (tag == HP_REC_HEAP_DUMP)
		end_dump(s);
	return end > pos ? end : pos + 1;
}

/* A record that is none of the heap's, of @bytes. Returns where to go on. */
static uint64_t
take_record(struct salvage *s, uint64_t pos, uint8_t tag, uint64_t bytes)
{
	uint64_t end = pos + bytes, next = end;
	bool heap = false;

	if (s->result->records == 0)
		s->heapless = tag == HP_REC_CONTROL_SETTINGS;
	if (!hp_wreck_begins(&s->w, end))
		next = hp_wreck_find(&s->w, pos + HP_HEAD_SIZE, &heap);
	if (next < end) { /* its length cannot be trusted */
		lose(s, pos, next, s->in_dump);
	} else {
		if (tag == HP_REC_HEAP_DUMP_END)
			end_dump(s);
		else
			put_range(s, pos, end);
		s->result->records++;
		lose(s, end, next, s->in_dump);
	}
	return heap ? take_body(s, next, s->w.size, false) : next;
}

static void
take_all(struct salvage *s, uint64_t pos)
{
	while (pos < s->w.size && s->status == HP_OK && s->w.status == HP_OK) {
		uint64_t bytes, next;
		const uint8_t *p;
		uint32_t length;
		uint8_t tag;
		size_t got;
		bool heap;

		p = hp_wreck_view(&s->w, pos, HP_HEAD_SIZE, &got);
		if (!p || got < HP_HEAD_SIZE) {
			lose(s, pos, s->w.size, s->in_dump);
			break;
		}
		tag = p[0];
		length = hp_load4(p + 5);
		if (tag == HP_REC_HEAP_DUMP ||
		    tag == HP_REC_HEAP_DUMP_SEGMENT) {
			pos = take_heap(s, pos, tag, length);
		} else if (hp_wreck_record(&s->w, pos, &bytes)) {
			pos = take_record(s, pos, tag, bytes);
		} else {
			next = hp_wreck_find(&s->w, pos + 1, &heap);
			lose(s, pos, next, s->in_dump);
			pos = heap ? take_body(s, next, s->w.size, false)
				   : next;
		}
	}
	end_dump(s);
	put_empty_heap(s);
	if (s->status == HP_OK)
		s->status = s->w.status;
}

/* The header as it is, but 1.0.2 for 1.0.1: there are segments. */
static uint64_t
take_header(struct salvage *s)
{
	const uint8_t *p;
	uint8_t header[31];
	size_t got;

	p = hp_wreck_view(&s->w, 0, sizeof(header), &got);
	if (s->w.status != HP_OK) {
		s->status = s->w.status;
		return 0;
	}
	if (!p || got < sizeof(header) ||
	    memcmp(p, "JAVA PROFILE 1.0.", 17) != 0 || p[17] < '1' ||
	    p[17] > '3' || p[18] != 0 ||
	    (hp_load4(p + 19) != 4 && hp_load4(p + 19) != 8)) {
		s->status = hp_fail(s->err, HP_DAMAGED,
				    "there is no header of a dump");
		return 0;
	}
	memcpy(header, p, sizeof(header));
	if (header[17] == '1')
		header[17] = '2';
	s->w.id_size = hp_load4(p + 19);
	put(s, header, sizeof(header));
	return sizeof(header);
}

/* The first step: *@found is a dump whose framing is right. */
static enum hp_status
gather(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
       struct hp_source **found, struct hp_salvage_result *result,
       struct hp_error *err)
{
	struct salvage s = {.w = {.src = src,
				  .size = hp_source_size(src),
				  .holes = holes,
				  .nholes = nholes,
				  .err = err},
			    .result = result,
			    .err = err};
	uint64_t pos;

	s.status = hp_sink_open_temporary(&s.out, err);
	if (s.status == HP_OK) {
		pos = take_header(&s);
		if (s.status == HP_OK)
			take_all(&s, pos);
	}
	hp_wreck_release(&s.w);
	result->found = s.objects;
	if (s.objects > 0)
		result->objects = (uint64_t)(((double)s.heap_lost +
					      (double)result->missing) *
						     (double)s.objects /
						     (double)s.heap_bytes +
					     0.5);
	if (s.status == HP_OK && result->records == 0)
		s.status = hp_fail(err, HP_DAMAGED,
				   "there is not one whole record");
	if (s.status == HP_OK)
		return hp_spool_end(s.out, found, err);
	hp_sink_abort(s.out);
	return s.status;
}

enum hp_status
hp_salvage(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
	   struct hp_sink *sink, unsigned threads, bool null_dangling,
	   struct hp_salvage_result *result, struct hp_error *err)
{
	struct hp_source *found = NULL;
	const struct hp_sift how = {.mend = true, .nulls = null_dangling};
	enum hp_status st;

	*result = (struct hp_salvage_result){.first = UINT64_MAX};
	st = gather(src, holes, nholes, &found, result, err);
	if (st == HP_OK)
		st = hp_sift(found, sink, &how, threads, &result->sifted, err);
	hp_source_close(found);
	return st;
}
