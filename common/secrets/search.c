/*
 * search.c - search bytes for credentials, such as keys and passwords
 *
 * A fast filter excludes nearly all positions. It has three tables: for each
 * byte value, they contain the groups of prefixes that have the byte as their
 * first, second or third character. Each bit of an entry stands for a group.
 * With AVX2 the filter tests 32 bytes at once, and looks up the two halves of
 * each byte separately.
 * Source: "Teddy", the literal matcher of Hyperscan (Wang et al., NSDI 2019)
 *
 * If a position passes the tables, the filter compares the whole prefix. Then a
 * matcher compares the characters after it. The matcher looks at a limited
 * number of characters, so the time of a search is linear.
 */
#include "common/secrets/secrets.h"

#include <pthread.h>
#include <string.h>

#include "common/base/platform.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
	GROUPS = 8,
	/*
	 * The maximum number of characters that the matcher compares for one
	 * item of a form. An example of an item is "w20+"; see secrets.def.
	 */
	RUN_MOST = 4096,
	/*
	 * minimum number of characters of a password in a property such as
	 * "password=..."
	 */
	VALUE_LEAST = 6,
	/*
	 * The maximum number of characters of a password. A longer value does
	 * not count as a password.
	 */
	VALUE_MOST = 200,
	URL_MOST = 128,
	/* minimum number of Base64 characters of a private key */
	KEY_LEAST = 40,
};

