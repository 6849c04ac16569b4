/*
 * prepare.h - what stripping fields and strings has to know beforehand
 */
#ifndef HP_CONVERT_STRIP_PREPARE_H
#define HP_CONVERT_STRIP_PREPARE_H

#include "convert/strip/proof_model.h"
#include "convert/strip/keep.h"
#include "convert/pass/class_prepass.h"

struct hp_strip_facts {
	struct hp_prepass prepass;   /* what the strip goes by */
	struct hp_keep keep;	     /* likewise */
	struct hp_proof_model facts; /* what the proof goes by */
	struct hp_error learnt; /* why the proof's decoder stopped, if so */
};

/**
 * hp_strip_prepare() - read the input, several times, and rewind it
 * @src: at its first byte; must be rewindable
 * @memory: what names and classes may take
 *
 * Returns: HP_OK; HP_DAMAGED (the container), HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strip_prepare(struct hp_strip_facts *p,
					    const struct hp_policy *policy,
					    struct hp_source *src,
					    unsigned threads, uint64_t memory,
					    struct hp_error *err);

void hp_strip_facts_release(struct hp_strip_facts *p);

#endif
