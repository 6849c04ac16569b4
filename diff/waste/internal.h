/* internal.h - functions and types that the parts of --by=waste share */
#ifndef HP_DIFF_WASTE_INTERNAL_H
#define HP_DIFF_WASTE_INTERNAL_H

#include "common/graph/big_array.h"
#include "common/graph/graph.h"
#include "common/graph/kind_finder.h"
#include "common/model/java_string.h"
#include "common/object_ids/id_map.h"
#include "common/object_ids/id_ranks.h"
#include "diff/count/passes.h"
#include "diff/holders/edge_kinds.h"
#include "diff/keys/keys.h"
#include "diff/retained/retained.h"
#include "diff/waste/collections.h"
#include "diff/waste/contents.h"
#include "diff/waste/object_data.h"
#include "diff/waste/shared_list.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ----------------------------------------------------------------------
 * The kinds of waste, and the families of objects that can be waste
 *
 * A family is a set of objects that can be waste of some kind, such as all
 * Strings or all collections. Those objects of a family that are not waste are
 * counted in the column "good". The table is in waste_kinds.def.
 */

enum hp_waste_kind {
#define WASTE(symbol, name, family, total) HP_WASTE_##symbol,
#include "diff/waste/waste_kinds.def"
	HP_WASTES
};

enum hp_waste_family {
	HP_WASTE_OF_STRINGS,
	/* primitive arrays, except for the arrays with the texts of Strings */
	HP_WASTE_OF_DATA,
	HP_WASTE_OF_COLLECTIONS,
	/* object arrays, except for those that are part of a collection */
	HP_WASTE_OF_ARRAYS,
	HP_WASTE_OF_ELEMENT_BOXES,
	HP_WASTE_OF_FIELD_BOXES,
	/*
	 * no family: for these kinds of waste, objects that are not waste are
	 * not counted
	 */
	HP_WASTE_OF_NOTHING,
	HP_WASTE_FAMILIES
};

struct hp_waste_kind_desc {
	/*
	 * the name of the kind of waste, for example "duplicate-strings"; row
	 * keys begin with it
	 */
	const char *name;
	enum hp_waste_family family;
	/*
	 * the rows of this kind are shown below the total and are not included
	 * in it
	 */
	bool beside;
};

extern const struct hp_waste_kind_desc hp_waste_kinds[HP_WASTES];

/* ----------------------------------------------------------------------
 * Find the collection classes of a dump, and their fields
 *
 * The table is in collections.def.
 */

enum { HP_COLLECTION_VIEWS = 6 };

/*
 * One collection class of a dump, such as java.util.ArrayList: its line in the
 * table, its policy (how many slots may be free), and where its fields are in
 * the data of an instance.
 */
struct hp_collection_class {
	enum hp_collection_policy policy;
	const struct hp_collection_line *line;
	struct hp_field_place size, backing, more;
	struct hp_field_place views[HP_COLLECTION_VIEWS];
	unsigned nviews;
};

/*
 * The collection classes of a dump. For each class of the dump, `of_class`
 * shows whether it is one of them.
 */
struct hp_collections {
	struct hp_collection_class *list;
	size_t count;
	/*
	 * of_class[i], for the class with the index i: 1 + the index of its
	 * entry in `list`; 0: the class is not a collection
	 */
	uint32_t *of_class;
};

/**
 * hp_collections_find() - find the collection classes of a dump
 *
 * @c: all classes of the dump, complete
 * @more: the lines of --collections, which replace lines of the table for the
 *   same class; may be NULL
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_collections_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_collections_find(struct hp_collections *s, const struct hp_classes *c,
		    const struct hp_tables *t,
		    const struct hp_collection_lines *more,
		    struct hp_error *err);
void hp_collections_release(struct hp_collections *s);

/*
 * Whether a field refers to an internal part of a collection, according to the
 * table of collections. @c: the class that declares the field. @len: length of
 * the name @field.
 */
bool hp_collection_has_part(const struct hp_collections *s,
			    const struct hp_class *c, const char *field,
			    size_t len);

