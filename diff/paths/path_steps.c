/*
 * path_steps.c - give steps (nodes of the path tree) to the objects of the next
 * level
 *
 * Most objects get a step that exists already, for example the 5,000th element
 * of a list. All threads look up these steps. The steps that do not exist are
 * created by one thread, when all threads have finished, because the tree has
 * no locks. If a thread met such a step several times, it kept only the first
 * object for this thread, and now all threads look up the rest.
 *
 * New steps are sorted before they get their numbers. So the numbers depend
 * neither on the number of threads nor on their speed.
 */
#include "diff/paths/walk.h"

#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* the data of an object is prefetched this many objects before it is needed */
enum { AHEAD = 16 };

static uint32_t
no_memory(struct hp_walk *w)
{
	if (w->st == HP_OK)
		w->st = hp_no_memory(w->err);
	return 0;
}

/* --- looking up steps ----------------------------------------------------- */

static struct hp_step_key
key_of(const struct hp_walk *w, const struct hp_path_candidate *c)
{
	return (struct hp_step_key){
		.above = hp_path_given(&w->level, c->from),
		.label = c->turn == HP_PATH_TURN_ELEMENT ? HP_LABEL_ELEMENT
							 : c->label,
		.row = w->texts.class_rows[hp_walk_kind(w, c->node)]};
}

static struct hp_step_cached *
cached(const struct hp_walker *k, const struct hp_step_key *key)
{
	uint64_t mixed = ((uint64_t)key->above << 32 | key->row) ^
			 (uint64_t)key->label * UINT64_C(0x9e3779b97f4a7c15);

	mixed *= UINT64_C(0xd6e8feb86659fd93);
	return &k->cache[mixed >> 32 & (HP_STEP_CACHE - 1)];
}

/*
 * Returns the entry of the cache for a step that was looked up: in this round,
 * if the step does not exist.
 */
static const struct hp_step_cached *
find_cached(const struct hp_walker *k, const struct hp_step_key *key)
{
	const struct hp_step_cached *entry = cached(k, key);

	return memcmp(&entry->key, key, sizeof(*key)) == 0 &&
			       (entry->step != 0 || entry->round == k->w->round)
		       ? entry
		       : NULL;
}

/*
 * Begin to look up a step in the tree, see hp_path_step_ask(). Returns 0 if the
 * step does not exist, because not even the text of its reference does.
 */
static uint64_t
ask_tree(const struct hp_walk *w, const struct hp_step_key *key)
{
	uint32_t via = hp_path_label_find(&w->texts, key->label);

	return via ? hp_path_step_ask(w->tree, key->above, via - 1, key->row)
		   : 0;
}

/* Prefetch what ask() reads of a candidate. */
static void
fetch(const struct hp_walk *w, uint64_t i)
{
	const struct hp_path_level *l = &w->level;
	const struct hp_path_candidate *c = &l->candidates[i];

	if (i >= w->end || c->node == HP_NO_NODE)
		return;
	__builtin_prefetch((const void *)&l->steps[c->node]);
	hp_edge_prefetch_start(&w->g->edges, c->node);
	if (c->from != HP_NO_NODE)
		__builtin_prefetch((const void *)&l->steps[c->from]);
}

/* A step that is being looked up. */
struct asked {
	uint32_t candidate;
	struct hp_step_key key;
	uint64_t asked; /* the result of hp_path_step_ask() */
};

/*
 * Append the object of the candidate with the index @i to the queue. If its
 * step is in the cache, store the step; otherwise begin to look it up. Returns
 * true if it is being looked up.
 */
static bool
ask(struct hp_walker *k, uint32_t i, struct asked *a)
{
	struct hp_path_level *l = &k->w->level;
	struct hp_path_candidate *c = &l->candidates[i];
	const struct hp_step_cached *entry;

	if (c->node == HP_NO_NODE || hp_path_has_step(l, c->node))
		return false;
	hp_path_enqueue(&k->part, c->node);
	if (c->from == HP_NO_NODE || hp_path_label_is_static(c->label)) {
		if (!hp_vec_push(&k->named, &i, sizeof(i)))
			hp_path_part_no_memory(&k->part);
		return false;
	}
	*a = (struct asked){.candidate = i, .key = key_of(k->w, c)};
	entry = find_cached(k, &a->key);
	if (entry && entry->step != 0) {
		hp_path_set_step(l, c->node, entry->step);
	} else if (entry) {
		c->again = true;
		k->left = true;
	} else {
		a->asked = ask_tree(k->w, &a->key);
	}
	return !entry;
}

