/*
 * moved_nodes.c - find objects that have another owner in the last dump than in
 * the first one, so that the HTML report does not show them as growth of one
 * owner and as loss of another
 *
 * Nodes of two merged dominator trees correspond if they have the same names
 * from the root down. An object to which another field refers now, or one more
 * root, has another name or another parent. So its old node seems to vanish,
 * and its new node seems to appear. If most objects kept their ids, such an
 * object is found by its id. Otherwise only owners are compared: the children
 * of the root, and those of classes. The search for suspects does the same with
 * all large objects (object_match.c).
 *
 * The indexes of nodes and names depend on --memory. So if several nodes fit
 * equally well, the texts of their names decide.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* two sizes are similar if they differ by less than 1/50 */
	SIMILAR_PARTS = 50,
	/*
	 * objects are assumed to keep their ids if STABLE of 10 nodes of the
	 * first dump have an id and a class that a node of the last dump has
	 */
	STABLE = 8,
	STABLE_PARTS = 10,
};

/* An owner with another object, or of another size, than in the other dump. */
struct owner {
	uint32_t node, name;
	const char *class;
	/* its place, as texts: its name, and the name of its parent */
	const char *own, *above;
	bool is_static;
	bool is_lone; /* the other dump does not have an owner at this place */
	uint64_t bytes;
};

struct owners {
	struct owner *list;
	size_t count, cap;
};

struct moved {
	const struct hp_dominator_view *v;
	/* for each tree: the nodes of its owners, by place_of() */
	struct hp_id_map places[2];
	struct owners changed[2];
	/*
	 * for each class in the last dump that is an owner: its static field
	 * with a list that has grown most; key: the name of the class
	 */
	struct hp_id_map lists;
	uint32_t *to; /* the result */
};

static const struct hp_merged_node *
node_at(const struct moved *m, unsigned which, uint32_t i)
{
	return &m->v->trees[which].list[i];
}

/* Returns the name of a node as text; for the root, which has none, "". */
static const char *
text_of(const struct moved *m, unsigned which, uint32_t i)
{
	return i == 0 ? "" : m->v->names.list[node_at(m, which, i)->name]->key;
}

static bool
is_class_node(const struct moved *m, unsigned which, uint32_t i)
{
	return node_at(m, which, i)->parent == 0 &&
	       strncmp(text_of(m, which, i), HP_ROW_CLASS,
		       sizeof(HP_ROW_CLASS) - 1) == 0;
}

static bool
is_owner(const struct moved *m, unsigned which, uint32_t i)
{
	uint32_t above = node_at(m, which, i)->parent;

	return above == 0 ? !is_class_node(m, which, i)
			  : is_class_node(m, which, above);
}

/* Returns a number for the place of an owner: its name and its class, if any */
static uint64_t
place_of(const struct moved *m, unsigned which, uint32_t i)
{
	const struct hp_merged_node *n = node_at(m, which, i);
	uint64_t above =
		n->parent ? node_at(m, which, n->parent)->name + UINT64_C(1)
			  : 0;

	return above << 32 | (n->name + UINT64_C(1));
}

static bool
add_places(struct moved *m, unsigned which)
{
	for (uint32_t i = 1; i < m->v->trees[which].count; i++) {
		uint64_t *slot;

		if (!is_owner(m, which, i))
			continue;
		slot = hp_id_map_put(&m->places[which], place_of(m, which, i),
				     NULL);
		if (!slot)
			return false;
		*slot = i;
	}
	return true;
}

static bool
is_similar(uint64_t a, uint64_t b)
{
	uint64_t more = a > b ? a : b;

	return hp_difference(a, b) <= more / SIMILAR_PARTS;
}

static uint64_t
bytes_at(const struct moved *m, unsigned which, const uint64_t *node)
{
	return node ? node_at(m, which, (uint32_t)*node)->sum.bytes : 0;
}

/*
 * List the owners, large enough to be drawn, that the other dump does not have
 * in a similar size.
 */
