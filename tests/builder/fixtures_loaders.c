/*
 * fixtures_loaders.c - test dumps with named class loaders, and with class
 * loaders that keep each other alive
 */
#include "tests/builder/fixtures.h"

#include <string.h>

enum {
	OBJECT = 0x10000,
	CLASS = 0x10100,
	STRING = 0x10200,
	LOADER = 0x10300,
	MINE = 0x10400,
	/*
	 * id of com.acme.Named, a class that is not a loader, but has a field
	 * "name"
	 */
	STRANGER = 0x10500,
	BYTES = 0x10600,
	/* the ids of the classes that the loaders define begin here */
	LOADED = 0x11000,
	STEP = 0x100,
};

/* A class loader: its class, and the String with its name. */
struct named {
	uint64_t class;
	/* the characters of the name; NULL: the field is null */
	const char *name;
	uint32_t
		/*
		 * number of bytes of the array with the name; 0: the length of
		 * `name`
		 */
		bytes;
	bool utf16;
};

static const struct named loaders[] = {
	{MINE, "app", 0, false},
	{MINE, "plugin", 0, false},
	{MINE, "plugin", 0, false},
	{MINE, NULL, 0, false},
	{MINE, "", 0, false},
	/* the characters U+65E5 U+672C, in UTF-16 */
	{MINE, "\xe5\x65\x2c\x67", 4, true},
	{MINE, "\xe9'\x1b", 0,
	 false}, /* Latin-1, with a quote and an escape character */
	{MINE, NULL, 300, false}, /* a name of 300 letters */
	{STRANGER, "nobody", 0, false},
	{LOADER, "app", 0, false},
};

enum { LOADERS = sizeof loaders / sizeof *loaders };

static uint64_t
object(unsigned i, unsigned what)
{
	return 0x20000 + 0x100u * i + 0x40u * what;
}

static void
declare(struct b *b, unsigned serial, uint64_t id, const char *name)
{
	b_load_class(b, serial, id, 1, b_intern(b, name));
}

/*
 * Write the STRING and LOAD CLASS records that all dumps of this file share.
 * Tests may add classes with the serial numbers 4 and higher.
 */
static void
declare_core(struct b *b)
{
	declare(b, 1, OBJECT, "java/lang/Object");
	declare(b, 2, CLASS, "java/lang/Class");
	declare(b, 3, STRING, "java/lang/String");
}

static void
tables(struct b *b)
{
	static const char *const fields[] = {"value", "coder", "hash", "parent",
					     "name"};
	static const char loaded[] = "com/acme/A";
	char name[sizeof loaded];

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000u);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		b_intern(b, fields[i]);
	declare_core(b);
	declare(b, 4, LOADER, "java/lang/ClassLoader");
	declare(b, 5, MINE, "com/acme/PluginLoader");
	declare(b, 6, STRANGER, "com/acme/Named");
	declare(b, 7, BYTES, "[B");
	for (unsigned i = 0; i < LOADERS; i++) {
		memcpy(name, loaded, sizeof loaded);
		name[sizeof loaded - 2] = (char)('A' + i);
		declare(b, 8 + i, LOADED + i * STEP, name);
	}
	b_trace(b, 1, 0, 0, NULL);
}

static void class(struct b *b, uint64_t id, uint64_t super, uint64_t loader)
{
	b_class(b, &(struct b_class){.id = id,
				     .super = super,
				     .loader = loader,
				     .size = B_AUTO});
}

static void
core_classes(struct b *b)
{
	for (unsigned i = 0; i < 3; i++) {
		class(b, OBJECT + i * STEP, i ? OBJECT : 0, 0);
		b_class_end(b);
		b_root_sticky_class(b, OBJECT + i * STEP);
	}
}

static void
classes(struct b *b)
{
	class(b, OBJECT, 0, 0);
	b_class_end(b);
	class(b, CLASS, OBJECT, 0);
	b_class_end(b);
	class(b, BYTES, OBJECT, 0);
	b_class_end(b);
	class(b, STRING, OBJECT, 0);
	b_field(b, b_intern(b, "value"), B_OBJECT);
	b_field(b, b_intern(b, "coder"), B_BYTE);
	b_field(b, b_intern(b, "hash"), B_INT);
	b_class_end(b);
	class(b, LOADER, OBJECT, 0);
	b_field(b, b_intern(b, "parent"), B_OBJECT);
	b_field(b, b_intern(b, "name"), B_OBJECT);
	b_class_end(b);
	class(b, MINE, LOADER, 0);
	b_field(b, b_intern(b, "hash"), B_INT);
	b_class_end(b);
	class(b, STRANGER, OBJECT, 0);
	b_field(b, b_intern(b, "name"), B_OBJECT);
	b_class_end(b);
	for (unsigned i = 0; i < LOADERS; i++) {
		class(b, LOADED + i * STEP, OBJECT, object(i, 0));
		b_class_end(b);
	}
}

