/*
 * proof.h - check independently that a stripped dump lacks the removed values
 */
#ifndef HP_CONVERT_STRIP_PROOF_H
#define HP_CONVERT_STRIP_PROOF_H

#include "common/base/arena.h"
#include "convert/prepass/class_prepass.h"
#include "convert/strip/policy.h"

/* ----------------------------------------------------------------------
 * The tables of the proof: classes and names of the input
 *
 * The proof checks the code that removes values (the strip), so it does not use
 * the tables of that code. The layouts of classes are stored for each heap
 * dump, because a class id may have different layouts in two dumps of a file.
 */

struct hp_model_class {
	uint64_t super;
	/*
	 * Index in hp_proof_model.types of the first field that the class
	 * declares; `count` is the number of its fields.
	 */
	size_t first;
	uint32_t count;
	/*
	 * 1 + the index of the nearest superclass that declares fields; 0:
	 * there is none; HP_MODEL_BROKEN: a superclass is missing, or the
	 * superclasses form a cycle.
	 */
	uint32_t up;
	/*
	 * Size of the fields of an instance in bytes, including inherited
	 * fields. Computed only if there are --keep patterns. HP_MODEL_ENDLESS:
	 * a superclass is missing, or the superclasses form a cycle.
	 */
	uint64_t bytes;
};

#define HP_MODEL_ENDLESS UINT64_MAX

/*
 * The size of a value in bytes; 0 if there is no such type. Source: HPROF
 * manual, "Basic Type".
 */
static inline unsigned
hp_proof_model_width(unsigned type, unsigned id)
{
	switch (type) {
	case 1:
	case 2:
		return id;
	case 4:
	case 8:
		return 1;
	case 5:
	case 9:
		return 2;
	case 6:
	case 10:
		return 4;
	case 7:
	case 11:
		return 8;
	default:
		return 0;
	}
}

/*
 * Which patterns of --keep apply to a class. Bit i stands for pattern i,
 * CLASS#FIELD.
 */
struct hp_model_keep {
	/* bit i is set if the CLASS of --keep pattern i is this class */
	uint64_t own;
	/*
	 * bit i is set if the CLASS of --keep pattern i is this class or one of
	 * its superclasses
	 */
	uint64_t under;
	/*
	 * Bit i is set if pattern i of --keep has the name of a skipped
	 * superclass as its CLASS. Skipped are the superclasses without fields,
	 * between this class and the nearest superclass with fields: a search
	 * that follows hp_model_class.up does not visit them.
	 */
	uint64_t carry;
	bool linked;
	bool seen; /* the static fields of the class dump were read */
};

/* The contents of a LOAD CLASS record. */
struct hp_model_load {
	uint64_t class_id, name;
};

#define HP_MODEL_BROKEN UINT32_MAX

struct hp_model_dump {
	uint64_t dump; /* number of the dump, from 1 */
	/* maps a class id to 1 + the index of the class in `classes` */
	struct hp_id_map by_id;
	struct hp_model_class *classes;
	/*
	 * for each class in `classes`: the patterns of --keep that apply to it;
	 * NULL: there are no patterns
	 */
	struct hp_model_keep *keep;
	size_t count, cap;
};

struct hp_proof_model {
	/* the dumps with classes, sorted by their number */
	struct hp_model_dump *dumps;
	size_t ndumps, dumps_cap;
	/*
	 * types of the fields that the classes declare: first all fields of one
	 * class, then those of the next class
	 */
	uint8_t *types;
	size_t ntypes, types_cap;
	/* The following members are used only if there are --keep patterns. */
	const struct hp_policy *policy;
	/* for each field in `types`: the string id of its name */
	uint64_t *field_names;
	size_t field_names_cap;
	struct hp_model_load *loads;
	size_t nloads, loads_cap;
	/*
	 * Maps a class id to bits. Bit i is set if the class name in a LOAD
	 * CLASS record is the CLASS of --keep pattern i.
	 */
	struct hp_id_map class_bits;
	/*
	 * Map a string id to bits. Bit i is set if the text of the string is
	 * the CLASS (class_texts) or the FIELD (field_texts) of --keep pattern
	 * i.
	 */
	struct hp_id_map class_texts, field_texts;
	struct hp_dump_id_sets
		/*
		 * The ids of the objects that --keep selects. kept[0]: the
		 * objects to which selected fields refer. kept[1]: the
		 * character arrays of those objects that are Strings.
		 */
		kept[2];
	/* the ids of the STRING records that are used as names */
	struct hp_id_map names;
	/*
	 * the class dump that was added last is still being read: the next
	 * declared fields belong to it
	 */
	bool open;
	bool failed; /* an allocation failed, so the model is not complete */
};

/* Returns which patterns of --keep apply to the class @k of the dump @d. */
static inline const struct hp_model_keep *
hp_proof_model_kind(const struct hp_model_dump *d,
		    const struct hp_model_class *k)
{
	return &d->keep[k - d->classes];
}
/* Whether --keep selects this object, so that it must not have changed. */
static inline bool
hp_proof_model_is_kept(const struct hp_proof_model *f, unsigned dump,
		       uint64_t id)
{
	return f && (hp_dump_id_sets_has(&f->kept[0], dump, id) ||
		     hp_dump_id_sets_has(&f->kept[1], dump, id));
}

