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

/* How much the values of a row may differ from the true values. */
struct hp_gate_margin {
	/*
	 * The margins of error, if the values are estimates. last: the margin
	 * for the value in the last dump. growth: the margin for the growth
	 * (last dump minus first dump). Retained sizes have no margin.
	 */
	double last, growth;
	/*
	 * If the first dump is a saved result: by how much the true value in
	 * the first dump may be larger, because a saved result does not list
	 * small paths. Otherwise 0.
	 */
	uint64_t untold;
};

/* The kinds of values that a gate can check. */
enum hp_gate_subject {
	HP_GATE_ROWS,  /* each row whose name matches the pattern */
	HP_GATE_TOTAL, /* the sum of all rows */
	/*
	 * "new suspect": the gate fails on each leak suspect that is not in the
	 * file of --known; it has no column and no limit
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
	enum hp_gate_subject of; /* the kind of value that the gate checks */
	/* with HP_GATE_FINDING: the finding */
	enum hp_unusual finding;
	/* the gate checks the growth from the first to the last dump */
	bool growth;
	/*
	 * the limit is a share of the value in the first dump, or of the heap,
	 * in millionths of a percent
	 */
	bool percent;
	enum hp_col what;
	/*
	 * borrowed: the values from which derived columns, such as percent, are
	 * computed
	 */
	const struct hp_basis *basis;
	uint64_t limit;
	/* the following members are set by hp_gate_row() and hp_gate_total() */
	/* at least one value exceeds the limit, so the gate fails */
	bool tripped;
	/*
	 * the gate checks a shallow size, and would fail on at least one row if
	 * it checked the retained size
	 */
	bool blind;
	/*
	 * With --by=dominator: the largest row that exceeds the limit and is a
	 * class or "several roots", and that the pattern does not match. NULL:
	 * there is none. For such a row, a message warns that the gate may
	 * check the wrong rows.
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
 * Check a gate on one row. Does nothing for a gate on the total. The gate fails
 * only if the value exceeds the limit even after the margin of error is
 * subtracted. @margins: the margins of error of the row, one for each column.
 */
HP_MUST_USE enum hp_status hp_gate_row(struct hp_gate *g,
				       const struct hp_rows *rows,
				       const struct hp_row *row,
				       const struct hp_gate_margin *margins,
				       struct hp_error *err);

void hp_gate_total(struct hp_gate *g, size_t dumps, const struct hp_row *total,
		   const struct hp_gate_margin *margins);

#endif
