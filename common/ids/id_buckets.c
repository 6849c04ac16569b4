/*
 * id_buckets.c - ids put off until many of one stretch are looked up together
 */
#include "common/ids/id_buckets.h"

#include "common/base/align.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
	LEAST_IDS = 1024, /* of a bucket: fewer are not worth one */
	MOST_SHIFT = 32,  /* places are told apart by 32 bits */
	PLACES_A_LINE = 512,
	HUGE_PAGE = 2 << 20,
};

enum hp_status
hp_id_buckets_init(struct hp_id_buckets *b, const struct hp_id_ranks *ranks,
		   uint64_t bytes, struct hp_error *err)
{
	uint64_t most = bytes / (LEAST_IDS * sizeof(*b->ids));
	uint64_t size;

	*b = (struct hp_id_buckets){.ranks = ranks};
	if (most == 0 || ranks->nleaves == 0)
		return HP_OK;
	if (most > HP_ID_BUCKETS)
		most = HP_ID_BUCKETS;
	b->places = (uint64_t)ranks->nleaves << HP_LEAF_BITS;
	while (b->shift < MOST_SHIFT && (b->places - 1) >> b->shift >= most)
		b->shift++;
	if (b->places > most << b->shift)
		b->places = most << b->shift;
	b->count = (uint32_t)((b->places - 1) >> b->shift) + 1;
	b->room = (uint32_t)(bytes / sizeof(*b->ids) / b->count);
	size = (uint64_t)b->count * b->room * sizeof(*b->ids);
	b->ids = aligned_alloc(HUGE_PAGE, hp_align_up(size, HUGE_PAGE));
	if (!b->ids)
		return hp_no_memory(err);
	if (size >= HUGE_PAGE) /* a hint */
		madvise(b->ids, size, MADV_HUGEPAGE);
	return HP_OK;
}

void
hp_id_buckets_release(struct hp_id_buckets *b)
{
	free(b->ids);
	*b = (struct hp_id_buckets){0};
}

/* In order, which the processor does faster; but for few ids only what they
 * need. */
void
hp_id_buckets_fetch(const struct hp_id_buckets *b, uint32_t bucket)
{
	uint64_t places = UINT64_C(1) << b->shift;
	uint64_t from = (uint64_t)bucket << b->shift;

	if (b->fill[bucket] > places / PLACES_A_LINE)
		hp_id_ranks_fetch(b->ranks, from, from + places);
}

/* The slice before the one that is taken comes next, which no processor
 * foresees: of @left ids that end at @end. */
static void
fetch_slice(const uint64_t *end, uint32_t left)
{
	enum { IDS_A_LINE = 64 / sizeof(*end) };
	uint32_t n = left < HP_ID_BUCKET_TAKE ? left : HP_ID_BUCKET_TAKE;

	for (uint32_t i = 1; i <= n; i += IDS_A_LINE)
		__builtin_prefetch(end - i);
}

unsigned
hp_id_buckets_take(struct hp_id_buckets *b, uint32_t bucket,
		   const uint64_t **ids, uint64_t ranks[])
{
	uint32_t have = b->fill[bucket];
	uint32_t n = have < HP_ID_BUCKET_TAKE ? have : HP_ID_BUCKET_TAKE;
	uint32_t left = have - n;

	*ids = b->ids + (uint64_t)bucket * b->room + left;
	fetch_slice(*ids, left);
	hp_id_ranks_at(b->ranks, (uint64_t)bucket << b->shift, b->shift, *ids,
		       n, ranks);
	b->fill[bucket] = left;
	return n;
}
