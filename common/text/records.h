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

#include "common/text/carried_lines.h"
#include "common/text/lines/lines.h"
#include "common/text/reading.h"

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
