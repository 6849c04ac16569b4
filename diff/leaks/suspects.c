/*
 * suspects.c - find leak suspects: the objects in which the growth between two
 * dumps collects
 *
 * Both dominator trees have objects with equal names merged. First, nodes of
 * the last tree are matched with nodes of the first tree. Then a search from
 * the root goes down as long as the growth is in one child, and stops where it
 * spreads over many. For the largest results, it finds the class, the elements
 * and the shortest path.
 */
#include "diff/leaks/leaks.h"
#include "common/base/memory.h"

#include "common/cli/quantity.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * nodes that retain less than this share of the heap are left out. The
	 * first dump needs more detail, so that a node that grew since is found
	 * in it.
	 */
	SHARE_FIRST = 1 << 17,
	SHARE_LAST = 1 << 10,
	/* a suspect must have grown by at least 1/50 (2 %) of the first dump */
	GROWTH_PARTS = 50,
	/* with one dump, a suspect must retain at least 1/10 of the heap */
	SINGLE_PARTS = 10,
	/*
	 * if a suspect stands for many objects, the paths of at most this many
	 * are compared
	 */
	SAMPLES = 100,
};

struct choice {
	struct hp_suspect_search *s;
	struct hp_merged_tree last;
	/*
	 * for each node of the last tree: its match in the first tree; 0: none
	 */
	uint32_t *match;
	/* for each node of the first tree: whether it has a match */
	bool *is_matched;
	/*
	 * for each node of the last tree: objects that it retains now, but that
	 * something else retained in the first dump; they do not count as
	 * growth
	 */
	struct hp_graph_sum *moved;
	int64_t limit; /* minimum growth of a suspect in bytes */
	/* for each node of the last tree: whether it is a suspect */
	bool *is_chosen;
	uint32_t chosen[HP_SUSPECTS_MOST];
	size_t nchosen;
	struct hp_keys keys;
	struct hp_retained *t;
	/* the shortest paths of the last dump; NULL: not found yet */
	const struct hp_path_walk *walk;
	const struct hp_path_tree *tree; /* the tree of these paths */
	struct hp_source *src;
	struct hp_result *r;
	struct hp_error *err;
};

/*
 * The part of a node's retained size that is not growth: its own size in the
 * first dump, and that of nodes that have moved below it since.
 */
static struct hp_graph_sum
before(const struct choice *c, uint32_t node)
{
	struct hp_graph_sum sum = c->moved[node];

	if (c->s->have_first && (node == 0 || c->match[node] != 0)) {
		sum.objects += c->s->first.list[c->match[node]].sum.objects;
		sum.bytes += c->s->first.list[c->match[node]].sum.bytes;
	}
	return sum;
}

static int64_t
growth(const struct choice *c, uint32_t node)
{
	return (int64_t)(c->last.list[node].sum.bytes - before(c, node).bytes);
}

/* Two hash tables that find nodes of the first dump. */
struct first_nodes {
	struct hp_id_map by_name; /* finds a node by its parent and name */
	/*
	 * finds a node by the name of a static field; 0 if several nodes have
	 * that name
	 */
	struct hp_id_map statics;
};

static enum hp_status
index_first(const struct choice *c, struct first_nodes *by)
{
	const struct hp_merged_tree *first = &c->s->first;
	bool fresh;

	for (uint32_t i = 1; c->s->have_first && i < first->count; i++) {
		const struct hp_merged_node *n = &first->list[i];
		uint64_t *slot = hp_id_map_put(
			&by->by_name, (uint64_t)n->parent << 32 | n->name,
			NULL);

		if (!slot)
			return hp_no_memory(c->err);
		*slot = i;
		if (!n->is_static)
			continue;
		slot = hp_id_map_put(&by->statics, n->name, &fresh);
		if (!slot)
			return hp_no_memory(c->err);
		*slot = fresh ? i : 0;
	}
	return HP_OK;
}

/*
 * The node of the first dump that has the same name as @node, under the match
 * of the parent of @node. Returns 0 if there is none.
 */
