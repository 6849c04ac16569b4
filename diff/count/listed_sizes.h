/*
 * listed_sizes.h - the sizes of objects that were measured in a dump, as a
 * saved result contains them
 */
#ifndef HP_DIFF_COUNT_LISTED_SIZES_H
#define HP_DIFF_COUNT_LISTED_SIZES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The size of the objects of one class in a saved result. A saved result lists
 * a class only if the size model does not give its size.
 */
struct hp_listed_size {
	/*
	 * name of the class as it is spelled in the dump, but with dots in
	 * place of slashes
	 */
	const char *name;
	uint64_t fields; /* number of bytes of the field data of an instance */
	uint64_t references;
	uint64_t bytes;
};

struct hp_listed_sizes {
	struct hp_listed_size *list;
	size_t count, cap;
	/*
	 * number of bytes that a class object takes without its static fields;
	 * 0: not measured
	 */
	uint64_t class_object;
};

#endif
