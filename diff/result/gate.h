/*
 * gate.h - gates: conditions that fail a build, such as 'GLOB growth-bytes>5%'
 */
#ifndef HP_DIFF_GATE_H
#define HP_DIFF_GATE_H

#include "diff/findings/catalogue.h"
#include "diff/result/rows.h"

/* Whether the column that a gate checks is a retained size. */
static inline bool
hp_gate_is_retained(enum hp_col what)
{
	return hp_column_is(what, HP_COLUMN_IS_RETAINED);
}

/* By how much the values of a row may differ from the true values. */
struct hp_gate_margin {
	/*
	 * if the values are estimates: last: the margin of error of the value
	 * in the last dump; growth: that of the growth (last dump minus first
	 * dump); retained sizes have no margin
	 */
	double last, growth;
	/*
	 * the true value in the first dump may be higher by up to this much,
	 * because the first dump is a saved result, which does not list small
	 * paths
	 */
	uint64_t untold;
};

/* What a gate checks. */
enum hp_gate_subject {
	HP_GATE_ROWS,  /* each row whose name matches the pattern */
	HP_GATE_TOTAL, /* the sum of all rows */
	/*
	 * "new suspect": the gate fails on every leak suspect that is not in
	 * the file of --known; then the members for columns and limits are not
	 * used
	 */
	HP_GATE_SUSPECTS,
	/* "finding:ID": the gate fails if the last dump has the finding */
	HP_GATE_FINDING,
};

struct hp_gate {
	const char *text; /* the text of the option --fail-if; borrowed */
	/*
	 * the pattern for the names of the rows that the gate checks; the gate
	 * owns this memory
	 */
	char *glob;
	enum hp_gate_subject of; /* what the gate checks */
	/* with HP_GATE_FINDING: the finding */
	enum hp_unusual finding;
	/* the gate checks the growth from the first to the last dump */
	bool growth;
	/*
	 * the limit is a percentage (of the growth, or of the heap), in
	 * millionths of a percent
	 */
	bool percent;
	enum hp_col what;
	/*
	 * the values from which columns that are not stored, such as percent,
	 * are computed; borrowed
	 */
	const struct hp_basis *basis;
	uint64_t limit;
	/* hp_gate_row() and hp_gate_total() set the following members */
	/* at least one value exceeds the limit, so the gate fails */
	bool tripped;
	/*
	 * the gate checks a column that is not a retained size, but it would
	 * fail if it checked the retained size of at least one row
	 */
	bool blind;
	/*
	 * With --by=dominator: the largest row of a class, or of several roots,
	 * that the pattern does not match although its value exceeds the limit.
	 * NULL: there is none. If there is such a row, a message says that the
	 * gate may check the wrong rows.
	 */
	const struct hp_row *several;
	/* the pattern matches at least one row that is a static field */
	bool statics;
	/*
	 * number of rows that the pattern matches; 1 if the gate checks the
	 * total
	 */
	size_t matched;
	/* the rows on which the gate failed; the gate owns the array */
	const struct hp_row **rows;
	size_t nrows, rows_cap;
};

/**
 * hp_gate_parse() - parse the text of a gate, such as 'GLOB growth-bytes>5%'
 *
 * Returns: HP_OK; HP_DAMAGED with a text in @err if the gate is not valid;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_gate_parse(struct hp_gate *g, const char *text,
					 struct hp_error *err);
void hp_gate_release(struct hp_gate *g);

/*
 * Check a gate on one row. If the gate checks the total, does nothing. The gate
 * fails only if the value exceeds the limit even after the margin of error is
 * subtracted. @margins: the margins of error of the row, one for each column.
 */
HP_MUST_USE enum hp_status hp_gate_row(struct hp_gate *g,
				       const struct hp_rows *rows,
				       const struct hp_row *row,
				       const struct hp_gate_margin *margins,
				       struct hp_error *err);

/* Check a gate on the total, which is the sum of all rows. */
void hp_gate_total(struct hp_gate *g, size_t dumps, const struct hp_row *total,
		   const struct hp_gate_margin *margins);

#endif
