/*
 * stream.c - find the ends of records, or of reports in a text, in data that
 * arrives in pieces of any size
 */
#include "convert/agent/agent.h"

#include "common/format/format.h"
#include "common/components/components.h"
#include "common/text/text.h"

#include <string.h>

static bool
begins(const struct hp_agent_stream *s, const char *text)
{
	size_t n = strlen(text);

	return s->n >= n && memcmp(s->head, text, n) == 0;
}

static bool
ends(const struct hp_agent_stream *s, const char *text)
{
	size_t n = strlen(text);

	return s->n >= n && memcmp(s->head + s->n - n, text, n) == 0;
}

static void
end_line(struct hp_agent_stream *s)
{
	static const char *const reports[] = {
		"HEAP DUMP BEGIN",    "SITES BEGIN",
		"CPU SAMPLES BEGIN",  "CPU TIME (ms) BEGIN",
		"MONITOR TIME BEGIN", "MONITOR DUMP BEGIN"};

	if (s->place == HP_AGENT_PROLOGUE) {
		if (s->n == 8 && begins(s, "--------"))
			s->place = HP_AGENT_BETWEEN;
	} else {
		for (size_t i = 0; i < HP_ARRAY_LEN(reports); i++)
			if (begins(s, reports[i]))
				s->place = HP_AGENT_INSIDE;
		if (s->n < 32 && ends(s, " END"))
			s->place = HP_AGENT_BETWEEN;
	}
	if (s->place == HP_AGENT_BETWEEN)
		s->whole = s->taken;
	s->n = 0;
}

static void
decide(struct hp_agent_stream *s)
{
	/*
	 * The size of the file header. It is 0 if the bytes so far do not
	 * contain the NUL that ends the version.
	 */
	const unsigned header = hp_header_length(s->head, s->n);

	if (hp_agent_text_begins(s->head, s->n)) {
		s->state = HP_AGENT_TEXT;
		s->place = begins(s, "JAVA PROFILE ") ? HP_AGENT_PROLOGUE
						      : HP_AGENT_BETWEEN;
	} else if (header > 0) {
		s->state = HP_AGENT_HEADER;
		s->left = header - s->n;
		s->n = 0;
	} else {
		s->state = HP_AGENT_ODD;
		s->whole = s->taken;
	}
}

static void
end_record(struct hp_agent_stream *s)
{
	if (s->state == HP_AGENT_BODY && s->head[0] == HP_REC_HEAP_DUMP_SEGMENT)
		s->heap_open = true;
	else if (s->state == HP_AGENT_BODY &&
		 s->head[0] == HP_REC_HEAP_DUMP_END)
		s->heap_open = false;
	s->whole = s->taken;
	s->state = HP_AGENT_HEAD;
	s->n = 0;
}

/*
 * Handle the next byte of the head of a record. At the start of the stream,
 * handle the next byte of the file header.
 */
static void
take_byte(struct hp_agent_stream *s, uint8_t c)
{
	s->head[s->n++] = c;
	s->taken++;
	if (s->state == HP_AGENT_START && s->n == HP_TEXT_MAGIC) {
		decide(s);
	} else if (s->state == HP_AGENT_HEAD && s->n == 9) {
		s->left = (uint64_t)s->head[5] << 24 | s->head[6] << 16 |
			  s->head[7] << 8 | s->head[8];
		s->state = HP_AGENT_BODY;
		if (s->left == 0)
			end_record(s);
	}
}

static size_t
take_body(struct hp_agent_stream *s, size_t n)
{
	size_t part = s->left < n ? (size_t)s->left : n;

	s->taken += part;
	s->left -= part;
	if (s->left == 0)
		end_record(s);
	return part;
}

static size_t
take_line(struct hp_agent_stream *s, const uint8_t *bytes, size_t n)
{
	const uint8_t *end = memchr(bytes, '\n', n);
	size_t part = end ? (size_t)(end - bytes) : n;
	size_t keep = part < HP_AGENT_LINE - s->n ? part : HP_AGENT_LINE - s->n;

	memcpy(s->head + s->n, bytes, keep);
	s->n += (unsigned)keep;
	s->taken += part + (end != NULL);
	if (end)
		end_line(s);
	return part + (end != NULL);
}

void
hp_agent_stream_feed(struct hp_agent_stream *s, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		size_t part = 1;

		switch (s->state) {
		case HP_AGENT_START:
		case HP_AGENT_HEAD:
			take_byte(s, *bytes);
			break;
		case HP_AGENT_HEADER:
		case HP_AGENT_BODY:
			part = take_body(s, n);
			break;
		case HP_AGENT_TEXT:
			part = take_line(s, bytes, n);
			break;
		case HP_AGENT_ODD:
			part = n;
			s->taken += n;
			s->whole = s->taken;
			break;
		}
		bytes += part;
		n -= part;
	}
}
