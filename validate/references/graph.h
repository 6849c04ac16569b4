/*
 * graph.h - --level=graph: the rules that need all objects at once
 *
 * The check needs two more passes over a dump. The first pass builds the graph
 * (common/graph/graph.h), in which everything reachable from the roots is
 * visited. The second pass compares the elements of arrays with the array's
 * class, and reports unreachable objects. Strong, soft, weak and phantom
 * references are all treated the same.
 */
#ifndef HP_VALIDATE_REFERENCES_GRAPH_H
#define HP_VALIDATE_REFERENCES_GRAPH_H

#include "validate/references/references.h"

/* Why some rules were not checked. */
enum hp_graph_gap {
	HP_GRAPH_DONE,
	HP_GRAPH_MEMORY, /* --memory is too small */
	/*
	 * Unreachable objects are not known, because the class or the layout of
	 * some instances is missing and so are their references.
	 */
	HP_GRAPH_UNKNOWN,
};

struct hp_graph_request {
	const struct hp_tables *tables;
	uint64_t memory; /* the bytes that the graph may use */
	uint64_t bytes;	 /* length of the dump, or an upper bound */
	bool reach;	 /* also report unreachable objects */
};

struct hp_graph_result {
	enum hp_graph_gap gap;
	/* peak size of the temporary files, which replace missing memory */
	uint64_t in_files;
};

/**
 * hp_references_graph() - apply the rules to the dump that has just ended
 * @r:      all other passes are finished
 * @src:    the same input, opened again, at its first byte
 * @into:   receives the findings; its roots are those of the dump
 * @out:    receives what was left out, and what did not fit in memory
 *
 * Memory:  about 22 bytes per object and 4 per reference, until the function
 *          returns. What does not fit goes to temporary files, except the ids
 * Returns: HP_OK, also if @out has a gap; HP_NOMEM; HP_IO; errors of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_graph_request *request,
		    struct hp_worker *into, struct hp_graph_result *out,
		    struct hp_error *err);

#endif
