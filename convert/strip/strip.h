/*
 * strip.h - replace the payload of a dump (values and texts), except what
 * --keep selects
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

struct hp_keep_class {
	/*
	 * the patterns of --keep whose CLASS is this class; bit i stands for
	 * pattern i
	 */
	uint64_t own;
	/*
	 * Bit i is set if pattern i of --keep has the name of a skipped
	 * superclass as its CLASS. Skipped are the superclasses without fields,
	 * between this class and the nearest superclass with fields:
	 * hp_prepass_above() does not visit them.
	 */
	uint64_t carry;
	/*
	 * the patterns of --keep whose CLASS is this class or one of its
	 * superclasses; bit i stands for pattern i
	 */
	uint64_t under;
};

struct hp_keep_dump {
	unsigned dump;
	/*
	 * for each class (index: hp_class.index): the patterns of --keep that
	 * apply to it
	 */
	struct hp_keep_class *classes;
};

struct hp_keep {
	const struct hp_policy *policy;
	struct hp_prepass *prepass;
	unsigned id_size;
	/*
	 * Maps a class id to bits, one for each pattern of --keep. Bit i is set
	 * if CLASS in pattern i matches the name that a LOAD CLASS record gives
	 * to the class.
	 */
	struct hp_id_map class_bits;
	/*
	 * maps a string id to the patterns of --keep whose FIELD is the text of
	 * this string; bit i stands for pattern i
	 */
	struct hp_id_map fields;
	/*
	 * for each dump, in the order of prepass->dumps: the patterns of --keep
	 * that apply to its classes
	 */
	struct hp_keep_dump *dumps;
	/*
	 * the patterns of --keep that match a field of the dump; bit i stands
	 * for pattern i
	 */
	uint64_t used;
	/*
	 * the patterns of --keep whose fields the current pass reads; bit i
	 * stands for pattern i
	 */
	uint64_t allowed;
	/*
	 * The ids of the objects that --keep selects. named: the objects to
	 * which selected fields refer. arrays: the character arrays of those
	 * objects that are Strings.
	 */
	struct hp_dump_id_sets named, arrays;
};

/**
 * hp_keep_find() - find the objects to keep, in two passes over @src
 * @k: zeroed
 * @prepass: hp_prepass_run() was called for it, with want_tables set; borrowed
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
 * Whether --keep selects this object, so that a strip must not change it. Any
 * thread may call this.
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

/*
 * Numbers of removed values; one struct for each thread, and one for the sum.
 */
struct hp_strip_stats {
	uint64_t arrays, fields, strings, bytes;
	/* number of objects that do not change because --keep selects them */
	uint64_t kept;
	/*
	 * a sub-record contains the name of an Android heap; a strip does not
	 * remove such names
	 */
	bool heaps;
	/*
	 * a class dump has a reserved id that is not 0; a strip does not remove
	 * such ids
	 */
	bool reserved;
};

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

/*
 * The range of bytes of the dump that contains the text of a removed STRING
 * record.
 */
struct hp_text {
	uint64_t offset, length;
};

/*
 * The state of a thread that strips a batch (part of the dump). The thread
 * computes a hash of the bytes that do not change. The proof compares this hash
 * with the output.
 */
struct hp_stripper {
	const struct hp_policy *policy;
	/* classes of the input; empty unless fields are stripped */
	const struct hp_prepass *prepass;
	/* objects that --keep selects; NULL: there is no --keep */
	const struct hp_keep *keep;
	XXH3_state_t *hash;
	const uint8_t *from;
	/*
	 * finds the classes of the dump to which the batch (part of the dump)
	 * belongs
	 */
	struct hp_dump_classes classes;
	struct hp_strip_stats stats;
};

/* Whether fields are stripped. If not, instances and classes do not change. */
static inline bool
hp_strip_fields(const struct hp_stripper *s)
{
	return s->policy->field_types != 0;
}

/*
 * Begin a batch (part of the dump): reset the hash, and select the classes of
 * its dump.
 */
void hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b);

/**
 * hp_strip_sub() - strip one complete sub-record
 *
 * Returns: true; false with a message in @err if the sub-record cannot be
 *          decoded.
 */
HP_MUST_USE bool hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub,
			      unsigned id_size, struct hp_error *err);
/* Strip one piece of a very long array. Returns as hp_strip_sub(). */
HP_MUST_USE bool hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
				const struct hp_run *run, unsigned id_size,
				struct hp_error *err);
/*
 * Replace the bytes of the text @text, as far as they are in @run (a range of
 * bytes of the batch).
 */
void hp_strip_text(struct hp_stripper *s, const struct hp_batch *b,
		   const struct hp_run *run, const struct hp_text *text);

/*
 * Zero the time in the run @run, a range of bytes of the batch: the time of the
 * dump if the run begins with the file header, otherwise the time of a record.
 * Call this before hp_strip_text() for this run.
 */
void hp_strip_times(struct hp_stripper *s, const struct hp_batch *b,
		    const struct hp_run *run);

/* Finish the batch. Returns the hash of all bytes that were kept. */
uint64_t hp_strip_end(struct hp_stripper *s, const struct hp_batch *b);

#endif
