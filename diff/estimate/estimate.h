/*
 * estimate.h - how many bytes the objects of a dump would take in a JVM of
 * another version, or with other options (--estimate)
 */
#ifndef HP_DIFF_ESTIMATE_ESTIMATE_H
#define HP_DIFF_ESTIMATE_ESTIMATE_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct hp_histogram;
struct hp_size_model;

#define CONFIGURATION(...) +1
enum {
	/* number of configurations */
	HP_CONFIGURATIONS = 0
#include "diff/estimate/configurations.def"
};

/*
 * A configuration of the JVM, see configurations.def. All sizes are in bytes.
 */
struct hp_configuration {
	const char *jdk, *option;
	unsigned reference, header, array_header, alignment;
	/* the JVM places fields as JDK 8 to 14 do */
	bool old_fields;
};

extern const struct hp_configuration hp_configurations[HP_CONFIGURATIONS];

struct hp_estimates {
	uint64_t objects; /* number of all objects in the dump */
	/* total size of all objects in the JVM that wrote the dump, in bytes */
	uint64_t now;
	/*
	 * estimated total size of all objects for each of hp_configurations, in
	 * bytes
	 */
	uint64_t bytes[HP_CONFIGURATIONS];
};

/**
 * hp_estimate_make() - compute the size of a heap for each configuration
 * @g: the counts of the objects and the classes of the dump
 * @now: the size model of the dump, with the measured sizes if there are any
 *
 * The estimate assumes the same objects with the same fields. The fields that
 * HotSpot itself adds to some classes are not in the dump: their size is the
 * difference between the measured size and the size model, and is also assumed
 * to stay the same.
 *
 * Time: linear in the number of classes, fields and kinds of objects.
 * Memory: 32 bytes for each class.
 *
 * Returns: HP_OK; HP_NOMEM; HP_DAMAGED if the dump is of Android, which has
 *          only one layout.
 */
HP_MUST_USE enum hp_status hp_estimate_make(const struct hp_histogram *g,
					    const struct hp_size_model *now,
					    struct hp_estimates *out,
					    struct hp_error *err);

#endif
