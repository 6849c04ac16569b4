/*
 * loader_names.c - find the name of the application to which a class loader
 * belongs, for example of a web application of Tomcat
 *
 * The object graph leads from the loader to a String with the name
 * (loader_names.def). The text of the String is read from the dump.
 *
 * diff/count/class_loaders.c finds the names without a graph, in several passes
 * over the dump.
 */
#include "diff/retained/loader_names.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "diff/count/passes.h"
#include "diff/retained/graph_texts.h"

#include <string.h>

struct finder {
	const struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_graph_texts texts;
};

static const struct hp_node_kind *
kind_of(const struct finder *f, uint32_t node)
{
	const struct hp_graph *g = &f->t->graph;
	uint64_t unused;

	return &g->kinds.list[hp_edge_kind(&g->edges, node, &unused)];
}

/*
 * Returns the class of the instance @node. NULL: the object is not an instance,
 * or its class is not known.
 */
static const struct hp_class *
class_of(const struct finder *f, uint32_t node)
{
	return hp_node_kind_class(kind_of(f, node), &f->keys->g->classes);
}

/*
 * Whether the class @c, or one of its superclasses, has the name @name. If out
 * of memory, sets *@failed.
 */
static bool
extends(const struct finder *f, const struct hp_class *c, const char *name,
	bool *failed)
{
	for (unsigned n = 0; c && n < HP_LOADER_SUPERCLASSES;
	     n++, c = c->super) {
		const struct hp_name *text = hp_key_class(f->keys, c->id);

		*failed |= !text;
		if (text && strcmp(text->text, name) == 0)
			return true;
	}
	return false;
}

/*
 * Returns the object to which the field @name of the instance @node refers, or
 * HP_NO_NODE.
 */
static uint32_t
follow(const struct finder *f, uint32_t node, const char *name)
{
	const struct hp_class *c = class_of(f, node), *top = c;

	for (unsigned n = 0; top && n < HP_LOADER_SUPERCLASSES;
	     n++, top = top->super) {
		struct hp_graph_field field =
			hp_graph_field_find(f->keys->g, c, top, name);

		if (field.index != UINT32_MAX)
			return hp_graph_field_follow(&f->t->graph, node, field);
	}
	return HP_NO_NODE;
}

/*
 * Returns the object to which the fields @fields lead from the instance @node,
 * for example "module.name". Returns HP_NO_NODE if a field is missing or null.
 */
static uint32_t
follow_all(const struct finder *f, uint32_t node, const char *fields)
{
	while (*fields && node != HP_NO_NODE) {
		char name[HP_LOADER_FIELD + 1];

		fields = hp_loader_field(fields, name);
		node = follow(f, node, name);
	}
	return node;
}

/*
 * Find the String with the name of a loader. Returns false if out of memory.
 */
static bool
find_string(const struct finder *f, struct hp_loader_name *l)
{
	const struct hp_class *c = class_of(f, l->node), *of;
	bool failed = false;

	for (size_t i = 0; i < HP_LOADER_NAMINGS && !failed; i++) {
		uint32_t node = HP_NO_NODE;

		if (extends(f, c, hp_loader_namings[i].class, &failed))
			node = follow_all(f, l->node,
					  hp_loader_namings[i].fields);
		of = node == HP_NO_NODE ? NULL : class_of(f, node);
		if (!of || !extends(f, of, "java.lang.String", &failed))
			continue;
		l->string = node;
		l->naming = &hp_loader_namings[i];
		break;
	}
	return !failed;
}

static bool
make_text(struct finder *f, struct hp_loader_name *l, struct hp_arena *arena)
{
	const char *value = NULL;
	struct hp_buf b = {0};

	if (!l->naming)
		return true;
	if (!hp_graph_texts_get(&f->texts, l->string, &value))
		return false;
	if (!value)
		return true;
	hp_loader_name_text(&b, l->naming->noun, value);
	if (hp_buf_ok(&b))
		l->text = hp_arena_copy(arena, b.data, b.len);
	hp_buf_release(&b);
	return l->text;
}

enum hp_status
hp_loader_names_find(struct hp_loader_name *list, size_t n,
		     const struct hp_retained *t, struct hp_keys *keys,
		     struct hp_source *src, struct hp_arena *arena,
		     struct hp_error *err)
{
	struct finder f = {.t = t,
			   .keys = keys,
			   .texts = {.graph = &t->graph,
				     .pass.g = keys->g,
				     .pass.texts = {.most = HP_LOADER_NAME,
						    .escape = hp_text_clean,
						    .arena = arena}}};
	enum hp_status st = HP_OK;
	bool fine = true;

	hp_graph_texts_init(&f.texts);
	for (size_t i = 0; i < n && fine; i++) {
		fine = find_string(&f, &list[i]);
		if (fine && list[i].naming)
			fine = hp_graph_texts_want(&f.texts, list[i].string);
	}
	if (fine)
		st = hp_graph_texts_run(&f.texts, src, err);
	for (size_t i = 0; i < n && fine && st == HP_OK; i++)
		fine = make_text(&f, &list[i], arena);
	hp_graph_texts_release(&f.texts);
	return fine ? st : hp_no_memory(err);
}

/*
 * Store the class, the name and the entry of loader_names.def of each loader of
 * the list @names in @loaders.
 */
static void
store_names(struct hp_loader *const *loaders,
	    const struct hp_loader_name *names, size_t n,
	    const struct finder *f)
{
	for (size_t i = 0; i < n; i++) {
		const struct hp_node_kind *kind = kind_of(f, names[i].node);

		if (kind->of == HP_NODE_INSTANCE)
			loaders[i]->class_id = kind->class_id;
		loaders[i]->text = names[i].text;
		if (names[i].naming)
			loaders[i]->naming =
				(unsigned)(names[i].naming - hp_loader_namings);
	}
}

enum hp_status
hp_graph_loaders_find(struct hp_histogram *g, const struct hp_retained *t,
		      struct hp_keys *keys, struct hp_source *src,
		      struct hp_error *err)
{
	const struct finder f = {.t = t, .keys = keys};
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	struct hp_loader_name *names;
	struct hp_loader **loaders;
	uint64_t id, value;
	size_t at = 0, n = 0;
	bool fine = near && hp_loaders_list(g);
	enum hp_status st;

	names = hp_calloc(g->loaders.count + 1, sizeof(*names));
	loaders = hp_calloc(g->loaders.count + 1, sizeof(*loaders));
	fine = fine && names && loaders;
	while (fine && hp_id_map_next(&g->loaders, &at, &id, &value)) {
		names[n].node = hp_node_of(&t->graph.nodes, near, id);
		loaders[n] = (struct hp_loader *)(uintptr_t)value;
		/* the dump may lack the object of a loader */
		n += names[n].node != HP_NO_NODE;
	}
	st = fine ? hp_loader_names_find(names, n, t, keys, src, &g->arena, err)
		  : hp_no_memory(err);
	if (st == HP_OK)
		store_names(loaders, names, n, &f);
	hp_free(names);
	hp_free(loaders);
	hp_free(near);
	return st;
}
