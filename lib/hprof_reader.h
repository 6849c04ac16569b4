/*
 * hprof_reader.h - the state of an hprof_reader
 *
 * Private to lib/. reader.c steps through the dump, records.c and objects.c
 * decode what it meets, problems.c keeps what breaks the framing, classes.c
 * answers for names, classes and fields.
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

/* A long array or instance of which not all pieces were given yet. */
struct hp_pieces {
	struct hp_sub sub; /* its head */
	uint64_t next;	   /* element */
	unsigned width;	   /* bytes of an element; 0: nothing is under way */
};

struct hprof_reader {
	struct hp_lib_options options;
	struct hp_source *src;
	struct hp_reader *records;
	struct hprof_header header;
	char version[sizeof(((struct hp_header *)0)->text)]; /* the header's */
	struct hp_record *rec;
	unsigned id_size;
	bool begun;		   /* hprof_next() was called */
	bool in_heap;		   /* inside @rec, a heap record */
	bool ended;		   /* by a failure: nothing more comes */
	bool too_long;		   /* @rec, to be kept: what follows comes */
	unsigned dumps;		   /* begun so far, asked for or not */
	struct hp_problem problem; /* of the framing, not told yet */
	bool has_problem;
	/* bytes of the heap record: buf[at..have) come next */
	struct hp_scratch buf;
	size_t at, have;
	uint64_t offset; /* of buf[at], in the dump */
	struct hp_pieces pieces;
	struct hprof_item item;
	char unknown[5];	   /* the name of a tag that has none: "0x77" */
	struct hp_scratch rows[3]; /* that the item points to */
	/* of hprof_read_classes() */
	bool has_classes, has_tables;
	struct hp_tables tables;
	struct hp_classes classes;
	struct hp_id_map names;	  /* address of a text: as in Java source */
	struct hp_id_map by_name; /* hash of a name: class, a pointer */
	struct hp_arena arena;	  /* names */
};

/* A type as enum hprof_type has it: 1 of old writers is that of objects. */
static inline uint8_t
hp_lib_type(uint8_t type)
{
	return type == HP_TYPE_ARRAY ? HPROF_TYPE_OBJECT : type;
}

#endif