/*
 * Returns the entry for a class or its nearest superclass that has one, or NULL
 * if the class is not a collection.
 */
static inline const struct hp_collection_class *
hp_collection_of(const struct hp_collections *s, const struct hp_class *c)
{
	uint32_t number = s->of_class[c->index];

	return number ? &s->list[number - 1] : NULL;
}

/*
 * ----------------------------------------------------------------------
 * The shared state of the passes for --by=waste
 *
 * Objects are numbered (common/graph/graph.h). For each object, there are 11
 * bytes of data, in four arrays. The index in each array is the number of the
 * object:
 *
 * - kind_of: the lower 16 bits of the kind of the object (class and size). Few
 *   dumps have more than 65,536 kinds, so the upper 16 bits are in an array of
 *   their own, `upper_kind_of`;
 * - held: during the first pass, the holder of the object: a field, or a
 *   container (an array or a part of a collection). Afterwards, a field only,
 *   as hp_waste_holder() decodes it, and then the array has 2 bytes for each
 *   object unless there are very many fields;
 * - link: during the first pass, the array of a String, or the sets of the
 *   parts of collections (joined_parts.h). Afterwards, see hp_waste_link();
 * - marks: facts about the object, one bit for each.
 */

/*
 * The uses of classes that --by=waste distinguishes: Strings, boxes (such as
 * Integer), collections, cells, and all others.
 */
enum hp_waste_role {
	HP_ROLE_OTHER,
	HP_ROLE_STRING,
	HP_ROLE_BOX,
	HP_ROLE_COLLECTION,
	/*
	 * a cell: some collections (such as ConcurrentHashMap) divide their
	 * size among several objects, the cells. Each cell contains a number;
	 * the sum of these numbers is the size.
	 */
	HP_ROLE_CELL,
};

struct hp_waste_class {
	/* what the objects of the class are used for (enum hp_waste_role) */
	uint8_t role;
	/*
	 * if the class is a box such as Integer: the number of bytes of its
	 * value; otherwise 0
	 */
	uint8_t primitive;
	/* the objects of the class are internal parts of collections */
	bool inside;
};

/* What the first pass has found about an object array, or a piece of it. */
struct hp_waste_array {
	/*
	 * the number of the array in the graph; its length; the number of its
	 * elements that are not null
	 */
	uint32_t node, length, filled;
};

/* What the first pass has found about a collection object. */
struct hp_waste_collection {
	uint32_t node;
	/*
	 * the number (in the graph) of the collection's array, or of its inner
	 * collection; HP_NO_NODE: it has neither
	 */
	uint32_t backing;
	/* index of the class of the collection in hp_collections.list */
	uint32_t info;
	uint32_t size;
	/*
	 * for a hash table: the load factor multiplied by 2^16; for a ring
	 * (ArrayDeque): the index after the last element
	 */
	uint32_t more;
};

/*
 * A further internal part of a collection besides its array, such as the key
 * set of a map.
 */
struct hp_waste_view {
	/* the numbers in the graph of the collection and of the part */
	uint32_t collection, part;
	/*
	 * the part is an array of cells (such as the CounterCell[] of a
	 * ConcurrentHashMap); the numbers in the cells are added to the size of
	 * the collection
	 */
	bool cells;
};

/*
 * A cell is an object with one number as its only field, such as a CounterCell.
 * This struct is used in two lists. In one, `node` is a cell, and `value` the
 * number in the cell. In the other, `node` is an array of cells, and `value`
 * one cell in this array.
 */
struct hp_waste_cell {
	uint64_t node;
	uint64_t value;
};

/*
 * A sum for one holder (field or class): of one kind of waste, or of all
 * objects of one family, such as all Strings.
 */
struct hp_waste_sum {
	/*
	 * Upper 32 bits: the kind of waste, or for a family: HP_WASTES + its
	 * number. Lower 32 bits: the holder.
	 */
	uint64_t key;
	uint64_t count, waste, dedup;
};

