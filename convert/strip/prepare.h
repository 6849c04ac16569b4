/*
 * prepare.h - collect the facts that are needed before fields and strings can
 * be removed
 */
#ifndef HP_CONVERT_STRIP_PREPARE_H
#define HP_CONVERT_STRIP_PREPARE_H

#include "convert/strip/matching.h"
#include "convert/strip/proof.h"
#include "convert/strip/strip.h"
#include "convert/prepass/class_prepass.h"

struct hp_strip_facts {
	/* classes and names of the input, which strip.c needs to find values */
	struct hp_prepass prepass;
	/* the arrays and texts that --strip-matching removes */
	struct hp_matching matching;
	/* objects that --keep selects; strip.c does not change them */
	struct hp_keep keep;
	/*
	 * classes and names of the input, as the decoder of the proof has read
	 * them
	 */
	struct hp_proof_model facts;
	/*
	 * why the decoder of the proof could not read the input; HP_OK if it
	 * could
	 */
	struct hp_error learnt;
};

/**
 * hp_strip_prepare() - read the input several times, then rewind it
 * @src: at its first byte; must be rewindable
 * @memory: limit for names and classes, in bytes
 *
 * Returns: HP_OK; HP_DAMAGED (compression or container); HP_IO; HP_LIMIT;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strip_prepare(struct hp_strip_facts *p,
					    const struct hp_policy *policy,
					    struct hp_source *src,
					    unsigned threads, uint64_t memory,
					    struct hp_error *err);

void hp_strip_facts_release(struct hp_strip_facts *p);

#endif
