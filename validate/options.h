/*
 * options.h - the options and output formats of hprof-validate
 */
#ifndef HP_VALIDATE_OPTIONS_H
#define HP_VALIDATE_OPTIONS_H

#include "common/cli/flat_rows.h"
#include "common/options/options.h"
#include "validate/validate.h"

#include <stdbool.h>
#include <stddef.h>

/* ----------------------------------------------------------------------
 * The output formats of hprof-validate, from formats.def
 */

enum {
	/* the format shows which checks were left out */
	HP_VALIDATE_LIMITS = 1,
	/* the format shows informational notes without an option */
	HP_VALIDATE_INFOS = 2,
	/* the format is written file by file, then a summary */
	HP_VALIDATE_EACH_FILE = 4,
	HP_VALIDATE_MAP = 8, /* the format shows the map of each file */
	/* the format consists of rows for databases */
	HP_VALIDATE_ROWS = 16,
};

/*
 * The names of the formats, and the suffixes of their files. Both end with
 * NULL.
 */
extern const char *const hp_validate_format_names[];
extern const char *const hp_validate_format_suffixes[];

/* The index of a format. @name must be an argument that --format accepts. */
size_t hp_validate_format(const char *name);

/* Whether a format contains any of the HP_VALIDATE_ bits in @what. */
bool hp_validate_format_holds(const char *name, unsigned what);

/* ----------------------------------------------------------------------
 * The command line of hprof-validate
 */

struct hp_validate_command {
	struct hp_options common;
	struct hp_validate_options run;
	bool strict, list_rules, explains;
	enum hp_rule explain;
	bool min_given;
	enum hp_severity min_severity; /* used only if min_given is set */
	/* path of an earlier result (--baseline); NULL: none */
	const char *baseline;
	/* the command line, quoted for a shell, which reports show */
	const char *command;
	struct hp_labels labels;
	/* HP_SANDBOX_ layers that are missing, from hp_confine() */
	unsigned sandbox_missing;
};

extern const struct hp_program hp_validate_program;

/* Set the defaults. hp_validate_command_release() frees the labels. */
void hp_validate_command_init(struct hp_validate_command *c);
void hp_validate_command_release(struct hp_validate_command *c);

/*
 * The lowest severity that the report shows: that of --min-severity, or the
 * default of the format. Formats for CI systems leave out informational notes,
 * because users would think that they must act on them.
 */
enum hp_severity hp_validate_min_severity(const struct hp_validate_command *c);

/*
 * Append the list of all rules, one per line; or the explanation of one rule.
 */
void hp_validate_list_rules(struct hp_buf *b);
void hp_validate_explain(struct hp_buf *b, enum hp_rule rule);

#endif
