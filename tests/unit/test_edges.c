/*
 * test_edges.c - tests of the compact lists of references in the object graph,
 * and of the large arrays that contain them
 *
 * A list omits fields that are null. It can include local variables of a
 * thread. It can consist of several parts in memory.
 */
#include "common/graph/graph.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LISTS = 3000,
	MOST = 64,
	WORDS = 1 << 20,
	/* so many nodes come from one list to the next that there are several
	   ranges of nodes in the index */
	FEW = 500,
	APART = 300,
};

static uint64_t seed;

static uint32_t
pick(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/*
 * The references of an object: from some of its fields, and from local
 * variables if it is a thread. If it is an array, each reference is stored
 * relative to the previous one.
 */
struct list {
	uint32_t node, kind;
	uint32_t fields[MOST], nodes[MOST], nfields;
	uint32_t locals[MOST], nlocals;
	bool elements;
};

/*
 * Returns the number of a node at a random distance from @node. Over many
 * calls, the encoding of the distance has every possible number of bytes.
 */
static uint32_t
near_or_far(uint32_t node)
{
	uint32_t distance = pick(UINT32_C(1) << pick(32));

	distance = pick(2) ? distance : -distance;
	return node + distance < HP_NODES_MAX ? node + distance : node;
}

static void
make_list(struct list *l)
{
	uint32_t field = 0;

	*l = (struct list){.node = pick(HP_NODES_MAX),
			   .kind = pick(UINT32_MAX),
			   .nfields = pick(MOST),
			   .nlocals = pick(4) ? 0 : pick(MOST),
			   .elements = pick(2)};
	for (uint32_t i = 0; i < l->nfields; i++) {
		/*
		 * sometimes skip so many fields that one word of the list
		 * cannot express their number
		 */
		field += pick(3) ? 1 : 1 + pick(pick(20) ? 5 : 200000);
		l->fields[i] = field - 1;
		l->nodes[i] = near_or_far(l->node);
	}
	for (uint32_t i = 0; i < l->nlocals; i++)
		l->locals[i] = pick(HP_NODES_MAX);
}

static uint64_t
write_list(struct hp_edges *e, struct hp_edge_writer *w, const struct list *l)
{
	uint32_t next = 0;
	uint64_t start;

	must(hp_edge_begin_node(e, w, l->node, l->kind, &start));
	if (l->nlocals > 0)
		must(hp_edge_put_code(e, w, HP_EDGE_LOCALS));
	for (uint32_t i = 0; i < l->nlocals; i++)
		must(hp_edge_put(e, w, l->locals[i]));
	if (l->nlocals > 0)
		must(hp_edge_put_code(e, w, HP_EDGE_FIELDS));
	if (l->elements)
		hp_edge_begin_elements(w, HP_EDGE_ELEMENTS);
	for (uint32_t i = 0; i < l->nfields; i++) {
		if (l->fields[i] > next)
			must(hp_edge_skip(e, w, l->fields[i] - next));
		must(hp_edge_put(e, w, l->nodes[i]));
		next = l->fields[i] + 1;
	}
	must(hp_edge_put_code(e, w, HP_EDGE_CODE_END));
	return start;
}

static void
read_references(const uint8_t *lists, const struct list *l, uint64_t at)
{
	struct hp_edge_reader fields = {.at = at, .base = l->node}, r = fields;

	for (uint32_t i = 0; i < l->nlocals; i++)
		ck_assert_uint_eq(hp_edge_next(lists, &r), l->locals[i]);
	for (uint32_t i = 0; i < l->nfields; i++) {
		ck_assert_uint_eq(hp_edge_next(lists, &r), l->nodes[i]);
		ck_assert_uint_eq(hp_edge_next_field(lists, &fields),
				  l->nodes[i]);
		ck_assert_uint_eq(fields.next, l->fields[i] + 1);
	}
	ck_assert_uint_eq(hp_edge_next(lists, &r), HP_EDGE_END);
	ck_assert_uint_eq(hp_edge_next_field(lists, &fields), HP_EDGE_END);
}

static void
read_list(const uint8_t *lists, const struct list *l, uint64_t at)
{
	ck_assert_uint_eq(hp_edge_decode(lists, &at), l->kind);
	read_references(lists, l, at);
}

START_TEST(fields)
{
	struct hp_big_memory m = {.limit = 1 << 30, .in_order = 1 << 30};
	struct list *lists = calloc(LISTS, sizeof(*lists));
	uint64_t *starts = calloc(LISTS, sizeof(*starts));
	struct hp_edge_writer w = {0};
	struct hp_edges e;

	must(lists && starts);
	seed = (unsigned)_i + 1;
	must(hp_edges_init(&e, LISTS, WORDS, 1, &m, NULL) == HP_OK);
	for (unsigned i = 0; i < LISTS; i++) {
		make_list(&lists[i]);
		starts[i] = write_list(&e, &w, &lists[i]);
	}
	for (unsigned i = 0; i < LISTS; i++)
		read_list(e.lists.at, &lists[i], starts[i]);
	hp_edges_release(&e, &m);
	free(lists);
	free(starts);
}
END_TEST

/*
 * Whether a line of /proc/self/maps or smaps is a temporary file that the
 * program has mapped to write to it. ThreadSanitizer also maps a deleted file,
 * but only to read it.
 */
static bool
is_written_file(const char *line)
{
	return strstr(line, " rw-s ") && strstr(line, "(deleted)");
}

/*
 * Returns the number of temporary files that are mapped. Every file must have
 * at most 1 MB: the kernel reads a file around a missing page, up to several
 * megabytes, and the size of the file is the only limit.
 */
static unsigned
mapped_files(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, end;
	unsigned n = 0;
	char line[512];

	must(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (!is_written_file(line) ||
		    sscanf(line, "%lx-%lx", &from, &end) != 2)
			continue;
		must(end - from <= 1 << 20);
		n++;
	}
	fclose(maps);
	return n;
}

/*
 * Returns the number of temporary files that are mapped for random access: the
 * kernel shows the flag "rr" for them.
 */
static unsigned
random_files(void)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	unsigned n = 0;
	char line[512];
	bool file = false;

	must(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (strncmp(line, "VmFlags:", 8) == 0)
			n += file && strstr(line, " rr");
		else if (strchr(line, '-') && strchr(line, '/'))
			file = is_written_file(line);
		else if (strchr(line, '-'))
			file = false;
	}
	fclose(maps);
	return n;
}

