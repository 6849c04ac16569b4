/*
 * resolve.c - names and sizes of what was counted, gathered into rows
 */
#include "diff/keys/resolve.h"

#include "common/cli/glob.h"
#include "diff/keys/keys.h"
#include "diff/count/class_loaders.h"
#include "diff/keys/stacks.h"

#include <string.h>

enum hp_status
hp_resolve_layout(const struct hp_histogram *g, const struct hp_diff_options *o,
		  struct hp_size_model *out, struct hp_error *err)
{
	bool android =
		g->dialect == HP_DIALECT_ART || g->dialect == HP_DIALECT_DALVIK;

	*out = hp_size_model_detect(&g->hints, g->header.id_size, android);
	if (!o->layout)
		return HP_OK;
	if (!hp_size_model_parse(o->layout, out, out))
		return hp_fail(err, HP_DAMAGED,
			       "--layout does not know \"%.60s\"", o->layout);
	return HP_OK;
}

struct resolver {
	struct hp_keys keys;
	const struct hp_histogram *g;
	const struct hp_diff_options *o;
	struct hp_rows *rows;
	struct hp_rows *in_heap; /* NULL: no --heap */
	size_t column;
	struct hp_dump_info *info;
	struct hp_resolve_notes *notes;
	struct hp_error *err;
};

#define HP_LOADER_UNKNOWN UINT64_MAX

/* A number of objects of one kind, to be added to its row. */
struct portion {
	const struct hp_name *name; /* the class */
	uint64_t loader;	    /* its loader; LOADER_UNKNOWN */
	uint32_t trace, heap;
	uint64_t count, bytes;
	const char *key; /* a row of its own; NULL: its kind's */
};

static enum hp_status
fail_no_memory(struct resolver *r)
{
	return hp_fail(r->err, HP_NOMEM, "out of memory");
}

/* The row of a loader: that of its class and name. */
static struct hp_row *
loader_row(struct resolver *r, struct hp_rows *rows, uint64_t loader)
{
	static const char boot[] = "(bootstrap)", none[] = "(unknown loader)";
	const struct hp_loader *l = hp_loader_get(r->g, loader);
	const struct hp_name *name;

	if (loader == 0)
		return hp_rows_put(rows, boot, sizeof(boot) - 1, NULL, NULL);
	if (!l || !l->class_id)
		return hp_rows_put(rows, none, sizeof(none) - 1, NULL, NULL);
	name = hp_key_class(&r->keys, l->class_id);
	if (!name || !l->text)
		return name ? hp_rows_put(rows, name->text, name->len, NULL,
					  NULL)
			    : NULL;
	hp_buf_clear(&r->keys.a);
	hp_buf_printf(&r->keys.a, "%s '%s'", name->text, l->text);
	return hp_buf_ok(&r->keys.a) ? hp_rows_put(rows, r->keys.a.data,
						   r->keys.a.len, NULL, NULL)
				     : NULL;
}

/* How many loaders each row stands for. */
static enum hp_status
count_loaders(struct resolver *r, struct hp_rows *rows)
{
	uint64_t loader, value;
	struct hp_row *row = loader_row(r, rows, 0);
	size_t at = 0;

	if (row)
		row->extra[r->column] = 1;
	while (row && hp_id_map_next(&r->g->loaders, &at, &loader, &value)) {
		row = loader_row(r, rows, loader);
		if (row)
			row->extra[r->column]++;
	}
	return row ? HP_OK : fail_no_memory(r);
}

static struct hp_row *
portion_row(struct resolver *r, struct hp_rows *rows, const struct portion *p)
{
	struct hp_name package;
	const char *heap;

	if (p->key)
		return hp_rows_put(rows, p->key, strlen(p->key), NULL, NULL);
	switch (r->o->by) {
	case HP_BY_PACKAGE:
		package = hp_key_package(p->name);
		return hp_rows_put(rows, package.text, package.len, NULL, NULL);
	case HP_BY_HEAP:
		heap = hp_key_heap(&r->keys, p->heap);
		if (!heap)
			return NULL;
		return hp_rows_put(rows, heap, strlen(heap), NULL, NULL);
	case HP_BY_LOADER:
		return loader_row(r, rows, p->loader);
	case HP_BY_SITE:
		return hp_stack_row(&r->keys, rows, p->name, p->trace,
				    &r->notes->traces);
	default:
		return hp_rows_put(rows, p->name->text, p->name->len, NULL,
				   NULL);
	}
}

static enum hp_status
resolve_put(struct resolver *r, struct hp_rows *rows, const struct portion *p)
{
	struct hp_row *row = portion_row(r, rows, p);

	if (!row)
		return fail_no_memory(r);
	row->count[r->column] += p->count;
	row->bytes[r->column] += p->bytes;
	return HP_OK;
}

/* To the rows; with --heap, if its heap matches, also to those shown. */
static enum hp_status
add_portion(struct resolver *r, const struct portion *p)
{
	enum hp_status st = resolve_put(r, r->rows, p);
	const char *heap;

	r->info->all_objects += p->count;
	r->info->all_bytes += p->bytes;
	if (st == HP_OK && r->in_heap) {
		heap = hp_key_heap(&r->keys, p->heap);
		if (!heap)
			return fail_no_memory(r);
		if (!hp_glob_match(r->o->heap, heap, strlen(heap)))
			return HP_OK;
		r->notes->heap_matched = true;
		st = resolve_put(r, r->in_heap, p);
	}
	r->info->objects += p->count;
	r->info->bytes += p->bytes;
	return st;
}

