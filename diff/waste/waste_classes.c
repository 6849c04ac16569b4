/*
 * waste_classes.c - find the classes and fields that matter for --by=waste, by
 * their names
 */
#include "diff/waste/internal.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/graph/class_edges.h"
#include "diff/leaks/merged_tree.h"

#include <string.h>

/*
 * The classes of boxes, such as Integer, and the number of bytes of their
 * values.
 */
static const struct {
	const char *name;
	uint8_t bytes;
} boxes[] = {
	{"java.lang.Boolean", 1},   {"java.lang.Byte", 1},
	{"java.lang.Character", 2}, {"java.lang.Short", 2},
	{"java.lang.Integer", 4},   {"java.lang.Long", 8},
	{"java.lang.Float", 4},	    {"java.lang.Double", 8},
};

/*
 * Whether a class has the cache of valueOf() in a static field, as
 * Integer$IntegerCache does.
 */
static bool
has_box_cache(const char *name)
{
	return strcmp(name, "java.lang.Boolean") == 0 ||
	       (hp_begins_with(name, strlen(name), "java.lang.") &&
		hp_ends_with(name, strlen(name), "Cache") && strchr(name, '$'));
}

static void
know_class(const struct hp_waste *w, const struct hp_class *c, const char *name)
{
	struct hp_waste_class *k = &w->classes[c->index];
	const struct hp_collection_class *l =
		hp_collection_of(&w->collections, c);

	/*
	 * an Object[] is not always an internal part: this depends on the
	 * object that refers to it
	 */
	k->inside = strcmp(name, "java.lang.Object[]") != 0 &&
		    hp_is_collection_inside(name);
	if (l && l->policy != HP_COLLECTION_NOT)
		k->role = HP_ROLE_COLLECTION;
	if (c->id == w->string.id)
		k->role = HP_ROLE_STRING;
	if (hp_begins_with(name, strlen(name),
			   "java.util.concurrent.ConcurrentHashMap$"
			   "CounterCell") ||
	    strcmp(name, "java.util.concurrent.ConcurrentHashMap$Segment[]") ==
		    0)
		k->role = HP_ROLE_CELL;
	for (size_t i = 0; i < HP_ARRAY_LEN(boxes); i++) {
		if (strcmp(name, boxes[i].name) != 0 || c->loader)
			continue;
		k->role = HP_ROLE_BOX;
		k->primitive = boxes[i].bytes;
	}
}

/*
 * Whether a class is an iterator of the JDK's collections. An iterator refers
 * to its collection, but usually the field of another object keeps the
 * collection alive. An iterator counts as a container, because then this other
 * field becomes the holder of the collection.
 */
static bool
is_iterator(const char *name)
{
	static const char *const ends[] = {"Itr", "Iterator", "Enumerator",
					   "Spliterator"};
	size_t n = strlen(name);

	if (!hp_begins_with(name, n, "java.util.") || !strchr(name, '$'))
		return false;
	for (size_t i = 0; i < HP_ARRAY_LEN(ends); i++)
		if (hp_ends_with(name, n, ends[i]))
			return true;
	return false;
}

/*
 * Whether a field contains the ReferenceQueue of a weak reference. For example,
 * all entries of a WeakHashMap refer to the queue of the map.
 */
static bool
is_queue(const char *class_name, const char *field, size_t len)
{
	return len == 5 && memcmp(field, "queue", 5) == 0 &&
	       strcmp(class_name, "java.lang.ref.Reference") == 0;
}

/*
 * Returns what a field of a collection refers to (enum hp_field_role),
 * according to collections.def and to the table in collection_fields.c.
 */
static uint8_t
role_of_field(const struct hp_waste *w, const struct hp_edge_kind *e,
	      const char *class_name, const char *field, size_t len)
{
	const struct hp_class *c = hp_classes_get(&w->g->classes, e->class_id);

	uint8_t role;

	if (c && hp_collection_has_part(&w->collections, c, field, len))
		return HP_FIELD_INSIDE;
	role = (uint8_t)hp_collection_field(class_name, field, len);
	return role == HP_FIELD_PLAIN && (is_iterator(class_name) ||
					  is_queue(class_name, field, len))
		       ? HP_FIELD_ELEMENT
		       : role;
}

/*
 * For each kind of reference (for example a field of a class), find out what it
 * refers to.
 */
static enum hp_status
know_fields(struct hp_waste *w, struct hp_error *err)
{
	struct hp_buf text = {0};
	enum hp_status st = HP_OK;

	w->nroles = w->edges.count;
	w->edge_roles = hp_calloc((size_t)w->nroles + 1, 1);
	for (uint32_t i = 0; w->edge_roles && i < w->nroles && st == HP_OK;
	     i++) {
		const struct hp_edge_kind *e = &w->edges.list[i];
		const struct hp_name *name =
			e->of == HP_EDGE_FIELD
				? hp_key_class(w->keys, e->class_id)
				: NULL;

		if (e->of != HP_EDGE_FIELD)
			continue;
		hp_buf_clear(&text);
		hp_key_add_text(&text,
				hp_tables_string(&w->g->tables, e->name));
		if (!name || !hp_buf_ok(&text))
			st = hp_no_memory(err);
		else
			w->edge_roles[i] = role_of_field(w, e, name->text,
							 text.data, text.len);
	}
	hp_buf_release(&text);
	return w->edge_roles ? st : hp_no_memory(err);
}

enum hp_status
hp_waste_know_classes(struct hp_waste *w, struct hp_error *err)
{
	const struct hp_classes *classes = &w->g->classes;
	enum hp_status st =
		hp_collections_find(&w->collections, classes, &w->g->tables,
				    &w->o->collections, err);

	w->classes = hp_calloc(classes->count + 1, sizeof(*w->classes));
	if (!w->classes)
		return hp_no_memory(err);
	w->string = hp_java_string_class(classes, &w->g->tables);
	w->slices = w->string.offset.from_end > 0;
	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_name *name = hp_key_class(w->keys, c->id);

		if (!name)
			return hp_no_memory(err);
		know_class(w, c, name->text);
	}
	return st == HP_OK ? know_fields(w, err) : st;
}

enum hp_status
hp_waste_read_statics(struct hp_waste *w, struct hp_error *err)
{
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	enum hp_status st = near ? HP_OK : hp_no_memory(err);

	for (size_t i = 0; i < w->g->classes.count && st == HP_OK; i++) {
		const struct hp_class *c = w->g->classes.list[i];
		const struct hp_name *name = hp_key_class(w->keys, c->id);
		uint8_t marks = HP_MARK_STATIC;
		struct hp_class_edge e = {0};

		if (!name)
			st = hp_no_memory(err);
		else if (has_box_cache(name->text))
			marks |= HP_MARK_CACHED;
		while (st == HP_OK && hp_class_edge_next(c, &e)) {
			uint32_t node = hp_node_of(&w->nodes, near, e.to);
			uint32_t edge, held;

			if (e.of != HP_CLASS_EDGE_STATIC || node == HP_NO_NODE)
				continue;
			edge = hp_edge_kind_static(&w->edges, c,
						   &c->statics[e.index]);
			if (edge > HP_HELD_MOST) {
				st = hp_no_memory(err);
				break;
			}
			held = hp_held_by_field(edge);
			hp_waste_mark(w, node, marks);
			if (held > *hp_waste_held(w, node))
				*hp_waste_held(w, node) = held;
		}
	}
	hp_free(near);
	return st;
}
