/*
 * hidden_fields.c - find the objects that look unreachable only because dumps
 * do not list the fields of java.lang.Class
 *
 * Two rounds go over all objects that are not reachable. The first round begins
 * a search at each object that certainly belongs to a hidden field. The second
 * round begins at objects of which only one for each class belongs to a hidden
 * field, if the first round has not reached them. Each round reads the
 * references of an unreachable object at most twice, so the time is linear.
 */
#include "common/graph/hidden_fields.h"

#include "common/base/memory.h"
#include "common/model/java_string.h"

#include <string.h>

enum how { EVERY, HOLDER, ONE, ENUM, ARRAY_CLASS };

static const struct {
	enum how how;
	const char *class, *other;
} fields[] = {
#define HIDDEN_FIELD(field, versions, how, class, other) {how, class, other},
#include "common/graph/hidden_fields.def"
};

/*
 * What the table says about the objects of a kind (objects of the same class
 * and size).
 */
struct rule {
	/* one bit for each entry of the table whose `class` this is */
	uint32_t entries;
	/* one bit for each entry of the table whose `other` this is */
	uint32_t others;
	/* each of the objects belongs to a hidden field */
	bool every;
	/* the objects are constants of an enum */
	bool constants;
	/* for an array: whether it can be the array of all constants */
	enum { UNKNOWN, ENUM_ARRAY, OTHER_ARRAY } array;
};

struct finder {
	struct hp_graph *g;
	uint64_t *bits;
	struct rule *rules; /* indexed by kind */
	/* the entries of the table with HOLDER, and those with ONE */
	uint32_t holders, ones;
	const struct hp_class
		*enums; /* java.lang.Enum; NULL: not in the dump */
	/* the nodes of classes whose field has its object already */
	struct hp_id_map claimed;
	/*
	 * whether the name of an array class is that of arrays of an enum. The
	 * key is the node of the array class and the index of the enum. Names
	 * can be long, so they are compared only once.
	 */
	struct hp_id_map compared;
	struct hp_rank_near near;
	/* the objects that were found, and whose references were not read yet
	 */
	struct hp_big_array open;
	uint64_t depth;
	struct hp_graph_sum sum;
	struct hp_error error;
};

_Static_assert(HP_ARRAY_LEN(fields) <= 32, "the masks have 32 bits");

static bool
is_found(const struct finder *f, uint32_t node)
{
	return f->bits[node >> 6] >> (node & 63) & 1;
}

/* --- what the table says about each kind of object ------------------------ */

static uint32_t
entries_of(const struct hp_class *const *classes, const struct hp_class *c)
{
	uint32_t mask = 0;

	for (unsigned i = 0; c && i < HP_ARRAY_LEN(fields); i++)
		mask |= (uint32_t)(classes[i] == c) << i;
	return mask;
}

/*
 * Whether @c is the class of an array, and the virtual machine keeps it alive:
 * the class loader is reachable, or it is the boot class loader.
 */
static bool
is_array_class(struct finder *f, const struct hp_class *c)
{
	const struct hp_string *name =
		c ? hp_tables_class_name(f->g->o.tables, c->id) : NULL;
	uint32_t loader;

	if (!name || name->length == 0 ||
	    (name->data[0] != '[' && name->data[name->length - 1] != ']'))
		return false;
	loader = hp_node_of(&f->g->nodes, &f->near, c->loader);
	return c->loader == 0 || (loader != HP_NO_NODE && is_found(f, loader));
}

static void
set_rule(struct finder *f, uint32_t kind, const struct hp_class *const *classes,
	 const struct hp_class *const *others)
{
	const struct hp_node_kind *k = &f->g->kinds.list[kind];
	struct rule *r = &f->rules[kind];
	const struct hp_class *c =
		k->of == HP_NODE_PRIMITIVE_ARRAY
			? NULL
			: hp_classes_get(f->g->o.classes, k->class_id);

	if (k->of != HP_NODE_OBJECT_ARRAY)
		r->array = OTHER_ARRAY;
	if (k->of == HP_NODE_CLASS) {
		r->every = is_array_class(f, c);
		return;
	}
	r->entries = entries_of(classes, c);
	r->others = entries_of(others, c);
	for (unsigned i = 0; i < HP_ARRAY_LEN(fields); i++)
		if (fields[i].how == EVERY && r->entries >> i & 1)
			r->every = true;
	r->constants = k->of == HP_NODE_INSTANCE && f->enums && c &&
		       c->chain == HP_CHAIN_FINE && c != f->enums &&
		       hp_class_is_a(c, f->enums);
}

