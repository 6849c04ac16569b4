/*
 * zip_in.c - read zip archives from beginning to end, using the header before
 * each file
 *
 * The files in an archive are stored unchanged or compressed. The sizes of a
 * file are in the header before its data, or after the data if the writer could
 * not seek back. The central directory at the end of the archive is only
 * skipped, to detect a truncated archive. It is not used, so that files and
 * pipes give the same result.
 *
 * Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3 to 4.5.
 */
#include "common/base/bytes.h"
#include "common/io/internal.h"
#include "common/io/layer.h"

#include <isa-l/crc.h>
#include <string.h>

enum {
	/* signatures of zip headers, without the leading "PK" */
	LOCAL = 0x0403,
	DESCRIPTOR = 0x0807,
	DIRECTORY = 0x0201,
	END64 = 0x0606,
	LOCATOR64 = 0x0706,
	END = 0x0605,
	EXTRA = 0x0806,
	/*
	 * the marker at the start of a spanned (divided) archive that has only
	 * one part
	 */
	SPLIT = 0x3030,
	PK = 0x4b50,
	/* lengths in bytes of the headers of zip, without the signature */
	LOCAL_LEN = 26,
	DIRECTORY_LEN = 42,
	END_LEN = 18,
	LOCATOR64_LEN = 16,
	/* bits of the flags in the header of a file */
	ENCRYPTED = 1 << 0,
	/* the sizes follow the data, in a record called "descriptor" */
	DESCRIBED = 1 << 3,
	/* compression methods, as numbers in the header of a file */
	STORED = 0,
	DEFLATED = 8,
	ZIP64_EXTRA = 1, /* tag of the ZIP64 extra field */
	EXTRA_MOST = 0xffff,
};

struct zip {
	uint16_t method;
	/*
	 * `described`: the sizes of the file are after its data, in a record
	 * called "descriptor". `known`: the compressed size is in the header
	 * before the data.
	 */
	bool described, known;
	/*
	 * the sizes in the descriptor have 8 bytes instead of 4, because a
	 * ZIP64 extra field is present
	 */
	bool zip64;
	/* CRC-32 of the file, from the header or the descriptor */
	uint32_t crc;
	/*
	 * The compressed size and the uncompressed size of the file in bytes,
	 * from the header or the descriptor.
	 */
	uint64_t packed, plain;
	/*
	 * number of compressed bytes of the file that were not read yet; valid
	 * only if the compressed size is known
	 */
	uint64_t left;
	/*
	 * number of bytes that were decompressed only to skip files of the
	 * archive, so far
	 */
	uint64_t passed;
	/*
	 * The decompressor. Its members `crc` and `size` are also used for
	 * files that are stored without compression.
	 */
	struct hp_inflate data;
	uint8_t buf[EXTRA_MOST];
};

static uint64_t
le8(const uint8_t *p)
{
	return hp_le4(p) | (uint64_t)hp_le4(p + 4) << 32;
}