static uint32_t
find_match(const struct choice *c, const struct first_nodes *by, uint32_t node)
{
	const struct hp_merged_node *n = &c->last.list[node];
	const uint64_t *found = NULL;

	if (n->parent == 0 || c->match[n->parent] != 0)
		found = hp_id_map_get(&by->by_name,
				      (uint64_t)c->match[n->parent] << 32 |
					      n->name);
	return found ? (uint32_t)*found : 0;
}

/*
 * Whether @above, a node of the first dump, is @node or an ancestor of @node.
 */
static bool
was_above(const struct choice *c, uint32_t above, uint32_t node)
{
	while (node > above)
		node = c->s->first.list[node].parent;
	return node == above;
}

/*
 * Handle a node that had another parent in the first dump. It moved below its
 * present ancestors, so its former size is not growth of these. An ancestor
 * that had the node before, and those above, are unchanged.
 */
static void
note_moved(struct choice *c, uint32_t node)
{
	const struct hp_graph_sum *sum = &c->s->first.list[c->match[node]].sum;
	uint32_t above = c->last.list[node].parent;

	for (; above != 0; above = c->last.list[above].parent) {
		if (c->match[above] != 0 &&
		    was_above(c, c->match[above], c->match[node]))
			return;
		c->moved[above].objects += sum->objects;
		c->moved[above].bytes += sum->bytes;
	}
}

/*
 * Match the nodes of the last dump with those of the first dump. Pass 1 matches
 * nodes with equal names whose parents match. Pass 2 matches the remaining
 * nodes of static fields by the name of the field: a local variable may have
 * referred to the object in one of the dumps, which changes its dominator. Pass
 * 2 comes second, so that it does not take the match of another node.
 */
static enum hp_status
match_nodes(struct choice *c)
{
	struct first_nodes by = {0};
	enum hp_status st;

	c->match = hp_calloc(c->last.count, sizeof(*c->match));
	c->is_matched = hp_calloc(c->s->first.count + (size_t)1,
				  sizeof(*c->is_matched));
	c->moved = hp_calloc(c->last.count, sizeof(*c->moved));
	st = c->match && c->is_matched && c->moved ? index_first(c, &by)
						   : hp_no_memory(c->err);
	for (unsigned turn = 0; turn < 2 && st == HP_OK; turn++)
		for (uint32_t i = 1; i < c->last.count; i++) {
			const uint64_t *found =
				turn && c->last.list[i].is_static
					? hp_id_map_get(&by.statics,
							c->last.list[i].name)
					: NULL;

			if (c->match[i] == 0)
				c->match[i] = find_match(c, &by, i);
			if (c->match[i] == 0 && found && *found != 0 &&
			    !c->is_matched[*found]) {
				c->match[i] = (uint32_t)*found;
				note_moved(c, i);
			}
			c->is_matched[c->match[i]] = true;
		}
	hp_id_map_release(&by.by_name);
	hp_id_map_release(&by.statics);
	return st;
}

/*
 * Whether the retained size in the first dump is known for a node. It is not
 * known if nodes of the same class without a match retained much there: one of
 * them may be the same object with another dominator.
 */
static bool
is_known(const struct choice *c, uint32_t node, uint32_t class)
{
	const struct hp_merged_tree *first = &c->s->first;
	uint64_t bytes = 0;

	if (!c->s->have_first || c->match[node] != 0)
		return true;
	for (uint32_t i = 1; i < first->count; i++)
		if (!c->is_matched[i] && c->s->classes[i] == class)
			bytes += first->list[i].sum.bytes;
	return bytes < (uint64_t)c->limit;
}

static const char *
name_of(const struct choice *c, uint32_t node)
{
	return node ? c->s->names.list[c->last.list[node].name]->key : "";
}

/*
 * Whether the search may go down from a node to a child. If the child has more
 * objects than the node, these objects collect in the node, so the search stops
 * there. The root is not an object, so the search always goes on.
 */
static bool
leads_on(const struct choice *c, uint32_t node, uint32_t child)
{
	return node == 0 ||
	       c->last.list[child].members <= c->last.list[node].members;
}

/*
 * Choose a node as a suspect. If the node is an internal part of a collection,
 * choose the object that has the collection.
 */
static void
choose(struct choice *c, uint32_t node)
{
	while (hp_is_collection_inside(name_of(c, node)) &&
	       c->last.list[node].parent != 0)
		node = c->last.list[node].parent;
	c->is_chosen[node] = node != 0;
}

