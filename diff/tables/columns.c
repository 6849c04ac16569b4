/*
 * columns.c - the columns of a row: a table made from columns.def, functions
 * that compute values, and printing by unit
 */
#include "diff/tables/columns.h"

#include "common/cli/quantity.h"

#include <inttypes.h>
#include <string.h>

/*
 * --- functions to which the table of columns refers -------------------------
 */

static void
join_most(uint64_t *most, uint64_t v)
{
	if (v > *most)
		*most = v;
}

/*
 * Combine the depths of two rows (numbers of steps from a root): the result is
 * the smaller depth. A depth of 0 means that the row has no reachable object.
 */
static void
join_nearest(uint64_t *nearest, uint64_t v)
{
	if (v != 0 && (*nearest == 0 || v < *nearest))
		*nearest = v;
}

/*
 * Returns the share of a row in the sum of all rows, in millionths of a
 * percent.
 */
static uint64_t
percent_of_whole(uint64_t *const values[HP_COLS], size_t dump,
		 const struct hp_basis *basis)
{
	const uint64_t *weight =
		basis->weight == HP_COLS ? NULL : values[basis->weight];
	unsigned __int128 share;

	if (!weight || basis->whole[dump] == 0)
		return 0;
	share = (unsigned __int128)weight[dump] * 100 * HP_PERCENT_ONE;
	share = (share + basis->whole[dump] / 2) / basis->whole[dump];
	return share > UINT64_MAX ? UINT64_MAX : (uint64_t)share;
}

static uint64_t
bytes_per_object(uint64_t *const values[HP_COLS], size_t dump,
		 const struct hp_basis *basis)
{
	uint64_t count = values[HP_COL_COUNT][dump];
	uint64_t bytes = values[HP_COL_BYTES][dump];

	(void)basis;
	return count ? bytes / count + (bytes % count >= (count + 1) / 2) : 0;
}

/*
 * Returns the smallest growth of the number of objects from one dump to the
 * next, among the dumps up to index @dump; 0 if the number did not grow in one
 * of these steps. So if the result exceeds N, the row grew by more than N
 * objects in every step. LeakCanary finds growing objects by this rule.
 */
static uint64_t
least_step(uint64_t *const values[HP_COLS], size_t dump,
	   const struct hp_basis *basis)
{
	const uint64_t *count = values[HP_COL_COUNT];
	uint64_t least = dump > 0 ? UINT64_MAX : 0;

	(void)basis;
	for (size_t i = 1; i <= dump && least > 0; i++) {
		uint64_t step =
			count[i] > count[i - 1] ? count[i] - count[i - 1] : 0;

		if (step < least)
			least = step;
	}
	return least;
}

/* --- the table ------------------------------------------------------------ */

#define STORED NULL
enum {
	DEFAULT = HP_COLUMN_IS_DEFAULT,
	GROWS = HP_COLUMN_IS_GROWS,
	GATE = HP_COLUMN_IS_GATE,
	ESTIMATE = HP_COLUMN_IS_ESTIMATE,
	BESIDE_NEXT = HP_COLUMN_IS_BESIDE_NEXT,
	OF_KEY = HP_COLUMN_IS_OF_KEY,
	NO_TOTAL = HP_COLUMN_IS_NO_TOTAL,
	ONE_CELL = HP_COLUMN_IS_ONE_CELL,
	ASKED = HP_COLUMN_IS_ASKED,
	RETAINED = HP_COLUMN_IS_RETAINED,
	NEEDS_GRAPH = HP_COLUMN_IS_NEEDS_GRAPH,
	LESS_IS_WORSE = HP_COLUMN_IS_LESS_IS_WORSE,
	OF_HEAP = HP_COLUMN_IS_OF_HEAP,
	OF_SERIES = HP_COLUMN_IS_OF_SERIES,
};

#define COLUMN(symbol, id, called, pick, place, head, page, noun, in, from,    \
	       joined, by, is, says)                                           \
	{.key = #id,                                                           \
	 .word = called,                                                       \
	 .heading = head,                                                      \
	 .title = page,                                                        \
	 .one = noun,                                                          \
	 .help = says,                                                         \
	 .picked = HP_COLUMN_##pick,                                           \
	 .unit = HP_IN_##in,                                                   \
	 .cell = HP_CELL_##symbol,                                             \
	 .derive = from,                                                       \
	 .join = joined,                                                       \
	 .keys = HP_KEYS_##by,                                                 \
	 .flags = is},
