/*
 * fixtures_hidden.c - objects to which only fields of java.lang.Class refer,
 * which dumps of HotSpot do not list, and garbage that looks similar
 */
#include "tests/builder/fixtures.h"

enum { HOTSPOT, ANDROID };

enum {
	H_OBJECT,
	H_REFERENCE,
	H_SOFT,
	H_ENUM,
	H_REFLECTION,
	H_ANNOTATION,
	H_REPOSITORY,
	H_TYPE,
	H_VALUES,
	H_LIST,
	H_FORM,
	H_CONSTRUCTOR,
	H_METHODS,
	H_OBJECTS,
	H_LOADER,
	/* classes of the program */
	H_ITEM,
	H_COLOR,
	H_RED,
	H_COLORS,
	/* an array class whose loader is unreachable */
	H_LOST,
	H_ALL,
};

static const struct {
	const char *name;
	unsigned super;
	const char *fields[2];
} classes[H_ALL] = {
	[H_OBJECT] = {"java/lang/Object", 0, {0}},
	[H_REFERENCE] = {"java/lang/ref/Reference", H_OBJECT, {"referent"}},
	[H_SOFT] = {"java/lang/ref/SoftReference", H_REFERENCE, {0}},
	[H_ENUM] = {"java/lang/Enum", H_OBJECT, {"name"}},
	[H_REFLECTION] = {"java/lang/Class$ReflectionData",
			  H_OBJECT,
			  {"declaredFields"}},
	[H_ANNOTATION] = {"java/lang/Class$AnnotationData",
			  H_OBJECT,
			  {"annotations"}},
	[H_REPOSITORY] = {"sun/reflect/generics/repository/ClassRepository",
			  H_OBJECT,
			  {"tree"}},
	[H_TYPE] = {"sun/reflect/annotation/AnnotationType",
		    H_OBJECT,
		    {"members"}},
	[H_VALUES] = {"java/lang/ClassValue$ClassValueMap",
		      H_OBJECT,
		      {"table"}},
	[H_LIST] = {"java/util/ImmutableCollections$List12",
		    H_OBJECT,
		    {"e0", "e1"}},
	[H_FORM] = {"java/lang/invoke/LambdaForm", H_OBJECT, {0}},
	[H_CONSTRUCTOR] = {"java/lang/reflect/Constructor",
			   H_OBJECT,
			   {"clazz", "root"}},
	[H_METHODS] = {"[Ljava/lang/reflect/Method;", H_OBJECT, {0}},
	[H_OBJECTS] = {"[Ljava/lang/Object;", H_OBJECT, {0}},
	[H_LOADER] = {"java/lang/ClassLoader", H_OBJECT, {0}},
	[H_ITEM] = {"com/acme/Item", H_OBJECT, {"data"}},
	[H_COLOR] = {"com/acme/Color", H_ENUM, {0}},
	[H_RED] = {"com/acme/Color$1", H_COLOR, {0}},
	[H_COLORS] = {"[Lcom/acme/Color;", H_OBJECT, {0}},
	[H_LOST] = {"[Lcom/acme/Gone;", H_OBJECT, {0}},
};

static uint64_t
class_id(unsigned n)
{
	return 0x1000 + 16 * (uint64_t)n;
}

/* Write an instance whose reference fields have the values @x and @y. */
static void
instance(struct b *b, uint64_t id, unsigned class, uint64_t x, uint64_t y)
{
	const uint64_t values[] = {x, y};
	unsigned n = 0;

	b_instance(b, id, class_id(class));
	for (unsigned c = class; c != H_OBJECT; c = classes[c].super)
		for (unsigned i = 0; i < 2 && classes[c].fields[i]; i++)
			b_value(b, B_OBJECT, n < 2 ? values[n++] : 0);
	b_instance_end(b);
}

static void
array(struct b *b, uint64_t id, unsigned class, uint64_t element)
{
	b_object_array(b, id, class_id(class), 1, &element);
}

/* Objects that a root reaches, so nothing needs to be known about them. */
static void
reachable(struct b *b)
{
	b_root_jni_global(b, 0x2000, 1);
	b_root_jni_global(b, 0x2100, 1);
	b_root_jni_global(b, 0x2200, 1);
	instance(b, 0x2000, H_REFLECTION, 0x2010, 0);
	instance(b, 0x2010, H_ITEM, 0, 0);
	instance(b, 0x2100, H_RED, 0, 0);
	instance(b, 0x2200, H_LOADER, 0, 0);
}

