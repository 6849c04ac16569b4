/*
 * size_habits.c - what the instance sizes of a dump's classes say
 *
 * java.lang.Object and the number of zeros tell of the writer, even where the
 * dialect is not known. But what the dump looks like to those who validate it
 * counts more: its classes may be of two writers.
 */
#include "convert/filter/size_habits.h"

#include "common/model/damage.h"
#include "convert/pass/dialect_pass.h"

/*
 * Does the writer give the sum of a class's fields as its instance size? Then
 * java.lang.Object has 0. Android and native images give real sizes.
 */
static bool
has_exact_sizes(const struct hp_prepass *survey)
{
	for (size_t i = 0; i < survey->ndumps; i++) {
		const struct hp_classes *all = &survey->dumps[i]->classes;

		for (size_t c = 0; c < all->count; c++) {
			const struct hp_class *k = all->list[c];

			if (k->super_id == 0 && k->instance_size == 0 &&
			    hp_string_is(hp_tables_class_name(&survey->tables,
							      k->id),
					 "java/lang/Object",
					 "java.lang.Object"))
				return true;
		}
	}
	return false;
}

/*
 * Does the writer give 0 for classes without an object? The agent does, whose
 * first record is CONTROL SETTINGS. Elsewhere one or two are damaged ones.
 */
static bool
has_zero_sizes(const struct hp_prepass *survey, struct hp_source *src)
{
	struct hp_error ignored = {0};
	uint8_t tag = 0;
	size_t zero = 0, got;

	if (hp_source_seekable(src) &&
	    hp_source_pread(src, &tag, 1, 31, &got, &ignored) == HP_OK &&
	    tag == HP_REC_CONTROL_SETTINGS)
		return true;

	for (size_t i = 0; i < survey->ndumps; i++) {
		const struct hp_classes *d = &survey->dumps[i]->classes;

		for (size_t c = 0; c < d->count; c++)
			zero += d->list[c]->instance_size == 0 &&
				d->list[c]->data_size > 0;
	}
	return zero > 3;
}

/* Is a class's size not the sum of its fields? */
static bool
has_other_sizes(const struct hp_prepass *survey)
{
	struct hp_symptom ignored;

	for (size_t i = 0; i < survey->ndumps; i++) {
		const struct hp_classes *d = &survey->dumps[i]->classes;

		for (size_t c = 0; c < d->count; c++)
			if (hp_symptom_of_class(d->list[c], &survey->tables,
						&ignored))
				return true;
	}
	return false;
}

enum hp_status
hp_size_habits_find(struct hp_size_habits *h, struct hp_source *src,
		    const struct hp_prepass *survey, unsigned threads,
		    struct hp_error *err)
{
	enum hp_dialect dialect = HP_DIALECT_UNKNOWN;
	enum hp_status st;

	*h = (struct hp_size_habits){.exact = has_exact_sizes(survey),
				     .zero = has_zero_sizes(survey, src)};
	if (!has_other_sizes(survey))
		return HP_OK;
	st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_dialect_pass_run(src, survey, threads, &dialect, err);
	h->strict = hp_rule_severity(HP_RULE_INSTSIZE_FIELDS, dialect) ==
		    HP_SEVERITY_ERROR;
	h->exact |= h->strict;
	return st;
}
