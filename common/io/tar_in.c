/*
 * tar_in.c - read tar archives: headers, long names, sizes above 8 GB
 *
 * Source: POSIX, pax, "ustar Interchange Format" and "pax Header Block"; GNU
 *   tar's manual, "Basic Tar Format" (long names, base 256, sparse files).
 */
#include "common/io/internal.h"
#include "common/io/layer.h"

#include <stdlib.h>
#include <string.h>

enum {
	BLOCK = 512,
	/* offsets and lengths in bytes of the fields of a tar header */
	NAME = 0,
	NAME_LEN = 100,
	SIZE = 124,
	SIZE_LEN = 12,
	SUM = 148,
	SUM_LEN = 8,
	TYPE = 156,
	MAGIC = 257,
	PREFIX = 345,
	PREFIX_LEN = 155,
	/* maximum number of bytes of a pax header that are read */
	PAX_MOST = 64 << 10,
};

struct tar {
	/*
	 * number of bytes of the current file in the archive that were not read
	 * yet
	 */
	uint64_t left;
	/*
	 * number of padding bytes between the data of the current file and the
	 * next header
	 */
	unsigned after;
	/* the block of 512 bytes that was read last is all zeros */
	bool zero;
	/*
	 * The members below are values for the next file of the archive. An
	 * extended header before that file sets them.
	 */
	/*
	 * The name of the next file. "": no extended header has the name, so it
	 * is in the header of the file itself.
	 */
	char name[HP_ARCHIVE_NAME];
	bool sized, sparse;
	uint64_t size;
	uint8_t pax[PAX_MOST];
};

/* ---- headers ---- */

static bool
read_number(const uint8_t *p, size_t n, uint64_t *out)
{
	uint64_t v = 0;
	size_t i = 0;

	*out = 0;
	if (p[0] & 0x80) {
		for (v = p[0] & 0x7f, i = 1; i < n; i++) {
			if (v >> 55)
				return false;
			v = v << 8 | p[i];
		}
		*out = v;
		return true;
	}
	while (i < n && p[i] == ' ')
		i++;
	for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
		/*
		 * at most 12 octal digits (36 bits), so the shift cannot
		 * overflow
		 */
		v = v << 3 | (p[i] - '0');
	*out = v;
	return i == n || p[i] == 0 || p[i] == ' ';
}

/*
 * Whether the checksum of a header is right. It is the sum of all bytes of the
 * header, with spaces in place of the checksum itself.
 */
static bool
is_sum_right(const uint8_t *h)
{
	uint64_t want, got = 0;

	for (size_t i = 0; i < BLOCK; i++)
		got += i >= SUM && i < SUM + SUM_LEN ? ' ' : h[i];
	return read_number(h + SUM, SUM_LEN, &want) && want == got;
}

static bool
is_ustar(const uint8_t *h)
{
	return memcmp(h + MAGIC, "ustar", 5) == 0;
}

static bool
is_zero(const uint8_t *h)
{
	for (size_t i = 0; i < BLOCK; i++)
		if (h[i])
			return false;
	return true;
}

static void
read_name(const uint8_t *h, char out[HP_ARCHIVE_NAME])
{
	size_t n = 0, k;

	/*
	 * In a header with GNU's magic number "ustar ", the bytes of the POSIX
	 * field `prefix` are used for other fields.
	 */
	if (is_ustar(h) && h[MAGIC + 5] == 0 && h[PREFIX]) {
		n = strnlen((const char *)h + PREFIX, PREFIX_LEN);
		memcpy(out, h + PREFIX, n);
		out[n++] = '/';
	}
	k = strnlen((const char *)h + NAME, NAME_LEN);
	if (k > HP_ARCHIVE_NAME - 1 - n)
		k = HP_ARCHIVE_NAME - 1 - n;
	memcpy(out + n, h + NAME, k);
	out[n + k] = '\0';
}

/* ---- extended headers, which describe the next file ---- */

/* Whether a pax record begins with @key ("key="). If so, returns its value. */
static bool
is_key(const char *p, size_t n, const char *key, const char **value,
       size_t *len)
{
	size_t k = strlen(key);

	if (n < k || memcmp(p, key, k) != 0)
		return false;
	*value = p + k;
	*len = n - k;
	return true;
}

static void
take_record(struct tar *t, const char *p, size_t n)
{
	const char *v;
	size_t len;

	if (is_key(p, n, "path=", &v, &len)) {
		if (len > sizeof(t->name) - 1)
			len = sizeof(t->name) - 1;
		memcpy(t->name, v, len);
		t->name[len] = '\0';
	} else if (is_key(p, n, "GNU.sparse.", &v, &len)) {
		t->sparse = true;
	} else if (is_key(p, n, "size=", &v, &len)) {
		t->size = 0;
		t->sized = len > 0 && len <= 18;
		for (size_t i = 0; i < len && t->sized; i++) {
			t->sized = v[i] >= '0' && v[i] <= '9';
			t->size = t->size * 10 + (uint64_t)(v[i] - '0');
		}
	}
}

/*
 * Parse the records of a pax header, which has @n bytes. A record is "length
 * key=value\n"; length is the number of bytes of the whole record.
 */
static void
take_records(struct tar *t, size_t n)
{
	const char *p = (const char *)t->pax;

	while (n > 0) {
		size_t len = 0, i = 0;

		for (; i < n && i < 6 && p[i] >= '0' && p[i] <= '9'; i++)
			len = len * 10 + (size_t)(p[i] - '0');
		if (len > n || len < i + 2 || p[i] != ' ' || p[len - 1] != '\n')
			return;
		take_record(t, p + i + 1, len - i - 2);
		p += len;
		n -= len;
	}
}