static const struct {
	const char *name, *prefix, *rest;
	unsigned category;
} kinds[] = {
#define SECRET(symbol, category, name, prefix, rest, source)                   \
	{name, prefix, rest, HP_SECRETS_##category},
#include "common/secrets/secrets.def"
};

const char *
hp_secret_name(unsigned kind)
{
	return kind < HP_SECRET_KINDS ? kinds[kind].name
				      : "value of a field or map key named "
					"like a password";
}

unsigned
hp_secret_category(unsigned kind)
{
	return kinds[kind].category;
}

/* ---- the tables of the filter ---- */

/*
 * The prefixes of all kinds of secrets, such as "AKIA", are divided into GROUPS
 * groups. bytes[i][b]: one bit for each group; set if a prefix of the group has
 * the byte b as its character number i.
 */
static struct {
	uint8_t bytes[3][256];
	/*
	 * the same information as `bytes`, indexed by the lower half (low) and
	 * the upper half (high) of the byte
	 */
	uint8_t low[3][16], high[3][16];
	/* for each first character: the kinds of secrets that begin with it */
	uint64_t kinds[256];
	/* whether the byte can be part of a password: see is_value() */
	bool value[256];
} filter;

_Static_assert(HP_SECRET_KINDS <= 64, "a set of kinds has 64 bits");

static void
make_filter(void)
{
	for (int c = ' ' + 1; c < 127; c++)
		filter.value[c] = !strchr("\"'<>(){}[]$%*,;&|`\\", c);
	for (unsigned k = 0; k < HP_SECRET_KINDS; k++) {
		uint8_t first = (uint8_t)kinds[k].prefix[0];

		if (first)
			filter.kinds[first] |= UINT64_C(1) << k;
		for (unsigned i = 0; i < 3 && first; i++) {
			/*
			 * All prefixes with the same first character are in the
			 * same group. The factor 7 / 2 was found by trying:
			 * with it, the fewest positions of two heap dumps pass
			 * the filter.
			 */
			uint8_t c = (uint8_t)kinds[k].prefix[i];
			uint8_t bit = (uint8_t)(1 << first * 7 / 2 % GROUPS);

			filter.bytes[i][c] |= bit;
			filter.low[i][c & 15] |= bit;
			filter.high[i][c >> 4] |= bit;
		}
	}
}

/* ---- the matcher ---- */

/*
 * A text whose characters have one byte or two bytes each. If characters have
 * two bytes, only characters with one zero byte (Latin-1) can match.
 */
struct text {
	const uint8_t *data;
	size_t n, at;
	unsigned width;
};

/*
 * Returns the character number @k, counted from t->at. Returns -1 if the text
 * ends before this character, or if the character is not in Latin-1.
 */
static int
char_at(const struct text *t, size_t k)
{
	size_t i = t->at + k * t->width;

	if (i >= t->n || (t->width == 2 && k > 0 && t->data[i - 1] != 0))
		return -1;
	return t->data[i];
}

static bool
is_word(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

static bool
is_of_class(char class, int c)
{
	switch (class) {
	case 'u':
		return is_word(c) && !(c >= 'a' && c <= 'z');
	case 'w':
		return is_word(c) || c == '_' || c == '-';
	case 's':
		return is_word(c) || c == '-';
	case 'p':
		return is_word(c) || c == '/';
	case 'b':
		return is_word(c) || c == '+' || c == '/' || c == '=';
	case 't':
		return is_word(c) || (c > 0 && strchr("-._~+/=", c));
	default:
		return is_word(c);
	}
}

/*
 * Returns the number of consecutive characters of the class @class, beginning
 * with character number @k. secrets.def describes the classes.
 */
static size_t
run_of(const struct text *t, size_t k, char class)
{
	size_t n = 0;

	while (n < RUN_MOST && is_of_class(class, char_at(t, k + n)))
		n++;
	return n;
}

static bool
has_prefix(const struct text *t, const char *prefix)
{
	for (size_t k = 0; prefix[k]; k++)
		if (char_at(t, k) != (uint8_t)prefix[k])
			return false;
	return true;
}

/*
 * Match "RSA PRIVATE KEY-----" and the Base64 after it, which may have line
 * ends, or "\\n" as in properties and JSON. Returns the number of the character
 * after the first KEY_LEAST Base64 characters. Returns 0 if there is no key.
 */
static size_t
match_key(const struct text *t, size_t k)
{
	static const char end[] = "PRIVATE KEY";
	size_t from = k, letters = 0, skipped = 0;
	int c;

	for (; char_at(t, k) == ' ' || is_of_class('u', char_at(t, k));)
		if (++k - from > 40)
			return 0;
	if (k - from < sizeof(end) - 1)
		return 0;
	for (size_t i = 0; i < sizeof(end) - 1; i++)
		if (char_at(t, k - (sizeof(end) - 1) + i) != end[i])
			return 0;
	for (unsigned i = 0; i < 5; i++)
		if (char_at(t, k++) != '-')
			return 0;
	for (; letters < KEY_LEAST && skipped < 16; k++) {
		c = char_at(t, k);
		if (c == '\\' || c == '\n' || c == '\r' || c == ' ')
			skipped += 1 + (c == '\\' && char_at(t, k + 1) == 'n' &&
					k++ > 0);
		else if (is_of_class('b', c))
			letters++;
		else
			return 0;
	}
	return letters == KEY_LEAST ? k : 0;
}

/*
 * Whether a character can be part of a password. Returns false for a character
 * that ends a value or shows that the value is only a placeholder, such as "$".
 */
static bool
is_value(int c)
{
	return c >= 0 && filter.value[c];
}

/* Whether a character can be part of the user name or password in a URL. */
static bool
is_user_info(int c)
{
	return is_value(c) && c != '/' && c != '?' && c != '#' && c != ':' &&
	       c != '@';
}

/*
 * Match "user:password@host", after the "://" of a URL. Returns the number of
 * the character "@". Returns 0 if the text does not match.
 */
static size_t
match_url(const struct text *t, size_t k)
{
	size_t from = k, pass;

	while (is_user_info(char_at(t, k)))
		if (++k - from > URL_MOST)
			return 0;
	if (k == from || char_at(t, k) != ':')
		return 0;
	pass = ++k;
	while (is_user_info(char_at(t, k)))
		if (++k - pass > URL_MOST)
			return 0;
	return k > pass + 2 && char_at(t, k) == '@' &&
			       is_word(char_at(t, k + 1))
		       ? k
		       : 0;
}

/* Match the value of a property, after "password=" or a similar prefix. */
static size_t
match_value(const struct text *t, size_t k)
{
	size_t from = k;

	while (is_value(char_at(t, k)))
		if (++k - from > VALUE_MOST)
			return 0;
	return k - from >= VALUE_LEAST ? k : 0;
}

/*
 * Match a form (pattern) of secrets.def, such as "=_ w20+". All its items must
 * match, one after the other. Returns the number of the character after the
 * match. Returns 0 if the text does not match.
 */
static size_t
match_items(const struct text *t, size_t k, const char *form)
{
	while (*form) {
		size_t least = 0, run;
		char class = *form++;

		if (class == '=') {
			if (char_at(t, k++) != (uint8_t)*form++)
				return 0;
		} else {
			for (; *form >= '0' && *form <= '9'; form++)
				least = least * 10 + (size_t)(*form - '0');
			run = run_of(t, k, class);
			if (run < least || (*form != '+' && run > least))
				return 0;
			form += *form == '+';
			k += run;
		}
		form += *form == ' ';
	}
	return k;
}

static size_t
match_rest(const struct text *t, size_t k, const char *form)
{
	if (strcmp(form, "KEY") == 0)
		return match_key(t, k);
	if (strcmp(form, "URL") == 0)
		return match_url(t, k);
	if (strcmp(form, "VALUE") == 0)
		return match_value(t, k);
	return match_items(t, k, form);
}

/* ---- the filter ---- */

/*
 * Whether a prefix such as "password=" begins at @p, in characters of @width
 * bytes. Called for the positions that the filter found. Many texts contain the
 * prefix "://", so it counts only if a password is in the URL.
 */
static bool
begins_prefix(const uint8_t *p, size_t n, unsigned width)
{
	for (uint64_t left = filter.kinds[p[0]]; left; left &= left - 1) {
		unsigned kind = (unsigned)__builtin_ctzll(left);
		const char *prefix = kinds[kind].prefix;
		const struct text t = {.data = p, .n = n, .width = width};
		size_t k = 1;

		while (prefix[k] && k * width < n &&
		       p[k * width] == (uint8_t)prefix[k] &&
		       (width == 1 || p[2 * k - 1] == 0))
			k++;
		if (!prefix[k] &&
		    (kind != HP_SECRET_URL_PASSWORD || match_url(&t, k)))
			return true;
	}
	return false;
}

static inline bool
passes(const uint8_t *p, size_t n)
{
	uint8_t first = filter.bytes[0][p[0]];

	if (!first || n < 3)
		return false;
	if (first & filter.bytes[1][p[1]] & filter.bytes[2][p[2]])
		return begins_prefix(p, n, 1);
	return n >= 5 && p[1] == 0 && p[3] == 0 &&
	       (first & filter.bytes[1][p[2]] & filter.bytes[2][p[4]]) &&
	       begins_prefix(p, n, 2);
}

static size_t
candidate_bytes(const uint8_t *data, size_t n, size_t from)
{
	for (; from < n; from++)
		if (passes(data + from, n - from))
			return from;
	return n;
}

#ifdef __x86_64__
__attribute__((target("avx2"), always_inline)) static inline __m256i
groups_of(__m256i v, unsigned place)
{
	const __m256i half = _mm256_set1_epi8(15);
	__m256i low = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)filter.low[place]));
	__m256i high = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)filter.high[place]));

	low = _mm256_shuffle_epi8(low, _mm256_and_si256(v, half));
	high = _mm256_shuffle_epi8(
		high, _mm256_and_si256(_mm256_srli_epi16(v, 4), half));
	return _mm256_and_si256(low, high);
}