static bool
add_changed(struct moved *m, unsigned which)
{
	uint64_t least = node_at(m, which, 0)->sum.bytes / HP_SHARE_DRAWN;
	struct owners *l = &m->changed[which];

	for (uint32_t i = 1; i < m->v->trees[which].count; i++) {
		const struct hp_merged_node *n = node_at(m, which, i);
		const uint64_t *other = hp_id_map_get(&m->places[!which],
						      place_of(m, which, i));
		const struct hp_row *class =
			m->v->names.list[m->v->classes[which][i]];
		const struct owner x = {.node = i,
					.name = n->name,
					.class = class->key,
					.own = text_of(m, which, i),
					.above = text_of(m, which, n->parent),
					.is_static = n->is_static,
					.is_lone = !other,
					.bytes = n->sum.bytes};

		if (is_owner(m, which, i) && n->members == 1 &&
		    x.bytes >= least &&
		    !is_similar(x.bytes, bytes_at(m, !which, other)) &&
		    !HP_LIST_PUSH(l->list, l->count, l->cap, x))
			return false;
	}
	return true;
}

/*
 * Sort owners by their class, the largest first. The place of an owner is
 * different from those of all others.
 */
static int
by_class_and_size(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;
	int order = strcmp(x->class, y->class);

	if (order == 0)
		order = hp_order(y->bytes, x->bytes);
	if (order == 0)
		order = strcmp(x->own, y->own);
	return order ? order : strcmp(x->above, y->above);
}

/*
 * Match owners of the same class and of about the same size. At least one of
 * the two places is new or gone: if two owners only changed their sizes, the
 * size that both have had may be a coincidence.
 */
static void
pair_by_size(struct moved *m)
{
	const struct owners *first = &m->changed[0], *last = &m->changed[1];
	size_t i = 0, j = 0;

	while (i < first->count && j < last->count) {
		const struct owner *x = &first->list[i];
		struct owner *y = &last->list[j];
		int order = strcmp(x->class, y->class);

		if (order != 0) {
			i += order < 0;
			j += order > 0;
		} else if (is_similar(x->bytes, y->bytes)) {
			if (x->is_lone || y->is_lone)
				m->to[x->node] = y->node;
			/* pair_by_name() does not use this owner again */
			y->is_lone &= m->to[x->node] == 0;
			i++;
			j++;
		} else {
			i += x->bytes > y->bytes;
			j += x->bytes < y->bytes;
		}
	}
}

/*
 * Match the other static fields that a class owned in one dump, and the root in
 * the other one: now, or before, something else also refers to their object.
 */
static bool
pair_by_name(struct moved *m)
{
	struct hp_id_map names = {0};
	const uint64_t *found;
	uint64_t *slot;
	bool fine = true;

	for (size_t j = 0; j < m->changed[1].count && fine; j++) {
		const struct owner *y = &m->changed[1].list[j];

		if (!y->is_static || !y->is_lone)
			continue;
		slot = hp_id_map_put(&names, y->name + UINT64_C(1), NULL);
		fine = slot != NULL;
		if (slot)
			*slot = y->node;
	}
	for (size_t i = 0; i < m->changed[0].count && fine; i++) {
		const struct owner *x = &m->changed[0].list[i];

		if (!x->is_static || !x->is_lone || m->to[x->node])
			continue;
		found = hp_id_map_get(&names, x->name + UINT64_C(1));
		if (found)
			m->to[x->node] = (uint32_t)*found;
	}
	hp_id_map_release(&names);
	return fine;
}

/* Returns by how many bytes an owner of the last dump has grown. */
static uint64_t
growth_of(const struct moved *m, uint32_t last)
{
	uint64_t now = node_at(m, 1, last)->sum.bytes;
	uint64_t before = bytes_at(
		m, 0, hp_id_map_get(&m->places[0], place_of(m, 1, last)));

	return now > before ? now - before : 0;
}

/* Whether an owner of the last dump has grown more than another one. */
static bool
grew_more(const struct moved *m, uint32_t i, uint32_t other)
{
	int order = hp_order(growth_of(m, i), growth_of(m, other));

	return order ? order > 0
		     : strcmp(text_of(m, 1, i), text_of(m, 1, other)) < 0;
}

/*
 * Find, for each class and each class of objects, the static field of the
 * class with such an object that has grown most.
 */
