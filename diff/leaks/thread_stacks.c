/*
 * thread_stacks.c - the stacks of threads (--stacks), and how much the local
 * variables of each frame retain
 *
 * Threads that belong to one row of --by=thread and have equal stacks are shown
 * as one. Their local variables are added up by frame and class.
 */
#include "diff/leaks/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FRAMES_MOST = 1 << 20 };

/* A local variable of a thread's stack, and the object to which it refers. */
struct local {
	size_t stack;
	/* index of the stack frame of the variable; UINT32_MAX: not known */
	uint32_t frame;
	uint32_t node, kind;
	/*
	 * indexes in the dominator tree: of the thread object, and of the
	 * object to which the variable refers
	 */
	uint32_t thread, place;
	struct hp_graph_sum sum;
};

/*
 * The number of an object in the graph, and its index in the dominator tree; an
 * index of 0 means that the object is unreachable.
 */
struct placed {
	uint32_t node, place;
};

struct stacks {
	const struct hp_retained *t;
	struct hp_keys keys;
	struct hp_thread_roots threads;
	struct hp_result *r;
	struct hp_thread_stack *list;
	size_t count, cap;
	/* maps the hash of a stack to 1 + its index in the list of stacks */
	struct hp_id_map by_hash;
	/* maps the text of a frame to its copy in the result */
	struct hp_id_map texts;
	size_t nframes; /* total number of frames of all stacks */
	struct local *locals;
	size_t nlocals, locals_cap;
	struct hp_thread_values values;
	struct hp_error *err;
};

/* Append the name of the row of a thread in --by=thread (thread_rows.c). */
static void
add_row_name(struct stacks *s, struct hp_buf *b, const struct hp_thread_name *n)
{
	if (!n || !n->text)
		hp_buf_text(b, "(no name)");
	else if (s->keys.o->raw_names)
		hp_buf_text(b, n->text);
	else
		hp_thread_pool_name(b, n->text);
}

/*
 * Returns a copy of the text of a stack frame, owned by the result. Equal texts
 * share one copy.
 */
static const char *
copy_text(struct stacks *s, const char *text)
{
	uint64_t *slot =
		hp_id_map_put(&s->texts, (uint64_t)(uintptr_t)text, NULL);

	if (slot && *slot == 0)
		*slot = (uint64_t)(uintptr_t)hp_arena_copy(&s->r->arena, text,
							   strlen(text));
	return slot ? (const char *)(uintptr_t)*slot : NULL;
}

/*
 * Copy the frames of a stack to the result. A manipulated dump could have many
 * threads with one long stack, so at most FRAMES_MOST frames are copied for all
 * threads. Returns false if out of memory.
 */
static bool
copy_frames(struct stacks *s, struct hp_thread_stack *x,
	    const struct hp_stack *stack)
{
	struct hp_arena *arena = &s->r->arena;

	if (stack->frames.count < FRAMES_MOST - s->nframes)
		x->nframes = stack->frames.count;
	s->nframes += x->nframes;
	x->frames =
		hp_arena_alloc(arena, (x->nframes + 1) * sizeof(*x->frames));
	if (!x->frames)
		return false;
	memset(x->frames, 0, (x->nframes + 1) * sizeof(*x->frames));
	for (size_t i = 0; i < x->nframes; i++) {
		x->frames[i].text = copy_text(s, stack->frames.text[i]);
		if (!x->frames[i].text)
			return false;
	}
	return true;
}

/*
 * Find or create the entry for the stack of a thread. Threads with equal stacks
 * share one entry. Returns SIZE_MAX if out of memory.
 */
static size_t
stack_of(struct stacks *s, const struct hp_thread_name *name)
{
	struct hp_stack *stack = hp_stack_get(&s->keys, name ? name->trace : 0);
	struct hp_thread_stack x = {0};
	struct hp_buf row = {0};
	uint64_t *slot = NULL, key;

	if (!stack)
		return SIZE_MAX;
	add_row_name(s, &row, name);
	if (hp_buf_ok(&row)) {
		key = XXH3_64bits_withSeed(row.data, row.len,
					   stack->hash[0] ^ stack->hash[1]);
		slot = hp_id_map_put(&s->by_hash, key | 1, NULL);
	}
	if (slot && *slot == 0) {
		x.row = hp_arena_copy(&s->r->arena, row.data, row.len);
		if (!x.row || !copy_frames(s, &x, stack) ||
		    !HP_LIST_PUSH(s->list, s->count, s->cap, x))
			slot = NULL;
		else
			*slot = s->count;
	}
	hp_buf_release(&row);
	return slot ? (size_t)*slot - 1 : SIZE_MAX;
}

