/*
 * java_string.h - read java.lang.String objects
 */
#ifndef HP_MODEL_JAVA_STRING_H
#define HP_MODEL_JAVA_STRING_H

#include "common/base/buf.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

#include <pthread.h>

/* ----------------------------------------------------------------------
 * Decode the text of a java.lang.String from its instance and its array
 *
 * The caller finds the instance and the array in the dump.
 */

/*
 * The place of a field in the data of an instance: the number of bytes from the
 * start of the field to the end of the data. This number is the same for all
 * subclasses, because in a dump, the fields of a subclass come before the
 * fields of its super class. 0: there is no such field.
 */
struct hp_field_place {
	uint64_t from_end;
	uint8_t type;
};

/*
 * Find the first field with the given name among the fields that @c declares
 * itself.
 */
struct hp_field_place hp_field_find(const struct hp_class *c,
				    const struct hp_tables *t, unsigned id_size,
				    const char *name);

/**
 * hp_field_load() - read the value of a field
 * @data: the @n bytes of field values of an instance of the class, or of a
 *        subclass
 *
 * *@value receives the value: for a primitive type, its bits are in the
 * low-order bytes.
 * Returns: false if there is no such field, or @data is too short.
 */
bool hp_field_load(const struct hp_field_place *f, unsigned id_size,
		   const uint8_t *data, uint64_t n, uint64_t *value);

/*
 * Find a class of the boot class loader by its name, for example
 * "java/lang/Thread". The dump may spell the name with slashes or dots. Returns
 * NULL if there is no such class, or if one of its super classes is not in the
 * dump.
 */
const struct hp_class *hp_boot_class(const struct hp_classes *c,
				     const struct hp_tables *t,
				     const char *jvm);

/*
 * A class whose instances have a field "name" with a String, such as
 * java.lang.Thread and java.lang.ClassLoader.
 */
struct hp_named_class {
	/*
	 * the class that declares the field "name"; NULL: there is no such
	 * class
	 */
	const struct hp_class *top;
	struct hp_field_place name;
};

/*
 * Find a class of the boot class loader with a reference field "name". @jvm:
 * the name of the class, with slashes; see hp_boot_class().
 */
struct hp_named_class hp_named_class(const struct hp_classes *c,
				     const struct hp_tables *t,
				     const char *jvm);

/*
 * @data: the fields of an instance of the class @k. Returns the id of the
 * String in its field "name". Returns 0 if the instance has no name, or if @k
 * is neither n->top nor a subclass of it.
 */
uint64_t hp_named_class_read(const struct hp_named_class *n,
			     const struct hp_class *k, unsigned id_size,
			     const uint8_t *data, uint64_t size);

/*
 * The order of the two bytes of each UTF-16 unit, if a String stores its
 * characters in a byte[].
 */
enum hp_byte_order { HP_ORDER_UNKNOWN, HP_ORDER_LITTLE, HP_ORDER_BIG };

/* The fields of java.lang.String in this dump. */
struct hp_java_string_class {
	/*
	 * id of the class java.lang.String; 0: it is not in the dump, or cannot
	 * be used
	 */
	uint64_t id;
	/*
	 * The byte order of UTF-16 characters, from the static fields
	 * HI_BYTE_SHIFT and LO_BYTE_SHIFT of java.lang.StringUTF16.
	 */
	enum hp_byte_order order;
	struct hp_field_place value, coder, offset, count;
};

/*
 * Find java.lang.String, after hp_classes_complete(). If several classes have
 * this name, the function returns the class of the boot class loader.
 */
struct hp_java_string_class hp_java_string_class(const struct hp_classes *c,
						 const struct hp_tables *t);

struct hp_java_string {
	/* id of the array with the characters; 0: the reference is null */
	uint64_t array;
	uint32_t offset; /* index of the first character in the array */
	/*
	 * number of characters; UINT32_MAX: all characters up to the end of the
	 * array
	 */
	uint32_t count;
	/* the array is a byte[] with two bytes for each character */
	bool utf16;
	enum hp_byte_order order;
};

/*
 * Decode the fields of an instance of java.lang.String. @data: the @n bytes of
 * field values of the instance. Returns false if @n is too small.
 */
bool hp_java_string_read(const struct hp_java_string_class *c, unsigned id_size,
			 const uint8_t *data, uint64_t n,
			 struct hp_java_string *out);

/* The characters of a String, which are a part of its array. */
struct hp_java_chars {
	/*
	 * the bytes of the array, beginning with the first character; borrowed
	 */
	const uint8_t *data;
	uint32_t units; /* number of characters, as UTF-16 units */
	/*
	 * `wide`: each character has two bytes. `little`: the low-order byte of
	 * a character comes first.
	 */
	bool wide, little;
};

/**
 * hp_java_string_place() - find out which bytes of an array are the characters
 * of a String
 * @c:    receives all members except `data`
 * @type: element type of the array; must be char or byte
 * @n:    number of elements of the array
 * @from: receives the offset in bytes of the first character
 * @sure: receives false if the byte order is unknown; then set c->little from a
 *        struct hp_java_order
 *
 * Returns: false if the array cannot belong to this String.
 */
bool hp_java_string_place(struct hp_java_chars *c,
			  const struct hp_java_string *s, uint8_t type,
			  uint32_t n, uint64_t *from, bool *sure);

