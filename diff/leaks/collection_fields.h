/*
 * collection_fields.h - which fields and classes are the insides of
 *                       collections
 *
 * Source: the JDK's java.util of versions 6 to 25, Android's, androidx' and
 * Kotlin's collections
 */
#ifndef HP_DIFF_LEAKS_COLLECTION_FIELDS_H
#define HP_DIFF_LEAKS_COLLECTION_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

enum hp_field_role {
	HP_FIELD_PLAIN,
	HP_FIELD_INSIDE,  /* names a part of the collection itself */
	HP_FIELD_ELEMENT, /* names what the collection holds */
};

/**
 * hp_collection_field() - what a field is for a collection
 * @class_name: of the class that declares it, as in rows
 * @field:      @len bytes
 */
enum hp_field_role hp_collection_field(const char *class_name,
				       const char *field, size_t len);

/*
 * Is a class, inside a collection, not one of its elements but how it keeps
 * them, or an array of these? Names are as in rows.
 */
bool hp_is_collection_inside(const char *name);

#endif