static void
answer(struct hp_walker *k, const struct asked *a)
{
	struct hp_path_level *l = &k->w->level;
	uint32_t step = hp_path_step_find(k->w->tree, a->asked);
	struct hp_step_fresh fresh = {a->key, a->candidate};

	*cached(k, &a->key) =
		(struct hp_step_cached){a->key, step, k->w->round};
	if (step)
		hp_path_set_step(l, l->candidates[a->candidate].node, step);
	else if (!hp_vec_push(&k->fresh, &fresh, sizeof(fresh)))
		hp_path_part_no_memory(&k->part);
}

/*
 * Give steps to the candidates whose step exists, and append all objects to the
 * queue.
 */
static void *
look_up_shares(void *argument)
{
	struct hp_walker *k = argument;
	struct asked asked[AHEAD];
	uint64_t at, end;

	while ((end = hp_walk_take(k, &at)) > 0)
		while (at < end) {
			unsigned n = 0;

			for (unsigned i = 0; i < AHEAD && at < end; i++, at++) {
				fetch(k->w, at + AHEAD);
				n += ask(k, (uint32_t)at, &asked[n]);
			}
			for (unsigned i = 0; i < n; i++)
				answer(k, &asked[i]);
		}
	hp_path_queue_found(&k->part);
	return NULL;
}

/*
 * Give steps to the candidates whose step did not exist when they were looked
 * up.
 */
static void *
look_up_rest(void *argument)
{
	struct hp_walker *k = argument;
	const struct hp_walk *w = k->w;
	struct hp_path_level *l = &k->w->level;
	uint64_t at, end;

	while ((end = hp_walk_take(k, &at)) > 0)
		for (; at < end; at++) {
			const struct hp_path_candidate *c = &l->candidates[at];
			const struct hp_step_cached *entry;
			struct hp_step_key key;
			uint32_t step;

			if (!c->again)
				continue;
			key = key_of(w, c);
			entry = find_cached(k, &key);
			step = entry ? entry->step
				     : hp_path_step_find(w->tree,
							 ask_tree(w, &key));
			*cached(k, &key) =
				(struct hp_step_cached){key, step, w->round};
			hp_path_set_step(l, c->node, step);
		}
	return NULL;
}

/* --- creating steps ------------------------------------------------------- */

/* Move the items of all threads into the list of the first one. */
static bool
join(struct hp_walk *w, struct hp_vec *to, size_t offset, size_t size)
{
	for (unsigned i = 1; i < w->used; i++) {
		struct hp_vec *list =
			(struct hp_vec *)((char *)&w->walkers[i] + offset);

		if (list->count > 0 && !hp_vec_move(to, list, size))
			return false;
	}
	return true;
}

/*
 * Rows are numbered in an order that depends on the threads, so names of
 * classes are compared.
 */
static int
by_key(const void *a, const void *b, void *names)
{
	const struct hp_step_key *x = &((const struct hp_step_fresh *)a)->key;
	const struct hp_step_key *y = &((const struct hp_step_fresh *)b)->key;
	struct hp_row *const *rows = names;

	if (x->above != y->above)
		return hp_order(x->above, y->above);
	if (x->label != y->label)
		return hp_order(x->label, y->label);
	return x->row == y->row ? 0
				: strcmp(rows[x->row]->key, rows[y->row]->key);
}

static uint32_t
create_step(struct hp_walk *w, const struct hp_step_key *key)
{
	const struct hp_row *via =
		hp_path_label_row(&w->texts, HP_NO_NODE, key->label);

	return via ? hp_path_step_get(w->tree, key->above, HP_PATH_FIELD,
				      (uint32_t)via->index, key->row)
		   : 0;
}

/* Prefetch what create_step() reads, and the word of the object. */
static void
fetch_fresh(const struct hp_walk *w, const struct hp_step_fresh *f)
{
	const struct hp_path_level *l = &w->level;
	uint32_t node = l->candidates[f->candidate].node;

	__builtin_prefetch((const void *)&l->steps[node]);
	hp_path_step_prefetch(w->tree, ask_tree(w, &f->key));
}

/* Create the steps that do not exist, and give them to their objects. */
static void
create_steps(struct hp_walk *w)
{
	struct hp_path_level *l = &w->level;
	struct hp_vec *fresh = &w->walkers[0].fresh;
	const struct hp_step_fresh *list;
	uint32_t step = 0;

	if (!join(w, fresh, offsetof(struct hp_walker, fresh), sizeof(*list)) ||
	    !hp_sort_with(fresh->items, fresh->count, sizeof(*list), by_key,
			  w->tree->names.list))
		no_memory(w);
	list = fresh->items;
	for (size_t i = 0; i < fresh->count && w->st == HP_OK; i++) {
		if (i + AHEAD < fresh->count)
			fetch_fresh(w, &list[i + AHEAD]);
		if (i == 0 || memcmp(&list[i].key, &list[i - 1].key,
				     sizeof(list->key)) != 0)
			step = create_step(w, &list[i].key);
		if (step == 0)
			no_memory(w);
		hp_path_set_step(l, l->candidates[list[i].candidate].node,
				 step);
	}
	fresh->count = 0;
}

