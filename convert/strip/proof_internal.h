/*
 * proof_internal.h - the decoder of the proof
 */
#ifndef HP_CONVERT_STRIP_PROOF_INTERNAL_H
#define HP_CONVERT_STRIP_PROOF_INTERNAL_H

#include "convert/strip/proof.h"

#include <xxhash.h>

/* ----------------------------------------------------------------------
 * Match the patterns of --keep against classes, for the proof
 */

/*
 * Match all LOAD CLASS records against the patterns. Call this before
 * hp_proof_model_link_keep(). Returns false if out of memory.
 */
bool hp_proof_model_gather_loads(struct hp_proof_model *f);

/*
 * Compute d->keep, after the superclasses of the classes of @d were linked.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err);

/* Match the text of a STRING against the patterns. */
void hp_proof_model_text(struct hp_proof_model *f, uint64_t id,
			 const uint8_t *text, size_t length);
/*
 * Add the object @id to those that are kept. @round: 2 or 3, see proof_model.c.
 */
void hp_proof_model_keep(struct hp_proof_model *f, unsigned round,
			 unsigned dump, uint64_t id);

/* Returns the bits of the patterns whose fields round @round follows. */
uint64_t hp_proof_model_wanted(const struct hp_proof_model *f, unsigned round);
/* Returns the bits of the patterns whose FIELD is the string @name. */
uint64_t hp_proof_model_field_bits(const struct hp_proof_model *f,
				   uint64_t name);

/* ----------------------------------------------------------------------
 * The state of the decoder; private to proof.c and proof_learn.c
 */

enum state {
	AT_HEADER,
	/* at the head of a record; if times are removed, only at its tag */
	AT_RECORD,
	/* if times are removed: at the length in the head of a record */
	AT_LENGTH,
	AT_NAMES,  /* the body of a record that contains string ids */
	AT_STRING, /* the id at the start of a STRING */
	AT_TEXT,   /* the text of a short STRING */
	AT_REF,	   /* at a reference in a field that --keep selects */
	AT_SUB,	   /* the tag of a sub-record */
	AT_TABLE,  /* the count of a table in a class dump */
	AT_ENTRY,  /* an entry of that table */
};

enum {
	HEADER_SIZE = 31,
	HEADER_TIME = 8, /* at the end of the header */
	RECORD_HEAD = 9,
	RECORD_TIME = 4, /* between the tag and the length */
	GATHER_MAX = HP_KEEP_TEXT + 8,
	AHEAD = 2048
};

struct mark {
	uint64_t end, hash;
};

/*
 * A range of the bytes of an instance: first bytes that are kept, then bytes
 * that are cleared.
 */
struct span {
	uint32_t keep, clear;
};

struct hp_proof {
	struct hp_policy policy;
	const struct hp_proof_model *facts;
	/* the model to fill while learning; NULL: this is a proof */
	struct hp_proof_model *learn;
	/* round of learning, from 1; 0: this is a proof */
	unsigned round;
	/* AT_REF: the state after the references */
	enum state after;
	uint64_t refs; /* AT_REF: number of references left */
	/*
	 * AT_TABLE: bits of the patterns whose CLASS is the class that is being
	 * read
	 */
	uint64_t owner;
	enum state state;
	unsigned id;   /* size of an id, in bytes */
	uint64_t at;   /* offset: bytes consumed so far */
	uint64_t body; /* bytes left in the heap record */
	/* bytes left in the current range: kept bytes, then cleared bytes */
	uint64_t keep, clear;
	uint8_t want; /* value that the cleared bytes must have */
	uint8_t tag;  /* AT_NAMES, AT_LENGTH: the tag of the record */
	/* AT_STRING: size of the body, with the id, in bytes */
	uint64_t text;
	uint64_t string; /* AT_TEXT: the id of the STRING */
	unsigned table, entries;
	/*
	 * for instances: the ranges of the class that was used last are cached
	 */
	unsigned dump; /* number of the current dump, from 1 */
	bool in_dump;
	const struct hp_model_dump *classes;
	const struct hp_model_class *class;
	struct span *stretches;
	size_t stretch, nstretches, stretches_cap;
	uint64_t class_size; /* sum of the ranges, in bytes */
	/* bytes of a head, collected because it came in several chunks */
	uint8_t gather[GATHER_MAX];
	unsigned have;
	/* offset and body length of the last heap record */
	uint64_t heap_at, heap_body;
	uint64_t overflow_at, overflow_body;
	/* hash of the kept bytes since the last mark */
	XXH3_state_t *hash;
	/*
	 * offset up to which the kept bytes were compared with hashes of the
	 * input
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
 * Append @n bytes to the ranges of an instance. Returns false if out of memory.
 */
bool hp_proof_span(struct hp_proof *p, bool clear, uint32_t n);

/*
 * Learn from the fixed fields at @h. The caller also counts the bytes of the
 * bodies as read.
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
 * Called when a range begins: in a learning pass, its cleared bytes are
 * references to read.
 */
void hp_proof_learn_span(struct hp_proof *p);

#endif
