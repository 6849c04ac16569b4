/*
 * options.h - the command line: what all three programs understand, and how
 * each adds its own
 *
 * An option is an entry of a const table. --help, the parser, the manual
 * page's test and the completions all read the same tables. What an option of
 * a program means is left to the program.
 */
#ifndef HP_CLI_OPTIONS_H
#define HP_CLI_OPTIONS_H

#include "common/cli/terminal.h"

#define HP_EXIT_OK 0
#define HP_EXIT_FOUND 1	  /* an error, a difference, a gate */
#define HP_EXIT_TROUBLE 2 /* usage, or something could not be read */

/* hp_options_parse() returns it when the program shall go on. */
#define HP_GO_ON (-1)

struct hp_option {
	const char *name;     /* without the dashes */
	char letter;	      /* 0: none */
	bool optional;	      /* the argument may be left out */
	const char *argument; /* its name, as in SIZE; NULL: takes none */
	int id;		      /* the program's own; from 0 */
	const char *help;     /* one sentence or phrase, any length */
};

struct hp_program {
	const char *name;	    /* "hprof-validate" */
	const char *usage;	    /* "[OPTION]... FILE..." */
	const char *summary;	    /* a paragraph */
	const char *const *formats; /* ends with NULL, the first is the default;
				       NULL: there is no --format */
	const struct hp_option *options;
	size_t option_count;
	const char *epilog; /* paragraphs, one a line: exit codes; or NULL */
	/**
	 * An option of the program's own. @argument is NULL if there is none
	 * and lives as long as argv.
	 * Returns: HP_OK; anything else is a usage error with a text in @err.
	 */
	enum hp_status (*set)(void *context, int id, const char *argument,
			      struct hp_error *err);
};

/* What the common options say. Strings are borrowed from argv. */
struct hp_options {
	const char *format; /* one of the program's; NULL if it has none */
	bool format_given;  /* not by default */
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
	char **arguments; /* what is no option: borrowed from argv */
	size_t argument_count;
};

/**
 * hp_options_parse() - read the command line
 * @out:     for --help and --version
 * @errors:  for a usage error
 * @context: handed to the program's set()
 *
 * Options may stand behind arguments; "--" ends them. A long option may be cut
 * as long as only one fits. argv is permuted: options first.
 * Returns: HP_GO_ON; otherwise the exit code: HP_EXIT_OK after --help and
 *          --version, HP_EXIT_TROUBLE after a message on @errors.
 */
int hp_options_parse(const struct hp_program *program, int argc, char **argv,
		     struct hp_options *options, void *context, FILE *out,
		     FILE *errors);

/**
 * hp_program_option() - the options of a program, its own first
 * @i: from 0
 *
 * Returns: NULL behind the last. Common ones have ids from HP_OPTION_COMMON.
 */
const struct hp_option *hp_program_option(const struct hp_program *program,
					  size_t i);
#define HP_OPTION_COMMON 10000

/* The text of --help, wrapped at 80 columns. */
void hp_program_help(const struct hp_program *program, struct hp_buf *b);

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

/* Exit status never improves: the worse of two. */
static inline int
hp_exit_worse(int a, int b)
{
	return a > b ? a : b;
}

#endif
