/*
 * root_kinds.h - kinds of roots: their names and their order
 *
 * If several roots refer to an object, the order decides which one is shown.
 * Paths, suspects, owners and holders all use this table.
 */
#ifndef HP_GRAPH_ROOT_KINDS_H
#define HP_GRAPH_ROOT_KINDS_H

#include <stdint.h>

/* How a path from a root begins. Earlier kinds are preferred. */
enum hp_path_kind {
	HP_PATH_SYSTEM_CLASS,
	HP_PATH_STATIC,
	HP_PATH_THREAD,
	HP_PATH_JNI_GLOBAL,
	HP_PATH_OTHER,
	/* the next kinds are used only if no kind above reaches the object */
	HP_PATH_LOCAL,
	/* this and the next kind: the thread has no object in the dump */
	HP_PATH_JNI_LOCAL,
	HP_PATH_STACK,
	HP_PATH_MONITOR,
	HP_PATH_LAUNCHER, /* static fields of the JDK's launcher */
	/* constants that the VM resolved for the code of a class */
	HP_PATH_CONSTANTS,
	/* the next kinds are used only if no other kind reaches the object */
	HP_PATH_INTERNED,
	HP_PATH_VM_INTERNAL,
	HP_PATH_FINALIZING,
	HP_PATH_DEBUGGER,
	HP_PATH_CLEANUP,
	HP_PATH_KINDS,
	/* not a beginning: a further step of a path */
	HP_PATH_FIELD = HP_PATH_KINDS,
};

/*
 * The kind of a path that begins at a root with this tag. An unknown tag counts
 * like the last one of the table.
 */
enum hp_path_kind hp_root_kind(uint8_t tag);

/* The name of a kind of root in output, such as "JNI global". */
const char *hp_root_words(uint8_t tag);

/*
 * The position of a kind of root in the order, below 32. If several roots refer
 * to an object, the one with the smallest position counts.
 */
unsigned hp_root_order(uint8_t tag);

#endif
