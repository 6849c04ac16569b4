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

/* How an option's choices make its argument. */
enum hp_choice_shape {
	HP_CHOICE_ONE,	/* it is one of them; the parser sees to it */
	HP_CHOICE_LIST, /* several with commas between; checked by set() */
	HP_CHOICE_HEAD, /* it is or begins with one of them, or is something
			   else; checked by set() */
	HP_CHOICE_PAIR, /* one of them, '=', one of the values; likewise */
};

/* Of what type the value of an option is, and what of it is taken over. */
enum hp_value_kind {
	HP_VALUE_OWN,	 /* the program's set() knows */
	HP_VALUE_FLAG,	 /* bool: it is given or, with choices, the second is */
	HP_VALUE_TEXT,	 /* const char *: the argument */
	HP_VALUE_COUNT,	 /* uint64_t, from least to most */
	HP_VALUE_CHOICE, /* an enum in the order of the choices */
};

struct hp_option_value {
	enum hp_value_kind kind;
	size_t at; /* its offset in the program's options */
	uint64_t least, most;
};

struct hp_option {
	const char *name;     /* without the dashes */
	char letter;	      /* 0: none */
	bool optional;	      /* the argument may be left out */
	const char *argument; /* its name, as in SIZE; NULL: takes none, or
				 the choices say it all */
	int id;		      /* for set(): the program's own, from 0 */
	const char *help;     /* one sentence or phrase, any length */
	/* What the argument may be: for the check, --help and completions.
	 * Ends with NULL; NULL: anything. */
	const char *const *choices;
	enum hp_choice_shape shape;
	const char *const *values; /* of HP_CHOICE_PAIR: behind the '=' */
	struct hp_option_value value;
};

/* The id of an option that set() is not called for. */
#define HP_OPTION_VALUE (-1)

/* An option that people look for under another program's or tool's name. */
struct hp_option_alias {
	const char *name;  /* what they write, without the dashes */
	const char *means; /* the option that does it */
};

struct hp_program {
	const char *name;	    /* "hprof-validate" */
	const char *usage;	    /* "[OPTION]... FILE..." */
	const char *summary;	    /* a paragraph */
	const char *const *formats; /* ends with NULL, the first is the default;
				       NULL: there is no --format */
	const struct hp_option *options;
	size_t option_count;
	const struct hp_option_alias *aliases; /* end with a zeroed one; or
						  NULL */
	const char *epilog; /* paragraphs, one a line: exit codes; or NULL */
	/**
	 * An option of the program's own, of HP_VALUE_OWN. @argument is NULL if
	 * there is none and lives as long as argv; of HP_CHOICE_ONE it is one
	 * of the choices. Returns: HP_OK; anything else is a usage error with a
	 * text in @err.
	 */
	enum hp_status (*set)(void *context, int id, const char *argument,
			      struct hp_error *err);
};

/* What the common options say. Strings are borrowed from argv. */
struct hp_options {
	const char *format; /* one of the program's; NULL if it has none */
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
	char **arguments;      /* what is no option: borrowed from argv */
	size_t argument_count;
};

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

/**
 * hp_program_option() - the options of a program, its own first
 * @i: from 0
 *
 * Returns: NULL behind the last. Common ones have ids from HP_OPTION_COMMON.
 */
const struct hp_option *hp_program_option(const struct hp_program *program,
					  size_t i);
#define HP_OPTION_COMMON 10000

/* Has it an argument, which may be optional? */
bool hp_option_takes_argument(const struct hp_option *o);

/* What an option's argument may be; of --format that is the program's. */
const char *const *hp_option_choices(const struct hp_program *program,
				     const struct hp_option *o);

/* Appends the argument's name: "SIZE", "on|off"; nothing if it takes none. */
void hp_option_argument(const struct hp_program *program,
			const struct hp_option *o, struct hp_buf *b);

/* The place of @text in a list that ends with NULL; -1: it is not there. */
int hp_choice_find(const char *const *choices, const char *text, size_t len);

/**
 * hp_choice_unknown() - a usage error: @text is none of @choices
 *
 * Names them, and the nearest one if one is near.
 * Returns: HP_DAMAGED.
 */
enum hp_status hp_choice_unknown(const char *const *choices, const char *text,
				 size_t len, struct hp_error *err);

/**
 * hp_program_list_options() - the option table for completions
 *
 * A line for each option, with tabs between: --name, -letter or nothing, the
 * shape of its argument, the choices with spaces between, likewise the values
 * of a pair, the help. Shapes: none, text, file, one, list, head, pair; with a
 * '?' behind if the argument may be left out.
 */
void hp_program_list_options(const struct hp_program *program,
			     struct hp_buf *b);

/* The text of --help, wrapped at 80 columns. */
void hp_program_help(const struct hp_program *program, struct hp_buf *b);

/**
 * hp_text_wrap() - append a text in lines of at most @width columns, and end it
 * @at:     where the line that is begun stands
 * @indent: where further ones begin
 *
 * A line feed in @text begins a new line.
 */
void hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
		  size_t indent);

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
