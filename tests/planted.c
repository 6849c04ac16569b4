/*
 * planted.c - write a dump with secrets of each kind in each representation
 *
 * planted ID_SIZE >FILE   write a dump
 * planted --texts         print the secrets of the dump, one per line
 * planted ID_SIZE named >FILE
 *                         write a dump with passwords that only the name of
 *                         their field or key shows, and with texts that have
 *                         such names but are no secrets. A secret ends with
 *                         "Zq1", and no other text does
 *
 * The secrets are in byte[] (Latin-1, and UTF-16 in both byte orders), in
 * char[], and in STRING records; alone and inside larger texts; and in a long
 * array that programs read in several pieces. A String refers only to every
 * third array.
 */
#include "tests/builder/world.h"
#include "tests/secret_examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KINDS = sizeof(secret_examples) / sizeof(*secret_examples),
	TEXT_MOST = 1000,
	ARRAYS = 0x62000000,
	TEXTS = 0x61000000,
	STRINGS = 0x7e000000,
	LONG = 3 << 20, /* number of elements of the long arrays */
};

enum form { LATIN, UTF16_LITTLE, UTF16_BIG, CHARS, FORMS };

/*
 * Returns text number @i. The texts are first each secret alone, then each
 * secret inside a larger text.
 */
static const char *
text_at(unsigned i)
{
	static char text[TEXT_MOST];
	const char *const *e = secret_examples[i % KINDS];

	if (i < KINDS)
		snprintf(text, sizeof(text), "%s%s", e[0], e[1]);
	else
		snprintf(text, sizeof(text), "%200s %s%s %200s", "before", e[0],
			 e[1], "after");
	return text;
}

/*
 * Write an array with @n characters: the text and a space, repeated as often as
 * they fit.
 */
static void
add_array(struct b *b, uint64_t id, enum form form, const char *text, size_t n)
{
	size_t width = form == LATIN || form == CHARS ? 1 : 2;
	size_t length = strlen(text) + 1;
	uint64_t *values = calloc(n * width, sizeof(*values));

	if (!values)
		abort();
	for (size_t i = 0; i < n / length * length; i++) {
		char c = text[i % length];

		values[i * width + (form == UTF16_BIG)] =
			c ? (uint8_t)c : (uint8_t)' ';
	}
	b_primitive_array(b, id, form == CHARS ? B_CHAR : B_BYTE,
			  (uint32_t)(n * width), values);
	free(values);
}

static void
add_all(struct b *b)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < 2 * KINDS; i++)
		for (unsigned form = 0; form < FORMS; form++, next++) {
			uint64_t array = ARRAYS + 0x1000 * next;
			const char *text = text_at(i);

			add_array(b, array, (enum form)form, text,
				  strlen(text) + 1);
			if (next % 3 == 0)
				w_instance(b, TEXTS + 0x40 * next, B_C_STRING,
					   (uint64_t[]){array, 0, 0});
		}
	for (unsigned form = 0; form < FORMS; form++, next++)
		add_array(b, ARRAYS + 0x1000 * next, (enum form)form,
			  text_at(form), LONG);
}

/* ---- secrets that only the name of a field or key shows ---- */

enum { CLASSES = 0x50000000, OBJECTS = 0x51000000 };

static const struct {
	const char *name;
	const char *fields[3];
} classes[] = {
	{"com/acme/Login", {"tokenizer", "dbPassword", "api_key"}},
	/* inherits the fields of com.acme.Login */
	{"com/acme/Special", {"passwordPolicy"}},
	{"java/util/HashMap$Node", {"key", "value", "next"}},
	{"java/util/concurrent/ConcurrentHashMap$Node", {"key", "val", "next"}},
	/*
	 * a java.util.Properties is a Hashtable before Java 9, and contains a
	 * ConcurrentHashMap since Java 9
	 */
	{"java/util/Hashtable$Entry", {"key", "value", "next"}},
	{"java/util/Properties", {"defaults", "map"}},
	{"java/util/concurrent/ConcurrentHashMap", {"table"}},
	{"[Ljava/util/concurrent/ConcurrentHashMap$Node;", {NULL}}};

enum {
	LOGIN,
	SPECIAL,
	NODE,
	CONCURRENT_NODE,
	TABLE_ENTRY,
	PROPERTIES,
	CONCURRENT_MAP,
	NODES,
	CLASS_COUNT
};

static uint64_t
object(void)
{
	static uint64_t last = OBJECTS;

	return last += 0x40;
}

static uint64_t
array_of(struct b *b, enum form form, const char *text)
{
	uint64_t id = object(), values[200] = {0};
	size_t n = strlen(text), step = form == UTF16_LITTLE ? 2 : 1;

	for (size_t i = 0; i < n; i++)
		values[i * step] = (uint8_t)text[i];
	b_primitive_array(b, id, form == CHARS ? B_CHAR : B_BYTE,
			  (uint32_t)(n * step), values);
	return id;
}

static uint64_t
string_of(struct b *b, enum form form, const char *text)
{
	uint64_t array = array_of(b, form, text), id = object();

	w_instance(b, id, B_C_STRING, (uint64_t[]){array, 0, 0});
	return id;
}

