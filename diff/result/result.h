/* result.h - the result of a comparison, from which reports are written */
#ifndef HP_DIFF_RESULT_H
#define HP_DIFF_RESULT_H

#include "common/cli/quantity.h"
#include "common/graph/graph.h"
#include "common/io/source.h"
#include "common/model/undescribed.h"
#include "diff/count/listed_sizes.h"
#include "diff/estimate/estimate.h"
#include "diff/tables/columns.h"
#include "diff/result/gate.h"
#include "diff/result/known.h"
#include "diff/leaks/why_tree.h"
#include "diff/objects/object_facts.h"
#include "diff/options.h"
#include "diff/result/rows.h"
#include "diff/result/sampling.h"
#include "diff/result/suspect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * The result of a comparison as plain values, from which all output formats are
 * written
 */

struct hp_dump_info {
	/* the path of the dump on the command line; borrowed */
	const char *path;
	/*
	 * the name of the dialect (variant of HPROF) of the dump, for example
	 * "hotspot"
	 */
	const char *dialect;
	/*
	 * number and bytes of the objects in the Android heaps that --heap
	 * selects
	 */
	uint64_t objects, bytes;
	/* number and bytes of the objects in all Android heaps */
	uint64_t all_objects, all_bytes;
	/*
	 * If requested: bytes of native memory (outside the heap) that the
	 * objects in all Android heaps own. For --by keys that need the object
	 * graph, only reachable objects count.
	 */
	uint64_t all_native;
	/*
	 * bytes of native memory (outside the heap) that all reachable objects
	 * own; 0 if there is no search for suspects
	 */
	uint64_t reachable_native;
	/*
	 * the time when the dump was taken, in milliseconds since 1970; 0: not
	 * known
	 */
	uint64_t timestamp_ms;
	/* size of the file on disk in bytes; 0: it is not a regular file */
	uint64_t file_bytes;
	/*
	 * the labels of the dump, for example "host=web-7", from --label or
	 * from a saved result
	 */
	const struct hp_label *labels;
	size_t nlabels;
	bool partial;
	/*
	 * the dump has no roots, as if it was cut before them, so that most
	 * objects seem to be unreachable
	 */
	bool unrooted;
	/* this input is a saved result, so it has no object graph */
	bool saved;
	/*
	 * number of objects whose fields are unknown because their class has no
	 * class dump
	 */
	struct hp_undescribed undescribed;
	/* the input is a file in the text format of the HPROF agent */
	bool text;
	/*
	 * if the agent sampled objects: the average number of bytes between two
	 * samples; 0: all objects were counted
	 */
	uint64_t sample;
	struct hp_size_model layout;
	/*
	 * measured: number of objects whose size was computed from the
	 * distances between addresses. measured_of: number of all objects.
	 */
	uint64_t measured, measured_of;
	/* measured sizes by class; a saved result of this dump contains them */
	struct hp_listed_sizes sizes;
	/*
	 * If retained sizes were computed: the sums of the reachable objects,
	 * of those reachable only through weak references, of those that only
	 * hidden fields keep alive (see hidden_fields.h), and of all others.
	 */
	struct hp_graph_sum reachable, weak, hidden, unreachable;
	/*
	 * number and bytes of the objects that only a finalizer keeps alive;
	 * they are included in `weak`
	 */
	struct hp_graph_sum waiting;
	/*
	 * With --by=path, for a saved result: the maximum number and bytes of
	 * objects of a path that has no row in the saved result.
	 */
	struct hp_graph_sum untold;
	/*
	 * a hash that identifies the dump; only set with --format=rows and
	 * --format=tsv, which show each dump separately
	 */
	struct hp_dump_id id;
	/*
	 * number of the dump in a file with several dumps, see
	 * hp_flat_dump_number()
	 */
	unsigned number;
	/*
	 * how the file is compressed, as text; NULL: not known, because the
	 * input is a saved result or could not be opened
	 */
	const char *compression;
	uint32_t id_size; /* size of an id in bytes; 0: not known */
	bool damaged;
};

/*
 * The version of the format of JSON results. It increases when a member gets
 * another meaning.
 */
enum { HP_RESULT_SCHEMA = 2 };

/*
 * A box of the picture of the dominator tree, see leaks/dominator_view.c. A box
 * contains the objects of one name. Each array has two values: [0] for the
 * first dump, [1] for the last. With one dump, the values [0] are 0.
 */
