/*
 * world_classes.c - the classes, objects and ids that all imitated dumps share
 *
 * world_jvm.c, world_agent.c and world_android.c write these classes and
 * objects in the order in which each program writes them, and add its roots.
 */
#include "tests/builder/world_classes.h"

#include <stdio.h>
#include <string.h>

struct w_field {
	/* name of the field; NULL: the end of the list of fields */
	const char *name;
	unsigned type;
};

struct w_class {
	const char *name; /* name of the class as the JVM spells it */
	int super;	  /* index of the superclass; -1: there is none */
	struct w_field fields[10];
};

static const struct w_class classes[B_CLASSES] = {
	[B_C_OBJECT] = {"java/lang/Object", -1, {{0}}},
	[B_C_CLASS] = {"java/lang/Class",
		       B_C_OBJECT,
		       {{"name", B_OBJECT}, {"classLoader", B_OBJECT}}},
	[B_C_STRING] = {"java/lang/String", B_C_OBJECT, {{0}}},
	[B_C_THREAD] = {"java/lang/Thread",
			B_C_OBJECT,
			{{"name", B_OBJECT},
			 {"priority", B_INT},
			 {"daemon", B_BOOLEAN}}},
	[B_C_LOADER] = {"java/lang/ClassLoader",
			B_C_OBJECT,
			{{"parent", B_OBJECT}}},
	[B_C_APP_LOADER] = {"com/acme/Loader", B_C_LOADER, {{0}}},
	[B_C_ORDER] = {"com/acme/Order",
		       B_C_OBJECT,
		       {{"next", B_OBJECT},
			{"open", B_BOOLEAN},
			{"code", B_CHAR},
			{"rate", B_FLOAT},
			{"price", B_DOUBLE},
			{"kind", B_BYTE},
			{"flags", B_SHORT},
			{"count", B_INT},
			{"number", B_LONG}}},
	[B_C_RUSH] = {"com/acme/RushOrder",
		      B_C_ORDER,
		      {{"count", B_INT}, {"owner", B_OBJECT}}},
	[B_C_BOOLEANS] = {"[Z", B_C_OBJECT, {{0}}},
	[B_C_CHARS] = {"[C", B_C_OBJECT, {{0}}},
	[B_C_FLOATS] = {"[F", B_C_OBJECT, {{0}}},
	[B_C_DOUBLES] = {"[D", B_C_OBJECT, {{0}}},
	[B_C_BYTES] = {"[B", B_C_OBJECT, {{0}}},
	[B_C_SHORTS] = {"[S", B_C_OBJECT, {{0}}},
	[B_C_INTS] = {"[I", B_C_OBJECT, {{0}}},
	[B_C_LONGS] = {"[J", B_C_OBJECT, {{0}}},
	[B_C_OBJECTS] = {"[Ljava/lang/Object;", B_C_OBJECT, {{0}}},
	[B_C_ORDERS] = {"[Lcom/acme/Order;", B_C_OBJECT, {{0}}},
};

static const struct w_field string_new[] = {
	{"value", B_OBJECT}, {"coder", B_BYTE}, {"hash", B_INT}, {0}};
static const struct w_field string_8[] = {
	{"value", B_OBJECT}, {"hash", B_INT}, {0}};
static const struct w_field string_5[] = {{"value", B_OBJECT},
					  {"offset", B_INT},
					  {"count", B_INT},
					  {"hash", B_INT},
					  {0}};
static const struct w_field string_art[] = {
	{"count", B_INT}, {"hash", B_INT}, {"value", B_OBJECT}, {0}};
static const struct w_field string_dalvik[] = {{"value", B_OBJECT},
					       {"hashCode", B_INT},
					       {"offset", B_INT},
					       {"count", B_INT},
					       {0}};
static const struct w_field object_art[] = {
	{"shadow$_klass_", B_OBJECT}, {"shadow$_monitor_", B_INT}, {0}};

