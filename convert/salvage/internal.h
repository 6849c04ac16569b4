/*
 * internal.h - find records among damaged bytes
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
	/* number of pieces of the input in the cache */
	HP_WRECK_LINES = 256,
	/*
	 * size of a cached piece in bytes; a piece begins at a multiple of this
	 */
	HP_WRECK_LINE = 4096,
	/*
	 * bytes after a piece that are also cached, so that a short read across
	 * its end needs only this piece
	 */
	HP_WRECK_BEHIND = 128,
	HP_WRECK_HEADER = 31, /* size of the header of a dump, in bytes */
	/* size of the longest header of any version, in bytes */
	HP_WRECK_HEADER_MOST = 44,
	/*
	 * effort (a budget for guesses) that each passed byte earns, see
	 * hp_resync_earn()
	 */
	HP_WRECK_EARNED = 16,
};

struct hp_resync_line {
	uint64_t at; /* offset of the cached piece + 1; 0: the entry is empty */
	uint32_t have;
	uint8_t bytes[HP_WRECK_LINE + HP_WRECK_BEHIND];
};

/*
 * Access to any offset of a seekable source: a large window that moves along,
 * and a cache of short pieces elsewhere. After the first error all calls fail.
 */
struct hp_resync {
	struct hp_source *src;
	uint64_t size; /* size of the source, in bytes */
	/*
	 * Lost ranges of the source, ascending. A record that overlaps such a
	 * range is damaged.
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
	/* buffer for a class dump that is outside of the window */
	uint8_t *side;
	size_t side_cap;
	/* effort left, a budget for guesses; see hp_resync_earn() */
	uint64_t effort;
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

/* Returns the byte at @offset, or -1 if the input ends before it. */
int hp_resync_byte(struct hp_resync *w, uint64_t offset);

/*
 * The caller has passed @n bytes and will never return to them. Each passed
 * byte earns effort, and guesses cost effort. So all guesses together take
 * linear time, even on hostile input.
 */
void hp_resync_earn(struct hp_resync *w, uint64_t n);

/*
 * Subtract @n steps from the effort that is allowed for a guess. If less is
 * left, returns false and nothing is left.
 */
bool hp_resync_charge(struct hp_resync *w, uint64_t n);

/* Returns @offset or, if a lost range contains it, the end of that range. */
uint64_t hp_resync_out_of_hole(const struct hp_resync *w, uint64_t offset);
/*
 * Whether a complete record with a valid length is at @offset. *@bytes receives
 * its size, including the head.
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
 * Read the fixed fields of an object at @offset, whatever length they claim.
 * Sets the tag, id, trace, count, class_id and type of @s. Returns false if no
 * object can begin there.
 */
bool hp_resync_head(struct hp_resync *w, uint64_t offset, struct hp_sub *s);

/* Whether a record or a dump may begin at @offset, or the input ends there. */
bool hp_resync_begins(struct hp_resync *w, uint64_t offset);

/*
 * Whether several records follow each other from @offset on, so that they
 * cannot be there by accident.
 */
bool hp_resync_records(struct hp_resync *w, uint64_t offset);

/*
 * Whether a HEAP DUMP END is at @end, where the current segment ends according
 * to its length. Such a tag with the length 0 cannot be there by accident,
 * whatever follows.
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
 * Find the end of the heap record at @at. *@sure receives whether the bytes
 * after the end confirm it. Returns the offset of the end.
 */
uint64_t hp_resync_heap_end(struct hp_resync *w, uint64_t at, uint8_t tag,
			    uint32_t length, bool *sure);

/*
 * Whether a heap record with a valid length is at @at. Its contents do not
 * matter.
 */
bool hp_resync_whole_heap(struct hp_resync *w, uint64_t at);

/*
 * ----------------------------------------------------------------------
 * Collect facts about a damaged dump, and decide with them whether a sub-record
 * is genuine
 *
 * The facts are collected in several passes (rounds) over the dump: classes
 * that were loaded or have a class dump, the fields of classes, the regions of
 * addresses that objects are in, the serial numbers of stack traces, and the
 * heaps of Android.
 */

/*
 * How likely it is that a complete sub-record is genuine, and not bytes that
 * look like one.
 */
enum hp_trust {
	/* an instance whose length is not the one that its class requires */
	HP_TRUST_MISFIT,
	/* it may be a sub-record, but there is no evidence for it */
	HP_TRUST_ODD,
	HP_TRUST_LIKELY, /* the ids in it agree with the rest of the dump */
	/* the class in it is known, so it cannot be there by accident */
	HP_TRUST_SURE,
};

struct hp_plausible {
	unsigned id_size;
	/* this is the first round, and few facts are known */
	bool learning;
	/*
	 * maps a class id to bits: the dump has its LOAD CLASS record; the dump
	 * has its class dump
	 */
	struct hp_id_map class_ids;
	/*
	 * the high bits of the ids of objects, as a set: the regions of
	 * addresses that have objects
	 */
	struct hp_id_map regions;
	struct hp_id_map traces; /* set of stack trace serials */
	/*
	 * set of the Android heaps: number and name of each HEAP DUMP INFO,
	 * combined into one number
	 */
	struct hp_id_map heaps;
	/* classes of the previous round; complete */
	struct hp_classes classes;
	struct hp_classes next; /* classes of this round */
	/* whether @classes and @next are initialised */
	bool has_classes, has_next;
	struct hp_id_map met; /* set of the ids of the classes in `next` */
};

/*
 * Begin a round. Zero @k before the first round, and set id_size. Returns HP_OK
 * or HP_NOMEM. Release @k in any case.
 */
HP_MUST_USE enum hp_status hp_plausible_begin(struct hp_plausible *k,
					      struct hp_error *err);

/*
 * End a round: the classes that it found are used from now on. *@more receives
 * whether there are more classes than in the previous round. Returns HP_OK,
 * HP_NOMEM or HP_LIMIT.
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
/* Learn from a valid sub-record. A class dump must have all of its data. */
HP_MUST_USE enum hp_status hp_plausible_note_sub(struct hp_plausible *k,
						 const struct hp_sub *s,
						 struct hp_error *err);

/* Judge how far the sub-record @s can be trusted, by the facts in @k. */
enum hp_trust hp_plausible_sub(const struct hp_plausible *k,
			       const struct hp_sub *s);

/* Whether @id is the id of a class that was loaded or dumped. */
bool hp_plausible_class(const struct hp_plausible *k, uint64_t id);

/*
 * Whether the id of @s is in a known region of objects, and its stack trace is
 * known. Without this test, the id of a known class could be a mere reference
 * in the fields of some object.
 */
bool hp_plausible_agrees(const struct hp_plausible *k, const struct hp_sub *s);

/*
 * Whether @s may be an object whose fixed fields are damaged: two of its id,
 * its trace, and its class or element type must agree with the known facts.
 * Reads only tag, id, trace, class_id and type of @s. For a class dump the
 * trace must agree, because ids of classes occur in many places.
 */
bool hp_plausible_resembles(const struct hp_plausible *k,
			    const struct hp_sub *s);

/*
 * Store in *@size how many bytes of data the instance @s has according to its
 * class. Returns false if @s is not an instance of a class whose fields are
 * known.
 */
bool hp_plausible_data_size(const struct hp_plausible *k,
			    const struct hp_sub *s, uint64_t *size);

/*
 * Whether the length of @s follows from its tag or its class, and not only from
 * a length field.
 */
bool hp_plausible_length(const struct hp_plausible *k, const struct hp_sub *s);

/* ----------------------------------------------------------------------
 * Find the place after damage where the dump continues
 *
 * Such a place is called an anchor: from there on, the bytes make sense as
 * records or sub-records again.
 */

enum hp_anchor {
	HP_ANCHOR_NONE, /* there is no anchor */
	HP_ANCHOR_SUBS, /* sub-records of a heap record begin there */
	/* records begin there, or the header of another dump */
	HP_ANCHOR_RECORD,
};

/* What the caller knows about the bytes that it searches. */
struct hp_anchor_hints {
	/*
	 * Offsets, ascending, from which a walk over sub-records is known to
	 * end in damage. A chain that leads to one of them is no anchor.
	 */
	const uint64_t *dead;
	unsigned ndead;
	/*
	 * End of the sub-records that seemed valid before the damage. A series
	 * of sub-records that begins before this offset means that one of them
	 * has a wrong length. To prove this, it must continue after this
	 * offset.
	 */
	uint64_t beyond;
	/*
	 * the current heap record certainly ends at the given end, so no other
	 * records come before that
	 */
	bool no_records;
};

/**
 * hp_anchor_find() - find the first anchor in [@from, @end)
 * @hints: NULL: none
 * @at: receives the offset of the anchor; @end if there is none
 *
 * Each search earns effort for the bytes that it passes (see hp_resync_earn()),
 * so the caller must never search the same bytes again.
 */
enum hp_anchor hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k,
			      uint64_t from, uint64_t end,
			      const struct hp_anchor_hints *hints,
			      uint64_t *at);

