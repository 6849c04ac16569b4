/*
 * resync.h - looking into a damaged dump at any offset: its bytes, what could
 * be a record there, how far a sub-record goes
 */
#ifndef HP_CONVERT_SALVAGE_RESYNC_H
#define HP_CONVERT_SALVAGE_RESYNC_H

#include "common/format/heap.h"
#include "common/io/source.h"

struct hp_plausible;

enum {
	HP_WRECK_LINES = 256,	   /* short stretches that were looked at */
	HP_WRECK_LINE = 4096,	   /* bytes of one, and what may be looked at */
	HP_WRECK_BEHIND = 128,	   /* at its end without another */
	HP_WRECK_HEADER = 31,	   /* bytes of a dump's header */
	HP_WRECK_HEADER_MOST = 44, /* of one of any version */
	HP_WRECK_EARNED = 16,	   /* see hp_resync_earn() */
};

struct hp_resync_line {
	uint64_t at; /* its offset + 1; 0: empty */
	uint32_t have;
	uint8_t bytes[HP_WRECK_LINE + HP_WRECK_BEHIND];
};

/*
 * A source that can seek: a window that moves along, and short stretches
 * elsewhere. The first failure sticks.
 */
struct hp_resync {
	struct hp_source *src;
	uint64_t size;		     /* bytes of the source */
	const struct hp_hole *holes; /* nothing that reaches into one is whole;
					ascending */
	size_t nholes;
	unsigned id_size;
	/*
	 * Primitive arrays may lack their elements: tools of Android apps, such
	 * as KOOM, leave them out while the VM writes the dump, and leave the
	 * lengths of the arrays and of their records as they were. @known tells
	 * which arrays do.
	 */
	bool cropped;
	const struct hp_plausible *known;
	uint8_t *buf;
	size_t cap, have;
	uint64_t at; /* offset of buf[0] */
	struct hp_resync_line *lines;
	uint8_t *side; /* a class dump that is not in the window */
	size_t side_cap;
	uint64_t effort; /* what guesses may still cost */
	enum hp_status status;
	struct hp_error *err;
};

/* HP_OK; HP_NOMEM. @w: src, holes and err are set. Release it in any case. */
HP_MUST_USE enum hp_status hp_resync_init(struct hp_resync *w);
void hp_resync_release(struct hp_resync *w);

/**
 * hp_resync_view() - at least @n bytes at @offset, or all that there are
 * @got: how many
 *
 * The window moves there.
 * Returns: NULL after a failure; borrowed until the next call.
 */
const uint8_t *hp_resync_view(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/* The same for HP_WRECK_BEHIND bytes at the most, anywhere. */
const uint8_t *hp_resync_peek(struct hp_resync *w, uint64_t offset, size_t n,
			      size_t *got);

/* The byte at @offset; -1: there is none. */
int hp_resync_byte(struct hp_resync *w, uint64_t offset);

/*
 * @n bytes were passed for good. Guesses are paid by these, so that all of them
 * together are linear in the input, however it is made.
 */
void hp_resync_earn(struct hp_resync *w, uint64_t n);

/* May a guess cost @n more? A step costs 1. If not, nothing is left. */
bool hp_resync_charge(struct hp_resync *w, uint64_t n);

/* The next offset that is in no hole. */
uint64_t hp_resync_out_of_hole(const struct hp_resync *w, uint64_t offset);
/* A whole record of the right length at @offset? Its bytes with the head. */
bool hp_resync_record(struct hp_resync *w, uint64_t offset, uint64_t *bytes);

/* Does a dump begin at @offset? */
bool hp_resync_header(struct hp_resync *w, uint64_t offset);

/**
 * hp_resync_sub() - measure the sub-record at @offset
 * @end:   it may not go beyond
 * @guess: it is charged for
 * @s:     set on true; @data and @start are borrowed until the next call, and
 *         of arrays and instances not all of the data is there
 *
 * A primitive array without its elements is a PRIMITIVE_ARRAY_NODATA, whatever
 * its tag is, if the dump is cropped.
 * Returns: false if there is none, or it is not whole.
 */
bool hp_resync_sub(struct hp_resync *w, uint64_t offset, uint64_t end,
		   bool guess, struct hp_sub *s);

/*
 * What an object's head would say at @offset, however long it claims to be:
 * @s has its tag, id, trace, count, class_id and type. False: none is there.
 */
bool hp_resync_head(struct hp_resync *w, uint64_t offset, struct hp_sub *s);

/* Could a record or a dump begin at @offset, or does the input end there? */
bool hp_resync_begins(struct hp_resync *w, uint64_t offset);

/* Do records begin at @offset, one behind the other, and not by accident? */
bool hp_resync_records(struct hp_resync *w, uint64_t offset);

/*
 * A HEAP DUMP END where a segment's length says, whatever follows: its tag and
 * its length of 0 are no accident there.
 */
bool hp_resync_dump_ends(struct hp_resync *w, uint64_t end);

/**
 * hp_resync_finds_cropped() - would a heap record make sense if its primitive
 * arrays lacked their elements?
 * @body:   where its sub-records begin
 * @length: what its head says
 * @end:    where the record ends if @sure
 *
 * It does if the lengths of the sub-records, with the elements, add up to its
 * own length, if they end where it ends, or if many follow each other.
 */
bool hp_resync_finds_cropped(struct hp_resync *w, uint64_t body,
			     uint32_t length, uint64_t end, bool sure);

/* Where the heap record at @at ends; *@sure: what follows says so, too. */
uint64_t hp_resync_heap_end(struct hp_resync *w, uint64_t at, uint8_t tag,
			    uint32_t length, bool *sure);

/* Is a heap record at @at whose length is right, whatever is in it? */
bool hp_resync_whole_heap(struct hp_resync *w, uint64_t at);

#endif
