/*
 * internal.h - how hp_scan() divides heap records into batches (parts that one
 * worker thread handles), and queues and stores the batches
 */
#ifndef HP_FORMAT_INTERNAL_H
#define HP_FORMAT_INTERNAL_H

#include "common/format/reader.h"
#include "common/format/scan.h"

#include <pthread.h>
#include <stdlib.h>

/*
 * ----------------------------------------------------------------------
 * The queue of batches from the cutting thread to the workers
 *
 * Private to hp_scan(). A batch is a part of the dump that one thread handles.
 * The queue is a ring of slots; a slot contains one batch. The cutting thread
 * reads the dump, divides it into batches and fills the slots. Workers take the
 * slots in order. A batch is retired when it and all earlier batches are done:
 * the thread that finishes the oldest batch calls retired() of the pass for all
 * completed batches in order.
 */

struct hp_slot {
	struct hp_batch b;
	/*
	 * The bytes of the batch are not in memory yet. The worker that takes
	 * the batch reads b.length bytes at the offset b.offset.
	 */
	bool load;
	/*
	 * The mapped part of the file into which b.data points. NULL: b.data
	 * does not point into a mapped part.
	 */
	struct hp_window *window;
	/*
	 * The buffer of decompressed bytes into which b.data points. NULL:
	 * b.data does not point into such a buffer.
	 */
	struct hp_buffer *held;
	/*
	 * memory that belongs to the slot; b.data points to it, unless b.data
	 * points into `window` or `held`
	 */
	uint8_t *own;
	/*
	 * The memory in bytes that the batch needs: its bytes, plus the size of
	 * the list of its runs (ranges of bytes).
	 */
	uint64_t weight;
	bool done;
};

struct hp_queue {
	struct hp_source *src;
	const struct hp_pass *pass;
	pthread_mutex_t lock;
	pthread_cond_t changed_free; /* signals that a slot was retired */
	/* signals that a slot was submitted, or that the queue stops */
	pthread_cond_t changed_ready;
	struct hp_slot *slots;
	size_t nslots;
	/*
	 * Counters of slots. `filled`: filled by the cutting thread. `taken`:
	 * taken by a worker. `retired`: the batch in the slot and all earlier
	 * batches are done. retired <= taken <= filled.
	 */
	uint64_t filled, taken, retired;
	/*
	 * A thread is calling retired() of the pass. Only one thread at a time
	 * may do this.
	 */
	bool retiring;
	bool closing;
	/*
	 * the first error of handling a batch, or of a callback; HP_OK: none so
	 * far
	 */
	enum hp_status status;
	struct hp_error error;
	pthread_t *threads;
	unsigned nthreads; /* number of threads that were started */
	unsigned threads_most;
	unsigned idle; /* number of threads that wait for a batch */
	/*
	 * The cutting thread also handles batches, as the worker with the
	 * number `threads_most`.
	 */
	bool cutter_works;
	/*
	 * Stores a batch that was postponed and will be handled a second time.
	 * Called by the thread that retires the batch.
	 */
	enum hp_status (*defer)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	void *defer_ctx;
};

HP_MUST_USE enum hp_status hp_queue_open(struct hp_queue *q,
					 struct hp_source *src,
					 const struct hp_pass *pass,
					 unsigned threads,
					 struct hp_error *err);
/* Wait for the threads to end, and free everything. */
void hp_queue_close(struct hp_queue *q);

/*
 * Wait for a free slot and return it, with an empty batch. Further calls return
 * the same slot until hp_queue_submit() is called. Returns NULL after a
 * failure.
 */
struct hp_slot *hp_queue_slot(struct hp_queue *q);
/*
 * Put the slot that hp_queue_slot() returned last into the queue. Threads are
 * started only when there is work for them, so a dump of one batch needs none.
 */
void hp_queue_submit(struct hp_queue *q);
/*
 * Wait until all submitted batches are done and retired() was called for them.
 * Returns the status of the first failure, or HP_OK.
 */
HP_MUST_USE enum hp_status hp_queue_drain(struct hp_queue *q,
					  struct hp_error *err);

/*
 * Make room for @n bytes of data in the batch. The bytes that the batch already
 * has are kept. Returns false if out of memory.
 */
