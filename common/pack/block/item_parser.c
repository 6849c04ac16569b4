/*
 * item_parser.c - divide a dump into items (records, sub-records and parts of
 * them) for a pack
 *
 * The division only decides how the bytes of the dump are stored. Even an
 * unsuitable division loses no bytes. Some dumps have problems that the code in
 * common/format corrects or reports. For these the parser sets `odd`; their
 * objects are then not counted from the tables of the pack.
 */
#include "common/pack/block/internal.h"

#include "common/model/rules.h"

#include <string.h>

enum {
	/* maximum size in bytes of the header of any record or sub-record */
	HEADER_MOST = 64,
	/*
	 * after this number of consecutive unknown tags, the rest of the dump
	 * is stored as raw bytes
	 */
	UNKNOWN_MOST = 4,
};

static enum hp_pack_step
emit_item(struct hp_pack_walk *w, struct hp_pack_item *item, unsigned kind,
	  unsigned tag, size_t size)
{
	item->kind = (uint8_t)kind;
	item->tag = (uint16_t)tag;
	item->at = w->at;
	item->size = (uint32_t)size;
	w->at += size;
	w->left -= size;
	return HP_PACK_ITEM;
}

static enum hp_pack_step
emit_raw(struct hp_pack_walk *w, struct hp_pack_item *item, size_t size)
{
	w->odd = true;
	return emit_item(w, item, HP_PACK_BYTES, HP_PACK_RAW, size);
}

/*
 * Handle an incomplete item: ask the caller for more bytes. If the input has no
 * more bytes, make an unparsed item of the bytes that are left.
 */
static enum hp_pack_step
need_more(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	if (!w->last || w->left == 0)
		return HP_PACK_MORE;
	return emit_raw(w, item, w->left);
}

static enum hp_pack_step
at_header(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	if (w->left < HEADER_MOST && !w->last)
		return HP_PACK_MORE;
	w->phase = HP_PACK_LOST;
	w->id_size = (uint8_t)hp_header_id_size(w->at, w->left);
	if (w->id_size == 0)
		return need_more(w, item);
	w->phase = HP_PACK_AT_RECORD;
	return emit_item(w, item, HP_PACK_BYTES, HP_PACK_HEADER,
			 hp_header_length(w->at, w->left));
}

static enum hp_pack_step
heap_head(struct hp_pack_walk *w, struct hp_pack_item *item, uint32_t length)
{
	uint8_t tag = w->at[0];

	if (length == 0 && w->left == HP_HEAD_SIZE && !w->last)
		return HP_PACK_MORE;
	w->heap = length;
	w->heap_tag = tag;
	w->overflow = false;
	w->phase = HP_PACK_IN_HEAP;
	if (length > 0)
		return emit_item(w, item, HP_PACK_ROW, HP_PACK_RECORD | tag,
				 HP_HEAD_SIZE);
	/*
	 * The heap record is empty, or the program that wrote the dump never
	 * filled in its length.
	 */
	if (w->left > HP_HEAD_SIZE && !hp_record_desc(w->at[HP_HEAD_SIZE])) {
		w->heap = UINT64_MAX;
		w->overflow = true;
	}
	w->odd = true;
	return emit_item(w, item, HP_PACK_ROW, HP_PACK_RECORD | tag,
			 HP_HEAD_SIZE);
}

/*
 * Make an item of the header of a record. The @length bytes of the record's
 * body become unparsed items.
 */
static enum hp_pack_step
emit_unparsed(struct hp_pack_walk *w, struct hp_pack_item *item,
	      uint32_t length)
{
	w->run = length;
	w->run_type = 0;
	w->heap = 0;
	w->phase = HP_PACK_IN_RUN;
	return emit_raw(w, item, HP_HEAD_SIZE);
}

/*
 * Make an item of the fixed fields of a STACK TRACE, ALLOC SITES or CLASS DUMP.
 * The bytes after these become separate items, so that similar data share a
 * column: the ids of frames become an item of kind HP_PACK_ELEMENTS, each site
 * becomes a row, and the tables of a class become bytes. The record must be
 * complete: @fixed bytes of fixed fields, and @rest bytes after them.
 */
static enum hp_pack_step
fields_and_rows(struct hp_pack_walk *w, struct hp_pack_item *item, unsigned tag,
		size_t fixed, uint64_t rest)
{
	if (rest > 0) {
		w->run = rest;
		w->rows_tag = (uint16_t)tag;
		w->phase = HP_PACK_IN_ROWS;
	}
	return emit_item(w, item, HP_PACK_ROW, tag, fixed);
}