/*
 * Decide whether the search goes down from a node. If children have at least 70
 * % of its growth and are suspects themselves, they are pushed on the stack,
 * whose top is *@top. Otherwise the node is a suspect. The root is never
 * chosen.
 */
static void
go_down(struct choice *c, uint32_t node, uint32_t *stack, size_t *top)
{
	int64_t all = growth(c, node), sum = 0;
	size_t begin = *top;

	for (uint32_t i = c->last.list[node].child; i;
	     i = c->last.list[i].sibling) {
		if (!leads_on(c, node, i) || growth(c, i) < c->limit)
			continue;
		sum += growth(c, i);
		stack[(*top)++] = i;
	}
	if (node == 0 || sum >= all / 10 * 7)
		return;
	*top = begin;
	choose(c, node);
}

/*
 * Whether node @x is a worse suspect than @y: larger growth first, then by
 * name. For equal names, the names of the ancestors decide. The index of a node
 * would not do, because it depends on the order of the dump.
 */
static bool
is_worse(const struct choice *c, uint32_t x, uint32_t y)
{
	const struct hp_merged_node *list = c->last.list;
	int64_t gx = growth(c, x), gy = growth(c, y);

	if (gx != gy)
		return gx > gy;
	while (x != 0 && y != 0 && list[x].name == list[y].name) {
		x = list[x].parent;
		y = list[y].parent;
	}
	return strcmp(name_of(c, x), name_of(c, y)) < 0;
}

/*
 * Sort the suspects, worst first, by insertion. At most HP_SUSPECTS_MOST are
 * kept.
 */
static void
sort_chosen(struct choice *c)
{
	for (uint32_t i = 1; i < c->last.count; i++) {
		size_t at = c->nchosen;

		if (!c->is_chosen[i])
			continue;
		while (at > 0 && is_worse(c, i, c->chosen[at - 1]))
			at--;
		if (at == HP_SUSPECTS_MOST)
			continue;
		if (c->nchosen < HP_SUSPECTS_MOST)
			c->nchosen++;
		memmove(&c->chosen[at + 1], &c->chosen[at],
			(c->nchosen - 1 - at) * sizeof(*c->chosen));
		c->chosen[at] = i;
	}
}

/*
 * Search for all suspects, depth first from the root. Every node is visited at
 * most once.
 */
static enum hp_status
choose_all(struct choice *c)
{
	uint32_t *stack = hp_calloc(c->last.count + 1, sizeof(*stack));
	size_t top = 0;

	c->is_chosen = hp_calloc(c->last.count + 1, sizeof(*c->is_chosen));
	if (!stack || !c->is_chosen) {
		hp_free(stack);
		return hp_no_memory(c->err);
	}
	go_down(c, 0, stack, &top);
	while (top > 0) {
		uint32_t node = stack[--top];

		go_down(c, node, stack, &top);
	}
	hp_free(stack);
	sort_chosen(c);
	return HP_OK;
}

/* --- describing suspects -------------------------------------------------- */

/*
 * Find what collects in a suspect: its largest child, after going down through
 * the internal parts of a collection.
 */
static void
find_elements(const struct choice *c, uint32_t node, struct hp_suspect *s)
{
	const struct hp_merged_node *list = c->last.list;
	uint32_t best;

	do {
		best = 0;
		for (uint32_t i = list[node].child; i; i = list[i].sibling)
			if (best == 0 ||
			    list[i].sum.bytes > list[best].sum.bytes)
				best = i;
		node = best;
	} while (best && hp_is_collection_inside(name_of(c, best)));
	if (best == 0 || list[best].members < 2)
		return;
	s->element = name_of(c, best);
	s->elements[1] = list[best].members;
	if (c->s->have_first && c->match[best])
		s->elements[0] = c->s->first.list[c->match[best]].members;
}

/*
 * Count, by kind, the objects that wait for finalization because of a finalizer
 * with an index from @place to before @end in the dominator tree.
 */
