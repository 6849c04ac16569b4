/* table_columns.c - names and columns of the tables that --to=tables writes */
#include "convert/export/tables.h"

#define COLUMNS(...) ((const struct hp_table_column[]){__VA_ARGS__, {NULL, 0}})
#define U(name)                                                                \
	{                                                                      \
		name, 'u'                                                      \
	}
#define I(name)                                                                \
	{                                                                      \
		name, 'i'                                                      \
	}
#define T(name)                                                                \
	{                                                                      \
		name, 't'                                                      \
	}

const struct hp_table_desc hp_tables_desc[HP_TABLES] = {
	[HP_TABLE_DUMPS] = {"dumps", "dumps.tsv",
			    COLUMNS(U("dump"), T("dump_id"), T("dump_id_of"),
				    T("path"), U("dump_time"),
				    U("dump_time_ms"), U("id_size"),
				    U("reference_size"), U("objects"),
				    U("heap_bytes"))},
	[HP_TABLE_CLASSES] = {"classes", "classes.tsv",
			      COLUMNS(U("dump"), U("id"), T("name"),
				      U("super_id"), T("super"), U("loader_id"),
				      U("instance_size"), U("trace_serial"))},
	[HP_TABLE_FIELDS] = {"fields", "fields.tsv",
			     COLUMNS(U("dump"), U("class_id"), T("class"),
				     T("name"), T("type"), U("is_static"),
				     U("position"), T("value"))},
	[HP_TABLE_OBJECTS] = {"objects", "objects.tsv",
			      COLUMNS(U("dump"), U("id"), U("class_id"),
				      T("class"), T("kind"), U("length"),
				      U("bytes"), U("trace_serial"),
				      T("elements"))},
	[HP_TABLE_EDGES] = {"edges", "edges.tsv",
			    COLUMNS(U("dump"), U("from_id"), T("from_class"),
				    T("kind"), T("name"), U("position"),
				    U("to_id"), T("to_class"))},
	[HP_TABLE_STRINGS] = {"strings", "strings.tsv",
			      COLUMNS(U("id"), U("bytes"), T("text"))},
	[HP_TABLE_THREADS] = {"threads", "threads.tsv",
			      COLUMNS(U("dump"), U("serial"), U("object_id"),
				      T("class"), U("trace_serial"),
				      T("name"))},
	[HP_TABLE_FRAMES] = {"frames", "frames.tsv",
			     COLUMNS(U("trace_serial"), U("thread_serial"),
				     U("depth"), U("frame_id"), T("class"),
				     T("method"), T("signature"), T("source"),
				     I("line"))},
	[HP_TABLE_ROOTS] = {"roots", "roots.tsv",
			    COLUMNS(U("dump"), U("id"), T("class"), T("kind"),
				    U("thread_serial"), I("frame"))},
	[HP_TABLE_COLLECTIONS] = {"collections", "collections.tsv",
				  COLUMNS(U("dump"), U("id"), T("class"),
					  U("size"), U("capacity"), U("used"),
					  U("bytes"), U("waste"), T("holder"))},
	[HP_TABLE_DUPLICATES] = {"duplicates", "duplicates.tsv",
				 COLUMNS(U("dump"), U("array_id"), T("class"),
					 U("length"), U("count"), U("waste"),
					 U("dedup"), T("holder"))},
};
