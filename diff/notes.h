/*
 * notes.h - what is odd about the inputs, as messages
 */
#ifndef HP_DIFF_NOTES_H
#define HP_DIFF_NOTES_H

#include "common/cli/message.h"
#include "diff/keys/resolve.h"
#include "diff/leaks/owners.h"

/* Damage, and whether it matters: the exit code. */
int hp_note_damage(const struct hp_messages *m, const char *path,
		   const struct hp_diff_options *o,
		   const struct hp_histogram *g);

/*
 * A file without a heap dump, which is an error: with the keys that show what
 * else an agent wrote into it.
 */
void hp_note_no_heap_dump(const struct hp_messages *m, const char *path,
			  const struct hp_histogram *g);

/* No object is in the heap that --heap names. */
void hp_note_heap(const struct hp_messages *m, const char *path,
		  const struct hp_diff_options *o,
		  const struct hp_resolve_notes *n);

/* Fields of a dump's objects are not known, nor what they refer to. */
void hp_note_undescribed(const struct hp_messages *m, const struct hp_result *r,
			 size_t column);

/* Sizes of what nothing keeps are all 0, which looks like a result. */
void hp_note_unrooted(const struct hp_messages *m, const char *path,
		      const struct hp_retained *t);

/* By dominator, what gates about static fields do not see. */
void hp_note_unowned(const struct hp_messages *m, const char *path,
		     const struct hp_unowned *u);

/*
 * Dumps have another layout than a saved result, which is an error.
 * @saved:  that of the first saved result
 * @differ: another saved result has another one
 */
void hp_note_saved_layout(const struct hp_messages *m,
			  const struct hp_size_model *saved, bool differ);

#endif