static void
count_waiting(const struct hp_finalizer_queue *q, uint32_t place, uint32_t end,
	      uint64_t *objects)
{
	const uint32_t *kinds = q->tree.kinds.at;
	size_t i = q->count > 0 ? hp_finalizer_queue_from(q, place) : 0;

	for (; i < q->count && q->list[i].finalizer < end; i++) {
		uint32_t p = q->list[i].waiting;
		uint32_t after = hp_tree_end(&q->tree, p);

		for (; p < after; p++)
			objects[kinds[p]]++;
	}
}

/*
 * Add up by class what the objects of a node retain. Objects are first counted
 * by kind, because the node may retain most of the heap, and a kind is an array
 * index. Returns false if out of memory.
 */
static bool
sum_parts(const struct choice *c, uint32_t node, const uint32_t *row_of,
	  struct hp_graph_sum *sums)
{
	const struct hp_tree *t = &c->t->tree;
	const struct hp_node_kinds *list = &c->t->graph.kinds;
	const uint32_t *kinds = t->kinds.at, *next = c->last.next.at;
	uint32_t place = c->last.list[node].head;
	uint64_t *objects =
		hp_calloc((size_t)list->count + 1, sizeof(*objects));

	if (!objects)
		return false;
	for (uint32_t i = 0; i < c->last.list[node].members; i++) {
		uint32_t end = hp_tree_end(t, place);

		for (uint32_t p = place; p < end; p++)
			objects[kinds[p]]++;
		count_waiting(&c->t->queue, place, end, objects);
		place = next[place];
	}
	for (uint32_t k = 1; k < list->count; k++) {
		struct hp_graph_sum *sum = &sums[row_of[k]];

		sum->objects += objects[k];
		sum->bytes += objects[k] * list->list[k].bytes;
	}
	hp_free(objects);
	return true;
}

static bool
is_larger(const struct hp_suspect_part *a, const struct hp_suspect_part *b)
{
	if (a->sum.bytes != b->sum.bytes)
		return a->sum.bytes > b->sum.bytes;
	return strcmp(a->key, b->key) < 0;
}

/*
 * Find the classes that have the most bytes among the objects that a node
 * retains, at most HP_SUSPECT_PARTS.
 */
static enum hp_status
find_parts(const struct choice *c, uint32_t node, const uint32_t *row_of,
	   struct hp_suspect *s)
{
	size_t n = c->s->names.count;
	struct hp_graph_sum *sums = hp_calloc(n + 1, sizeof(*sums));

	if (!sums || !sum_parts(c, node, row_of, sums)) {
		hp_free(sums);
		return hp_no_memory(c->err);
	}
	for (size_t i = 0; i < n; i++) {
		struct hp_suspect_part p = {c->s->names.list[i]->key, sums[i]};
		size_t at = s->nparts;

		if (p.sum.objects == 0)
			continue;
		while (at > 0 && is_larger(&p, &s->parts[at - 1]))
			at--;
		if (at == HP_SUSPECT_PARTS)
			continue;
		if (s->nparts < HP_SUSPECT_PARTS)
			s->nparts++;
		memmove(&s->parts[at + 1], &s->parts[at],
			(s->nparts - 1 - at) * sizeof(p));
		s->parts[at] = p;
	}
	hp_free(sums);
	return HP_OK;
}

static const struct hp_class *
class_of_kind(const struct choice *c, uint32_t kind)
{
	const struct hp_node_kind *k = &c->t->graph.kinds.list[kind];

	return k->of == HP_NODE_INSTANCE
		       ? hp_classes_get(&c->keys.g->classes, k->class_id)
		       : NULL;
}

/*
 * Find the class of all objects of a node. Several classes may have the same
 * name, and the same static field with objects of different classes. Then the
 * nearest common superclass is used, and *@mixed is set.
 */
static enum hp_status
find_holder(struct choice *c, uint32_t node, const uint32_t *row_of,
	    struct hp_suspect *s, bool *mixed)
{
	const struct hp_merged_node *n = &c->last.list[node];
	const uint32_t *kinds = c->t->tree.kinds.at, *next = c->last.next.at;
	const uint32_t largest = kinds[n->largest];
	const struct hp_class *above = class_of_kind(c, largest);
	const struct hp_name *name;
	uint32_t place = n->head;

