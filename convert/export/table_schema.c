/*
 * table_schema.c - SQL that creates and fills the tables, for each database
 *
 * hp_escape_tsv() doubles backslashes in text. ClickHouse and Spark read two
 * backslashes as one. For other databases, the SQL replaces two backslashes by
 * one. Quotes in a text have no special meaning: the SQL turns them off in each
 * database.
 */
#include "convert/export/table_rows.h"

#include "convert/export/tables.h"

enum { CLICKHOUSE, DUCKDB, SQLITE, SPARK };

static const struct engine {
	const char *file, *head;
	/*
	 * SQL types for table columns of the types 'u' (unsigned), 'i' (signed)
	 * and 't' (text)
	 */
	const char *types[3];
} engines[HP_ENGINES] = {
	[CLICKHOUSE] = {"schema.clickhouse.sql",
			"-- In the folder of the tables:\n"
			"--   clickhouse-client -n < schema.clickhouse.sql\n"
			"--   for t in *.tsv; do\n"
			"--       clickhouse-client --query=\"INSERT INTO "
			"${t%.tsv} FORMAT TabSeparatedWithNames\" < $t\n"
			"--   done\n",
			{"UInt64", "Int64", "String"}},
	[DUCKDB] = {"schema.duckdb.sql",
		    "-- In the folder of the tables: "
		    "duckdb heap.db < schema.duckdb.sql\n",
		    {"UBIGINT", "BIGINT", "VARCHAR"}},
	[SQLITE] = {"schema.sqlite.sql",
		    "-- In the folder of the tables: "
		    "sqlite3 heap.db < schema.sqlite.sql\n"
		    "-- Ids from 2^63 on, which no VM gives, would be "
		    "inexact.\n"
		    "PRAGMA synchronous = OFF;\n"
		    "PRAGMA journal_mode = OFF;\n",
		    {"INTEGER", "INTEGER", "TEXT"}},
	[SPARK] = {"schema.spark.sql",
		   "-- Not tested. In the folder of the tables: "
		   "spark-sql -f schema.spark.sql\n",
		   {"DECIMAL(20,0)", "BIGINT", "STRING"}},
};

static const char *
type_of(unsigned engine, const struct hp_table_column *c)
{
	return engines[engine].types[c->type == 'u'   ? 0
				     : c->type == 'i' ? 1
						      : 2];
}

/*
 * Append the list of columns, for example "(id UInt64, name String)". For
 * DuckDB, names are quoted, and a colon comes between name and type.
 */
static void
add_columns(struct hp_buf *out, unsigned engine, const struct hp_table_desc *d)
{
	const char *form = engine == DUCKDB ? "%s%s: '%s'" : "%s%s %s";

	for (const struct hp_table_column *c = d->columns; c->name; c++)
		hp_buf_printf(out, form, c == d->columns ? "" : ", ", c->name,
			      type_of(engine, c));
}

static void
add_duckdb(struct hp_buf *out, const struct hp_table_desc *d)
{
	hp_buf_printf(out, "CREATE TABLE %s AS SELECT ", d->name);
	for (const struct hp_table_column *c = d->columns; c->name; c++)
		hp_buf_printf(out,
			      c->type == 't'
				      ? "%sreplace(%s, '\\\\', '\\') AS %s"
				      : "%s%s",
			      c == d->columns ? "" : ", ", c->name, c->name);
	hp_buf_printf(out,
		      "\n    FROM read_csv('%s', delim = '\\t', quote = '', "
		      "escape = '', header = true,\n    auto_detect = false, "
		      "nullstr = '\\N', max_line_size = 16777216, "
		      "columns = {",
		      d->file);
	add_columns(out, DUCKDB, d);
	hp_buf_text(out, "});\n");
}

static void
add_sqlite(struct hp_buf *out, const struct hp_table_desc *d)
{
	const char *between = " SET";
	bool any = false;

	hp_buf_printf(out, "CREATE TABLE %s (", d->name);
	add_columns(out, SQLITE, d);
	hp_buf_printf(out,
		      ");\n.mode ascii\n.separator \"\\t\" \"\\n\"\n"
		      ".import --skip 1 %s %s\n",
		      d->file, d->name);
	for (const struct hp_table_column *c = d->columns; c->name; c++)
		any |= c->type == 't';
	if (!any)
		return;
	hp_buf_printf(out, "UPDATE %s", d->name);
	for (const struct hp_table_column *c = d->columns; c->name; c++) {
		if (c->type != 't')
			continue;
		hp_buf_printf(out, "%s %s = replace(%s, '\\\\', '\\')", between,
			      c->name, c->name);
		between = ",";
	}
	between = " WHERE";
	for (const struct hp_table_column *c = d->columns; c->name; c++) {
		if (c->type != 't')
			continue;
		hp_buf_printf(out, "%s instr(%s, '\\\\')", between, c->name);
		between = " OR";
	}
	hp_buf_text(out, ";\n");
}

static void
add_table(struct hp_buf *out, unsigned engine, const struct hp_table_desc *d)
{
	switch (engine) {
	case DUCKDB:
		add_duckdb(out, d);
		break;
	case SQLITE:
		add_sqlite(out, d);
		break;
	default:
		hp_buf_printf(out, "CREATE TABLE %s (", d->name);
		add_columns(out, engine, d);
		if (engine == CLICKHOUSE)
			hp_buf_printf(out,
				      ")\n    ENGINE = MergeTree ORDER BY "
				      "(%s, %s);\n",
				      d->columns[0].name, d->columns[1].name);
		else
			hp_buf_printf(out,
				      ")\n    USING csv OPTIONS (path '%s', "
				      "sep '\\t', header 'true', quote '',\n"
				      "    escape '\\\\');\n",
				      d->file);
		break;
	}
}

const char *
hp_table_schema_file(unsigned engine)
{
	return engines[engine].file;
}

void
hp_table_schema(struct hp_buf *out, unsigned engine)
{
	hp_buf_text(out, engines[engine].head);
	for (unsigned t = 0; t < HP_TABLES; t++)
		add_table(out, engine, &hp_tables_desc[t]);
}
