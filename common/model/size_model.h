/*
 * size_model.h - compute shallow sizes with a layout model, and choose the
 * model
 *
 * The shallow size of an object is the memory that the object itself takes. A
 * dump does not contain shallow sizes, so they are computed with a model of how
 * the JVM lays out objects in memory.
 */
#ifndef HP_MODEL_SIZE_MODEL_H
#define HP_MODEL_SIZE_MODEL_H

#include "common/model/classes.h"

enum hp_size_model_kind {
	/* sizes are computed and rounded as in Eclipse MAT */
	HP_SIZE_MODEL_MAT,
	/*
	 * Objects are laid out as in HotSpot: the fields follow the header
	 * without gaps.
	 */
	HP_SIZE_MODEL_HOTSPOT,
	/* for Android: an instance has the size that its CLASS DUMP states */
	HP_SIZE_MODEL_ART,
};

enum {
	/*
	 * HotSpot pads fields with the annotation @Contended with at least this
	 * many bytes
	 */
	HP_SIZE_CONTENDED = 128,
};

struct hp_measured_sizes;

struct hp_size_model {
	enum hp_size_model_kind model;
	/*
	 * The sizes in bytes of a reference, of the header of an object, and of
	 * the header of an array. The size of every object is a multiple of
	 * `alignment` bytes.
	 */
	unsigned reference, header, array_header, alignment;
	/*
	 * how the model was chosen, for the output: "auto", "measured", or the
	 * argument of --layout
	 */
	const char *source;
	/*
	 * Sizes that were measured in the dump; see size_fit.h. If a size was
	 * measured, it is used instead of the size that the model gives. NULL:
	 * no sizes were measured. Borrowed.
	 */
	const struct hp_measured_sizes *measured;
};

/*
 * Shallow sizes that were measured in one dump. A size of 0 means: not
 * measured, use the size that the model gives.
 */
struct hp_measured_sizes {
	/* shallow size of instances in bytes; the index is hp_class.index */
	uint32_t *instances;
	/*
	 * shallow size of class objects in bytes; the index is hp_class.index
	 */
	uint32_t *class_objects;
	/*
	 * bits HP_SIZE_IS_MEASURED and HP_SIZE_HAS_OBJECTS for each class; the
	 * index is hp_class.index
	 */
	uint8_t *notes;
	/*
	 * the number of classes, which is the length of the three lists above
	 */
	size_t classes;
	/*
	 * The measured size in bytes of a class object without its static
	 * fields. 0: it was not measured.
	 */
	uint64_t class_object;
	/* number of objects in the dump whose size was measured */
	uint64_t objects;
	uint64_t all; /* number of all objects in the dump */
};

enum {
	/*
	 * The size of the instances was measured. This bit is also set if the
	 * measured size equals the size in the model.
	 */
	HP_SIZE_IS_MEASURED = 1,
	HP_SIZE_HAS_OBJECTS = 2, /* the class has instances */
};

/*
 * Facts about the objects of a dump. They are collected while the dump is read,
 * to choose the layout model.
 */
struct hp_size_hints {
	uint64_t id_bits; /* bitwise OR of the ids of all objects in the dump */
	/*
	 * Two object arrays in the dump would overlap if references had 8
	 * bytes. So the JVM used compressed references of 4 bytes.
	 */
	bool overlap;
	/*
	 * The id of the last object array, and the address at which this array
	 * would end if references had 8 bytes. Both are reset at the beginning
	 * of each batch (part of the dump).
	 */
	uint64_t last_array, last_array_end;
};

static inline void
hp_size_hint_object(struct hp_size_hints *h, uint64_t id)
{
	h->id_bits |= id;
}

/*
 * Add an object array with @n elements to the hints. Call hp_size_hints_batch()
 * at the beginning of each batch (part of the dump).
 */
static inline void
hp_size_hint_array(struct hp_size_hints *h, uint64_t id, uint32_t n)
{
	if (id > h->last_array && id < h->last_array_end)
		h->overlap = true;
	h->last_array = id;
	h->last_array_end = id + 16 + 8 * (uint64_t)n;
}

