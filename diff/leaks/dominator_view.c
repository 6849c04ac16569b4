/*
 * dominator_view.c - prepare the pictures of memory in the HTML report
 *
 * The first picture shows the dominator trees of two dumps as one tree of
 * nested boxes. The second shows the bytes of each class, with the arrays that
 * its objects own.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * If two dumps are compared, parts of the dominator tree that retain
	 * less than 1/SHARE_MERGED of the heap are left out. This share is much
	 * smaller than 1/HP_SHARE_DRAWN, because a box that is large in one
	 * dump must be found in the other dump even if it is small there.
	 */
	SHARE_MERGED = 1 << 16,
	SHARE_OWNERS =
		/*
		 * classes that own less than 1/20000 of the heap are added up
		 * by package
		 */
	20000
};

/* --- owners --------------------------------------------------------------- */

/*
 * Returns the row of the class that owns objects, or NULL if out of memory.
 * @kind is the kind (class and size) of the owner; HP_NODE_NOTHING is for
 * arrays that no single object owns.
 */
static const struct hp_row *
owner_row(struct hp_keys *keys, struct hp_rows *rows,
	  const struct hp_node_kind *kind)
{
	return kind->of == HP_NODE_NOTHING
		       ? hp_rows_put_word(rows, "(arrays of several owners)")
		       : hp_key_row(rows, hp_key_class(keys, kind->class_id));
}

static bool
is_array(const struct hp_node_kind *kind)
{
	return kind->of == HP_NODE_OBJECT_ARRAY ||
	       kind->of == HP_NODE_PRIMITIVE_ARRAY;
}

/*
 * Add up bytes by owner: an array belongs to its nearest dominator that is not
 * an array. bytes[k]: the bytes of the objects of kind k (class and size) and
 * of their arrays. The bytes of arrays without an owner are added to kind 0.
 * @owners: temporary memory with one entry for each object in the dominator
 * tree: the kind of its owner. In this tree, a dominator comes before the
 * objects that it dominates, so the owner of the dominator is already known.
 */
static void
sum_owned(const struct hp_retained *t, uint32_t *owners, uint64_t *bytes)
{
	const struct hp_node_kind *list = t->graph.kinds.list;

	for (uint32_t p = 1; p < t->tree.count; p++) {
		owners[p] = is_array(&list[hp_tree_kind(&t->tree, p)])
				    ? owners[hp_tree_parent(&t->tree, p)]
				    : hp_tree_kind(&t->tree, p);
		bytes[owners[p]] += list[hp_tree_kind(&t->tree, p)].bytes;
	}
}

static enum hp_status
add_owners(struct hp_dominator_view *v, struct hp_retained *t,
	   struct hp_keys *keys, size_t column, struct hp_error *err)
{
	const struct hp_node_kinds *kinds = &t->graph.kinds;
	uint64_t *bytes = hp_calloc(kinds->count + 1, sizeof(*bytes));
	struct hp_big_array owners = {0};
	const struct hp_row *row;
	enum hp_status st;

	if (!bytes)
		return hp_no_memory(err);
	st = hp_big_array_make(t->tree.memory, &owners,
			       4 * (uint64_t)t->tree.count, HP_BIG_RANDOM, err);
	if (st == HP_OK)
		sum_owned(t, owners.at, bytes);
	for (uint32_t k = 0; k < kinds->count && st == HP_OK; k++) {
		if (bytes[k] == 0)
			continue;
		row = owner_row(keys, &v->owners, &kinds->list[k]);
		if (!row) {
			st = hp_no_memory(err);
			break;
		}
		v->owners.list[row->index]->bytes[column] += bytes[k];
	}
	hp_big_array_drop(t->tree.memory, &owners);
	hp_free(bytes);
	return st;
}

/*
 * Make the labels of the objects in boxes with a single object. Boxes that are
 * too small to be drawn are left out.
 */
