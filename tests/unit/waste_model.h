/*
 * waste_model.h - small random heaps with waste of all kinds, and the expected
 * amounts, which a brute-force search finds
 *
 * The search shares no code with diff/waste. The definitions in
 * hprof-concepts(7) are written a second time here, with loops over all pairs
 * of objects.
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
	/* the objects to which this one refers, as indexes; -1: null */
	int refs[WM_ELEMENTS];
	unsigned nrefs;
	/* the type of the elements, only for arrays of a primitive type */
	unsigned type;
	/*
	 * whether the text has two bytes for each character, only for Strings
	 */
	bool utf16;
	/* the object is an internal part of a collection */
	bool part;
	bool constant; /* a static field refers to the object */
	/* the object is a box in the cache of valueOf() */
	bool cached;
	/* the first elements, only for arrays of a primitive type */
	uint64_t values[WM_ELEMENTS];
	/* the values of these fields, only for collections */
	unsigned size, head, tail;
};

struct wm_row {
	/*
	 * the key of the expected row: the kind of waste, a space, and the
	 * holder
	 */
	char key[96];
	uint64_t count, waste, dedup, good;
};

struct wm {
	struct wm_object objects[WM_OBJECTS];
	int count;
	uint64_t random;
	int empty_list; /* index of the array ArrayList.EMPTY_ELEMENTDATA */
	/* index of the array with the Integers that valueOf() returns */
	int cache;
	struct wm_row rows[WM_ROWS];
	int nrows;
	uint64_t bytes;	  /* bytes of all objects except class objects */
	uint64_t headers; /* what compact object headers would save */
	uint64_t padding; /* bytes that are neither header nor contents */
	uint64_t smaller; /* objects for which compact headers save bytes */
	uint64_t padded;  /* objects with padding */
};

/* Make a random heap. */
void wm_make(struct wm *m, uint64_t seed);
/* Write the heap as a dump, and initialise @b. */
void wm_write(const struct wm *m, struct b *b);
/* Find all waste of the heap by brute force. */
void wm_find(struct wm *m);

#endif