static enum hp_pack_step
in_rows(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	unsigned kind = HP_PACK_BYTES, tag = w->rows_tag;
	size_t n = (size_t)w->run;

	if (tag == (HP_PACK_RECORD | HP_REC_STACK_TRACE) && n >= w->id_size) {
		n -= n % w->id_size;
		kind = HP_PACK_ELEMENTS;
		item->type = HP_TYPE_OBJECT;
	} else if (tag == (HP_PACK_RECORD | HP_REC_ALLOC_SITES) &&
		   n >= HP_SITE_ROW) {
		n = HP_SITE_ROW;
		kind = HP_PACK_ROW;
		tag = HP_PACK_SITE | w->at[0];
	}
	w->run -= n;
	if (w->run == 0)
		w->phase = tag & HP_PACK_RECORD ? HP_PACK_AT_RECORD
						: HP_PACK_IN_HEAP;
	return emit_item(w, item, kind, tag, n);
}

static enum hp_pack_step
at_record(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	const struct hp_record_desc *d;
	unsigned kind = HP_PACK_BYTES;
	uint32_t length, fixed;

	if (w->left < HP_HEAD_SIZE)
		return need_more(w, item);
	d = hp_record_desc(w->at[0]);
	length = hp_load4(w->at + 5);
	w->unknown = d ? 0 : w->unknown + 1;
	if (w->unknown == UNKNOWN_MOST) {
		w->phase = HP_PACK_LOST;
		return emit_raw(w, item, HP_HEAD_SIZE);
	}
	if (!d)
		return emit_unparsed(w, item, length);
	if (d->ending == HP_ENDS_HEAP)
		return heap_head(w, item, length);
	if (length > HP_PACK_LONG)
		return emit_unparsed(w, item, length);
	if (w->left - HP_HEAD_SIZE < length)
		return need_more(w, item);
	fixed = hp_record_fixed[hp_widen(w->id_size)][w->at[0]];
	if ((d->ending == HP_ENDS_FRAME_IDS ||
	     d->ending == HP_ENDS_SITE_ROWS) &&
	    length >= fixed)
		return fields_and_rows(w, item, HP_PACK_RECORD | w->at[0],
				       HP_HEAD_SIZE + (size_t)fixed,
				       length - fixed);
	if (d->ending == HP_ENDS_TEXT && length >= w->id_size)
		kind = HP_PACK_TEXT;
	else if (d->ending == HP_ENDS_NOTHING && length == fixed)
		kind = HP_PACK_ROW;
	return emit_item(w, item, kind, HP_PACK_RECORD | w->at[0],
			 HP_HEAD_SIZE + (size_t)length);
}

static void
skip_heap_bytes(struct hp_pack_walk *w, uint64_t n)
{
	if (w->heap != UINT64_MAX)
		w->heap -= n;
}

/*
 * Whether the object is damaged in a way that common/model/rules.h describes.
 * The objects of such a dump must be read one by one; they cannot be counted
 * from the tables of the pack.
 */
static bool
is_damaged(const struct hp_sub *s)
{
	struct hp_symptom symptom;

	return hp_symptom_of_object(s, &symptom) ||
	       hp_symptom_of_array(s, &symptom);
}

/*
 * Make an item of the header of a long array. Its elements, @rest bytes, become
 * further items.
 */
static enum hp_pack_step
long_array(struct hp_pack_walk *w, struct hp_pack_item *item,
	   const struct hp_sub *s, unsigned fixed, uint64_t rest)
{
	bool objects = s->tag == HP_SUB_OBJECT_ARRAY_DUMP;

	skip_heap_bytes(w, fixed + rest);
	w->odd |= is_damaged(s);
	w->run = rest;
	w->run_type = objects ? HP_TYPE_OBJECT : s->type;
	w->phase = HP_PACK_IN_RUN;
	item->type = w->run_type;
	item->class_id = 0;
	/*
	 * if the array is incomplete, the iterator may not have decoded the id
	 * of its class
	 */
	if (objects)
		item->class_id =
			hp_load_id(w->at + fixed - w->id_size, w->id_size);
	return emit_item(w, item,
			 objects ? HP_PACK_OBJECTS_HEAD
				 : HP_PACK_PRIMITIVES_HEAD,
			 s->tag, fixed);
}

/*
 * Make an unparsed item of the rest of the heap record, because no sub-record
 * can be found in it.
 */
static enum hp_pack_step
lost_heap(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	uint64_t n = w->heap < w->left ? w->heap : w->left;

	w->run = w->heap == UINT64_MAX ? UINT64_MAX : w->heap - n;
	w->run_type = 0;
	w->heap = 0;
	w->phase = w->run ? HP_PACK_IN_RUN : HP_PACK_AT_RECORD;
	return emit_raw(w, item, (size_t)n);
}

static bool
is_array(uint8_t tag)
{
	return tag == HP_SUB_OBJECT_ARRAY_DUMP ||
	       tag == HP_SUB_PRIMITIVE_ARRAY_DUMP;
}

