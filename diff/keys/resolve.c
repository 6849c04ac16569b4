/*
 * resolve.c - turn counters of objects (tallies) into rows, which have names
 * and sizes
 */
#include "diff/keys/resolve.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"
#include "diff/count/loader_naming.h"
#include "diff/count/passes.h"
#include "diff/keys/keys.h"

#include <string.h>

enum hp_status
hp_resolve_layout(const struct hp_histogram *g, const struct hp_diff_options *o,
		  struct hp_size_model *out, struct hp_error *err)
{
	bool android =
		g->dialect == HP_DIALECT_ART || g->dialect == HP_DIALECT_DALVIK;

	if (g->measured.objects > 0 &&
	    (!o->layout || strcmp(o->layout, "measured") == 0)) {
		*out = g->fitted;
		return HP_OK;
	}
	*out = hp_size_model_detect(&g->hints, g->header.id_size, android);
	if (!o->layout)
		return HP_OK;
	if (!hp_size_model_parse(o->layout, out, out))
		return hp_fail(err, HP_DAMAGED,
			       "--layout does not know \"%.60s\"", o->layout);
	return HP_OK;
}

enum hp_status
hp_resolve_sizes(struct hp_histogram *g, const struct hp_diff_options *o,
		 struct hp_shared_sizes *shared, struct hp_result *r,
		 struct hp_dump_info *info, struct hp_error *err)
{
	bool asked = o->layout && strcmp(o->layout, "measured") != 0;
	enum hp_status st = hp_resolve_layout(g, o, &info->layout, err);

	if (st == HP_OK && !hp_key_is(o->by, HP_KEY_EVENTS))
		st = hp_shared_sizes_use(shared, g, &info->layout, asked, err);
	if (st != HP_OK || !info->layout.measured)
		return st;
	info->measured = g->measured.objects;
	info->measured_of = g->measured.all;
	return r->ndumps == 1
		       ? hp_listed_sizes_make(&info->sizes, g, &info->layout,
					      &r->arena, err)
		       : HP_OK;
}

struct resolver {
	struct hp_keys keys;
	const struct hp_histogram *g;
	const struct hp_column *c;
	struct hp_dump_info *info;
	/*
	 * the rows that count only objects in the heaps that --heap selects;
	 * NULL without --heap
	 */
	struct hp_rows *in_heap;
	/* make a row for each pair of a class and its class loader */
	bool by_pair;
	struct hp_resolve_notes *notes;
	struct hp_error *err;
};

#define HP_LOADER_UNKNOWN UINT64_MAX

/*
 * Some objects of a dump that have equal properties, and so belong to the same
 * row.
 */
struct portion {
	const struct hp_name *name; /* the name of the class of the objects */
	/* object id of the class loader, or HP_LOADER_UNKNOWN */
	uint64_t loader;
	uint32_t trace, heap;
	uint64_t count, bytes;
	uint64_t largest, native;
	/*
	 * the key of a special row, such as that of filler objects; NULL: the
	 * key is made from the other members
	 */
	const char *key;
};

/*
 * Find or create the row of a class loader, from the class and the name of the
 * loader. Returns NULL if out of memory.
 */
static struct hp_row *
loader_row(struct resolver *r, struct hp_rows *rows, uint64_t loader)
{
	const struct hp_loader *l = hp_loader_get(r->g, loader);
	const struct hp_name *name;

	if (loader == 0)
		return hp_rows_put_word(rows, HP_LOADER_BOOTSTRAP);
	if (!l || !l->class_id)
		return hp_rows_put_word(rows, "(unknown loader)");
	name = hp_key_class(&r->keys, l->class_id);
	if (!name || !l->text)
		return hp_key_row(rows, name);
	hp_buf_clear(&r->keys.a);
	hp_loader_label_text(&r->keys.a, name->text, l->text);
	return hp_rows_put_text(rows, &r->keys.a);
}

/*
 * Find or create the row for the pair of a class and its class loader. Returns
 * NULL if out of memory.
 */
static struct hp_row *
pair_row(struct resolver *r, struct hp_rows *rows, const struct portion *p)
{
	struct hp_row *loader = loader_row(r, rows, p->loader), *row;

	if (!loader)
		return NULL;
	hp_buf_clear(&r->keys.a);
	hp_buf_add(&r->keys.a, p->name->text, p->name->len);
	hp_buf_text(&r->keys.a, HP_ROW_ARROW);
	hp_buf_add(&r->keys.a, loader->key, loader->key_len);
	row = hp_rows_put_text(rows, &r->keys.a);
	if (row)
		row->holder_len = p->name->len;
	return row;
}

