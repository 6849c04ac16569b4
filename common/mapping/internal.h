/*
 * internal.h - the contents of a mapping file, as the files of common/mapping
 * store them
 *
 * A mapping file lists the names that R8 or ProGuard gave to classes, fields
 * and methods ("the names in the program") and the original names. Each
 * different text is stored once and has a number, from 1. Members such as
 * `name` and `original` are numbers of texts; 0 means that there is no text.
 */
#ifndef HP_MAPPING_INTERNAL_H
#define HP_MAPPING_INTERNAL_H

#include "common/mapping/mapping.h"

enum {
	/*
	 * The line number is not known. R8 also writes 0, for methods without a
	 * source.
	 */
	HP_NO_LINE = -1,
	HP_LINE_MOST = 999999999,
	/*
	 * the maximum number of original frames for one frame of the dump: the
	 * frame itself and the methods inlined into it. Compilers inline to a
	 * depth of a few dozen. The limit keeps the work linear for malicious
	 * mappings.
	 */
	HP_INLINED_MOST = 64,
	/*
	 * The maximum length in bytes of a name in a dump; a longer name is not
	 * looked up. Tools that rename classes never make longer names. Without
	 * the limit, a malicious dump with a very long name in many records
	 * would take too much time.
	 */
	HP_MAPPED_NAME_MOST = 1024,
	/*
	 * The maximum length in bytes of a text with parameter types of a
	 * method; a longer text is not looked up. Without the limit, a
	 * malicious dump with a very long text in many records would take too
	 * much time.
	 */
	HP_MAPPED_TYPES_MOST = 32 << 10,
};

/*
 * The entries for one class in all mapping files, in the order of the command
 * line. NULL: this mapping file does not contain the class.
 */
struct hp_mapped_chain {
	const struct hp_mapped_class *list[HP_MAPPINGS_MOST];
};

struct hp_mapped_class {
	uint32_t original, name;
	/* number of the text with the name of the class's source file */
	uint32_t file;
	bool synthesized;
};

struct hp_mapped_field {
	uint32_t class; /* index of the class that has the field */
	uint32_t name;
	uint32_t original;
	/* type code (enum hp_type) of the field; 2 for all references */
	uint8_t type;
	bool ambiguous;
	uint32_t order;
};

/*
 * A line of the mapping file that belongs to a method. The line has the name of
 * the original method from which the code comes. This may be an inlined method.
 * So each such line becomes a stack frame.
 */
struct hp_mapped_frame {
	/*
	 * The class that declares the original method. 0: it is the class to
	 * which the line of the mapping file belongs.
	 */
	uint32_t holder;
	uint32_t method;
	/*
	 * result type and parameter types in the form of the mapping file:
	 * "void(int,java.lang.String)"
	 */
	uint32_t types;
	int32_t from, to;
};

/*
 * A range of source lines of a method of the obfuscated program. Each line of
 * the mapping file for this range gives one original frame. The first frame is
 * the innermost inlined method, the last frame is the method itself.
 */
struct hp_mapped_method {
	uint32_t class, name;
	/* the JVM descriptor of the method with the names in the program */
	uint32_t signature;
	/*
	 * the range of lines of the method in the program; HP_NO_LINE: all
	 * lines
	 */
	int32_t from, to;
	/*
	 * `first`: the index in hp_name_mapping.frames of the first frame (line
	 * of the mapping file). `count`: the number of frames.
	 */
	uint32_t first, count;
	uint32_t positions, npositions;
	bool synthesized, outline, residual;
	uint32_t order;
};

/*
 * R8 can move equal code of several methods into one new method, called an
 * outline. This struct maps a line of an outline to the line of the calling
 * method from which the code comes.
 */
struct hp_mapped_position {
	int32_t from, to;
};

struct hp_name_mapping {
	/* the position of the mapping on the command line */
	uint64_t serial;
	struct hp_intern texts;
	struct hp_mapped_class *classes;
	size_t nclasses, classes_cap;
	struct hp_mapped_field *fields;
	size_t nfields, fields_cap;
	struct hp_mapped_method *methods;
	size_t nmethods, methods_cap;
	struct hp_mapped_frame *frames;
	size_t nframes, frames_cap;
	struct hp_mapped_position *positions;
	size_t npositions, positions_cap;
	/*
	 * Finds a class by its name. The index is the number of a text. The
	 * element is 1 + the index of the class that has this name in the
	 * program (by_name), or this original name (by_original). 0: no class
	 * has this name.
	 */
	uint32_t *by_name, *by_original;
	/* number of elements of `by_name` and of `by_original` */
	uint32_t named;
};

