/*
 * archive.c - find the first heap dump in an archive, and the names of further
 * dumps
 *
 * A member is a file in the archive. A member is treated as a dump if its
 * bytes, decompressed if they are in a container such as gzip, begin like those
 * of a dump. The name of the member does not matter, because archives from
 * macOS contain members such as ._heap.hprof that are not dumps. tar_in.c and
 * zip_in.c parse the headers of the members.
 */
#include "common/io/internal.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <string.h>

/*
 * The number of bytes at the beginning of a file in the archive that are
 * examined to find out whether the file is a dump. They include the whole first
 * block of a zstd frame (at most 128 KB), so a dump compressed with zstd is
 * recognised.
 */
enum { START_MOST = 160 << 10 };

struct archive {
	struct hp_feed *feed;
	const struct hp_archive_format *format;
	struct hp_member member;
	uint8_t start[START_MOST];
	size_t start_len, start_pos;
	/*
	 * The step that follows the bytes in `start`. HP_STEP_MORE: more bytes
	 * of the current file. HP_STEP_MEMBER: the file has ended. HP_STEP_END:
	 * damage.
	 */
	enum hp_step after_start;
	bool found; /* the first dump in the archive was found */
	uint64_t members;
	/* name of the first file in the archive that has any bytes */
	char first[HP_ARCHIVE_NAME];
	/*
	 * Why a file in the archive cannot be read, such as "is encrypted".
	 * NULL: so far, all files can be read.
	 */
	const char *closed;
	char closed_name[HP_ARCHIVE_NAME];
	/*
	 * the memory that the functions of the archive format (zip or tar) use
	 * for their state
	 */
	max_align_t state[];
};

void *
hp_archive_stream_open(struct hp_feed *feed,
		       const struct hp_archive_format *format)
{
	struct archive *a = hp_calloc(1, sizeof(*a) + format->state_size);

	if (!a)
		return NULL;
	a->feed = feed;
	a->format = format;
	return a;
}

void
hp_archive_stream_close(void *stream)
{
	hp_free(stream);
}

/*
 * Decide where a piece of the archive ends. (A piece is the part of the input
 * that a thread reads at a time.) A piece may end anywhere, because the files
 * in the archive are decoded in order.
 */
struct hp_cut
hp_archive_cut(void *cutter, const uint8_t *buf, size_t n, bool last)
{
	return (struct hp_cut){.len = last || n >= HP_ARCHIVE_PIECE ? n : 0};
}

bool
hp_archive_pass(struct hp_feed *f, uint64_t n)
{
	while (n > 0 && hp_feed_fill(f)) {
		size_t k = n < f->left ? (size_t)n : f->left;

		hp_feed_skip(f, k);
		n -= k;
	}
	return n == 0;
}

enum hp_step
hp_archive_truncated(struct hp_feed *f, size_t len)
{
	return hp_feed_note(f, HP_CONTAINER_ARCHIVE_TRUNCATED, f->raw, len, 0,
			    0);
}

enum hp_step
hp_archive_damaged(struct hp_feed *f, size_t len, uint64_t got, uint64_t want)
{
	hp_feed_note(f, HP_CONTAINER_ARCHIVE_DAMAGED, f->raw, len, got, want);
	/*
	 * Read the rest of the archive, so that damage of a compressed file
	 * around the archive is always reported, with and without threads.
	 */
	return hp_archive_end(f);
}

enum hp_step
hp_archive_end(struct hp_feed *f)
{
	hp_archive_pass(f, UINT64_MAX);
	return HP_STEP_END;
}

/*
 * Make the read fail: the archive is not damaged, but it contains no dump that
 * can be read. The message says why.
 */
