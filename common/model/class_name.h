/*
 * class_name.h - convert class names to Java source style, and recognise names
 * of generated classes
 */
#ifndef HP_MODEL_CLASS_NAME_H
#define HP_MODEL_CLASS_NAME_H

#include "common/base/buf.h"
#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * ----------------------------------------------------------------------
 * Convert class names to Java source style, and remove the parts of names that
 * differ from one run of the Java program to the next
 */

/**
 * hp_class_name() - append a class name in the style of Java source
 * @raw: the name in the dump: "[Ljava/lang/String;", "java.lang.String[]", "[I"
 *
 * The function escapes nothing, so the result is modified UTF-8 like @raw. The
 * suffix of a hidden class is kept, and begins with '/':
 * "Foo$$Lambda/0x00007f...". Source: the internal form of class names, JVMS 4.2
 */
void hp_class_name(struct hp_buf *out, const void *raw, size_t length);

/*
 * The bits that hp_class_name_looks() returns. They describe the style of a
 * class name in a dump.
 */
enum {
	HP_LOOKS_JVM = 1,  /* the name has slashes, or begins with '[' */
	HP_LOOKS_JAVA = 2, /* the name ends with "[]", as in Java source */
	/* a class that Eclipse MAT invents, such as "<native memory>" */
	HP_LOOKS_MADE_UP = 4,
	HP_LOOKS_ARRAY = 8, /* the name is that of an array class */
	/* the name stands for an array class whose elements are references */
	HP_LOOKS_OBJECT_ARRAY = 16
};

unsigned hp_class_name_looks(const void *raw, size_t length);

/**
 * hp_class_name_normalize() - append a class name without the parts that differ
 * from one run of the Java program to the next
 * @name: a class name in the form that hp_class_name() appends
 *
 * Removes the addresses of hidden classes and the numbers of lambdas, proxies,
 * proxy packages and generated accessors.
 */
void hp_class_name_normalize(struct hp_buf *out, const char *name,
			     size_t length);

/*
 * The length in bytes of the package in a class name; 0 if the class is in no
 * package. @name has the form of hp_class_name(), with or without
 * hp_class_name_normalize().
 */
size_t hp_class_name_package(const char *name, size_t length);

/*
 * ----------------------------------------------------------------------
 * Class names without the parts that differ from one run of the Java program to
 * the next
 *
 * Some libraries and compilers generate classes while a program runs. The names
 * of these classes contain a number, or a random or hashed suffix.
 * generated_names.def has patterns for these names.
 */

/**
 * hp_generated_name() - append the name of a generated class without the parts
 *                       that change from run to run
 * @name: a class name in the form of hp_class_name(), but without "[]" and
 *        without the suffix of a hidden class
 *
 * A name that fits no pattern is appended unchanged. The time is proportional
 * to @length.
 */
void hp_generated_name(struct hp_buf *out, const char *name, size_t length);

/*
 * Whether a library or a compiler made a class name from the name of another
 * class, for example "Order$MockitoMock" from "Order". Then the text after the
 * last '$' is a suffix, and not the name of a nested class.
 *
 * @name: a class name without its package and without "[]", before or after
 *   hp_generated_name()
 *
 * The time is proportional to @length.
 */
bool hp_class_name_has_suffix(const char *name, size_t length);

#endif
