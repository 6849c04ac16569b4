/*
 * crafted_pack.c - small dumps that would be slow to pack in a program that
 * handles them naively
 */
#include "tests/crafted.h"

/*
 * Write instances of many classes. Their class ids collide: a hash table that
 * multiplies ids by a well-known factor would store all of them in one slot.
 */
void
symbols(struct b *b)
{
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t inverse = factor;

	for (unsigned i = 0; i < 5; i++)
		inverse *= 2 - factor * inverse;
	b_release(b);
	start(b, 8, "JAVA PROFILE 1.0.2");
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(60000); i++) {
		uint64_t h = (UINT64_C(12345) << 47 | i) * inverse;

		h ^= h >> 29 ^ h >> 58;
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i,
				 h ^ UINT64_C(0x0021003000000000), NULL, 0);
	}
	b_close(b);
}

/* Write classes with a few fields, followed by one object of each class. */
void
singles(struct b *b)
{
	static const uint8_t bytes[8 * 4];
	unsigned n = TIMES(50000);

	b_string(b, 2, "name");
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		const struct b_class c = {.id = class_at(i),
					  .super = OBJECT,
					  .size = sizeof(bytes)};

		b_class(b, &c);
		for (unsigned k = 0; k < sizeof(bytes) / 4; k++)
			b_field(b, 2, B_INT);
		b_class_end(b);
	}
	for (unsigned i = 0; i < n; i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 bytes, sizeof(bytes));
	b_close(b);
}

void
supers(struct b *b)
{
	static const uint8_t bytes[4] = {1, 2, 3, 4};
	unsigned deep = TIMES(480), n = TIMES(100000);

	b_string(b, 2, "name");
	begin_heap(b);
	for (unsigned i = 0; i < deep; i++)
		class(b, class_at(i), i > 0 ? class_at(i - 1) : OBJECT);
	for (unsigned i = deep; i < deep + n; i++) {
		const struct b_class c = {.id = class_at(i),
					  .super = class_at(deep - 1),
					  .size = sizeof(bytes)};

		b_class(b, &c);
		b_field(b, 2, B_INT);
		b_class_end(b);
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 bytes, sizeof(bytes));
	}
	b_close(b);
}
