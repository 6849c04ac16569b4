/*
 * graph_dump.h - read the object graph of a dump that a test has built
 *
 * The tests of common/graph use these functions.
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
 * the depths. Tests should pass both an odd and an even number of threads,
 * because the number also selects how the graph is built. Odd: the references
 * stay in memory after the tree is built. Even: the pass that counts objects
 * also finds the objects of the graph.
 * Returns: the status of the first function that fails, otherwise HP_OK.
 * Ownership: call graph_dump_release() in any case.
 */
enum hp_status graph_dump_read(struct graph_dump *r, const struct b *b,
			       unsigned threads,
			       enum hp_reachability reachability,
			       uint64_t memory, struct hp_error *err);
void graph_dump_release(struct graph_dump *r);

uint32_t graph_dump_node(const struct graph_dump *r, uint64_t id);

/*
 * The ids of the classes that graph_dump_begin() writes, and the smallest id
 * for the objects of a test.
 */
enum {
	CLASS_OBJECT = 0x1000,
	CLASS_ITEM = 0x1010,
	CLASS_ITEMS = 0x1020,
	ITEMS = 0x100000,
};

/*
 * graph_dump_begin() begins a dump with ids of 4 bytes, and graph_dump_end()
 * ends it. The dump has java.lang.Object, a class Item with @nfields reference
 * fields, and the array class of Item. java.lang.Object and Item are roots.
 */
void graph_dump_begin(struct b *b, unsigned nfields);
void graph_dump_end(struct b *b);

/*
 * End a dump, free its builder, and count its objects by class into @g, which
 * the caller releases.
 */
void histogram_of_dump(struct b *b, struct hp_histogram *g,
		       const struct hp_histogram_options *options);

#endif
