/*
 * reachability.h - which references of java.lang.ref's objects are followed
 */
#ifndef HP_GRAPH_REACHABILITY_H
#define HP_GRAPH_REACHABILITY_H

#include "common/model/classes.h"
#include "common/model/tables.h"

enum hp_reachability {
	HP_REACHABILITY_SOFT,	/* weak, phantom and finalizer references are
				   not followed */
	HP_REACHABILITY_STRONG, /* nor are soft ones */
	HP_REACHABILITY_ALL,	/* all references are followed */
};

/*
 * By class index: bytes between the field `referent` and the end of the data
 * of an instance, its own included, if it is not followed there; else 0.
 */
struct hp_unfollowed {
	uint32_t *from_end;
};

/**
 * hp_unfollowed_init() - find the classes whose referent is not followed
 * @c: completed
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: hp_unfollowed_release() in any case.
 * Source:  java.lang.ref's documentation; ART's FinalizerReference
 */
HP_MUST_USE enum hp_status hp_unfollowed_init(struct hp_unfollowed *u,
					      const struct hp_classes *c,
					      const struct hp_tables *t,
					      enum hp_reachability reachability,
					      struct hp_error *err);
void hp_unfollowed_release(struct hp_unfollowed *u);

/*
 * The class whose objects keep a referent until its finalizer has run:
 * java.lang.ref.FinalReference, ART's FinalizerReference; NULL: there is none.
 */
const struct hp_class *hp_finalizer_class(const struct hp_classes *c,
					  const struct hp_tables *t);

/* Where the field stands in an instance of the class; UINT64_MAX: nowhere. */
static inline uint64_t
hp_unfollowed_at(const struct hp_unfollowed *u, const struct hp_class *c)
{
	uint32_t from_end = u->from_end[c->index];

	return from_end && from_end <= c->data_size ? c->data_size - from_end
						    : UINT64_MAX;
}

#endif
