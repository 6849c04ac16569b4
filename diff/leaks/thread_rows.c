/*
 * thread_rows.c - the rows of --by=thread: how much memory each thread keeps
 * alive
 *
 * In the object graph, the local variables of a thread's stack are references
 * of the thread object. A field of the thread object leads to its values of
 * ThreadLocals. So the retained size of the thread object is the size of
 * everything that the thread alone keeps alive, by local variables, fields and
 * ThreadLocals.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

/*
 * In the name of a thread, a number of at least this many digits is probably an
 * id that differs in every run.
 */
enum { ID_DIGITS = 5 };

static size_t
count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

void
hp_thread_pool_name(struct hp_buf *b, const char *name)
{
	const char *last = NULL;

	for (const char *p = name; *p; p += *p ? 1 : 0) {
		if (count_digits(p) == 0)
			continue;
		last = p;
		p += count_digits(p) - 1;
	}
	while (*name) {
		size_t n = count_digits(name);

		if (n > 0 && (name == last || n >= ID_DIGITS))
			hp_buf_byte(b, '*');
		else
			hp_buf_add(b, name, n ? n : 1);
		name += n ? n : 1;
	}
}

struct thread_rows {
	const struct hp_retained *t;
	const struct hp_column *c;
	struct hp_thread_roots threads;
	struct hp_keys keys;
	struct hp_error *err;
};

static struct hp_row *
row_of(struct thread_rows *w, const struct hp_graph_root *root)
{
	const struct hp_thread_name *name =
		hp_thread_name_of(&w->threads, root->thread);
	struct hp_buf *b = &w->keys.a;

	if (!name || !name->text)
		return hp_rows_put_word(w->c->rows, "(no name)");
	hp_buf_clear(b);
	if (w->keys.o->raw_names)
		hp_buf_text(b, name->text);
	else
		hp_thread_pool_name(b, name->text);
	return hp_rows_put_text(w->c->rows, b);
}

static enum hp_status
add_place(struct thread_rows *w, uint32_t place)
{
	const struct hp_graph *g = &w->t->graph;
	const struct hp_tree *tree = &w->t->tree;
	uint32_t node = ((const uint32_t *)tree->nodes.at)[place];
	const struct hp_graph_root *root = bsearch(
		&node, g->roots, g->nroots, sizeof(*root), hp_compare_u32);
	size_t dump = w->c->index;
	struct hp_graph_sum sum;
	struct hp_row *row;

	if (!root || hp_root_kind(root->tag) != HP_PATH_THREAD)
		return HP_OK;
	row = row_of(w, root);
	if (!row)
		return hp_no_memory(w->err);
	row->count[dump]++;
	row->bytes[dump] += hp_retained_kind(w->t, place)->bytes;
	sum = hp_retained_sum(w->t, place);
	row->retained_count[dump] += sum.objects;
	row->retained_bytes[dump] += sum.bytes;
	if (row->native)
		hp_sum_add(&row->native[dump], hp_retained_native(w->t, place));
	return HP_OK;
}

enum hp_status
hp_thread_rows_add(const struct hp_retained *t, const struct hp_column *c,
		   struct hp_source *src, struct hp_error *err)
{
	struct thread_rows w = {
		.t = t, .c = c, .keys = {.g = c->g, .o = c->o}, .err = err};
	enum hp_status st =
		hp_thread_roots_find(&w.threads, &t->graph, c->g, src, err);

	/*
	 * visit only the children of the root: in the dominator tree, a child
	 * is followed by the objects that it retains, which are skipped
	 */
	for (uint32_t place = 1; place < t->tree.count && st == HP_OK;
	     place = hp_tree_end(&t->tree, place))
		st = add_place(&w, place);
	hp_thread_roots_release(&w.threads);
	hp_keys_release(&w.keys);
	return st;
}
