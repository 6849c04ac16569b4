/*
 * graph.h - --level=graph: the rules that need every object at once
 *
 * Three more passes over a dump. The first notes what each object is, the
 * second compares the elements of arrays with that and keeps who refers to
 * whom; then everything that roots reach is marked, and the third tells what
 * was not. Strong, soft, weak and phantom references are all the same here.
 */
#ifndef HP_VALIDATE_REFERENCES_GRAPH_H
#define HP_VALIDATE_REFERENCES_GRAPH_H

#include "validate/references/references.h"

/* Why something was not checked. */
enum hp_graph_gap {
	HP_GRAPH_DONE,
	HP_GRAPH_MEMORY,  /* --memory does not suffice */
	HP_GRAPH_UNKNOWN, /* what some instances refer to is not known, since
			     their class or its layout is not: no reachability
			   */
};

/**
 * hp_references_graph() - apply the rules to the dump that has ended
 * @r:      all other passes are over
 * @src:    the same input, opened anew, at its first byte
 * @memory: bytes that may be taken
 * @reach:  tell what cannot be reached, too; without it less memory is taken
 * @into:   findings go there; its roots are those of the dump
 * @gap:    what was left out
 *
 * Memory:  some 24 bytes an object and 4 a reference, until it returns
 * Returns: HP_OK, whatever @gap says; HP_NOMEM; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_tables *tables, uint64_t memory, bool reach,
		    struct hp_worker *into, enum hp_graph_gap *gap,
		    struct hp_error *err);

#endif
