/*
 * references_pending.c - keep references to objects that come later in the dump
 *
 * A pending reference is a reference to an object that is not defined yet. For
 * a pipe, which can be read only once, pending references are kept if the
 * memory is sufficient. For a compressed file they are kept while there are
 * few: then the dangling references are known without decompressing the file a
 * second time. If there are too many, a second pass finds the dangling
 * references. references_report.c reports the references that dangle in the
 * end.
 */
#include "validate/references/internal.h"
#include "common/base/memory.h"

/*
 * Limits for the memory of pending references, in bytes, for inputs that can be
 * read a second time. PENDING_MOST: the maximum. PENDING_FREE: this much memory
 * is allowed even after few bytes were read.
 */
enum { PENDING_MOST = 64 << 20, PENDING_FREE = 4 << 20 };

/*
 * Remove the pending references whose objects are defined by now. Returns true
 * if at least a quarter of the memory is free afterwards.
 */
static bool
drop_resolved(struct hp_reference_worker *w)
{
	size_t i, kept = 0;

	for (i = 0; i < w->nopen; i++)
		if (!hp_id_is_defined_now(w->ids, w->open[i].id))
			w->open[kept++] = w->open[i];
	w->nopen = kept;
	return kept < w->open_cap / 4 * 3;
}

/*
 * Returns the limit, in bytes, for the pending references of all threads
 * together, after @read bytes of the dump were read. The threads have no
 * separate limits, because then the result would depend on which thread handles
 * which batch. For a pipe, the limit is the memory that the sets of ids do not
 * need. For other inputs it is at most twice the number of bytes read so far:
 * with more pending references, decompressing the file again is faster.
 */
static uint64_t
max_pending_bytes(const struct hp_references *r, uint64_t read)
{
	uint64_t sets =
		atomic_load_explicit(&r->sets.reserved, memory_order_relaxed);
	uint64_t most = r->o.memory / 16;

	if (r->once)
		return sets < r->o.memory ? r->o.memory - sets : 0;
	if (read < PENDING_FREE)
		read = PENDING_FREE;
	most = most < PENDING_MOST ? most : PENDING_MOST;
	return most < 2 * read ? most : 2 * read;
}

/*
 * Returns the memory of the pending references of all threads, in bytes. Also
 * publishes the memory of the thread @w for the other threads.
 */
static uint64_t
all_pending_bytes(const struct hp_references *r, struct hp_reference_worker *w)
{
	uint64_t all = 0;

	atomic_store_explicit(&w->pending_bytes,
			      w->open_cap * sizeof(*w->open) +
				      w->objects.cap *
					      sizeof(*w->objects.items),
			      memory_order_relaxed);
	for (unsigned i = 0; i < r->o.workers; i++)
		all += atomic_load_explicit(&r->workers[i].pending_bytes,
					    memory_order_relaxed);
	return all;
}

void
hp_reference_release_pending(struct hp_references *r,
			     struct hp_reference_worker *w, uint64_t read)
{
	/*
	 * If one thread has lost references, and the input can be read again, a
	 * second pass is needed anyway. So all threads stop keeping pending
	 * references.
	 */
	bool lost = !r->once && atomic_load(&r->pending_lost);

	if (!lost && all_pending_bytes(r, w) <= max_pending_bytes(r, read))
		return;
	atomic_store(&r->pending_lost, true);
	hp_free(w->open);
	w->open = NULL;
	w->nopen = w->open_cap = 0;
	w->open_lost = true;
	hp_duplicates_release(&w->objects);
	w->objects.lost = true;
	atomic_store_explicit(&w->pending_bytes, 0, memory_order_relaxed);
}

void
hp_reference_keep_pending(struct hp_reference_worker *w,
			  const struct hp_pending_reference *o)
{
	size_t cap = w->open_cap ? w->open_cap * 2 : 512;
	struct hp_pending_reference *grown;

	if (w->open_lost || hp_id_is_defined_now(w->ids, o->id))
		return;
	if (w->nopen == w->open_cap) {
		if (w->nopen > 0 && w->open_cap >= 1 << 16 &&
		    drop_resolved(w) && w->nopen < w->open_cap / 2)
			cap = w->open_cap;
		grown = hp_realloc(w->open, cap * sizeof(*grown));
		if (!grown) {
			w->open_lost = true;
			w->nopen = 0;
			return;
		}
		w->open = grown;
		w->open_cap = cap;
	}
	w->open[w->nopen++] = *o;
}
