/*
 * java_string.h - the text of a java.lang.String, from its instance and the
 * array that this names
 *
 * Where instance and array stand in the dump is the caller's business.
 */
#ifndef HP_MODEL_JAVA_STRING_H
#define HP_MODEL_JAVA_STRING_H

#include "common/base/buf.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/*
 * Where a field stands in the instances of its class and of all classes below
 * it: so many bytes before the end of the data. 0: there is no such field.
 */
struct hp_field_place {
	uint64_t from_end;
	uint8_t type;
};

/* The first field of @c's own with that name. */
struct hp_field_place hp_field_find(const struct hp_class *c,
				    const struct hp_tables *t, unsigned id_size,
				    const char *name);

/**
 * hp_field_load() - a field's value, bits as in the file
 * @data: of an instance of the class or one below it, @n bytes
 *
 * Returns: false if there is no such field or @data is too short for it.
 */
bool hp_field_load(const struct hp_field_place *f, unsigned id_size,
		   const uint8_t *data, uint64_t n, uint64_t *value);

/*
 * The VM's own class of a name, "java/lang/Thread", in the JVM's spelling or
 * Java's; NULL: the dump has none whose fields are known.
 */
const struct hp_class *hp_boot_class(const struct hp_classes *c,
				     const struct hp_tables *t,
				     const char *jvm);

/* A class whose objects have a name: threads, class loaders. */
struct hp_named_class {
	const struct hp_class *top; /* NULL: there is none with such a field */
	struct hp_field_place name;
};

/* As hp_boot_class(), with its reference field "name". */
struct hp_named_class hp_named_class(const struct hp_classes *c,
				     const struct hp_tables *t,
				     const char *jvm);

/* What the name of an instance of @k is; 0: of none, or not of such a class. */
uint64_t hp_named_class_read(const struct hp_named_class *n,
			     const struct hp_class *k, unsigned id_size,
			     const uint8_t *data, uint64_t size);

/* How two bytes of a byte[] make a character. */
enum hp_byte_order { HP_ORDER_UNKNOWN, HP_ORDER_LITTLE, HP_ORDER_BIG };

/* The fields of java.lang.String in this dump. */
struct hp_java_string_class {
	uint64_t id; /* 0: the dump has no such class */
	/* as java.lang.StringUTF16 says, HI_BYTE_SHIFT and LO_BYTE_SHIFT */
	enum hp_byte_order order;
	struct hp_field_place value, coder, offset, count;
};

/* After hp_classes_complete(); of several such classes the boot loader's. */
struct hp_java_string_class hp_java_string_class(const struct hp_classes *c,
						 const struct hp_tables *t);

struct hp_java_string {
	uint64_t array;	 /* id; 0: null */
	uint32_t offset; /* of its first character in the array */
	uint32_t count;	 /* characters; UINT32_MAX: all of the array */
	bool utf16;	 /* a byte[] holds two bytes for each character */
	enum hp_byte_order order;
};

/* From the data of an instance. False: not such an instance. */
bool hp_java_string_read(const struct hp_java_string_class *c, unsigned id_size,
			 const uint8_t *data, uint64_t n,
			 struct hp_java_string *out);

/* Where a String's characters stand. */
struct hp_java_chars {
	const uint8_t *data; /* borrowed */
	uint32_t units;	     /* UTF-16 units */
	bool wide, little;   /* two bytes each; the lower one first */
};

/**
 * hp_java_string_place() - which of its array's bytes are a String's
 * @c:    without data
 * @type: of the array's elements, of which there are @n: char or byte
 * @from: bytes of the elements before the first character
 * @sure: false: c->little is to be found out with struct hp_java_order
 *
 * Returns: false if the array cannot be this String's.
 */
bool hp_java_string_place(struct hp_java_chars *c,
			  const struct hp_java_string *s, uint8_t type,
			  uint32_t n, uint64_t *from, bool *sure);

/*
 * A byte[] with two bytes a character is in the byte order of the VM's
 * machine. Where the dump does not tell it, it is taken to be the order in
 * which more characters are below U+0100.
 */
struct hp_java_order {
	uint64_t little, big; /* characters that look like it */
};

void hp_java_order_add(struct hp_java_order *o, const uint8_t *p,
		       uint32_t units);

static inline bool
hp_java_order_is_little(const struct hp_java_order *o)
{
	return o->little >= o->big;
}

/**
 * hp_java_string_chars() - find a String's characters in its array
 * @elements: @n of them, as in the file; borrowed
 *
 * Returns: false if the array cannot be this String's.
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

/* Append a UTF-16 unit as in modified UTF-8; surrogates by themselves. */
void hp_java_unit_add(struct hp_buf *b, uint32_t unit);

/* Append @n characters from @from on, as modified UTF-8. */
void hp_java_chars_add(struct hp_buf *b, const struct hp_java_chars *c,
		       uint32_t from, uint32_t n);

/**
 * hp_java_string_text() - append the text as modified UTF-8
 * @max: characters (UTF-16 units) to append at most
 *
 * As hp_java_string_chars(); an array that cannot be the String's gives
 * nothing.
 * Returns: false if there was more than @max.
 */
bool hp_java_string_text(struct hp_buf *b, const struct hp_java_string *s,
			 uint8_t type, const uint8_t *elements, uint32_t n,
			 uint32_t max);

#endif