static enum hp_status
count_loaders(struct resolver *r, struct hp_rows *rows)
{
	uint64_t loader, value;
	struct hp_row *row = loader_row(r, rows, 0);
	size_t at = 0;

	if (row)
		row->loaders[r->c->index] = 1;
	while (row && hp_id_map_next(&r->g->loaders, &at, &loader, &value)) {
		row = loader_row(r, rows, loader);
		if (row)
			row->loaders[r->c->index]++;
	}
	return row ? HP_OK : hp_no_memory(r->err);
}

static struct hp_row *
portion_row(struct resolver *r, struct hp_rows *rows, const struct portion *p)
{
	struct hp_name package;
	const char *heap;

	if (p->key)
		return hp_rows_put_word(rows, p->key);
	if (r->by_pair)
		return pair_row(r, rows, p);
	switch (r->c->o->by) {
	case HP_BY_PACKAGE:
		package = hp_key_package(p->name);
		return hp_key_row(rows, &package);
	case HP_BY_HEAP:
		heap = hp_key_heap(&r->keys, p->heap);
		return heap ? hp_rows_put_word(rows, heap) : NULL;
	case HP_BY_LOADER:
		return loader_row(r, rows, p->loader);
	case HP_BY_SITE:
		return hp_stack_row(&r->keys, rows, p->name, p->trace,
				    &r->notes->traces);
	default:
		return hp_key_row(rows, p->name);
	}
}

static enum hp_status
resolve_put(struct resolver *r, struct hp_rows *rows, const struct portion *p)
{
	struct hp_row *row = portion_row(r, rows, p);

	if (!row)
		return hp_no_memory(r->err);
	row->count[r->c->index] += p->count;
	row->bytes[r->c->index] += p->bytes;
	if (row->largest && p->largest > row->largest[r->c->index])
		row->largest[r->c->index] = p->largest;
	if (row->native)
		hp_sum_add(&row->native[r->c->index], p->native);
	return HP_OK;
}

/*
 * Add the objects @p to their row. If --heap selects the Android heap of these
 * objects, also add them to the row for the selected heaps.
 */
static enum hp_status
add_portion(struct resolver *r, const struct portion *p)
{
	enum hp_status st = resolve_put(r, r->c->rows, p);
	const char *heap;

	r->info->all_objects += p->count;
	r->info->all_bytes += p->bytes;
	hp_sum_add(&r->info->all_native, p->native);
	if (st == HP_OK && r->in_heap) {
		heap = hp_key_heap(&r->keys, p->heap);
		if (!heap)
			return hp_no_memory(r->err);
		if (!hp_glob_match(r->c->o->heap, heap, strlen(heap)))
			return HP_OK;
		r->notes->heap_matched = true;
		st = resolve_put(r, r->in_heap, p);
	}
	r->info->objects += p->count;
	r->info->bytes += p->bytes;
	return st;
}

/*
 * Returns the object id of the class loader of a class, or HP_LOADER_UNKNOWN if
 * @c is NULL.
 */
static uint64_t
loader_of(const struct hp_class *c)
{
	return c ? c->loader : HP_LOADER_UNKNOWN;
}

static enum hp_status
add_tally(struct resolver *r, const struct hp_tally *t)
{
	struct portion p = {.trace = t->key.trace,
			    .heap = t->key.heap,
			    .count = t->count,
			    .native = t->native};
	unsigned width;
	const struct hp_size_model *l = &r->info->layout;
	const struct hp_class *c =
		r->g->have_classes && t->key.kind != HP_TALLY_PRIMITIVE_ARRAYS
			? hp_classes_get(&r->g->classes, t->key.id)
			: NULL;

	if (t->key.kind != HP_TALLY_PRIMITIVE_ARRAYS)
		p.loader = loader_of(c);
	switch (t->key.kind) {
	case HP_TALLY_INSTANCES:
		p.name = hp_key_class(&r->keys, t->key.id);
		p.largest = hp_instance_bytes(l, c, r->g->header.id_size);
		p.bytes = t->count * p.largest;
		break;
	case HP_TALLY_OBJECT_ARRAYS:
		p.name = hp_key_class(&r->keys, t->key.id);
		p.bytes = hp_tally_array_bytes(t, l, l->reference);
		p.largest = hp_array_bytes(l, t->largest, l->reference);
		break;
	default:
		p.name = hp_key_primitive(&r->keys, (unsigned)t->key.id);
		width = hp_type_size((unsigned)t->key.id, 4);
		p.bytes = hp_tally_array_bytes(t, l, width);
		p.largest = hp_array_bytes(l, t->largest, width);
	}
	if (!p.name)
		return hp_no_memory(r->err);
	return add_portion(r, &p);
}

