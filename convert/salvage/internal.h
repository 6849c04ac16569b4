/*
 * internal.h - declarations that the files of convert/salvage share: how to
 * recognise valid records in a damaged dump, and the state of a salvage
 */
#ifndef HP_CONVERT_SALVAGE_INTERNAL_H
#define HP_CONVERT_SALVAGE_INTERNAL_H

#include "common/format/heap.h"
#include "common/io/source.h"
#include "common/model/classes.h"
#include "common/sink/sink.h"
#include "convert/salvage/salvage.h"

/* ----------------------------------------------------------------------
 * Read a damaged dump at any offset, and recognise records there
 */

struct hp_plausible;

enum {
	/*
	 * number of slots of the cache; each slot holds one piece of the input
	 */
	HP_WRECK_LINES = 256,
	/*
	 * size of a cached piece in bytes; pieces begin at multiples of this
	 * size
	 */
	HP_WRECK_LINE = 4096,
	/*
	 * Number of bytes after a piece that are also cached. So a short read
	 * that begins near the end of a piece needs only this piece.
	 */
	HP_WRECK_BEHIND = 128,
	/* size of the file header of versions 1.0.1 to 1.0.3, in bytes */
	HP_WRECK_HEADER = 31,
	/* size of the longest file header of any version, in bytes */
	HP_WRECK_HEADER_MOST = 44,
	/*
	 * For each byte that is processed, the search for records may spend
	 * this many units of effort on guesses, see hp_resync_earn().
	 */
	HP_WRECK_EARNED = 16,
};

struct hp_resync_line {
	/*
	 * 1 + the offset in the source of the cached piece; 0: this slot is
	 * empty
	 */
	uint64_t at;
	uint32_t have;
	uint8_t bytes[HP_WRECK_LINE + HP_WRECK_BEHIND];
};

/*
 * Access to a source at any offset. It has a large window, a buffer that moves
 * forward through the source, and a cache of short pieces at other offsets.
 * After the first error all calls fail.
 */
struct hp_resync {
	struct hp_source *src;
	uint64_t size; /* size of the source, in bytes */
	/*
	 * The ranges that decompression could not recover, ascending. A record
	 * that overlaps such a range is damaged.
	 */
	const struct hp_hole *holes;
	size_t nholes;
	unsigned id_size;
	/*
	 * Whether primitive arrays may be cropped, that is, without their
	 * elements. Tools for Android apps such as KOOM omit the elements while
	 * the VM writes the dump, but leave the lengths of arrays and records
	 * unchanged. The facts in `known` help to find out which arrays are
	 * cropped.
	 */
	bool cropped;
	const struct hp_plausible *known;
	uint8_t *buf;
	size_t cap, have;
	/*
	 * offset in the source of buf[0]; the bytes in buf are called the
	 * window
	 */
	uint64_t at;
	struct hp_resync_line *lines;
	/*
	 * buffer for a class dump that is not in the window (the buffered part
	 * of the source)
	 */
	uint8_t *side;
	size_t side_cap;
	/*
	 * how many units of work on guesses are still allowed, see
	 * hp_resync_earn()
	 */
	uint64_t effort;
	enum hp_status status;
	struct hp_error *err;
};

/*
 * Initialise @w. The caller has set the members src, size, holes and err.
 * Returns HP_OK or HP_NOMEM. Call hp_resync_release() in any case.
 */
HP_MUST_USE enum hp_status hp_resync_init(struct hp_resync *w);
void hp_resync_release(struct hp_resync *w);

/**
 * hp_resync_view() - read at least @n bytes at @offset, or up to the end
 * @got: receives the number of bytes
 *
 * The window moves to @offset.
 * Returns: the bytes, borrowed until the next call; NULL after a failure.
 */
