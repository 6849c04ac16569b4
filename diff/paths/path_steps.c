/*
 * path_steps.c - give steps (nodes of the path tree) to the objects of the next
 * level
 *
 * Most objects get a step that exists already, for example the 5,000th element
 * of a list. All threads look up these steps. The steps that do not exist are
 * created by one thread, when all threads have finished, because the tree has
 * no locks. Until then, the words of the objects contain the index of an entry
 * for the step; then all threads replace these words.
 *
 * New steps are sorted before they get their numbers. So the numbers depend
 * neither on the number of threads nor on their speed.
 */
#include "diff/paths/walk.h"

#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* the data of an object is prefetched this many objects before it is needed */
enum { AHEAD = HP_STEPS_ASKED };

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
	return (struct hp_step_key){.above = hp_path_given(&w->level, c->from),
				    .label = c->turn == HP_PATH_TURN_ELEMENT
						     ? HP_LABEL_ELEMENT
						     : c->label,
				    .row = c->row};
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
 * Returns the word for objects with this step, if it is in the cache, or 0.
 */
static uint32_t
find_cached(const struct hp_walker *k, const struct hp_step_key *key)
{
	const struct hp_step_cached *entry = cached(k, key);

	return memcmp(&entry->key, key, sizeof(*key)) == 0 &&
			       (!(entry->word & HP_PATH_WAITS) ||
				entry->round == k->w->round)
		       ? entry->word
		       : 0;
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

/* Prefetch what look_up() reads of a candidate. */
static void
fetch_candidate(const struct hp_walk *w, uint64_t i)
{
	const struct hp_path_level *l = &w->level;
	const struct hp_path_candidate *c = &l->candidates[i];

	if (i >= w->end || c->node == HP_NO_NODE)
		return;
	__builtin_prefetch((const void *)&l->steps[c->node]);
	if (c->from != HP_NO_NODE)
		__builtin_prefetch((const void *)&l->steps[c->from]);
}

/*
 * Store the word of an object. If it has HP_PATH_WAITS, make sure that the
 * object is in the next queue, where give_fresh_steps() finds it.
 */
static void
give_word(struct hp_walker *k, uint32_t node, uint32_t word, bool queued)
{
	hp_path_set_word(&k->w->level, node, word);
	if ((word & HP_PATH_WAITS) && !queued)
		hp_path_enqueue_next(&k->part, node);
}

static void
answer(struct hp_walker *k, const struct hp_step_asked *a)
{
	uint32_t word = hp_path_step_find(k->w->tree, a->asked);
	struct hp_step_fresh fresh = {.key = a->key};

	/* perhaps another object has asked for the same step */
	word = word ? word : find_cached(k, &a->key);
	if (word == 0) {
		word = hp_path_add_fresh(&k->part, &fresh.candidate);
		if (word == 0)
			return;
		if (!hp_vec_push(&k->fresh, &fresh, sizeof(fresh)))
			hp_path_part_no_memory(&k->part);
	}
	*cached(k, &a->key) =
		(struct hp_step_cached){a->key, word, k->w->round};
	give_word(k, a->node, word, a->queued);
}

void
hp_walk_end_asking(struct hp_walker *k)
{
	for (unsigned i = 0; i < k->nasked; i++)
		answer(k, &k->asked[i]);
	k->nasked = 0;
}

/*
 * Give its step to the object of @c, now or, if the step must be looked up,
 * when more steps are looked up. Append the object to the next queue if its
 * references must be followed.
 */
static void
ask(struct hp_walker *k, const struct hp_path_candidate *c)
{
	struct hp_step_key key = key_of(k->w, c);
	uint32_t word = find_cached(k, &key);

	if (c->leads)
		hp_path_enqueue_next(&k->part, c->node);
	if (word != 0) {
		give_word(k, c->node, word, c->leads);
		return;
	}
	k->asked[k->nasked++] = (struct hp_step_asked){c->node, c->leads, key,
						       ask_tree(k->w, &key)};
	if (k->nasked == HP_STEPS_ASKED)
		hp_walk_end_asking(k);
}

void
hp_walk_give_step(struct hp_walker *k, const struct hp_path_candidate *x)
{
	struct hp_path_level *l = &k->w->level;

	if (!hp_path_joins(x->turn)) {
		ask(k, x);
		return;
	}
	hp_path_set_word(l, x->node, hp_path_joined_word(l, x));
	if (x->leads)
		hp_path_enqueue(&k->part, x->node);
}

/* Look up the step of the candidate with the index @i. */
static void
look_up(struct hp_walker *k, uint32_t i)
{
	struct hp_path_level *l = &k->w->level;
	const struct hp_path_candidate *c = &l->candidates[i];

	if (c->node == HP_NO_NODE || hp_path_has_step(l, c->node))
		return;
	if (c->from != HP_NO_NODE && !hp_path_label_is_static(c->label)) {
		ask(k, c);
		return;
	}
	if (c->leads)
		hp_path_enqueue_next(&k->part, c->node);
	if (!hp_vec_push(&k->named, &i, sizeof(i)))
		hp_path_part_no_memory(&k->part);
}

/*
 * Give steps to the candidates whose step exists. Append objects whose
 * references must be followed, or that wait for a new step, to the next queue.
 */
static void *
look_up_shares(void *argument)
{
	struct hp_walker *k = argument;
	uint64_t at, end;

	while ((end = hp_walk_take(k, &at)) > 0)
		for (; at < end; at++) {
			fetch_candidate(k->w, at + AHEAD);
			look_up(k, (uint32_t)at);
		}
	hp_walk_end_asking(k);
	hp_path_queue_found(&k->part);
	return NULL;
}

/* Prefetch what give_fresh_steps() reads of an object in the next queue. */
static void
fetch_waiting(const struct hp_walk *w, uint64_t i)
{
	const struct hp_path_level *l = &w->level;
	uint32_t word;

	if (i + 2 * AHEAD < w->end)
		__builtin_prefetch(
			(const void *)&l->steps[l->next.list[i + 2 * AHEAD]]);
	if (i + AHEAD >= w->end)
		return;
	word = hp_path_word(l, l->next.list[i + AHEAD]);
	if (word & HP_PATH_WAITS)
		__builtin_prefetch(hp_path_candidate_of(l, word));
}

/* Replace words that have the index of an entry for a step by the step. */
static void *
give_fresh_steps(void *argument)
{
	struct hp_walker *k = argument;
	struct hp_path_level *l = &k->w->level;
	uint64_t at, end;

	while ((end = hp_walk_take(k, &at)) > 0)
		for (; at < end; at++) {
			uint32_t node = l->next.list[at];
			uint32_t word = hp_path_word(l, node);
			const struct hp_path_candidate *c;

			fetch_waiting(k->w, at);
			if (!(word & HP_PATH_WAITS))
				continue;
			c = hp_path_candidate_of(l, word);
			if (c->fresh)
				hp_path_set_word(l, node, c->from);
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

/* Prefetch what create_step() reads. */
static void
fetch_fresh(const struct hp_walk *w, const struct hp_step_fresh *f)
{
	hp_path_step_prefetch(w->tree, ask_tree(w, &f->key));
}

/* Create the steps that do not exist. */
static void
create_steps(struct hp_walk *w)
{
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
		w->level.candidates[list[i].candidate].from = step;
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
		uint32_t step =
			c->from == HP_NO_NODE
				? begin_step(w, &w->seeds.list[c->label],
					     c->row)
				: static_step(w, c, c->row);

		if (step == 0)
			no_memory(w);
		else
			hp_path_set_word(&w->level, c->node, step);
	}
	named->count = 0;
}

static bool
has_fresh(const struct hp_walk *w)
{
	for (unsigned i = 0; i < w->used; i++)
		if (w->walkers[i].fresh.count > 0)
			return true;
	return false;
}

void
hp_walk_give_steps(struct hp_walk *w)
{
	struct hp_path_level *l = &w->level;
	bool fresh;

	if (!hp_walk_share(w, look_up_shares, 0, l->candidate_count))
		return;
	fresh = has_fresh(w);
	create_steps(w);
	w->round++;
	if (w->st == HP_OK && fresh)
		hp_walk_share(w, give_fresh_steps, 0, l->next.count);
	if (w->st == HP_OK)
		give_named(w);
	if (w->st != HP_OK)
		return;
	hp_path_next_queue(l);
	l->candidate_count = 0;
	for (unsigned i = 0; i < w->used; i++)
		w->walkers[i].part.at = w->walkers[i].part.end = 0;
	w->used = 1;
}

bool
hp_walk_has_ended(const struct hp_walk *w)
{
	return w->level.candidate_count == 0 && w->level.next.count == 0;
}
