/*
 * proof.h - an independent check of a stripped dump
 *
 * Walks the bytes of a written dump with a decoder of its own, which shares no
 * code and no table with the reader, the scan or the strip. It fails unless
 * every byte that the policy removes is its replacement, and all other bytes
 * hash to what they hashed to in the input. Bytes come in chunks of any size.
 */
#ifndef HP_CONVERT_STRIP_PROOF_H
#define HP_CONVERT_STRIP_PROOF_H

#include "convert/strip/proof_model.h"
#include "convert/strip/policy.h"

struct hp_proof;

/**
 * hp_proof_open() - start at the header of a dump
 * @facts: borrowed; needed for policies about fields or strings, else NULL
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: ends with hp_proof_close().
 */
HP_MUST_USE enum hp_status hp_proof_open(struct hp_proof **out,
					 const struct hp_policy *policy,
					 const struct hp_proof_model *facts,
					 struct hp_error *err);

/*
 * The same, but nothing is proved: what the bytes say of layouts and names is
 * told to @facts, which hp_proof_model_end() then completes. @round: from 1;
 * see proof_model.h.
 */
HP_MUST_USE enum hp_status hp_proof_learn(struct hp_proof **out,
					  struct hp_proof_model *facts,
					  unsigned round, struct hp_error *err);

void hp_proof_close(struct hp_proof *p);

/*
 * The heap record at @offset has a body of @body bytes, whatever its length
 * says: it is one of those that passed 4 GB. To be told before the first byte
 * beyond that length is fed.
 */
void hp_proof_overflow(struct hp_proof *p, uint64_t offset, uint64_t body);

/**
 * hp_proof_mark() - what the kept bytes hashed to in the input
 * @end:  bytes from the previous mark's end (or 0) up to here
 * @hash: XXH3 (64 bits, no seed) of those that the policy keeps
 *
 * Marks are given in ascending order, before the bytes that they cover.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_proof_mark(struct hp_proof *p, uint64_t end,
					 uint64_t hash, struct hp_error *err);

/**
 * hp_proof_feed() - look at the next bytes
 *
 * Returns: HP_OK; HP_DAMAGED: a byte survived, another one was changed, or
 *          the bytes cannot be followed (the text says where).
 */
HP_MUST_USE enum hp_status hp_proof_feed(struct hp_proof *p, const void *data,
					 size_t n, struct hp_error *err);

/**
 * hp_proof_end() - nothing follows
 *
 * Returns: HP_OK; HP_DAMAGED if the bytes end inside a record, or if marks
 *          were not reached.
 */
HP_MUST_USE enum hp_status hp_proof_end(struct hp_proof *p,
					struct hp_error *err);

/* Payload bytes that were looked at and found to be replaced. */
uint64_t hp_proof_bytes(const struct hp_proof *p);

#endif
