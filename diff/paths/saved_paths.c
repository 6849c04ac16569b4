/*
 * saved_paths.c - add the paths of a saved result to the tree of all paths
 *
 * hp_path_text() has written the keys of the rows of a saved result. This file
 * parses these keys into steps. If a class name contains spaces or arrows, a
 * key has several possible meanings, and the parser chooses one of them.
 */
#include "diff/paths/internal.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/format.h"

#include <stdlib.h>
#include <string.h>

/* A part of the text of a row's key. It is not NUL-terminated. */
struct part {
	const char *text;
	size_t len;
};

struct adder {
	struct hp_path_tree *t;
	const struct hp_rows *rows;
	/*
	 * for each row: the step at which its path ends; 0: the row has no step
	 */
	uint32_t *step_of;
	/*
	 * for each row: the steps of its path cannot be created yet, because
	 * the path continues the path of another row, which has no steps yet
	 */
	bool *waits;
	bool failed; /* there was no memory for a step */
};

static struct part
before_arrow(struct part key)
{
	while (key.len > 0 && !hp_ends_with(key.text, key.len, HP_ROW_ARROW))
		key.len--;
	if (key.len > 0)
		key.len -= strlen(HP_ROW_ARROW);
	return key;
}

/*
 * Returns the key of a path without its last step, or an empty text if there is
 * only one step. The last step of a key is a field, or "[*]" for an array
 * element, then an arrow, then a class.
 */
static struct part
parent_of(struct part key)
{
	struct part p = before_arrow(key);

	if (hp_ends_with(p.text, p.len, HP_ROW_STATIC))
		p.len = 0;
	if (hp_ends_with(p.text, p.len, HP_PATH_ELEMENTS)) {
		p.len -= strlen(HP_PATH_ELEMENTS);
		return p;
	}
	while (p.len > 0 && p.text[--p.len] != '.') {
	}
	return p;
}

static uint32_t
put_name(struct adder *a, struct part p)
{
	const struct hp_row *row =
		hp_rows_put(&a->t->names, p.text, p.len, NULL, NULL);

	a->failed |= !row;
	return row ? (uint32_t)row->index : 0;
}

/*
 * Find or create the step after @parent with the text @via, for example
 * ".next", and the given class name. If out of memory, sets a->failed and
 * returns 0.
 */
static uint32_t
put_step(struct adder *a, uint32_t parent, enum hp_path_kind kind,
	 struct part via, struct part class_name)
{
	uint32_t v = put_name(a, via), c = put_name(a, class_name);
	uint32_t step =
		a->failed ? 0 : hp_path_step_get(a->t, parent, kind, v, c);

	a->failed |= step == 0;
	return step;
}

/*
 * The key of a path may begin with words for a root, for example "JNI global".
 * If so, and a space follows the words, returns their length and sets *@kind.
 * Otherwise returns 0.
 */
static size_t
root_words(struct part key, enum hp_path_kind *kind)
{
	static const char *const class_words[] = {HP_PATH_SYSTEM,
						  HP_PATH_LOADED};
	size_t most = 0;

	for (unsigned tag = 0; tag <= UINT8_MAX; tag++) {
		const char *words = hp_root_words((uint8_t)tag);
		size_t n;

		if (key.len == 0 || words[0] != key.text[0])
			/*
			 * this fast check excludes most kinds of roots, because
			 * their words begin with another letter
			 */
			continue;
		n = strlen(words);
		if (n <= most || n >= key.len || key.text[n] != ' ' ||
		    !hp_begins_with(key.text, key.len, words) ||
		    hp_root_kind((uint8_t)tag) == HP_PATH_SYSTEM_CLASS)
			continue;
		*kind = hp_root_kind((uint8_t)tag);
		most = n;
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(class_words) && most == 0; i++) {
		size_t n = strlen(class_words[i]);

		if (n < key.len && key.text[n] == ' ' &&
		    hp_begins_with(key.text, key.len, class_words[i])) {
			*kind = HP_PATH_SYSTEM_CLASS;
			most = n;
		}
	}
	/*
	 * the key `thread "main" java.lang.Thread` begins with the words
	 * `thread "main"`
	 */
	if (hp_begins_with(key.text, key.len, "thread \"")) {
		for (most = key.len;
		     most > 0 && !(key.text[most - 1] == '"' &&
				   most < key.len && key.text[most] == ' ');)
			most--;
		*kind = HP_PATH_THREAD;
	}
	return most;
}