/*
 * An array whose first 100 KB fit into the memory limit. The rest is in small
 * files. Dropping the array must free all of them.
 */
START_TEST(array_in_files)
{
	enum { NUMBERS = 1 << 20, IN_MEMORY = 100 << 10 };
	struct hp_big_memory m = {.limit = IN_MEMORY, .in_order = IN_MEMORY};
	unsigned before = mapped_files();
	struct hp_big_array a;
	uint32_t *numbers;

	must(hp_big_array_make(&m, &a, 4 * NUMBERS,
			       _i ? HP_BIG_BLOCKS : HP_BIG_IN_ORDER,
			       NULL) == HP_OK);
	must(a.split == IN_MEMORY && m.in_file == 4 * NUMBERS - IN_MEMORY);
	must(mapped_files() == before + 4);
	numbers = a.at;
	for (uint32_t i = 0; i < NUMBERS; i++)
		numbers[i] = i;
	hp_big_array_shrink(&m, &a, 2 * NUMBERS);
	must(m.in_file == 2 * NUMBERS - IN_MEMORY);
	must(mapped_files() == before + 2);
	hp_big_array_expect(&a, HP_BIG_RANDOM);
	must(random_files() == 2);
	hp_big_array_expect(&a, HP_BIG_IN_ORDER);
	must(random_files() == 0);
	for (uint32_t i = 0; i < NUMBERS / 2; i++) {
		if (i % 1024 == 0)
			hp_big_array_fetch(&a, 4 * i, 4096);
		must(numbers[i] == i);
	}
	hp_big_array_drop(&m, &a);
	must(m.held == 0 && m.in_file == 0);
	must(mapped_files() == before);
}
END_TEST

