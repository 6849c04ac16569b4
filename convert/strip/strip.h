/*
 * strip.h - zero the payload in the bytes of a batch
 */
#ifndef HP_CONVERT_STRIP_STRIP_H
#define HP_CONVERT_STRIP_STRIP_H

#include "common/format/batch.h"
#include "convert/strip/keep.h"
#include "convert/pass/class_prepass.h"

#include <xxhash.h>

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

/* The range of a text in the dump, in bytes: a STRING to blank. */
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
/* Blank the part of @text that lies in the run, if any. */
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
