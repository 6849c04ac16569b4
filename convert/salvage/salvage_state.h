/*
 * salvage_state.h - the state of a salvage, private to convert/salvage
 *
 * salvage.c reads records and runs the rounds. salvage_heap.c reads heap
 * records. salvage_copy.c writes the copy.
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_STATE_H
#define HP_CONVERT_SALVAGE_SALVAGE_STATE_H

#include "common/sink/sink.h"
#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"
#include "convert/salvage/salvage_result.h"

enum {
	/*
	 * maximum number of waiting sub-records; so many in a row are no
	 * accident
	 */
	HP_SALVAGE_TAIL = 32,
	/* maximum number of arrays without elements in a segment */
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
	 * Offsets of record heads in the input: current, found and wanted; 0:
	 * none.
	 */
	uint64_t current; /* the HEAP DUMP that is being read */
	/* a HEAP DUMP that contains a sub-record of 4 GB or more */
	uint64_t found;
	/* the HEAP DUMP to write as one record in this round */
	uint64_t wanted;
	/*
	 * number of records kept up to the end of the HEAP DUMP @found, with it
	 */
	uint64_t records;
	/*
	 * number of segments that the HEAP DUMP @found became, or would become
	 */
	uint64_t segments;
	/* number of bytes written of the HEAP DUMP @wanted, without its head */
	uint64_t bytes;
	/* in the previous round, the dump had no other heap records */
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
	/* temporary file for the copy; NULL: this round only learns */
	struct hp_sink *out;
	struct hp_salvage_result *result;
	uint64_t preamble; /* bytes before the header of the dump */
	bool http;	   /* the preamble consists of HTTP headers */
	bool keep_numbers; /* as hp_salvage_options.keep_numbers */
	/*
	 * the header has the version of Android, whose dumps always contain a
	 * heap
	 */
	bool android;
	/* a heap had a name in any round, as only in dumps of Android */
	bool named;
	/* a heap dump has begun, of which nothing may have been kept yet */
	bool begun;
	bool in_dump; /* a segment was written, and no HEAP DUMP END yet */
	bool heap;    /* a segment of any dump was written */
	/* the file is from the agent, and need not contain a heap */
	bool heapless;
	bool torn; /* the current heap record is damaged */
	/* the end of the current heap record is not known for sure */
	bool unsure;
	/*
	 * Up to this offset, valid sub-records follow each other without a gap;
	 * 0: not known.
	 */
	uint64_t unbroken_to;
	/* all bytes before this offset are accounted for, as kept or as lost */
	uint64_t kept_until;
	/* offset of the HEAP DUMP INFO that applies here; 0: none */
	uint64_t info;
	/*
	 * The range of sub-records that will be the next segment, and the
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
	/* cropped arrays were found for the first time: repeat the round */
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

/* Whether nothing has failed and the round must not be repeated. */
static inline bool
hp_salvage_going(const struct hp_salvage *s)
{
	return s->status == HP_OK && s->w.status == HP_OK && !s->restart;
}

/* ---- salvage_copy.c ---- */

/*
 * The hp_salvage_write functions write nothing in a round that only learns.
 * After the first failure they do nothing.
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
