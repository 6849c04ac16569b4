/*
 * pass.h - the callbacks of a pass over a dump: what a program receives, on
 * which thread, and in which order
 */
#ifndef HP_FORMAT_PASS_H
#define HP_FORMAT_PASS_H

#include "common/format/batch.h"
#include "common/format/reader.h"

/* Which bytes a pass needs. */
enum hp_need {
	HP_NEED_HEADS, /* elements of large arrays may be left out */
	/* only elements of large primitive arrays may be left out */
	HP_NEED_REFERENCES,
	/* every byte of the file, in batches, in order */
	HP_NEED_EVERYTHING,
};

struct hp_pass {
	enum hp_need need;
	bool in_place; /* batch() changes the data that it receives */
	void *ctx;

	/* ---- on the caller's thread, in file order; each may be NULL ---- */

	/* Report a framing problem of the reader. */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * Receive the file header. A status other than HP_OK ends the pass with
	 * that status.
	 */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/*
	 * Receive a record. The body of a heap record is empty here, and its
	 * batches come later. Other records have their body, which is
	 * incomplete if rec->cut or rec->partial is set.
	 */
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Receive consecutive STRING records instead of record(). It steps over
	 * as many records as it processes; record() receives the next one. Not
	 * called in passes that want everything. May be NULL. If record() is
	 * NULL, too, the strings are skipped.
	 */
	enum hp_status (*strings)(void *ctx, struct hp_string_run *run,
				  struct hp_error *err);
	/*
	 * A heap record was read to its end: its length and cut are final now.
	 */
	enum hp_status (*heap_end)(void *ctx, const struct hp_record *rec,
				   struct hp_error *err);
	enum hp_status (*dump_begin)(void *ctx, unsigned dump,
				     struct hp_error *err);
	/*
	 * Whether the end of the dump has to wait for records after the heap,
	 * for example for names. Called after the last heap record of the dump,
	 * when all batches that were not deferred are retired. If it returns
	 * true, the dump ends where the next one begins, or at the end of the
	 * file. NULL: never wait.
	 */
	bool (*dump_waits)(void *ctx, unsigned dump);
	/*
	 * All batches of the dump were processed for the first time, so all its
	 * classes are known. Deferred batches are replayed after this call.
	 */
	enum hp_status (*classes_complete)(void *ctx, unsigned dump,
					   struct hp_error *err);
	/* Everything of the dump is done. */
	enum hp_status (*dump_end)(void *ctx, unsigned dump,
				   struct hp_error *err);

	/*
	 * Whether a batch should be processed. If not, no worker receives it,
	 * as if its bytes were not in the dump; a seekable input does not even
	 * read them. The bytes are not available in this call.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/*
	 * A batch was cut, and the workers receive it next. Its bytes are not
	 * available in this call.
	 */
	void (*cut)(void *ctx, const struct hp_batch *b);

	/*
	 * ---- on a worker's thread; a status other than HP_OK ends the pass
	 * ----
	 */

	/*
	 * Process a batch. To defer instances until all classes of the dump are
	 * known, call hp_batch_defer(), and ignore all later instances of the
	 * batch. The batch comes a second time, with replay set.
	 */
	enum hp_status (*batch)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	/*
	 * Called after batch() in the order of batch indexes, one at a time
	 * (under a lock), on any thread. Not called for replays.
	 */
	enum hp_status (*retired)(void *ctx, struct hp_batch *b,
				  struct hp_error *err);
	/*
	 * Called instead of retired() if a failure occurred earlier. It frees
	 * what batch() has stored in @b->user, which may be NULL.
	 */
	void (*dropped)(void *ctx, struct hp_batch *b);
};

#endif
