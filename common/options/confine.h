/*
 * confine.h - the sandbox as the options want it, and what it lacks
 */
#ifndef HP_OPTIONS_CONFINE_H
#define HP_OPTIONS_CONFINE_H

#include "common/cli/json.h"
#include "common/cli/message.h"
#include "common/options/common_options.h"

/**
 * hp_confine() - enter the sandbox, but with --sandbox=off
 * @o: the first @input_count of its arguments are read
 * @output: what is written; NULL: standard output
 *
 * Files below $TMPDIR, or /tmp, stay to be made. A layer that the system does
 * not have is told under -v.
 * Returns: the layers (HP_SANDBOX_) that were wanted and are not in force.
 */
unsigned hp_confine(const struct hp_options *o, size_t input_count,
		    const char *output, const struct hp_messages *m);

/* A member "sandbox" that says which layers are in force, if any is missing. */
void hp_confine_json(struct hp_json *j, unsigned missing);

#endif
