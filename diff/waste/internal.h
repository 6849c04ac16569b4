/* internal.h - what the parts of --by=waste share */
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

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * The kinds of waste, and the families of objects that can be
 * waste
 *
 * The table is in waste_kinds.def.
 */

enum hp_waste_kind {
#define WASTE(symbol, name, family, total) HP_WASTE_##symbol,
#include "diff/waste/waste_kinds.def"
	HP_WASTES
};

enum hp_waste_family {
	HP_WASTE_OF_STRINGS,
	HP_WASTE_OF_DATA, /* primitive arrays, except for texts of Strings */
	HP_WASTE_OF_COLLECTIONS,
	/* object arrays, except for those that are part of a collection */
	HP_WASTE_OF_ARRAYS,
	HP_WASTE_OF_ELEMENT_BOXES,
	HP_WASTE_OF_FIELD_BOXES,
	HP_WASTE_OF_NOTHING, /* "good" is not counted */
	HP_WASTE_FAMILIES
};

struct hp_waste_kind_desc {
	const char *name; /* the first part of the keys of its rows */
	enum hp_waste_family family;
	bool beside; /* its rows are shown beside the total */
};

extern const struct hp_waste_kind_desc hp_waste_kinds[HP_WASTES];

/* ----------------------------------------------------------------------
 * Find the collection classes of a dump, and their fields
 *
 * The table is in collections.def.
 */

enum { HP_COLLECTION_VIEWS = 6 };

/* What is known about a collection class. */
struct hp_collection_class {
	enum hp_collection_policy policy;
	const struct hp_collection_line *line;
	struct hp_field_place size, backing, more;
	struct hp_field_place views[HP_COLLECTION_VIEWS];
	unsigned nviews;
};

/* The collection classes of a dump. */
struct hp_collections {
	struct hp_collection_class *list;
	size_t count;
	/*
	 * for each class: 1 + index in `list`; 0: the class is not a collection
	 */
	uint32_t *of_class;
};

/**
 * hp_collections_find() - find the collection classes of a dump
 * @c: all classes of the dump, complete
 * @more: lines that replace lines of the table; may be NULL
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
 * Whether the table says that a field refers to an internal part of a
 * collection. @c: the class that declares the field. @len: bytes of @field.
 */
bool hp_collection_has_part(const struct hp_collections *s,
			    const struct hp_class *c, const char *field,
			    size_t len);

/*
 * The collection that a class is: the entry for the class, or for its nearest
 * ancestor that has one; NULL: none.
 */
static inline const struct hp_collection_class *
hp_collection_of(const struct hp_collections *s, const struct hp_class *c)
{
	uint32_t number = s->of_class[c->index];

	return number ? &s->list[number - 1] : NULL;
}

/* ----------------------------------------------------------------------
 * Keyed 128-bit hashes of the contents of arrays
 *
 * An array that is longer than HP_CONTENT_LONG arrives in pieces, which other
 * threads may read, and where it is cut depends on its place in the file. Its
 * hash is a sum over its elements, each multiplied by a secret number for its
 * index: the pieces can be added in any order. The sums are made twice, modulo
 * the prime 2^61 - 1, so that different contents collide with a probability of
 * 2^-122 (multilinear hashing). Shorter arrays are hashed with XXH3 and a
 * secret.
 */

/*
 * From this many elements on (characters of a text, bytes of other arrays),
 * contents are hashed as sums. A scan does not divide arrays of less than 8 MB.
 */
enum { HP_CONTENT_LONG = 1 << 18 };

/*
 * What kind of contents is hashed. Equal bytes of different kinds have
 * different hashes.
 */
enum hp_content_domain {
	/* a text in which all characters are below 256, one byte each */
	HP_CONTENT_NARROW,
	HP_CONTENT_WIDE, /* any other text, two bytes for each character */
	/* another array; the number of the element type is added */
	HP_CONTENT_DATA,
	HP_CONTENT_DOMAINS = HP_CONTENT_DATA + 16,
};

struct hp_content_hash {
	uint64_t v[2];
};

/*
 * Random numbers of this run for the hash, so that nobody can construct
 * collisions.
 */
struct hp_content_key {
	/* a secret for each domain */
	uint8_t secret[HP_CONTENT_DOMAINS][192];
	uint64_t seed[2];
};

/*
 * The sum over the elements of a long array, or of some of its pieces. Zeroed
 * at first.
 */
