/*
 * graph_dump.c - build the object graph of a small dump that a test has written
 */
#include "tests/unit/graph_dump.h"

#include "tests/unit/must.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum hp_status
graph_dump_read(struct graph_dump *r, const struct b *b, unsigned threads,
		enum hp_reachability reachability, uint64_t memory,
		struct hp_error *err)
{
	const struct hp_source_options reading = {.threads = 1};
	struct hp_graph_options o = {
		.threads = threads,
		.dump = 1,
		.shift = 3,
		.reachability = reachability,
		.memory = memory,
		.layout = {HP_SIZE_MODEL_HOTSPOT, 4, 12, 16, 8, "test"}};
	int fd = memfd_create("dump", MFD_CLOEXEC);
	enum hp_status st;

	memset(r, 0, sizeof(*r));
	r->gathering = (struct hp_histogram_options){
		.threads = threads, .dump = 1, .nodes = threads % 2 == 0};
	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(hp_source_open_fd(&r->src, fd, "dump", &reading, NULL) == HP_OK);
	must(hp_histogram_run(&r->gather, r->src, &r->gathering, NULL) ==
	     HP_OK);
	o.classes = &r->gather.classes;
	o.tables = &r->gather.tables;
	o.found = &r->gather.nodes;
	st = hp_graph_build(&r->graph, r->src, &o, err);
	if (st == HP_OK)
		st = hp_depths_find(&r->depths, &r->graph, err);
	if (st == HP_OK)
		st = hp_tree_build(&r->tree, &r->graph,
				   threads & 1 ? HP_TREE_KEEPS_EDGES
					       : HP_TREE_DROPS_EDGES,
				   err);
	return st;
}

void
graph_dump_release(struct graph_dump *r)
{
	hp_tree_release(&r->tree);
	hp_depths_release(&r->depths);
	hp_graph_release(&r->graph);
	hp_histogram_release(&r->gather);
	hp_source_close(r->src);
}

uint32_t
graph_dump_node(const struct graph_dump *r, uint64_t id)
{
	struct hp_rank_near near = {0};

	return hp_node_of(&r->graph.nodes, &near, id);
}

void
graph_dump_begin(struct b *b, unsigned nfields)
{
	struct b_class c = {.id = CLASS_OBJECT, .size = B_AUTO};

	b_init(b, 4);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_intern(b, "f");
	b_load_class(b, 1, CLASS_OBJECT, 0, b_intern(b, "java/lang/Object"));
	b_load_class(b, 2, CLASS_ITEM, 0, b_intern(b, "Item"));
	b_load_class(b, 3, CLASS_ITEMS, 0, b_intern(b, "[LItem;"));
	b_heap_dump(b);
	b_class(b, &c);
	b_class_end(b);
	c.super = CLASS_OBJECT;
	c.id = CLASS_ITEM;
	b_class(b, &c);
	for (unsigned i = 0; i < nfields; i++)
		b_field(b, b_intern(b, "f"), B_OBJECT);
	b_class_end(b);
	c.id = CLASS_ITEMS;
	b_class(b, &c);
	b_class_end(b);
	b_root_sticky_class(b, CLASS_OBJECT);
	b_root_sticky_class(b, CLASS_ITEM);
}

void
graph_dump_end(struct b *b)
{
	b_close(b);
	b_heap_dump_end(b);
}

void
histogram_of_dump(struct b *b, struct hp_histogram *g,
		  const struct hp_histogram_options *options)
{
	struct hp_source *src = NULL;
	int fd = memfd_create("dump", MFD_CLOEXEC);

	b_close(b);
	b_heap_dump_end(b);
	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	b_release(b);
	must(hp_source_open_fd(&src, fd, "dump", &(struct hp_source_options){0},
			       NULL) == HP_OK);
	must(hp_histogram_run(g, src, options, NULL) == HP_OK);
	hp_source_close(src);
}