const struct hp_column_kind hp_columns[HP_COLS] = {
#include "common/cli/columns.def"
};

/* --- functions on the table ----------------------------------------------- */

unsigned
hp_columns_that_are(unsigned flag)
{
	unsigned found = 0;

	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_columns[c].flags & flag)
			found |= 1u << c;
	return found;
}

unsigned
hp_columns_of_key(enum hp_by by)
{
	unsigned found = 0;

	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_columns[c].keys & 1u << by)
			found |= 1u << c;
	return found;
}

unsigned
hp_columns_stored(void)
{
	unsigned found = 0;

	for (unsigned c = 0; c < HP_COLS; c++)
		if (!hp_columns[c].derive)
			found |= 1u << c;
	return found;
}

enum hp_col
hp_column_find(const char *word, size_t n)
{
	unsigned c = 0;

	while (c < HP_COLS && (strlen(hp_columns[c].word) != n ||
			       memcmp(hp_columns[c].word, word, n) != 0))
		c++;
	return (enum hp_col)c;
}

unsigned
hp_column_picks(enum hp_col c)
{
	unsigned picked = 1u << c;

	while (c > 0 && hp_columns[c - 1].picked == HP_COLUMN_WITH_NEXT)
		picked |= 1u << --c;
	return picked;
}

enum hp_col
hp_column_group_end(enum hp_col c)
{
	unsigned end = c;

	while (hp_columns[end].flags & HP_COLUMN_IS_BESIDE_NEXT)
		end++;
	return (enum hp_col)(end + 1);
}

enum hp_col
hp_column_retained(enum hp_col c)
{
	for (unsigned other = 0; other < HP_COLS; other++)
		if (hp_column_is(c, HP_COLUMN_IS_ESTIMATE) &&
		    hp_columns[other].flags & HP_COLUMN_IS_RETAINED &&
		    hp_columns[other].unit == hp_columns[c].unit)
			return (enum hp_col)other;
	return HP_COLS;
}

void
hp_columns_words(struct hp_buf *b, unsigned columns)
{
	for (unsigned c = 0, told = 0; columns; c++) {
		if (!(columns & 1u << c))
			continue;
		columns &= ~(1u << c);
		hp_buf_text(b, told++ == 0 ? "" : columns ? ", " : " or ");
		hp_buf_text(b, hp_columns[c].word);
	}
}

/* --- values --------------------------------------------------------------- */

void
hp_column_text(struct hp_buf *b, enum hp_col c, uint64_t v)
{
	switch (hp_columns[c].unit) {
	case HP_IN_BYTES:
		hp_size_text(b, v);
		break;
	case HP_IN_STEPS:
		if (v > 0)
			hp_count_text(b, v);
		break;
	case HP_IN_PERCENT:
		v = (v + HP_PERCENT_ONE / 20) / (HP_PERCENT_ONE / 10);
		hp_buf_printf(b, "%" PRIu64 ".%" PRIu64 "%%", v / 10, v % 10);
		break;
	default:
		hp_count_text(b, v);
		break;
	}
}

void
hp_column_growth_text(struct hp_buf *b, enum hp_col c, int64_t v)
{
	uint64_t size = hp_magnitude(v);

	switch (hp_columns[c].unit) {
	case HP_IN_BYTES:
		hp_size_text_signed(b, v);
		break;
	case HP_IN_PERCENT:
		hp_buf_text(b, v > 0 ? "+" : v < 0 ? "-" : "");
		hp_column_text(b, c, size);
		break;
	default:
		hp_count_text_signed(b, v);
		break;
	}
}

uint64_t
hp_percent_hundredths(uint64_t v)
{
	return (v + HP_PERCENT_ONE / 200) / (HP_PERCENT_ONE / 100);
}

void
hp_column_number(struct hp_buf *b, enum hp_col c, uint64_t v)
{
	if (hp_columns[c].unit == HP_IN_PERCENT) {
		v = hp_percent_hundredths(v);
		hp_buf_printf(b, "%" PRIu64 ".%02" PRIu64, v / 100, v % 100);
	} else {
		hp_buf_u64(b, v);
	}
}

void
hp_column_growth_number(struct hp_buf *b, enum hp_col c, int64_t v)
{
	if (v < 0)
		hp_buf_byte(b, '-');
	hp_column_number(b, c, hp_magnitude(v));
}
