/*
 * charge.c - count the memory of the lists of an object graph towards the limit
 *
 * A worker counts its memory after each batch (part of the dump). If a hash
 * table is more than half full, it may grow in the next batch. So the memory of
 * the larger hash table is counted in advance.
 */
#include "common/graph/internal.h"

enum {
	/*
	 * This many bytes of lists do not count towards the limit, because even
	 * a tiny dump needs them.
	 */
	FREE = 1 << 20,
	/*
	 * This number of bytes is reserved for each kind of objects (class and
	 * size), for tables that are built later.
	 */
	OF_KIND = 24,
};

static uint64_t
map_bytes(const struct hp_id_map *m)
{
	uint64_t next = hp_id_map_larger(m->cap) * sizeof(struct hp_id_slot);

	return hp_id_map_bytes(m) + (m->count > m->cap / 2 ? next : 0);
}

static uint64_t
lists_bytes(const struct hp_build_worker *w)
{
	return map_bytes(&w->roots) +
	       w->pieces.cap * sizeof(struct hp_build_piece) +
	       w->locals.cap * sizeof(struct hp_graph_local) +
	       w->weak.cap * sizeof(struct hp_graph_weak) +
	       w->spans.cap * sizeof(struct hp_graph_span);
}

static uint64_t
joined_bytes(const struct hp_graph *g)
{
	return g->nroots * sizeof(*g->roots) + g->nlocals * sizeof(*g->locals) +
	       g->nweak * sizeof(*g->weak) + g->nspans * sizeof(*g->spans);
}

enum hp_status
hp_build_charge(struct hp_build *b, struct hp_build_worker *w, uint64_t extra,
		struct hp_error *err)
{
	struct hp_graph *g = b->g;
	uint64_t now = lists_bytes(w), all;
	bool fits;

	pthread_mutex_lock(&g->edges.lock);
	b->lists += now - w->charged;
	w->charged = now;
	all = b->lists + joined_bytes(g) + extra +
	      hp_node_kinds_bytes(&g->kinds, OF_KIND);
	all = all > FREE ? all - FREE : 0;
	g->memory.held += all - g->charged;
	g->charged = all;
	fits = all == 0 || g->memory.held <= g->o.memory;
	pthread_mutex_unlock(&g->edges.lock);
	return fits ? HP_OK
		    : hp_fail(err, HP_LIMIT,
			      "the lists of roots, weak references and kinds "
			      "of objects do not fit in --memory; allow more");
}
