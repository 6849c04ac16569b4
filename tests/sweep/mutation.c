/*
 * mutation.c - mutate fixtures: every prefix, flipped bytes and extreme lengths
 *
 * This file only makes the mutations. mutate.c runs complete programs with the
 * mutated dumps. sweep.c runs the code of the programs within one process.
 */
#include "tests/sweep/mutation.h"

#include "tests/sweep/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint8_t masks[] = {0x01, 0x80, 0xFF};
static const uint32_t extremes[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};

enum {
	FLIPS = sizeof(masks),
	/*
	 * number of mutations at each of the last three bytes, where fewer than
	 * 4 bytes are left in the file
	 */
	FEW = 1 + FLIPS,
	ALL = FEW + sizeof(extremes) / sizeof(extremes[0]),
};

/*
 * Returns the number of positions in @b at which at least four bytes are left.
 */
static size_t
fours(const struct b *b)
{
	return b->len < 4 ? 0 : b->len - 3;
}

static uint64_t
mutations_of(const struct b *b)
{
	return fours(b) * ALL + (b->len - fours(b)) * FEW;
}

/*
 * Add a fixture if its dump has 1 to @most bytes and no hole (range of bytes
 * that are not stored). Returns false if the fixture was not added.
 */
static bool
add(struct mutation_set *s, const struct b_fixture *f, unsigned id_size,
    size_t most)
{
	struct b *b = &s->dumps[s->ndumps];

	if (s->ndumps == MUTATION_FIXTURES)
		return false;
	b_fixture_build(f, b, id_size);
	if (b->len == 0 || b->len > most || b->hole_len > 0) {
		b_release(b);
		return false;
	}
	if (asprintf(&s->names[s->ndumps], "%s:%u", f->name, id_size) < 0)
		turn_die("asprintf");
	s->ndumps++;
	s->total += mutations_of(b);
	return true;
}

static void
add_all(struct mutation_set *s)
{
	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		for (unsigned size = 4; size <= 8; size += 4) {
			if (f->id_sizes & size)
				add(s, f, size, MUTATION_SMALL);
		}
	}
}

bool
mutation_add(struct mutation_set *s, const char *fixture)
{
	const char *colon = strchr(fixture, ':');
	char *name = strndup(fixture, strcspn(fixture, ":"));
	const struct b_fixture *f = name ? b_fixture_find(name) : NULL;
	unsigned size = colon ? (unsigned)atoi(colon + 1) : 0;

	free(name);
	if (strcmp(fixture, "all") == 0) {
		add_all(s);
		return true;
	}
	if (!f || (colon && !(f->id_sizes & size)))
		return false;
	return add(s, f, colon ? size : b_fixture_id_size(f), SIZE_MAX);
}

void
mutation_add_small(struct mutation_set *s)
{
	static const char *const small[] = {
		"hotspot:8",	   "hotspot25:4", "agent:4",	"art:4",
		"two-dumps-102:4", "all-tags:8",  "unpatched:4"};

	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		if (!mutation_add(s, small[i]))
			turn_die(small[i]);
	}
}

void
mutation_set_release(struct mutation_set *s)
{
	for (size_t i = 0; i < s->ndumps; i++) {
		b_release(&s->dumps[i]);
		free(s->names[i]);
	}
}

static void
change(const struct b *b, size_t at, size_t kind, struct mutation *m)
{
	m->n = kind == 0 ? at : b->len;
	m->data = malloc(m->n ? m->n : 1);
	if (!m->data)
		turn_die("malloc");
	if (m->n)
		memcpy(m->data, b->data, m->n);
	if (kind == 0) {
		snprintf(m->what, sizeof(m->what), "prefix of %zu bytes", at);
	} else if (kind < FEW) {
		m->data[at] ^= masks[kind - 1];
		snprintf(m->what, sizeof(m->what), "byte %zu xor %#x", at,
			 masks[kind - 1]);
	} else {
		uint32_t v = extremes[kind - FEW];

		for (size_t i = 0; i < 4; i++)
			m->data[at + i] = (uint8_t)(v >> (24 - 8 * i));
		snprintf(m->what, sizeof(m->what), "u4 at %zu = %#x", at, v);
	}
}

void
mutation_make(const struct mutation_set *s, uint64_t number, struct mutation *m)
{
	const struct b *b = s->dumps;
	uint64_t whole;

	for (; number >= mutations_of(b); b++)
		number -= mutations_of(b);
	m->fixture = (size_t)(b - s->dumps);
	whole = (uint64_t)fours(b) * ALL;
	if (number < whole)
		change(b, (size_t)(number / ALL), (size_t)(number % ALL), m);
	else
		change(b, fours(b) + (size_t)((number - whole) / FEW),
		       (size_t)((number - whole) % FEW), m);
}

void
mutation_release(struct mutation *m)
{
	free(m->data);
	m->data = NULL;
}

struct seen {
	/*
	 * slots: the hash table, in which 0 is an empty slot. mask: number of
	 * slots - 1.
	 */
	uint64_t *slots, mask;
};

static bool
is_new(struct seen *s, const uint8_t *data, size_t n)
{
	uint64_t digest = XXH3_64bits(data, n) | 1, at = digest >> 1;

	for (at &= s->mask; s->slots[at]; at = (at + 1) & s->mask) {
		if (s->slots[at] == digest)
			return false;
	}
	s->slots[at] = digest;
	return true;
}

uint64_t *
mutation_distinct(const struct mutation_set *s, uint64_t *n)
{
	uint64_t *numbers = calloc(s->total + 1, sizeof(*numbers));
	struct seen seen = {.mask = 1023};

	while (seen.mask < 2 * (s->total + s->ndumps))
		seen.mask = seen.mask << 1 | 1;
	seen.slots = calloc(seen.mask + 1, sizeof(*seen.slots));
	if (!numbers || !seen.slots)
		turn_die("calloc");
	for (size_t i = 0; i < s->ndumps; i++)
		is_new(&seen, s->dumps[i].data, s->dumps[i].len);
	*n = 0;
	for (uint64_t i = 0; i < s->total; i++) {
		struct mutation m;

		mutation_make(s, i, &m);
		if (is_new(&seen, m.data, m.n))
			numbers[(*n)++] = i;
		mutation_release(&m);
	}
	free(seen.slots);
	return numbers;
}
