/* internal.h - what was not checked, text dumps, and the result for a file */
#ifndef HP_VALIDATE_INTERNAL_H
#define HP_VALIDATE_INTERNAL_H

#include "common/model/classes.h"
#include "common/model/tables.h"
#include "common/text/lines/spool.h"
#include "common/text/text.h"
#include "validate/finding.h"
#include "validate/references/references.h"
#include "validate/validate.h"

/* ----------------------------------------------------------------------
 * Texts about what was not checked, and why
 */

/*
 * Add a text to the result that says what could not be done. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_limit(struct hp_validation *r,
					       struct hp_error *err,
					       const char *fmt, ...)
	HP_PRINTF(3, 4);

/*
 * Add texts about what was not checked in dump @dump because of too little
 * memory. @once: the input cannot be read twice. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_limits(struct hp_validation *r, unsigned dump,
		     const struct hp_reference_totals *t, bool once,
		     struct hp_error *err);

/*
 * Handle rules of --level=graph that could not be applied to a dump. If the
 * reason is too little memory, the whole file fails. If the reason is damage,
 * only these rules are left out. Returns HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_left_out(struct hp_validation *r,
							unsigned dump,
							enum hp_graph_gap gap,
							struct hp_error *err);

/*
 * Leave out the rules of --level=graph for dumps that must be read only once.
 * The first such dump adds a message that covers all later ones.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_not_read(struct hp_validation *r,
							unsigned dump,
							struct hp_error *err);

/* ----------------------------------------------------------------------
 * Text dumps of the old hprof agent: their own rules, and line numbers
 *
 * A text dump is translated to the binary format, and the translation is
 * checked like any dump. The translation (common/text) also reports unusual
 * lines, which become findings here. To give line numbers to all other findings
 * as well, it reports the line from which each record was made.
 */

struct hp_text_check {
	/* functions that the translation of a text calls */
	struct hp_text_watch watch;
	struct hp_findings findings;
	/* the places of all records and sub-records in the text */
	struct hp_text_spool places;
	/* place of the record that was read last in the text */
	uint64_t offset, line, line_offset;
	/* why the places are incomplete; status HP_OK if they are complete */
	struct hp_error lost;
	uint64_t bytes; /* length of the text in bytes */
};

/* Initialise. The callbacks point to @c, so @c must not move. */
void hp_text_check_init(struct hp_text_check *c, size_t max_examples,
			bool located);
void hp_text_check_release(struct hp_text_check *c);

/*
 * Whether this is a rule about lines of text. Its findings already have line
 * numbers.
 */
bool hp_text_check_rule(enum hp_rule rule);

/**
 * hp_text_check_lines() - replace the offsets of all examples by places in the
 * text
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO (the temporary file), also if that happened
 *          while the text was read.
 */
HP_MUST_USE enum hp_status hp_text_check_lines(struct hp_text_check *c,
					       struct hp_validation *v,
					       struct hp_error *err);

/* ----------------------------------------------------------------------
 * Turn findings into a result: look up names, decide severities, create
 * texts
 */

/*
 * Set the field names of the findings about dump @dump. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_resolve(struct hp_findings *f, const struct hp_classes *classes,
		      unsigned dump, struct hp_error *err);

/**
 * hp_validation_build_report() - build the result from all findings
 * @r: its dialect must be set
 *
 * The function decides the severities, leaves out rules that could not be
 * checked, creates the texts, and computes the totals.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT if the examples do not fit in memory.
 */
HP_MUST_USE enum hp_status
hp_validation_build_report(struct hp_validation *r, struct hp_findings *f,
			   const struct hp_tables *tables,
			   const struct hp_validate_options *o,
			   struct hp_error *err);

/*
 * Clear the result, because the file could not be read. Only the error stays.
 */
void hp_validation_unreadable(struct hp_validation *r);

#endif