/*
 * The sums of all kinds of waste and of all families, for all holders. A zeroed
 * struct is empty.
 */
struct hp_waste_sums {
	/* maps the key of a sum to 1 + its index in `list` */
	struct hp_id_map by_key;
	struct hp_waste_sum *list;
	size_t count, cap;
	size_t last; /* index in `list` of the sum that was used last */
};

/*
 * Find or create the sum with the key @key, and add objects and bytes to it.
 * Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_sums_add(struct hp_waste_sums *s, uint64_t key,
				   uint64_t count, uint64_t waste,
				   uint64_t dedup);
void hp_waste_sums_release(struct hp_waste_sums *s);

struct hp_waste_worker;

/*
 * An array that is so long that it arrives in pieces: its length, and what is
 * known from the pieces that were read so far.
 */
struct hp_waste_long {
	struct hp_content_sum sum;
	/*
	 * count: how many characters or elements were hashed so far. length:
	 * number of elements of the whole array.
	 */
	uint64_t count, length;
	uint32_t node, type;
	/*
	 * 1 + the index of the last element that is not 0, among the pieces
	 * that were read
	 */
	uint32_t end;
	bool high; /* at least one character of the text needs two bytes */
	/*
	 * the contents vary, so they were not overwritten when texts were
	 * removed from the dump
	 */
	bool varied;
};

/*
 * Evidence that the contents of arrays were removed from the dump. Index 1 is
 * for the arrays of Strings, index 0 for all other arrays. count: number of
 * arrays. varied: number of arrays whose contents show that they were not
 * removed.
 */
struct hp_waste_payload {
	uint64_t count[2], varied[2];
	/*
	 * 1 + the highest index at which an array has an element that is not 0
	 */
	uint64_t most_used;
	/*
	 * number of arrays that are longer than most_used, and whose element at
	 * index most_used - 1 is not 0
	 */
	uint64_t cut;
};