/*
 * The members of a JSON comment, which R8 writes after the line of a class or
 * member.
 */
struct hp_mapping_comment {
	struct hp_slice id, file, signature;
};

/*
 * Read the JSON of a comment. It is strict JSON, or has single quotes and keys
 * without quotes, as in R8's documentation. The numbers of the member
 * "positions" are added to the mapping @m; other members are stored in @out.
 * Returns false if out of memory.
 */
HP_MUST_USE bool hp_mapping_comment(struct hp_name_mapping *m,
				    struct hp_slice json,
				    struct hp_mapping_comment *out);

/* Returns the text with the number @number; "" for 0. */
static inline struct hp_slice
hp_mapping_text(const struct hp_name_mapping *m, uint32_t number)
{
	struct hp_slice t;

	if (number == 0)
		return (struct hp_slice){"", 0};
	t = hp_intern_get(&m->texts, number);
	return (struct hp_slice){t.text, t.length};
}

/*
 * Selects the names that hp_mapping_descriptor() writes: the original names, or
 * the names in the program.
 */
enum hp_mapping_side { HP_MAPPING_ORIGINAL, HP_MAPPING_PROGRAM };

/*
 * Append the JVM descriptor of types such as "void(int,java.lang.String[])".
 * The names of classes in @types are original names. @side decides which names
 * the descriptor contains.
 */
void hp_mapping_descriptor(const struct hp_name_mapping *m,
			   struct hp_slice types, enum hp_mapping_side side,
			   struct hp_buf *out);

/*
 * Sort the lists of the mapping and compute the signatures of methods. Call
 * this function after the last line of the file.
 */
HP_MUST_USE enum hp_status hp_mapping_finish(struct hp_name_mapping *m,
					     struct hp_error *err);

/*
 * The following functions find entries of the mapping by their (obfuscated)
 * names in the program; only hp_mapping_find_original() searches by the
 * original name. Names of classes have dots. The functions return NULL if there
 * is no such entry.
 */
const struct hp_mapped_class *hp_mapping_find(const struct hp_name_mapping *m,
					      struct hp_slice name);
const struct hp_mapped_class *
hp_mapping_find_original(const struct hp_name_mapping *m, struct hp_slice name);
/*
 * Find a field by its class, name and type. If the flag `ambiguous` of the
 * result is set, several original names are possible.
 */
const struct hp_mapped_field *
hp_mapping_find_field(const struct hp_name_mapping *m,
		      const struct hp_mapped_class *c, struct hp_slice name,
		      unsigned type);
/*
 * Find the original method for a line of a method in the program. @line: the
 * line number; 0 or less if it is not known. In this case, the function returns
 * a method only if all lines have the same original method. *@known is set to
 * true if the class has methods with this name.
 */
const struct hp_mapped_method *
hp_mapping_find_method(const struct hp_name_mapping *m,
		       const struct hp_mapped_class *c, struct hp_slice name,
		       struct hp_slice signature, int32_t line, bool *known);

/* Append a class name of the dump with dots: "a.b" for "a/b". */
void hp_mapping_dotted(struct hp_buf *out, const struct hp_string *raw);

/*
 * Returns the number of a text in r->texts, and adds the text if it is new; 0
 * if out of memory.
 */
uint32_t hp_rename_text(struct hp_rename *r, const char *text, size_t n);

/*
 * Returns the id of the new string whose text has the number @number. Only
 * texts for which this function is called are written to the dump.
 */
uint64_t hp_rename_id(struct hp_rename *r, uint32_t number);
/* Returns a new id, which no string and no frame of the dump has. */
uint64_t hp_rename_new_id(struct hp_rename *r);

/*
 * Rename the stack frames of the dump, and change the traces. Returns HP_OK;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rename_frames(struct hp_rename *r,
					    struct hp_error *err);
/*
 * Look up a class in all mapping files, one after the other: the original name
 * in one file is looked up in the next file. Returns the original name in the
 * last file. @chain receives the entries for the class.
 */
struct hp_slice hp_rename_chain(const struct hp_rename *r,
				struct hp_slice dotted,
				struct hp_mapped_chain *chain);
#endif
