/*
 * worker.h - the state of one worker of hprof-validate
 *
 * A worker processes batches of the heap on its own thread; nothing here is
 * shared between threads. hp_worker_merge() merges the workers at the end of
 * each dump. The result does not depend on the order.
 */
#ifndef HP_VALIDATE_WORKER_H
#define HP_VALIDATE_WORKER_H

#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/format/heap.h"
#include "common/model/dialect.h"
#include "common/object_ids/id_map.h"
#include "validate/finding.h"

/* A root or a HEAP DUMP INFO, in a compact form. */
struct hp_root {
	uint64_t id;
	/*
	 * JNI GLOBAL: the id of the JNI reference. HEAP DUMP INFO: the heap id.
	 * Other roots: thread serial << 32 | third field.
	 */
	uint64_t extra;
	uint64_t offset;
	uint64_t record;
	uint8_t tag;
};

/* The kinds of Android heaps: default, app, zygote, image, other. */
enum { HP_HEAP_OTHER = 4, HP_HEAP_KINDS };

/* number of objects, and the place of the first of them */
struct hp_first_seen {
	uint64_t count, offset, record;
};

/* Number of objects and classes for each serial number of a stack trace. */
struct hp_seen_traces {
	/* maps a serial number to 1 + its index in the member list */
	struct hp_id_map by_serial;
	struct hp_first_seen *list;
	size_t count, cap;
};

struct hp_worker {
	struct hp_findings findings;
	struct hp_vec roots; /* elements: struct hp_root */
	struct hp_dialect_evidence
		evidence; /* has also the number of sub-records for each tag */
	uint64_t arrays, empty_arrays;
	struct hp_first_seen
		/* number of primitive arrays of each element type */
		types[HP_TYPE_END];
	/* for each kind of Android heap: its objects */
	struct hp_first_seen heaps[HP_HEAP_KINDS];
	struct hp_seen_traces traces;
	/* 1 + the serial to which last_first belongs; 0: none */
	uint64_t last_trace;
	struct hp_first_seen *last_first;
};

/*
 * Initialise the empty data of a thread. A zeroed struct is also empty, but
 * keeps no examples of findings.
 */
void hp_worker_init(struct hp_worker *w, size_t max_examples, bool located);
void hp_worker_release(struct hp_worker *w);

/**
 * hp_worker_root_or_heap() - store a root or a HEAP DUMP INFO in the list, and
 * count it
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status
hp_worker_root_or_heap(struct hp_worker *w, const struct hp_sub *s,
		       uint64_t record, unsigned id_size, struct hp_error *err);

/* Count one more at @offset. The calls must have ascending offsets. */
static inline void
hp_note_first(struct hp_first_seen *f, uint64_t offset, uint64_t record)
{
	if (HP_UNLIKELY(f->count++ == 0)) {
		f->offset = offset;
		f->record = record;
	}
}

/* Add the number of another thread, and keep the smaller first place. */
void hp_first_merge(struct hp_first_seen *into,
		    const struct hp_first_seen *from);

/*
 * The slow case of hp_worker_trace(): the serial differs from the last one.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_worker_trace_slow(struct hp_worker *w,
						uint32_t serial,
						uint64_t offset,
						uint64_t record);

/*
 * Count an object or class with this stack trace serial. Returns HP_OK or
 * HP_NOMEM.
 */
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

/* Which kind of Android heap an id means: 0 to HP_HEAP_OTHER. */
unsigned hp_heap_kind(uint32_t heap);

/**
 * hp_worker_merge() - add everything that @from has collected to @into
 *
 * Afterwards @from is empty, but keeps its memory.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_worker_merge(struct hp_worker *into,
					   struct hp_worker *from,
					   struct hp_error *err);

/* Reset everything that belongs to one dump. Findings and evidence are kept. */
void hp_worker_reset(struct hp_worker *w);

/*
 * Append to @m, a list of uint64_t, the ordinals of large heap segments in @b
 * that have a second sub-record. Large is more than HotSpot writes since JDK
 * 14. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_large_segments_note(struct hp_vec *m,
						  const struct hp_batch *b,
						  unsigned id_size,
						  struct hp_error *err);

#endif
