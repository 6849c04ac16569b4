/*
 * reference_rows.c - the rows of --by=reference: which soft, weak, phantom and
 * finalizer references there are, and what only they keep alive
 *
 * Each object has a level: the strongest kind of reference over which it is
 * reachable from the roots (strong, soft, finalizer, weak or phantom). To find
 * the levels, a search first visits all objects that are reachable over strong
 * references. Then, for each further kind, it continues from the referents of
 * all reference objects of this kind that it has visited.
 *
 * Each object of a level gets a label: the row whose references alone lead to
 * the object. If references of several rows lead to it, the label is the row
 * "several classes". A label can change only once, to "several classes", so the
 * search visits an object at most twice.
 *
 * Source: the documentation of the package java.lang.ref
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "common/graph/tree.h"
#include "common/model/java_string.h"
#include "diff/leaks/merged_tree.h"

#include <string.h>

/*
 * How strongly an object is reachable. The search finds the objects of each
 * level in this order.
 */
enum level {
	STRONG,
	SOFT,
	FINALIZER,
	WEAK,
	PHANTOM,
	LEVELS,
};

/* The reference classes of the JDK, and the words that rows show for them. */
static const struct {
	const char *class_name, *word;
	enum level level;
} known[] = {
	{"java/lang/ref/SoftReference", "SoftReference", SOFT},
	{"java/lang/ref/FinalReference", "Finalizer", FINALIZER},
	{"java/lang/ref/FinalizerReference", "Finalizer", FINALIZER}, /* ART */
	{"java/lang/ref/WeakReference", "WeakReference", WEAK},
	{"java/lang/ref/PhantomReference", "PhantomReference", PHANTOM},
};

/*
 * Labels of objects. UNREACHED: the object was not reached yet. STRONGLY: it is
 * reachable over strong references. All other objects have the label FIRST_ROW
 * + the index of the row in which they count.
 */
enum { UNREACHED, STRONGLY, FIRST_ROW };

/* Facts about the objects of one kind (class and size). */
struct kind {
	/*
	 * the level of the objects that are reachable over references of this
	 * class, for example SOFT for SoftReference; STRONG: it is no reference
	 * class
	 */
	uint8_t level;
	struct hp_graph_field referent, queue, next;
};

/*
 * A row: all references of one level (for example all weak references) to
 * objects of the same class.
 */
struct row {
	enum level level;
	/* index in `names` of the class name of the referents */
	uint32_t name;
	uint64_t count, bytes, queued;
	struct hp_graph_sum kept;
};

struct walk {
	const struct hp_retained *t;
	const struct hp_graph *g;
	const struct hp_column *c;
	struct hp_keys keys;
	/* java.lang.ref.Reference, and the classes of the table `known` */
	const struct hp_class *reference, *tops[HP_ARRAY_LEN(known)];
	struct kind *kinds;
	/*
	 * the names of classes, and the names of two special rows: "(several
	 * classes)" and "(cleared)"
	 */
	struct hp_rows names;
	/*
	 * for each kind of object (class and size): the index of its class name
	 * in `names`
	 */
	uint32_t *name_of;
	uint32_t several, cleared;
	/*
	 * maps a pair of a level (enum level) and a class name to the index of
	 * the row in `list`
	 */
	struct hp_id_map by_name;
	struct row *list;
	size_t count, cap;
	/*
	 * for each object, by its number in the graph: its label (UNREACHED,
	 * STRONGLY, or FIRST_ROW + the index of a row), as uint32_t
	 */
	struct hp_big_array labels;
	/*
	 * stack: the objects whose references must still be followed. stacked:
	 * one bit for each object: the object is on this stack.
	 */
	struct hp_big_array stack, stacked;
	uint32_t top;
	/*
	 * one bit for each object: the object is a reference object, such as a
	 * SoftReference
	 */
	struct hp_big_array references;
	enum level level; /* the current level of the search */
	/*
	 * the first label of the current level; an object with a smaller label
	 * was reached at an earlier level, or not yet
	 */
	uint32_t least;
	/*
	 * the label of the row "several classes" of this level; 0: there is no
	 * such row yet
	 */
	uint32_t several_label;
	/*
	 * the object ReferenceQueue.ENQUEUED, to which the field `queue` of
	 * each enqueued reference refers
	 */
	uint32_t enqueued;
	bool failed; /* the search ran out of memory */
	struct hp_error *err;
};

static bool
has_bit(const struct hp_big_array *set, uint32_t node)
{
	return ((const uint64_t *)set->at)[node >> 6] >> (node & 63) & 1;
}

