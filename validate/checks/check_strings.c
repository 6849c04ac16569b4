/*
 * check_strings.c - rules about STRING records: their ids and texts, and
 * whether they are used
 *
 * Dumps have hundreds of thousands of strings, mostly short, ASCII and without
 * findings. Several functions here are fast paths for such strings.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "validate/checks/check.h"

#include <string.h>

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/text/text.h"

/*
 * Number of strings that are looked up together: the memory for all of them is
 * prefetched, so that the waits for memory overlap.
 */
enum { TOGETHER = 16 };

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_no_memory(err);
}

static inline bool
is_ascii(const uint8_t *p)
{
	uint64_t eight;

	memcpy(&eight, p, sizeof(eight));
	return (eight & 0x8080808080808080) == 0;
}

/*
 * Whether the 1 to 7 bytes at @p are ASCII. Uses two overlapping loads instead
 * of a loop.
 */
static inline bool
is_end_ascii(const uint8_t *p, uint64_t n)
{
	uint32_t from, to;

	if (n < 4)
		return ((p[0] | p[n / 2] | p[n - 1]) & 0x80) == 0;
	memcpy(&from, p, sizeof(from));
	memcpy(&to, p + n - 4, sizeof(to));
	return ((from | to) & 0x80808080) == 0;
}

/* A vector of two 64-bit numbers. */
#define PAIR __attribute__((vector_size(16)))

/*
 * Whether the first @n bytes are ASCII. HP_STRING_SHORT bytes must be readable.
 * This function has no loop, because the processor could not predict how often
 * a loop is repeated.
 */
static inline bool
is_short_ascii(const uint8_t *p, size_t n)
{
	static const uint8_t high[2 * HP_STRING_SHORT] = {
		[0 ... HP_STRING_SHORT - 1] = 0x80};
	const uint8_t *masks = high + HP_STRING_SHORT - n;
	uint64_t any PAIR = {0}, text PAIR, mask PAIR;

#pragma GCC unroll 4
	for (size_t i = 0; i < HP_STRING_SHORT; i += sizeof(any)) {
		memcpy(&text, p + i, sizeof(text));
		memcpy(&mask, masks + i, sizeof(mask));
		any |= text & mask;
	}
	return (any[0] | any[1]) == 0;
}

/*
 * Whether a whole text is ASCII. This function is fast for short ASCII texts,
 * because nearly all texts are short and ASCII.
 */
static inline bool
is_text_ascii(const uint8_t *p, uint64_t n)
{
	uint64_t eight, any, at;

	if (n < 8)
		return n == 0 || is_end_ascii(p, n);
	memcpy(&any, p + n - 8, sizeof(any));
	for (at = 0; at + 8 <= n; at += 8) {
		memcpy(&eight, p + at, sizeof(eight));
		any |= eight;
	}
	return (any & 0x8080808080808080) == 0;
}

static bool
text_valid(const uint8_t *p, uint64_t n)
{
	uint32_t cp;

	if (is_text_ascii(p, n))
		return true;
	while (n > 0) {
		size_t step = n >= 8 && is_ascii(p)	    ? 8
			      : n < 8 && is_end_ascii(p, n) ? n
							    : 1;

		if (*p >= 0x80) {
			step = hp_text_decode(p, n, &cp);
			if (cp == HP_TEXT_INVALID)
				return false;
		}
		p += step;
		n -= step;
	}
	return true;
}

/*
 * Store the position of the last string that was read, unless it directly
 * follows the previous string. Returns false if out of memory.
 */
static bool
note_place(struct hp_check *c, struct hp_position at)
{
	const struct hp_position *next = &c->string_next;

	return HP_LIKELY(at.offset == next->offset &&
			 at.record == next->record) ||
	       HP_VEC_PUSH(&c->string_places, struct hp_string_place,
			   c->string_lengths.count, at);
}

/*
 * Move the position @at to the end of a STRING record whose text has @length
 * bytes.
 */