struct hp_box {
	/*
	 * the name of the box, usually a class, with control characters
	 * escaped; "" for the root
	 */
	const char *name;
	/* class of the largest object in the box; usually equal to `name` */
	const char *class;
	/*
	 * if the box has a single object in the last dump, and this object is a
	 * container or a class loader: its description, for example "list of
	 * 1,500 CartItem"; otherwise NULL
	 */
	const char *label;
	/*
	 * index of the box around this one; that box comes earlier in the list;
	 * 0 for the root
	 */
	uint32_t parent;
	/*
	 * the suspects whose object is in this box or in a box inside it, one
	 * bit for each; such boxes are kept even if they are small
	 */
	uint32_t suspects;
	uint32_t members[2];
	struct hp_graph_sum retained[2];
};

/*
 * For the HTML report: the paths that it shows when a row is opened;
 * leaks/row_paths.c finds these paths.
 */
struct hp_paths {
	/*
	 * the steps of all paths, as a tree, because several paths may begin
	 * with the same steps; a parent comes before its children
	 */
	struct hp_path_words {
		/*
		 * the text that this step appends to the text of its parent,
		 * for example ".next"
		 */
		const char *text;
		/* description of the object at the end of the path, or NULL */
		const char *label;
		/*
		 * index of the previous step of the path, from 1; 0: this is
		 * the first step
		 */
		uint32_t parent;
	} * steps;
	size_t nsteps;
	/*
	 * A path to objects of one row. The list is sorted by the importance of
	 * the row; the paths of one row are sorted by how much they changed.
	 */
	struct hp_row_path {
		const struct hp_row *row;
		/*
		 * index of the last step of the path, from 1; 0: this entry is
		 * the sum of all other paths of the row
		 */
		uint32_t step;
		/*
		 * number and bytes of the row's objects on this path, in the
		 * first and in the last dump
		 */
		uint64_t objects[2], bytes[2];
	} * list;
	size_t count;
};

/* A summary of the paths that --ignore-path and the built-in list hide. */
struct hp_ignored {
	/*
	 * with --by=path: the paths were compared with --ignore-path and the
	 * built-in list
	 */
	bool applied;
	size_t paths;
	/*
	 * grew: number of ignored paths that grew from the first to the last
	 * dump. shrank: number of ignored paths that became smaller. The bytes
	 * are compared. If they are equal, the numbers of objects are compared.
	 */
	size_t grew, shrank;
	/*
	 * gained: the growth of all ignored paths that grew, in objects and in
	 * bytes. lost: by how much all ignored paths that shrank became
	 * smaller.
	 */
	struct hp_graph_sum gained, lost;
	/*
	 * number of ignored paths that changed between the dumps, but are equal
	 * in the first and the last dump
	 */
	size_t changed;
	/* a row with the sums of all ignored paths for each dump */
	struct hp_row *sum;
};

/*
 * The thread on which the JVM threw the OutOfMemoryError in the last dump. All
 * texts are escaped.
 */
enum { HP_FAILED_FRAMES = 8 };
struct hp_failed_thread {
	bool found;
	uint64_t id;	  /* id of the thread's java.lang.Thread object */
	const char *name; /* name of the thread; NULL: not known */
	/*
	 * the methods on the stack of this thread, the innermost first, without
	 * the constructors of the error
	 */
	const char *frames[HP_FAILED_FRAMES];
	size_t nframes;
	/* number of further methods on the stack, which are not in `frames` */
	uint32_t more_frames;
	/* number and bytes of the objects that only this thread keeps alive */
	struct hp_graph_sum retained;
};

/*
 * With --stacks: all local variables of a stack frame that refer to objects of
 * one class; or all values of one class that threads have for a ThreadLocal.
 */
struct hp_thread_local {
	const char *class;
	/*
	 * for values of a ThreadLocal: the static field that refers to the
	 * ThreadLocal, such as "Cache.BUFFER"; NULL: there is none, or the
	 * entry is about local variables
	 */
	const char *field;
	uint64_t count;
	/*
	 * number and bytes of all objects that the variables or values of this
	 * entry retain
	 */
	struct hp_graph_sum retained;
	/*
	 * for local variables: 1 + the index of the first suspect that they
	 * alone keep alive; 0: there is none
	 */
	size_t suspect;
};

