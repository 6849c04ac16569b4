/*
 * graph_figures.c - print what common/graph computes for a dump (dominators,
 * retained sizes), as JSON
 *
 * Tests compare this output with the results of an independent program.
 *
 * graph-figures [-t THREADS] [-m MEMORY] [-d DUMP] FILE
 */
#include "common/graph/tree.h"
#include "common/components/components.h"
#include "diff/count/histogram.h"
#include "diff/keys/keys.h"
#include "diff/options.h"
#include "diff/keys/resolve.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 20 };

struct figures {
	struct hp_histogram gather;
	struct hp_graph graph;
	struct hp_tree tree;
	struct hp_depths depths;
	uint32_t deepest;
	uint64_t depth_sum;
	struct hp_keys keys;
	struct hp_rows rows;
	/*
	 * for each kind (set of equal objects): the row to which its objects
	 * belong
	 */
	uint32_t *group_of;
	struct hp_diff_options o;
};

static void
must(enum hp_status st, const struct hp_error *err)
{
	if (st == HP_OK)
		return;
	fprintf(stderr, "graph-figures: %s\n", err->text);
	exit(2);
}

static const char *
kind_name(struct figures *f, const struct hp_node_kind *k)
{
	char text[32];
	struct hp_string raw = {.data = (const uint8_t *)text};

	if (k->of == HP_NODE_INSTANCE || k->of == HP_NODE_OBJECT_ARRAY)
		return hp_key_class(&f->keys, k->class_id)->text;
	if (k->of == HP_NODE_CLASS)
		snprintf(text, sizeof(text), "java.lang.Class");
	else
		snprintf(text, sizeof(text), "%s[]",
			 hp_type_name((unsigned)k->class_id));
	raw.length = (uint32_t)strlen(text);
	return hp_key_raw(&f->keys, &raw, 0)->text;
}

static void
find_groups(struct figures *f)
{
	f->group_of = calloc(f->graph.kinds.count, sizeof(*f->group_of));
	for (uint32_t k = 1; k < f->graph.kinds.count; k++) {
		const char *name = kind_name(f, &f->graph.kinds.list[k]);
		struct hp_row *row =
			hp_rows_put(&f->rows, name, strlen(name), NULL, NULL);

		if (row->count[0] == 0)
			row->count[0] = f->rows.count;
		f->group_of[k] = (uint32_t)row->count[0] - 1;
	}
}

static json_t *
retained(struct figures *f)
{
	struct hp_graph_sum *sums = calloc(f->rows.count, sizeof(*sums));
	struct hp_error err = {0};
	json_t *all = json_object();

	must(hp_tree_groups(&f->tree, f->group_of, (uint32_t)f->rows.count,
			    sums, &err),
	     &err);
	for (size_t i = 0; i < f->rows.count; i++)
		if (sums[f->rows.list[i]->count[0] - 1].objects)
			json_object_set_new(
				all, f->rows.list[i]->key,
				json_integer(
					(json_int_t)
						sums[f->rows.list[i]->count[0] -
						     1]
							.objects));
	free(sums);
	return all;
}

/*
 * Whether row @a comes before row @b: the row with larger values first, and of
 * equal rows the one with the smaller class name.
 */
static bool
is_larger(struct figures *f, uint32_t a, uint32_t b)
{
	uint32_t of_a = hp_tree_objects(&f->tree, a);
	uint32_t of_b = hp_tree_objects(&f->tree, b);
	const struct hp_node_kind *list = f->graph.kinds.list;

	if (of_a != of_b)
		return of_a > of_b;
	return strcmp(kind_name(f, &list[hp_tree_kind(&f->tree, a)]),
		      kind_name(f, &list[hp_tree_kind(&f->tree, b)])) < 0;
}

static json_t *
largest(struct figures *f)
{
	uint32_t best[LARGEST];
	size_t n = 0, at;
	json_t *all = json_array();

	for (uint32_t place = 1; place < f->tree.count;
	     place = hp_tree_end(&f->tree, place)) {
		for (at = n; at > 0 && is_larger(f, place, best[at - 1]); at--)
			if (at < LARGEST)
				best[at] = best[at - 1];
		if (at < LARGEST)
			best[at] = place;
		n += n < LARGEST;
	}
	for (size_t i = 0; i < n; i++)
		json_array_append_new(
			all,
			json_pack(
				"[I,s]",
				(json_int_t)hp_tree_objects(&f->tree, best[i]),
				kind_name(f, &f->graph.kinds.list[hp_tree_kind(
						     &f->tree, best[i])])));
	return all;
}

