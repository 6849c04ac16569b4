/*
 * common_options.h - the options that all programs have in common
 *
 * They follow the program's own options in every list.
 */
#ifndef HP_OPTIONS_COMMON_OPTIONS_H
#define HP_OPTIONS_COMMON_OPTIONS_H

#include "common/options/option_table.h"
#include "common/cli/terminal.h"

/* The values of the common options. Strings are borrowed from argv. */
struct hp_options {
	/* one of the program's formats; NULL if it has none */
	const char *format;
	bool format_given;  /* the user gave --format */
	const char *output; /* argument of -o; NULL: standard output */
	unsigned threads;   /* 1 to HP_THREADS_MAX */
	uint64_t memory;    /* limit of memory, in bytes */
	bool memory_given;  /* the user gave --memory */
	enum hp_when progress;
	enum hp_when color;
	bool quiet, verbose; /* at most one of them is set */
	uint64_t dump;	     /* number of the dump, from 1; 0: not given */
	/* maximum size of an unpacked input in bytes; 0: no limit */
	uint64_t max_size;
	/* restrict the process where the system allows it */
	bool sandbox;
	bool force, sync;
	/* set by the program; see struct hp_sandbox_rules */
	bool output_is_folder;
	/* set by the program; see struct hp_sandbox_rules */
	bool output_is_read;
	/* the words that are not options; borrowed from argv */
	char **arguments;
	size_t argument_count;
};

/**
 * hp_program_option() - get option number @i, from 0, of a program
 *
 * The program's own options come first, then the common ones.
 *
 * Returns: NULL after the last one. The ids of common options begin with
 *          HP_OPTION_COMMON.
 */
const struct hp_option *hp_program_option(const struct hp_program *program,
					  size_t i);
#define HP_OPTION_COMMON 10000

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
	HP_COMMON_VALUE, /* all options that only store a value */
};

/* The arguments for enum hp_when, in its order; ends with NULL. */
extern const char *const hp_whens[];

#endif