static void
name_of(struct b *b, unsigned i)
{
	const struct named *l = &loaders[i];
	char many[300];
	const char *text = l->name ? l->name : many;

	if (!l->name && !l->bytes)
		return;
	memset(many, 'x', sizeof many);
	b_byte_array(b, object(i, 2), text, l->bytes ? l->bytes : strlen(text));
	b_instance(b, object(i, 1), STRING);
	b_value(b, B_OBJECT, object(i, 2));
	b_value(b, B_BYTE, l->utf16);
	b_value(b, B_INT, 0);
	b_instance_end(b);
}

static void
loader(struct b *b, unsigned i)
{
	const struct named *l = &loaders[i];

	b_instance(b, object(i, 0), l->class);
	if (l->class == MINE)
		b_value(b, B_INT, 7);
	if (l->class != STRANGER)
		b_value(b, B_OBJECT, 0);
	b_value(b, B_OBJECT, l->name || l->bytes ? object(i, 1) : 0);
	b_instance_end(b);
}

/*
 * Write the loaders. The String with the name of a loader comes before the
 * loader or, if @arg is not 0, after it.
 */
static void
named_loaders(struct b *b, int arg)
{
	tables(b);
	b_segment(b);
	classes(b);
	for (unsigned i = 0; i < LOADERS; i++) {
		if (arg)
			loader(b, i);
		name_of(b, i);
		if (!arg)
			loader(b, i);
		b_instance_zero(b, object(i, 3), LOADED + i * STEP);
	}
	b_root_sticky_class(b, OBJECT);
	b_close(b);
	b_heap_dump_end(b);
}

static void
load_alike(struct b *b, unsigned serial, unsigned n, uint64_t name)
{
	for (unsigned i = 0; i < n; i++)
		b_load_class(b, serial + i, LOADED + i * STEP, 1, name);
	b_trace(b, 1, 0, 0, NULL);
	b_segment(b);
	core_classes(b);
}

static void
loader_class(struct b *b)
{
	class(b, LOADER, OBJECT, 0);
	b_field(b, b_intern(b, "loads"), B_OBJECT);
	b_class_end(b);
}

static void
plugin_loader(struct b *b, unsigned i)
{
	b_instance(b, object(i, 0), LOADER);
	b_value(b, B_OBJECT, LOADED + i * STEP);
	b_instance_end(b);
}

enum { MAIN = BYTES + 0x100 };

/*
 * Write everything before the classes named Plugin: the class Main, whose
 * static field @field refers to @value; the class app.Loader; and @n LOAD CLASS
 * records of the classes named Plugin. @held is the name of a field that these
 * classes will have.
 */
static void
main_and_loader(struct b *b, const char *field, uint64_t value,
		const char *held, unsigned n)
{
	uint64_t plugin;

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	plugin = b_intern(b, "app/Plugin");
	b_intern(b, field);
	b_intern(b, held);
	b_intern(b, "loads");
	declare_core(b);
	declare(b, 4, MAIN, "Main");
	declare(b, 5, LOADER, "app/Loader");
	load_alike(b, 6, n, plugin);
	class(b, MAIN, OBJECT, 0);
	b_static(b, b_intern(b, field), B_OBJECT, value);
	b_class_end(b);
	loader_class(b);
}