static void
flip_bit(const struct hp_big_array *set, uint32_t node)
{
	((uint64_t *)set->at)[node >> 6] ^= UINT64_C(1) << (node & 63);
}

/* --- classes -------------------------------------------------------------- */

static void
find_tops(struct walk *w)
{
	const struct hp_histogram *g = w->c->g;

	w->reference = hp_boot_class(&g->classes, &g->tables,
				     "java/lang/ref/Reference");
	for (size_t i = 0; w->reference && i < HP_ARRAY_LEN(known); i++) {
		w->tops[i] = hp_boot_class(&g->classes, &g->tables,
					   known[i].class_name);
		if (w->tops[i] && !hp_class_is_a(w->tops[i], w->reference))
			w->tops[i] = NULL;
	}
}

static void
find_kind(struct walk *w, const struct hp_class *c, struct kind *k)
{
	const struct hp_histogram *g = w->c->g;
	const struct hp_class *reference = w->reference;

	for (size_t i = 0; i < HP_ARRAY_LEN(known); i++) {
		if (!w->tops[i] || !hp_class_is_a(c, w->tops[i]))
			continue;
		k->level = (uint8_t)known[i].level;
		k->referent = hp_graph_field_find(g, c, reference, "referent");
		k->queue = hp_graph_field_find(g, c, reference, "queue");
		k->next = hp_graph_field_find(g, c, reference, "queueNext");
	}
}

static uint32_t
find_enqueued(const struct hp_histogram *g, const struct hp_graph *graph,
	      struct hp_rank_near *near)
{
	const struct hp_class *c = hp_boot_class(
		&g->classes, &g->tables, "java/lang/ref/ReferenceQueue");

	for (uint32_t i = 0; c && i < c->nstatics; i++)
		if (hp_string_is(
			    hp_tables_string(&g->tables, c->statics[i].name),
			    "ENQUEUED", "ENQUEUED"))
			return hp_merged_static_node(graph, near, c, i);
	return HP_NO_NODE;
}

static enum hp_status
find_kinds(struct walk *w)
{
	const struct hp_node_kinds *kinds = &w->g->kinds;
	const struct hp_histogram *g = w->c->g;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	const struct hp_row *several, *cleared;

	w->kinds = hp_calloc((size_t)kinds->count + 1, sizeof(*w->kinds));
	w->name_of = hp_calloc((size_t)kinds->count + 1, sizeof(*w->name_of));
	several = hp_rows_put_word(&w->names, "(several classes)");
	cleared = hp_rows_put_word(&w->names, "(cleared)");
	if (!near || !w->kinds || !w->name_of || !several || !cleared) {
		hp_free(near);
		return hp_no_memory(w->err);
	}
	w->several = (uint32_t)several->index;
	w->cleared = (uint32_t)cleared->index;
	w->enqueued = find_enqueued(g, w->g, near);
	hp_free(near);
	find_tops(w);
	for (uint32_t k = 1; k < kinds->count; k++) {
		const struct hp_class *c =
			kinds->list[k].of == HP_NODE_INSTANCE
				? hp_classes_get(&g->classes,
						 kinds->list[k].class_id)
				: NULL;

		if (c && c->chain == HP_CHAIN_FINE)
			find_kind(w, c, &w->kinds[k]);
	}
	return hp_merged_kind_names(&w->keys, &w->names, kinds, w->name_of,
				    w->err);
}

/* --- rows ----------------------------------------------------------------- */

static uint32_t
row_at(struct walk *w, enum level level, uint32_t name)
{
	bool fresh;
	uint64_t *slot = hp_id_map_put(&w->by_name,
				       (uint64_t)level << 32 | name, &fresh);

	if (slot && fresh) {
		*slot = w->count;
		if (HP_LIST_RESERVE(w->list, w->count, w->cap))
			w->list[w->count++] =
				(struct row){.level = level, .name = name};
		else
			slot = NULL;
	}
	w->failed |= !slot;
	return slot ? (uint32_t)*slot : 0;
}

static uint32_t
name_of_node(const struct walk *w, uint32_t node)
{
	uint64_t unused;

	return w->name_of[hp_edge_kind(&w->g->edges, node, &unused)];
}

/* --- the search ----------------------------------------------------------- */

static void
push(struct walk *w, uint32_t node)
{
	if (has_bit(&w->stacked, node))
		return;
	flip_bit(&w->stacked, node);
	((uint32_t *)w->stack.at)[w->top++] = node;
}

