/*
 * gate.h - conditions that fail a build: 'GLOB growth-bytes>5%'
 */
#ifndef HP_DIFF_GATE_H
#define HP_DIFF_GATE_H

#include "diff/rows.h"

/* Is it about retained sizes? */
static inline bool
hp_gate_is_retained(enum hp_col what)
{
	return hp_column_is(what, HP_COLUMN_IS_RETAINED);
}

/* How far the values of a row's column may be off. */
struct hp_gate_margin {
	/* of estimates, which retained sizes never are: of the last dump, and
	   of last minus first */
	double last, growth;
	uint64_t untold; /* of the first dump, which may have so much more */
};

struct hp_gate {
	const char *text; /* as given; borrowed */
	char *glob;	  /* owned */
	bool total;	  /* the sum of all rows */
	bool growth;	  /* last minus first */
	bool percent;	  /* of the first; @limit in millionths */
	enum hp_col what;
	const struct hp_basis *basis; /* of derived columns; borrowed */
	uint64_t limit;
	/* after all rows were looked at: */
	bool tripped;
	bool blind; /* what some row retains would trip it, and it is not about
		       that */
	/* the largest row by dominator of several roots, or of a class, that
	   would trip the gate if the gate matched it; NULL: none */
	const struct hp_row *several;
	bool statics;		    /* it matched a static field */
	size_t matched;		    /* rows that it is about; 1 of the total */
	const struct hp_row **rows; /* that tripped it; owned */
	size_t nrows, rows_cap;
};

/**
 * hp_gate_parse() - read a gate
 *
 * Returns: HP_OK; HP_DAMAGED with a text; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_gate_parse(struct hp_gate *g, const char *text,
					 struct hp_error *err);
void hp_gate_release(struct hp_gate *g);

/*
 * Evaluate for one row, unless the gate is about the total. A value trips only
 * where it does with its margin taken off. @margins: of each column.
 */
HP_MUST_USE enum hp_status hp_gate_row(struct hp_gate *g,
				       const struct hp_rows *rows,
				       const struct hp_row *row,
				       const struct hp_gate_margin *margins,
				       struct hp_error *err);

/* Evaluate a gate about the total. */
void hp_gate_total(struct hp_gate *g, size_t dumps, const struct hp_row *total,
		   const struct hp_gate_margin *margins);

#endif
