/*
 * options.h - the command line of hprof-validate
 */
#ifndef HP_VALIDATE_OPTIONS_H
#define HP_VALIDATE_OPTIONS_H

#include "common/cli/flat_rows.h"
#include "common/options/options.h"
#include "validate/validate.h"

struct hp_validate_command {
	struct hp_options common;
	struct hp_validate_options run;
	bool strict, list_rules, explains;
	enum hp_rule explain;
	bool min_given;
	enum hp_severity min_severity; /* if given */
	const char *baseline;	       /* NULL: none */
	const char *command;	       /* as a shell would read it */
	struct hp_labels labels;
	unsigned sandbox_missing; /* HP_SANDBOX_ layers, hp_confine() */
};

extern const struct hp_program hp_validate_program;

/* Defaults; hp_validate_command_release() frees the labels. */
void hp_validate_command_init(struct hp_validate_command *c);
void hp_validate_command_release(struct hp_validate_command *c);

/* What the report leaves out is below this: as given, or the format's own. CI
 * systems take every note for something to do. */
enum hp_severity hp_validate_min_severity(const struct hp_validate_command *c);

/* The catalogue, one rule a line; and all about one rule. */
void hp_validate_list_rules(struct hp_buf *b);
void hp_validate_explain(struct hp_buf *b, enum hp_rule rule);

#endif