	*mixed = false;
	s->holder = c->s->names.list[row_of[largest]]->key;
	for (uint32_t m = 0; m < n->members; m++, place = next[place]) {
		const struct hp_class *k;

		if (row_of[kinds[place]] == row_of[largest])
			continue;
		*mixed = true;
		k = class_of_kind(c, kinds[place]);
		while (above && !(k && hp_class_is_a(k, above)))
			above = above->super;
	}
	if (!*mixed)
		return HP_OK;
	name = above ? hp_key_class(&c->keys, above->id) : NULL;
	if (above && !name)
		return hp_no_memory(c->err);
	s->holder = name ? name->text : "java.lang.Object";
	return HP_OK;
}

static enum hp_status
describe(struct choice *c, uint32_t node, const uint32_t *row_of,
	 struct hp_suspect *s)
{
	const struct hp_merged_node *n = &c->last.list[node];
	const uint32_t *kinds = c->t->tree.kinds.at;
	enum hp_status st;
	bool mixed;

	*s = (struct hp_suspect){
		.retained = {before(c, node), n->sum},
		.holders = {0, n->members},
		.was_known = is_known(c, node, row_of[kinds[n->largest]])};
	if (c->s->have_first && c->match[node])
		s->holders[0] = c->s->first.list[c->match[node]].members;
	st = find_holder(c, node, row_of, s, &mixed);
	if (st == HP_OK && !mixed)
		find_elements(c, node, s);
	return st == HP_OK ? find_parts(c, node, row_of, s) : st;
}

/* Compose the label of a suspect, such as "HashMap of 1,500 Item". */
static enum hp_status
write_label(struct choice *c, struct hp_suspect *s)
{
	struct hp_buf b = {0};

	if (s->holders[1] > 1) {
		hp_count_text(&b, s->holders[1]);
		hp_buf_byte(&b, ' ');
	}
	hp_buf_text(&b, s->holder);
	if (s->element) {
		hp_buf_text(&b, " of ");
		hp_count_text(&b, s->elements[1]);
		hp_buf_printf(&b, " %s", s->element);
	}
	s->label = hp_arena_copy(&c->r->arena, hp_buf_string(&b), b.len);
	if (!hp_buf_ok(&b) || !s->label) {
		hp_buf_release(&b);
		return hp_no_memory(c->err);
	}
	hp_buf_release(&b);
	return HP_OK;
}

static const char *
keep(struct choice *c, const char *text)
{
	return text ? hp_arena_copy(&c->r->arena, text, strlen(text)) : NULL;
}

static enum hp_status
keep_texts(struct choice *c, struct hp_suspect *s)
{
	bool element = s->element;

	s->holder = keep(c, s->holder);
	s->element = keep(c, s->element);
	for (size_t i = 0; i < s->nparts; i++) {
		s->parts[i].key = keep(c, s->parts[i].key);
		if (!s->parts[i].key)
			return hp_no_memory(c->err);
	}
	return s->holder && (s->element || !element) ? HP_OK
						     : hp_no_memory(c->err);
}

/* The object that represents a suspect of several objects. */
static uint32_t
chosen_node(const struct choice *c, size_t i)
{
	const uint32_t *nodes = c->t->tree.nodes.at;

	return nodes[c->last.list[c->chosen[i]].largest];
}

static uint64_t
id_of(const struct choice *c, uint32_t node)
{
	const uint64_t rank = node;
	uint64_t id;

	hp_id_ranks_some(&c->t->graph.nodes.ranks, &rank, 1, &id);
	return id;
}

/*
 * Take every k-th object of a suspect as a sample, at most SAMPLES objects.
 * Returns their number.
 */
static size_t
list_samples(const struct choice *c, size_t i, uint32_t *nodes)
{
	const struct hp_merged_node *n = &c->last.list[c->chosen[i]];
	const uint32_t *next = c->last.next.at, *at = c->t->tree.nodes.at;
	uint32_t every = (n->members + SAMPLES - 1) / SAMPLES, place = n->head;
	size_t count = 0;

	for (uint32_t m = 0; m < n->members; m++, place = next[place])
		if (m % every == 0)
			nodes[count++] = at[place];
	return count;
}

struct sampled_step {
	uint32_t step;
	uint32_t samples;
};

static int
by_step(const void *a, const void *b)
{
	const struct sampled_step *x = a, *y = b;

	return hp_order(x->step, y->step);
}