static inline void
hp_size_hints_batch(struct hp_size_hints *h)
{
	h->last_array = UINT64_MAX;
	h->last_array_end = 0;
}

void hp_size_hints_merge(struct hp_size_hints *into,
			 const struct hp_size_hints *from);

/*
 * Set the headers to those of ART, and of HotSpot with the option
 * -XX:+UseCompactObjectHeaders: an object's header has 8 bytes, and the
 * elements of an array begin at byte 12.
 */
void hp_size_model_set_compact(struct hp_size_model *l);

/**
 * hp_size_model_detect() - choose the layout model from the program that wrote
 *                          the dump and the collected hints
 * Source: HprofParserHandlerImpl.java of Eclipse MAT (alignment, references)
 */
struct hp_size_model hp_size_model_detect(const struct hp_size_hints *h,
					  unsigned id_size, bool android);

/**
 * hp_size_model_parse() - parse the text of --layout
 * @text: "auto", "mat", "hotspot", "hotspot-coh" or "art", then any of
 *        ",reference=4", ",header=", ",array_header=", ",alignment=";
 *        out->source points to @text, so @text must exist as long as @out is
 *        used
 *
 * If @text gives no header sizes, they depend on the reference size. Alignments
 * are powers of two up to 256.
 * Returns: false if @text is invalid.
 */
bool hp_size_model_parse(const char *text, const struct hp_size_model *detected,
			 struct hp_size_model *out);

/*
 * Returns the shallow size in bytes of an instance of @c. If @c is NULL, the
 * class is not in the dump, and the result is the size of an object header.
 */
uint64_t hp_instance_bytes(const struct hp_size_model *l,
			   const struct hp_class *c, unsigned id_size);
/*
 * Returns the number of padding bytes in one instance of @c: its shallow size
 * minus the header and the fields. If the size was measured, fields that
 * HotSpot itself adds are not padding. Returns 0 if not all fields are known.
 */
uint64_t hp_instance_padding(const struct hp_size_model *l,
			     const struct hp_class *c, unsigned id_size);
/*
 * Returns the shallow size in bytes of the class object of @c. If this size was
 * not measured, the result is the sum of the sizes of the static fields,
 * rounded up to the alignment.
 */
uint64_t hp_class_object_bytes(const struct hp_size_model *l,
			       const struct hp_class *c, unsigned id_size);
/*
 * Returns the shallow size in bytes of an array of @n elements. @width is the
 * size in memory of an element in bytes; for an array of objects it is
 * l->reference.
 */
uint64_t hp_array_bytes(const struct hp_size_model *l, uint64_t n,
			unsigned width);

/*
 * Counters for arrays of one element type. The layout model is known only after
 * the dump has been read. Then it gives the total size of the arrays from these
 * counters. The total size is exact for alignments up to 256 bytes.
 * Zero-initialise the struct, then set `residues` and `by_residue`.
 */
struct hp_array_totals {
	uint64_t count, elements;
	/*
	 * The length of `by_residue`. It is the result of hp_array_residues(),
	 * a power of two.
	 */
	uint32_t residues;
	/*
	 * by_residue[i]: the number of arrays whose length modulo `residues` is
	 * i. The padding of all arrays follows from these numbers. The code
	 * that owns this struct allocates and frees the list.
	 */
	uint64_t *by_residue;
};

/*
 * Returns the number of residues (remainders of array lengths) that struct
 * hp_array_totals has to count separately: the number of array elements in 256
 * bytes. @width: the size of an element in bytes. 0: the elements are
 * references, whose size is not known yet.
 */
static inline uint32_t
hp_array_residues(unsigned width)
{
	return width == 0 ? 64 : 256 / width;
}

/* Count an array of @n elements. */
static inline void
hp_array_totals_add(struct hp_array_totals *t, uint32_t n)
{
	t->count++;
	t->elements += n;
	t->by_residue[n & (t->residues - 1)]++;
}

/* Returns the total shallow size in bytes of all arrays that were counted. */
uint64_t hp_array_totals_bytes(const struct hp_size_model *l,
			       const struct hp_array_totals *t, unsigned width);

#endif
