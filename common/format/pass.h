/*
 * pass.h - what a program is told of a dump, by which thread, in which order
 */
#ifndef HP_FORMAT_PASS_H
#define HP_FORMAT_PASS_H

#include "common/format/batch.h"
#include "common/format/reader.h"

/* What a pass needs of the bytes. */
enum hp_need {
	HP_NEED_HEADS,	    /* elements of large arrays may be left out */
	HP_NEED_REFERENCES, /* ... of arrays of primitives only */
	HP_NEED_EVERYTHING, /* every byte of the file, in batches, in order */
};

struct hp_pass {
	enum hp_need need;
	bool in_place; /* batch() changes the data it is given */
	void *ctx;

	/* On the caller's thread, in file order; each may be NULL. */

	/* A framing problem of the reader. */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/* The header was read. Not HP_OK ends the pass with that status. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/*
	 * A record's head; for all but heap records with its body, which is
	 * cut short if rec->cut or rec->partial. A heap record's body is
	 * empty here and its batches have not been handed out yet.
	 */
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Instead of record(), where it is not NULL and the pass does not want
	 * everything: records that are strings. Steps over as many as it takes;
	 * if it does not take all that are here, record() has the next one.
	 * Without either they are passed over as quickly.
	 */
	enum hp_status (*strings)(void *ctx, struct hp_string_run *run,
				  struct hp_error *err);
	/* A heap record was read to its end; its length and cut are final. */
	enum hp_status (*heap_end)(void *ctx, const struct hp_record *rec,
				   struct hp_error *err);
	enum hp_status (*dump_begin)(void *ctx, unsigned dump,
				     struct hp_error *err);
	/*
	 * Does the end of the dump have to wait for records after the heap, as
	 * for names? Asked after the last heap record of the dump, when the
	 * batches that were not deferred are retired. If so, the dump ends
	 * where the next one begins, or with the file. NULL: never.
	 */
	bool (*dump_waits)(void *ctx, unsigned dump);
	/*
	 * All first-time batches of the dump are retired: what they defined
	 * is complete. Deferred ones are replayed after this.
	 */
	enum hp_status (*classes_complete)(void *ctx, unsigned dump,
					   struct hp_error *err);
	/* Everything of the dump is done. */
	enum hp_status (*dump_end)(void *ctx, unsigned dump,
				   struct hp_error *err);

	/*
	 * Is a batch worth looking at? One that is not goes to nobody, as if
	 * the dump ended before it and began behind it: its bytes are not even
	 * read where the input can be seeked. They are not there yet.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/* A batch was cut: workers have it next. Its bytes are not there yet.
	 */
	void (*cut)(void *ctx, const struct hp_batch *b);

	/* On a worker's thread. Not HP_OK ends the pass. */

	/*
	 * A batch. To put instances off until all classes of the dump are
	 * known, hp_batch_defer() and leave all later instances of the batch
	 * alone: it comes again with replay set.
	 */
	enum hp_status (*batch)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	/*
	 * In the order of batch indexes, one at a time (under a lock), on any
	 * thread, after batch(); replays are not retired again.
	 */
	enum hp_status (*retired)(void *ctx, struct hp_batch *b,
				  struct hp_error *err);
	/*
	 * Instead of retired(), when something failed before the batch's
	 * turn: release what batch() left in @b->user, which may be NULL.
	 */
	void (*dropped)(void *ctx, struct hp_batch *b);
};

#endif
