/*
 * options.h - the command line, read by the tables of option_table.h
 *
 * What an option of a program means is left to the program.
 */
#ifndef HP_OPTIONS_OPTIONS_H
#define HP_OPTIONS_OPTIONS_H

#include "common/options/common_options.h"
#include "common/cli/exit_status.h"

/* hp_options_parse() returns it when the program shall go on. */
#define HP_GO_ON (-1)

/**
 * hp_options_parse() - read the command line
 * @out:     for --help and --version
 * @errors:  for a usage error
 * @context: the program's options: handed to its set(); values are put there
 *
 * Options may stand behind arguments; "--" ends them. A long option may be cut
 * as long as only one fits. argv is permuted: options first.
 * Returns: HP_GO_ON; otherwise the exit code: HP_EXIT_OK after --help and
 *          --version, HP_EXIT_TROUBLE after a message on @errors.
 */
int hp_options_parse(const struct hp_program *program, int argc, char **argv,
		     struct hp_options *options, void *context, FILE *out,
		     FILE *errors);

/* A usage error that only shows later: prints it; returns HP_EXIT_TROUBLE. */
int hp_program_usage_error(const struct hp_program *program, FILE *errors,
			   const char *fmt, ...) HP_PRINTF(3, 4);

/**
 * hp_options_inputs() - are the arguments fit to be inputs?
 *
 * Returns: NULL; or what is wrong: there is none, or standard input is named
 *          twice.
 */
const char *hp_options_inputs(const struct hp_options *options);

#endif
