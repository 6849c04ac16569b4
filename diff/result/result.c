/*
 * result.c - complete a result after all dumps were read: compute totals, check
 * gates (--fail-if), choose and sort the rows
 */
#include "diff/result/result.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum hp_status
hp_result_init(struct hp_result *r, size_t ndumps, struct hp_error *err)
{
	memset(r, 0, sizeof(*r));
	hp_rows_init(&r->rows, ndumps);
	hp_rows_init(&r->in_heap, ndumps);
	r->ndumps = ndumps;
	r->dumps = hp_calloc(ndumps, sizeof(*r->dumps));
	r->variance = hp_calloc(2 * ndumps, sizeof(*r->variance));
	r->whole = hp_calloc(ndumps, sizeof(*r->whole));
	return r->dumps && r->variance && r->whole ? HP_OK : hp_no_memory(err);
}

void
hp_result_release(struct hp_result *r)
{
	for (size_t i = 0; i < r->ngates; i++)
		hp_gate_release(&r->gates[i]);
	hp_free(r->gates);
	for (size_t i = 0; r->dumps && i < r->ndumps; i++)
		hp_free(r->dumps[i].sizes.list);
	hp_free(r->dumps);
	hp_free(r->variance);
	hp_free(r->whole);
	hp_free(r->shown);
	hp_free(r->boxes);
	hp_free(r->stacks);
	hp_rows_release(&r->owners);
	hp_rows_release(&r->holders);
	hp_rows_release(&r->class_loaders);
	hp_rows_release(&r->class_sites);
	hp_rows_release(&r->waste);
	hp_free(r->paths.steps);
	hp_free(r->paths.list);
	hp_rows_release(&r->rows);
	hp_rows_release(&r->in_heap);
	hp_arena_release(&r->arena);
	hp_why_release(&r->why);
	memset(r, 0, sizeof(*r));
}

/*
 * Returns the columns that are computed although no option asks for them, one
 * bit for each: the size of the largest object of each class, which the HTML
 * page shows if there is an object graph.
 */
static unsigned
columns_unasked(const struct hp_diff_options *o)
{
	return o->retained && hp_key_is(o->by, HP_KEY_DETAILS) &&
			       hp_diff_holds(o, HP_FORMAT_PAGE)
		       ? HP_COLUMN_LARGEST
		       : 0;
}

void
hp_result_set_columns(struct hp_result *r, const struct hp_diff_options *o)
{
	unsigned asked = hp_columns_that_are(HP_COLUMN_IS_ASKED);
	unsigned of_key = hp_columns_of_key(o->by) & hp_columns_stored();

	if (!r->rows.retained)
		of_key &= ~hp_columns_that_are(HP_COLUMN_IS_RETAINED);
	r->rows.columns = (of_key & ~asked) | (of_key & asked & o->columns) |
			  columns_unasked(o);
	r->rows.asked = o->columns;
	r->in_heap.columns = r->rows.columns;
	r->in_heap.retained = r->rows.retained;
	r->in_heap.asked = r->rows.asked;
	/*
	 * with --by=cpu and --by=monitor, a column exists only if an input has
	 * values for it
	 */
	if (hp_key_is(o->by, HP_KEY_EVENTS))
		r->absent = hp_columns_that_are(HP_COLUMN_IS_DEFAULT);
}

void
hp_result_drop_graph(struct hp_result *r, const char *why)
{
	const unsigned kept = ~hp_columns_that_are(HP_COLUMN_IS_RETAINED);

	hp_memory_forget_refusal();
	r->no_graph = why;
	r->rows.retained = r->in_heap.retained = false;
	r->rows.columns &= kept;
	r->in_heap.columns &= kept;
	r->nsuspects = 0;
	r->suspects_sought = false;
}

bool
hp_layouts_differ(const struct hp_size_model *a, const struct hp_size_model *b)
{
	return a->model != b->model || a->reference != b->reference ||
	       a->header != b->header || a->array_header != b->array_header ||
	       a->alignment != b->alignment;
}

bool
hp_result_layouts_differ(const struct hp_result *r)
{
	for (size_t i = 1; i < r->ndumps; i++)
		if (hp_layouts_differ(&r->dumps[0].layout, &r->dumps[i].layout))
			return true;
	return false;
}

