/*
 * text.h - the agent's text: rules of its own, and lines as places
 *
 * What is made of a text is checked as any dump. What is odd about its lines
 * is told by who reads them (common/text), and becomes findings here; and so
 * that all findings name lines, it is noted which record is of which.
 */
#ifndef HP_VALIDATE_TEXT_H
#define HP_VALIDATE_TEXT_H

#include "common/text/lines/spool.h"
#include "common/text/translation.h"
#include "validate/finding.h"
#include "validate/validate.h"

struct hp_text_check {
	struct hp_text_watch
		watch; /* the context of the source's translation */
	struct hp_findings findings;
	struct hp_text_spool places;	    /* of all records and sub-records */
	uint64_t offset, line, line_offset; /* of the last one */
	struct hp_error lost; /* why places are not there; its status HP_OK:
				 they are */
	uint64_t bytes;	      /* of the text */
};

/* The watch points to @c, which has to stay where it is. */
void hp_text_check_init(struct hp_text_check *c, size_t max_examples,
			bool located);
void hp_text_check_release(struct hp_text_check *c);

/* Is it a rule about lines, whose findings name them already? */
bool hp_text_check_rule(enum hp_rule rule);

/**
 * hp_text_check_lines() - offsets of the result's examples become the text's
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO (the temporary file). Also for places that
 *          could not be kept as the text was read.
 */
HP_MUST_USE enum hp_status hp_text_check_lines(struct hp_text_check *c,
					       struct hp_validation *v,
					       struct hp_error *err);

#endif
