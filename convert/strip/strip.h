/*
 * strip.h - zero the payload of a dump, and keep what --keep selects
 */
#ifndef HP_CONVERT_STRIP_STRIP_H
#define HP_CONVERT_STRIP_STRIP_H

#include "common/format/scan.h"
#include "convert/prepass/class_prepass.h"
#include "convert/strip/policy.h"

#include <xxhash.h>

/* ----------------------------------------------------------------------
 * Find the objects that --keep=CLASS#FIELD selects, before a strip
 */

/* To which patterns of --keep a class belongs. Bit i stands for pattern i. */
struct hp_keep_class {
	uint64_t own; /* the class itself is the CLASS of the pattern */
	/*
	 * the CLASS is a super class without fields, which hp_prepass_above()
	 * skips
	 */
	uint64_t carry;
	/* the class, or one of its super classes, is the CLASS */
	uint64_t under;
};

struct hp_keep_dump {
	unsigned dump;
	/* classes of the dump, indexed by hp_class.index */
	struct hp_keep_class *classes;
};

struct hp_keep {
	const struct hp_policy *policy;
	struct hp_prepass *prepass;
	unsigned id_size;
	/*
	 * maps a class id to bits: the patterns whose CLASS is the name in a
	 * LOAD CLASS record
	 */
	struct hp_id_map class_bits;
	/* maps a string id to bits: the patterns whose FIELD is this string */
	struct hp_id_map fields;
	/* state of the dumps, one for each entry of prepass->dumps */
	struct hp_keep_dump *dumps;
	/* bits of the patterns that match at least one field */
	uint64_t used;
	/* bits of the patterns that the current pass follows */
	uint64_t allowed;
	/*
	 * objects to keep: those that selected fields refer to, and the arrays
	 * of the Strings among them
	 */
	struct hp_dump_id_sets named, arrays;
};

/**
 * hp_keep_find() - find the objects to keep, in two passes over @src
 * @k: zeroed
 * @prepass: finished, with tables; borrowed
 * @src: rewound before each pass
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM. Damage of the dump is ignored
 *          here.
 */
HP_MUST_USE enum hp_status hp_keep_find(struct hp_keep *k,
					const struct hp_policy *policy,
					struct hp_prepass *prepass,
					struct hp_source *src, unsigned threads,
					struct hp_error *err);

void hp_keep_release(struct hp_keep *k);

/*
 * Whether --keep selects this object, so that a strip must not change it.
 * Thread-safe.
 */
static inline bool
hp_keep_has(const struct hp_keep *k, unsigned dump, uint64_t id)
{
	return hp_dump_id_sets_has(&k->named, dump, id) ||
	       hp_dump_id_sets_has(&k->arrays, dump, id);
}

/* ----------------------------------------------------------------------
 * Zero the payload in the bytes of a batch
 */

/* Counts of what was removed, summed over the workers. */
struct hp_strip_stats {
	uint64_t arrays, fields, strings, bytes;
	uint64_t kept; /* objects that --keep selected */
	bool heaps;    /* a sub-record has the name of a heap, which is kept */
	/* a class has a reserved id that is not 0, which is kept */
	bool reserved;
};

/* Add the counts of one worker to the sum. */
static inline void
hp_strip_stats_add(struct hp_strip_stats *to, const struct hp_strip_stats *s)
{
	to->arrays += s->arrays;
	to->fields += s->fields;
	to->strings += s->strings;
	to->bytes += s->bytes;
	to->kept += s->kept;
	to->heaps |= s->heaps;
	to->reserved |= s->reserved;
}

/* The range of bytes of the dump with the text of a STRING that is removed. */
struct hp_text {
	uint64_t offset, length;
};

/*
 * The state of a strip of one batch. Kept bytes are hashed, in order, for the
 * proof.
 */
struct hp_stripper {
	const struct hp_policy *policy;
	/* classes of the input; empty unless fields are stripped */
	const struct hp_prepass *prepass;
	/* objects that --keep selects; NULL: there is no --keep */
	const struct hp_keep *keep;
	XXH3_state_t *hash;
	const uint8_t *from;
	struct hp_dump_classes classes; /* classes of the dump of the batch */
	struct hp_strip_stats stats;
};

/* Whether fields are stripped. If not, instances and classes do not change. */
static inline bool
hp_strip_fields(const struct hp_stripper *s)
{
	return s->policy->field_types != 0;
}

/* Begin with a batch: reset the hash and select the classes of its dump. */
void hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b);

/**
 * hp_strip_sub() - strip one complete sub-record
 *
 * Returns: true; false with a message in @err if the sub-record cannot be
 *          decoded.
 */
HP_MUST_USE bool hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub,
			      unsigned id_size, struct hp_error *err);
/* Strip a piece of an array that comes in pieces. Returns as hp_strip_sub(). */
HP_MUST_USE bool hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
				const struct hp_run *run, unsigned id_size,
				struct hp_error *err);
/*
 * Replace the part of @text that lies in the run (range of bytes), if there is
 * one.
 */
void hp_strip_text(struct hp_stripper *s, const struct hp_batch *b,
		   const struct hp_run *run, const struct hp_text *text);

/*
 * Zero the times in the run @run of bytes: of the dump, if the run begins with
 * the file header, or of a record. Call it before hp_strip_text() for this run.
 */
void hp_strip_times(struct hp_stripper *s, const struct hp_batch *b,
		    const struct hp_run *run);

/* Finish the batch. Returns the hash of all bytes that were kept. */
uint64_t hp_strip_end(struct hp_stripper *s, const struct hp_batch *b);

#endif
