/*
 * proof_model.h - the proof's own model of class layouts and names
 *
 * Filled by the proof's own decoder in a pass of its own.
 */
#ifndef HP_CONVERT_STRIP_PROOF_MODEL_H
#define HP_CONVERT_STRIP_PROOF_MODEL_H

#include "convert/strip/proof_facts.h"

void hp_proof_model_release(struct hp_proof_model *f);

/* A class dump; the first of an id in its dump counts. */
void hp_proof_model_class(struct hp_proof_model *f, unsigned dump, uint64_t id,
			  uint64_t super);
/* A field of it. */
void hp_proof_model_field(struct hp_proof_model *f, uint8_t type,
			  uint64_t name);
/* A string that names something; 0 is none. */
void hp_proof_model_name(struct hp_proof_model *f, uint64_t id);

/* For patterns: a LOAD CLASS. */
void hp_proof_model_load(struct hp_proof_model *f, uint64_t class_id,
			 uint64_t name);

/*
 * Rounds: what there is; what fields name; the arrays of Strings among that.
 * Without patterns the first is the only one.
 */
enum { HP_PROOF_MODEL_ROUNDS = 3 };

/**
 * hp_proof_model_end() - all of a round is told: after the first, link the
 * classes
 *
 * Returns: HP_OK; HP_NOMEM, also for a failure before.
 */
HP_MUST_USE enum hp_status hp_proof_model_end(struct hp_proof_model *f,
					      unsigned round,
					      struct hp_error *err);

/* The dump's classes; NULL if it has none. */
const struct hp_model_dump *hp_proof_model_dump(const struct hp_proof_model *f,
						unsigned dump);
const struct hp_model_class *hp_proof_model_find(const struct hp_model_dump *d,
						 uint64_t id);

#endif
