/* records.c - decode records outside of the heap into items */
#include "lib/internal.h"

#include <stdlib.h>

struct fields {
	struct hp_cursor body;
	unsigned id_size;
	/* false: a field that was read extends beyond the end of the body */
	bool whole;
	bool no_memory;
	/* memory for the rows of the item that is decoded */
	struct hp_scratch *room;
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

/*
 * Read a u4 number of rows and allocate an array of that many elements of @size
 * bytes. Each row has @width bytes in the body. *@at receives the address of
 * the first row. Returns NULL, with *@count 0, if the body is too short or if
 * out of memory.
 */
static void *
take_rows(struct fields *f, size_t size, unsigned width, const uint8_t **at,
	  size_t *count)
{
	uint64_t n = next_u4(f);
	struct hp_cursor rows;
	void *out;

	*count = 0;
	f->whole = f->whole && hp_take_array(&f->body, n, width, &rows);
	if (!f->whole)
		return NULL;
	out = hp_scratch_reserve(f->room, n ? (size_t)n * size : 1);
	f->no_memory = !out;
	*at = rows.data;
	*count = out ? (size_t)n : 0;
	return out;
}

static void
decode_trace(struct hprof_item *item, struct fields *f)
{
	const uint8_t *p;
	uint64_t *ids;

	item->u.trace.serial = next_u4(f);
	item->u.trace.thread_serial = next_u4(f);
	ids = take_rows(f, sizeof(*ids), f->id_size, &p, &item->u.trace.count);
	for (size_t i = 0; i < item->u.trace.count; i++)
		ids[i] = hp_load_id(p + i * f->id_size, f->id_size);
	item->u.trace.frames = ids;
}

static void
decode_totals(struct hprof_item *item, struct fields *f)
{
	item->u.sites.live_bytes = next_u4(f);
	item->u.sites.live_instances = next_u4(f);
	item->u.sites.allocated_bytes = next_uint(f, 8);
	item->u.sites.allocated_instances = next_uint(f, 8);
}

/*
 * Decode ALLOC SITES. The layout of a row is: u1 array kind | u4 class | u4
 * trace | 4 times u4
 */
static void
decode_sites(struct hprof_item *item, struct fields *f)
{
	struct hprof_site *sites;
	const uint8_t *p;

	item->u.sites.flags = (uint16_t)next_uint(f, 2);
	item->u.sites.cutoff = next_u4(f);
	decode_totals(item, f);
	sites = take_rows(f, sizeof(*sites), HP_SITE_ROW, &p,
			  &item->u.sites.count);
	for (size_t i = 0; i < item->u.sites.count; i++, p += HP_SITE_ROW)
		sites[i] = (struct hprof_site){
			.array_kind = hp_lib_type(p[0]),
			.class_serial = hp_load4(p + 1),
			.trace_serial = hp_load4(p + 5),
			.live_bytes = hp_load4(p + 9),
			.live_instances = hp_load4(p + 13),
			.allocated_bytes = hp_load4(p + 17),
			.allocated_instances = hp_load4(p + 21)};
	item->u.sites.rows = sites;
}

static void
decode_samples(struct hprof_item *item, struct fields *f)
{
	struct hprof_sample *samples;
	const uint8_t *p;

	item->u.samples.total = next_u4(f);
	samples = take_rows(f, sizeof(*samples), HP_SAMPLE_ROW, &p,
			    &item->u.samples.count);
	for (size_t i = 0; i < item->u.samples.count; i++, p += HP_SAMPLE_ROW)
		samples[i] =
			(struct hprof_sample){.samples = hp_load4(p),
					      .trace_serial = hp_load4(p + 4)};
	item->u.samples.rows = samples;
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

static void
decode_serial(struct hprof_item *item, struct fields *f)
{
	item->u.number.serial = next_u4(f);
}

static void
decode_settings(struct hprof_item *item, struct fields *f)
{
	item->u.settings.flags = next_u4(f);
	item->u.settings.depth = (uint16_t)next_uint(f, 2);
}

static void
decode_nothing(struct hprof_item *item, struct fields *f)
{
}

static void
decode_other(struct hprof_item *item, struct fields *f)
{
	item->kind = HPROF_OTHER;
	item->u.bytes.data = f->body.data;
	item->u.bytes.length = (size_t)hp_left(&f->body);
}

/*
 * For the tag of each record: the kind of the item, and the function that
 * decodes the record. Tags without an entry become HPROF_OTHER.
 */
static const struct {
	int kind;
	void (*decode)(struct hprof_item *item, struct fields *f);
} records[256] = {
	[HP_REC_STRING] = {HPROF_STRING, decode_string},
	[HP_REC_LOAD_CLASS] = {HPROF_LOAD_CLASS, decode_load_class},
	[HP_REC_UNLOAD_CLASS] = {HPROF_UNLOAD_CLASS, decode_serial},
	[HP_REC_STACK_FRAME] = {HPROF_STACK_FRAME, decode_frame},
	[HP_REC_STACK_TRACE] = {HPROF_STACK_TRACE, decode_trace},
	[HP_REC_ALLOC_SITES] = {HPROF_ALLOC_SITES, decode_sites},
	[HP_REC_HEAP_SUMMARY] = {HPROF_HEAP_SUMMARY, decode_totals},
	[HP_REC_START_THREAD] = {HPROF_START_THREAD, decode_thread},
	[HP_REC_END_THREAD] = {HPROF_END_THREAD, decode_serial},
	[HP_REC_CPU_SAMPLES] = {HPROF_CPU_SAMPLES, decode_samples},
	[HP_REC_CONTROL_SETTINGS] = {HPROF_CONTROL_SETTINGS, decode_settings},
	[HP_REC_HEAP_DUMP_END] = {HPROF_HEAP_END, decode_nothing},
};

enum hp_status
hp_decode_record(struct hprof_reader *r, struct hp_cursor body,
		 struct hp_error *err)
{
	struct fields f = {.body = body,
			   .id_size = r->id_size,
			   .whole = true,
			   .room = &r->rows[0]};
	const uint8_t tag = r->item.tag;

	r->item.kind = records[tag].kind;
	(records[tag].decode ? records[tag].decode : decode_other)(&r->item,
								   &f);
	if (f.no_memory)
		return hp_no_memory(err);
	if (!f.whole)
		return hp_fail(err, HP_DAMAGED,
			       "the %s record at offset %llu is too short: "
			       "%llu bytes",
			       r->item.name, (unsigned long long)r->item.offset,
			       (unsigned long long)body.len);
	return HP_OK;
}