static const char *const more_strings[] = {"COUNT",
					   "LAST",
					   "NONE",
					   "OPEN",
					   "main",
					   "system",
					   "run",
					   "()V",
					   "Order.java",
					   "take",
					   "(Lcom/acme/Order;)I"};

/* The names of the imitated programs, in the order of enum b_writer. */
static const char *const writers[B_WRITERS] = {
	"hotspot",   "hotspot25", "hotspot7", "hotspot5", "sa",
	"sa28",	     "agent",	  "agent102", "art",	  "dalvik",
	"hprofconv", "native",	  "mat"};

bool
w_art(const struct b *b)
{
	return b->world == B_ART || b->world == B_HPROF_CONV;
}

bool
w_android(const struct b *b)
{
	return w_art(b) || b->world == B_DALVIK;
}

bool
w_agent(const struct b *b)
{
	return b->world == B_AGENT || b->world == B_AGENT_102;
}

bool
w_dotted(const struct b *b)
{
	return w_android(b) || w_agent(b);
}

const char *
b_writer_name(enum b_writer writer)
{
	return writers[writer];
}

unsigned
b_writer_id_size(enum b_writer writer)
{
	return b_writer_knows_id_size(writer, 8) ? 8 : 4;
}

bool
b_writer_knows_id_size(enum b_writer writer, unsigned id_size)
{
	struct b b = {.world = (int)writer};

	return id_size == 4 || (id_size == 8 && !w_dotted(&b));
}

/* --- ids and names of the classes and objects ------------------------- */

uint64_t
b_class_id(const struct b *b, unsigned key)
{
	return w_agent(b) ? 0x50000001u + key : 0x70001000u + 0x80 * key;
}

uint64_t
b_object_id(const struct b *b, unsigned key)
{
	return w_agent(b) ? 0x50000801u + key : 0x70010000u + 0x48 * key;
}

uint32_t
b_class_serial(const struct b *b, unsigned key)
{
	if (w_agent(b))
		return 100008 + key;
	return b->world == B_DALVIK ? 0x50000000u + key : 1 + key;
}

/*
 * Convert a JVM array name into Java syntax: [Ljava/lang/Object; becomes
 * java.lang.Object[], and [I becomes int[].
 */
static void
dotted(const char *jvm, char name[64])
{
	static const char *const letters[] = {"Zboolean", "Cchar", "Ffloat",
					      "Ddouble",  "Bbyte", "Sshort",
					      "Iint",	  "Jlong"};

	if (jvm[0] == '[' && jvm[1] == 'L')
		snprintf(name, 64, "%.*s[]", (int)strlen(jvm) - 3, jvm + 2);
	else if (jvm[0] != '[')
		snprintf(name, 64, "%s", jvm);
	for (size_t i = 0; i < 8 && jvm[0] == '['; i++)
		if (letters[i][0] == jvm[1])
			snprintf(name, 64, "%s[]", letters[i] + 1);
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '.';
}

void
b_class_name(const struct b *b, unsigned key, char name[64])
{
	if (w_dotted(b))
		dotted(classes[key].name, name);
	else
		snprintf(name, 64, "%s", classes[key].name);
}

static const struct w_field *
fields_of(const struct b *b, unsigned key)
{
	if (key == B_C_OBJECT && w_art(b))
		return object_art;
	if (key != B_C_STRING)
		return classes[key].fields;
	if (w_art(b))
		return string_art;
	if (b->world == B_DALVIK)
		return string_dalvik;
	if (b->world == B_HOTSPOT_5)
		return string_5;
	return w_agent(b) || b->world == B_HOTSPOT_7 ? string_8 : string_new;
}

/* --- write the records outside the heap ------------------------------- */

void
w_strings(struct b *b)
{
	char name[64];

	for (unsigned key = 0; key < B_CLASSES; key++) {
		b_class_name(b, key, name);
		b_intern(b, name);
		for (const struct w_field *f = fields_of(b, key); f->name; f++)
			b_intern(b, f->name);
	}
	for (size_t i = 0; i < sizeof more_strings / sizeof *more_strings; i++)
		b_intern(b, more_strings[i]);
	if (w_art(b)) {
		b_intern(b, "$classOverhead");
		b_intern(b, "$class$name");
		b_intern(b, "$class$shadow$_klass_");
	}
	if (b->world == B_DALVIK)
		b_intern(b, "$staticOverhead");
	if (b->world == B_HOTSPOT || b->world == B_HOTSPOT_25)
		b_intern(b, "<resolved_references>");
}

