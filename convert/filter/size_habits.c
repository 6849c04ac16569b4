/*
 * size_habits.c - find out how the program that wrote a dump computes the
 * instance size in class dumps
 *
 * Two facts show which rule the program follows, even if the program is not
 * recognised: the size of java.lang.Object, and the number of sizes that are 0.
 * If hprof-validate has a rule for the dump, this rule takes precedence.
 */
#include "convert/filter/internal.h"

#include "common/model/rules.h"

/*
 * Whether the instance size of each class is the sum of its fields. If so,
 * java.lang.Object has the size 0. Dumps of Android and of native images
 * contain the real size of instances instead.
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
 * Whether the instance size of classes without objects is 0, as in dumps of
 * this project's agent. The first record of these dumps is CONTROL SETTINGS. In
 * other dumps, up to three sizes of 0 count as damage.
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
