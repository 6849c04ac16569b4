/*
 * gate.c - parse the arguments of --fail-if (gates), and check whether rows
 * exceed their limits
 */
#include "diff/result/gate.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/quantity.h"

#include <string.h>

/* The beginning of a gate on a finding, such as "finding:ID". */
#define FINDING "finding:"

static enum hp_status
fail_bad_gate(const char *text, struct hp_error *err)
{
	struct hp_buf words = {0};
	enum hp_status st;

	hp_columns_words(&words, hp_columns_that_are(HP_COLUMN_IS_GATE));
	st = hp_fail(err, HP_DAMAGED,
		     "\"%.100s\" is not a gate; expected 'GLOB WHAT>N', 'total "
		     "WHAT>N', 'new suspect' or 'finding:ID', for example "
		     "'com.acme.* growth-bytes>5%%'; WHAT is one of %s, or "
		     "growth- followed by one of these",
		     text, hp_buf_string(&words));
	hp_buf_release(&words);
	return st;
}

/*
 * Parse the column of a gate, which may begin with "growth-", for example
 * "growth-count".
 */
static bool
parse_metric(struct hp_gate *g, const char *word, size_t n)
{
	static const char growth[] = "growth-";

	if (n > sizeof(growth) - 1 && memcmp(word, growth, 7) == 0) {
		g->growth = true;
		word += 7;
		n -= 7;
	}
	g->what = hp_column_find(word, n);
	return g->what != HP_COLS && hp_column_is(g->what, HP_COLUMN_IS_GATE) &&
	       (!g->growth || hp_column_is(g->what, HP_COLUMN_IS_GROWS));
}

