/*
 * class_name.h - class names as in Java source, and names that survive a
 * restart
 */
#ifndef HP_MODEL_CLASS_NAME_H
#define HP_MODEL_CLASS_NAME_H

#include "common/base/buf.h"
#include "common/base/status.h"

/**
 * hp_class_name() - append a class's name as in Java source
 * @raw: as in the file: "[Ljava/lang/String;", "java.lang.String[]", "[I"
 *
 * Keeps the text as modified UTF-8; escaping comes later. A hidden class's
 * suffix stays, with '/' in front: "Foo$$Lambda/0x00007f...".
 * Source: the algorithm of the class file's internal names, JVMS 4.2
 */
void hp_class_name(struct hp_buf *out, const void *raw, size_t length);

/* How a raw name looks: bits of hp_class_name_looks(). */
enum {
	HP_LOOKS_JVM = 1,	   /* has slashes, or is a descriptor */
	HP_LOOKS_JAVA = 2,	   /* ends with "[]" */
	HP_LOOKS_MADE_UP = 4,	   /* "<native memory>" and the like, of MAT */
	HP_LOOKS_ARRAY = 8,	   /* is an array's, of anything */
	HP_LOOKS_OBJECT_ARRAY = 16 /* of references */
};

unsigned hp_class_name_looks(const void *raw, size_t length);

/**
 * hp_class_name_normalize() - take out what differs from run to run
 *
 * Works on a name from hp_class_name(): addresses of hidden classes, numbers
 * of lambdas, proxies, their packages and generated accessors.
 */
void hp_class_name_normalize(struct hp_buf *out, const char *name,
			     size_t length);

/*
 * How much of a name from hp_class_name(), normalised or not, is the package;
 * 0: it is in none.
 */
size_t hp_class_name_package(const char *name, size_t length);

#endif
