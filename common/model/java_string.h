/*
 * java_string.h - the text of a java.lang.String, from its instance and the
 * array that this names
 *
 * Where instance and array stand in the dump is the caller's business.
 */
#ifndef HP_MODEL_JAVA_STRING_H
#define HP_MODEL_JAVA_STRING_H

#include "common/buf.h"
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

/* The fields of java.lang.String in this dump. */
struct hp_java_string_class {
	uint64_t id; /* 0: the dump has no such class */
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
};

/* From the data of an instance. False: not such an instance. */
bool hp_java_string_read(const struct hp_java_string_class *c, unsigned id_size,
			 const uint8_t *data, uint64_t n,
			 struct hp_java_string *out);

/**
 * hp_java_string_text() - append the text as modified UTF-8
 * @type:     of the array's elements: char or byte; others give nothing
 * @elements: @n of them, as in the file
 * @max:      characters (UTF-16 units) to append at most
 *
 * A byte[] with two bytes a character is in the byte order of the VM's
 * machine, which the dump does not tell: it is the order in which more
 * characters are below U+0100.
 * Returns: false if there was more than @max.
 */
bool hp_java_string_text(struct hp_buf *b, const struct hp_java_string *s,
			 uint8_t type, const uint8_t *elements, uint32_t n,
			 uint32_t max);

#endif
