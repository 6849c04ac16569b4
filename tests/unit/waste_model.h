/*
 * waste_model.h - small random heaps with waste of all kinds, for example equal
 * arrays; and a brute-force search for the waste
 *
 * The search shares no code with diff/waste. It implements the definitions in
 * hprof-concepts(7) a second time, with loops over all pairs of objects.
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
	/*
	 * index of the object that refers to this object; -1: only a root
	 * refers to this object, or nothing
	 */
	int up;
	/*
	 * Name of the field that refers to this object, for example "x". NULL:
	 * the object is an element of an array, or a part of a collection.
	 */
	const char *field;
	/* indexes of the objects to which this object refers; -1: null */
	int refs[WM_ELEMENTS];
	unsigned nrefs;
	/* for arrays of a primitive type: the type of the elements */
	unsigned type;
	/* for Strings: whether the text has two bytes for each character */
	bool utf16;
	/*
	 * the object is an internal part of a collection, such as the array of
	 * an ArrayList
	 */
	bool part;
	bool constant; /* a static field refers to the object */
	/* the object is a box, such as an Integer, in the cache of valueOf() */
	bool cached;
	/* for arrays of a primitive type: the first elements */
	uint64_t values[WM_ELEMENTS];
	/* for collections: the values of the fields with these names */
	unsigned size, head, tail;
};

struct wm_row {
	/*
	 * The key of a row: the kind of waste, a space, and the class and field
	 * that refer to the wasted memory.
	 */
	char key[96];
	uint64_t count, waste, dedup, good;
};

struct wm {
	struct wm_object objects[WM_OBJECTS];
	int count;
	uint64_t random;
	/* index of the array to which ArrayList.EMPTY_ELEMENTDATA refers */
	int empty_list;
	/*
	 * index of the array that contains the Integers which valueOf() returns
	 */
	int cache;
	struct wm_row rows[WM_ROWS];
	int nrows;
	/* total size of all objects except class objects, in bytes */
	uint64_t bytes;
	/* number of bytes that compact object headers would save */
	uint64_t headers;
	/*
	 * number of bytes of all objects, without their headers and contents
	 */
	uint64_t padding;
	/* number of objects for which compact object headers save bytes */
	uint64_t smaller;
	uint64_t padded; /* number of objects with padding */
};

/* Make a random heap. */
void wm_make(struct wm *m, uint64_t seed);
/* Write the heap as a dump. Initialises @b. */
void wm_write(const struct wm *m, struct b *b);
/* Find all waste of the heap by brute force. */
void wm_find(struct wm *m);

#endif
