/*
 * proof.h - an independent check of a stripped dump
 *
 * The proof parses the written dump with a decoder of its own. To avoid common
 * mistakes, it shares no code and no table with the reader, the scan or the
 * strip. It fails unless every byte that the policy removes is replaced, and
 * all other bytes have the same hash as in the input. Bytes can be fed in
 * chunks of any size.
 */
#ifndef HP_CONVERT_STRIP_PROOF_H
#define HP_CONVERT_STRIP_PROOF_H

#include "convert/strip/proof_model.h"
#include "convert/strip/policy.h"

struct hp_proof;

/**
 * hp_proof_open() - start a proof, at the header of a dump
 * @facts: model of the classes and names; borrowed. Needed for policies about
 *         fields, strings or --keep, else NULL.
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: the caller ends it with hp_proof_close().
 */
HP_MUST_USE enum hp_status hp_proof_open(struct hp_proof **out,
					 const struct hp_policy *policy,
					 const struct hp_proof_model *facts,
					 struct hp_error *err);

/*
 * Start a decoder that proves nothing, but adds the layouts and names that it
 * reads to @facts. After the last byte, call hp_proof_model_end(). @round
 * counts from 1, see proof_model.h.
 */
HP_MUST_USE enum hp_status hp_proof_learn(struct hp_proof **out,
					  struct hp_proof_model *facts,
					  unsigned round, struct hp_error *err);

void hp_proof_close(struct hp_proof *p);

/*
 * Announce that the heap record at @offset has @body bytes, because its length
 * field wrapped at 4 GB. Call this before feeding bytes beyond the length that
 * the field gives.
 */
void hp_proof_overflow(struct hp_proof *p, uint64_t offset, uint64_t body);

/**
 * hp_proof_mark() - give the hash that kept bytes had in the input
 * @end: the mark covers the bytes from the end of the previous mark (or 0) to
 *       here
 * @hash: XXH3 (64 bits, seed 0) of the bytes that the policy keeps in that
 *        range
 *
 * Give marks in ascending order, before feeding the bytes that they cover.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_proof_mark(struct hp_proof *p, uint64_t end,
					 uint64_t hash, struct hp_error *err);

/**
 * hp_proof_feed() - check the next bytes
 *
 * Returns: HP_OK; HP_DAMAGED: a byte was not removed, a kept byte changed, or
 *          the bytes cannot be parsed. The message has the offset.
 */
HP_MUST_USE enum hp_status hp_proof_feed(struct hp_proof *p, const void *data,
					 size_t n, struct hp_error *err);

/**
 * hp_proof_end() - end the proof after the last byte
 *
 * Returns: HP_OK; HP_DAMAGED if the bytes end inside a record, or before the
 *          last mark.
 */
HP_MUST_USE enum hp_status hp_proof_end(struct hp_proof *p,
					struct hp_error *err);

/* The number of payload bytes that were checked and found replaced. */
uint64_t hp_proof_bytes(const struct hp_proof *p);

#endif
