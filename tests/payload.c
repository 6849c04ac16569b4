/*
 * payload.c - compare a stripped dump with its original
 *
 *	payload ORIGINAL STRIPPED
 *
 * This program has a decoder of its own, so that it can find mistakes of the
 * library. Both files must be equal, except that the elements of all primitive
 * arrays must be zero in STRIPPED. The program prints the numbers of arrays and
 * bytes. It exits with 0 if the files agree, with 1 if they do not, and with 2
 * if it cannot read them. It expects valid dumps, and maps both files into
 * memory.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	const uint8_t *data;
	size_t len;
};

struct walk {
	const uint8_t *old, *new;
	size_t at,
		/*
		 * the current position, and the offset at which the current
		 * heap record ends
		 */
		end;
	unsigned id; /* size of an id, in bytes */
	uint64_t arrays, zeroed, changed;
};

static int
trouble(const char *what, size_t at)
{
	fprintf(stderr, "payload: %s at %zu\n", what, at);
	return 2;
}

static bool
slurp(const char *path, struct file *f)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		perror(path);
		return false;
	}
	f->len = (size_t)st.st_size;
	f->data = mmap(NULL, f->len, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (f->data == MAP_FAILED) {
		perror(path);
		return false;
	}
	return true;
}

static uint32_t
be(const uint8_t *p, unsigned n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static bool
is_zero(const uint8_t *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

static unsigned
size_of(const struct walk *w, unsigned type)
{
	static const uint8_t sizes[12] = {0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8};

	return type == 2 ? w->id : type < 12 ? sizes[type] : 0;
}

/*
 * Returns the size of the fixed fields after the tag of a sub-record, in bytes.
 * The tag must be one whose sub-records all have the same length.
 */
static size_t
fixed_size(const struct walk *w, unsigned tag)
{
	switch (tag) {
	case 0x01:
		return 2 * w->id;
	case 0x02:
	case 0x03:
	case 0x08:
	case 0x8E:
		return w->id + 8;
	case 0x04:
	case 0x06:
		return w->id + 4;
	case 0xC3:
		return w->id + 9;
	case 0xFE:
		return w->id + 4;
	default:
		return w->id;
	}
}

static size_t
class_size(const struct walk *w)
{
	const uint8_t *p = w->old + w->at + 1;
	size_t n = 7 * w->id + 8, count;

	for (count = be(p + n, 2), n += 2; count > 0; count--)
		n += 3 + size_of(w, p[n + 2]);
	for (count = be(p + n, 2), n += 2; count > 0; count--)
		n += w->id + 1 + size_of(w, p[n + w->id]);
	count = be(p + n, 2);
	return n + 2 + count * (w->id + 1);
}

/*
 * Go to the next sub-record in both files. If it is a primitive array, compare
 * its elements.
 */
static void
step(struct walk *w)
{
	const uint8_t *p = w->old + w->at;
	unsigned tag = p[0];
	size_t head, body = 0;

	if (tag == 0x20) {
		head = 1 + class_size(w);
	} else if (tag == 0x21) {
		head = 9 + 2 * w->id;
		body = be(p + head - 4, 4);
	} else if (tag == 0x22) {
		head = 9 + 2 * w->id;
		body = (size_t)be(p + 5 + w->id, 4) * w->id;
	} else if (tag == 0x23) {
		head = 10 + w->id;
		body = (size_t)be(p + 5 + w->id, 4) * size_of(w, p[9 + w->id]);
	} else {
		head = 1 + fixed_size(w, tag);
	}
	if (tag == 0x23) {
		w->arrays++;
		w->changed += memcmp(p, w->new + w->at, head) != 0;
		w->changed += !is_zero(w->new + w->at + head, body);
		w->zeroed += body;
	} else {
		w->changed += memcmp(p, w->new + w->at, head + body) != 0;
	}
	w->at += head + body;
}

static int
walk(struct walk *w, size_t len)
{
	size_t at = strlen((const char *)w->old) + 1;

	w->id = be(w->old + at, 4);
	at += 12;
	w->changed += memcmp(w->old, w->new, at) != 0;
	while (len - at >= 9) {
		unsigned tag = w->old[at];
		size_t n = be(w->old + at + 5, 4);

		if (n > len - at - 9)
			return trouble("record past the end", at);
		if (tag != 0x0C && tag != 0x1C) {
			w->changed +=
				memcmp(w->old + at, w->new + at, n + 9) != 0;
			at += 9 + n;
			continue;
		}
		w->changed += memcmp(w->old + at, w->new + at, 9) != 0;
		w->at = at + 9;
		w->end = w->at + n;
		while (w->at < w->end)
			step(w);
		if (w->at != w->end)
			return trouble("sub-record past the segment", w->at);
		at = w->end;
	}
	return at == len ? 0 : trouble("trailing bytes", at);
}

int
main(int argc, char **argv)
{
	struct file old, new;
	struct walk w = {0};
	int rc;

	if (argc != 3 || !slurp(argv[1], &old) || !slurp(argv[2], &new))
		return 2;
	if (old.len != new.len) {
		printf("lengths differ: %zu, %zu\n", old.len, new.len);
		return 1;
	}
	w.old = old.data;
	w.new = new.data;
	rc = walk(&w, old.len);
	printf("%llu arrays, %llu bytes, %llu wrong\n",
	       (unsigned long long)w.arrays, (unsigned long long)w.zeroed,
	       (unsigned long long)w.changed);
	munmap((void *)old.data, old.len);
	munmap((void *)new.data, new.len);
	return rc ? rc : w.changed != 0;
}
