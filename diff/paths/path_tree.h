/*
 * path_tree.h - a trie of paths from the roots, by name, which all dumps share
 *
 * A step represents all objects that are reached by the same names: a starting
 * point such as a static field or a thread, then fields and classes. Steps of
 * two dumps with equal names are the same step, so the difference of their sums
 * is growth.
 */
#ifndef HP_DIFF_PATHS_PATH_TREE_H
#define HP_DIFF_PATHS_PATH_TREE_H

#include "common/base/buf.h"
#include "common/graph/root_kinds.h"
#include "common/ids/id_map.h"
#include "diff/rows.h"

/*
 * Steps have smaller numbers than this. So many of them would take over 100 GB
 * of memory. It is a power of two: path_walk.c uses the bit as a flag.
 */
#define HP_PATH_STEPS_MAX (UINT32_C(1) << 30)

/*
 * The maximum depth of a step. Deeper objects belong to the step at this depth.
 */
enum { HP_PATH_DEPTH = 64 };

/*
 * Words in the text of a path: the label of array elements, and two words
 * before the name of a class that cannot be unloaded.
 */
#define HP_PATH_ELEMENTS "[*]"
#define HP_PATH_SYSTEM "system"
#define HP_PATH_LOADED "loaded"
/* The class in which the launcher of HotSpot stores the main class. */
#define HP_PATH_LAUNCHER_CLASS "sun.launcher.LauncherHelper"

struct hp_path_step {
	uint32_t parent; /* step; 0: the path starts here */
	uint32_t via; /* row of the label: "Leak.X (static)", ".f" or "[*]" */
	uint32_t class_name; /* row of the class name of the objects */
	/* the first step that has the same hp_path_text(), maybe itself */
	uint32_t told;
	uint8_t kind;  /* enum hp_path_kind: how the step is reached */
	uint8_t depth; /* a step without a parent has depth 1 */
};

/* Sums of the objects at a step. */
struct hp_path_sum {
	uint64_t count, bytes;
	/*
	 * retained by the objects of all steps with the same text, which share
	 * one row; set only in the first of these steps, see told
	 */
	uint64_t retained_count, retained_bytes;
};

struct hp_path_tree {
	/* numbered from 1; parents come before children */
	struct hp_path_step *list;
	uint32_t count; /* number of entries with the unused entry 0 */
	size_t cap;
	struct hp_rows names;
	/* key: via and class_name; value: a number for the pair */
	struct hp_id_map pairs;
	/* key: parent and number of the pair; value: step */
	struct hp_id_map steps;
	/*
	 * key: told of the parent (0 for a static field) and number of the
	 * pair; value: the first step with that text, see told_as()
	 */
	struct hp_id_map told;
	/*
	 * key: step of a static field; value: row of the class name of the
	 * loader
	 */
	struct hp_id_map loaders;
	/* sums[dump][step], for steps below counts[dump]; later steps are 0 */
	struct hp_path_sum **sums;
	uint32_t *counts;
	size_t dumps;
	struct hp_budget *budget;
	uint64_t noted;
};

/*
 * Initialize a path tree for @dumps dumps. Returns HP_OK or HP_NOMEM. Call
 * hp_path_tree_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_path_tree_init(struct hp_path_tree *t,
					     size_t dumps,
					     struct hp_budget *budget,
					     struct hp_error *err);
void hp_path_tree_release(struct hp_path_tree *t);

/*
 * Find or create the step with these names below @parent. At the maximum depth
 * it returns @parent itself. Returns 0 if out of memory.
 */
uint32_t hp_path_step_get(struct hp_path_tree *t, uint32_t parent,
			  enum hp_path_kind kind, uint32_t via,
			  uint32_t class_name);

/*
 * Compare paths for sorting, by names only: by kind and name of the starting
 * point, then step by step. A path comes before its continuations.
 */
int hp_path_compare(const struct hp_path_tree *t, uint32_t a, uint32_t b);

/* Compare two starting points, or two steps with the same parent. */
int hp_path_compare_steps(const struct hp_path_tree *t,
			  const struct hp_path_step *x,
			  const struct hp_path_step *y);

/*
 * Append the text of a path, for example "Leak.SESSIONS (static) →
 * java.util.HashMap[*] → Leak$Session". The text starts at the nearest static
 * field. It leaves out what keeps the class of that field alive (its class
 * loader and the holder of the loader).
 */
void hp_path_text(const struct hp_path_tree *t, uint32_t step,
		  struct hp_buf *b);

/* Append the text of a path from the root, with what keeps classes alive. */
void hp_path_text_from_root(const struct hp_path_tree *t, uint32_t step,
			    struct hp_buf *b);

/* Append the text that a step adds to the text of its parent. */
void hp_path_step_text(const struct hp_path_tree *t, uint32_t step,
		       struct hp_buf *b);

/*
 * The class of the loader of the class whose static field starts the text of a
 * path. Returns NULL if it is the boot loader, or if there is no such field.
 */
const char *hp_path_loader(const struct hp_path_tree *t, uint32_t step);

/* The sums of the objects at @step in a dump. */
struct hp_path_sum hp_path_sum_of(const struct hp_path_tree *t, size_t dump,
				  uint32_t step);

/*
 * Charge the memory of the tree, and of one more path, to the memory budget.
 * Returns HP_OK or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_path_tree_fit(struct hp_path_tree *t,
					    struct hp_error *err);

#endif
