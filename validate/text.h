/*
 * text.h - text dumps of the old hprof agent: their own rules, and line numbers
 *
 * A text dump is translated to the binary format, and the translation is
 * checked like any dump. The translation (common/text) also reports unusual
 * lines, which become findings here. To give line numbers to all other findings
 * as well, it reports the line from which each record was made.
 */
#ifndef HP_VALIDATE_TEXT_H
#define HP_VALIDATE_TEXT_H

#include "common/text/lines/spool.h"
#include "common/text/translation.h"
#include "validate/finding.h"
#include "validate/validate.h"

struct hp_text_check {
	struct hp_text_watch watch; /* callbacks for the translation */
	struct hp_findings findings;
	/* the places of all records and sub-records */
	struct hp_text_spool places;
	uint64_t offset, line, line_offset; /* the place of the last record */
	/* why the places are incomplete; status HP_OK if they are complete */
	struct hp_error lost;
	uint64_t bytes; /* length of the text */
};

/* Initialise. The callbacks point to @c, so @c must not move. */
void hp_text_check_init(struct hp_text_check *c, size_t max_examples,
			bool located);
void hp_text_check_release(struct hp_text_check *c);

/*
 * Whether this is a rule about lines. Its findings have line numbers already.
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

#endif
