/*
 * file_map.c - measure what each part of a file contains: how many bytes of
 * strings, instances, arrays and so on
 *
 * The code of the checks must be fast, so it does not count these bytes. The
 * functions in this file read the records once more to count the bytes. They
 * run only for reports that show the map.
 */
#include "validate/file_map.h"

#include <stddef.h>

const char *
hp_content_name(enum hp_content kind)
{
	static const char *const names[] = {
		[HP_CONTENT_STRINGS] = "strings",
		[HP_CONTENT_CLASSES] = "classes",
		[HP_CONTENT_STACKS] = "stacks and threads",
		[HP_CONTENT_INSTANCES] = "instances",
		[HP_CONTENT_OBJECT_ARRAYS] = "arrays of objects",
		[HP_CONTENT_PRIMITIVE_ARRAYS] = "arrays of primitives",
		[HP_CONTENT_ROOTS] = "roots",
		[HP_CONTENT_OTHER] = "headers and other records",
		[HP_CONTENT_UNKNOWN] = "unknown records",
		[HP_CONTENT_LEFT_OUT] = "dumps not selected",
		[HP_CONTENT_KINDS] = "not decoded",
	};

	return names[kind];
}

static enum hp_content
record_kind(uint8_t tag)
{
	switch (tag) {
	case HP_REC_STRING:
		return HP_CONTENT_STRINGS;
	case HP_REC_LOAD_CLASS:
	case HP_REC_UNLOAD_CLASS:
		return HP_CONTENT_CLASSES;
	case HP_REC_STACK_FRAME:
	case HP_REC_STACK_TRACE:
	case HP_REC_START_THREAD:
	case HP_REC_END_THREAD:
		return HP_CONTENT_STACKS;
	default:
		return hp_record_desc(tag) ? HP_CONTENT_OTHER
					   : HP_CONTENT_UNKNOWN;
	}
}

static enum hp_content
sub_kind(uint8_t tag)
{
	switch (tag) {
	case HP_SUB_CLASS_DUMP:
		return HP_CONTENT_CLASSES;
	case HP_SUB_INSTANCE_DUMP:
		return HP_CONTENT_INSTANCES;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return HP_CONTENT_OBJECT_ARRAYS;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		return HP_CONTENT_PRIMITIVE_ARRAYS;
	default:
		return HP_CONTENT_ROOTS;
	}
}

static void
add_bytes(struct hp_file_map *m, enum hp_content kind, uint64_t offset,
	  uint64_t length)
{
	hp_offset_bins_add_bytes(&m->kinds[kind], offset, length);
}

/*
 * --- add records ------------------------------------------------------------
 */

/*
 * Add the last record to the map. Called when the next record begins or the
 * input ends: only then is the end of the record (@end) known.
 */
static void
close_record(struct hp_file_map *m, uint64_t end)
{
	if (m->open && end > m->open_offset)
		add_bytes(m, m->open_kind, m->open_offset,
			  end - m->open_offset);
	m->open = false;
}

static void
open_record(struct hp_file_map *m, enum hp_content kind, uint64_t offset)
{
	m->open = true;
	m->open_kind = kind;
	m->open_offset = offset;
}

void
hp_file_map_header(struct hp_file_map *m, const struct hp_header *h)
{
	if (hp_header_readable(h))
		add_bytes(m, HP_CONTENT_OTHER, 0, h->length);
}

void
hp_file_map_record(struct hp_file_map *m, const struct hp_record *rec,
		   struct hp_cursor body, unsigned only_dump)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);

	close_record(m, rec->offset);
	if (d && d->ending == HP_ENDS_HEAP) {
		if (only_dump && rec->dump != only_dump)
			open_record(m, HP_CONTENT_LEFT_OUT, rec->offset);
		else
			add_bytes(m, HP_CONTENT_OTHER, rec->offset,
				  HP_HEAD_SIZE);
		return;
	}
	if (rec->cut)
		return;
	if (rec->partial)
		open_record(m, record_kind(rec->tag), rec->offset);
	else
		add_bytes(m, record_kind(rec->tag), rec->offset,
			  HP_HEAD_SIZE + body.len);
}

void
hp_file_map_strings(struct hp_file_map *m, uint64_t offset, uint64_t length)
{
	if (length == 0)
		return;
	close_record(m, offset);
	add_bytes(m, HP_CONTENT_STRINGS, offset, length);
}

