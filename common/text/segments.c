/*
 * segments.c - write a heap dump from the stored lines of a text: first
 * classes, then roots, objects and arrays
 *
 * The dump is written as segments of about a megabyte. An array that is longer
 * is a segment of its own, which is written directly to the output.
 */
#include "common/text/internal.h"

#include <stdio.h>

enum {
	HEAD = 9, /* size of a record header in bytes */
	SEGMENT =
		1 << 20, /* approximate size of a heap dump segment in bytes */
	/*
	 * hp_text_drain() returns when this number of bytes of output is ready.
	 */
	ENOUGH = SEGMENT / 2,
	/*
	 * If a gap between two elements of an array has more bytes than this,
	 * it is not filled with zeros in memory. Only the number of zeros is
	 * stored, in r->zeros.
	 */
	GAP = 64 << 10,
	/* maximum number of entries (stored lines) to process in one call */
	DRAIN_AT_ONCE = 20000,
};

/*
 * Write a segment to the output: its record header, then the sub-records in
 * r->segment. @length: the length of the body of the record in bytes. If
 * possible, the segment's buffer is exchanged with the output buffer, which
 * avoids a copy.
 */
static void
put_segment(struct hp_text_records *r, uint64_t length)
{
	struct hp_buf head, body = r->segment;

	if (!hp_buf_ok(&r->segment) || !hp_buf_ok(&r->out))
		return;
	head = hp_buf_over(body.data, HEAD);
	hp_append_record_head(&head, HP_REC_HEAP_DUMP_SEGMENT, r->heap_time,
			      length);
	if (r->out.len > 0) {
		hp_text_out(r, body.data, body.len);
	} else {
		r->total += body.len;
		r->segment = r->out;
		r->out = body;
	}
	r->segment.len = 0;
}

static void
close_segment(struct hp_text_records *r)
{
	if (r->segment.len > 0)
		put_segment(r, r->segment.len - HEAD);
}

/*
 * Begin a sub-record of @size bytes, and report its offset in the binary dump
 * for the line @spot of the text.
 */
static void
begin_sub(struct hp_text_records *r, uint64_t size,
	  const struct hp_text_spot *spot)
{
	if (r->segment.len > 0 && r->segment.len - HEAD + size > SEGMENT)
		close_segment(r);
	if (r->segment.len == 0)
		hp_buf_fill(&r->segment, 0, HEAD);
	hp_text_place(r, r->total + r->segment.len, spot);
}

static void
put_links(struct hp_text_records *r, const struct hp_text_cls *c,
	  bool is_static)
{
	/* NULL if no class of the dump has static fields or constants */
	const struct hp_text_member *links = r->links.items;
	struct hp_buf *b = &r->segment;

	hp_append_uint(b, is_static ? c->statics : c->constants, 2);
	for (uint32_t i = 0; i < c->statics + c->constants; i++) {
		const struct hp_text_member *link = &links[c->first + i];

		if (link->is_static != is_static)
			continue;
		if (is_static)
			hp_text_put_id(r, b, hp_text_string_id(link->name));
		else
			hp_append_uint(b, link->name, 2);
		hp_append_uint(b, HP_TYPE_OBJECT, 1);
		hp_text_put_id(r, b, link->value);
	}
}

/*
 * Returns the smallest number of filler fields whose sizes add up to @bytes
 * bytes. Filler fields stand for the primitive fields of a class, which the
 * text does not show.
 */
static uint32_t
filler_count(uint32_t bytes)
{
	return bytes / 8 + (bytes % 8 != 0);
}

/*
 * Returns the number of the name of filler field number @n. (Filler fields
 * stand for primitive fields, which the text does not show.) The names differ
 * within a class. Returns 0 if out of memory.
 */
static uint32_t
filler_name(struct hp_text_records *r, uint32_t n)
{
	char name[32];
	int length = snprintf(name, sizeof(name), "(primitives %u)", n);

	return hp_text_own_name(r, name, (size_t)length);
}

