/*
 * builder.h - builds heap dumps byte by byte, whole ones and broken ones
 *
 * Shares no code with the parser: every tag and shape is spelled here a
 * second time, from the format notes. Every call that writes a record or a
 * sub-record returns the file offset of its tag, so that a test can name
 * rule and offset. Damage is a named call. World builders are in world.h,
 * named fixtures in fixtures.h.
 *
 * A misuse or a failed allocation ends the process with a message: a test
 * cannot go on without its input.
 */
#ifndef TESTS_BUILDER_H
#define TESTS_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Basic types, format notes 1.4. */
enum b_type {
	B_ARRAY = 1, /* in the agent's internal list only */
	B_OBJECT = 2,
	B_BOOLEAN = 4,
	B_CHAR = 5,
	B_FLOAT = 6,
	B_DOUBLE = 7,
	B_BYTE = 8,
	B_SHORT = 9,
	B_INT = 10,
	B_LONG = 11,
};

/* Top-level tags. */
enum b_tag {
	B_STRING = 0x01,
	B_LOAD_CLASS = 0x02,
	B_UNLOAD_CLASS = 0x03,
	B_STACK_FRAME = 0x04,
	B_STACK_TRACE = 0x05,
	B_ALLOC_SITES = 0x06,
	B_HEAP_SUMMARY = 0x07,
	B_START_THREAD = 0x0A,
	B_END_THREAD = 0x0B,
	B_HEAP_DUMP = 0x0C,
	B_CPU_SAMPLES = 0x0D,
	B_CONTROL_SETTINGS = 0x0E,
	B_HEAP_DUMP_SEGMENT = 0x1C,
	B_HEAP_DUMP_END = 0x2C,
};

/* Heap sub-tags. */
enum b_subtag {
	B_ROOT_JNI_GLOBAL = 0x01,
	B_ROOT_JNI_LOCAL = 0x02,
	B_ROOT_JAVA_FRAME = 0x03,
	B_ROOT_NATIVE_STACK = 0x04,
	B_ROOT_STICKY_CLASS = 0x05,
	B_ROOT_THREAD_BLOCK = 0x06,
	B_ROOT_MONITOR_USED = 0x07,
	B_ROOT_THREAD_OBJECT = 0x08,
	B_CLASS_DUMP = 0x20,
	B_INSTANCE_DUMP = 0x21,
	B_OBJECT_ARRAY_DUMP = 0x22,
	B_PRIMITIVE_ARRAY_DUMP = 0x23,
	B_ROOT_INTERNED_STRING = 0x89,
	B_ROOT_FINALIZING = 0x8A,
	B_ROOT_DEBUGGER = 0x8B,
	B_ROOT_REFERENCE_CLEANUP = 0x8C,
	B_ROOT_VM_INTERNAL = 0x8D,
	B_ROOT_JNI_MONITOR = 0x8E,
	B_UNREACHABLE = 0x90,
	B_PRIMITIVE_ARRAY_NODATA = 0xC3,
	B_HEAP_DUMP_INFO = 0xFE,
	B_ROOT_UNKNOWN = 0xFF,
};

#define B_NONE ((size_t)-1)
#define B_AUTO UINT32_MAX /* instance size: sum of all fields of the chain */
#define B_MAX_MARKS 64

struct b_mark {
	char name[32];
	size_t at;
};

/* What is remembered of a CLASS DUMP, for B_AUTO and b_instance_zero(). */
struct b_known_class {
	uint64_t id, super;
	uint32_t own; /* bytes of its own instance fields */
};

/* An interned text, see b_intern(). */
struct b_known_string {
	char *text;
	uint64_t id;
};

struct b {
	uint8_t *data; /* the dump without its hole */
	size_t len, cap;
	unsigned id_size; /* 4 or 8; anything else writes 8 bytes */
	uint32_t time;	  /* TIME of the records to come, us */
	uint32_t trace;	  /* trace serial of the sub-records to come */

	size_t record;	 /* the open record, or B_NONE */
	size_t instance; /* the open INSTANCE DUMP, or B_NONE */
	size_t class_at; /* the open CLASS DUMP, or B_NONE */
	size_t count_at; /* the u2 that counts its current table */
	unsigned table;	 /* 0 constants, 1 statics, 2 fields */

	size_t hole_at;	   /* zero bytes that are not stored ... */
	uint64_t hole_len; /* ... and how many; 0: none */

	uint64_t next_string, string_step; /* ids for b_intern() */
	struct b_known_string *strings;
	size_t nstrings;
	struct b_known_class *classes;
	size_t nclasses;
	struct b_mark marks[B_MAX_MARKS];
	size_t nmarks;
	uint64_t records[256], subrecords[256]; /* how many were written */
	int world;				/* enum b_writer, for world.c */
};

