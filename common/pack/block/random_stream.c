/*
 * random_stream.c - detect data that cannot be compressed
 *
 * zstd saves space in two ways: frequent byte values get short codes, and
 * repeated sequences are stored once. To find out whether some byte values are
 * frequent, the byte values of a sample are counted. To find repeated
 * sequences, every occurrence of one chosen byte value is an anchor. The code
 * searches the bytes after an anchor in a hash table of the bytes after earlier
 * anchors. This finds nearly any repetition of a few hundred bytes, wherever it
 * begins.
 */
#include "common/pack/block/internal.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	LEAST = 1 << 16, /* streams with fewer bytes are not tested */
	/* size of a sample in bytes; a stream has many samples */
	SAMPLE = 256,
	/* approximate maximum number of samples in a stream */
	SAMPLES = 512,
	/*
	 * every occurrence of this byte value is an anchor, from which bytes
	 * are compared; any other value would do
	 */
	ANCHOR = 0xa5,
	/* number of bytes that are compared: the anchor and those after it */
	BEHIND = 8,
	/*
	 * Base-2 logarithm of the number of slots of the hash table. 2 MB of
	 * random bytes have about as many anchors. 2 MB is the maximum distance
	 * at which zstd finds repetitions at level 3.
	 */
	SLOT_BITS = 13,
	VALUES = 256,
	/*
	 * If the chi-squared value of the counts is larger than this, the byte
	 * values are not equally frequent. The limit is six standard deviations
	 * above the mean of the distribution with 255 degrees of freedom: 255 +
	 * 6 * sqrt(2 * 255).
	 */
	CHI_SQUARED_MOST = 390,
};

/* Counts the byte values in samples of a stream. */
struct sampler {
	uint32_t counts[VALUES];
	/* state of the random number generator, which is linear congruential */
	uint64_t state;
	size_t next; /* number of bytes to skip before the next sample */
	/* average distance between samples in bytes */
	size_t stride;
	size_t taken;
};

/*
 * Count the byte values of the samples that are in the next @n bytes of the
 * stream.
 */
static void
take_samples(struct sampler *s, const uint8_t *p, size_t n)
{
	while (s->next < n) {
		size_t some = n - s->next < SAMPLE ? n - s->next : SAMPLE;

		for (size_t i = 0; i < some; i++)
			s->counts[p[s->next + i]]++;
		s->taken += some;
		/*
		 * Distances between samples are random. Otherwise all samples
		 * of periodic data could be equal.
		 */
		s->state = s->state * 6364136223846793005u + 1;
		s->next += SAMPLE + (s->state >> 33) % (2 * s->stride);
	}
	s->next -= n;
}

/*
 * Pearson's chi-squared test: whether the counts are likely if all 256 byte
 * values are equally frequent.
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
 * Whether, among the @n bytes at @p, the same eight bytes begin at two anchors
 * (bytes with the chosen value). @slots: the hash table of earlier anchors; an
 * empty slot is 0.
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