size_t
b_world_load(struct b *b, unsigned key, const char *name)
{
	uint64_t name_id = b_intern(b, name);

	return b_load_class(b, b_class_serial(b, key), b_class_id(b, key),
			    b->trace, name_id);
}

void
w_load(struct b *b, unsigned key)
{
	char name[64];

	b_class_name(b, key, name);
	b_world_load(b, key, name);
}

void
w_loads(struct b *b)
{
	for (unsigned key = 0; key < B_CLASSES; key++)
		w_load(b, key);
}

void
w_frames(struct b *b, uint64_t first)
{
	uint32_t serial = b_class_serial(b, B_C_ORDER);
	uint64_t source = b_intern(b, "Order.java");
	uint64_t take = b_intern(b, "take"), run = b_intern(b, "run");
	uint64_t take_signature = b_intern(b, "(Lcom/acme/Order;)I");
	uint64_t run_signature = b_intern(b, "()V");

	b_frame(b, first, take, take_signature, source, serial, 12);
	b_frame(b, first + 1, run, run_signature, source, serial, -1);
}

/* --- write the class dumps -------------------------------------------- */

static uint32_t
instance_size(const struct b *b, unsigned key)
{
	uint32_t own = 0;

	if (key >= B_C_BOOLEANS || (key == B_C_CLASS && w_art(b)))
		return 0;
	if (key == B_C_STRING && w_art(b))
		return 16;
	if (b->world != B_DALVIK && b->world != B_NATIVE_IMAGE)
		return B_AUTO;
	for (int k = (int)key; k >= 0; k = classes[k].super)
		for (const struct w_field *f = fields_of(b, (unsigned)k);
		     f->name; f++)
			own += b_type_size(b, f->type);
	return b->world == B_DALVIK ? 8 + own : (16 + own + 7) / 8 * 8;
}

/*
 * Write the static fields that the imitated program adds to the class dump of
 * com.acme.Order, although the class has no such fields.
 */
static void
pseudo_statics(struct b *b)
{
	uint64_t order = b_class_id(b, B_C_ORDER);

	if (b->world == B_HOTSPOT || b->world == B_HOTSPOT_25)
		b_static(b, b_intern(b, "<resolved_references>"), B_OBJECT,
			 b_object_id(b, B_O_OBJECTS));
	if (b->world == B_DALVIK)
		b_static(b, b_intern(b, "$staticOverhead"), B_OBJECT,
			 order | 1);
	if (w_art(b)) {
		b_static(b, b_intern(b, "$classOverhead"), B_OBJECT, order | 1);
		b_static(b, b_intern(b, "$class$name"), B_OBJECT, 0);
		b_static(b, b_intern(b, "$class$shadow$_klass_"), B_OBJECT,
			 b_class_id(b, B_C_CLASS));
	}
}

void
w_class(struct b *b, unsigned key)
{
	const struct w_class *w = &classes[key];
	bool app = key == B_C_ORDER || key == B_C_RUSH || key == B_C_ORDERS;
	struct b_class c = {
		.id = b_class_id(b, key),
		.super = w->super < 0 ? 0 : b_class_id(b, (unsigned)w->super),
		.loader = app ? b_object_id(b, B_O_LOADER) : 0,
		.size = instance_size(b, key)};

	b_class(b, &c);
	if (key == B_C_ORDER) {
		if (w_agent(b))
			b_constant(b, 7, B_OBJECT, b_object_id(b, B_O_NAME));
		b_static(b, b_intern(b, "COUNT"), B_INT, 42);
		b_static(b, b_intern(b, "LAST"), B_OBJECT,
			 b_object_id(b, B_O_ORDER_2));
		b_static(b, b_intern(b, "NONE"), B_OBJECT, 0);
		b_static(b, b_intern(b, "OPEN"), B_BOOLEAN, 1);
		pseudo_statics(b);
	}
	for (const struct w_field *f = fields_of(b, key); f->name; f++)
		b_field(b, b_intern(b, f->name), f->type);
	b_class_end(b);
}

