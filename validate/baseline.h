/*
 * baseline.h - findings of an earlier result are left out
 *
 * Objects move from dump to dump, so findings are not told one by one: of
 * every rule and severity as many are known as the earlier result counts for
 * the file of the same path or, if there is none, for the file that has most.
 * A rule whose severity is given has but one, whatever the result said of it.
 */
#ifndef HP_VALIDATE_BASELINE_H
#define HP_VALIDATE_BASELINE_H

#include "validate/validate.h"

struct hp_validate_baseline;

/**
 * hp_validate_baseline_open() - read an earlier JSON result
 * @memory: bytes that reading it may take, of --memory
 *
 * Returns: HP_OK; HP_IO; HP_DAMAGED: it is not a JSON result of hprof-validate;
 *          HP_UNSUPPORTED: of another schema; HP_LIMIT: it needs more than
 *          @memory; HP_NOMEM.
 * Ownership: hp_validate_baseline_close(), which allows NULL.
 */
HP_MUST_USE enum hp_status
hp_validate_baseline_open(struct hp_validate_baseline **out, const char *path,
			  uint64_t memory, struct hp_error *err);
void hp_validate_baseline_close(struct hp_validate_baseline *b);

/* Bytes that it holds until it is closed. */
uint64_t hp_validate_baseline_bytes(const struct hp_validate_baseline *b);

/* Take what is known out of @v, its totals and its verdict. */
void hp_validate_baseline_apply(const struct hp_validate_baseline *b,
				const struct hp_validate_options *o,
				struct hp_validation *v);

#endif