static inline void
pass_string(const struct hp_check *c, struct hp_position *at, uint32_t length)
{
	at->offset += HP_HEAD_SIZE + c->id_size + (uint64_t)length;
	at->record++;
}

/*
 * Make sure that the list of string lengths has room for all strings of the
 * tables. Returns false if out of memory.
 */
static bool
length_room(struct hp_check *c)
{
	struct hp_vec *v = &c->string_lengths;
	size_t cap = c->tables->strings.ids_cap;

	return v->cap >= cap ||
	       hp_list_resize(&v->items, &v->cap, cap, sizeof(uint32_t));
}

/*
 * Report a string with id 0. This finding is only informational for dumps of
 * HotSpot in JDK 5 and the first updates of JDK 6, which always have such a
 * string. These dumps have version 1.0.1 and begin with a stack trace.
 */
static void
found_id_zero(struct hp_check *c, const struct hp_record *rec)
{
	bool habit = c->header->version == HP_VERSION_1_0_1 &&
		     c->evidence.first_tag == HP_REC_STACK_TRACE;
	struct hp_finding f = {HP_CHECK_COMMON(c, HP_RULE_STRING_ID_ZERO,
					       rec->offset, rec->ordinal),
			       .place = HP_PLACE_NAME, .index = HP_WORD_ID};

	if (habit)
		f.severity = HP_SEVERITY_INFO;
	hp_findings_add(c->findings, &f);
}

enum hp_status
hp_check_string(struct hp_check *c, const struct hp_record *rec,
		struct hp_cursor body, enum hp_definition met,
		struct hp_error *err)
{
	const struct hp_position at = {rec->offset, rec->ordinal};
	struct hp_string_row row;
	enum hp_status st = HP_OK;
	uint64_t id;

	if (rec->cut || !hp_uint(&body, c->id_size, &id))
		return HP_OK;
	row.length = (uint32_t)hp_left(&body);
	if (met == HP_MET_NOTHING)
		st = hp_check_strings_taken(c, at, &row, 1, err);
	if (st != HP_OK)
		return st;
	if (met == HP_MET_SAME)
		hp_record_found(c, HP_RULE_STRING_DUP_SAME, rec, HP_WORD_ID,
				id);
	else if (met == HP_MET_DIFFERENT)
		hp_record_found(c, HP_RULE_STRING_DUP_DIFF, rec, HP_WORD_ID,
				id);
	if (id == 0)
		found_id_zero(c, rec);
	else if (met == HP_MET_NOTHING && hp_id_map_get(&c->awaited, id))
		hp_record_found(c, HP_RULE_STRING_LATE, rec, HP_WORD_ID, id);
	if (!text_valid(body.data + body.pos, hp_left(&body)))
		hp_record_found(c, HP_RULE_STRING_MUTF8, rec, HP_WORD_TEXT, id);
	return HP_OK;
}

/*
 * Whether a string certainly has no finding. The caller must know that the id
 * of the string is new, and that nothing has referred to it before.
 */
HP_HOT bool
is_ordinary(const struct hp_string_row *row)
{
	return row->id != 0 && row->length <= HP_TEXT_LONG &&
	       ((row->is_short && is_short_ascii(row->text, row->length)) ||
		text_valid(row->text, row->length));
}

/*
 * The loop of hp_check_ordinary_strings(). Each caller passes a constant as
 * @id_size, so the compiler creates a specialised loop.
 */
HP_HOT size_t
ordinary_strings(const struct hp_check *c, const struct hp_string_run *run,
		 struct hp_string_row *rows, size_t most, unsigned id_size)
{
	const struct hp_id_map *awaited =
		hp_id_map_is_empty(&c->awaited) ? NULL : &c->awaited;
	const bool framing_only = c->framing_only;
	struct hp_string_run ahead = *run;
	uint32_t last = c->last_time;
	struct hp_string_row *row = rows;