/* 18 objects that fields of java.lang.Class keep alive. */
static void
hidden(struct b *b)
{
	instance(b, 0x3000, H_SOFT, 0x3010, 0);
	instance(b, 0x3010, H_REFLECTION, 0x3020, 0);
	instance(b, 0x3020, H_ITEM, 0, 0);
	instance(b, 0x3030, H_SOFT, 0x3040, 0);
	array(b, 0x3040, H_METHODS, 0);
	instance(b, 0x3050, H_ANNOTATION, 0x3060, 0);
	instance(b, 0x3060, H_ITEM, 0x3010, 0);
	instance(b, 0x3070, H_REPOSITORY, 0x3080, 0);
	b_primitive_array(b, 0x3080, B_BYTE, 4, NULL);
	instance(b, 0x3090, H_TYPE, 0x3060, 0);
	instance(b, 0x30a0, H_VALUES, 0x30b0, 0);
	instance(b, 0x30b0, H_ITEM, 0x30b0, 0);
	instance(b, 0x30c0, H_LIST, 0x30d0, 0);
	instance(b, 0x30d0, H_FORM, 0, 0);
	/* one constructor of each class, and one array of constants */
	instance(b, 0x30e0, H_CONSTRUCTOR, class_id(H_ITEM), 0);
	instance(b, 0x30f0, H_CONSTRUCTOR, class_id(H_COLOR), 0);
	array(b, 0x3100, H_COLORS, 0x2100);
	/* the class of this array is the 18th object: no root leads to it */
}

/* 9 objects and a class that are garbage, although they look similar. */
static void
garbage(struct b *b)
{
	instance(b, 0x4000, H_SOFT, 0x4010, 0);
	instance(b, 0x4010, H_ITEM, 0, 0);
	instance(b, 0x4020, H_LIST, 0x4030, 0);
	instance(b, 0x4030, H_ITEM, 0, 0);
	instance(b, 0x4040, H_CONSTRUCTOR, class_id(H_ITEM), 0);
	array(b, 0x4050, H_COLORS, 0x2100);
	array(b, 0x4060, H_OBJECTS, 0x2100);
	instance(b, 0x4070, H_CONSTRUCTOR, 0, 0);
	instance(b, 0x4080, H_LOADER, 0, 0);
}

static void
write_class(struct b *b, unsigned n)
{
	uint64_t loader = n >= H_ITEM ? 0x2200 : 0;

	if (n == H_LOST)
		loader = 0x4080;
	b_class(b,
		&(struct b_class){
			.id = class_id(n),
			.super = n == H_OBJECT ? 0 : class_id(classes[n].super),
			.loader = loader,
			.size = B_AUTO});
	for (unsigned i = 0; i < 2 && classes[n].fields[i]; i++)
		b_field(b, b_intern(b, classes[n].fields[i]), B_OBJECT);
	b_class_end(b);
}

static void
hidden_fields(struct b *b, int arg)
{
	b_header(b,
		 arg == ANDROID ? "JAVA PROFILE 1.0.3" : "JAVA PROFILE 1.0.2",
		 1700000000000u);
	for (unsigned n = 0; n < H_ALL; n++) {
		for (unsigned i = 0; i < 2 && classes[n].fields[i]; i++)
			b_intern(b, classes[n].fields[i]);
		b_load_class(b, n + 1, class_id(n), 0,
			     b_intern(b, classes[n].name));
	}
	b_segment(b);
	for (unsigned n = 0; n < H_COLORS; n++)
		b_root_sticky_class(b, class_id(n));
	for (unsigned n = 0; n < H_ALL; n++)
		write_class(b, n);
	reachable(b);
	hidden(b);
	garbage(b);
	b_close(b);
	b_heap_dump_end(b);
}

const struct b_fixture b_fixtures_hidden[] = {
	{"hidden-fields", hidden_fields, HOTSPOT, 4 | 8, B_VALID, "core-class",
	 "objects that fields of java.lang.Class keep alive, and garbage"},
	{"hidden-fields-android", hidden_fields, ANDROID, 4, B_VALID,
	 "core-class", "the same objects in a dump that lists all fields"},
	{0},
};
