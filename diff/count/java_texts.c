/*
 * java_texts.c - Strings, and their arrays, which may take a pass of their own
 */
#include "diff/count/java_texts.h"

#include "common/cli/escape.h"
#include "diff/count/extra_pass.h"

#include <stdlib.h>

struct string {
	uint64_t offset; /* of its dump; first: see find_first() */
	struct hp_java_string s;
};

/* The first elements of an array. */
struct array {
	uint64_t offset; /* likewise */
	uint32_t n;
	uint8_t type;
	const uint8_t *data;
};

/* What a worker met, by id. */
struct hp_java_texts_worker {
	struct hp_id_map strings; /* struct string * */
	struct hp_id_map arrays;  /* struct array * */
	struct hp_arena arena;
	uint64_t noted; /* bytes, for the budget */
};

bool
hp_java_texts_want(struct hp_java_texts *t, uint64_t id)
{
	return hp_id_map_put(&t->wanted, id, NULL);
}

static bool
read_strings(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct hp_java_texts *t = ctx;
	struct hp_java_texts_worker *w = &t->workers[worker];
	struct hp_java_string string;
	struct string *copy;
	uint64_t *slot;

	if (s->tag != HP_SUB_INSTANCE_DUMP || piece ||
	    s->class_id != t->string.id || !hp_id_map_get(&t->wanted, s->id) ||
	    !hp_java_string_read(&t->string, t->g->header.id_size, s->data,
				 s->count, &string))
		return true;
	slot = hp_id_map_put(&w->strings, s->id, NULL);
	if (!slot || *slot)
		return slot != NULL;
	copy = hp_arena_alloc(&w->arena, sizeof(*copy));
	if (!copy)
		return false;
	*copy = (struct string){s->offset, string};
	*slot = (uintptr_t)copy;
	return true;
}

/*
 * The bytes of arrays, as far as they are shown. Which String shows which part
 * is not known here; an offset into a long array (JDK 6) may lie behind what
 * is kept, and shows less then.
 */
static bool
read_arrays(void *ctx, unsigned worker, const struct hp_sub *s,
	    const struct hp_piece *piece)
{
	struct hp_java_texts *t = ctx;
	struct hp_java_texts_worker *w = &t->workers[worker];
	uint32_t n = s->count < 4 * t->most ? s->count : 4 * t->most;
	struct array *a;
	uint64_t *slot;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || piece ||
	    !hp_id_map_get(&t->wanted, s->id))
		return true;
	slot = hp_id_map_put(&w->arrays, s->id, NULL);
	if (!slot || *slot)
		return slot != NULL;
	a = hp_arena_alloc(&w->arena, sizeof(*a));
	if (!a)
		return false;
	a->offset = s->offset;
	a->n = n;
	a->type = s->type;
	a->data = (const uint8_t *)hp_arena_copy(&w->arena, s->data,
						 n * hp_type_size(s->type, 4));
	*slot = (uintptr_t)a;
	return a->data != NULL;
}

static bool
read_both(void *ctx, unsigned worker, const struct hp_sub *s,
	  const struct hp_piece *piece)
{
	return s->tag == HP_SUB_INSTANCE_DUMP
		       ? read_strings(ctx, worker, s, piece)
		       : read_arrays(ctx, worker, s, piece);
}

static bool
may_have(void *ctx, const struct hp_batch *b)
{
	const struct hp_java_texts *t = ctx;

	return t->may_have(t->context, b);
}

static enum hp_status
check_memory(void *ctx, unsigned worker, struct hp_error *err)
{
	struct hp_java_texts *t = ctx;
	struct hp_java_texts_worker *w = &t->workers[worker];

	return hp_histogram_note(t->g, &w->noted,
				 hp_id_map_bytes(&w->strings) +
					 hp_id_map_bytes(&w->arrays) +
					 w->arena.held,
				 err);
}

/*
 * The String, or the array, of that id that stands first in the dump, of those
 * that the workers met; NULL: there is none. Both begin with their offset.
 */
static const void *
find_first(const struct hp_java_texts *t, uint64_t id, bool array)
{
	const uint64_t *first = NULL, *met;

	for (unsigned i = 0; i < t->g->options->threads; i++) {
		met = hp_id_map_pointer(array ? &t->workers[i].arrays
					      : &t->workers[i].strings,
					id);
		if (met && (!first || *met < *first))
			first = met;
	}
	return first;
}

