/*
 * field_names.h - which field of an object refers to which other
 */
#ifndef HP_DIFF_LEAKS_FIELD_NAMES_H
#define HP_DIFF_LEAKS_FIELD_NAMES_H

#include "common/graph/graph.h"

struct hp_field_query {
	uint32_t holder, held; /* nodes; the holder an instance */
	bool found;
	uint64_t name; /* of the field, an id of a string */
};

/**
 * hp_field_names_find() - answer queries in one pass over the dump
 * @q: sorted by holder afterwards; of several fields the first one
 *
 * Returns: HP_OK; HP_NOMEM; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_field_names_find(struct hp_field_query *q,
					       size_t n, struct hp_graph *g,
					       struct hp_source *src,
					       struct hp_error *err);

#endif
