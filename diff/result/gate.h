/*
 * gate.h - gates: conditions that fail a build, such as 'GLOB growth-bytes>5%'
 */
#ifndef HP_DIFF_GATE_H
#define HP_DIFF_GATE_H

#include "diff/result/rows.h"

/* Whether a gate's column is a retained size. */
static inline bool
hp_gate_is_retained(enum hp_col what)
{
	return hp_column_is(what, HP_COLUMN_IS_RETAINED);
}

/* How much the values of a row may be wrong. */
struct hp_gate_margin {
	/*
	 * margins of error of estimates: of the value in the last dump, and of
	 * last minus first. Retained sizes have none
	 */
	double last, growth;
	/* the value of the first dump may be higher by up to this much */
	uint64_t untold;
};

struct hp_gate {
	const char *text; /* the text of --fail-if; borrowed */
	char *glob;	  /* the pattern for row keys; owned */
	bool total;	  /* it checks the total, not rows */
	bool growth;	  /* it checks the growth from the first dump */
	/*
	 * the growth in percent, or a share of the heap; limit is in millionths
	 * of a percent
	 */
	bool percent;
	enum hp_col what;
	const struct hp_basis *basis; /* to compute derived columns; borrowed */
	uint64_t limit;
	/* the following members are set while rows are evaluated */
	bool tripped; /* the gate failed */
	/*
	 * the retained size of some row would make it fail, but it checks
	 * another column
	 */
	bool blind;
	/*
	 * with --by=dominator: the largest row of a class or of several roots
	 * on which the gate would fail if it matched the row; NULL: none
	 */
	const struct hp_row *several;
	bool statics;	/* it matched a static field */
	size_t matched; /* number of matching rows; 1 for the total */
	/* the rows on which it failed; the array is owned */
	const struct hp_row **rows;
	size_t nrows, rows_cap;
};

/**
 * hp_gate_parse() - parse a gate
 *
 * Returns: HP_OK; HP_DAMAGED with a text; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_gate_parse(struct hp_gate *g, const char *text,
					 struct hp_error *err);
void hp_gate_release(struct hp_gate *g);

/*
 * Evaluate a gate for one row; does nothing for a gate on the total. The gate
 * fails only if it also fails after subtracting the margin of error. @margins:
 * by column.
 */
HP_MUST_USE enum hp_status hp_gate_row(struct hp_gate *g,
				       const struct hp_rows *rows,
				       const struct hp_row *row,
				       const struct hp_gate_margin *margins,
				       struct hp_error *err);

/* Evaluate a gate on the total. */
void hp_gate_total(struct hp_gate *g, size_t dumps, const struct hp_row *total,
		   const struct hp_gate_margin *margins);

#endif
