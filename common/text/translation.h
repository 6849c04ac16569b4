/*
 * translation.h - read text dumps as if they were binary dumps
 *
 * Plugs records.h into the layers of an input (common/io).
 */
#ifndef HP_TEXT_TRANSLATION_H
#define HP_TEXT_TRANSLATION_H

#include "common/io/translation.h"

/* The context is a struct hp_text_watch, or NULL. */
extern const struct hp_translation hp_text_translation;

struct hp_text_problem;

/* For callers that need details about the text itself. */
struct hp_text_watch {
	/* Called on the reading thread for each problem. */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/* Called for each record and sub-record; see struct hp_text_reading. */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	/* Called at the end, with the size of the text in bytes and lines. */
	void (*end)(void *ctx, uint64_t bytes, uint64_t lines);
	void *ctx;
	/*
	 * True once a source uses it. Further passes over the same text do not
	 * call it again.
	 */
	bool taken;
};

#endif
