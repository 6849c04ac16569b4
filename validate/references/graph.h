/*
 * graph.h - --level=graph: the rules that need every object at once
 *
 * Two more passes over a dump. The first one builds the graph
 * (common/graph/graph.h), in which everything that roots reach is met; the
 * second compares the elements of arrays with what they are, and tells what no
 * root reaches. Strong, soft, weak and phantom references are all the same
 * here.
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

struct hp_graph_request {
	const struct hp_tables *tables;
	uint64_t memory; /* bytes that may be taken */
	uint64_t bytes;	 /* of the dump, or more */
	bool reach;	 /* tell what cannot be reached, too */
};

struct hp_graph_result {
	enum hp_graph_gap gap;
	uint64_t in_files; /* bytes of the graph that were in files, for want of
			      memory */
};

/**
 * hp_references_graph() - apply the rules to the dump that has ended
 * @r:      all other passes are over
 * @src:    the same input, opened anew, at its first byte
 * @into:   findings go there; its roots are those of the dump
 * @out:    what was left out, and what did not fit in memory
 *
 * Memory:  some 22 bytes an object and 4 a reference, until it returns; what
 *          does not fit lies in temporary files, but for ids
 * Returns: HP_OK, whatever @out says; HP_NOMEM; HP_IO; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_graph_request *request,
		    struct hp_worker *into, struct hp_graph_result *out,
		    struct hp_error *err);

#endif
