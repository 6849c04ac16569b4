/*
 * size_model.h - compute shallow sizes with a layout model, and choose the
 * model
 *
 * A dump does not contain shallow sizes, so they follow from a model of the
 * JVM's memory layout.
 */
#ifndef HP_MODEL_SIZE_MODEL_H
#define HP_MODEL_SIZE_MODEL_H

#include "common/model/classes.h"

enum hp_size_model_kind {
	HP_SIZE_MODEL_MAT,     /* sizes are rounded as in Eclipse MAT */
	HP_SIZE_MODEL_HOTSPOT, /* the fields follow the header without gaps */
	/* the size is the instance size of the class dump */
	HP_SIZE_MODEL_ART,
};

struct hp_measured_sizes;

struct hp_size_model {
	enum hp_size_model_kind model;
	/* sizes in bytes of a reference and of headers */
	unsigned reference, header, array_header, alignment;
	/* "auto", "measured", or the text given to --layout */
	const char *source;
	/*
	 * Sizes that were measured in the dump, see size_fit.h; they are used
	 * instead of the model. NULL: none. Borrowed.
	 */
	const struct hp_measured_sizes *measured;
};

/*
 * Measured sizes. A size of 0 means that it follows from the model. The sizes
 * belong to one dump, because they are in the order of its classes.
 */
struct hp_measured_sizes {
	/* shallow size of instances in bytes, by hp_class.index */
	uint32_t *instances;
	/* shallow size of class objects in bytes, by hp_class.index */
	uint32_t *class_objects;
	uint8_t *notes; /* HP_SIZE_ bits for each class, by hp_class.index */
	/* number of classes, which is the length of these lists */
	size_t classes;
	/* bytes of a class object without static fields; 0: not measured */
	uint64_t class_object;
	uint64_t objects; /* number of objects whose size was measured */
	uint64_t all;	  /* number of all objects */
};

enum {
	/* the size was measured; set also if the model gives the same size */
	HP_SIZE_IS_MEASURED = 1,
	HP_SIZE_HAS_OBJECTS = 2, /* the class has instances */
};

/* Evidence for the layout that a pass collects. */
struct hp_size_hints {
	uint64_t id_bits; /* bitwise OR of all object ids */
	/*
	 * Two object arrays would overlap if references had 8 bytes. So
	 * references are compressed to 4 bytes.
	 */
	bool overlap;
	uint64_t last_array,
		/*
		 * the address where the last array ends; reset for each batch
		 * of the dump
		 */
		last_array_end;
};

static inline void
hp_size_hint_object(struct hp_size_hints *h, uint64_t id)
{
	h->id_bits |= id;
}

/*
 * Add an object array. Call hp_size_hints_batch() at the beginning of each part
 * of the dump.
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

/**
 * hp_size_model_detect() - choose the layout from the writer and the evidence
 * Source: HprofParserHandlerImpl.java of Eclipse MAT (alignment, references)
 */
struct hp_size_model hp_size_model_detect(const struct hp_size_hints *h,
					  unsigned id_size, bool android);

/**
 * hp_size_model_parse() - parse the text of --layout
 * @text: auto, mat, hotspot, hotspot-coh or art, then any of ",reference=4",
 *        ",header=", ",array_header=", ",alignment="; out->source points to it,
 *        so it must live as long
 *
 * Headers that are not given follow from the reference size. Alignments are
 * powers of two up to 256.
 * Returns: false if @text is invalid.
 */
bool hp_size_model_parse(const char *text, const struct hp_size_model *detected,
			 struct hp_size_model *out);

/*
 * Shallow size in bytes of one instance of @c. If @c is NULL the class has no
 * class dump, and the result is the size of a header.
 */
uint64_t hp_instance_bytes(const struct hp_size_model *l,
			   const struct hp_class *c, unsigned id_size);
/* Shallow size in bytes of a class object: the sum of its static fields. */
uint64_t hp_class_object_bytes(const struct hp_size_model *l,
			       const struct hp_class *c, unsigned id_size);
/*
 * Shallow size in bytes of an array of @n elements. @width is the size in
 * memory of an element in bytes; for an array of objects it is l->reference.
 */
uint64_t hp_array_bytes(const struct hp_size_model *l, uint64_t n,
			unsigned width);

/*
 * The number of arrays, and the sum of their lengths. From these the total size
 * follows for any layout: the layout is known only at the end of the pass.
 * Exact for alignments up to 256 bytes. Zero-initialise it, but set residues
 * and by_residue.
 */
struct hp_array_totals {
	uint64_t count, elements;
	/*
	 * by_residue[i]: number of arrays whose length modulo `residues` is i.
	 */
	/* number of residues: hp_array_residues(), a power of two */
	uint32_t residues;
	uint64_t *
		/* an array that the owner of the struct allocates and frees */
		by_residue;
};

/*
 * The number of residues that determines the padding of arrays: the number of
 * elements in 256 bytes. @width is the size of an element in bytes; 0 means
 * references, whose size is not known yet.
 */
static inline uint32_t
hp_array_residues(unsigned width)
{
	return width == 0 ? 64 : 256 / width;
}

/* Add an array of @n elements. */
static inline void
hp_array_totals_add(struct hp_array_totals *t, uint32_t n)
{
	t->count++;
	t->elements += n;
	t->by_residue[n & (t->residues - 1)]++;
}

/* The sum of hp_array_bytes() over all arrays that were added. */
uint64_t hp_array_totals_bytes(const struct hp_size_model *l,
			       const struct hp_array_totals *t, unsigned width);

#endif