static bool
put_fields(struct hp_text_records *r, const struct hp_text_shape *s)
{
	struct hp_buf *b = &r->segment;
	uint32_t n = filler_count(s->filler);
	/*
	 * The number of bytes of the filler fields that the super classes
	 * declare. Filler fields stand for primitive fields.
	 */
	uint32_t below = s->fillers - s->filler;

	hp_append_uint(b, s->own + n, 2);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct hp_text_field *f = &s->fields[s->sorted[i]];

		if (f->owner || f->at == HP_TEXT_NO_FIELD)
			continue;
		hp_text_put_id(r, b, hp_text_string_id(f->name));
		hp_append_uint(b, HP_TYPE_OBJECT, 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		bool wide = s->filler - 8 * i >= 8;
		uint32_t name = filler_name(r, below + i);

		if (!name)
			return false;
		hp_text_put_id(r, b, hp_text_string_id(name));
		hp_append_uint(b, wide ? HP_TYPE_LONG : HP_TYPE_INT, 1);
	}
	return true;
}

static bool
put_class(struct hp_text_records *r, const struct hp_text_cls *c)
{
	const struct hp_text_shape *s = hp_text_shape(&r->shapes, c->class);
	struct hp_buf *b = &r->segment;
	unsigned id = r->model.id_size;

	begin_sub(r,
		  15 + 7 * id +
			  (uint64_t)(c->statics + c->constants) * (2 * id + 1),
		  &c->spot);
	hp_append_uint(b, HP_SUB_CLASS_DUMP, 1);
	hp_text_put_id(r, b, hp_text_class(r, c->class)->id);
	hp_append_uint(b, c->trace, 4);
	hp_text_put_id(r, b, c->links[HP_TEXT_SUPER]);
	hp_text_put_id(r, b, c->links[HP_TEXT_LOADER]);
	hp_text_put_id(r, b, c->links[HP_TEXT_SIGNERS]);
	hp_text_put_id(r, b, c->links[HP_TEXT_DOMAIN]);
	hp_text_put_id(r, b, 0);
	hp_text_put_id(r, b, 0);
	hp_append_uint(b, hp_text_shape_data(s, id), 4);
	put_links(r, c, false);
	put_links(r, c, true);
	return put_fields(r, s);
}

static void
put_root(struct hp_text_records *r, unsigned kind, uint64_t id, uint64_t second,
	 uint64_t third)
{
	static const uint8_t tags[] = {
		[HP_TEXT_ROOT_UNKNOWN] = HP_SUB_ROOT_UNKNOWN,
		[HP_TEXT_ROOT_THREAD] = HP_SUB_ROOT_THREAD_OBJECT,
		[HP_TEXT_ROOT_JNI_GLOBAL] = HP_SUB_ROOT_JNI_GLOBAL,
		[HP_TEXT_ROOT_JNI_LOCAL] = HP_SUB_ROOT_JNI_LOCAL,
		[HP_TEXT_ROOT_CLASS] = HP_SUB_ROOT_STICKY_CLASS,
		[HP_TEXT_ROOT_MONITOR] = HP_SUB_ROOT_MONITOR_USED,
		[HP_TEXT_ROOT_THREAD_BLOCK] = HP_SUB_ROOT_THREAD_BLOCK,
		[HP_TEXT_ROOT_JAVA_FRAME] = HP_SUB_ROOT_JAVA_FRAME,
		[HP_TEXT_ROOT_NATIVE] = HP_SUB_ROOT_NATIVE_STACK};
	const uint64_t values[] = {id, second, third};
	const struct hp_field_desc *f = hp_subrecord_desc(tags[kind])->fields;

	hp_append_uint(&r->segment, tags[kind], 1);
	for (size_t i = 0; f[i].name; i++)
		hp_append_uint(&r->segment, values[i],
			       hp_shape_size(f[i].shape, r->model.id_size));
}

static void
put_object(struct hp_text_records *r)
{
	hp_buf_add(&r->segment, r->object.data, r->object.len);
	hp_buf_clear(&r->object);
	r->class = 0;
}

