/*
 * suspect_local.c - complete the labels of values of a ThreadLocal, and of
 * class loaders
 *
 * The label of a value of a ThreadLocal gets the name of the static field that
 * refers to the ThreadLocal, and the names of the threads. The label of a class
 * loader gets the name of its application.
 */
#include "diff/leaks/internal.h"

#include "common/cli/quantity.h"

#include <string.h>

/*
 * The class of the entries in which a thread keeps the values of its
 * ThreadLocals.
 */
#define ENTRY "java.lang.ThreadLocal$ThreadLocalMap$Entry"
/* The beginning of the text of a path, if a thread keeps the object alive. */
#define THREAD "thread \""

/*
 * Find a static field that refers to the object with the id @id. Returns the
 * class of the field, with the index of the field in *@field, or NULL if there
 * is none.
 */
static const struct hp_class *
find_static(const struct hp_classes *classes, uint64_t id, uint32_t *field)
{
	for (size_t i = 0; i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];

		for (uint32_t k = 0; k < c->nstatics; k++)
			if (hp_type_is_reference(c->statics[k].type) &&
			    c->statics[k].value == id) {
				*field = k;
				return c;
			}
	}
	return NULL;
}

enum hp_status
hp_suspect_find_local(struct hp_object_kinds *k, uint32_t place,
		      struct hp_buf *b, bool *found, struct hp_error *err)
{
	const uint32_t *nodes = k->t->tree.nodes.at;
	uint32_t above = hp_tree_parent(&k->t->tree, place);
	const struct hp_graph_weak *weak = NULL;
	const struct hp_class *c;
	const struct hp_name *name;
	uint64_t rank, id;
	uint32_t field;

	*found = above != 0 &&
		 strcmp(k->names->list[hp_object_kind_at(k, above)->row]->key,
			ENTRY) == 0;
	if (*found)
		weak = hp_graph_weak_of(&k->t->graph, nodes[above]);
	if (!weak || weak->to == HP_NO_NODE)
		return HP_OK;
	rank = weak->to;
	hp_id_ranks_some(&k->t->graph.nodes.ranks, &rank, 1, &id);
	c = find_static(&k->keys->g->classes, id, &field);
	name = c ? hp_key_class(k->keys, c->id) : NULL;
	if (c && !name)
		return hp_no_memory(err);
	if (name) {
		hp_buf_printf(b, "%s.", hp_short_name(name->text));
		hp_key_add_text(b, hp_tables_string(&k->keys->g->tables,
						    c->statics[field].name));
	}
	return HP_OK;
}

/*
 * Append a space and the name of the thread pool with which the path of a
 * suspect begins, for example "http-worker-*".
 */
static enum hp_status
pool_text(struct hp_buf *b, const char *path, struct hp_error *err)
{
	struct hp_buf name = {0};
	const char *end;

	if (strncmp(path, THREAD, strlen(THREAD)) != 0)
		return HP_OK;
	path += strlen(THREAD);
	end = strchr(path, '"');
	if (!end)
		return HP_OK;
	hp_buf_add(&name, path, (size_t)(end - path));
	hp_buf_byte(b, ' ');
	if (hp_buf_ok(&name))
		hp_thread_pool_name(b, hp_buf_string(&name));
	end = hp_buf_ok(&name) ? end : NULL;
	hp_buf_release(&name);
	return end ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_suspect_label_local(struct hp_suspect *s,
		       const struct hp_suspect_samples *samples,
		       struct hp_arena *arena, struct hp_error *err)
{
	struct hp_buf b = {0};
	const char *rest;
	enum hp_status st;

	if (!samples->thread_local_field)
		return HP_OK;
	hp_buf_text(&b, "ThreadLocal");
	if (samples->thread_local_field[0])
		hp_buf_printf(&b, " `%s`", samples->thread_local_field);
	hp_buf_text(&b, " of ");
	if (s->holders[1] > 1)
		hp_count_text(&b, s->holders[1]);
	hp_buf_text(&b, s->holders[1] > 1 ? " threads" : "thread");
	st = pool_text(&b, s->path, err);
	/*
	 * leave out the number of objects, because it equals the number of
	 * threads, which is already in the text
	 */
	rest = s->holders[1] > 1 ? strchr(s->label, ' ') : NULL;
	hp_buf_printf(&b, ": %s", rest ? rest + 1 : s->label);
	s->label = hp_arena_copy(arena, hp_buf_string(&b), hp_buf_length(&b));
	if (st == HP_OK && (!hp_buf_ok(&b) || !s->label))
		st = hp_no_memory(err);
	hp_buf_release(&b);
	return st;
}
