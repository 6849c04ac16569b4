/*
 * sizes.h - shallow sizes: the layout models, and which one fits
 */
#ifndef HP_MODEL_SIZES_H
#define HP_MODEL_SIZES_H

#include "common/model/classes.h"

enum hp_layout_model {
	HP_LAYOUT_MAT,	   /* Eclipse MAT's formula; also hotspot's */
	HP_LAYOUT_HOTSPOT, /* plain sum of fields after the header */
	HP_LAYOUT_ART,	   /* the class's instance size field */
};

struct hp_layout {
	enum hp_layout_model model;
	unsigned reference, header, array_header, alignment; /* bytes */
	const char *source; /* "auto", or the name given to --layout */
};

/* What a pass gathers to detect a layout; merge by hp_layout_hints_merge(). */
struct hp_layout_hints {
	uint64_t id_bits;      /* or of all object ids */
	bool overlap;	       /* two object arrays would overlap with 8-byte
				  references: they are compressed */
	uint64_t last_array, last_array_end; /* within one batch only */
};

static inline void
hp_layout_hint_object(struct hp_layout_hints *h, uint64_t id)
{
	h->id_bits |= id;
}

/* An object array; call hp_layout_hints_batch() when a batch begins. */
static inline void
hp_layout_hint_array(struct hp_layout_hints *h, uint64_t id, uint32_t n)
{
	if (id > h->last_array && id < h->last_array_end)
		h->overlap = true;
	h->last_array = id;
	h->last_array_end = id + 16 + 8 * (uint64_t)n;
}

static inline void
hp_layout_hints_batch(struct hp_layout_hints *h)
{
	h->last_array = UINT64_MAX;
	h->last_array_end = 0;
}

void hp_layout_hints_merge(struct hp_layout_hints *into,
			   const struct hp_layout_hints *from);

/**
 * hp_layout_detect() - the layout that a dump's writer and hints suggest
 * Source: HprofParserHandlerImpl.java of Eclipse MAT (alignment, references)
 */
struct hp_layout hp_layout_detect(const struct hp_layout_hints *h,
				  unsigned id_size, bool android);

/**
 * hp_layout_parse() - a model by name: mat, hotspot, hotspot-coh, art, with
 * ",reference=4" and the like to override a part
 *
 * Returns: false if the text is none.
 */
bool hp_layout_parse(const char *text, const struct hp_layout *detected,
		     struct hp_layout *out);

/* Shallow bytes of one instance of a class whose chain is fine or broken. */
uint64_t hp_instance_bytes(const struct hp_layout *l, const struct hp_class *c,
			   unsigned id_size);
/* Shallow bytes of a class object: its statics. */
uint64_t hp_class_object_bytes(const struct hp_layout *l,
			       const struct hp_class *c, unsigned id_size);
/* Shallow bytes of an array; @width: of an element as stored in memory. */
uint64_t hp_array_bytes(const struct hp_layout *l, uint64_t n, unsigned width);

/*
 * Array lengths counted so that their sizes can be summed for any layout, once
 * it is known: exact for alignments up to 256. Zeroed at first.
 */
struct hp_array_tally {
	uint64_t count, elements;
	/* by the length's bytes modulo 256, in units of the element */
	uint32_t residues; /* how many: 256 / element width */
	uint64_t *by_residue; /* owned by who made the tally */
};

uint64_t hp_array_tally_bytes(const struct hp_layout *l,
			      const struct hp_array_tally *t, unsigned width);

#endif
