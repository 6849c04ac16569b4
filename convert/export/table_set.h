/*
 * table_set.h - the tables of a dump: what they have, and where their rows go
 *
 * Rows are tab-separated values, in the text of hp_escape_tsv(), below a line
 * of the columns' names. They go to the files of a folder, or of a tar archive.
 */
#ifndef HP_CONVERT_EXPORT_TABLE_SET_H
#define HP_CONVERT_EXPORT_TABLE_SET_H

#include "common/base/buf.h"
#include "common/sink/output_folder.h"
#include "common/sink/sink.h"
#include "convert/export/table_columns.h"

struct hp_table_set {
	bool opened; /* zeroed: there is nothing to release */
	struct hp_output_folder folder;
	size_t file[HP_TABLES]; /* of the folder */
	struct hp_buf pending[HP_TABLES];
	uint64_t rows[HP_TABLES];
};

/**
 * hp_table_set_open() - files with a line of names each
 * @path: of the folder; NULL: they are to become a tar archive
 *
 * Returns: as hp_output_folder_open(). Release it in any case.
 */
HP_MUST_USE enum hp_status hp_table_set_open(struct hp_table_set *t,
					     const char *path, bool sync,
					     const struct hp_source *input,
					     struct hp_error *err);

/* Whole rows; each table is one thread's at a time. HP_OK, HP_IO, HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_set_add(struct hp_table_set *t,
					    enum hp_table table,
					    const char *rows, size_t n,
					    struct hp_error *err);

/* All rows are there: write what waits, and a schema for each engine. */
HP_MUST_USE enum hp_status hp_table_set_finish(struct hp_table_set *t,
					       struct hp_error *err);

/* The files as a tar archive (ustar; sizes beyond 8 GB in base 256). */
HP_MUST_USE enum hp_status hp_table_set_archive(struct hp_table_set *t,
						struct hp_sink *sink,
						struct hp_error *err);

/* Bytes of all tables. */
uint64_t hp_table_set_bytes(const struct hp_table_set *t);

/* Throws away what was not committed by hp_output_folder_commit(). */
void hp_table_set_release(struct hp_table_set *t);

#endif