/* The arrays that the Strings name are wanted, too. */
static bool
want_arrays(struct hp_java_texts *t)
{
	bool fine = true;

	for (unsigned i = 0; fine && i < t->g->options->threads; i++) {
		const struct hp_id_map *strings = &t->workers[i].strings;
		uint64_t id, value;
		size_t at = 0;

		while (fine && hp_id_map_next(strings, &at, &id, &value)) {
			const struct string *met =
				(const struct string *)(uintptr_t)value;

			fine = !met->s.array ||
			       hp_java_texts_want(t, met->s.array);
		}
	}
	return fine;
}

enum hp_status
hp_java_texts_read(struct hp_java_texts *t, struct hp_source *src,
		   struct hp_error *err)
{
	const struct hp_histogram *g = t->g;
	struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = t,
				     .sub = t->arrays ? read_both
						      : read_strings,
				     .wanted = t->may_have ? may_have : NULL,
				     .batch = check_memory};
	size_t strings = t->wanted.count;
	enum hp_status st = HP_OK;
	bool fine = true;

	if (strings == 0)
		return HP_OK;
	t->workers = calloc(g->options->threads, sizeof(*t->workers));
	if (!t->workers)
		return hp_no_memory(err);
	t->string = hp_java_string_class(&g->classes, &g->tables);
	if (t->string.id || t->arrays)
		st = hp_extra_pass_run(g, src, &pass, err);
	if (!t->arrays)
		fine = want_arrays(t);
	if (st == HP_OK)
		st = hp_histogram_note(g, &t->noted,
				       hp_id_map_bytes(&t->wanted), err);
	if (st == HP_OK && fine && !t->arrays &&
	    (t->bare || t->wanted.count > strings)) {
		pass.sub = read_arrays;
		st = hp_extra_pass_run(g, src, &pass, err);
	}
	return fine ? st : hp_no_memory(err);
}

void
hp_java_texts_release(struct hp_java_texts *t)
{
	struct hp_budget *budget = t->g->options->budget;

	for (unsigned i = 0; t->workers && i < t->g->options->threads; i++) {
		hp_id_map_release(&t->workers[i].strings);
		hp_id_map_release(&t->workers[i].arrays);
		hp_arena_release(&t->workers[i].arena);
		hp_budget_release(budget, &t->workers[i].noted);
	}
	free(t->workers);
	hp_id_map_release(&t->wanted);
	hp_id_map_release(&t->texts);
	hp_budget_release(budget, &t->noted);
}

/*
 * Is it all zeros, which are 0xc0 0x80 each? So are the elements of arrays that
 * were stripped, and those that the agent's text does not tell: what they said
 * is not known.
 */
static bool
is_blank(const struct hp_buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if ((uint8_t)b->data[i] != (i % 2 ? 0x80 : 0xc0))
			return false;
	return true;
}

/* A text in the arena; NULL, with *@fine still true: there is none. */
static const char *
make_text(struct hp_java_texts *t, uint64_t id, bool *fine)
{
	const struct hp_java_string bare = {.array = id, .count = UINT32_MAX};
	const struct string *met = find_first(t, id, false);
	const struct hp_java_string *s = met ? &met->s : NULL;
	const struct array *a = find_first(t, s ? s->array : id, true);
	struct hp_buf raw = {0}, clean = {0};
	const char *text = NULL;
	bool whole;

	if (!a || (!s && (!t->bare || a->type != HP_TYPE_CHAR)))
		return NULL;
	whole = hp_java_string_text(&raw, s ? s : &bare, a->type, a->data, a->n,
				    t->most);
	if (!is_blank(&raw)) {
		if (!whole)
			hp_buf_text(&raw, "...");
		hp_text_clean(&clean, raw.data, raw.len);
	}
	*fine = hp_buf_ok(&raw) && hp_buf_ok(&clean);
	if (*fine && clean.len > 0) {
		text = hp_arena_copy(t->arena, clean.data, clean.len);
		*fine = text != NULL;
	}
	hp_buf_release(&raw);
	hp_buf_release(&clean);
	return text;
}

bool
hp_java_texts_get(struct hp_java_texts *t, uint64_t id, const char **out)
{
	bool fresh, fine = true;
	uint64_t *slot = hp_id_map_put(&t->texts, id, &fresh);

	if (!slot)
		return false;
	if (fresh)
		*slot = (uintptr_t)make_text(t, id, &fine);
	*out = (const char *)(uintptr_t)*slot;
	return fine;
}
