/*
 * mapping.h - read the mapping files of R8 and ProGuard, and replace the names
 * in a dump by the original names
 */
#ifndef HP_MAPPING_MAPPING_H
#define HP_MAPPING_MAPPING_H

#include "common/base/arena.h"
#include "common/base/buf.h"
#include "common/base/vec.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/*
 * ----------------------------------------------------------------------
 * Mapping files
 *
 * R8 and ProGuard write a mapping file when they rename ("obfuscate") the
 * classes of a program. Each line of such a file has an original name and the
 * new name in the program.
 * Source: "R8, Retrace and map file versioning" (r8/doc/retrace.md), and the
 * ProGuard manual, "Retrace"
 */

struct hp_name_mapping;

/**
 * hp_mapping_parse() - parse the text of a mapping file
 *
 * Comments are ignored, and so are lines of an unknown format. If two lines
 * have the same name in the program, the first line is used.
 *
 * Returns: HP_OK; HP_DAMAGED: the text has no class, or a line is longer than
 *          1 MiB; HP_NOMEM.
 * Ownership: the caller closes *@out with hp_mapping_close().
 */
HP_MUST_USE enum hp_status hp_mapping_parse(struct hp_name_mapping **out,
					    const char *text, size_t n,
					    struct hp_error *err);
void hp_mapping_close(struct hp_name_mapping *m);

enum { HP_MAPPINGS_MOST = 16 };

/*
 * The files of the options --mapping, in the order of the command line. A
 * zeroed struct has no files.
 */
struct hp_mappings {
	/* The mapping file of one option --mapping. The path is borrowed. */
	struct hp_mapping_file {
		const char *path;
		/* the contents of the file; NULL: the file was not read yet */
		struct hp_name_mapping *mapping;
	} * list;
	size_t count, cap;
};

/*
 * Add the path of a mapping file. Returns HP_OK; HP_DAMAGED: there are too many
 * files; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_mappings_add(struct hp_mappings *m, const char *path, struct hp_error *err);
/*
 * Read all mapping files. Call it before the program enters its sandbox, which
 * forbids opening files. The files may be compressed. After a failure, *@path
 * is the file that could not be read. Returns the same as hp_mapping_parse(),
 * or the status of a failure to read.
 */
HP_MUST_USE enum hp_status hp_mappings_read(struct hp_mappings *m,
					    const char **path,
					    struct hp_error *err);
void hp_mappings_release(struct hp_mappings *m);

/*
 * ----------------------------------------------------------------------
 * Replace the names in a dump
 *
 * Names in a dump are STRING records, to which other records refer by an id.
 * Many records share one STRING: for example, all fields "a" of all classes. So
 * a STRING cannot be changed. The code makes new strings with unused ids, and
 * stores these ids in the other records in memory. If there are several
 * mappings, they are applied one after the other: the original name in the
 * first mapping is looked up in the second mapping.
 */

/* Counts that show how well the mappings fit the dump. */
struct hp_rename_counts {
	/*
	 * `classes`: the number of classes of the dump, without array classes.
	 * `known`: how many of these classes are in a mapping.
	 */
	uint64_t classes, known;
	/*
	 * The number of fields, and the number of stack frames, that got
	 * another name.
	 */
	uint64_t fields, frames;
	/*
	 * number of fields and stack frames that keep their names, because a
	 * mapping has several original names for them
	 */
	uint64_t ambiguous;
};

struct hp_rename {
	const struct hp_mappings *mappings;
	struct hp_tables *tables;
	struct hp_rename_counts counts;
	/*
	 * The texts of new names. Element n - 1 of `ids` is the id of the new
	 * STRING record with text number n. 0: the text has no STRING record.
	 */
	struct hp_intern texts;
	uint64_t *ids;
	size_t ids_cap;
	/*
	 * New records for the dump. The elements of `loads` are struct hp_load,
	 * those of `frames` struct hp_frame.
	 */
	struct hp_vec loads, frames;
	/*
	 * This member and those after it are only for rename.c and
	 * rename_frames.c.
	 */
	/*
	 * Maps a class name to the serial number of the class with this name.
	 * The key is the number of the name in `texts`.
	 */
	struct hp_id_map serials;
	struct hp_id_map expanded, types;
	struct hp_vec stacks;
	struct hp_buf buf;
	const struct hp_classes *classes;
	uint64_t next_id;
	uint32_t next_serial;
	/*
	 * the names of classes in the dump have slashes, as in
	 * "java/lang/String"
	 */
	bool jvm;
};

/*
 * Prepare to rename the dump that has the tables @tables. The caller has zeroed
 * @r.
 */
void hp_rename_init(struct hp_rename *r, const struct hp_mappings *mappings,
		    struct hp_tables *tables);
void hp_rename_release(struct hp_rename *r);

/*
 * Rename the fields and static fields of all classes of a dump. Call it before
 * hp_rename_records(): hp_rename_fields() looks up classes by the names that
 * hp_rename_records() replaces. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_fields(struct hp_rename *r,
					    struct hp_classes *classes,
					    struct hp_error *err);

/**
 * hp_rename_records() - rename the stack frames and then the classes of a dump
 * @classes: used to find super classes, because the method of a frame may be
 *           inherited; NULL: not known
 *
 * A frame into which methods were inlined becomes several frames. Frames of
 * methods that the compiler has made are removed from the traces.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_records(struct hp_rename *r,
					     const struct hp_classes *classes,
					     struct hp_error *err);

/*
 * Add the new strings and records to the tables of the dump, so that look-ups
 * find them. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_publish(struct hp_rename *r,
					     struct hp_error *err);

/*
 * Append the body of a new or changed record, for programs that write a dump.
 */
void hp_rename_string_body(const struct hp_rename *r, uint32_t number,
			   struct hp_buf *out);
void hp_rename_load_body(const struct hp_rename *r, const struct hp_load *l,
			 struct hp_buf *out);
void hp_rename_frame_body(const struct hp_rename *r, const struct hp_frame *f,
			  struct hp_buf *out);

/*
 * Append a text about the number of classes that a mapping has: "1,203 of 1,544
 * classes of the dump are in the mapping". Returns false if the number is 0, so
 * that the mapping seems to belong to another program.
 */
bool hp_rename_fit(const struct hp_rename_counts *c, struct hp_buf *text);

#endif
