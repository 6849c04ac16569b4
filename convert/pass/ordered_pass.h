/*
 * ordered_pass.h - passes whose output has other bytes than the input: the
 * common part
 *
 * Workers turn batches into text or records in a buffer of the batch's own;
 * buffers are written in order. Damage ends the pass where it stands; what is
 * written before that depends neither on time nor on threads. What becomes of a
 * run is the transformation's.
 */
#ifndef HP_CONVERT_PASS_ORDERED_PASS_H
#define HP_CONVERT_PASS_ORDERED_PASS_H

#include "common/base/buf.h"
#include "common/format/pass.h"
#include "common/sink/sink.h"
#include "convert/pass/framing_error.h"

#include <pthread.h>

/* A transformation. Calls are on workers, one batch at a time each. */
struct hp_transform {
	enum hp_need need;
	/* NULL: nothing; on the reading thread, in file order */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/* the same, of what is wrong with the framing, or was repaired */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * A run, to be appended to @out. Sub-records: called once for each,
	 * with @sub; pieces of arrays and bytes: once a run, @sub NULL.
	 * NULL: the pass looks at framing and, in retired(), at whole batches.
	 */
	enum hp_status (*run)(void *ctx, const struct hp_batch *b,
			      const struct hp_run *r, const struct hp_sub *sub,
			      struct hp_buf *out, struct hp_error *err);
	/*
	 * Sub-records, all of a run at once, each to be handed to
	 * hp_framing_subrecord(); run() then has pieces and bytes alone. For
	 * loops that have to be fast. NULL: run() has them all.
	 */
	enum hp_status (*walk)(void *ctx, struct hp_framing *f,
			       const struct hp_batch *b, size_t run,
			       struct hp_error *err);
	/* Before and after the runs of a batch; or NULL. */
	void (*begin)(void *ctx, const struct hp_batch *b);
	void (*end)(void *ctx, const struct hp_batch *b, struct hp_buf *out);
	/*
	 * In order, before bytes of the batch are written, with the runs that
	 * are done with; with @relieves maybe several times. Or NULL.
	 */
	enum hp_status (*retired)(void *ctx, const struct hp_batch *b,
				  const struct hp_buf *out,
				  struct hp_error *err);
	/* instead of writing the bytes, in order; or NULL. It needs no sink */
	enum hp_status (*write)(void *ctx, const struct hp_batch *b,
				const struct hp_buf *out, struct hp_error *err);
	void *ctx;
	unsigned only_dump; /* others' heap records are passed over; 0: none */
	uint64_t memory;    /* for what tells damage; 0: no limit */
	bool relieves;	    /* hp_ordered_pass_relieve() writes what is too much
			       for a small part of @memory */
	bool framing_only;  /* see struct hp_framing */
	bool in_place;	    /* runs change the batch's own bytes */
	bool strips;	    /* a record of unknown contents is damage */
};

enum {
	/* what a buffer may hold in any case */
	HP_INORDER_LEAST = 64 << 10,
	HP_INORDER_MOST = 16 << 20,
};

/* For hp_ordered_pass_relieve(). */
void hp_ordered_pass_write_ahead(const struct hp_batch *b);

/*
 * To be called in run(), between any two small pieces of output: few bytes of
 * a dump can be very much text. What is in the batch's buffer is written once
 * the batches before it are, if it is too much to wait. A failure is told by
 * hp_ordered_pass_run().
 */
static inline void
hp_ordered_pass_relieve(const struct hp_batch *b, const struct hp_buf *out)
{
	if (HP_UNLIKELY(out->len > HP_INORDER_LEAST))
		hp_ordered_pass_write_ahead(b);
}

/**
 * hp_ordered_pass_run() - read @src from its first byte, write to @sink
 * @sink: NULL: nothing is written (a pass that only counts)
 *
 * Returns: HP_OK; HP_DAMAGED with what is wrong first; a status of the
 *          transformation; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ordered_pass_run(struct hp_source *src, struct hp_sink *sink,
		    const struct hp_transform *transform, unsigned threads,
		    struct hp_error *err);

/**
 * hp_ordered_pass_blame() - a dump is refused: is it damaged?
 * @src: read once more
 * @st:  the refusal, told in @err
 *
 * What is missed in a dump may be what was cut off, so damage is told instead.
 * Returns: @st
 */
enum hp_status hp_ordered_pass_blame(struct hp_source *src, enum hp_status st,
				     unsigned threads, struct hp_error *err);

#endif
