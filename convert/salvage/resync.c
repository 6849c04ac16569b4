/*
 * resync.c - read a damaged dump at any offset, and recognise records there
 *
 * The bytes that were read last are in a buffer, the window. Ranges that a
 * damaged compressed file has lost are called holes. Primitive arrays without
 * their elements, as some Android tools write them, are called cropped.
 *
 * Invariant I1: the window contains the bytes from w->at up to w->at + w->have,
 * and this range is inside the input.
 */
#include "convert/salvage/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <assert.h>

enum {
	WINDOW = 1 << 20,
	/* maximum size of a class dump that is recognised, in bytes */
	CLASS_MOST = 3 << 20,
	/* this many sub-records in a row cannot be there by accident */
	CHAIN_ALONE = 24,
	/*
	 * This many cropped arrays (without elements) cannot be there by
	 * accident, if they are among CHAIN_ALONE sub-records in a row.
	 */
	CROPPED_ALONE = 3,
	/* this many records after a HEAP DUMP END confirm that it is genuine */
	BETWEEN = 3,
	/*
	 * A guess (see hp_resync_earn()) that reads bytes outside of the window
	 * (buffer) costs this many units of effort.
	 */
	FAR = 16,
	/* units of effort for guesses that are available at the beginning */
	AT_FIRST = 1 << 22,
	/* units of effort for guesses that can be saved up, at most */
	SAVED = 1 << 26,
};

enum hp_status
hp_resync_init(struct hp_resync *w)
{
	w->effort = AT_FIRST;
	w->lines = hp_calloc(HP_WRECK_LINES, sizeof(*w->lines));
	return w->lines ? HP_OK : hp_no_memory(w->err);
}

void
hp_resync_release(struct hp_resync *w)
{
	hp_free(w->buf);
	hp_free(w->lines);
	hp_free(w->side);
	w->buf = w->side = NULL;
	w->lines = NULL;
}

static bool
note_failure(struct hp_resync *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
	return false;
}

static bool
load_view(struct hp_resync *w, uint64_t offset, size_t n)
{
	enum hp_status st;
	uint8_t *larger;

	if (n < WINDOW)
		n = WINDOW;
	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (n > w->cap || !w->buf) {
		/* for an empty input n is 0, but buf must not be NULL */
		larger = hp_realloc(w->buf, n ? n : 1);
		if (!larger)
			return note_failure(w, hp_no_memory(w->err));
		w->buf = larger;
		w->cap = n;
	}
	w->at = offset;
	w->have = 0;
	st = hp_source_pread(w->src, w->buf, n, offset, &w->have, w->err);
	return st == HP_OK || note_failure(w, st);
}

static bool
in_window(const struct hp_resync *w, uint64_t offset, size_t n)
{
	return w->buf && offset >= w->at && offset - w->at <= w->have &&
	       n <= w->have - (offset - w->at);
}

/* Returns the bytes at @offset. The window (buffer) must contain them. */
static const uint8_t *
window_at(const struct hp_resync *w, uint64_t offset, size_t *got)
{
	/* the window (buffer) contains @offset, or ends there */
	assert(offset >= w->at && offset - w->at <= w->have);
	*got = w->have - (size_t)(offset - w->at);
	return w->buf + (offset - w->at);
}

const uint8_t *
hp_resync_view(struct hp_resync *w, uint64_t offset, size_t n, size_t *got)
{
	*got = 0;
	if (w->status != HP_OK || offset > w->size)
		return NULL;
	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (!in_window(w, offset, n) && !load_view(w, offset, n))
		return NULL;
	return window_at(w, offset, got);
}

bool
hp_resync_charge(struct hp_resync *w, uint64_t n)
{
	bool enough = w->effort >= n;

	w->effort = enough ? w->effort - n : 0;
	return enough;
}

const uint8_t *
hp_resync_peek(struct hp_resync *w, uint64_t offset, size_t n, size_t *got)
{
	uint64_t from = offset - offset % HP_WRECK_LINE;
	struct hp_resync_line *l =
		&w->lines[from / HP_WRECK_LINE % HP_WRECK_LINES];
	enum hp_status st;
	size_t have = 0;

	*got = 0;
	if (w->status != HP_OK || offset > w->size)
		return NULL;
	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (in_window(w, offset, n))
		return window_at(w, offset, got);
	if (l->at != from + 1) {
		hp_resync_charge(w, FAR);
		l->at = 0;
		st = hp_source_pread(w->src, l->bytes, sizeof(l->bytes), from,
				     &have, w->err);
		if (st != HP_OK) {
			note_failure(w, st);
			return NULL;
		}
		l->at = from + 1;
		l->have = (uint32_t)have;
	}
	if (l->have < offset - from)
		return NULL;
	*got = l->have - (size_t)(offset - from);
	return l->bytes + (offset - from);
}

