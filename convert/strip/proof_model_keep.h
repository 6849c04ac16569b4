/*
 * proof_model_keep.h - for proof_model.c: what the patterns of --keep mean to
 * classes
 */
#ifndef HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H
#define HP_CONVERT_STRIP_PROOF_MODEL_KEEP_H

#include "convert/strip/proof_model.h"

/* Before any dump's classes are linked: what the loads say of a class. False:
 * out of memory. */
bool hp_proof_model_gather_loads(struct hp_proof_model *f);

/* All classes of @d are linked: fill d->keep. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err);

#endif
