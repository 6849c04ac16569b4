/*
 * rows.c - a set of rows that are found by their key, in a hash table
 *
 * result.c sorts the rows.
 */
#include "diff/result/rows.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"

#include <string.h>
#include <xxhash.h>

void
hp_rows_init(struct hp_rows *r, size_t dumps)
{
	memset(r, 0, sizeof(*r));
	r->dumps = dumps;
	r->columns = HP_COLUMN_COUNT | HP_COLUMN_BYTES;
	r->seed = hp_seed(r);
}

void
hp_rows_release(struct hp_rows *r)
{
	hp_free(r->list);
	hp_hash_release(&r->table);
	hp_intern_release(&r->texts);
	hp_arena_release(&r->arena);
	memset(r, 0, sizeof(*r));
}

void
hp_row_hash(const char *key, size_t key_len, uint64_t seed, uint64_t hash[2])
{
	XXH128_hash_t h = XXH3_128bits_withSeed(key, key_len, seed);

	hash[0] = h.low64;
	hash[1] = h.high64;
}

/* A row that is_row() looks for: its key and its hash. */
struct row_key {
	const uint64_t *hash;
	const char *text;
	size_t length;
};

/*
 * compare the keys as well as their hashes, because an attacker could construct
 * equal hashes
 */
static bool
is_row(const void *items, uint32_t number, const void *wanted)
{
	const struct hp_row *row = ((struct hp_row *const *)items)[number - 1];
	const struct row_key *key = wanted;

	return row->hash[0] == key->hash[0] && row->hash[1] == key->hash[1] &&
	       row->key_len == key->length &&
	       memcmp(row->key, key->text, key->length) == 0;
}

static uint32_t
slot_hash(const struct hp_rows *r, const uint64_t hash[2])
{
	return (uint32_t)(hash[0] * (r->table.seed | 1) >> 32);
}

/*
 * Find the slot of a row, or the free slot where it belongs. The caller has
 * reserved room for one more row.
 */
static struct hp_hash_slot *
find_row_slot(const struct hp_rows *r, const uint64_t hash[2], const char *text,
	      size_t length)
{
	const struct row_key key = {hash, text, length};

	return hp_hash_find(&r->table, slot_hash(r, hash), is_row, r->list,
			    &key);
}

static bool
grow_rows(struct hp_rows *r)
{
	return HP_LIST_RESERVE(r->list, r->count, r->cap) &&
	       hp_hash_reserve(&r->table, r->count + 1);
}

static const char *
intern_text(struct hp_rows *r, const char *text, size_t n)
{
	bool fresh;
	uint32_t number = hp_intern_put(&r->texts, text, n, &fresh);

	return number ? hp_intern_get(&r->texts, number).text : NULL;
}

static bool
store_frames(struct hp_rows *r, struct hp_row *row,
	     const struct hp_row_frames *frames)
{
	const char **text =
		hp_arena_alloc(&r->arena, frames->count * sizeof(*text));

	if (!text)
		return false;
	for (uint32_t i = 0; i < frames->count; i++) {
		text[i] = intern_text(r, frames->text[i],
				      strlen(frames->text[i]));
		if (!text[i])
			return false;
	}
	row->frames.text = text;
	row->frames.count = frames->count;
	row->frames.cut = frames->cut;
	return true;
}

static struct hp_row *
make_row(struct hp_rows *r, const char *key, size_t key_len,
	 const uint64_t hash[2], const struct hp_row_frames *frames)
{
	struct hp_row *row = hp_arena_alloc(&r->arena, sizeof(*row));
	size_t bytes = (size_t)__builtin_popcount(r->columns) * r->dumps *
		       sizeof(uint64_t);
	uint64_t *values = hp_arena_alloc(&r->arena, bytes);
	const char *copy = intern_text(r, key, key_len);

	if (!row || !values || !copy)
		return NULL;
	memset(row, 0, sizeof(*row));
	memset(values, 0, bytes);
	row->key = copy;
	row->key_len = key_len;
	row->hash[0] = hash[0];
	row->hash[1] = hash[1];
	for (unsigned c = 0; c < HP_COLS; c++)
		if (r->columns & 1u << c) {
			row->value[c] = values;
			values += r->dumps;
		}
	if (frames && frames->kept)
		row->frames = *frames;
	else if (frames && frames->count && !store_frames(r, row, frames))
		return NULL;
	row->frames.kept = true;
	return row;
}