int
hp_resync_byte(struct hp_resync *w, uint64_t offset)
{
	size_t got;
	const uint8_t *p = hp_resync_peek(w, offset, 1, &got);

	return p && got > 0 ? p[0] : -1;
}

void
hp_resync_earn(struct hp_resync *w, uint64_t n)
{
	w->effort = n > (SAVED - w->effort) / HP_WRECK_EARNED
			    ? SAVED
			    : w->effort + n * HP_WRECK_EARNED;
}

/* ---- holes: ranges that decompression could not recover ---- */

/*
 * Returns the first hole (range of lost bytes) that ends after @offset, or
 * NULL.
 */
static const struct hp_hole *
hole_after(const struct hp_resync *w, uint64_t offset)
{
	size_t i = hp_list_find(w->holes, w->nholes, sizeof(*w->holes),
				offsetof(struct hp_hole, end), offset + 1);

	return i < w->nholes ? &w->holes[i] : NULL;
}

/*
 * Returns the offset of the next hole (range of lost bytes), or @end if the
 * hole begins later.
 */
static uint64_t
whole_until(const struct hp_resync *w, uint64_t offset, uint64_t end)
{
	const struct hp_hole *h = hole_after(w, offset);

	return !h || h->offset >= end ? end
	       : h->offset > offset   ? h->offset
				      : offset;
}

uint64_t
hp_resync_out_of_hole(const struct hp_resync *w, uint64_t offset)
{
	const struct hp_hole *h = hole_after(w, offset);

	return h && h->offset <= offset ? h->end : offset;
}

/* ---- test whether a record is at an offset ---- */

/*
 * Whether @length is possible for the body of a record with this tag. The body
 * begins at @p.
 */
static bool
length_fits(const struct hp_resync *w, const struct hp_record_desc *d,
	    uint32_t length, const uint8_t *p, size_t got)
{
	unsigned fixed = hp_record_fixed[hp_widen(w->id_size)][d->tag];
	unsigned row = hp_row_size(d->ending, w->id_size);

	if (length < fixed)
		return false;
	if (row > 0)
		return got >= fixed &&
		       (uint64_t)hp_load4(p + fixed - 4) * row ==
			       length - fixed;
	return d->ending != HP_ENDS_NOTHING || length == fixed;
}

bool
hp_resync_record(struct hp_resync *w, uint64_t offset, uint64_t *bytes)
{
	const struct hp_record_desc *d;
	const uint8_t *p;
	uint32_t length;
	bool marker;
	size_t got;

	p = hp_resync_peek(w, offset, HP_HEAD_SIZE + 64, &got);
	if (!p || got < HP_HEAD_SIZE)
		return false;
	d = hp_record_desc(p[0]);
	length = hp_load4(p + 5);
	marker = hp_is_redaction(p[0], length, p + HP_HEAD_SIZE,
				 got - HP_HEAD_SIZE);
	if (!marker &&
	    (!d || d->ending == HP_ENDS_HEAP || d->ending == HP_ENDS_OPAQUE))
		return false;
	if (length > w->size - offset - HP_HEAD_SIZE)
		return false;
	*bytes = HP_HEAD_SIZE + (uint64_t)length;
	if (whole_until(w, offset, offset + *bytes) < offset + *bytes)
		return false;
	return marker ||
	       length_fits(w, d, length, p + HP_HEAD_SIZE, got - HP_HEAD_SIZE);
}

bool
hp_resync_header(struct hp_resync *w, uint64_t offset)
{
	size_t got;
	const uint8_t *p = hp_resync_peek(w, offset, HP_WRECK_HEADER, &got);

	return p && hp_header_id_size(p, got) > 0;
}

/* ---- read sub-records at an offset ---- */

/*
 * Read a class dump of at least @n bytes. This is like hp_resync_view(), but
 * the window (buffer) does not move.
 */
