/*
 * proof_model_keep.h - what the patterns of --keep mean to classes
 */
#ifndef HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H
#define HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H

#include "convert/strip/proof_facts.h"

/* Before any dump's classes are linked: what the loads say of a class. False:
 * out of memory. */
bool hp_proof_model_gather_loads(struct hp_proof_model *f);

/* All classes of @d are linked: fill d->keep. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err);

/* The text of a STRING, an object that stays. */
void hp_proof_model_text(struct hp_proof_model *f, uint64_t id,
			 const uint8_t *text, size_t length);
void hp_proof_model_keep(struct hp_proof_model *f, unsigned round,
			 unsigned dump, uint64_t id);

/* Patterns that round @round goes by, a bit each. */
uint64_t hp_proof_model_wanted(const struct hp_proof_model *f, unsigned round);
/* Whose FIELD is this name? */
uint64_t hp_proof_model_field_bits(const struct hp_proof_model *f,
				   uint64_t name);

#endif
