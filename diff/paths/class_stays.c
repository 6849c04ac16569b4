/*
 * class_stays.c - find out which classes are never unloaded, because the paths
 * to the static fields of the other classes go through their class loaders
 */
#include "diff/paths/internal.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"

#include <string.h>

const struct hp_class *
hp_path_class_of_kind(const struct hp_graph *g, const struct hp_node_kind *kind)
{
	const struct hp_class *c =
		kind->of == HP_NODE_INSTANCE || kind->of == HP_NODE_CLASS
			? hp_classes_get(g->o.classes, kind->class_id)
			: NULL;

	return c && c->index != UINT32_MAX ? c : NULL;
}

/* Whether the class with the given name is a class loader of the JVM. */
static bool
is_loader_of_jvm(const char *name)
{
	static const char *const loaders[] = {
		"jdk.internal.loader.ClassLoaders$*", "sun.misc.Launcher$*",
		"java.lang.BootClassLoader", "dalvik.system.PathClassLoader"};

	for (size_t i = 0; i < HP_ARRAY_LEN(loaders); i++)
		if (hp_glob_match(loaders[i], name, strlen(name)))
			return true;
	return false;
}

/* Find the classes to which roots refer. */
static void
find_roots(uint8_t *stays, const struct hp_graph *g)
{
	for (size_t i = 0; i < g->nroots; i++) {
		const struct hp_node_kind *kind =
			hp_graph_kind(g, g->roots[i].node);
		const struct hp_class *c = hp_path_class_of_kind(g, kind);

		if (c && kind->of == HP_NODE_CLASS)
			stays[c->index] = HP_CLASS_ROOT;
	}
}

enum hp_status
hp_path_classes_stay(uint8_t **stays, const struct hp_path_walk *w,
		     const struct hp_graph *g, const struct hp_rows *names,
		     struct hp_error *err)
{
	const struct hp_classes *classes = g->o.classes;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));

	*stays = hp_calloc(classes->count + 1, sizeof(**stays));
	if (!*stays || !near) {
		hp_free(near);
		return hp_no_memory(err);
	}
	for (size_t i = 0; i < classes->count; i++) {
		uint32_t loader =
			hp_node_of(&g->nodes, near, classes->list[i]->loader);
		uint64_t references;
		uint32_t row;

		(*stays)[i] = HP_CLASS_LOADED;
		if (!hp_is_reached(&w->reached, loader))
			continue;
		row = w->class_rows[hp_edge_kind(&g->edges, loader,
						 &references)];
		if (!is_loader_of_jvm(names->list[row]->key))
			(*stays)[i] = HP_CLASS_GOES;
	}
	find_roots(*stays, g);
	hp_free(near);
	return HP_OK;
}
