/*
 * column.c - encode a column of numbers (for example one field of all instances
 * of a class), and choose the encoding
 *
 * Most encodings store differences. The low bits of differences between
 * addresses are zero because of alignment. So a difference is rotated, which
 * moves the zero bits to the top. Then the sign is combined with the other bits
 * (zigzag). Every encoding can represent every value, so a bad choice only
 * costs space.
 */
#include "common/pack/block/coding.h"

#include <math.h>
#include <string.h>

enum {
	/*
	 * A column with fewer values than this gets the default encoding,
	 * without trying other encodings.
	 */
	FEW = 24,
	/*
	 * base-2 logarithm of the largest alignment of objects that is tried
	 * (128 bytes)
	 */
	SHIFT_MOST = 7,
	USUAL_SHIFT = 3,
	/*
	 * The maximum size in bytes of the header of a string in the JVM. No
	 * JVM has more bytes before the characters of a string.
	 */
	TEXT_HEAD_MOST = 32,
};

static inline uint64_t
mask_of(unsigned bits)
{
	return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static inline uint64_t
rotate_bits(uint64_t d, unsigned shift, unsigned bits)
{
	return shift ? (d >> shift | d << (bits - shift)) & mask_of(bits) : d;
}

/*
 * @t is a difference that was rotated to the right by @shift bits, so its sign
 * bit is at position bits - 1 - shift. If the sign bit is set, invert the
 * @shift bits above it. A second call restores the value.
 */
static inline uint64_t
fold_sign(uint64_t t, unsigned shift, unsigned bits)
{
	uint64_t high = mask_of(bits) & ~(mask_of(bits) >> shift);

	return t ^ ((0 - (t >> (bits - 1 - shift) & 1)) & high);
}

/*
 * Returns the code of a difference @d. Returns 0, which is never a code, for
 * the one difference that cannot be encoded.
 */
static inline uint64_t
signed_code(uint64_t d, unsigned shift, unsigned bits)
{
	uint64_t t = fold_sign(rotate_bits(d, shift, bits), shift, bits);

	t = (t << 1 ^ (0 - (t >> (bits - 1) & 1))) & mask_of(bits);
	return (t + 1) & mask_of(bits);
}

static inline uint64_t
signed_value(uint64_t code, unsigned shift, unsigned bits)
{
	uint64_t z = (code - 1) & mask_of(bits);
	uint64_t t = (z >> 1 ^ (0 - (z & 1))) & mask_of(bits);

	t = fold_sign(t, shift, bits);
	return shift ? rotate_bits(t, bits - shift, bits) : t;
}

static inline uint64_t
base_code(uint64_t d, unsigned shift, unsigned bits)
{
	return (rotate_bits(d, shift, bits) + 1) & mask_of(bits);
}

static inline uint64_t
base_value(uint64_t code, unsigned shift, unsigned bits)
{
	uint64_t t = (code - 1) & mask_of(bits);

	return shift ? rotate_bits(t, bits - shift, bits) : t;
}

/*
 * Functions with this attribute must be inlined, because they are called with
 * constant arguments.
 */
#define INLINE static inline __attribute__((always_inline))

INLINE bool
code_loop(unsigned how, unsigned bits, const struct hp_pack_column *c,
	  uint64_t *prev, const uint64_t *values, const uint64_t *own,
	  uint64_t *codes, size_t n, uint64_t * or)
{
	uint64_t last = *prev, all = 0, mask = mask_of(bits);
	unsigned shift = c->shift;
	bool none = false;

	for (size_t i = 0; i < n; i++) {
		uint64_t v = values[i], code = v;

		if (how == HP_PACK_PREV)
			code = signed_code((v - last) & mask, shift, bits);
		else if (how == HP_PACK_OWN)
			code = signed_code((v - (own ? own[i] : 0)) & mask,
					   shift, bits);
		else if (how == HP_PACK_NEXT)
			code = signed_code(
				(v - last - hp_pack_text_end(c, own[i])) & mask,
				shift, bits);
		else if (how == HP_PACK_ABS)
			code = base_code((v - c->base) & mask, shift, bits);
		if (how != HP_PACK_PLAIN) {
			code = v ? code : 0;
			last = v ? v : last;
			none |= v && !code;
		}
		codes[i] = code;
		all |= code;
	}
	*prev = last;
	* or |= all;
	return !none;
}

INLINE bool
code_width(unsigned bits, const struct hp_pack_column *c, uint64_t *prev,
	   const uint64_t *values, const uint64_t *own, uint64_t *codes,
	   size_t n, uint64_t * or)
{
	switch (c->how) {
	case HP_PACK_PREV:
		return code_loop(HP_PACK_PREV, bits, c, prev, values, own,
				 codes, n, or);
	case HP_PACK_OWN:
		return code_loop(HP_PACK_OWN, bits, c, prev, values, own, codes,
				 n, or);
	case HP_PACK_NEXT:
		return code_loop(HP_PACK_NEXT, bits, c, prev, values, own,
				 codes, n, or);
	case HP_PACK_ABS:
		return code_loop(HP_PACK_ABS, bits, c, prev, values, own, codes,
				 n, or);
	default:
		return code_loop(HP_PACK_PLAIN, bits, c, prev, values, own,
				 codes, n, or);
	}
}

bool
hp_pack_encode_value(const struct hp_pack_column *c, uint64_t *prev,
		     const uint64_t *values, const uint64_t *own,
		     uint64_t *codes, size_t n, uint64_t *bits)
{
	if (c->how == HP_PACK_CONST) {
		uint64_t other = 0;

		for (size_t i = 0; i < n; i++)
			other |= values[i] ^ c->base;
		return other == 0;
	}
	if (c->width == 8)
		return code_width(64, c, prev, values, own, codes, n, bits);
	if (c->width == 4)
		return code_width(32, c, prev, values, own, codes, n, bits);
	return code_width(8U * c->width, c, prev, values, own, codes, n, bits);
}

INLINE void
value_loop(unsigned how, unsigned bits, const struct hp_pack_column *c,
	   uint64_t *prev, uint64_t *codes, const uint64_t *own, size_t n)
{
	uint64_t last = *prev, mask = mask_of(bits), v;
	unsigned shift = c->shift;

	for (size_t i = 0; i < n; i++) {
		uint64_t code = codes[i];

		if (how == HP_PACK_ABS)
			v = base_value(code, shift, bits) + c->base;
		else if (how == HP_PACK_NEXT)
			v = signed_value(code, shift, bits) + last +
			    hp_pack_text_end(c, own[i]);
		else
			v = signed_value(code, shift, bits) +
			    (how == HP_PACK_PREV ? last
			     : own		 ? own[i]
						 : 0);
		v = code ? v & mask : 0;
		last = v ? v : last;
		codes[i] = v;
	}
	*prev = last;
}

INLINE void
value_width(unsigned bits, const struct hp_pack_column *c, uint64_t *prev,
	    uint64_t *codes, const uint64_t *own, size_t n)
{
	if (c->how == HP_PACK_PREV)
		value_loop(HP_PACK_PREV, bits, c, prev, codes, own, n);
	else if (c->how == HP_PACK_OWN)
		value_loop(HP_PACK_OWN, bits, c, prev, codes, own, n);
	else if (c->how == HP_PACK_NEXT)
		value_loop(HP_PACK_NEXT, bits, c, prev, codes, own, n);
	else if (c->how == HP_PACK_ABS)
		value_loop(HP_PACK_ABS, bits, c, prev, codes, own, n);
}

void
hp_pack_decode_value(const struct hp_pack_column *c, uint64_t *prev,
		     uint64_t *codes, const uint64_t *own, size_t n)
{
	if (c->how == HP_PACK_CONST) {
		for (size_t i = 0; i < n; i++)
			codes[i] = c->base;
		return;
	}
	if (c->width == 8)
		value_width(64, c, prev, codes, own, n);
	else if (c->width == 4)
		value_width(32, c, prev, codes, own, n);
	else
		value_width(8U * c->width, c, prev, codes, own, n);
}

/* ---- choosing an encoding ---- */

/*
 * Returns the entropy in bits of @n codes if each plane (one byte of each code)
 * is compressed separately.
 */
static double
code_cost(const uint64_t *codes, size_t n, unsigned width)
{
	uint16_t seen[256];
	double sum = 0;

	for (unsigned p = 0; p < width; p++) {
		memset(seen, 0, sizeof(seen));
		for (size_t i = 0; i < n; i++)
			seen[codes[i] >> (8 * p) & 0xFF]++;
		if (seen[0] == n)
			continue;
		sum += (double)n * log2((double)n);
		for (unsigned k = 0; k < 256; k++)
			if (seen[k])
				sum -= seen[k] * log2(seen[k]);
	}
	return sum;
}

/*
 * Returns the base-2 logarithm of the largest power of two that divides all
 * differences. The difference of value i is values[i] - from[i]. If @from is
 * NULL, @base is subtracted instead; if @base is 0, the previous value.
 */
static unsigned
common_alignment(const uint64_t *values, const uint64_t *from, size_t n,
		 uint64_t base)
{
	uint64_t bits = (uint64_t)1 << SHIFT_MOST, last = 0;
	unsigned shift = 0;

	for (size_t i = 0; i < n; i++) {
		if (!values[i])
			continue;
		if (from)
			bits |= values[i] - from[i];
		else if (base)
			bits |= values[i] - base;
		else if (last)
			bits |= values[i] - last;
		last = values[i];
	}
	while (!(bits >> shift & 1))
		shift++;
	return shift;
}

/*
 * Choose the base of a column, the number that is subtracted from its values.
 * It is a little below the smallest value that is not 0.
 */
static uint64_t
base_of(const uint64_t *values, size_t n)
{
	uint64_t least = UINT64_MAX, most = 0, margin;
	unsigned shift = 0;

	for (size_t i = 0; i < n; i++) {
		if (values[i] && values[i] < least)
			least = values[i];
		if (values[i] > most)
			most = values[i];
	}
	if (most == 0)
		return 1;
	shift = common_alignment(values, NULL, n, least);
	margin = ((most - least) / 8) >> shift << shift;
	return least > margin ? least - margin : least;
}

static bool
is_constant(const uint64_t *values, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

/*
 * Encode the sample with the encoding @trial. If the result is smaller than
 * *@best, *@best receives the new size, and @c receives @trial.
 */
static void
try_column(struct hp_pack_column *c, struct hp_pack_column trial, double *best,
	   const uint64_t *values, const uint64_t *own, size_t n)
{
	uint64_t codes[HP_PACK_SAMPLE], prev = 0, bits = 0;
	double bytes;

	if (!hp_pack_encode_value(&trial, &prev, values, own, codes, n, &bits))
		return;
	bytes = code_cost(codes, n, c->width);
	if (bytes >= *best)
		return;
	*best = bytes;
	*c = trial;
}

/* Use the default encoding, because there are too few values to choose one. */
static void
use_default_code(struct hp_pack_column *c, const uint64_t *own,
		 unsigned id_size)
{
	c->how = HP_PACK_PLAIN;
	if (!c->ref || c->width != id_size)
		return;
	c->how = own ? HP_PACK_OWN : HP_PACK_PREV;
	c->shift = USUAL_SHIFT;
}

double
hp_pack_choose_column(struct hp_pack_column *c, const uint64_t *values,
		      const uint64_t *own, size_t n, size_t rows,
		      unsigned id_size)
{
	struct hp_pack_column trial = *c;
	double best = 1e300;

	c->shift = 0;
	if (n > 0 && is_constant(values, n) && (values[0] == 0 || n >= 8)) {
		c->how = HP_PACK_CONST;
		c->base = values[0];
		return 0;
	}
	if (rows < FEW || c->width == 1) {
		use_default_code(c, own, id_size);
		return 0;
	}
	trial.how = HP_PACK_PLAIN;
	try_column(c, trial, &best, values, own, n);
	if (c->width == id_size) {
		trial.how = HP_PACK_ABS;
		trial.base = base_of(values, n);
		trial.shift =
			(uint8_t)common_alignment(values, NULL, n, trial.base);
		try_column(c, trial, &best, values, own, n);
		trial.base = 0;
	}
	if (c->width == id_size && own) {
		trial.how = HP_PACK_OWN;
		trial.shift = (uint8_t)common_alignment(values, own, n, 0);
		try_column(c, trial, &best, values, own, n);
	}
	trial.how = HP_PACK_PREV;
	trial.shift = (uint8_t)common_alignment(values, NULL, n, 0);
	if (c->width < 4)
		trial.shift = 0;
	try_column(c, trial, &best, values, own, n);
	return best;
}

size_t
hp_pack_learn_text(struct hp_pack_column *c, const uint64_t *ids,
		   const uint64_t *before, size_t n)
{
	struct hp_pack_column trial = *c;
	size_t best = 0;

	trial.shift = (uint8_t)common_alignment(ids, NULL, n, 0);
	*c = trial;
	c->base = 0;
	for (trial.base = 0; trial.base < TEXT_HEAD_MOST; trial.base++) {
		size_t hits = 0;

		for (size_t i = 1; i < n; i++)
			hits += ids[i] - ids[i - 1] ==
				hp_pack_text_end(&trial, before[i]);
		if (hits > best) {
			best = hits;
			c->base = trial.base;
		}
	}
	return best;
}

void
hp_pack_choose_text_id(struct hp_pack_column *c, const uint64_t *values,
		       const uint64_t *before, size_t n, size_t rows,
		       unsigned id_size)
{
	struct hp_pack_column trial = *c;
	double best = hp_pack_choose_column(c, values, NULL, n, rows, id_size);

	if (best == 0)
		return;
	trial.how = HP_PACK_NEXT;
	hp_pack_learn_text(&trial, values, before, n);
	try_column(c, trial, &best, values, before, n);
}