void
hp_file_map_problem(struct hp_file_map *m, const struct hp_problem *p)
{
	if (p->kind == HP_PROBLEM_CUT && p->want > p->got)
		m->missing = p->want - p->got;
	if ((p->kind == HP_PROBLEM_CUT || p->kind == HP_PROBLEM_LOST_SYNC) &&
	    m->open_offset >= p->offset && m->open_kind != HP_CONTENT_LEFT_OUT)
		m->open = false;
}

/*
 * --- add batches of sub-records ---------------------------------------------
 */

/*
 * A range of consecutive bytes of the dump that have the same kind of contents.
 */
struct stretch {
	enum hp_content kind;
	uint64_t offset, length;
};

static void
end_stretch(struct hp_file_map *m, struct stretch *s)
{
	add_bytes(m, s->kind, s->offset, s->length);
	s->length = 0;
}

static void
extend_stretch(struct hp_file_map *m, struct stretch *s, enum hp_content kind,
	       uint64_t offset, uint64_t length)
{
	if (s->length > 0 && s->kind != kind)
		end_stretch(m, s);
	if (s->length == 0)
		*s = (struct stretch){kind, offset, 0};
	s->length += length;
}

/* Measure consecutive sub-records, up to the first problem. */
static void
measure_run(struct hp_file_map *m, struct hp_heap_iter it, unsigned id_size)
{
	struct stretch stretch = {0};
	struct hp_sub s;

	for (;;) {
		uint64_t from = hp_heap_offset(&it);

		if (hp_heap_skip_instances(&it, id_size) > 0)
			extend_stretch(m, &stretch, HP_CONTENT_INSTANCES, from,
				       hp_heap_offset(&it) - from);
		if (!hp_heap_next(&it, &s, id_size))
			break;
		extend_stretch(m, &stretch, sub_kind(s.tag), s.offset, s.size);
	}
	end_stretch(m, &stretch);
}

void
hp_file_map_batch(struct hp_file_map *m, const struct hp_batch *b,
		  unsigned id_size)
{
	for (size_t i = 0; i < b->nruns; i++) {
		const struct hp_run *run = &b->runs[i];

		const struct hp_sub *array = &run->piece.sub;

		if (run->kind == HP_RUN_SUBS)
			measure_run(m, hp_run_iter(b, i), id_size);
		else if (run->kind == HP_RUN_ARRAY && run->piece.last)
			add_bytes(m, sub_kind(array->tag), array->offset,
				  /*
				   * this was the last piece of a long array, so
				   * the array is complete now
				   */
				  array->size);
	}
}

/*
 * --- merge the maps of all threads ------------------------------------------
 */

static void
add_map(struct hp_file_map *into, const struct hp_file_map *from)
{
	for (unsigned k = 0; k < HP_CONTENT_KINDS; k++)
		hp_offset_bins_merge(&into->kinds[k], &from->kinds[k]);
}

void
hp_file_map_finish(struct hp_file_map *maps, unsigned n, uint64_t bytes)
{
	struct hp_offset_bins widest = {0};
	struct hp_file_map *m = &maps[n];

	for (unsigned i = 0; i < n; i++)
		add_map(m, &maps[i]);
	close_record(m, bytes);
	m->bytes = bytes;
	hp_offset_bins_widen(&widest, bytes);
	for (unsigned k = 0; k < HP_CONTENT_KINDS; k++) {
		if (widest.shift < m->kinds[k].shift)
			widest.shift = m->kinds[k].shift;
	}
	for (unsigned k = 0; k < HP_CONTENT_KINDS; k++)
		hp_offset_bins_merge(&m->kinds[k], &widest);
	maps[0] = *m;
}

uint64_t
hp_file_map_width(const struct hp_file_map *m, unsigned i)
{
	unsigned shift = m->kinds[0].shift;
	uint64_t begin = (uint64_t)i << shift, full = UINT64_C(1) << shift;

	if (begin >= m->bytes)
		return 0;
	return full < m->bytes - begin ? full : m->bytes - begin;
}

uint64_t
hp_file_map_gap(const struct hp_file_map *m, unsigned i)
{
	uint64_t left = hp_file_map_width(m, i);

	for (unsigned k = 0; k < HP_CONTENT_KINDS; k++) {
		uint64_t n = m->kinds[k].amounts[i];

		left -= n < left ? n : left;
	}
	return left;
}
