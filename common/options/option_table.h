/*
 * option_table.h - the options of a program as a table
 *
 * An option is an entry of a const table. --help, the parser, the manual
 * page's test and the completions all read the same tables.
 */
#ifndef HP_OPTIONS_OPTION_TABLE_H
#define HP_OPTIONS_OPTION_TABLE_H

#include "common/base/buf.h"

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
	const char *help;     /* for --help=all: one sentence, any length */
	/* What the argument may be: for the check, --help and completions.
	 * Ends with NULL; NULL: anything. */
	const char *const *choices;
	enum hp_choice_shape shape;
	const char *const *values; /* of HP_CHOICE_PAIR: after the '=' */
	struct hp_option_value value;
	const char *group; /* heading of --help=all that lists the option */
	/* For --help, which fits on one screen: at most 50 columns. NULL: only
	 * --help=all lists the option. */
	const char *brief;
	const char *brief_argument; /* if shorter than the full argument */
};

/* Headings of common options; the programs' own options may join them. */
#define HP_GROUP_INPUT "Which dumps"
#define HP_GROUP_OUTPUT "Output"
#define HP_GROUP_LIMITS "Limits"
#define HP_GROUP_MESSAGES "Messages and help"

/* The id of an option that set() is not called for. */
#define HP_OPTION_VALUE (-1)

/* An option that people look for under another program's or tool's name. */
struct hp_option_alias {
	const char *name;  /* what they write, without the dashes */
	const char *means; /* the option that does it */
};

/* A command line for --help, and what it does. */
struct hp_usage_example {
	const char *command, *what;
};

struct hp_program {
	const char *name;	    /* "hprof-validate" */
	const char *usage;	    /* "[OPTION]... FILE..." */
	const char *summary;	    /* a paragraph */
	const char *const *formats; /* ends with NULL, the first is the default;
				       NULL: there is no --format */
	/* For each format the suffixes of files that suit it, see
	   hp_format_by_suffix(); NULL if @formats is */
	const char *const *suffixes;
	const struct hp_option *options;
	size_t option_count;
	const struct hp_option_alias *aliases; /* end with a zeroed one; or
						  NULL */
	/* Headings in the order of --help=all; ends with NULL. */
	const char *const *groups;
	const struct hp_usage_example *examples; /* ends with a zeroed one; or NULL */
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

#endif
