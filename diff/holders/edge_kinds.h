/*
 * edge_kinds.h - number the kinds of references
 *
 * A kind of reference is a field of a class, the elements of an array class, a
 * static field, or a kind of root. References with equal names are one kind,
 * because rows show names. So classes of equal name from different loaders are
 * not distinguished. An inherited field belongs to the class that declares it,
 * so there are at most as many kinds as fields in the class dumps.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_KINDS_H
#define HP_DIFF_HOLDERS_EDGE_KINDS_H

#include "common/object_ids/id_map.h"
#include "diff/keys/keys.h"

enum hp_edge_of {
	HP_EDGE_FIELD,	/* a reference from a field of an instance */
	HP_EDGE_ARRAY,	/* a reference from an element of an array */
	HP_EDGE_STATIC, /* a reference from a static field */
	/*
	 * a reference from something else, for example from a root; `name`
	 * points to the text that rows show for it
	 */
	HP_EDGE_WORDS,
};

/* a value that is not the number of any kind of reference */
#define HP_NO_EDGE UINT32_MAX

struct hp_edge_kind {
	uint64_t class_id;
	/*
	 * the string id of the name of the field; for HP_EDGE_WORDS: a pointer
	 * to a text
	 */
	uint64_t name;
	uint64_t most; /* maximum number of references of this kind */
	/* where references of this kind come from (enum hp_edge_of) */
	uint8_t of;
};

/*
 * The reference fields that one class declares itself, without those of
 * superclasses.
 */
struct hp_edge_level {
	/* index of the first field of the class in hp_edge_kinds.fields */
	uint32_t first;
	uint32_t count;
	/*
	 * index of the nearest superclass that declares reference fields;
	 * HP_NO_EDGE: there is none
	 */
	uint32_t above;
	/*
	 * In the data of an instance: number of bytes from the first field of
	 * this class to the first field of the superclass `above`.
	 */
	uint64_t skip;
};

struct hp_edge_field {
	uint32_t kind;
	/*
	 * offset of this field in bytes, counted from the first field of the
	 * class that declares it
	 */
	uint32_t at;
};

struct hp_edge_kinds {
	struct hp_keys *keys;
	struct hp_edge_kind *list;
	uint32_t count;
	size_t cap;
	/*
	 * The struct identity (edge_kinds.c) of each kind, as a text of bytes.
	 * Text number 1 belongs to kind number 0, and so on.
	 */
	struct hp_intern identities;
	uint64_t seed;
	/*
	 * for each class: the reference fields that the class itself declares
	 */
	struct hp_edge_level *levels;
	struct hp_edge_field *fields;
	size_t nfields;
	/*
	 * maps the id of an array class to 1 + the number of a kind of
	 * reference: the references in the elements of such arrays
	 */
	struct hp_id_map arrays;
	/*
	 * a cache for hp_edge_kind_static(): the id of the class in its last
	 * call, and the hash of the name of this class; valid if have_static is
	 * true
	 */
	uint64_t static_class, static_name[2];
	bool have_static;
};

/**
 * hp_edge_kinds_init() - give a number to each field and each array class of a
 * dump, as kinds of references
 *
 * @k: zeroed by the caller
 * @keys: the names of classes in the dump that was counted; borrowed
 *
 * Leaves out the fields of classes without instances.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 * Ownership: call hp_edge_kinds_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_edge_kinds_init(struct hp_edge_kinds *k,
					      struct hp_keys *keys,
					      struct hp_error *err);
void hp_edge_kinds_release(struct hp_edge_kinds *k);

/*
 * Find or create the kind of reference for a static field. Returns HP_NO_EDGE
 * if out of memory.
 */
uint32_t hp_edge_kind_static(struct hp_edge_kinds *k, const struct hp_class *c,
			     const struct hp_class_static *s);
/*
 * Find or create the kind of reference that rows show as the text @words in
 * parentheses, for example a kind of root. @words must stay valid as long as
 * @k. Returns HP_NO_EDGE if out of memory.
 */
uint32_t hp_edge_kind_words(struct hp_edge_kinds *k, const char *words);

/*
 * Returns the kind of reference for the elements of an array class, or
 * HP_NO_EDGE if all its arrays in the dump are empty.
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
