/*
 * size_model.c - compute shallow sizes, and choose the size model of a dump
 *
 * A dump does not contain the sizes of objects in memory. They are computed
 * with a model, which is chosen by facts that a pass has collected, such as
 * addresses of objects.
 */
#include "common/model/size_model.h"
#include "common/base/bytes.h"

#include <string.h>

enum { ALIGNMENT_MIN = 8, ALIGNMENT_MAX = 256 };

void
hp_size_hints_merge(struct hp_size_hints *into,
		    const struct hp_size_hints *from)
{
	into->id_bits |= from->id_bits;
	into->overlap |= from->overlap;
}

/*
 * Set the sizes of headers in @l as Eclipse MAT computes them. @pointer: the
 * size of a pointer in bytes. The size of references must already be set in @l.
 */
static void
set_headers(struct hp_size_model *l, unsigned pointer)
{
	l->header = pointer + l->reference;
	l->array_header = (unsigned)hp_align_up(l->header + 4, l->reference);
}

void
hp_size_model_set_compact(struct hp_size_model *l)
{
	l->header = 8;
	l->array_header = 12;
}

/* Set the size model of ART (Android). */
static void
set_art(struct hp_size_model *l)
{
	l->model = HP_SIZE_MODEL_ART;
	l->reference = 4;
	hp_size_model_set_compact(l);
	l->alignment = 8;
}

struct hp_size_model
hp_size_model_detect(const struct hp_size_hints *h, unsigned id_size,
		     bool android)
{
	struct hp_size_model l = {.model = HP_SIZE_MODEL_MAT, .source = "auto"};
	uint64_t lowest = h->id_bits & (~h->id_bits + 1);

	if (android) {
		set_art(&l);
		return l;
	}
	l.reference = id_size == 8 && h->overlap ? 4 : id_size;
	if (lowest < ALIGNMENT_MIN)
		l.alignment = ALIGNMENT_MIN;
	else if (lowest > ALIGNMENT_MAX)
		l.alignment = ALIGNMENT_MAX;
	else
		l.alignment = (unsigned)lowest;
	set_headers(&l, id_size);
	return l;
}

/* The values of a size model that the argument of --layout can set. */
enum part { REFERENCE, HEADER, ARRAY_HEADER, ALIGNMENT, PARTS };

/*
 * Parse one setting of the form "name=number", such as "header=16". @text has
 * @n bytes. Returns false if the setting is invalid.
 */
static bool
parse_override(const char *text, size_t n, unsigned values[PARTS])
{
	static const char *const names[PARTS] = {
		"reference=", "header=", "array_header=", "alignment="};
	unsigned v = 0;
	size_t i, at;

	for (i = 0; i < PARTS; i++) {
		at = strlen(names[i]);
		if (n <= at || n > at + 3 || memcmp(text, names[i], at) != 0)
			continue;
		for (; at < n; at++) {
			if (text[at] < '0' || text[at] > '9')
				return false;
			v = v * 10 + (unsigned)(text[at] - '0');
		}
		values[i] = v;
		return v > 0;
	}
	return false;
}

/*
 * Parse @list, settings of the form "name=number"; NULL: no settings. Returns
 * false if a setting is invalid or out of range.
 */
static bool
parse_overrides(const char *list, unsigned values[PARTS])
{
	struct hp_slice item;

	while (hp_list_next(&list, &item))
		if (!parse_override(item.text, item.length, values))
			return false;
	return (values[REFERENCE] == 0 || values[REFERENCE] == 4 ||
		values[REFERENCE] == 8) &&
	       values[HEADER] <= 256 && values[ARRAY_HEADER] <= 256 &&
	       values[ALIGNMENT] <= ALIGNMENT_MAX &&
	       (values[ALIGNMENT] & (values[ALIGNMENT] - 1)) == 0;
}

static bool
set_model(struct hp_size_model *l, const char *name, size_t n, unsigned pointer)
{
	static const char *const names[] = {"auto",	   "mat", "hotspot",
					    "hotspot-coh", "art", "measured"};
	size_t i = 0;

	while (i < HP_ARRAY_LEN(names) &&
	       (strlen(names[i]) != n || memcmp(names[i], name, n) != 0))
		i++;
	switch (i) {
	case 0:
	case 5:
		return true;
	case 1:
		l->model = HP_SIZE_MODEL_MAT;
		set_headers(l, pointer);
		return true;
	case 2:
		l->model = HP_SIZE_MODEL_HOTSPOT;
		set_headers(l, pointer);
		return true;
	case 3:
		l->model = HP_SIZE_MODEL_HOTSPOT;
		hp_size_model_set_compact(l);
		return true;
	case 4:
		set_art(l);
		return true;
	default:
		return false;
	}
}

bool
hp_size_model_parse(const char *text, const struct hp_size_model *detected,
		    struct hp_size_model *out)
{
	unsigned pointer = detected->header - detected->reference;
	const char *rest = text;
	struct hp_slice name = {"", 0};
	/*
	 * The values that the text sets for the parts of the model. 0: use the
	 * value of the model.
	 */
	unsigned values[PARTS] = {0};
	struct hp_size_model l = *detected;
	unsigned *const parts[PARTS] = {&l.reference, &l.header,
					&l.array_header, &l.alignment};