static void
reach(struct walk *w, uint32_t node, uint32_t label)
{
	uint32_t *own;

	if (node == HP_NO_NODE)
		return;
	own = (uint32_t *)w->labels.at + node;
	if (*own == UNREACHED) {
		*own = label;
		push(w, node);
	} else if (*own >= w->least && *own != label &&
		   *own != w->several_label) {
		if (w->several_label == 0)
			w->several_label =
				FIRST_ROW + row_at(w, w->level, w->several);
		*own = w->several_label;
		push(w, node);
	}
}

/*
 * Follow the references of a node that was reached. At the level STRONG, the
 * referents of SoftReferences are left out. The referents of WeakReferences,
 * PhantomReferences and finalizers are in g->weak. They are followed later, at
 * the level of the reference (for example WEAK for a WeakReference).
 */
static void
follow(struct walk *w, uint32_t node)
{
	const struct hp_graph *g = w->g;
	uint32_t label = ((const uint32_t *)w->labels.at)[node], to, kind, skip;
	struct hp_edge_reader fields = {.base = node};
	const struct hp_graph_weak *weak;
	const struct kind *k;

	kind = hp_edge_kind(&g->edges, node, &fields.at);
	k = &w->kinds[kind];
	reach(w, g->kinds.list[kind].class_node, label);
	if (k->level == SOFT && w->level < SOFT && fields.at != 0) {
		skip = k->referent.index;
		while ((to = hp_edge_next_field(g->edges.lists.at, &fields)) !=
		       HP_EDGE_END)
			if (fields.next - 1 != skip)
				reach(w, to, label);
		return;
	}
	while (fields.at != 0 &&
	       (to = hp_edge_next(g->edges.lists.at, &fields)) != HP_EDGE_END)
		reach(w, to, label);
	if (k->level <= SOFT || k->level > (uint8_t)w->level)
		return;
	weak = hp_graph_weak_of(g, node);
	for (; weak && weak < g->weak + g->nweak && weak->from == node; weak++)
		reach(w, weak->to, label);
}

static void
empty_stack(struct walk *w)
{
	while (w->top > 0 && !w->failed) {
		uint32_t node = ((const uint32_t *)w->stack.at)[--w->top];

		flip_bit(&w->stacked, node);
		follow(w, node);
	}
}

static uint32_t
referent_of(const struct walk *w, uint32_t node, const struct kind *k)
{
	const struct hp_graph_weak *weak;

	if (k->level == SOFT)
		return hp_graph_field_follow(w->g, node, k->referent);
	weak = hp_graph_weak_of(w->g, node);
	return weak ? weak->to : HP_NO_NODE;
}

/*
 * A reference object of the current level may have been reached at an earlier
 * level. If it was, mark its referent as reached.
 */
static void
begin_at(struct walk *w, uint32_t node)
{
	const uint32_t *labels = w->labels.at;
	uint64_t unused;
	const struct kind *k =
		&w->kinds[hp_edge_kind(&w->g->edges, node, &unused)];
	uint32_t to;

	if (k->level != (uint8_t)w->level || labels[node] == UNREACHED ||
	    labels[node] >= w->least)
		return;
	to = referent_of(w, node, k);
	if (to != HP_NO_NODE &&
	    (labels[to] == UNREACHED || labels[to] >= w->least))
		reach(w, to,
		      FIRST_ROW + row_at(w, w->level, name_of_node(w, to)));
}

static void
search_level(struct walk *w)
{
	const uint64_t *words = w->references.at;

	w->least = FIRST_ROW + (uint32_t)w->count;
	w->several_label = 0;
	for (uint32_t i = 0; i <= w->g->nodes.count / 64 && !w->failed; i++)
		for (uint64_t left = words[i]; left; left &= left - 1)
			begin_at(w, i * 64 + (uint32_t)__builtin_ctzll(left));
	empty_stack(w);
}

static void
search_all(struct walk *w)
{
	uint64_t unused;

	for (uint32_t n = 0; n < w->g->nodes.count; n++)
		if (w->kinds[hp_edge_kind(&w->g->edges, n, &unused)].level !=
		    STRONG)
			flip_bit(&w->references, n);
	w->least = UINT32_MAX;
	for (size_t i = 0; i < w->g->nroots; i++)
		reach(w, w->g->roots[i].node, STRONGLY);
	empty_stack(w);
	for (w->level = SOFT; w->level < LEVELS && !w->failed; w->level++)
		search_level(w);
}

