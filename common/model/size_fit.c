/*
 * size_fit.c - measure the sizes of objects by the distances between them in
 * memory, and choose the layout model that fits these sizes
 *
 * The distance from an object to the next one is never smaller than the object.
 * The distance is larger if there is a gap: garbage that is not in the dump, or
 * the end of a memory region of the JVM. If the smallest distance for a class
 * is larger than the size in the chosen layout model, the distance is used as
 * the size only if a gap is unlikely.
 */
#include "common/model/size_fit.h"
#include "common/base/bytes.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	/*
	 * A layout model is chosen only if at least this many classes have a
	 * reliable size. The size of a class is reliable if the smallest
	 * distance from its objects to the next object occurs several times.
	 */
	CLASSES_LEAST = 24,
	/*
	 * To find out how frequent gaps are in the heap, use only classes for
	 * which at least this many distances from an object to the next one
	 * were measured.
	 */
	DISTANCES_FOR_GAPS = 10,
	/* maximum bytes of the fields that HotSpot itself adds to a class */
	ADDED_MOST = 24,
	/*
	 * A heap is tidy (has few gaps between objects) if fewer than one in
	 * TIDY objects has a gap after it.
	 */
	TIDY = 200,
	/*
	 * If the smallest distance from objects of a class to the next objects
	 * occurs at least this many times, there is no gap: the distance is the
	 * size of the objects.
	 */
	OFTEN = 3,
	CLASS_OBJECT_LEAST = 32,
	/*
	 * A measured size of class objects is rare if fewer than one in RARE
	 * class objects has it.
	 */
	RARE = 64,
};

void
hp_distances_merge(struct hp_distances *into, const struct hp_distances *from)
{
	into->all += from->all;
	if (from->times == 0)
		return;
	if (into->times == 0 || from->least < into->least) {
		into->least = from->least;
		into->times = from->times;
	} else if (from->least == into->least) {
		into->times += from->times;
	}
}

enum hp_status
hp_size_evidence_init(struct hp_size_evidence *e, const struct hp_classes *c,
		      struct hp_error *err)
{
	memset(e, 0, sizeof(*e));
	e->classes = hp_calloc(c->count + 1, sizeof(*e->classes));
	e->counts = hp_calloc(c->count + 1, sizeof(*e->counts));
	return e->classes && e->counts ? HP_OK : hp_no_memory(err);
}

void
hp_size_evidence_release(struct hp_size_evidence *e)
{
	hp_free(e->classes);
	hp_free(e->counts);
	memset(e, 0, sizeof(*e));
}

void
hp_measured_sizes_release(struct hp_measured_sizes *m)
{
	hp_free(m->instances);
	hp_free(m->class_objects);
	hp_free(m->notes);
	memset(m, 0, sizeof(*m));
}

/* --- class objects -------------------------------------------------------- */

uint64_t
hp_class_static_bytes(const struct hp_class *c, const struct hp_tables *t,
		      unsigned reference)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < c->nstatics; i++) {
		const struct hp_string *name =
			hp_tables_string(t, c->statics[i].name);

		/*
		 * HotSpot dumps <resolved_references> and <init_lock> as static
		 * fields. But they are not stored in the class object, so do
		 * not count them.
		 */
		if (!name || name->length == 0 || name->data[0] != '<')
			bytes += hp_type_size(c->statics[i].type, reference);
	}
	return hp_align_up(bytes, 8);
}

void
hp_size_evidence_class_object(struct hp_size_evidence *e,
			      const struct hp_class *c,
			      const struct hp_tables *t, uint64_t distance)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t fields = hp_class_static_bytes(c, t, i ? 8 : 4);

		if (distance >= fields &&
		    (distance - fields) / 8 < HP_CLASS_OBJECT_SIZES)
			e->class_objects[i][(distance - fields) / 8]++;
	}
}

/*
 * Returns the size of a class object without its static fields: the smallest
 * measured size that is not rare; 0: not known.
 */
