/*
 * wreck.c - what could be a record here, what could be sub-records
 */
#include "convert/wreck.h"

#include <stdlib.h>

enum {
	WINDOW = 1 << 20,
	VIEW_MAX = 64 << 20, /* no sub-record that must be seen is longer */
	CHAIN = 6,	     /* sub-records in a row that are no accident */
	CHAIN_ALONE = 24,    /* the same where no heap was announced */
};

void
hp_wreck_release(struct hp_wreck *w)
{
	free(w->buf);
	w->buf = NULL;
}

static bool
wreck_fail(struct hp_wreck *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
	return false;
}

static bool
load(struct hp_wreck *w, uint64_t offset, size_t n)
{
	enum hp_status st;
	uint8_t *larger;

	if (n < WINDOW)
		n = WINDOW;
	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (n > w->cap || !w->buf) {
		larger = realloc(w->buf, n ? n : 1); /* an empty input */
		if (!larger)
			return wreck_fail(
				w, hp_fail(w->err, HP_NOMEM, "out of memory"));
		w->buf = larger;
		w->cap = n;
	}
	w->at = offset;
	w->have = 0;
	st = hp_source_pread(w->src, w->buf, n, offset, &w->have, w->err);
	return st == HP_OK || wreck_fail(w, st);
}

const uint8_t *
hp_wreck_view(struct hp_wreck *w, uint64_t offset, size_t n, size_t *got)
{
	*got = 0;
	if (w->status != HP_OK || offset > w->size)
		return NULL;
	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (!w->buf || offset < w->at || offset - w->at > w->have ||
	    n > w->have - (offset - w->at)) {
		if (!load(w, offset, n))
			return NULL;
	}
	*got = w->have - (size_t)(offset - w->at);
	return w->buf + (offset - w->at);
}

/* The first hole that ends behind @offset; NULL if there is none. */
static const struct hp_hole *
hole_after(const struct hp_wreck *w, uint64_t offset)
{
	size_t low = 0, high = w->nholes;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->holes[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->nholes ? &w->holes[low] : NULL;
}

/* Where what begins at @offset has to end at the latest, so as to be whole. */
static uint64_t
whole_until(const struct hp_wreck *w, uint64_t offset, uint64_t end)
{
	const struct hp_hole *h = hole_after(w, offset);

	return !h || h->offset >= end ? end
	       : h->offset > offset   ? h->offset
				      : offset;
}

/* The next offset that is in no hole. */
static uint64_t
out_of_hole(const struct hp_wreck *w, uint64_t offset)
{
	const struct hp_hole *h = hole_after(w, offset);

	return h && h->offset <= offset ? h->end : offset;
}

static unsigned
row_size(enum hp_ending ending, unsigned id_size)
{
	return ending == HP_ENDS_FRAME_IDS     ? id_size
	       : ending == HP_ENDS_SITE_ROWS   ? 25
	       : ending == HP_ENDS_SAMPLE_ROWS ? 8
					       : 0;
}

/* Is @length right for a record of this kind, whose body begins at @p? */
static bool
length_fits(const struct hp_wreck *w, const struct hp_record_desc *d,
	    uint32_t length, const uint8_t *p, size_t got)
{
	unsigned fixed = hp_record_fixed[hp_wide(w->id_size)][d->tag];
	unsigned row = row_size(d->ending, w->id_size);

	if (length < fixed)
		return false;
	if (row > 0)
		return got >= fixed &&
		       (uint64_t)hp_load4(p + fixed - 4) * row ==
			       length - fixed;
	return d->ending != HP_ENDS_NOTHING || length == fixed;
}

bool
hp_wreck_record(struct hp_wreck *w, uint64_t offset, uint64_t *bytes)
{
	const struct hp_record_desc *d;
	const uint8_t *p;
	uint32_t length;
	size_t got;

	p = hp_wreck_view(w, offset, HP_HEAD_SIZE + 64, &got);
	if (!p || got < HP_HEAD_SIZE)
		return false;
	d = hp_record_desc(p[0]);
	if (!d || d->ending == HP_ENDS_HEAP || d->ending == HP_ENDS_OPAQUE)
		return false;
	length = hp_load4(p + 5);
	if (length > w->size - offset - HP_HEAD_SIZE)
		return false;
	*bytes = HP_HEAD_SIZE + (uint64_t)length;
	if (whole_until(w, offset, offset + *bytes) < offset + *bytes)
		return false;
	return length_fits(w, d, length, p + HP_HEAD_SIZE, got - HP_HEAD_SIZE);
}

/* Do sub-records stand from @body to @end: so many, or fewer and then @end? */
static bool
subs_begin(struct hp_wreck *w, uint64_t body, uint64_t end, unsigned many)
{
	unsigned count;
	uint64_t stop;

	return hp_wreck_walk(w, body, end, many, NULL, NULL, &stop, &count) ||
	       count == many;
}

/* The tag of the heap record that @offset may be the head of; 0: of none. */
static uint8_t
heap_head(struct hp_wreck *w, uint64_t offset, uint32_t *length)
{
	const uint8_t *p;
	size_t got;

	p = hp_wreck_view(w, offset, HP_HEAD_SIZE, &got);
	if (!p || got < HP_HEAD_SIZE ||
	    (p[0] != HP_REC_HEAP_DUMP && p[0] != HP_REC_HEAP_DUMP_SEGMENT))
		return 0;
	*length = hp_load4(p + 5);
	return p[0];
}

/* Does a heap record begin here, with sub-records in it? */
static bool
heap_begins(struct hp_wreck *w, uint64_t offset)
{
	uint64_t body = offset + HP_HEAD_SIZE, left;
	uint32_t length;
	uint8_t tag;

	tag = heap_head(w, offset, &length);
	if (tag == 0)
		return false;
	left = w->size - body;
	if (length == 0)
		return tag == HP_REC_HEAP_DUMP_SEGMENT && left > 0;
	return subs_begin(w, body, length > left ? w->size : body + length, 2);
}

bool
hp_wreck_begins(struct hp_wreck *w, uint64_t offset)
{
	uint64_t bytes;

	return offset == w->size || hp_wreck_record(w, offset, &bytes) ||
	       heap_begins(w, offset);
}

/* How far a sub-record that is not all in view goes; 0: it is none. */
static uint64_t
long_sub(const struct hp_heap_iter *it, const struct hp_sub *s)
{
	bool array = s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
		     s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP;

	return it->stop == HP_HEAP_CUT && it->need <= hp_heap_limit(it) &&
			       (array || it->need <= VIEW_MAX)
		       ? it->need
		       : 0;
}

bool
hp_wreck_walk(struct hp_wreck *w, uint64_t offset, uint64_t end, unsigned most,
	      void (*see)(void *ctx, const struct hp_sub *sub), void *ctx,
	      uint64_t *stop, unsigned *count)
{
	struct hp_sub s = {0};
	size_t want = 64, got;
	const uint64_t last = end;

	*count = 0;
	*stop = offset;
	end = whole_until(w, offset, end);
	while (*stop < end && *count < most) {
		const uint8_t *view = hp_wreck_view(w, *stop, want, &got);
		uint64_t need, before = *stop, limit = end - *stop;
		struct hp_heap_iter it;

		if (!view)
			return false;
		it = hp_heap_begin(view, got < limit ? got : limit, limit,
				   *stop);
		while (*count < most && hp_heap_next(&it, &s, w->id_size)) {
			if (see)
				see(ctx, &s);
			*stop = hp_heap_offset(&it);
			++*count;
		}
		if (*count == most || *stop == end)
			break;
		need = long_sub(&it, &s);
		if (need == 0)
			return false;
		if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP ||
		    s.tag == HP_SUB_PRIMITIVE_ARRAY_DUMP) {
			unsigned head =
				hp_subrecord_fixed[hp_wide(w->id_size)][s.tag];

			if (hp_heap_left(&it) >=
			    head) { /* its elements are not looked at */
				s.size = need;
				s.offset = *stop;
				if (see)
					see(ctx, &s);
				*stop += need;
				++*count;
				want = 64;
				continue;
			}
		}
		if (*stop == before && need <= want &&
		    hp_heap_left(&it) >= need)
			return false;
		want = need > 64 ? (size_t)need : 64;
	}
	return *stop == last;
}