static enum hp_status
make_rules(struct finder *f, struct hp_error *err)
{
	const struct hp_graph_options *o = &f->g->o;
	const struct hp_class *classes[HP_ARRAY_LEN(fields)] = {NULL};
	const struct hp_class *others[HP_ARRAY_LEN(fields)] = {NULL};

	f->rules = hp_calloc(f->g->kinds.count, sizeof(*f->rules));
	if (!f->rules)
		return hp_no_memory(err);
	for (unsigned i = 0; i < HP_ARRAY_LEN(fields); i++) {
		if (*fields[i].class)
			classes[i] = hp_boot_class(o->classes, o->tables,
						   fields[i].class);
		if (*fields[i].other)
			others[i] = hp_boot_class(o->classes, o->tables,
						  fields[i].other);
		f->holders |= (uint32_t)(fields[i].how == HOLDER) << i;
		f->ones |= (uint32_t)(fields[i].how == ONE) << i;
	}
	f->enums = hp_boot_class(o->classes, o->tables, "java/lang/Enum");
	for (uint32_t k = 1; k < f->g->kinds.count; k++)
		set_rule(f, k, classes, others);
	return HP_OK;
}

/* --- the search ----------------------------------------------------------- */

static void
visit(struct finder *f, uint32_t node)
{
	if (node == HP_NO_NODE || is_found(f, node) || f->error.status != HP_OK)
		return;
	if (4 * (f->depth + 1) > f->open.ready &&
	    hp_big_array_grow(&f->g->memory, &f->open, 4 * (f->depth + 1),
			      &f->error) != HP_OK)
		return;
	f->bits[node >> 6] |= UINT64_C(1) << (node & 63);
	((uint32_t *)f->open.at)[f->depth++] = node;
}

static void
visit_referents(struct finder *f, uint32_t node)
{
	const struct hp_graph_weak *weak = hp_graph_weak_of(f->g, node);
	const struct hp_graph_weak *end;

	if (!weak)
		return;
	end = f->g->weak + f->g->nweak;
	for (; weak < end && weak->from == node; weak++)
		visit(f, weak->to);
}

/* Find all objects that are reachable from @node, over all references. */
static void
search_from(struct finder *f, uint32_t node)
{
	uint32_t kind, to;

	visit(f, node);
	while (f->depth > 0) {
		struct hp_edge_reader r = {0};

		node = ((uint32_t *)f->open.at)[--f->depth];
		r.base = node;
		kind = hp_edge_kind(&f->g->edges, node, &r.at);
		f->sum.objects++;
		f->sum.bytes += f->g->kinds.list[kind].bytes;
		visit(f, f->g->kinds.list[kind].class_node);
		visit_referents(f, node);
		while (r.at && (to = hp_edge_next(f->g->edges.lists.at, &r)) !=
				       HP_EDGE_END)
			visit(f, to);
	}
}

/* --- objects at which a search begins ------------------------------------- */

/*
 * Whether @node refers to an object for which one of the entries @mask has its
 * `other` class.
 */
static bool
is_holder(const struct finder *f, uint32_t node, uint64_t at, uint32_t mask)
{
	const struct hp_graph_weak *weak, *end;
	struct hp_edge_reader r = {.at = at, .base = node};
	uint64_t list;
	uint32_t to;

	while (at &&
	       (to = hp_edge_next(f->g->edges.lists.at, &r)) != HP_EDGE_END)
		if (f->rules[hp_edge_kind(&f->g->edges, to, &list)].others &
		    mask)
			return true;
	/* with --reachability=strong, soft references are in the list of weak
	 * references */
	weak = hp_graph_weak_of(f->g, node);
	if (!weak)
		return false;
	end = f->g->weak + f->g->nweak;
	for (; weak < end && weak->from == node; weak++)
		if (weak->to != HP_NO_NODE &&
		    f->rules[hp_edge_kind(&f->g->edges, weak->to, &list)]
				    .others &
			    mask)
			return true;
	return false;
}

/*
 * Whether @array is the name of the array class whose elements have the class
 * @element: "[Lshop/Color;" or "shop.Color[]" for "shop.Color".
 */
static bool
is_array_of(const struct hp_string *array, const struct hp_string *element)
{
	size_t n;

	if (!array || !element)
		return false;
	n = element->length;
	if (array->length == n + 3 && array->data[0] == '[')
		return memcmp(array->data + 2, element->data, n) == 0;
	return array->length == n + 2 &&
	       memcmp(array->data, element->data, n) == 0;
}

/*
 * Whether arrays of this kind can be the array of all constants of an enum:
 * the array's type is the enum to which the first element @first belongs.
 */
