/*
 * crafted.c - writes dumps that are made to cost: few bytes that would take
 * minutes or gigabytes where work is done again for every record
 *
 *	crafted SHAPE >FILE
 *
 * Each has some megabytes. What they are for says tests/cli/cost.sh.
 */
#include "tests/builder/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONG = 1000000, /* bytes of a name */
	MANY = 60000,	/* classes, dumps */
	OBJECT = 0x1000,
	CLASSES = 0x100000,
	OBJECTS = 0x4000000,
};

static void
start(struct b *b)
{
	b_init(b, 4);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(b, 1, "java/lang/Object");
	b_load_class(b, 1, OBJECT, 0, 1);
}

static uint64_t
class_at(unsigned i)
{
	return CLASSES + 8 * (uint64_t)i;
}

static void class(struct b *b, uint64_t id, uint64_t super)
{
	const struct b_class c = {.id = id, .super = super};

	b_class(b, &c);
	b_class_end(b);
}

/* MANY classes and an object of each; @chain: each below the one before. */
static void
heap(struct b *b, bool chain)
{
	b_heap_dump(b);
	class(b, OBJECT, 0);
	for (unsigned i = 0; i < MANY; i++)
		class(b, class_at(i),
		      chain && i > 0 ? class_at(i - 1) : OBJECT);
	for (unsigned i = 0; i < MANY; i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 NULL, 0);
	b_close(b);
}

static char *
long_name(void)
{
	char *name = malloc(LONG);

	if (!name)
		abort();
	memset(name, 'a', LONG);
	return name;
}

/* All classes have one long name, by two ids in turn. */
static void
names(struct b *b)
{
	char *name = long_name();

	b_string_n(b, 2, name, LONG);
	b_string_n(b, 3, name, LONG);
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2 + i % 2);
	heap(b, false);
	free(name);
}

/* One class is loaded over and over. */
static void
loads(struct b *b)
{
	char *name = long_name();

	b_string_n(b, 2, name, LONG);
	b_string_n(b, 3, name, LONG);
	for (unsigned i = 0; i < 4 * MANY; i++)
		b_load_class(b, 2, class_at(0), 0, 2 + i % 2);
	heap(b, false);
	free(name);
}

static void
chain(struct b *b)
{
	heap(b, true);
}

/* All classes have sites with one deep stack. */
static void
stacks(struct b *b)
{
	uint64_t *frames = malloc(LONG * sizeof(*frames));

	if (!frames)
		abort();
	b_string(b, 2, "name");
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2);
	b_frame(b, 1, 2, 2, 2, 1, 1);
	for (unsigned i = 0; i < LONG; i++)
		frames[i] = 1;
	b_trace(b, 1, 0, LONG, frames);
	b->trace = 1;
	heap(b, false);
	free(frames);
}

/* References to few ids in each of many stretches of addresses. */
static void
stretches(struct b *b)
{
	enum { STRETCHES = 3000, EACH = 300 };
	uint64_t ids[EACH];

	b_release(b);
	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(b, 1, "[Ljava/lang/Object;");
	b_load_class(b, 1, OBJECT, 0, 1);
	b_heap_dump(b);
	class(b, OBJECT, 0);
	for (unsigned i = 0; i < STRETCHES; i++) {
		for (unsigned k = 0; k < EACH; k++)
			ids[k] = ((uint64_t)(i + 1) << 27) + 8 * k;
		b_object_array(b, OBJECTS + 8 * (uint64_t)i, OBJECT, EACH, ids);
	}
	b_close(b);
}

/* A dump of a few bytes, many times, and as many loads before them. */
static void
dumps(struct b *b)
{
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 1);
	for (unsigned i = 0; i < MANY; i++) {
		b_heap_dump(b);
		b_root_unknown(b, OBJECT);
		b_close(b);
	}
}

/* Segments of a few bytes. */
static void
segments(struct b *b)
{
	for (unsigned i = 0; i < 8 * MANY; i++) {
		b_segment(b);
		b_root_unknown(b, OBJECT);
		b_close(b);
	}
	b_heap_dump_end(b);
}

static const struct {
	const char *name;
	void (*write)(struct b *b);
} shapes[] = {
	{"names", names},	{"loads", loads},	  {"chain", chain},
	{"stacks", stacks},	{"stretches", stretches}, {"dumps", dumps},
	{"segments", segments},
};

int
main(int argc, char **argv)
{
	struct b b;

	for (size_t i = 0; argc == 2 && i < sizeof(shapes) / sizeof(*shapes);
	     i++) {
		if (strcmp(argv[1], shapes[i].name) != 0)
			continue;
		start(&b);
		shapes[i].write(&b);
		if (b_write_fd(&b, 1) != 0)
			return 2;
		b_release(&b);
		return 0;
	}
	fputs("usage: crafted SHAPE >FILE\n", stderr);
	return 2;
}