struct hp_waste {
	struct hp_histogram *g;
	const struct hp_diff_options *o;
	const struct hp_size_model *layout;
	struct hp_keys *keys;
	struct hp_edge_kinds edges;
	/*
	 * for each kind of reference (such as a field): what it refers to (enum
	 * hp_field_role), for example an internal part of a collection
	 */
	uint8_t *edge_roles;
	uint32_t nroles;
	struct hp_collections collections;
	/*
	 * for each class of the dump, by its index: what its objects are used
	 * for
	 */
	struct hp_waste_class *classes;
	struct hp_java_string_class string;
	/*
	 * Strings can share arrays (JDK 6 and older), so texts are not compared
	 */
	bool slices;
	struct hp_unfollowed unfollowed;
	struct hp_node_kinds kinds;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	/*
	 * Four arrays with an element for each object; the list at the
	 * beginning of this part describes them. The elements of `marks` are
	 * _Atomic uint8_t, those of `kind_of` uint16_t, those of `link`
	 * uint32_t, and those of `held` uint32_t or uint16_t.
	 */
	struct hp_big_array kind_of, held, link, marks;
	/* after the first pass, the elements of `held` are uint32_t */
	bool wide_holders;
	/*
	 * for each String that is a part of a collection: 1 + the number of its
	 * array; elements: uint32_t
	 */
	struct hp_late_array arrays_of_parts;
	struct hp_late_array upper_kind_of; /* elements: uint16_t */
	/*
	 * for each primitive array that is not a text, by its number in the
	 * graph: its length, as uint32_t. Only if `want_arrays` is true.
	 */
	struct hp_big_array lengths;
	struct hp_waste_worker *workers;
	/*
	 * one lock for the objects of each bucket, and one for objects that
	 * belong to no bucket
	 */
	pthread_mutex_t node_locks[HP_ID_BUCKETS + 1];
	/*
	 * At the end of a pass, the threads process the references that still
	 * wait in buckets (one for each range of addresses). Each thread takes
	 * one bucket at a time. This is the next bucket to take.
	 */
	_Atomic uint32_t looked_up;
	/*
	 * the object arrays and the collections that all threads have found in
	 * the first pass; items: struct hp_waste_array and struct
	 * hp_waste_collection
	 */
	struct hp_shared_list arrays, found;
	/*
	 * The elements of two types of arrays, sorted by array: CounterCell[]
	 * and similar arrays of cells, and Segment[] (ConcurrentHashMap of Java
	 * 5 to 7). `node` is the number of an array in the graph, `value` the
	 * number of one element of this array.
	 */
	struct hp_waste_cell *segments;
	size_t nsegments;
	/* further internal parts of collections, sorted by collection */
	struct hp_waste_view *views;
	size_t nviews;
	/* for each kind of object (class and size): enum hp_waste_role */
	uint8_t *role_of_kind;
	struct hp_waste_sums sums;
	/*
	 * With --show-values: `values` has a sum of the waste for each pair of
	 * a holder and a text. The key of a sum has the holder in its upper 32
	 * bits, and in its lower 32 bits the number of the array with the text
	 * that is kept.
	 */
	bool want_values;
	/*
	 * `values` also has sums for arrays that are not texts, which only the
	 * list for hprof-convert (waste_list.c) needs
	 */
	bool want_arrays;
	struct hp_waste_sums values;
	/*
	 * for each holder, the text with the most waste: maps 1 + the number of
	 * the holder to 1 + the index of the text in `values`
	 */
	struct hp_id_map value_of;
	/* maps 1 + the number of an array to a pointer to its text */
	struct hp_id_map value_texts;
	struct hp_arena value_arena; /* memory for the texts in value_texts */
	/* random numbers for hashing the contents of primitive arrays */
	struct hp_content_key key;
	struct hp_content_list contents;
	/*
	 * for arrays that arrive in pieces: maps the number of the array in the
	 * graph to its struct hp_waste_long *
	 */
	struct hp_id_map longs;
	pthread_mutex_t longs_lock;
	/*
	 * plain: the size model (rules for sizes of objects) of the JVM that
	 * wrote the dump, without measured sizes. compact: the same with
	 * compact object headers, valid if have_compact is true.
	 */
	struct hp_size_model plain, compact;
	/* objects would be smaller with compact object headers */
	bool have_compact;
	/*
	 * no_texts: the texts of Strings were removed from the dump. no_data:
	 * the contents of other primitive arrays were removed.
	 */
	bool no_texts, no_data;
	/*
	 * the elements of all arrays from this index on were removed from the
	 * dump; 0: none were removed
	 */
	uint64_t removed_from;
};

/*
 * Sums for the objects of one kind (class and size). The numbers of objects
 * have 32 bits, because --by=waste handles at most 2^30 objects.
 */
struct hp_waste_overhead {
	/* bytes that compact headers would save in the objects of this kind */
	uint64_t saved;
	/*
	 * padding: bytes of the objects of this kind that are neither header
	 * nor contents
	 */
	uint64_t padding;
	/*
	 * number of objects of this kind that would be smaller with compact
	 * headers
	 */
	uint32_t smaller;
	uint32_t padded; /* number of objects with padding */
};

struct hp_waste_worker {
	struct hp_waste *w;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_kind_finder kinds;
	struct hp_id_buckets buckets;
	/* the free places of this thread in w->arrays and w->found */
	struct hp_shared_places array_places, found_places;
	/*
	 * for object arrays that arrive in pieces: the pieces after the first
	 * one; elements: struct hp_waste_array
	 */
	struct hp_vec pieces;
	/*
	 * the further internal parts of collections that this thread has read;
	 * elements: struct hp_waste_view
	 */
	struct hp_vec views;
	/*
	 * elements: struct hp_waste_cell. `node`: a cell; `value`: the number
	 * that it contains.
	 */
	struct hp_vec cells;
	/*
	 * elements: struct hp_waste_cell. `node`: an array of cells; `value`:
	 * one cell in this array.
	 */
	struct hp_vec in_cells;
	/*
	 * the class of the array that was read last; the following members
	 * describe this class
	 */
	uint64_t array_class;
	bool array_inside, array_cells;
	/*
	 * for each kind of arrays (class and size): the padding of the arrays
	 * of this kind, and the bytes that compact object headers would save in
	 * them; the list grows when there are new kinds
	 */
	struct hp_waste_overhead *overhead;
	uint32_t overhead_cap;
	struct hp_waste_payload payload;
	struct hp_content_rest *rest;
	/*
	 * memory for the characters of one text of less than HP_CONTENT_LONG
	 * characters
	 */
	uint8_t *narrow;
	struct hp_error error;
	bool no_memory;
};

