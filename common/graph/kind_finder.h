/*
 * kind_finder.h - find the kind of each object that a thread reads. A kind
 * stands for the class and shallow size of objects
 *
 * This is used by passes over the dump that store the kind of each object
 * without building a graph. struct hp_node_kind in graph.h describes kinds. The
 * allocation trace and the Android heap of these kinds are 0.
 */
#ifndef HP_GRAPH_KIND_FINDER_H
#define HP_GRAPH_KIND_FINDER_H

#include "common/graph/graph.h"

struct hp_kind_finder {
	/* the table of kinds, which all threads share; borrowed */
	struct hp_node_kinds *kinds;
	const struct hp_size_model *layout;
	unsigned id_size;
	struct hp_node_kinds_near near;
	/*
	 * Indexed by hp_class.index: the kind of the instances of the class. 0:
	 * the kind is not known yet.
	 */
	uint32_t *of_class;
};

/*
 * Prepare a zeroed finder for the classes of a dump. @kinds and @layout are
 * borrowed. Returns: HP_OK; HP_NOMEM. Ownership: call hp_kind_finder_release()
 * even after a failure.
 */
HP_MUST_USE enum hp_status
hp_kind_finder_init(struct hp_kind_finder *f, struct hp_node_kinds *kinds,
		    const struct hp_size_model *layout,
		    const struct hp_classes *classes, unsigned id_size,
		    struct hp_error *err);
void hp_kind_finder_release(struct hp_kind_finder *f);

/*
 * Return the number of the kind of the instance or array @s; 0 if out of
 * memory. Called if the cache does not contain the kind. @c: the class of the
 * instance; NULL if the class is not known.
 */
uint32_t hp_kind_of_new_class(struct hp_kind_finder *f, const struct hp_sub *s,
			      const struct hp_class *c);
uint32_t hp_kind_of_array(struct hp_kind_finder *f, const struct hp_sub *s);

static inline uint32_t
hp_kind_of_instance(struct hp_kind_finder *f, const struct hp_sub *s,
		    const struct hp_class *c)
{
	if (c && HP_LIKELY(f->of_class[c->index] != 0))
		return f->of_class[c->index];
	return hp_kind_of_new_class(f, s, c);
}

/*
 * Call @store for each class object of the dump, with @ctx, the number of the
 * object and the number of its kind. Returns: HP_OK; HP_NOMEM; the failures of
 * @store.
 */
HP_MUST_USE enum hp_status hp_kinds_of_classes(
	struct hp_kind_finder *f, const struct hp_classes *classes,
	struct hp_nodes *nodes, struct hp_rank_near *near,
	enum hp_status (*store)(void *ctx, uint32_t node, uint32_t kind,
				struct hp_error *err),
	void *ctx, struct hp_error *err);

#endif
