/*
 * internal.h - functions that run a comparison, and print messages about its
 * inputs
 */
#ifndef HP_DIFF_INTERNAL_H
#define HP_DIFF_INTERNAL_H

#include "common/cli/message.h"
#include "common/io/source.h"
#include "diff/keys/keys.h"
#include "diff/keys/resolve.h"
#include "diff/leaks/leaks.h"
#include "diff/result/result.h"
#include "diff/waste/waste.h"

/* ----------------------------------------------------------------------
 * Read all inputs and fill in the result
 */

/**
 * hp_compare_run() - read all inputs, and add their data to the result
 *
 * @r: r->threads is the maximum number of threads; if there was too little
 *   memory, so that another run with one thread may succeed, r->refused is set
 * @m: prints warnings and errors
 *
 * Returns: HP_EXIT_OK or HP_EXIT_TROUBLE; the caller must release @r in both
 * cases.
 */
int hp_compare_run(struct hp_result *r, const struct hp_diff_options *o,
		   const struct hp_messages *m);

/**
 * hp_reference_rows_add() - make the rows of a --by key that needs another pass
 * over all references: holder, root or waste
 *
 * @c: the column of the dump; also receives the number and bytes of its objects
 * @src: the dump, which is read again from its beginning, so it must be
 *   rewindable
 * @graph: for --by=waste, the object graph with its references; NULL: none
 * @m: for --by=waste, prints which kinds of waste are left out
 * @path: the path of the dump
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_reference_rows_add(const struct hp_column *c, struct hp_source *src,
		      struct hp_retained *graph, struct hp_resolve_notes *notes,
		      const struct hp_messages *m, const char *path,
		      struct hp_error *err);

/**
 * hp_original_names() - with --mapping, replace obfuscated names of classes and
 * members by their original names
 *
 * Also prints how many classes of the dump are in the mapping.
 *
 * Returns: HP_OK, also without --mapping; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_original_names(struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     const struct hp_messages *m,
					     const char *path,
					     struct hp_error *err);

/**
 * hp_waste_find() - make the rows of --by=waste for the last dump, in r->waste
 *
 * @findings: also look for findings about waste
 *
 * If there is not enough memory, r->waste is empty.
 *
 * Returns: HP_OK; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_find(struct hp_result *r,
					 const struct hp_column *c,
					 struct hp_source *src, bool findings,
					 struct hp_error *err);

/* ----------------------------------------------------------------------
 * Warnings and errors about the inputs
 */

/*
 * Report that an input is damaged. Returns the exit status: damage is an error,
 * except with --partial.
 */
int hp_note_damage(const struct hp_messages *m, const char *path,
		   const struct hp_diff_options *o,
		   const struct hp_histogram *g);

/*
 * Report as an error that a file has no heap dump. The agent may have written
 * other data to the file; the message lists the --by keys that can show it.
 */
void hp_note_no_heap_dump(const struct hp_messages *m, const char *path,
			  const struct hp_histogram *g);

/* Warn if no Android heap of the dump matches the pattern of --heap. */
void hp_note_heap(const struct hp_messages *m, const char *path,
		  const struct hp_diff_options *o,
		  const struct hp_resolve_notes *n);

/*
 * Warn about objects whose class has no class dump. The fields of such objects
 * are unknown, and so are their references.
 */
void hp_note_undescribed(const struct hp_messages *m, const struct hp_result *r,
			 size_t column);

/*
 * Warn if no root refers to any object, so that all retained sizes are 0. This
 * would otherwise look like a valid result. Also warn if the only roots are
 * classes. Returns whether it has warned.
 */
bool hp_note_unrooted(const struct hp_messages *m, const char *path,
		      const struct hp_retained *t);

/* Warn about those kinds of waste that cannot be found in the dump. */
void hp_note_waste(const struct hp_messages *m, const char *path,
		   const struct hp_waste_notes *n);

/*
 * Warn about objects that a gate (--fail-if) on static fields does not count.
 * With --by=dominator, an object is in the row of a field only if no other
 * reference also keeps the object alive.
 */
void hp_note_unowned(const struct hp_messages *m, const char *path,
		     const struct hp_unowned *u);

/*
 * Warn if --layout=measured was given, but the sizes of objects could not be
 * measured.
 */
void hp_note_not_measured(const struct hp_messages *m, const char *path,
			  const struct hp_diff_options *o,
			  const struct hp_size_model *layout);

/*
 * Report as an error that the dumps and a saved result have different size
 * models (rules for the sizes of objects).
 *
 * @saved: the size model of the first saved result
 * @differ: the size model of another saved result differs from @saved
 */
void hp_note_saved_layout(const struct hp_messages *m,
			  const struct hp_size_model *saved, bool differ);

/* ----------------------------------------------------------------------
 * Suggest another pattern if a pattern matches no class with objects
 */

/*
 * Warn if a dump is older than the one before it on the command line: then
 * growth is reported as shrinking, and gates on growth pass.
 */
void hp_note_order(const struct hp_messages *m, const struct hp_result *r,
		   const struct hp_diff_options *o);

/*
 * Print a hint for each pattern of --why, --filter and --fail-if that matches
 * no class with objects. If another spelling of the pattern matches such a
 * class, the hint shows this spelling. If the pattern matches a class without
 * objects, the hint shows its subclasses that have objects.
 *
 * @c: the column of the last dump, with its rows in @r
 *
 * Time: for each pattern, linear in the number of classes
 *
 * Returns HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_note_patterns(const struct hp_result *r,
					    const struct hp_column *c,
					    const struct hp_messages *m,
					    const char *path,
					    struct hp_error *err);

/* ----------------------------------------------------------------------
 * Progress while the object graph is built
 */

/*
 * State for showing the phases of building an object graph in the progress
 * line.
 */
struct hp_graph_phases {
	/* the progress line; NULL: show nothing */
	struct hp_progress *progress;
	const char *path;
	struct hp_source *src;
	/*
	 * begun: when the current phase began; expected: its expected duration;
	 * both in nanoseconds
	 */
	uint64_t begun, expected;
};

/*
 * Show in the progress line the phases of building the object graph. Call this
 * function before hp_retained_read(), with the same @t. The progress line keeps
 * a pointer to @p, so the caller must make it show something else before @p is
 * freed.
 */
void hp_graph_phases_begin(struct hp_graph_phases *p,
			   struct hp_progress *progress, const char *path,
			   struct hp_source *src, struct hp_retained *t);

#endif
