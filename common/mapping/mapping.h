/*
 * mapping.h - the names that R8 or ProGuard replaced: read a mapping file, and
 * give a dump its original names again
 */
#ifndef HP_MAPPING_MAPPING_H
#define HP_MAPPING_MAPPING_H

#include "common/base/arena.h"
#include "common/base/buf.h"
#include "common/base/vec.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/* ----------------------------------------------------------------------
 * Mapping files
 *
 * R8 and ProGuard write one when they rename ("obfuscate") the classes of a
 * program. Each line of such a file has an original name and the new name in
 * the program.
 * Source: "R8, Retrace and map file versioning" (r8/doc/retrace.md), and the
 * ProGuard manual, "Retrace"
 */

struct hp_name_mapping;

/**
 * hp_mapping_parse() - parse the text of a mapping file
 *
 * Lines that are not understood are ignored, as comments are. If a name in the
 * program occurs twice, its first line counts.
 *
 * Returns: HP_OK; HP_DAMAGED: the text names no class, or a line is longer than
 *          1 MiB; HP_NOMEM.
 * Ownership: the caller closes *@out with hp_mapping_close().
 */
HP_MUST_USE enum hp_status hp_mapping_parse(struct hp_name_mapping **out,
					    const char *text, size_t n,
					    struct hp_error *err);
/* Read a file, which may be compressed. Also returns the failures of reading.
 */
HP_MUST_USE enum hp_status hp_mapping_open(struct hp_name_mapping **out,
					   const char *path,
					   struct hp_error *err);
void hp_mapping_close(struct hp_name_mapping *m);

/*
 * Returns the original name of a class, with dots; NULL if the mapping does not
 * have the class.
 */
const char *hp_mapping_class_name(const struct hp_name_mapping *m,
				  const char *name, size_t n);

enum { HP_MAPPINGS_MOST = 16 };

/*
 * The files of --mapping, in the order of the command line. A zeroed structure
 * has no files.
 */
struct hp_mappings {
	/* A file of --mapping. The path belongs to the caller. */
	struct hp_mapping_file {
		const char *path;
		struct hp_name_mapping *mapping; /* NULL: not read yet */
	} * list;
	size_t count, cap;
};

/*
 * Add the path of a file. Returns HP_OK; HP_DAMAGED: there are too many files;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_mappings_add(struct hp_mappings *m, const char *path, struct hp_error *err);
/*
 * Read all files, before the program enters its sandbox. *@path receives the
 * file that a failure concerns. Returns as hp_mapping_open().
 */
HP_MUST_USE enum hp_status hp_mappings_read(struct hp_mappings *m,
					    const char **path,
					    struct hp_error *err);
void hp_mappings_release(struct hp_mappings *m);

/* ----------------------------------------------------------------------
 * Rename what a dump contains
 *
 * Names in a dump are STRING records to which other records refer by an id.
 * Many records share one STRING, for example the field "a" of all classes. So
 * new strings with unused ids are made, and the records in memory get these
 * ids. Several mappings are applied one after the other: the original name of
 * the first one is looked up in the second one.
 */

/* How well the mappings fit the dump. */
struct hp_rename_counts {
	/* classes of the dump without array classes, and how many are known */
	uint64_t classes, known;
	/* fields and stack frames that got another name */
	uint64_t fields, frames;
	/*
	 * fields and stack frames that keep their names, because several
	 * original names are possible
	 */
	uint64_t ambiguous;
};

struct hp_rename {
	const struct hp_mappings *mappings;
	struct hp_tables *tables;
	struct hp_rename_counts counts;
	/*
	 * texts; if number n is the text of a new string, its id is at index
	 * n - 1, otherwise 0 is there
	 */
	struct hp_intern texts;
	uint64_t *ids;
	size_t ids_cap;
	/* new records: struct hp_load, and struct hp_frame */
	struct hp_vec loads, frames;
	/* the next members are only for rename.c and rename_frames.c */
	/* maps the text of a class name to the serial number of the class */
	struct hp_id_map serials;
	struct hp_id_map expanded, types;
	struct hp_vec stacks;
	struct hp_buf buf;
	const struct hp_classes *classes;
	uint64_t next_id;
	uint32_t next_serial;
	bool jvm; /* whether the dump spells names of classes with slashes */
};

/* Prepare for a dump with these tables. @r is zeroed before. */
void hp_rename_init(struct hp_rename *r, const struct hp_mappings *mappings,
		    struct hp_tables *tables);
void hp_rename_release(struct hp_rename *r);

/*
 * Rename the fields and static fields of all classes of a dump. Call it before
 * hp_rename_records(), because it looks up the names of the classes. Returns
 * HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_fields(struct hp_rename *r,
					    struct hp_classes *classes,
					    struct hp_error *err);

/**
 * hp_rename_records() - rename stack frames and classes, in this order
 * @classes: finds superclasses, whose methods a frame may have; NULL: none
 *
 * A frame into which methods were inlined becomes several frames. Frames that
 * the compiler made are left out of their traces.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_records(struct hp_rename *r,
					     const struct hp_classes *classes,
					     struct hp_error *err);

/*
 * Add the new strings and records to the tables, so that all look-ups find
 * them. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_publish(struct hp_rename *r,
					     struct hp_error *err);

/* Append the body of a record, for the programs that write it. */
void hp_rename_string_body(const struct hp_rename *r, uint32_t number,
			   struct hp_buf *out);
void hp_rename_load_body(const struct hp_rename *r, const struct hp_load *l,
			 struct hp_buf *out);
void hp_rename_frame_body(const struct hp_rename *r, const struct hp_frame *f,
			  struct hp_buf *out);

/*
 * Append how many classes are known: "1,203 of 1,544 classes of the dump are in
 * the mapping". Returns false if none is known, so that the mapping seems to
 * belong to another program.
 */
bool hp_rename_fit(const struct hp_rename_counts *c, struct hp_buf *text);

#endif