static const uint8_t *
view_class(struct hp_resync *w, uint64_t offset, size_t n, size_t *got)
{
	enum hp_status st;

	if (n > w->size - offset)
		n = (size_t)(w->size - offset);
	if (in_window(w, offset, n))
		return hp_resync_view(w, offset, n, got);
	if (!HP_LIST_FIT(w->side, n, w->side_cap)) {
		note_failure(w, hp_no_memory(w->err));
		return NULL;
	}
	*got = 0;
	st = hp_source_pread(w->src, w->side, n, offset, got, w->err);
	return st == HP_OK || note_failure(w, st) ? w->side : NULL;
}

/*
 * Find the size of a sub-record, as if all arrays had their elements (the dump
 * were not cropped). The parameters and the result are those of
 * hp_resync_sub().
 */
static bool
measure_sub(struct hp_resync *w, uint64_t offset, uint64_t end, bool guess,
	    struct hp_sub *s)
{
	uint64_t limit = whole_until(w, offset, end) - offset;
	size_t want = HP_WRECK_BEHIND, got;
	const uint8_t *p = hp_resync_peek(w, offset, want, &got);
	struct hp_heap_iter it;

	if (!p || limit == 0 || (guess && !hp_resync_charge(w, 1)))
		return false;
	it = hp_heap_begin(p, got < limit ? got : limit, limit, offset);
	while (!hp_heap_next(&it, s, w->id_size)) {
		unsigned head =
			hp_subrecord_fixed[hp_widen(w->id_size)][s->tag];

		if (it.stop != HP_HEAP_CUT || hp_heap_left(&it) < head)
			return false;
		/*
		 * Only a class dump must be completely in the window (buffer).
		 * For another sub-record, its length suffices.
		 */
		if (s->tag != HP_SUB_CLASS_DUMP) {
			s->size = it.need;
			return it.need <= limit;
		}
		/*
		 * it.need is the size of the class dump. It is too small until
		 * the lengths of all tables in the class dump were read.
		 */
		if (it.need <= got || it.need > limit || it.need > CLASS_MOST)
			return false;
		want = it.need < 2 * want ? 2 * want : (size_t)it.need;
		if (guess && !hp_resync_charge(w, want))
			return false;
		p = view_class(w, offset, want, &got);
		if (!p)
			return false;
		it = hp_heap_begin(p, got < limit ? got : limit, limit, offset);
	}
	return true;
}

bool
hp_resync_head(struct hp_resync *w, uint64_t offset, struct hp_sub *s)
{
	uint64_t limit = whole_until(w, offset, w->size) - offset;
	unsigned n = w->id_size;
	const uint8_t *p;
	size_t got;

	p = hp_resync_peek(w, offset, HP_WRECK_BEHIND, &got);
	if (!p || got == 0 || p[0] < HP_SUB_INSTANCE_DUMP ||
	    p[0] > HP_SUB_PRIMITIVE_ARRAY_DUMP)
		return false;
	if (got > limit)
		got = (size_t)limit;
	if (got < hp_subrecord_fixed[hp_widen(n)][p[0]])
		return false;
	*s = (struct hp_sub){.tag = p[0],
			     .id = hp_load_id(p + 1, n),
			     .trace = hp_load4(p + 1 + n),
			     .count = hp_load4(p + 5 + n),
			     .offset = offset};
	if (s->tag == HP_SUB_INSTANCE_DUMP) {
		hp_heap_load_instance(s, p, n);
	} else if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		s->class_id = hp_load_id(p + 9 + n, n);
	} else {
		s->type = p[9 + n];
	}
	return true;
}

/*
 * Judge whether a heap record or a HEAP DUMP END begins at @at. Returns 2 if
 * the length or the first sub-record confirms this, 1 if only the tag is right,
 * otherwise 0.
 */
static unsigned
weigh_record(struct hp_resync *w, uint64_t at)
{
	struct hp_sub s = {0};
	size_t got;
	const uint8_t *p = hp_resync_peek(w, at, HP_HEAD_SIZE + 1, &got);
	uint32_t length;

	if (!p || got < HP_HEAD_SIZE)
		return 0;
	length = hp_load4(p + 5);
	if (p[0] == HP_REC_HEAP_DUMP_END)
		return length == 0 ? 2 : 0;
	if (p[0] != HP_REC_HEAP_DUMP && p[0] != HP_REC_HEAP_DUMP_SEGMENT)
		return 0;
	if (length == 0)
		return 1;
	at += HP_HEAD_SIZE;
	return hp_resync_head(w, at, &s) ||
			       measure_sub(w, at, w->size, true, &s)
		       ? 2
		       : 0;
}

