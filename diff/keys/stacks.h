/*
 * stacks.h - allocation stacks as keys: matched by what the frames say
 */
#ifndef HP_DIFF_KEYS_STACKS_H
#define HP_DIFF_KEYS_STACKS_H

#include "diff/keys/keys.h"

/* A frame's text and what tells it apart. */
struct hp_frame_key {
	const char *text;
	uint64_t hash[2];
};

/* A stack, cut to --site-depth. */
struct hp_stack {
	struct hp_row_frames frames;
	uint64_t hash[2];
	struct hp_row_frames kept; /* the same, by @rows */
	const struct hp_rows *rows;
};

/* Of a frame, "Ag.burn(Ag.java:12)": the length of its method's text. */
size_t hp_frame_method(const char *frame);

/* The stack of a trace serial, empty if it has none. NULL: out of memory. */
struct hp_stack *hp_stack_get(struct hp_keys *k, uint32_t trace);

/**
 * hp_stack_row() - the row of a class and a trace
 * @traces: set to true if the trace has frames
 */
struct hp_row *hp_stack_row(struct hp_keys *k, struct hp_rows *rows,
			    const struct hp_name *name, uint32_t trace,
			    bool *traces);

#endif
