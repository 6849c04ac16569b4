/*
 * reading.h - how a text is read, and what is odd about one
 */
#ifndef HP_TEXT_READING_H
#define HP_TEXT_READING_H

#include "common/model/rules.h"

/* What is odd about a text. @args of hp_text_problem in brackets. */
enum hp_text_oddity {
	HP_TEXT_ODD_LINE, /* no line of the format [1: inside a report] */
	HP_TEXT_ODD_CUT,  /* a line without its newline, at 1,023 bytes */
	HP_TEXT_ODD_LONG, /* a line of more than HP_TEXT_LINE_MOST bytes */
	HP_TEXT_ODD_LAST, /* the last line has no newline */
	HP_TEXT_ODD_END,  /* a report without its END [enum hp_text_within] */
	HP_TEXT_ODD_PROLOGUE,	 /* it ends before the first report */
	HP_TEXT_ODD_TRACE,	 /* used and never printed [serial] */
	HP_TEXT_ODD_TRACE_AGAIN, /* printed a second time [serial] */
	HP_TEXT_ODD_CLASS,   /* an object's class has no CLS line [class id] */
	HP_TEXT_ODD_RANK,    /* [rank, the one expected] */
	HP_TEXT_ODD_ORDER,   /* a row has more than the one before [rank] */
	HP_TEXT_ODD_PERCENT, /* does not fit the other numbers [rank] */
	HP_TEXT_ODD_TOTAL,   /* rows have more than the total [sum, total] */
	HP_TEXT_ODD_ELEMENT, /* index out of order or range [index, nelems] */
	HP_TEXT_ODD_FIELDS,  /* more fields than a class may have, or more
				classes above it: left out [1: classes] */
	HP_TEXT_ODD_ID,	     /* wider than the text's identifiers [id] */
	HP_TEXT_ODDITIES
};

struct hp_text_problem {
	enum hp_text_oddity oddity;
	uint64_t line;	 /* its number, from 1 */
	uint64_t offset; /* of its first byte */
	uint64_t args[2];
};

/* What hprof-validate calls it. */
enum hp_rule hp_text_rule(enum hp_text_oddity oddity);

/* Are bytes of a dump lost with it? */
bool hp_text_is_damage(const struct hp_text_problem *p);

struct hp_text_reading {
	/* called for each problem, in no order; may be NULL */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/* called for each record and sub-record: the offset in what comes out,
	 * and the line that it is made of; may be NULL */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	void *ctx;
	unsigned threads; /* that read lines; up to 1: the caller's does */
	bool by_line;	  /* each line on its own: slow, and the same */
	uint64_t memory;  /* bytes that names, classes and traces may take; 0:
			    no limit */
};

#endif