/*
 * Judge whether a sub-record can end at @at. Returns 2 if the heap record ends
 * there, or if what is known about the dump (w->known) confirms that a genuine
 * sub-record follows; 1 if the next bytes may be a sub-record or a record;
 * otherwise 0.
 */
static unsigned
weigh_end(struct hp_resync *w, uint64_t at, uint64_t end)
{
	struct hp_sub s = {0};
	bool found;

	if (at >= end)
		return at == end ? 2 : 0;
	found = hp_resync_head(w, at, &s);
	if (found &&
	    (s.tag == HP_SUB_PRIMITIVE_ARRAY_DUMP
		     ? !hp_type_is_primitive(s.type)
		     : hp_plausible_sub(w->known, &s) == HP_TRUST_MISFIT))
		return 0;
	if (!found && !measure_sub(w, at, end, true, &s))
		return weigh_record(w, at);
	return hp_plausible_sub(w->known, &s) >= HP_TRUST_LIKELY ? 2 : 1;
}

/*
 * Whether the primitive array at @offset is cropped (has no elements). @whole:
 * the array would also be valid with its elements, and would then end at
 * @offset + @size.
 */
static bool
is_cropped(struct hp_resync *w, uint64_t offset, uint64_t end, bool whole,
	   uint64_t size, struct hp_sub *head)
{
	unsigned n = hp_subrecord_fixed[hp_widen(w->id_size)]
				       [HP_SUB_PRIMITIVE_ARRAY_DUMP];
	unsigned weight;

	if (!hp_resync_head(w, offset, head) || offset + n > end ||
	    head->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || head->count == 0 ||
	    !hp_type_is_primitive(head->type))
		return false;
	head->tag = HP_SUB_PRIMITIVE_ARRAY_NODATA;
	head->size = n;
	weight = weigh_end(w, offset + n, end);
	return weight > 0 &&
	       (!whole || weight >= weigh_end(w, offset + size, end));
}

bool
hp_resync_sub(struct hp_resync *w, uint64_t offset, uint64_t end, bool guess,
	      struct hp_sub *s)
{
	struct hp_sub head = {0};
	bool whole;

	if (guess && w->effort == 0)
		return false;
	whole = measure_sub(w, offset, end, guess, s);
	if (!w->cropped || !is_cropped(w, offset, end, whole, s->size, &head))
		return whole;
	*s = head;
	return true;
}

/*
 * Find the end of a heap record with cropped arrays (without elements). @length
 * includes the missing elements. @body is the offset of the first sub-record.
 * Returns false if the lengths do not add up to @length, or no record follows.
 */
static bool
find_cropped_end(struct hp_resync *w, uint64_t body, uint32_t length,
		 uint64_t *end)
{
	struct hp_sub s = {0};
	uint64_t sum = 0, bytes;

	for (*end = body;
	     sum < length && hp_resync_sub(w, *end, w->size, true, &s);
	     *end += s.size) {
		sum += s.size;
		if (s.tag == HP_SUB_PRIMITIVE_ARRAY_NODATA &&
		    hp_resync_byte(w, *end) == HP_SUB_PRIMITIVE_ARRAY_DUMP)
			sum += (uint64_t)s.count *
			       hp_type_size(s.type, w->id_size);
	}
	return length > 0 && sum == length &&
	       (*end == w->size || weigh_record(w, *end) > 0 ||
		hp_resync_record(w, *end, &bytes));
}

/*
 * Whether the bytes from @at on are sub-records with cropped arrays (without
 * elements): they follow each other up to @end, or there are many.
 */
static bool
are_cropped_subs(struct hp_resync *w, uint64_t at, uint64_t end, bool sure)
{
	unsigned subs = 0, arrays = 0;
	struct hp_sub s = {0};

	for (; at < end && hp_resync_sub(w, at, end, true, &s); at += s.size) {
		arrays += s.tag == HP_SUB_PRIMITIVE_ARRAY_NODATA &&
			  hp_resync_byte(w, at) == HP_SUB_PRIMITIVE_ARRAY_DUMP;
		subs += arrays > 0;
	}
	return arrays > 0 && ((sure && at == end) ||
			      (subs >= CHAIN_ALONE && arrays >= CROPPED_ALONE));
}

bool
hp_resync_finds_cropped(struct hp_resync *w, uint64_t body, uint32_t length,
			uint64_t end, bool sure)
{
	bool before = w->cropped, found;
	uint64_t at;

	w->cropped = true;
	found = find_cropped_end(w, body, length, &at) ||
		are_cropped_subs(w, body, end, sure);
	w->cropped = before;
	return found;
}

