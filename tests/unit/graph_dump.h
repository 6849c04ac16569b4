/*
 * graph_dump.h - a built dump's object graph, for the tests of common/graph
 */
#ifndef HP_TESTS_UNIT_GRAPH_DUMP_H
#define HP_TESTS_UNIT_GRAPH_DUMP_H

#include "common/graph/depth.h"
#include "common/graph/tree.h"
#include "diff/count/histogram.h"
#include "tests/builder/builder.h"

/* What was read: the graph, what follows from it and what it is made from. */
struct graph_dump {
	struct hp_budget budget;
	struct hp_histogram_options gathering;
	struct hp_histogram gather;
	struct hp_graph graph;
	struct hp_tree tree;
	struct hp_depths depths;
	struct hp_source *src;
};

/*
 * Read what was built. An odd number of threads keeps the references, an even
 * one finds the objects while they are counted. Returns what the graph's
 * functions return; to be released in any case.
 */
enum hp_status graph_dump_read(struct graph_dump *r, const struct b *b,
			       unsigned threads,
			       enum hp_reachability reachability,
			       uint64_t memory, struct hp_error *err);
void graph_dump_release(struct graph_dump *r);

/* The node of an id. */
uint32_t graph_dump_node(const struct graph_dump *r, uint64_t id);

/* Ids of what graph_dump_begin() writes, and where those of objects may begin.
 */
enum {
	CLASS_OBJECT = 0x1000,
	CLASS_ITEM = 0x1010,
	CLASS_ITEMS = 0x1020,
	ITEMS = 0x100000,
};

/*
 * Begin a dump with ids of 4 bytes, java.lang.Object, a class Item of @nfields
 * references and its array class, which alone is no root; and end it.
 */
void graph_dump_begin(struct b *b, unsigned nfields);
void graph_dump_end(struct b *b);

#endif
