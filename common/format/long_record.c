/*
 * long_record.c - divide a heap record that is too long for one batch
 *
 * A batch is a part of the dump that one worker handles. This code searches the
 * ends of sub-records, and makes batches of complete sub-records. If the file
 * is not compressed, it maps the bytes, and the workers read them again.
 * Otherwise it reads them into memory, and an incomplete sub-record at the end
 * goes to the next batch. An array that is longer than a batch is divided into
 * pieces, or its elements are skipped if the pass does not need them.
 *
 * If the size of the input is not known, the code must read ahead in two cases:
 * - If the input ends inside a sub-record, this sub-record must be ignored. So
 * a long array of references is first read completely, into memory or a
 * temporary file (struct hp_hold, may_be_cut()).
 * - A message about damage says how many bytes of the record are left. If the
 * record extends to the end of the input, this number is known only at the end
 * of the input. So the input is read to its end before the last batch is
 * submitted.
 *
 * A pass that needs all bytes in order (HP_NEED_EVERYTHING) does not read
 * ahead, because such a pass fails anyway if the dump is truncated.
 */
#include "common/format/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

enum {
	WALK_BATCH = 1 << 20,
	/*
	 * Arrays of at least this many bytes are divided into pieces. Instances
	 * of this length, which are always invalid, are treated in the same
	 * way.
	 */
	PIECE_MIN = 8 << 20,
};

struct record_walk {
	struct hp_cutter *c;
	/*
	 * The bytes of the record that are in the current batch. They are in
	 * memory of the batch, or mapped.
	 */
	const uint8_t *data;
	size_t have;
	uint64_t offset;
	/* the Android heap to which the sub-record at data[0] belongs */
	uint32_t heap;
	/*
	 * The window (mapped part of the file) that contains `data`. In this
	 * case, the reader is at the position of data[0], and `carry` is empty.
	 * NULL: the bytes are not mapped, but read.
	 */
	struct hp_window *window;
	/*
	 * The incomplete sub-record at the end of the last batch, with which
	 * the next batch begins. Used only if the bytes are read, not mapped.
	 */
	uint8_t *carry;
	size_t carried, carry_cap;
	/*
	 * Bytes of the record that were read ahead. They come before the bytes
	 * that the reader returns next.
	 */
	struct hp_hold hold;
};

static void
unmap_window(struct record_walk *w)
{
	hp_window_unref(w->window);
	w->window = NULL;
}

/*
 * Returns how many of @n bytes from @offset on the input has, as far as its
 * size is known. Reading more would report that the record is truncated before
 * the last whole sub-records are submitted.
 */
static uint64_t
within_input(const struct hp_cutter *c, uint64_t offset, uint64_t n)
{
	uint64_t left = offset < c->size ? c->size - offset : 0;

	return n < left ? n : left;
}

/*
 * Map the next @n bytes of the record, or fewer if the file or the record ends
 * before that. Returns false if the bytes cannot be mapped and must be read.
 */
static bool
map_window(struct record_walk *w, size_t n)
{
	struct hp_cutter *c = w->c;
	uint64_t left = hp_reader_left(c->reader);

	unmap_window(w);
	if (!c->seekable || w->carried > 0 || w->offset >= c->size)
		return false;
	left = within_input(c, w->offset, left);
	if (n > left)
		n = (size_t)left;
	if (n > 0)
		w->window = hp_source_window(c->queue.src, n, w->offset);
	if (!w->window)
		return false;
	w->data = hp_source_window_at(c->queue.src, w->window, w->offset);
	w->have = n;
	return true;
}

/*
 * After the mapped bytes were used: check that the file did not become shorter
 * in the meantime.
 */
static enum hp_status
window_check(const struct record_walk *w, struct hp_error *err)
{
	return w->window ? hp_source_window_check(w->c->queue.src, w->window,
						  w->have, w->offset, err)
			 : HP_OK;
}

/*
 * Read the next bytes of the record: first those that were read ahead
 * (w->hold), then those of the reader.
 */
