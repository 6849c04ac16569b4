/*
 * path_tree.c - find, compare and print the steps of the path tree
 */
#include "diff/paths/paths.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>

enum hp_status
hp_path_tree_init(struct hp_path_tree *t, size_t dumps, struct hp_error *err)
{
	*t = (struct hp_path_tree){.count = 1, .dumps = dumps};
	hp_rows_init(&t->names, 1);
	t->sums = hp_calloc(dumps, sizeof(struct hp_path_sum *));
	t->counts = hp_calloc(dumps, sizeof(*t->counts));
	if (!t->sums || !t->counts || !HP_LIST_RESERVE(t->list, 0, t->cap))
		return hp_no_memory(err);
	t->list[0] = (struct hp_path_step){0};
	return HP_OK;
}

void
hp_path_tree_release(struct hp_path_tree *t)
{
	for (size_t i = 0; t->sums && i < t->dumps; i++)
		hp_free(t->sums[i]);
	hp_free(t->sums);
	hp_free(t->counts);
	hp_free(t->list);
	hp_rows_release(&t->names);
	hp_id_map_release(&t->pairs);
	hp_id_map_release(&t->steps);
	hp_id_map_release(&t->told);
	hp_id_map_release(&t->loaders);
	hp_id_map_release(&t->loader_ids);
	hp_id_map_release(&t->labels);
	*t = (struct hp_path_tree){0};
}

/*
 * Find the first step whose path has the same text as the path of the new step
 * @step. The text of a path starts at its last static field, so paths that
 * differ only before this field have equal texts. Returns @step itself if no
 * other step has the text, or 0 if out of memory.
 */
static uint32_t
told_as(struct hp_path_tree *t, uint32_t step, uint32_t parent,
	enum hp_path_kind kind, uint64_t pair)
{
	uint32_t from = kind == HP_PATH_STATIC ? 0 : t->list[parent].told;
	uint64_t key = (uint64_t)from << 32 | pair, *slot;
	const uint64_t *found;
	bool fresh;

	if (from == parent) {
		found = hp_id_map_get(&t->told, key);
		return found ? (uint32_t)*found : step;
	}
	found = hp_id_map_get(&t->steps, key);
	if (found && *found != 0)
		return t->list[*found].told;
	slot = hp_id_map_put(&t->told, key, &fresh);
	if (!slot)
		return 0;
	if (fresh)
		*slot = step;
	return (uint32_t)*slot;
}

uint32_t
hp_path_step_get(struct hp_path_tree *t, uint32_t parent,
		 enum hp_path_kind kind, uint32_t via, uint32_t class_name)
{
	uint64_t *pair, *slot;
	uint32_t told;
	bool fresh;

	if (parent != 0 && t->list[parent].depth == HP_PATH_DEPTH)
		return parent;
	pair = hp_id_map_put(&t->pairs, (uint64_t)via << 32 | class_name,
			     &fresh);
	if (!pair)
		return 0;
	if (fresh)
		*pair = t->pairs.count;
	slot = hp_id_map_put(&t->steps, (uint64_t)parent << 32 | *pair, &fresh);
	if (!slot)
		return 0;
	if (!fresh && *slot != 0)
		return (uint32_t)*slot;
	if (t->count >= HP_PATH_STEPS_MAX ||
	    !HP_LIST_RESERVE(t->list, t->count, t->cap))
		return 0;
	told = told_as(t, t->count, parent, kind, *pair);
	if (told == 0)
		return 0;
	t->list[t->count] = (struct hp_path_step){
		.parent = parent,
		.via = via,
		.class_name = class_name,
		.told = told,
		.kind = (uint8_t)kind,
		.depth = (uint8_t)(parent ? t->list[parent].depth + 1 : 1)};
	*slot = t->count;
	return t->count++;
}

/*
 * The keys of the map `steps` are never smaller than 2^32, except for steps
 * without a parent, which are not asked for. So a key can also be the number of
 * a step: if the parent has the maximum depth, its child is the parent itself.
 */
uint64_t
hp_path_step_ask(const struct hp_path_tree *t, uint32_t parent, uint32_t via,
		 uint32_t class_name)
{
	const uint64_t *pair;
	uint64_t key;

	if (t->list[parent].depth == HP_PATH_DEPTH)
		return parent;
	pair = hp_id_map_get(&t->pairs, (uint64_t)via << 32 | class_name);
	if (!pair)
		return 0;
	key = (uint64_t)parent << 32 | *pair;
	hp_id_map_prefetch(&t->steps, key);
	return key;
}

uint32_t
hp_path_step_find(const struct hp_path_tree *t, uint64_t key)
{
	const uint64_t *step;

	if (key <= UINT32_MAX)
		return (uint32_t)key;
	step = hp_id_map_get(&t->steps, key);
	return step ? (uint32_t)*step : 0;
}

