/*
 * internal.h - the readers and functions of libhprof
 */
#ifndef HP_LIB_INTERNAL_H
#define HP_LIB_INTERNAL_H

#include "common/base/memory.h"
#include "common/base/buf.h"
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/io/source.h"
#include "common/model/classes.h"
#include "common/model/rules.h"
#include "common/model/tables.h"
#include "hprof.h"

#include <stddef.h>

/* ----------------------------------------------------------------------
 * Statuses and options, shared by the files of libhprof
 *
 * Private: none of these functions is exported. The public interface is
 * include/hprof.h.
 */

/* The options of a call, with all defaults filled in. */
struct hp_lib_options {
	unsigned threads, dump;
	uint64_t memory, max_size;
	enum hp_mapping mapping;
};

/*
 * Reset the caller's @error at the beginning of a call: the status becomes
 * HPROF_OK and the text empty. Does nothing if @error is NULL.
 */
void hp_lib_error_clear(struct hprof_error *error);

/**
 * hp_lib_begin() - begin a call that opens a dump: reset @error, read the
 * options, and check the arguments
 * @given: the caller's options; NULL for the defaults. The caller may be
 *         compiled for another version of the library, so this structure may be
 *         shorter or longer
 * @valid: whether the other arguments of the call are valid
 * @invalid: the text of the error if they are not
 *
 * Returns: HPROF_OK; HPROF_ARGUMENT if @valid is false, if the size in @given
 *          is not set, or if @given has flags that this version does not know.
 */
int hp_lib_begin(bool valid, const char *invalid,
		 const struct hprof_options *given, struct hp_lib_options *out,
		 struct hprof_error *error);

/*
 * Allocate an object of the interface, filled with zeros. Returns NULL if out
 * of memory, after hp_lib_no_memory().
 */
void *hp_lib_new(size_t size, struct hprof_error *error);

/* Report in @error that memory is exhausted. Returns HPROF_NO_MEMORY. */
int hp_lib_no_memory(struct hprof_error *error);

/*
 * Copy the status and text of @err to the caller's @error, which may be NULL.
 * Returns the public status.
 */
int hp_lib_fail(struct hprof_error *error, const struct hp_error *err);

/*
 * Like hp_lib_fail(), for a failure that the library itself detects. Returns
 * @status.
 */
int hp_lib_fail_text(struct hprof_error *error, int status, const char *fmt,
		     ...) HP_PRINTF(3, 4);

/* The memory of one call, limited by options.memory. */
struct hp_lib_memory {
	struct hp_memory memory;
	/*
	 * the memory limit of the calling thread before the call;
	 * hp_lib_memory_leave() restores it
	 */
	struct hp_memory *before;
};

/*
 * Begin a call whose memory is limited. If there is too little memory for all
 * threads, the function lowers the number of threads in @o. Returns HP_OK;
 * HP_LIMIT if there is too little memory even for one thread. After HP_LIMIT do
 * not call hp_lib_memory_leave().
 */
HP_MUST_USE enum hp_status hp_lib_memory_enter(struct hp_lib_memory *m,
					       struct hp_lib_options *o,
					       struct hp_error *err);
/*
 * End a call whose memory is limited. Memory that was allocated during the call
 * stays valid, and may be freed later.
 */
void hp_lib_memory_leave(struct hp_lib_memory *m);

/* Convert the options of a call to the options for opening a source. */
struct hp_source_options hp_lib_source_options(const struct hp_lib_options *o);

/* ----------------------------------------------------------------------
 * Reusable memory that the items of a reader point to
 *
 * Private to lib/.
 */

/* A buffer that grows when necessary. hprof_close() frees it. */
struct hp_scratch {
	void *data;
	size_t size; /* number of allocated bytes */
};

/*
 * Make the buffer at least @n bytes long. Its contents stay. Returns the
 * buffer; NULL if out of memory.
 */
void *hp_scratch_reserve(struct hp_scratch *s, size_t n);

/* ----------------------------------------------------------------------
 * The state of an hprof_reader
 *
 * Private to lib/. reader.c steps through the dump; records.c and objects.c
 * decode the records; problems.c keeps a framing problem until it is reported;
 * classes.c looks up names, classes and fields.
 */

/*
 * The state of a long array or instance that hprof_next() is returning in
 * pieces.
 */
struct hp_pieces {
	struct hp_sub sub; /* the decoded header of the instance or array */
	/* index in the object of the first element of the next piece */
	uint64_t next;
	/*
	 * size of an element in bytes; 0: hprof_next() is not returning an
	 * object in pieces now
	 */
	unsigned width;
};

