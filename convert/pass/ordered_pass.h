/*
 * ordered_pass.h - run a pass whose output bytes differ from the input
 *
 * Worker threads turn each batch of the input into output in a buffer of the
 * batch. The buffers are written in file order. Damage ends the pass at its
 * place in the file, so the output before it depends neither on timing nor on
 * the number of threads. A struct hp_transform says what becomes of the input.
 */
#ifndef HP_CONVERT_PASS_ORDERED_PASS_H
#define HP_CONVERT_PASS_ORDERED_PASS_H

#include "common/base/buf.h"
#include "common/format/pass.h"
#include "common/sink/sink.h"
#include "convert/pass/framing_error.h"

#include <pthread.h>

/*
 * A transformation. Unless noted, its functions are called by workers, each
 * with one batch at a time.
 */
struct hp_transform {
	enum hp_need need;
	/* Called by the reading thread, in file order; or NULL. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Called by the reading thread for damage or repairs of the framing; or
	 * NULL.
	 */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * Convert a run and append the result to @out. For sub-records it is
	 * called once for each of them, with @sub. For pieces of arrays and for
	 * other bytes it is called once for each run, with @sub NULL. NULL: the
	 * pass only checks the framing, and may use whole batches in retired().
	 */
	enum hp_status (*run)(void *ctx, const struct hp_batch *b,
			      const struct hp_run *r, const struct hp_sub *sub,
			      struct hp_buf *out, struct hp_error *err);
	/*
	 * Convert all sub-records of a run at once, for loops that must be
	 * fast. It has to pass each sub-record to hp_framing_subrecord(). Then
	 * run() gets only pieces and other bytes. NULL: run() gets everything.
	 */
	enum hp_status (*walk)(void *ctx, struct hp_framing *f,
			       const struct hp_batch *b, size_t run,
			       struct hp_error *err);
	/*
	 * Called before the first and after the last run of a batch; or NULL.
	 */
	void (*begin)(void *ctx, const struct hp_batch *b);
	void (*end)(void *ctx, const struct hp_batch *b, struct hp_buf *out);
	/*
	 * Called in file order, before the bytes of the batch are written, with
	 * the runs that are finished. With @relieves it can be called several
	 * times for a batch. Or NULL.
	 */
	enum hp_status (*retired)(void *ctx, const struct hp_batch *b,
				  const struct hp_buf *out,
				  struct hp_error *err);
	/*
	 * Called in file order instead of writing the bytes to the sink, which
	 * is then not needed; or NULL.
	 */
	enum hp_status (*write)(void *ctx, const struct hp_batch *b,
				const struct hp_buf *out, struct hp_error *err);
	void *ctx;
	/*
	 * number of the only dump whose heap records are read; 0: read all
	 * dumps
	 */
	unsigned only_dump;
	/* limit for the memory of the damage checks, in bytes; 0: no limit */
	uint64_t memory;
	/*
	 * let hp_ordered_pass_relieve() write a buffer early, if it exceeds a
	 * small part of @memory
	 */
	bool relieves;
	/* report only damage that prevents decoding, see struct hp_framing */
	bool framing_only;
	/* the functions change the bytes of the batch itself */
	bool in_place;
	bool strips; /* treat a record with unknown contents as damage */
};

enum {
	/* bounds for the size at which a buffer is written early, in bytes */
	HP_INORDER_LEAST = 64 << 10,
	HP_INORDER_MOST = 16 << 20,
};

/* The slow case of hp_ordered_pass_relieve(). */
void hp_ordered_pass_write_ahead(const struct hp_batch *b);

/*
 * Call this in run() between any two small pieces of output, because a few
 * bytes of a dump can become very much text. If the buffer of the batch is too
 * large, it waits for the batches before it and writes the buffer.
 * hp_ordered_pass_run() returns a failure.
 */
static inline void
hp_ordered_pass_relieve(const struct hp_batch *b, const struct hp_buf *out)
{
	if (HP_UNLIKELY(out->len > HP_INORDER_LEAST))
		hp_ordered_pass_write_ahead(b);
}

/**
 * hp_ordered_pass_run() - read @src from its first byte and write to @sink
 * @sink: NULL: write nothing (a pass that only counts)
 *
 * Returns: HP_OK; HP_DAMAGED with the first damage; a status of the
 *          transformation; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ordered_pass_run(struct hp_source *src, struct hp_sink *sink,
		    const struct hp_transform *transform, unsigned threads,
		    struct hp_error *err);

/**
 * hp_ordered_pass_blame() - look for damage as the cause of another failure
 * @src: read once more
 * @st: the failure, whose message is in @err
 *
 * If something is missing in a dump, the reason may be that the file is
 * truncated. If the dump is damaged, the message of the damage replaces the one
 * in @err.
 * Returns: @st
 */
enum hp_status hp_ordered_pass_blame(struct hp_source *src, enum hp_status st,
				     unsigned threads, struct hp_error *err);

#endif
