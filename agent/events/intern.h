/*
 * intern.h - tables of strings, classes, frames, traces and others, in which
 * equal items are stored only once
 *
 * The number of an item is its index in its table. Numbers begin with 1; 0
 * means none. Items are never removed, and an item refers only to items that
 * were added before.
 *
 * A report distinguishes classes only by name. So classes with equal names are
 * one item, even if a program loads the same class again and again.
 *
 * To add an item, the caller must hold the agent's lock. To read a published
 * item, no lock is needed.
 */
#ifndef HP_AGENT_INTERN_H
#define HP_AGENT_INTERN_H

#include "agent/events/chunks.h"
#include "common/base/status.h"

struct hp_agent_string {
	uint64_t hash;
	/*
	 * the characters of the string, in modified UTF-8, as the JVM returns
	 * it
	 */
	const char *text;
	uint32_t length;
	/*
	 * number of the class that has this string as its name; 0: there is
	 * none
	 */
	uint32_t class;
};

struct hp_agent_class {
	uint32_t name;
	/*
	 * As in ALLOC SITES records: 0: the class is not an array; 2: an array
	 * of objects; otherwise the type code of the primitive elements.
	 */
	uint8_t array_kind;
	/*
	 * The program has replaced the code of the class while it ran. A
	 * position in a method may then have another line, so lines of this
	 * class are not stored but looked up every time.
	 */
	atomic_bool redefined;
	/*
	 * a pattern of the option only= matches the name of the class, or the
	 * option was not given
	 */
	atomic_bool selected;
};

struct hp_agent_frame {
	uint64_t hash;
	/*
	 * Numbers in the agent's tables: `class`, and the strings with the name
	 * (`method`), signature and source file of the method. source 0: not
	 * known.
	 */
	uint32_t class, method, signature, source;
	int32_t line; /* line number in the source file; -1: not known */
	/*
	 * the method is a native method of the JDK, or belongs to a method
	 * handle; hp_agent_trace_site() leaves out such frames
	 */
	bool folded;
};

/*
 * A position in the code of a method, and the frame (method and line) for that
 * position.
 */
struct hp_agent_place {
	uint64_t hash;
	/* jmethodID of the method; the JVM never uses a value twice */
	uint64_t method;
	int64_t location;
	uint32_t frame;
};

struct hp_agent_trace {
	uint64_t hash;
	uint32_t count;
	/*
	 * serial number of the thread if the options have thread=y; 0: the
	 * trace may be of any thread
	 */
	uint32_t thread;
	const uint32_t *frames;
	/* number of CPU samples in which a thread had this stack trace */
	_Atomic uint64_t samples;
	/*
	 * For cpu=times: number of calls with this stack trace, and their
	 * processor time in nanoseconds: without the methods that they called
	 * (self_ns), and with them (total_ns). See calls.h.
	 */
	_Atomic uint64_t calls, self_ns, total_ns;
};

/* A hash table (open addressing) that finds the items of one table. */
struct hp_agent_index {
	uint32_t *slots;
	size_t cap; /* number of slots of the hash table, a power of two */
	size_t count;
};

struct hp_agent_tables {
	uint64_t seed;
	struct hp_chunks strings, classes, frames, places, traces;
	struct hp_agent_index by_text, by_frame, by_place, by_trace;
};

/* Returns the name of a class, such as "java.lang.String". */
static inline const struct hp_agent_string *
hp_agent_class_name(const struct hp_agent_tables *t, uint32_t class)
{
	const struct hp_agent_class *c = hp_chunks_at(&t->classes, class);

	return hp_chunks_at(&t->strings, c->name);
}

/*
 * The maximum number of stack traces. All further stacks are counted together
 * as the empty trace, which has the serial number 300000.
 */
enum { HP_AGENT_TRACES_MOST = 4 << 20 };

/*
 * Initialize the tables. @seed is the seed of all hash tables. @seed must be
 * secret, so that a program cannot choose names whose hashes collide.
 */
void hp_agent_tables_init(struct hp_agent_tables *t, uint64_t seed);

/*
 * Each of the following functions finds an item in a table, or adds it. It
 * returns the number of the item; 0 if out of memory, or if the table is full.
 */
/* Returns the number of a string. If @text is NULL, returns 0. */
uint32_t hp_agent_intern_text(struct hp_agent_tables *t, const char *text);
/*
 * Returns the number of the class with a JNI signature such as
 * "Ljava/lang/String;" or "[I".
 */
uint32_t hp_agent_intern_class(struct hp_agent_tables *t,
			       const char *signature);
uint32_t hp_agent_intern_frame(struct hp_agent_tables *t,
			       const struct hp_agent_frame *frame);
uint32_t hp_agent_intern_trace(struct hp_agent_tables *t,
			       const uint32_t *frames, uint32_t count,
			       uint32_t thread);
/*
 * Store the frame for a position (@location) in the code of a method, so that
 * hp_agent_find_place() finds the frame.
 */
void hp_agent_intern_place(struct hp_agent_tables *t, uint64_t method,
			   int64_t location, uint32_t frame);

/*
 * Returns the number of the frame for a position in the code of a method; 0 if
 * it was not stored yet, or if the class has been redefined. The caller holds
 * the agent's lock.
 */
uint32_t hp_agent_find_place(const struct hp_agent_tables *t, uint64_t method,
			     int64_t location);

/**
 * hp_agent_intern() - find an item, or add a copy of it
 * @item: begins with its hash, which this function sets in the copy. The next
 *        @n bytes are the key, without padding; see HP_AGENT_KEY()
 *
 * Returns: the number of the item; 0 if out of memory, or if the table is full.
 */
uint32_t hp_agent_intern(struct hp_agent_index *x, struct hp_chunks *items,
			 uint64_t seed, const void *item, size_t n);

/*
 * As hp_agent_intern(), but does not add an item: returns NULL if there is
 * none. The caller holds the agent's lock.
 */
const void *hp_agent_find(const struct hp_agent_index *x,
			  const struct hp_chunks *items, uint64_t seed,
			  const void *item, size_t n);

/*
 * The number of bytes of the key by which items are compared. The key is all
 * members after the hash, up to member @last.
 */
#define HP_AGENT_KEY(type, last)                                               \
	(offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(uint64_t))

#endif
