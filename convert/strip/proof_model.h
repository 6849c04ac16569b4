/*
 * proof_model.h - the proof's own model of class layouts and names
 *
 * The proof fills it in passes of its own, with its own decoder.
 */
#ifndef HP_CONVERT_STRIP_PROOF_MODEL_H
#define HP_CONVERT_STRIP_PROOF_MODEL_H

#include "convert/strip/proof_facts.h"

void hp_proof_model_release(struct hp_proof_model *f);

/* Add a class dump. Only the first one of an id in a dump counts. */
void hp_proof_model_class(struct hp_proof_model *f, unsigned dump, uint64_t id,
			  uint64_t super);
/* Add a declared field of the class dump that was added last. */
void hp_proof_model_field(struct hp_proof_model *f, uint8_t type,
			  uint64_t name);
/*
 * Add the id of a STRING that is used as a name. 0 means "no name" and is
 * ignored.
 */
void hp_proof_model_name(struct hp_proof_model *f, uint64_t id);

/* Add a LOAD CLASS record. Needed only if there are patterns. */
void hp_proof_model_load(struct hp_proof_model *f, uint64_t class_id,
			 uint64_t name);

/*
 * The passes of learning. Round 1 learns classes and names. Round 2 collects
 * the objects that selected fields refer to. Round 3 collects the arrays of the
 * Strings among these. Without patterns there is only round 1.
 */
enum { HP_PROOF_MODEL_ROUNDS = 3 };

/**
 * hp_proof_model_end() - finish a round; after the first, link the classes
 *
 * Returns: HP_OK; HP_NOMEM, also if an earlier call ran out of memory.
 */
HP_MUST_USE enum hp_status hp_proof_model_end(struct hp_proof_model *f,
					      unsigned round,
					      struct hp_error *err);

/* Returns the classes of the dump number @dump, or NULL if it has none. */
const struct hp_model_dump *hp_proof_model_dump(const struct hp_proof_model *f,
						unsigned dump);
const struct hp_model_class *hp_proof_model_find(const struct hp_model_dump *d,
						 uint64_t id);

#endif
