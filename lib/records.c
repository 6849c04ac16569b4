/*
 * records.c - top-level records as items
 */
#include "lib/reader.h"

#include <stdlib.h>

/* A record's fields, one after the other; @whole turns false at the end. */
struct fields {
	struct hp_cursor body;
	unsigned id_size;
	bool whole;
};

static uint64_t
next_uint(struct fields *f, unsigned width)
{
	uint64_t v = 0;

	f->whole = hp_uint(&f->body, width, &v) && f->whole;
	return v;
}

static uint32_t
next_u4(struct fields *f)
{
	return (uint32_t)next_uint(f, 4);
}

static uint64_t
next_id(struct fields *f)
{
	return next_uint(f, f->id_size);
}

/* Room for @n rows of @size bytes that have @width bytes each in the body. */
static enum hp_status
reserve_rows(struct hprof_reader *r, struct fields *f, uint64_t n, size_t size,
	     unsigned width, struct hp_cursor *rows, void **out,
	     struct hp_error *err)
{
	*out = NULL;
	if (!f->whole || !hp_take_array(&f->body, n, width, rows)) {
		f->whole = false;
		return HP_OK;
	}
	*out = hp_scratch_reserve(&r->rows[0], n ? (size_t)n * size : 1);
	return *out ? HP_OK : hp_no_memory(err);
}

static enum hp_status
decode_trace(struct hprof_reader *r, struct fields *f, struct hp_error *err)
{
	struct hprof_item *item = &r->item;
	struct hp_cursor rows;
	enum hp_status st;
	uint64_t *ids;
	void *room;
	uint64_t n;

	item->u.trace.serial = next_u4(f);
	item->u.trace.thread_serial = next_u4(f);
	n = next_u4(f);
	st = reserve_rows(r, f, n, sizeof(*ids), r->id_size, &rows, &room, err);
	ids = room;
	for (uint64_t i = 0; ids && i < n; i++)
		ids[i] = hp_load_id(rows.data + i * r->id_size, r->id_size);
	item->u.trace.frames = ids;
	item->u.trace.count = ids ? (size_t)n : 0;
	return st;
}

static void
decode_totals(struct hprof_reader *r, struct fields *f)
{
	r->item.u.sites.live_bytes = next_u4(f);
	r->item.u.sites.live_instances = next_u4(f);
	r->item.u.sites.allocated_bytes = next_uint(f, 8);
	r->item.u.sites.allocated_instances = next_uint(f, 8);
}

/* Shape of a row: u1 array kind | u4 class | u4 trace | 4 times u4 */
static enum hp_status
decode_sites(struct hprof_reader *r, struct fields *f, struct hp_error *err)
{
	enum { ROW = 25 };
	struct hprof_site *sites;
	struct hp_cursor rows;
	enum hp_status st;
	void *room;
	uint64_t n;

	r->item.u.sites.flags = (uint16_t)next_uint(f, 2);
	r->item.u.sites.cutoff = next_u4(f);
	decode_totals(r, f);
	n = next_u4(f);
	st = reserve_rows(r, f, n, sizeof(*sites), ROW, &rows, &room, err);
	sites = room;
	for (uint64_t i = 0; sites && i < n; i++) {
		const uint8_t *p = rows.data + i * ROW;

		sites[i] = (struct hprof_site){
			.array_kind = p[0],
			.class_serial = hp_load4(p + 1),
			.trace_serial = hp_load4(p + 5),
			.live_bytes = hp_load4(p + 9),
			.live_instances = hp_load4(p + 13),
			.allocated_bytes = hp_load4(p + 17),
			.allocated_instances = hp_load4(p + 21)};
	}
	r->item.u.sites.rows = sites;
	r->item.u.sites.count = sites ? (size_t)n : 0;
	return st;
}

static enum hp_status
decode_samples(struct hprof_reader *r, struct fields *f, struct hp_error *err)
{
	enum { ROW = 8 };
	struct hprof_sample *samples;
	struct hp_cursor rows;
	enum hp_status st;
	void *room;
	uint64_t n;

	r->item.u.samples.total = next_u4(f);
	n = next_u4(f);
	st = reserve_rows(r, f, n, sizeof(*samples), ROW, &rows, &room, err);
	samples = room;
	for (uint64_t i = 0; samples && i < n; i++)
		samples[i] = (struct hprof_sample){
			.samples = hp_load4(rows.data + i * ROW),
			.trace_serial = hp_load4(rows.data + i * ROW + 4)};
	r->item.u.samples.rows = samples;
	r->item.u.samples.count = samples ? (size_t)n : 0;
	return st;
}

