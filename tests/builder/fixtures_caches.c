/*
 * fixtures_caches.c - test dumps in which caches of the JDK and the queue of
 * finalizers grow
 *
 * The class Main keeps 6,000 objects alive, with 120 KB together, so that tests
 * know how much 1 % of the heap is. A cache of the JDK,
 * java.lang.reflect.Proxy.proxyClassCache, keeps Strings, objects of platform
 * classes and objects of application classes alive. The list of
 * java.lang.ref.Finalizer keeps objects with a finalizer alive.
 */
#include "tests/builder/fixtures.h"

#include <stdlib.h>

enum {
	OBJECT = 0x10000,
	CLASS = 0x10100,
	STRING = 0x10200,
	PROXY = 0x10300,
	OBJECTS = 0x10400,
	APP_LOADER = 0x10500,
	PLATFORM_LOADER = 0x10600,
	MAIN = 0x10700,
	ITEM = 0x10800,
	/* id of Row, a class that the platform loader has loaded */
	ROW = 0x10900,
	REFERENCE = 0x10a00,
	FINAL_REFERENCE = 0x10b00,
	FINALIZER = 0x10c00,
	/* id of Slow, a class of the application with a finalizer */
	SLOW = 0x10d00,
	LOADER_OBJECTS = 0x18000,
	BALLAST = 6000,
	MOST = 8000,
};

/* The numbers of objects in one of the dumps. */
struct cache {
	/*
	 * numbers of objects in the cache, which are Strings, objects of
	 * platform classes, and objects of application classes
	 */
	unsigned strings, rows, items;
	/*
	 * Numbers of objects with a finalizer. Main refers to the "held"
	 * objects. Only the list of finalizers refers to the "waiting" objects.
	 */
	unsigned held, waiting;
	/*
	 * if it is not 0: the index of a finalizer in the list to which also
	 * an array in the static field `queue` of its class refers
	 */
	unsigned queued;
	/*
	 * Main.held refers to the array of Main.ballast. fresh: Main.ballast
	 * refers to a new array with so many objects instead.
	 */
	bool shared;
	unsigned fresh;
};

static const struct cache caches[] = {
	{10, 0, 0, 2, 0},
	{30, 0, 0, 2, 0},
	{110, 0, 0, 2, 0},
	{10, 20, 0, 2, 0},
	{10, 0, 1, 2, 0},
	{10, 0, 0, 2, 50},
	{.held = 2, .waiting = 20, .queued = 1},
	{.held = 2, .shared = true},
	{.held = 2, .shared = true, .fresh = 4000},
};

static const struct {
	uint64_t id, super, loader;
	const char *name;
} classes[] = {
	{OBJECT, 0, 0, "java/lang/Object"},
	{CLASS, OBJECT, 0, "java/lang/Class"},
	{STRING, OBJECT, 0, "java/lang/String"},
	{PROXY, OBJECT, 0, "java/lang/reflect/Proxy"},
	{OBJECTS, OBJECT, 0, "[Ljava/lang/Object;"},
	{APP_LOADER, OBJECT, 0,
	 "jdk/internal/loader/ClassLoaders$AppClassLoader"},
	{PLATFORM_LOADER, OBJECT, 0,
	 "jdk/internal/loader/ClassLoaders$PlatformClassLoader"},
	{MAIN, OBJECT, LOADER_OBJECTS, "Main"},
	{ITEM, OBJECT, LOADER_OBJECTS, "com/acme/Item"},
	{ROW, OBJECT, LOADER_OBJECTS + 0x40, "javax/sql/Row"},
	{REFERENCE, OBJECT, 0, "java/lang/ref/Reference"},
	{FINAL_REFERENCE, REFERENCE, 0, "java/lang/ref/FinalReference"},
	{FINALIZER, FINAL_REFERENCE, 0, "java/lang/ref/Finalizer"},
	{SLOW, OBJECT, LOADER_OBJECTS, "com/acme/Slow"},
};

/* The next free ids of objects. Ids are consecutive. */
struct ids {
	uint64_t next, cache, ballast, held, finalizers, fresh;
};

static uint64_t
take_ids(struct ids *ids, unsigned n)
{
	uint64_t first = ids->next;

	ids->next += 0x40u * (uint64_t)n;
	return first;
}

static void
class_dumps(struct b *b, const struct ids *ids, const struct cache *c)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		b_class(b, &(struct b_class){.id = classes[i].id,
					     .super = classes[i].super,
					     .loader = classes[i].loader,
					     .size = B_AUTO});
		switch (classes[i].id) {
		case PROXY:
			b_static(b, b_intern(b, "proxyClassCache"), B_OBJECT,
				 ids->cache);
			break;
		case MAIN:
			b_static(b, b_intern(b, "ballast"), B_OBJECT,
				 c->fresh > 0 ? ids->fresh : ids->ballast);
			b_static(b, b_intern(b, "held"), B_OBJECT,
				 c->shared ? ids->ballast : ids->held);
			break;
		case REFERENCE:
			b_field(b, b_intern(b, "referent"), B_OBJECT);
			break;
		case FINALIZER:
			b_static(b, b_intern(b, "unfinalized"), B_OBJECT,
				 ids->finalizers);
			if (c->queued > 0)
				b_static(b, b_intern(b, "queue"), B_OBJECT,
					 ids->fresh);
			b_field(b, b_intern(b, "next"), B_OBJECT);
			break;
		case SLOW:
			b_field(b, b_intern(b, "data"), B_OBJECT);
			break;
		default:
			break;
		}
		b_class_end(b);
		b_root_sticky_class(b, classes[i].id);
	}
}

