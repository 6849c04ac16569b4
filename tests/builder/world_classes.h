/*
 * world_classes.h - the classes and objects that all worlds are of, and the
 * writers that spell them
 */
#ifndef TESTS_BUILDER_WORLD_CLASSES_H
#define TESTS_BUILDER_WORLD_CLASSES_H

#include "tests/builder/builder.h"

enum b_writer {
	B_HOTSPOT,	/* JDK 17: classes, objects, roots; one segment */
	B_HOTSPOT_25,	/* JDK 25: roots first, four segments, CDS array */
	B_HOTSPOT_7,	/* JDK 6 and 7: 1.0.1, one HEAP DUMP */
	B_HOTSPOT_5,	/* JDK 5: trace first, 1.0.1 */
	B_SA,		/* jhsdb jmap --binaryheap */
	B_SA_28,	/* the same of JDK 28: with frames and sticky classes */
	B_AGENT,	/* -agentlib:hprof, 1.0.1 */
	B_AGENT_102,	/* the same for a big heap: 1.0.2, one segment */
	B_ART,		/* Android 8 */
	B_DALVIK,	/* Android 4.4 */
	B_HPROF_CONV,	/* B_ART through hprof-conv */
	B_NATIVE_IMAGE, /* GraalVM */
	B_MAT,		/* Eclipse MAT's export */
	B_WRITERS
};

/* The classes; in the dump spelled as the writer does. */
enum b_world_class {
	B_C_OBJECT,
	B_C_CLASS,	/* java.lang.Class: name, classLoader */
	B_C_STRING,	/* java.lang.String: value and others */
	B_C_THREAD,	/* java.lang.Thread: name, priority, daemon */
	B_C_LOADER,	/* java.lang.ClassLoader: parent */
	B_C_APP_LOADER, /* com.acme.Loader, a ClassLoader */
	B_C_ORDER,	/* com.acme.Order: a field of each type */
	B_C_RUSH,	/* com.acme.RushOrder, an Order: count, owner */
	B_C_BOOLEANS,	/* boolean[], then the others in type order */
	B_C_CHARS,
	B_C_FLOATS,
	B_C_DOUBLES,
	B_C_BYTES,
	B_C_SHORTS,
	B_C_INTS,
	B_C_LONGS,
	B_C_OBJECTS, /* java.lang.Object[] */
	B_C_ORDERS,  /* com.acme.Order[] */
	B_CLASSES
};

/* The objects. Ids do not depend on the writer, but for the agent's. */
enum b_world_object {
	B_O_LOADER,	/* com.acme.Loader */
	B_O_THREAD,	/* java.lang.Thread, its name B_O_NAME */
	B_O_NAME,	/* String "main" ... */
	B_O_NAME_CHARS, /* ... and its array */
	B_O_ORDER_1,	/* Order, next: B_O_ORDER_2 */
	B_O_ORDER_2,	/* Order, next: null */
	B_O_RUSH,	/* RushOrder, next: order 1, owner: the thread */
	B_O_ORDERS,	/* Order[4]: order 1, order 2, null, rush order */
	B_O_OBJECTS,	/* Object[3]: the class Order, the name, order 1 */
	B_O_BOOLEANS,	/* an array of 3 of each type, in type order */
	B_O_CHARS,
	B_O_FLOATS,
	B_O_DOUBLES,
	B_O_BYTES,
	B_O_SHORTS,
	B_O_INTS,
	B_O_LONGS,
	B_O_MIRROR, /* a java.lang.Class instance, some writers only */
	B_O_CDS,    /* Object[] with dangling elements, JDK 25 only */
	B_O_FREE,   /* from here on: for the test */
};

/* Ids; @key + n is allowed for objects from B_O_FREE on (n < 1000). */
uint64_t b_class_id(const struct b *b, unsigned key);
uint64_t b_object_id(const struct b *b, unsigned key);
/* The class's name as this writer spells it; a static or own buffer of at
 * least 64 bytes. */
void b_class_name(const struct b *b, unsigned key, char name[64]);
uint32_t b_class_serial(const struct b *b, unsigned key);
/* A LOAD CLASS of class @key under this name. Returns its offset. */
size_t b_world_load(struct b *b, unsigned key, const char *name);

const char *b_writer_name(enum b_writer writer);
/* The id size that the writer uses; both: 8. */
unsigned b_writer_id_size(enum b_writer writer);
bool b_writer_knows_id_size(enum b_writer writer, unsigned id_size);

/* --- for the worlds ------------------------------------------------------- */

#define W_TIME_MS 1700000000000u /* 14 November 2023 */

bool w_android(const struct b *b); /* ART, Dalvik, hprof-conv */
bool w_art(const struct b *b);	   /* ART, hprof-conv */
bool w_agent(const struct b *b);
bool w_dotted(const struct b *b); /* java.lang.String[] */

/* STRING records of all that a world's heap names. */
void w_strings(struct b *b);
/* LOAD CLASS of one class, of all. */
void w_load(struct b *b, unsigned key);
void w_loads(struct b *b);
/* Two frames, ids @first and @first + 1. */
void w_frames(struct b *b, uint64_t first);
/* CLASS DUMP of one class, of all. */
void w_class(struct b *b, unsigned key);
void w_classes(struct b *b);
/* An instance of @class_key, its fields from @values in the order of the
 * chain; what the writer adds to java.lang.Object comes by itself. */
void w_instance(struct b *b, uint64_t id, unsigned class_key,
		const uint64_t *values);
/* The objects above, without the mirror and the CDS array. */
void w_objects(struct b *b);

#endif
