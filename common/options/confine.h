/*
 * confine.h - enter the sandbox according to the options
 */
#ifndef HP_OPTIONS_CONFINE_H
#define HP_OPTIONS_CONFINE_H

#include "common/cli/json.h"
#include "common/cli/message.h"
#include "common/options/common_options.h"

/**
 * hp_confine() - enter the sandbox, unless --sandbox=off was given
 * @o: the first @input_count of its arguments are the inputs
 * @output: the output file; NULL: standard output
 *
 * Temporary files below $TMPDIR, or /tmp, can still be created. With -v a
 * message tells which layers the system does not have.
 *
 * Returns: the HP_SANDBOX_ layers that are missing.
 */
unsigned hp_confine(const struct hp_options *o, size_t input_count,
		    const char *output, const struct hp_messages *m);

/*
 * Write a member "sandbox" that shows which layers are active. Writes nothing
 * if none is missing.
 */
void hp_confine_json(struct hp_json *j, unsigned missing);

#endif
