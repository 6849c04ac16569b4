/*
 * size_fit.h - measure shallow sizes of objects by their addresses, and find
 * the layout model that fits the measured sizes
 *
 * In dumps of HotSpot, the id of an object is its address, and objects are next
 * to each other in memory. The distance from an object to the next one is at
 * least the size of the object. The distance is larger if there is a gap after
 * the object. Objects of a class have the same size, so this size is the
 * smallest distance for the class, unless all these objects have gaps after
 * them. A measured size includes fields that the JVM adds to a class and that
 * are not in the dump. Then the code chooses the layout model
 * (size_model.h) that fits the measured sizes best. This model gives the sizes
 * of objects that could not be measured.
 */
#ifndef HP_MODEL_SIZE_FIT_H
#define HP_MODEL_SIZE_FIT_H

#include "common/model/size_model.h"
#include "common/model/tables.h"

/*
 * The distances in bytes from each object of one class to the next object in
 * memory.
 */
struct hp_distances {
	/* the smallest distance in bytes; only valid if times > 0 */
	uint64_t least;
	uint64_t times;
	/* the number of distances that were measured for this class */
	uint64_t all;
};

static inline void
hp_distances_add(struct hp_distances *d, uint64_t distance)
{
	d->all++;
	if (d->times == 0 || distance < d->least) {
		d->least = distance;
		d->times = 1;
	} else if (distance == d->least) {
		d->times++;
	}
}

void hp_distances_merge(struct hp_distances *into,
			const struct hp_distances *from);

/*
 * Number of counters for the sizes of class objects without their static
 * fields. Counter i counts class objects of 8 * i bytes. Larger sizes are
 * ignored.
 */
enum { HP_CLASS_OBJECT_SIZES = 64 };

/*
 * The data from which sizes are measured: the distances between objects in
 * memory, and the numbers of objects.
 */
struct hp_size_evidence {
	/*
	 * The index is hp_class.index. `classes`: the distances from the
	 * instances of a class to the next objects. `counts`: the number of
	 * instances of the class.
	 */
	struct hp_distances *classes;
	uint64_t *counts;
	/*
	 * Indexed by element type: the distances from an array to the next
	 * object, minus the bytes of the elements. For object arrays the size
	 * of an element is not known yet: arrays[HP_TYPE_OBJECT] assumes
	 * references of 4 bytes, and `wide` assumes 8 bytes.
	 */
	struct hp_distances arrays[HP_TYPE_END], wide;
	uint64_t array_counts[HP_TYPE_END];
	/*
	 * class_objects[w][i]: the number of class objects for which the
	 * distance to the next object, minus the bytes of the static fields, is
	 * 8 * i bytes. References are assumed to have 4 bytes if w is 0, and 8
	 * bytes if w is 1.
	 */
	uint64_t class_objects[2][HP_CLASS_OBJECT_SIZES];
	/* the distance to the next object in memory is known for all objects */
	bool complete;
};

/*
 * Make an empty collection of distances between objects, for the classes @c.
 * Returns HP_OK or HP_NOMEM. The caller must call hp_size_evidence_release(),
 * even after a failure.
 */
HP_MUST_USE enum hp_status hp_size_evidence_init(struct hp_size_evidence *e,
						 const struct hp_classes *c,
						 struct hp_error *err);
void hp_size_evidence_release(struct hp_size_evidence *e);

/*
 * Returns how many bytes the static fields of a class object take, if
 * references have @reference bytes. HotSpot also dumps, as static fields, some
 * values that are not in the class object; these are not counted.
 */
uint64_t hp_class_static_bytes(const struct hp_class *c,
			       const struct hp_tables *t, unsigned reference);

/* Add the distance from the class object of @c to the next object in memory. */
void hp_size_evidence_class_object(struct hp_size_evidence *e,
				   const struct hp_class *c,
				   const struct hp_tables *t,
				   uint64_t distance);

/*
 * Set the sizes of all class objects in @m. @base: the size in bytes of a class
 * object without static fields. 0: this size is not known, so the sizes are
 * computed with the layout model.
 */
void hp_measured_class_objects(struct hp_measured_sizes *m,
			       const struct hp_classes *c,
			       const struct hp_tables *t,
			       const struct hp_size_model *l, uint64_t base);

void hp_measured_sizes_release(struct hp_measured_sizes *m);

/**
 * hp_size_fit() - measure sizes, and choose the layout model that fits them
 *                 best
 * @e: the distances between neighbouring objects of the dump
 * @model: at first, the model from hp_size_model_detect(). If the dump can be
 *         measured, it receives the model that fits best, and a pointer to the
 *         measured sizes @m
 * @m: receives the measured sizes; the caller must release @m, even after a
 *     failure; @m must exist as long as @model is used
 *
 * A dump cannot be measured if its ids are not addresses, or if too few of its
 * classes have several objects. Then m->objects is 0.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_size_fit(const struct hp_size_evidence *e, const struct hp_classes *c,
	    const struct hp_tables *t, unsigned id_size,
	    struct hp_size_model *model, struct hp_measured_sizes *m,
	    struct hp_error *err);

#endif