	ahead.id_size = id_size;
	for (; row < rows + most; row++) {
		if (!hp_string_run_look(&ahead, row) ||
		    hp_check_is_earlier(row->time, last))
			break;
		if (!framing_only &&
		    (!is_ordinary(row) ||
		     (awaited && hp_id_map_get(awaited, row->id))))
			break;
		last = row->time;
		hp_string_run_step(&ahead, row);
	}
	return (size_t)(row - rows);
}

size_t
hp_check_ordinary_strings(const struct hp_check *c,
			  const struct hp_string_run *run,
			  struct hp_string_row *rows, size_t most)
{
	return run->id_size == 8 ? ordinary_strings(c, run, rows, most, 8)
				 : ordinary_strings(c, run, rows, most, 4);
}

enum hp_status
hp_check_strings_taken(struct hp_check *c, struct hp_position at,
		       const struct hp_string_row *rows, size_t n,
		       struct hp_error *err)
{
	struct hp_vec *v = &c->string_lengths;
	uint32_t *lengths;

	if (c->framing_only)
		return HP_OK;
	if (!length_room(c) || !note_place(c, at))
		return no_memory(err);
	lengths = (uint32_t *)v->items + v->count;
	v->count += n;
	for (size_t i = 0; i < n; i++) {
		lengths[i] = rows[i].length;
		pass_string(c, &at, lengths[i]);
	}
	c->string_next = at;
	return HP_OK;
}

static bool
mark_used(struct hp_check *c, uint64_t index)
{
	if (index / 8 >= c->used_bytes) {
		size_t bytes = c->string_lengths.cap / 8 + 1;
		uint8_t *used = hp_realloc(c->used, bytes);

		if (!used)
			return false;
		memset(used + c->used_bytes, 0, bytes - c->used_bytes);
		c->used = used;
		c->used_bytes = bytes;
	}
	c->used[index / 8] |= (uint8_t)(1u << (index % 8));
	return true;
}

enum hp_status
hp_check_string_use(struct hp_check *c, uint64_t id, enum hp_string_use what,
		    struct hp_position at, unsigned dump, uint64_t holder,
		    struct hp_error *err)
{
	size_t number = hp_id_index_get(&c->tables->strings, id);

	if (number > 0 && number <= c->string_lengths.count)
		return mark_used(c, number - 1) ? HP_OK : no_memory(err);
	return HP_VEC_PUSH(&c->uses, struct hp_mention,
			   .kind = HP_MENTION_STRING, .what = (uint8_t)what,
			   .id = id, .holder = holder, .count = 1, .dump = dump,
			   .offset = at.offset, .record = at.record) &&
			       hp_id_map_put(&c->awaited, id, NULL)
		       ? HP_OK
		       : no_memory(err);
}

/*
 * The state for reporting the findings of one rule in the order of the strings.
 */
struct string_findings {
	struct hp_check *c;
	enum hp_rule rule;
	/*
	 * The last string that find_string() has found: its index, and its
	 * position in the file. find_string() only moves forward.
	 */
	/*
	 * `nplaces`: number of elements of check->string_places that
	 * find_string() has already passed
	 */
	size_t index, nplaces;
	struct hp_position at;
	/*
	 * there are enough examples of the rule, so further findings are only
	 * counted
	 */
	bool full;
	uint64_t more;
};

/*
 * Returns the position in the file of the string with the index @i. @i must be
 * larger than in the previous call.
 */
static struct hp_position
find_string(struct string_findings *f, size_t i)
{
	const struct hp_check *c = f->c;
	const struct hp_string_place *places = c->string_places.items;
	const uint32_t *lengths = c->string_lengths.items;

	for (;; f->index++) {
		if (f->nplaces < c->string_places.count &&
		    places[f->nplaces].index == f->index)
			f->at = places[f->nplaces++].at;
		if (f->index == i)
			return f->at;
		pass_string(c, &f->at, lengths[f->index]);
	}
}

/*
 * Report a finding about the string with the index @i. @other: the id of
 * another string, for rules that compare two strings.
 */