void
w_classes(struct b *b)
{
	for (unsigned key = 0; key < B_CLASSES; key++)
		w_class(b, key);
}

/* --- write the objects ------------------------------------------------ */

void
w_instance(struct b *b, uint64_t id, unsigned class_key, const uint64_t *values)
{
	b_instance(b, id, b_class_id(b, class_key));
	for (int k = (int)class_key; k >= 0; k = classes[k].super) {
		const struct w_field *f = fields_of(b, (unsigned)k);

		if (f == object_art) {
			b_id(b, b_class_id(b, class_key));
			b_u4(b, 0);
			continue;
		}
		for (; f->name; f++)
			b_value(b, f->type, *values++);
	}
	b_instance_end(b);
}

static void
name_string(struct b *b)
{
	static const uint64_t text[] = {'m', 'a', 'i', 'n'};
	uint64_t chars = b_object_id(b, B_O_NAME_CHARS);
	const struct w_field *f = fields_of(b, B_C_STRING);
	bool bytes = f == string_new || f == string_art;
	uint64_t values[5] = {0};

	for (unsigned i = 0; f[i].name; i++)
		values[i] = strcmp(f[i].name, "value") == 0   ? chars
			    : strcmp(f[i].name, "count") == 0 ? 4
							      : 0;
	w_instance(b, b_object_id(b, B_O_NAME), B_C_STRING, values);
	b_primitive_array(b, chars, bytes ? B_BYTE : B_CHAR, 4, text);
}

/*
 * The values of the nine fields of a com.acme.Order. A different @n gives
 * different values.
 */
#define ORDER_VALUES(next, n)                                                  \
	next, 1, 0x41 + n, 0x3FC00000u, 0x4029000000000000u, 7, 300 + n,       \
		5000 + n, 123456789012u + n

static void
orders(struct b *b)
{
	uint64_t one = b_object_id(b, B_O_ORDER_1);
	uint64_t two = b_object_id(b, B_O_ORDER_2);
	uint64_t rush = b_object_id(b, B_O_RUSH);
	uint64_t all[] = {one, two, 0, rush};
	uint64_t one_values[] = {ORDER_VALUES(two, 1)};
	uint64_t two_values[] = {ORDER_VALUES(0, 2)};
	uint64_t rush_values[] = {9, b_object_id(b, B_O_THREAD),
				  ORDER_VALUES(one, 3)};
	uint64_t objects[] = {b_class_id(b, B_C_ORDER),
			      b_object_id(b, B_O_NAME), one};

	w_instance(b, one, B_C_ORDER, one_values);
	w_instance(b, two, B_C_ORDER, two_values);
	w_instance(b, rush, B_C_RUSH, rush_values);
	b_object_array(b, b_object_id(b, B_O_ORDERS), b_class_id(b, B_C_ORDERS),
		       4, all);
	b_object_array(b, b_object_id(b, B_O_OBJECTS),
		       b_class_id(b, B_C_OBJECTS), 3, objects);
}

void
w_objects(struct b *b)
{
	static const uint64_t three[] = {1, 0, 1};
	uint64_t nothing[] = {0};
	uint64_t thread[] = {b_object_id(b, B_O_NAME), 5, 0};

	w_instance(b, b_object_id(b, B_O_LOADER), B_C_APP_LOADER, nothing);
	w_instance(b, b_object_id(b, B_O_THREAD), B_C_THREAD, thread);
	name_string(b);
	orders(b);
	for (unsigned i = 0; i < 8; i++)
		b_primitive_array(b, b_object_id(b, B_O_BOOLEANS + i),
				  B_BOOLEAN + i, 3, three);
}
