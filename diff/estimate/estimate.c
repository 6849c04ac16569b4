/*
 * estimate.c - compute the size of a heap for other configurations of the JVM
 *
 * The size of an instance is the sum of its header, its fields, and the fields
 * that HotSpot itself adds to the class. The sizes of arrays are computed from
 * the counts of array lengths, for headers of any size. old_layout.c places
 * fields as old JDKs do.
 */
#include "diff/estimate/estimate.h"
#include "diff/estimate/internal.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/cli/quantity.h"
#include "common/model/java_string.h"
#include "diff/count/histogram.h"

enum { NEW = 0, OLD = 1 };

#define CONFIGURATION(jdk, option, reference, header, array_header, alignment, \
		      fields)                                                  \
	{jdk, option, reference, header, array_header, alignment, fields},
const struct hp_configuration hp_configurations[HP_CONFIGURATIONS] = {
#include "diff/estimate/configurations.def"
};

/*
 * The size of the fields that HotSpot adds to each class object: two pointers
 * to native data, and two numbers of 4 bytes.
 */
enum {
	CLASS_OBJECT_POINTERS = 2,
	CLASS_OBJECT_NUMBERS = 8,
	/*
	 * Number of references that HotSpot adds to a class object: 2 in JDK
	 * 25, 3 in JDK 8 to 21. CLASS_OBJECT_REFERENCES_MOST is the largest
	 * number that is tried.
	 */
	CLASS_OBJECT_REFERENCES = 2,
	CLASS_OBJECT_REFERENCES_MOST = 16,
};

struct estimator {
	const struct hp_histogram *g;
	const struct hp_size_model *now;
	unsigned id_size;
	/* the class java.lang.Class; NULL: the dump does not describe it */
	const struct hp_class *class_class;
	/*
	 * number of references that HotSpot has added to a class object, in the
	 * JVM that wrote the dump
	 */
	unsigned class_object_references;
	/*
	 * where the fields of each class end in an old JDK, see
	 * hp_old_layout(). old[0]: for references of 4 bytes; old[1]: for
	 * references of 8 bytes; old_now: for the header and the references of
	 * this dump
	 */
	uint64_t *old[2], *old_now;
	struct hp_estimates *out;
};

static struct hp_size_model
model_of(const struct hp_configuration *to)
{
	return (struct hp_size_model){.model = HP_SIZE_MODEL_HOTSPOT,
				      .reference = to->reference,
				      .header = to->header,
				      .array_header = to->array_header,
				      .alignment = to->alignment};
}

/*
 * Returns the bytes of the header and of all fields of an instance, without
 * gaps between them.
 */
static uint64_t
plain_bytes(const struct estimator *e, const struct hp_class *c,
	    unsigned header, unsigned reference)
{
	return header + c->data_size - c->references * e->id_size +
	       c->references * reference;
}

/* --- class objects -------------------------------------------------------- */

/*
 * Returns the number of bytes of a class object without its static fields. A
 * class object is an instance of java.lang.Class. @references: number of
 * references that HotSpot adds to it.
 */
static uint64_t
class_object_base(const struct estimator *e, unsigned header,
		  unsigned reference, unsigned references, unsigned pointer)
{
	return hp_align_up(plain_bytes(e, e->class_class, header, reference) +
				   CLASS_OBJECT_POINTERS * pointer +
				   CLASS_OBJECT_NUMBERS +
				   (uint64_t)references * reference,
			   8);
}

/*
 * Find the class java.lang.Class, and the number of references that HotSpot
 * must have added to explain the measured size of class objects. Because of
 * padding, several numbers may explain this size; then use the one that is
 * closest to the usual number. If no number explains the size, class_class
 * becomes NULL.
 */
static void
find_class_class(struct estimator *e)
{
	const struct hp_size_model *l = e->now;
	uint64_t measured = l->measured ? l->measured->class_object : 0;
	unsigned n = CLASS_OBJECT_REFERENCES;

	if (measured)
		e->class_class = hp_boot_class(&e->g->classes, &e->g->tables,
					       "java/lang/Class");
	if (!e->class_class)
		return;
	while (n < CLASS_OBJECT_REFERENCES_MOST &&
	       class_object_base(e, l->header, l->reference, n, e->id_size) <
		       measured)
		n++;
	while (n > 0 && class_object_base(e, l->header, l->reference, n,
					  e->id_size) > measured)
		n--;
	e->class_object_references = n;
	if (class_object_base(e, l->header, l->reference, n, e->id_size) !=
	    measured)
		e->class_class = NULL;
}

static uint64_t
estimated_base(const struct estimator *e, const struct hp_configuration *to)
{
	if (e->class_class)
		return class_object_base(e, to->header, to->reference,
					 e->class_object_references, 8);
	return e->now->measured ? e->now->measured->class_object : 0;
}

