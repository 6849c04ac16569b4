/*
 * core.c - the dump that a test builds: its bytes in memory, marked offsets in
 * it, and writing it to a file
 *
 * records.c and heap.c know the fields of records and sub-records.
 */
#include "tests/builder/builder.h"
#include "tests/builder/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
b_fail(const char *what)
{
	fprintf(stderr, "builder: %s\n", what);
	abort();
}

void *
b_grow(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		b_fail("out of memory");
	return p;
}

void *
b_grow_one(void *p, size_t n, size_t size)
{
	return (n & (n - 1)) != 0 ? p : b_grow(p, n ? 2 * n : 1, size);
}

void
b_init(struct b *b, unsigned id_size)
{
	*b = (struct b){.id_size = id_size,
			.trace = 1,
			.record = B_NONE,
			.instance = B_NONE,
			.class_at = B_NONE,
			.count_at = B_NONE,
			.hole_at = B_NONE,
			.next_string = 0x1000,
			.string_step = 8};
}

void
b_release(struct b *b)
{
	for (size_t i = 0; i < b->nstrings; i++)
		free(b->strings[i].text);
	free(b->strings);
	free(b->classes);
	free(b->data);
	*b = (struct b){0};
}

size_t
b_here(const struct b *b)
{
	return b->len + (size_t)b->hole_len;
}

void
b_mark(struct b *b, const char *name, size_t at)
{
	struct b_mark *m;

	if (b->nmarks == B_MAX_MARKS)
		b_fail("too many marks");
	m = &b->marks[b->nmarks++];
	snprintf(m->name, sizeof m->name, "%s", name);
	m->at = at;
}

size_t
b_at(const struct b *b, const char *name)
{
	for (size_t i = b->nmarks; i-- > 0;)
		if (strcmp(b->marks[i].name, name) == 0)
			return b->marks[i].at;
	b_fail(name);
	return 0;
}

void
b_bytes(struct b *b, const void *bytes, size_t n)
{
	if (n > b->cap - b->len) {
		size_t cap = b->cap ? b->cap : 4096;

		while (n > cap - b->len)
			cap *= 2;
		b->data = b_grow(b->data, cap, 1);
		b->cap = cap;
	}
	if (n)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
}

void
b_zeros(struct b *b, size_t n)
{
	static const uint8_t zeros[4096];

	for (; n > sizeof zeros; n -= sizeof zeros)
		b_bytes(b, zeros, sizeof zeros);
	b_bytes(b, zeros, n);
}

void
b_uint(struct b *b, unsigned width, uint64_t v)
{
	for (unsigned i = width; i-- > 0;) {
		uint8_t byte = (uint8_t)(v >> (8 * i));

		b_bytes(b, &byte, 1);
	}
}

void
b_u1(struct b *b, unsigned v)
{
	b_uint(b, 1, v);
}

void
b_u2(struct b *b, unsigned v)
{
	b_uint(b, 2, v);
}

void
b_u4(struct b *b, uint32_t v)
{
	b_uint(b, 4, v);
}

void
b_u8(struct b *b, uint64_t v)
{
	b_uint(b, 8, v);
}

void
b_id(struct b *b, uint64_t v)
{
	b_uint(b, b->id_size == 4 ? 4 : 8, v);
}

unsigned
b_type_size(const struct b *b, unsigned type)
{
	switch (type) {
	case B_ARRAY:
	case B_OBJECT:
		return b->id_size == 4 ? 4 : 8;
	case B_BOOLEAN:
	case B_BYTE:
		return 1;
	case B_CHAR:
	case B_SHORT:
		return 2;
	case B_FLOAT:
	case B_INT:
		return 4;
	case B_DOUBLE:
	case B_LONG:
		return 8;
	default:
		return 0;
	}
}

void
b_value(struct b *b, unsigned type, uint64_t v)
{
	b_uint(b, b_type_size(b, type), v);
}

void
b_hole(struct b *b, uint64_t n)
{
	if (b->hole_len)
		b_fail("a second hole");
	b->hole_at = b->len;
	b->hole_len = n;
}

static int
write_all(int fd, const uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

/*
 * Write @n zero bytes: a sparse region if @fd can seek, otherwise real bytes.
 */
static int
write_hole(int fd, uint64_t n)
{
	static const uint8_t zeros[65536];
	struct stat st;
	off_t at;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		at = lseek(fd, (off_t)n, SEEK_CUR);
		return at < 0 ? -1 : ftruncate(fd, at);
	}
	for (; n > sizeof zeros; n -= sizeof zeros)
		if (write_all(fd, zeros, sizeof zeros))
			return -1;
	return write_all(fd, zeros, (size_t)n);
}

int
b_write_fd(const struct b *b, int fd)
{
	size_t first = b->hole_len ? b->hole_at : b->len;

	if (write_all(fd, b->data, first))
		return -1;
	if (b->hole_len && write_hole(fd, b->hole_len))
		return -1;
	return write_all(fd, b->data ? b->data + first : NULL, b->len - first);
}

int
b_save(const struct b *b, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int rc;

	if (fd < 0)
		return -1;
	rc = b_write_fd(b, fd);
	if (close(fd))
		rc = -1;
	return rc;
}