const uint8_t *hp_resync_view(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/*
 * Read up to HP_WRECK_BEHIND bytes like hp_resync_view(), but do not move the
 * window.
 */
const uint8_t *hp_resync_peek(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/* Returns the byte at @offset, or -1 if the input ends before it. */
int hp_resync_byte(struct hp_resync *w, uint64_t offset);

/*
 * Allow more work on guesses (attempts to find a place where the dump
 * continues), because @n more bytes were processed and will never be read
 * again. Guesses cost units of effort. Each processed byte allows only a
 * certain number of units, so that the total time is linear, even for hostile
 * input.
 */
void hp_resync_earn(struct hp_resync *w, uint64_t n);

/*
 * Spend @n units of effort on a guess (see hp_resync_earn()). If fewer units
 * remain, spends all of them and returns false.
 */
bool hp_resync_charge(struct hp_resync *w, uint64_t n);

/* Returns @offset or, if it is in a lost range, the end of that range. */
uint64_t hp_resync_out_of_hole(const struct hp_resync *w, uint64_t offset);
/*
 * Whether a complete record with a valid length is at @offset. *@bytes receives
 * the size of the record with its head.
 */
bool hp_resync_record(struct hp_resync *w, uint64_t offset, uint64_t *bytes);

/* Whether a file header is at @offset. */
bool hp_resync_header(struct hp_resync *w, uint64_t offset);

/**
 * hp_resync_sub() - measure the sub-record at @offset
 * @end: the sub-record must not reach beyond it
 * @guess: the caller only guesses that a sub-record is at @offset; the number
 * of guesses is limited, see hp_resync_earn()
 * @s: receives the sub-record on success. @data and @start are borrowed until
 *     the next call. Arrays and instances may come without all of their data.
 *
 * If the dump is cropped (its primitive arrays have no elements), each such
 * array is reported as PRIMITIVE_ARRAY_NODATA, whatever its tag.
 * Returns: false if there is no sub-record, or it is not complete.
 */
bool hp_resync_sub(struct hp_resync *w, uint64_t offset, uint64_t end,
		   bool guess, struct hp_sub *s);

/*
 * Read the fixed fields of an object at @offset into the members tag, id,
 * trace, count, class_id and type of @s. The length of the object is not
 * checked. Returns false if no object can begin there.
 */
bool hp_resync_head(struct hp_resync *w, uint64_t offset, struct hp_sub *s);

/*
 * Whether the input ends at @offset, or a record or a file header may begin
 * there.
 */
bool hp_resync_begins(struct hp_resync *w, uint64_t offset);

/*
 * Whether several records follow each other from @offset on, so that they
 * cannot be there by accident.
 */
bool hp_resync_records(struct hp_resync *w, uint64_t offset);

/*
 * Whether a HEAP DUMP END is at @end, where the current segment ends according
 * to its length. Such a tag with the length 0 cannot be there by accident, so
 * the bytes after it do not matter.
 */
bool hp_resync_dump_ends(struct hp_resync *w, uint64_t end);

/**
 * hp_resync_finds_cropped() - test a heap record for cropped primitive arrays
 * @body: offset of its first sub-record
 * @length: the length in its head
 * @end: end of the record; used only if @sure is set
 *
 * There are three cases in which the primitive arrays count as cropped. The
 * lengths of the sub-records, with the missing elements, add up to @length. The
 * sub-records without these elements end at @end. Or many sub-records without
 * these elements follow each other.
 */
bool hp_resync_finds_cropped(struct hp_resync *w, uint64_t body,
			     uint32_t length, uint64_t end, bool sure);

/*
 * Returns the offset at which the heap record at @at ends. *@sure becomes true
 * if the bytes after this offset confirm this end.
 */
uint64_t hp_resync_heap_end(struct hp_resync *w, uint64_t at, uint8_t tag,
			    uint32_t length, bool *sure);

/*
 * Whether a heap record with a valid length is at @at. The contents of the
 * record are not checked.
 */
bool hp_resync_whole_heap(struct hp_resync *w, uint64_t at);

/*
 * ----------------------------------------------------------------------
 * Collect facts about a damaged dump, and decide with them whether a sub-record
 * is genuine
 *
 * The facts are collected in several rounds. A round is one scan of the whole
 * dump. The facts are: classes that were loaded or have a class dump, the
 * fields of classes, the regions of addresses that objects are in, the serial
 * numbers of stack traces, and the heaps of Android.
 */

/*
 * How likely it is that a complete sub-record is genuine, and not bytes that
 * look like one.
 */
enum hp_trust {
	/*
	 * the length of the instance differs from the length that the class
	 * requires
	 */
	HP_TRUST_MISFIT,
	/* the bytes may be a sub-record, but no fact confirms that */
	HP_TRUST_ODD,
	/* the ids in the sub-record agree with the rest of the dump */
	HP_TRUST_LIKELY,
	/*
	 * the class of the sub-record is known, so the sub-record cannot be
	 * there by accident
	 */
	HP_TRUST_SURE,
};

struct hp_plausible {
	unsigned id_size;
	/*
	 * this is the first round (scan of the damaged dump), in which only few
	 * facts are known
	 */
	bool learning;
	/*
	 * Maps a class id to bits: one bit if the dump has a LOAD CLASS record
	 * of the class, another bit if it has a class dump.
	 */
	struct hp_id_map class_ids;
	/*
	 * the regions that contain objects; a region is the set of addresses
	 * that have the same high bits
	 */
	struct hp_id_map regions;
	/* the serial numbers of all stack traces */
	struct hp_id_map traces;
	/*
	 * The Android heaps: the number and the name in each HEAP DUMP INFO,
	 * combined into one 64-bit number.
	 */
	struct hp_id_map heaps;
	/*
	 * the classes that the previous round (scan of the damaged dump) has
	 * found
	 */
	struct hp_classes classes;
	/*
	 * the classes that the current round (scan of the damaged dump) has
	 * found so far
	 */
	struct hp_classes next;
	/*
	 * has_classes: `classes` is initialised. has_next: `next` is
	 * initialised.
	 */
	bool has_classes, has_next;
	/* the ids of the classes in `next` */
	struct hp_id_map met;
};

/*
 * Begin a round (a pass that collects facts). Before the first round, zero @k
 * and set its id_size. Returns HP_OK or HP_NOMEM. Release @k in any case.
 */
HP_MUST_USE enum hp_status hp_plausible_begin(struct hp_plausible *k,
					      struct hp_error *err);

/*
 * End a round. From now on, the classes that this round has found are used.
 * *@more becomes true if it has found more classes than the previous round.
 * Returns HP_OK, HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_plausible_end(struct hp_plausible *k, bool *more,
					    struct hp_error *err);
void hp_plausible_release(struct hp_plausible *k);

/*
 * Add the class of a LOAD CLASS record, or the serial of a STACK TRACE record.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_plausible_note_load(struct hp_plausible *k,
						  uint64_t class_id,
						  struct hp_error *err);
HP_MUST_USE enum hp_status hp_plausible_note_trace(struct hp_plausible *k,
						   uint32_t serial,
						   struct hp_error *err);
/*
 * Learn facts from a valid sub-record. The data of a class dump must be
 * complete.
 */
HP_MUST_USE enum hp_status hp_plausible_note_sub(struct hp_plausible *k,
						 const struct hp_sub *s,
						 struct hp_error *err);

/*
 * Judge how likely it is that the sub-record @s is genuine, by the facts in @k.
 */
enum hp_trust hp_plausible_sub(const struct hp_plausible *k,
			       const struct hp_sub *s);

/*
 * Whether @id is the id of a class that was loaded, or that has a class dump.
 */
bool hp_plausible_class(const struct hp_plausible *k, uint64_t id);

/*
 * Whether the id of @s is in a known region of objects, and its stack trace is
 * known. The id of a known class is not sufficient evidence, because the bytes
 * may be a reference to that class in a field of some object.
 */
bool hp_plausible_agrees(const struct hp_plausible *k, const struct hp_sub *s);

/*
 * Whether @s may be an object with one damaged field. At least two of three
 * fields must agree with the known facts: its id, its trace, and its class or
 * element type. Reads only tag, id, trace, class_id and type of @s. For a class
 * dump the trace must agree, because ids of classes occur in many places.
 */
bool hp_plausible_resembles(const struct hp_plausible *k,
			    const struct hp_sub *s);

/*
 * Store in *@size how many bytes of data the class of the instance @s requires.
 * Returns false if @s is not an instance, or the fields of its class are not
 * known.
 */
bool hp_plausible_data_size(const struct hp_plausible *k,
			    const struct hp_sub *s, uint64_t *size);

/*
 * Whether the length of @s is known from its tag or its class, without relying
 * on a length field.
 */
bool hp_plausible_length(const struct hp_plausible *k, const struct hp_sub *s);

/*
 * ----------------------------------------------------------------------
 * Find the place after damage where the dump continues
 *
 * Such a place is called an anchor. From there on, the bytes are valid records
 * or sub-records again.
 */

enum hp_anchor {
	HP_ANCHOR_NONE, /* no anchor was found */
	/* the anchor is in a heap record: sub-records begin there */
	HP_ANCHOR_SUBS,
	/*
	 * the anchor is the beginning of a record, or of the file header of
	 * another dump
	 */
	HP_ANCHOR_RECORD,
};

/* Facts that the caller of hp_anchor_find() knows about the bytes to search. */
struct hp_anchor_hints {
	/*
	 * Ascending offsets at which the dump cannot continue, because the
	 * sub-records that begin there lead to damaged bytes.
	 */
	const uint64_t *dead;
	unsigned ndead;
	/*
	 * The end of the sub-records that seemed valid before the damage. If
	 * the dump continues before this offset, one of these sub-records has a
	 * wrong length. So an earlier anchor is accepted only if sub-records
	 * follow it without a gap up to this offset.
	 */
	uint64_t beyond;
	/*
	 * The heap record is known to end at the @end of hp_anchor_find(), so
	 * no other record can begin before @end.
	 */
	bool no_records;
};

/**
 * hp_anchor_find() - find the first anchor from offset @from up to @end
 * @hints: facts that the caller already knows; NULL: none
 * @at: receives the offset of the anchor; @end if there is none
 *
 * Each searched byte allows more work on guesses (see hp_resync_earn()), so the
 * caller must never search the same bytes again.
 */
enum hp_anchor hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k,
			      uint64_t from, uint64_t end,
			      const struct hp_anchor_hints *hints,
			      uint64_t *at);

/*
 * Whether valid sub-records follow each other from @at on, until one of them is
 * certainly genuine or there are many.
 */
bool hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k,
		     uint64_t at, const struct hp_anchor_hints *hints);