__attribute__((target("avx2"), always_inline)) static inline __m256i
bytes_at(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

/*
 * Returns the first index, @from or larger, at which a secret may begin
 * according to the filter. If fewer than 36 bytes are left, the function stops
 * and returns the index of the first byte that was not tested.
 */
__attribute__((target("avx2"))) static size_t
candidate_avx2(const uint8_t *data, size_t n, size_t from)
{
	for (; n - from >= 36; from += 32) {
		const uint8_t *p = data + from;
		__m256i third = bytes_at(p + 2), narrow, wide, first;
		unsigned hits;

		narrow = _mm256_and_si256(groups_of(bytes_at(p + 1), 1),
					  groups_of(third, 2));
		wide = _mm256_and_si256(groups_of(third, 1),
					groups_of(bytes_at(p + 4), 2));
		first = _mm256_and_si256(groups_of(bytes_at(p), 0),
					 _mm256_or_si256(narrow, wide));
		hits = ~(unsigned)_mm256_movemask_epi8(
			_mm256_cmpeq_epi8(first, _mm256_setzero_si256()));
		for (; hits; hits &= hits - 1) {
			unsigned i = (unsigned)__builtin_ctz(hits);

			if (passes(p + i, n - from - i))
				return from + i;
		}
	}
	return from;
}
#endif

size_t
hp_secret_candidate(const uint8_t *data, size_t n, size_t from)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_filter);
#ifdef __x86_64__
	if (hp_processor_has_avx2() && from < n) {
		from = candidate_avx2(data, n, from);
		if (n - from >= 36)
			return from;
	}
#endif
	return candidate_bytes(data, n, from);
}

/* ---- the search ---- */

/* If a secret of kind @kind begins at the byte t->at, sets *@s. */
static bool
match_kind(const struct text *t, unsigned kind, struct hp_secret *s)
{
	const char *prefix = kinds[kind].prefix;
	bool value = strcmp(kinds[kind].rest, "VALUE") == 0;
	/*
	 * A secret must not begin in the middle of a word. So secrets do not
	 * overlap, and the time of the search is linear.
	 */
	char border = strchr(kinds[kind].rest, 'w') ? 'w' : 'a';
	size_t k, skip = strlen(prefix);

	if (!has_prefix(t, prefix))
		return false;
	if (!value && is_word(prefix[0]) && t->at >= t->width &&
	    is_of_class(border, t->data[t->at - t->width]) &&
	    (t->width == 1 || t->data[t->at - 1] == 0))
		return false;
	k = match_rest(t, skip, kinds[kind].rest);
	if (!k)
		return false;
	s->kind = (enum hp_secret_kind)kind;
	s->at = t->at;
	s->end = t->at + (k - 1) * t->width + 1;
	s->length = value || prefix[0] == ':' ? k - skip : k;
	return true;
}

/*
 * Whether a secret of one of the categories @categories begins at the byte
 * t->at.
 */
static bool
match_at(const struct text *t, unsigned categories, struct hp_secret *s)
{
	for (uint64_t left = filter.kinds[t->data[t->at]]; left;
	     left &= left - 1) {
		unsigned kind = (unsigned)__builtin_ctzll(left);

		if (kinds[kind].category & categories && match_kind(t, kind, s))
			return true;
	}
	return false;
}

bool
hp_secret_next(const uint8_t *data, size_t n, size_t from, unsigned categories,
	       struct hp_secret *s)
{
	struct text t = {.data = data, .n = n};

	for (;; from++) {
		from = hp_secret_candidate(data, n, from);
		if (from >= n)
			return false;
		t.at = from;
		for (t.width = 1; t.width <= 2; t.width++)
			if (match_at(&t, categories, s))
				return true;
	}
}
