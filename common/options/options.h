/*
 * options.h - parse the command line according to the tables of option_table.h
 *
 * The program gives its own options their meaning.
 */
#ifndef HP_OPTIONS_OPTIONS_H
#define HP_OPTIONS_OPTIONS_H

#include "common/options/common_options.h"
#include "common/cli/exit_status.h"

/* Returned by hp_options_parse() if the program should continue. */
#define HP_GO_ON (-1)

/**
 * hp_options_parse() - parse the command line
 * @out:     receives the output of --help and --version
 * @errors:  receives the message about a usage error
 * @context: the struct with the program's options: values are stored there, and
 *           it is passed to set()
 *
 * Options may come after arguments; "--" ends the options. A long option may be
 * abbreviated as long as it is unambiguous. argv is reordered: options first.
 *
 * Returns: HP_GO_ON; otherwise the exit status: HP_EXIT_OK after --help and
 *          --version, HP_EXIT_TROUBLE after a message on @errors.
 */
int hp_options_parse(const struct hp_program *program, int argc, char **argv,
		     struct hp_options *options, void *context, FILE *out,
		     FILE *errors);

/* Print a usage error that is found after parsing. Returns HP_EXIT_TROUBLE. */
int hp_program_usage_error(const struct hp_program *program, FILE *errors,
			   const char *fmt, ...) HP_PRINTF(3, 4);

/**
 * hp_options_inputs() - check the arguments as inputs
 *
 * Returns: NULL if they are valid; otherwise a message: there are none, or
 *          standard input is given twice.
 */
const char *hp_options_inputs(const struct hp_options *options);

#endif
