/*
 * size_fit.h - measured shallow sizes: evidence, and the layout that fits it
 *
 * In the dumps of HotSpot an id is an address, and objects lie next to each
 * other. The distance from an object to the next one is at least the size of
 * the object, so the smallest distance of a class is its size, unless there is
 * a gap behind each of its objects. This includes fields that the JVM adds to a
 * class, which no dump lists. The layout model is fitted to the measured sizes
 * and decides for the other classes.
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
	uint64_t times; /* how often the smallest distance occurs */
	uint64_t all;	/* number of distances */
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
 * fields; counter i is for 8 * i bytes. Larger sizes are not counted.
 */
enum { HP_CLASS_OBJECT_SIZES = 64 };

/* The distances between objects of a dump, and the numbers of objects. */
struct hp_size_evidence {
	/* by hp_class.index; instances only */
	struct hp_distances *classes;
	uint64_t *counts;
	/*
	 * By element type: the distances from arrays to the next object, minus
	 * the bytes of their elements. Object arrays are in HP_TYPE_OBJECT
	 * computed with references of 4 bytes, and in @wide with references of
	 * 8 bytes.
	 */
	struct hp_distances arrays[HP_TYPE_END], wide;
	uint64_t array_counts[HP_TYPE_END];
	/*
	 * How often the distance from a class object to the next object, less
	 * its static fields, has each size. Index 0 is for references of 4
	 * bytes, index 1 for 8 bytes.
	 */
	uint64_t class_objects[2][HP_CLASS_OBJECT_SIZES];
	/* distances to the next object in memory are known for all objects */
	bool complete;
};

/* HP_OK or HP_NOMEM. The caller calls hp_size_evidence_release(). */
HP_MUST_USE enum hp_status hp_size_evidence_init(struct hp_size_evidence *e,
						 const struct hp_classes *c,
						 struct hp_error *err);
void hp_size_evidence_release(struct hp_size_evidence *e);

/*
 * The bytes that the static fields of a class object take, with references of
 * @reference bytes. Does not count what HotSpot dumps as static fields although
 * it is none.
 */
uint64_t hp_class_static_bytes(const struct hp_class *c,
			       const struct hp_tables *t, unsigned reference);

/* Count the distance from the class object of @c to the object after it. */
void hp_size_evidence_class_object(struct hp_size_evidence *e,
				   const struct hp_class *c,
				   const struct hp_tables *t,
				   uint64_t distance);

/*
 * Set the sizes of all class objects. @base: bytes without static fields; 0:
 * not known, so the model decides.
 */
void hp_measured_class_objects(struct hp_measured_sizes *m,
			       const struct hp_classes *c,
			       const struct hp_tables *t,
			       const struct hp_size_model *l, uint64_t base);

void hp_measured_sizes_release(struct hp_measured_sizes *m);

/**
 * hp_size_fit() - measure sizes, and fit the layout to them
 * @e: the distances of the dump
 * @model: as from hp_size_model_detect(). If the dump can be measured, replaced
 *         by the layout that fits best, with m as its measured sizes
 * @m: receives the sizes; the caller releases it in any case, and it must live
 *     as long as @model
 *
 * A dump cannot be measured if its ids are no addresses, or if it has too few
 * classes with several objects. Then m->objects is 0.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_size_fit(const struct hp_size_evidence *e, const struct hp_classes *c,
	    const struct hp_tables *t, unsigned id_size,
	    struct hp_size_model *model, struct hp_measured_sizes *m,
	    struct hp_error *err);

#endif