/*
 * The same, looked for anywhere: in noise some byte is a heap record's tag, and
 * two little sub-records behind it are soon found. Its end has to show, too, or
 * many sub-records.
 */
static bool
heap_stands(struct hp_wreck *w, uint64_t offset)
{
	uint64_t body = offset + HP_HEAD_SIZE;
	uint32_t length;

	if (!heap_begins(w, offset) || !heap_head(w, offset, &length))
		return false;
	if (length > 0 && length <= w->size - body &&
	    hp_wreck_begins(w, body + length))
		return true;
	return subs_begin(w, body, w->size, CHAIN_ALONE);
}

/* Do records begin at @x, one behind the other? */
static bool
records_at(struct hp_wreck *w, uint64_t x, uint8_t tag)
{
	uint64_t bytes;

	if (!hp_record_desc(tag))
		return false;
	return hp_wreck_record(w, x, &bytes) ? hp_wreck_begins(w, x + bytes)
					     : heap_stands(w, x);
}

/* Many sub-records in a row, or some and then what follows a heap. */
static bool
subs_at(struct hp_wreck *w, uint64_t x, uint8_t tag)
{
	unsigned count;
	uint64_t stop;

	if (!hp_subrecord_desc(tag))
		return false;
	hp_wreck_walk(w, x, w->size, CHAIN_ALONE, NULL, NULL, &stop, &count);
	return count == CHAIN_ALONE ||
	       (count >= CHAIN && (whole_until(w, stop, stop + 1) == stop ||
				   hp_wreck_begins(w, stop)));
}

/* As hp_wreck_find(); @heap: NULL: records only. */
static uint64_t
find(struct hp_wreck *w, uint64_t from, bool *heap)
{
	uint64_t x = out_of_hole(w, from);

	for (; x < w->size && w->status == HP_OK; x = out_of_hole(w, x + 1)) {
		const uint8_t *p;
		uint8_t tag;
		size_t got;

		p = hp_wreck_view(w, x, HP_HEAD_SIZE, &got);
		if (!p)
			break;
		tag = p[0];
		if (records_at(w, x, tag))
			return x;
		if (heap && subs_at(w, x, tag)) {
			*heap = true;
			return x;
		}
	}
	return w->size;
}

uint64_t
hp_wreck_find_record(struct hp_wreck *w, uint64_t from)
{
	return find(w, from, NULL);
}

uint64_t
hp_wreck_find(struct hp_wreck *w, uint64_t from, bool *heap)
{
	*heap = false;
	return find(w, from, heap);
}

uint64_t
hp_wreck_find_sub(struct hp_wreck *w, uint64_t from, uint64_t end)
{
	for (uint64_t x = from; x < end && w->status == HP_OK; x++) {
		const uint8_t *p;
		uint64_t stop;
		unsigned count;
		size_t got;

		x = out_of_hole(w, x);
		if (x >= end)
			break;
		p = hp_wreck_view(w, x, 1, &got);
		if (!p)
			break;
		if (!hp_subrecord_desc(p[0]))
			continue;
		if (hp_wreck_walk(w, x, end, CHAIN, NULL, NULL, &stop,
				  &count) ||
		    count == CHAIN)
			return x;
	}
	return end;
}