static enum hp_step
no_dump(struct archive *a)
{
	const char *name = a->format->name;

	if (a->closed)
		return hp_feed_fail(a->feed, HP_UNSUPPORTED,
				    "no heap dump in the %s can be read: '%s' "
				    "%s; unpack the archive first",
				    name, a->closed_name, a->closed);
	if (a->members == 0)
		return hp_feed_fail(a->feed, HP_UNSUPPORTED,
				    "not a heap dump: the %s is empty", name);
	return hp_feed_fail(a->feed, HP_UNSUPPORTED,
			    "not a heap dump: the %s contains none "
			    "(%llu member%s, the first is '%s')",
			    name, (unsigned long long)a->members,
			    a->members == 1 ? "" : "s", a->first);
}

/*
 * Read the current file until a->start has @n bytes or the file ends. Sets
 * a->after_start.
 */
static void
read_start(struct archive *a, size_t n)
{
	while (a->after_start == HP_STEP_MORE && a->start_len < n)
		a->after_start = a->format->read(a->state, a->feed, a->start, n,
						 &a->start_len);
}

/*
 * Guess from its first bytes whether the current file of the archive is a dump.
 * *@is receives the guess. Returns HP_STEP_END if out of memory.
 */
static enum hp_step
guess(struct archive *a, bool *is)
{
	const struct hp_layer_options *o = a->feed->options;
	enum hp_dump_guess g = HP_DUMP_NO;
	size_t n = HP_LAYER_HEAD;
	bool last = false;

	a->start_len = a->start_pos = 0;
	a->after_start = HP_STEP_MORE;
	for (;;) {
		read_start(a, n);
		last = n == START_MOST || a->after_start != HP_STEP_MORE;
		if (o->guess && o->guess(o->context, a->start, a->start_len,
					 last, &g) != HP_OK)
			return hp_feed_no_memory(a->feed);
		if (g != HP_DUMP_MORE || last)
			break;
		n = START_MOST;
	}
	*is = g == HP_DUMP_YES;
	return HP_STEP_MORE;
}

static enum hp_step
pass_over(struct archive *a)
{
	return a->after_start == HP_STEP_MORE
		       ? a->format->skip(a->state, a->feed)
		       : a->after_start;
}

static enum hp_step
begin_member(struct archive *a)
{
	bool is = false;

	if (a->members++ == 0)
		snprintf(a->first, sizeof(a->first), "%s", a->member.name);
	a->after_start = HP_STEP_MORE;
	if (a->member.closed) {
		a->closed = a->member.closed;
		snprintf(a->closed_name, sizeof(a->closed_name), "%s",
			 a->member.name);
		return pass_over(a);
	}
	if (guess(a, &is) == HP_STEP_END)
		return HP_STEP_END;
	if (is)
		hp_feed_dump(a->feed, a->member.name);
	if (!is || a->found)
		return pass_over(a);
	a->found = true;
	return HP_STEP_MORE;
}

/*
 * Called at the end of the archive. If no dump was found, and there was no
 * damage, make the read fail with the message that the archive contains no
 * dump.
 */
static enum hp_step
explain_end(struct archive *a)
{
	if (a->found || hp_feed_noted(a->feed))
		return HP_STEP_END;
	return no_dump(a);
}

enum hp_step
hp_archive_begin(void *stream)
{
	struct archive *a = stream;
	enum hp_step step;

	a->member.closed = NULL;
	step = a->format->next(a->state, a->feed, &a->member);
	if (step == HP_STEP_MORE)
		step = begin_member(a);
	return step == HP_STEP_END ? explain_end(a) : step;
}

enum hp_step
hp_archive_more(void *stream, uint8_t *out, size_t room, size_t *len)
{
	struct archive *a = stream;
	size_t n = a->start_len - a->start_pos;
	enum hp_step step = a->after_start;

	if (n > 0) {
		if (n > room)
			n = room;
		memcpy(out, a->start + a->start_pos, n);
		a->start_pos += n;
		*len = n;
		return HP_STEP_MORE;
	}
	while (step == HP_STEP_MORE && *len < room)
		step = a->format->read(a->state, a->feed, out, room, len);
	return step;
}