/*
 * Returns the first column of @list that the result has, or HP_COLS if it has
 * none. The list ends with HP_COLS.
 */
static enum hp_col
first_column(const struct hp_result *r, const enum hp_col *list)
{
	while (*list != HP_COLS && !(r->columns & 1u << *list))
		list++;
	return *list;
}

/*
 * Decide which columns the result has, which columns the table shows, and which
 * columns JSON contains.
 */
static void
find_columns(struct hp_result *r, const struct hp_diff_options *o)
{
	unsigned of_key = hp_columns_of_key(r->by);
	unsigned derived = of_key & ~hp_columns_stored();

	r->columns = (derived | (of_key & r->rows.columns)) & ~r->absent;
	r->shows = hp_columns_that_are(HP_COLUMN_IS_DEFAULT |
				       HP_COLUMN_IS_RETAINED);
	if (o->columns_given)
		r->shows = o->columns;
	else if (hp_key_is(r->by, HP_KEY_PARTS_OF_HEAP))
		r->shows |= hp_row_keys[r->by].told;
	r->shows |= hp_columns_that_are(HP_COLUMN_IS_OF_KEY);
	r->shows &= r->columns;
	r->tells = (r->columns & ~derived) | r->shows |
		   (r->columns & hp_row_keys[r->by].told);
}

/*
 * Whether a row grew from each dump to the next, in the most important column
 * that can grow (such as bytes). If the values of two dumps are equal there,
 * the next column that can grow (such as count) decides.
 */
static bool
row_grows(const struct hp_result *r, const struct hp_row *row)
{
	const enum hp_col *list = hp_row_keys[r->by].weight;
	enum hp_col first = first_column(r, list), second = HP_COLS;

	if (r->ndumps < 3 || first == HP_COLS)
		return false;
	while (*list != first)
		list++;
	second = first_column(r, list + 1);
	for (size_t i = 1; i < r->ndumps; i++) {
		const uint64_t *a = &row->value[first][i];

		if (a[0] > a[-1])
			continue;
		if (a[0] < a[-1] || second == HP_COLS ||
		    row->value[second][i] <= row->value[second][i - 1])
			return false;
	}
	return true;
}

/*
 * The context argument of the comparison function for qsort_r(): how rows are
 * sorted.
 */
struct order {
	const struct hp_result *r;
	/* the value of --sort: HP_SORT_NAME, HP_SORT_GROWTH or a column */
	unsigned sort;
	/*
	 * the columns to sort by, one bit for each; the column of the highest
	 * bit is the most important
	 */
	unsigned columns;
	/* the column whose growth is compared first */
	enum hp_col main;
	/*
	 * for this --by key: the columns by which rows are sorted if all other
	 * criteria are equal
	 */
	const enum hp_col *own;
};

/*
 * Returns the number by which a row is sorted in a column: its value if there
 * is one dump, otherwise the absolute value of its change.
 */
static uint64_t
row_weight(const struct hp_result *r, const struct hp_row *row, enum hp_col c)
{
	uint64_t first = hp_result_value(r, row, c, 0);
	uint64_t last = hp_result_value(r, row, c, r->ndumps - 1);

	if (r->ndumps == 1)
		return first;
	return hp_difference(first, last);
}

/*
 * Compare two rows by the value of a column, or by its change, largest first.
 */
static int
compare_weights(const struct order *o, const struct hp_row *a,
		const struct hp_row *b, enum hp_col c)
{
	return hp_order(row_weight(o->r, b, c), row_weight(o->r, a, c));
}

static int
compare_growth(const struct order *o, const struct hp_row *a,
	       const struct hp_row *b, enum hp_col c)
{
	size_t last = o->r->ndumps - 1;
	__int128 x = (__int128)hp_result_value(o->r, a, c, last) -
		     hp_result_value(o->r, a, c, 0);
	__int128 y = (__int128)hp_result_value(o->r, b, c, last) -
		     hp_result_value(o->r, b, c, 0);

	return (y > x) - (y < x);
}