/*
 * Whether valid sub-records follow each other from @at on, up to one that is
 * certainly genuine, or until there are many.
 */
bool hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k,
		     uint64_t at, const struct hp_anchor_hints *hints);

/**
 * hp_anchor_swallowed() - test whether a sub-record covers other sub-records
 * @from, @end: the bytes of the sub-record after its head
 *
 * A wrong length may by chance end where another sub-record begins. Then a walk
 * over the covered sub-records ends at the same place.
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
 * @sure: @end is the end of the heap record, and no other records come before
 *        it
 * @first: @at is the offset of the first sub-record of the heap record
 *
 * Inside the series, sub-records are accepted even if the ids in them are not
 * known. It ends at @end, at other records, or at a sub-record that is not
 * complete. If it ends elsewhere, only the part up to the last sub-record that
 * is sure counts. The walks cost effort as guesses do, because a wrong length
 * may lead back to where the same walk began.
 *
 * Returns: an offset; 0: no effort is left.
 */
uint64_t hp_unbroken_to(struct hp_resync *w, const struct hp_plausible *k,
			uint64_t at, uint64_t end, bool sure, bool first);

/* ----------------------------------------------------------------------
 * The state of a salvage, private to convert/salvage
 *
 * salvage.c reads records and runs the rounds. salvage_heap.c reads heap
 * records. salvage_copy.c writes the copy.
 */

