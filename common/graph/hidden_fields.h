/*
 * hidden_fields.h - find the objects that look unreachable only because dumps
 * do not list the fields of java.lang.Class
 *
 * hidden_fields.def lists these fields. An object belongs to a hidden field if
 * nothing in the dump refers to it, and the table says that only a field of
 * java.lang.Class can refer to such an object. All objects that are reachable
 * from it are kept alive by hidden fields, too.
 */
#ifndef HP_GRAPH_HIDDEN_FIELDS_H
#define HP_GRAPH_HIDDEN_FIELDS_H

#include "common/graph/graph.h"

/**
 * hp_hidden_fields_find() - find the objects that only hidden fields keep alive
 * @g:     a graph with its references
 * @bits:  one bit for each node: set if the object is reachable from the roots,
 *         also over weak references. The function sets the bits of the objects
 *         that it finds
 * @found: receives the number and the bytes of the objects that were found;
 *         zeros if g->o.hidden_fields is false. May be NULL
 *
 * All parts of the programs that count unreachable objects call this function,
 * so that their numbers agree.
 * Returns: HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_hidden_fields_find(struct hp_graph *g,
						 uint64_t *bits,
						 struct hp_graph_sum *found,
						 struct hp_error *err);

#endif