static void
add_class_objects(const struct estimator *e, struct hp_class *const *list,
		  size_t n)
{
	const struct hp_histogram *g = e->g;
	struct hp_estimates *out = e->out;
	uint64_t base[HP_CONFIGURATIONS];

	for (size_t k = 0; k < HP_CONFIGURATIONS; k++)
		base[k] = estimated_base(e, &hp_configurations[k]);
	for (size_t i = 0; i < n; i++) {
		const struct hp_class *c = list[i];
		const uint64_t statics[2] = {
			hp_class_static_bytes(c, &g->tables, 4),
			hp_class_static_bytes(c, &g->tables, 8)};

		out->objects++;
		hp_sum_add(&out->now,
			   hp_class_object_bytes(e->now, c, e->id_size));
		for (size_t k = 0; k < HP_CONFIGURATIONS; k++) {
			const struct hp_configuration *to =
				&hp_configurations[k];

			hp_sum_add(
				&out->bytes[k],
				hp_align_up(base[k] +
						    statics[to->reference == 8],
					    to->alignment));
		}
	}
}

/* --- instances ------------------------------------------------------------ */

/*
 * Returns the number of bytes of the fields that HotSpot adds to the instances
 * of a class: the measured size minus the size that the size model gives. A
 * part of this difference may be padding, so the result is the smallest number
 * that explains the measured size.
 */
static uint64_t
added_bytes(const struct estimator *e, const struct hp_class *c)
{
	const struct hp_size_model *l = e->now;
	uint64_t size = hp_instance_bytes(l, c, e->id_size);
	uint64_t model = plain_bytes(e, c, l->header, l->reference);
	unsigned padding = l->alignment > 8 ? l->alignment - 8 : 0;

	if (!l->measured || c->chain != HP_CHAIN_FINE)
		return 0;
	/*
	 * the size model "mat" (of Eclipse MAT) was chosen because it fits
	 * best; it fits dumps of old JDKs
	 */
	if (l->model == HP_SIZE_MODEL_MAT && e->old_now[c->index] > model)
		model = e->old_now[c->index];
	model = hp_align_up(model, 8) + padding;
	return size > model ? size - model : 0;
}

static uint64_t
instance_bytes(const struct estimator *e, const struct hp_class *c,
	       uint64_t added, const struct hp_configuration *to)
{
	uint64_t bytes;

	if (!c)
		return hp_align_up(to->header, to->alignment);
	if (c == e->class_class)
		return hp_align_up(estimated_base(e, to), to->alignment);
	bytes = to->old_fields ? e->old[to->reference == 8][c->index]
			       : plain_bytes(e, c, to->header, to->reference);
	/* the fields that HotSpot adds begin where the other fields end */
	return hp_align_up(hp_align_up(bytes, 8) + added, to->alignment);
}

static void
add_instances(const struct estimator *e, const struct hp_tally *t)
{
	const struct hp_class *c =
		e->g->have_classes ? hp_classes_get(&e->g->classes, t->key.id)
				   : NULL;
	uint64_t added = c ? added_bytes(e, c) : 0;

	hp_sum_add(&e->out->now,
		   t->count * hp_instance_bytes(e->now, c, e->id_size));
	for (size_t k = 0; k < HP_CONFIGURATIONS; k++)
		hp_sum_add(&e->out->bytes[k],
			   t->count * instance_bytes(e, c, added,
						     &hp_configurations[k]));
}

/* --- arrays --------------------------------------------------------------- */

static void
add_arrays(const struct estimator *e, const struct hp_tally *t)
{
	unsigned width = t->key.kind == HP_TALLY_OBJECT_ARRAYS
				 ? 0
				 : hp_type_size((unsigned)t->key.id, 4);

	hp_sum_add(&e->out->now,
		   hp_tally_array_bytes(t, e->now,
					width ? width : e->now->reference));
	for (size_t k = 0; k < HP_CONFIGURATIONS; k++) {
		struct hp_size_model l = model_of(&hp_configurations[k]);

		hp_sum_add(&e->out->bytes[k],
			   hp_tally_array_bytes(t, &l,
						width ? width : l.reference));
	}
}

/* -------------------------------------------------------------------------- */

static bool
find_old_layouts(struct estimator *e)
{
	const struct hp_classes *classes = &e->g->classes;

	e->old[0] = hp_old_layout(classes, 12, 4);
	e->old[1] = hp_old_layout(classes, 16, 8);
	e->old_now = hp_old_layout(classes, e->now->header, e->now->reference);
	return e->old[0] && e->old[1] && e->old_now;
}

enum hp_status
hp_estimate_make(const struct hp_histogram *g, const struct hp_size_model *now,
		 struct hp_estimates *out, struct hp_error *err)
{
	struct estimator e = {
		.g = g, .now = now, .id_size = g->header.id_size, .out = out};
	const struct hp_classes *classes = &g->classes;
	bool fine = true;

	*out = (struct hp_estimates){0};
	if (now->model == HP_SIZE_MODEL_ART)
		return hp_fail(err, HP_DAMAGED,
			       "--estimate needs a dump of a JVM; on Android, "
			       "objects have only one layout");
	if (g->have_classes) {
		fine = find_old_layouts(&e);
		find_class_class(&e);
		if (fine) {
			add_class_objects(&e, classes->list, classes->count);
			add_class_objects(&e, classes->duplicates,
					  classes->nduplicates);
		}
	}
	for (size_t i = 0; fine && i < g->tallies.count; i++) {
		const struct hp_tally *t = g->tallies.list[i];

		out->objects += t->count;
		if (t->key.kind == HP_TALLY_INSTANCES)
			add_instances(&e, t);
		else
			add_arrays(&e, t);
	}
	hp_free(e.old[0]);
	hp_free(e.old[1]);
	hp_free(e.old_now);
	return fine ? HP_OK : hp_no_memory(err);
}
