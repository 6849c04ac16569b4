/*
 * collections.h - the insides of collections, which readers want as one step
 *
 * Source: the JDK's java.util, Android's and Kotlin's collections
 */
#ifndef HP_DIFF_LEAKS_COLLECTIONS_H
#define HP_DIFF_LEAKS_COLLECTIONS_H

#include <stdbool.h>

/*
 * Is a class, inside a collection, not one of its elements but how it keeps
 * them? Names are as in rows.
 */
bool hp_is_collection_inside(const char *name);

#endif