static void
end_main(struct b *b)
{
	b_root_sticky_class(b, MAIN);
	b_root_sticky_class(b, LOADER);
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * Build a dump with a chain of loaders. Main.head refers to the first loader.
 * Each loader loads a class Plugin whose static field refers to the next
 * loader.
 */
static void
nested_loaders(struct b *b, int arg)
{
	unsigned n = (unsigned)arg;

	main_and_loader(b, "head", object(0, 0), "next", n);
	for (unsigned i = 0; i < n; i++) {
		class(b, LOADED + i * STEP, OBJECT, object(i, 0));
		b_static(b, b_intern(b, "next"), B_OBJECT,
			 i + 1 < n ? object(i + 1, 0) : 0);
		b_class_end(b);
		plugin_loader(b, i);
	}
	end_main(b);
}

enum { WITH_OBJECTS = 0x100 };

/*
 * Build a dump with an array of loaders. Each loader has a class Plugin that
 * keeps an array alive. If @arg has WITH_OBJECTS, every second of these classes
 * has two objects, and the others have one.
 */
static void
plugins(struct b *b, int arg)
{
	enum { ARRAY = MAIN + STEP, MOST = 16 };
	const uint64_t values[10] = {0};
	unsigned n = (unsigned)(arg & ~WITH_OBJECTS);
	uint64_t plugin, list[MOST];

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	plugin = b_intern(b, "app/Plugin");
	b_intern(b, "plugins");
	b_intern(b, "held");
	b_intern(b, "loads");
	declare_core(b);
	declare(b, 4, MAIN, "Main");
	declare(b, 5, LOADER, "app/Loader");
	declare(b, 6, ARRAY, "[Lapp/Loader;");
	load_alike(b, 7, n, plugin);
	class(b, MAIN, OBJECT, 0);
	b_static(b, b_intern(b, "plugins"), B_OBJECT, object(MOST, 0));
	b_class_end(b);
	class(b, ARRAY, OBJECT, 0);
	b_class_end(b);
	loader_class(b);
	for (unsigned i = 0; i < n; i++) {
		list[i] = object(i, 0);
		class(b, LOADED + i * STEP, OBJECT, list[i]);
		b_static(b, b_intern(b, "held"), B_OBJECT, object(i, 1));
		b_class_end(b);
		b_primitive_array(b, object(i, 1), B_LONG, 10, values);
		plugin_loader(b, i);
		for (unsigned k = 0; (arg & WITH_OBJECTS) && k <= i % 2; k++)
			b_instance_zero(b, object(i, 2 + k), LOADED + i * STEP);
	}
	b_object_array(b, object(MOST, 0), ARRAY, n, list);
	b_root_sticky_class(b, MAIN);
	b_root_sticky_class(b, LOADER);
	b_root_sticky_class(b, ARRAY);
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * Build one of two dumps with a loader whose class Plugin keeps an object
 * alive. @later selects the second dump. In the first dump, Main.first refers
 * to the loader, and the object refers to an array. In the second dump,
 * Main.second refers to the loader, and there is no array.
 */
static void
moved_loader(struct b *b, int later)
{
	const uint64_t values[10] = {0};

	main_and_loader(b, later ? "second" : "first", object(0, 0), "held", 1);
	class(b, LOADED, OBJECT, object(0, 0));
	b_static(b, b_intern(b, "held"), B_OBJECT, object(0, 1));
	b_class_end(b);
	plugin_loader(b, 0);
	b_instance(b, object(0, 1), LOADER);
	b_value(b, B_OBJECT, later ? 0 : object(0, 2));
	b_instance_end(b);
	if (!later)
		b_primitive_array(b, object(0, 2), B_LONG, 10, values);
	end_main(b);
}

/*
 * Build a dump with two classes named Plugin. The boot loader has loaded one of
 * them, whose static field refers to a large array. The loader of Main has
 * loaded the other one, whose static field refers to a small array.
 */
static void
twin_plugins(struct b *b, int arg)
{
	enum { LARGE = 500 };
	const uint64_t values[LARGE] = {0};

	(void)arg;
	main_and_loader(b, "first", object(1, 0), "held", 2);
	for (unsigned i = 0; i < 2; i++) {
		class(b, LOADED + i * STEP, OBJECT, i ? object(i, 0) : 0);
		b_static(b, b_intern(b, "held"), B_OBJECT, object(i, 1));
		b_class_end(b);
		b_primitive_array(b, object(i, 1), B_LONG, i ? 1 : LARGE,
				  values);
	}
	plugin_loader(b, 1);
	b_root_sticky_class(b, LOADED);
	end_main(b);
}

/*
 * Build a dump with many classes named Plugin, and an array whose element type
 * is one of these classes. The array contains an instance of each class, and an
 * object of another class.
 */
static void
misfit_plugins(struct b *b, int arg)
{
	enum { MOST = 16, ARRAY = BYTES + 0x100 };
	unsigned n = (unsigned)arg;
	uint64_t plugin, list[MOST + 1];

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	plugin = b_intern(b, "app/Plugin");
	declare_core(b);
	declare(b, 4, ARRAY, "[Lapp/Plugin;");
	declare(b, 5, LOADER, "app/Loader");
	load_alike(b, 6, n, plugin);
	class(b, LOADER, OBJECT, 0);
	b_class_end(b);
	class(b, ARRAY, OBJECT, 0);
	b_class_end(b);
	for (unsigned i = 0; i <= n; i++) {
		list[i] = object(i, 0);
		b_instance_zero(b, list[i], i < n ? LOADED + i * STEP : LOADER);
	}
	for (unsigned i = 0; i < n; i++) {
		class(b, LOADED + i * STEP, OBJECT, list[n]);
		b_class_end(b);
	}
	b_object_array(b, object(MOST, 1), ARRAY, n + 1, list);
	b_root_jni_global(b, object(MOST, 1), 0);
	b_root_sticky_class(b, OBJECT);
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * Build a dump with two classes with the same name, each with a static field.
 * One field refers to an object of a class, the other to an object of a
 * subclass. If @arg is 0, the first object is larger; otherwise both are
 * equally large. If @arg is 2, the object of the subclass comes first.
 */
static void
mixed_statics(struct b *b, int arg)
{
	enum { MAP = BYTES + 0x100, LINKED = MAP + STEP };
	const uint64_t values[100] = {0};
	uint64_t registry;

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	registry = b_intern(b, "app/Registry");
	b_intern(b, "held");
	b_intern(b, "table");
	b_intern(b, "more");
	declare_core(b);
	declare(b, 4, MAP, "app/Map");
	declare(b, 5, LINKED, "app/LinkedMap");
	load_alike(b, 6, 2, registry);
	class(b, MAP, OBJECT, 0);
	b_field(b, b_intern(b, "table"), B_OBJECT);
	b_field(b, b_intern(b, "more"), B_OBJECT);
	b_class_end(b);
	class(b, LINKED, MAP, 0);
	b_class_end(b);
	for (unsigned i = 0; i < 2; i++) {
		class(b, LOADED + i * STEP, OBJECT, 0);
		b_static(b, b_intern(b, "held"), B_OBJECT, object(i, 0));
		b_class_end(b);
		b_root_sticky_class(b, LOADED + i * STEP);
		b_instance(b, object(i, 0),
			   (i == 1) != (arg == 2) ? LINKED : MAP);
		for (unsigned k = 2; k < 4; k++)
			b_value(b, B_OBJECT, object(k + 16 * i, 0));
		b_instance_end(b);
		for (unsigned k = 2; k < 4; k++)
			b_primitive_array(b, object(k + 16 * i, 0), B_LONG,
					  arg == 0 ? 100 - i : 100, values);
	}
	b_root_sticky_class(b, MAP);
	b_root_sticky_class(b, LINKED);
	b_close(b);
	b_heap_dump_end(b);
}

const struct b_fixture b_fixtures_loaders[] = {
	{"named-loaders", named_loaders, 0, 4 | 8, B_VALID, NULL,
	 "ten class loaders, with names of all kinds and without"},
	{"named-loaders-first", named_loaders, 1, 4 | 8, B_VALID, NULL,
	 "the same, loaders before their names"},
	{"nested-loaders-before", nested_loaders, 6, 4 | 8, B_VALID, NULL,
	 "six class loaders, each kept by a static field of the one before"},
	{"nested-loaders-after", nested_loaders, 9, 4 | 8, B_VALID, NULL,
	 "nine of them"},
	{"plugins-before", plugins, 2, 4 | 8, B_VALID, NULL,
	 "two class loaders, each with a class that holds an array"},
	{"plugins-after", plugins, 5, 4 | 8, B_VALID, NULL, "five of them"},
	{"plugin-objects-before", plugins, 2 | WITH_OBJECTS, 4 | 8, B_VALID,
	 NULL, "two class loaders, each with a class that has objects"},
	{"plugin-objects-after", plugins, 5 | WITH_OBJECTS, 4 | 8, B_VALID,
	 NULL, "five of them"},
	{"moved-loader-before", moved_loader, 0, 4 | 8, B_VALID, NULL,
	 "a class whose static field holds an object with an array"},
	{"moved-loader-after", moved_loader, 1, 4 | 8, B_VALID, NULL,
	 "another field holds its loader, and the array is gone"},
	{"twin-plugins", twin_plugins, 0, 4 | 8, B_VALID, NULL,
	 "two classes of a name, of the boot loader and of another"},
	{"misfit-plugins", misfit_plugins, 12, 4 | 8, B_VALID, NULL,
	 "an array of one of twelve classes of a name, and of another"},
	{"misfit-plugins-few", misfit_plugins, 3, 4 | 8, B_VALID, NULL,
	 "the same of three"},
	{"mixed-statics", mixed_statics, 0, 4 | 8, B_VALID, NULL,
	 "two classes of one name, whose static fields hold other classes"},
	{"equal-statics", mixed_statics, 1, 4 | 8, B_VALID, NULL,
	 "the same, with equally large objects"},
	{"equal-statics-swapped", mixed_statics, 2, 4 | 8, B_VALID, NULL,
	 "the same in another order"},
	{0},
};
