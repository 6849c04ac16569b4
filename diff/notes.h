/*
 * notes.h - warnings and errors about the inputs
 */
#ifndef HP_DIFF_NOTES_H
#define HP_DIFF_NOTES_H

#include "common/cli/message.h"
#include "diff/keys/resolve.h"
#include "diff/leaks/owners.h"

/*
 * Report damage of an input. Returns the exit status: damage is an error
 * without --partial.
 */
int hp_note_damage(const struct hp_messages *m, const char *path,
		   const struct hp_diff_options *o,
		   const struct hp_histogram *g);

/*
 * Report a file without a heap dump as an error, with the --by keys that can
 * show the other contents that an agent wrote.
 */
void hp_note_no_heap_dump(const struct hp_messages *m, const char *path,
			  const struct hp_histogram *g);

/* Warn if no Android heap matches --heap. */
void hp_note_heap(const struct hp_messages *m, const char *path,
		  const struct hp_diff_options *o,
		  const struct hp_resolve_notes *n);

/* Warn about objects of which some fields, and so references, are unknown. */
void hp_note_undescribed(const struct hp_messages *m, const struct hp_result *r,
			 size_t column);

/*
 * Warn if no object is reachable. All retained sizes are then 0, which looks
 * like a valid result.
 */
void hp_note_unrooted(const struct hp_messages *m, const char *path,
		      const struct hp_retained *t);

/*
 * Warn about objects that a gate on static fields does not count with
 * --by=dominator.
 */
void hp_note_unowned(const struct hp_messages *m, const char *path,
		     const struct hp_unowned *u);

/*
 * Report as an error that the dumps have another memory layout than a saved
 * result.
 * @saved: the layout of the first saved result
 * @differ: another saved result has a different layout
 */
void hp_note_saved_layout(const struct hp_messages *m,
			  const struct hp_size_model *saved, bool differ);

#endif