/* --- life ------------------------------------------------------------- */

/* Empty, with ids of @id_size bytes. Release with b_release(). */
void b_init(struct b *b, unsigned id_size);
void b_release(struct b *b);

/* Offset of the next byte, the hole included. */
size_t b_here(const struct b *b);

/* Remember an offset under a name; b_at() ends the process if unknown. */
void b_mark(struct b *b, const char *name, size_t at);
size_t b_at(const struct b *b, const char *name);

/* Write the whole dump; the hole stays a hole in a regular file.
 * Returns: 0, or -1 with errno set. */
int b_write_fd(const struct b *b, int fd);
int b_save(const struct b *b, const char *path);

/* --- raw bytes, big-endian -------------------------------------------- */

void b_bytes(struct b *b, const void *bytes, size_t n);
void b_zeros(struct b *b, size_t n);
void b_u1(struct b *b, unsigned v);
void b_u2(struct b *b, unsigned v);
void b_u4(struct b *b, uint32_t v);
void b_u8(struct b *b, uint64_t v);
void b_id(struct b *b, uint64_t v);
/* A value of a basic type: the low bits of @v, B_OBJECT as an id. */
void b_value(struct b *b, unsigned type, uint64_t v);
/* Size in bytes; 0 for no basic type. */
unsigned b_type_size(const struct b *b, unsigned type);
/* @n zero bytes that cost no memory; at most one hole in a dump. */
void b_hole(struct b *b, uint64_t n);

/* --- file header and top-level records -------------------------------- */

/* Returns 0, the offset of the header. */
size_t b_header(struct b *b, const char *version, uint64_t time_ms);

/* A record with a body of its own; b_open() to b_close() for a body that
 * is written piece by piece, its length patched at the end. */
size_t b_record(struct b *b, unsigned tag, const void *body, size_t n);
size_t b_open(struct b *b, unsigned tag);
void b_close(struct b *b);

size_t b_string(struct b *b, uint64_t id, const char *text);
size_t b_string_n(struct b *b, uint64_t id, const void *text, size_t n);
/* The id of @text; writes its STRING record at first use. While a record is
 * open only texts that are there already can be had. */
uint64_t b_intern(struct b *b, const char *text);
size_t b_load_class(struct b *b, uint32_t serial, uint64_t class_id,
		    uint32_t trace, uint64_t name);
size_t b_unload_class(struct b *b, uint32_t serial);
size_t b_frame(struct b *b, uint64_t id, uint64_t method, uint64_t signature,
	       uint64_t source, uint32_t class_serial, int32_t line);
size_t b_trace(struct b *b, uint32_t serial, uint32_t thread, uint32_t n,
	       const uint64_t *frames);

struct b_site {
	unsigned array_kind;
	uint32_t class_serial, trace;
	uint32_t live_bytes, live_count, bytes, count;
};
struct b_totals {
	uint32_t live_bytes, live_count;
	uint64_t bytes, count;
};
size_t b_alloc_sites(struct b *b, unsigned flags, uint32_t cutoff,
		     const struct b_totals *totals, uint32_t n,
		     const struct b_site *sites);
size_t b_heap_summary(struct b *b, const struct b_totals *totals);
size_t b_start_thread(struct b *b, uint32_t serial, uint64_t object,
		      uint32_t trace, uint64_t name, uint64_t group,
		      uint64_t parent);
size_t b_end_thread(struct b *b, uint32_t serial);

struct b_sample {
	uint32_t count, trace;
};
size_t b_cpu_samples(struct b *b, uint32_t total, uint32_t n,
		     const struct b_sample *samples);
size_t b_control_settings(struct b *b, uint32_t flags, unsigned depth);

size_t b_heap_dump(struct b *b);     /* opens 0x0C; b_close() ends it */
size_t b_segment(struct b *b);	     /* opens 0x1C; b_close() ends it */
size_t b_heap_dump_end(struct b *b); /* 0x2C */

/* --- heap sub-records ------------------------------------------------- */

/* Roots that hold an id and nothing else: UNKNOWN, STICKY CLASS, MONITOR
 * USED, and Android's but for JNI MONITOR; also UNREACHABLE. */
size_t b_root(struct b *b, unsigned subtag, uint64_t id);
size_t b_root_unknown(struct b *b, uint64_t id);
size_t b_root_sticky_class(struct b *b, uint64_t id);
size_t b_root_monitor_used(struct b *b, uint64_t id);
size_t b_root_jni_global(struct b *b, uint64_t id, uint64_t ref);
size_t b_root_jni_local(struct b *b, uint64_t id, uint32_t thread,
			int32_t frame);
size_t b_root_java_frame(struct b *b, uint64_t id, uint32_t thread,
			 int32_t frame);