static void
print(struct figures *f)
{
	const struct hp_tree *t = &f->tree;
	json_t *all = json_object();
	uint32_t top = 0;

	for (uint32_t place = 1; place < t->count;
	     place = hp_tree_end(t, place))
		top++;

#define NUMBER(name, value)                                                    \
	json_object_set_new(all, name, json_integer((json_int_t)(value)))
	NUMBER("objects", f->graph.all.objects);
	NUMBER("reachable", t->reachable.objects);
	NUMBER("weak", t->weak.objects);
	NUMBER("unreachable", t->unreachable.objects);
	NUMBER("roots", f->graph.nroots);
	NUMBER("top_level_dominators", top);
	NUMBER("max_depth", f->deepest);
	NUMBER("sum_depth", f->depth_sum);
	NUMBER("bytes", f->graph.all.bytes);
	NUMBER("peak", f->graph.memory.peak);
	NUMBER("file_peak", f->graph.memory.file_peak);
	json_object_set_new(all, "top", largest(f));
	json_object_set_new(all, "retained_count", retained(f));
	json_dumpf(all, stdout, JSON_INDENT(1) | JSON_SORT_KEYS);
	printf("\n");
	json_decref(all);
}

static void
run(struct figures *f, const char *path, unsigned threads, unsigned dump,
    uint64_t memory)
{
	const struct hp_histogram_options gathering = {.threads = threads,
						       .dump = dump};
	const struct hp_source_options reading = {.threads = threads,
						  .memory = 1 << 30,
						  .packing = hp_packs,
						  .again = true};
	struct hp_graph_options o = {.threads = threads, .memory = memory};
	struct hp_source *src = NULL;
	struct hp_error err = {0};

	f->o.raw_names = true;
	must(hp_source_open(&src, path, &reading, &err), &err);
	must(hp_histogram_run(&f->gather, src, &gathering, &err), &err);
	if (!f->gather.have_classes) {
		fprintf(stderr, "graph-figures: no such dump\n");
		exit(2);
	}
	o.dump = dump ? dump : f->gather.dumps;
	o.shift = hp_id_shift(f->gather.dialect);
	o.classes = &f->gather.classes;
	o.tables = &f->gather.tables;
	must(hp_resolve_layout(&f->gather, &f->o, &o.layout, &err), &err);
	must(hp_graph_build(&f->graph, src, &o, &err), &err);
	must(hp_depths_find(&f->depths, &f->graph, &err), &err);
	f->deepest = f->depths.most;
	for (uint32_t i = 0; i < f->graph.nodes.count; i++)
		f->depth_sum += ((const uint32_t *)f->depths.by_node.at)[i];
	hp_depths_release(&f->depths);
	must(hp_tree_build(&f->tree, &f->graph, HP_TREE_DROPS_EDGES, &err),
	     &err);
	f->keys = (struct hp_keys){.g = &f->gather, .o = &f->o};
	hp_rows_init(&f->rows, 1);
	find_groups(f);
	print(f);
	hp_source_close(src);
	hp_tree_release(&f->tree);
	hp_graph_release(&f->graph);
	hp_rows_release(&f->rows);
	hp_keys_release(&f->keys);
	hp_histogram_release(&f->gather);
	free(f->group_of);
}

int
main(int argc, char **argv)
{
	struct figures f = {0};
	unsigned threads = 1, dump = 1;
	uint64_t memory = UINT64_MAX / 2;
	int c;

	while ((c = getopt(argc, argv, "t:d:m:")) != -1) {
		if (c == 't')
			threads = (unsigned)atoi(optarg);
		else if (c == 'd')
			dump = (unsigned)atoi(optarg);
		else if (c == 'm')
			memory = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	if (optind + 1 != argc)
		return 2;
	run(&f, argv[optind], threads, dump, memory);
	return 0;
}
