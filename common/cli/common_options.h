/*
 * common_options.h - for options.c: the options that all programs have
 */
#ifndef HP_CLI_COMMON_OPTIONS_H
#define HP_CLI_COMMON_OPTIONS_H

#include "common/cli/options.h"

enum hp_common_id {
	HP_COMMON_FORMAT = HP_OPTION_COMMON,
	HP_COMMON_OUTPUT,
	HP_COMMON_THREADS,
	HP_COMMON_MEMORY,
	HP_COMMON_MAX_SIZE,
	HP_COMMON_SANDBOX,
	HP_COMMON_QUIET,
	HP_COMMON_VERBOSE,
	HP_COMMON_HELP,
	HP_COMMON_VERSION,
	HP_COMMON_LIST,
	HP_COMMON_VALUE, /* no more than a value, put where the table says */
};

/* In the order of enum hp_when. */
extern const char *const hp_whens[];

#endif