/*
 * Write the list of @l in two parts, as for an array that is read in pieces.
 * Returns the position of the first part.
 */
static uint64_t
write_parts(struct hp_edges *e, struct hp_edge_writer *w, const struct list *l)
{
	uint64_t start = 0, end = 0, rest = 0;

	for (unsigned part = 0; part < 2; part++) {
		if (part == 0)
			must(hp_edge_begin_node(e, w, l->node, l->kind,
						&start));
		else
			must(hp_edge_begin(e, w, l->node, &rest));
		if (l->elements)
			hp_edge_begin_elements(
				w, part == 0 ? HP_EDGE_ELEMENTS
					     : HP_EDGE_MORE_ELEMENTS);
		for (uint32_t i = part; i < l->nfields; i++) {
			must(hp_edge_put(e, w, l->nodes[i]));
			if (part == 0)
				break;
		}
		if (part == 0)
			must(hp_edge_end_open(e, w, &end));
	}
	must(hp_edge_put_code(e, w, HP_EDGE_CODE_END));
	hp_edge_continue(e, end, rest);
	return start;
}

static void
write_node(struct hp_edges *e, struct hp_edge_writer *w, struct list *l)
{
	uint64_t start = HP_EDGE_NO_LIST | l->kind;

	if (pick(4) == 0) {
		l->nlocals = 0;
		for (uint32_t i = 0; i < l->nfields; i++)
			l->fields[i] = i;
		start = write_parts(e, w, l);
	} else if (pick(4) > 0) {
		start = write_list(e, w, l);
	} else {
		l->nfields = l->nlocals = 0;
	}
	hp_edge_set_start(e->starts.at, l->node, start);
}

/*
 * Lists keep their contents when they are sorted: lists in several parts, long
 * lists, empty lists, nodes without a list, and nodes that were not read.
 */
START_TEST(sorted)
{
	struct hp_big_memory m = {.limit = 1 << 30, .in_order = 1 << 30};
	struct list *lists = calloc(FEW, sizeof(*lists));
	uint32_t nodes = FEW * APART, references;
	struct hp_edge_writer w[2] = {0};
	struct hp_edges e;
	uint64_t at;

	must(lists);
	seed = (unsigned)_i + 1;
	must(hp_edges_init(&e, nodes, WORDS, 1, &m, NULL) == HP_OK);
	for (uint32_t i = FEW; i-- > 0;) {
		make_list(&lists[i]);
		lists[i].node = i * APART + APART - 1;
		for (uint32_t k = 0; k < lists[i].nfields; k++)
			lists[i].nodes[k] = near_or_far(lists[i].node);
		write_node(&e, &w[pick(2)], &lists[i]);
	}
	must(hp_edges_sort(&e, nodes, 1 + (unsigned)_i % 4, &m, NULL) == HP_OK);
	for (uint32_t node = 0; node < nodes; node++) {
		const struct list *l = &lists[node / APART];

		if (l->node != node) {
			must(hp_edge_kind(&e, node, &at) == 0 && at == 0);
			continue;
		}
		references = l->nfields + l->nlocals;
		ck_assert_uint_eq(hp_edge_kind(&e, node, &at), l->kind);
		ck_assert_int_eq(at > 0, references > 0);
		if (references > 0)
			read_references(e.lists.at, l, at);
	}
	ck_assert(m.in_file == 0 && e.starts.at == NULL);
	hp_edges_release(&e, &m);
	ck_assert_uint_eq(m.held, 0);
	free(lists);
}
END_TEST

Suite *test_edges_suite(void);

Suite *
test_edges_suite(void)
{
	Suite *s = suite_create("edges");
	TCase *t = tcase_create("edges"), *q = quick_case(s, 60);

	tcase_add_loop_test(q, fields, 0, 1);
	tcase_add_loop_test(t, fields, 1, 8);
	tcase_add_loop_test(t, array_in_files, 0, 2);
	tcase_add_loop_test(q, sorted, 0, 1);
	tcase_add_loop_test(t, sorted, 1, 8);
	suite_add_tcase(s, t);
	return s;
}