static bool
parse_limit(struct hp_gate *g, const char *text, size_t n)
{
	char word[64];

	if (n == 0 || n >= sizeof(word) - 1)
		return false;
	memcpy(word, text, n);
	word[n] = '\0';
	if (hp_columns[g->what].unit == HP_IN_PERCENT) {
		if (word[n - 1] != '%')
			strcpy(word + n, "%");
		return hp_percent_parse(word, &g->limit);
	}
	g->percent = word[n - 1] == '%';
	if (g->percent)
		return (g->growth ||
			hp_column_is(g->what, HP_COLUMN_IS_OF_HEAP)) &&
		       hp_percent_parse(word, &g->limit);
	if (hp_columns[g->what].unit == HP_IN_BYTES)
		return hp_size_parse(word, &g->limit, NULL) == HP_OK;
	return hp_count_parse(word, 0, UINT64_MAX, &g->limit, NULL) == HP_OK;
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void
gate_trim(const char **begin, const char **end)
{
	while (*begin < *end && is_space(**begin))
		++*begin;
	while (*begin < *end && is_space((*end)[-1]))
		--*end;
}

static bool
is_new_suspect(const char *text)
{
	static const char words[] = "new suspect";
	const char *end = text + strlen(text);

	gate_trim(&text, &end);
	return (size_t)(end - text) == strlen(words) &&
	       memcmp(text, words, strlen(words)) == 0;
}

static enum hp_status
parse_finding(struct hp_gate *g, const char *text, struct hp_error *err)
{
	const char *end = text + strlen(text);

	gate_trim(&text, &end);
	g->of = HP_GATE_FINDING;
	return hp_unusual_find(text, (size_t)(end - text), &g->finding, err);
}

/*
 * The pattern of a gate may contain spaces, because names of rows do. So the
 * pattern ends at the last space before the name of the column.
 */
enum hp_status
hp_gate_parse(struct hp_gate *g, const char *text, struct hp_error *err)
{
	const char *more = strrchr(text, '>');
	const char *begin = text, *end, *word, *limit, *limit_end;

	memset(g, 0, sizeof(*g));
	g->text = text;
	if (is_new_suspect(text)) {
		g->of = HP_GATE_SUSPECTS;
		g->growth = true;
		g->what = (enum hp_col)HP_COLUMN_OF_SUSPECTS;
		g->glob = hp_strndup("", 0);
		return g->glob ? HP_OK : hp_no_memory(err);
	}
	if (hp_begins_with(text, strlen(text), FINDING))
		return parse_finding(g, text + strlen(FINDING), err);
	if (!more)
		return fail_bad_gate(text, err);
	end = more;
	gate_trim(&begin, &end);
	limit = more + 1;
	limit_end = limit + strlen(limit);
	gate_trim(&limit, &limit_end);
	for (word = end; word > begin && !is_space(word[-1]);)
		word--;
	if (word == begin || !parse_metric(g, word, (size_t)(end - word)) ||
	    !parse_limit(g, limit, (size_t)(limit_end - limit)))
		return fail_bad_gate(text, err);
	end = word;
	gate_trim(&begin, &end);
	g->glob = hp_strndup(begin, (size_t)(end - begin));
	if (!g->glob)
		return hp_no_memory(err);
	if (strcmp(g->glob, "total") == 0)
		g->of = HP_GATE_TOTAL;
	return HP_OK;
}

void
hp_gate_release(struct hp_gate *g)
{
	hp_free(g->glob);
	hp_free(g->rows);
	memset(g, 0, sizeof(*g));
}

/*
 * Subtract the margin of error from a value; the result is at least 0. A gate
 * on sampled data fails only if this result exceeds the limit.
 */
static uint64_t
sure_part(uint64_t v, double margin)
{
	double least;

	if (!(margin > 0))
		return v;
	least = (double)v - margin;
	return least > 0 ? (uint64_t)least : 0;
}

/* Whether a gate fails on a row, or on the total, which is also a row. */
static bool
is_tripped(const struct hp_gate *g, size_t dumps, const struct hp_row *row,
	   const struct hp_gate_margin *margins)
{
	const struct hp_gate_margin *margin = &margins[g->what];
	uint64_t last = hp_row_value(row, g->what, dumps - 1, g->basis);
	uint64_t first, growth;

	if (!g->growth && g->percent)
		return hp_percent_exceeded(last, g->basis->whole[dumps - 1],
					   g->limit);
	if (!g->growth)
		return sure_part(last, margin->last) > g->limit;
	first = hp_row_value(row, g->what, 0, g->basis);
	hp_sum_add(&first, margin->untold);
	if (last <= first)
		return false;
	growth = sure_part(last - first, margin->growth);
	if (g->percent)
		return hp_percent_exceeded(growth, first, g->limit);
	return growth > g->limit;
}

/*
 * Whether a gate that checks a shallow size would fail on this row if it
 * checked the retained size.
 */
static bool
is_blind(const struct hp_gate *g, size_t dumps, const struct hp_row *row,
	 const struct hp_gate_margin *margins)
{
	struct hp_gate other = *g;

	other.what = hp_column_retained(g->what);
	if (other.what == HP_COLS)
		return false;
	return is_tripped(&other, dumps, row, margins);
}

/*
 * The pattern of the gate does not match @row. If the row is a class or
 * "several roots", and the gate would fail on it, remember the row for a
 * message. Only the largest such row is kept.
 */
static void
note_several(struct hp_gate *g, size_t dumps, const struct hp_row *row,
	     const struct hp_gate_margin *margins)
{
	const struct hp_row *most = g->several;
	uint64_t bytes;

	if (!hp_gate_is_retained(g->what) ||
	    (!hp_begins_with(row->key, row->key_len, HP_ROW_SEVERAL) &&
	     !hp_begins_with(row->key, row->key_len, HP_ROW_CLASS)) ||
	    !is_tripped(g, dumps, row, margins))
		return;
	bytes = row->retained_bytes[dumps - 1];
	if (!most || bytes > most->retained_bytes[dumps - 1] ||
	    (bytes == most->retained_bytes[dumps - 1] &&
	     strcmp(row->key, most->key) < 0))
		g->several = row;
}

enum hp_status
hp_gate_row(struct hp_gate *g, const struct hp_rows *rows,
	    const struct hp_row *row, const struct hp_gate_margin *margins,
	    struct hp_error *err)
{
	if (g->of != HP_GATE_ROWS)
		return HP_OK;
	if (!hp_row_matches(row, g->glob)) {
		note_several(g, rows->dumps, row, margins);
		return HP_OK;
	}
	g->statics |= hp_ends_with(row->key, row->key_len, HP_ROW_STATIC);
	g->matched++;
	if (!is_tripped(g, rows->dumps, row, margins)) {
		g->blind |= is_blind(g, rows->dumps, row, margins);
		return HP_OK;
	}
	g->tripped = true;
	return HP_LIST_PUSH(g->rows, g->nrows, g->rows_cap, row)
		       ? HP_OK
		       : hp_no_memory(err);
}

void
hp_gate_total(struct hp_gate *g, size_t dumps, const struct hp_row *total,
	      const struct hp_gate_margin *margins)
{
	g->matched = 1;
	g->tripped = is_tripped(g, dumps, total, margins);
}
