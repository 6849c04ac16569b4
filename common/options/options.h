/*
 * options.h - command lines: tables of options, their parser, help
 */
#ifndef HP_OPTIONS_OPTIONS_H
#define HP_OPTIONS_OPTIONS_H

#include "common/base/buf.h"
#include "common/base/status.h"
#include "common/cli/json.h"
#include "common/cli/message.h"

#include <stddef.h>

/* ----------------------------------------------------------------------
 * The options of a program as a table
 *
 * Each option is an entry of a const table. The parser, --help, the shell
 * completions, and the test of the manual page all read this table.
 */

/*
 * Which texts an option accepts as its argument. "The choices" are the words in
 * the member `choices` of the option.
 */
enum hp_choice_shape {
	HP_CHOICE_ONE, /* exactly one of the choices; the parser checks it */
	/*
	 * several of the choices, separated by commas; the function set()
	 * checks them
	 */
	HP_CHOICE_LIST,
	/*
	 * Any text, which often is one of the choices or begins with one. The
	 * function set() checks it.
	 */
	HP_CHOICE_HEAD,
	/*
	 * CHOICE=VALUE, with one of the choices and one of the values. The
	 * function set() checks it.
	 */
	HP_CHOICE_PAIR,
};

/* The type of the value that the parser stores for an option. */
enum hp_value_kind {
	/*
	 * The parser stores no value. The function set() of the program handles
	 * the argument.
	 */
	HP_VALUE_OWN,
	/*
	 * bool: true if the option is given. For an option with two choices,
	 * such as off and on: true if the argument is the second choice.
	 */
	HP_VALUE_FLAG,
	HP_VALUE_TEXT,	/* const char *: the argument itself */
	HP_VALUE_COUNT, /* uint64_t: a number from `least` to `most` */
	/* an enum: the index of the argument in the list of choices */
	HP_VALUE_CHOICE,
};

struct hp_option_value {
	enum hp_value_kind kind;
	/*
	 * offset, in the struct with the program's options, of the member in
	 * which the value is stored
	 */
	size_t at;
	uint64_t least, most;
};

struct hp_option {
	/* the long name of the option, without the two dashes */
	const char *name;
	/*
	 * the letter of the option's short form, such as 'q'; 0: there is none
	 */
	char letter;
	bool optional; /* the user may give the option without its argument */
	/*
	 * Name of the argument, such as SIZE. NULL: the option takes no
	 * argument, or --help shows the choices instead of a name.
	 */
	const char *argument;
	/*
	 * The number of the option, which the function set() receives as @id.
	 * Each program numbers its options from 0.
	 */
	int id;
	/* description for --help=all: one sentence of any length */
	const char *help;
	/*
	 * The possible arguments, for checking, --help and completions. The
	 * list ends with NULL. If this pointer is NULL, any argument is
	 * allowed.
	 */
	const char *const *choices;
	enum hp_choice_shape shape;
	/* for HP_CHOICE_PAIR: the possible values after the '=' */
	const char *const *values;
	struct hp_option_value value;
	/* the heading of --help=all under which the option is listed */
	const char *group;
	/*
	 * The description for --help, at most 50 columns, because --help must
	 * fit on one screen. NULL: only --help=all lists the option.
	 */
	const char *brief;
	/*
	 * A shorter name of the argument for --help. NULL: there is no shorter
	 * name.
	 */
	const char *brief_argument;
};

/*
 * Headings of the common options in --help=all. A program's own options may use
 * the same headings.
 */
#define HP_GROUP_INPUT "Which dumps"
#define HP_GROUP_OUTPUT "Output"
#define HP_GROUP_LIMITS "Limits"
#define HP_GROUP_MESSAGES "Messages and help"

/*
 * The member `id` of an option whose value the parser stores. For such an
 * option, set() is not called.
 */
#define HP_OPTION_VALUE (-1)

/*
 * An alias: the name that an option has in another program. The error message
 * about an unknown option suggests the option of this program.
 */
struct hp_option_alias {
	/* the name of the option in the other program, without dashes */
	const char *name;
	/*
	 * the name of the option of this program that does the same, without
	 * dashes
	 */
	const char *means;
};

/* An example command for --help, and what it does. */
struct hp_usage_example {
	const char *command, *what;
};