size_t b_root_native_stack(struct b *b, uint64_t id, uint32_t thread);
size_t b_root_thread_block(struct b *b, uint64_t id, uint32_t thread);
size_t b_root_thread_object(struct b *b, uint64_t id, uint32_t thread,
			    uint32_t trace);
/* Android */
size_t b_root_interned_string(struct b *b, uint64_t id);
size_t b_root_finalizing(struct b *b, uint64_t id);
size_t b_root_debugger(struct b *b, uint64_t id);
size_t b_root_reference_cleanup(struct b *b, uint64_t id);
size_t b_root_vm_internal(struct b *b, uint64_t id);
size_t b_root_jni_monitor(struct b *b, uint64_t id, uint32_t thread,
			  int32_t frame);
size_t b_unreachable(struct b *b, uint64_t id);
size_t b_heap_info(struct b *b, uint32_t heap, uint64_t name);
size_t b_primitive_array_nodata(struct b *b, uint64_t id, unsigned type,
				uint32_t n);

struct b_class {
	uint64_t id, super, loader, signers, domain, reserved[2];
	uint32_t size; /* B_AUTO: the sum of the chain written so far */
};
/* A CLASS DUMP: begin, then constants, statics, fields in this order (each
 * may be left out), then end. The tables' counts are kept by themselves. */
size_t b_class(struct b *b, const struct b_class *c);
void b_constant(struct b *b, unsigned index, unsigned type, uint64_t v);
void b_static(struct b *b, uint64_t name, unsigned type, uint64_t v);
void b_field(struct b *b, uint64_t name, unsigned type);
void b_class_end(struct b *b);
/* Instance bytes of a class and those above it, as far as written. */
uint32_t b_expected(const struct b *b, uint64_t class_id);

/* An INSTANCE DUMP: begin, b_value() for each field from the class up to
 * Object, end (which sets the length). Or in one call from given bytes, or
 * of zeros as long as its class says. */
size_t b_instance(struct b *b, uint64_t id, uint64_t class_id);
void b_instance_end(struct b *b);
size_t b_instance_bytes(struct b *b, uint64_t id, uint64_t class_id,
			const void *bytes, size_t n);
size_t b_instance_zero(struct b *b, uint64_t id, uint64_t class_id);

size_t b_object_array(struct b *b, uint64_t id, uint64_t class_id, uint32_t n,
		      const uint64_t *elements);
/* @values: one u8 for each element, its low bits are written; NULL: zeros */
size_t b_primitive_array(struct b *b, uint64_t id, unsigned type, uint32_t n,
			 const uint64_t *values);
/* byte[] with these bytes */
size_t b_byte_array(struct b *b, uint64_t id, const void *bytes, size_t n);
/* An array that claims @n elements and has @have bytes of them, zeros. */
size_t b_array_claiming(struct b *b, uint64_t id, unsigned type, uint32_t n,
			size_t have);

/* --- damage ----------------------------------------------------------- */
/* Offsets below count no hole. Marks behind an insertion or removal are not
 * moved. The counts of what was written stay as they were. */

void b_cut(struct b *b, size_t n); /* n bytes from the end */
/* The bytes from @from up to @to come last. */
void b_move_to_end(struct b *b, size_t from, size_t to);
void b_cut_at(struct b *b, size_t len); /* down to len bytes */
void b_patch_u1(struct b *b, size_t at, unsigned v);
void b_patch_u2(struct b *b, size_t at, unsigned v);
void b_patch_u4(struct b *b, size_t at, uint32_t v);
void b_patch_u8(struct b *b, size_t at, uint64_t v);
void b_patch_id(struct b *b, size_t at, uint64_t v);
void b_flip(struct b *b, size_t at, unsigned mask);
void b_insert(struct b *b, size_t at, const void *bytes, size_t n);
void b_remove(struct b *b, size_t at, size_t n);
/* n bytes that are no record, always the same ones */
void b_garbage(struct b *b, size_t at, size_t n);

uint32_t b_length(const struct b *b, size_t record);
void b_set_length(struct b *b, size_t record, uint32_t v);
void b_unpatch_length(struct b *b, size_t record); /* 0: writer died */
/* A copy of a closed record at the end. Returns the copy's offset. */
size_t b_dup_record(struct b *b, size_t record);
void b_remove_record(struct b *b, size_t record);

/* Copied as text: LF became CR LF. */
void b_text_mode(struct b *b);
/* Read as Latin-1 and written as UTF-8; @lossy: read as UTF-8, so that bytes
 * above 0x7f, none of which begins a character in @b, became U+FFFD. */
void b_as_utf8(struct b *b, bool lossy);
/* Written as UTF-16, little end first, with a byte order mark. */
void b_as_utf16(struct b *b);

#endif