static void
describe(struct string_findings *f, enum hp_word word, size_t i, uint64_t other)
{
	struct hp_position at = find_string(f, i);

	f->full = hp_findings_count_one(f->c->findings, f->rule, at.offset);
	if (!f->full)
		hp_check_found(f->c, f->rule, &at, word,
			       f->c->tables->strings.ids[i], other);
}

/*
 * Report strings that nothing refers to. Strings that contain lines of the
 * agent's text (see text.h) are skipped, because no record refers to them.
 */
static void
check_unused(struct hp_check *c)
{
	struct string_findings f = {.c = c, .rule = HP_RULE_STRING_UNUSED};
	const struct hp_string *s = c->tables->string_list.items;
	const size_t n = c->string_lengths.count;

	for (size_t i = 0; i < n; i++) {
		if (i / 8 < c->used_bytes && c->used[i / 8] >> (i % 8) & 1)
			continue;
		if (hp_text_is_carried(s[i].data, s[i].length))
			continue;
		if (HP_LIKELY(f.full))
			f.more++;
		else
			describe(&f, HP_WORD_ID, i, 0);
	}
	hp_findings_count_more(c->findings, f.rule, f.more);
}

/*
 * Returns a hash of the first bytes, the last bytes and the length of a text.
 * Equal texts have equal hashes, and different texts rarely do. @seed: a random
 * odd number, so that nobody can construct texts that collide.
 */
HP_HOT uint32_t
key_of_text(const struct hp_string *s, uint64_t seed)
{
	const uint8_t *p = s->data;
	const uint32_t n = s->length;
	uint64_t from = 0, to = 0;

	if (HP_LIKELY(n >= 8)) {
		from = hp_le8(p);
		to = hp_le8(p + n - 8);
	} else if (n >= 4) {
		from = hp_le4(p);
		to = hp_le4(p + n - 4);
	} else if (n > 0) {
		from = (uint64_t)p[0] << 16 | p[n / 2] << 8 | p[n - 1];
	}
	return (uint32_t)(((from * seed ^ to) + n) *
				  UINT64_C(0x9e3779b97f4a7c15) >>
			  32);
}

/*
 * The hashes of all texts, and a filter for hashes that occur several times.
 * The filter has two bit sets: for hashes that occurred at least once, and for
 * those that occurred at least twice.
 */
struct text_keys {
	uint32_t *of; /* for each string: the hash of its text */
	/*
	 * Two sets of hashes, with one bit for each possible hash. `once`: at
	 * least one text has the hash. `twice`: at least two texts have it.
	 */
	uint64_t *once, *twice;
	unsigned shift;
	/* number of texts with the same hash as an earlier text */
	size_t again;
};

/*
 * Compute the hashes of all texts, and find out which hashes occur more than
 * once.
 */
static void
keys_meet(struct text_keys *k, const struct hp_string *s, size_t n,
	  uint64_t seed)
{
	uint64_t *once = k->once, *twice = k->twice;
	uint32_t *of = k->of;
	const unsigned shift = k->shift;
	size_t again = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t key = key_of_text(&s[i], seed) >> shift;
		const uint64_t bit = (uint64_t)1 << key % 64;
		const uint64_t had = once[key / 64];

		of[i] = key;
		once[key / 64] = had | bit;
		twice[key / 64] |= had & bit;
		again += had >> key % 64 & 1;
	}
	k->again = again;
}

/*
 * Allocate and compute the hashes of @n texts. Returns false if out of memory.
 * Call keys_release() in any case.
 */
static bool
keys_init(struct text_keys *k, const struct hp_string *s, size_t n,
	  uint64_t seed)
{
	unsigned shift = 32 - 12;
	size_t bits;

	while (shift > 1 && (size_t)1 << (32 - shift) >> 3 < n)
		shift--;
	bits = (size_t)1 << (32 - shift);
	*k = (struct text_keys){.of = hp_malloc((n + 1) * sizeof(*k->of)),
				.once = hp_calloc(bits / 64, sizeof(*k->once)),
				.twice =
					hp_calloc(bits / 64, sizeof(*k->twice)),
				.shift = shift};
	if (!k->of || !k->once || !k->twice)
		return false;
	keys_meet(k, s, n, seed);
	return true;
}