static int
compare_names(const struct hp_row *a, const struct hp_row *b)
{
	size_t n = a->key_len < b->key_len ? a->key_len : b->key_len;
	int c = memcmp(a->key, b->key, n);

	if (c == 0)
		c = hp_order(a->key_len, b->key_len);
	for (uint32_t i = 0;
	     c == 0 && i < a->frames.count && i < b->frames.count; i++)
		c = strcmp(a->frames.text[i], b->frames.text[i]);
	if (c == 0)
		c = hp_order(a->frames.count, b->frames.count);
	if (c == 0)
		c = hp_order(b->rollup,
			     /*
			      * a rollup (sum of other rows) comes before an
			      * ordinary row with the same key
			      */
			     a->rollup);
	if (c == 0)
		c = hp_order(a->hash[1], b->hash[1]);
	return c ? c : hp_order(a->hash[0], b->hash[0]);
}

static int
compare_rows(const void *x, const void *y, void *context)
{
	const struct hp_row *a = *(struct hp_row *const *)x;
	const struct hp_row *b = *(struct hp_row *const *)y;
	const struct order *o = context;
	const enum hp_col *own = o->own;
	int c = (int)a->beside - (int)b->beside;

	if (c == 0 && o->sort == HP_SORT_GROWTH) {
		c = (int)b->grows - (int)a->grows;
		if (c == 0 && o->main != HP_COLS)
			c = compare_growth(o, a, b, o->main);
		for (own = o->own; c == 0 && *own != HP_COLS; own++)
			c = compare_growth(o, a, b, *own);
	}
	/*
	 * compare the column with the highest bit first, so that bytes come
	 * before counts
	 */
	for (unsigned left = o->columns; c == 0 && left;) {
		enum hp_col column = (enum hp_col)(31 - __builtin_clz(left));

		left &= ~(1u << column);
		c = compare_weights(o, a, b, column);
	}
	if (o->sort == HP_SORT_NAME)
		return c ? c : compare_names(a, b);
	for (own = o->own; c == 0 && *own != HP_COLS; own++)
		c = compare_weights(o, a, b, *own);
	return c ? c : compare_names(a, b);
}

bool
hp_result_is_sampled(const struct hp_result *r)
{
	for (size_t i = 0; i < r->ndumps; i++)
		if (r->dumps[i].sample)
			return true;
	return false;
}

static bool
is_array_row(const struct hp_row *row)
{
	return row->key[0] == '[' ||
	       (row->key_len > 2 &&
		memcmp(row->key + row->key_len - 2, "[]", 2) == 0);
}

static double
row_variance(const struct hp_result *r, const struct hp_row *row, size_t dump,
	     bool of_bytes)
{
	struct hp_estimate e;

	if (row == r->total)
		return r->variance[of_bytes * r->ndumps + dump];
	if (!r->dumps[dump].sample)
		return 0;
	e = (struct hp_estimate){.interval = r->dumps[dump].sample,
				 .count = row->count[dump],
				 .bytes = row->bytes[dump],
				 .is_mixed = is_array_row(row)};
	return hp_sampling_variance(&e, of_bytes);
}

double
hp_result_margin(const struct hp_result *r, const struct hp_row *row,
		 size_t dump, enum hp_col c)
{
	bool of_bytes = hp_columns[c].unit == HP_IN_BYTES;

	return r->deviations * sqrt(row_variance(r, row, dump, of_bytes));
}

double
hp_result_growth_margin(const struct hp_result *r, const struct hp_row *row,
			enum hp_col c)
{
	bool of_bytes = hp_columns[c].unit == HP_IN_BYTES;
	double sum = row_variance(r, row, r->ndumps - 1, of_bytes);

	if (r->ndumps > 1)
		sum += row_variance(r, row, 0, of_bytes);
	return r->deviations * sqrt(sum);
}

/*
 * Whether the value of a row in the first dump is not known: the row is a path,
 * and the first dump is a saved result that may have counted this path among
 * its small paths.
 */
static bool
is_untold(const struct hp_result *r, const struct hp_row *row)
{
	return hp_key_is(r->by, HP_KEY_PATHS) && row != r->total &&
	       row->retained_count[0] == 0;
}

static void
row_margins(const struct hp_result *r, const struct hp_row *row,
	    struct hp_gate_margin to[HP_COLS])
{
	struct hp_graph_sum untold = {0};

