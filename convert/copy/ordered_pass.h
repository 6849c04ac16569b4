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
 * hprof-validate has rules for what is damage (common/model/rules.h). These
 * functions apply the same rules while a conversion writes output. Damage
 * inside a record or sub-record ends the pass at that record. Damage that only
 * the end of a dump reveals (wrong instance lengths, broken classes, a missing
 * end) ends the pass at the end.
 *
 * The thread that reads the dump is ahead of the parts ("batches") that are
 * being written. The damage that this thread finds is stored until the output
 * has reached the offset of the damage. How far the thread is ahead depends on
 * timing. To make the output independent of timing, only the damage that was
 * known when a batch was created can end the pass at this batch.
 *
 * The caller must make all calls under one lock, except the calls that are
 * marked for worker threads.
 */

struct hp_framing_worker {
	struct hp_instance_lengths lengths;
	struct hp_dialect_evidence evidence;
	/*
	 * memory that this thread uses for the damage checks, in bytes;
	 * hp_framing.held is the sum for all threads
	 */
	uint64_t noted;
};

/*
 * An entry of the list of known damage. The reading thread adds an entry
 * whenever it finds damage. The entry describes all damage that was found up to
 * this time.
 */
struct hp_framing_known {
	bool any;
	/*
	 * index of the first batch (part of the dump) that was created after
	 * this damage was found; only this batch or a later one may end the
	 * pass
	 */
	uint64_t from;
	/*
	 * copies of the members of struct hp_damage at the time when this entry
	 * was added. `sure`: damage was found. `surest`: the first damage.
	 */
	bool sure;
	struct hp_symptom surest;
	/*
	 * copies of hp_framing.unknown_at and hp_framing.unknown at the time
	 * when this entry was added. They describe the first record that cannot
	 * be stripped.
	 */
	uint64_t unknown_at;
	struct hp_error unknown;
};

