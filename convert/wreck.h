/*
 * wreck.h - looking into a damaged dump at any offset: what could be a record
 * here, what could be sub-records
 */
#ifndef HP_CONVERT_WRECK_H
#define HP_CONVERT_WRECK_H

#include "common/format/heap.h"
#include "common/io/source.h"

/* A window over a source that can seek. The first failure sticks. */
struct hp_wreck {
	struct hp_source *src;
	uint64_t size;		     /* bytes of the source */
	const struct hp_hole *holes; /* nothing that reaches into one is whole;
					ascending */
	size_t nholes;
	unsigned id_size;
	uint8_t *buf;
	size_t cap, have;
	uint64_t at; /* offset of buf[0] */
	enum hp_status status;
	struct hp_error *err;
};

void hp_wreck_release(struct hp_wreck *w);

/**
 * hp_wreck_view() - at least @n bytes at @offset, or all that there are
 * @got: how many
 *
 * Returns: NULL after a failure; borrowed until the next call.
 */
const uint8_t *hp_wreck_view(struct hp_wreck *w, uint64_t offset, size_t n,
			     size_t *got);

/* A whole record of the right length at @offset? Its bytes with the head. */
bool hp_wreck_record(struct hp_wreck *w, uint64_t offset, uint64_t *bytes);

/* Could a record begin at @offset, or does the input end there? */
bool hp_wreck_begins(struct hp_wreck *w, uint64_t offset);

/* The first offset from @from on where records begin; the size if none. */
uint64_t hp_wreck_find_record(struct hp_wreck *w, uint64_t from);

/*
 * The same, or where sub-records of a heap go on that cannot be an accident,
 * whatever comes first; *@heap: which of the two.
 */
uint64_t hp_wreck_find(struct hp_wreck *w, uint64_t from, bool *heap);

/*
 * Walk sub-records from @offset to @end at most. Each whole one is given to
 * @see (unless NULL); @data of arrays may not be there. *@stop: the place
 * behind the last one. Returns true if that is @end.
 */
bool hp_wreck_walk(struct hp_wreck *w, uint64_t offset, uint64_t end,
		   unsigned most,
		   void (*see)(void *ctx, const struct hp_sub *sub), void *ctx,
		   uint64_t *stop, unsigned *count);

/* The first offset in [@from, @end) where sub-records go on; @end if none. */
uint64_t hp_wreck_find_sub(struct hp_wreck *w, uint64_t from, uint64_t end);

#endif
