/*
 * html_sums.c - write the sums over rows that the HTML page shows: the rows by
 * package, the treemap of packages, and the flame graph
 *
 * The page shows these sums as they are written here. Its script only finds the
 * place of each box.
 */
#include "diff/report/html_figures.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/model/class_name.h"

#include <string.h>

/* --- trees whose nodes are sums ------------------------------------------- */

/* A node of a tree. It has the sum of all rows in it and below it. */
struct node {
	const char *name;
	size_t len;
	/* index of the node above; the root, which is its own parent, is 0 */
	uint32_t parent;
	/*
	 * For a stack frame: the first row that has it, and its index in the
	 * frames of this row. For the class of a row, the index is -1.
	 */
	uint32_t row;
	int32_t frame;
	uint64_t v[2]; /* the sum in the first and in the last dump */
};

struct tree {
	struct node *list;
	size_t count, cap;
	struct hp_hash_table table;
	bool failed; /* out of memory */
};

static bool
is_node(const void *items, uint32_t number, const void *wanted)
{
	const struct node *a = (const struct node *)items + (number - 1);
	const struct node *b = wanted;

	return a->parent == b->parent && a->len == b->len &&
	       (a->name == b->name || memcmp(a->name, b->name, a->len) == 0);
}

static void
add_values(struct node *n, const uint64_t v[2])
{
	hp_sum_add(&n->v[0], v[0]);
	hp_sum_add(&n->v[1], v[1]);
}

/*
 * Find or create the node @wanted, and add @v to its sum. Returns its index; 0
 * if out of memory.
 */
static uint32_t
add_node(struct tree *t, const struct node *wanted, const uint64_t v[2])
{
	struct hp_hash_slot *slot;
	uint64_t hash[2];

	if (t->failed || t->count >= UINT32_MAX - 1 ||
	    !HP_LIST_RESERVE(t->list, t->count, t->cap) ||
	    !hp_hash_reserve(&t->table, t->count + 1)) {
		t->failed = true;
		return 0;
	}
	hp_row_hash(wanted->name, wanted->len, t->table.seed, hash);
	hash[0] = (hash[0] + wanted->parent) * (t->table.seed | 1) >> 32;
	slot = hp_hash_find(&t->table, (uint32_t)hash[0], is_node, t->list,
			    wanted);
	if (slot->number == 0) {
		t->list[t->count++] = *wanted;
		hp_hash_add(&t->table, slot, (uint32_t)hash[0],
			    (uint32_t)t->count);
	}
	add_values(&t->list[slot->number - 1], v);
	return slot->number - 1;
}

/* Make an empty tree, which has only a root. */
static void
tree_init(struct tree *t)
{
	memset(t, 0, sizeof(*t));
	(void)add_node(t, &(struct node){.name = ""}, (uint64_t[2]){0});
}

static void
tree_release(struct tree *t)
{
	hp_free(t->list);
	hp_hash_release(&t->table);
}

/* Write the sums of a node, and their texts as hp_html_box() does. */
static void
write_sums(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const struct node *n)
{
	if (r->ndumps > 1)
		hp_json_u64(j, n->v[0]);
	hp_json_u64(j, n->v[1]);
	hp_html_box(j, r, texts, hp_html_weight(r, 0), n->v);
}

/*
 * The values of a row in the column by which growth is compared, in the first
 * and in the last dump; with one dump, the first is 0.
 */
static void
row_values(const struct hp_result *r, const struct hp_row *row, uint64_t v[2])
{
	enum hp_col c = hp_html_weight(r, 0);

	v[0] = r->ndumps > 1 ? hp_html_row_value(r, row, c, 0) : 0;
	v[1] = hp_html_row_value(r, row, c, r->ndumps - 1);
}

/* --- rows by package ------------------------------------------------------ */

/* The package of a class, as the row of --by=package that counts it. */
static struct hp_name
package_of(const struct hp_row *row)
{
	return hp_key_package(
		&(struct hp_name){.text = row->key, .len = row->key_len});
}