/*
 * Add the local variables of a thread to the list of locals. @thread: index of
 * the thread object in the dominator tree.
 */
static bool
add_locals(struct stacks *s, uint32_t serial, uint32_t thread, size_t stack)
{
	const struct hp_graph *g = &s->t->graph;
	size_t low = 0, high = g->nlocals;
	bool fine = true;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (g->locals[middle].serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	for (; fine && low < g->nlocals && g->locals[low].serial == serial;
	     low++) {
		uint32_t frame = g->locals[low].frame;
		const struct local one = {
			.stack = stack,
			.frame = frame < s->list[stack].nframes ? frame
								: UINT32_MAX,
			.node = g->locals[low].node,
			.thread = thread};

		fine = HP_LIST_PUSH(s->locals, s->nlocals, s->locals_cap, one);
	}
	return fine;
}

static bool
add_threads(struct stacks *s)
{
	const struct hp_graph *g = &s->t->graph;
	const struct hp_tree *tree = &s->t->tree;
	const uint32_t *nodes = tree->nodes.at;
	const struct hp_failed_thread *failed = &s->r->failed;

	for (uint32_t p = 1; p < tree->count; p = hp_tree_end(tree, p)) {
		const struct hp_graph_root *root =
			bsearch(&nodes[p], g->roots, g->nroots, sizeof(*root),
				hp_compare_u32);
		const struct hp_thread_name *name;
		size_t stack;

		if (!root || hp_root_kind(root->tag) != HP_PATH_THREAD)
			continue;
		name = hp_thread_name_of(&s->threads, root->thread);
		stack = stack_of(s, name);
		if (stack == SIZE_MAX ||
		    !add_locals(s, root->thread, p, stack) ||
		    !hp_thread_values_add(&s->values, p, stack))
			return false;
		s->list[stack].threads++;
		s->list[stack].retained.objects += hp_tree_end(tree, p) - p;
		s->list[stack].retained.bytes += hp_tree_bytes(tree, p);
		s->list[stack].failed |=
			failed->found && name && name->object == failed->id;
	}
	return true;
}

/* --- what local variables retain ------------------------------------------ */

static int
by_node(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static bool
find_sizes(struct stacks *s)
{
	const struct hp_tree *tree = &s->t->tree;
	const uint32_t *nodes = tree->nodes.at;
	size_t words = s->t->graph.nodes.count / 64 + 1, n = 0;
	struct placed *list = hp_calloc(s->nlocals + 1, sizeof(*list));
	uint64_t *bits = hp_calloc(words, sizeof(*bits));
	bool fine = list && bits;

	for (size_t i = 0; fine && i < s->nlocals; i++) {
		uint32_t node = s->locals[i].node;

		if (bits[node >> 6] >> (node & 63) & 1)
			continue;
		bits[node >> 6] |= UINT64_C(1) << (node & 63);
		list[n++].node = node;
	}
	fine = fine && hp_sort(list, n, sizeof(*list), by_node);
	for (uint32_t p = 1; fine && p < tree->count; p++)
		if (bits[nodes[p] >> 6] >> (nodes[p] & 63) & 1) {
			const struct placed key = {.node = nodes[p]};

			((struct placed *)bsearch(&key, list, n, sizeof(key),
						  by_node))
				->place = p;
		}
	for (size_t i = 0; fine && i < s->nlocals; i++) {
		struct local *x = &s->locals[i];
		const struct placed key = {.node = x->node};
		uint32_t p = ((const struct placed *)bsearch(
				      &key, list, n, sizeof(key), by_node))
				     ->place;

		x->kind = hp_tree_kind(tree, p);
		x->place = p;
		x->sum.objects = hp_tree_end(tree, p) - p;
		x->sum.bytes = hp_tree_bytes(tree, p);
	}
	hp_free(list);
	hp_free(bits);
	return fine;
}

/* --- sums by frame and class ---------------------------------------------- */

static int
by_frame(const void *a, const void *b)
{
	const struct local *x = a, *y = b;

	if (x->stack != y->stack)
		return hp_order(x->stack, y->stack);
	if (x->frame != y->frame)
		return hp_order(x->frame, y->frame);
	return hp_order(x->kind, y->kind);
}

static int
by_size(const void *a, const void *b)
{
	const struct hp_thread_local *x = a, *y = b;
	int order = hp_order(x->suspect == 0, y->suspect == 0);

	if (order == 0)
		order = hp_order(y->retained.bytes, x->retained.bytes);
	return order ? order : strcmp(x->class, y->class);
}

/*
 * Returns 1 + the index of the first suspect that a local variable keeps alive;
 * 0: there is none. The object of the variable must retain the suspect, and the
 * thread must retain this object. Otherwise something else also keeps the
 * suspect alive.
 */
static size_t
suspect_of(const struct stacks *s, const struct local *x)
{
	const struct hp_tree *tree = &s->t->tree;

	if (x->place <= x->thread || x->place >= hp_tree_end(tree, x->thread))
		return 0;
	for (size_t i = 0; i < s->r->nsuspects; i++) {
		uint32_t place = s->r->suspects[i].place;

		if (place >= x->place && place < hp_tree_end(tree, x->place))
			return i + 1;
	}
	return 0;
}

static bool
make_frame(struct stacks *s, size_t from, size_t end)
{
	struct hp_thread_stack *stack = &s->list[s->locals[from].stack];
	uint32_t frame = s->locals[from].frame;
	struct hp_thread_frame *f =
		&stack->frames[frame < stack->nframes ? frame : stack->nframes];
	struct hp_thread_local *list = hp_arena_alloc(
		&s->r->arena, (f->nlocals + end - from) * sizeof(*list));
	size_t n = f->nlocals;

	if (!list)
		return false;
	if (n > 0)
		memcpy(list, f->locals, n * sizeof(*list));
	for (size_t i = from; i < end; i++) {
		const struct local *x = &s->locals[i];
		const struct hp_name *name;
		size_t suspect = suspect_of(s, x);

		if (i == from || x->kind != x[-1].kind) {
			name = hp_key_kind(&s->keys,
					   &s->t->graph.kinds.list[x->kind]);
			if (!name)
				return false;
			list[n] = (struct hp_thread_local){
				.class = hp_arena_copy(&s->r->arena, name->text,
						       name->len)};
			if (!list[n++].class)
				return false;
		}
		list[n - 1].count++;
		if (suspect &&
		    (!list[n - 1].suspect || suspect < list[n - 1].suspect))
			list[n - 1].suspect = suspect;
		list[n - 1].retained.objects += x->sum.objects;
		list[n - 1].retained.bytes += x->sum.bytes;
	}
	qsort(list, n, sizeof(*list), by_size);
	f->locals = list;
	f->nlocals = n;
	return true;
}

static bool
make_frames(struct stacks *s)
{
	size_t from = 0;
	bool fine =
		hp_sort(s->locals, s->nlocals, sizeof(*s->locals), by_frame);

	for (size_t i = 1; fine && i <= s->nlocals; i++) {
		if (i < s->nlocals &&
		    s->locals[i].stack == s->locals[from].stack &&
		    s->locals[i].frame == s->locals[from].frame)
			continue;
		fine = make_frame(s, from, i);
		from = i;
	}
	return fine;
}

/*
 * A comparison function for stacks: those of threads that ran out of memory
 * come first, then those that retain most.
 */
static int
by_importance(const void *a, const void *b)
{
	const struct hp_thread_stack *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed ? -1 : 1;
	if (x->retained.bytes != y->retained.bytes)
		return hp_order(y->retained.bytes, x->retained.bytes);
	if (x->threads != y->threads)
		return hp_order(y->threads, x->threads);
	return strcmp(x->row, y->row);
}

enum hp_status
hp_thread_stacks_find(struct hp_result *r, const struct hp_retained *t,
		      const struct hp_column *c, struct hp_source *src,
		      struct hp_error *err)
{
	struct stacks s = {
		.t = t, .r = r, .keys = {.g = c->g, .o = c->o}, .err = err};
	enum hp_status st =
		hp_thread_roots_find(&s.threads, &t->graph, c->g, src, err);
	bool fine = true;

	if (st == HP_OK)
		st = hp_thread_values_init(&s.values, t, &s.keys, err);
	if (st == HP_OK)
		fine = add_threads(&s) && find_sizes(&s) && make_frames(&s) &&
		       hp_thread_values_finish(&s.values, s.list, &r->arena) &&
		       hp_sort(s.list, s.count, sizeof(*s.list), by_importance);
	if (st == HP_OK && !fine)
		st = hp_no_memory(err);
	hp_free(r->stacks);
	r->stacks = s.list;
	r->nstacks = st == HP_OK ? s.count : 0;
	hp_free(s.locals);
	hp_thread_values_release(&s.values);
	hp_id_map_release(&s.by_hash);
	hp_id_map_release(&s.texts);
	hp_thread_roots_release(&s.threads);
	hp_keys_release(&s.keys);
	return st;
}