	if (is_untold(r, row))
		untold = r->dumps[0].untold;
	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;

		to[c].untold = hp_columns[c].unit == HP_IN_BYTES
				       ? untold.bytes
				       : untold.objects;
		if (!hp_column_is(c, HP_COLUMN_IS_ESTIMATE))
			continue;
		to[c].last = hp_result_margin(r, row, r->ndumps - 1, c);
		to[c].growth = hp_result_growth_margin(r, row, c);
	}
}

/*
 * Whether a rollup row is the sum of only one package. Such a rollup row is not
 * shown, because the row of this package has the same values.
 */
static bool
result_is_idle(const struct hp_result *r, const struct hp_row *row)
{
	return row->rollup && hp_key_is(r->by, HP_KEY_LEVELS) && row->parts < 2;
}

/*
 * Whether the value of a row changed in a dump between the first and the last
 * one, although the values in the first and the last dump may be equal.
 */
static bool
changed_in_between(const struct hp_rows *rows, const struct hp_row *row)
{
	for (size_t i = 1; i + 1 < rows->dumps; i++)
		if (row->count[i] != row->count[0] ||
		    row->bytes[i] != row->bytes[0])
			return true;
	return false;
}

/*
 * Add the values of a path that the ignore list hides to the sums of ignored
 * paths.
 */
static void
add_ignored(struct hp_ignored *g, const struct hp_rows *rows,
	    const struct hp_row *row)
{
	int64_t bytes = hp_row_growth(rows, row->bytes);
	int64_t objects = hp_row_growth(rows, row->count);
	int64_t way = bytes != 0 ? bytes : objects;
	struct hp_graph_sum *sum = way > 0 ? &g->gained : &g->lost;

	hp_row_join(rows, g->sum, row);
	g->paths++;
	g->grew += way > 0;
	g->shrank += way < 0;
	g->changed += way == 0 && changed_in_between(rows, row);
	if ((bytes > 0) == (way > 0))
		hp_sum_add(&sum->bytes, hp_magnitude(bytes));
	if ((objects > 0) == (way > 0))
		hp_sum_add(&sum->objects, hp_magnitude(objects));
}

static bool
sums_differ(const struct hp_graph_sum *a, const struct hp_graph_sum *b)
{
	return a->objects != b->objects || a->bytes != b->bytes;
}

/*
 * Whether the total numbers of objects or bytes differ between the dumps. If
 * @reachable is true, only reachable objects are counted. This is checked
 * because the rows may contain only a part of the objects.
 */
static bool
dumps_differ(const struct hp_result *r, bool reachable)
{
	const struct hp_dump_info *a = &r->dumps[0], *b;

	for (size_t i = 1; i < r->ndumps; i++) {
		b = &r->dumps[i];
		if (a->objects != b->objects || a->bytes != b->bytes)
			return true;
		if (reachable &&
		    (sums_differ(&a->reachable, &b->reachable) ||
		     sums_differ(&a->weak, &b->weak) ||
		     sums_differ(&a->hidden, &b->hidden) ||
		     sums_differ(&a->unreachable, &b->unreachable)))
			return true;
	}
	return false;
}

/* Add the values of a row, and the variances of its estimates, to the total. */
static void
join_total(struct hp_result *r, const struct hp_row *row)
{
	hp_row_join(&r->rows, r->total, row);
	if (hp_key_is(r->by, HP_KEY_SUMS_RETAINED))
		for (size_t i = 0; i < r->ndumps; i++) {
			r->total->retained_count[i] += row->retained_count[i];
			r->total->retained_bytes[i] += row->retained_bytes[i];
		}
	for (size_t i = 0; i < r->ndumps; i++) {
		r->variance[i] += row_variance(r, row, i, false);
		r->variance[r->ndumps + i] += row_variance(r, row, i, true);
	}
}

/*
 * Set r->changed if the totals changed although no single row did. This can
 * happen with a saved result, which contains only the sum of its small paths.
 */
static void
find_changes(struct hp_result *r)
{
	r->changed |= dumps_differ(r, true) ||
		      hp_row_changed(&r->rows, r->total) ||
		      (r->ndumps > 1 && r->nsuspects > 0);
	r->counts_changed |= dumps_differ(r, false) ||
			     hp_row_counts_changed(&r->rows, r->total);
}

