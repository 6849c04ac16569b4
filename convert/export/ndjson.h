/* ndjson.h - export a dump as JSON, with one object per line (NDJSON) */
#ifndef HP_CONVERT_EXPORT_NDJSON_H
#define HP_CONVERT_EXPORT_NDJSON_H

#include "common/graph/tree.h"
#include "common/model/undescribed.h"
#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/prepass/dump_tables.h"

/* ----------------------------------------------------------------------
 * Export a dump as JSON lines (NDJSON)
 *
 * Each record and sub-record becomes one line with one JSON object.
 */

struct hp_ndjson_result {
	/*
	 * why references are written without the class of their target; NULL:
	 * the class is written
	 */
	const char *limited;
	/*
	 * number of java.lang.String objects whose character array is missing
	 */
	uint64_t missing;
	/*
	 * number of objects, if none of them is reachable from a root;
	 * otherwise 0
	 */
	uint64_t unrooted;
	struct hp_undescribed undescribed;
	/*
	 * size in bytes of the temporary files that store parts of the object
	 * graph if the memory does not suffice
	 */
	uint64_t graph_in_files;
};

/**
 * hp_ndjson_convert() - write @src to @sink as NDJSON, and finish the sink
 * @options: the members elements, strings (needs a seekable source), edges and
 *           graph are used. Half of the memory is used to look up classes and
 *           Strings.
 * @src: at its first byte; must be rewindable. It is read four times, six times
 *       with strings, once more with edges, and two or three times more with a
 *       graph.
 *
 * If the memory does not suffice, references are written without the class of
 * their target, and the first line reports this. If references were asked for,
 * and no class dump describes the fields of some objects, the last line reports
 * this. For a damaged dump, all lines before the damage are complete. If the
 * damage is inside the line of a long array, that line is closed with
 * "partial":true.
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: a graph of
 *          several dumps; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ndjson_convert(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_convert_options *options,
		  struct hp_ndjson_result *result, struct hp_error *err);

/*
 * Returns a text for a warning: which parts of the output are missing, because
 * no class dump describes the fields of some objects.
 */
const char *hp_ndjson_lacks(const struct hp_convert_options *o);

/* ----------------------------------------------------------------------
 * Format values, records, and the fixed fields of sub-records as JSON
 */

struct hp_ndjson_names {
	unsigned id_size;
	const struct hp_prepass *prepass;
	struct hp_name_cache naming;
};

/* The caches of one thread for finding classes and names, and its counters. */
struct hp_ndjson_worker {
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	/* cache for finding objects in the object graph by id */
	struct hp_rank_near near;
	struct hp_undescribed_tally undescribed;
};

/* Append a value of a primitive type: a number, true or false. */
void hp_ndjson_value(struct hp_buf *out, const uint8_t *p, unsigned type,
		     unsigned width);

/* Append a name as a JSON string, or null if the data of the name is NULL. */
void hp_ndjson_name(struct hp_buf *out, struct hp_name name);

/*
 * Append a reference: null, or a JSON object with the id and the class of its
 * target.
 */
void hp_ndjson_reference(struct hp_buf *out,
			 struct hp_object_classes_lookup *look, uint64_t id);

/*
 * Append the line of a record outside the heap, with its line feed. @b: the
 * part of the dump that is being converted; its buffer is @out.
 */
void hp_ndjson_record(const struct hp_ndjson_names *n,
		      const struct hp_record *rec, struct hp_cursor body,
		      const struct hp_batch *b, struct hp_buf *out);

/*
 * Append the fixed fields of a sub-record as JSON members, without the closing
 * brace.
 */
void hp_ndjson_sub_head(const struct hp_ndjson_names *n,
			struct hp_object_classes_lookup *look, unsigned dump,
			const struct hp_sub *s, struct hp_buf *out);

/* Append the constants, static fields and declared fields of a class dump. */
void hp_ndjson_class_tables(const struct hp_ndjson_names *n,
			    struct hp_object_classes_lookup *look,
			    const struct hp_sub *s, const struct hp_batch *b,
			    struct hp_buf *out);

/*
 * ----------------------------------------------------------------------
 * Export one line for each reference between objects
 *
 * A line looks like {"record":"EDGE","dump":1,"from":"0x10","to":"0x20",
 * "holder":"Foo","held":"Bar","field":"next"}. These lines come after all
 * others, because the line of an array must be complete before another line
 * begins.
 */

/**
 * hp_ndjson_edges_write() - write the edges in one more pass over @src
 * @src: is rewound
 * @workers: for each thread, the caches that the previous pass has filled
 *
 * An instance has an edge for each field, and one to its class ("<class>"). An
 * object array has an edge for each element ("[3]"), and one to its class if
 * the dump has that class. A class has edges to its superclass, loader, signers
 * and protection domain ("<super>" ...), and for its static fields and
 * constants ("<constant 3>"). In the edges of a class, "holder" is the name of
 * the class itself. As in the graph, there are no edges for null, for
 * references to missing objects, and for objects whose id was dumped before. If
 * the table of classes did not fit in memory, three things differ: no edge has
 * the class of its target, edges to missing objects are also written, and all
 * objects with the same id have edges, not only the first.
 *
 * Returns: as hp_ndjson_convert().
 */
HP_MUST_USE enum hp_status
hp_ndjson_edges_write(struct hp_source *src, struct hp_sink *sink,
		      struct hp_ndjson_names *names,
		      struct hp_ndjson_worker *workers, unsigned threads,
		      uint64_t memory, struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * Values of the object graph for the line of each object
 *
 * Adds ,"depth":3,"dominator":{"id":"0x10","class":"Foo"},"retained_count":2,
 * "retained_bytes":48. common/graph defines these terms. The dominator is null
 * for objects that no other object dominates. All four are null for objects
 * that are not in the graph: unreachable objects, and a second object with the
 * id of another.
 */

struct hp_ndjson_graph {
	struct hp_graph graph;
	struct hp_tree tree;
	struct hp_depths depths;
	/*
	 * for each object of the graph, a uint32_t: its index in the dominator
	 * tree; 0: the object is unreachable
	 */
	struct hp_big_array places;
	/* for each object of the graph, a uint64_t: its id */
	struct hp_big_array ids;
	/* an empty set of classes, for a dump without classes */
	struct hp_classes none;
	bool classless;
};

/**
 * hp_ndjson_graph_build() - build the object graph of the dump in the file
 * @g: zeroed; must not move until it is released
 * @src: is rewound two or three times
 * @prepass: hp_prepass_run() was called for it and the same source, with
 *           want_tables and want_layout set
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
 * Append the members of --graph for the object @s, or nothing if @s is not an
 * object. Threads may call this at the same time, each with its own @near and
 * @look.
 */
void hp_ndjson_graph_add(const struct hp_ndjson_graph *g,
			 struct hp_rank_near *near,
			 struct hp_object_classes_lookup *look,
			 const struct hp_sub *s, struct hp_buf *out);

#endif