static void
begin_object(struct hp_text_records *r, const struct hp_text_spot *spot)
{
	uint64_t id = hp_text_spool_take_number(&r->spool);
	uint64_t trace = hp_text_spool_take_number(&r->spool);
	uint32_t class = (uint32_t)hp_text_spool_take_number(&r->spool);
	const struct hp_text_shape *s = hp_text_shape(&r->shapes, class);
	uint64_t data = hp_text_shape_data(s, r->model.id_size);
	struct hp_buf *b = &r->segment;

	begin_sub(r, 9 + 2 * r->model.id_size + data, spot);
	hp_append_uint(b, HP_SUB_INSTANCE_DUMP, 1);
	hp_text_put_id(r, b, id);
	hp_append_uint(b, trace, 4);
	hp_text_put_id(r, b, hp_text_class(r, class)->id);
	hp_append_uint(b, data, 4);
	hp_buf_clear(&r->object);
	hp_buf_fill(&r->object, 0, data);
	r->class = class;
}

static void
put_field(struct hp_text_records *r)
{
	uint64_t slot = hp_text_spool_take_number(&r->spool);
	uint64_t value = hp_text_spool_take_number(&r->spool);
	const struct hp_text_shape *s = hp_text_shape(&r->shapes, r->class);
	unsigned width = r->model.id_size;
	struct hp_buf at;

	if (!hp_buf_ok(&r->object) || s->fields[slot].at == HP_TEXT_NO_FIELD)
		return;
	at = hp_buf_over(r->object.data + s->fields[slot].at, width);
	hp_append_uint(&at, value, width);
}

/*
 * Reduce @n, the number of elements of an array, if necessary, so that the
 * array fits into a record. An element has @width bytes, and the array has
 * @head bytes before its elements.
 */
static uint64_t
elements_that_fit(uint64_t n, unsigned width, uint64_t head)
{
	uint64_t most = (UINT32_MAX - head) / width;

	return n < most ? n : most;
}

/* An array, as its line was stored in the spool (temporary file). */
struct waiting_array {
	bool primitive;
	/* type code of a primitive array; class number of an object array */
	uint32_t what;
	uint64_t id, trace, count;
};

/*
 * Append the first @head bytes of the sub-record of an array: all bytes before
 * its elements.
 */
static void
put_array_head(struct hp_text_records *r, const struct waiting_array *a,
	       uint64_t n, size_t head)
{
	unsigned width = r->model.id_size;
	uint8_t *to;

	if (!hp_buf_reserve(&r->segment, head))
		return;
	to = (uint8_t *)r->segment.data + r->segment.len;
	r->segment.len += head;
	*to++ = a->primitive ? HP_SUB_PRIMITIVE_ARRAY_DUMP
			     : HP_SUB_OBJECT_ARRAY_DUMP;
	to = hp_store_id(to, a->id, width);
	to = hp_store_id(to, a->trace, 4);
	to = hp_store_id(to, n, 4);
	if (a->primitive)
		*to = (uint8_t)a->what;
	else
		hp_store_id(to, hp_text_class(r, a->what)->id, width);
}

/*
 * Begin an array. If it is longer than a segment, it gets a segment of its own.
 */
static void
begin_array(struct hp_text_records *r, const struct waiting_array *a,
	    const struct hp_text_spot *spot)
{
	unsigned id = r->model.id_size;
	unsigned width = a->primitive ? hp_type_size(a->what, 4) : id;
	uint64_t head = 9 + (a->primitive ? id + 1u : 2 * id);
	uint64_t n = elements_that_fit(a->count, width, head);
	uint64_t bytes = n * width;

	begin_sub(r, head + bytes, spot);
	put_array_head(r, a, n, head);
	r->array = (struct hp_text_long){.open = !a->primitive,
					 .alone = bytes > SEGMENT,
					 .count = a->primitive ? 0 : n};
	if (r->array.alone)
		put_segment(r, head + bytes);
	if (!a->primitive)
		return;
	if (r->array.alone) {
		r->zeros = bytes;
		r->total += bytes;
	} else {
		hp_buf_fill(&r->segment, 0, bytes);
	}
}

/*
 * Append zeros to the current array up to element number @index. If there are
 * many zeros, the function only sets r->zeros to their number of bytes, and
 * returns false. The caller then writes the zeros.
 */
static bool
fill_array(struct hp_text_records *r, uint64_t index)
{
	unsigned width = r->model.id_size;
	uint64_t bytes = (index - r->array.next) * width;

	if (!r->array.alone) {
		hp_buf_fill(&r->segment, 0, bytes);
	} else if (bytes <= GAP) {
		hp_buf_fill(&r->out, 0, bytes);
		r->total += bytes;
	} else {
		r->zeros = bytes;
		r->total += bytes;
		r->array.next = index;
		return false;
	}
	r->array.next = index;
	return true;
}