static void
add_row(struct hp_result *r, const struct hp_row *row)
{
	if (!row->rollup && !row->beside)
		join_total(r, row);
	if (!r->heap_only && !row->unknown) {
		r->changed |= hp_row_changed(&r->rows, row);
		r->counts_changed |= hp_row_counts_changed(&r->rows, row);
	}
	if (row->ignored && !row->unknown)
		add_ignored(&r->ignored, &r->rows, row);
}

/*
 * Check all gates (--fail-if) on a row. Rows that are not shown are also
 * checked. Paths of known leaks (--known) are not checked.
 */
static enum hp_status
check_row(struct hp_result *r, const struct hp_row *row, struct hp_error *err)
{
	struct hp_gate_margin margins[HP_COLS] = {0};
	enum hp_status st = HP_OK;
	struct hp_fingerprint f;

	if (r->known && hp_key_is(r->by, HP_KEY_PATHS)) {
		st = hp_fingerprint_path(&f, row->key, NULL, err);
		if (st != HP_OK || hp_known_find(r->known, &f))
			return st;
	}
	row_margins(r, row, margins);
	for (size_t i = 0; i < r->ngates && st == HP_OK; i++)
		st = hp_gate_row(&r->gates[i], &r->rows, row, margins, err);
	return st;
}

static enum hp_status
check_rows(struct hp_result *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->rows.count && st == HP_OK; i++)
		if (!result_is_idle(r, r->rows.list[i]) &&
		    !r->rows.list[i]->ignored)
			st = check_row(r, r->rows.list[i], err);
	return st;
}

/*
 * Check the gates on findings, such as "finding:ID". A gate does not fail on a
 * known finding (--known).
 */
static void
check_findings(struct hp_result *r)
{
	for (size_t i = 0; i < r->ngates; i++) {
		struct hp_gate *g = &r->gates[i];

		if (g->of != HP_GATE_FINDING)
			continue;
		g->matched = r->findings[g->finding].checked;
		g->tripped = r->findings[g->finding].applies &&
			     !r->known_findings[g->finding];
	}
}

/* Set the retained size of the total: the size of all reachable objects. */
static void
set_retained_total(const struct hp_result *r, struct hp_row *total)
{
	/*
	 * with a --by key that needs the object graph, the rows also count the
	 * objects that wait for a finalizer, so the total includes these
	 */
	bool waiting = hp_key_is(r->by, HP_KEY_OF_GRAPH);

	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];

		total->retained_count[i] = d->reachable.objects;
		total->retained_bytes[i] = d->reachable.bytes;
		if (!waiting)
			continue;
		hp_sum_add(&total->retained_count[i], d->waiting.objects);
		hp_sum_add(&total->retained_bytes[i], d->waiting.bytes);
	}
}

static enum hp_status
make_total(struct hp_result *r, struct hp_error *err)
{
	struct hp_row *total = hp_rows_make_total(&r->rows);

	if (!total)
		return hp_no_memory(err);
	if (total->retained_count && !hp_key_is(r->by, HP_KEY_SUMS_RETAINED))
		set_retained_total(r, total);
	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_columns[c].flags & HP_COLUMN_IS_NO_TOTAL)
			total->value[c] = NULL;
	r->total = total;
	r->ignored.applied = hp_key_is(r->by, HP_KEY_PATHS) && !r->options->why;
	r->ignored.sum = hp_rows_make_total(&r->rows);
	return r->ignored.sum ? HP_OK : hp_no_memory(err);
}

/*
 * Whether something changed in those Android heaps whose rows are in a saved
 * result. The other heaps cannot be compared, because the saved result does not
 * contain them.
 */
static bool
heap_changed(const struct hp_result *r)
{
	bool changed = hp_row_changed(&r->rows, r->total);

	for (size_t i = 0; i < r->in_heap.count && !changed; i++)
		changed = !result_is_idle(r, r->in_heap.list[i]) &&
			  hp_row_changed(&r->in_heap, r->in_heap.list[i]);
	return changed;
}

/*
 * For each dump, set the value that counts as 100 %: the total of the rows or,
 * if an object can count in several rows or in none, the size of the whole
 * heap.
 */
