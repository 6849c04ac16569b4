/*
 * ignored_paths.h - the built-in list of paths that may grow in healthy
 * programs
 *
 * The list hides what the JDK and the VM cache for themselves. It never hides a
 * leak of the application: path_rows.c shows a path of the list if it leads to
 * an object of the application, or if it grew by more than
 * hp_ignored_most().
 */
#ifndef HP_DIFF_PATHS_IGNORED_PATHS_H
#define HP_DIFF_PATHS_IGNORED_PATHS_H

#include "common/base/buf.h"
#include "common/graph/graph.h"
#include "common/model/classes.h"
#include "diff/rows.h"

/* Whether the text of a path matches the built-in list. */
bool hp_ignored_path_is_listed(const char *text, size_t len);

/* Append the built-in list to @b, one pattern on each line. */
void hp_ignored_paths_text(struct hp_buf *b);

/*
 * How much a path of the list, with everything below it, may grow and stay
 * hidden. The limits are 1 % of the reachable objects and 1 % of the reachable
 * bytes, but at most 1 MB. @reachable: the sums of the first dump.
 */
struct hp_graph_sum hp_ignored_most(struct hp_graph_sum reachable);

/* Which class loader defined a class. */
enum hp_class_origin {
	HP_CLASS_OF_UNKNOWN,
	HP_CLASS_OF_JDK, /* the boot or the platform class loader */
	HP_CLASS_OF_APPLICATION
};

/**
 * hp_class_origins_note() - record which loader defined the classes of a dump's
 * objects
 * @class_rows: by kind: the row of its class name
 * @names: receives hp_row.origin; if both the application and the JDK define a
 *   class of that name, the origin is the application
 *
 * Records nothing if no class of the dump has a loader, because the dump then
 * lacks this information.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_class_origins_note(const struct hp_graph *g,
						 const uint32_t *class_rows,
						 struct hp_rows *names,
						 struct hp_error *err);

/*
 * Guess the origin of a class from its package, if only the name is known.
 * @name is spelled as in rows, for example "class java.lang.String" or "int[]".
 */
enum hp_class_origin hp_class_origin_by_name(const char *name);

#endif
