/*
 * builder.h - build heap dumps byte by byte for tests, valid or damaged
 *
 * The builder shares no code with the parser. It defines every tag and record
 * layout a second time, so that the tests detect a mistake in the parser. Every
 * function that writes a record or a sub-record returns the file offset of its
 * tag, so that a test can check the rule and the offset of a finding. The
 * functions at the end of this file damage a dump. world.h builds complete
 * small dumps, and fixtures.h has the list of all dumps that tests use.
 *
 * A wrong call or a failed allocation ends the process with a message, because
 * a test cannot continue without its input.
 */
#ifndef TESTS_BUILDER_H
#define TESTS_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum b_type {
	/*
	 * this type code is never in a file; only the HPROF agent uses it,
	 * internally
	 */
	B_ARRAY = 1,
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
/*
 * A value for b_class.size: the builder computes the size of an instance from
 * the fields of the class and of its superclasses.
 */
#define B_AUTO UINT32_MAX
#define B_MAX_MARKS 64

struct b_mark {
	char name[32];
	size_t at;
};

/*
 * What the builder remembers of each CLASS DUMP. B_AUTO and b_instance_zero()
 * need it to compute the instance size.
 */
struct b_known_class {
	uint64_t id, super;
	/* size of the fields that the class itself declares, in bytes */
	uint32_t own;
};

/*
 * A text for which b_intern() has already written a STRING record, with the id
 * of the record.
 */
struct b_known_string {
	char *text;
	uint64_t id;
};

struct b {
	/*
	 * the bytes of the dump, without the zero bytes of the sparse region
	 * ("hole")
	 */
	uint8_t *data;
	size_t len, cap;
	/* size of an id in bytes; any value except 4 has the effect of 8 */
	unsigned id_size;
	/* the time field of the next records, in microseconds */
	uint32_t time;
	/*
	 * serial number of the stack trace to which the next sub-records refer
	 */
	uint32_t trace;

	/*
	 * offset of the record that was begun but not ended; B_NONE: there is
	 * none
	 */
	size_t record;
	/*
	 * offset of the INSTANCE DUMP that was begun but not ended, or B_NONE
	 */
	size_t instance;
	/*
	 * offset of the CLASS DUMP that was begun but not ended; B_NONE: there
	 * is none
	 */
	size_t class_at;
	/* offset of the number of entries (a u2) of the current table */
	size_t count_at;
	/*
	 * the table of the CLASS DUMP to which entries are being added: 0
	 * constants, 1 static fields, 2 instance fields
	 */
	unsigned table;

	/*
	 * offset of the sparse region ("hole"), which consists of zero bytes
	 * that are not stored
	 */
	size_t hole_at;
	/*
	 * number of zero bytes in the sparse region ("hole"); 0: there is none
	 */
	uint64_t hole_len;

	/*
	 * the id that b_intern() uses next, and the difference between
	 * consecutive ids
	 */
	uint64_t next_string, string_step;
	struct b_known_string *strings;
	size_t nstrings;
	struct b_known_class *classes;
	size_t nclasses;
	struct b_mark marks[B_MAX_MARKS];
	size_t nmarks;
	uint64_t records[256],
		/*
		 * how many records, and how many sub-records, were written with
		 * each tag
		 */
		subrecords[256];
	/* the program whose dumps world.c imitates, an enum b_writer */
	int world;
};

/* --- create and release a dump ---------------------------------------- */

/*
 * Initialise @b as an empty dump with ids of @id_size bytes. Release it with
 * b_release().
 */
void b_init(struct b *b, unsigned id_size);
void b_release(struct b *b);

/*
 * Returns the file offset of the next byte. This counts also the zero bytes of
 * the sparse region ("hole").
 */
size_t b_here(const struct b *b);

/*
 * b_mark() stores an offset under a name. b_at() returns it, and ends the
 * process if the name is unknown.
 */
void b_mark(struct b *b, const char *name, size_t at);
size_t b_at(const struct b *b, const char *name);

/*
 * Write the whole dump to a file. In a regular file, the zero bytes of b_hole()
 * become a sparse region. Returns 0, or -1 with errno set.
 */
int b_write_fd(const struct b *b, int fd);
int b_save(const struct b *b, const char *path);

/* --- append bytes and numbers, big-endian ----------------------------- */

void b_bytes(struct b *b, const void *bytes, size_t n);
void b_zeros(struct b *b, size_t n);
void b_u1(struct b *b, unsigned v);
void b_u2(struct b *b, unsigned v);
void b_u4(struct b *b, uint32_t v);
void b_u8(struct b *b, uint64_t v);
void b_id(struct b *b, uint64_t v);
/*
 * Write a value of the basic type @type: the low bits of @v, or an id for
 * B_OBJECT.
 */
void b_value(struct b *b, unsigned type, uint64_t v);
unsigned b_type_size(const struct b *b, unsigned type);
/*
 * Add a sparse region ("hole"): @n zero bytes that are not stored in memory. A
 * dump can have at most one hole.
 */
void b_hole(struct b *b, uint64_t n);

/* --- append the file header and records ------------------------------- */

/* Write the file header. Returns its offset, which is 0. */
size_t b_header(struct b *b, const char *version, uint64_t time_ms);

/*
 * b_record() writes a record with a given body. If the body is written step by
 * step, call b_open() before and b_close() after the body. b_close() fills in
 * the length of the record.
 */
size_t b_record(struct b *b, unsigned tag, const void *body, size_t n);
size_t b_open(struct b *b, unsigned tag);
void b_close(struct b *b);