static void
find_basis(struct hp_result *r)
{
	enum hp_col weight = first_column(r, hp_row_keys[r->by].weight);
	bool of_heap = hp_key_is(r->by, HP_KEY_OVERLAPS | HP_KEY_PARTS_OF_HEAP);

	r->basis.weight = weight;
	r->basis.whole = r->whole;
	if (weight != HP_COLS)
		for (size_t i = 0; i < r->ndumps; i++)
			r->whole[i] = of_heap ? r->dumps[i].bytes
					      : r->total->value[weight][i];
	for (size_t i = 0; i < r->ngates; i++)
		r->gates[i].basis = &r->basis;
}

const struct hp_suspect *
hp_result_new_suspect(const struct hp_result *r, size_t k)
{
	for (size_t i = 0; i < r->nsuspects; i++)
		if (!r->suspects[i].known && k-- == 0)
			return &r->suspects[i];
	return NULL;
}

size_t
hp_result_new_suspects(const struct hp_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nsuspects; i++)
		n += !r->suspects[i].known;
	return n;
}

/* Check the gates on new suspects and the gates on the total. */
static void
check_whole(struct hp_result *r)
{
	struct hp_gate_margin margins[HP_COLS] = {0};

	row_margins(r, r->total, margins);
	for (size_t i = 0; i < r->ngates; i++) {
		struct hp_gate *g = &r->gates[i];

		if (g->of == HP_GATE_TOTAL)
			hp_gate_total(g, r->ndumps, r->total, margins);
		if (g->of != HP_GATE_SUSPECTS)
			continue;
		g->matched = 1;
		g->tripped = hp_result_new_suspects(r) > 0;
	}
}

/* Compute all results that do not depend on which rows are shown. */
static enum hp_status
result_take_all(struct hp_result *r, struct hp_error *err)
{
	enum hp_status st = hp_known_mark(r->known, r, err);

	for (size_t i = 0; i < r->rows.count; i++)
		if (!result_is_idle(r, r->rows.list[i]))
			add_row(r, r->rows.list[i]);
	if (r->heap_only)
		for (size_t i = 0; i < r->ndumps; i++) {
			r->total->count[i] = r->dumps[i].all_objects;
			r->total->bytes[i] = r->dumps[i].all_bytes;
		}
	/* paths overlap, so the sum of the rows would count bytes twice */
	if (r->total->native &&
	    (r->heap_only || hp_key_is(r->by, HP_KEY_OF_GRAPH)))
		for (size_t i = 0; i < r->ndumps; i++)
			r->total->native[i] = r->dumps[i].all_native;
	if (r->heap_only)
		r->changed = r->counts_changed = heap_changed(r);
	if (st == HP_OK)
		find_changes(r);
	find_basis(r);
	if (st == HP_OK && r->ngates > 0)
		st = check_rows(r, err);
	check_whole(r);
	check_findings(r);
	return st;
}

/*
 * Whether a row below the total is hidden on a terminal. The row is shown in
 * three cases: it is the sum of a kind of waste; --all was given; or the filter
 * matches the kind of waste of the row.
 */
static bool
is_beside_screen(const struct hp_row *row, const struct hp_diff_options *o)
{
	return row->beside && !row->rollup && !o->all &&
	       hp_diff_holds(o, HP_FORMAT_SCREEN) &&
	       !(o->filter &&
		 hp_glob_match(o->filter, row->key, row->holder_len));
}

static enum hp_status
result_choose(struct hp_result *r, const struct hp_diff_options *o,
	      struct hp_error *err)
{
	struct hp_rows *rows = r->heap_shown ? &r->in_heap : &r->rows;
	/*
	 * the HTML page can also show unchanged rows; with --top, leave them
	 * out, because they would replace changed rows
	 */
	bool page = hp_diff_holds(o, HP_FORMAT_PAGE) && o->top == 0;
	/*
	 * A profiler adds up rows itself. So its format contains all rows,
	 * including those that did not change, but no rollups (sums of other
	 * rows).
	 */
	bool profile = hp_diff_holds(o, HP_FORMAT_SUMS_ITSELF);

