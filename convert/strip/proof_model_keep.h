/*
 * proof_model_keep.h - match the patterns of --keep against classes, for the
 * proof
 */
#ifndef HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H
#define HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H

#include "convert/strip/proof_facts.h"

/*
 * Match all LOAD CLASS records against the patterns. Call this before
 * hp_proof_model_link_keep(). Returns false if out of memory.
 */
bool hp_proof_model_gather_loads(struct hp_proof_model *f);

/*
 * Fill in d->keep, after the classes of @d were linked. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err);

/* Match the text of a STRING against the patterns. */
void hp_proof_model_text(struct hp_proof_model *f, uint64_t id,
			 const uint8_t *text, size_t length);
/* Keep the object @id. @round: 2 or 3, see proof_model.h. */
void hp_proof_model_keep(struct hp_proof_model *f, unsigned round,
			 unsigned dump, uint64_t id);

/* Returns the bits of the patterns that round @round follows. */
uint64_t hp_proof_model_wanted(const struct hp_proof_model *f, unsigned round);
/* Returns the bits of the patterns whose FIELD is the string @name. */
uint64_t hp_proof_model_field_bits(const struct hp_proof_model *f,
				   uint64_t name);

#endif
