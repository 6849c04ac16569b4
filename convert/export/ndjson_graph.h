/*
 * ndjson_graph.h - values of the object graph for the line of each object
 *
 * Adds ,"depth":3,"dominator":{"id":"0x10","class":"Foo"},"retained_count":2,
 * "retained_bytes":48. common/graph defines these terms. The dominator is null
 * for objects that the roots dominate. All four are null for an unreachable
 * object, and for a second object with the same id, which is not in the graph.
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
	/* uint32_t for each node: its index in the dominator tree; 0: none */
	struct hp_big_array places;
	/* uint64_t for each node: the id of the object */
	struct hp_big_array ids;
	/* empty classes, for a dump without classes */
	struct hp_classes none;
	bool classless;
};

/**
 * hp_ndjson_graph_build() - build the object graph of the dump in the file
 * @g: zeroed; must not move until it is released
 * @src: is rewound two or three times
 * @prepass: of the same source, finished, with tables and layout
 * @memory: limit for the graph, in bytes; the rest goes to temporary files
 *
 * Returns: HP_OK; HP_UNSUPPORTED: the file has several dumps; HP_LIMIT: not
 *          even the ids fit in memory; HP_IO: the disk is full; HP_NOMEM.
 * Ownership: call hp_ndjson_graph_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_ndjson_graph_build(struct hp_ndjson_graph *g, struct hp_source *src,
		      const struct hp_prepass *prepass, unsigned threads,
		      uint64_t memory, struct hp_error *err);
void hp_ndjson_graph_release(struct hp_ndjson_graph *g);

/*
 * Append the members for the object @s, or nothing if @s is not an object.
 * Thread-safe, with one @near and @look for each worker.
 */
void hp_ndjson_graph_add(const struct hp_ndjson_graph *g,
			 struct hp_rank_near *near,
			 struct hp_object_classes_lookup *look,
			 const struct hp_sub *s, struct hp_buf *out);

#endif