/*
 * Whether @many sub-records follow each other from @body on. Fewer are enough
 * if the last one ends exactly at @end.
 */
static bool
are_subs_between(struct hp_resync *w, uint64_t body, uint64_t end,
		 unsigned many)
{
	struct hp_sub s = {0};

	for (; many > 0 && body < end; many--) {
		if (!hp_resync_sub(w, body, end, true, &s))
			return false;
		body += s.size;
	}
	return true;
}

/*
 * Read the head of a heap record at @offset, and store its length. Returns the
 * tag, or 0 if no heap record begins there.
 */
static uint8_t
heap_head(struct hp_resync *w, uint64_t offset, uint32_t *length)
{
	const uint8_t *p;
	size_t got;

	p = hp_resync_peek(w, offset, HP_HEAD_SIZE, &got);
	if (!p || got < HP_HEAD_SIZE ||
	    (p[0] != HP_REC_HEAP_DUMP && p[0] != HP_REC_HEAP_DUMP_SEGMENT))
		return 0;
	*length = hp_load4(p + 5);
	return p[0];
}

static bool
has_tag(struct hp_resync *w, uint64_t offset)
{
	int tag = hp_resync_byte(w, offset);

	return tag >= 0 && (hp_record_desc((uint8_t)tag) ||
			    hp_subrecord_desc((uint8_t)tag));
}

static bool
is_heap_record(struct hp_resync *w, uint64_t offset)
{
	uint64_t body = offset + HP_HEAD_SIZE, left, end;
	uint32_t length;
	uint8_t tag;

	tag = heap_head(w, offset, &length);
	if (tag == 0)
		return false;
	if (w->cropped && find_cropped_end(w, body, length, &end))
		return true;
	left = w->size - body;
	if (length == 0)
		return tag == HP_REC_HEAP_DUMP_SEGMENT && has_tag(w, body);
	return are_subs_between(w, body,
				length > left ? w->size : body + length, 2);
}

bool
hp_resync_begins(struct hp_resync *w, uint64_t offset)
{
	uint64_t bytes;

	return offset == w->size || hp_resync_record(w, offset, &bytes) ||
	       is_heap_record(w, offset) || hp_resync_header(w, offset);
}

/*
 * Returns false for a STRING record whose text begins with the byte 0, which no
 * name contains; true for all other records.
 */
static bool
is_text(struct hp_resync *w, uint64_t offset, uint64_t bytes)
{
	size_t front = HP_HEAD_SIZE + w->id_size, got;
	const uint8_t *p = hp_resync_peek(w, offset, HP_WRECK_BEHIND, &got);

	if (!p || got < front || p[0] != HP_REC_STRING)
		return p != NULL;
	if (got > bytes)
		got = (size_t)bytes;
	return !memchr(p + front, 0, got - front);
}

/*
 * Whether a complete record of any type is at @offset. Stores the size of the
 * record, with its head, in *@bytes.
 */
static bool
any_record(struct hp_resync *w, uint64_t offset, uint64_t *bytes)
{
	uint32_t length;

	if (hp_resync_record(w, offset, bytes))
		return is_text(w, offset, *bytes);
	if (!is_heap_record(w, offset) || !heap_head(w, offset, &length))
		return false;
	*bytes = HP_HEAD_SIZE + (uint64_t)length;
	return *bytes <= w->size - offset;
}

/*
 * Whether the bytes at @offset are two records, or one record at the end of the
 * file, or the end of the file.
 */
static bool
two_records(struct hp_resync *w, uint64_t offset)
{
	uint64_t first, second;

	if (offset == w->size || hp_resync_header(w, offset))
		return true;
	return any_record(w, offset, &first) &&
	       (offset + first == w->size ||
		any_record(w, offset + first, &second));
}

/*
 * Like is_heap_record(), but stricter, for searches at every offset. Random
 * bytes often contain what looks like the head of a heap record with two small
 * sub-records after it. So this function also requires a valid end of the
 * record, or many sub-records. For a HEAP DUMP it always requires a valid end,
 * because a HEAP DUMP ends the dump.
 */
