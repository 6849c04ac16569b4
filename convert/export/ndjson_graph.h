/*
 * ndjson_graph.h - what the object graph says of each object, for its line
 *
 * ,"depth":3,"dominator":{"id":"0x10","class":"Foo"},"retained_count":2,
 * "retained_bytes":48: words are common/graph's. A dominator of null is the
 * roots; all four are null for what no root reaches, and for a second dump of
 * an id, which is no object.
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_GRAPH_H
#define HP_CONVERT_EXPORT_NDJSON_GRAPH_H

#include "common/graph/depth.h"
#include "common/graph/tree.h"
#include "convert/export/ndjson_record.h"

struct hp_ndjson_graph {
	struct hp_graph graph;
	struct hp_tree tree;
	struct hp_depths depths;
	struct hp_big_array places; /* uint32_t by node: in the tree; 0: none */
	struct hp_big_array ids;    /* uint64_t by node */
	struct hp_classes none;	    /* of a dump that has no class */
	bool classless;
};

/**
 * hp_ndjson_graph_build() - read the graph of the dump in the file
 * @g:       zeroed; must not move until it is released
 * @src:     is rewound twice or three times
 * @prepass: of the same source, done, with tables and layout
 * @memory:  that the graph may take; more lies in temporary files
 *
 * Returns: HP_OK; HP_UNSUPPORTED: the file has several dumps; HP_LIMIT: not
 *          even the ids fit; HP_IO: the disk is full; HP_NOMEM.
 * Ownership: hp_ndjson_graph_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_ndjson_graph_build(struct hp_ndjson_graph *g, struct hp_source *src,
		      const struct hp_prepass *prepass, unsigned threads,
		      uint64_t memory, struct hp_error *err);
void hp_ndjson_graph_release(struct hp_ndjson_graph *g);

/* The keys of an object, by any worker; of what is no object none. */
void hp_ndjson_graph_add(const struct hp_ndjson_graph *g,
			 struct hp_rank_near *near,
			 struct hp_object_classes_lookup *look,
			 const struct hp_sub *s, struct hp_buf *out);

#endif
