/*
 * tables.h - a dump as tables for database engines
 */
#ifndef HP_CONVERT_EXPORT_TABLES_H
#define HP_CONVERT_EXPORT_TABLES_H

#include "common/io/dump_id.h"
#include "convert/export/table_set.h"

struct hp_tables_options {
	unsigned threads;
	uint64_t memory; /* that looking up classes may take */
	/* of arrays of primitives, at most so many; HP_NDJSON_NO_ELEMENTS */
	uint64_t elements;
	const char *path;	 /* of the input */
	struct hp_source *given; /* whose dump_id is told; may be @src */
};

/**
 * hp_tables_convert() - write @src to the tables of @set, which are finished
 * @src: read four times, from its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_LIMIT: the classes of all
 *          objects do not fit in memory; HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_convert(struct hp_source *src, struct hp_table_set *set,
		  const struct hp_tables_options *options,
		  struct hp_error *err);

#endif
