/*
 * ordered_pass.h - convert a dump with several threads, write the results in
 * file order, and report damage in file order
 */
#ifndef HP_CONVERT_PASS_ORDERED_PASS_H
#define HP_CONVERT_PASS_ORDERED_PASS_H

#include "common/base/buf.h"
#include "common/format/scan.h"
#include "common/model/dialect.h"
#include "common/model/rules.h"
#include "common/sink/sink.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * ----------------------------------------------------------------------
 * Decide whether damage in the input ends a conversion
 *
 * This applies the rules of common/model/rules.h to passes that write output.
 * Damage inside a record or sub-record ends the pass there. Damage that only
 * the end of a dump reveals (wrong instance lengths, broken classes, a missing
 * end) ends the pass at the end.
 *
 * The thread that reads the dump is ahead of the parts ("batches") that are
 * being written. The damage that it finds is kept until the output has reached
 * that offset. How far ahead it is depends on timing. What it knew when a
 * certain batch was created does not, so the output is always the same.
 *
 * The caller must make all calls under one lock, except the calls for workers.
 */

struct hp_framing_worker {
	struct hp_instance_lengths lengths;
	struct hp_dialect_evidence evidence;
	/* bytes of this thread that hp_framing.held already includes */
	uint64_t noted;
};

/* What the reading thread knew when it created the first batch after damage. */
struct hp_framing_known {
	bool any;
	/* index of that batch; this batch or a later one may end the pass */
	uint64_t from;
	/*
	 * the state of the damage detection at that time; the members have the
	 * meaning of those of struct hp_damage
	 */
	bool sure;
	struct hp_symptom surest;
	/*
	 * offset of the first record that cannot be stripped, as in struct
	 * hp_framing
	 */
	uint64_t unknown_at;
	struct hp_error unknown;
};

struct hp_framing {
	unsigned id_size;
	unsigned dumps; /* number of dumps that have begun */
	bool problem;	/* the reader has reported damage */
	bool readable;	/* the header was readable, so @tables is initialised */
	bool in_dump;	/* inside a dump, so @classes is initialised */
	/*
	 * Only damage that prevents decoding ends the pass. Set if an earlier
	 * pass found the input valid, or if the output repairs the damage.
	 */
	bool framing_only;
	struct hp_damage damage;
	struct hp_heap_records heap_records;
	struct hp_dialect_evidence evidence;
	/* strings and loaded classes, to detect which program wrote the file */
	struct hp_tables tables;
	struct hp_classes classes;
	struct hp_framing_worker *workers;
	unsigned nworkers;
	uint64_t memory;       /* limit for the memory, in bytes; 0: no limit */
	_Atomic uint64_t held; /* bytes in use by all workers */
	/*
	 * offset of the first record whose values cannot be removed, because
	 * its contents are not known; UINT64_MAX: there is none
	 */
	uint64_t unknown_at;
	struct hp_error unknown;
	struct hp_framing_known known;
};

/* Returns HP_OK or HP_NOMEM. Call hp_framing_release() in any case. */
HP_MUST_USE enum hp_status hp_framing_init(struct hp_framing *f,
					   unsigned threads, uint64_t memory,
					   struct hp_error *err);
void hp_framing_release(struct hp_framing *f);

/*
 * Check whether @h is the header of a dump that can be read. Returns HP_OK or
 * HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_framing_readable(const struct hp_header *h,
					       struct hp_error *err);

/*
 * The following functions record what the thread that reads finds, in file
 * order.
 */