struct hp_thread_frame {
	/*
	 * the text of the stack frame; NULL: the entry is for local variables
	 * whose frame is not known
	 */
	const char *text;
	/*
	 * the local variables of the frame: first those that keep a suspect
	 * alive, then the others; the largest first in each part
	 */
	struct hp_thread_local *locals;
	size_t nlocals;
};

/*
 * All threads of one row of --by=thread that have equal stacks. Texts are
 * escaped.
 */
struct hp_thread_stack {
	const char *row;
	uint64_t threads;
	bool failed; /* a thread with this stack ran out of memory */
	struct hp_graph_sum retained;
	/*
	 * the stack frames, the innermost first; after them there may be an
	 * entry for local variables whose frame is not known
	 */
	struct hp_thread_frame *frames;
	size_t nframes;
	/* the values that the threads have for ThreadLocals, largest first */
	struct hp_thread_local *values;
	size_t nvalues;
};

struct hp_result {
	/*
	 * for the finding duplicate-classes: the class loaders that have
	 * defined the most duplicate classes; more_loaders is the number of
	 * further loaders with such classes
	 */
	struct hp_kept_loader loaders[HP_KEPT_LOADERS];
	size_t nloaders;
	uint64_t more_loaders;
	/* with --stacks: the stacks of all threads of the last dump */
	struct hp_thread_stack *stacks;
	size_t nstacks;
	/*
	 * the thread on which the JVM threw an OutOfMemoryError before it wrote
	 * the last dump
	 */
	struct hp_failed_thread failed;
	/* the findings (unusual facts) of the last dump */
	struct hp_unusual_fact findings[HP_UNUSUALS];
	/*
	 * for each finding: the entry of the --known file for it; NULL: there
	 * is none
	 */
	struct hp_known_leak *known_findings[HP_UNUSUALS];
	enum hp_by by;
	/*
	 * the columns of the --by key that have no values in any input, one bit
	 * for each
	 */
	unsigned absent;
	/*
	 * Sets of columns, one bit for each, set by hp_result_finish().
	 * columns: all columns of the result. shows: the columns of the table.
	 * tells: the columns of JSON.
	 */
	unsigned columns, shows, tells;
	/*
	 * the margin of error to each side of an estimate, as a number of
	 * standard deviations (--confidence)
	 */
	double deviations;
	/* the options of the command line */
	const struct hp_diff_options *options;
	/* the command line as text; borrowed; NULL: not known */
	const char *command;
	struct hp_dump_info *dumps;
	size_t ndumps;
	struct hp_rows rows; /* all rows, shown or not */
	/* with --heap: the rows of the selected Android heaps */
	struct hp_rows in_heap;
	/* the report shows the rows of the member in_heap instead of `rows` */
	bool heap_shown;
	/*
	 * at least one input is a saved result that has only the rows of some
	 * Android heaps
	 */
	bool heap_only;
	/* the rows to show, in the order of the report */
	struct hp_row **shown;
	/*
	 * nshown: number of rows to show. ncut: number of rows that --top
	 * hides.
	 */
	size_t nshown, ncut;
	/*
	 * The sum of all rows, as a row. Its retained size is the size of all
	 * reachable objects. Where the values of a column cannot be added up,
	 * the pointer to them is NULL.
	 */
	struct hp_row *total;
	/* values for computing columns that are not stored, such as percent */
	struct hp_basis basis;
	/* for each dump: the value that counts as 100 %, for percentages */
	uint64_t *whole;
	/*
	 * the variances of the total: first the variance of the number of
	 * objects in each dump, then the variance of the bytes in each dump
	 */
	double *variance;
	/* the file of --known; NULL: not given */
	struct hp_known *known;
	/* the leak suspects; the one with the largest growth comes first */
	struct hp_suspect suspects[HP_SUSPECTS_MOST];
	size_t nsuspects;
	/*
	 * the objects that are examples of the elements of suspects, without
	 * duplicates (--examples)
	 */
	struct hp_object_facts *examples;
	size_t nexamples;
	/*
	 * there was a search for suspects; saved results have none, because
	 * they have no object graph
	 */
	bool suspects_sought;
	/*
	 * reachable_growth: growth of the reachable heap in bytes.
	 * explained_growth: the part of this growth that the suspects explain.
	 */
	int64_t reachable_growth, explained_growth;
	size_t top; /* maximum number of rows to show; 0: all */
	/* the tree of --why; without --why, its member `count` is 0 */
	struct hp_why why;
	/*
	 * the description of the object of --object; NULL: no dump has it, or
	 * --object was not given
	 */
	struct hp_object_facts *object;
	/* the result of --estimate; NULL: --estimate was not given */
	struct hp_estimates *estimates;
	/* at least one input has the object whose id --why gives */
	bool why_known;
	/*
	 * the boxes of the dominator tree's picture in the HTML report; empty
	 * without retained sizes
	 */
	struct hp_box *boxes;
	size_t nboxes;
	/*
	 * For the HTML report: bytes of each class in the first and in the last
	 * dump. The bytes of an array are added to the class of the object that
	 * owns the array.
	 */
	struct hp_rows owners;
	/* for the HTML report, if it shows details: the rows of --by=holder */
	struct hp_rows holders;
	/* for the HTML report: a row for each class and its class loader */
	struct hp_rows class_loaders;
	/* for the HTML report: the rows of --by=site */
	struct hp_rows class_sites;
	/*
	 * for the HTML report: the rows of --by=waste, which have values of the
	 * last dump only
	 */
	struct hp_rows waste;
	/*
	 * two findings are missing, because the search for waste did not fit in
	 * --memory
	 */
	bool waste_refused;
	struct hp_paths paths;
	struct hp_ignored ignored;
	struct hp_gate *gates;
	size_t ngates;
	/*
	 * with --by=site: the source of the rows: "objects" (their allocation
	 * traces) or "records" (ALLOC SITES records); NULL: not decided yet
	 */
	const char *sites;
	bool matched; /* at least one row matches --filter */
	/*
	 * At least one row has different numbers of objects or bytes in the
	 * dumps, even if the row is not shown. Also true if several dumps are
	 * compared and there is a suspect.
	 */
	bool changed;
	/*
	 * as `changed`, but retained sizes and suspects do not count; for
	 * --exit-code
	 */
	bool counts_changed;
	/*
	 * retained sizes are computed only because the output is for people; no
	 * option and no gate needs them
	 */
	bool graph_unasked;
	/*
	 * if retained sizes were wanted but are missing: the reason, as a
	 * sentence; otherwise NULL
	 */
	const char *no_graph;
	/* the warning that a gate does not count some objects was printed */
	bool unowned_told;
	/* the memory of the texts that belong to the result */
	struct hp_arena arena;
	/* maximum number of threads, which --memory may have lowered */
	unsigned threads;
	/* the run failed because a limit, such as --memory, was exceeded */
	bool refused;
	/*
	 * HP_SANDBOX_ bits of the sandbox features that this system does not
	 * have, see hp_confine()
	 */
	unsigned sandbox_missing;
};