static enum hp_status
read_on(struct record_walk *w, uint8_t *buf, size_t n, size_t *got,
	struct hp_error *err)
{
	return hp_hold_left(&w->hold) > 0
		       ? hp_hold_read(&w->hold, buf, n, got, err)
		       : hp_reader_read(w->c->reader, buf, n, got, err);
}

/* Read bytes of the record until w->data has @n bytes or the record ends. */
static enum hp_status
fill_slot(struct record_walk *w, size_t n, struct hp_error *err)
{
	struct hp_batch *b = &w->c->slot->b;
	enum hp_status st = HP_OK;
	size_t more, got;

	n = (size_t)within_input(w->c, w->offset, n);
	while (w->have < n && st == HP_OK) {
		/*
		 * The length in the header of the record may be wrong. So
		 * enlarge the memory step by step while bytes arrive.
		 */
		more = w->have < WALK_BATCH ? WALK_BATCH : w->have;
		if (more > n - w->have)
			more = n - w->have;
		if (!hp_batch_reserve(b, w->have + more))
			return hp_no_memory(err);
		st = read_on(w, b->data + w->have, more, &got, err);
		w->have += got;
		if (got < more)
			break;
	}
	w->data = b->data;
	return st;
}

/*
 * Begin a batch with w->carry, the incomplete sub-record at the end of the
 * previous batch.
 */
static enum hp_status
begin_slot(struct record_walk *w, struct hp_error *err)
{
	struct hp_batch *b = &w->c->slot->b;

	if (!hp_batch_reserve(b, w->carried > WALK_BATCH ? w->carried
							 : WALK_BATCH))
		return hp_no_memory(err);
	if (w->carried > 0)
		memcpy(b->data, w->carry, w->carried);
	w->have = w->carried;
	w->carried = 0;
	return HP_OK;
}

/*
 * Begin a batch, and make bytes available until w->data has @n bytes or the
 * record ends.
 */
static enum hp_status
ensure_bytes(struct record_walk *w, size_t n, struct hp_error *err)
{
	enum hp_status st = hp_cutter_slot(w->c, err);

	if (st != HP_OK || map_window(w, n))
		return st;
	st = begin_slot(w, err);
	return st == HP_OK ? fill_slot(w, n, err) : st;
}

static enum hp_status
ensure_more_bytes(struct record_walk *w, size_t n, struct hp_error *err)
{
	bool mapped = w->window;

	if (mapped && map_window(w, n))
		return HP_OK;
	/*
	 * Some bytes of the batch are mapped, but more cannot be mapped. So
	 * read all of them instead.
	 */
	if (mapped) {
		enum hp_status st = begin_slot(w, err);

		if (st != HP_OK)
			return st;
	}
	return fill_slot(w, n, err);
}

/*
 * Submit the batch with the first @n bytes of w->data. The other bytes become
 * the beginning of the next batch.
 */
static enum hp_status
submit_slot(struct record_walk *w, size_t n, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint64_t skipped;

	w->offset += n;
	if (w->window) {
		w->c->slot->load = true;
		hp_cutter_submit(w->c);
		st = hp_reader_skip(w->c->reader, n, &skipped, err);
		unmap_window(w);
		w->have = 0;
		return st;
	}
	w->carried = w->have - n;
	if (!HP_LIST_FIT(w->carry, w->carried, w->carry_cap))
		return hp_no_memory(err);
	if (w->carried > 0)
		memcpy(w->carry, w->data + n, w->carried);
	hp_cutter_submit(w->c);
	return st;
}

/*
 * Returns the number of bytes from @offset to the end of the record; UINT64_MAX
 * if the record extends to the end of the input.
 */
static uint64_t
bytes_to_record_end(const struct record_walk *w, uint64_t offset)
{
	const struct hp_record *rec = w->c->rec;

	return rec->body == UINT64_MAX
		       ? UINT64_MAX
		       : rec->offset + HP_HEAD_SIZE + rec->body - offset;
}