static bool
is_enum_array(struct finder *f, const struct hp_node_kind *array,
	      uint32_t first)
{
	const struct hp_tables *t = f->g->o.tables;
	uint64_t list, *known;
	uint32_t kind = hp_edge_kind(&f->g->edges, first, &list);
	const struct hp_class *c;
	bool fresh;

	if (!f->rules[kind].constants || array->class_node == HP_NO_NODE)
		return false;
	c = hp_classes_get(f->g->o.classes, f->g->kinds.list[kind].class_id);
	/* a constant with a body has a class of its own, below the enum */
	if (c->super != f->enums)
		c = c->super;
	known = hp_id_map_put(
		&f->compared,
		((uint64_t)array->class_node << 32 | c->index) + 1, &fresh);
	if (!known) {
		hp_no_memory(&f->error);
		return false;
	}
	if (fresh)
		*known = is_array_of(hp_tables_class_name(t, array->class_id),
				     hp_tables_class_name(t, c->id));
	return *known;
}

/*
 * Returns the node of the class whose hidden field may refer to the object
 * @node, if only one object for each class belongs to such a field. Otherwise
 * returns HP_NO_NODE.
 */
static uint32_t
class_of_one(struct finder *f, uint32_t node, uint32_t kind, uint64_t at)
{
	const struct hp_node_kind *k = &f->g->kinds.list[kind];
	struct rule *r = &f->rules[kind];
	struct hp_edge_reader reader = {.at = at, .base = node};
	uint64_t list;
	uint32_t to;

	if (!(r->entries & f->ones) && r->array == OTHER_ARRAY)
		return HP_NO_NODE;
	while (at && (to = hp_edge_next(f->g->edges.lists.at, &reader)) !=
			     HP_EDGE_END) {
		if (r->array == UNKNOWN)
			r->array = is_enum_array(f, k, to) ? ENUM_ARRAY
							   : OTHER_ARRAY;
		if (k->of == HP_NODE_OBJECT_ARRAY)
			return r->array == ENUM_ARRAY ? k->class_node
						      : HP_NO_NODE;
		if (f->g->kinds.list[hp_edge_kind(&f->g->edges, to, &list)]
			    .of == HP_NODE_CLASS)
			return to;
	}
	return HP_NO_NODE;
}

/*
 * Begin a search at the object @node if the table proves that a field of
 * java.lang.Class refers to it.
 */
static void
begin_certain(struct finder *f, uint32_t node)
{
	uint64_t at;
	uint32_t kind = hp_edge_kind(&f->g->edges, node, &at);
	const struct rule *r = &f->rules[kind];

	if (r->every || (r->entries & f->holders &&
			 is_holder(f, node, at, r->entries & f->holders)))
		search_from(f, node);
}

/*
 * Begin a search at the object @node if a hidden field of a class can refer to
 * it, and no other object was found for this field of the class.
 */
static void
begin_one(struct finder *f, uint32_t node)
{
	uint64_t at;
	uint32_t kind = hp_edge_kind(&f->g->edges, node, &at);
	uint32_t class_node = class_of_one(f, node, kind, at);
	bool fresh = false;

	if (class_node == HP_NO_NODE)
		return;
	if (!hp_id_map_put(&f->claimed, class_node + UINT64_C(1), &fresh))
		hp_no_memory(&f->error);
	else if (fresh)
		search_from(f, node);
}

static void
go_over(struct finder *f, void (*begin)(struct finder *f, uint32_t node))
{
	uint32_t count = f->g->nodes.count;

	for (uint32_t node = 0; node < count && f->error.status == HP_OK;
	     node++) {
		/* skip 64 objects that are all reachable */
		if (node % 64 == 0 && f->bits[node >> 6] == UINT64_MAX)
			node += 63;
		else if (!is_found(f, node))
			begin(f, node);
	}
}

enum hp_status
hp_hidden_fields_find(struct hp_graph *g, uint64_t *bits,
		      struct hp_graph_sum *found, struct hp_error *err)
{
	struct finder f = {.g = g, .bits = bits};
	enum hp_status st = HP_OK;

	if (g->o.hidden_fields)
		st = make_rules(&f, err);
	if (st == HP_OK && g->o.hidden_fields)
		st = hp_big_array_reserve(&f.open,
					  4 * (g->nodes.count + UINT64_C(1)),
					  HP_BIG_IN_ORDER, err);
	if (st == HP_OK && g->o.hidden_fields) {
		go_over(&f, begin_certain);
		go_over(&f, begin_one);
		if (f.error.status != HP_OK)
			st = hp_fail_as(err, &f.error);
	}
	hp_big_array_drop(&g->memory, &f.open);
	hp_id_map_release(&f.claimed);
	hp_id_map_release(&f.compared);
	hp_free(f.rules);
	if (found)
		*found = f.sum;
	return st;
}
