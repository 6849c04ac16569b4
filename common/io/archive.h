/*
 * archive.h - what zip and tar have in common: members, of which the first heap
 * dump is read
 *
 * An archive is read from its first byte to its last, so that files and pipes
 * give the same result. Private to common/io.
 */
#ifndef HP_IO_ARCHIVE_H
#define HP_IO_ARCHIVE_H

#include "common/io/decompress.h"

struct hp_member {
	char name[HP_ARCHIVE_NAME]; /* its first bytes, of any value */
	const char *closed; /* why it cannot be read, "is encrypted"; or NULL */
};

struct hp_archive_format {
	const char *name;  /* "zip archive" */
	size_t state_size; /* zeroed at first */

	/*
	 * The next head. MORE: a member's data follow; MEMBER: something else
	 * was read; END: of the archive, or damage, which is noted.
	 */
	enum hp_step (*next)(void *state, struct hp_feed *feed,
			     struct hp_member *out);
	/*
	 * The member's next bytes, to @out + *@len. MORE; MEMBER: they are over
	 * and right; END: damage, which is noted.
	 */
	enum hp_step (*read)(void *state, struct hp_feed *feed, uint8_t *out,
			     size_t room, size_t *len);
	/* Passes over the rest of the member. MEMBER; END: as above. */
	enum hp_step (*skip)(void *state, struct hp_feed *feed);
};

/* For codecs of archives, whose stream is an archive of @format. */
void *hp_archive_stream_open(struct hp_feed *feed,
			     const struct hp_archive_format *format);
void hp_archive_stream_close(void *stream);
enum hp_step hp_archive_begin(void *stream);
enum hp_step hp_archive_more(void *stream, uint8_t *out, size_t room,
			     size_t *len);
struct hp_cut hp_archive_cut(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

enum { HP_ARCHIVE_PIECE = 256 << 10 }; /* bytes that are cut off at once */

/* For formats. */

/* Passes over @n bytes; false: there are fewer, or f->status says why. */
bool hp_archive_pass(struct hp_feed *f, uint64_t n);

/* The archive ends here, too early. Returns HP_STEP_END. */
enum hp_step hp_archive_truncated(struct hp_feed *f, size_t len);

/* It is damaged here. Returns HP_STEP_END. */
enum hp_step hp_archive_damaged(struct hp_feed *f, size_t len, uint64_t got,
				uint64_t want);

/* Its last part was read: reads on, so that containers below are checked. */
enum hp_step hp_archive_end(struct hp_feed *f);

#endif
