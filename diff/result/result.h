/* result.h - the result of a comparison, from which reports are written */
#ifndef HP_DIFF_RESULT_H
#define HP_DIFF_RESULT_H

#include "common/cli/quantity.h"
#include "common/graph/graph.h"
#include "common/io/source.h"
#include "common/model/undescribed.h"
#include "diff/count/listed_sizes.h"
#include "diff/tables/columns.h"
#include "diff/result/gate.h"
#include "diff/result/known.h"
#include "diff/leaks/why_tree.h"
#include "diff/objects/object_facts.h"
#include "diff/options.h"
#include "diff/result/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * The margins of error of estimates from sampled files
 *
 * libhprof-agent samples an object of s bytes with probability p = 1 - exp(-s /
 * interval), and counts it as 1/p objects. So a row of C objects and B bytes
 * was estimated from about C * p samples of s = B / C bytes each. The variance
 * follows from this. Files with every object have no margin, and neither have
 * the objects of dumps.
 *
 * The arrays of a row may have different sizes, which the file does not
 * contain. For them, the variance is the maximum for all possible sizes with
 * this count and sum.
 */

/*
 * The sampling interval in the agent's settings, which are in a STRING record.
 * Returns 0 if every object was counted, or if @text has no settings.
 */
uint64_t hp_sampling_interval(const void *text, size_t length);

struct hp_estimate {
	/* average bytes between samples; 0: every object was counted */
	uint64_t interval;
	/* number and bytes of the objects of the row in one dump */
	uint64_t count, bytes;
	/* the objects may have different sizes, because they are arrays */
	bool is_mixed;
};

/*
 * The variance of a row's bytes if @of_bytes, else of its count. Returns 0 for
 * interval 0.
 */
double hp_sampling_variance(const struct hp_estimate *e, bool of_bytes);

/*
 * The z-score of a confidence level: the number of standard deviations on both
 * sides of the mean of a normal distribution. Returns 1.96 for 0.95, and 0 for
 * 0.
 */
double hp_sampling_deviations(double confidence);

/* ----------------------------------------------------------------------
 * The result of a comparison as plain values, for all output formats
 */

struct hp_dump_info {
	/* the path of the dump on the command line; borrowed */
	const char *path;
	/* the program that wrote the dump, as JSON names it */
	const char *dialect;
	/* objects in the Android heaps that --heap selects */
	uint64_t objects, bytes;
	uint64_t all_objects, all_bytes; /* objects in all Android heaps */
	/* native memory of objects in all Android heaps, if requested */
	uint64_t all_native;
	/* time of the dump in milliseconds since 1970; 0: not known */
	uint64_t timestamp_ms;
	/* bytes of the file on disk; 0: not a regular file */
	uint64_t file_bytes;
	/* from --label, or the labels of a saved result */
	const struct hp_label *labels;
	size_t nlabels;
	bool partial;
	bool saved; /* this is a saved result, which has no object graph */
	/* objects with fields that no class dump describes */
	struct hp_undescribed undescribed;
	bool text; /* the input is the text of the HPROF agent */
	/*
	 * average bytes between two samples if the values are estimates;
	 * otherwise 0
	 */
	uint64_t sample;
	struct hp_size_model layout;
	/* how many objects were measured, and how many objects there are */
	uint64_t measured, measured_of;
	/* sizes of classes that the dump's saved result needs */
	struct hp_listed_sizes sizes;
	/*
	 * with retained sizes: objects that are reachable, reachable only
	 * through weak references, and unreachable
	 */
	struct hp_graph_sum reachable, weak, unreachable;
	/* objects that wait for a finalizer; they also count in weak */
	struct hp_graph_sum waiting;
	/*
	 * With --by=path, for a saved result: what a path that has no row may
	 * retain at most.
	 */
	struct hp_graph_sum untold;
	/* used with --format=rows or tsv, which show each dump separately */
	struct hp_dump_id id;
	/* number of the dump in its file, see hp_flat_dump_number() */
	unsigned number;
	/* NULL: not known, because of a saved result or a failed open */
	const char *compression;
	uint32_t id_size; /* size of an id in bytes; 0: not known */
	bool damaged;
};