static enum hp_status
add_labels(struct hp_dominator_view *v, const struct hp_retained *t,
	   struct hp_keys *keys, struct hp_source *src, struct hp_error *err)
{
	const struct hp_merged_tree *m = &v->trees[1];
	uint64_t least = t->tree.reachable.bytes / HP_SHARE_DRAWN + 1;
	struct hp_labelled *list = hp_calloc(m->count + 1, sizeof(*list));
	uint32_t *of = hp_calloc(m->count + 1, sizeof(*of));
	enum hp_status st = HP_OK;
	size_t n = 0;

	v->labels = hp_calloc(m->count + 1, sizeof(*v->labels));
	if (!list || !of || !v->labels)
		st = hp_no_memory(err);
	for (uint32_t i = 1; st == HP_OK && i < m->count; i++) {
		const struct hp_merged_node *node = &m->list[i];

		if (node->members != 1 ||
		    (node->sum.bytes < least && !node->wanted))
			continue;
		list[n].place = node->largest;
		of[n++] = i;
	}
	if (st == HP_OK)
		st = hp_object_labels_find(list, n, t, keys, src,
					   &v->names.arena, err);
	for (size_t i = 0; st == HP_OK && i < n; i++)
		v->labels[of[i]] = list[i].text;
	hp_free(list);
	hp_free(of);
	return st;
}

/* Find the ids of the largest objects of the nodes of a merged tree. */
static enum hp_status
find_ids(struct hp_dominator_view *v, const struct hp_retained *t, bool last,
	 struct hp_error *err)
{
	const struct hp_merged_tree *m = &v->trees[last];
	uint32_t *places = hp_calloc(m->count + (size_t)1, sizeof(*places));
	enum hp_status st;

	v->ids[last] = hp_calloc(m->count + (size_t)1, sizeof(*v->ids[last]));
	for (uint32_t i = 1; places && i < m->count; i++)
		places[i] = m->list[i].largest;
	st = places && v->ids[last] ? HP_OK : hp_no_memory(err);
	if (st == HP_OK && m->count > 1)
		st = hp_retained_ids(t, places + 1, m->count - 1,
				     v->ids[last] + 1, err);
	hp_free(places);
	return st;
}

enum hp_status
hp_dominator_view_add(struct hp_dominator_view *v, struct hp_retained *t,
		      const struct hp_histogram *g, struct hp_source *src,
		      const struct hp_result *r, bool last,
		      struct hp_error *err)
{
	struct hp_keys keys = {.g = g, .o = r->options};
	struct hp_merged_tree *tree = &v->trees[last];
	uint32_t places[HP_SUSPECTS_MOST];
	struct hp_merged_wanted wanted = {places, last ? r->nsuspects : 0};
	enum hp_status st;

	for (size_t i = 0; i < wanted.count; i++)
		places[i] = r->suspects[i].place;
	st = hp_merged_tree_build(tree, t, &keys, &v->names,
				  r->ndumps > 1 ? SHARE_MERGED : HP_SHARE_DRAWN,
				  wanted, err);
	if (st == HP_OK) {
		v->classes[last] = hp_merged_classes(tree, t, &keys, &v->names);
		st = v->classes[last] ? HP_OK : hp_no_memory(err);
	}
	if (st == HP_OK && r->ndumps > 1)
		st = find_ids(v, t, last, err);
	if (st == HP_OK && last)
		st = add_labels(v, t, &keys, src, err);
	if (st == HP_OK)
		st = add_owners(v, t, &keys, last, err);
	v->have[last] = st == HP_OK;
	hp_keys_release(&keys);
	return st;
}

/* --- joining the two trees ------------------------------------------------ */

/*
 * The names of a box of the picture: the name of the box and the name of its
 * class, each as a row, and the label of its object or NULL.
 */
struct box_names {
	uint32_t name, class;
	const char *label;
};

struct joining {
	struct hp_dominator_view *v;
	struct hp_result *r;
	/* maps a parent box and a name to the child box with this name */
	struct hp_id_map by_name;
	/*
	 * for each node of the trees of the first and of the last dump: the
	 * index of its box
	 */
	uint32_t *box_of[2];
	/*
	 * for each node of the tree of the first dump: the node of the last
	 * dump's tree with the same object, or 0
	 */
	uint32_t *moved_to;
	/* for each box: its name, and the name of its class */
	struct box_names *name_of;
	size_t cap, cap_names;
	struct hp_error *err;
};