struct hp_program {
	/* the name of the program, such as "hprof-validate" */
	const char *name;
	/*
	 * the arguments in the first line of --help, such as "[OPTION]...
	 * FILE..."
	 */
	const char *usage;
	/* one paragraph that describes the program, for --help */
	const char *summary;
	/*
	 * The formats of --format; ends with NULL; the first is the default.
	 * NULL: the program has no --format.
	 */
	const char *const *formats;
	/*
	 * For each format: the suffixes of its files, such as ".html .htm".
	 * NULL if `formats` is NULL.
	 */
	const char *const *suffixes;
	const struct hp_option *options;
	size_t option_count;
	/*
	 * Names that options have in other programs. The list ends with a
	 * zeroed entry. May be NULL.
	 */
	const struct hp_option_alias *aliases;
	/*
	 * The headings of groups of options, in their order in --help=all. Ends
	 * with NULL.
	 */
	const char *const *groups;
	/* example commands for --help; ends with a zeroed entry; may be NULL */
	const struct hp_usage_example *examples;
	/*
	 * Text at the end of --help=all, one paragraph per line, for example
	 * about the exit status; may be NULL.
	 */
	const char *epilog;
	/**
	 * Handle an option of the program whose value is HP_VALUE_OWN.
	 * @argument: NULL if there is none; it stays valid as long as argv, and
	 *            for HP_CHOICE_ONE it is one of the choices
	 *
	 * Returns: HP_OK; any other status is a usage error, whose text is in
	 *          @err.
	 */
	enum hp_status (*set)(void *context, int id, const char *argument,
			      struct hp_error *err);
};

/* ----------------------------------------------------------------------
 * The possible arguments of options
 */

/* Whether an option takes an argument, even if it is optional. */
bool hp_option_takes_argument(const struct hp_option *o);

/*
 * Returns the words that an option accepts as its argument; the list ends with
 * NULL. For --format these are the program's formats. Returns NULL if the
 * option accepts any text.
 */
const char *const *hp_option_choices(const struct hp_program *program,
				     const struct hp_option *o);

/*
 * Append the argument of an option in the form in which --help shows it: "SIZE"
 * or "on|off". Appends nothing if the option takes no argument.
 */
void hp_option_argument(const struct hp_program *program,
			const struct hp_option *o, struct hp_buf *b);

/*
 * Returns the index of @text in a list that ends with NULL; -1 if the list does
 * not contain @text.
 */
int hp_choice_find(const char *const *choices, const char *text, size_t len);

/**
 * hp_choice_unknown() - fail because @text is not one of @choices
 *
 * The text of the failure lists the choices, and suggests a similar one if
 * there is one.
 *
 * Returns: HP_DAMAGED.
 */
enum hp_status hp_choice_unknown(const char *const *choices, const char *text,
				 size_t len, struct hp_error *err);

/**
 * hp_program_list_options() - append the table of options for shell completions
 *
 * There is one line per option. Its fields are separated by tabs: --name;
 * -letter or nothing; the shape of the argument; the choices and the values of
 * a pair, both separated by spaces; the help text. Shapes are none, text, file,
 * one, list, head and pair, followed by '?' if the argument is optional.
 */
void hp_program_list_options(const struct hp_program *program,
			     struct hp_buf *b);

/* ----------------------------------------------------------------------
 * The options that all programs have in common
 *
 * Every list of options has the program's own options first, and then these.
 */

/* The values of the common options. Strings are borrowed from argv. */
struct hp_options {
	/* the chosen format; NULL if the program has no --format */
	const char *format;
	bool format_given; /* the user gave --format */
	/* the argument of -o, a path; NULL: the output is standard output */
	const char *output;
	unsigned threads;  /* number of threads: 1 to HP_THREADS_MAX */
	uint64_t memory;   /* value of --memory, or its default, in bytes */
	bool memory_given; /* the user gave --memory */
	enum hp_when progress;
	enum hp_when color;
	/*
	 * `quiet`: -q was given. `verbose`: -v was given. At most one of them
	 * is true.
	 */
	bool quiet, verbose;
	/*
	 * number of the dump in the file, from 1; 0: the user did not give it
	 */
	uint64_t dump;
	/* maximum size in bytes of an input after decompression; 0: no limit */
	uint64_t max_size;
	/*
	 * --sandbox: enter the sandbox (cli/sandbox.h), as far as the system
	 * supports it
	 */
	bool sandbox;
	bool force, sync;
	/*
	 * the output is a new folder; set by the program, for struct
	 * hp_sandbox_rules
	 */
	bool output_is_folder;
	/*
	 * the program reads its output again; set by the program, for struct
	 * hp_sandbox_rules
	 */
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
	/*
	 * the common id of all options for which the parser only stores the
	 * value
	 */
	HP_COMMON_VALUE,
};

