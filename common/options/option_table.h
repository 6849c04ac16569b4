/*
 * option_table.h - the options of a program as a table
 *
 * An option is an entry of a const table. --help, the parser, the test of the
 * manual page, and the shell completions all read the same tables.
 */
#ifndef HP_OPTIONS_OPTION_TABLE_H
#define HP_OPTIONS_OPTION_TABLE_H

#include "common/base/buf.h"

/* How the argument of an option is composed of its choices. */
enum hp_choice_shape {
	HP_CHOICE_ONE, /* exactly one choice; the parser checks it */
	/* several choices, separated by commas; set() checks them */
	HP_CHOICE_LIST,
	/*
	 * A text that is a choice, begins with one, or is something else; set()
	 * checks it.
	 */
	HP_CHOICE_HEAD,
	/* a choice, '=', and one of the values; set() checks it */
	HP_CHOICE_PAIR,
};

/* The type of an option's value, and what is stored. */
enum hp_value_kind {
	HP_VALUE_OWN, /* the program's set() handles the option */
	/* bool: true if given or, with choices, if it is the second one */
	HP_VALUE_FLAG,
	HP_VALUE_TEXT,	 /* const char *: the argument itself */
	HP_VALUE_COUNT,	 /* uint64_t: a number from least to most */
	HP_VALUE_CHOICE, /* an enum: the index of the choice */
};

struct hp_option_value {
	enum hp_value_kind kind;
	size_t at; /* offset in the struct with the program's options */
	uint64_t least, most;
};

struct hp_option {
	const char *name; /* without dashes */
	char letter;	  /* 0: none */
	bool optional;	  /* the argument is optional */
	/*
	 * Name of the argument, such as SIZE. NULL: the option takes none, or
	 * the choices are shown instead.
	 */
	const char *argument;
	/* the argument for set(); the program's own ids, from 0 */
	int id;
	const char *help; /* for --help=all: one sentence of any length */
	/*
	 * The possible arguments, for checking, --help and completions. The
	 * list ends with NULL. NULL instead of a list allows any argument.
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
	/* replaces the argument in --help, if it is shorter */
	const char *brief_argument;
};

/*
 * Headings of the common options. The program's own options may use them as
 * well.
 */
#define HP_GROUP_INPUT "Which dumps"
#define HP_GROUP_OUTPUT "Output"
#define HP_GROUP_LIMITS "Limits"
#define HP_GROUP_MESSAGES "Messages and help"

/* The id of an option for which set() is not called. */
#define HP_OPTION_VALUE (-1)

/*
 * An alias: a name from another program under which people look for an option.
 */
struct hp_option_alias {
	const char *name;  /* what people write, without dashes */
	const char *means; /* the name of our option */
};

/* An example command for --help, and what it does. */
struct hp_usage_example {
	const char *command, *what;
};

struct hp_program {
	const char *name;    /* "hprof-validate" */
	const char *usage;   /* "[OPTION]... FILE..." */
	const char *summary; /* one paragraph */
	/* Ends with NULL; the first is the default. NULL: no --format. */
	const char *const *formats;
	/*
	 * For each format, the suffixes of its files, see
	 * hp_format_by_suffix(). NULL if @formats is NULL.
	 */
	const char *const *suffixes;
	const struct hp_option *options;
	size_t option_count;
	/* ends with a zeroed entry; may be NULL */
	const struct hp_option_alias *aliases;
	/* The headings in the order of --help=all. Ends with NULL. */
	const char *const *groups;
	/* ends with a zeroed entry; may be NULL */
	const struct hp_usage_example *examples;
	/* Paragraphs, one per line, such as the exit status; may be NULL. */
	const char *epilog;
	/**
	 * Handle an option of the program with HP_VALUE_OWN.
	 * @argument: NULL if there is none; it stays valid as long as argv, and
	 *            for HP_CHOICE_ONE it is one of the choices
	 *
	 * Returns: HP_OK; anything else is a usage error, whose text is in
	 *          @err.
	 */
	enum hp_status (*set)(void *context, int id, const char *argument,
			      struct hp_error *err);
};

#endif
