/*
 * world_classes.h - the classes and objects of all imitated dumps, and the list
 * of writers (the programs that write dumps)
 */
#ifndef TESTS_BUILDER_WORLD_CLASSES_H
#define TESTS_BUILDER_WORLD_CLASSES_H

#include "tests/builder/builder.h"

enum b_writer {
	/*
	 * JDK 17: first classes, then objects, then roots, all in one segment
	 */
	B_HOTSPOT,
	/*
	 * JDK 25: roots first, four segments, an array of objects from the
	 * class data archive (CDS)
	 */
	B_HOTSPOT_25,
	B_HOTSPOT_7, /* JDK 6 and 7: version 1.0.1, one HEAP DUMP record */
	B_HOTSPOT_5, /* JDK 5: version 1.0.1, begins with the stack trace */
	B_SA,	     /* dumps as jhsdb jmap --binaryheap writes them */
	B_SA_28, /* jhsdb of JDK 28, which also writes frames and sticky classes
		  */
	B_AGENT, /* dumps of -agentlib:hprof (JDK 5 to 8) in version 1.0.1 */
	B_AGENT_102,	/* -agentlib:hprof with a large heap: version 1.0.2, one
			   segment */
	B_ART,		/* dumps of Android 8 */
	B_DALVIK,	/* dumps of Android 4.4 */
	B_HPROF_CONV,	/* a dump of ART after a conversion with hprof-conv */
	B_NATIVE_IMAGE, /* dumps of programs that GraalVM compiled */
	B_MAT,		/* dumps that Eclipse MAT exported */
	B_WRITERS
};

/*
 * The keys (numbers) of the classes. Dumps contain the names in the form that
 * the imitated writer uses, such as "java/lang/String" or "java.lang.String".
 */
enum b_world_class {
	B_C_OBJECT,
	B_C_CLASS,  /* java.lang.Class, with the fields name and classLoader */
	B_C_STRING, /* java.lang.String, with value and other fields */
	B_C_THREAD, /* java.lang.Thread, with name, priority and daemon */
	B_C_LOADER,
	B_C_APP_LOADER, /* com.acme.Loader, a subclass of ClassLoader */
	/* the class com.acme.Order, with a field of each type */
	B_C_ORDER,
	/*
	 * com.acme.RushOrder, a subclass of Order, with the fields count and
	 * owner
	 */
	B_C_RUSH,
	/*
	 * boolean[]; the other primitive array classes follow, in the order of
	 * the type numbers
	 */
	B_C_BOOLEANS,
	B_C_CHARS,
	B_C_FLOATS,
	B_C_DOUBLES,
	B_C_BYTES,
	B_C_SHORTS,
	B_C_INTS,
	B_C_LONGS,
	B_C_OBJECTS,
	B_C_ORDERS,
	B_CLASSES
};

/*
 * The keys (numbers) of the objects. The ids of the objects are the same for
 * every writer except the agent.
 */
enum b_world_object {
	B_O_LOADER,
	B_O_THREAD,	/* a java.lang.Thread whose name is B_O_NAME */
	B_O_NAME,	/* the String "main" */
	B_O_NAME_CHARS, /* the character array of the String "main" */
	B_O_ORDER_1,	/* an Order whose next is B_O_ORDER_2 */
	B_O_ORDER_2,	/* an Order whose next is null */
	/*
	 * a RushOrder whose field next is B_O_ORDER_1 and whose owner is
	 * B_O_THREAD
	 */
	B_O_RUSH,
	/* an Order[4] with B_O_ORDER_1, B_O_ORDER_2, null and B_O_RUSH */
	B_O_ORDERS,
	/* an Object[3]: the class object of Order, B_O_NAME, B_O_ORDER_1 */
	B_O_OBJECTS,
	/*
	 * the first of the primitive arrays: one array of 3 elements for each
	 * type, in the order of the type numbers
	 */
	B_O_BOOLEANS,
	B_O_CHARS,
	B_O_FLOATS,
	B_O_DOUBLES,
	B_O_BYTES,
	B_O_SHORTS,
	B_O_INTS,
	B_O_LONGS,
	/*
	 * an instance of java.lang.Class that has no class dump; only some
	 * programs write such instances
	 */
	B_O_MIRROR,
	/*
	 * an Object[] whose elements are not in the dump, only in dumps of JDK
	 * 25
	 */
	B_O_CDS,
	B_O_FREE, /* the first key for objects that a test adds itself */
};

/*
 * Return the id of the class or object with the number @key. Tests may use the
 * object keys from B_O_FREE to B_O_FREE + 999 for their own objects.
 */
uint64_t b_class_id(const struct b *b, unsigned key);
uint64_t b_object_id(const struct b *b, unsigned key);
void b_class_name(const struct b *b, unsigned key, char name[64]);
uint32_t b_class_serial(const struct b *b, unsigned key);
/*
 * Write a LOAD CLASS record for class number @key, with the given name. Returns
 * the offset of the record.
 */
size_t b_world_load(struct b *b, unsigned key, const char *name);

const char *b_writer_name(enum b_writer writer);
/*
 * Returns the id size that @writer always uses, or 8 if it can use both sizes.
 */
unsigned b_writer_id_size(enum b_writer writer);
bool b_writer_knows_id_size(enum b_writer writer, unsigned id_size);

/* --- functions for the files world_*.c only ------------------------------- */

/* the time 14 November 2023, in milliseconds since 1970 */
#define W_TIME_MS 1700000000000u

bool w_android(const struct b *b); /* Whether the writer is ART, Dalvik or
				      hprof-conv. */
bool w_art(const struct b *b); /* Whether the writer is ART or hprof-conv. */
bool w_agent(const struct b *b);
/* Whether the writer spells array classes as in java.lang.String[]. */
bool w_dotted(const struct b *b);

void w_strings(struct b *b);
void w_load(struct b *b, unsigned key);
void w_loads(struct b *b);
/* Write two STACK FRAME records with the ids @first and @first + 1. */
void w_frames(struct b *b, uint64_t first);
void w_class(struct b *b, unsigned key);
void w_classes(struct b *b);
/*
 * Write an instance of @class_key. @values has the values of the fields: first
 * those of the class itself, then those of its superclasses. Fields that the
 * writer adds to java.lang.Object are written automatically.
 */
void w_instance(struct b *b, uint64_t id, unsigned class_key,
		const uint64_t *values);
void w_objects(struct b *b);

#endif