/*
 * Write @n instances of @class, and store their ids in @list from index @at on.
 * Returns the index after the last id.
 */
static unsigned
instances(struct b *b, struct ids *ids, uint64_t class, unsigned n,
	  uint64_t *list, unsigned at)
{
	uint64_t first = take_ids(ids, n);

	for (unsigned i = 0; i < n; i++) {
		list[at + i] = first + 0x40u * i;
		b_instance_zero(b, list[at + i], class);
	}
	return at + n;
}

static void
finalizers(struct b *b, struct ids *ids, const struct cache *c, uint64_t *list)
{
	static const uint64_t data[20];
	unsigned n = c->held + c->waiting;
	uint64_t slow = take_ids(ids, n), bytes = take_ids(ids, 4 * n);

	for (unsigned i = 0; i < n; i++) {
		list[i] = slow + 0x40u * i;
		b_instance(b, list[i], SLOW);
		b_value(b, B_OBJECT, bytes + 0x100u * i);
		b_instance_end(b);
		b_primitive_array(b, bytes + 0x100u * i, B_LONG, 20, data);
		b_instance(b, ids->finalizers + 0x40u * i, FINALIZER);
		b_value(b, B_OBJECT,
			i + 1 < n ? ids->finalizers + 0x40u * (i + 1) : 0);
		b_value(b, B_OBJECT, list[i]);
		b_instance_end(b);
	}
	b_object_array(b, ids->held, OBJECTS, c->held, list);
}

static void
cache(struct b *b, int arg)
{
	static const char *const fields[] = {
		"proxyClassCache", "ballast", "held", "referent",
		"unfinalized",	   "next",    "data", "queue"};
	const struct cache *c = &caches[arg];
	uint64_t *list = calloc(MOST, sizeof *list);
	struct ids ids = {.next = 0x20000};
	unsigned n = 0;

	if (!list)
		abort();
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		b_intern(b, fields[i]);
	for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
		b_load_class(b, i + 1, classes[i].id, 1,
			     b_intern(b, classes[i].name));
	b_trace(b, 1, 0, 0, NULL);
	b_segment(b);
	ids.cache = take_ids(&ids, 1);
	ids.ballast = take_ids(&ids, 1);
	ids.held = take_ids(&ids, 1);
	/*
	 * Reserve the ids of the list of finalizers now, because class dumps
	 * refer to them.
	 */
	ids.finalizers = take_ids(&ids, 100);
	if (c->fresh > 0 || c->queued > 0)
		ids.fresh = take_ids(&ids, 1);
	class_dumps(b, &ids, c);
	b_instance_zero(b, LOADER_OBJECTS, APP_LOADER);
	b_instance_zero(b, LOADER_OBJECTS + 0x40, PLATFORM_LOADER);
	n = instances(b, &ids, STRING, c->strings, list, n);
	n = instances(b, &ids, ROW, c->rows, list, n);
	n = instances(b, &ids, ITEM, c->items, list, n);
	b_object_array(b, ids.cache, OBJECTS, n, list);
	n = instances(b, &ids, OBJECT, BALLAST, list, 0);
	b_object_array(b, ids.ballast, OBJECTS, n, list);
	list[0] = ids.finalizers + 0x40u * c->queued;
	if (c->queued > 0)
		b_object_array(b, ids.fresh, OBJECTS, 1, list);
	if (c->fresh > 0) {
		n = instances(b, &ids, OBJECT, c->fresh, list, 0);
		b_object_array(b, ids.fresh, OBJECTS, n, list);
	}
	finalizers(b, &ids, c, list);
	b_close(b);
	b_heap_dump_end(b);
	free(list);
}

const struct b_fixture b_fixtures_caches[] = {
	{"cache-before", cache, 0, 4 | 8, B_VALID, NULL,
	 "a cache of the JDK with ten Strings, beside a large heap"},
	{"cache-few", cache, 1, 4 | 8, B_VALID, NULL, "the same with thirty"},
	{"cache-many", cache, 2, 4 | 8, B_VALID, NULL,
	 "the same with 110, more than 1 % of the heap's objects"},
	{"cache-platform", cache, 3, 4 | 8, B_VALID, NULL,
	 "the cache with 20 objects of the platform loader's classes, too"},
	{"cache-application", cache, 4, 4 | 8, B_VALID, NULL,
	 "the cache with an object of the application, too"},
	{"finalizer-stuck", cache, 5, 4 | 8, B_VALID, NULL,
	 "cache-before, and 50 objects that wait for their finalizer"},
	{"finalizer-queued", cache, 6, 4 | 8, B_VALID, NULL,
	 "20 objects that wait for their finalizer, to which two fields refer"},
	{"ballast-shared", cache, 7, 4 | 8, B_VALID, NULL,
	 "a large array to which two static fields refer"},
	{"ballast-moved", cache, 8, 4 | 8, B_VALID, NULL,
	 "the same array in one of the fields, and a new array in the other"},
	{0},
};