/*
 * Store the class loader of the class whose static field leads to @step, unless
 * it is the boot loader. If classes with the same name have different loaders,
 * store the loader whose name sorts first.
 */
static void
note_loader(struct hp_walk *w, const struct hp_class *c, uint32_t step)
{
	const struct hp_rows *names = &w->tree->names;
	uint32_t loader =
		c ? hp_walk_node(w, w->walkers[0].near, c->loader) : HP_NO_NODE;
	uint32_t row;
	uint64_t *slot;
	bool fresh;

	if (!hp_is_reached(&w->out->reached, loader))
		return;
	slot = hp_id_map_put(&w->tree->loader_ids, step, &fresh);
	if (slot)
		*slot = fresh || *slot == c->loader ? c->loader : 0;
	else
		no_memory(w);
	row = w->texts.class_rows[hp_walk_kind(w, loader)];
	slot = hp_id_map_put(&w->tree->loaders, step, &fresh);
	if (!slot)
		no_memory(w);
	else if (fresh ||
		 strcmp(names->list[row]->key, names->list[*slot]->key) < 0)
		*slot = row;
}

/* Find or create the step of an object at which a path begins. */
static uint32_t
begin_step(struct hp_walk *w, const struct hp_path_seed *seed, uint32_t row)
{
	uint32_t step = hp_path_step_get(
		w->tree, 0, (enum hp_path_kind)seed->kind, seed->via, row);

	if (seed->kind == HP_PATH_STATIC && step != 0)
		note_loader(w, w->g->o.classes->list[seed->class_index], step);
	return step;
}

/* Find or create the step of an object to which a static field refers. */
static uint32_t
static_step(struct hp_walk *w, const struct hp_path_candidate *c, uint32_t row)
{
	const struct hp_row *via =
		hp_path_label_row(&w->texts, c->from, c->label);
	uint32_t above = hp_path_given(&w->level, c->from), step;

	if (!via)
		return 0;
	step = hp_path_step_get(w->tree, above, HP_PATH_STATIC,
				(uint32_t)via->index, row);
	if (step != 0 && step != above)
		note_loader(w, w->texts.classes[hp_walk_kind(w, c->from)],
			    step);
	return step;
}

static int
by_node(const void *a, const void *b, void *candidates)
{
	const struct hp_path_candidate *list = candidates;

	return hp_order(list[*(const uint32_t *)a].node,
			list[*(const uint32_t *)b].node);
}

/* Give steps to the objects at which paths begin, and those in static fields.
 */
static void
give_named(struct hp_walk *w)
{
	struct hp_vec *named = &w->walkers[0].named;
	const uint32_t *list;

	if (!join(w, named, offsetof(struct hp_walker, named), sizeof(*list)) ||
	    !hp_sort_with(named->items, named->count, sizeof(*list), by_node,
			  w->level.candidates))
		no_memory(w);
	list = named->items;
	for (size_t i = 0; i < named->count && w->st == HP_OK; i++) {
		const struct hp_path_candidate *c =
			&w->level.candidates[list[i]];
		uint32_t row = w->texts.class_rows[hp_walk_kind(w, c->node)];
		uint32_t step =
			c->from == HP_NO_NODE
				? begin_step(w, &w->seeds.list[c->label], row)
				: static_step(w, c, row);

		if (step == 0)
			no_memory(w);
		else
			hp_path_set_step(&w->level, c->node, step);
	}
	named->count = 0;
}

void
hp_walk_give_steps(struct hp_walk *w)
{
	struct hp_path_level *l = &w->level;
	uint32_t n = l->candidate_count;
	bool left = false;

	l->queued = 0;
	w->round++;
	if (!hp_walk_share(w, look_up_shares, 0, n))
		return;
	create_steps(w);
	w->round++;
	for (unsigned i = 0; i < w->used; i++) {
		left |= w->walkers[i].left;
		w->walkers[i].left = false;
	}
	if (w->st != HP_OK || (left && !hp_walk_share(w, look_up_rest, 0, n)))
		return;
	give_named(w);
	if (w->st != HP_OK)
		return;
	l->candidate_count = 0;
	for (unsigned i = 0; i < w->used; i++)
		w->walkers[i].part.at = w->walkers[i].part.end = 0;
	w->used = 1;
}
