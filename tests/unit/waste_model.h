/*
 * waste_model.h - small heaps with waste of all kinds, and what it comes to by
 * brute force
 *
 * Shares no code with diff/waste: the definitions of hprof-concepts(7) are
 * written a second time, with loops over all pairs of objects.
 */
#ifndef HP_TESTS_UNIT_WASTE_MODEL_H
#define HP_TESTS_UNIT_WASTE_MODEL_H

#include "tests/builder/builder.h"

enum { WM_OBJECTS = 400, WM_ELEMENTS = 24, WM_ROWS = 400 };

enum wm_kind {
	WM_HOLDER, /* an instance of a.A, with the fields x, y and z */
	WM_STRING,
	WM_DATA,    /* an array of a primitive type */
	WM_ARRAY,   /* an Object[] */
	WM_LIST,    /* a java.util.ArrayList */
	WM_DEQUE,   /* a java.util.ArrayDeque */
	WM_MAP,	    /* a java.util.HashMap */
	WM_SET,	    /* a java.util.HashSet */
	WM_TABLE,   /* a java.util.HashMap$Node[] */
	WM_NODE,    /* a java.util.HashMap$Node */
	WM_INTEGER, /* a java.lang.Integer */
	WM_LONG,    /* a java.lang.Long */
};

struct wm_object {
	enum wm_kind kind;
	uint64_t id;
	int up; /* the object that refers to it; -1: none or a root */
	/* the field that refers to it: "x"; NULL: as an element or a part */
	const char *field;
	int refs[WM_ELEMENTS]; /* indexes of objects; -1: null */
	unsigned nrefs;
	unsigned type;		      /* of WM_DATA */
	bool utf16;		      /* of WM_STRING */
	bool part;		      /* a private part of a collection */
	bool constant;		      /* a static field refers to it */
	bool cached;		      /* a box of the cache */
	uint64_t values[WM_ELEMENTS]; /* of WM_DATA; nrefs of them */
	unsigned size, head, tail;    /* of collections */
};

struct wm_row {
	char key[96]; /* the kind of waste, a space, and the holder */
	uint64_t count, waste, dedup, good;
};

struct wm {
	struct wm_object objects[WM_OBJECTS];
	int count;
	uint64_t random;
	int empty_list; /* the constant ArrayList.EMPTY_ELEMENTDATA */
	int cache;	/* the Integer[] of the cache */
	struct wm_row rows[WM_ROWS];
	int nrows;
	uint64_t bytes; /* of all objects but classes */
};

/* Make a random heap. */
void wm_make(struct wm *m, uint64_t seed);
/* Write the heap as a dump, and initialise @b. */
void wm_write(const struct wm *m, struct b *b);
/* Find all waste, by brute force. */
void wm_find(struct wm *m);

#endif
