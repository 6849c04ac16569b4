/*
 * table_columns.h - names and columns of the tables of a dump
 */
#ifndef HP_CONVERT_EXPORT_TABLE_COLUMNS_H
#define HP_CONVERT_EXPORT_TABLE_COLUMNS_H

#include <stddef.h>

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
	HP_TABLES
};

struct hp_table_column {
	const char *name; /* NULL: end of the list */
	/* 'u': unsigned number, 'i': signed number, 't': text */
	char type;
};

struct hp_table_desc {
	const char *name, *file;
	const struct hp_table_column *columns;
};

extern const struct hp_table_desc hp_tables_desc[HP_TABLES];

#endif
