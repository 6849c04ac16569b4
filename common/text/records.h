/*
 * records.h - translate the text of the JVMTI agent to a binary dump
 *
 * The input is lines of text; the output is a dump of version 1.0.2. So every
 * program that reads binary dumps can also read text. Strings, loaded classes,
 * frames and traces come before the report that needs them. A heap dump becomes
 * a sequence of segments, classes first.
 *
 * The text does not contain the values of primitives; they are zero in the
 * output. Lines that have no equivalent in the binary format (monitors, CPU
 * TIME, cpu=old) are stored in STRING records that begin with HP_TEXT_CARRIED.
 *
 * The text has classes after the objects. So the objects of a heap dump are
 * packed, and stored in an unlinked temporary file until its last line.
 * Everything else is in memory.
 */
#ifndef HP_TEXT_RECORDS_H
#define HP_TEXT_RECORDS_H

#include "common/text/carried_lines.h"
#include "common/text/lines/lines.h"
#include "common/text/reading.h"

struct hp_text_records;

/**
 * hp_text_records_open() - begin to translate a text
 * @read: called for the next bytes of the text, with @read_ctx
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: the caller must call
 *          hp_text_records_close().
 */
HP_MUST_USE enum hp_status
hp_text_records_open(struct hp_text_records **out, hp_text_read *read,
		     void *read_ctx, const struct hp_text_reading *options,
		     struct hp_error *err);

void hp_text_records_close(struct hp_text_records *r);

/**
 * hp_text_records_next() - get the next bytes of the binary dump
 * @buf: NULL skips the bytes
 * @got: receives the number of bytes; less than @n only at the end or on
 *       failure
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT (memory limit exceeded); HP_IO (temporary
 *          file); or the status of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_records_next(struct hp_text_records *r,
						void *buf, size_t n,
						size_t *got,
						struct hp_error *err);

/* Bytes and lines of text read so far. */
uint64_t hp_text_records_bytes(const struct hp_text_records *r);
uint64_t hp_text_records_lines(const struct hp_text_records *r);

/* Approximate memory in bytes. */
uint64_t hp_text_records_memory(const struct hp_text_records *r);

enum { HP_TEXT_MAGIC = 20 };

/*
 * Whether a file that begins with these @n bytes is a text dump. Needs
 * HP_TEXT_MAGIC bytes; returns false for fewer.
 */
bool hp_text_begins(const void *head, size_t n);

#endif