struct hp_framing {
	unsigned id_size;
	unsigned dumps; /* number of heap dumps that have begun so far */
	bool problem;	/* the reading thread has found damage */
	/* the header was readable, so `tables` is initialised */
	bool readable;
	/*
	 * the reading thread is inside a heap dump, so `classes` is initialised
	 */
	bool in_dump;
	/*
	 * Only damage that prevents decoding ends the pass: an earlier pass has
	 * found the input valid, or the output repairs the other damage.
	 */
	bool framing_only;
	struct hp_damage damage;
	struct hp_heap_records heap_records;
	struct hp_dialect_evidence evidence;
	/*
	 * the strings and loaded classes, from which the program that wrote the
	 * file is recognised
	 */
	struct hp_tables tables;
	struct hp_classes classes;
	struct hp_framing_worker *workers;
	unsigned nworkers;
	/* limit for the memory of the damage checks, in bytes; 0: no limit */
	uint64_t memory;
	/* memory that the damage checks of all threads use, in bytes */
	_Atomic uint64_t held;
	/*
	 * For a strip: offset of the first record with an unknown tag, whose
	 * values cannot be removed. UINT64_MAX: there is none.
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
 * Store damage that the reading thread has found. The reading thread must call
 * this function and the next ones, up to hp_framing_unknown_payload(), in file
 * order.
 */
void hp_framing_problem(struct hp_framing *f, const struct hp_problem *p);
/* Handle the file header. Returns as hp_framing_readable(). */
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
 * For passes that remove values: remember @rec if its tag is unknown. The pass
 * must refuse the file, because it cannot know which bytes of the record are
 * values.
 */
void hp_framing_unknown_payload(struct hp_framing *f,
				const struct hp_record *rec);
/*
 * Returns the first damage of the compression or container of @src. Its status
 * is HP_OK if there is none. Call this at the end of the input.
 */
struct hp_error hp_framing_container(struct hp_source *src);
/*
 * Return HP_DAMAGED if hp_framing_container() finds damage. The message also
 * contains advice for the user. Otherwise return HP_OK.
 */
HP_MUST_USE enum hp_status hp_framing_compression(struct hp_source *src,
						  struct hp_error *err);

/*
 * Record which damage was known when the batch @b (part of the dump) was
 * created. The reading thread calls this for each batch, in file order.
 */
void hp_framing_cut(struct hp_framing *f, const struct hp_batch *b);
/*
 * Returns HP_DAMAGED if the reading thread had already found damage before the
 * end of @b when the batch @b was created; otherwise HP_OK.
 */
HP_MUST_USE enum hp_status hp_framing_until(const struct hp_framing *f,
					    const struct hp_batch *b,
					    struct hp_error *err);
/*
 * Call this after hp_framing_until() has returned HP_DAMAGED, to improve the
 * message in @err. If the file only seems to be truncated, because its
 * compression is damaged, the new message reports the damaged compression.
 * Returns HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_framing_cause(const struct hp_framing *f,
					    struct hp_source *src,
					    struct hp_error *err);
/*
 * Evaluate what the damage checks have found in the batch @b (part of the
 * dump). Call this in file order, after the batch was written. Returns HP_OK,
 * HP_NOMEM, or HP_LIMIT if the checks need too much memory.
 */
HP_MUST_USE enum hp_status hp_framing_retired(struct hp_framing *f,
					      const struct hp_batch *b,
					      struct hp_error *err);
/*
 * Check for damage that only the end of the input reveals. Call this at the end
 * of the input. Returns HP_OK, or HP_DAMAGED with the first damage of the
 * input.
 */
HP_MUST_USE enum hp_status hp_framing_end(struct hp_framing *f,
					  struct hp_source *src,
					  struct hp_error *err);

/* ---- called by worker threads, without the lock ---- */

/*
 * The slow case of hp_framing_subrecord(). The fast cases are a valid array,
 * and an instance that is as long as an earlier instance of its class.
 */
HP_MUST_USE enum hp_status hp_framing_odd_sub(struct hp_framing *f,
					      const struct hp_batch *b,
					      const struct hp_run *r,
					      const struct hp_sub *s,
					      struct hp_error *err);

/**
 * hp_framing_subrecord() - check a sub-record
 * @s: the sub-record, or the fixed fields of a very long array, whose elements
 *     arrive in pieces
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
 * Find out why hp_heap_next() has returned false. Returns HP_OK at the end of
 * the sub-records, HP_DAMAGED, or HP_TRUNCATED if the input ends inside a
 * sub-record. If it is HP_TRUNCATED, the reading thread will report the
 * details.
 */
HP_MUST_USE enum hp_status hp_framing_stop(const struct hp_heap_iter *it,
					   struct hp_error *err);

/*
 * Call this after a worker thread has finished the batch @b (part of the dump).
 * Updates the memory in use.
 */
void hp_framing_worked(struct hp_framing *f, const struct hp_batch *b);

/*
 * ----------------------------------------------------------------------
 * Run a pass whose output bytes differ from the input
 *
 * Worker threads convert the batches (parts) of the input. The output of each
 * batch is collected in a buffer of its own, and the buffers are written in
 * file order. Damage ends the pass at the offset of the damage. So the output
 * depends neither on timing nor on the number of threads. The callbacks in a
 * struct hp_transform convert the input.
 */

/*
 * The functions of a conversion. Unless noted otherwise, several threads call
 * them, each for one batch (part of the dump) at a time.
 */
struct hp_transform {
	enum hp_need need;
	/*
	 * Called with the file header, on the reading thread. NULL: not needed.
	 */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Called on the reading thread for damage, and for a wrong length that
	 * the thread has corrected. NULL: not needed.
	 */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * Convert a run and append the result to @out. A run is a range of
	 * bytes of one kind in a batch: sub-records, a piece of a very long
	 * array, or other bytes.
	 * For a run of sub-records the function is called once for each
	 * sub-record, with @sub. For all other runs it is called once, with
	 * NULL as @sub. NULL: the pass only checks the structure, and may use
	 * whole batches in retired().
	 */
	enum hp_status (*run)(void *ctx, const struct hp_batch *b,
			      const struct hp_run *r, const struct hp_sub *sub,
			      struct hp_buf *out, struct hp_error *err);
	/*
	 * Convert all sub-records of a run in one call, for loops that must be
	 * fast. The function must pass each sub-record to
	 * hp_framing_subrecord(). Then run() is called only for pieces of
	 * arrays and other bytes. NULL: run() is called for everything.
	 */
	enum hp_status (*walk)(void *ctx, struct hp_framing *f,
			       const struct hp_batch *b, size_t run,
			       struct hp_error *err);
	/*
	 * Called before the first run (range of bytes) of a batch is converted,
	 * and after its last run. NULL: not needed.
	 */
	void (*begin)(void *ctx, const struct hp_batch *b);
	void (*end)(void *ctx, const struct hp_batch *b, struct hp_buf *out);
	/*
	 * Called in file order before the output of a batch is written, with
	 * the number of runs that were converted. If `relieves` is true, this
	 * function may be called several times for a batch. NULL: not needed.
	 */
	enum hp_status (*retired)(void *ctx, const struct hp_batch *b,
				  const struct hp_buf *out,
				  struct hp_error *err);
	/*
	 * Called in file order to write the output of a batch, for example to
	 * several files. The sink may then be NULL. If this member is NULL, the
	 * output is written to the sink.
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
	 * hp_ordered_pass_relieve() may write a buffer before its batch is
	 * complete, if the buffer exceeds a small share of `memory`
	 */
	bool relieves;
	/*
	 * only damage that prevents decoding ends the pass; other damage, which
	 * hprof-validate would report, is ignored
	 */
	bool framing_only;
	/* the callbacks change the bytes of the dump in memory */
	bool in_place;
	/*
	 * a record with an unknown tag counts as damage, because its values
	 * cannot be removed
	 */
	bool strips;
};

enum {
	/*
	 * A buffer with more bytes than a limit is written early.
	 * HP_INORDER_LEAST is the smallest possible limit, HP_INORDER_MOST the
	 * largest.
	 */
	HP_INORDER_LEAST = 64 << 10,
	HP_INORDER_MOST = 16 << 20,
};

/*
 * The slow case of hp_ordered_pass_relieve(): write the buffer of the batch @b
 * now.
 */
void hp_ordered_pass_write_ahead(const struct hp_batch *b);

/*
 * Call this in run() after each small piece of output, because a few bytes of a
 * dump can become very much text. If the buffer of the batch is too large, this
 * function waits until the earlier batches are written, and then writes the
 * buffer. If writing fails, hp_ordered_pass_run() will return the error.
 */
static inline void
hp_ordered_pass_relieve(const struct hp_batch *b, const struct hp_buf *out)
{
	if (HP_UNLIKELY(out->len > HP_INORDER_LEAST))
		hp_ordered_pass_write_ahead(b);
}

/**
 * hp_ordered_pass_run() - read @src from its first byte and write to @sink
 * @sink: NULL: write nothing, for a pass that only counts
 *
 * Returns: HP_OK; HP_DAMAGED with the first damage; a status that a callback of
 *          the transformation has returned; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ordered_pass_run(struct hp_source *src, struct hp_sink *sink,
		    const struct hp_transform *transform, unsigned threads,
		    struct hp_error *err);

/**
 * hp_ordered_pass_blame() - look for damage as the cause of another error
 * @src: the input, which is read once more
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
