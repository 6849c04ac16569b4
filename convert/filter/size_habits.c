/*
 * size_habits.c - find out how the writer of a dump computes instance sizes
 *
 * The size of java.lang.Object and the number of zero sizes identify the writer
 * even if hp_dialect_of() does not know it. But if hprof-validate would report
 * other sizes as errors, that counts more, because the classes of a dump may
 * come from two writers.
 */
#include "convert/filter/size_habits.h"

#include "common/model/damage.h"

/*
 * Whether the writer uses the sum of the fields of a class as instance size.
 * Then java.lang.Object has the size 0. Android and native images use real
 * sizes.
 */
static bool
has_exact_sizes(const struct hp_prepass *prepass)
{
	for (size_t i = 0; i < prepass->ndumps; i++) {
		const struct hp_classes *all = &prepass->dumps[i]->classes;

		for (size_t c = 0; c < all->count; c++) {
			const struct hp_class *k = all->list[c];

			if (k->super_id == 0 && k->instance_size == 0 &&
			    hp_string_is(hp_tables_class_name(&prepass->tables,
							      k->id),
					 "java/lang/Object",
					 "java.lang.Object"))
				return true;
		}
	}
	return false;
}

/*
 * Whether the writer uses 0 for classes without objects. libhprof-agent does,
 * whose first record is CONTROL SETTINGS. In other files, up to three zero
 * sizes count as damage.
 */
static bool
has_zero_sizes(const struct hp_prepass *prepass)
{
	size_t zero = 0;

	if (prepass->evidence.first_tag == HP_REC_CONTROL_SETTINGS)
		return true;

	for (size_t i = 0; i < prepass->ndumps; i++) {
		const struct hp_classes *d = &prepass->dumps[i]->classes;

		for (size_t c = 0; c < d->count; c++)
			zero += d->list[c]->instance_size == 0 &&
				d->list[c]->data_size > 0;
	}
	return zero > 3;
}

/* Whether some class has a size that is not the sum of its fields. */
static bool
has_other_sizes(const struct hp_prepass *prepass)
{
	struct hp_symptom ignored;

	for (size_t i = 0; i < prepass->ndumps; i++) {
		const struct hp_classes *d = &prepass->dumps[i]->classes;

		for (size_t c = 0; c < d->count; c++)
			if (hp_symptom_of_class(d->list[c], &prepass->tables,
						&ignored))
				return true;
	}
	return false;
}

struct hp_size_habits
hp_size_habits_of(const struct hp_prepass *prepass)
{
	struct hp_size_habits h = {.exact = has_exact_sizes(prepass),
				   .zero = has_zero_sizes(prepass)};

	if (!has_other_sizes(prepass))
		return h;
	h.strict = hp_rule_severity(HP_RULE_INSTSIZE_FIELDS,
				    hp_prepass_dialect(prepass)) ==
		   HP_SEVERITY_ERROR;
	h.exact |= h.strict;
	return h;
}
