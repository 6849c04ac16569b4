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
	/* the report in this format says which checks were left out */
	HP_VALIDATE_LIMITS = 1,
	/*
	 * the report in this format shows informational notes, even without an
	 * option
	 */
	HP_VALIDATE_INFOS = 2,
	/*
	 * the report is written file by file as soon as each file is checked,
	 * and ends with a summary
	 */
	HP_VALIDATE_EACH_FILE = 4,
	/*
	 * the report in this format contains the map of each file (file_map.h)
	 */
	HP_VALIDATE_MAP = 8,
	/* the report in this format consists of rows for databases */
	HP_VALIDATE_ROWS = 16,
};

/*
 * The names of the output formats, and for each format the suffixes of its
 * files. Both lists end with NULL.
 */
extern const char *const hp_validate_format_names[];
extern const char *const hp_validate_format_suffixes[];

/*
 * Returns the index of a format in the list of names. @name must be an argument
 * that --format accepts.
 */
size_t hp_validate_format(const char *name);

/*
 * Whether the report in this format has at least one of the properties in
 * @what, a set of HP_VALIDATE_ bits.
 */
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
	/* --min-severity; used only if min_given is set */
	enum hp_severity min_severity;
	/* --baseline: path of an earlier result; NULL: none */
	const char *baseline;
	/* the command line, quoted for a shell, for reports that show it */
	const char *command;
	struct hp_labels labels;
	/*
	 * parts of the sandbox that are not active, as HP_SANDBOX_ bits from
	 * hp_confine()
	 */
	unsigned sandbox_missing;
};

extern const struct hp_program hp_validate_program;

/*
 * Set all options to their defaults. The caller must call
 * hp_validate_command_release() at the end, which frees the labels.
 */
void hp_validate_command_init(struct hp_validate_command *c);
void hp_validate_command_release(struct hp_validate_command *c);

/*
 * Returns the lowest severity that the report shows: the one of --min-severity,
 * or the default of the output format. Formats for CI systems leave out
 * informational notes, because users would think that they must act on them.
 */
enum hp_severity hp_validate_min_severity(const struct hp_validate_command *c);

/*
 * hp_validate_list_rules() appends the output of --rules: a list of all rules,
 * one rule per line. hp_validate_explain() appends the output of --explain: the
 * explanation of one rule.
 */
void hp_validate_list_rules(struct hp_buf *b);
void hp_validate_explain(struct hp_buf *b, enum hp_rule rule);

#endif
