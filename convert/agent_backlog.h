/*
 * agent_backlog.h - a queue for received bytes that were not passed on yet
 *
 * The queue is a temporary file without a name. It is written at its end and
 * read from its front. When more bytes were read than are left, the rest moves
 * to the front. So the file has at most twice the size of the queue, plus 1
 * MiB.
 */
#ifndef HP_CONVERT_AGENT_BACKLOG_H
#define HP_CONVERT_AGENT_BACKLOG_H

#include "common/base/status.h"

struct hp_agent_backlog {
	int fd;		 /* -1: not open */
	uint64_t read;	 /* offset in the file of the next byte to read */
	uint64_t length; /* size of the file, in bytes */
};

/* Returns HP_OK or HP_IO. Call hp_agent_backlog_close() in any case. */
HP_MUST_USE enum hp_status hp_agent_backlog_open(struct hp_agent_backlog *b,
						 struct hp_error *err);
void hp_agent_backlog_close(struct hp_agent_backlog *b);

/*
 * Append @n bytes. Returns HP_OK; HP_IO: the disk is full, and nothing was
 * added.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_add(struct hp_agent_backlog *b,
						const void *bytes, size_t n,
						struct hp_error *err);

/*
 * Copy up to @n bytes from the front of the queue, without removing them.
 * Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_agent_backlog_peek(const struct hp_agent_backlog *b, void *bytes, size_t n,
		      size_t *got, struct hp_error *err);

/* Remove the first @n bytes. Returns HP_OK or HP_IO. */
HP_MUST_USE enum hp_status hp_agent_backlog_drop(struct hp_agent_backlog *b,
						 uint64_t n,
						 struct hp_error *err);

/*
 * Move the queue to the front of the file and shrink the file. Needs no
 * additional disk space. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_compact(struct hp_agent_backlog *b,
						    struct hp_error *err);

/* Returns the number of bytes in the queue. */
static inline uint64_t
hp_agent_backlog_bytes(const struct hp_agent_backlog *b)
{
	return b->length - b->read;
}

#endif
