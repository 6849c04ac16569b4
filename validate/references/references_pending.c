/*
 * references_pending.c - keep references to objects that come later in the dump
 *
 * A pending reference is a reference to an object that was not read yet. For a
 * pipe, which can be read only once, pending references are kept as long as the
 * memory suffices. For a compressed file, they are kept as long as there are
 * few, so that the dangling references are known without decompressing the file
 * a second time. If there are too many, a second pass finds the dangling
 * references. references_report.c reports the references that dangle in the
 * end.
 */
#include "validate/references/internal.h"
#include "common/base/memory.h"

#include <string.h>

/*
 * Limits for the memory of pending references, in bytes, for inputs that can be
 * read a second time. PENDING_MOST: the maximum. PENDING_FREE: allowed even
 * after few bytes were read. PENDING_THREAD: allowed in addition for each
 * further thread.
 */
enum {
	PENDING_MOST = 64 << 20,
	PENDING_FREE = 4 << 20,
	PENDING_THREAD = 8 << 20,
};

enum { EACH = sizeof(struct hp_pending_reference) };

/*
 * Remove from @list the references whose objects were read in the meantime.
 * Returns the number of references that are left.
 */
static size_t
drop_resolved(struct hp_id_worker *ids, struct hp_pending_reference *list,
	      size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!hp_id_is_defined_now(ids, list[i].id))
			list[kept++] = list[i];
	return kept;
}

/*
 * Returns the limit, in bytes, for the pending references of all threads
 * together, after @read bytes of the dump were read. For a pipe, the limit is
 * the memory that the sets of ids do not need. For other inputs it is at most
 * twice the number of bytes read so far: if more is needed, decompressing the
 * file again is faster. With several threads, the limit is higher: they process
 * several batches at the same time, so more references are pending than with
 * one thread. Otherwise, several threads might have to decompress the file a
 * second time, although one thread need not.
 */
static uint64_t
max_pending_bytes(const struct hp_references *r, uint64_t read)
{
	uint64_t sets =
		atomic_load_explicit(&r->sets.reserved, memory_order_relaxed);
	uint64_t most = r->o.memory / 16, more = PENDING_THREAD;

	if (r->once)
		return sets < r->o.memory ? r->o.memory - sets : 0;
	if (read < PENDING_FREE)
		read = PENDING_FREE;
	most = most < PENDING_MOST ? most : PENDING_MOST;
	most = most < 2 * read ? most : 2 * read;
	more = more < most ? more : most;
	return most + (r->o.workers - 1) * more;
}

/* Returns how many bytes of memory the object lists of all threads use. */
static uint64_t
object_list_bytes(const struct hp_references *r)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < r->o.workers; i++)
		all += atomic_load_explicit(&r->workers[i].object_bytes,
					    memory_order_relaxed);
	return all;
}

/*
 * Make room for @more references in @list, the list of all threads, which takes
 * at most @limit bytes. If there is no room, remove the references whose
 * objects were read in the meantime. Returns false if out of memory. Also
 * returns false if removing freed less than a quarter of the list (with several
 * threads: an eighth), because removing takes time and would soon be needed
 * again.
 */
static bool
reserve(const struct hp_references *r, struct hp_pending_list *list,
	struct hp_id_worker *ids, size_t more, uint64_t limit)
{
	uint64_t part = r->o.workers == 1 ? 4 : 8, most = limit / EACH;
	struct hp_pending_reference *grown;
	size_t cap = list->cap * 2;

	if (list->count + more > most) {
		list->count = drop_resolved(ids, list->items, list->count);
		if (list->count + more > most - most / part)
			return false;
	}
	if (list->count + more <= list->cap)
		return true;
	cap = cap < most ? cap : most;
	cap = cap > list->count + more ? cap : list->count + more;
	grown = hp_realloc(list->items, cap * EACH);
	if (!grown)
		return false;
	list->items = grown;
	list->cap = cap;
	return true;
}

static void
release_batch(struct hp_reference_worker *w)
{
	hp_free(w->open);
	w->open = NULL;
	w->nopen = w->open_cap = 0;
}

/* Append the references of a batch to the list of all threads. */
static bool
append(const struct hp_references *r, struct hp_pending_list *list,
       const struct hp_reference_worker *w, uint64_t read)
{
	uint64_t objects = object_list_bytes(r), limit;

	if (list->read < read)
		list->read = read;
	limit = max_pending_bytes(r, list->read);
	if (objects > limit ||
	    !reserve(r, list, w->ids, w->nopen, limit - objects))
		return false;
	if (w->nopen > 0)
		memcpy(list->items + list->count, w->open, w->nopen * EACH);
	list->count += w->nopen;
	return true;
}

void
hp_reference_begin_pending(struct hp_references *r,
			   struct hp_reference_worker *w)
{
	w->open_lost = atomic_load(&r->pending_lost);
	if (!w->open_lost)
		return;
	release_batch(w);
	hp_duplicates_release(&w->objects);
	w->objects.lost = true;
}

void
hp_reference_end_pending(struct hp_references *r, struct hp_reference_worker *w,
			 uint64_t read)
{
	struct hp_pending_list *list = &r->pending;

	if (!w->open_lost)
		w->nopen = drop_resolved(w->ids, w->open, w->nopen);
	atomic_store_explicit(&w->object_bytes,
			      w->objects.cap * sizeof(*w->objects.items),
			      memory_order_relaxed);
	pthread_mutex_lock(&list->lock);
	if (!atomic_load(&r->pending_lost) &&
	    (w->open_lost || !append(r, list, w, read))) {
		atomic_store(&r->pending_lost, true);
		hp_pending_list_clear(list);
	}
	pthread_mutex_unlock(&list->lock);
	w->nopen = 0;
	if (w->open_cap * EACH > r->o.memory / 64)
		release_batch(w);
}

void
hp_pending_list_clear(struct hp_pending_list *list)
{
	hp_free(list->items);
	list->items = NULL;
	list->count = list->cap = 0;
	list->read = 0;
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
