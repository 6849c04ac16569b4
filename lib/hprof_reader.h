/*
 * hprof_reader.h - the state of an hprof_reader
 *
 * Private to lib/. reader.c steps through the dump; records.c and objects.c
 * decode the records; problems.c keeps the last framing problem until it is
 * reported; classes.c looks up names, classes and fields.
 */
#ifndef HP_LIB_HPROF_READER_H
#define HP_LIB_HPROF_READER_H

#include "common/base/buf.h"
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/model/classes.h"
#include "common/model/damage.h"
#include "common/model/tables.h"
#include "lib/internal.h"
#include "lib/scratch.h"

/* The state of a long array or instance that is being returned in pieces. */
struct hp_pieces {
	struct hp_sub sub; /* the decoded head of the sub-record */
	uint64_t next;	   /* index of the first element of the next piece */
	/* bytes of an element; 0: no such object is in progress */
	unsigned width;
};

struct hprof_reader {
	struct hp_lib_options options;
	struct hp_source *src;
	struct hp_reader *records;
	struct hprof_header header;
	/* copy of the header's text */
	char version[sizeof(((struct hp_header *)0)->text)];
	struct hp_record *rec;
	unsigned id_size;
	bool begun;   /* hprof_next() was called */
	bool in_heap; /* inside @rec, a heap record */
	/* after a fatal failure or at the end: return no more items */
	bool ended;
	/*
	 * @rec is longer than HP_BODY_MAX and was refused; reading goes on
	 * after it
	 */
	bool too_long;
	/* dumps begun so far, including those that are skipped */
	unsigned dumps;
	/* framing problem that hprof_next() has not reported yet */
	struct hp_problem problem;
	bool has_problem;
	/*
	 * Bytes of the current heap record. buf[at..have) are not decoded yet.
	 */
	struct hp_scratch buf;
	size_t at, have;
	uint64_t offset; /* offset of buf[at] in the dump */
	struct hp_pieces pieces;
	struct hprof_item item;
	char unknown[5]; /* name of an unknown tag: "0x77" */
	/* tables of the current item: frames, rows, fields */
	struct hp_scratch rows[3];
	/* Filled by hprof_read_classes(). */
	bool has_classes, has_tables;
	struct hp_tables tables;
	struct hp_classes classes;
	/* from the address of the raw text to the name as in Java source */
	struct hp_id_map names;
	/* from the hash of a name to a pointer to the class */
	struct hp_id_map by_name;
	struct hp_arena arena; /* owns the texts of the names */
};

/*
 * Convert a type code to enum hprof_type. Old writers use code 1 for objects;
 * it becomes 2.
 */
static inline uint8_t
hp_lib_type(uint8_t type)
{
	return type == HP_TYPE_ARRAY ? HPROF_TYPE_OBJECT : type;
}

#endif