/* --- sums ----------------------------------------------------------------- */

static void
count_reference(struct walk *w, uint32_t node, uint32_t kind)
{
	const struct kind *k = &w->kinds[kind];
	uint32_t to = referent_of(w, node, k), index;
	uint32_t queue = hp_graph_field_follow(w->g, node, k->queue);
	bool next = hp_graph_field_follow(w->g, node, k->next) != HP_NO_NODE;

	index = row_at(w, (enum level)k->level,
		       to == HP_NO_NODE ? w->cleared : name_of_node(w, to));
	if (w->failed)
		return;
	w->list[index].count++;
	w->list[index].bytes += w->g->kinds.list[kind].bytes;
	w->list[index].queued +=
		next || (queue != HP_NO_NODE && queue == w->enqueued);
}

static void
sum_up(struct walk *w)
{
	const uint32_t *labels = w->labels.at;
	uint64_t unused;

	for (uint32_t n = 0; n < w->g->nodes.count && !w->failed; n++) {
		uint32_t kind;

		if (labels[n] == UNREACHED ||
		    (labels[n] == STRONGLY && !has_bit(&w->references, n)))
			continue;
		kind = hp_edge_kind(&w->g->edges, n, &unused);
		if (labels[n] >= FIRST_ROW) {
			struct hp_graph_sum *kept =
				&w->list[labels[n] - FIRST_ROW].kept;

			kept->objects++;
			kept->bytes += w->g->kinds.list[kind].bytes;
		}
		if (has_bit(&w->references, n))
			count_reference(w, n, kind);
	}
}

static const char *
word_of(enum level level)
{
	size_t i = 0;

	while (known[i].level != level)
		i++;
	return known[i].word;
}

static enum hp_status
make_rows(struct walk *w)
{
	size_t dump = w->c->index;
	struct hp_buf *b = &w->keys.a;

	for (size_t i = 0; i < w->count; i++) {
		const struct row *from = &w->list[i];
		const char *word = word_of(from->level);
		struct hp_row *row;

		hp_buf_clear(b);
		hp_buf_printf(b, "%s" HP_ROW_ARROW "%s", word,
			      w->names.list[from->name]->key);
		row = hp_rows_put_text(w->c->rows, b);
		if (!row)
			return hp_no_memory(w->err);
		row->holder_len = strlen(word);
		row->count[dump] += from->count;
		row->bytes[dump] += from->bytes;
		row->queued[dump] += from->queued;
		row->retained_count[dump] += from->kept.objects;
		row->retained_bytes[dump] += from->kept.bytes;
	}
	return HP_OK;
}

static enum hp_status
make_arrays(struct walk *w, struct hp_big_memory *m)
{
	uint64_t n = (uint64_t)w->g->nodes.count + 1, set = 8 * (n / 64 + 1);
	enum hp_status st =
		hp_big_array_make(m, &w->labels, 4 * n, HP_BIG_RANDOM, w->err);

	if (st == HP_OK)
		st = hp_big_array_make(m, &w->stacked, set, HP_BIG_RANDOM,
				       w->err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &w->references, set, HP_BIG_IN_ORDER,
				       w->err);
	return st == HP_OK ? hp_big_array_make(m, &w->stack, 4 * n,
					       HP_BIG_IN_ORDER, w->err)
			   : st;
}

enum hp_status
hp_reference_rows_find(struct hp_retained *t, const struct hp_column *c,
		       struct hp_error *err)
{
	struct walk w = {.t = t,
			 .g = &t->graph,
			 .c = c,
			 .keys = {.g = c->g, .o = c->o},
			 .err = err};
	enum hp_status st;

	hp_rows_init(&w.names, 1);
	st = find_kinds(&w);
	if (st == HP_OK)
		st = make_arrays(&w, &t->graph.memory);
	if (st == HP_OK) {
		search_all(&w);
		sum_up(&w);
		st = w.failed ? hp_no_memory(err) : make_rows(&w);
	}
	hp_big_array_drop(&t->graph.memory, &w.labels);
	hp_big_array_drop(&t->graph.memory, &w.stack);
	hp_big_array_drop(&t->graph.memory, &w.stacked);
	hp_big_array_drop(&t->graph.memory, &w.references);
	hp_free(w.kinds);
	hp_free(w.name_of);
	hp_free(w.list);
	hp_id_map_release(&w.by_name);
	hp_rows_release(&w.names);
	hp_keys_release(&w.keys);
	return st;
}
