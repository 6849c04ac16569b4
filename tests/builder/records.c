/*
 * records.c - the dump builder: write the file header and the records outside
 * the heap
 *
 * heap.c writes the sub-records of the heap.
 */
#include "tests/builder/builder.h"
#include "tests/builder/internal.h"

#include <string.h>

/* size of the head of a record: u1 tag, u4 time, u4 length */
enum { HEAD = 9 };

size_t
b_header(struct b *b, const char *version, uint64_t time_ms)
{
	size_t at = b_here(b);

	b_bytes(b, version, strlen(version) + 1);
	b_u4(b, b->id_size);
	b_u8(b, time_ms);
	return at;
}

size_t
b_open(struct b *b, unsigned tag)
{
	size_t at = b_here(b);

	if (b->record != B_NONE)
		b_fail("a record is open already");
	b->record = b->len;
	b->records[tag & 0xFF]++;
	b_u1(b, tag);
	b_u4(b, b->time);
	b_u4(b, 0);
	return at;
}

void
b_close(struct b *b)
{
	uint64_t n;

	if (b->record == B_NONE)
		b_fail("no record is open");
	n = b->len - b->record - HEAD;
	if (b->hole_len && b->hole_at > b->record)
		n += b->hole_len;
	b_patch_u4(b, b->record + 5,
		   /*
		    * if the body is longer than 4 GiB, the length field
		    * overflows, as it does in dumps of real programs
		    */
		   (uint32_t)n);
	b->record = B_NONE;
}

size_t
b_record(struct b *b, unsigned tag, const void *body, size_t n)
{
	size_t at = b_open(b, tag);

	b_bytes(b, body, n);
	b_close(b);
	return at;
}

size_t
b_string_n(struct b *b, uint64_t id, const void *text, size_t n)
{
	size_t at = b_open(b, B_STRING);

	b_id(b, id);
	b_bytes(b, text, n);
	b_close(b);
	return at;
}

size_t
b_string(struct b *b, uint64_t id, const char *text)
{
	return b_string_n(b, id, text, strlen(text));
}

uint64_t
b_intern(struct b *b, const char *text)
{
	struct b_known_string *s;

	for (size_t i = 0; i < b->nstrings; i++)
		if (strcmp(b->strings[i].text, text) == 0)
			return b->strings[i].id;
	if (b->record != B_NONE)
		b_fail(text);
	b->strings = b_grow_one(b->strings, b->nstrings, sizeof *s);
	s = &b->strings[b->nstrings++];
	s->text = strdup(text);
	if (!s->text)
		b_fail("out of memory");
	s->id = b->next_string;
	b->next_string += b->string_step;
	b_string(b, s->id, text);
	return s->id;
}

size_t
b_load_class(struct b *b, uint32_t serial, uint64_t class_id, uint32_t trace,
	     uint64_t name)
{
	size_t at = b_open(b, B_LOAD_CLASS);

	b_u4(b, serial);
	b_id(b, class_id);
	b_u4(b, trace);
	b_id(b, name);
	b_close(b);
	return at;
}

static size_t
u4_record(struct b *b, unsigned tag, uint32_t v)
{
	size_t at = b_open(b, tag);

	b_u4(b, v);
	b_close(b);
	return at;
}

size_t
b_unload_class(struct b *b, uint32_t serial)
{
	return u4_record(b, B_UNLOAD_CLASS, serial);
}

size_t
b_frame(struct b *b, uint64_t id, uint64_t method, uint64_t signature,
	uint64_t source, uint32_t class_serial, int32_t line)
{
	size_t at = b_open(b, B_STACK_FRAME);

	b_id(b, id);
	b_id(b, method);
	b_id(b, signature);
	b_id(b, source);
	b_u4(b, class_serial);
	b_u4(b, (uint32_t)line);
	b_close(b);
	return at;
}

size_t
b_trace(struct b *b, uint32_t serial, uint32_t thread, uint32_t n,
	const uint64_t *frames)
{
	size_t at = b_open(b, B_STACK_TRACE);

	b_u4(b, serial);
	b_u4(b, thread);
	b_u4(b, n);
	for (uint32_t i = 0; i < n; i++)
		b_id(b, frames[i]);
	b_close(b);
	return at;
}

static void
totals(struct b *b, const struct b_totals *t)
{
	b_u4(b, t->live_bytes);
	b_u4(b, t->live_count);
	b_u8(b, t->bytes);
	b_u8(b, t->count);
}

size_t
b_alloc_sites(struct b *b, unsigned flags, uint32_t cutoff,
	      const struct b_totals *t, uint32_t n, const struct b_site *sites)
{
	size_t at = b_open(b, B_ALLOC_SITES);

	b_u2(b, flags);
	b_u4(b, cutoff);
	totals(b, t);
	b_u4(b, n);
	for (uint32_t i = 0; i < n; i++) {
		b_u1(b, sites[i].array_kind);
		b_u4(b, sites[i].class_serial);
		b_u4(b, sites[i].trace);
		b_u4(b, sites[i].live_bytes);
		b_u4(b, sites[i].live_count);
		b_u4(b, sites[i].bytes);
		b_u4(b, sites[i].count);
	}
	b_close(b);
	return at;
}

size_t
b_heap_summary(struct b *b, const struct b_totals *t)
{
	size_t at = b_open(b, B_HEAP_SUMMARY);

	totals(b, t);
	b_close(b);
	return at;
}

size_t
b_start_thread(struct b *b, uint32_t serial, uint64_t object, uint32_t trace,
	       uint64_t name, uint64_t group, uint64_t parent)
{
	size_t at = b_open(b, B_START_THREAD);

	b_u4(b, serial);
	b_id(b, object);
	b_u4(b, trace);
	b_id(b, name);
	b_id(b, group);
	b_id(b, parent);
	b_close(b);
	return at;
}

size_t
b_end_thread(struct b *b, uint32_t serial)
{
	return u4_record(b, B_END_THREAD, serial);
}

size_t
b_cpu_samples(struct b *b, uint32_t total, uint32_t n,
	      const struct b_sample *samples)
{
	size_t at = b_open(b, B_CPU_SAMPLES);

	b_u4(b, total);
	b_u4(b, n);
	for (uint32_t i = 0; i < n; i++) {
		b_u4(b, samples[i].count);
		b_u4(b, samples[i].trace);
	}
	b_close(b);
	return at;
}

size_t
b_control_settings(struct b *b, uint32_t flags, unsigned depth)
{
	size_t at = b_open(b, B_CONTROL_SETTINGS);

	b_u4(b, flags);
	b_u2(b, depth);
	b_close(b);
	return at;
}

size_t
b_heap_dump(struct b *b)
{
	return b_open(b, B_HEAP_DUMP);
}

size_t
b_segment(struct b *b)
{
	return b_open(b, B_HEAP_DUMP_SEGMENT);
}

size_t
b_heap_dump_end(struct b *b)
{
	return b_record(b, B_HEAP_DUMP_END, NULL, 0);
}
