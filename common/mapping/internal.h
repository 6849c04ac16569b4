/*
 * internal.h - the contents of a mapping, for the files of this room
 *
 * Each different text is stored once and has a number, from 1. Members such as
 * `name` have such numbers; 0 means that there is no text.
 */
#ifndef HP_MAPPING_INTERNAL_H
#define HP_MAPPING_INTERNAL_H

#include "common/mapping/mapping.h"

enum {
	/* no line number; R8 also writes 0, for methods without a source */
	HP_NO_LINE = -1,
	HP_LINE_MOST = 999999999,
	/*
	 * the maximum number of original frames for one frame of the dump.
	 * Compilers inline to a depth of a few dozen. The limit keeps the work
	 * linear for malicious mappings.
	 */
	HP_INLINED_MOST = 64,
	/*
	 * longer names are not looked up: no tool makes them when it renames
	 * classes, and a malicious dump may use one in very many records
	 */
	HP_MAPPED_NAME_MOST = 1024,
	/* the same limit for the types of all parameters of a method */
	HP_MAPPED_TYPES_MOST = 32 << 10,
};

/*
 * A class in each mapping of the command line; NULL where a mapping does not
 * have the class.
 */
struct hp_mapped_chain {
	const struct hp_mapped_class *list[HP_MAPPINGS_MOST];
};

struct hp_mapped_class {
	uint32_t original, name;
	uint32_t file; /* the source file */
	bool synthesized;
};

struct hp_mapped_field {
	uint32_t class; /* index of the class */
	uint32_t name;
	uint32_t original;
	uint8_t type; /* basic type of HPROF; 2: a reference */
	bool ambiguous;
	uint32_t order;
};

/*
 * A line of a method in the mapping. It says which original method the code
 * belongs to, which may be an inlined method.
 */
struct hp_mapped_frame {
	/*
	 * the class of the original method; 0: the class to which the line
	 * belongs
	 */
	uint32_t holder;
	uint32_t method;
	/* result and parameters as in the line: "void(int,java.lang.String)" */
	uint32_t types;
	int32_t from, to;
};

/*
 * Consecutive lines of the mapping that describe the same lines of a method of
 * the program. The first one is the innermost inlined method, the last one is
 * the method itself.
 */
struct hp_mapped_method {
	uint32_t class, name;
	/* the JVM descriptor of the method in the program */
	uint32_t signature;
	int32_t from, to; /* HP_NO_LINE: all lines */
	/* the range of its elements in the list of frames */
	uint32_t first, count;
	uint32_t positions, npositions;
	bool synthesized, outline, residual;
	uint32_t order;
};

/*
 * R8 can move equal code of several methods into one new method (an outline).
 * This is a line of an outline, and the line of the calling method from which
 * the code of that line comes.
 */
struct hp_mapped_position {
	int32_t from, to;
};

struct hp_name_mapping {
	uint64_t serial; /* its position on the command line */
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
	 * for each text: 1 + index of the class with this name in the program,
	 * or with this original name; 0: none
	 */
	uint32_t *by_name, *by_original;
	uint32_t named; /* length of these lists */
};

/* A range of characters of a line. */
struct hp_slice {
	const char *at;
	size_t n;
};

static inline bool
hp_slice_is(struct hp_slice s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.at, text, s.n) == 0;
}

/* A comment with JSON, as R8 writes it after a class or member. */
struct hp_mapping_comment {
	struct hp_slice id, file, signature;
};

/*
 * Read the JSON of a comment: strict, or with single quotes and without quotes,
 * as in R8's documentation. Adds the numbers of "positions" to the mapping.
 * Returns false if out of memory.
 */
HP_MUST_USE bool hp_mapping_comment(struct hp_name_mapping *m,
				    struct hp_slice json,
				    struct hp_mapping_comment *out);

/* Returns the text with this number; "" for 0. */
static inline struct hp_slice
hp_mapping_text(const struct hp_name_mapping *m, uint32_t number)
{
	struct hp_interned t;

	if (number == 0)
		return (struct hp_slice){"", 0};
	t = hp_intern_get(&m->texts, number);
	return (struct hp_slice){t.text, t.length};
}

/* Which names hp_mapping_descriptor() writes. */
enum hp_mapping_side { HP_MAPPING_ORIGINAL, HP_MAPPING_PROGRAM };

/*
 * Append the JVM descriptor of types such as "void(int,java.lang.String[])".
 * The types are those of the original program.
 */
void hp_mapping_descriptor(const struct hp_name_mapping *m,
			   struct hp_slice types, enum hp_mapping_side side,
			   struct hp_buf *out);

/* Sort the lists and compute signatures. Call this after the last line. */
HP_MUST_USE enum hp_status hp_mapping_finish(struct hp_name_mapping *m,
					     struct hp_error *err);

/*
 * Find entries by their names in the program. Names of classes have dots. The
 * functions return NULL if there is no such entry.
 */
const struct hp_mapped_class *hp_mapping_find(const struct hp_name_mapping *m,
					      struct hp_slice name);
const struct hp_mapped_class *
hp_mapping_find_original(const struct hp_name_mapping *m, struct hp_slice name);
/*
 * If the flag `ambiguous` of a field is set, several original names are
 * possible, so none is known.
 */
const struct hp_mapped_field *
hp_mapping_find_field(const struct hp_name_mapping *m,
		      const struct hp_mapped_class *c, struct hp_slice name,
		      unsigned type);
/*
 * Returns the method that the line belongs to. @line: 0 or less if it is not
 * known; then there is a result only if all lines of the method have the same
 * original method. *@known is set to true if the class has methods with this
 * name.
 */
const struct hp_mapped_method *
hp_mapping_find_method(const struct hp_name_mapping *m,
		       const struct hp_mapped_class *c, struct hp_slice name,
		       struct hp_slice signature, int32_t line, bool *known);

/* Append a class name of the dump with dots: "a.b" for "a/b". */
void hp_mapping_dotted(struct hp_buf *out, const struct hp_string *raw);

/* Returns the number of a text; 0 if out of memory. */
uint32_t hp_rename_text(struct hp_rename *r, const char *text, size_t n);

/*
 * Returns the id of the new string with this text. A text without an id is not
 * written.
 */
uint64_t hp_rename_id(struct hp_rename *r, uint32_t number);
/* Returns an id that no string and no frame of the dump has. */
uint64_t hp_rename_new_id(struct hp_rename *r);

/* Rename the frames and traces. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_rename_frames(struct hp_rename *r,
					    struct hp_error *err);
/*
 * Look a class up in all mappings: the original name in one mapping is the name
 * to look up in the next. Returns the name from the last mapping.
 */
struct hp_slice hp_rename_chain(const struct hp_rename *r,
				struct hp_slice dotted,
				struct hp_mapped_chain *chain);
/*
 * Append the original name of a class, spelled as the dump spells names. Works
 * also for array classes. Returns whether a mapping has the class.
 */
bool hp_rename_spelled(const struct hp_rename *r, const struct hp_string *raw,
		       struct hp_buf *out);

#endif