static bool
is_likely_heap_record(struct hp_resync *w, uint64_t offset)
{
	uint64_t body = offset + HP_HEAD_SIZE, end;
	uint32_t length;
	uint8_t tag = heap_head(w, offset, &length);

	if (tag == 0 || !is_heap_record(w, offset))
		return false;
	if (w->cropped && find_cropped_end(w, body, length, &end))
		return true;
	if (tag == HP_REC_HEAP_DUMP)
		return length <= w->size - body &&
		       two_records(w, body + length);
	if (length > 0 && length <= w->size - body &&
	    hp_resync_begins(w, body + length))
		return true;
	return are_subs_between(w, body, w->size, CHAIN_ALONE);
}

/*
 * Whether a record begins at @offset, where another record ends. A heap record
 * must be one that cannot be there by accident.
 */
static bool
record_follows(struct hp_resync *w, uint64_t offset)
{
	uint64_t bytes;

	return offset == w->size || hp_resync_record(w, offset, &bytes) ||
	       hp_resync_header(w, offset) ||
	       is_likely_heap_record(w, offset) ||
	       /* dumps of Android have segments without sub-records */
	       (hp_resync_byte(w, offset) == HP_REC_HEAP_DUMP_SEGMENT &&
		is_heap_record(w, offset));
}

/*
 * Whether @many records follow each other from @offset on, and none of them is
 * a heap record.
 */
static bool
are_records(struct hp_resync *w, uint64_t offset, unsigned many)
{
	uint64_t bytes = 0;

	for (; many > 0; many--, offset += bytes)
		if (!hp_resync_record(w, offset, &bytes) ||
		    !is_text(w, offset, bytes))
			return false;
	return true;
}

/*
 * Whether the HEAP DUMP END that ends at @offset is genuine. Accepting a false
 * HEAP DUMP END would split the dump in two. After a genuine HEAP DUMP END
 * comes a heap record, the end of the file, or several other records, which an
 * agent writes between two dumps.
 */
static bool
ends_heap(struct hp_resync *w, uint64_t offset)
{
	return offset == w->size || hp_resync_header(w, offset) ||
	       is_likely_heap_record(w, offset) ||
	       are_records(w, offset, BETWEEN);
}

bool
hp_resync_records(struct hp_resync *w, uint64_t offset)
{
	uint64_t bytes;

	if (!hp_resync_charge(w, 1))
		return false;
	if (!hp_resync_record(w, offset, &bytes))
		return is_likely_heap_record(w, offset);
	if (hp_resync_byte(w, offset) == HP_REC_HEAP_DUMP_END)
		return ends_heap(w, offset + bytes);
	return is_text(w, offset, bytes) && record_follows(w, offset + bytes);
}

/* ---- find the end of a heap record ---- */

bool
hp_resync_dump_ends(struct hp_resync *w, uint64_t end)
{
	uint64_t bytes;

	return hp_resync_record(w, end, &bytes) &&
	       hp_resync_byte(w, end) == HP_REC_HEAP_DUMP_END;
}

/*
 * Whether a heap record may end at @end, because two records follow. One record
 * is not enough, because bytes inside a heap can look like a record.
 */
static bool
heap_ends_at(struct hp_resync *w, uint64_t end)
{
	return end == w->size || is_heap_record(w, end) ||
	       hp_resync_header(w, end) || hp_resync_records(w, end) ||
	       hp_resync_dump_ends(w, end);
}

uint64_t
hp_resync_heap_end(struct hp_resync *w, uint64_t at, uint8_t tag,
		   uint32_t length, bool *sure)
{
	uint64_t body = at + HP_HEAD_SIZE, left = w->size - body, end;

	*sure = true;
	if (w->cropped && find_cropped_end(w, body, length, &end))
		return end;
	if (tag == HP_REC_HEAP_DUMP && left > UINT32_MAX &&
	    (uint32_t)(left - length) == 0)
		return w->size;
	if (length == 0 && !hp_resync_begins(w, body)) {
		/*
		 * A length of 0 is not certain: the writer may have crashed
		 * before it could write the length.
		 */
		*sure = false;
		return w->size;
	}
	*sure = length <= left && heap_ends_at(w, body + length);
	return *sure ? body + length : w->size;
}

bool
hp_resync_whole_heap(struct hp_resync *w, uint64_t at)
{
	const uint8_t *p;
	size_t got;
	bool sure;

	p = hp_resync_peek(w, at, HP_HEAD_SIZE, &got);
	if (!p || got < HP_HEAD_SIZE ||
	    (p[0] != HP_REC_HEAP_DUMP && p[0] != HP_REC_HEAP_DUMP_SEGMENT))
		return false;
	hp_resync_heap_end(w, at, p[0], hp_load4(p + 5), &sure);
	return sure;
}