HP_MUST_USE bool hp_batch_reserve(struct hp_batch *b, size_t n);
/*
 * If the bytes of the batch are in a buffer of decompressed bytes, copy them to
 * memory of the slot. Bytes between the runs (ranges of bytes) are left out.
 * Returns false if out of memory; then nothing has changed.
 */
HP_MUST_USE bool hp_slot_settle(struct hp_slot *slot);
/*
 * Release the mapped part of the file, or the buffer, that contains the bytes
 * of the batch.
 */
void hp_slot_clear(struct hp_slot *slot);
/*
 * Append a run (range of bytes of the dump), whose members are all zero, to the
 * batch. Returns NULL if out of memory.
 */
struct hp_run *hp_batch_run(struct hp_batch *b);

/*
 * ----------------------------------------------------------------------
 * Storage for batches that are postponed until all classes of a dump are known
 *
 * Private to the scan. Some batches contain instances whose class is not known
 * yet. Such batches are stored and handled a second time. If the source is
 * seekable, only the offsets are stored, and the bytes are read again.
 * Otherwise the bytes are kept in memory and, above a limit, in an unnamed
 * temporary file.
 */

struct hp_deferred;

struct hp_spill {
	bool seekable;
	/*
	 * maximum number of bytes of postponed batches that may be kept in
	 * memory
	 */
	uint64_t memory;
	const char *dir;
	struct hp_deferred *list;
	size_t count, cap;
	/* number of bytes of postponed batches that are now in memory */
	uint64_t held;
	/* descriptor of the temporary file; -1: the file was not created yet */
	int fd;
	uint64_t file_size;
};

void hp_spill_init(struct hp_spill *s, bool seekable, uint64_t memory,
		   const char *dir);
void hp_spill_release(struct hp_spill *s);

/*
 * Store a batch that will be handled a second time: its list of runs (ranges of
 * bytes) and, if the source is not seekable, its bytes.
 */
HP_MUST_USE enum hp_status hp_spill_add(void *spill, struct hp_batch *b,
					struct hp_error *err);

/*
 * Put all stored batches into the queue again, in order, wait until they are
 * done, and remove them from the store.
 */
HP_MUST_USE enum hp_status
hp_spill_replay(struct hp_spill *s, struct hp_queue *q, struct hp_error *err);

/* ----------------------------------------------------------------------
 * The state of the thread that cuts a dump into batches, shared by scan.c,
 * long_record.c and cutter.c
 */

/*
 * The cutting thread ends a batch when the batch, with its bytes and its list
 * of runs (ranges of bytes), has this number of bytes.
 */
enum { HP_BATCH_TARGET = 768 << 10 };

struct hp_cutter {
	const struct hp_pass *pass;
	struct hp_reader *reader;
	struct hp_queue queue;
	struct hp_spill spill;
	struct hp_record *rec; /* the current record */
	/* the slot of the queue that is being filled; NULL: there is none */
	struct hp_slot *slot;
	uint64_t next_index;
	/*
	 * The end of the last run (range of bytes) of the slot, as an offset in
	 * the dump.
	 */
	uint64_t run_end;
	/*
	 * number of the dump that is being read (has begun and not ended); 0:
	 * none
	 */
	unsigned dump;
	unsigned only_dump;
	/*
	 * stop reading the file when the dump with the number `only_dump` ends
	 */
	bool then_end;
	unsigned id_size;
	bool seekable;
	/*
	 * uncompressed size of the source in bytes; UINT64_MAX if it is not
	 * known. It is known for a seekable source, and for other sources after
	 * a pass to their end.
	 */
	uint64_t size;
	/* a buffer for reading; only its member `data` is used */
	struct hp_batch scratch;
};

/*
 * Make sure that c->slot is a slot of the queue that can be filled. Returns
 * HP_OK or the first error of the queue.
 */
HP_MUST_USE enum hp_status hp_cutter_slot(struct hp_cutter *c,
					  struct hp_error *err);
/* Submit the batch in c->slot to the queue, unless the batch is empty. */
void hp_cutter_submit(struct hp_cutter *c);
/*
 * Append a run (range of bytes of the dump) to the batch in c->slot. If
 * hp_cutter_data_is_stable() returns true, the bytes of the run are in the
 * batch's data at the index (@offset - first offset of the batch). Otherwise
 * they come directly after those of the previous run. Returns NULL if out of
 * memory.
 */
