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
	 * A value that depends on the tag. JNI GLOBAL: the id of the JNI
	 * reference. HEAP DUMP INFO: the heap id. Other roots: thread serial <<
	 * 32 | third field of the root.
	 */
	uint64_t extra;
	uint64_t offset;
	uint64_t record;
	uint8_t tag;
};

/*
 * The kinds of Android heaps, as numbers: default, app, zygote, image, other.
 */
enum { HP_HEAP_OTHER = 4, HP_HEAP_KINDS };

/* How many objects of some kind there are, and the position of the first. */
struct hp_first_seen {
	uint64_t count, offset, record;
};

/*
 * The number of objects and classes for each stack trace. A trace is given by
 * its serial number.
 */
struct hp_seen_traces {
	/*
	 * maps the serial number of a stack trace to 1 + the index of its
	 * element in `list`
	 */
	struct hp_id_map by_serial;
	struct hp_first_seen *list;
	size_t count, cap;
};

struct hp_worker {
	struct hp_findings findings;
	/* the roots and HEAP DUMP INFO sub-records, elements: struct hp_root */
	struct hp_vec roots;
	/*
	 * evidence about which program wrote the dump, including the number of
	 * sub-records with each tag
	 */
	struct hp_dialect_evidence evidence;
	uint64_t arrays, empty_arrays;
	/*
	 * for each element type: the number of primitive arrays of this type,
	 * and the position of the first one
	 */
	struct hp_first_seen types[HP_TYPE_END];
	/*
	 * for each kind of Android heap: the number of objects in this heap,
	 * and the position of the first one
	 */
	struct hp_first_seen heaps[HP_HEAP_KINDS];
	struct hp_seen_traces traces;
	/*
	 * Cache for hp_worker_trace(): 1 + the serial number of the stack trace
	 * to which `last_first` belongs; 0: the cache is empty.
	 */
	uint64_t last_trace;
	struct hp_first_seen *last_first;
};

/*
 * Initialise the data of one worker. A zeroed struct is also a valid empty
 * worker, but it keeps no examples of findings.
 */
void hp_worker_init(struct hp_worker *w, size_t max_examples, bool located);
void hp_worker_release(struct hp_worker *w);

/**
 * hp_worker_root_or_heap() - append a root or a HEAP DUMP INFO to w->roots, and
 * count it
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status
hp_worker_root_or_heap(struct hp_worker *w, const struct hp_sub *s,
		       uint64_t record, unsigned id_size, struct hp_error *err);

/*
 * Count one more object, which is at @offset in the record @record. The offset
 * must be larger than in the previous call.
 */
static inline void
hp_note_first(struct hp_first_seen *f, uint64_t offset, uint64_t record)
{
	if (HP_UNLIKELY(f->count++ == 0)) {
		f->offset = offset;
		f->record = record;
	}
}

/*
 * Add from->count, the number of objects that another thread has counted, to
 * into->count, and keep the smaller one of the two positions.
 */
void hp_first_merge(struct hp_first_seen *into,
		    const struct hp_first_seen *from);

/*
 * Used by hp_worker_trace() if the serial number differs from that of the
 * previous call. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_worker_trace_slow(struct hp_worker *w,
						uint32_t serial,
						uint64_t offset,
						uint64_t record);

/*
 * Count an object or class that has the stack trace with the serial number
 * @serial. Returns HP_OK or HP_NOMEM.
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

/*
 * Returns the kind of the Android heap with the id @heap: 0 to HP_HEAP_OTHER.
 */
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

/*
 * Reset all data about one dump, but keep findings, and the evidence about the
 * program that wrote the file.
 */
void hp_worker_reset(struct hp_worker *w);

/*
 * Append the ordinals of some heap segments in the batch @b to @m, a list of
 * uint64_t: those that are longer than the segments that HotSpot writes since
 * JDK 14, and have a second sub-record. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_large_segments_note(struct hp_vec *m,
						  const struct hp_batch *b,
						  unsigned id_size,
						  struct hp_error *err);

/**
 * hp_large_segments_merge() - merge the @count lists of the workers into the
 * first one, and sort the ordinals in it
 *
 * The other lists are empty afterwards. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_large_segments_merge(struct hp_vec *lists,
						   unsigned count,
						   struct hp_error *err);

#endif
