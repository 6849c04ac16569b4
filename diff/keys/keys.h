/*
 * keys.h - the keys of rows: a key is the property that all objects of a row
 * share, and the name of the row
 */
#ifndef HP_DIFF_KEYS_KEYS_H
#define HP_DIFF_KEYS_KEYS_H

#include "common/base/buf.h"
#include "common/graph/graph.h"
#include "diff/count/histogram.h"
#include "diff/options.h"
#include "diff/result/rows.h"

/* ----------------------------------------------------------------------
 * The names of classes, packages and Android heaps, from which the keys of rows
 * are made
 */

struct hp_dump_info;

/*
 * One dump of a comparison. Each dump is a column: it has one value in each
 * row.
 */
struct hp_column {
	/* the dump, with its counted objects and classes */
	struct hp_histogram *g;
	const struct hp_diff_options *o;
	struct hp_rows *rows;
	/*
	 * the index of the dump, which is also the index of its values in each
	 * row
	 */
	size_t index;
	/*
	 * facts about the dump that the result shows; the caller sets its
	 * member `layout`, and the functions that make rows add the number and
	 * bytes of the objects
	 */
	struct hp_dump_info *info;
};

/* The name of a class as rows show it. */
struct hp_name {
	const char *text;
	size_t len;
	/*
	 * the name of the class is not known; the text is "unknown class 0x..."
	 */
	bool unknown;
};

/*
 * A cache of the names that rows show. A struct in which only `g` and `o` are
 * set, and all else is zeroed, is ready for use.
 */
struct hp_keys {
	const struct hp_histogram *g;
	const struct hp_diff_options *o;
	/*
	 * maps the id of a class to a struct hp_name *, the name in the form in
	 * which the report shows it
	 */
	struct hp_id_map classes;
	/*
	 * maps the address in memory of a long text of the dump to a struct
	 * hp_name *, the text in the form in which the report shows it
	 */
	struct hp_id_map longer;
	/* maps the id of a stack frame to a struct hp_frame_key * */
	struct hp_id_map frames;
	/*
	 * maps the serial number of an allocation trace to a struct hp_stack *
	 */
	struct hp_id_map traces;
	struct hp_arena arena;
	struct hp_buf a, b;
};

void hp_keys_release(struct hp_keys *k);

/*
 * Returns the name of the class with the id @class_id, or NULL if out of
 * memory.
 */
const struct hp_name *hp_key_class(struct hp_keys *k, uint64_t class_id);

/*
 * Returns the name of the class with the id @class_id, or NULL if out of
 * memory. @raw: the name as the dump spells it, for example
 * "java/util/HashMap"; NULL: not known.
 */
const struct hp_name *hp_key_raw(struct hp_keys *k, const struct hp_string *raw,
				 uint64_t class_id);

/*
 * Returns the class name of the objects of a kind (class and size), which is
 * "java.lang.Class" for class objects. NULL if out of memory.
 */
const struct hp_name *hp_key_kind(struct hp_keys *k,
				  const struct hp_node_kind *kind);

/*
 * Find or create the row whose key is the text of @name. Returns NULL if out of
 * memory, or if @name is NULL.
 */
struct hp_row *hp_key_row(struct hp_rows *rows, const struct hp_name *name);

/*
 * Append a text of the dump with control characters escaped, or "?" if @text is
 * NULL.
 */
void hp_key_add_text(struct hp_buf *b, const struct hp_string *text);

/*
 * Returns the name of the arrays of a primitive type, for example "int[]", or
 * NULL if out of memory.
 */
const struct hp_name *hp_key_primitive(struct hp_keys *k, unsigned type);

/*
 * Returns the package of a class as a row key. The key points into the text of
 * @class_name.
 */
struct hp_name hp_key_package(const struct hp_name *class_name);

/*
 * Returns the name of an Android heap, which is "default" for heap 0. NULL if
 * out of memory.
 */
const char *hp_key_heap(struct hp_keys *k, uint32_t heap);

/* ----------------------------------------------------------------------
 * Allocation stacks as row keys, compared by the texts of their frames
 */

/*
 * The text of a stack frame, and a hash of the contents of the frame. Frames
 * are equal if their hashes are equal.
 */
struct hp_frame_key {
	const char *text;
	uint64_t hash[2];
};

/* An allocation stack, cut to at most --site-depth frames. */
struct hp_stack {
	struct hp_row_frames frames;
	uint64_t hash[2];
	/* a copy of the frames, owned by `rows` */
	struct hp_row_frames kept;
	const struct hp_rows *rows;
};

/*
 * Returns the length of the method name at the start of the text of a frame,
 * for example 7 for "Ag.burn(Ag.java:12)".
 */
size_t hp_frame_method(const char *frame);

/*
 * Returns the stack of an allocation trace. If the trace has no frames, the
 * stack is empty. Returns NULL if out of memory.
 */
struct hp_stack *hp_stack_get(struct hp_keys *k, uint32_t trace);

/**
 * hp_stack_row() - find or create the row for objects of one class with one
 * allocation stack
 *
 * @traces: set to true if the allocation trace has frames; otherwise not
 *   changed
 *
 * Returns: NULL if out of memory.
 */
struct hp_row *hp_stack_row(struct hp_keys *k, struct hp_rows *rows,
			    const struct hp_name *name, uint32_t trace,
			    bool *traces);

#endif
