/*
 * agent_backlog.h - bytes that came and were not handed on yet
 *
 * A nameless temporary file, written at its end and read from its front. What
 * is left moves to the front before what was read is more than that: the file
 * has twice the bytes that wait at the most, and a MiB.
 */
#ifndef HP_CONVERT_AGENT_BACKLOG_H
#define HP_CONVERT_AGENT_BACKLOG_H

#include "common/base/status.h"

struct hp_agent_backlog {
	int fd;		 /* -1: not open */
	uint64_t read;	 /* offset in the file of the next to be read */
	uint64_t length; /* of the file */
};

/* HP_OK; HP_IO. hp_agent_backlog_close() in any case. */
HP_MUST_USE enum hp_status hp_agent_backlog_open(struct hp_agent_backlog *b,
						 struct hp_error *err);
void hp_agent_backlog_close(struct hp_agent_backlog *b);

/*
 * @n bytes at the end. HP_OK; HP_IO: the disk is full, and nothing was added.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_add(struct hp_agent_backlog *b,
						const void *bytes, size_t n,
						struct hp_error *err);

/* Up to @n bytes at the front; they stay. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status
hp_agent_backlog_peek(const struct hp_agent_backlog *b, void *bytes, size_t n,
		      size_t *got, struct hp_error *err);

/* The first @n bytes were taken. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_agent_backlog_drop(struct hp_agent_backlog *b,
						 uint64_t n,
						 struct hp_error *err);

/*
 * The file shrinks to the bytes that wait, which are moved. It takes no room
 * that it has not. HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_compact(struct hp_agent_backlog *b,
						    struct hp_error *err);

static inline uint64_t
hp_agent_backlog_bytes(const struct hp_agent_backlog *b)
{
	return b->length - b->read;
}

#endif