struct hp_run *hp_cutter_run(struct hp_cutter *c, enum hp_run_kind kind,
			     uint64_t offset, uint64_t length, uint64_t limit);
/*
 * Whether the pass needs every byte of the file, also bytes outside heap
 * records (HP_NEED_EVERYTHING).
 */
static inline bool
hp_cutter_wants_all_bytes(const struct hp_cutter *c)
{
	return c->pass->need == HP_NEED_EVERYTHING;
}

/*
 * Whether the batch uses its bytes without a copy: in the mapped file or in a
 * buffer of decompressed bytes. Otherwise they are copied to memory of the slot
 * (struct hp_slot, which holds one batch).
 */
static inline bool
hp_cutter_data_is_stable(const struct hp_cutter *c)
{
	return c->seekable || c->slot->held;
}

/*
 * Get a slot of the queue for a range of @n bytes at @offset. Afterwards,
 * hp_cutter_data_is_stable() says whether the bytes must be copied.
 */
HP_MUST_USE enum hp_status hp_cutter_get_slot_for(struct hp_cutter *c,
						  uint64_t offset, uint64_t n,
						  struct hp_error *err);
/*
 * If the bytes of the batch must be copied to memory of the slot, make room for
 * them. Returns false if out of memory.
 */
HP_MUST_USE bool hp_cutter_grow_data(struct hp_cutter *c);
/*
 * Add the next @n bytes of the dump, which are at @data, to the current batch,
 * as a run (range of bytes) of kind HP_RUN_BYTES.
 */
HP_MUST_USE enum hp_status
hp_cutter_add_bytes(struct hp_cutter *c, uint64_t offset, const void *data,
		    size_t n, bool record_start, struct hp_error *err);
/*
 * Finish the current record: with HP_NEED_EVERYTHING, add the rest of its bytes
 * to the batch; otherwise skip them.
 */
HP_MUST_USE enum hp_status hp_cutter_rest(struct hp_cutter *c,
					  struct hp_error *err);

/* ----------------------------------------------------------------------
 * A buffer for the bytes of a long sub-record, until it is known that the
 * input contains all of it
 *
 * Private to long_record.c. The bytes are in memory and, after the first
 * HP_HOLD_MEMORY bytes, in an unnamed temporary file.
 */

/* maximum number of bytes that a struct hp_hold keeps in memory */
enum { HP_HOLD_MEMORY = 16 << 20 };

struct hp_hold {
	uint8_t *data; /* the bytes of the buffer that are in memory */
	size_t have, cap;
	/* number of bytes of the buffer: in memory and in the file together */
	uint64_t total;
	/* number of bytes that hp_hold_read() has returned so far */
	uint64_t taken;
	const char *dir;
	/* descriptor of the temporary file; used only if total > have */
	int fd;
};

/*
 * Initialise an empty buffer. @dir: the folder for the temporary file, see
 * hp_anon_file_open().
 */
void hp_hold_init(struct hp_hold *h, const char *dir);
void hp_hold_release(struct hp_hold *h);

/**
 * hp_hold_fill() - read the next @n bytes of the current record's body into the
 *                  empty buffer
 * @h: must be empty: hp_hold_left() is 0
 *
 * Returns: HP_OK, also with fewer bytes if the record or the input ends (check
 *          hp_hold_left()); HP_IO; HP_NOMEM; or the failures of
 *          hp_reader_read().
 */
HP_MUST_USE enum hp_status hp_hold_fill(struct hp_hold *h, struct hp_reader *r,
					uint64_t n, struct hp_error *err);

/* Returns how many bytes in the buffer hp_hold_read() has not returned yet. */
static inline uint64_t
hp_hold_left(const struct hp_hold *h)
{
	return h->total - h->taken;
}

/*
 * Read the next @n bytes from the buffer, or fewer if hp_hold_left() is less.
 * *@got receives the number of bytes read. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_hold_read(struct hp_hold *h, uint8_t *buf,
					size_t n, size_t *got,
					struct hp_error *err);

/* ----------------------------------------------------------------------
 * Cut a heap record that is too long for one batch
 */

/* Divide the current heap record, which is long, into batches. */
HP_MUST_USE enum hp_status hp_cutter_walk_record(struct hp_cutter *c,
						 struct hp_error *err);

#endif
