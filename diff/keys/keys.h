/*
 * keys.h - what a row is called: class, package, heap, site
 */
#ifndef HP_DIFF_KEYS_KEYS_H
#define HP_DIFF_KEYS_KEYS_H

#include "common/base/buf.h"
#include "common/graph/kinds.h"
#include "diff/count/histogram.h"
#include "diff/options.h"
#include "diff/rows.h"

struct hp_dump_info;

/* A dump's values of some rows, which are filled in. */
struct hp_column {
	struct hp_histogram *g; /* that was counted */
	const struct hp_diff_options *o;
	struct hp_rows *rows;
	size_t index; /* which of the rows' values they are */
	/* its layout is set; objects and bytes are added to */
	struct hp_dump_info *info;
};

/* The name of a class as rows spell it. */
struct hp_name {
	const char *text;
	size_t len;
	bool unknown; /* there is none: "unknown class 0x..." */
};

/* Names are made once a class. A zeroed one with g and o set is ready. */
struct hp_keys {
	const struct hp_histogram *g;
	const struct hp_diff_options *o;
	struct hp_id_map classes; /* class id to struct hp_name * */
	struct hp_id_map longer;  /* text's place to the same, of long ones */
	struct hp_id_map frames;  /* frame id to struct hp_frame_key * */
	struct hp_id_map traces;  /* trace serial to struct hp_stack * */
	struct hp_arena arena;
	struct hp_buf a, b;
	uint64_t noted; /* bytes, for the budget */
};

void hp_keys_release(struct hp_keys *k);

/* Is there room for the names and the rows as they are? HP_OK; HP_LIMIT. */
HP_MUST_USE enum hp_status hp_keys_fit(struct hp_keys *k, struct hp_rows *rows,
				       struct hp_error *err);

/* The name of a class; NULL: out of memory. */
const struct hp_name *hp_key_class(struct hp_keys *k, uint64_t class_id);

/* As hp_key_class(), from a raw name that may be NULL. */
const struct hp_name *hp_key_raw(struct hp_keys *k, const struct hp_string *raw,
				 uint64_t class_id);

/*
 * The name of the class that nodes of a kind are of: of classes it is
 * java.lang.Class. NULL: out of memory.
 */
const struct hp_name *hp_key_kind(struct hp_keys *k,
				  const struct hp_node_kind *kind);

/* The row of a name alone, which may be NULL; NULL: out of memory. */
struct hp_row *hp_key_row(struct hp_rows *rows, const struct hp_name *name);

/* Append a text of the dump in the visible form; "?" if it is NULL. */
void hp_key_add_text(struct hp_buf *b, const struct hp_string *text);

/* The name of the arrays of a primitive type; NULL: out of memory. */
const struct hp_name *hp_key_primitive(struct hp_keys *k, unsigned type);

/* The package of a class's name, as a key of its own; borrows from it. */
struct hp_name hp_key_package(const struct hp_name *class_name);

/* The name of an Android heap; 0 is "default". NULL: out of memory. */
const char *hp_key_heap(struct hp_keys *k, uint32_t heap);

#endif