static bool
reserve_box(struct joining *j)
{
	return HP_LIST_RESERVE(j->r->boxes, j->r->nboxes, j->cap) &&
	       HP_LIST_RESERVE(j->name_of, j->r->nboxes, j->cap_names);
}

/*
 * Find or create the box with the name @name in the box @parent. Returns
 * UINT32_MAX if out of memory.
 */
static uint32_t
find_box(struct joining *j, uint32_t parent, uint32_t name)
{
	uint64_t *slot;
	bool fresh;

	slot = hp_id_map_put(&j->by_name,
			     (uint64_t)parent << 32 | (name + (uint32_t)1),
			     &fresh);
	if (!slot || (fresh && !reserve_box(j)))
		return UINT32_MAX;
	if (fresh) {
		*slot = j->r->nboxes++;
		j->r->boxes[*slot] = (struct hp_box){.parent = parent};
		j->name_of[*slot] =
			(struct box_names){.name = name, .class = UINT32_MAX};
	}
	return (uint32_t)*slot;
}

static void
add_sum(struct hp_graph_sum *to, const struct hp_graph_sum *sum)
{
	to->objects += sum->objects;
	to->bytes += sum->bytes;
}

/*
 * An object that was in the box @from is now in the box @to: change the sums of
 * the first dump in the boxes around the two, up to the first box that is
 * around both.
 */
static void
move_sum(struct hp_box *boxes, uint32_t from, uint32_t to,
	 const struct hp_graph_sum *sum)
{
	while (from != to)
		/* a box has a larger index than the boxes around it */
		if (to > from) {
			add_sum(&boxes[to].retained[0], sum);
			to = boxes[to].parent;
		} else {
			boxes[from].retained[0].objects -= sum->objects;
			boxes[from].retained[0].bytes -= sum->bytes;
			from = boxes[from].parent;
		}
}

/*
 * Find or create the box for a node of a dominator tree, and add the sums of
 * the node to the box. The parent of the node already has a box.
 */
static enum hp_status
join_node(struct joining *j, const struct hp_merged_node *n, uint32_t index,
	  unsigned which)
{
	uint32_t parent = index ? j->box_of[which][n->parent] : 0, at;
	uint32_t moved = which == 0 && j->moved_to ? j->moved_to[index] : 0;
	struct box_names *names;
	struct hp_box *box;

	at = moved ? j->box_of[1][moved] : find_box(j, parent, n->name);
	if (at == UINT32_MAX)
		return hp_no_memory(j->err);
	if (moved)
		move_sum(j->r->boxes, parent, j->r->boxes[at].parent, &n->sum);
	names = &j->name_of[at];
	if (names->class == UINT32_MAX)
		names->class = j->v->classes[which][index];
	if (which == 1)
		names->label = j->v->labels[index];
	j->box_of[which][index] = at;
	box = &j->r->boxes[at];
	/* nodes of a list count as the list: see join_trees() */
	if (!moved)
		box->members[which] += n->members;
	add_sum(&box->retained[which], &n->sum);
	box->suspects |= n->wanted;
	return HP_OK;
}

static enum hp_status
join_tree(struct joining *j, unsigned which)
{
	const struct hp_merged_tree *m = &j->v->trees[which];
	enum hp_status st = HP_OK;

	j->box_of[which] =
		hp_calloc(m->count + (size_t)1, sizeof(*j->box_of[which]));
	if (!j->box_of[which])
		return hp_no_memory(j->err);
	for (uint32_t i = 0; i < m->count && st == HP_OK; i++)
		st = join_node(j, &m->list[i], i, which);
	return st;
}

/*
 * Join the trees of both dumps to one tree of boxes. The last dump comes first,
 * because boxes of objects that have moved are at their new places.
 */
