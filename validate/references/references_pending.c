/*
 * references_pending.c - references whose targets have not come yet, kept aside
 *
 * Of a pipe, which is read once, as far as the memory goes. Of an input that is
 * unpacked as long as they are few: then what dangles is known without reading,
 * and unpacking, all of it again; else a second pass finds it. Who they dangle
 * for is told by references_report.c.
 */
#include "validate/references/references_pending.h"

#include <stdlib.h>

/* Bytes, where there can be a second pass; however little was read. */
enum { PENDING_MOST = 64 << 20, PENDING_FREE = 4 << 20 };

/* Drop the open references whose targets have come; room for new ones? */
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
 * What all workers together may keep aside after @read bytes of the dump. A
 * limit for each worker would depend on which of them took which batches. From
 * a pipe the sets come first. Else twice what was read: a heap that is all
 * references takes longer to keep them than to be unpacked again.
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

/* What all workers keep aside; @w's bytes are noted for the others. */
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
	/* Where the input can be unpacked again, one loss is enough for that.
	 */
	bool lost = !r->once && atomic_load(&r->pending_lost);

	if (!lost && all_pending_bytes(r, w) <= max_pending_bytes(r, read))
		return;
	atomic_store(&r->pending_lost, true);
	free(w->open);
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
		grown = realloc(w->open, cap * sizeof(*grown));
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
