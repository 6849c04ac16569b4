/*
 * conflicts.h - check that options can be combined
 *
 * The rules are data in features.def, row_keys.def and formats.def.
 */
#ifndef HP_DIFF_CONFLICTS_H
#define HP_DIFF_CONFLICTS_H

#include "diff/options.h"

/**
 * hp_diff_conflict() - check that all given options can be combined
 * @retained: retained sizes are computed; a gate can request them also
 *
 * Returns: HP_OK; HP_DAMAGED with a text that names the two conflicting
 *          options.
 */
HP_MUST_USE enum hp_status hp_diff_conflict(const struct hp_diff_options *o,
					    bool retained,
					    struct hp_error *err);

#endif
