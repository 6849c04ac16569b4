/*
 * graph_dump.h - read the object graph of a dump that a test has built
 *
 * For the tests of common/graph.
 */
#ifndef HP_TESTS_UNIT_GRAPH_DUMP_H
#define HP_TESTS_UNIT_GRAPH_DUMP_H

#include "common/graph/tree.h"
#include "diff/count/histogram.h"
#include "tests/builder/builder.h"

/*
 * The graph of a dump, its dominator tree and depths, and the data from which
 * they were built.
 */
struct graph_dump {
	struct hp_histogram_options gathering;
	struct hp_histogram gather;
	struct hp_graph graph;
	struct hp_tree tree;
	struct hp_depths depths;
	struct hp_source *src;
};

/*
 * Read the dump that @b has built, and build the graph, the dominator tree and
 * the depths. To cover both ways, an odd number of threads keeps the references
 * after the tree is built, and an even number finds the objects in the counting
 * pass.
 * Returns: the status of the first function that fails, otherwise HP_OK.
 * Ownership: call graph_dump_release() in any case.
 */
enum hp_status graph_dump_read(struct graph_dump *r, const struct b *b,
			       unsigned threads,
			       enum hp_reachability reachability,
			       uint64_t memory, struct hp_error *err);
void graph_dump_release(struct graph_dump *r);

/* The node of an id; HP_NO_NODE if there is none. */
uint32_t graph_dump_node(const struct graph_dump *r, uint64_t id);

/*
 * Ids of the classes that graph_dump_begin() writes, and the smallest id that
 * tests use for objects.
 */
enum {
	CLASS_OBJECT = 0x1000,
	CLASS_ITEM = 0x1010,
	CLASS_ITEMS = 0x1020,
	ITEMS = 0x100000,
};

/*
 * Begin a dump with ids of 4 bytes, and end it. It has java.lang.Object, a
 * class Item with @nfields reference fields, and the array class of Item. The
 * first two are roots.
 */
void graph_dump_begin(struct b *b, unsigned nfields);
void graph_dump_end(struct b *b);

#endif