static void
decode_string(struct hprof_item *item, struct fields *f)
{
	item->u.string.id = next_id(f);
	item->u.string.text = (const char *)f->body.data + f->body.pos;
	item->u.string.length = (size_t)hp_left(&f->body);
}

static void
decode_load_class(struct hprof_item *item, struct fields *f)
{
	item->u.load_class.serial = next_u4(f);
	item->u.load_class.class_id = next_id(f);
	item->u.load_class.trace_serial = next_u4(f);
	item->u.load_class.name_id = next_id(f);
}

static void
decode_frame(struct hprof_item *item, struct fields *f)
{
	item->u.frame.id = next_id(f);
	item->u.frame.method_id = next_id(f);
	item->u.frame.signature_id = next_id(f);
	item->u.frame.source_id = next_id(f);
	item->u.frame.class_serial = next_u4(f);
	item->u.frame.line = (int32_t)next_u4(f);
}

static void
decode_thread(struct hprof_item *item, struct fields *f)
{
	item->u.thread.serial = next_u4(f);
	item->u.thread.object_id = next_id(f);
	item->u.thread.trace_serial = next_u4(f);
	item->u.thread.name_id = next_id(f);
	item->u.thread.group_id = next_id(f);
	item->u.thread.parent_id = next_id(f);
}

/* Which kind of item a record is; 0: one of no kind of its own. */
static const uint8_t kinds[256] = {
	[HP_REC_STRING] = HPROF_STRING,
	[HP_REC_LOAD_CLASS] = HPROF_LOAD_CLASS,
	[HP_REC_UNLOAD_CLASS] = HPROF_UNLOAD_CLASS,
	[HP_REC_STACK_FRAME] = HPROF_STACK_FRAME,
	[HP_REC_STACK_TRACE] = HPROF_STACK_TRACE,
	[HP_REC_ALLOC_SITES] = HPROF_ALLOC_SITES,
	[HP_REC_HEAP_SUMMARY] = HPROF_HEAP_SUMMARY,
	[HP_REC_START_THREAD] = HPROF_START_THREAD,
	[HP_REC_END_THREAD] = HPROF_END_THREAD,
	[HP_REC_CPU_SAMPLES] = HPROF_CPU_SAMPLES,
	[HP_REC_CONTROL_SETTINGS] = HPROF_CONTROL_SETTINGS,
	[HP_REC_HEAP_DUMP_END] = HPROF_HEAP_END,
};

static enum hp_status
decode(struct hprof_reader *r, struct fields *f, struct hp_error *err)
{
	struct hprof_item *item = &r->item;

	switch (item->kind) {
	case HPROF_STRING:
		decode_string(item, f);
		return HP_OK;
	case HPROF_LOAD_CLASS:
		decode_load_class(item, f);
		return HP_OK;
	case HPROF_UNLOAD_CLASS:
	case HPROF_END_THREAD:
		item->u.number.serial = next_u4(f);
		return HP_OK;
	case HPROF_STACK_FRAME:
		decode_frame(item, f);
		return HP_OK;
	case HPROF_STACK_TRACE:
		return decode_trace(r, f, err);
	case HPROF_ALLOC_SITES:
		return decode_sites(r, f, err);
	case HPROF_HEAP_SUMMARY:
		decode_totals(r, f);
		return HP_OK;
	case HPROF_START_THREAD:
		decode_thread(item, f);
		return HP_OK;
	case HPROF_CPU_SAMPLES:
		return decode_samples(r, f, err);
	case HPROF_CONTROL_SETTINGS:
		item->u.settings.flags = next_u4(f);
		item->u.settings.depth = (uint16_t)next_uint(f, 2);
		return HP_OK;
	case HPROF_HEAP_END:
		return HP_OK;
	default:
		item->u.bytes.data = f->body.data;
		item->u.bytes.length = (size_t)hp_left(&f->body);
		return HP_OK;
	}
}

enum hp_status
hp_decode_record(struct hprof_reader *r, struct hp_cursor body,
		 struct hp_error *err)
{
	struct fields f = {.body = body, .id_size = r->id_size, .whole = true};
	enum hp_status st;

	r->item.kind = kinds[r->item.tag] ? kinds[r->item.tag] : HPROF_OTHER;
	st = decode(r, &f, err);
	if (st == HP_OK && !f.whole)
		return hp_fail(err, HP_DAMAGED,
			       "a %s record at offset %llu is too short: "
			       "%llu bytes",
			       r->item.name, (unsigned long long)r->item.offset,
			       (unsigned long long)body.len);
	return st;
}
