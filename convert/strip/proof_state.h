/*
 * proof_state.h - for proof.c and proof_learn.c: where the decoder is
 */
#ifndef HP_CONVERT_STRIP_PROOF_STATE_H
#define HP_CONVERT_STRIP_PROOF_STATE_H

#include "convert/strip/proof_model.h"

#include <xxhash.h>

enum state {
	AT_HEADER,
	AT_RECORD,
	AT_NAMES,  /* the body of a record that names strings */
	AT_STRING, /* the id that begins a STRING */
	AT_TEXT,   /* the text of a short one */
	AT_REF,	   /* a reference that names what stays */
	AT_SUB,	   /* a sub-record's tag */
	AT_TABLE,  /* the count of a table of a class dump */
	AT_ENTRY,  /* an entry of it */
};

enum {
	HEADER_SIZE = 31,
	RECORD_HEAD = 9,
	GATHER_MAX = HP_KEEP_TEXT + 8,
	AHEAD = 2048
};

struct mark {
	uint64_t end, hash;
};

/* A stretch of an instance: bytes that stay, then bytes that are zero. */
struct span {
	uint32_t keep, clear;
};

struct hp_proof {
	struct hp_policy policy;
	const struct hp_proof_model *facts;
	struct hp_proof_model *learn; /* gathered, not proved; or NULL */
	unsigned round;		      /* of learning; 0: nothing is learnt */
	enum state after;	      /* AT_REF: what follows the references */
	uint64_t refs;		      /* AT_REF: how many there are */
	uint64_t owner; /* AT_TABLE: patterns that are the class */
	enum state state;
	unsigned id;	      /* bytes of an id */
	uint64_t at;	      /* bytes seen */
	uint64_t body;	      /* left of the heap record */
	uint64_t keep, clear; /* left of the stretch: as they were, zero */
	uint8_t want;	      /* what cleared bytes are */
	uint8_t tag;	      /* AT_NAMES: the record's */
	uint64_t text;	      /* AT_STRING: bytes with the id */
	uint64_t string;      /* AT_TEXT: the id */
	unsigned table, entries;
	/* instances: the stretches of the class looked up last */
	unsigned dump; /* its number, from 1 */
	bool in_dump;
	const struct hp_model_dump *classes;
	const struct hp_model_class *class;
	struct span *stretches;
	size_t stretch, nstretches, stretches_cap;
	uint64_t class_size;	    /* bytes of the stretches */
	uint8_t gather[GATHER_MAX]; /* a head that came in two chunks */
	unsigned have;
	uint64_t heap_at, heap_body; /* the last heap record: its length */
	uint64_t overflow_at, overflow_body;
	/* the bytes that are kept */
	XXH3_state_t *hash;
	uint64_t hashed; /* offset up to which they went into marks */
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

/* @n more bytes of an instance. False: out of memory. */
bool hp_proof_span(struct hp_proof *p, bool clear, uint32_t n);

/* What learning does at these heads; bodies are accounted for by the caller. */
void hp_proof_learn_names(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_string(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_text(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_ref(struct hp_proof *p, const uint8_t *h);
void hp_proof_learn_owner(struct hp_proof *p, const uint8_t *h);
HP_MUST_USE enum hp_status hp_proof_learn_instance(struct hp_proof *p,
						   const uint8_t *h, uint64_t n,
						   struct hp_error *err);
/* A stretch begins: what would be cleared is references. */
void hp_proof_learn_span(struct hp_proof *p);

#endif