/*
 * Submit a batch with the first @n bytes of w->data, which are whole
 * sub-records. The other bytes become the beginning of the next batch.
 * @heap_after: the current Android heap after these sub-records.
 */
static enum hp_status
send_run(struct record_walk *w, size_t n, uint32_t heap_after,
	 struct hp_error *err)
{
	struct hp_run *run;

	if (n > 0) {
		run = hp_cutter_run(w->c, HP_RUN_SUBS, w->offset, n,
				    bytes_to_record_end(w, w->offset));
		if (!run)
			return hp_no_memory(err);
		run->heap = w->heap;
	}
	w->heap = heap_after;
	return submit_slot(w, n, err);
}

/*
 * Submit a batch with a piece of an array: @n elements of @width bytes each,
 * which begin at w->data[at].
 */
static enum hp_status
send_piece(struct record_walk *w, struct hp_piece *p, size_t at, uint64_t n,
	   unsigned width, struct hp_error *err)
{
	struct hp_batch *b = &w->c->slot->b;
	uint64_t bytes = n * width, offset = w->offset + at;
	struct hp_run *run;

	/*
	 * the run (range of bytes) begins after the fixed fields of the array
	 */
	run = hp_cutter_run(w->c, HP_RUN_ARRAY, offset, bytes,
			    bytes_to_record_end(w, offset));
	if (!run)
		return hp_no_memory(err);
	b->offset = w->offset;
	run->at = at;
	b->length = at + (size_t)bytes;
	run->heap = w->heap;
	p->elements = n;
	p->last = p->first + n == p->sub.count || n == 0;
	run->piece = *p;
	p->first += n;
	p->head = false;
	return submit_slot(w, b->length, err);
}

/*
 * Whether the pass needs only the fixed fields of arrays with the tag @tag, and
 * not their elements.
 */
static bool
is_body_unused(const struct hp_cutter *c, uint8_t tag)
{
	return c->pass->need == HP_NEED_HEADS ||
	       (c->pass->need == HP_NEED_REFERENCES &&
		tag != HP_SUB_OBJECT_ARRAY_DUMP);
}

static unsigned
element_width(const struct hp_sub *s, unsigned id_size)
{
	switch (s->tag) {
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return id_size;
	case HP_SUB_INSTANCE_DUMP:
		return 1;
	default:
		return hp_type_size(s->type, id_size);
	}
}

/*
 * Called if the sub-record at w->data[0] is truncated: submit its bytes, and
 * skip the rest of the record.
 */
static enum hp_status
send_cut_sub(struct record_walk *w, struct hp_error *err)
{
	enum hp_status st = send_run(w, w->have, w->heap, err);

	if (st == HP_OK)
		st = hp_cutter_rest(w->c, err);
	w->offset = hp_reader_tell(w->c->reader);
	return st;
}

/*
 * Submit only the fixed fields (@head bytes) of the sub-record at w->data[0],
 * which has @need bytes in total. Skip its other bytes.
 */
static enum hp_status
send_head_only(struct record_walk *w, struct hp_piece *p, uint64_t need,
	       unsigned head, struct hp_error *err)
{
	uint64_t rest = need - w->have, skipped;
	enum hp_status st;

	/*
	 * The file contains the whole sub-record: send_long_sub() has checked
	 * this.
	 */
	if (w->window) {
		st = send_piece(w, p, head, 0, 1, err);
		if (st == HP_OK)
			st = hp_reader_skip(w->c->reader, need - head, &skipped,
					    err);
		w->offset = hp_reader_tell(w->c->reader);
		return st;
	}
	st = hp_reader_skip(w->c->reader, rest, &skipped, err);
	if (st != HP_OK)
		return st;
	if (skipped < rest)
		return send_cut_sub(w, err);
	w->have = head;
	st = send_piece(w, p, head, 0, 1, err);
	w->offset = hp_reader_tell(w->c->reader);
	return st;
}