static void
keys_release(struct text_keys *k)
{
	hp_free(k->of);
	hp_free(k->once);
	hp_free(k->twice);
}

/*
 * The strings whose text may equal the text of another string (candidates), in
 * file order.
 */
struct text_candidates {
	const struct hp_string *all;
	/* indexes, from 0, of the candidates in the list of all strings */
	size_t *which;
	size_t n;
};

/*
 * Collect the strings whose text may be equal to another text: those whose hash
 * occurs more than once. Returns false if out of memory.
 */
static bool
candidates_init(struct text_candidates *t, const struct text_keys *keys,
		const struct hp_string *s, size_t n)
{
	size_t most = keys->again < n / 2 ? 2 * keys->again : n;

	*t = (struct text_candidates){.all = s};
	t->which = hp_malloc((most + 1) * sizeof(*t->which));
	if (!t->which)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t key = keys->of[i];

		t->which[t->n] = i;
		t->n += keys->twice[key / 64] >> key % 64 & 1;
	}
	return true;
}

static bool
same_text(const void *candidates, uint32_t number, const void *text)
{
	const struct text_candidates *t = candidates;

	return hp_string_same(&t->all[t->which[number - 1]], text);
}

/*
 * Report each candidate, from index @from up to @end, whose text is equal to
 * the text of an earlier candidate. All slots of the hash table are prefetched
 * first, so that the waits for memory overlap.
 */
static void
check_texts(struct string_findings *f, struct hp_hash_table *seen,
	    const struct text_candidates *t, size_t from, size_t end)
{
	const uint64_t *ids = f->c->tables->strings.ids;
	uint32_t hash[TOGETHER];

	for (size_t i = from; i < end; i++) {
		const struct hp_string *s = &t->all[t->which[i]];

		hash[i - from] = (uint32_t)XXH3_64bits_withSeed(
			s->data, s->length, seen->seed);
		hp_hash_prefetch(seen, hash[i - from]);
	}
	for (size_t i = from; i < end; i++) {
		const struct hp_string *s = &t->all[t->which[i]];
		struct hp_hash_slot *first =
			hp_hash_find(seen, hash[i - from], same_text, t, s);

		if (first->number == 0)
			hp_hash_add(seen, first, hash[i - from],
				    (uint32_t)i + 1);
		else if (f->full)
			f->more++;
		else
			describe(f, HP_WORD_TEXT, t->which[i],
				 ids[t->which[first->number - 1]]);
	}
}

/*
 * Report texts that have two ids. Dumps have hardly any such texts. So a fast
 * filter over the hashes of all texts first excludes nearly all strings. Only
 * the texts of the remaining strings are compared completely. Returns false if
 * out of memory.
 */
static bool
check_equal_texts(struct hp_check *c)
{
	struct string_findings f = {.c = c, .rule = HP_RULE_STRING_TEXT_DUP};
	const struct hp_string *s = c->tables->string_list.items;
	const size_t n = c->string_lengths.count;
	struct text_candidates t = {0};
	struct hp_hash_table seen = {0};
	struct text_keys keys;
	bool fine = keys_init(&keys, s, n, hp_seed(c) | 1) &&
		    candidates_init(&t, &keys, s, n) &&
		    hp_hash_reserve(&seen, t.n);

	for (size_t i = 0; fine && i < t.n; i += TOGETHER)
		check_texts(&f, &seen, &t, i,
			    t.n - i < TOGETHER ? t.n : i + TOGETHER);
	hp_findings_count_more(c->findings, f.rule, f.more);
	hp_hash_release(&seen);
	hp_free(t.which);
	keys_release(&keys);
	return fine;
}

enum hp_status
hp_check_strings_end(struct hp_check *c, struct hp_error *err)
{
	c->dump = 0;
	if (!check_equal_texts(c))
		return no_memory(err);
	check_unused(c);
	return HP_OK;
}
