/*
 * translation.h - the agent's text as an input of the programs
 */
#ifndef HP_TEXT_TRANSLATION_H
#define HP_TEXT_TRANSLATION_H

#include "common/io/translation.h"

/* Its context is a struct hp_text_watch, or NULL. */
extern const struct hp_translation hp_text_translation;

struct hp_text_problem;

/* Who wants to know more of a text than the dump that is made of it. */
struct hp_text_watch {
	/* called on the thread that reads, for each problem */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/* called for each record and sub-record; see struct hp_text_reading */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	/* called with the size of the text whenever the end is met */
	void (*end)(void *ctx, uint64_t bytes, uint64_t lines);
	void *ctx;
	bool taken; /* by the first source that was opened with it: further
		       passes over the same text are not watched */
};

#endif