	if (!hp_list_next(&rest, &name) || !parse_overrides(rest, values))
		return false;
	if (values[REFERENCE] != 0) {
		l.reference = values[REFERENCE];
		if (l.model != HP_SIZE_MODEL_ART)
			set_headers(&l, pointer);
	}
	if (!set_model(&l, name.text, name.length, pointer))
		return false;
	for (unsigned i = 0; i < PARTS; i++)
		if (values[i] != 0)
			*parts[i] = values[i];
	l.source = strcmp(text, "auto") == 0 || strcmp(text, "measured") == 0
			   ? "auto"
			   : text;
	*out = l;
	return true;
}

/*
 * Returns the size in bytes of all fields of an instance in memory. References
 * may have another size in memory than in the dump.
 */
static uint64_t
plain_fields(const struct hp_size_model *l, const struct hp_class *c,
	     unsigned id_size)
{
	return c->data_size - c->references * id_size +
	       c->references * l->reference;
}

/*
 * Returns the size of an instance as Eclipse MAT computes it: after the fields
 * of each class below java.lang.Object, the size is rounded up to the reference
 * size. The header and the fields of the first class below Object are rounded
 * up together.
 */
static uint64_t
mat_instance(const struct hp_size_model *l, const struct hp_class *c)
{
	unsigned i = l->reference == 8, r = l->reference;

	if (c->super_id == 0)
		return l->header;
	return hp_align_up(l->header + c->below_root[i], r) + c->rounded[i] -
	       hp_align_up(c->below_root[i], r);
}

uint64_t
hp_instance_bytes(const struct hp_size_model *l, const struct hp_class *c,
		  unsigned id_size)
{
	const struct hp_measured_sizes *m = l->measured;
	uint64_t bytes;

	if (m && c && c->index < m->classes && m->instances[c->index])
		return m->instances[c->index];
	if (!c)
		bytes = l->header;
	else if (l->model == HP_SIZE_MODEL_MAT)
		bytes = mat_instance(l, c);
	else if (l->model == HP_SIZE_MODEL_ART && c->instance_size > 0)
		bytes = c->instance_size;
	else
		bytes = l->header + plain_fields(l, c, id_size);
	return hp_align_up(bytes, l->alignment);
}

uint64_t
hp_instance_padding(const struct hp_size_model *l, const struct hp_class *c,
		    unsigned id_size)
{
	uint64_t bytes = hp_instance_bytes(l, c, id_size), model, used;
	struct hp_size_model plain = *l;

	if (!c || c->chain != HP_CHAIN_FINE)
		return 0;
	plain.measured = NULL;
	model = hp_instance_bytes(&plain, c, id_size);
	/*
	 * If the measured size is only a little larger, HotSpot has added
	 * fields to the class. They are not padding. (Padding for @Contended
	 * has more bytes.)
	 */
	if (bytes > model && bytes - model < HP_SIZE_CONTENDED)
		bytes = model;
	used = l->model == HP_SIZE_MODEL_ART && c->instance_size > 0
		       ? c->instance_size
		       : l->header + plain_fields(l, c, id_size);
	return bytes > used ? bytes - used : 0;
}

uint64_t
hp_class_object_bytes(const struct hp_size_model *l, const struct hp_class *c,
		      unsigned id_size)
{
	const struct hp_measured_sizes *m = l->measured;
	uint64_t bytes = 0;
	uint32_t i;

	if (m && c->index < m->classes && m->class_objects[c->index])
		return m->class_objects[c->index];
	for (i = 0; i < c->nstatics; i++)
		bytes += hp_type_is_reference(c->statics[i].type)
				 ? l->reference
				 : hp_type_size(c->statics[i].type, id_size);
	return hp_align_up(bytes, l->alignment);
}

/*
 * Returns the offset of the first element in an array, in bytes. ART aligns
 * elements of 8 bytes.
 */
static uint64_t
elements_at(const struct hp_size_model *l, unsigned width)
{
	return l->model == HP_SIZE_MODEL_ART
		       ? hp_align_up(l->array_header, width)
		       : l->array_header;
}

uint64_t
hp_array_bytes(const struct hp_size_model *l, uint64_t n, unsigned width)
{
	return hp_align_up(elements_at(l, width) + n * width, l->alignment);
}

uint64_t
hp_array_totals_bytes(const struct hp_size_model *l,
		      const struct hp_array_totals *t, unsigned width)
{
	uint64_t base = elements_at(l, width), bytes, end;
	uint32_t i;

	bytes = t->count * base + t->elements * width;
	for (i = 0; i < t->residues; i++) {
		end = base + (uint64_t)i * width;
		bytes += t->by_residue[i] *
			 (hp_align_up(end, l->alignment) - end);
	}
	return bytes;
}
