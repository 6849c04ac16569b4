/*
 * table_set.h - the tables of a dump and the files they are written to
 *
 * Rows are tab-separated values, escaped by hp_escape_tsv(), after a line with
 * the names of the columns. They are written to the files of a folder, or of a
 * tar archive.
 */
#ifndef HP_CONVERT_EXPORT_TABLE_SET_H
#define HP_CONVERT_EXPORT_TABLE_SET_H

#include "common/base/buf.h"
#include "common/sink/output_folder.h"
#include "common/sink/sink.h"
#include "convert/export/table_columns.h"

struct hp_table_set {
	bool opened; /* false (zeroed): there is nothing to release */
	struct hp_output_folder folder;
	size_t file[HP_TABLES]; /* index of the file in @folder */
	struct hp_buf pending[HP_TABLES];
	uint64_t rows[HP_TABLES];
};

/**
 * hp_table_set_open() - create a file with a line of column names for each
 * table
 * @path: the folder; NULL: temporary files, for a tar archive
 *
 * Returns: as hp_output_folder_open(). Release @t in any case.
 */
HP_MUST_USE enum hp_status hp_table_set_open(struct hp_table_set *t,
					     const char *path, bool sync,
					     const struct hp_source *input,
					     struct hp_error *err);

/*
 * Append complete rows to a table. Only one thread at a time may use a table.
 * Returns HP_OK, HP_IO or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_set_add(struct hp_table_set *t,
					    enum hp_table table,
					    const char *rows, size_t n,
					    struct hp_error *err);

/*
 * Call this after the last row: writes the pending rows, and a schema for each
 * database engine.
 */
HP_MUST_USE enum hp_status hp_table_set_finish(struct hp_table_set *t,
					       struct hp_error *err);

/*
 * Write the files as a tar archive (ustar; sizes beyond 8 GB in base 256), and
 * finish the sink.
 */
HP_MUST_USE enum hp_status hp_table_set_archive(struct hp_table_set *t,
						struct hp_sink *sink,
						struct hp_error *err);

/* The size of all files, in bytes. */
uint64_t hp_table_set_bytes(const struct hp_table_set *t);

/*
 * Release the set, and remove the files unless hp_output_folder_commit() was
 * called.
 */
void hp_table_set_release(struct hp_table_set *t);

#endif