/*
 * Returns the kind of the starting point of a path (a static field or a local
 * variable), from the first part of its key.
 */
static enum hp_path_kind
kind_of(struct part via)
{
	size_t dot = via.len;

	if (!hp_ends_with(via.text, via.len, HP_ROW_STATIC))
		return HP_PATH_LOCAL;
	while (dot > 0 && via.text[dot - 1] != '.')
		dot--;
	if (dot < via.len && via.text[dot] == '<')
		return HP_PATH_CONSTANTS;
	return hp_begins_with(via.text, via.len, HP_PATH_LAUNCHER_CLASS ".")
		       ? HP_PATH_LAUNCHER
		       : HP_PATH_STATIC;
}

static struct part
rest_of(struct part whole, size_t from)
{
	return (struct part){whole.text + from, whole.len - from};
}

/*
 * Whether the path of a key begins with a field or a local variable instead of
 * an object.
 */
static bool
begins_with_field(struct part key)
{
	return before_arrow(key).len > 0;
}

/*
 * Find or create the first step of the path whose text is @key. If this is a
 * static field, the step comes after the step @parent; 0: it has no parent.
 * Returns 0 if @key is not the text of a path, or if out of memory.
 */
static uint32_t
begin(struct adder *a, struct part key, uint32_t parent)
{
	struct part via = before_arrow(key);
	enum hp_path_kind kind = HP_PATH_OTHER;
	size_t n;

	if (via.len > 0)
		return put_step(a, parent, kind_of(via), via,
				rest_of(key, via.len + strlen(HP_ROW_ARROW)));
	n = root_words(key, &kind);
	if (n == 0)
		return 0;
	via = (struct part){key.text, n};
	return put_step(a, 0, kind, via, rest_of(key, n + 1));
}

/*
 * Returns the first path in row->within that keeps the class of the row's
 * static field alive in dump @dump, by binary search. NULL: there is none,
 * because a root refers to the class.
 */
static struct hp_row_kept *
first_kept(const struct hp_row *row, size_t dump)
{
	struct hp_row_kept *list = row->within ? row->within->by : NULL;
	size_t from = 0, to = row->within ? row->within->count : 0;
	size_t end = to, at;

	while (from < to) {
		at = from + (to - from) / 2;
		if (list[at].dump < dump)
			from = at + 1;
		else
			to = at;
	}
	return from < end && list[from].dump == dump ? &list[from] : NULL;
}

/*
 * Returns the first step of the path whose text is @key, in the saved result
 * @dump. If the path begins with a static field, and add_within() has created
 * its step after a path that keeps the class alive, returns this step.
 * Otherwise finds or creates the step with begin().
 */
static uint32_t
begin_in_dump(struct adder *a, struct part key, size_t dump)
{
	const struct hp_row *row = hp_rows_find(a->rows, key.text, key.len);
	const struct hp_row_kept *kept = row ? first_kept(row, dump) : NULL;

	return kept && kept->step != 0 ? kept->step : begin(a, key, 0);
}

/*
 * Find or create all steps of the path whose text is @key, in the saved result
 * @dump. Returns the last step; 0 if @key is not the text of a path, or if out
 * of memory.
 */
static uint32_t
step_of_key(struct adder *a, struct part key, size_t dump)
{
	struct part up[HP_PATH_DEPTH];
	unsigned n = 0;
	uint32_t step = 0;

	for (; key.len > 0 && n < HP_PATH_DEPTH; key = parent_of(key))
		up[n++] = key;
	if (key.len > 0 || n == 0)
		return 0;
	step = begin_in_dump(a, up[--n], dump);
	/*
	 * the parser has probably mistaken the dot in the name of a method for
	 * the dot before a field, so parse the key in another way
	 */
	if (step == 0 && !a->failed && n > 0 && !begins_with_field(up[n]))
		step = begin(a, up[--n], 0);
	while (n > 0 && step != 0) {
		struct part via = before_arrow(up[--n]), above = up[n + 1];

		step = put_step(a, step, HP_PATH_FIELD, rest_of(via, above.len),
				rest_of(up[n], via.len + strlen(HP_ROW_ARROW)));
	}
	return step;
}