enum {
	/*
	 * maximum number of sub-records in the queue; so many in a row cannot
	 * be there by accident
	 */
	HP_SALVAGE_TAIL = 32,
	/* maximum number of arrays without elements ("cropped") in a segment */
	HP_SALVAGE_CROPPED = 1 << 16,
};

/* A sub-record that waits for the ones after it to confirm its length. */
struct hp_salvage_waiting {
	uint64_t offset, size;
	uint8_t tag;
	enum hp_trust trust;
	bool length_sure;
};

/*
 * A HEAP DUMP that contains a sub-record of 4 GB or more, which fits in no
 * segment. The length of such a HEAP DUMP wraps at 4 GB. Readers find its end
 * only if it is the last record of the file. So it is written as one HEAP DUMP
 * record, without segments, if nothing is kept after it. One round finds this
 * out, and the next round writes it.
 */
struct hp_salvage_giant {
	/*
	 * The following members are offsets of record heads in the input; 0:
	 * none.
	 */
	uint64_t current; /* the HEAP DUMP that is being read */
	/*
	 * the HEAP DUMP with a sub-record of 4 GB or more that this round has
	 * found
	 */
	uint64_t found;
	/* the HEAP DUMP to write as one record in this round */
	uint64_t wanted;
	/*
	 * number of records that are kept up to the end of the HEAP DUMP
	 * @found, including it
	 */
	uint64_t records;
	/*
	 * number of segments that the HEAP DUMP @found became, or would become
	 */
	uint64_t segments;
	/* number of bytes written of the HEAP DUMP @wanted, without its head */
	uint64_t bytes;
	/*
	 * in the previous round, the dump of @wanted had no other heap records
	 */
	bool alone;
	/*
	 * another record follows, so the HEAP DUMP cannot be written as one
	 * record
	 */
	bool refused;
};