	r->shown = hp_malloc((rows->count + 1) * sizeof(struct hp_row *));
	if (!r->shown)
		return hp_no_memory(err);
	for (size_t i = 0; i < rows->count; i++) {
		struct hp_row *row = rows->list[i];

		if (result_is_idle(r, row) || row->ignored ||
		    (o->filter && !hp_row_matches(row, o->filter)))
			continue;
		r->matched = true;
		if (row->rollup && profile)
			continue;
		if (is_beside_screen(row, o))
			continue;
		row->grows = row_grows(r, row);
		if (r->ndumps == 1 || o->all || profile ||
		    (!row->hidden && (page || hp_row_changed(rows, row))))
			r->shown[r->nshown++] = row;
	}
	return HP_OK;
}

/*
 * Whether the table is sorted by retained size or its growth. Formats for
 * people are sorted in this way, if retained sizes are known and the user has
 * not chosen other columns.
 */
static bool
sorts_by_retained(const struct hp_result *r, const struct hp_diff_options *o)
{
	return hp_diff_holds(o, HP_FORMAT_PEOPLE) && !o->columns_given &&
	       r->columns & HP_COLUMN_RETAINED_BYTES;
}

/*
 * Returns the sort key of the rows: the value of --sort, or the default for the
 * --by key. The key is a column, HP_SORT_NAME or HP_SORT_GROWTH.
 */
static unsigned
find_sort(const struct hp_result *r, const struct hp_diff_options *o)
{
	unsigned shown = o->columns & r->columns;

	if (o->sort_given)
		return o->sort;
	if (r->ndumps > 2 || (r->ndumps > 1 && sorts_by_retained(r, o)))
		return HP_SORT_GROWTH;
	if (sorts_by_retained(r, o))
		return (unsigned)__builtin_ctz(HP_COLUMN_RETAINED_BYTES);
	if (hp_row_keys[r->by].sort != HP_COLS)
		return hp_row_keys[r->by].sort;
	for (unsigned c = 0; c < HP_COLS; c++)
		if (shown == hp_sort_columns(c))
			return c;
	return first_column(r, hp_row_keys[r->by].own);
}

/*
 * Hide all rows after the first @top. On a terminal, the sums below the total
 * are still shown; they are the last rows.
 */
static void
cut_rows(struct hp_result *r, size_t top)
{
	size_t end = r->nshown, left = 0;

	while (end > 0 && r->shown[end - 1]->beside &&
	       r->shown[end - 1]->rollup)
		end--;
	if (!top || top >= end)
		return;
	left = r->nshown - end;
	memmove(r->shown + top, r->shown + end, left * sizeof(struct hp_row *));
	r->ncut = end - top;
	r->nshown = top + left;
}

enum hp_status
hp_result_finish(struct hp_result *r, const struct hp_diff_options *o,
		 size_t top, struct hp_error *err)
{
	struct order order = {.r = r,
			      .main = hp_row_keys[r->by].sort,
			      .own = hp_row_keys[r->by].own};
	enum hp_status st;

	find_columns(r, o);
	order.sort = find_sort(r, o);
	if (!o->sort_given && sorts_by_retained(r, o))
		order.main =
			(enum hp_col)__builtin_ctz(HP_COLUMN_RETAINED_BYTES);
	order.columns = hp_sort_columns(order.sort) & r->columns;
	r->top = top;
	r->deviations = hp_sampling_deviations(o->confidence);
	st = make_total(r, err);
	if (st == HP_OK)
		st = hp_rollups_add(&r->rows, r->by, err);
	if (st == HP_OK && r->heap_shown)
		st = hp_rollups_add(&r->in_heap, r->by, err);
	if (st == HP_OK)
		st = result_take_all(r, err);
	if (st == HP_OK)
		st = result_choose(r, o, err);
	if (st != HP_OK)
		return st;
	qsort_r(r->shown, r->nshown, sizeof(struct hp_row *), compare_rows,
		&order);
	for (size_t i = 0; i < r->ngates; i++) {
		struct hp_gate *g = &r->gates[i];

		if (g->nrows)
			qsort_r(g->rows, g->nrows, sizeof(struct hp_row *),
				compare_rows, &order);
	}
	cut_rows(r, top);
	return st;
}
