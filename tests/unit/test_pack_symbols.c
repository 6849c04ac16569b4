/*
 * test_pack_symbols.c - tests of symbols, by which a block of a pack describes
 * repeated sub-records: the hash table of symbols, and the fields of instances
 */
#include "common/pack/block/block.h"
#include "tests/builder/builder.h"

#include <check.h>
#include <stdlib.h>

Suite *test_pack_symbols_suite(void);

/* ---- the hash table of symbols (repeated sub-records) ---- */

/*
 * Returns a class id whose product with a well-known factor begins with fixed
 * bits. In a hash table that multiplies ids by this factor, all such ids
 * collide. If @folded is true, the hash table combines both halves of the id
 * before it multiplies.
 */
static uint64_t
crafted_id(uint64_t i, bool folded)
{
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t inverse = factor, h;

	for (unsigned k = 0; k < 5; k++)
		inverse *= 2 - factor * inverse;
	h = (UINT64_C(12345) << 47 | i) * inverse;
	if (folded)
		h ^= h >> 29 ^ h >> 58;
	return h ^ UINT64_C(0x21) << 48 ^ (uint64_t)HP_PACK_INSTANCE << 36;
}

static size_t
longest_run(const struct hp_hash_table *t)
{
	size_t most = 0, run = 0;

	for (size_t i = 0; i < t->cap; i++) {
		run = t->slots[i].number ? run + 1 : 0;
		if (run > most)
			most = run;
	}
	return most;
}

enum { CRAFTED = 20000 };

/*
 * Encode a block with class ids that were chosen to collide. Returns the length
 * of the longest run of used slots in its hash table.
 */
static size_t
run_of_crafted(bool folded)
{
	struct hp_pack_encoder e = {0};
	struct hp_pack_walk w = {.last = true};
	size_t longest;
	struct b b;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_heap_dump(&b);
	for (uint64_t i = 0; i < CRAFTED; i++)
		b_instance_bytes(&b, 8 * (i + 1), crafted_id(i, folded), NULL,
				 0);
	b_close(&b);
	w.at = b.data;
	w.left = b.len;
	ck_assert_int_eq(hp_pack_encode(&e, &w), HP_OK);
	ck_assert_uint_gt(e.table.nsymbols, CRAFTED);
	longest = longest_run(&e.found);
	hp_pack_encoder_release(&e);
	b_release(&b);
	return longest;
}

/*
 * Test that class ids which were chosen to collide do not fill many consecutive
 * slots of the hash table. Three attempts are made, because the seed of the
 * hash table is random.
 */
START_TEST(crafted_classes)
{
	size_t least = SIZE_MAX;

	for (unsigned i = 0; i < 3 && least > 256; i++) {
		size_t longest = run_of_crafted(_i);

		if (longest < least)
			least = longest;
	}
	ck_assert_uint_le(least, 256);
}
END_TEST

/* ---- find the fields of classes in a block ---- */

enum { CLASSES = 1200, DEPTH = 1000, ROOM = 64 };

/* A class in a chain of superclasses. */
struct link {
	/* position of the superclass in the chain, from 1; 0: there is none */
	unsigned super;
	unsigned nfields;
	/*
	 * position in the order in which the classes are added, from 1; 0: the
	 * class is never added
	 */
	unsigned number;
};

static uint64_t
id_of(unsigned place)
{
	return place ? 0x1000 + 8 * (uint64_t)place : 0;
}

static void
add(struct hp_pack_layouts *l, struct link *links, unsigned place)
{
	const struct b_class c = {.id = id_of(place),
				  .super = id_of(links[place].super)};
	struct hp_error err = {0};
	/* number of bytes of the header of the record with the class dump */
	size_t head = 9;
	struct b b;

	b_init(&b, 8);
	b_heap_dump(&b);
	b_class(&b, &c);
	for (unsigned i = 0; i < links[place].nfields; i++)
		b_field(&b, 1, (place + i) % 2 ? B_INT : B_OBJECT);
	b_class_end(&b);
	b_close(&b);
	ck_assert_int_eq(
		hp_pack_layouts_add(l, b.data + head, b.len - head, 8, &err),
		HP_OK);
	b_release(&b);
	links[place].number = l->count;
}

/*
 * Returns the expected result of hp_pack_layouts_fields(), by following the
 * superclasses one by one.
 */
static size_t
walk(const struct link *links, unsigned place, uint32_t known, uint8_t *types)
{
	size_t n = 0;

	for (unsigned depth = 0; place && depth < DEPTH; depth++) {
		const struct link *k = &links[place];

		if (k->number == 0 || k->number > known ||
		    k->nfields > ROOM - n)
			return 0;
		for (unsigned i = 0; i < k->nfields; i++)
			types[n++] = (place + i) % 2 ? B_INT : B_OBJECT;
		place = k->super;
	}
	return place ? 0 : n;
}

static void
check_fields(struct hp_pack_layouts *l, const struct link *links,
	     unsigned place, uint32_t known)
{
	uint8_t got[ROOM], want[ROOM];
	size_t n = walk(links, place, known, want);

	ck_assert_uint_eq(
		hp_pack_layouts_fields(l, id_of(place), known, got, ROOM), n);
	ck_assert_mem_eq(got, want, n);
}

/*
 * Test chains of classes with few fields. One chain is too long, and one is a
 * cycle. The result must not depend on earlier calls, or on classes that are
 * added later. The classes are added in a shuffled order: by their position
 * times @_i, modulo a prime number.
 */
START_TEST(fields_of_chains)
{
	enum { PRIME = 1201, ALWAYS = 90, ENDLESS = 100 };
	struct link links[CLASSES + 1] = {0};
	static const unsigned steps[] = {1, PRIME - 1, 617};
	struct hp_pack_layouts l;

	hp_pack_layouts_init(&l);
	for (unsigned i = 1; i <= CLASSES; i++)
		links[i] = (struct link){.super = i - 1,
					 .nfields = i % ALWAYS == 2 ? 2 : 0};
	links[CLASSES - ENDLESS].super = CLASSES - 1;
	for (unsigned i = 1; i <= CLASSES; i++) {
		add(&l, links, i * steps[_i] % PRIME);
		check_fields(&l, links, i * 13 % PRIME, i);
	}
	for (uint32_t known = 0; known <= CLASSES; known += 150)
		for (unsigned i = 1; i <= CLASSES; i++)
			check_fields(&l, links, i * 7 % PRIME, known);
	check_fields(&l, links, DEPTH, CLASSES);
	check_fields(&l, links, DEPTH + 1, CLASSES);
	hp_pack_layouts_release(&l);
}
END_TEST

Suite *
test_pack_symbols_suite(void)
{
	Suite *s = suite_create("pack_symbols");
	TCase *t = tcase_create("pack_symbols");

	tcase_add_loop_test(t, crafted_classes, 0, 2);
	tcase_add_loop_test(t, fields_of_chains, 0, 3);
	suite_add_tcase(s, t);
	return s;
}
