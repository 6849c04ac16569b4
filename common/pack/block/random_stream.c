/*
 * random_stream.c - detect data that cannot be compressed
 *
 * zstd saves space in two ways: frequent byte values get short codes, and
 * repeated sequences are stored once. The first is tested with a sample of the
 * byte values. For the second, every occurrence of one chosen byte value is an
 * anchor. The bytes after an anchor are searched in a hash table of earlier
 * anchors. So any repetition of a few hundred bytes is found, wherever it
 * begins.
 */
#include "common/pack/block/internal.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	LEAST = 1 << 16, /* minimum bytes of a stream that is tested */
	SAMPLE = 256,	 /* bytes of a sample */
	SAMPLES = 512,	 /* approximate maximum of samples in a stream */
	/* an arbitrary byte value; its occurrences are the anchors */
	ANCHOR = 0xa5,
	BEHIND = 8, /* number of bytes from an anchor on that are compared */
	/*
	 * log2 of the number of slots: about as many as there are anchors in 2
	 * MB, the distance in which zstd finds repetitions at level 3
	 */
	SLOT_BITS = 13,
	VALUES = 256,
	/*
	 * Six standard deviations above the mean of the chi-squared
	 * distribution with 255 degrees of freedom: 255 + 6 * sqrt(2 * 255).
	 */
	CHI_SQUARED_MOST = 390,
};

/* Counts the byte values in samples of the stream. */
struct sampler {
	uint32_t counts[VALUES];
	uint64_t state; /* state of a linear congruential generator */
	size_t next;	/* number of bytes up to the next sample */
	/* average distance between samples in bytes */
	size_t stride;
	size_t taken;
};

/* Count the samples in the next @n bytes of the stream. */
static void
take_samples(struct sampler *s, const uint8_t *p, size_t n)
{
	while (s->next < n) {
		size_t some = n - s->next < SAMPLE ? n - s->next : SAMPLE;

		for (size_t i = 0; i < some; i++)
			s->counts[p[s->next + i]]++;
		s->taken += some;
		/*
		 * at random distances, so that periodic data are sampled
		 * everywhere
		 */
		s->state = s->state * 6364136223846793005u + 1;
		s->next += SAMPLE + (s->state >> 33) % (2 * s->stride);
	}
	s->next -= n;
}

/*
 * Pearson's chi-squared test: whether the counts fit 256 equally likely values.
 */
static bool
equally_frequent(const struct sampler *s)
{
	double expected = (double)s->taken / VALUES, sum = 0;

	for (unsigned i = 0; i < VALUES; i++)
		sum += (s->counts[i] - expected) * (s->counts[i] - expected);
	return sum <= CHI_SQUARED_MOST * expected;
}

/*
 * Whether the @n bytes at @p repeat the eight bytes of an earlier anchor.
 * @slots: hash table of earlier anchors; 0 is empty.
 */
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
	slots = hp_calloc((size_t)1 << SLOT_BITS, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < count && !twice; i++)
		twice = found_twice(slots, segments[order[i]].data,
				    segments[order[i]].n);
	hp_free(slots);
	return !twice;
}
