/*
 * result.h - everything a report may want to say, as plain values
 */
#ifndef HP_DIFF_RESULT_H
#define HP_DIFF_RESULT_H

#include "common/cli/quantity.h"
#include "common/graph/graph.h"
#include "common/io/dump_id.h"
#include "common/model/undescribed.h"
#include "diff/gate.h"
#include "diff/leaks/why_tree.h"
#include "diff/options.h"
#include "diff/row_keys.h"
#include "diff/rows.h"

struct hp_dump_info {
	const char *path;		 /* as on the command line */
	const char *dialect;		 /* the contract's word */
	uint64_t objects, bytes;	 /* of what --heap shows */
	uint64_t all_objects, all_bytes; /* of all heaps */
	uint64_t all_native;		 /* likewise, if it is asked for */
	uint64_t timestamp_ms;		 /* since 1970; 0: not known */
	uint64_t file_bytes;		 /* on the disk; 0: it is no file */
	/* of --label; a saved result has those that it was made with */
	const struct hp_label *labels;
	size_t nlabels;
	bool partial;
	bool saved; /* a saved result, which has no object graph */
	struct hp_undescribed undescribed; /* of its objects */
	bool text;			   /* it is the agent's text */
	uint64_t sample; /* bytes between samples, if rows are estimates */
	struct hp_size_model layout;
	/* with retained sizes: what the roots reach, only over weak references
	   reach, and do not reach */
	struct hp_graph_sum reachable, weak, unreachable;
	struct hp_graph_sum waiting; /* of weak: for their finalizer */
	/* by path, of a saved result: the most that a path which it has no row
	   of may retain */
	struct hp_graph_sum untold;
	/* of --format=rows and tsv, where only one dump is looked at */
	struct hp_dump_id id;
	unsigned number;	 /* see hp_flat_dump_number() */
	const char *compression; /* NULL: it could not be opened, or is not
				    known: of a saved result */
	uint32_t id_size;	 /* 0: not known */
	bool damaged;
};

/* Objects of one class within a suspect. */
struct hp_suspect_part {
	const char *key;
	struct hp_graph_sum sum; /* in the last dump */
};

/* The number of the shape of JSON results. */
enum { HP_RESULT_SCHEMA = 2 };

enum { HP_SUSPECT_PARTS = 3, HP_SUSPECTS_MOST = 16 };

/* What probably leaks, see leaks/suspects.h. Texts are in the visible form. */
struct hp_suspect {
	const char *path;    /* from the root, or from a static field */
	const char *loader;  /* class of the field's class's; NULL: none */
	const char *holder;  /* class of the accumulation point */
	uint64_t holders[2]; /* how many it is, in the first and last dump */
	const char *element; /* class of what it holds many of; NULL: none */
	uint64_t elements[2];
	struct hp_graph_sum retained[2]; /* in the first and the last dump */
	/* what is of the first dump is so; else it may have had another owner
	 */
	bool was_known;
	bool of_largest; /* objects share no path: it is the largest one's */
	struct hp_suspect_part parts[HP_SUSPECT_PARTS]; /* largest first */
	size_t nparts;
};

/*
 * A box of the dominator tree, merged by names, see leaks/dominator_view.h; in
 * the first and in the last dump. Of one dump the first has nothing.
 */
struct hp_box {
	const char *name;  /* visible form; "" of the roots */
	const char *class; /* of its largest object; mostly the name */
	uint32_t parent;   /* an index; boxes stand behind it. 0 of the roots */
	uint32_t members[2];
	struct hp_graph_sum retained[2];
};

/* Paths to the objects of rows, see leaks/row_paths.h. */
struct hp_paths {
	/* steps that paths share, parents first */
	struct hp_path_words {
		const char *text; /* what it adds to its parent's */
		uint32_t parent;  /* its number, from 1; 0: a path begins */
	} * steps;
	size_t nsteps;
	/* the rows that matter most first, of each what changed most */
	struct hp_row_path {
		const struct hp_row *row;
		uint32_t step; /* a number, from 1; 0: all other paths */
		uint64_t objects[2], bytes[2]; /* in the first, the last dump */
	} * list;
	size_t count;
};

/* Paths that --ignore-path and the built-in list hide. */
struct hp_ignored {
	bool applied; /* by path: some may be hidden */
	size_t paths;
	/* from the first dump to the last; a path whose bytes and objects went
	   different ways counts by its bytes */
	size_t grew, shrank;
	struct hp_graph_sum gained, lost; /* by those that grew, that shrank */
	size_t changed;			  /* only in between */
	struct hp_row *sum;		  /* count and bytes by dump */
};