/*
 * Returns the row of the static field with which the path @key begins, or NULL
 * if it begins with something else.
 */
static const struct hp_row *
first_row(const struct adder *a, struct part key)
{
	struct part up = key;

	for (; up.len > 0; up = parent_of(up))
		key = up;
	return hp_rows_find(a->rows, key.text, key.len);
}

static bool
must_wait(const struct adder *a, const struct hp_row *row)
{
	for (uint32_t i = 0; i < row->within->count; i++) {
		const char *text = row->within->by[i].text;
		const struct hp_row *first =
			first_row(a, (struct part){text, strlen(text)});

		if (first && first != row && a->waits[first->index])
			return true;
	}
	return false;
}

static bool
may_go_on(const struct adder *a)
{
	return !a->failed;
}

/*
 * Create the steps of a row whose path begins with a static field of a class
 * that can be unloaded.
 */
static void
add_within(struct adder *a, const struct hp_row *row)
{
	struct part key = {row->key, row->key_len};

	a->waits[row->index] = false;
	/*
	 * There may be several paths that keep the class of the field alive.
	 * First use the paths that begin with another static field, then the
	 * paths that begin with the static field of this row itself.
	 */
	for (size_t i = 0; i < 2 * (size_t)row->within->count && may_go_on(a);
	     i++) {
		bool own = i >= row->within->count;
		struct hp_row_kept *kept =
			&row->within->by[i % row->within->count];
		struct part within = {kept->text, strlen(kept->text)};
		uint32_t parent = 0;

		if ((first_row(a, within) == row) == own)
			parent = step_of_key(a, within, kept->dump);
		if (parent != 0)
			kept->step = begin(a, key, parent);
	}
}

/*
 * Create the steps of all static fields whose class can be unloaded. The path
 * of such a field continues a path that keeps the class alive, and this path
 * must be created first. So repeat this for the remaining fields, at most
 * HP_PATH_DEPTH times, until no field is left.
 */
static void
add_all_within(struct adder *a)
{
	const struct hp_rows *rows = a->rows;
	bool any = false;

	for (size_t i = 0; i < rows->count; i++) {
		a->waits[i] = rows->list[i]->within;
		any |= a->waits[i];
	}
	for (unsigned round = 0; any && round <= HP_PATH_DEPTH; round++) {
		any = false;
		for (size_t i = 0; i < rows->count && may_go_on(a); i++) {
			if (!a->waits[i])
				continue;
			if (round < HP_PATH_DEPTH &&
			    must_wait(a, rows->list[i]))
				any = true;
			else
				add_within(a, rows->list[i]);
		}
	}
}

/*
 * Copy from the saved result whether the last class in the path of a row
 * belongs to the application.
 */
static void
note_origin(const struct adder *a, const struct hp_row *row)
{
	uint32_t step = a->step_of[row->index];
	struct hp_row *name;

	if (step == 0)
		return;
	name = a->t->names.list[a->t->list[step].class_name];
	if (row->origin > name->origin)
		name->origin = row->origin;
}

/*
 * Create the steps of a row, once for each saved result that has the row. The
 * paths of all these steps have the same text, so only one of them, the last,
 * gets the sums of the row.
 */
static void
add_row(struct adder *a, const struct hp_row *row, const bool *saved)
{
	struct part key = {row->key, row->key_len};

	for (size_t i = 0; i < a->t->dumps && !a->failed; i++)
		if (saved[i] &&
		    (row->count[i] > 0 || row->retained_count[i] > 0))
			a->step_of[row->index] = step_of_key(a, key, i);
	note_origin(a, row);
}

static void
add_sums(const struct adder *a, size_t dump)
{
	for (size_t i = 0; i < a->rows->count; i++) {
		const struct hp_row *row = a->rows->list[i];
		uint32_t step = a->step_of[i];

		if (step == 0)
			continue;
		a->t->sums[dump][a->t->list[step].told] = (struct hp_path_sum){
			.count = row->count[dump],
			.bytes = row->bytes[dump],
			.retained_count = row->retained_count[dump],
			.retained_bytes = row->retained_bytes[dump]};
	}
}