static inline struct hp_waste_array *
hp_waste_array_at(const struct hp_waste *w, uint64_t index)
{
	return (struct hp_waste_array *)w->arrays.array.at + index;
}

static inline struct hp_waste_collection *
hp_waste_found_at(const struct hp_waste *w, uint64_t index)
{
	return (struct hp_waste_collection *)w->found.array.at + index;
}

/* Returns the number of the kind (class and size) of an object. */
static inline uint32_t
hp_waste_kind_of(const struct hp_waste *w, uint32_t node)
{
	const uint16_t *upper = hp_late_array_at(&w->upper_kind_of);
	uint32_t lower = ((const uint16_t *)w->kind_of.at)[node];

	return HP_UNLIKELY(upper) ? (uint32_t)upper[node] << 16 | lower : lower;
}

/*
 * Store the number of the kind of an object. Any thread may call this. Returns
 * HP_OK; HP_NOMEM or HP_IO: there is no room for the upper 16 bits.
 */
static inline HP_MUST_USE enum hp_status
hp_waste_set_kind(struct hp_waste *w, uint32_t node, uint32_t kind,
		  struct hp_error *err)
{
	enum hp_status st;
	uint16_t *upper;

	((uint16_t *)w->kind_of.at)[node] = (uint16_t)kind;
	if (HP_LIKELY(kind <= UINT16_MAX))
		return HP_OK;
	st = hp_late_array_make(&w->upper_kind_of, &w->memory,
				2 * (w->nodes.count + UINT64_C(1)), err);
	if (st != HP_OK)
		return st;
	upper = hp_late_array_at(&w->upper_kind_of);
	upper[node] = (uint16_t)(kind >> 16);
	return HP_OK;
}

/* Returns the address of the holder of an object, during the first pass. */
static inline uint32_t *
hp_waste_held(const struct hp_waste *w, uint32_t node)
{
	return (uint32_t *)w->held.at + node;
}

/*
 * Returns the address of the link of an object. After the first pass, what it
 * contains depends on the object:
 *
 * - a String: 1 + the number of its array
 * - an object array, or a collection: 1 + its index in its list
 * - an array with the contents of an earlier one: 1 + the number of the first
 * - the first array with a text: HP_LINK_FIRST and the number of characters
 * - the first array with other contents: the number of zeros at its end, or 0
 *   if at most half of its elements are such zeros
 */
static inline uint32_t *
hp_waste_link(const struct hp_waste *w, uint32_t node)
{
	return (uint32_t *)w->link.at + node;
}

static inline uint8_t
hp_waste_marks(const struct hp_waste *w, uint32_t node)
{
	return atomic_load_explicit((_Atomic uint8_t *)w->marks.at + node,
				    memory_order_relaxed);
}

/* Returns the marks of the object before this call. */
static inline uint8_t
hp_waste_mark(const struct hp_waste *w, uint32_t node, unsigned marks)
{
	return atomic_fetch_or_explicit((_Atomic uint8_t *)w->marks.at + node,
					(uint8_t)marks, memory_order_relaxed);
}

/* Whether an object is an array with the text of a String. */
static inline bool
hp_waste_is_text(const struct hp_waste *w, uint32_t node)
{
	return hp_waste_marks(w, node) & (HP_MARK_NARROW | HP_MARK_WIDE);
}