/**
 * hp_anchor_swallowed() - test whether a sub-record contains other sub-records
 * @from, @end: the bytes of the sub-record after its head
 *
 * A sub-record with a wrong length can by chance end exactly at the start of
 * another sub-record. This function detects such a wrong length: in this case,
 * the range from @from to @end contains valid sub-records, and the last of them
 * ends exactly at @end.
 */
bool hp_anchor_swallowed(struct hp_resync *w, const struct hp_plausible *k,
			 uint64_t from, uint64_t end);

/* ----------------------------------------------------------------------
 * Find how far sub-records follow each other without a gap
 */

/**
 * hp_unbroken_to() - find the end of an unbroken series of sub-records
 * @at: offset of the first sub-record
 * @end: end of the heap record, or of the input
 * @sure: @end is certainly the end of the heap record: no other record begins
 *        before @end
 * @first: @at is the offset of the first sub-record of the heap record
 *
 * Inside the series, sub-records are accepted even if the ids in them are not
 * known. The series ends at @end, at other records, or at an incomplete
 * sub-record. If it ends elsewhere, only the part up to the last sub-record
 * that is certainly genuine counts. Each walk over sub-records costs effort
 * (see hp_resync_earn()), because many searches may walk over the same bytes.
 *
 * Returns: an offset; 0: no effort is left.
 */
