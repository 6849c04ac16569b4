/*
 * resync.h - read a damaged dump at any offset, and recognise records there
 */
#ifndef HP_CONVERT_SALVAGE_RESYNC_H
#define HP_CONVERT_SALVAGE_RESYNC_H

#include "common/format/heap.h"
#include "common/io/source.h"

struct hp_plausible;

enum {
	/* number of cached short pieces of the input */
	HP_WRECK_LINES = 256,
	/* size of a piece in bytes, aligned to its size */
	HP_WRECK_LINE = 4096,
	/*
	 * additional bytes at the end of a piece, so that a read across it
	 * needs only one
	 */
	HP_WRECK_BEHIND = 128,
	HP_WRECK_HEADER = 31, /* size of the header of a dump, in bytes */
	/* size of the longest header of any version, in bytes */
	HP_WRECK_HEADER_MOST = 44,
	/* effort earned for each byte, see hp_resync_earn() */
	HP_WRECK_EARNED = 16,
};

struct hp_resync_line {
	uint64_t at; /* offset of the piece + 1; 0: empty */
	uint32_t have;
	uint8_t bytes[HP_WRECK_LINE + HP_WRECK_BEHIND];
};

/*
 * Random access to a seekable source: a large window that moves along, and a
 * cache of short pieces elsewhere. After the first failure all calls fail.
 */
struct hp_resync {
	struct hp_source *src;
	uint64_t size; /* size of the source, in bytes */
	/*
	 * Lost ranges of the source, ascending. A record that overlaps one is
	 * damaged.
	 */
	const struct hp_hole *holes;
	size_t nholes;
	unsigned id_size;
	/*
	 * Whether primitive arrays may be cropped, that is, without their
	 * elements. Tools for Android apps such as KOOM omit the elements while
	 * the VM writes the dump, but leave the lengths of arrays and records
	 * unchanged. @known helps to tell which arrays are cropped.
	 */
	bool cropped;
	const struct hp_plausible *known;
	uint8_t *buf;
	size_t cap, have;
	uint64_t at; /* offset of buf[0] in the source */
	struct hp_resync_line *lines;
	uint8_t *side; /* buffer for a class dump outside of the window */
	size_t side_cap;
	uint64_t effort; /* effort left for guesses, see hp_resync_earn() */
	enum hp_status status;
	struct hp_error *err;
};

/*
 * Initialise @w, whose members src, size, holes and err are set. Returns HP_OK
 * or HP_NOMEM. Release @w in any case.
 */
HP_MUST_USE enum hp_status hp_resync_init(struct hp_resync *w);
void hp_resync_release(struct hp_resync *w);

/**
 * hp_resync_view() - read at least @n bytes at @offset, or up to the end
 * @got: receives the number of bytes
 *
 * The window moves there.
 * Returns: the bytes, borrowed until the next call; NULL after a failure.
 */
const uint8_t *hp_resync_view(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/*
 * Read up to HP_WRECK_BEHIND bytes as hp_resync_view(), without moving the
 * window.
 */
const uint8_t *hp_resync_peek(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/* Returns the byte at @offset, or -1 if there is none. */
int hp_resync_byte(struct hp_resync *w, uint64_t offset);

/*
 * The caller has passed @n bytes and will never return to them. Each passed
 * byte earns effort, and guesses cost effort. So all guesses together take
 * linear time, even on hostile input.
 */
void hp_resync_earn(struct hp_resync *w, uint64_t n);

/*
 * Pay @n units of effort for a guess; one step costs 1. Returns false if less
 * is left, and then nothing is left.
 */
bool hp_resync_charge(struct hp_resync *w, uint64_t n);

/* Returns @offset, or the end of the hole that contains it. */
uint64_t hp_resync_out_of_hole(const struct hp_resync *w, uint64_t offset);
/*
 * Whether a complete record with a valid length is at @offset. *@bytes receives
 * its size, with the head.
 */
bool hp_resync_record(struct hp_resync *w, uint64_t offset, uint64_t *bytes);

/* Whether the header of a dump is at @offset. */
bool hp_resync_header(struct hp_resync *w, uint64_t offset);

/**
 * hp_resync_sub() - measure the sub-record at @offset
 * @end: the sub-record must not reach beyond it
 * @guess: this is a guess, and costs effort
 * @s: receives the sub-record on success. @data and @start are borrowed until
 *     the next call. Arrays and instances may come without all of their data.
 *
 * If the dump is cropped, a primitive array without its elements is reported as
 * PRIMITIVE_ARRAY_NODATA, whatever its tag.
 * Returns: false if there is no sub-record, or it is not complete.
 */
bool hp_resync_sub(struct hp_resync *w, uint64_t offset, uint64_t end,
		   bool guess, struct hp_sub *s);

/*
 * Read the head of an object at @offset, whatever length it claims. Sets the
 * tag, id, trace, count, class_id and type of @s. Returns false if there is
 * none.
 */
bool hp_resync_head(struct hp_resync *w, uint64_t offset, struct hp_sub *s);

/* Whether a record or a dump may begin at @offset, or the input ends there. */
bool hp_resync_begins(struct hp_resync *w, uint64_t offset);

/*
 * Whether several records begin at @offset, one after the other, so that this
 * is no accident.
 */
bool hp_resync_records(struct hp_resync *w, uint64_t offset);

/*
 * Whether a HEAP DUMP END is at @end, where the length of a segment says that
 * it ends. The tag and the length 0 are no accident there, whatever follows.
 */
bool hp_resync_dump_ends(struct hp_resync *w, uint64_t end);

/**
 * hp_resync_finds_cropped() - test a heap record for cropped primitive arrays
 * @body: offset of its first sub-record
 * @length: the length in its head
 * @end: end of the record, if @sure
 *
 * It has cropped arrays in three cases: the lengths of its sub-records, with
 * the missing elements, add up to @length; its sub-records end at @end; or
 * there are many of them in a row.
 */
bool hp_resync_finds_cropped(struct hp_resync *w, uint64_t body,
			     uint32_t length, uint64_t end, bool sure);

/*
 * Returns the end of the heap record at @at. *@sure receives whether the bytes
 * after the end confirm it.
 */
uint64_t hp_resync_heap_end(struct hp_resync *w, uint64_t at, uint8_t tag,
			    uint32_t length, bool *sure);

/*
 * Whether a heap record with a valid length is at @at. Its contents do not
 * matter.
 */
bool hp_resync_whole_heap(struct hp_resync *w, uint64_t at);

#endif