static uint64_t
instance_of(struct b *b, unsigned class, const uint64_t *values, unsigned n)
{
	uint64_t id = object();

	b_instance(b, id, CLASSES + 0x100 * class);
	for (unsigned i = 0; i < n; i++)
		b_value(b, B_OBJECT, values[i]);
	b_instance_end(b);
	return id;
}

static void
named_tables(struct b *b)
{
	b_intern(b, "sharedSecret");
	for (unsigned i = 0; i < CLASS_COUNT; i++) {
		for (unsigned k = 0; k < 3 && classes[i].fields[k]; k++)
			b_intern(b, classes[i].fields[k]);
		b_load_class(b, 900 + i, CLASSES + 0x100 * i, 1,
			     b_intern(b, classes[i].name));
	}
}

static void
named_classes(struct b *b, uint64_t shared)
{
	for (unsigned i = 0; i < CLASS_COUNT; i++) {
		b_class(b, &(struct b_class){
				   .id = CLASSES + 0x100 * i,
				   .super = i == SPECIAL
						    ? CLASSES
						    : b_class_id(b, B_C_OBJECT),
				   .size = B_AUTO});
		if (i == LOGIN)
			b_static(b, b_intern(b, "sharedSecret"), B_OBJECT,
				 shared);
		for (unsigned k = 0; k < 3 && classes[i].fields[k]; k++)
			b_field(b, b_intern(b, classes[i].fields[k]), B_OBJECT);
		b_class_end(b);
	}
}

static uint64_t
entry(struct b *b, unsigned class, const char *key, uint64_t value)
{
	return instance_of(b, class,
			   (uint64_t[]){string_of(b, LATIN, key), value, 0}, 3);
}

static void
properties(struct b *b, const char *key, const char *value)
{
	uint64_t node =
		entry(b, CONCURRENT_NODE, key, string_of(b, LATIN, value));
	uint64_t table = object(), map;

	b_object_array(b, table, CLASSES + 0x100 * NODES, 1, &node);
	map = instance_of(b, CONCURRENT_MAP, &table, 1);
	instance_of(b, PROPERTIES, (uint64_t[]){0, map}, 2);
}

static void
add_named(struct b *b)
{
	uint64_t none = 0, plain = string_of(b, LATIN, "tokenizer7-text.9");

	named_classes(b, string_of(b, LATIN, "static-9fK2xWZq1"));
	instance_of(b, LOGIN,
		    (uint64_t[]){plain, string_of(b, LATIN, "field!hunterZq1"),
				 array_of(b, LATIN, "bytes-8-apiZq1")},
		    3);
	instance_of(
		b, LOGIN,
		(uint64_t[]){plain, array_of(b, CHARS, "chars-pwZq1"), none},
		3);
	instance_of(
		b, SPECIAL,
		(uint64_t[]){string_of(b, LATIN, "policy:at-least-8"), plain,
			     string_of(b, UTF16_LITTLE, "inheritedZq1"), none},
		4);
	entry(b, NODE, "password", string_of(b, LATIN, "map-valueZq1"));
	entry(b, CONCURRENT_NODE, "client.api-key",
	      string_of(b, LATIN, "concurrent-4Zq1"));
	entry(b, NODE, "ACCESS_TOKEN",
	      array_of(b, CHARS, "token-of-map-16Zq1"));
	properties(b, "spring.datasource.password", "properties-3Zq1");
	entry(b, TABLE_ENTRY, "javax.net.ssl.keyStorePassword",
	      string_of(b, UTF16_LITTLE, "hashtable-5Zq1"));
	/* no secrets: empty, a path, names, a message, a placeholder */
	entry(b, NODE, "password", none);
	entry(b, NODE, "PWD", string_of(b, LATIN, "/home/app/work"));
	entry(b, NODE, "password.label", string_of(b, LATIN, "Geheimwort7"));
	entry(b, NODE, "password", string_of(b, LATIN, "Enter the password:"));
	entry(b, NODE, "password", string_of(b, LATIN, "${db.password}"));
	entry(b, NODE, "password", string_of(b, LATIN, "************"));
	entry(b, NODE, "password", string_of(b, LATIN, "com.acme.Field"));
	entry(b, NODE, "nextToken", string_of(b, LATIN, "identifier"));
	entry(b, NODE, "passwords", string_of(b, LATIN, "hunter22-none"));
}

int
main(int argc, char **argv)
{
	struct b b;

	if (argc == 2 && strcmp(argv[1], "--texts") == 0) {
		for (unsigned i = 0; i < KINDS; i++)
			printf("%s\n", strrchr(text_at(i), '\n')
					       ? strrchr(text_at(i), '\n') + 1
					       : text_at(i));
		return 0;
	}
	if (argc != 2 && argc != 3) {
		fputs("usage: planted ID_SIZE [named] >FILE, planted --texts\n",
		      stderr);
		return 2;
	}
	b_init(&b, (unsigned)atoi(argv[1]));
	b_world_tables(&b, B_HOTSPOT);
	if (argc == 3)
		named_tables(&b);
	for (unsigned i = 0; argc == 2 && i < 2 * KINDS; i++)
		b_string(&b, STRINGS + i, text_at(i));
	b_world_heap(&b);
	if (argc == 3)
		add_named(&b);
	else
		add_all(&b);
	b_world_end(&b);
	if (b_write_fd(&b, 1) != 0)
		return 2;
	b_release(&b);
	return 0;
}
