/*
 * find_names.c - look for classes with equal names from several class loaders,
 * and for classes that were generated at run time
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/model/class_name.h"

#include <stdlib.h>
#include <string.h>

/* A class and its name, as the dump spells it. */
struct named {
	const struct hp_class *class;
	const struct hp_string *name;
};

static int
by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	size_t n = x->name->length < y->name->length ? x->name->length
						     : y->name->length;
	/*
	 * first compare the addresses: in a manipulated dump, many classes may
	 * share a name of a megabyte
	 */
	int order = x->name == y->name
			    ? 0
			    : memcmp(x->name->data, y->name->data, n);

	if (order)
		return order;
	if (x->name->length != y->name->length)
		return hp_order(x->name->length, y->name->length);
	order = hp_order(x->class->loader, y->class->loader);
	return order ? order : hp_order(x->class->id, y->class->id);
}

/*
 * For each class loader, count its duplicate classes. A class is a duplicate if
 * a class of another loader has the same name. @list contains the classes,
 * sorted by name, then by loader.
 */
static bool
count_by_loader(const struct named *list, size_t n, struct hp_id_map *counts)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1;
		     end < n && hp_string_same(list[i].name, list[end].name);)
			end++;
		if (list[i].class->loader == list[end - 1].class->loader)
			continue;
		for (size_t k = i; k < end; k++) {
			uint64_t *slot = hp_id_map_put(
				counts, list[k].class->loader, NULL);

			if (!slot)
				return false;
			++*slot;
		}
	}
	return true;
}

/*
 * Count the duplicate classes: classes of different class loaders that have the
 * same name. @list: the classes of the application, sorted.
 */
static enum hp_status
find_duplicates(struct hp_unusual_search *s, const struct named *list, size_t n)
{
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_LOADERS];
	const struct named *most = NULL;
	size_t most_count = 0, same = 0;
	const struct hp_name *name;
	struct hp_id_map counts = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < n; i++) {
		bool equal =
			i > 0 && hp_string_same(list[i - 1].name, list[i].name);

		if (equal && list[i - 1].class->loader == list[i].class->loader)
			continue;
		same = equal ? same + 1 : 0;
		f->count += equal;
		if (same > most_count) {
			most_count = same;
			most = &list[i];
		}
	}
	hp_unusual_share(s, HP_UNUSUAL_LOADERS, f->count, n);
	if (!f->applies)
		return HP_OK;
	name = hp_key_class(&s->keys, most->class->id);
	if (!name || !hp_unusual_say(s, HP_UNUSUAL_LOADERS, name->text) ||
	    !count_by_loader(list, n, &counts))
		st = hp_no_memory(s->err);
	if (st == HP_OK)
		st = hp_unusual_loaders_find(s, &counts);
	hp_id_map_release(&counts);
	return st;
}

/*
 * Whether a class was generated at run time, for example a proxy or a lambda.
 */
static bool
is_generated(struct hp_buf *name, struct hp_buf *scratch,
	     const struct hp_string *raw)
{
	hp_buf_clear(name);
	hp_buf_clear(scratch);
	hp_class_name(name, raw->data, raw->length);
	hp_class_name_normalize(scratch, hp_buf_string(name),
				hp_buf_length(name));
	return scratch->len != name->len ||
	       (name->len > 0 &&
		memcmp(scratch->data, name->data, name->len) != 0);
}

/*
 * Add @n generated classes to the row with the name @name. All these classes
 * have this name, after the parts that differ in every run were removed.
 */
static bool
add_generated(struct hp_rows *names, const struct hp_buf *name, size_t n,
	      const struct hp_row **most)
{
	struct hp_row *row = hp_rows_put_text(names, name);

	if (!row)
		return false;
	row->count[0] += n;
	if (!*most || row->count[0] > (*most)->count[0] ||
	    (row->count[0] == (*most)->count[0] &&
	     strcmp(row->key, (*most)->key) < 0))
		*most = row;
	return true;
}

static int
by_address(const void *a, const void *b)
{
	const struct hp_string *const *x = a, *const *y = b;

	return hp_order((uintptr_t)*x, (uintptr_t)*y);
}

/*
 * List the names of all classes by address, so that classes with the same
 * STRING record are neighbours in the list. Returns the number of names.
 */
static size_t
list_names(const struct hp_unusual_search *s, const struct hp_string **list)
{
	const struct hp_classes *classes = &s->c->g->classes;
	size_t n = 0;

	for (size_t i = 0; i < classes->count; i++) {
		list[n] = hp_tables_class_name(&s->c->g->tables,
					       classes->list[i]->id);
		n += list[n] != NULL;
	}
	qsort(list, n, sizeof(*list), by_address);
	return n;
}

/*
 * Count the generated classes. Each name is examined only once, even if many
 * classes share it.
 */
static bool
count_generated(struct hp_unusual_search *s, const struct hp_string **list,
		size_t n, struct hp_rows *names, const struct hp_row **most)
{
	struct hp_buf shown = {0}, normal = {0};
	bool fine = true;
	size_t end;

	for (size_t i = 0; i < n && fine; i = end) {
		bool generated;

		for (end = i + 1; end < n && list[end] == list[i];)
			end++;
		generated = is_generated(&shown, &normal, list[i]);
		fine = hp_buf_ok(&shown) && hp_buf_ok(&normal);
		if (!generated || !fine)
			continue;
		hp_buf_clear(&shown);
		hp_text_clean(&shown, hp_buf_string(&normal),
			      hp_buf_length(&normal));
		s->facts[HP_UNUSUAL_GENERATED].count += end - i;
		fine = hp_buf_ok(&shown) &&
		       add_generated(names, &shown, end - i, most);
	}
	hp_buf_release(&shown);
	hp_buf_release(&normal);
	return fine;
}

static enum hp_status
find_generated(struct hp_unusual_search *s)
{
	size_t count = s->c->g->classes.count;
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_GENERATED];
	const struct hp_string **list = hp_malloc((count + 1) * sizeof(*list));
	const struct hp_row *most = NULL;
	struct hp_rows names;
	bool fine;

	if (!list)
		return hp_no_memory(s->err);
	hp_rows_init(&names, 1);
	fine = count_generated(s, list, list_names(s, list), &names, &most);
	hp_unusual_share(s, HP_UNUSUAL_GENERATED, f->count, count);
	if (fine && f->applies)
		fine = hp_unusual_say(s, HP_UNUSUAL_GENERATED, most->key);
	hp_rows_release(&names);
	hp_free(list);
	return fine ? HP_OK : hp_no_memory(s->err);
}

enum hp_status
hp_unusual_names_find(struct hp_unusual_search *s)
{
	const struct hp_classes *classes = &s->c->g->classes;
	const struct hp_tables *tables = &s->c->g->tables;
	struct named *list = hp_calloc(classes->count + 1, sizeof(*list));
	enum hp_status st = list ? HP_OK : hp_no_memory(s->err);
	size_t n = 0;

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_string *name =
			c->loader ? hp_tables_class_name(tables, c->id) : NULL;

		if (name && name->length > 0 && name->data[0] != '[')
			list[n++] = (struct named){c, name};
	}
	if (st == HP_OK && !hp_sort(list, n, sizeof(*list), by_name))
		st = hp_no_memory(s->err);
	if (st == HP_OK)
		st = find_duplicates(s, list, n);
	hp_free(list);
	return st == HP_OK ? find_generated(s) : st;
}
