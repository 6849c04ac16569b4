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

/* Does the text of a path match the list? */
bool hp_ignored_path_is_listed(const char *text, size_t len);

/* Append the list, a pattern a line. */
void hp_ignored_paths_text(struct hp_buf *b);

/*
 * How much a path of the list may grow and stay hidden, with all that is below
 * it: 1 % of the reachable objects; 1 % of the reachable bytes, but at most
 * 1 MB. @reachable: of the first dump.
 */
struct hp_graph_sum hp_ignored_most(struct hp_graph_sum reachable);

/* Who defined a class. */
enum hp_class_origin {
	HP_CLASS_OF_UNKNOWN,
	HP_CLASS_OF_JDK, /* the boot or the platform loader */
	HP_CLASS_OF_APPLICATION
};

/**
 * hp_class_origins_note() - note who defined the classes of a dump's objects
 * @class_rows: by kind: the row of its name
 * @names:      gets hp_row.origin; a name that the application and the JDK both
 *              define is the application's
 *
 * Nothing is noted of a dump in which no class has a loader.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_class_origins_note(const struct hp_graph *g,
						 const uint32_t *class_rows,
						 struct hp_rows *names,
						 struct hp_error *err);

/*
 * The origin of a class that only its name is known of: by its package. @name:
 * as rows have it, also "class java.lang.String" and "int[]".
 */
enum hp_class_origin hp_class_origin_by_name(const char *name);

#endif