/*
 * Append an element to the current array. If many zeros come before it, the
 * function only stores their number in r->zeros and returns false. After the
 * caller has written the zeros, it calls the function again.
 */
static bool
put_element(struct hp_text_records *r, uint64_t index, uint64_t value)
{
	struct hp_buf *b = r->array.alone ? &r->out : &r->segment;
	unsigned width = r->model.id_size;

	if (!r->array.open || index < r->array.next || index >= r->array.count)
		/*
		 * Leave out the element, because its index is too large for a
		 * record.
		 */
		return true;
	if (index > r->array.next && !fill_array(r, index))
		return false;
	if (!hp_buf_reserve(b, width))
		/*
		 * Memory ran out. The next call of hp_text_drain() returns
		 * HP_NOMEM.
		 */
		return true;
	hp_store_id((uint8_t *)b->data + b->len, value, width);
	b->len += width;
	if (r->array.alone)
		r->total += width;
	r->array.next++;
	return true;
}

/*
 * Complete the current object or array. If an array ends with many zeros, the
 * function only stores their number in r->zeros and returns false. After the
 * caller has written the zeros, it calls the function again.
 */
static bool
finish_object(struct hp_text_records *r)
{
	if (r->class)
		put_object(r);
	if (!r->array.open)
		return true;
	r->array.open = false;
	return fill_array(r, r->array.count);
}

/*
 * Read the stored line of an array, and begin the array. If all its elements
 * are zeros and there are many, the function stores their number of bytes in
 * r->zeros and returns false. The caller then writes the zeros.
 */
static bool
take_array(struct hp_text_records *r, uint8_t tag,
	   const struct hp_text_spot *spot)
{
	struct waiting_array a = {.primitive = tag == ENTRY_PRIMITIVES};

	a.id = hp_text_spool_take_number(&r->spool);
	a.trace = hp_text_spool_take_number(&r->spool);
	a.what = (uint32_t)hp_text_spool_take_number(&r->spool);
	a.count = hp_text_spool_take_number(&r->spool);
	begin_array(r, &a, spot);
	return r->zeros == 0;
}

static void
take_root(struct hp_text_records *r, const struct hp_text_spot *spot)
{
	uint8_t kind = hp_text_spool_take(&r->spool);
	uint64_t id = hp_text_spool_take_number(&r->spool);
	uint64_t second = hp_text_spool_take_number(&r->spool);

	begin_sub(r, 17 + r->model.id_size, spot);
	put_root(r, kind, id, second, hp_text_spool_take_number(&r->spool));
}

static bool
take_element(struct hp_text_records *r)
{
	uint64_t index = hp_text_spool_take_number(&r->spool);

	return put_element(r, index, hp_text_spool_take_number(&r->spool));
}

/*
 * Write one stored line to the dump. Returns false if r->zeros was set, so that
 * the caller must now write this number of zeros, or if the line must be
 * processed again.
 */
static bool
drain_entry(struct hp_text_records *r)
{
	size_t at = r->spool.at;
	uint8_t tag = hp_text_spool_take(&r->spool);
	struct hp_text_spot spot = {0};

	if (tag == ENTRY_FIELD) {
		put_field(r);
		return true;
	}
	if (tag == ENTRY_ELEMENT ? !take_element(r) : !finish_object(r)) {
		r->spool.at = at;
		return false;
	}
	if (tag == ENTRY_ELEMENT)
		return true;
	if (r->options.place) {
		spot.line = hp_text_spool_take_number(&r->spool);
		spot.offset = hp_text_spool_take_number(&r->spool);
	}
	if (tag == ENTRY_ROOT)
		take_root(r, &spot);
	else if (tag == ENTRY_OBJECT)
		begin_object(r, &spot);
	else
		return take_array(r, tag, &spot);
	return true;
}

/* ---- runs ---- */

/*
 * Read a definition of a run (group of packed lines): the class and the list of
 * fields of similar objects. Compute the offsets of these fields in the data of
 * an instance.
 */