/*
 * Add the class objects, one for each class dump, to the row java.lang.Class.
 * The JVM itself creates these objects, so the stack trace in a class dump is
 * not an allocation site.
 */
static enum hp_status
add_class_objects(struct resolver *r, struct hp_class *const *list, size_t n)
{
	const struct hp_node_kind kind = {.of = HP_NODE_CLASS};
	const struct hp_name *name = hp_key_kind(&r->keys, &kind);
	enum hp_status st = HP_OK;
	uint64_t bytes;

	if (!name)
		return hp_no_memory(r->err);
	for (size_t i = 0; i < n && st == HP_OK; i++) {
		const struct hp_class *c = list[i];
		struct portion p = {.name = name, .heap = c->heap, .count = 1};

		bytes = hp_class_object_bytes(&r->info->layout, c,
					      r->g->header.id_size);
		p.bytes = p.largest = bytes;

		st = add_portion(r, &p);
	}
	return st;
}

/*
 * Move the filler objects from the row of int[] to a row of their own. The
 * total number of objects does not change.
 */
static enum hp_status
add_fillers(struct resolver *r)
{
	static const char key[] = "int[] (fillers, estimated)";
	struct portion p = {.name = hp_key_primitive(&r->keys, HP_TYPE_INT),
			    .count = r->g->fillers.count};
	struct portion apart = p;
	enum hp_status st;

	if (!p.name)
		return hp_no_memory(r->err);
	if (!p.count)
		return HP_OK;
	p.bytes = hp_array_totals_bytes(&r->info->layout, &r->g->fillers, 4);
	apart.key = key;
	apart.bytes = p.bytes;
	st = add_portion(r, &apart);
	/*
	 * add a negative number to subtract the filler objects; sums of
	 * unsigned numbers are correct modulo 2^64
	 */
	p.count = -p.count;
	p.bytes = -p.bytes;
	return st == HP_OK ? add_portion(r, &p) : st;
}

/* --- retained sizes ------------------------------------------------------- */

/*
 * Find or create the row of a parent package. The key of the row is the first
 * @parts words of the name of @package: with @parts = 2, "com.acme.*" for
 * com.acme.shop. Returns NULL if the name has fewer words, or if out of memory.
 */
static struct hp_row *
resolve_above(struct resolver *r, struct hp_rows *rows,
	      const struct hp_row *package, unsigned parts)
{
	size_t n = 0;

	/*
	 * the key is not a package but a text in parentheses, such as "(no
	 * package)"
	 */
	if (package->key[0] == '(')
		return NULL;
	while (parts > 0 && n <= package->key_len) {
		if (n == package->key_len || package->key[n] == '.')
			parts--;
		n += parts > 0;
	}
	if (n > package->key_len)
		return NULL;
	hp_buf_clear(&r->keys.a);
	hp_buf_add(&r->keys.a, package->key, n);
	hp_buf_text(&r->keys.a, ".*");
	return hp_rows_put_rollup(rows, r->keys.a.data, r->keys.a.len);
}

/*
 * Find the row that counts the objects of a kind (class and size). *@row
 * becomes NULL if they are not counted. @heaps: a pattern for the Android heaps
 * whose objects are counted; NULL: all heaps.
 */
