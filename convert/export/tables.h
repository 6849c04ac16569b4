/* tables.h - export a dump as a folder of tables */
#ifndef HP_CONVERT_EXPORT_TABLES_H
#define HP_CONVERT_EXPORT_TABLES_H

#include "common/base/buf.h"
#include "common/model/undescribed.h"
#include "common/sink/publish.h"
#include "common/sink/sink.h"
#include "convert/options.h"

#include <stddef.h>

/* ----------------------------------------------------------------------
 * Names and columns of the tables of a dump
 */

enum hp_table {
	HP_TABLE_DUMPS,
	HP_TABLE_CLASSES,
	HP_TABLE_FIELDS,
	HP_TABLE_OBJECTS,
	HP_TABLE_EDGES,
	HP_TABLE_STRINGS,
	HP_TABLE_THREADS,
	HP_TABLE_FRAMES,
	HP_TABLE_ROOTS,
	HP_TABLE_COLLECTIONS,
	HP_TABLE_DUPLICATES,
	HP_TABLES
};

struct hp_table_column {
	const char *name; /* name of a column; NULL: end of the list */
	/*
	 * type of the column: 'u': unsigned number, 'i': signed number, 't':
	 * text
	 */
	char type;
};

struct hp_table_desc {
	const char *name, *file;
	const struct hp_table_column *columns;
};

extern const struct hp_table_desc hp_tables_desc[HP_TABLES];

/* ----------------------------------------------------------------------
 * The tables of a dump and the files they are written to
 *
 * Rows are tab-separated values, escaped by hp_escape_tsv(), after a line with
 * the names of the columns. The rows are written to the files of a folder, or
 * of a tar archive.
 */

struct hp_table_set {
	/*
	 * the files were created; in a zeroed struct this is false, and there
	 * is nothing to release
	 */
	bool opened;
	struct hp_output_folder folder;
	/* for each table: the index of its file in `folder` */
	size_t file[HP_TABLES];
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
 * Call this after the last row: it writes the rows that are still in memory,
 * and a schema for each database.
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

/* Returns the size of all files of the tables, in bytes. */
uint64_t hp_table_set_bytes(const struct hp_table_set *t);

/*
 * Release the set. Removes the files, unless hp_output_folder_commit() was
 * called.
 */
void hp_table_set_release(struct hp_table_set *t);

/* ----------------------------------------------------------------------
 * Export a dump as tables for database engines
 */

/**
 * hp_tables_convert() - write @src to the tables of @set, and finish them
 * @src: at its first byte; must be rewindable, and opened with the option
 *       digest; it is read about nine times. The dump_id is computed from this
 *       source. If values were stripped, @src is the stripped dump, so the
 *       dump_id reveals nothing about the removed values.
 * @options: the members elements and the path of the input are used. Half of
 *           the memory is used to look up classes.
 * @undescribed: receives the number of objects whose references are not
 *               exported, because no class dump describes their fields
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_LIMIT: the classes of all
 *          objects do not fit in memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_convert(struct hp_source *src, struct hp_table_set *set,
		  const struct hp_convert_options *options,
		  struct hp_undescribed *undescribed, struct hp_error *err);

#endif