/*
 * Read an extended header (pax or GNU), which has values for the next file of
 * the archive. @type: the type of the header; @n: its length in bytes. Returns
 * false if the archive is truncated.
 */
static bool
read_about_next(struct tar *t, struct hp_feed *f, uint8_t type, uint64_t n)
{
	uint64_t padded = n + (BLOCK - n % BLOCK) % BLOCK;
	size_t k = n < PAX_MOST ? (size_t)n : PAX_MOST;

	if (type != 'x' && type != 'L')
		return hp_archive_pass(f, padded);
	if (hp_feed_bytes(f, t->pax, k) < k || !hp_archive_pass(f, padded - k))
		return false;
	if (type == 'x') {
		take_records(t, k);
	} else {
		if (k > sizeof(t->name) - 1)
			k = sizeof(t->name) - 1;
		memcpy(t->name, t->pax, k);
		t->name[k] = '\0';
	}
	return true;
}

/* ---- the archive ---- */

static enum hp_step
begin_member(struct tar *t, const uint8_t *h, uint64_t size,
	     struct hp_member *out)
{
	uint8_t type = h[TYPE];
	bool file = type == '0' || type == 0 || type == '7' || type == 'S';

	if (t->name[0])
		memcpy(out->name, t->name, sizeof(out->name));
	else
		read_name(h, out->name);
	if (t->sized)
		size = t->size;
	if (t->sparse || type == 'S')
		out->closed = "is a sparse file";
	/*
	 * Links and devices have no data in the archive, even if the header
	 * states a size.
	 */
	if (!file && type >= '1' && type <= '6')
		size = 0;
	t->left = size;
	t->after = (unsigned)((BLOCK - size % BLOCK) % BLOCK);
	t->name[0] = '\0';
	t->sized = t->sparse = false;
	return HP_STEP_MORE;
}

static enum hp_step
tar_skip(void *state, struct hp_feed *f)
{
	struct tar *t = state;

	return hp_archive_pass(f, t->left) && hp_archive_pass(f, t->after)
		       ? HP_STEP_MEMBER
		       : hp_archive_truncated(f, 0);
}

static enum hp_step
tar_next(void *state, struct hp_feed *f, struct hp_member *out)
{
	struct tar *t = state;
	uint8_t h[BLOCK];
	size_t n = hp_feed_bytes(f, h, BLOCK);
	uint64_t size;
	enum hp_step step;

	if (n == 0)
		return HP_STEP_END;
	if (n < BLOCK)
		return hp_archive_truncated(f, 0);
	if (is_zero(h)) {
		if (t->zero)
			return hp_archive_end(f);
		t->zero = true;
		return HP_STEP_MEMBER;
	}
	t->zero = false;
	if (!is_sum_right(h) || !read_number(h + SIZE, SIZE_LEN, &size) ||
	    size > INT64_MAX - BLOCK)
		return hp_archive_damaged(f, 0, 0, 0);
	if (h[TYPE] == 'x' || h[TYPE] == 'g' || h[TYPE] == 'L' ||
	    h[TYPE] == 'K')
		return read_about_next(t, f, h[TYPE], size)
			       ? HP_STEP_MEMBER
			       : hp_archive_truncated(f, 0);
	step = begin_member(t, h, size, out);
	return t->left > 0 ? step : tar_skip(t, f);
}

static enum hp_step
tar_read(void *state, struct hp_feed *f, uint8_t *out, size_t room, size_t *len)
{
	struct tar *t = state;
	size_t n;

	if (t->left == 0)
		return hp_archive_pass(f, t->after)
			       ? HP_STEP_MEMBER
			       : hp_archive_truncated(f, *len);
	if (!hp_feed_fill(f))
		return hp_archive_truncated(f, *len);
	n = room - *len < f->left ? room - *len : f->left;
	if (n > t->left)
		n = (size_t)t->left;
	memcpy(out + *len, f->p, n);
	hp_feed_skip(f, n);
	*len += n;
	t->left -= n;
	return HP_STEP_MORE;
}

static void *
stream_open(struct hp_feed *feed)
{
	static const struct hp_archive_format tar = {
		.name = "tar archive",
		.state_size = sizeof(struct tar),
		.next = tar_next,
		.read = tar_read,
		.skip = tar_skip,
	};

	return hp_archive_stream_open(feed, &tar);
}

static const struct hp_codec tar_codec = HP_ARCHIVE_CODEC(stream_open);

/*
 * Recognise tar by the magic number of POSIX and GNU. Old archives without the
 * magic number are recognised by the checksum of the header. But a file that
 * begins like a dump is never treated as an archive, even if the checksum is
 * right.
 */
static bool
tar_begins(const uint8_t *head, size_t n)
{
	_Static_assert(HP_LAYER_HEAD >= BLOCK,
		       "the peeked bytes contain a header");
	return n >= BLOCK && head[0] != 0 &&
	       (is_ustar(head) ||
		(memcmp(head, "JAVA PROFILE", 12) != 0 && is_sum_right(head)));
}

static enum hp_status
tar_open(struct hp_layer **out, struct hp_layer *below,
	 const struct hp_layer_options *o, struct hp_error *err)
{
	return hp_decompress_open(out, below, &tar_codec, o, err);
}

const struct hp_container hp_tar_container = {
	.name = "tar", .begins = tar_begins, .open = tar_open};