/* ----------------------------------------------------------------------
 * The proof's own model of class layouts and names
 *
 * The proof fills this model in passes of its own, with its own decoder.
 */

void hp_proof_model_release(struct hp_proof_model *f);

/*
 * Add a class dump. If a dump has several class dumps with the same id, only
 * the first counts.
 */
void hp_proof_model_class(struct hp_proof_model *f, unsigned dump, uint64_t id,
			  uint64_t super);
/* Add a declared field of the class dump that was added last. */
void hp_proof_model_field(struct hp_proof_model *f, uint8_t type,
			  uint64_t name);
/*
 * Add the id of a STRING that is used as a name. Ignores 0, which means "no
 * name".
 */
void hp_proof_model_name(struct hp_proof_model *f, uint64_t id);

/* Add a LOAD CLASS record. Needed only if there are --keep patterns. */
void hp_proof_model_load(struct hp_proof_model *f, uint64_t class_id,
			 uint64_t name);

/*
 * The number of learning rounds. A round is a scan of the input that fills the
 * model. Round 1 learns classes and names. Round 2 collects the objects to
 * which selected fields refer. Round 3 collects the arrays of those objects
 * that are Strings. Without --keep patterns there is only round 1.
 */
enum { HP_PROOF_MODEL_ROUNDS = 3 };

/**
 * hp_proof_model_end() - finish a learning round; after round 1, link each
 * class with its superclass
 *
 * Returns: HP_OK; HP_NOMEM, also if an earlier call ran out of memory.
 */
HP_MUST_USE enum hp_status hp_proof_model_end(struct hp_proof_model *f,
					      unsigned round,
					      struct hp_error *err);

/* Returns the classes of the dump number @dump, or NULL if it has none. */
const struct hp_model_dump *hp_proof_model_dump(const struct hp_proof_model *f,
						unsigned dump);
const struct hp_model_class *hp_proof_model_find(const struct hp_model_dump *d,
						 uint64_t id);

/*
 * ----------------------------------------------------------------------
 * An independent check of a stripped dump
 *
 * The proof parses the written dump with a decoder of its own. To avoid common
 * mistakes, it shares no code and no table with the reader, the scan or the
 * strip. It fails unless every byte that the policy removes is replaced and the
 * hash of all other bytes is equal to their hash in the input. Bytes can be fed
 * in chunks of any size.
 */

struct hp_proof;

/**
 * hp_proof_open() - start a proof, at the header of a dump
 * @facts: model of the classes and names; borrowed. Needed for policies about
 *         fields, strings or --keep, else NULL.
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: the caller ends it with hp_proof_close().
 */
HP_MUST_USE enum hp_status hp_proof_open(struct hp_proof **out,
					 const struct hp_policy *policy,
					 const struct hp_proof_model *facts,
					 struct hp_error *err);

/*
 * Start a decoder for a learning round (scan of the input): the decoder checks
 * nothing, but adds the layouts and names in the input to @facts. After the
 * last byte, call hp_proof_model_end(). @round counts from 1, see
 * HP_PROOF_MODEL_ROUNDS.
 */
HP_MUST_USE enum hp_status hp_proof_learn(struct hp_proof **out,
					  struct hp_proof_model *facts,
					  unsigned round, struct hp_error *err);

void hp_proof_close(struct hp_proof *p);

/*
 * Announce the real length of the body of the heap record at @offset: @body
 * bytes. The length field is wrong, because the record has 4 GB or more. Call
 * this before feeding more bytes than the length field says.
 */
void hp_proof_overflow(struct hp_proof *p, uint64_t offset, uint64_t body);

/**
 * hp_proof_mark() - pass the hash of a range of the input; the same range of
 * the output must have the same hash
 * @end: end of the range; the range begins at the end of the previous mark, or
 *       at 0
 * @hash: XXH3 (64 bits, seed 0) of those bytes in the range that are kept
 *
 * Give marks in ascending order, before feeding the bytes that they cover.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_proof_mark(struct hp_proof *p, uint64_t end,
					 uint64_t hash, struct hp_error *err);

/**
 * hp_proof_feed() - check the next bytes of the output
 *
 * Returns: HP_OK; HP_DAMAGED: a byte was not removed, a kept byte changed, or
 *          the bytes cannot be parsed. The message has the offset.
 */
HP_MUST_USE enum hp_status hp_proof_feed(struct hp_proof *p, const void *data,
					 size_t n, struct hp_error *err);

/**
 * hp_proof_end() - end the proof after the last byte
 *
 * Returns: HP_OK; HP_DAMAGED if the bytes end inside a record, or before the
 *          last mark (see hp_proof_mark()).
 */
HP_MUST_USE enum hp_status hp_proof_end(struct hp_proof *p,
					struct hp_error *err);

/*
 * Returns the number of payload bytes that were checked and found to be
 * replaced.
 */
uint64_t hp_proof_bytes(const struct hp_proof *p);

#endif
