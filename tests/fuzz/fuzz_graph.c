/*
 * fuzz_graph.c - fuzz target: what hprof-diff computes from the object graph
 *
 * The target computes retained sizes, paths, dominators, holders and --why, for
 * one dump, and for a dump that is compared with itself. This comparison must
 * show no difference. Every report is written and checked.
 */
#include "tests/fuzz/diff_run.h"

#include <stdio.h>
#include <unistd.h>

enum way {
	CLASSES,
	WHY,
	PATHS,
	DOMINATORS,
	HOLDERS,
	PACKAGES,
	LOADERS,
	ONE_PATHS,
	ALL_COLUMNS,
	SITES,
	HEAPS,
	ONE_CLASSES,
	WAYS,
};

static void
same_sum(const struct hp_graph_sum *a, const struct hp_graph_sum *b)
{
	HP_FUZZ_CHECK(a->objects == b->objects);
	HP_FUZZ_CHECK(a->bytes == b->bytes);
}

static void
same_row(const struct hp_row *row, const struct hp_result *r)
{
	for (unsigned v = 0; v < HP_COLS; v++)
		for (size_t d = 1; row->value[v] && d < r->ndumps; d++)
			HP_FUZZ_CHECK(row->value[v][d] == row->value[v][0]);
}

/*
 * Check that a dump does not differ from itself, and that no row retains more
 * than the size of all reachable objects.
 */
static void
check(const struct hp_result *r, void *ctx)
{
	const struct hp_dump_info *first = &r->dumps[0];

	for (size_t d = 1; d < r->ndumps; d++) {
		HP_FUZZ_CHECK(!r->changed);
		same_sum(&first->reachable, &r->dumps[d].reachable);
		same_sum(&first->weak, &r->dumps[d].weak);
		same_sum(&first->unreachable, &r->dumps[d].unreachable);
	}
	for (size_t i = 0; i < r->rows.count; i++) {
		const struct hp_row *row = r->rows.list[i];

		same_row(row, r);
		if (row->retained_bytes)
			HP_FUZZ_CHECK(row->retained_bytes[0] <=
				      first->reachable.bytes);
	}
	for (size_t i = 0; i < r->nsuspects; i++)
		HP_FUZZ_CHECK(r->suspects[i].retained[1].bytes <=
			      first->reachable.bytes);
}

static void
choose(struct hp_diff_options *o, enum way way)
{
	static const enum hp_by by[WAYS] = {
		[CLASSES] = HP_BY_CLASS,     [WHY] = HP_BY_PATH,
		[PATHS] = HP_BY_PATH,	     [DOMINATORS] = HP_BY_DOMINATOR,
		[HOLDERS] = HP_BY_HOLDER,    [PACKAGES] = HP_BY_PACKAGE,
		[LOADERS] = HP_BY_LOADER,    [ONE_PATHS] = HP_BY_PATH,
		[ALL_COLUMNS] = HP_BY_CLASS, [SITES] = HP_BY_SITE,
		[HEAPS] = HP_BY_HEAP,	     [ONE_CLASSES] = HP_BY_CLASS,
	};

	o->by = by[way];
	o->retained = way != HOLDERS;
	o->common.threads = way & 1 ? 2 : 1;
	if (way == WHY)
		o->why = "*";
	if (way == PACKAGES)
		o->reachability = HP_REACHABILITY_STRONG;
	if (way == ALL_COLUMNS) {
		o->columns |= hp_columns_that_are(HP_COLUMN_IS_ASKED) |
			      HP_COLUMN_RETAINED;
		o->reachability = HP_REACHABILITY_ALL;
		o->hide_fillers = true;
	}
	o->flat = way == ONE_PATHS || way == ONE_CLASSES;
	if (o->flat)
		o->common.argument_count = 1;
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	int fd = hp_fuzz_file(data, n);
	struct hp_diff_options o;
	char path[32];
	char *paths[] = {path, path};

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_fuzz_diff_options(&o, paths, 2);
	choose(&o, (enum way)hp_fuzz_choice(data, n, WAYS));
	hp_fuzz_diff(&o, true, check, NULL);
	hp_diff_options_release(&o);
	close(fd);
	return 0;
}
