/*
 * measure.c - collect the distances between objects, by class and array type
 *
 * Each class has two sets of distances. The first is from an object to the next
 * object in the dump, and is known for all objects. The second is to the next
 * object in memory, and is known for a sample of the objects. Both distances
 * are at least the size of the object, so the smaller one is closer to the size
 * and is used.
 */
#include "diff/count/histogram.h"

#include "common/base/memory.h"

enum hp_status
hp_measure_init(struct hp_measure *m, const struct hp_classes *classes,
		const struct hp_tables *tables, struct hp_error *err)
{
	*m = (struct hp_measure){.classes = classes, .tables = tables};
	return hp_size_evidence_init(&m->evidence, classes, err);
}

void
hp_measure_release(struct hp_measure *m)
{
	hp_size_evidence_release(&m->evidence);
}

static void
class_object(void *ctx, uint64_t id, uint64_t distance)
{
	struct hp_measure *m = ctx;
	const struct hp_class *c = hp_classes_get(m->classes, id);

	if (c)
		hp_size_evidence_class_object(&m->evidence, c, m->tables,
					      distance);
}

enum hp_status
hp_measure_sample(struct hp_measure *m, struct hp_heap_sample *sample,
		  struct hp_error *err)
{
	m->evidence.complete = sample->level == 0;
	return hp_heap_sample_measure(sample, &m->evidence.wide, class_object,
				      m)
		       ? HP_OK
		       : hp_no_memory(err);
}

/*
 * Choose between two sets of distances: those to the next object in memory
 * (@d), and those to the next object in the dump (@in_dump). Store in @d the
 * set whose smallest distance is smaller.
 */
static void
choose(struct hp_distances *d, const struct hp_distances *in_dump)
{
	if (d->times == 0 ||
	    (in_dump->times > 0 &&
	     (in_dump->least < d->least ||
	      (in_dump->least == d->least && in_dump->times > d->times))))
		*d = *in_dump;
}

/*
 * Add the distances that a tally (counter of objects) has measured to the
 * distances of the same class or array type. @in_dump: receives the distances
 * to the next object in the dump, by hp_class.index.
 */
static void
add_tally(struct hp_measure *m, const struct hp_tally *t,
	  struct hp_distances *in_dump)
{
	const struct hp_distances next = {t->least, t->least_times, t->count};
	struct hp_size_evidence *e = &m->evidence;
	const struct hp_class *c;
	unsigned type = HP_TYPE_OBJECT;

	if (t->key.kind != HP_TALLY_INSTANCES) {
		if (t->key.kind == HP_TALLY_PRIMITIVE_ARRAYS)
			type = (unsigned)t->key.id;
		e->array_counts[type] += t->count;
		hp_distances_merge(&e->arrays[type], &t->sampled);
		return;
	}
	c = hp_classes_get(m->classes, t->key.id);
	if (!c || c->index >= m->classes->count)
		return;
	e->counts[c->index] += t->count;
	hp_distances_merge(&e->classes[c->index], &t->sampled);
	hp_distances_merge(&in_dump[c->index], &next);
}

enum hp_status
hp_measure_sizes(struct hp_measure *m, const struct hp_tallies *tallies,
		 unsigned id_size, struct hp_size_model *model,
		 struct hp_measured_sizes *out, struct hp_error *err)
{
	struct hp_size_evidence *e = &m->evidence;
	struct hp_distances *in_dump =
		hp_calloc(m->classes->count + 1, sizeof(*in_dump));

	if (!in_dump)
		return hp_no_memory(err);
	for (size_t i = 0; i < tallies->count; i++)
		add_tally(m, tallies->list[i], in_dump);
	for (size_t i = 0; i < m->classes->count; i++)
		choose(&e->classes[i], &in_dump[i]);
	hp_free(in_dump);
	return hp_size_fit(e, m->classes, m->tables, id_size, model, out, err);
}