/*
 * Sentences that explain why there is no object graph: it does not fit in
 * memory, or its files do not fit on the disk.
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

/*
 * Returns the number of new suspects. A suspect is new if it is not in the file
 * of --known.
 */
size_t hp_result_new_suspects(const struct hp_result *r);
/*
 * Returns new suspect number @k, from 0, see hp_result_new_suspects(). NULL if
 * there are fewer.
 */
const struct hp_suspect *hp_result_new_suspect(const struct hp_result *r,
					       size_t k);

/* Returns on how many rows, suspects or findings a gate failed. */
static inline size_t
hp_gate_failures(const struct hp_result *r, const struct hp_gate *g)
{
	if (g->of == HP_GATE_FINDING)
		return g->tripped;
	return g->of == HP_GATE_SUSPECTS ? hp_result_new_suspects(r) : g->nrows;
}

/*
 * Returns how many bytes are freed when a suspect is freed, in the heap and
 * outside of it. @i: 0 for the first dump, 1 for the last.
 */
static inline uint64_t
hp_suspect_bytes(const struct hp_suspect *s, unsigned i)
{
	return s->retained[i].bytes + s->native[i];
}

/*
 * Whether texts about a suspect show the bytes outside the heap that it
 * retains: only if they are at least one hundredth of its size.
 */
static inline bool
hp_suspect_has_native(const struct hp_suspect *s)
{
	return s->native[1] > 0 && s->native[1] >= hp_suspect_bytes(s, 1) / 100;
}