/*
 * Returns the number of characters of a text. @first: the first of all arrays
 * with this text.
 */
static inline uint32_t
hp_waste_characters(const struct hp_waste *w, uint32_t first)
{
	return *hp_waste_link(w, first) & ~HP_LINK_FIRST;
}

/* Returns the kind (class and size) of an object. */
static inline const struct hp_node_kind *
hp_waste_kind(const struct hp_waste *w, uint32_t node)
{
	return &w->kinds.list[hp_waste_kind_of(w, node)];
}

/* ----------------------------------------------------------------------
 * Read the objects of a batch (part of the dump): find what refers to them, and
 * which are Strings and collections
 */

/*
 * Set w->compact to the size model with compact object headers, unless the JVM
 * that wrote the dump already used them. Source: JEP 450, "Compact Object
 * Headers"
 */
void hp_waste_compact_layout(struct hp_waste *w);

/*
 * Add to w->sums, for each kind of object (class and size), the bytes that
 * compact object headers would save, and the padding. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_waste_find_overhead(struct hp_waste *w);

/*
 * Add to k->overhead the padding of one array, and the bytes that compact
 * object headers would save in it. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_note_array(struct hp_waste_worker *k,
				     const struct hp_sub *s, uint32_t kind);

/* Callbacks for a further pass; struct hp_extra_pass describes them. */
bool hp_waste_instances(void *ctx, unsigned worker, struct hp_heap_iter *at);
bool hp_waste_sub(void *ctx, unsigned worker, const struct hp_sub *s,
		  const struct hp_piece *piece);
/* Returns the failure of a thread that hp_waste_worker.error describes. */
enum hp_status hp_waste_end_batch(void *ctx, unsigned worker,
				  struct hp_error *err);

/*
 * The function of a thread that looks up the references that still wait in
 * buckets (one for each range of addresses) at the end of the pass. @worker is
 * a struct hp_waste_worker. Set w->looked_up to 0 before starting the threads.
 */
void *hp_waste_look_up_rest(void *worker);

/* ----------------------------------------------------------------------
 * The first pass for --by=waste: number the objects, find their holders, and
 * list object arrays and collections
 */

/**
 * hp_waste_read_objects() - run the first pass
 * @w: the caller sets the members g, o, layout and keys, and zeroes the others
 * @src: the dump; must be rewindable, and is read from its first byte
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 * Ownership: call hp_waste_release() in any case.
 */
HP_MUST_USE enum hp_status hp_waste_read_objects(struct hp_waste *w,
						 struct hp_source *src,
						 struct hp_error *err);
void hp_waste_release(struct hp_waste *w);

/* ----------------------------------------------------------------------
 * Which classes and which reference fields of a dump matter for --by=waste
 */

/*
 * Find the classes of Strings, boxes, collections and internal parts of
 * collections by name, and the fields of collections that refer to internal
 * parts. The caller has initialised w->edges. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_know_classes(struct hp_waste *w,
						 struct hp_error *err);

/*
 * Read the static fields of all classes, after the objects were numbered. An
 * object in a static field has this field as its holder, and is marked as a
 * constant. Also find the caches of boxes, such as the one in
 * Integer$IntegerCache. Returns HP_OK, HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_waste_read_statics(struct hp_waste *w,
						 struct hp_error *err);

/* ----------------------------------------------------------------------
 * The second pass for --by=waste: hash the contents of
 * primitive arrays
 */

/*
 * Read the dump once: store the hashes of primitive arrays in w->contents, and
 * find out whether contents were removed from the dump. The caller must have
 * marked the internal parts of collections before.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_read_contents(struct hp_waste *w,
						  struct hp_source *src,
						  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Find the waste, after the passes over the dump
 */

/* After the first pass, mark the internal parts of collections. */
void hp_waste_claim_parts(struct hp_waste *w);

