/*
 * agent_stream.h - how much of what an agent sends is whole
 *
 * The bytes are those of its file, binary or text. Where they end depends on
 * the network: this tells, byte by byte, the end of the last record or, of
 * text, of the last line that stands in no open report.
 */
#ifndef HP_CONVERT_AGENT_STREAM_H
#define HP_CONVERT_AGENT_STREAM_H

#include "common/base/status.h"

enum hp_agent_state {
	HP_AGENT_START, /* of the header */
	HP_AGENT_HEADER,
	HP_AGENT_HEAD, /* of a record */
	HP_AGENT_BODY,
	HP_AGENT_TEXT,
	HP_AGENT_ODD, /* neither: everything is kept */
};

enum { HP_AGENT_LINE = 80 }; /* bytes of a line that are looked at */

struct hp_agent_stream {
	enum hp_agent_state state;
	uint64_t taken; /* bytes so far */
	uint64_t whole; /* of them, those that end where a record does */
	uint64_t left;	/* of the body, or of the header */
	unsigned n;	/* bytes in head */
	uint8_t head[HP_AGENT_LINE];
	bool prologue;	/* of a text */
	bool inside;	/* a report */
	bool heap_open; /* there are segments of a heap dump without its end */
};

/* The next bytes. A zeroed stream is at its begin. */
void hp_agent_stream_feed(struct hp_agent_stream *s, const uint8_t *bytes,
			  size_t n);

#endif