static enum hp_status
resolve_kind(struct resolver *r, struct hp_rows *rows, const char *heaps,
	     const struct hp_node_kind *kind, struct hp_row **row)
{
	const struct hp_class *c =
		hp_classes_get(&r->g->classes, kind->class_id);
	struct portion p = {.name = hp_key_kind(&r->keys, kind),
			    .trace = kind->trace,
			    .heap = kind->heap};
	const char *heap;

	*row = NULL;
	if (kind->of == HP_NODE_INSTANCE || kind->of == HP_NODE_OBJECT_ARRAY)
		p.loader = loader_of(c);
	if (heaps) {
		heap = hp_key_heap(&r->keys, kind->heap);
		if (!heap)
			return hp_no_memory(r->err);
		if (!hp_glob_match(heaps, heap, strlen(heap)))
			return HP_OK;
	}
	*row = p.name ? portion_row(r, rows, &p) : NULL;
	return *row ? HP_OK : hp_no_memory(r->err);
}

/*
 * Compute the retained sizes of all rows. @rows: the row of each kind of object
 * (class and size). @groups: temporary memory with an entry for each kind.
 */
static enum hp_status
resolve_groups(struct resolver *r, const struct hp_retained *t,
	       struct hp_rows *set, struct hp_row *const *rows,
	       uint32_t *groups)
{
	size_t n = set->count;
	struct hp_graph_sum *sums = hp_calloc(n + 1, sizeof(*sums));
	enum hp_status st;

	if (!sums)
		return hp_no_memory(r->err);
	for (uint32_t k = 0; k < t->graph.kinds.count; k++)
		groups[k] = rows[k] ? (uint32_t)rows[k]->index : UINT32_MAX;
	st = hp_tree_groups(&t->tree, groups, (uint32_t)n, sums, r->err);
	for (size_t i = 0; i < n; i++) {
		if (sums[i].objects == 0)
			continue;
		set->list[i]->retained_count[r->c->index] = sums[i].objects;
		set->list[i]->retained_bytes[r->c->index] = sums[i].bytes;
	}
	hp_free(sums);
	return st;
}

/*
 * Find the depth of each row: the smallest depth of its objects. A depth is the
 * number of references on the shortest path from a root.
 */
static void
resolve_depths(const struct resolver *r, const struct hp_retained *t,
	       struct hp_row *const *rows)
{
	for (uint32_t k = 1; t->depth_of && k < t->graph.kinds.count; k++) {
		uint64_t *depth = rows[k] ? rows[k]->depth : NULL;

		if (depth)
			hp_columns[HP_COL_DEPTH].join(&depth[r->c->index],
						      t->depth_of[k]);
	}
}

/*
 * With --by=package, also compute the retained sizes of all parent packages.
 * Each level of packages takes one pass over the dominator tree.
 */
static enum hp_status
resolve_packages(struct resolver *r, const struct hp_retained *t,
		 struct hp_rows *set, struct hp_row **rows,
		 struct hp_row **above, uint32_t *groups)
{
	enum hp_status st = HP_OK;
	bool any = true;

	for (unsigned parts = 1;
	     any && parts <= HP_PACKAGE_LEVELS && st == HP_OK; parts++) {
		any = false;
		for (uint32_t k = 0; k < t->graph.kinds.count && st == HP_OK;
		     k++) {
			above[k] =
				rows[k] ? resolve_above(r, set, rows[k], parts)
					: NULL;
			any |= above[k] != NULL;
		}
		if (st == HP_OK && !hp_buf_ok(&r->keys.a))
			st = hp_no_memory(r->err);
		if (st == HP_OK)
			st = resolve_groups(r, t, set, above, groups);
	}
	return st;
}

/*
 * Compute the retained sizes of some rows. @heaps: a pattern for the Android
 * heaps whose objects are counted; NULL: all heaps.
 */
static enum hp_status
resolve_retained(struct resolver *r, const struct hp_retained *t,
		 struct hp_rows *set, const char *heaps)
{
	uint32_t n = t->graph.kinds.count;
	struct hp_row **rows = hp_calloc(n, sizeof(struct hp_row *));
	struct hp_row **above = hp_calloc(n, sizeof(struct hp_row *));
	uint32_t *groups = hp_calloc(n, sizeof(*groups));
	enum hp_status st = HP_OK;

	if (!rows || !above || !groups)
		st = hp_no_memory(r->err);
	for (uint32_t k = 1; k < n && st == HP_OK; k++)
		st = resolve_kind(r, set, heaps, &t->graph.kinds.list[k],
				  &rows[k]);
	if (st == HP_OK)
		st = resolve_groups(r, t, set, rows, groups);
	if (st == HP_OK)
		resolve_depths(r, t, rows);
	if (st == HP_OK && r->c->o->by == HP_BY_PACKAGE)
		st = resolve_packages(r, t, set, rows, above, groups);
	hp_free(rows);
	hp_free(above);
	hp_free(groups);
	return st;
}

