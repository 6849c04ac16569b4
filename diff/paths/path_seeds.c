/*
 * path_seeds.c - list the objects at which paths begin (those to which roots
 * and static fields refer), and the text with which each path begins
 */
#include "diff/paths/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/leaks/merged_tree.h"

struct maker {
	struct hp_path_seeds *s;
	const struct hp_graph *g;
	const struct hp_reached *reached;
	const struct hp_thread_roots *t;
	const uint8_t *stays;
	struct hp_keys *keys;
	struct hp_path_tree *tree;
	struct hp_rank_near *near;
	struct hp_buf text;
	struct hp_error *err;
};

static enum hp_status
add(struct maker *m, enum hp_path_kind kind, uint32_t node,
    const struct hp_row *via)
{
	struct hp_path_seeds *s = m->s;

	if (s->count > HP_PATH_SEEDS_MOST)
		return hp_fail(m->err, HP_LIMIT,
			       "paths begin at more than %u places",
			       HP_PATH_SEEDS_MOST);
	if (!via ||
	    !HP_LIST_PUSH(s->list, s->count, s->cap,
			  (struct hp_path_seed){.node = node,
						.via = (uint32_t)via->index,
						.kind = (uint8_t)kind}))
		return hp_no_memory(m->err);
	return HP_OK;
}

/* --- static fields -------------------------------------------------------- */

static enum hp_path_kind
static_kind(struct maker *m, const struct hp_class *c,
	    const struct hp_class_static *field)
{
	const struct hp_string *name =
		hp_tables_string(m->g->o.tables, field->name);

	/*
	 * this is a field that HotSpot itself has added to the class, for
	 * example "<resolved_references>"
	 */
	if (name && name->length > 0 && name->data[0] == '<')
		return HP_PATH_CONSTANTS;
	return hp_string_is(hp_tables_class_name(m->g->o.tables, c->id),
			    "sun/launcher/LauncherHelper",
			    HP_PATH_LAUNCHER_CLASS)
		       ? HP_PATH_LAUNCHER
		       : HP_PATH_STATIC;
}

static enum hp_status
add_statics(struct maker *m, const struct hp_class *c)
{
	enum hp_status st = HP_OK;
	uint32_t node;

	for (uint32_t i = 0; i < c->nstatics && st == HP_OK; i++) {
		if (!hp_type_is_reference(c->statics[i].type))
			continue;
		node = hp_node_of(&m->g->nodes, m->near, c->statics[i].value);
		if (!hp_is_reached(m->reached, node))
			continue;
		st = add(m, static_kind(m, c, &c->statics[i]), node,
			 hp_merged_static_name(m->keys, &m->tree->names, c,
					       &c->statics[i]));
		if (st == HP_OK)
			m->s->list[m->s->count - 1].class_index = c->index;
	}
	return st;
}

static enum hp_status
add_classes(struct maker *m)
{
	const struct hp_classes *classes = m->g->o.classes;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		uint32_t node = hp_node_of(&m->g->nodes, m->near, c->id);

		if (m->stays[i] == HP_CLASS_GOES ||
		    !hp_is_reached(m->reached, node))
			continue;
		if (m->stays[i] == HP_CLASS_LOADED)
			st = add(m, HP_PATH_SYSTEM_CLASS, node,
				 hp_rows_put_word(&m->tree->names,
						  HP_PATH_LOADED));
		if (st == HP_OK)
			st = add_statics(m, c);
	}
	return st;
}

/* --- roots ---------------------------------------------------------------- */

static const struct hp_row *
text_row(struct maker *m)
{
	return hp_rows_put_text(&m->tree->names, &m->text);
}

static enum hp_status
add_roots(struct maker *m)
{
	enum hp_status st = HP_OK;
	const struct hp_row *via;

	for (size_t i = 0; i < m->g->nroots && st == HP_OK; i++) {
		const struct hp_graph_root *r = &m->g->roots[i];
		enum hp_path_kind kind = hp_root_kind(r->tag);

		if (kind == HP_PATH_THREAD) {
			hp_buf_clear(&m->text);
			hp_thread_words(&m->text,
					hp_thread_name_of(m->t, r->thread));
			via = text_row(m);
		} else {
			/* begin the path with the words "system class X" */
			via = hp_rows_put_word(&m->tree->names,
					       kind == HP_PATH_SYSTEM_CLASS
						       ? HP_PATH_SYSTEM
						       : hp_root_words(r->tag));
		}
		st = add(m, kind, r->node, via);
	}
	return st;
}

/*
 * Find or create the text of a local variable, for example `thread "main",
 * local of Leak.main`. Returns NULL if out of memory.
 */
static const struct hp_row *
local_row(struct maker *m, const struct hp_graph_local *local)
{
	const struct hp_thread_name *thread =
		hp_thread_name_of(m->t, local->serial);

	hp_buf_clear(&m->text);
	hp_thread_words(&m->text, thread);
	hp_buf_text(&m->text,
		    local->tag == HP_SUB_ROOT_JAVA_FRAME    ? ", local"
		    : local->tag == HP_SUB_ROOT_JNI_LOCAL   ? ", JNI local"
		    : local->tag == HP_SUB_ROOT_JNI_MONITOR ? ", monitor"
							    : ", stack");
	if (local->frame != UINT32_MAX) {
		size_t before = m->text.len;

		hp_buf_text(&m->text, " of ");
		if (!hp_thread_method(&m->text, m->keys, thread, local->frame))
			m->text.len = before;
	}
	return text_row(m);
}

/*
 * Add the objects to which local variables refer. The roots are sorted by
 * thread and frame, so the text for a frame is made only once.
 */
static enum hp_status
add_locals(struct maker *m)
{
	const struct hp_graph_local *last = NULL;
	const struct hp_row *via = NULL;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < m->g->nlocals && st == HP_OK; i++) {
		const struct hp_graph_local *local = &m->g->locals[i];

		if (!last || last->serial != local->serial ||
		    last->frame != local->frame || last->tag != local->tag)
			via = local_row(m, local);
		last = local;
		if (hp_is_reached(m->reached, local->node))
			st = add(m, HP_PATH_LOCAL, local->node, via);
	}
	return st;
}

enum hp_status
hp_path_seeds_find(struct hp_path_seeds *s, const struct hp_graph *g,
		   const struct hp_reached *reached,
		   const struct hp_thread_roots *t, const uint8_t *stays,
		   struct hp_keys *keys, struct hp_path_tree *tree,
		   struct hp_error *err)
{
	struct maker m = {.s = s,
			  .g = g,
			  .reached = reached,
			  .t = t,
			  .stays = stays,
			  .keys = keys,
			  .tree = tree,
			  .err = err};
	enum hp_status st = HP_OK;

	*s = (struct hp_path_seeds){.count = 1};
	m.near = hp_calloc(1, sizeof(*m.near));
	if (!m.near || !HP_LIST_RESERVE(s->list, 0, s->cap))
		st = hp_no_memory(m.err);
	if (st == HP_OK)
		st = add_classes(&m);
	if (st == HP_OK)
		st = add_roots(&m);
	if (st == HP_OK)
		st = add_locals(&m);
	hp_buf_release(&m.text);
	hp_free(m.near);
	return st;
}

void
hp_path_seeds_release(struct hp_path_seeds *s, struct hp_path_tree *tree)
{
	hp_free(s->list);
	*s = (struct hp_path_seeds){0};
}
