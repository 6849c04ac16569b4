/*
 * id_buckets.c - collect ids in buckets, and look up all ids of a bucket
 * together
 *
 * A bucket is a buffer for the ids of one range. These ids are close together,
 * so their data is in the cache of the processor during the look-ups.
 */
#include "common/object_ids/id_ranks.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"

#include <assert.h>
#include <sys/mman.h>

enum {
	/*
	 * The minimum number of ids for which a bucket (list of ids) has room.
	 * Smaller buckets would not make look-ups faster.
	 */
	LEAST_IDS = 1024,
	/*
	 * The range of a bucket has at most 2^MOST_SHIFT places (indexes of
	 * bits), because an item of a bucket has 32 bits for a place.
	 */
	MOST_SHIFT = 32,
	PLACES_A_LINE = 512,
	HUGE_PAGE = 2 << 20,
	CACHE_LINE = 64,
};

enum hp_status
hp_id_buckets_init(struct hp_id_buckets *b, const struct hp_id_ranks *ranks,
		   uint64_t bytes, struct hp_error *err)
{
	uint64_t most = bytes / (LEAST_IDS * sizeof(*b->ids));
	uint64_t size, align;

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
	align = size < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
	b->ids = hp_aligned_alloc(align, hp_align_up(size, align));
	if (!b->ids)
		return hp_no_memory(err);
	/* this is only a hint; the kernel may ignore it */
	if (size >= HUGE_PAGE)
		madvise(b->ids, size, MADV_HUGEPAGE);
	return HP_OK;
}

void
hp_id_buckets_release(struct hp_id_buckets *b)
{
	hp_free(b->ids);
	*b = (struct hp_id_buckets){0};
}

/*
 * Prefetch the memory of all ids in the range of the bucket. If the bucket
 * contains only a few ids, do nothing, because a few cache misses cost less
 * time.
 */
void
hp_id_buckets_fetch(const struct hp_id_buckets *b, uint32_t bucket)
{
	uint64_t places = UINT64_C(1) << b->shift;
	uint64_t from = (uint64_t)bucket << b->shift;

	if (b->fill[bucket] > places / PLACES_A_LINE)
		hp_id_ranks_fetch(b->ranks, from, from + places);
}

/*
 * Prefetch the items that the next call of hp_id_buckets_take() will remove
 * from a bucket: at most HP_ID_BUCKET_TAKE of the @left items before @end. The
 * processor does not prefetch them itself, because items are removed from the
 * end.
 */
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

	assert(have <= b->room);
	*ids = b->ids + (uint64_t)bucket * b->room + left;
	fetch_slice(*ids, left);
	hp_id_ranks_at(b->ranks, (uint64_t)bucket << b->shift, b->shift, *ids,
		       n, ranks);
	b->fill[bucket] = left;
	return n;
}