struct hp_result {
	enum hp_by by;
	/* columns of the key that no input has values for, as bits */
	unsigned absent;
	/* set by hp_result_finish(), as bits: all columns of the result; those
	   that are shown; those that JSON has */
	unsigned columns, shows, tells;
	double deviations; /* standard ones that a margin has */
	const struct hp_diff_options *options; /* what it was made with */
	const char *command;		       /* borrowed; NULL: not known */
	struct hp_dump_info *dumps;
	size_t ndumps;
	struct hp_rows rows;	/* all of them */
	struct hp_rows in_heap; /* with --heap: those to be shown */
	bool heap_shown;	/* show these */
	/* a saved result of some heaps: no row of the others is known */
	bool heap_only;
	struct hp_row **shown; /* what the options leave, in order */
	size_t nshown, ncut;   /* ncut: more, which --top leaves out */
	/* of all rows; retained: of all objects that the roots reach. Without
	   the columns that have no sum */
	struct hp_row *total;
	struct hp_basis basis; /* of derived columns */
	uint64_t *whole;       /* what is 100 % of each dump */
	double *variance;      /* of the total's counts, then of its bytes */
	struct hp_suspect suspects[HP_SUSPECTS_MOST]; /* worst first */
	size_t nsuspects;
	bool suspects_sought; /* not with saved results, which have no graph */
	size_t top;	      /* lines that were asked for; 0: all */
	struct hp_why why;    /* with --why: its count is not 0 */
	bool why_known;	      /* an input has the object of --why=0x... */
	/* for the HTML report; none without retained sizes */
	struct hp_box *boxes;
	size_t nboxes;
	struct hp_rows owners;	      /* bytes in the first and the last dump */
	struct hp_rows holders;	      /* as by holder */
	struct hp_rows class_loaders; /* hp_resolve_loaders() */
	struct hp_rows class_sites;   /* as by site */
	struct hp_paths paths;
	struct hp_ignored ignored;
	struct hp_gate *gates;
	size_t ngates;
	const char *sites; /* by site: "objects" or "records"; NULL: not yet */
	bool matched;	   /* any row passes the filter */
	/* any count or any bytes differ between dumps, shown or not; always if
	   there is a suspect of several dumps */
	bool changed;
	bool unowned_told;	  /* what a gate does not see, by its field */
	struct hp_arena arena;	  /* texts of saved results */
	struct hp_budget *budget; /* of --memory; borrowed */
	unsigned threads;	  /* that --memory has room for */
	bool refused; /* it failed as there was no room, or a limit */
	unsigned sandbox_missing; /* HP_SANDBOX_ layers, hp_confine() */
};

HP_MUST_USE enum hp_status hp_result_init(struct hp_result *r, size_t ndumps,
					  struct hp_error *err);
void hp_result_release(struct hp_result *r);

/* The columns that rows will have, by the options; before the first row is
 * made. r->rows.retained says whether retained sizes are among them. */
void hp_result_set_columns(struct hp_result *r,
			   const struct hp_diff_options *o);

/**
 * hp_result_finish() - totals, gates, and which rows are shown in what order
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_result_finish(struct hp_result *r,
					    const struct hp_diff_options *o,
					    size_t top, struct hp_error *err);

/* Do the rows follow from who refers to whom? */
static inline bool
hp_result_uses_references(const struct hp_result *r)
{
	return r->rows.retained || hp_key_is(r->by, HP_KEY_NEEDS_REFERENCES);
}

/* Is a column to be shown? */
static inline bool
hp_result_shows(const struct hp_result *r, enum hp_col c)
{
	return r->shows & 1u << c;
}

/* Does JSON have it? It has all that is stored, and derived ones that are
 * shown. */
static inline bool
hp_result_tells(const struct hp_result *r, enum hp_col c)
{
	return r->tells & 1u << c;
}

/* A value of a dump; of a derived column it is computed. */
static inline uint64_t
hp_result_value(const struct hp_result *r, const struct hp_row *row,
		enum hp_col c, size_t dump)
{
	return hp_row_value(row, c, dump, &r->basis);
}

/* Does a row have values in a column? The total has no sum of some. */
static inline bool
hp_result_has_value(const struct hp_row *row, enum hp_col c)
{
	return row->value[c] || hp_columns[c].derive;
}

/* The first column of a list of the key, ended by HP_COLS, that the result has.
 * HP_COLS: there is none. */
enum hp_col hp_result_first(const struct hp_result *r, const enum hp_col *list);

/* The growth of a column, from the first dump to the last. */
static inline int64_t
hp_result_growth(const struct hp_result *r, const struct hp_row *row,
		 enum hp_col c)
{
	return hp_growth(hp_result_value(r, row, c, 0),
			 hp_result_value(r, row, c, r->ndumps - 1));
}

/* Is it a path that the first dump does not have and a later one has? */
static inline bool
hp_result_is_new(const struct hp_result *r, const struct hp_row *row)
{
	bool any = false;

	if (!hp_key_is(r->by, HP_KEY_PATHS)) /* rows may have no count */
		return false;
	for (size_t i = 1; i < r->ndumps; i++)
		any |= row->count[i] > 0;
	return row->count[0] == 0 && any;
}

/*
 * Rows of owners and paths are small by themselves, whatever they keep: did a
 * gate pass for that reason alone? It may not be the one that was meant.
 */
static inline bool
hp_result_gate_is_blind(const struct hp_result *r, const struct hp_gate *g)
{
	return g->blind && !g->tripped && hp_key_is(r->by, HP_KEY_OF_GRAPH);
}

/* Does a row stand for a stack? */
static inline bool
hp_result_has_stacks(const struct hp_result *r)
{
	return hp_key_is(r->by, HP_KEY_STACKS);
}

/* Is any value an estimate? */
bool hp_result_is_sampled(const struct hp_result *r);

/*
 * How far an estimated value of a row, or of the total, may be off, at the
 * confidence that was asked for.
 */
double hp_result_margin(const struct hp_result *r, const struct hp_row *row,
			size_t dump, enum hp_col c);
/* The same for its growth; of one dump, for its value. */
double hp_result_growth_margin(const struct hp_result *r,
			       const struct hp_row *row, enum hp_col c);

/* Would objects have other bytes? */
bool hp_layouts_differ(const struct hp_size_model *a,
		       const struct hp_size_model *b);
/* Do the dumps' layouts differ? */
bool hp_result_layouts_differ(const struct hp_result *r);

#endif
