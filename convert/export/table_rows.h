/* table_rows.h - create the rows of the exported tables (--format=tables) */
#ifndef HP_CONVERT_EXPORT_TABLE_ROWS_H
#define HP_CONVERT_EXPORT_TABLE_ROWS_H

#include "common/base/buf.h"
#include "common/base/vec.h"
#include "common/io/source.h"
#include "common/model/java_string.h"
#include "common/model/undescribed.h"
#include "convert/export/tables.h"
#include "convert/options.h"
#include "convert/prepass/class_prepass.h"
#include "convert/prepass/dump_tables.h"
#include "convert/copy/ordered_pass.h"

/* ----------------------------------------------------------------------
 * Find the names of threads through their objects
 *
 * The name of a thread is a String in a field of java.lang.Thread, and its
 * characters are in an array. Each of these objects may be anywhere in the
 * dump. The prepass finds the threads. If some threads have no name in a START
 * THREAD record, three more passes find their names.
 */

struct hp_thread_names {
	/*
	 * the first pass over the dump, borrowed; it must be finished before
	 * hp_thread_names_read() is called
	 */
	const struct hp_prepass *prepass;
	/* limit for the memory of the names of threads, in bytes */
	uint64_t memory;
	/* number of worker threads of the passes */
	unsigned threads;
	pthread_mutex_t lock; /* protects the following members */
	uint64_t bytes; /* memory that the names of threads use, in bytes */
	/* elements: struct root, one for each ROOT THREAD OBJECT */
	struct hp_vec roots;
	/* the threads of each dump, in the order of prepass->dumps */
	struct hp_thread_names_dump *dumps;
};

/*
 * Initialise @n. Its members prepass, memory and threads must be set, and all
 * others zero. Call hp_thread_names_release() in any case.
 */
void hp_thread_names_init(struct hp_thread_names *n);
void hp_thread_names_release(struct hp_thread_names *n);

/*
 * Returns a pass that collects the threads. Run it together with the prepass.
 * The pass does not need the elements of large arrays (HP_NEED_HEADS). It fails
 * with HP_LIMIT if there are too many threads for the memory, or with HP_NOMEM.
 */
struct hp_pass hp_thread_names_note_pass(struct hp_thread_names *n);

/**
 * hp_thread_names_read() - run the passes that find the names, if needed
 * @src: is rewound before each pass
 *
 * On return, n->bytes is the memory that the names use.
 * Returns: HP_OK; HP_LIMIT: the names do not fit in memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_thread_names_read(struct hp_thread_names *n,
						struct hp_source *src,
						struct hp_error *err);

/*
 * Returns the string id of the name in the START THREAD record with the serial
 * number @serial. Returns 0 if there is no such record, or if the name is
 * empty.
 */
uint64_t hp_thread_names_started(const struct hp_thread_names *n,
				 uint32_t serial);

/*
 * Returns the escaped name that was found through the thread object @object, or
 * NULL if no name was found. @place is the index of the dump in prepass->dumps.
 */
const char *hp_thread_names_get(const struct hp_thread_names *n, size_t place,
				uint64_t object);

/* ----------------------------------------------------------------------
 * Rows for records outside the heap
 */

/* Append a tab and the number @v: one cell of a row. */
static inline void
hp_table_cell(struct hp_buf *out, uint64_t v)
{
	hp_buf_byte(out, '\t');
	hp_buf_u64(out, v);
}

/*
 * Add the row of a STRING record. The row of a very long string contains only
 * the beginning of the text.
 */
HP_MUST_USE enum hp_status hp_table_string_record(struct hp_table_set *set,
						  const struct hp_record *rec,
						  struct hp_cursor body,
						  unsigned id_size,
						  struct hp_error *err);

struct hp_table_sum {
	uint64_t objects, bytes;
};

/* Data that all rows of the table "dumps" share. */
struct hp_table_dump {
	struct hp_dump_id id;
	const char *path;
	/*
	 * number of objects and their bytes for each dump, in the order of
	 * prepass->dumps
	 */
	const struct hp_table_sum *sums;
};