/*
 * List the different path steps at which @n objects are, sorted. Returns the
 * number of steps.
 */
static size_t
list_steps(const struct choice *c, const uint32_t *nodes, size_t n,
	   struct sampled_step *steps)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		steps[i] = (struct sampled_step){
			hp_path_step_of(c->walk, nodes[i]), 1};
	qsort(steps, n, sizeof(*steps), by_step);
	for (size_t i = 0; i < n; i++)
		if (kept > 0 && steps[kept - 1].step == steps[i].step)
			steps[kept - 1].samples++;
		else
			steps[kept++] = steps[i];
	return kept;
}

/*
 * For each step of the path tree, count how many sampled objects have a path
 * through this step. Returns false if out of memory.
 */
static bool
count_steps(const struct choice *c, const struct sampled_step *steps, size_t n,
	    struct hp_id_map *counts)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t step = steps[i].step;

		for (; step != 0; step = c->tree->list[step].parent) {
			uint64_t *slot = hp_id_map_put(counts, step, NULL);

			if (!slot)
				return false;
			*slot += steps[i].samples;
		}
	}
	return true;
}

/*
 * Choose the path to show for a suspect: the longest common beginning of the
 * paths of at least four fifths of the sampled objects. If their paths have
 * different roots, show the path of the object that retains most, and set
 * *@of_largest.
 */
static enum hp_status
find_step(struct choice *c, size_t i, uint32_t *step, bool *of_largest)
{
	const struct hp_path_step *list = c->tree->list;
	struct hp_id_map counts = {0};
	uint32_t nodes[SAMPLES], deepest = 0;
	struct sampled_step steps[SAMPLES] = {{0}};
	size_t n = list_samples(c, i, nodes);
	size_t nsteps = list_steps(c, nodes, n, steps);
	uint64_t noted = 0;
	enum hp_status st;

	*step = hp_path_step_of(c->walk, chosen_node(c, i));
	st = count_steps(c, steps, nsteps, &counts)
		     ? hp_histogram_note(c->keys.g, &noted,
					 hp_id_map_bytes(&counts), c->err)
		     : hp_no_memory(c->err);
	for (size_t k = 0; k < nsteps && st == HP_OK; k++) {
		uint32_t s = steps[k].step;

		while (s != 0 && *hp_id_map_get(&counts, s) * 5 < n * 4)
			s = list[s].parent;
		if (list[s].depth > list[deepest].depth)
			deepest = s;
	}
	*of_largest = deepest == 0;
	if (deepest != 0)
		*step = deepest;
	hp_id_map_release(&counts);
	hp_budget_release(c->keys.g->options->budget, &noted);
	return st;
}

/* Store the paths of all suspects as text, with the class loader if known. */
static enum hp_status
write_paths(struct choice *c)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < c->nchosen && st == HP_OK; i++) {
		const char *loader;
		uint32_t step;

		st = find_step(c, i, &step, &c->r->suspects[i].of_largest);
		if (st != HP_OK)
			break;
		loader = hp_path_loader(c->tree, step);
		hp_buf_clear(&b);
		hp_path_text(c->tree, step, &b);
		c->r->suspects[i].loader = keep(c, loader);
		if (loader && !c->r->suspects[i].loader)
			st = hp_no_memory(c->err);
		c->r->suspects[i].path = keep(c, hp_buf_string(&b));
		if (!hp_buf_ok(&b) || !c->r->suspects[i].path)
			st = hp_no_memory(c->err);
	}
	hp_buf_release(&b);
	return st;
}

static enum hp_status
find_paths(struct choice *c)
{
	struct hp_path_tree tree = {0};
	struct hp_path_walk walk = {0};
	uint32_t nodes[HP_SUSPECTS_MOST * (SAMPLES + 1)];
	struct hp_path_wanted wanted = {nodes, 0};
	enum hp_status st;

	if (c->walk)
		return write_paths(c);
	for (size_t i = 0; i < c->nchosen; i++) {
		nodes[wanted.count++] = chosen_node(c, i);
		wanted.count += list_samples(c, i, nodes + wanted.count);
	}
	st = hp_path_tree_init(&tree, 1, c->r->budget, c->err);
	if (st == HP_OK)
		st = hp_path_walk_run(&walk, c->t, &c->keys, c->src, &tree,
				      wanted, c->err);
	c->walk = &walk;
	c->tree = &tree;
	if (st == HP_OK)
		st = write_paths(c);
	c->walk = NULL;
	c->tree = NULL;
	hp_path_walk_release(&walk);
	hp_path_tree_release(&tree);
	return st;
}