/*
 * Divide the array at w->data[0] into pieces, and submit each piece as a batch.
 */
static enum hp_status
send_in_pieces(struct record_walk *w, struct hp_piece *p, unsigned head,
	       unsigned width, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint64_t n;
	size_t at = head, want;

	while (p->first < p->sub.count && st == HP_OK) {
		n = p->sub.count - p->first;
		want = WALK_BATCH - at;
		if (n < want / width)
			want = (size_t)n * width;
		if (at == 0)
			st = ensure_bytes(w, want, err);
		else if (w->have < at + want)
			st = ensure_more_bytes(w, at + want, err);
		if (st != HP_OK)
			return st;
		n = (w->have - at) / width < n ? (w->have - at) / width : n;
		if (n == 0) { /* the input ends inside the array */
			w->offset += w->have;
			w->carried = 0;
			return hp_cutter_rest(w->c, err);
		}
		st = send_piece(w, p, at, n, width, err);
		at = 0;
	}
	return st;
}

/*
 * Whether an array of @need bytes must be read completely before its pieces are
 * submitted, because the input may end inside it. If the length of the record
 * is known, a truncated array is unlikely, and writing a billion references to
 * a temporary file would take too much time. So in this case, only arrays that
 * fit in memory are read first. If a larger array is truncated nevertheless,
 * its pieces before the end of the input are used.
 */
static bool
may_be_cut(const struct record_walk *w, uint64_t need)
{
	const struct hp_cutter *c = w->c;

	return !c->seekable && !hp_cutter_wants_all_bytes(c) &&
	       (c->rec->body == UINT64_MAX || need - w->have <= HP_HOLD_MEMORY);
}

/*
 * Handle a long array (or instance) at w->data[0]. @s: the fixed fields of the
 * array. @need: the length of the array in bytes, including its tag.
 */
static enum hp_status
send_long_sub(struct record_walk *w, const struct hp_sub *s, uint64_t need,
	      struct hp_error *err)
{
	struct hp_cutter *c = w->c;
	struct hp_piece p = {.sub = *s, .head = true};
	unsigned head = hp_subrecord_fixed[hp_widen(c->id_size)][s->tag];
	unsigned width = element_width(s, c->id_size);
	enum hp_status st;

	p.sub.start = p.sub.data = NULL;
	p.sub.size = need;
	if (need > c->size - w->offset)
		return send_cut_sub(w, err);
	if (is_body_unused(c, s->tag))
		return send_head_only(w, &p, need, head, err);
	if (may_be_cut(w, need)) {
		st = hp_hold_fill(&w->hold, c->reader, need - w->have, err);
		if (st != HP_OK)
			return st;
		if (hp_hold_left(&w->hold) < need - w->have)
			return send_cut_sub(w, err);
	}
	return send_in_pieces(w, &p, head, width, err);
}

/*
 * Step over all complete sub-records in w->data. The returned iterator is at
 * the first byte after these. The member `stop` of the iterator says why it
 * stopped.
 */
static struct hp_heap_iter
skip_whole_subs(struct record_walk *w, struct hp_sub *s, uint32_t *heap)
{
	unsigned id_size = w->c->id_size;
	struct hp_heap_iter it = hp_heap_begin(
		w->data, w->have, bytes_to_record_end(w, w->offset), w->offset);

	*heap = w->heap;
	for (;;) {
		hp_heap_skip_instances(&it, id_size);
		if (!hp_heap_next(&it, s, id_size))
			return it;
		hp_heap_prefetch_behind(it.at, s->size, HP_AHEAD);
		if (s->tag == HP_SUB_HEAP_DUMP_INFO)
			*heap = hp_load4(s->start + 1);
	}
}

static bool
has_more(const struct record_walk *w)
{
	const struct hp_cutter *c = w->c;
	uint64_t left = hp_reader_left(c->reader);

	return w->window ? within_input(c, w->offset, left) > w->have
			 : within_input(c, hp_reader_tell(c->reader), left) > 0;
}