static enum hp_status
join_trees(struct joining *j)
{
	enum hp_status st = join_tree(j, 1);

	if (st == HP_OK && j->v->have[0])
		st = hp_moved_nodes_find(j->v, &j->moved_to, j->err);
	if (st == HP_OK && j->v->have[0])
		st = join_tree(j, 0);
	/* boxes with only objects that have moved there */
	for (size_t i = 0; i < j->r->nboxes; i++)
		if (j->r->boxes[i].retained[0].objects > 0 &&
		    j->r->boxes[i].members[0] == 0)
			j->r->boxes[i].members[0] = 1;
	hp_free(j->box_of[0]);
	hp_free(j->box_of[1]);
	hp_free(j->moved_to);
	return st;
}

/*
 * Copy the names of a box into the result, because the rows with the names are
 * freed before the result is used.
 */
static bool
keep_names(struct joining *j, struct hp_box *box, const struct box_names *names)
{
	const struct hp_row *name = j->v->names.list[names->name];
	const struct hp_row *class = j->v->names.list[names->class];

	box->name = hp_arena_copy(&j->r->arena, name->key, name->key_len);
	box->class = name == class ? box->name
				   : hp_arena_copy(&j->r->arena, class->key,
						   class->key_len);
	if (names->label)
		box->label = hp_arena_copy(&j->r->arena, names->label,
					   strlen(names->label));
	return box->name && box->class && (box->label || !names->label);
}

/*
 * Keep only boxes that are large enough to draw or that contain a suspect, and
 * copy their names. In the list of boxes, a parent stays before its children.
 */
static enum hp_status
keep_visible(struct joining *j)
{
	struct hp_box *boxes = j->r->boxes;
	uint32_t *now = hp_calloc(j->r->nboxes, sizeof(*now));
	enum hp_status st = now ? HP_OK : hp_no_memory(j->err);
	uint64_t least[2];
	/* box 0 is the root: it is always kept, and has no name */
	size_t kept = 1;

	boxes[0].name = boxes[0].class = "";
	for (unsigned k = 0; k < 2; k++)
		least[k] = boxes[0].retained[k].bytes / HP_SHARE_DRAWN + 1;
	for (size_t i = 1; i < j->r->nboxes && st == HP_OK; i++) {
		struct hp_box box = boxes[i];

		/*
		 * a child is never larger than its parent, and the parent also
		 * has the suspects of its children: so the parent of a kept
		 * child is kept
		 */
		if (box.retained[0].bytes < least[0] &&
		    box.retained[1].bytes < least[1] && !box.suspects)
			continue;
		if (!keep_names(j, &box, &j->name_of[i]))
			st = hp_no_memory(j->err);
		box.parent = now[box.parent];
		now[i] = (uint32_t)kept;
		boxes[kept++] = box;
	}
	hp_free(now);
	j->r->nboxes = kept;
	return st;
}

static int
compare_names(const void *a, const void *b, void *boxes)
{
	const struct hp_box *list = boxes;

	return strcmp(list[*(const uint32_t *)a].name,
		      list[*(const uint32_t *)b].name);
}

/*
 * Sort the children of each box by name, one level of the tree after the other.
 * Without sorting, the order would depend on how objects are numbered, which
 * depends on --memory.
 *
 * @lists: temporary memory, three numbers for each box
 */
static void
sort_boxes(const struct hp_box *from, struct hp_box *to, uint32_t n,
	   uint32_t *lists)
{
	uint32_t *child = lists, *next = lists + n, *order = next + n;
	uint32_t end = 1;

	for (uint32_t i = n; i-- > 1;) {
		next[i] = child[from[i].parent];
		child[from[i].parent] = i;
	}
	order[0] = 0;
	to[0] = from[0];
	for (uint32_t at = 0; at < n; at++) {
		uint32_t first = end;

		for (uint32_t i = child[order[at]]; i; i = next[i])
			order[end++] = i;
		qsort_r(order + first, end - first, sizeof(*order),
			compare_names, (void *)from);
		for (uint32_t k = first; k < end; k++) {
			to[k] = from[order[k]];
			to[k].parent = at;
		}
	}
}