/* The objects of one class within a suspect. */
struct hp_suspect_part {
	const char *key;
	/* objects and bytes of this class, in the last dump */
	struct hp_graph_sum sum;
};

/*
 * The schema number of JSON results, which rises when a member changes its
 * meaning.
 */
enum { HP_RESULT_SCHEMA = 2 };

enum { HP_SUSPECT_PARTS = 3, HP_SUSPECTS_MOST = 16 };

/* Facts that support that a suspect is a leak. */
struct hp_suspect_evidence {
	/*
	 * steps: the number of dumps minus 1; grew: in how many of these steps
	 * it grew
	 */
	unsigned grew, steps;
	/* number of objects that grew, all on the same path; 1: one owner */
	uint64_t owners;
	/* number of new elements and their average size; 0: not known */
	uint64_t new_elements, element_bytes;
	/* the sizes in three or more dumps are close to a straight line */
	bool is_linear;
	/* slope of the line in bytes; 0 if is_linear is false */
	double bytes_per_dump;
	/*
	 * the same slope by the times of the dumps; 0: is_linear is false, or
	 * the times are not known
	 */
	double bytes_per_hour;
};

/*
 * A leak suspect, see leaks/suspects.c. Control characters in texts are
 * escaped. If there is only one dump, it is one of the objects that retain
 * most.
 */
struct hp_suspect {
	/* what the suspect is, for example "list of 1,500 CartItem" */
	const char *label;
	/*
	 * the field that refers to the suspect, for example
	 * "ApplicationContext.attributes"; NULL: none
	 */
	const char *field;
	/*
	 * id of the object; if the suspect is several objects, of the one that
	 * grew most
	 */
	uint64_t id;
	/*
	 * The suspect is called a leak: it is a container that retains more
	 * than a fifth of the heap and contains objects of the application.
	 */
	bool is_leak;
	struct hp_suspect_evidence evidence;
	/*
	 * the path that keeps the suspect alive, from a root or from a static
	 * field
	 */
	const char *path;
	/*
	 * class of the class loader of the class that declares the field; NULL:
	 * none
	 */
	const char *loader;
	const char *holder; /* the class of the suspect */
	/*
	 * number of objects in the suspect, in the first and in the last dump
	 */
	uint64_t holders[2];
	/* class of the elements of which there are more and more; NULL: none */
	const char *element;
	uint64_t elements[2];
	/* retained size in the first and the last dump */
	struct hp_graph_sum retained[2];
	/*
	 * the values of the first dump are known; otherwise the object may have
	 * been in another place of the heap
	 */
	bool was_known;
	/*
	 * the objects have no common path; path is the path of the object that
	 * grew most
	 */
	bool of_largest;
	/*
	 * objects in the suspect, as indexes in hp_result.examples: the largest
	 * elements, then the newest ones
	 */
	uint32_t *examples;
	size_t nlargest, nnewest;
	/* the classes that have the most bytes in the suspect, largest first */
	struct hp_suspect_part parts[HP_SUSPECT_PARTS];
	size_t nparts;
	struct hp_fingerprint fingerprint; /* of the path */
	/* the entry of the --known file that fits; NULL: none */
	struct hp_known_leak *known;
};

/*
 * A box of the dominator picture, see leaks/dominator_view.c. The arrays have
 * the values of the first and of the last dump. If there is only one dump, the
 * values of the first are 0.
 */
struct hp_box {
	/* name with control characters escaped; "" for the root */
	const char *name;
	/* class of its largest object; usually equal to name */
	const char *class;
	/*
	 * index of the parent, which comes before its children; 0 for the root
	 */
	uint32_t parent;
	uint32_t members[2];
	struct hp_graph_sum retained[2];
};

/* The paths to the objects of rows, see leaks/row_paths.c. */
struct hp_paths {
	/*
	 * the steps of all paths, which may share steps; a parent comes before
	 * its children
	 */
	struct hp_path_words {
		/* the text that this step appends to the text of its parent */
		const char *text;
		/* number of the parent, from 1; 0: the path starts here */
		uint32_t parent;
	} * steps;
	size_t nsteps;
	/*
	 * paths to the objects of one row; the most important rows come first,
	 * and for each row the largest changes
	 */
	struct hp_row_path {
		const struct hp_row *row;
		/* number of the step, from 1; 0: the sum of all other paths */
		uint32_t step;
		/*
		 * number of objects, and bytes, in the first and the last dump
		 */
		uint64_t objects[2], bytes[2];
	} * list;
	size_t count;
};