/*
 * Add a row for each heap dump of the file, or one row with the dump number 0
 * if there is none. hp_prepass_run() was called for @prepass, with want_layout
 * set.
 */
HP_MUST_USE enum hp_status hp_table_dump_rows(struct hp_table_set *set,
					      const struct hp_prepass *prepass,
					      const struct hp_table_dump *d,
					      struct hp_error *err);

/* Add a row for each frame of each stack trace. */
HP_MUST_USE enum hp_status hp_table_frame_rows(struct hp_table_set *set,
					       const struct hp_name_cache *n,
					       struct hp_error *err);

/*
 * Add a row for each collection, and a row for each group of duplicates. The
 * duplicates of a group have equal contents, and the same field refers to all
 * of them. Only the dump with the number @dump is read; 0 means the last dump.
 */
HP_MUST_USE enum hp_status
hp_table_waste_rows(struct hp_table_set *set, struct hp_source *src,
		    const struct hp_size_model *layout, unsigned threads,
		    unsigned dump, struct hp_error *err);

/* ----------------------------------------------------------------------
 * SQL that creates and fills the tables, for each database engine
 */

enum { HP_ENGINES = 4 };

/* Returns the file name of the schema, such as "schema.duckdb.sql". */
const char *hp_table_schema_file(unsigned engine);
/*
 * Append the SQL that creates and fills all tables, for one database engine.
 */
void hp_table_schema(struct hp_buf *out, unsigned engine);

/*
 * ----------------------------------------------------------------------
 * Rows for sub-records
 *
 * A worker appends the rows for a batch (part of the dump) to one buffer,
 * although they belong to several tables. Consecutive rows of the same table
 * form a "stretch". A header before each stretch contains the table and the
 * length of the stretch. The thread that writes the batch splits the buffer at
 * the headers.
 */

struct hp_table_pass;

/* The data and the counters that one thread needs to make rows. */
struct hp_table_worker {
	struct hp_table_pass *pass;
	/* the part of the dump that this thread converts */
	const struct hp_batch *batch;
	/* the buffer for the rows of the batch */
	struct hp_buf *out;
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	/*
	 * the first cells of a row about a reference; they are equal for all
	 * references of the current object
	 */
	struct hp_buf prefix;
	/*
	 * The current object is the first one with its id: only such objects
	 * get rows for their references.
	 */
	bool first;
	/*
	 * A stretch (consecutive rows of the table in `table`) has begun. Its
	 * header is at the offset `head` of the buffer.
	 */
	bool open;
	enum hp_table table;
	size_t head;
	/*
	 * number and bytes of the objects that are not yet added to the sum of
	 * the current dump
	 */
	uint64_t objects, bytes;
	struct hp_undescribed_tally undescribed;
};

struct hp_table_pass {
	const struct hp_convert_options *options;
	struct hp_table_set *set;
	struct hp_prepass prepass;
	struct hp_name_cache naming;
	struct hp_object_classes kinds;
	struct hp_thread_names threads;
	/*
	 * number of objects and their bytes for each dump, in the order of
	 * prepass.dumps
	 */
	struct hp_table_sum *sums;
	struct hp_table_worker *workers;
	pthread_mutex_t lock; /* protects the array sums */
};

/* Append the rows of a sub-record. Returns HP_OK, HP_LIMIT or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_sub(struct hp_table_worker *w,
					const struct hp_sub *s,
					struct hp_error *err);

/*
 * Append the rows for one piece of a very long array. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_piece(struct hp_table_worker *w,
					  const struct hp_run *r,
					  struct hp_error *err);

/*
 * End the current stretch (consecutive rows of one table): store its length in
 * its header.
 */
void hp_table_end_stretch(struct hp_table_worker *w);

/*
 * The callback hp_transform.write of this export: write the rows of a batch
 * (part of the dump) to the files of their tables, in file order.
 */
HP_MUST_USE enum hp_status hp_table_write(void *ctx, const struct hp_batch *b,
					  const struct hp_buf *out,
					  struct hp_error *err);

#endif