/* Bytes of instances; a class without class dump counts as a header. */
static uint64_t
add_instances(struct resolver *r, const struct hp_tally *t,
	      const struct hp_class *c)
{
	const struct hp_size_model *l = &r->info->layout;
	uint64_t a = l->alignment ? l->alignment : 1;

	if (c)
		return t->count * hp_instance_bytes(l, c, r->g->header.id_size);
	r->notes->dumpless++;
	r->notes->objects_of_dumpless += t->count;
	return t->count * ((l->header + a - 1) / a * a);
}

static const struct hp_name *
primitive_row(struct resolver *r, unsigned type)
{
	char text[16];
	struct hp_string s;
	const char *word = hp_type_name(type);

	s.length = (uint32_t)strlen(word);
	memcpy(text, word, s.length);
	memcpy(text + s.length, "[]", 2);
	s.length += 2;
	s.data = (const uint8_t *)text;
	return hp_key_raw(&r->keys, &s, 0);
}

static enum hp_status
add_tally(struct resolver *r, const struct hp_tally *t)
{
	struct portion p = {
		.trace = t->key.trace, .heap = t->key.heap, .count = t->count};
	const struct hp_size_model *l = &r->info->layout;
	const struct hp_class *c =
		r->g->have_classes && t->key.kind != HP_TALLY_PRIMITIVE_ARRAYS
			? hp_classes_get(&r->g->classes, t->key.id)
			: NULL;

	if (t->key.kind != HP_TALLY_PRIMITIVE_ARRAYS)
		p.loader = c ? c->loader : HP_LOADER_UNKNOWN;
	switch (t->key.kind) {
	case HP_TALLY_INSTANCES:
		p.name = hp_key_class(&r->keys, t->key.id);
		p.bytes = add_instances(r, t, c);
		break;
	case HP_TALLY_OBJECT_ARRAYS:
		p.name = hp_key_class(&r->keys, t->key.id);
		p.bytes = hp_tally_array_bytes(t, l, l->reference);
		break;
	default:
		p.name = primitive_row(r, (unsigned)t->key.id);
		p.bytes = hp_tally_array_bytes(
			t, l, hp_type_size((unsigned)t->key.id, 4));
	}
	if (!p.name)
		return fail_no_memory(r);
	r->notes->nameless += p.name->unknown;
	return add_portion(r, &p);
}

/*
 * The class objects: one for every class dump, all of java.lang.Class. The VM
 * makes them: a trace in the class dump is not where an object was allocated.
 */
static enum hp_status
add_class_objects(struct resolver *r, struct hp_class *const *list, size_t n)
{
	static const struct hp_string raw = {
		.data = (const uint8_t *)"java.lang.Class", .length = 15};
	const struct hp_name *name = hp_key_raw(&r->keys, &raw, 0);
	enum hp_status st = HP_OK;

	if (!name)
		return fail_no_memory(r);
	for (size_t i = 0; i < n && st == HP_OK; i++) {
		const struct hp_class *c = list[i];
		const struct portion p = {
			.name = name,
			.heap = c->heap,
			.count = 1,
			.bytes = hp_class_object_bytes(&r->info->layout, c,
						       r->g->header.id_size)};

		st = add_portion(r, &p);
	}
	return st;
}

/*
 * The unreferenced int[] leave their row for one of their own. Objects in all
 * stay the same.
 */
static enum hp_status
add_fillers(struct resolver *r)
{
	static const char key[] = "int[] (fillers, estimated)";
	struct portion p = {.name = primitive_row(r, HP_TYPE_INT),
			    .count = r->g->fillers.count};
	struct portion apart = p;
	enum hp_status st;

	if (!p.name)
		return fail_no_memory(r);
	if (!p.count)
		return HP_OK;
	p.bytes = hp_array_totals_bytes(&r->info->layout, &r->g->fillers, 4);
	apart.key = key;
	apart.bytes = p.bytes;
	st = add_portion(r, &apart);
	/* Taken off modulo 2^64, through the same way as they came. */
	p.count = -p.count;
	p.bytes = -p.bytes;
	return st == HP_OK ? add_portion(r, &p) : st;
}

enum hp_status
hp_resolve(const struct hp_histogram *g, const struct hp_diff_options *o,
	   struct hp_rows *rows, struct hp_rows *in_heap, size_t column,
	   struct hp_dump_info *info, struct hp_resolve_notes *notes,
	   struct hp_error *err)
{
	struct resolver r = {.keys = {.g = g, .o = o},
			     .g = g,
			     .o = o,
			     .rows = rows,
			     .in_heap = in_heap,
			     .column = column,
			     .info = info,
			     .notes = notes,
			     .err = err};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < g->tallies.cap && st == HP_OK; i++) {
		if (!g->tallies.slots[i])
			continue;
		st = add_tally(&r, g->tallies.slots[i]);
		if (st == HP_OK)
			st = hp_keys_fit(&r.keys, rows, err);
		if (st == HP_OK && in_heap)
			st = hp_keys_fit(&r.keys, in_heap, err);
	}
	if (st == HP_OK && g->have_classes)
		st = add_class_objects(&r, g->classes.list, g->classes.count);
	if (st == HP_OK && g->have_classes)
		st = add_class_objects(&r, g->classes.duplicates,
				       g->classes.nduplicates);
	if (st == HP_OK && o->by != HP_BY_SITE && o->by != HP_BY_HEAP)
		st = add_fillers(&r);
	if (st == HP_OK && o->by == HP_BY_LOADER)
		st = count_loaders(&r, rows);
	if (st == HP_OK && o->by == HP_BY_LOADER && in_heap)
		st = count_loaders(&r, in_heap);
	hp_keys_release(&r.keys);
	return st;
}