/* The paths that --ignore-path and the built-in list hide. */
struct hp_ignored {
	bool applied; /* with --by=path: the ignore list was applied */
	size_t paths;
	/*
	 * number of paths that grew or shrank from the first to the last dump,
	 * by bytes, or by objects if the bytes are equal
	 */
	size_t grew, shrank;
	/* gained: by the paths that grew; lost: by the paths that shrank */
	struct hp_graph_sum gained, lost;
	/*
	 * number of paths that changed only between the first and the last dump
	 */
	size_t changed;
	/* for each dump: the sum of all ignored paths */
	struct hp_row *sum;
};

/* The thread that ran out of memory, in the last dump. Texts are escaped. */
enum { HP_FAILED_FRAMES = 8 };
struct hp_failed_thread {
	bool found;
	uint64_t id;	  /* id of the thread's java.lang.Thread object */
	const char *name; /* name of the thread; NULL: not known */
	/* its methods, the innermost first, without the error's constructor */
	const char *frames[HP_FAILED_FRAMES];
	size_t nframes;
	uint32_t more_frames; /* number of further frames */
	/* what only this thread keeps alive */
	struct hp_graph_sum retained;
};

/* With --stacks: the local variables of one class in a frame. */
struct hp_thread_local {
	const char *class;
	uint64_t count;
	struct hp_graph_sum retained; /* of each object, summed */
};

struct hp_thread_frame {
	const char *text; /* NULL: locals whose frame is not known */
	struct hp_thread_local *locals; /* those that retain most first */
	size_t nlocals;
};

/* Threads of a row of --by=thread with equal stacks. Texts are escaped. */
struct hp_thread_stack {
	const char *row;
	uint64_t threads;
	bool failed; /* one of them ran out of memory */
	struct hp_graph_sum retained;
	/* innermost first; after the last one, locals without a frame */
	struct hp_thread_frame *frames;
	size_t nframes;
};