void
hp_path_step_prefetch(const struct hp_path_tree *t, uint64_t key)
{
	/* told_as() looks for the same key, if `told` of the parent is itself
	 */
	hp_id_map_prefetch(&t->told, key);
}

static int
compare_names(const struct hp_path_tree *t, uint32_t a, uint32_t b)
{
	return a == b ? 0
		      : strcmp(t->names.list[a]->key, t->names.list[b]->key);
}

int
hp_path_compare_steps(const struct hp_path_tree *t,
		      const struct hp_path_step *x,
		      const struct hp_path_step *y)
{
	int c = (int)x->kind - (int)y->kind;

	c = c ? c : compare_names(t, x->via, y->via);
	return c ? c : compare_names(t, x->class_name, y->class_name);
}

int
hp_path_compare(const struct hp_path_tree *t, uint32_t a, uint32_t b)
{
	const struct hp_path_step *list = t->list;
	int longer = (int)list[a].depth - (int)list[b].depth;

	while (list[a].depth > list[b].depth)
		a = list[a].parent;
	while (list[b].depth > list[a].depth)
		b = list[b].parent;
	if (a == b)
		return longer;
	while (list[a].parent != list[b].parent) {
		a = list[a].parent;
		b = list[b].parent;
	}
	return hp_path_compare_steps(t, &list[a], &list[b]);
}

void
hp_path_step_text(const struct hp_path_tree *t, uint32_t step, struct hp_buf *b)
{
	const struct hp_path_step *s = &t->list[step];
	const struct hp_row *via = t->names.list[s->via];
	const struct hp_row *class_name = t->names.list[s->class_name];
	/*
	 * the text of the step consists of the words for a root and the class
	 * of the object to which the root refers
	 */
	bool object;

	object = s->kind != HP_PATH_FIELD && s->kind != HP_PATH_STATIC &&
		 s->kind != HP_PATH_LOCAL && s->kind != HP_PATH_LAUNCHER &&
		 s->kind != HP_PATH_CONSTANTS;
	hp_buf_add(b, via->key, via->key_len);
	hp_buf_text(b, object ? " " : " \u2192 ");
	hp_buf_add(b, class_name->key, class_name->key_len);
}

static void
add_steps_text(const struct hp_path_tree *t, uint32_t step, bool whole,
	       struct hp_buf *b)
{
	uint32_t up[HP_PATH_DEPTH];
	unsigned n = 0;

	for (; step != 0 && n < HP_PATH_DEPTH; step = t->list[step].parent) {
		up[n++] = step;
		if (t->list[step].kind == HP_PATH_STATIC && !whole)
			break;
	}
	while (n > 0) {
		bool is_static = t->list[up[--n]].kind == HP_PATH_STATIC;

		/*
		 * the class comes after the static field, so separate them by
		 * an arrow
		 */
		if (is_static && t->list[up[n]].parent != 0 && whole)
			hp_buf_text(b, HP_ROW_ARROW);
		hp_path_step_text(t, up[n], b);
	}
}

void
hp_path_text(const struct hp_path_tree *t, uint32_t step, struct hp_buf *b)
{
	add_steps_text(t, step, false, b);
}

void
hp_path_text_from_root(const struct hp_path_tree *t, uint32_t step,
		       struct hp_buf *b)
{
	add_steps_text(t, step, true, b);
}

const char *
hp_path_loader(const struct hp_path_tree *t, uint32_t step, uint64_t *id)
{
	const uint64_t *row, *only;

	while (step != 0 && t->list[step].kind != HP_PATH_STATIC)
		step = t->list[step].parent;
	row = step ? hp_id_map_get(&t->loaders, step) : NULL;
	only = step ? hp_id_map_get(&t->loader_ids, step) : NULL;
	*id = only ? *only : 0;
	return row ? t->names.list[*row]->key : NULL;
}

struct hp_path_sum
hp_path_sum_of(const struct hp_path_tree *t, size_t dump, uint32_t step)
{
	return step < t->counts[dump] ? t->sums[dump][step]
				      : (struct hp_path_sum){0};
}

const char *
hp_path_text_label(const struct hp_path_tree *t, uint32_t step)
{
	const struct hp_path_label *label =
		hp_id_map_pointer(&t->labels, t->list[step].told);

	return label ? label->text : NULL;
}

const char *
hp_path_label(const struct hp_path_tree *t, uint32_t step)
{
	const struct hp_path_label *label =
		hp_id_map_pointer(&t->labels, t->list[step].told);

	return label && label->step == step ? label->text : NULL;
}