struct hp_content_sum {
	uint64_t v[2];
};

void hp_content_key_init(struct hp_content_key *k);

/* The hash of @n bytes. */
struct hp_content_hash hp_content_hash(const struct hp_content_key *k,
				       unsigned domain, const void *bytes,
				       size_t n);

/*
 * Add the element with index @index, or a part of it, to a sum. @value < 2^32.
 */
void hp_content_sum_add(const struct hp_content_key *k,
			struct hp_content_sum *s, uint64_t index,
			uint64_t value);
/* Add the sum over other elements of the same array to @s. */
void hp_content_sum_join(struct hp_content_sum *s,
			 const struct hp_content_sum *more);
/* Compute the hash of an array with @n elements from its sum. */
struct hp_content_hash hp_content_sum_hash(const struct hp_content_key *k,
					   unsigned domain, uint64_t n,
					   const struct hp_content_sum *s);

/* ----------------------------------------------------------------------
 * A list of the hashes of all arrays, in parts by hash
 *
 * Equal arrays have equal hashes, so they are in the same part, and each part
 * can be sorted by itself. An entry has 24 bytes. If the entries do not fit in
 * memory, they go to an unnamed temporary file.
 */

enum {
	HP_CONTENT_PARTS = 256,
	/* entries that a thread collects before it adds them to the list */
	HP_CONTENT_BLOCK = 128,
};

struct hp_content_entry {
	struct hp_content_hash hash;
	uint32_t node; /* the array, as a node of the graph */
	/*
	 * The array is not a text: 1 + the index of the last element that is
	 * not zero. It is a text: the number of characters, and the bit
	 * HP_CONTENT_FITS.
	 */
	uint32_t more;
};

/*
 * This bit is set for a text that would fit in half of the bytes that its array
 * has.
 */
#define HP_CONTENT_FITS (UINT32_C(1) << 31)

/* Some entries of a part of the list: in memory, or in the temporary file. */
struct hp_content_block {
	/* the entries in memory; NULL: they are in the temporary file */
	struct hp_content_entry *at;
	/* offset of the entries in the temporary file */
	uint64_t offset;
	uint32_t count;
};

struct hp_content_list {
	uint64_t limit; /* limit of bytes in memory for the entries */
	uint64_t held;	/* bytes of memory that the entries use now */
	uint64_t in_file;
	int fd; /* descriptor of the temporary file; -1: there is none */
	pthread_mutex_t lock;
	struct hp_content_part {
		struct hp_content_block *list;
		size_t count, cap;
		uint64_t entries;
	} parts[HP_CONTENT_PARTS];
};

/* The entries that one thread has collected but not yet added to the list. */
struct hp_content_rest {
	struct hp_content_entry list[HP_CONTENT_PARTS][HP_CONTENT_BLOCK];
	uint32_t count[HP_CONTENT_PARTS];
};

void hp_content_list_init(struct hp_content_list *l, uint64_t limit);
void hp_content_list_release(struct hp_content_list *l);

/*
 * Add an entry to those that the thread has collected; if they are many, add
 * them to the list. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_content_list_add(struct hp_content_list *l,
					       struct hp_content_rest *rest,
					       const struct hp_content_entry *e,
					       struct hp_error *err);
/* Add all entries that the thread has collected to the list. */
HP_MUST_USE enum hp_status hp_content_list_flush(struct hp_content_list *l,
						 struct hp_content_rest *rest,
						 struct hp_error *err);

/*
 * Read a part of the list, sorted by hash and then by node. @entries: room for
 * all entries of the part. Returns HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_content_list_part(struct hp_content_list *l,
						unsigned part,
						struct hp_content_entry *to,
						struct hp_error *err);

/* ----------------------------------------------------------------------
 * The shared state of the passes for --by=waste
 *
 * Objects are numbered (common/graph/graph.h). Each object has 18 bytes of data
 * by that number:
 * - the kind of the object: class and size;
 * - what holds the object: a field, or a container (an array or a part of a
 *   collection) whose own holder counts then;
 * - the collection that the object is an internal part of (joined_parts.h);
 * - a link: of a String its array, of an array of text the first array with
 *   equal text, of another primitive array its length, of an object array and
 * of a collection its entry in a list;
 * - marks.
 */