/*
 * Whether a long sub-record is divided into pieces. This is not done for a very
 * long instance, which is invalid, so only its fixed fields are used.
 */
static bool
is_sent_in_pieces(const struct hp_sub *s, uint64_t need)
{
	return need > PIECE_MIN && (s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
				    s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
				    s->tag == HP_SUB_INSTANCE_DUMP);
}

/*
 * Submit the last bytes of the record that can be decoded. If damage follows, a
 * message says how many bytes of the record are left. If the length of the
 * record is not known, the function first reads the rest of the record to find
 * this number.
 */
static enum hp_status
send_last_run(struct record_walk *w, uint32_t heap_after, struct hp_error *err)
{
	struct hp_cutter *c = w->c;
	enum hp_status st = HP_OK;

	if (c->rec->body == UINT64_MAX && !hp_cutter_wants_all_bytes(c))
		st = hp_cutter_rest(c, err);
	if (st == HP_OK)
		st = send_run(w, w->have, heap_after, err);
	return st == HP_OK ? hp_cutter_rest(c, err) : st;
}

/*
 * Called where the record ends or cannot be decoded further. The record may be
 * longer than its length field states, because a 32-bit length wraps at 4 GB.
 * If it is longer, sets *@longer and makes more bytes available.
 */
static enum hp_status
look_beyond(struct record_walk *w, const struct hp_heap_iter *it, bool *longer,
	    struct hp_error *err)
{
	enum hp_status st;

	*longer = false;
	if (it->stop == HP_HEAP_CUT)
		return HP_OK;
	st = hp_reader_measure(w->c->reader, it->stop == HP_HEAP_END, longer,
			       err);
	if (st == HP_OK && *longer && w->have < WALK_BATCH)
		st = ensure_more_bytes(w, WALK_BATCH, err);
	return st;
}

/*
 * Submit the next part of the record as one batch. Sets *@more to true if the
 * record continues.
 */
static enum hp_status
walk_slot(struct record_walk *w, bool *more, struct hp_error *err)
{
	enum hp_status st = ensure_bytes(w, WALK_BATCH, err);
	struct hp_heap_iter it;
	struct hp_sub s = {0};
	bool longer;
	uint32_t heap;
	size_t whole;

	for (;;) {
		if (st != HP_OK)
			return st;
		longer = false;
		it = skip_whole_subs(w, &s, &heap);
		st = window_check(w, err);
		if (st != HP_OK)
			return st;
		whole = (size_t)(it.at - w->data);
		*more = it.stop == HP_HEAP_CUT && has_more(w);
		if (!*more)
			st = look_beyond(w, &it, &longer, err);
		if (st != HP_OK || longer)
			continue;
		if (!*more || whole > 0 || is_sent_in_pieces(&s, it.need))
			break;
		st = ensure_more_bytes(w, w->have * 2, err);
	}
	/* the record or the input ends here, or the data is damaged */
	if (!*more)
		return send_last_run(w, heap, err);
	if (whole > 0)
		return send_run(w, whole, heap, err);
	st = send_long_sub(w, &s, it.need, err);
	*more = hp_reader_left(w->c->reader) > 0 || w->carried > 0;
	/*
	 * The record ends where its length field states. Check whether this
	 * length wrapped at 4 GB, so that the record is longer.
	 */
	if (st == HP_OK && !*more)
		st = hp_reader_measure(w->c->reader, true, more, err);
	return st;
}

enum hp_status
hp_cutter_walk_record(struct hp_cutter *c, struct hp_error *err)
{
	struct record_walk w = {.c = c};
	enum hp_status st = HP_OK;
	bool more = true;

	hp_cutter_submit(c);
	hp_hold_init(&w.hold, c->spill.dir);
	w.offset = hp_reader_tell(c->reader);
	while (more && st == HP_OK)
		st = walk_slot(&w, &more, err);
	unmap_window(&w);
	hp_hold_release(&w.hold);
	hp_free(w.carry);
	return st;
}
