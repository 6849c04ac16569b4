/*
 * collection_fields.h - which fields and classes are internals of collections
 *
 * Source: java.util of JDK 6 to 25, and the collections of Android, androidx
 * and Kotlin
 */
#ifndef HP_DIFF_LEAKS_COLLECTION_FIELDS_H
#define HP_DIFF_LEAKS_COLLECTION_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

enum hp_field_role {
	HP_FIELD_PLAIN,
	HP_FIELD_INSIDE,  /* refers to an internal part of the collection */
	HP_FIELD_ELEMENT, /* refers to an element, key or value */
};

/**
 * hp_collection_field() - the role of a field of a collection class
 * @class_name: the declaring class, spelled as in rows
 * @field: the name of the field, @len bytes
 *
 * Returns: HP_FIELD_PLAIN if the class is not a known collection or the field
 *          is unknown.
 */
enum hp_field_role hp_collection_field(const char *class_name,
				       const char *field, size_t len);

/*
 * Whether a class is an internal part of a collection, such as HashMap$Node, or
 * an array of such a class. Object[] counts as internal because collections
 * store their elements in it. @name is spelled as in rows.
 */
bool hp_is_collection_inside(const char *name);

#endif