/*
 * Counters to detect the byte order of UTF-16 characters in byte[] arrays. It
 * is the byte order of the processor that ran the JVM. The counters are used if
 * no class in the dump states the byte order. Most characters are below U+0100,
 * so the counter with the higher value shows the byte order.
 */
struct hp_java_order {
	/*
	 * `little`: number of characters below U+0100 if the bytes are read as
	 * little-endian. `big`: the same for big-endian.
	 */
	uint64_t little, big;
};

void hp_java_order_add(struct hp_java_order *o, const uint8_t *p,
		       uint32_t units);

static inline bool
hp_java_order_is_little(const struct hp_java_order *o)
{
	return o->little >= o->big;
}

/**
 * hp_java_string_chars() - find the characters of a String in the elements of
 *                          its array
 * @elements: the @n elements of the array as in the dump; @c points into this
 *            memory
 *
 * Returns: false if the array cannot belong to this String.
 */
bool hp_java_string_chars(struct hp_java_chars *c,
			  const struct hp_java_string *s, uint8_t type,
			  const uint8_t *elements, uint32_t n);

static inline uint32_t
hp_java_unit(const struct hp_java_chars *c, uint32_t i)
{
	const uint8_t *p = c->data + (uint64_t)i * (c->wide ? 2 : 1);

	return !c->wide	   ? p[0]
	       : c->little ? (uint32_t)p[1] << 8 | p[0]
			   : (uint32_t)p[0] << 8 | p[1];
}

/*
 * Append a UTF-16 unit in modified UTF-8. Each surrogate of a pair is encoded
 * separately.
 */
void hp_java_unit_add(struct hp_buf *b, uint32_t unit);

/* Append @n characters as modified UTF-8. The first one has the index @from. */
void hp_java_chars_add(struct hp_buf *b, const struct hp_java_chars *c,
		       uint32_t from, uint32_t n);

/**
 * hp_java_string_text() - append the text of a String as modified UTF-8
 * @max: maximum number of UTF-16 units to append
 *
 * Appends nothing if the array cannot belong to this String.
 * Returns: false if the text is longer than @max.
 */
bool hp_java_string_text(struct hp_buf *b, const struct hp_java_string *s,
			 uint8_t type, const uint8_t *elements, uint32_t n,
			 uint32_t max);

/* ----------------------------------------------------------------------
 * Collect the texts of some String objects by their ids, for example the names
 * of threads and class loaders
 *
 * A String refers to an array with its characters, and both may be anywhere in
 * the dump. So the caller reads the dump twice: first to find the Strings, then
 * to find their arrays. One pass suffices if the ids of the arrays are known.
 */

enum {
	HP_THREAD_NAME = 120 /* maximum length of a thread name in characters */
};

struct hp_java_texts {
	uint32_t most; /* maximum length of a text, in UTF-16 units */
	/*
	 * An id for which a text is wanted may also be the id of a char[]. In
	 * old JDKs, the name of a thread is a char[] instead of a String.
	 */
	bool bare;
	/* Appends a text to a buffer, escaped for the output format. */
	void (*escape)(struct hp_buf *b, const void *text, size_t len);
	/*
	 * memory for the texts, which the caller may use after this struct was
	 * released
	 */
	struct hp_arena *arena;
	/*
	 * The caller sets the members before this one, and zeroes this member
	 * and those after it.
	 */
	struct hp_java_string_class string;
	unsigned id_size;
	/*
	 * Ids of the Strings to find. After the first pass over the dump, also
	 * the ids of their arrays.
	 */
	struct hp_id_map wanted;
	/* maps the id of a String to its escaped text */
	struct hp_id_map texts;
	/*
	 * Protects the two maps from ids to the Strings and arrays that were
	 * found. There are few of them, so one lock for both maps is enough.
	 */
	pthread_mutex_t lock;
	struct hp_id_map met_strings, met_arrays;
	struct hp_arena met;
};

/*
 * Prepare the zeroed struct @t for a dump whose classes are @c. All classes
 * must have been read. The caller must release @t.
 */
void hp_java_texts_init(struct hp_java_texts *t, const struct hp_classes *c,
			const struct hp_tables *tables);
void hp_java_texts_release(struct hp_java_texts *t);

/*
 * Add @id to the Strings (or char[], see the member `bare`) whose texts are
 * wanted. Do not call it during a pass over the dump. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_java_texts_want(struct hp_java_texts *t, uint64_t id);

/*
 * Called for sub-records during a pass over the dump: if @s is a wanted String
 * or array, keep its contents. Thread-safe. Returns false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_string(struct hp_java_texts *t,
				      const struct hp_sub *s);
HP_MUST_USE bool hp_java_texts_array(struct hp_java_texts *t,
				     const struct hp_sub *s);

/*
 * Add the arrays of all Strings that were found to the wanted arrays. Call it
 * between the first and the second pass over the dump. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_java_texts_want_arrays(struct hp_java_texts *t);

/*
 * Returns how many bytes of memory @t uses, without the texts. During a pass
 * over the dump, the caller must hold t->lock.
 */
uint64_t hp_java_texts_bytes(const struct hp_java_texts *t);

/**
 * hp_java_texts_get() - after the passes over the dump: get the text of the
 *                       String @id
 * @out: the escaped text, in the arena; a text that was shortened ends with
 *       "...". NULL: the text is empty, or missing, or was zeroed when the dump
 *       was redacted
 *
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_get(struct hp_java_texts *t, uint64_t id,
				   const char **out);

#endif
