/*
 * root_kinds.h - kinds of roots: their words, and which one an object of
 * several is told by
 *
 * All that name roots take both from here: paths and suspects, owners, holders.
 */
#ifndef HP_GRAPH_ROOT_KINDS_H
#define HP_GRAPH_ROOT_KINDS_H

#include <stdint.h>

/* How a path begins, in the order in which beginnings are preferred. */
enum hp_path_kind {
	HP_PATH_SYSTEM_CLASS,
	HP_PATH_STATIC,
	HP_PATH_THREAD,
	HP_PATH_JNI_GLOBAL,
	HP_PATH_OTHER,
	/* these count for what none of the above keeps */
	HP_PATH_LOCAL,
	HP_PATH_JNI_LOCAL, /* of a thread that has no object, as the next */
	HP_PATH_STACK,
	HP_PATH_MONITOR,
	HP_PATH_LAUNCHER,  /* statics of the JDK's launcher */
	HP_PATH_CONSTANTS, /* what the VM resolved for a class's code */
	/* and these for what nothing else keeps */
	HP_PATH_INTERNED,
	HP_PATH_VM_INTERNAL,
	HP_PATH_FINALIZING,
	HP_PATH_DEBUGGER,
	HP_PATH_CLEANUP,
	HP_PATH_KINDS,
	HP_PATH_FIELD = HP_PATH_KINDS, /* no beginning: a step further */
};

/* How paths begin at a root; the tag is that of one, as below. */
enum hp_path_kind hp_root_kind(uint8_t tag);

/* "JNI global" and so on. */
const char *hp_root_words(uint8_t tag);

/*
 * Of the roots that name an object that of the least order counts: in the order
 * of their kinds, below 32.
 */
unsigned hp_root_order(uint8_t tag);

#endif
