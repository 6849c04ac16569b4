/*
 * reachability.h - find the referent fields of java.lang.ref that are not
 * followed
 */
#ifndef HP_GRAPH_REACHABILITY_H
#define HP_GRAPH_REACHABILITY_H

#include "common/model/classes.h"
#include "common/model/tables.h"

enum hp_reachability {
	/* weak, phantom and finalizer references are not followed */
	HP_REACHABILITY_SOFT,
	HP_REACHABILITY_STRONG, /* soft references are not followed either */
	HP_REACHABILITY_ALL,	/* all references are followed */
};

/*
 * By class index: the distance in bytes from the start of the field `referent`
 * to the end of the instance data, if the field is not followed; otherwise 0.
 */
struct hp_unfollowed {
	uint32_t *from_end;
};

/**
 * hp_unfollowed_init() - find the classes whose referent is not followed
 * @c: complete
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_unfollowed_release() in any case.
 * Source: the documentation of java.lang.ref; FinalizerReference of ART
 */
HP_MUST_USE enum hp_status hp_unfollowed_init(struct hp_unfollowed *u,
					      const struct hp_classes *c,
					      const struct hp_tables *t,
					      enum hp_reachability reachability,
					      struct hp_error *err);
void hp_unfollowed_release(struct hp_unfollowed *u);

/*
 * The class whose objects keep a referent alive until its finalizer has run:
 * java.lang.ref.FinalReference, or FinalizerReference of ART. NULL if there is
 * none.
 */
const struct hp_class *hp_finalizer_class(const struct hp_classes *c,
					  const struct hp_tables *t);

/*
 * The offset of the referent field in an instance of the class. UINT64_MAX if
 * the class has none, or if the field is followed.
 */
static inline uint64_t
hp_unfollowed_at(const struct hp_unfollowed *u, const struct hp_class *c)
{
	uint32_t from_end = u->from_end[c->index];

	return from_end && from_end <= c->data_size ? c->data_size - from_end
						    : UINT64_MAX;
}

#endif