/* Marks: facts about an object, one bit for each. */
enum {
	HP_MARK_STATIC = 1, /* a static field refers to the object */
	/* the object is an internal part of one collection */
	HP_MARK_PART = 2,
	/* the object is an internal part of several collections */
	HP_MARK_SHARED = 4,
	/*
	 * the object is the array of a String with one byte for each character
	 */
	HP_MARK_NARROW = 8,
	/*
	 * the object is the array of a String with two bytes for each character
	 */
	HP_MARK_WIDE = 16,
	/*
	 * the object is such an array, but one byte for each character would be
	 * enough
	 */
	HP_MARK_FITS = 32,
	HP_MARK_SEEN = 64, /* the array was counted together with a String */
	/* Strings with equal texts: another String is the one that is kept */
	HP_MARK_KEPT = 128,
	/*
	 * arrays with equal texts: this is the first one; its link is the
	 * number of characters
	 */
	HP_MARK_FIRST = 256,
	/*
	 * for boxes and arrays of boxes: the object belongs to the cache of
	 * valueOf()
	 */
	HP_MARK_CACHED = 8,
};

/* What the objects of a class are for --by=waste. */
enum hp_waste_role {
	HP_ROLE_OTHER,
	HP_ROLE_STRING,
	HP_ROLE_BOX,
	HP_ROLE_COLLECTION,
	/*
	 * an object that has a part of the size of a collection, in an array of
	 * such objects
	 */
	HP_ROLE_CELL,
};

struct hp_waste_class {
	/* what the objects are used for (enum hp_waste_role) */
	uint8_t role;
	/* for a boxed value such as Integer: bytes of the value */
	uint8_t primitive;
	bool inside; /* the objects are internal parts of collections */
};

/*
 * The holder of an object, in 32 bits: the field or the container that refers
 * to it. If several do, the greatest number is kept. A field is encoded by its
 * kind of reference (edge_kinds.h), a container by its node. Among fields, and
 * among containers, the smaller original number is preferred.
 */
#define HP_HELD_MOST ((UINT32_C(1) << 30) - 1)
#define HP_HELD_FIELD (UINT32_C(1) << 31)
#define HP_HELD_INSIDE (UINT32_C(1) << 30)
#define HP_HELD_NOT 0

static inline uint32_t
hp_held_by_field(uint32_t edge)
{
	return HP_HELD_FIELD | (HP_HELD_MOST - edge);
}

static inline uint32_t
hp_held_inside(uint32_t node)
{
	return HP_HELD_INSIDE | (HP_HELD_MOST - node);
}

/*
 * The inverse of the encoding: the kind of reference, or the node of the
 * container.
 */
static inline uint32_t
hp_held_number(uint32_t held)
{
	return HP_HELD_MOST - (held & HP_HELD_MOST);
}

/*
 * An array of objects. If it comes in pieces, there is an entry for each, and
 * they are added up later.
 */
struct hp_waste_array {
	/*
	 * node of the array; its length; number of its elements that are not
	 * null
	 */
	uint32_t node, length, filled;
};

/* A collection object. */
struct hp_waste_collection {
	uint32_t node;
	/* node of its array, or of its inner collection; HP_NO_NODE: none */
	uint32_t backing;
	uint32_t info; /* index of its class in hp_collections.list */
	uint32_t size;
	/*
	 * for a hash table: the load factor times 2^16; for a ring: the other
	 * index
	 */
	uint32_t more;
};

/* Another internal part of a collection, such as its key set. */
struct hp_waste_view {
	/* the collection and the part, as nodes of the graph */
	uint32_t collection, part;
	/* the part is an array of cells, whose values add to the size */
	bool cells;
};

/*
 * A cell and its value (a part of the size of a collection); or an array of
 * cells and one of its elements.
 */
struct hp_waste_cell {
	uint64_t node;
	uint64_t value;
};

/*
 * The waste of one kind at one holder, or the objects of a family at one
 * holder.
 */
struct hp_waste_sum {
	/*
	 * kind of waste (or HP_WASTES + family) in the upper 32 bits, holder in
	 * the lower ones
	 */
	uint64_t key;
	uint64_t count, waste, dedup;
};

/* The sums for all kinds of waste and all holders. A zeroed struct is empty. */
struct hp_waste_sums {
	/* maps the key of a sum to 1 + its index in `list` */
	struct hp_id_map by_key;
	struct hp_waste_sum *list;
	size_t count, cap;
	size_t last; /* index of the sum that was used last */
};