static enum hp_pack_step
whole_sub(struct hp_pack_walk *w, struct hp_pack_item *item,
	  const struct hp_sub *s)
{
	unsigned kind = HP_PACK_ROW;

	w->odd |= is_damaged(s);
	if (s->tag == HP_SUB_INSTANCE_DUMP) {
		kind = HP_PACK_INSTANCE;
	} else if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		kind = HP_PACK_OBJECTS;
		item->type = HP_TYPE_OBJECT;
	} else if (s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP) {
		kind = HP_PACK_PRIMITIVES;
		item->type = s->type;
	} else if (s->tag == HP_SUB_CLASS_DUMP) {
		unsigned fixed = hp_subrecord_fixed[hp_widen(w->id_size)]
						   [HP_SUB_CLASS_DUMP];

		skip_heap_bytes(w, s->size);
		return fields_and_rows(w, item, HP_SUB_CLASS_DUMP, fixed,
				       s->size - fixed);
	} else if (s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA ||
		   s->tag == HP_SUB_HEAP_DUMP_INFO) {
		/*
		 * hprof-diff must read such sub-records in the order of the
		 * dump. So it cannot count the objects from the tables of the
		 * pack.
		 */
		w->odd = true;
	}
	skip_heap_bytes(w, s->size);
	return emit_item(w, item, kind, s->tag, (size_t)s->size);
}

/* Handle a sub-record that the iterator of heap.h cannot decode. */
static enum hp_pack_step
broken_sub(struct hp_pack_walk *w, struct hp_pack_item *item,
	   const struct hp_heap_iter *it, const struct hp_sub *s)
{
	unsigned fixed = hp_subrecord_fixed[hp_widen(w->id_size)][w->at[0]];

	if (it->stop != HP_HEAP_CUT) {
		/*
		 * In dumps over 4 GB, old versions of HotSpot write a wrong
		 * length of the heap record, because the length field is too
		 * small. So sub-records that continue after this length are no
		 * damage.
		 */
		if (w->heap_tag != HP_REC_HEAP_DUMP || w->overflow ||
		    it->stop == HP_HEAP_UNKNOWN_TAG || it->stop == HP_HEAP_TYPE)
			return lost_heap(w, item);
		w->overflow = true;
		w->odd = true;
		w->heap = UINT64_MAX;
		return HP_PACK_ITEM;
	}
	if (fixed && fixed <= w->left && is_array(s->tag) &&
	    it->need - fixed > HP_PACK_LONG)
		return long_array(w, item, s, fixed, it->need - fixed);
	if (s->tag == HP_SUB_INSTANCE_DUMP && it->need > HP_PACK_LONG &&
	    fixed <= w->left)
		return lost_heap(w, item);
	return need_more(w, item);
}

static enum hp_pack_step
in_heap(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	struct hp_heap_iter it = hp_heap_begin(
		w->at, w->left < w->heap ? w->left : w->heap, w->heap, 0);
	struct hp_sub s = {0};
	unsigned fixed;
	bool whole;

	if (w->left == 0)
		return HP_PACK_MORE;
	whole = w->id_size == 8 ? hp_heap_next(&it, &s, 8)
				: hp_heap_next(&it, &s, 4);
	if (!whole)
		return broken_sub(w, item, &it, &s);
	fixed = hp_subrecord_fixed[hp_widen(w->id_size)][s.tag];
	item->class_id = s.class_id;
	item->count = s.count;
	if (is_array(s.tag) && s.size - fixed > HP_PACK_LONG)
		return long_array(w, item, &s, fixed, s.size - fixed);
	if (s.tag == HP_SUB_INSTANCE_DUMP && s.size > HP_PACK_LONG)
		return lost_heap(w, item);
	return whole_sub(w, item, &s);
}

static enum hp_pack_step
in_run(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	unsigned width = hp_type_size(w->run_type, w->id_size);
	size_t n = w->run < w->left ? (size_t)w->run : w->left;

	if (width)
		n -= n % width;
	if (n == 0)
		return need_more(w, item);
	if (w->run != UINT64_MAX)
		w->run -= n;
	if (w->run == 0)
		w->phase = HP_PACK_IN_HEAP;
	if (!width)
		return emit_raw(w, item, n);
	item->type = w->run_type;
	return emit_item(w, item, HP_PACK_ELEMENTS, 0, n);
}

enum hp_pack_step
hp_pack_walk_next(struct hp_pack_walk *w, struct hp_pack_item *item)
{
	enum hp_pack_step step = HP_PACK_ITEM;

	item->kind = HP_PACK_KINDS;
	item->type = 0;
	while (step == HP_PACK_ITEM && item->kind == HP_PACK_KINDS) {
		if (w->phase == HP_PACK_IN_RUN && w->run == 0)
			w->phase = HP_PACK_IN_HEAP;
		if (w->phase == HP_PACK_IN_HEAP && w->heap == 0)
			w->phase = HP_PACK_AT_RECORD;
		if (w->phase == HP_PACK_AT_HEADER)
			step = at_header(w, item);
		else if (w->phase == HP_PACK_AT_RECORD)
			step = at_record(w, item);
		else if (w->phase == HP_PACK_IN_HEAP)
			step = in_heap(w, item);
		else if (w->phase == HP_PACK_IN_RUN)
			step = in_run(w, item);
		else if (w->phase == HP_PACK_IN_ROWS)
			step = in_rows(w, item);
		else
			step = w->left ? emit_raw(w, item, w->left)
				       : HP_PACK_MORE;
	}
	return step;
}
