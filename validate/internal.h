/*
 * internal.h - texts about checks that were left out, checks of text dumps, and
 * the result for a file
 */
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
 * Texts about checks that were left out, and the reasons
 */

/*
 * Add texts to the result about the checks of dump number @dump that were left
 * out because the memory did not suffice. @once: the input cannot be read
 * twice. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_limits(struct hp_validation *r, unsigned dump,
		     const struct hp_reference_totals *t, bool once,
		     struct hp_error *err);

/*
 * After --secrets: add texts to the result about the parts that were not
 * searched: the end of a long STRING record, the unreadable part of a damaged
 * dump, or the whole file. Call this when all findings were added. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_limit_search(struct hp_validation *r,
			   const struct hp_validate_options *o,
			   struct hp_error *err);

/*
 * Called if rules of --level=graph could not be applied to dump number @dump.
 * If the reason @gap is too little memory, the check of the whole file fails.
 * If it is damage, only the rules of --level=graph are left out. Returns HP_OK,
 * HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_left_out(struct hp_validation *r,
							unsigned dump,
							enum hp_graph_gap gap,
							struct hp_error *err);

/*
 * Record that the rules of --level=graph are not applied to dump number @dump,
 * because it must not be read a second time. Only the first call for a file
 * adds a message to the result. The message is also true for the later dumps.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_not_read(struct hp_validation *r,
							unsigned dump,
							struct hp_error *err);

/* ----------------------------------------------------------------------
 * Text dumps of the old HPROF agent: rules about their lines, and line numbers
 * for findings
 *
 * A text dump is translated to the binary format, and the translation is
 * checked like any dump. The translation (common/text) also reports unusual
 * lines, which become findings here. It also reports the line from which each
 * record was made, so that all other findings get line numbers.
 */

struct hp_text_check {
	/* callbacks for the code that translates the text */
	struct hp_text_watch watch;
	struct hp_findings findings;
	/*
	 * For each record and sub-record: the position in the text of the line
	 * from which it was made.
	 */
	struct hp_text_spool places;
	/*
	 * The last entry that was read from `places` or written to `places`:
	 * the offset of the record in the dump, the number of the line, and the
	 * offset of the line in the text.
	 */
	uint64_t offset, line, line_offset;
	/*
	 * why some elements of `places` are missing; the status HP_OK: none is
	 * missing
	 */
	struct hp_error lost;
	uint64_t bytes; /* length of the text in bytes */
};

/*
 * Initialise @c. The callbacks in c->watch have a pointer to @c, so @c must not
 * move.
 */
void hp_text_check_init(struct hp_text_check *c, size_t max_examples,
			bool located);
void hp_text_check_release(struct hp_text_check *c);

/*
 * Whether the rule is about lines of a text dump. The findings of such a rule
 * already have line numbers.
 */
bool hp_text_check_rule(enum hp_rule rule);

/**
 * hp_text_check_lines() - replace the offsets of all examples by line numbers
 * and offsets in the text
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO (the temporary file), also if the file could
 *          not be written while the text was read.
 */
HP_MUST_USE enum hp_status hp_text_check_lines(struct hp_text_check *c,
					       struct hp_validation *v,
					       struct hp_error *err);

/* ----------------------------------------------------------------------
 * Turn findings into a result: look up names, decide severities, create
 * texts
 */

/*
 * Look up the names of the fields in the findings about dump number @dump, and
 * store them in the findings. Returns HP_OK or HP_NOMEM.
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

/* Clear the result of a file that could not be read. Only the error is kept. */
void hp_validation_unreadable(struct hp_validation *r);

#endif
