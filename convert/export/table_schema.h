/*
 * table_schema.h - SQL that creates and fills the tables, for each database
 * engine
 */
#ifndef HP_CONVERT_EXPORT_TABLE_SCHEMA_H
#define HP_CONVERT_EXPORT_TABLE_SCHEMA_H

#include "common/base/buf.h"

enum { HP_ENGINES = 4 };

/* Returns the file name of the schema, such as "schema.duckdb.sql". */
const char *hp_table_schema_file(unsigned engine);
/*
 * Append the SQL that creates and fills all tables, for one database engine.
 */
void hp_table_schema(struct hp_buf *out, unsigned engine);

#endif