struct hp_salvage {
	struct hp_resync w;
	struct hp_plausible known;
	/* temporary file for the copy; NULL: this round only collects facts */
	struct hp_sink *out;
	struct hp_salvage_result *result;
	uint64_t preamble; /* bytes before the header of the dump */
	bool http;	   /* the bytes before the header are HTTP headers */
	bool keep_numbers; /* as hp_salvage_options.keep_numbers */
	/*
	 * the header has the version of Android, whose dumps always contain a
	 * heap
	 */
	bool android;
	/*
	 * in at least one round, a heap had a name, which only dumps of Android
	 * have
	 */
	bool named;
	/* a heap dump has begun, although perhaps nothing of it was kept yet */
	bool begun;
	bool in_dump; /* a segment was written, but no HEAP DUMP END yet */
	bool heap;    /* a segment of any dump was written */
	/* the file is from the agent, and need not contain a heap */
	bool heapless;
	bool torn; /* the current heap record is known to be damaged */
	/* it is not certain where the current heap record ends */
	bool unsure;
	/*
	 * offset up to which valid sub-records follow each other without a gap;
	 * 0: not known
	 */
	uint64_t unbroken_to;
	/* all bytes before this offset were counted, as kept or as lost */
	uint64_t kept_until;
	/*
	 * offset of the HEAP DUMP INFO sub-record that names the Android heap
	 * of the next objects; 0: none
	 */
	uint64_t info;
	/*
	 * The range of sub-records that will become the next segment; and the
	 * offset of the HEAP DUMP INFO that applies at its start.
	 */
	uint64_t from, to, from_info;
	/*
	 * offsets of the arrays without elements in that range, ascending, at
	 * most HP_SALVAGE_CROPPED; they are written with another tag
	 */
	uint64_t *cropped;
	size_t ncropped;
	/*
	 * offset of the first sub-record of the current heap record; 0: its
	 * head is lost
	 */
	uint64_t heap_at;
	/* the length in the head of the current heap record */
	uint32_t heap_length;
	/* the current heap record was tested for cropped arrays */
	bool crop_tested;
	/*
	 * arrays without elements were found for the first time, so the round
	 * must start again
	 */
	bool restart;
	uint64_t segments;
	bool empty_segments; /* a segment without sub-records was written */
	struct hp_salvage_giant giant;
	/* objects kept, and bytes of the heap kept */
	uint64_t objects, heap_bytes;
	uint64_t heap_lost; /* lost bytes of heap records */
	struct hp_salvage_waiting tail[HP_SALVAGE_TAIL];
	unsigned ntail;
	enum hp_status status;
	struct hp_error *err;
};

/* Whether no error has occurred and the round need not be repeated. */
static inline bool
hp_salvage_going(const struct hp_salvage *s)
{
	return s->status == HP_OK && s->w.status == HP_OK && !s->restart;
}

/* ---- salvage_copy.c ---- */

/*
 * The hp_salvage_write functions write nothing in a round that only collects
 * facts. After the first error they do nothing.
 */

void hp_salvage_write(struct hp_salvage *s, const void *bytes, size_t n);
/* Copy bytes of the input unchanged. */
void hp_salvage_write_range(struct hp_salvage *s, uint64_t from, uint64_t to);
/* Write the head of a record. */
void hp_salvage_write_head(struct hp_salvage *s, uint8_t tag, uint64_t length);
/* Write a segment without sub-records. */
void hp_salvage_write_empty(struct hp_salvage *s);
/* Write the collected sub-records as a segment. */
void hp_salvage_write_segment(struct hp_salvage *s);
/* Write a HEAP DUMP END, if a dump has begun. */
void hp_salvage_end_dump(struct hp_salvage *s);
/*
 * Add an empty heap if the output has no heap yet, because it would not be
 * valid without one.
 */
void hp_salvage_end(struct hp_salvage *s);

/*
 * Count the bytes in [@from, @to) as kept, and the bytes before them that were
 * not counted yet as lost.
 */
void hp_salvage_note_kept(struct hp_salvage *s, uint64_t from, uint64_t to);

/* Whether the current heap record is written as one HEAP DUMP. */
bool hp_salvage_in_giant(const struct hp_salvage *s);

/* ---- salvage_heap.c ---- */

/**
 * hp_salvage_heap_body() - keep the valid sub-records of a heap record
 * @at: offset of the first sub-record
 * @headed: the head of the record comes directly before @at
 * @sure: the record ends at @end. If false, it ends where other records begin.
 *
 * Returns: the offset where the caller continues.
 */
uint64_t hp_salvage_heap_body(struct hp_salvage *s, uint64_t at, uint64_t end,
			      bool headed, bool sure);

/* As hp_salvage_heap_body(), for a heap record whose head is at @pos. */
uint64_t hp_salvage_heap_record(struct hp_salvage *s, uint64_t pos, uint8_t tag,
				uint32_t length);

#endif