/*
 * The texts of the values of enum hp_when, in the same order: "auto", "always",
 * "never"; ends with NULL.
 */
extern const char *const hp_whens[];

/*
 * ----------------------------------------------------------------------
 * Choose the output format by the suffix of the output file, such as ".html"
 */

/**
 * hp_format_by_suffix() - the format for the suffix of an output file
 * @suffixes: for each format a text such as ".html .htm", or ""; ends with NULL
 * @path:     the path of the output file. Only the first @len bytes are used,
 *            so that the caller can leave out ".gz". Case is ignored
 * @given:    index of the format that the user chose with --format; -1: none
 *
 * Several formats may have the same suffix. If the user chose no format, the
 * first one with the suffix is used.
 * Returns: the index of the format: @given if this format has the suffix or no
 *          format has it; otherwise the first format with the suffix. -1: no
 *          format has the suffix, and the user chose none.
 */
int hp_format_by_suffix(const char *const *suffixes, const char *path,
			size_t len, int given);

/* ----------------------------------------------------------------------
 * "did you mean": find the word that is most similar to a typo
 */

/* The maximum length in bytes of a word that is suggested. */
#define HP_SUGGEST_MAX 48

/**
 * hp_edit_distance() - the edit distance between two words
 *
 * An insertion, a deletion, a replacement and a swap of two neighbours each
 * count as one (optimal string alignment). The lengths are in bytes.
 *
 * Returns: the distance; SIZE_MAX if a word is longer than HP_SUGGEST_MAX.
 */
size_t hp_edit_distance(const char *a, size_t a_len, const char *b,
			size_t b_len);

/**
 * hp_suggest() - find the word that is most similar to @text
 * @words: ends with NULL
 *
 * A word is similar if its edit distance is at most a third of the length of
 * @text, but distances of 1 are always allowed. Among equally similar words,
 * the first one is chosen.
 *
 * Returns: one of @words; NULL if none is similar.
 */
const char *hp_suggest(const char *text, size_t len, const char *const *words);

/* ----------------------------------------------------------------------
 * The text of --help, from the option tables
 */

/**
 * hp_program_help() - append the text of --help or --help=all
 * @all: true: list every option, in groups; false: only options with a brief
 *       description
 *
 * Lines have at most 79 columns. Without @all, the help fits on a screen of 40
 * lines, which tests/cli/help.sh checks.
 */
void hp_program_help(const struct hp_program *program, bool all,
		     struct hp_buf *b);

/**
 * hp_text_wrap() - append a text in lines of at most @width columns
 * @at:     columns that the current line already has
 * @indent: columns to indent the following lines
 *
 * A line feed in @text begins a new line. A line feed also ends the last line.
 */
void hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
		  size_t indent);

/* ----------------------------------------------------------------------
 * Parse the command line according to the tables of options.h
 *
 * The parser stores most values itself. For other options of the program it
 * calls set().
 */

/*
 * The result of hp_options_parse() if the program should continue. Any other
 * result is the exit status with which the program should end.
 */
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
 * hp_options_inputs() - check that the arguments of the command line are valid
 *                       as a list of inputs
 *
 * Returns: NULL if they are valid; otherwise a message: there are no arguments,
 *          or standard input ("-") is given twice.
 */
const char *hp_options_inputs(const struct hp_options *options);

/* ----------------------------------------------------------------------
 * The command line of the program, as text for a report
 */

/*
 * Append the command line such that a user can paste it into a shell: words
 * with special characters are in single quotes. The program is shown without
 * its folder. Control characters are not escaped.
 */
void hp_command_line_text(struct hp_buf *b, int argc, char *const *argv);

/* ----------------------------------------------------------------------
 * Enter the sandbox according to the options
 */

/**
 * hp_confine() - enter the sandbox, unless --sandbox=off was given
 * @o: the options; the first @input_count words of o->arguments are the inputs
 * @output: the output file; NULL: standard output
 *
 * Temporary files below $TMPDIR, or /tmp, can still be created. The sandbox has
 * two parts: rules that say which files can be opened, and a filter of system
 * calls. With -v, a message lists the parts that the system does not support.
 *
 * Returns: HP_SANDBOX_ bits of the parts that are not active.
 */
unsigned hp_confine(const struct hp_options *o, size_t input_count,
		    const char *output, const struct hp_messages *m);

/*
 * Write a JSON member "sandbox" that shows which parts of the sandbox are
 * active. @missing: HP_SANDBOX_ bits of the parts that are not active. If it is
 * 0, writes nothing.
 */
void hp_confine_json(struct hp_json *j, unsigned missing);

#endif
