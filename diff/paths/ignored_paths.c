/*
 * ignored_paths.c - the built-in list of paths that are hidden by default; and
 * whether the application or the JDK defined a class
 */
#include "diff/paths/paths.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/cli/glob.h"

#include <stdlib.h>
#include <string.h>

/*
 * Patterns of the paths to hide. They lead to caches of the JVM and the JDK
 * that cannot grow without limit, or that grow only with the number of classes,
 * and to the lists of objects with a finalizer.
 */
static const char *const list[] = {
	"java.lang.ClassValue*",
	"java.lang.Long$LongCache.*",
	"java.lang.invoke.*(static) *",
	"java.lang.ref.Finalizer.*(static) *",
	"java.lang.ref.FinalizerReference.*(static) *",
	"java.lang.ref.Reference.pending (static) *",
	"java.lang.ref.ReferenceQueue.*(static) *",
	"java.lang.reflect.*(static) *",
	"jdk.internal.*(static) *",
	"jdk.xml.internal.*(static) *",
	"sun.invoke.*(static) *",
	"sun.misc.Cleaner.*(static) *",
	"sun.reflect.*(static) *",
	"sun.util.locale.*(static) *",
	"*.<resolved_references> (static) *",
	"finalizing *",
	"system class java.*",
	"system class jdk.*",
	"system class sun.*",
};

bool
hp_ignored_path_is_listed(const char *text, size_t len)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(list); i++)
		if (hp_glob_match(list[i], text, len))
			return true;
	return false;
}

void
hp_ignored_paths_text(struct hp_buf *b)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(list); i++)
		hp_buf_printf(b, "%s\n", list[i]);
}

struct hp_graph_sum
hp_ignored_most(struct hp_graph_sum reachable)
{
	enum { PARTS = 100, BYTES = 1 << 20 };
	struct hp_graph_sum most = {.objects = reachable.objects / PARTS,
				    .bytes = reachable.bytes / PARTS};

	if (most.bytes > BYTES)
		most.bytes = BYTES;
	return most;
}

/*
 * Whether @c is the class of the platform class loader. Only the boot loader
 * (id 0) can define this class: an application cannot define a class with the
 * boot loader, so comparing the name and the loader is reliable.
 */
static bool
is_platform_loader(const struct hp_graph *g, const struct hp_class *c)
{
	static const struct {
		const char *jvm, *java;
	} names[] = {
		{"jdk/internal/loader/ClassLoaders$PlatformClassLoader",
		 "jdk.internal.loader.ClassLoaders$PlatformClassLoader"},
		{"jdk/internal/loader/ClassLoaders$BootClassLoader",
		 "jdk.internal.loader.ClassLoaders$BootClassLoader"},
		{"sun/misc/Launcher$ExtClassLoader",
		 "sun.misc.Launcher$ExtClassLoader"},
		{"java/lang/BootClassLoader", "java.lang.BootClassLoader"}};
	const struct hp_string *name =
		c ? hp_tables_class_name(g->o.tables, c->id) : NULL;

	for (size_t i = 0; c && c->loader == 0 && i < HP_ARRAY_LEN(names); i++)
		if (hp_string_is(name, names[i].jvm, names[i].java))
			return true;
	return false;
}

/*
 * Whether the class of the objects of a kind (class and size) belongs to the
 * application or to the JDK. If the objects are class objects, the answer is
 * for the class that they represent.
 */
static enum hp_class_origin
origin_of(const struct hp_graph *g, struct hp_rank_near *near,
	  const struct hp_node_kind *kind)
{
	const struct hp_classes *classes = g->o.classes;
	const struct hp_class *c =
		kind->of == HP_NODE_PRIMITIVE_ARRAY
			? NULL
			: hp_classes_get(classes, kind->class_id);
	uint32_t loader;

	if (kind->of == HP_NODE_PRIMITIVE_ARRAY)
		return HP_CLASS_OF_JDK;
	if (!c)
		return HP_CLASS_OF_UNKNOWN;
	if (c->loader == 0)
		return HP_CLASS_OF_JDK;
	loader = hp_node_of(&g->nodes, near, c->loader);
	if (loader == HP_NO_NODE)
		return HP_CLASS_OF_APPLICATION;
	kind = hp_graph_kind(g, loader);
	return is_platform_loader(g, hp_node_kind_class(kind, classes))
		       ? HP_CLASS_OF_JDK
		       : HP_CLASS_OF_APPLICATION;
}

static bool
has_loaders(const struct hp_classes *classes)
{
	for (size_t i = 0; i < classes->count; i++)
		if (classes->list[i]->loader != 0)
			return true;
	return false;
}

enum hp_status
hp_class_origins_note(const struct hp_graph *g, const uint32_t *class_rows,
		      struct hp_rows *names, struct hp_error *err)
{
	struct hp_rank_near *near;

	if (!has_loaders(g->o.classes))
		return HP_OK;
	near = hp_calloc(1, sizeof(*near));
	if (!near)
		return hp_no_memory(err);
	for (uint32_t k = 1; k < g->kinds.count; k++) {
		uint8_t *origin = &names->list[class_rows[k]]->origin;
		uint8_t one = (uint8_t)origin_of(g, near, &g->kinds.list[k]);

		if (one > *origin)
			*origin = one;
	}
	hp_free(near);
	return HP_OK;
}

enum hp_class_origin
hp_class_origin_by_name(const char *name)
{
	static const char *const packages[] = {
		"java.", "jdk.", "sun.", "com.sun.", "libcore.", "dalvik."};
	static const char *const primitives[] = {"boolean", "byte",  "char",
						 "short",   "int",   "long",
						 "float",   "double"};
	static const char class_word[] = "class ";
	size_t n;

	if (hp_begins_with(name, strlen(name), class_word))
		name += strlen(class_word);
	n = strlen(name);
	for (size_t i = 0; i < HP_ARRAY_LEN(packages); i++)
		if (hp_begins_with(name, n, packages[i]))
			return HP_CLASS_OF_JDK;
	for (size_t i = 0; i < HP_ARRAY_LEN(primitives); i++)
		if (hp_begins_with(name, n, primitives[i]) &&
		    name[strlen(primitives[i])] == '[')
			return HP_CLASS_OF_JDK;
	return HP_CLASS_OF_APPLICATION;
}
