/*
 * baseline.h - leave out findings that an earlier result already contains
 * (--baseline)
 *
 * The baseline is the earlier result. Objects move between dumps, so findings
 * cannot be matched one by one. Instead they are counted for each rule and
 * severity. If the baseline contains n findings for the file with the same
 * path, n of the new findings count as known, and are left out. If the baseline
 * does not contain the path, n is the largest number of findings that any file
 * in the baseline has. If the user sets the severity of a rule, the severity in
 * the baseline is ignored.
 */
#ifndef HP_VALIDATE_BASELINE_H
#define HP_VALIDATE_BASELINE_H

#include "validate/validate.h"

struct hp_validate_baseline;

/**
 * hp_validate_baseline_open() - read an earlier JSON result
 *
 * Returns: HP_OK; HP_IO; HP_DAMAGED if it is not a JSON result of
 *          hprof-validate; HP_UNSUPPORTED if it has another schema version;
 *          HP_LIMIT if it needs too much memory; HP_NOMEM.
 * Ownership: the caller calls hp_validate_baseline_close(), which allows NULL.
 */
HP_MUST_USE enum hp_status
hp_validate_baseline_open(struct hp_validate_baseline **out, const char *path,
			  struct hp_error *err);
void hp_validate_baseline_close(struct hp_validate_baseline *b);

/*
 * Remove the findings that the baseline contains from @v, and recompute the
 * totals and the verdict of @v.
 */
void hp_validate_baseline_apply(const struct hp_validate_baseline *b,
				const struct hp_validate_options *o,
				struct hp_validation *v);

#endif