uint64_t hp_unbroken_to(struct hp_resync *w, const struct hp_plausible *k,
			uint64_t at, uint64_t end, bool sure, bool first);

/* ----------------------------------------------------------------------
 * The state of a salvage, private to convert/salvage
 *
 * salvage.c reads records and runs the rounds (scans of the damaged dump).
 * salvage_heap.c reads heap records. salvage_copy.c writes the copy.
 */

enum {
	/*
	 * Maximum number of sub-records in the queue. This many sub-records in
	 * a row cannot be there by accident, so they need not wait longer.
	 */
	HP_SALVAGE_TAIL = 32,
	/*
	 * maximum number of cropped arrays (without their elements) in a
	 * segment of the output
	 */
	HP_SALVAGE_CROPPED = 1 << 16,
};

/*
 * A sub-record in the queue. It waits until later sub-records confirm its
 * length.
 */
struct hp_salvage_waiting {
	uint64_t offset, size;
	uint8_t tag;
	enum hp_trust trust;
	bool length_sure;
};

/*
 * A HEAP DUMP that contains a sub-record of 4 GB or more, which is too long for
 * any segment. The length field of this HEAP DUMP is too small. So a reader
 * finds the end of the record only if the file ends there. If no record is kept
 * after the HEAP DUMP, the salvage writes it as one record. One round (pass)
 * finds out whether this is the case, and the next round writes the record.
 */