static uint64_t
class_object_base(const struct hp_size_evidence *e,
		  const struct hp_size_model *l)
{
	const uint64_t *times = e->class_objects[l->reference == 8];
	uint64_t all = 0;
	unsigned i;

	for (i = 0; i < HP_CLASS_OBJECT_SIZES; i++)
		all += times[i];
	for (i = CLASS_OBJECT_LEAST / 8; i < HP_CLASS_OBJECT_SIZES; i++)
		if (times[i] > 1 && times[i] >= all / RARE)
			return (uint64_t)i * 8;
	return 0;
}

void
hp_measured_class_objects(struct hp_measured_sizes *m,
			  const struct hp_classes *c, const struct hp_tables *t,
			  const struct hp_size_model *l, uint64_t base)
{
	uint64_t bytes;

	m->class_object = base;
	for (size_t n = 0; n < c->count; n++) {
		const struct hp_class *k = c->list[n];

		bytes = hp_align_up(
			base + hp_class_static_bytes(k, t, l->reference),
			l->alignment);
		m->class_objects[k->index] =
			base > 0 && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
	}
}

/* --- the layout ----------------------------------------------------------- */

/*
 * Count the classes whose instance size in the layout model @l equals the
 * smallest distance from an instance to the next object. *@of receives the
 * number of classes that can be compared.
 */
static size_t
count_agreeing(const struct hp_size_evidence *e, const struct hp_classes *c,
	       const struct hp_size_model *l, unsigned id_size, size_t *of)
{
	size_t agree = 0;

	*of = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct hp_class *k = c->list[i];
		const struct hp_distances *d = &e->classes[k->index];

		if (d->times < 2 || k->chain != HP_CHAIN_FINE)
			continue;
		++*of;
		agree += hp_instance_bytes(l, k, id_size) == d->least;
	}
	return agree;
}

/*
 * Whether two object arrays in the dump would overlap if references had 8
 * bytes. In this case, references have 4 bytes.
 */
static bool
wide_overlap(const struct hp_size_evidence *e)
{
	return e->wide.times > 0 && e->wide.least < 12;
}

/*
 * Whether arrays can have a header of @header bytes before the first element.
 * The distance from an array to the next object, minus the elements, must be at
 * least @header bytes for all arrays, and exactly @header bytes for some.
 * Arrays with elements of 8 bytes are not used, because of their alignment.
 */
static bool
fits_arrays(const struct hp_size_evidence *e, unsigned header)
{
	bool exact = false;

	for (unsigned t = HP_TYPE_BOOLEAN; t < HP_TYPE_END; t++) {
		const struct hp_distances *d = &e->arrays[t];

		if (d->times == 0 || hp_type_size(t, 4) == 8)
			continue;
		if (d->least < header)
			return false;
		exact |= d->least == header;
	}
	return exact;
}

/*
 * Returns the number of bytes before the first element of an array. It is
 * measured by the distances from arrays to the next objects.
 */
static unsigned
fit_array_header(const struct hp_size_evidence *e,
		 const struct hp_size_model *l)
{
	static const unsigned sizes[] = {12, 16, 20, 24};

	for (unsigned i = 0; i < HP_ARRAY_LEN(sizes); i++)
		if (sizes[i] >= l->header + 4 && fits_arrays(e, sizes[i]))
			return sizes[i];
	/*
	 * The size of the array header could not be measured. So assume that it
	 * consists of the object header and the length.
	 */
	return l->header + 4;
}

/*
 * Choose the layout model that agrees with most measured sizes. Returns false
 * if no model agrees with any of them.
 */
static bool
fit_layout(const struct hp_size_evidence *e, const struct hp_classes *c,
	   unsigned id_size, struct hp_size_model *out)
{
	static const unsigned headers[] = {12, 16, 8};
	size_t best = 0, of = 0, n;
	struct hp_size_model l = *out;

	for (unsigned i = 0; i < 2 * 2 * HP_ARRAY_LEN(headers); i++) {
		l.reference = i & 2 ? 8 : 4;
		l.model = i & 1 ? HP_SIZE_MODEL_MAT : HP_SIZE_MODEL_HOTSPOT;
		l.header = headers[i / 4];
		if (id_size == 4 ? l.reference == 8 || l.header != 8
				 : l.reference == 8 && wide_overlap(e))
			continue;
		n = count_agreeing(e, c, &l, id_size, &of);
		if (n > best) {
			best = n;
			*out = l;
		}
	}
	if (of < CLASSES_LEAST || best < of / 3 * 2)
		return false;
	out->array_header = fit_array_header(e, out);
	return true;
}

