/*
 * archive.h - the common part of zip and tar archives: read the first heap dump
 * among the members
 *
 * An archive is read in one pass from its first to its last byte, so files and
 * pipes give the same result. Private to common/io.
 */
#ifndef HP_IO_ARCHIVE_H
#define HP_IO_ARCHIVE_H

#include "common/io/decompress.h"

struct hp_member {
	/*
	 * The name as in the archive. It may be truncated and contain any
	 * bytes.
	 */
	char name[HP_ARCHIVE_NAME];
	/*
	 * why the member cannot be read, such as "is encrypted"; NULL: it can
	 * be read
	 */
	const char *closed;
};

struct hp_archive_format {
	const char *name;  /* for messages, such as "zip archive" */
	size_t state_size; /* bytes of private data, initially zero */

	/*
	 * Read the next header. Returns HP_STEP_MORE if the data of a member
	 * follow; HP_STEP_MEMBER after anything else; HP_STEP_END at the end of
	 * the archive or after damage, which it notes.
	 */
	enum hp_step (*next)(void *state, struct hp_feed *feed,
			     struct hp_member *out);
	/*
	 * Append the next bytes of the member to @out + *@len. Returns
	 * HP_STEP_MORE; HP_STEP_MEMBER after the last byte, if the checks
	 * succeed; HP_STEP_END after damage, which it notes.
	 */
	enum hp_step (*read)(void *state, struct hp_feed *feed, uint8_t *out,
			     size_t room, size_t *len);
	/*
	 * Skip the rest of the member. Returns HP_STEP_MEMBER, or HP_STEP_END
	 * after damage, which it notes.
	 */
	enum hp_step (*skip)(void *state, struct hp_feed *feed);
};

/*
 * The operations of struct hp_codec for a stream that is an archive of @format.
 */
void *hp_archive_stream_open(struct hp_feed *feed,
			     const struct hp_archive_format *format);
void hp_archive_stream_close(void *stream);
enum hp_step hp_archive_begin(void *stream);
enum hp_step hp_archive_more(void *stream, uint8_t *out, size_t room,
			     size_t *len);
struct hp_cut hp_archive_cut(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

enum { HP_ARCHIVE_PIECE = 256 << 10 }; /* compressed bytes in one piece */

/* ---- functions for archive formats ---- */

/*
 * Skip @n bytes. Returns false if there are fewer, or on failure (see
 * f->status).
 */
bool hp_archive_pass(struct hp_feed *f, uint64_t n);

/*
 * Note that the archive is truncated here. @len: see hp_feed_note(). Returns
 * HP_STEP_END.
 */
enum hp_step hp_archive_truncated(struct hp_feed *f, size_t len);

/*
 * Note that the archive is damaged here. @len, @got, @want: see hp_feed_note().
 * Returns HP_STEP_END.
 */
enum hp_step hp_archive_damaged(struct hp_feed *f, size_t len, uint64_t got,
				uint64_t want);

/*
 * Call this after the last part of the archive. It reads the remaining bytes,
 * so that the containers below are checked to their end. Returns HP_STEP_END.
 */
enum hp_step hp_archive_end(struct hp_feed *f);

/*
 * The codec of an archive format, for struct hp_codec. Only the function that
 * opens a stream differs between formats.
 */
#define HP_ARCHIVE_CODEC(open)                                                 \
	{                                                                      \
		.memory = 1 << 20, .piece_most = HP_ARCHIVE_PIECE,             \
		.cutter_size = 1, .cut = hp_archive_cut, .stream_open = open,  \
		.stream_close = hp_archive_stream_close,                       \
		.begin = hp_archive_begin, .more = hp_archive_more,            \
	}

#endif