struct hp_result {
	/* with --stacks: the stacks of the last dump */
	struct hp_thread_stack *stacks;
	size_t nstacks;
	/* the dump was taken on an OutOfMemoryError of this thread */
	struct hp_failed_thread failed;
	/* what is unusual in the last dump */
	struct hp_unusual_fact findings[HP_UNUSUALS];
	/* for each finding, its entry of --known; NULL: none */
	struct hp_known_leak *known_findings[HP_UNUSUALS];
	enum hp_by by;
	/*
	 * columns of the --by key for which no input has values, one bit each
	 */
	unsigned absent;
	/*
	 * Sets of columns, one bit for each, set by hp_result_finish().
	 * columns: all columns of the result; shows: the columns in the table;
	 * tells: the columns in JSON.
	 */
	unsigned columns, shows, tells;
	/* half the width of a margin of error, in standard deviations */
	double deviations;
	/* the options of the command line */
	const struct hp_diff_options *options;
	/* the command line; borrowed; NULL: not known */
	const char *command;
	struct hp_dump_info *dumps;
	size_t ndumps;
	struct hp_rows rows; /* all rows, shown or not */
	/* with --heap: the rows of the selected heaps */
	struct hp_rows in_heap;
	bool heap_shown; /* show the rows of the member in_heap */
	/* a saved result has only the rows of some heaps */
	bool heap_only;
	/* the rows to show, in the order of the report */
	struct hp_row **shown;
	/*
	 * nshown: number of rows to show; ncut: number of rows that --top
	 * leaves out
	 */
	size_t nshown, ncut;
	/*
	 * the sum of all rows; its retained size is that of all reachable
	 * objects. NULL in columns without a sum
	 */
	struct hp_row *total;
	/* the values that derived columns are computed from */
	struct hp_basis basis;
	uint64_t *whole; /* for each dump: the value that counts as 100 % */
	/*
	 * variance of the total: first of the counts of each dump, then of the
	 * bytes
	 */
	double *variance;
	/* the file of --known; NULL: not given */
	struct hp_known *known;
	/* the leak suspects; the one with the largest growth comes first */
	struct hp_suspect suspects[HP_SUSPECTS_MOST];
	size_t nsuspects;
	/* objects in the suspects, each once (--examples) */
	struct hp_object_facts *examples;
	size_t nexamples;
	/*
	 * the search for suspects was done; saved results have no graph for it
	 */
	bool suspects_sought;
	/*
	 * growth of the reachable heap in bytes, and the part of it that the
	 * suspects explain
	 */
	int64_t reachable_growth, explained_growth;
	size_t top; /* maximum number of rows to show; 0: all */
	/* the tree of --why; its count is 0 without --why */
	struct hp_why why;
	/* the object of --object; NULL: no dump has it, or it was not asked */
	struct hp_object_facts *object;
	bool why_known; /* at least one input has the object of --why=0x... */
	/*
	 * the boxes of the dominator picture in the HTML report; empty without
	 * retained sizes
	 */
	struct hp_box *boxes;
	size_t nboxes;
	/*
	 * for the HTML report: bytes of each class in the first and in the last
	 * dump, where arrays count for their owners
	 */
	struct hp_rows owners;
	/* rows of --by=holder, for the HTML report */
	struct hp_rows holders;
	/* rows for each class and loader, for the HTML report */
	struct hp_rows class_loaders;
	/* rows of --by=site, for the HTML report */
	struct hp_rows class_sites;
	/*
	 * rows of --by=waste of the last dump, for the HTML report; the rows of
	 * one dump
	 */
	struct hp_rows waste;
	struct hp_paths paths;
	struct hp_ignored ignored;
	struct hp_gate *gates;
	size_t ngates;
	/* with --by=site: "objects" or "records"; NULL: not decided yet */
	const char *sites;
	bool matched; /* at least one row matches --filter */
	/*
	 * A number of objects or bytes differs between the dumps, even in a row
	 * that is not shown. Also set if there are several dumps and a suspect.
	 */
	bool changed;
	/*
	 * like changed, but without retained sizes and suspects, for
	 * --exit-code
	 */
	bool counts_changed;
	/*
	 * retained sizes are computed only because the output is for people: no
	 * option and no gate needs them
	 */
	bool graph_unasked;
	/*
	 * why retained sizes are not known although the output is for people,
	 * as a sentence; NULL: they are known, or were not wanted
	 */
	const char *no_graph;
	/* the warning about objects that a gate does not count was printed */
	bool unowned_told;
	struct hp_arena arena; /* memory for texts of saved results */
	unsigned threads;      /* number of threads that --memory allows */
	/* the run failed because a limit, such as --memory, was exceeded */
	bool refused;
	/* HP_SANDBOX_ bits of the parts that are missing, see hp_confine() */
	unsigned sandbox_missing;
};

/*
 * The reasons why there is no object graph: it does not fit in memory, or not
 * on the disk.
 */
#define HP_NO_GRAPH_ROOM                                                       \
	"what is kept alive is not known: there is no room for the object "    \
	"graph"
#define HP_NO_GRAPH_MEMORY                                                     \
	"what is kept alive is not known: the object graph does not fit in "   \
	"--memory"

/* Initialize a result for @ndumps inputs. Returns HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_result_init(struct hp_result *r, size_t ndumps,
					  struct hp_error *err);
void hp_result_release(struct hp_result *r);

/* The number of suspects that are not known leaks (--known). */
size_t hp_result_new_suspects(const struct hp_result *r);
/*
 * Returns number @k, from 0, of the suspects that are not known leaks, or NULL
 * if there are fewer.
 */
const struct hp_suspect *hp_result_new_suspect(const struct hp_result *r,
					       size_t k);

/* The number of rows, suspects or findings on which a gate failed. */
static inline size_t
hp_gate_failures(const struct hp_result *r, const struct hp_gate *g)
{
	if (g->of_finding)
		return g->tripped;
	return g->suspects ? hp_result_new_suspects(r) : g->nrows;
}