struct hp_row *
hp_rows_put(struct hp_rows *r, const char *key, size_t key_len,
	    const uint64_t hash[2], const struct hp_row_frames *frames)
{
	uint64_t own[2];
	struct hp_hash_slot *slot;
	struct hp_row *row;

	if (!hash) {
		hp_row_hash(key, key_len, r->seed, own);
		hash = own;
	}
	if (!grow_rows(r))
		return NULL;
	slot = find_row_slot(r, hash, key, key_len);
	if (slot->number)
		return r->list[slot->number - 1];
	row = make_row(r, key, key_len, hash, frames);
	if (!row)
		return NULL;
	row->index = r->count;
	r->list[r->count++] = row;
	hp_hash_add(&r->table, slot, slot_hash(r, hash), (uint32_t)r->count);
	return row;
}

struct hp_row *
hp_rows_put_word(struct hp_rows *r, const char *key)
{
	return hp_rows_put(r, key, strlen(key), NULL, NULL);
}

struct hp_row *
hp_rows_put_rollup(struct hp_rows *r, const char *key, size_t key_len)
{
	uint64_t hash[2];
	struct hp_row *row;

	hp_row_hash(key, key_len, r->seed, hash);
	hash[0] = ~hash[0];
	row = hp_rows_put(r, key, key_len, hash, NULL);
	if (row)
		row->rollup = true;
	return row;
}

struct hp_row *
hp_rows_make_total(struct hp_rows *r)
{
	return make_row(r, "total", 5, (uint64_t[2]){0}, NULL);
}

struct hp_row *
hp_rows_put_text(struct hp_rows *r, const struct hp_buf *key)
{
	return hp_buf_ok(key) ? hp_rows_put(r, key->data, key->len, NULL, NULL)
			      : NULL;
}

struct hp_row *
hp_rows_find(const struct hp_rows *r, const char *key, size_t key_len)
{
	const struct hp_hash_slot *slot;
	uint64_t hash[2];

	if (r->count == 0)
		return NULL;
	hp_row_hash(key, key_len, r->seed, hash);
	slot = find_row_slot(r, hash, key, key_len);
	return slot->number ? r->list[slot->number - 1] : NULL;
}

bool
hp_row_matches(const struct hp_row *row, const char *glob)
{
	size_t held = row->holder_len + strlen(HP_ROW_ARROW);

	if (hp_glob_match(glob, row->key, row->key_len))
		return true;
	return row->holder_len > 0 &&
	       (hp_glob_match(glob, row->key, row->holder_len) ||
		hp_glob_match(glob, row->key + held, row->key_len - held));
}

void
hp_row_join(const struct hp_rows *r, struct hp_row *into,
	    const struct hp_row *row)
{
	for (unsigned c = 0; c < HP_COLS; c++)
		for (size_t i = 0;
		     i < r->dumps && into->value[c] && hp_columns[c].join; i++)
			hp_columns[c].join(&into->value[c][i],
					   row->value[c][i]);
}

int64_t
hp_row_growth(const struct hp_rows *r, const uint64_t *values)
{
	return hp_growth(values[0], values[r->dumps - 1]);
}

static bool
values_differ(const struct hp_rows *r, const uint64_t *values)
{
	for (size_t i = 1; values && i < r->dumps; i++)
		if (values[i] != values[0])
			return true;
	return false;
}

/*
 * Whether the value of the row in a dump differs from that in the first dump,
 * in at least one of the columns @columns.
 */
static bool
changed_in(const struct hp_rows *r, const struct hp_row *row, unsigned columns)
{
	columns &= ~(hp_columns_that_are(HP_COLUMN_IS_ASKED) & ~r->asked);
	for (unsigned c = 0; c < HP_COLS; c++)
		if (columns & 1u << c && values_differ(r, row->value[c]))
			return true;
	return false;
}

bool
hp_row_changed(const struct hp_rows *r, const struct hp_row *row)
{
	return changed_in(r, row, r->columns);
}

bool
hp_row_counts_changed(const struct hp_rows *r, const struct hp_row *row)
{
	return changed_in(r, row,
			  r->columns &
				  ~hp_columns_that_are(HP_COLUMN_IS_RETAINED));
}
