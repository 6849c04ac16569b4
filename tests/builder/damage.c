/* damage.c - functions that damage a dump that was built without errors */
#include "tests/builder/builder.h"
#include "tests/builder/internal.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *
place(struct b *b, size_t at, size_t n)
{
	if (at > b->len || n > b->len - at)
		b_fail("damage behind the end");
	return b->data + at;
}

void
b_cut(struct b *b, size_t n)
{
	place(b, b->len >= n ? b->len - n : B_NONE, n);
	b->len -= n;
	b->record = B_NONE;
	b->instance = B_NONE;
	b->class_at = B_NONE;
}

void
b_move_to_end(struct b *b, size_t from, size_t to)
{
	size_t n = to - from;
	uint8_t *p = place(b, from, n), *moved = b_grow(NULL, n, 1);

	memcpy(moved, p, n);
	memmove(p, p + n, b->len - to);
	memcpy(b->data + b->len - n, moved, n);
	free(moved);
}

void
b_cut_at(struct b *b, size_t len)
{
	place(b, len, 0);
	b_cut(b, b->len - len);
}

static void
patch(struct b *b, size_t at, unsigned width, uint64_t v)
{
	uint8_t *p = place(b, at, width);

	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> (8 * (width - 1 - i)));
}

void
b_patch_u1(struct b *b, size_t at, unsigned v)
{
	patch(b, at, 1, v);
}

void
b_patch_u2(struct b *b, size_t at, unsigned v)
{
	patch(b, at, 2, v);
}

void
b_patch_u4(struct b *b, size_t at, uint32_t v)
{
	patch(b, at, 4, v);
}

void
b_patch_u8(struct b *b, size_t at, uint64_t v)
{
	patch(b, at, 8, v);
}

void
b_patch_id(struct b *b, size_t at, uint64_t v)
{
	patch(b, at, b->id_size == 4 ? 4 : 8, v);
}

void
b_flip(struct b *b, size_t at, unsigned mask)
{
	uint8_t *p = place(b, at, 1);

	*p = (uint8_t)(*p ^ mask);
}

void
b_insert(struct b *b, size_t at, const void *bytes, size_t n)
{
	size_t tail;

	place(b, at, 0);
	tail = b->len - at;
	b_zeros(b, n);
	memmove(b->data + at + n, b->data + at, tail);
	if (n)
		memcpy(b->data + at, bytes, n);
}

void
b_remove(struct b *b, size_t at, size_t n)
{
	uint8_t *p = place(b, at, n);

	memmove(p, p + n, b->len - at - n);
	b->len -= n;
}

void
b_garbage(struct b *b, size_t at, size_t n)
{
	uint32_t x = 0x2545F491;

	for (size_t i = 0; i < n; i++) {
		uint8_t byte;

		x = x * 1664525u + 1013904223u;
		byte = (uint8_t)(0x60 |
				 /*
				  * bytes from 0x60 to 0x7F, because no record
				  * has a tag in this range
				  */
				 (x >> 24 & 0x1F));
		b_insert(b, at + i, &byte, 1);
	}
}

uint32_t
b_length(const struct b *b, size_t record)
{
	const uint8_t *p = b->data + record + 5;

	if (record > b->len || b->len - record < 9)
		b_fail("no record there");
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

void
b_set_length(struct b *b, size_t record, uint32_t v)
{
	patch(b, record + 5, 4, v);
}

void
b_unpatch_length(struct b *b, size_t record)
{
	b_set_length(b, record, 0);
}

size_t
b_dup_record(struct b *b, size_t record)
{
	size_t n = 9 + (size_t)b_length(b, record);
	size_t at = b->len;

	place(b, record, n);
	b_zeros(b, n);
	memcpy(b->data + at, b->data + record, n);
	b->records[b->data[record]]++;
	return at;
}

void
b_remove_record(struct b *b, size_t record)
{
	size_t n = 9 + (size_t)b_length(b, record);

	place(b, record, n);
	b->records[b->data[record]]--;
	b_remove(b, record, n);
}

/*
 * Replace the whole dump by @n new bytes. Records that were begun before cannot
 * be ended afterwards.
 */
static void
replace_all(struct b *b, const uint8_t *bytes, size_t n)
{
	b_cut_at(b, 0);
	b_bytes(b, bytes, n);
}

static uint8_t *
room_for_copy(const struct b *b)
{
	uint8_t *copy = malloc(3 * b->len + 2);

	if (!copy)
		b_fail("no memory");
	return copy;
}

void
b_text_mode(struct b *b)
{
	uint8_t *copy = room_for_copy(b);
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++) {
		if (b->data[i] == '\n')
			copy[n++] = '\r';
		copy[n++] = b->data[i];
	}
	replace_all(b, copy, n);
	free(copy);
}

void
b_as_utf8(struct b *b, bool lossy)
{
	uint8_t *copy = room_for_copy(b);
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++) {
		uint8_t c = b->data[i];

		if (c < 0x80) {
			copy[n++] = c;
		} else if (lossy) {
			copy[n++] = 0xef;
			copy[n++] = 0xbf;
			copy[n++] = 0xbd;
		} else {
			copy[n++] = (uint8_t)(0xc0 | c >> 6);
			copy[n++] = 0x80 | (c & 0x3f);
		}
	}
	replace_all(b, copy, n);
	free(copy);
}

void
b_as_utf16(struct b *b)
{
	uint8_t *copy = room_for_copy(b);
	size_t n = 0;

	copy[n++] = 0xff;
	copy[n++] = 0xfe;
	for (size_t i = 0; i < b->len; i++) {
		copy[n++] = b->data[i];
		copy[n++] = 0;
	}
	replace_all(b, copy, n);
	free(copy);
}