/*
 * Whether one of the owners in r->suspects (with one dump, the objects that
 * retain most) is a single object that retains at least a tenth of the
 * reachable heap.
 */
static inline bool
hp_suspect_stands_out(const struct hp_result *r)
{
	for (size_t i = 0; i < r->nsuspects; i++)
		if (r->suspects[i].holders[1] == 1 &&
		    r->suspects[i].retained[1].bytes >=
			    r->dumps[0].reachable.bytes / 10)
			return true;
	return false;
}

/*
 * Choose the columns of the rows by the options. Call it before the first row
 * is made. r->rows.retained decides about retained sizes.
 */
void hp_result_set_columns(struct hp_result *r,
			   const struct hp_diff_options *o);

/**
 * hp_result_finish() - compute totals and gates, and choose and sort the rows
 * to show
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_result_finish(struct hp_result *r,
					    const struct hp_diff_options *o,
					    size_t top, struct hp_error *err);

/*
 * Go on without retained sizes, which nobody asked for. @why: a sentence for
 * people that must live as long as the result. Rows keep their counts.
 */
void hp_result_drop_graph(struct hp_result *r, const char *why);

/* Whether the rows depend on references between objects. */
static inline bool
hp_result_uses_references(const struct hp_result *r)
{
	return r->rows.retained || hp_key_is(r->by, HP_KEY_NEEDS_REFERENCES);
}

/* Whether the table shows a column. */
static inline bool
hp_result_shows(const struct hp_result *r, enum hp_col c)
{
	return r->shows & 1u << c;
}

/*
 * Whether JSON has a column: all stored columns, and the derived columns that
 * are shown.
 */
static inline bool
hp_result_tells(const struct hp_result *r, enum hp_col c)
{
	return r->tells & 1u << c;
}

/* The value of a row in a dump. The value of a derived column is computed. */
static inline uint64_t
hp_result_value(const struct hp_result *r, const struct hp_row *row,
		enum hp_col c, size_t dump)
{
	return hp_row_value(row, c, dump, &r->basis);
}

/*
 * Whether a row has values in a column. The total has no values in some
 * columns.
 */
static inline bool
hp_result_has_value(const struct hp_row *row, enum hp_col c)
{
	return row->value[c] || hp_columns[c].derive;
}

/*
 * The first column of a list, which ends with HP_COLS, that the result has.
 * Returns HP_COLS if there is none.
 */
enum hp_col hp_result_first(const struct hp_result *r, const enum hp_col *list);

/* The growth of a value from the first dump to the last. */
static inline int64_t
hp_result_growth(const struct hp_result *r, const struct hp_row *row,
		 enum hp_col c)
{
	return hp_growth(hp_result_value(r, row, c, 0),
			 hp_result_value(r, row, c, r->ndumps - 1));
}

/* Whether a row is a path that only later dumps have, not the first. */
static inline bool
hp_result_is_new(const struct hp_result *r, const struct hp_row *row)
{
	bool any = false;

	/* rows with other keys may have no number of objects */
	if (!hp_key_is(r->by, HP_KEY_PATHS))
		return false;
	for (size_t i = 1; i < r->ndumps; i++)
		any |= row->count[i] > 0;
	return row->count[0] == 0 && any;
}

/*
 * Whether a gate may have passed only because it checks another column than the
 * user probably meant. Rows of owners and paths are small themselves, so a gate
 * on their own size passes however much they retain.
 */
static inline bool
hp_result_gate_is_blind(const struct hp_result *r, const struct hp_gate *g)
{
	return g->blind && !g->tripped && hp_key_is(r->by, HP_KEY_OF_GRAPH);
}

/* Whether each row has a stack of frames. */
static inline bool
hp_result_has_stacks(const struct hp_result *r)
{
	return hp_key_is(r->by, HP_KEY_STACKS);
}

/*
 * Whether at least one dump is a sample of the objects, so that its values are
 * estimates.
 */
bool hp_result_is_sampled(const struct hp_result *r);

/*
 * The margin of error of an estimated value of a row or of the total, at the
 * confidence of --confidence.
 */
double hp_result_margin(const struct hp_result *r, const struct hp_row *row,
			size_t dump, enum hp_col c);