struct hp_salvage_giant {
	/*
	 * The next three members are file offsets of HEAP DUMP records in the
	 * input; 0: none.
	 */
	uint64_t current; /* the HEAP DUMP that is being read now */
	/*
	 * the HEAP DUMP with a sub-record of 4 GB or more that this round (scan
	 * of the damaged dump) has found
	 */
	uint64_t found;
	/*
	 * the HEAP DUMP that the current round (scan of the damaged dump)
	 * writes as one record
	 */
	uint64_t wanted;
	/*
	 * number of kept records, up to the HEAP DUMP at `found` and including
	 * it
	 */
	uint64_t records;
	/*
	 * Number of segments into which the current round (scan of the damaged
	 * dump) divides the HEAP DUMP at the offset `found`. If the round does
	 * not divide it: how many segments there would be.
	 */
	uint64_t segments;
	/*
	 * number of bytes of the body of the HEAP DUMP at `wanted` that are
	 * written so far
	 */
	uint64_t bytes;
	/*
	 * in the previous round, the HEAP DUMP at `wanted` was the only heap
	 * record of its dump
	 */
	bool alone;
	/*
	 * a record was found after the HEAP DUMP at `wanted`, so this HEAP DUMP
	 * cannot be written as one record
	 */
	bool refused;
};