/*
 * Find the collections that are empty or have many free slots. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_find_collections(struct hp_waste *w,
						     struct hp_error *err);

/*
 * After the second pass, find arrays with equal contents.
 * Returns HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_waste_find_contents(struct hp_waste *w,
						  struct hp_error *err);

/*
 * At the end, find the waste of Strings, arrays and boxes, and count the
 * objects of all families. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_find_objects(struct hp_waste *w,
						 struct hp_error *err);

/*
 * Add a String with the text of the array @first to the sum for @holder in
 * w->values. Does nothing unless --show-values or the list for hprof-convert
 * needs these sums. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_note_value(struct hp_waste *w, uint32_t holder,
				     uint32_t first, uint64_t waste,
				     uint64_t dedup);

/*
 * The `instances` of a struct hp_extra_pass that reads only arrays: it skips
 * instances. @ctx: the struct hp_waste.
 */
bool hp_waste_skip_instances(void *ctx, unsigned worker,
			     struct hp_heap_iter *at);

/*
 * For each holder, read the text that wastes the most. Returns HP_OK; HP_NOMEM;
 * the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_read_values(struct hp_waste *w,
						struct hp_source *src,
						struct hp_error *err);

/*
 * Copy the text that wastes the most at a holder into its row. Returns false if
 * out of memory.
 */
HP_MUST_USE bool hp_waste_show_value(struct hp_waste *w, uint32_t holder,
				     struct hp_rows *rows, struct hp_row *row);

/*
 * Append the name of a holder. The holder is a field or, if no field holds the
 * objects, their class. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_holder_text(struct hp_waste *w, uint32_t holder,
				      struct hp_buf *out);

/* Run all passes for --by=waste. Returns HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. */
HP_MUST_USE enum hp_status hp_waste_find_all(struct hp_waste *w,
					     struct hp_source *src,
					     struct hp_error *err);

/* The sizes of a collection, together with its inner collections. */
struct hp_waste_listed {
	uint64_t size; /* number of elements of the collection */
	/* bytes of the collection with its internal parts */
	uint64_t bytes;
	/*
	 * bytes that the collection wastes because it is empty or has many free
	 * slots
	 */
	uint64_t waste;
	/*
	 * slots: length of the collection's array. used: number of its elements
	 * that are not null.
	 */
	uint64_t slots, used;
};

/*
 * Call @each for each collection whose size is known and that is not an
 * internal part of another collection. The order is that of w->found. If @each
 * returns false, stop and return false.
 */
HP_MUST_USE bool hp_waste_each_collection(
	struct hp_waste *w,
	bool (*each)(void *ctx, const struct hp_waste_collection *c,
		     struct hp_waste_listed *found),
	void *ctx);

struct hp_waste_graph {
	const struct hp_column *c;
	struct hp_keys *keys;
	/*
	 * the object graph, with the references between objects and with the
	 * finalizer queue
	 */
	struct hp_retained *t;
};

/*
 * Add the rows for the kinds of waste that are found in the object graph:
 * cleared entries of ThreadLocals, objects that wait for a finalizer, and
 * unreachable objects. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status
hp_waste_graph_rows_add(const struct hp_waste_graph *w, struct hp_error *err);

/*
 * Returns the holder of an object as a number for the keys of sums. If a field
 * holds the object, it is the result of hp_held_by_field(). Otherwise it is the
 * number of the object's kind (class and size), which is less than
 * HP_HELD_FIELD. Only after hp_joined_settle().
 */
uint32_t hp_waste_holder(const struct hp_waste *w, uint32_t node);

/*
 * Add @waste bytes of the kind @kind to the sum in @s for a holder. @dedup: how
 * many of these bytes the JVM can free by String deduplication. Returns false
 * if out of memory.
 */
HP_MUST_USE bool hp_waste_add(struct hp_waste_sums *s, enum hp_waste_kind kind,
			      uint32_t holder, uint64_t waste, uint64_t dedup);

/*
 * Add @objects objects of a family (such as all Strings) to the sum for their
 * holder. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_count(struct hp_waste_sums *s,
				enum hp_waste_family family, uint32_t holder,
				uint64_t objects);

#endif