/*
 * Add objects and bytes to the sum with a key. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_sums_add(struct hp_waste_sums *s, uint64_t key,
				   uint64_t count, uint64_t waste,
				   uint64_t dedup);
void hp_waste_sums_release(struct hp_waste_sums *s);

struct hp_waste_worker;

/* A long array that is read in pieces. */
struct hp_waste_long {
	struct hp_content_sum sum;
	/*
	 * count: characters or elements that were hashed; length: elements of
	 * the array
	 */
	uint64_t count, length;
	uint32_t node, type;
	/* the same as the member more of struct hp_content_entry */
	uint32_t end;
	bool high;   /* at least one character needs two bytes */
	bool varied; /* the content is not that of a text that was removed */
};

/*
 * What the arrays show about contents that were removed from the dump. Index 1
 * is for texts, 0 for other arrays.
 */
struct hp_waste_payload {
	uint64_t count[2], varied[2];
	/*
	 * 1 + the highest index at which an array has an element that is not 0
	 */
	uint64_t most_used;
	/*
	 * number of arrays that are longer, but have only zeros from there on
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
	 * for each kind of reference: the role of the field (enum
	 * hp_field_role)
	 */
	uint8_t *edge_roles;
	uint32_t nroles;
	struct hp_collections collections;
	struct hp_waste_class *classes; /* one for each class */
	struct hp_java_string_class string;
	/*
	 * Strings can use parts of arrays (JDK 6 and older), so texts are not
	 * compared
	 */
	bool slices;
	struct hp_unfollowed unfollowed;
	struct hp_node_kinds kinds;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	/*
	 * five arrays with an entry for each object: uint32_t, and for the
	 * marks _Atomic uint16_t
	 */
	struct hp_big_array kind_of, held, joined, link, marks;
	struct hp_waste_worker *workers;
	/*
	 * one lock for the objects of each bucket, and one for objects that
	 * belong to no bucket
	 */
	pthread_mutex_t node_locks[HP_ID_BUCKETS + 1];
	/* the next bucket whose references a thread must look up */
	_Atomic uint32_t looked_up;
	/* the object arrays that all threads have found in the first pass */
	struct hp_waste_array *arrays;
	size_t narrays;
	struct hp_waste_collection *found;
	size_t nfound;
	/*
	 * elements of arrays of cells or of Segments (ConcurrentHashMap of Java
	 * 5 to 7): node is the array, value the element; sorted by array
	 */
	struct hp_waste_cell *segments;
	size_t nsegments;
	/* internal parts of collections, sorted by collection */
	struct hp_waste_view *views;
	size_t nviews;
	/* for each kind of object: what it is used for (enum hp_waste_role) */
	uint8_t *role_of_kind;
	struct hp_waste_sums sums;
	/*
	 * with --show-values: the waste of each text and holder; the key is the
	 * holder in the upper 32 bits, and the kept array in the lower ones
	 */
	bool want_values;
	/* the same for arrays with equal contents; only for a list */
	bool want_arrays;
	struct hp_waste_sums values;
	/* maps 1 + a holder to 1 + the index of its worst text in values */
	struct hp_id_map value_of;
	/* maps 1 + an array to the pointer to its text */
	struct hp_id_map value_texts;
	struct hp_arena value_arena; /* has these texts */
	/* random numbers for hashing the contents of primitive arrays */
	struct hp_content_key key;
	struct hp_content_list contents;
	/* maps an array to its struct hp_waste_long * */
	struct hp_id_map longs;
	pthread_mutex_t longs_lock;
	/*
	 * the layout without measured sizes, and that of the same JVM with
	 * compact object headers; which only have_compact says
	 */
	struct hp_size_model plain, compact;
	bool have_compact; /* compact headers would save something */
	/* texts, or contents of arrays, were removed from the dump */
	bool no_texts, no_data;
	/*
	 * all elements of arrays from this index on were removed; 0: none were
	 */
	uint64_t removed_from;
};

struct hp_waste_worker {
	struct hp_waste *w;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_kind_finder kinds;
	struct hp_id_buckets buckets;
	struct hp_vec arrays; /* elements: struct hp_waste_array */
	struct hp_vec found;  /* elements: struct hp_waste_collection */
	struct hp_vec views;  /* elements: struct hp_waste_view */
	struct hp_vec cells;  /* elements: struct hp_waste_cell */
	/*
	 * elements: struct hp_waste_cell, with an array and one of its elements
	 */
	struct hp_vec in_cells;
	/* the class of the array that was read last */
	uint64_t array_class;
	bool array_inside, array_cells;
	/*
	 * by kind of arrays: the bytes that compact headers would save; the
	 * list grows with the kinds
	 */
	uint64_t *saved;
	uint32_t saved_cap;
	struct hp_waste_payload payload;
	struct hp_content_rest *rest;
	/* memory for a text of less than HP_CONTENT_LONG characters */
	uint8_t *narrow;
	struct hp_error error;
	bool no_memory;
};

