/*
 * agent_stream.h - find how much of the received bytes is complete
 *
 * The bytes are those of the agent's file, binary or text, and arrive in pieces
 * of any size. This finds the end of the last record. In a text, it finds the
 * end of the last line outside of an open report.
 */
#ifndef HP_CONVERT_AGENT_STREAM_H
#define HP_CONVERT_AGENT_STREAM_H

#include "common/base/status.h"

enum hp_agent_state {
	/* at the start of the stream, before its kind is known */
	HP_AGENT_START,
	HP_AGENT_HEADER,
	HP_AGENT_HEAD, /* inside the head of a record */
	HP_AGENT_BODY,
	HP_AGENT_TEXT,
	HP_AGENT_ODD, /* neither binary nor text: everything is kept */
};

enum { HP_AGENT_LINE = 80 }; /* number of bytes of a line that are examined */

struct hp_agent_stream {
	enum hp_agent_state state;
	uint64_t taken; /* number of bytes received so far */
	/* number of bytes up to the end of the last complete record */
	uint64_t whole;
	uint64_t left; /* bytes left in the body or the header */
	unsigned n;    /* number of bytes in @head */
	uint8_t head[HP_AGENT_LINE];
	bool prologue; /* the stream is inside the prologue of a text */
	bool inside;   /* the stream is inside a report of a text */
	/* a heap dump made of segments has begun and not ended */
	bool heap_open;
};

/* Process the next bytes. A zeroed stream is at its start. */
void hp_agent_stream_feed(struct hp_agent_stream *s, const uint8_t *bytes,
			  size_t n);

#endif
