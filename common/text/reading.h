/*
 * reading.h - options for reading a text dump, and the problems that it can
 * have
 */
#ifndef HP_TEXT_READING_H
#define HP_TEXT_READING_H

#include "common/model/rules.h"

/*
 * A problem of a text dump. Brackets show the meaning of args in struct
 * hp_text_problem.
 */
enum hp_text_oddity {
	/* not a line of the format [1: inside a report] */
	HP_TEXT_ODD_LINE,
	/*
	 * The agent truncated a line of 1,023 bytes or more, so its newline is
	 * missing.
	 */
	HP_TEXT_ODD_CUT,
	HP_TEXT_ODD_LONG,	 /* longer than HP_TEXT_LINE_MOST bytes */
	HP_TEXT_ODD_LAST,	 /* the last line has no newline */
	HP_TEXT_ODD_END,	 /* END is missing [enum hp_text_within] */
	HP_TEXT_ODD_PROLOGUE,	 /* the text ends before the first report */
	HP_TEXT_ODD_TRACE,	 /* a trace is used but not defined [serial] */
	HP_TEXT_ODD_TRACE_AGAIN, /* a trace is defined twice [serial] */
	/* An object refers to a class that has no CLS line [class id]. */
	HP_TEXT_ODD_CLASS,
	HP_TEXT_ODD_RANK, /* wrong rank [rank, the expected one] */
	/* A row has a larger value than the row before it [rank]. */
	HP_TEXT_ODD_ORDER,
	/* A percentage contradicts the other numbers of the report [rank]. */
	HP_TEXT_ODD_PERCENT,
	/* The rows add up to more than the total [sum, total]. */
	HP_TEXT_ODD_TOTAL,
	/* An index out of order or out of range [index, number of elements]. */
	HP_TEXT_ODD_ELEMENT,
	/*
	 * More fields than a class may have, or too many ancestors; they are
	 * left out [1: too many ancestors].
	 */
	HP_TEXT_ODD_FIELDS,
	/* An id wider than the ids of the text [id]. */
	HP_TEXT_ODD_ID,
	HP_TEXT_ODDITIES
};

struct hp_text_problem {
	enum hp_text_oddity oddity;
	uint64_t line;	 /* line number, from 1 */
	uint64_t offset; /* offset of the line in the text */
	uint64_t args[2];
};

/* The rule of hprof-validate for a problem. */
enum hp_rule hp_text_rule(enum hp_text_oddity oddity);

/* Whether data of the dump are lost because of the problem. */
bool hp_text_is_damage(const struct hp_text_problem *p);

struct hp_text_reading {
	/* Called for each problem, in no particular order. May be NULL. */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/*
	 * Called for each record and sub-record, with its offset in the binary
	 * dump and the line that it was made from. May be NULL.
	 */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	void *ctx;
	/* threads that read lines; 0 or 1: only the caller's */
	unsigned threads;
	/*
	 * Process each line separately instead of packing runs of lines. Slow,
	 * but gives the same result; for tests.
	 */
	bool by_line;
	/* Limit in bytes for names, classes and traces. 0: no limit. */
	uint64_t memory;
};

#endif