static inline uint32_t *
hp_waste_kind_of(const struct hp_waste *w, uint32_t node)
{
	return (uint32_t *)w->kind_of.at + node;
}

static inline uint32_t *
hp_waste_held(const struct hp_waste *w, uint32_t node)
{
	return (uint32_t *)w->held.at + node;
}

static inline uint32_t *
hp_waste_link(const struct hp_waste *w, uint32_t node)
{
	return (uint32_t *)w->link.at + node;
}

static inline uint16_t
hp_waste_marks(const struct hp_waste *w, uint32_t node)
{
	return atomic_load_explicit((_Atomic uint16_t *)w->marks.at + node,
				    memory_order_relaxed);
}

static inline uint16_t
hp_waste_mark(const struct hp_waste *w, uint32_t node, uint16_t marks)
{
	return atomic_fetch_or_explicit((_Atomic uint16_t *)w->marks.at + node,
					marks, memory_order_relaxed);
}

/* The kind (class and size) of an object. */
static inline const struct hp_node_kind *
hp_waste_kind(const struct hp_waste *w, uint32_t node)
{
	return &w->kinds.list[*hp_waste_kind_of(w, node)];
}

/* ----------------------------------------------------------------------
 * Join the internal parts of each collection, so that all of them have the
 * holder of the collection
 *
 * A collection, its array and its entries refer to each other in many ways, in
 * cycles also. A disjoint-set forest joins them in almost linear time, on all
 * threads: the node with the smallest number represents the set.
 * Source: R. Anderson and H. Woll, "Wait-free parallel algorithms for the
 * union-find problem", 1991
 */

/* The node that represents the set of a node. Any thread may call it. */
uint32_t hp_joined_first(const struct hp_waste *w, uint32_t node);

/* Join the sets of two nodes. Any thread may call it. */
void hp_joined_join(const struct hp_waste *w, uint32_t a, uint32_t b);

/*
 * Call this after the first pass: it gives each set the best holder of all its
 * nodes. Containers that belong to the same set do not count as holders.
 */
void hp_joined_hold(struct hp_waste *w);

/*
 * Find the field that holds an object, following containers outwards. Returns a
 * number of hp_held_by_field(), or HP_HELD_NOT if no field does. Changes the
 * holders of containers, so that all calls together take linear time. Only one
 * thread may call it.
 */
uint32_t hp_joined_holder(struct hp_waste *w, uint32_t node);

/* ----------------------------------------------------------------------
 * Read the objects of a batch: what holds them, and the
 * Strings and collections among them
 */

/*
 * Set the layout of compact object headers, if the JVM of the dump did not use
 * them. Source: JEP 450, "Compact Object Headers"
 */
void hp_waste_compact_layout(struct hp_waste *w);

/*
 * Add what compact headers would save, by class. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_waste_find_headers(struct hp_waste *w);

/* Note what compact headers would save in an array. */
HP_MUST_USE bool hp_waste_note_array(struct hp_waste_worker *k,
				     const struct hp_sub *s, uint32_t kind);

/* Functions for struct hp_extra_pass, see there. */
bool hp_waste_instances(void *ctx, unsigned worker, struct hp_heap_iter *at);
bool hp_waste_sub(void *ctx, unsigned worker, const struct hp_sub *s,
		  const struct hp_piece *piece);

/*
 * The thread function that looks up the references that are left in the buckets
 * at the end of the pass. @worker is a struct hp_waste_worker. Set w->looked_up
 * to 0 before starting the threads.
 */
void *hp_waste_look_up_rest(void *worker);

/* ----------------------------------------------------------------------
 * The first pass for --by=waste: number the objects, find what
 * holds them, and list object arrays and collections
 */

/**
 * hp_waste_read_objects() - run the first pass
 * @w: zeroed, except for g, o, layout and keys
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
 * What the classes and the reference fields of a dump are for
 * --by=waste
 */

