/*
 * planted.c - write a dump with secrets of each kind in each representation
 *
 * planted ID_SIZE >FILE   write a dump
 * planted --texts         print the secrets of the dump, one per line
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
	if (argc != 2) {
		fputs("usage: planted ID_SIZE >FILE, planted --texts\n",
		      stderr);
		return 2;
	}
	b_init(&b, (unsigned)atoi(argv[1]));
	b_world_tables(&b, B_HOTSPOT);
	for (unsigned i = 0; i < 2 * KINDS; i++)
		b_string(&b, STRINGS + i, text_at(i));
	b_world_heap(&b);
	add_all(&b);
	b_world_end(&b);
	if (b_write_fd(&b, 1) != 0)
		return 2;
	b_release(&b);
	return 0;
}
