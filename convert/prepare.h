/*
 * prepare.h - what stripping fields and strings has to know beforehand
 */
#ifndef HP_CONVERT_PREPARE_H
#define HP_CONVERT_PREPARE_H

#include "convert/facts.h"
#include "convert/keep.h"
#include "convert/survey.h"

struct hp_prepared {
	struct hp_survey survey; /* what the strip goes by */
	struct hp_keep keep;	 /* likewise */
	struct hp_facts facts;	 /* what the proof goes by */
	struct hp_error learnt;	 /* why the proof's decoder stopped, if so */
};

/**
 * hp_prepare() - read the input, several times, and rewind it
 * @src: at its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (the container), HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_prepare(struct hp_prepared *p,
				      const struct hp_policy *policy,
				      struct hp_source *src, unsigned threads,
				      struct hp_error *err);

void hp_prepared_release(struct hp_prepared *p);

#endif