enum hp_status
hp_saved_paths_add(struct hp_path_tree *t, const struct hp_rows *rows,
		   const bool *saved, struct hp_error *err)
{
	struct adder a = {.t = t, .rows = rows};
	enum hp_status st = HP_OK;

	a.step_of = hp_calloc(rows->count + 1, sizeof(*a.step_of));
	a.waits = hp_calloc(rows->count + 1, sizeof(*a.waits));
	a.failed = !a.step_of || !a.waits;
	if (!a.failed)
		add_all_within(&a);
	for (size_t i = 0; i < rows->count && !a.failed && st == HP_OK; i++) {
		add_row(&a, rows->list[i], saved);
	}
	for (size_t i = 0; i < t->dumps && !a.failed && st == HP_OK; i++) {
		if (!saved[i])
			continue;
		t->counts[i] = t->count;
		t->sums[i] = hp_calloc(t->count, sizeof(*t->sums[i]));
		a.failed = !t->sums[i];
		if (!a.failed)
			add_sums(&a, i);
	}
	hp_free(a.step_of);
	hp_free(a.waits);
	return a.failed ? hp_no_memory(err) : st;
}

/* --- writing a saved result ----------------------------------------------- */

/*
 * A row whose path begins with a static field, and a path that keeps the class
 * of this field alive. The path is NULL if a root refers to the class.
 */
struct within {
	struct hp_row *row;
	const char *text;
};

static int
compare_within(const void *x, const void *y)
{
	const struct within *a = x, *b = y;
	int c = hp_order(a->row->index, b->row->index);

	if (c == 0)
		c = (a->text != NULL) - (b->text != NULL);
	return c || !a->text ? c : strcmp(a->text, b->text);
}

/*
 * List the rows whose path begins with a static field, and the paths that keep
 * the class of the field alive. A path may be kilobytes long, so the memory for
 * the texts counts towards --memory.
 */
static enum hp_status
list_within(const struct hp_path_tree *t, struct hp_row *const *row_of,
	    struct hp_rows *rows, struct hp_vec *list, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;
	bool fine = true;

	for (uint32_t i = 1; i < t->count && fine && st == HP_OK; i++) {
		const struct hp_path_step *s = &t->list[i];
		const char *text = NULL;

		if (!row_of[i] || s->kind != HP_PATH_STATIC)
			continue;
		hp_buf_clear(&b);
		if (s->parent != 0) {
			hp_path_text(t, s->parent, &b);
			text = hp_buf_ok(&b) ? hp_arena_copy(&rows->arena,
							     b.data, b.len)
					     : NULL;
			fine = text;
		}
		fine = fine && HP_VEC_PUSH(list, struct within,
					   .row = row_of[i], .text = text);
	}
	hp_buf_release(&b);
	return fine ? st : hp_no_memory(err);
}

/*
 * For a row whose path begins with a static field: store the paths that keep
 * the class of this field alive. Their @n texts in @w are sorted and may
 * contain duplicates. Returns false if out of memory.
 */
static bool
tell_row(struct hp_rows *rows, const struct within *w, size_t n)
{
	struct hp_row_within *to;

	if (!w[0].text)
		/* a root refers to the class, so there is no path to save */
		return true;
	to = hp_arena_alloc(&rows->arena, sizeof(*to) + n * sizeof(to->by[0]));
	if (!to)
		return false;
	to->count = 0;
	to->cap = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(w[i].text, w[i - 1].text) != 0)
			to->by[to->count++] =
				(struct hp_row_kept){.text = w[i].text};
	w[0].row->within = to;
	return true;
}

enum hp_status
hp_saved_paths_tell(const struct hp_path_tree *t, struct hp_row *const *row_of,
		    struct hp_rows *rows, struct hp_error *err)
{
	struct hp_vec list = {0};
	const struct within *w;
	enum hp_status st = list_within(t, row_of, rows, &list, err);
	size_t end;

	if (st == HP_OK && list.count > 0)
		qsort(list.items, list.count, sizeof(*w), compare_within);
	w = list.items;
	for (size_t i = 0; i < list.count && st == HP_OK; i = end) {
		for (end = i + 1; end < list.count && w[end].row == w[i].row;)
			end++;
		if (!tell_row(rows, &w[i], end - i))
			st = hp_no_memory(err);
	}
	hp_free(list.items);
	return st;
}