/* The columns that are summed: those of the key, without retained sizes. */
static unsigned
summed_columns(const struct hp_result *r)
{
	unsigned columns = 0;

	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_result_tells(r, (enum hp_col)c) &&
		    !hp_columns[c].derive &&
		    hp_column_is((enum hp_col)c, HP_COLUMN_IS_DEFAULT))
			columns |= 1u << c;
	return columns;
}

static bool
sum_packages(struct hp_rows *sums, const struct hp_result *r)
{
	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		struct hp_name name = package_of(row);
		struct hp_row *sum;

		if (row->rollup)
			continue;
		sum = hp_rows_put(sums, name.text, name.len, NULL, NULL);
		if (!sum)
			return false;
		for (unsigned c = 0; c < HP_COLS; c++)
			for (size_t k = 0; k < r->ndumps && sum->value[c]; k++)
				hp_sum_add(&sum->value[c][k],
					   hp_result_value(r, row,
							   (enum hp_col)c, k));
	}
	return true;
}

static bool
grows_always(const struct hp_result *r, const struct hp_row *sum)
{
	enum hp_col c = hp_html_weight(r, 0);

	for (size_t k = 1; c != HP_COLS && k < r->ndumps; k++)
		if (sum->value[c][k] <= sum->value[c][k - 1])
			return false;
	return c != HP_COLS;
}

static void
write_package(struct hp_json *j, const struct hp_result *r,
	      struct hp_rows *texts, const struct hp_row *sum)
{
	hp_json_object_flat(j);
	hp_json_key(j, "key");
	hp_json_visible(j, sum->key, sum->key_len);
	for (unsigned c = 0; c < HP_COLS; c++) {
		if (!sum->value[c])
			continue;
		hp_json_put_array_flat(j, hp_columns[c].key);
		for (size_t k = 0; k < r->ndumps; k++)
			hp_json_u64(j, sum->value[c][k]);
		hp_json_array_end(j);
	}
	if (r->ndumps > 2)
		hp_json_put_bool(j, "grows", grows_always(r, sum));
	hp_html_sum_figures(j, r, texts, sum);
	hp_json_object_end(j);
}

/*
 * Write the JSON member "packages": a row for each package, with the sums of
 * the rows of its classes.
 */
static void
write_packages(struct hp_json *j, const struct hp_result *r,
	       struct hp_rows *texts)
{
	struct hp_rows sums;

	hp_rows_init(&sums, r->ndumps);
	sums.columns = summed_columns(r);
	j->buf.failed |= !sum_packages(&sums, r);
	hp_json_put_array(j, "packages");
	for (size_t i = 0; i < sums.count && !j->buf.failed; i++)
		write_package(j, r, texts, sums.list[i]);
	hp_json_array_end(j);
	hp_rows_release(&sums);
}

/* --- the treemap of packages ---------------------------------------------- */

/*
 * Add a row to all packages that contain it. A package in parentheses, such as
 * "(no package)", has no parts.
 */
static void
add_to_packages(struct tree *t, const struct hp_name *package,
		const uint64_t v[2])
{
	const char *s = package->text, *end = s + package->len;
	struct node n = {0};

	if (t->failed)
		return;
	add_values(&t->list[0], v);
	for (unsigned level = 0; s <= end && level < HP_PACKAGE_LEVELS;
	     level++) {
		const char *dot = memchr(s, '.', (size_t)(end - s));

		if (!dot || package->text[0] == '(')
			dot = end;
		n.name = s;
		n.len = (size_t)(dot - s);
		n.parent = add_node(t, &n, v);
		s = dot + 1;
	}
}

/*
 * Write the JSON member "treemap": the packages, each as [parent, "last part of
 * the name", bytes ..., text ...]. The first one is the root.
 */
static void
write_treemap(struct hp_json *j, const struct hp_result *r,
	      struct hp_rows *texts)
{
	struct tree t;