struct hp_salvage {
	struct hp_resync w;
	struct hp_plausible known;
	/*
	 * temporary file for the copy of the valid parts; NULL: the current
	 * round (scan of the damaged dump) only collects facts
	 */
	struct hp_sink *out;
	struct hp_salvage_result *result;
	/* number of bytes of the input before the file header */
	uint64_t preamble;
	/* the bytes before the file header are HTTP headers */
	bool http;
	/*
	 * write an empty dump for each dump of which nothing can be recovered,
	 * so that dumps keep their numbers
	 */
	bool keep_numbers;
	/* the file header has a version that only Android writes */
	bool android;
	/*
	 * a HEAP DUMP INFO with a name was found; only dumps of Android have
	 * such names
	 */
	bool named;
	/*
	 * a heap dump has begun in the input, even if no part of it is kept so
	 * far
	 */
	bool begun;
	/*
	 * a segment of the current dump was written, but the HEAP DUMP END of
	 * this dump was not
	 */
	bool in_dump;
	/* a segment was written for at least one dump of the file */
	bool heap;
	/*
	 * the HPROF agent wrote the file, so the file need not contain a heap
	 */
	bool heapless;
	bool torn; /* the current heap record is known to be damaged */
	/* the end of the current heap record is not certain */
	bool unsure;
	/*
	 * all bytes up to this offset of the input are known to be sub-records
	 * without a gap; 0: not known
	 */
	uint64_t unbroken_to;
	/*
	 * all bytes of the input before this offset are counted as kept or as
	 * lost
	 */
	uint64_t kept_until;
	/*
	 * Offset of the last HEAP DUMP INFO. It contains the Android heap of
	 * the objects after it. 0: none.
	 */
	uint64_t info;
	/*
	 * `from` to `to`: the range of the input that becomes the next segment
	 * of the output. `from_info`: offset of the HEAP DUMP INFO that is
	 * valid at `from`; 0: none.
	 */
	uint64_t from, to, from_info;
	/*
	 * Ascending offsets of the cropped arrays (without elements) in this
	 * range, at most HP_SALVAGE_CROPPED. They are written with another tag.
	 */
	uint64_t *cropped;
	size_t ncropped;
	/*
	 * offset of the first sub-record of the current heap record; 0: the
	 * head of the record is lost
	 */
	uint64_t heap_at;
	/* the length field of the current heap record */
	uint32_t heap_length;
	/*
	 * the current heap record was already tested for cropped arrays
	 * (without elements)
	 */
	bool crop_tested;
	/*
	 * cropped arrays (without elements) were found for the first time, so
	 * the current round (scan of the damaged dump) must start again
	 */
	bool restart;
	uint64_t segments;
	/* a segment without sub-records was written to the output */
	bool empty_segments;
	struct hp_salvage_giant giant;
	/* number of objects kept, and number of bytes of heap records kept */
	uint64_t objects, heap_bytes;
	uint64_t heap_lost; /* number of bytes of heap records that are lost */
	struct hp_salvage_waiting tail[HP_SALVAGE_TAIL];
	unsigned ntail;
	enum hp_status status;
	struct hp_error *err;
};

/*
 * Whether the current round continues: there was no error, and the round need
 * not start again.
 */
static inline bool
hp_salvage_going(const struct hp_salvage *s)
{
	return s->status == HP_OK && s->w.status == HP_OK && !s->restart;
}

/* ---- salvage_copy.c ---- */

/*
 * The following functions write the copy of the valid parts. In a round that
 * only collects facts, and after the first error, they do nothing.
 */

void hp_salvage_write(struct hp_salvage *s, const void *bytes, size_t n);
void hp_salvage_write_range(struct hp_salvage *s, uint64_t from, uint64_t to);
void hp_salvage_write_head(struct hp_salvage *s, uint8_t tag, uint64_t length);
void hp_salvage_write_empty(struct hp_salvage *s);
void hp_salvage_write_segment(struct hp_salvage *s);
/* Write a HEAP DUMP END, if a segment was written after the previous one. */
void hp_salvage_end_dump(struct hp_salvage *s);
/*
 * Add an empty heap if the output has no heap yet, because the output would not
 * be valid without a heap.
 */
void hp_salvage_end(struct hp_salvage *s);

/*
 * Count the bytes from @from up to @to as kept. The bytes before @from count as
 * lost, unless they were counted before.
 */
void hp_salvage_note_kept(struct hp_salvage *s, uint64_t from, uint64_t to);

/*
 * Whether the current heap record is written as one HEAP DUMP, see struct
 * hp_salvage_giant.
 */
bool hp_salvage_in_giant(const struct hp_salvage *s);

/* ---- salvage_heap.c ---- */

/**
 * hp_salvage_heap_body() - recover the valid sub-records of a heap record
 * @at: offset of the first sub-record
 * @headed: whether the head of the heap record comes directly before @at
 * @sure: the record ends at @end. If false, it ends where other records begin.
 *
 * Returns: the offset where the caller continues.
 */
uint64_t hp_salvage_heap_body(struct hp_salvage *s, uint64_t at, uint64_t end,
			      bool headed, bool sure);

/* Like hp_salvage_heap_body(), for a heap record whose head is at @pos. */
uint64_t hp_salvage_heap_record(struct hp_salvage *s, uint64_t pos, uint8_t tag,
				uint32_t length);

#endif