/* --- single classes ------------------------------------------------------- */

/*
 * The data for deciding whether a distance between objects is the size of an
 * object.
 */
struct judge {
	const struct hp_size_evidence *e;
	const struct hp_classes *classes;
	const struct hp_size_model *l;
	unsigned id_size;
	bool tidy;
	/*
	 * more[hp_class.index]: for the objects of the class and its
	 * subclasses, the distance in bytes to the next object, minus the size
	 * of the object in the layout model.
	 */
	struct hp_distances *more;
	/*
	 * added[hp_class.index]: the number of bytes that HotSpot adds to the
	 * fields of the class.
	 */
	uint64_t *added;
};

/*
 * Whether the heap has few gaps between objects: most distances equal the
 * smallest distance of their class.
 */
static bool
is_tidy(const struct hp_size_evidence *e, size_t classes)
{
	uint64_t gaps = 0, all = 0;

	for (size_t i = 0; i < classes; i++) {
		const struct hp_distances *d = &e->classes[i];

		if (d->all < DISTANCES_FOR_GAPS)
			continue;
		gaps += d->all - d->times;
		all += d->all;
	}
	return gaps < all / TIDY;
}

/*
 * Whether @more bytes after the known fields of a class are part of its
 * objects, and not a gap. HotSpot adds a few fields to some classes, and at
 * least 128 bytes of padding to fields with the annotation @Contended. @times:
 * the number of objects that have these bytes.
 */
static bool
is_added(const struct judge *j, uint64_t more, uint64_t times)
{
	if (times >= OFTEN)
		return j->tidy || more <= ADDED_MOST ||
		       more >= HP_SIZE_CONTENDED;
	return j->tidy && (more <= ADDED_MOST ||
			   (more >= HP_SIZE_CONTENDED && j->e->complete));
}

/*
 * @d: the measured distances from objects of the class @c to the next objects.
 * Returns whether the smallest distance can be the size of the objects of @c in
 * the chosen layout model.
 */
static bool
is_possible(const struct judge *j, const struct hp_class *c,
	    const struct hp_distances *d)
{
	struct hp_size_model packed = *j->l;

	packed.model = HP_SIZE_MODEL_HOTSPOT;
	return d->times > 0 && c->chain == HP_CHAIN_FINE &&
	       d->least <= UINT32_MAX && d->least % j->l->alignment == 0 &&
	       d->least >= hp_instance_bytes(&packed, c, j->id_size);
}

/*
 * Returns the size of the instances of a class. *@measured receives true if the
 * size was measured, and false if it was computed with the layout model. Call
 * it for super classes first.
 */
static uint64_t
judge_class(const struct judge *j, const struct hp_class *c, bool *measured)
{
	const struct hp_distances *d = &j->e->classes[c->index];
	const struct hp_distances *more = &j->more[c->index];
	uint64_t model = hp_instance_bytes(j->l, c, j->id_size), added = 0;

	if (c->super && c->super->index < j->classes->count)
		added = j->added[c->super->index];
	/*
	 * `more` also includes objects of subclasses, so even an abstract class
	 * can have added bytes.
	 */
	if (more->times > 0 && more->least > added &&
	    is_added(j, more->least - added, more->times))
		added = more->least;
	j->added[c->index] = added;
	model += added;
	*measured =
		is_possible(j, c, d) &&
		(d->least <= model || is_added(j, d->least - model, d->times));
	return *measured ? d->least : model;
}

/*
 * Compute j->more: for each class, the distances from its objects to the next
 * objects, minus the size in the layout model. The result of a class includes
 * all its subclasses.
 */
static void
sum_up(struct judge *j, struct hp_class *const *topmost_first)
{
	for (size_t n = j->classes->count; n-- > 0;) {
		const struct hp_class *c = topmost_first[n];
		const struct hp_distances *d = &j->e->classes[c->index];
		uint64_t model = hp_instance_bytes(j->l, c, j->id_size);
		struct hp_distances own = {.times = d->times, .all = d->all};

		if (is_possible(j, c, d)) {
			own.least = d->least > model ? d->least - model : 0;
			hp_distances_merge(&j->more[c->index], &own);
		}
		if (c->super && c->super->index < j->classes->count)
			hp_distances_merge(&j->more[c->super->index],
					   &j->more[c->index]);
	}
}

