/*
 * edge_kinds.h - number the kinds of references: a field of a class, the
 * elements of an array class, a static field, a kind of root
 *
 * References with equal names are one kind, because rows show names. So classes
 * of equal name from different loaders are not distinguished. A field belongs
 * to the class that declares it, so there are at most as many kinds as field
 * descriptors in the dump.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_KINDS_H
#define HP_DIFF_HOLDERS_EDGE_KINDS_H

#include "common/object_ids/id_map.h"
#include "diff/keys/keys.h"

enum hp_edge_of {
	HP_EDGE_FIELD,	/* a reference from a field of an instance */
	HP_EDGE_ARRAY,	/* a reference from an element of an array */
	HP_EDGE_STATIC, /* a reference from a static field */
	/* another reference: the member name is a pointer to a text */
	HP_EDGE_WORDS,
};

/* used instead of the number of a kind of reference: there is none */
#define HP_NO_EDGE UINT32_MAX

struct hp_edge_kind {
	uint64_t class_id;
	/*
	 * string id of the field's name; for HP_EDGE_WORDS: a pointer to a text
	 */
	uint64_t name;
	uint64_t most; /* maximum number of references of this kind */
	uint8_t of;    /* where the reference comes from (enum hp_edge_of) */
};

/* The reference fields that one class declares itself. */
struct hp_edge_level {
	uint32_t first; /* index of its first field in hp_edge_kinds.fields */
	uint32_t count;
	/*
	 * index of the nearest superclass that declares reference fields;
	 * HP_NO_EDGE: there is none
	 */
	uint32_t above;
	/*
	 * bytes of instance data from the fields of this class to those of the
	 * superclass `above`
	 */
	uint64_t skip;
};

struct hp_edge_field {
	uint32_t kind;
	uint32_t at; /* offset in bytes from the first field of the class */
};

struct hp_edge_kinds {
	struct hp_keys *keys;
	struct hp_edge_kind *list;
	uint32_t count;
	size_t cap;
	/*
	 * For each kind, a text of the members that distinguish it from others.
	 * The number of a text is the number of the kind plus one.
	 */
	struct hp_intern identities;
	uint64_t seed;
	struct hp_edge_level *levels; /* one for each class */
	struct hp_edge_field *fields;
	size_t nfields;
	/* maps the class id of arrays to the number of the kind, plus one */
	struct hp_id_map arrays;
	/*
	 * a cache: the class of the last static field, and the hash of its name
	 */
	uint64_t static_class, static_name[2];
	bool have_static;
};

/**
 * hp_edge_kinds_init() - number the kinds of all fields and arrays of a dump
 * @k: zeroed
 * @keys: the names of classes in the dump that was counted; borrowed
 *
 * Leaves out the fields of classes without instances.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 * Ownership: call hp_edge_kinds_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_edge_kinds_init(struct hp_edge_kinds *k,
					      struct hp_keys *keys,
					      struct hp_error *err);
void hp_edge_kinds_release(struct hp_edge_kinds *k);

/*
 * Find or create the kind of a static field. Returns HP_NO_EDGE if out of
 * memory.
 */
uint32_t hp_edge_kind_static(struct hp_edge_kinds *k, const struct hp_class *c,
			     const struct hp_class_static *s);
/*
 * Find or create the kind of reference that is shown as @words in parentheses.
 * @words must stay valid. Returns HP_NO_EDGE if out of memory.
 */
uint32_t hp_edge_kind_words(struct hp_edge_kinds *k, const char *words);

/*
 * The kind of the elements of an array class. Returns HP_NO_EDGE if the dump
 * has no elements of such arrays.
 */
static inline uint32_t
hp_edge_kind_array(const struct hp_edge_kinds *k, uint64_t class_id)
{
	const uint64_t *found = hp_id_map_get(&k->arrays, class_id);

	return found ? (uint32_t)*found - 1 : HP_NO_EDGE;
}

/*
 * Append the text of a kind of reference, for example
 * "java.util.HashMap$Node.value". Returns false if out of memory.
 */
bool hp_edge_kind_text(struct hp_edge_kinds *k, uint32_t kind,
		       struct hp_buf *out);

#endif