/*
 * Whether one of the suspects is a single object that retains at least a tenth
 * of the reachable heap. With one dump, the suspects are the objects that
 * retain most.
 */
static inline bool
hp_suspect_stands_out(const struct hp_result *r)
{
	for (size_t i = 0; i < r->nsuspects; i++)
		if (r->suspects[i].holders[1] == 1 &&
		    hp_suspect_bytes(&r->suspects[i], 1) >=
			    r->dumps[0].reachable.bytes / 10)
			return true;
	return false;
}

/*
 * Choose the columns that the rows have, according to the options. Call this
 * before the first row is made. If r->rows.retained is true, there are columns
 * for retained sizes.
 */
void hp_result_set_columns(struct hp_result *r,
			   const struct hp_diff_options *o);

/**
 * hp_result_finish() - complete the result: compute totals, check gates, and
 * choose and sort the rows to show
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_result_finish(struct hp_result *r,
					    const struct hp_diff_options *o,
					    size_t top, struct hp_error *err);

/*
 * Continue without retained sizes, if no option asks for them. @why: the
 * reason, as a sentence for people; it must live as long as the result. The
 * other columns of the rows do not change.
 */
void hp_result_drop_graph(struct hp_result *r, const char *why);

/* Whether making the rows needs the references between objects. */
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

/*
 * Returns the value of a row in a column, for one dump. The values of derived
 * columns, such as percent, are computed.
 */
static inline uint64_t
hp_result_value(const struct hp_result *r, const struct hp_row *row,
		enum hp_col c, size_t dump)
{
	return hp_row_value(row, c, dump, &r->basis);
}

/* Whether a row has a value in a column. The total has none in some columns. */
static inline bool
hp_result_has_value(const struct hp_row *row, enum hp_col c)
{
	return row->value[c] || hp_columns[c].derive;
}

/*
 * Whether a table for people shows the value of a row in a column. If an object
 * can count in several rows, there is no total of objects and bytes, but one of
 * the column of the key, such as the number of references.
 */
static inline bool
hp_result_shows_value(const struct hp_result *r, const struct hp_row *row,
		      enum hp_col c)
{
	return hp_result_has_value(row, c) &&
	       (row != r->total || !hp_key_is(r->by, HP_KEY_OVERLAPS) ||
		hp_column_is(c, HP_COLUMN_IS_OF_KEY));
}

/* Returns the growth of a value from the first dump to the last. */
static inline int64_t
hp_result_growth(const struct hp_result *r, const struct hp_row *row,
		 enum hp_col c)
{
	return hp_growth(hp_result_value(r, row, c, 0),
			 hp_result_value(r, row, c, r->ndumps - 1));
}

/* Whether a row is a path that does not exist in the first dump. */
static inline bool
hp_result_is_new(const struct hp_result *r, const struct hp_row *row)
{
	bool any = false;

	/* with other --by keys, rows need not have a number of objects */
	if (!hp_key_is(r->by, HP_KEY_PATHS))
		return false;
	for (size_t i = 1; i < r->ndumps; i++)
		any |= row->count[i] > 0;
	return row->count[0] == 0 && any;
}

/*
 * Whether a gate may have passed only because it checks a shallow size,
 * although the user probably meant the retained size. The shallow sizes of
 * owners and paths are small, even if they retain very much.
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
 * Returns the margin of error of an estimated value of a row, or of the total,
 * for the confidence level of --confidence.
 */
double hp_result_margin(const struct hp_result *r, const struct hp_row *row,
			size_t dump, enum hp_col c);
/*
 * Returns the margin of error of a row's growth or, with one dump, of its
 * value.
 */
double hp_result_growth_margin(const struct hp_result *r,
			       const struct hp_row *row, enum hp_col c);

/*
 * Whether two size models (rules for the sizes of objects) differ in the size
 * of at least one object.
 */
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
 * With --by=package, a row "com.acme.*" is the sum of a package and all
 * packages below it, if there are several such packages. With --by=cpu, there
 * is a row for each method. One column contains the samples in the method
 * itself. Another column (inclusive) also contains the samples in methods that
 * it called.
 *
 * Returns: HP_OK; HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rollups_add(struct hp_rows *rows, enum hp_by by,
					  struct hp_error *err);

#endif
