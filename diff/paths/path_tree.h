/*
 * path_tree.h - paths from the roots by names: a tree that dumps share
 *
 * A step is all objects that are reached by the same names: where the path
 * begins (a static field, a thread ...), then fields and classes. Steps of two
 * dumps that have the same names are the same, which tells what grew.
 */
#ifndef HP_DIFF_PATHS_PATH_TREE_H
#define HP_DIFF_PATHS_PATH_TREE_H

#include "common/base/buf.h"
#include "common/graph/root_kinds.h"
#include "common/ids/id_map.h"
#include "diff/rows.h"

/* What is deeper belongs to the last step. */
enum { HP_PATH_DEPTH = 64 };

/* Words of a path's text: an array's elements; what keeps a class, before its
 * name. */
#define HP_PATH_ELEMENTS "[*]"
#define HP_PATH_SYSTEM "system"
#define HP_PATH_LOADED "loaded"
/* The class that HotSpot's launcher keeps the main class with. */
#define HP_PATH_LAUNCHER_CLASS "sun.launcher.LauncherHelper"

struct hp_path_step {
	uint32_t parent;     /* 0: the path begins here */
	uint32_t via;	     /* row of names: "Leak.X (static)", ".f", "[*]" */
	uint32_t class_name; /* row of names: of the objects */
	uint32_t told;	     /* the first step with the same text; itself */
	uint8_t kind;	     /* enum hp_path_kind */
	uint8_t depth;	     /* from 1 */
};

/* Of the objects at a step. */
struct hp_path_sum {
	uint64_t count, bytes;
	/*
	 * What would be freed with them and those of all steps that are told
	 * alike, which are one row: the first of these has it.
	 */
	uint64_t retained_count, retained_bytes;
};

struct hp_path_tree {
	struct hp_path_step *list; /* from 1; parents first */
	uint32_t count;		   /* with 0 */
	size_t cap;
	struct hp_rows names;
	struct hp_id_map pairs; /* via and class: a number for both */
	struct hp_id_map steps; /* parent and pair: the step */
	/* the same of what is told without what keeps a class, see told_as() */
	struct hp_id_map told;
	/* step of a static field: row of the class of its class's loader */
	struct hp_id_map loaders;
	/* by dump, then by step: only those that there were then */
	struct hp_path_sum **sums;
	uint32_t *counts;
	size_t dumps;
	struct hp_budget *budget;
	uint64_t noted;
};

/* HP_OK; HP_NOMEM. hp_path_tree_release() in any case. */
HP_MUST_USE enum hp_status hp_path_tree_init(struct hp_path_tree *t,
					     size_t dumps,
					     struct hp_budget *budget,
					     struct hp_error *err);
void hp_path_tree_release(struct hp_path_tree *t);

/*
 * The step of these names below @parent, which may be new; below the deepest
 * it is the parent itself. 0: out of memory.
 */
uint32_t hp_path_step_get(struct hp_path_tree *t, uint32_t parent,
			  enum hp_path_kind kind, uint32_t via,
			  uint32_t class_name);

/*
 * The order of paths, which depends on names alone: by how they begin, then
 * step by step; a path comes before those that go on from it.
 */
int hp_path_compare(const struct hp_path_tree *t, uint32_t a, uint32_t b);

/* The order of beginnings, or of steps below the same one. */
int hp_path_compare_steps(const struct hp_path_tree *t,
			  const struct hp_path_step *x,
			  const struct hp_path_step *y);

/*
 * Append "Leak.SESSIONS (static) → java.util.HashMap[*] → Leak$Session". A
 * path is told from the nearest static field on: how that one's class is kept
 * (by its loader, which something keeps) is left out.
 */
void hp_path_text(const struct hp_path_tree *t, uint32_t step,
		  struct hp_buf *b);

/* The same from the root on. */
void hp_path_text_from_root(const struct hp_path_tree *t, uint32_t step,
			    struct hp_buf *b);

/* Append what a step adds to its parent's text. */
void hp_path_step_text(const struct hp_path_tree *t, uint32_t step,
		       struct hp_buf *b);

/*
 * The class of the loader that loaded the class whose static field a path is
 * told from; NULL: it is the boot loader, or there is no such field.
 */
const char *hp_path_loader(const struct hp_path_tree *t, uint32_t step);

/* What the objects at @step are in a dump. */
struct hp_path_sum hp_path_sum_of(const struct hp_path_tree *t, size_t dump,
				  uint32_t step);

/* Is there room for all of it now, and for one path more? HP_OK; HP_LIMIT. */
HP_MUST_USE enum hp_status hp_path_tree_fit(struct hp_path_tree *t,
					    struct hp_error *err);

#endif
