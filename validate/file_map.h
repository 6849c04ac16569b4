/*
 * file_map.h - a map of a dump: how many bytes of strings, instances, arrays
 * and so on are in each part
 *
 * The dump is divided into bins of equal size. A bin has a number for each kind
 * of contents. The bytes that are left in a bin belong to no record: they could
 * not be decoded.
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
	 * bytes of everything else: the file header, the headers of records,
	 * allocation sites, CPU samples ...
	 */
	HP_CONTENT_OTHER,
	HP_CONTENT_UNKNOWN,  /* bytes of records with unknown tags */
	HP_CONTENT_LEFT_OUT, /* bytes of dumps that the user did not ask for */
	HP_CONTENT_KINDS,
};

/*
 * The map of a dump: how many bytes of each kind are in each bin. A zeroed
 * struct is an empty map.
 */
struct hp_file_map {
	uint64_t bytes; /* length of the dump in bytes; set at the end */
	/*
	 * if the last record is truncated: how many of its bytes are missing in
	 * the file
	 */
	uint64_t missing;
	struct hp_offset_bins kinds[HP_CONTENT_KINDS];
	/*
	 * A record has begun. Its end is not known until the next record
	 * begins.
	 */
	bool open;
	enum hp_content open_kind;
	uint64_t open_offset;
};

/*
 * Returns the name of a kind of contents, such as "instances". For
 * HP_CONTENT_KINDS, the name is "not decoded".
 */
const char *hp_content_name(enum hp_content kind);

/* Add the file header to the map. Call this before the records are added. */
void hp_file_map_header(struct hp_file_map *m, const struct hp_header *h);

/**
 * hp_file_map_record() - add the header of a record and, unless it is a heap
 * record, its body
 * @only_dump: if not 0, count heap records of other dumps as left out
 */
void hp_file_map_record(struct hp_file_map *m, const struct hp_record *rec,
			struct hp_cursor body, unsigned only_dump);

/*
 * Add consecutive complete STRING records. The first one begins at @offset.
 * @length is the size of all these records in bytes, with their headers.
 */
void hp_file_map_strings(struct hp_file_map *m, uint64_t offset,
			 uint64_t length);

/*
 * Correct the map after a problem in the dump: do not count the bytes of a
 * truncated or invalid record.
 */
void hp_file_map_problem(struct hp_file_map *m, const struct hp_problem *p);

/*
 * Add the sub-records in one batch of the dump. Only one thread at a time may
 * use a map.
 */
void hp_file_map_batch(struct hp_file_map *m, const struct hp_batch *b,
		       unsigned id_size);

/*
 * Merge all maps into @maps[0]. The first @n maps are those of the worker
 * threads; @maps[@n] is the map of the records outside the heap. @bytes: the
 * length of the dump. Afterwards the bins of all kinds of contents have the
 * same width.
 */
void hp_file_map_finish(struct hp_file_map *maps, unsigned n, uint64_t bytes);

/*
 * Returns how many bytes of the dump are in bin @i of a finished map. The last
 * bin may have fewer bytes than the others. After the last bin the result is 0.
 */
uint64_t hp_file_map_width(const struct hp_file_map *m, unsigned i);

/* Returns how many bytes of bin @i were not decoded. */
uint64_t hp_file_map_gap(const struct hp_file_map *m, unsigned i);

#endif