static bool
take_def(struct hp_text_records *r)
{
	struct hp_text_run_def *def = hp_vec_add(&r->run_defs, sizeof(*def));
	const struct hp_text_shape *s;

	if (!def)
		return false;
	def->class = (uint32_t)hp_text_spool_take_number(&r->spool);
	def->fields = (uint32_t)hp_text_spool_take_number(&r->spool);
	def->first = r->run_slots.count;
	s = hp_text_shape(&r->shapes, def->class);
	for (uint32_t i = 0; i < def->fields; i++) {
		uint64_t n = hp_text_spool_take_number(&r->spool);
		const uint32_t at = s->fields[n].at;

		if (!hp_vec_push(&r->run_slots, &at, sizeof(at)))
			return false;
	}
	return true;
}

/*
 * Read the beginning of a run (packed lines of similar objects) from the spool
 * (temporary file), and its definitions. The rows of the run come next.
 */
static enum hp_status
begin_run(struct hp_text_records *r, struct hp_error *err)
{
	uint64_t defs, def_bytes, rows;
	enum hp_status st;
	bool there;

	hp_text_spool_take(&r->spool);
	if (r->options.place) {
		r->run_spot.line = hp_text_spool_take_number(&r->spool);
		r->run_spot.offset = hp_text_spool_take_number(&r->spool);
	}
	defs = hp_text_spool_take_number(&r->spool);
	def_bytes = hp_text_spool_take_number(&r->spool);
	rows = hp_text_spool_take_number(&r->spool);
	/*
	 * Each number is read as eight bytes, perhaps beyond the end of the run
	 * (group of packed lines). The buffer has space for that.
	 */
	st = hp_text_spool_need(&r->spool, def_bytes + rows, &there, err);
	if (st != HP_OK)
		return st;
	if (!there)
		return hp_fail(err, HP_IO, "cannot read a temporary file");
	r->run_defs.count = 0;
	r->run_slots.count = 0;
	for (uint64_t i = 0; i < defs; i++)
		if (!take_def(r))
			return hp_no_memory(err);
	r->run_end = r->spool.at + rows;
	return HP_OK;
}

static uint16_t
take_def_number(struct hp_text_records *r)
{
	uint16_t v;

	memcpy(&v, r->spool.buf + r->spool.at, sizeof(v));
	r->spool.at += sizeof(v);
	return le16toh(v);
}

/*
 * Append an object to the current heap dump segment. The row of the object in
 * the run (group of packed lines) contains the values of all fields.
 */
static bool
put_row_object(struct hp_text_records *r)
{
	const struct hp_text_run_def *def =
		(const struct hp_text_run_def *)r->run_defs.items +
		take_def_number(r);
	/* NULL if no object of the run has fields */
	const uint32_t *ats = r->run_slots.items;
	const struct hp_text_shape *s = hp_text_shape(&r->shapes, def->class);
	unsigned width = r->model.id_size;
	uint64_t data = hp_text_shape_data(s, width);
	uint64_t size = 9 + 2 * width + data;
	uint8_t *to;

	begin_sub(r, size, &r->run_spot);
	if (!hp_buf_reserve(&r->segment, size))
		return false;
	to = (uint8_t *)r->segment.data + r->segment.len;
	r->segment.len += size;
	*to++ = HP_SUB_INSTANCE_DUMP;
	to = hp_store_id(to, hp_text_spool_take_number(&r->spool), width);
	to = hp_store_id(to, hp_text_spool_take_number(&r->spool), 4);
	to = hp_store_id(to, hp_text_class(r, def->class)->id, width);
	to = hp_store_id(to, data, 4);
	memset(to, 0, data);
	for (uint32_t i = 0; i < def->fields; i++) {
		uint64_t value = hp_text_spool_take_number(&r->spool);

		if (ats[def->first + i] != HP_TEXT_NO_FIELD)
			hp_store_id(to + ats[def->first + i], value, width);
	}
	return true;
}

static bool
put_row_array(struct hp_text_records *r, bool primitive)
{
	const struct hp_text_run_def *defs = r->run_defs.items;
	struct waiting_array a = {.primitive = primitive};

	a.what = primitive ? hp_text_spool_take(&r->spool)
			   : defs[take_def_number(r)].class;
	a.id = hp_text_spool_take_number(&r->spool);
	a.trace = hp_text_spool_take_number(&r->spool);
	a.count = hp_text_spool_take_number(&r->spool);
	begin_array(r, &a, &r->run_spot);
	return r->zeros == 0;
}

