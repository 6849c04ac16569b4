/*
 * proof_internal.h - the decoder of the proof (the code that checks a stripped
 * dump)
 */
#ifndef HP_CONVERT_STRIP_PROOF_INTERNAL_H
#define HP_CONVERT_STRIP_PROOF_INTERNAL_H

#include "convert/strip/proof.h"

#include <xxhash.h>

/* ----------------------------------------------------------------------
 * Match the patterns of --keep against classes, for the proof
 */

/*
 * Find the patterns of --keep that match the class names in LOAD CLASS records.
 * Call this before hp_proof_model_link_keep(). Returns false if out of memory.
 */
bool hp_proof_model_gather_loads(struct hp_proof_model *f);

/*
 * Compute d->keep, the patterns of --keep that apply to each class of the dump
 * @d. The classes of @d must have been linked with their superclasses. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err);

/* Find the patterns that match the text of the STRING with the id @id. */
void hp_proof_model_text(struct hp_proof_model *f, uint64_t id,
			 const uint8_t *text, size_t length);
/*
 * Add the id of an object to keep. @round is the learning round, 2 or 3, see
 * HP_PROOF_MODEL_ROUNDS.
 */
void hp_proof_model_keep(struct hp_proof_model *f, unsigned round,
			 unsigned dump, uint64_t id);

/*
 * Returns the patterns of --keep whose fields the learning round @round reads
 * (see HP_PROOF_MODEL_ROUNDS). Bit i stands for pattern i.
 */
uint64_t hp_proof_model_wanted(const struct hp_proof_model *f, unsigned round);
/*
 * Returns the patterns CLASS#FIELD of --keep whose FIELD is the text of the
 * STRING with the id @name. Bit i stands for pattern i.
 */
uint64_t hp_proof_model_field_bits(const struct hp_proof_model *f,
				   uint64_t name);

/* ----------------------------------------------------------------------
 * The state of the decoder; private to proof.c and proof_learn.c
 */

enum state {
	AT_HEADER,
	/*
	 * at the head (tag, time and length) of a record. If times are removed,
	 * only at the tag, because the time is then skipped, and the length is
	 * read later (AT_LENGTH).
	 */
	AT_RECORD,
	/* if times are removed: at the length in the head of a record */
	AT_LENGTH,
	AT_NAMES,  /* in the body of a record that contains string ids */
	AT_STRING, /* at the id that begins the body of a STRING */
	/*
	 * in the text of a STRING that is short enough to match a --keep
	 * pattern
	 */
	AT_TEXT,
	/* in a learning round: at a reference in a field that --keep selects */
	AT_REF,
	AT_SUB,	  /* at the tag of a sub-record */
	AT_TABLE, /* at the number of entries of a table in a class dump */
	AT_ENTRY, /* in an entry of a table in a class dump */
};

enum {
	HEADER_SIZE = 31,
	/* size of the time at the end of the file header, in bytes */
	HEADER_TIME = 8,
	RECORD_HEAD = 9,
	/*
	 * size of the time between the tag and the length of a record, in bytes
	 */
	RECORD_TIME = 4,
	GATHER_MAX = HP_KEEP_TEXT + 8,
	AHEAD = 2048
};

struct mark {
	uint64_t end, hash;
};

/*
 * A range in the data of an instance: @keep bytes that do not change, then
 * @clear bytes that must be replaced.
 */
struct span {
	uint32_t keep, clear;
};

struct hp_proof {
	struct hp_policy policy;
	const struct hp_proof_model *facts;
	/*
	 * in a learning round (a scan of the input that collects facts): the
	 * model to fill; NULL: the output is being checked
	 */
	struct hp_proof_model *learn;
	/*
	 * number of the learning round, from 1; 0: the output is being checked
	 */
	unsigned round;
	/* in the state AT_REF: the state after the last reference */
	enum state after;
	/* in the state AT_REF: number of references that still must be read */
	uint64_t refs;
	/*
	 * in the states AT_TABLE and AT_ENTRY: the patterns of --keep that
	 * apply to the current class; bit i stands for pattern i
	 */
	uint64_t owner;
	enum state state;
	unsigned id; /* size of an id, in bytes */
	uint64_t at; /* offset in the dump of the next byte that is read */
	/* number of bytes of the current heap record that are still to come */
	uint64_t body;
	/*
	 * Number of bytes of the current range that still must come: first
	 * `keep` bytes that do not change, then `clear` bytes that must be
	 * replaced.
	 */
	uint64_t keep, clear;
	/* the value that replaced bytes must have: 0, or '?' in texts */
	uint8_t want;
	/* in the states AT_NAMES and AT_LENGTH: the tag of the record */
	uint8_t tag;
	/*
	 * in the state AT_STRING: size of the body of the record in bytes,
	 * including the id
	 */
	uint64_t text;
	uint64_t string; /* in the state AT_TEXT: the id of the STRING */
	unsigned table, entries;
	/*
	 * The current dump, and the class of the last instance. `stretches`
	 * caches the ranges of bytes (struct span) of the instances of this
	 * class.
	 */
	unsigned dump; /* number of the current dump, from 1 */
	bool in_dump;
	const struct hp_model_dump *classes;
	const struct hp_model_class *class;
	struct span *stretches;
	size_t stretch, nstretches, stretches_cap;
	/*
	 * size of an instance of the cached class, in bytes: the sum of its
	 * ranges (struct span)
	 */
	uint64_t class_size;
	/* the first bytes of fixed fields that arrive in several chunks */
	uint8_t gather[GATHER_MAX];
	unsigned have;
	/* offset of the last heap record, and length of its body */
	uint64_t heap_at, heap_body;
	uint64_t overflow_at, overflow_body;
	/*
	 * hash of the unchanged bytes since the last mark (an offset at which
	 * this hash is compared with the hash of the input)
	 */
	XXH3_state_t *hash;
	/*
	 * up to this offset, the bytes that must not change were already
	 * compared with the input, by their hash
	 */
	uint64_t hashed;
	struct mark *marks;
	size_t mark, nmarks, cap;
	uint64_t checked;
};

static inline uint32_t
big4(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	       (uint32_t)b[2] << 8 | b[3];
}

static inline uint64_t
big_id(const struct hp_proof *p, const uint8_t *b)
{
	return p->id == 4 ? big4(b) : (uint64_t)big4(b) << 32 | big4(b + 4);
}

/*
 * Append a range of @n bytes to the ranges of the current instance: replaced
 * bytes if @clear is true, otherwise kept bytes. Returns false if out of
 * memory.
 */
bool hp_proof_span(struct hp_proof *p, bool clear, uint32_t n);

/*
 * The following functions fill the model in a learning round (scan of the
 * input). They read the fixed fields at @h. The caller counts the bytes of the
 * bodies.
 */
void hp_proof_learn_names(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_string(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_text(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_ref(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_owner(struct hp_proof *p, const uint8_t *h);
HP_MUST_USE enum hp_status hp_proof_learn_instance(struct hp_proof *p,
						   const uint8_t *h, uint64_t n,
						   struct hp_error *err);
/*
 * Called in a learning round (scan of the input) when a range of an instance
 * (struct span) begins. In such a round, span.clear is not a number of bytes to
 * replace: it is the number of bytes with references to read.
 */
void hp_proof_learn_span(struct hp_proof *p);

#endif
