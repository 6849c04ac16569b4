/*
 * stacks.h - allocation stacks as row keys, compared by the texts of their
 * frames
 */
#ifndef HP_DIFF_KEYS_STACKS_H
#define HP_DIFF_KEYS_STACKS_H

#include "diff/keys/keys.h"

/* The text of a frame, and its hash. */
struct hp_frame_key {
	const char *text;
	uint64_t hash[2];
};

/* A stack with at most --site-depth frames. */
struct hp_stack {
	struct hp_row_frames frames;
	uint64_t hash[2];
	struct hp_row_frames kept; /* a copy of frames that @rows owns */
	const struct hp_rows *rows;
};

/*
 * The length of the method part of a frame's text such as
 * "Ag.burn(Ag.java:12)".
 */
size_t hp_frame_method(const char *frame);

/*
 * The stack of an allocation trace; it is empty if the trace has no frames.
 * Returns NULL if out of memory.
 */
struct hp_stack *hp_stack_get(struct hp_keys *k, uint32_t trace);

/**
 * hp_stack_row() - find or create the row of a class and an allocation trace
 * @traces: set to true if the trace has frames
 *
 * Returns: NULL if out of memory.
 */
struct hp_row *hp_stack_row(struct hp_keys *k, struct hp_rows *rows,
			    const struct hp_name *name, uint32_t trace,
			    bool *traces);

#endif