enum hp_status
hp_resolve(const struct hp_column *c, struct hp_rows *in_heap,
	   const struct hp_retained *graph, struct hp_resolve_notes *notes,
	   struct hp_error *err)
{
	struct resolver r = {.keys = {.g = c->g, .o = c->o},
			     .g = c->g,
			     .c = c,
			     .info = c->info,
			     .in_heap = in_heap,
			     .notes = notes,
			     .err = err};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < c->g->tallies.count && st == HP_OK; i++) {
		st = add_tally(&r, c->g->tallies.list[i]);
	}
	if (st == HP_OK && c->g->have_classes)
		st = add_class_objects(&r, c->g->classes.list,
				       c->g->classes.count);
	if (st == HP_OK && c->g->have_classes)
		st = add_class_objects(&r, c->g->classes.duplicates,
				       c->g->classes.nduplicates);
	if (st == HP_OK && c->o->by != HP_BY_SITE && c->o->by != HP_BY_HEAP)
		st = add_fillers(&r);
	if (st == HP_OK && c->o->by == HP_BY_LOADER)
		st = count_loaders(&r, c->rows);
	if (st == HP_OK && c->o->by == HP_BY_LOADER && in_heap)
		st = count_loaders(&r, in_heap);
	if (st == HP_OK && graph)
		st = resolve_retained(&r, graph, c->rows, NULL);
	if (st == HP_OK && graph && in_heap)
		st = resolve_retained(&r, graph, in_heap, c->o->heap);
	hp_keys_release(&r.keys);
	return st;
}

/* --- classes and their loaders -------------------------------------------- */

/*
 * The pairs of a row and a class loader that are already counted, so that a
 * class loader counts only once in a row.
 */
struct loader_count {
	/* maps the id of a class loader to a number, from 1 */
	struct hp_id_map numbers;
	/*
	 * the pairs of a row and a class loader that were already counted:
	 * index of the row, and number of the loader
	 */
	struct hp_id_map seen;
};

static enum hp_status
count_loader(struct resolver *r, struct loader_count *c, struct hp_row *row,
	     uint64_t loader)
{
	uint64_t *number, *slot;
	bool fresh;

	number = hp_id_map_put(&c->numbers, loader, &fresh);
	if (number && fresh)
		*number = c->numbers.count;
	slot = number ? hp_id_map_put(&c->seen,
				      (uint64_t)row->index << 32 | *number,
				      &fresh)
		      : NULL;
	if (!slot)
		return hp_no_memory(r->err);
	row->loaders[r->c->index] += fresh;
	return HP_OK;
}

/*
 * Add the objects of one tally (counter) to the row of their class and class
 * loader. Skips arrays of primitive types, which have no loader.
 */
static enum hp_status
add_loaded(struct resolver *r, struct loader_count *c, const struct hp_tally *t)
{
	struct portion p = {.name = NULL};
	struct hp_row *row;
	enum hp_status st;

	if (t->key.kind == HP_TALLY_PRIMITIVE_ARRAYS)
		return HP_OK;
	p.loader = loader_of(hp_classes_get(&r->g->classes, t->key.id));
	p.name = hp_key_class(&r->keys, t->key.id);
	row = p.name ? pair_row(r, r->c->rows, &p) : NULL;
	if (!row)
		return hp_no_memory(r->err);
	st = count_loader(r, c, row, p.loader);
	return st == HP_OK ? add_tally(r, t) : st;
}

enum hp_status
hp_resolve_loaders(const struct hp_column *c, struct hp_error *err)
{
	const struct hp_tallies *t = &c->g->tallies;
	struct hp_dump_info info = {.layout = c->info->layout};
	struct hp_resolve_notes notes = {0};
	struct loader_count count = {0};
	struct resolver r = {.keys = {.g = c->g, .o = c->o},
			     .g = c->g,
			     .c = c,
			     .info = &info,
			     .by_pair = true,
			     .notes = &notes,
			     .err = err};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < t->count && st == HP_OK; i++) {
		st = add_loaded(&r, &count, t->list[i]);
	}
	hp_id_map_release(&count.numbers);
	hp_id_map_release(&count.seen);
	hp_keys_release(&r.keys);
	return st;
}
