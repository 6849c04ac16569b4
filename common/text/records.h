/*
 * records.h - the agent's text as the records of a binary dump
 *
 * Lines go in, the bytes of a dump of version 1.0.2 come out, so that whoever
 * reads dumps reads text: strings, loaded classes, frames and traces stand
 * before the report that needs them, a heap dump is a row of segments, classes
 * first. What the text has not is zero: values of primitives. What records
 * have no place for, the lines of monitors, of CPU TIME and of cpu=old, is
 * carried in STRING records that begin with HP_TEXT_CARRIED.
 *
 * Objects of a heap dump wait, packed, in a nameless temporary file until its
 * last line, since classes stand behind them; all else is in memory.
 */
#ifndef HP_TEXT_RECORDS_H
#define HP_TEXT_RECORDS_H

#include <string.h>

#include "common/model/rules.h"
#include "common/text/lines.h"

/* What a STRING record begins with that holds a line of the text. */
#define HP_TEXT_CARRIED "hprof-text: "

/*
 * What a STRING record begins with that says how libhprof-agent made the file;
 * in a text the line stands in the prologue.
 */
#define HP_TEXT_SETTINGS "hprof-agent: "

/* Is the text of a STRING record such a line? */
static inline bool
hp_text_is_carried(const void *text, size_t length)
{
	const size_t n = sizeof(HP_TEXT_CARRIED) - 1;

	return length >= n && memcmp(text, HP_TEXT_CARRIED, n) == 0;
}

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

struct hp_text_records;

/**
 * hp_text_records_open() - begin to read a text
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: the caller's, for hp_text_records_close().
 */
HP_MUST_USE enum hp_status
hp_text_records_open(struct hp_text_records **out, hp_text_read *read,
		     void *read_ctx, const struct hp_text_reading *options,
		     struct hp_error *err);

void hp_text_records_close(struct hp_text_records *r);

/**
 * hp_text_records_next() - the next bytes of the dump
 * @buf:   NULL passes over them
 * @got:   fewer than @n with HP_OK only at the end
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT (the option memory); HP_IO (the
 *          temporary file); as the reading function.
 */
HP_MUST_USE enum hp_status hp_text_records_next(struct hp_text_records *r,
						void *buf, size_t n,
						size_t *got,
						struct hp_error *err);

/* Bytes of text read so far, and lines. */
uint64_t hp_text_records_bytes(const struct hp_text_records *r);
uint64_t hp_text_records_lines(const struct hp_text_records *r);

/* Bytes of memory taken, about. */
uint64_t hp_text_records_memory(const struct hp_text_records *r);

enum { HP_TEXT_MAGIC = 20 };

/* Do these first bytes begin a text? Of @n from HP_TEXT_MAGIC on. */
bool hp_text_begins(const void *head, size_t n);

#endif