void hp_framing_problem(struct hp_framing *f, const struct hp_problem *p);
/* Returns as hp_framing_readable(). */
HP_MUST_USE enum hp_status hp_framing_header(struct hp_framing *f,
					     const struct hp_header *h,
					     struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_record(struct hp_framing *f,
					     const struct hp_record *rec,
					     struct hp_cursor body,
					     struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_dump_begin(struct hp_framing *f,
						 struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_dump_end(struct hp_framing *f,
					       struct hp_error *err);
/*
 * For passes that remove values: remember @rec if its contents are not known.
 * It is then unknown which of its bytes are values, so the file must be
 * refused.
 */
void hp_framing_unknown_payload(struct hp_framing *f,
				const struct hp_record *rec);
/*
 * Returns the first damage of the compression or container of @src, with the
 * status HP_OK if there is none. Call this at the end of the input.
 */
struct hp_error hp_framing_container(struct hp_source *src);
/*
 * Fail with the damage of hp_framing_container(), and add advice to the
 * message. Returns HP_OK or HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_framing_compression(struct hp_source *src,
						  struct hp_error *err);

/*
 * Called when the thread that reads has created the batch @b, for all batches
 * in order.
 */
void hp_framing_cut(struct hp_framing *f, const struct hp_batch *b);
/*
 * Whether damage before the end of the batch was known when the batch was
 * created. Returns HP_DAMAGED if so, otherwise HP_OK.
 */
HP_MUST_USE enum hp_status hp_framing_until(const struct hp_framing *f,
					    const struct hp_batch *b,
					    struct hp_error *err);
/*
 * Call this when hp_framing_until() has ended the pass. If the file only seems
 * to be truncated because its compression is damaged, the message in @err
 * changes to the damage of the compression. Returns HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_framing_cause(const struct hp_framing *f,
					    struct hp_source *src,
					    struct hp_error *err);
/*
 * Called when the batch @b was written, in order. Returns HP_OK, HP_NOMEM or
 * HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_framing_retired(struct hp_framing *f,
					      const struct hp_batch *b,
					      struct hp_error *err);
/*
 * Called when the input has ended. Returns HP_OK, or HP_DAMAGED with the first
 * damage.
 */
HP_MUST_USE enum hp_status hp_framing_end(struct hp_framing *f,
					  struct hp_source *src,
					  struct hp_error *err);

/* ---- called by workers, without the lock ---- */

/*
 * The slow case of hp_framing_subrecord(). The fast case is a valid array, or
 * an instance of a class and length that were seen before.
 */
HP_MUST_USE enum hp_status hp_framing_odd_sub(struct hp_framing *f,
					      const struct hp_batch *b,
					      const struct hp_run *r,
					      const struct hp_sub *s,
					      struct hp_error *err);

/**
 * hp_framing_subrecord() - check a sub-record
 * @s: the sub-record, or the fixed fields of an array that comes in pieces
 *
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
static inline HP_MUST_USE enum hp_status
hp_framing_subrecord(struct hp_framing *f, const struct hp_batch *b,
		     const struct hp_run *r, const struct hp_sub *s,
		     struct hp_error *err)
{
	struct hp_framing_worker *w = &f->workers[b->worker];

	if (HP_LIKELY(s->tag == HP_SUB_INSTANCE_DUMP && s->id != 0 && s->data &&
		      hp_instance_length_known(&w->lengths, s)))
		return HP_OK;
	if (HP_LIKELY((s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
		       s->tag == HP_SUB_OBJECT_ARRAY_DUMP) &&
		      s->id != 0 && s->data && s->count <= INT32_MAX)) {
		w->evidence.subs[s->tag]++;
		return HP_OK;
	}
	return hp_framing_odd_sub(f, b, r, s, err);
}

/*
 * Call this when hp_heap_next() has returned false. Returns HP_OK at the end of
 * the sub-records, HP_DAMAGED, or HP_TRUNCATED if the input ends inside a
 * sub-record. In the last case the reader reports the details, perhaps later.
 */
HP_MUST_USE enum hp_status hp_framing_stop(const struct hp_heap_iter *it,
					   struct hp_error *err);

/* Called when the thread has finished the batch: updates the memory in use. */
void hp_framing_worked(struct hp_framing *f, const struct hp_batch *b);

/* ----------------------------------------------------------------------
 * Run a pass whose output bytes differ from the input
 *
 * Worker threads turn each batch of the input into output in a buffer of the
 * batch. The buffers are written in file order. Damage ends the pass at its
 * place in the file, so the output before it depends neither on timing nor on
 * the number of threads. A struct hp_transform says what becomes of the input.
 */

/*
 * What a conversion does with the parts of a dump. Unless noted, several
 * threads call its functions, each with one batch at a time.
 */
struct hp_transform {
	enum hp_need need;
	/* Called with the header by the thread that reads. NULL: not needed. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Called by the thread that reads for damage, or for a wrong length
	 * that it has corrected. NULL: not needed.
	 */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * Convert a range of bytes ("run") and append the result to @out. For
	 * sub-records it is called once for each of them, with @sub. For pieces
	 * of arrays and for other bytes it is called once for each run, with
	 * NULL as @sub. NULL: the pass only checks the structure, and may use
	 * whole batches in retired().
	 */
	enum hp_status (*run)(void *ctx, const struct hp_batch *b,
			      const struct hp_run *r, const struct hp_sub *sub,
			      struct hp_buf *out, struct hp_error *err);
	/*
	 * Convert all sub-records of a run at once, for loops that must be
	 * fast. It has to pass each sub-record to hp_framing_subrecord(). Then
	 * run() gets only pieces of arrays and other bytes. NULL: run() gets
	 * everything.
	 */
	enum hp_status (*walk)(void *ctx, struct hp_framing *f,
			       const struct hp_batch *b, size_t run,
			       struct hp_error *err);
	/*
	 * Called before the first run (range) of a batch, and after its last
	 * one. NULL: not needed.
	 */
	void (*begin)(void *ctx, const struct hp_batch *b);
	void (*end)(void *ctx, const struct hp_batch *b, struct hp_buf *out);
	/*
	 * Called in file order before the bytes of a batch are written, with
	 * the number of finished runs (ranges). With @relieves it may be called
	 * several times for a batch. NULL: not needed.
	 */
	enum hp_status (*retired)(void *ctx, const struct hp_batch *b,
				  const struct hp_buf *out,
				  struct hp_error *err);
	/*
	 * Called in file order instead of writing the bytes to the sink, which
	 * may then be NULL. NULL: not needed.
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
	 * let hp_ordered_pass_relieve() write a buffer early, if the buffer
	 * exceeds a small part of @memory
	 */
	bool relieves;
	/* report only damage that prevents decoding, see struct hp_framing */
	bool framing_only;
	/* the functions change the bytes of the dump in memory */
	bool in_place;
	bool strips; /* treat a record with unknown contents as damage */
};

enum {
	/*
	 * lower and upper limit of the size at which a buffer is written early,
	 * in bytes
	 */
	HP_INORDER_LEAST = 64 << 10,
	HP_INORDER_MOST = 16 << 20,
};

/* The slow case of hp_ordered_pass_relieve(). */
void hp_ordered_pass_write_ahead(const struct hp_batch *b);

/*
 * Call this in run() between any two small pieces of output, because a few
 * bytes of a dump can become very much text. If the buffer of the batch is too
 * large, it waits for the batches before, and writes the buffer.
 * hp_ordered_pass_run() returns an error.
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
 * hp_ordered_pass_blame() - look for damage as the cause of another error
 * @src: read once more
 * @st: the error, whose message is in @err
 *
 * If something is missing in a dump, the reason may be that the file is
 * truncated. If the dump is damaged, the message about the damage replaces the
 * one in @err.
 * Returns: @st
 */
enum hp_status hp_ordered_pass_blame(struct hp_source *src, enum hp_status st,
				     unsigned threads, struct hp_error *err);

#endif
