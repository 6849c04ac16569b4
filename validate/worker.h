/*
 * worker.h - what one worker of hprof-validate gathers from heap batches
 *
 * Nothing here is shared between threads. Workers are merged at the end of
 * each dump, in whatever order, by hp_worker_merge().
 */
#ifndef HP_VALIDATE_WORKER_H
#define HP_VALIDATE_WORKER_H

#include "common/base/vec.h"
#include "common/format/heap.h"
#include "common/model/dialect.h"
#include "common/ids/id_map.h"
#include "validate/finding.h"

/* A root, or HEAP DUMP INFO, compactly. */
struct hp_root {
	uint64_t id;
	uint64_t extra; /* JNI GLOBAL: the reference; else thread << 32 | third
			   field; HEAP DUMP INFO: the heap id */
	uint64_t offset;
	uint64_t record;
	uint8_t tag;
};

/* The kinds of Android heaps: default, app, zygote, image, other. */
enum { HP_HEAP_OTHER = 4, HP_HEAP_KINDS };

struct hp_first_seen { /* how often, and where first */
	uint64_t count, offset, record;
};

/* Objects and classes by trace serial. */
struct hp_seen_traces {
	struct hp_id_map by_serial; /* index + 1 into the list */
	struct hp_first_seen *list;
	size_t count, cap;
};

struct hp_worker {
	struct hp_findings findings;
	struct hp_vec roots; /* struct hp_root */
	struct hp_dialect_evidence
		evidence; /* whole sub-records by tag, and more */
	uint64_t arrays, empty_arrays;
	struct hp_first_seen
		types[HP_TYPE_END]; /* arrays of primitives by type */
	struct hp_first_seen heaps[HP_HEAP_KINDS]; /* objects by heap */
	struct hp_seen_traces traces;
	uint64_t last_trace; /* 1 + the serial whose entry last_first is */
	struct hp_first_seen *last_first;
	/* bytes of the classes that it met, and their use: references.c's */
	uint64_t class_bytes;
	/* of both, while a table grows; refused: it would be more */
	uint64_t most;
	bool refused;
};

/* A zeroed worker is fine but for its findings. */
void hp_worker_init(struct hp_worker *w, size_t max_examples, bool located);
void hp_worker_release(struct hp_worker *w);

/* Say that --memory does not allow what workers gather. Returns: HP_LIMIT. */
enum hp_status hp_worker_refuse(struct hp_error *err);

/*
 * May it take @bytes more than hp_worker_bytes() and class_bytes? If not, it is
 * refused from then on.
 */
bool hp_worker_may_take(struct hp_worker *w, uint64_t bytes);

/**
 * hp_worker_root_or_heap() - take a sub-record that is no class, instance or
 * array
 *
 * Counts it, too.
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: it is refused.
 */
HP_MUST_USE enum hp_status
hp_worker_root_or_heap(struct hp_worker *w, const struct hp_sub *s,
		       uint64_t record, unsigned id_size, struct hp_error *err);

/* Note one more at @offset; a worker meets them in the order of the dump. */
static inline void
hp_note_first(struct hp_first_seen *f, uint64_t offset, uint64_t record)
{
	if (HP_UNLIKELY(f->count++ == 0)) {
		f->offset = offset;
		f->record = record;
	}
}

/* Add what another worker met, or an earlier part of the dump. */
void hp_first_merge(struct hp_first_seen *into,
		    const struct hp_first_seen *from);

/* For hp_worker_trace(): a serial other than the last one. HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_worker_trace_slow(struct hp_worker *w,
						uint32_t serial,
						uint64_t offset,
						uint64_t record);

/* An object or class names a trace serial. */
static inline HP_MUST_USE enum hp_status
hp_worker_trace(struct hp_worker *w, uint32_t serial, uint64_t offset,
		uint64_t record)
{
	if (HP_LIKELY(w->last_trace == serial + 1ull)) {
		w->last_first->count++;
		return HP_OK;
	}
	return hp_worker_trace_slow(w, serial, offset, record);
}

/* Which of the kinds a heap id is. */
unsigned hp_heap_kind(uint32_t heap);

/**
 * hp_worker_merge() - add what @from gathered; findings and roots, too
 *
 * @from is empty afterwards but for its memory.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_worker_merge(struct hp_worker *into,
					   struct hp_worker *from,
					   struct hp_error *err);

/* Bytes that it has taken for roots, traces and findings. */
uint64_t hp_worker_bytes(const struct hp_worker *w);

/* Forget what belongs to one dump (all but findings and subs). */
void hp_worker_reset(struct hp_worker *w);

#endif
