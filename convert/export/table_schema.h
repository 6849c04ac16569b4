/*
 * table_schema.h - SQL that makes and fills the tables
 */
#ifndef HP_CONVERT_EXPORT_TABLE_SCHEMA_H
#define HP_CONVERT_EXPORT_TABLE_SCHEMA_H

#include "common/base/buf.h"

enum { HP_ENGINES = 4 };

/* "schema.duckdb.sql" ... */
const char *hp_table_schema_file(unsigned engine);
void hp_table_schema(struct hp_buf *out, unsigned engine);

#endif