	tree_init(&t);
	for (size_t i = 0; r->nboxes > 0 && i < r->owners.count; i++) {
		const struct hp_row *row = r->owners.list[i];
		struct hp_name name = package_of(row);
		uint64_t v[2] = {r->ndumps > 1 ? row->bytes[0] : 0,
				 row->bytes[1]};

		add_to_packages(&t, &name, v);
	}
	for (size_t i = 0; r->nboxes == 0 && i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		struct hp_name name = package_of(row);
		uint64_t v[2];

		if (row->rollup)
			continue;
		if (hp_key_is(r->by, HP_KEY_ROLLUPS))
			name = (struct hp_name){.text = row->key,
						.len = row->key_len};
		row_values(r, row, v);
		add_to_packages(&t, &name, v);
	}
	j->buf.failed |= t.failed;
	hp_json_put_array_flat(j, "treemap");
	for (size_t i = 0; i < t.count && !t.failed; i++) {
		hp_json_array_flat(j);
		hp_json_u64(j, t.list[i].parent);
		hp_json_visible(j, t.list[i].name, t.list[i].len);
		write_sums(j, r, texts, &t.list[i]);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	tree_release(&t);
}

/* --- the flame graph ------------------------------------------------------ */

/* Add the stack of a row to the tree, from the outermost frame. */
static void
add_stack(struct tree *t, const struct hp_result *r, size_t at)
{
	const struct hp_row *row = r->shown[at];
	struct node n = {.row = (uint32_t)at};
	uint64_t v[2];

	row_values(r, row, v);
	if (!t->failed)
		add_values(&t->list[0], v);
	for (uint32_t i = row->frames.count; i > 0; i--) {
		n.name = row->frames.text[i - 1];
		n.len = strlen(n.name);
		n.frame = (int32_t)i - 1;
		n.parent = add_node(t, &n, v);
	}
	if (hp_key_is(r->by, HP_KEY_NAMES_FRAME) && row->frames.count > 0)
		return;
	n.name = row->key;
	n.len = row->key_len;
	n.frame = -1;
	(void)add_node(t, &n, v);
}

/* Add what the rows of this report lack, and make the root the whole. */
static void
add_missing(struct tree *t, const struct hp_result *r)
{
	uint64_t whole[2] = {r->ndumps > 1 ? hp_html_whole(r, 0) : 0,
			     hp_html_whole(r, r->ndumps - 1)};
	struct node *root = &t->list[0];
	uint64_t v[2];

	if (t->failed)
		return;
	for (unsigned k = 0; k < 2; k++)
		v[k] = whole[k] > root->v[k] ? whole[k] - root->v[k] : 0;
	memcpy(root->v, whole, sizeof(whole));
	if (v[0] > 0 || v[1] > 0)
		(void)add_node(t, &(struct node){.name = "", .row = UINT32_MAX},
			       v);
}

/*
 * Write the JSON member "flame": the stacks as a tree, outermost frames first.
 * A node is [parent, row, frame, values ..., text ...]: its name is this frame
 * of the row, or the row's own name if the frame is -1. The first node is the
 * root. If the row is -1, the node stands for all rows that are not in the
 * report.
 */
static void
write_flame(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts)
{
	struct tree t;

	tree_init(&t);
	for (size_t i = 0; i < r->nshown; i++)
		if (!r->shown[i]->rollup)
			add_stack(&t, r, i);
	add_missing(&t, r);
	j->buf.failed |= t.failed;
	hp_json_put_array_flat(j, "flame");
	for (size_t i = 0; i < t.count && !t.failed; i++) {
		const struct node *n = &t.list[i];

		hp_json_array_flat(j);
		hp_json_u64(j, n->parent);
		hp_json_i64(j, n->row == UINT32_MAX ? -1 : (int64_t)n->row);
		hp_json_i64(j, n->frame);
		write_sums(j, r, texts, n);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	tree_release(&t);
}

static bool
has_stacks(const struct hp_result *r)
{
	for (size_t i = 0; i < r->nshown; i++)
		if (r->shown[i]->frames.count > 0)
			return true;
	return false;
}

void
hp_html_sums(struct hp_json *j, const struct hp_result *r,
	     struct hp_rows *texts)
{
	if (hp_key_is(r->by, HP_KEY_IN_PACKAGES)) {
		if (!hp_key_is(r->by, HP_KEY_ROLLUPS))
			write_packages(j, r, texts);
		write_treemap(j, r, texts);
	}
	if (hp_row_keys[r->by].stacks && has_stacks(r))
		write_flame(j, r, texts);
}