static enum hp_status
describe_all(struct choice *c)
{
	uint32_t *row_of =
		hp_calloc(c->t->graph.kinds.count + 1, sizeof(*row_of));
	enum hp_status st = row_of ? hp_merged_kind_names(
					     &c->keys, &c->s->names,
					     &c->t->graph.kinds, row_of, c->err)
				   : hp_no_memory(c->err);

	for (size_t i = 0; i < c->nchosen && st == HP_OK; i++) {
		uint32_t node = c->chosen[i];

		st = describe(c, node, row_of, &c->r->suspects[i]);
		if (st == HP_OK)
			st = keep_texts(c, &c->r->suspects[i]);
		if (st == HP_OK)
			st = write_label(c, &c->r->suspects[i]);
		c->r->suspects[i].id = id_of(c, chosen_node(c, i));
		c->r->explained_growth += growth(c, node);
	}
	if (st == HP_OK)
		st = find_paths(c);
	if (st == HP_OK)
		c->r->nsuspects = c->nchosen;
	hp_free(row_of);
	return st;
}

/* --- the search ----------------------------------------------------------- */

enum hp_status
hp_suspects_first(struct hp_suspect_search *s, struct hp_retained *t,
		  const struct hp_histogram *g, const struct hp_diff_options *o,
		  struct hp_error *err)
{
	struct hp_keys keys = {.g = g, .o = o};
	enum hp_status st;

	st = hp_merged_tree_build(&s->first, t, &keys, &s->names, SHARE_FIRST,
				  err);
	/* the indexes change when memory is trimmed below */
	if (st == HP_OK) {
		s->classes = hp_merged_classes(&s->first, t, &keys, &s->names);
		st = s->classes ? hp_keys_fit(&keys, &s->names, err)
				: hp_no_memory(err);
	}
	hp_merged_tree_trim(&s->first);
	s->have_first = st == HP_OK;
	if (!s->have_first)
		hp_merged_tree_release(&s->first);
	hp_keys_release(&keys);
	return st;
}

enum hp_status
hp_suspects_find(struct hp_suspect_search *s, struct hp_retained *t,
		 const struct hp_path_walk *walk,
		 const struct hp_path_tree *tree, const struct hp_histogram *g,
		 struct hp_source *src, struct hp_result *r,
		 struct hp_error *err)
{
	struct choice c = {.s = s,
			   .t = t,
			   .walk = walk,
			   .tree = tree,
			   .src = src,
			   .r = r,
			   .err = err,
			   .keys = {.g = g, .o = r->options}};
	uint64_t heap = t->tree.reachable.bytes;
	enum hp_status st;

	if (s->have_first)
		heap = s->first.list[0].sum.bytes;
	c.limit = (int64_t)(heap /
			    (s->have_first ? GROWTH_PARTS : SINGLE_PARTS)) +
		  1;
	st = hp_merged_tree_build(&c.last, t, &c.keys, &s->names, SHARE_LAST,
				  err);
	if (st == HP_OK)
		st = match_nodes(&c);
	if (st == HP_OK && s->have_first)
		r->reachable_growth = growth(&c, 0);
	if (st == HP_OK)
		st = choose_all(&c);
	if (st == HP_OK && c.nchosen > 0)
		st = describe_all(&c);
	r->suspects_sought = st == HP_OK;
	hp_free(c.match);
	hp_free(c.is_matched);
	hp_free(c.moved);
	hp_free(c.is_chosen);
	hp_merged_tree_release(&c.last);
	hp_keys_release(&c.keys);
	return st;
}

void
hp_suspects_release(struct hp_suspect_search *s)
{
	hp_merged_tree_release(&s->first);
	hp_rows_release(&s->names);
	hp_free(s->classes);
	*s = (struct hp_suspect_search){0};
}