/*
 * Write one row of a run (group of packed lines). Returns false if r->zeros was
 * set, so that the caller must now write this number of zeros.
 */
static bool
drain_row(struct hp_text_records *r)
{
	size_t at = r->spool.at;
	uint8_t kind = hp_text_spool_take(&r->spool);
	bool fine;

	if (kind == HP_TEXT_ROW_NEXT)
		fine = put_element(r, r->array.next,
				   hp_text_spool_take_number(&r->spool));
	else if (kind == HP_TEXT_ROW_ELEMENT)
		fine = take_element(r);
	else
		fine = finish_object(r);
	if (!fine)
		r->spool.at = at;
	if (!fine || kind >= HP_TEXT_ROW_ELEMENT)
		return fine;
	if (r->options.place) {
		r->run_spot.line += hp_text_spool_take_number(&r->spool);
		r->run_spot.offset += hp_text_spool_take_number(&r->spool);
	}
	if (kind == HP_TEXT_ROW_OBJECT)
		return put_row_object(r);
	return put_row_array(r, kind == HP_TEXT_ROW_PRIMITIVES);
}

/* ---- the whole dump ---- */

static enum hp_status
finish_dump(struct hp_text_records *r, struct hp_error *err)
{
	char bytes[9];
	struct hp_buf head = hp_buf_over(bytes, sizeof(bytes));

	if (!finish_object(r))
		/*
		 * The caller must first write r->zeros zeros. The dump is
		 * finished after that.
		 */
		return HP_OK;
	close_segment(r);
	if (r->heap_whole) {
		hp_append_record_head(&head, HP_REC_HEAP_DUMP_END, r->heap_time,
				      0);
		hp_text_out(r, bytes, head.len);
	}
	r->draining = false;
	hp_text_spool_reset(&r->spool);
	return hp_buf_ok(&r->out) ? HP_OK : hp_no_memory(err);
}

/*
 * Write rows of a run (group of packed lines) until enough output is ready for
 * the caller.
 */
static void
drain_rows(struct hp_text_records *r)
{
	while (r->spool.at < r->run_end && drain_row(r) &&
	       r->out.len - r->out_at < ENOUGH)
		;
	if (r->spool.at >= r->run_end && r->zeros == 0)
		r->run_end = 0;
}

enum hp_status
hp_text_drain(struct hp_text_records *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	bool more = true, go = true;

	for (unsigned n = 0; n < DRAIN_AT_ONCE && r->zeros == 0 && go; n++) {
		if (r->run_end > 0) {
			drain_rows(r);
			break;
		}
		st = hp_text_spool_more(&r->spool, &more, err);
		if (st == HP_OK && !more)
			return finish_dump(r, err);
		if (st == HP_OK && r->spool.buf[r->spool.at] == ENTRY_RUN)
			st = begin_run(r, err);
		else if (st == HP_OK)
			go = drain_entry(r) && r->out.len - r->out_at < ENOUGH;
		if (st != HP_OK)
			return st;
	}
	if (!hp_buf_ok(&r->out) || !hp_buf_ok(&r->segment) ||
	    !hp_buf_ok(&r->object))
		return hp_no_memory(err);
	return HP_OK;
}

bool
hp_text_name_fillers(struct hp_text_records *r)
{
	const struct hp_text_cls *cls = r->cls.items;

	for (size_t i = 0; i < r->cls.count; i++) {
		const struct hp_text_shape *s =
			hp_text_shape(&r->shapes, cls[i].class);
		uint32_t first = s->fillers - s->filler;

		for (uint32_t k = 0; k < filler_count(s->filler); k++)
			if (!filler_name(r, first + k))
				return false;
	}
	return true;
}

bool
hp_text_put_classes(struct hp_text_records *r)
{
	const struct hp_text_cls *cls = r->cls.items;

	for (size_t i = 0; i < r->cls.count; i++)
		if (!put_class(r, &cls[i]))
			return false;
	return true;
}
