/*
 * id_set_lanes.c - record the references in long arrays, four at a time, with
 * AVX2 instructions
 *
 * id_set.h records a single reference with about thirty instructions. In arrays
 * with some null elements, the processor often mispredicts the branch for null.
 * So this code has no such branch: a null reference sets a bit in memory that
 * is never read.
 */
#include "common/object_ids/id_set.h"

#include "common/format/heap.h"

#if defined(__x86_64__)
#include <immintrin.h>

/*
 * Constants for refer_four(). Each vector contains the same 64-bit value four
 * times, once for each of the four ids.
 */
struct lanes {
	/*
	 * control value of the shuffle instruction that swaps the bytes of ids
	 */
	__m256i swap;
	/*
	 * the first id that the run of the worker can contain; a run consists
	 * of contiguous bit sets (see struct hp_id_worker)
	 */
	__m256i base;
	/*
	 * The number of bits in the run (contiguous bit sets). Its top bit is
	 * inverted, because AVX2 has only signed comparisons.
	 */
	__m256i end;
	__m256i sign;
	/*
	 * address of the first bit of the run (contiguous bit sets), in the
	 * form of hp_bit_address()
	 */
	__m256i first;
	/*
	 * for each of the four ids: address of a bit that is set for a null
	 * reference and never read
	 */
	__m256i nowhere;
	/*
	 * mask that turns an id into the number of its granule (range of 512
	 * KiB)
	 */
	__m256i granules;
	__m256i no_granule;
};

#define LANES_HOT                                                              \
	__attribute__((target("avx2,bmi2,popcnt"), always_inline)) static inline

LANES_HOT __m256i
in_all(uint64_t v)
{
	return _mm256_set1_epi64x((int64_t)v);
}

LANES_HOT struct lanes
lanes_begin(const struct hp_id_worker *w, const struct hp_id_marker *m)
{
	const __m128i eight = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1,
					   2, 3, 4, 5, 6, 7);

	return (struct lanes){
		.swap = _mm256_broadcastsi128_si256(eight),
		.base = in_all(m->base),
		.end = in_all(m->bits ^ 1ull << 63),
		.sign = in_all(1ull << 63),
		.first = in_all(m->first),
		.nowhere = _mm256_add_epi64(
			in_all(hp_bit_address(w->nowhere, 0)),
			_mm256_set_epi64x(3 * 64, 2 * 64, 64, 0)),
		.granules = in_all(m->granule_mask),
		.no_granule = in_all(m->granule_mask + 1),
	};
}

/* Returns the top bits of the four 64-bit values, as a number of four bits. */
LANES_HOT unsigned
lane_bits(__m256i lanes)
{
	return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(lanes));
}

/*
 * Record references to the four ids at @ids. *@null receives the number of null
 * ids among them. If one of the ids is neither null nor in the worker's run
 * (contiguous bit sets), the function does nothing and returns false.
 */
LANES_HOT bool
refer_four(struct hp_id_worker *w, struct hp_id_marker *m,
	   const struct lanes *l, const uint8_t *ids, unsigned *null)
{
	__m256i id = _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)ids),
					 l->swap);
	__m256i n = _mm256_sub_epi64(id, l->base);
	/* the same computation as in hp_id_bit() */
	__m256i bit = _mm256_or_si256(_mm256_srli_epi64(n, 3),
				      _mm256_slli_epi64(n, 61));
	__m256i in_run =
		_mm256_cmpgt_epi64(l->end, _mm256_xor_si256(bit, l->sign));
	__m256i is_null = _mm256_cmpeq_epi64(id, _mm256_setzero_si256());
	__m256i granule = _mm256_or_si256(
		_mm256_and_si256(_mm256_srli_epi64(id, HP_GRANULE_SHIFT),
				 l->granules),
		_mm256_and_si256(is_null, l->no_granule));
	unsigned k = (m->at + HP_LANES - 1) & (HP_RING - HP_LANES);
	_Alignas(32) uint64_t granules[HP_LANES];
	uint64_t *ring = w->ring + k;

	*null = lane_bits(is_null);
	if (HP_UNLIKELY((*null | lane_bits(in_run)) != (1u << HP_LANES) - 1))
		return false;
	*null = (unsigned)__builtin_popcount(*null);
	m->at = k + HP_LANES;
	_mm256_store_si256((void *)granules, granule);
#pragma GCC unroll 4
	for (unsigned i = 0; i < HP_LANES; i++)
		hp_bit_set(ring[i]);
	_mm256_store_si256((void *)ring,
			   _mm256_blendv_epi8(l->nowhere,
					      _mm256_add_epi64(bit, l->first),
					      in_run));
#pragma GCC unroll 4
	for (unsigned i = 0; i < HP_LANES; i++) {
		__builtin_prefetch(hp_bit_word(ring[i]), 1);
		m->granules[granules[i]] = 1;
	}
	return true;
}

__attribute__((target("avx2,bmi2,popcnt"))) uint64_t
hp_id_refer_lanes(struct hp_id_worker *w, const uint8_t *ids, uint64_t n,
		  uint64_t *null)
{
	struct hp_id_marker m = hp_id_refer_begin(w);
	struct lanes l = lanes_begin(w, &m);
	uint64_t i, nulls = 0;
	unsigned some;

	for (i = 0; i + HP_LANES <= n; i += HP_LANES, ids += 8 * HP_LANES) {
		__builtin_prefetch(ids + HP_AHEAD_BUSY);
		if (HP_LIKELY(refer_four(w, &m, &l, ids, &some))) {
			nulls += some;
			continue;
		}
		for (unsigned k = 0; k < HP_LANES; k++)
			nulls += !hp_id_refer_at(w, &m, hp_load8(ids + 8 * k),
						 3);
		/*
		 * begin again, because hp_id_refer_beyond() may have changed
		 * the worker's run (contiguous bit sets)
		 */
		l = lanes_begin(w, &m);
	}
	hp_id_refer_end(w, &m);
	*null += nulls;
	return i;
}

#else

uint64_t
hp_id_refer_lanes(struct hp_id_worker *w, const uint8_t *ids, uint64_t n,
		  uint64_t *null)
{
	return 0;
}
#endif