struct hprof_reader {
	struct hp_lib_options options;
	struct hp_source *src;
	struct hp_reader *records;
	struct hprof_header header;
	/* a copy of the version text in the header of the file */
	char version[sizeof(((struct hp_header *)0)->text)];
	struct hp_record *rec;
	unsigned id_size;
	bool begun; /* hprof_next() was called at least once */
	/*
	 * the last record that was read is a heap dump or segment, so
	 * sub-records may follow
	 */
	bool in_heap;
	/*
	 * hprof_next() returns no more items, because the dump has ended or
	 * reading has failed for good
	 */
	bool ended;
	/*
	 * hprof_next() refused the last record that was read, because it is
	 * longer than HP_BODY_MAX. The next call continues after this record.
	 */
	bool too_long;
	/*
	 * number of heap dumps of the file that have begun so far, including
	 * those that options.dump skips
	 */
	unsigned dumps;
	/*
	 * a problem with the length or tag of a record that hprof_next() has
	 * not reported yet
	 */
	struct hp_problem problem;
	bool has_problem;
	/*
	 * Bytes of the current heap dump record. The sub-records in
	 * buf[at..have) are not decoded yet.
	 */
	struct hp_scratch buf;
	size_t at, have;
	uint64_t offset; /* offset in the dump of the byte buf[at] */
	struct hp_pieces pieces;
	struct hprof_item item;
	/* text for the name of an unknown tag, such as "0x77" */
	char unknown[5];
	/*
	 * memory for the lists in the current item: frames of a trace, rows of
	 * a table, and fields of a class
	 */
	struct hp_scratch rows[3];
	/* This member and those after it are filled by hprof_read_classes(). */
	bool has_classes, has_tables;
	struct hp_tables tables;
	struct hp_classes classes;
	/*
	 * Maps the address of a class name in the dump's tables to the same
	 * name as Java source spells it.
	 */
	struct hp_id_map names;
	/* maps the hash of a class name to a pointer to the class */
	struct hp_id_map by_name;
	struct hp_arena arena; /* memory for the texts in `names` */
};

/*
 * Convert a type code of the file to enum hprof_type. Old writers use code 1
 * for objects, which becomes 2.
 */
static inline uint8_t
hp_lib_type(uint8_t type)
{
	return type == HP_TYPE_ARRAY ? HPROF_TYPE_OBJECT : type;
}

/* ----------------------------------------------------------------------
 * Keep a framing problem until hprof_next() can report it
 *
 * A framing problem is a wrong length or tag, so that the reader cannot find
 * the next record. Private to lib/.
 */

/*
 * Called by the reader of records for each framing problem (a wrong length or
 * tag). If data of the dump are lost because of the problem, keeps it for
 * hprof_next().
 */
void hp_reader_note_problem(void *ctx, const struct hp_problem *p);

/*
 * Fill @err with the status @st, and with the offset and the usual description
 * of a symptom (a violation of the format at one place). Returns @st.
 */
enum hp_status hp_reader_fail_symptom(const struct hp_symptom *s,
				      enum hp_status st, struct hp_error *err);

/*
 * Store the kept framing problem (a wrong length or tag) in @err, forget it,
 * and return its status.
 */
enum hp_status hp_reader_tell_problem(struct hprof_reader *r,
				      struct hp_error *err);

/* ----------------------------------------------------------------------
 * Decode records outside the heap into items
 *
 * Private to lib/.
 */

/**
 * hp_decode_record() - decode a record outside the heap into r->item
 * @body: the complete body of the record
 *
 * Returns: HP_OK; HP_DAMAGED if the body is shorter than its fields require;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_record(struct hprof_reader *r,
					    struct hp_cursor body,
					    struct hp_error *err);

/* ----------------------------------------------------------------------
 * Decode the sub-records of a heap dump into items
 *
 * Private to lib/.
 */

/**
 * hp_decode_sub() - decode a complete sub-record into r->item
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_sub(struct hprof_reader *r,
					 const struct hp_sub *s,
					 struct hp_error *err);

/*
 * Decode the id, class and length of an instance or array into r->item. The
 * caller sets the members with its elements.
 */
void hp_decode_object(struct hprof_reader *r, const struct hp_sub *s);

/* ----------------------------------------------------------------------
 * The names and classes that a reader keeps
 *
 * Private to lib/. See lib/classes.c.
 */

/* Free everything that hprof_read_classes() has allocated. */
void hp_reader_release_classes(struct hprof_reader *r);

#endif
