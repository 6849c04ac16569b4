/*
 * file_map.h - what lies where in a dump: its bytes by kind, in bins
 *
 * What no record accounts for was not decoded: a gap needs no entry of its own,
 * it is what is left.
 */
#ifndef HP_VALIDATE_FILE_MAP_H
#define HP_VALIDATE_FILE_MAP_H

#include "common/format/pass.h"
#include "validate/offset_bins.h"

enum hp_content {
	HP_CONTENT_STRINGS,
	HP_CONTENT_CLASSES, /* loads, unloads and class dumps */
	HP_CONTENT_STACKS,  /* frames, traces and threads */
	HP_CONTENT_INSTANCES,
	HP_CONTENT_OBJECT_ARRAYS,
	HP_CONTENT_PRIMITIVE_ARRAYS,
	HP_CONTENT_ROOTS,    /* and to which heap objects belong */
	HP_CONTENT_OTHER,    /* header, heads, sites, samples ... */
	HP_CONTENT_UNKNOWN,  /* records of unknown tags */
	HP_CONTENT_LEFT_OUT, /* dumps that were not asked for */
	HP_CONTENT_KINDS,
};

/* Zeroed: nothing. */
struct hp_file_map {
	uint64_t bytes;	  /* of the dump; known at the end */
	uint64_t missing; /* behind the end, as the last record has it */
	struct hp_offset_bins kinds[HP_CONTENT_KINDS];
	/* a record whose end is where the next one begins */
	bool open;
	enum hp_content open_kind;
	uint64_t open_offset;
};

/* "instances", "not decoded" of HP_CONTENT_KINDS. */
const char *hp_content_name(enum hp_content kind);

/* The header of a dump, in the pass's order with the records. */
void hp_file_map_header(struct hp_file_map *m, const struct hp_header *h);

/**
 * hp_file_map_record() - a record's head and, if it is no heap record, its body
 * @only_dump: heap records of other dumps are left out; 0: none is
 */
void hp_file_map_record(struct hp_file_map *m, const struct hp_record *rec,
			struct hp_cursor body, unsigned only_dump);

/* Whole strings, one behind the other: @length bytes with their heads. */
void hp_file_map_strings(struct hp_file_map *m, uint64_t offset,
			 uint64_t length);

/* Records that are cut, or make no sense, do not count. */
void hp_file_map_problem(struct hp_file_map *m, const struct hp_problem *p);

/* The sub-records of a batch; the same map by one thread at a time only. */
void hp_file_map_batch(struct hp_file_map *m, const struct hp_batch *b,
		       unsigned id_size);

/*
 * The dump has @bytes: @maps[@n], of its records, gets what the @n others, of
 * batches, have, and all kinds have the bins that this asks for. All is in the
 * first one then.
 */
void hp_file_map_finish(struct hp_file_map *maps, unsigned n, uint64_t bytes);

/* Bytes of bin @i of a map that is finished: fewer in the last one, then 0. */
uint64_t hp_file_map_width(const struct hp_file_map *m, unsigned i);

/* Bytes of bin @i that were not decoded. */
uint64_t hp_file_map_gap(const struct hp_file_map *m, unsigned i);

#endif
