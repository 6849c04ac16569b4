/*
 * edge_kinds.h - kinds of references: a field of a class, the elements of an
 * array class, a static field, a kind of root
 *
 * What names the same is one kind: classes of one name from several loaders are
 * told apart by nobody who reads rows. Fields are of the class that declares
 * them, so that there are no more kinds than the dump spells out fields.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_KINDS_H
#define HP_DIFF_HOLDERS_EDGE_KINDS_H

#include "diff/keys/keys.h"

enum hp_edge_of {
	HP_EDGE_FIELD,	/* of instances */
	HP_EDGE_ARRAY,	/* elements */
	HP_EDGE_STATIC, /* a static field */
	HP_EDGE_WORDS,	/* anything else: name points to its words */
};

/* As the number of a kind: none. */
#define HP_NO_EDGE UINT32_MAX

struct hp_edge_kind {
	uint64_t class_id;
	uint64_t name; /* of the field: id of a string */
	uint64_t most; /* references of it: there are no more */
	uint8_t of;    /* enum hp_edge_of */
};

/* The fields of a class that refer to objects, its own ones only. */
struct hp_edge_level {
	uint32_t first; /* in fields */
	uint32_t count;
	uint32_t above; /* index of the next class above that has some;
			   HP_NO_EDGE: none */
	uint64_t skip;	/* bytes of data from this class's to that one's */
};

struct hp_edge_field {
	uint32_t kind;
	uint32_t at; /* bytes behind the class's first field */
};

struct hp_edge_kinds {
	struct hp_keys *keys;
	struct hp_edge_kind *list;
	uint32_t count;
	size_t cap;
	struct hp_intern identities; /* of kinds, in their order */
	uint64_t seed;
	struct hp_edge_level *levels; /* by class index */
	struct hp_edge_field *fields;
	size_t nfields;
	struct hp_id_map arrays; /* class id: number of a kind + 1 */
	/* the class whose static fields were asked for last: hash of its name
	 */
	uint64_t static_class, static_name[2];
	bool have_static;
	uint64_t noted; /* bytes, for the budget */
};

/**
 * hp_edge_kinds_init() - the kinds of all fields and arrays of a dump
 * @k:    zeroed
 * @keys: of the dump that was counted; borrowed
 *
 * Fields of classes that have no instances are left out.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 * Ownership: hp_edge_kinds_release() in any case.
 */
HP_MUST_USE enum hp_status hp_edge_kinds_init(struct hp_edge_kinds *k,
					      struct hp_keys *keys,
					      struct hp_error *err);
void hp_edge_kinds_release(struct hp_edge_kinds *k);

/* The kind of a static field; HP_NO_EDGE: out of memory. */
uint32_t hp_edge_kind_static(struct hp_edge_kinds *k, const struct hp_class *c,
			     const struct hp_class_static *s);
/* The kind of what is called "(@words)"; they must last. HP_NO_EDGE as above.
 */
uint32_t hp_edge_kind_words(struct hp_edge_kinds *k, const char *words);

/* The kind of an array's elements; HP_NO_EDGE: there are no such arrays. */
static inline uint32_t
hp_edge_kind_array(const struct hp_edge_kinds *k, uint64_t class_id)
{
	const uint64_t *found = hp_id_map_get(&k->arrays, class_id);

	return found ? (uint32_t)*found - 1 : HP_NO_EDGE;
}

/* Append "java.util.HashMap$Node.value". False: out of memory. */
bool hp_edge_kind_text(struct hp_edge_kinds *k, uint32_t kind,
		       struct hp_buf *out);

/* Is there room for them as they are? HP_OK; HP_LIMIT. */
HP_MUST_USE enum hp_status hp_edge_kinds_fit(struct hp_edge_kinds *k,
					     struct hp_error *err);

#endif