size_t b_string(struct b *b, uint64_t id, const char *text);
size_t b_string_n(struct b *b, uint64_t id, const void *text, size_t n);
/*
 * Returns the id of the string @text. The first call for a text writes its
 * STRING record. While a record is open, only texts that already have a STRING
 * record are possible.
 */
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

/* begins a HEAP DUMP record (0x0C); b_close() ends it */
size_t b_heap_dump(struct b *b);
/* begins a HEAP DUMP SEGMENT (0x1C); b_close() ends it */
size_t b_segment(struct b *b);
size_t b_heap_dump_end(struct b *b);

/* --- append sub-records of the heap ----------------------------------- */

/*
 * Write a root that consists of an id only: UNKNOWN, STICKY CLASS, MONITOR
 * USED, and all Android roots except JNI MONITOR. UNREACHABLE has the same
 * layout.
 */
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
	/*
	 * size of an instance in bytes; B_AUTO: the sum of the fields of the
	 * class and of its superclasses
	 */
	uint32_t size;
};
/*
 * Write a CLASS DUMP. Call b_class() first, then add the constants, the static
 * fields and the instance fields in this order, then call b_class_end(). Each
 * of these three tables may be empty. The builder fills in the numbers of
 * entries.
 */
size_t b_class(struct b *b, const struct b_class *c);
void b_constant(struct b *b, unsigned index, unsigned type, uint64_t v);
void b_static(struct b *b, uint64_t name, unsigned type, uint64_t v);
void b_field(struct b *b, uint64_t name, unsigned type);
void b_class_end(struct b *b);
/*
 * Returns the size of an instance of the class in bytes, with inherited fields.
 * All superclasses must have been written before.
 */
uint32_t b_expected(const struct b *b, uint64_t class_id);

/*
 * Write an INSTANCE DUMP. Call b_instance() first, then b_value() for each
 * field, first the fields of the class itself, then those of its superclass,
 * and so on. b_instance_end() fills in the length. b_instance_bytes() writes an
 * instance with given bytes, and b_instance_zero() one with zero bytes of the
 * length that its class declares.
 */
size_t b_instance(struct b *b, uint64_t id, uint64_t class_id);
void b_instance_end(struct b *b);
size_t b_instance_bytes(struct b *b, uint64_t id, uint64_t class_id,
			const void *bytes, size_t n);
size_t b_instance_zero(struct b *b, uint64_t id, uint64_t class_id);

size_t b_object_array(struct b *b, uint64_t id, uint64_t class_id, uint32_t n,
		      const uint64_t *elements);
/*
 * Write an array. @values has a uint64_t for each element, of which the low
 * bits are written. NULL: all elements are zero.
 */
size_t b_primitive_array(struct b *b, uint64_t id, unsigned type, uint32_t n,
			 const uint64_t *values);
size_t b_byte_array(struct b *b, uint64_t id, const void *bytes, size_t n);
/*
 * Write a damaged array: its length field says @n elements, but only @have zero
 * bytes follow.
 */
size_t b_array_claiming(struct b *b, uint64_t id, unsigned type, uint32_t n,
			size_t have);

/* --- damage a dump ---------------------------------------------------- */
/*
 * The following functions change bytes that were already written. The offsets
 * in their arguments do not count the bytes of the sparse region. If a function
 * inserts or removes bytes, the offsets that b_mark() has stored do not change,
 * nor do the numbers of written records.
 */

void b_cut(struct b *b, size_t n); /* Remove the last n bytes of the dump. */
/* Move the bytes from @from up to @to to the end of the dump. */
void b_move_to_end(struct b *b, size_t from, size_t to);
void b_cut_at(struct b *b, size_t len);
void b_patch_u1(struct b *b, size_t at, unsigned v);
void b_patch_u2(struct b *b, size_t at, unsigned v);
void b_patch_u4(struct b *b, size_t at, uint32_t v);
void b_patch_u8(struct b *b, size_t at, uint64_t v);
void b_patch_id(struct b *b, size_t at, uint64_t v);
void b_flip(struct b *b, size_t at, unsigned mask);
void b_insert(struct b *b, size_t at, const void *bytes, size_t n);
void b_remove(struct b *b, size_t at, size_t n);
/*
 * Insert n pseudo-random bytes that do not form a record. They are the same in
 * every run.
 */
void b_garbage(struct b *b, size_t at, size_t n);

uint32_t b_length(const struct b *b, size_t record);
void b_set_length(struct b *b, size_t record, uint32_t v);
void b_unpatch_length(struct b *b,
		      /*
		       * sets the length of the record to 0, as if the writer
		       * had crashed
		       */
		      size_t record);
/*
 * Append a copy of the record at @record, which must be closed. Returns the
 * offset of the copy.
 */
size_t b_dup_record(struct b *b, size_t record);
void b_remove_record(struct b *b, size_t record);

void b_text_mode(struct b *b);
/*
 * Imitate a program that decoded the dump as Latin-1 and wrote it as UTF-8. If
 * @lossy is true, the imitated program decoded the dump as UTF-8 instead, so
 * that every byte above 0x7f became U+FFFD. In this case, @b must not contain a
 * valid UTF-8 character above 0x7f.
 */
void b_as_utf8(struct b *b, bool lossy);
/*
 * Imitate a program that wrote the dump as UTF-16, little-endian, with a byte
 * order mark.
 */
void b_as_utf16(struct b *b);

#endif
