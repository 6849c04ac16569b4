/*
 * file_map.h - a map of a dump: how many bytes of each kind are in each part
 *
 * The dump is divided into bins of equal size. Bytes that belong to no record
 * were not decoded. A bin needs no entry for them: they are the rest of the
 * bin.
 */
#ifndef HP_VALIDATE_FILE_MAP_H
#define HP_VALIDATE_FILE_MAP_H

#include "common/format/scan.h"
#include "validate/finding.h"

enum hp_content {
	HP_CONTENT_STRINGS,
	/* bytes of LOAD CLASS, UNLOAD CLASS and CLASS DUMP */
	HP_CONTENT_CLASSES,
	/* bytes of stack frames, stack traces and threads */
	HP_CONTENT_STACKS,
	HP_CONTENT_INSTANCES,
	HP_CONTENT_OBJECT_ARRAYS,
	HP_CONTENT_PRIMITIVE_ARRAYS,
	HP_CONTENT_ROOTS, /* bytes of roots and of HEAP DUMP INFO */
	/*
	 * bytes of the header, heads of records, allocation sites, CPU samples
	 * ...
	 */
	HP_CONTENT_OTHER,
	HP_CONTENT_UNKNOWN,  /* bytes of records with unknown tags */
	HP_CONTENT_LEFT_OUT, /* bytes of dumps that the user did not ask for */
	HP_CONTENT_KINDS,
};

/* A zeroed map is empty. */
struct hp_file_map {
	uint64_t bytes; /* length of the dump; set at the end */
	/* bytes missing after the end, if the last record is truncated */
	uint64_t missing;
	struct hp_offset_bins kinds[HP_CONTENT_KINDS];
	/* A record whose length is not known until the next one begins. */
	bool open;
	enum hp_content open_kind;
	uint64_t open_offset;
};

/*
 * The name of a kind of contents, such as "instances". HP_CONTENT_KINDS is "not
 * decoded".
 */
const char *hp_content_name(enum hp_content kind);

/* Add the header of a dump. Called before the records. */
void hp_file_map_header(struct hp_file_map *m, const struct hp_header *h);

/**
 * hp_file_map_record() - add the head of a record, and its body unless it is a
 * heap record
 * @only_dump: if not 0, count heap records of other dumps as left out
 */
void hp_file_map_record(struct hp_file_map *m, const struct hp_record *rec,
			struct hp_cursor body, unsigned only_dump);

/*
 * Add consecutive complete STRING records, which have @length bytes including
 * their heads.
 */
void hp_file_map_strings(struct hp_file_map *m, uint64_t offset,
			 uint64_t length);

/*
 * Correct the map after a problem: bytes of truncated and invalid records do
 * not count.
 */
void hp_file_map_problem(struct hp_file_map *m, const struct hp_problem *p);

/*
 * Add the sub-records in a part of the dump. Only one thread at a time may use
 * a map.
 */
void hp_file_map_batch(struct hp_file_map *m, const struct hp_batch *b,
		       unsigned id_size);

/*
 * Merge all maps into @maps[0]. @maps[@n] has the records, and the @n maps
 * before it are those of the threads. @bytes is the length of the dump.
 * Afterwards the bins of all kinds have the same width.
 */
void hp_file_map_finish(struct hp_file_map *maps, unsigned n, uint64_t bytes);

/*
 * How many bytes of the dump bin @i of a finished map covers. The last bin may
 * cover fewer; beyond it the result is 0.
 */
uint64_t hp_file_map_width(const struct hp_file_map *m, unsigned i);

/* How many bytes of bin @i were not decoded. */
uint64_t hp_file_map_gap(const struct hp_file_map *m, unsigned i);

#endif