static bool
find_lists(struct moved *m)
{
	for (uint32_t i = 1; i < m->v->trees[1].count; i++) {
		const struct hp_merged_node *n = node_at(m, 1, i);
		uint64_t *slot, key;

		if (!n->is_static || n->parent == 0 || !is_owner(m, 1, i))
			continue;
		key = node_at(m, 1, n->parent)->name + UINT64_C(1);
		key = key << 32 | m->v->classes[1][i];
		slot = hp_id_map_put(&m->lists, key, NULL);
		if (!slot)
			return false;
		if (*slot == 0 || grew_more(m, i, (uint32_t)*slot))
			*slot = i;
	}
	return true;
}

/*
 * New nodes are often inserted before the first node of a list in a static
 * field, such as the list of java.lang.ref.Finalizer. If something else also
 * refers to an older node, the class owns this node and those after it, and
 * not the field. When nothing else refers to it any more, the field owns all.
 */
static void
join_lists(struct moved *m)
{
	for (uint32_t i = 1; i < m->v->trees[0].count; i++) {
		const struct hp_merged_node *n = node_at(m, 0, i);
		const uint64_t *found;
		uint64_t key;

		if (n->is_static || n->parent == 0 || !is_owner(m, 0, i) ||
		    hp_id_map_get(&m->places[1], place_of(m, 0, i)))
			continue;
		key = node_at(m, 0, n->parent)->name + UINT64_C(1);
		found = hp_id_map_get(&m->lists, key << 32 | n->name);
		if (found && growth_of(m, (uint32_t)*found) >= n->sum.bytes)
			m->to[i] = (uint32_t)*found;
	}
}

/* --- objects that kept their ids ------------------------------------------ */

/*
 * Returns the node of the last dump with the same object as the node @i of the
 * first dump, or 0. @ids: maps the id of an object to its node
 */
static uint32_t
same_object(const struct moved *m, const struct hp_id_map *ids, uint32_t i)
{
	const uint64_t *found = hp_id_map_get(ids, m->v->ids[0][i]);

	return found && m->v->classes[0][i] == m->v->classes[1][*found]
		       ? (uint32_t)*found
		       : 0;
}

/*
 * Match nodes with a single object by the id of this object. Sets *@stable to
 * whether objects kept their ids; if they did not, nothing is matched.
 */
static bool
pair_by_id(struct moved *m, bool *stable)
{
	uint32_t count = m->v->trees[0].count, all = 0, found = 0;
	struct hp_id_map ids = {0};
	uint64_t *slot;
	bool fine = true;

	for (uint32_t i = 1; i < m->v->trees[1].count && fine; i++) {
		if (node_at(m, 1, i)->members != 1)
			continue;
		slot = hp_id_map_put(&ids, m->v->ids[1][i], NULL);
		fine = slot != NULL;
		if (slot)
			*slot = i;
	}
	for (uint32_t i = 1; i < count && fine; i++) {
		if (node_at(m, 0, i)->members != 1)
			continue;
		all++;
		m->to[i] = same_object(m, &ids, i);
		found += m->to[i] != 0;
	}
	hp_id_map_release(&ids);
	*stable = all > 0 &&
		  (uint64_t)found * STABLE_PARTS >= (uint64_t)all * STABLE;
	for (uint32_t i = 1; i < count && !*stable; i++)
		m->to[i] = 0;
	return fine;
}

/* Match owners by their size and by their name. */
static bool
pair_owners(struct moved *m)
{
	bool fine = true;

	for (unsigned which = 0; which < 2 && fine; which++) {
		struct owners *l = &m->changed[which];

		fine = add_changed(m, which);
		if (fine && l->count > 0)
			qsort(l->list, l->count, sizeof(*l->list),
			      by_class_and_size);
	}
	if (fine)
		pair_by_size(m);
	return fine && pair_by_name(m);
}

enum hp_status
hp_moved_nodes_find(const struct hp_dominator_view *v, uint32_t **to,
		    struct hp_error *err)
{
	struct moved m = {.v = v};
	bool fine, stable;

	*to = m.to = hp_calloc(v->trees[0].count + (size_t)1, sizeof(*m.to));
	fine = m.to && add_places(&m, 0) && add_places(&m, 1) &&
	       pair_by_id(&m, &stable) && (stable || pair_owners(&m)) &&
	       find_lists(&m);
	if (fine)
		join_lists(&m);
	for (unsigned which = 0; which < 2; which++) {
		hp_id_map_release(&m.places[which]);
		hp_free(m.changed[which].list);
	}
	hp_id_map_release(&m.lists);
	return fine ? HP_OK : hp_no_memory(err);
}
