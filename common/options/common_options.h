/*
 * common_options.h - the options that all programs have, in front of which
 * stand a program's own
 */
#ifndef HP_OPTIONS_COMMON_OPTIONS_H
#define HP_OPTIONS_COMMON_OPTIONS_H

#include "common/options/option_table.h"
#include "common/cli/terminal.h"

/* What the common options say. Strings are borrowed from argv. */
struct hp_options {
	const char *format; /* one of the program's; NULL if it has none */
	bool format_given;  /* by --format */
	const char *output; /* -o; NULL: standard output */
	unsigned threads;   /* 1 to HP_THREADS_MAX */
	uint64_t memory;    /* bytes: the budget */
	bool memory_given;  /* not by default */
	enum hp_when progress;
	enum hp_when color;
	bool quiet, verbose; /* never both */
	uint64_t dump;	     /* from 1; 0: not given */
	uint64_t max_size;   /* bytes; 0: no limit */
	bool sandbox;	     /* confine the process where possible */
	bool force, sync;
	bool output_is_folder; /* set by the program */
	bool output_is_read;   /* back, after it was written; set likewise */
	char **arguments;      /* what is no option: borrowed from argv */
	size_t argument_count;
};

/**
 * hp_program_option() - the options of a program, its own first
 * @i: from 0
 *
 * Returns: NULL behind the last. Common ones have ids from HP_OPTION_COMMON.
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
	HP_COMMON_VALUE, /* no more than a value, put where the table says */
};

/* In the order of enum hp_when. */
extern const char *const hp_whens[];

#endif