static enum hp_status
order_boxes(struct joining *j)
{
	size_t n = j->r->nboxes;
	struct hp_box *sorted = hp_calloc(n, sizeof(*sorted));
	uint32_t *lists = hp_calloc(3 * n, sizeof(*lists));
	enum hp_status st = sorted && lists ? HP_OK : hp_no_memory(j->err);

	if (st == HP_OK) {
		sort_boxes(j->r->boxes, sorted, (uint32_t)n, lists);
		hp_free(j->r->boxes);
		j->r->boxes = sorted;
	} else {
		hp_free(sorted);
	}
	hp_free(lists);
	return st;
}

/*
 * Find the box of each suspect. The box that contains the suspect and all boxes
 * around that box have the bit of the suspect. In the list of boxes, inner
 * boxes come later, so the last box with the bit contains the suspect.
 */
static void
find_suspects(struct hp_result *r)
{
	for (uint32_t i = 1; i < r->nboxes; i++)
		for (size_t k = 0; k < r->nsuspects; k++)
			if (r->boxes[i].suspects & (uint32_t)1 << k)
				r->suspects[k].box = i;
}

/* --- the owners to draw --------------------------------------------------- */

static int
compare_keys(const void *a, const void *b)
{
	const struct hp_row *const *x = a, *const *y = b;

	return strcmp((*x)->key, (*y)->key);
}

/*
 * Copy the classes that own many bytes to the result. The others are added up
 * by package, with the name "X.(small classes)".
 */
static enum hp_status
keep_owners(struct hp_dominator_view *v, struct hp_result *r,
	    struct hp_error *err)
{
	struct hp_buf key = {0};
	uint64_t least[2];
	const struct hp_row *made;

	for (unsigned k = 0; k < 2; k++)
		least[k] = r->boxes[0].retained[k].bytes / SHARE_OWNERS + 1;
	hp_rows_init(&r->owners, 2);
	for (size_t i = 0; i < v->owners.count; i++) {
		const struct hp_row *row = v->owners.list[i];
		struct hp_name name = {.text = row->key, .len = row->key_len};

		bool small =
			row->bytes[0] < least[0] && row->bytes[1] < least[1];

		if (small)
			name = hp_key_package(&name);
		hp_buf_clear(&key);
		hp_buf_add(&key, name.text, name.len);
		hp_buf_text(&key, small ? ".(small classes)" : "");
		made = hp_rows_put_text(&r->owners, &key);
		if (!made) {
			hp_buf_release(&key);
			return hp_no_memory(err);
		}
		r->owners.list[made->index]->bytes[0] += row->bytes[0];
		r->owners.list[made->index]->bytes[1] += row->bytes[1];
	}
	hp_buf_release(&key);
	/*
	 * sort the rows by name, because the numbers of kinds of objects are
	 * different in each run
	 */
	if (r->owners.count > 0)
		qsort(r->owners.list, r->owners.count, sizeof(struct hp_row *),
		      compare_keys);
	return HP_OK;
}

enum hp_status
hp_dominator_view_finish(struct hp_dominator_view *v, struct hp_result *r,
			 struct hp_error *err)
{
	struct joining j = {.v = v, .r = r, .err = err};
	enum hp_status st;

	if (!v->have[1] || (r->ndumps > 1 && !v->have[0]))
		return HP_OK;
	st = join_trees(&j);
	if (st == HP_OK)
		st = keep_visible(&j);
	if (st == HP_OK)
		st = order_boxes(&j);
	if (st == HP_OK)
		find_suspects(r);
	if (st == HP_OK)
		st = keep_owners(v, r, err);
	hp_id_map_release(&j.by_name);
	hp_free(j.name_of);
	return st;
}

void
hp_dominator_view_release(struct hp_dominator_view *v)
{
	hp_merged_tree_release(&v->trees[0]);
	hp_merged_tree_release(&v->trees[1]);
	hp_free(v->classes[0]);
	hp_free(v->classes[1]);
	hp_free(v->ids[0]);
	hp_free(v->ids[1]);
	hp_free(v->labels);
	hp_rows_release(&v->names);
	hp_rows_release(&v->owners);
	*v = (struct hp_dominator_view){0};
}
