/*
 * find_classes.c - find the classes of the JDK that findings need, such as
 * SoftReference, and their fields
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "common/model/java_string.h"

#include <string.h>

/*
 * The classes of the JDK that findings need. `is` contains the HP_IS_ bits for
 * the objects of the class and its subclasses.
 */
static const struct {
	const char *name;
	unsigned is;
	/*
	 * the names of the fields of this class that findings need; NULL: none
	 * is needed
	 */
	const char *next, *key;
} known[] = {
	{"java/lang/ref/SoftReference", HP_IS_SOFT, NULL, NULL},
	{"java/lang/ref/WeakReference", HP_IS_WEAK, NULL, NULL},
	{"java/lang/ThreadLocal$ThreadLocalMap$Entry", HP_IS_LOCAL, NULL, NULL},
	{"java/util/HashMap$Node", HP_IS_ENTRY, "next", "key"},
	{"java/util/HashMap$Entry", HP_IS_ENTRY, "next", "key"},
	{"java/util/HashMap$HashMapEntry", HP_IS_ENTRY, "next", "key"},
	{"java/util/Hashtable$Entry", HP_IS_ENTRY, "next", "key"},
	{"java/util/concurrent/ConcurrentHashMap$Node", HP_IS_ENTRY, "next",
	 "key"},
	{"java/util/concurrent/ConcurrentHashMap$HashEntry", HP_IS_ENTRY,
	 "next", "key"},
	{"java/util/concurrent/ThreadPoolExecutor", HP_IS_EXECUTOR, "workQueue",
	 NULL},
	{"java/nio/DirectByteBuffer", HP_IS_BUFFER, NULL, NULL},
};

static const struct hp_graph_field none = {UINT32_MAX};

enum hp_status
hp_unusual_classes_find(struct hp_unusual_search *s)
{
	const struct hp_node_kinds *kinds = &s->t->graph.kinds;
	const struct hp_histogram *g = s->c->g;
	const struct hp_class *tops[HP_ARRAY_LEN(known)];

	s->classes = hp_calloc((size_t)kinds->count + 1, sizeof(*s->classes));
	if (!s->classes)
		return hp_no_memory(s->err);
	for (size_t i = 0; i < HP_ARRAY_LEN(known); i++)
		tops[i] = hp_boot_class(&g->classes, &g->tables, known[i].name);
	for (uint32_t k = 1; k < kinds->count; k++) {
		struct hp_unusual_class *x = &s->classes[k];
		const struct hp_class *c =
			kinds->list[k].of == HP_NODE_INSTANCE
				? hp_classes_get(&g->classes,
						 kinds->list[k].class_id)
				: NULL;

		x->next = x->key = none;
		for (size_t i = 0;
		     c && c->chain == HP_CHAIN_FINE && i < HP_ARRAY_LEN(known);
		     i++) {
			if (!tops[i] || !hp_class_is_a(c, tops[i]))
				continue;
			x->is |= known[i].is;
			if (!known[i].next)
				continue;
			x->next = hp_graph_field_find(g, c, tops[i],
						      known[i].next);
			x->key = hp_graph_field_find(g, c, tops[i],
						     known[i].key);
		}
	}
	return HP_OK;
}

uint32_t
hp_unusual_follow(const struct hp_unusual_search *s, uint32_t node,
		  struct hp_graph_field field)
{
	return hp_graph_field_follow(&s->t->graph, node, field);
}