/*
 * Find Strings, boxes, collections and their internal parts by class name, and
 * the internal fields of collections. The caller has initialised w->edges.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_know_classes(struct hp_waste *w,
						 struct hp_error *err);

/*
 * Read the static fields of all classes, after the objects were numbered: they
 * are holders of objects, mark constants, and refer to the caches of boxes.
 * Returns HP_OK, HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_waste_read_statics(struct hp_waste *w,
						 struct hp_error *err);

/* ----------------------------------------------------------------------
 * The second pass for --by=waste: hash the contents of
 * primitive arrays
 */

/*
 * Fill w->contents, and find out whether contents were removed from the dump.
 * The internal parts of collections must be marked before. Returns: HP_OK;
 * HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_read_contents(struct hp_waste *w,
						  struct hp_source *src,
						  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Find the waste, after the passes over the dump
 */

/*
 * Call this after the first pass: it marks the internal parts of collections,
 * and finds collections that are empty or have many free slots. Returns HP_OK
 * or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_find_collections(struct hp_waste *w,
						     struct hp_error *err);

/*
 * Call this after the second pass: it finds arrays with equal contents, and
 * arrays of zeros. Returns HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_waste_find_contents(struct hp_waste *w,
						  struct hp_error *err);

/*
 * Call this at the end: it finds the waste of Strings, object arrays and boxes,
 * and counts the objects of all families. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_waste_find_objects(struct hp_waste *w,
						 struct hp_error *err);

/*
 * Note a duplicate of the content of the array @first. Does nothing if no
 * values are wanted. Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_note_value(struct hp_waste *w, uint32_t holder,
				     uint32_t first, uint64_t waste,
				     uint64_t dedup);

/*
 * Read the text that wastes the most of each holder. Returns HP_OK; HP_NOMEM;
 * the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_read_values(struct hp_waste *w,
						struct hp_source *src,
						struct hp_error *err);

/* Copy the text of a holder into a row. Returns false if out of memory. */
HP_MUST_USE bool hp_waste_show_value(struct hp_waste *w, uint32_t holder,
				     struct hp_rows *rows, struct hp_row *row);

/*
 * Append the holder of a sum (a field, or the class of the objects if no field
 * holds them). Returns false if out of memory.
 */
HP_MUST_USE bool hp_waste_holder_text(struct hp_waste *w, uint32_t holder,
				      struct hp_buf *out);

/* Run all passes. Returns HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. */
HP_MUST_USE enum hp_status hp_waste_find_all(struct hp_waste *w,
					     struct hp_source *src,
					     struct hp_error *err);

/* What is known about a collection together with its inner collections. */
struct hp_waste_listed {
	uint64_t size;	      /* number of elements */
	uint64_t bytes;	      /* of the collection with its private parts */
	uint64_t waste;	      /* bytes, if it is empty or sparse */
	uint64_t slots, used; /* length of its array, and elements in it */
};

/*
 * Call @each for each collection that is no private part of another one and
 * whose size is known, in the order of the list. Returns false if @each does.
 */
HP_MUST_USE bool hp_waste_each_collection(
	struct hp_waste *w,
	bool (*each)(void *ctx, const struct hp_waste_collection *c,
		     struct hp_waste_listed *found),
	void *ctx);

/* What is needed to add the kinds that come from the object graph. */
struct hp_waste_graph {
	const struct hp_column *c;
	struct hp_keys *keys;
	struct hp_retained *t; /* with references, and the finalizer queue */
};

/*
 * Add rows for cleared entries of ThreadLocals, for objects that wait for a
 * finalizer, and for unreachable objects. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status
hp_waste_graph_rows_add(const struct hp_waste_graph *w, struct hp_error *err);

/*
 * The holder of an object in the keys of sums: the result of
 * hp_joined_holder(). If no field holds the object, it is the kind of the
 * object, which is below HP_HELD_FIELD.
 */
uint32_t hp_waste_holder(struct hp_waste *w, uint32_t node);

/*
 * Add waste of a certain kind to the sum for its holder. Returns false if out
 * of memory.
 */
HP_MUST_USE bool hp_waste_add(struct hp_waste *w, enum hp_waste_kind kind,
			      uint32_t holder, uint64_t waste, uint64_t dedup);

/*
 * Count objects of a family in the sum for their holder. Returns false if out
 * of memory.
 */
HP_MUST_USE bool hp_waste_count(struct hp_waste *w, enum hp_waste_family family,
				uint32_t holder, uint64_t objects);

#endif
