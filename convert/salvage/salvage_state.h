/*
 * salvage_state.h - the state of a salvage, and what its parts offer each other
 *
 * Private to convert/salvage. salvage.c reads records and runs the rounds,
 * salvage_heap.c reads heap records, salvage_copy.c writes the copy.
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_STATE_H
#define HP_CONVERT_SALVAGE_SALVAGE_STATE_H

#include "common/sink/sink.h"
#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"
#include "convert/salvage/salvage_result.h"

enum {
	/* sub-records that wait; so many in a row are no accident */
	HP_SALVAGE_TAIL = 32,
	/* arrays without elements in a segment */
	HP_SALVAGE_CROPPED = 1 << 16,
};

/* A sub-record that waits. */
struct hp_salvage_waiting {
	uint64_t offset, size;
	uint8_t tag;
	enum hp_trust trust;
	bool length_sure;
};

/*
 * A HEAP DUMP with a sub-record of 4 GB or more, which no segment can hold. The
 * length of such a record wraps, and readers find its end only where it is the
 * end of the file. So the HEAP DUMP is written as one record, without segments,
 * if nothing is kept after it. A round finds that out, the next one writes.
 */
struct hp_salvage_giant {
	/* offsets of heads in the input; 0: none */
	uint64_t current;  /* the HEAP DUMP at hand */
	uint64_t found;	   /* it has such a sub-record */
	uint64_t wanted;   /* is written as one record in this round */
	uint64_t records;  /* kept up to its end, it included */
	uint64_t segments; /* that it became, or would become */
	uint64_t bytes;	   /* written, without its head */
	bool alone;	   /* it was all of the heap in the round before */
	bool refused;	   /* something follows it */
};

struct hp_salvage {
	struct hp_resync w;
	struct hp_plausible known;
	struct hp_sink *out; /* NULL: this round learns */
	struct hp_salvage_result *result;
	uint64_t preamble; /* bytes before the dump's header */
	bool http;	   /* they are the headers of HTTP */
	bool keep_numbers; /* as in the options */
	bool android;	   /* by the header: it always has a heap */
	bool named;    /* a heap has a name, in any round: so do Android's */
	bool begun;    /* a dump, of which nothing may be left */
	bool in_dump;  /* a segment was written, no end yet */
	bool heap;     /* any was */
	bool heapless; /* the agent's: it need not have one */
	bool torn;     /* the heap record at hand is damaged */
	bool unsure;   /* ... or its end is not where it says */
	/* sub-records are known to stand behind each other from where the
	 * present ones begin to there; 0: that is not known */
	uint64_t unbroken_to;
	uint64_t kept_until; /* what is before it is kept, or counted as lost */
	uint64_t info;	     /* offset of the heap name in force; 0: none */
	/* sub-records that become the next segment, the name in force there */
	uint64_t from, to, from_info;
	/* The arrays among them that have no elements get another tag. */
	uint64_t *cropped; /* offsets, ascending; HP_SALVAGE_CROPPED at most */
	size_t ncropped;
	uint64_t heap_at;     /* the first sub-record of the heap record at
			       * hand; 0: its head is lost */
	uint32_t heap_length; /* what its head says */
	bool crop_tested; /* and it does not look as if its arrays had none */
	bool restart;	  /* arrays without elements were found: again */
	uint64_t segments;
	bool empty_segments; /* some were written */
	struct hp_salvage_giant giant;
	uint64_t objects, heap_bytes; /* kept */
	uint64_t heap_lost;	      /* bytes of heap records */
	struct hp_salvage_waiting tail[HP_SALVAGE_TAIL];
	unsigned ntail;
	enum hp_status status;
	struct hp_error *err;
};

/* Did nothing fail so far, and is the round to be finished? */
static inline bool
hp_salvage_going(const struct hp_salvage *s)
{
	return s->status == HP_OK && s->w.status == HP_OK && !s->restart;
}

/* ---- salvage_copy.c ---- */

/* These write nothing in a round that only learns. A failure sticks. */

void hp_salvage_write(struct hp_salvage *s, const void *bytes, size_t n);
/* Bytes of the input, as they are. */
void hp_salvage_write_range(struct hp_salvage *s, uint64_t from, uint64_t to);
/* The head of a record. */
void hp_salvage_write_head(struct hp_salvage *s, uint8_t tag, uint64_t length);
/* A segment without sub-records. */
void hp_salvage_write_empty(struct hp_salvage *s);
/* The sub-records that were gathered. */
void hp_salvage_write_segment(struct hp_salvage *s);
/* HEAP DUMP END, if a dump was begun. */
void hp_salvage_end_dump(struct hp_salvage *s);
/* A dump that ends before its heap would not be valid: adds an empty heap. */
void hp_salvage_end(struct hp_salvage *s);

/* What is in [@from, @to) is kept; what is before it and was not is lost. */
void hp_salvage_note_kept(struct hp_salvage *s, uint64_t from, uint64_t to);

/* Is the heap record at hand written as one HEAP DUMP? */
bool hp_salvage_in_giant(const struct hp_salvage *s);

/* ---- salvage_heap.c ---- */

/**
 * hp_salvage_heap_body() - keep the whole sub-records of a heap record
 * @at:     where they begin
 * @headed: the record's head is in front of them
 * @sure:   the record ends at @end; else it ends where other records begin
 *
 * Returns: where to go on.
 */
uint64_t hp_salvage_heap_body(struct hp_salvage *s, uint64_t at, uint64_t end,
			      bool headed, bool sure);

/* The same for a heap record, whose head is at @pos. */
uint64_t hp_salvage_heap_record(struct hp_salvage *s, uint64_t pos, uint8_t tag,
				uint32_t length);

#endif