/*
 * Whether the measured sizes of arrays with elements of type @type agree with
 * the layout model.
 */
static bool
array_is_measured(const struct judge *j, unsigned type)
{
	const struct hp_distances *d =
		type == HP_TYPE_OBJECT && j->l->reference == 8
			? &j->e->wide
			: &j->e->arrays[type];
	unsigned width = hp_type_size(type, j->l->reference);
	uint64_t first = hp_align_up(j->l->array_header, width);

	return d->times > 0 && d->least >= first &&
	       d->least < first + j->l->alignment;
}

static bool
is_class_of_classes(const struct hp_class *c, const struct hp_tables *t)
{
	static const char name[] = "java/lang/Class";
	const struct hp_string *s = hp_tables_class_name(t, c->id);

	return s && s->length == sizeof(name) - 1 &&
	       memcmp(s->data, name, s->length) == 0;
}

/*
 * Determine the sizes of the instances of all classes. @order: all classes,
 * super classes first.
 */
static void
judge_classes(struct judge *j, struct hp_class *const *order,
	      const struct hp_tables *t, struct hp_measured_sizes *m)
{
	uint64_t base = class_object_base(j->e, j->l), bytes;
	bool measured;

	sum_up(j, order);
	for (size_t n = 0; n < j->classes->count; n++) {
		const struct hp_class *c = order[n];
		uint64_t count = j->e->counts[c->index];

		bytes = judge_class(j, c, &measured);
		if (base > 0 && !measured && is_class_of_classes(c, t))
			bytes = hp_align_up(base, j->l->alignment);
		if (bytes <= UINT32_MAX)
			m->instances[c->index] = (uint32_t)bytes;
		m->notes[c->index] = (measured ? HP_SIZE_IS_MEASURED : 0) |
				     (count > 0 ? HP_SIZE_HAS_OBJECTS : 0);
		m->objects += measured ? count : 0;
		m->all += count;
	}
	hp_measured_class_objects(m, j->classes, t, j->l, base);
	m->objects += base > 0 ? j->classes->count : 0;
	m->all += j->classes->count + j->classes->nduplicates;
	for (unsigned i = 0; i < HP_TYPE_END; i++) {
		m->all += j->e->array_counts[i];
		if (array_is_measured(j, i))
			m->objects += j->e->array_counts[i];
	}
}

static enum hp_status
judge_all(struct judge *j, const struct hp_tables *t,
	  struct hp_measured_sizes *m, struct hp_error *err)
{
	size_t n = j->classes->count;
	struct hp_class **order = hp_classes_topmost_first(j->classes);
	bool fine;

	m->classes = n;
	m->instances = hp_calloc(n + 1, sizeof(*m->instances));
	m->class_objects = hp_calloc(n + 1, sizeof(*m->class_objects));
	m->notes = hp_calloc(n + 1, sizeof(*m->notes));
	j->more = hp_calloc(n + 1, sizeof(*j->more));
	j->added = hp_calloc(n + 1, sizeof(*j->added));
	fine = order && m->instances && m->class_objects && m->notes &&
	       j->more && j->added;
	if (fine)
		judge_classes(j, order, t, m);
	hp_free(order);
	hp_free(j->more);
	hp_free(j->added);
	return fine ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_size_fit(const struct hp_size_evidence *e, const struct hp_classes *c,
	    const struct hp_tables *t, unsigned id_size,
	    struct hp_size_model *model, struct hp_measured_sizes *m,
	    struct hp_error *err)
{
	struct hp_size_model l = *model;
	struct judge j = {.e = e, .classes = c, .l = &l, .id_size = id_size};
	enum hp_status st;

	memset(m, 0, sizeof(*m));
	l.measured = NULL;
	if (model->model == HP_SIZE_MODEL_ART || !fit_layout(e, c, id_size, &l))
		return HP_OK;
	j.tidy = is_tidy(e, c->count);
	st = judge_all(&j, t, m, err);
	if (st != HP_OK)
		return st;
	*model = l;
	model->source = "measured";
	model->measured = m;
	return HP_OK;
}
