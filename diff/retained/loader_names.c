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
	/* the fields that find_field() has already looked up */
	struct hp_id_map fields;
	/* the objects to which fields of shared objects lead; see follow() */
	struct hp_id_map shared;
};

/*
 * Returns the class of the instance @node. NULL: the object is not an instance,
 * or its class is not known.
 */
static const struct hp_class *
class_of(const struct finder *f, uint32_t node)
{
	return hp_node_kind_class(hp_graph_kind(&f->t->graph, node),
				  &f->keys->g->classes);
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
 * Find the field @name in the instances of the class @c. Many loaders have the
 * same class, and a class may have thousands of fields. So the result for each
 * class and each field of loader_names.def (@key) is stored. If out of memory,
 * sets *@failed.
 */
static struct hp_graph_field
find_field(struct finder *f, const struct hp_class *c, const char *name,
	   unsigned key, bool *failed)
{
	struct hp_graph_field field = {UINT32_MAX};
	const struct hp_class *top = c;
	bool fresh;
	uint64_t *slot = hp_id_map_put(
		&f->fields, ((uint64_t)c->index + 1) << 16 | key, &fresh);

	*failed |= !slot;
	if (slot && !fresh)
		return (struct hp_graph_field){(uint32_t)*slot};
	for (unsigned n = 0;
	     field.index == UINT32_MAX && top && n < HP_LOADER_SUPERCLASSES;
	     n++, top = top->super)
		field = hp_graph_field_find(f->keys->g, c, top, name);
	if (slot)
		*slot = field.index;
	return field;
}

/*
 * Returns the object to which the field @name of the instance @node refers, or
 * HP_NO_NODE. @key: see find_field().
 */
static uint32_t
follow_field(struct finder *f, uint32_t node, const char *name, unsigned key,
	     bool *failed)
{
	const struct hp_class *c = class_of(f, node);

	return c ? hp_graph_field_follow(&f->t->graph, node,
					 find_field(f, c, name, key, failed))
		 : HP_NO_NODE;
}

/*
 * Returns the object to which the fields of an entry of loader_names.def lead
 * from the instance @node, for example "module.name". Returns HP_NO_NODE if a
 * field is missing or null. Many loaders may share the object in the middle,
 * which may have thousands of references. So where it leads is stored.
 */
static uint32_t
follow(struct finder *f, uint32_t node, unsigned naming, bool *failed)
{
	const char *fields = hp_loader_namings[naming].fields;

	for (unsigned step = 0; *fields && node != HP_NO_NODE; step++) {
		unsigned key = naming << 8 | step;
		char name[HP_LOADER_FIELD + 1];
		uint64_t *slot = NULL;
		bool fresh = true;

		fields = hp_loader_field(fields, name);
		if (step > 0) {
			slot = hp_id_map_put(&f->shared,
					     ((uint64_t)node + 1) << 16 | key,
					     &fresh);
			*failed |= !slot;
		}
		node = slot && !fresh
			       ? (uint32_t)*slot
			       : follow_field(f, node, name, key, failed);
		if (slot)
			*slot = node;
	}
	return node;
}

/*
 * Find the String with the name of a loader. Returns false if out of memory.
 */
static bool
find_string(struct finder *f, struct hp_loader_name *l)
{
	const struct hp_class *c = class_of(f, l->node), *of;
	bool failed = false;

	for (unsigned i = 0; i < HP_LOADER_NAMINGS && !failed; i++) {
		uint32_t node = HP_NO_NODE;

		if (extends(f, c, hp_loader_namings[i].class, &failed))
			node = follow(f, l->node, i, &failed);
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
	hp_id_map_release(&f.fields);
	hp_id_map_release(&f.shared);
	return fine ? st : hp_no_memory(err);
}

/*
 * Store the class, the name and the entry of loader_names.def of each loader of
 * the list @names in @loaders.
 */
static void
store_names(struct hp_loader *const *loaders,
	    const struct hp_loader_name *names, size_t n,
	    const struct hp_graph *g)
{
	for (size_t i = 0; i < n; i++) {
		const struct hp_node_kind *kind =
			hp_graph_kind(g, names[i].node);

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
		store_names(loaders, names, n, &t->graph);
	hp_free(names);
	hp_free(loaders);
	hp_free(near);
	return st;
}
