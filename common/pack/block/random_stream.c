/*
 * random_stream.c - streams that no compression makes smaller
 *
 * What a compressor of zstd's kind gains comes from values that are more
 * frequent than others, and from what is there twice. The first shows in a
 * sample. For the second, every byte of one value is an anchor: what stands
 * behind it is looked up in a table of what stood behind the ones before, so
 * that any repetition of a few hundred bytes is noticed, wherever it begins.
 */
#include "common/pack/block/random_stream.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 1 << 16, /* bytes of a stream that tell enough */
	SAMPLE = 256,	 /* bytes that are counted in a row */
	SAMPLES = 512,	 /* of a stream, at most about */
	ANCHOR = 0xa5,	 /* any value does */
	BEHIND = 8,	 /* bytes from an anchor on that are looked up */
	SLOT_BITS = 13,	 /* anchors in 2 MB, the reach of zstd's level 3 */
	VALUES = 256,
	/* Six standard deviations above the mean of chi squared with 255
	 * degrees of freedom: 255 + 6 * sqrt(2 * 255). */
	CHI_SQUARED_MOST = 390,
};

/* Where the next sample is taken. */
struct sampler {
	uint32_t counts[VALUES];
	uint64_t state; /* of a generator */
	size_t next;	/* bytes to the next sample */
	size_t stride;	/* from one to the next, on average, or a little more */
	size_t taken;
};

/* Counts samples of the next @n bytes of the stream. */
static void
take_samples(struct sampler *s, const uint8_t *p, size_t n)
{
	while (s->next < n) {
		size_t some = n - s->next < SAMPLE ? n - s->next : SAMPLE;

		for (size_t i = 0; i < some; i++)
			s->counts[p[s->next + i]]++;
		s->taken += some;
		/* not evenly: what repeats evenly would be seen at one place */
		s->state = s->state * 6364136223846793005u + 1;
		s->next += SAMPLE + (s->state >> 33) % (2 * s->stride);
	}
	s->next -= n;
}

/* Pearson's test of the counts: @taken values of 256 that are equally likely?
 */
static bool
equally_frequent(const struct sampler *s)
{
	double expected = (double)s->taken / VALUES, sum = 0;

	for (unsigned i = 0; i < VALUES; i++)
		sum += (s->counts[i] - expected) * (s->counts[i] - expected);
	return sum <= CHI_SQUARED_MOST * expected;
}

/* Is something of @p's @n bytes behind two anchors? @slots, by hash: what was
 * behind those before; 0: none. */
static bool
found_twice(uint64_t *slots, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;

	while (end - p >= BEHIND &&
	       (p = memchr(p, ANCHOR, (size_t)(end - p) - BEHIND + 1))) {
		uint64_t value, *slot;

		memcpy(&value, p, sizeof(value));
		slot = slots +
		       (value * 0x9e3779b97f4a7c15u >> (64 - SLOT_BITS));
		if (*slot == value)
			return true;
		*slot = value;
		p++;
	}
	return false;
}

bool
hp_pack_stream_random(const struct hp_pack_segment *segments,
		      const size_t *order, size_t count, size_t n)
{
	struct sampler s = {.stride = n / SAMPLES};
	uint64_t *slots;
	bool twice = false;

	if (n < LEAST)
		return false;
	for (size_t i = 0; i < count; i++)
		take_samples(&s, segments[order[i]].data, segments[order[i]].n);
	if (!equally_frequent(&s))
		return false;
	slots = calloc((size_t)1 << SLOT_BITS, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < count && !twice; i++)
		twice = found_twice(slots, segments[order[i]].data,
				    segments[order[i]].n);
	free(slots);
	return !twice;
}
