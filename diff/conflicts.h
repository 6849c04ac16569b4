/*
 * conflicts.h - options that do not go together
 *
 * The pairs are data: features.def, row_keys.def and formats.def.
 */
#ifndef HP_DIFF_CONFLICTS_H
#define HP_DIFF_CONFLICTS_H

#include "diff/options.h"

/**
 * hp_diff_conflict() - do all options that were given go together?
 * @retained: there are retained sizes, which gates may ask for as well
 *
 * Returns: HP_OK; HP_DAMAGED with a text that names the two that do not.
 */
HP_MUST_USE enum hp_status hp_diff_conflict(const struct hp_diff_options *o,
					    bool retained,
					    struct hp_error *err);

#endif
