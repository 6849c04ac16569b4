/*
 * size_model.h - shallow sizes: the layout models, and which one fits
 */
#ifndef HP_MODEL_SIZE_MODEL_H
#define HP_MODEL_SIZE_MODEL_H

#include "common/model/classes.h"

enum hp_size_model_kind {
	HP_SIZE_MODEL_MAT,     /* Eclipse MAT's formula */
	HP_SIZE_MODEL_HOTSPOT, /* plain sum of fields after the header */
	HP_SIZE_MODEL_ART,     /* the class's instance size field */
};

struct hp_size_model {
	enum hp_size_model_kind model;
	unsigned reference, header, array_header, alignment; /* bytes */
	const char *source; /* "auto", or the name given to --layout */
};

/* What a pass gathers to detect a layout; merge by hp_size_hints_merge(). */
struct hp_size_hints {
	uint64_t id_bits; /* or of all object ids */
	bool overlap;	  /* two object arrays would overlap with 8-byte
			     references: they are compressed */
	uint64_t last_array, last_array_end; /* within one batch only */
};

static inline void
hp_size_hint_object(struct hp_size_hints *h, uint64_t id)
{
	h->id_bits |= id;
}

/* An object array; call hp_size_hints_batch() when a batch begins. */
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
 * hp_size_model_detect() - the layout that a dump's writer and hints suggest
 * Source: HprofParserHandlerImpl.java of Eclipse MAT (alignment, references)
 */
struct hp_size_model hp_size_model_detect(const struct hp_size_hints *h,
					  unsigned id_size, bool android);

/**
 * hp_size_model_parse() - a model by name: auto, mat, hotspot, hotspot-coh,
 * art, with ",reference=4" and the like (header, array_header, alignment) to
 * override a part
 * @text: becomes out->source, so it must live as long
 *
 * Headers that are not given follow from the reference. Alignments are powers
 * of two up to 256.
 * Returns: false if the text is none.
 */
bool hp_size_model_parse(const char *text, const struct hp_size_model *detected,
			 struct hp_size_model *out);

/*
 * Shallow bytes of one instance of a class whose chain is fine or broken; @c:
 * NULL: one without a dump, which counts as a header.
 */
uint64_t hp_instance_bytes(const struct hp_size_model *l,
			   const struct hp_class *c, unsigned id_size);
/* Shallow bytes of a class object: its statics. */
uint64_t hp_class_object_bytes(const struct hp_size_model *l,
			       const struct hp_class *c, unsigned id_size);
/*
 * Shallow bytes of an array of @n elements; @width: bytes of one as stored in
 * memory, which is l->reference for an array of objects.
 */
uint64_t hp_array_bytes(const struct hp_size_model *l, uint64_t n,
			unsigned width);

/*
 * Array lengths counted so that their sizes can be summed for any layout, once
 * it is known: exact for alignments up to 256. Zeroed at first, but for
 * residues and by_residue.
 */
struct hp_array_totals {
	uint64_t count, elements;
	/* how many arrays, by their number of elements modulo residues */
	uint32_t residues;    /* hp_array_residues(); a power of two */
	uint64_t *by_residue; /* owned by who made the tally */
};

/*
 * How many residues tell the padding of arrays apart: elements in 256 bytes.
 * @width: 1, 2, 4, 8; 0: references, whose width is not known yet.
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

/* The sum of hp_array_bytes() over all arrays counted. */
uint64_t hp_array_totals_bytes(const struct hp_size_model *l,
			       const struct hp_array_totals *t, unsigned width);

#endif