/*
 * The margin of error of the growth; if there is only one dump, of the value.
 */
double hp_result_growth_margin(const struct hp_result *r,
			       const struct hp_row *row, enum hp_col c);

/* Whether objects have different sizes in two size models. */
bool hp_layouts_differ(const struct hp_size_model *a,
		       const struct hp_size_model *b);
/* Whether at least two dumps have different size models. */
bool hp_result_layouts_differ(const struct hp_result *r);

/* ----------------------------------------------------------------------
 * Add rollup rows, which sum other rows
 */

/**
 * hp_rollups_add() - add the rollup rows (sums of other rows), after all inputs
 * were read
 *
 * With --by=package, a row "com.acme.*" sums a package and all packages below
 * it, if there are several. With --by=cpu, a row for each method sums the
 * samples in the method itself and those in it or its callees (inclusive).
 * Returns: HP_OK; HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rollups_add(struct hp_rows *rows, enum hp_by by,
					  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Read a saved JSON result of one dump, which is compared in place of the
 * dump
 */

/**
 * hp_baseline_peek() - whether the input looks like JSON
 *
 * Consumes nothing of the source.
 * Returns: HP_OK, HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_baseline_peek(struct hp_source *src, bool *saved,
					    struct hp_error *err);

/*
 * Read the measured sizes of a saved result. Returns false if they are not
 * valid, or if out of memory. @root: a json_t of jansson.
 */
struct json_t;
HP_MUST_USE bool hp_listed_sizes_read(const struct json_t *root,
				      struct hp_arena *arena,
				      struct hp_listed_sizes *out);

/**
 * hp_baseline_load() - read a saved result into a column of the rows
 *
 * @records: receives the rows if they were made from ALLOC SITES records
 * @is_records: set to true if @records has received them
 *
 * Refuses results of another schema, --by key or normalisation, and results of
 * several dumps. Memory layouts are compared later, when all inputs are read.
 * Returns: HP_EXIT_OK; HP_EXIT_TROUBLE after printing a message.
 */
int hp_baseline_load(struct hp_result *r, struct hp_rows *records,
		     bool *is_records, const struct hp_diff_options *o,
		     size_t column, const char *path, struct hp_source *src,
		     const struct hp_messages *m);

/* ----------------------------------------------------------------------
 * The figures of the first screen. The text, the HTML page and its view model
 * show these figures and compute none themselves, so that the same question has
 * one answer everywhere.
 */

/*
 * A number of bytes in the first and in the last dump. If there is only one
 * dump, both are equal.
 */
struct hp_answer_sizes {
	uint64_t first, last;
	int64_t growth;
};

struct hp_answer {
	bool compared; /* there are several dumps to compare */
	/* the rows are objects (not events), so the sizes below are known */
	bool of_objects;
	/* the first and the last dump have an object graph */
	bool of_graph;
	struct hp_answer_sizes heap;
	/*
	 * The parts of the heap: reachable, reachable only through weak
	 * references, and unreachable. 0 if there is no graph.
	 */
	struct hp_answer_sizes kept, weak, garbage;
	/*
	 * the bytes of which suspects can explain the growth: kept alive by
	 * references, or by a finalizer that has not run yet
	 */
	struct hp_answer_sizes explained;
	/* time between the first and the last dump, in ms; 0: not known */
	uint64_t apart_ms;
	/*
	 * Why some figures are missing, as whole sentences; NULL: none is
	 * missing.
	 */
	const char *missing;
};

void hp_answer_find(struct hp_answer *a, const struct hp_result *r);

/*
 * The share of a suspect in millionths of a percent: of the growth of what is
 * kept alive or, with one dump, of what is kept alive. Returns false if it is
 * not known, because the suspect's growth is not known or nothing grew.
 */
bool hp_answer_share(const struct hp_answer *a, const struct hp_suspect *s,
		     uint64_t *share);

/* Append a duration in its largest unit: "3.6 s", "3 h", "2 days". */
void hp_answer_duration(struct hp_buf *b, uint64_t ms);

/* Append a share: "93 %", "0.4 %", "<0.1 %". */
void hp_answer_percent(struct hp_buf *b, uint64_t share);

#endif