static uint32_t
le2(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

/* ---- headers ---- */

/* Read from the ZIP64 extra field the sizes that do not fit into 4 bytes. */
static void
read_extra(struct zip *z, size_t n)
{
	const uint8_t *p = z->buf;

	while (n >= 4) {
		size_t len = le2(p + 2), at = 4;

		if (len > n - 4)
			return;
		if (le2(p) == ZIP64_EXTRA) {
			z->zip64 = true;
			if (z->plain == UINT32_MAX && len + 4 >= at + 8) {
				z->plain = le8(p + at);
				at += 8;
			}
			if (z->packed == UINT32_MAX && len + 4 >= at + 8)
				z->packed = le8(p + at);
			return;
		}
		p += 4 + len;
		n -= 4 + len;
	}
}

/*
 * Returns the reason why a file in the archive cannot be read, for messages;
 * NULL if it can be read.
 */
static const char *
why_closed(const struct zip *z, uint32_t flags)
{
	if (flags & ENCRYPTED)
		return "is encrypted";
	switch (z->method) {
	case STORED:
		return z->known ? NULL
				: "is not compressed, and its length comes "
				  "after its data";
	case DEFLATED:
		return NULL;
	case 9:
		return "is compressed with Deflate64";
	case 12:
		return "is compressed with bzip2";
	case 14:
		return "is compressed with LZMA";
	case 93:
		return "is compressed with zstd";
	case 95:
		return "is compressed with xz";
	default:
		return "is compressed with an unknown method";
	}
}

/*
 * Make the read fail, because a file of the archive cannot be read. Its length
 * is not known, so the next file cannot be found either.
 */
static enum hp_step
refuse(struct hp_feed *f, const struct hp_member *m)
{
	return hp_feed_fail(f, HP_UNSUPPORTED,
			    "no heap dump in the zip archive can be read: '%s' "
			    "%s; unpack the archive first",
			    m->name, m->closed);
}

static enum hp_step
read_local(struct zip *z, struct hp_feed *f, struct hp_member *out)
{
	uint8_t h[LOCAL_LEN];
	size_t name, extra, keep;
	uint32_t flags;

	if (hp_feed_bytes(f, h, LOCAL_LEN) < LOCAL_LEN)
		return hp_archive_truncated(f, 0);
	flags = le2(h + 2);
	z->method = (uint16_t)le2(h + 4);
	z->crc = hp_le4(h + 10);
	z->packed = hp_le4(h + 14);
	z->plain = hp_le4(h + 18);
	name = le2(h + 22);
	extra = le2(h + 24);
	keep = name < sizeof(out->name) ? name : sizeof(out->name) - 1;
	if (hp_feed_bytes(f, (uint8_t *)out->name, keep) < keep ||
	    !hp_archive_pass(f, name - keep) ||
	    hp_feed_bytes(f, z->buf, extra) < extra)
		return hp_archive_truncated(f, 0);
	out->name[keep] = '\0';
	z->zip64 = false;
	read_extra(z, extra);
	/*
	 * Some programs write a descriptor (a record with sizes) even after a
	 * folder. If there is one, it is skipped.
	 */
	z->described =
		flags & DESCRIBED &&
		!(keep > 0 && out->name[keep - 1] == '/' && z->packed == 0);
	z->known = !z->described || z->packed > 0;
	z->left = z->packed;
	hp_inflate_init(&z->data);
	out->closed = why_closed(z, flags);
	return out->closed && !z->known ? refuse(f, out) : HP_STEP_MORE;
}

/* ---- the end of the archive ---- */

/*
 * Skip a header of the central directory, and the fields of variable length
 * after it. Returns false if the archive is truncated.
 */
static bool
pass_directory(struct hp_feed *f)
{
	uint8_t h[DIRECTORY_LEN];

	return hp_feed_bytes(f, h, sizeof(h)) == sizeof(h) &&
	       hp_archive_pass(f, le2(h + 24) + le2(h + 26) + le2(h + 28));
}

static bool
pass_end64(struct hp_feed *f)
{
	uint8_t h[8];

	return hp_feed_bytes(f, h, sizeof(h)) == sizeof(h) &&
	       hp_archive_pass(f, le8(h));
}

static bool
pass_extra(struct hp_feed *f)
{
	uint8_t h[4];

	return hp_feed_bytes(f, h, sizeof(h)) == sizeof(h) &&
	       hp_archive_pass(f, hp_le4(h));
}

static bool
pass_end(struct hp_feed *f)
{
	uint8_t h[END_LEN];

	return hp_feed_bytes(f, h, sizeof(h)) == sizeof(h) &&
	       hp_archive_pass(f, le2(h + 16));
}

static enum hp_step
zip_next(void *state, struct hp_feed *f, struct hp_member *out)
{
	uint8_t h[4];
	bool there;

	if (hp_feed_bytes(f, h, sizeof(h)) < sizeof(h))
		return hp_archive_truncated(f, 0);
	if (le2(h) != PK)
		return hp_archive_damaged(f, 0, 0, 0);
	switch (le2(h + 2)) {
	case LOCAL:
		return read_local(state, f, out);
	case DIRECTORY:
		there = pass_directory(f);
		break;
	case END64:
		there = pass_end64(f);
		break;
	case LOCATOR64:
		there = hp_archive_pass(f, LOCATOR64_LEN);
		break;
	case EXTRA:
		there = pass_extra(f);
		break;
	case DESCRIPTOR:
		there = hp_archive_pass(f, 12);
		break;
	case SPLIT:
		there = true;
		break;
	case END:
		return pass_end(f) ? hp_archive_end(f)
				   : hp_archive_truncated(f, 0);
	default:
		return hp_archive_damaged(f, 0, 0, 0);
	}
	return there ? HP_STEP_MEMBER : hp_archive_truncated(f, 0);
}

/* ---- data ---- */

/*
 * Read the descriptor after the data of a file. It may begin with a signature,
 * and has sizes of 4 or 8 bytes. For sizes above 4 GB, Java writes 8 bytes, but
 * no ZIP64 field to announce them. So this function first reads sizes of 8
 * bytes. If they differ from the actual sizes, it reads sizes of 4 bytes.
 * Returns false if the archive is truncated.
 */
static bool
read_descriptor(struct zip *z, struct hp_feed *f)
{
	uint8_t b[16];
	size_t n;

	if (hp_feed_bytes(f, b, 4) < 4)
		return false;
	if (hp_le4(b) == (PK | (uint32_t)DESCRIPTOR << 16) &&
	    hp_feed_bytes(f, b, 4) < 4)
		return false;
	z->crc = hp_le4(b);
	if (hp_feed_bytes(f, b, 8) < 8)
		return false;
	n = hp_feed_bytes(f, b + 8, 8);
	if (n == 8 && le8(b) == z->data.used && le8(b + 8) == z->data.size &&
	    (z->zip64 || le8(b + 8) > UINT32_MAX || le8(b) > UINT32_MAX)) {
		z->packed = le8(b);
		z->plain = le8(b + 8);
		return true;
	}
	hp_feed_back(f, n);
	z->packed = hp_le4(b);
	z->plain = hp_le4(b + 4);
	return true;
}

/*
 * Whether the size @want that the archive states equals the actual size @got.
 * If the archive has sizes of 4 bytes, only the low 32 bits are compared.
 */
static bool
is_size(const struct zip *z, uint64_t got, uint64_t want)
{
	return z->described && want <= UINT32_MAX ? (uint32_t)got == want
						  : got == want;
}

/*
 * At the end of the data of a file, compare its checksum and sizes with those
 * in the archive.
 */
static enum hp_step
finish_data(struct zip *z, struct hp_feed *f, size_t len)
{
	const struct hp_inflate *d = &z->data;

	if (z->described && !read_descriptor(z, f))
		return hp_archive_truncated(f, len);
	if (d->crc != z->crc)
		return hp_archive_damaged(f, len, d->crc, z->crc);
	if (!is_size(z, d->size, z->plain))
		return hp_archive_damaged(f, len, d->size, z->plain);
	if ((z->known && z->left > 0) || !is_size(z, d->used, z->packed))
		return hp_archive_damaged(f, len, d->used, z->packed);
	return HP_STEP_MEMBER;
}

static enum hp_step
read_stored(struct zip *z, struct hp_feed *f, uint8_t *out, size_t room,
	    size_t *len)
{
	size_t n;

	if (z->left == 0)
		return finish_data(z, f, *len);
	if (!hp_feed_fill(f))
		return hp_archive_truncated(f, *len);
	n = room - *len < f->left ? room - *len : f->left;
	if (n > z->left)
		n = (size_t)z->left;
	memcpy(out + *len, f->p, n);
	z->data.crc = crc32_gzip_refl(z->data.crc, f->p, n);
	z->data.size += n;
	z->data.used += n;
	hp_feed_skip(f, n);
	z->left -= n;
	*len += n;
	return HP_STEP_MORE;
}

static enum hp_step
read_deflated(struct zip *z, struct hp_feed *f, uint8_t *out, size_t room,
	      size_t *len)
{
	uint64_t before = z->data.used;
	bool right;

	right = hp_inflate_some(&z->data, f, z->known ? z->left : UINT64_MAX,
				out, room, len);
	z->left -= z->known ? z->data.used - before : 0;
	if (!right)
		return hp_archive_damaged(f, *len, 0, 0);
	before = z->data.used;
	if (hp_inflate_over(&z->data, f)) {
		z->left += z->known ? before - z->data.used : 0;
		return finish_data(z, f, *len);
	}
	if (*len == room)
		return HP_STEP_MORE;
	if (z->known && z->left == 0)
		return hp_archive_damaged(f, *len, 0, 0);
	return hp_feed_fill(f) ? HP_STEP_MORE : hp_archive_truncated(f, *len);
}

static enum hp_step
zip_read(void *state, struct hp_feed *f, uint8_t *out, size_t room, size_t *len)
{
	struct zip *z = state;

	return z->method == STORED ? read_stored(z, f, out, room, len)
				   : read_deflated(z, f, out, room, len);
}

static enum hp_step
zip_skip(void *state, struct hp_feed *f)
{
	struct zip *z = state;
	uint64_t most = f->options->most;
	enum hp_step step = HP_STEP_MORE;

	if (z->known) {
		if (!hp_archive_pass(f, z->left))
			return hp_archive_truncated(f, 0);
		z->data.used = z->packed;
		z->data.size = z->plain;
		return z->described && !read_descriptor(z, f)
			       ? hp_archive_truncated(f, 0)
			       : HP_STEP_MEMBER;
	}
	while (step == HP_STEP_MORE) {
		size_t len = 0;

		step = zip_read(z, f, z->buf, sizeof(z->buf), &len);
		z->passed += len;
		if (most && z->passed > most)
			return hp_feed_fail(f, HP_LIMIT,
					    "the files in the zip archive have "
					    "more than %llu bytes when "
					    "decompressed, which is the limit "
					    "of --max-size",
					    (unsigned long long)most);
	}
	return step;
}

static void *
stream_open(struct hp_feed *feed)
{
	static const struct hp_archive_format zip = {
		.name = "zip archive",
		.state_size = sizeof(struct zip),
		.next = zip_next,
		.read = zip_read,
		.skip = zip_skip,
	};

	return hp_archive_stream_open(feed, &zip);
}

static const struct hp_codec zip_codec = HP_ARCHIVE_CODEC(stream_open);

/*
 * Whether the bytes are the beginning of a zip archive: the header of a file,
 * of an empty archive, or of a spanned archive with one part.
 */
static bool
zip_begins(const uint8_t *head, size_t n)
{
	uint32_t what = n >= 4 && le2(head) == PK ? le2(head + 2) : 0;

	return what == LOCAL || what == END ||
	       (what == SPLIT && n >= 8 && le2(head + 4) == PK &&
		le2(head + 6) == LOCAL);
}

static enum hp_status
zip_open(struct hp_layer **out, struct hp_layer *below,
	 const struct hp_layer_options *o, struct hp_error *err)
{
	return hp_decompress_open(out, below, &zip_codec, o, err);
}

const struct hp_container hp_zip_container = {
	.name = "zip", .begins = zip_begins, .open = zip_open};
