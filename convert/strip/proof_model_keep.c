/*
 * proof_model_keep.c - match the patterns of --keep, for the proof
 *
 * This code shares nothing with keep.c, so it can find mistakes of keep.c.
 */
#include "convert/strip/proof_internal.h"
#include "common/base/memory.h"

#include <string.h>

/*
 * Returns the text of pattern @i of --keep. The last pattern is not from the
 * user: it selects the character array of a String.
 */
static const char *
text_of(const struct hp_proof_model *f, unsigned i)
{
	return i < f->policy->nkeep ? f->policy->keep[i]
				    : "java.lang.String#value";
}

/*
 * Normalise a character of a class name: '.', '/' and the '+' in the name of a
 * hidden class are equal.
 */
static char
plain_char(char c)
{
	return c == '/' || c == '+' ? '.' : c;
}

static bool
is_class(const char *pattern, const uint8_t *text, size_t n)
{
	size_t i = 0;

	while (i < n && pattern[i] != '#' &&
	       plain_char(pattern[i]) == plain_char((char)text[i]))
		i++;
	return i == n && pattern[i] == '#';
}

static bool
is_field(const char *pattern, const uint8_t *text, size_t n)
{
	const char *name = strrchr(pattern, '#') + 1;

	return strlen(name) == n && memcmp(name, text, n) == 0;
}

/*
 * Store which patterns of --keep match the text of the STRING with the id @id,
 * one bit for each pattern. If several STRING records have this id, the last
 * one counts.
 */
static void
set_bits(struct hp_proof_model *f, struct hp_id_map *m, uint64_t id,
	 uint64_t bits)
{
	if ((bits || hp_id_map_get(m, id)) && !hp_id_map_set(m, id, bits))
		f->failed = true;
}

void
hp_proof_model_text(struct hp_proof_model *f, uint64_t id, const uint8_t *text,
		    size_t length)
{
	uint64_t class_bits = 0, field_bits = 0;

	for (unsigned i = 0; i <= f->policy->nkeep; i++) {
		if (is_class(text_of(f, i), text, length))
			class_bits |= 1ull << i;
		if (is_field(text_of(f, i), text, length))
			field_bits |= 1ull << i;
	}
	set_bits(f, &f->class_texts, id, class_bits);
	set_bits(f, &f->field_texts, id, field_bits);
}

uint64_t
hp_proof_model_field_bits(const struct hp_proof_model *f, uint64_t name)
{
	const uint64_t *bits = hp_id_map_get(&f->field_texts, name);

	return bits ? *bits : 0;
}

uint64_t
hp_proof_model_wanted(const struct hp_proof_model *f, unsigned round)
{
	uint64_t string = 1ull << f->policy->nkeep;

	return round == 2 ? string - 1 : round == 3 ? string : 0;
}

void
hp_proof_model_keep(struct hp_proof_model *f, unsigned round, unsigned dump,
		    uint64_t id)
{
	struct hp_error ignored = {0};

	if (id && hp_dump_id_sets_add(&f->kept[round - 2], dump, id,
				      &ignored) != HP_OK)
		f->failed = true;
}

static struct hp_model_class *
super_of(const struct hp_model_dump *d, const struct hp_model_class *k)
{
	const uint64_t *place =
		k->super ? hp_id_map_get(&d->by_id, k->super) : NULL;

	return place && *place ? &d->classes[*place - 1] : NULL;
}

/*
 * Compute the members `under` and `carry` of @k and all its superclasses:
 * collect the classes from @k upwards in @path, then compute from the topmost
 * class downwards. Each class is visited once.
 */
static void
link_up(struct hp_model_dump *d, struct hp_model_class *k,
	struct hp_model_class **path)
{
	size_t n = 0;

	while (k && !d->keep[k - d->classes].linked) {
		/*
		 * mark the class now, so that the loop also ends if the
		 * superclasses form a cycle
		 */
		d->keep[k - d->classes].linked = true;
		path[n++] = k;
		k = super_of(d, k);
	}
	while (n > 0) {
		struct hp_model_keep *mine = &d->keep[path[--n] - d->classes];
		const struct hp_model_class *super = super_of(d, path[n]);
		const struct hp_model_keep *its;

		mine->under = mine->own;
		if (!super)
			continue;
		its = &d->keep[super - d->classes];
		mine->under |= its->under;
		if (super->count == 0)
			mine->carry = its->own | its->carry;
	}
}

static uint64_t
own_bytes(const struct hp_proof_model *f, const struct hp_model_class *k)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < k->count; i++)
		n += hp_proof_model_width(f->types[k->first + i],
					  f->kept[0].id_size);
	return n;
}

#define UNMEASURED (HP_MODEL_ENDLESS - 1)
#define ON_PATH (HP_MODEL_ENDLESS - 2)

/*
 * Compute hp_model_class.bytes for @k and its superclasses: collect the classes
 * from @k upwards in @path, then add up their sizes from the topmost class
 * downwards. If a superclass is missing, the result is HP_MODEL_ENDLESS. No
 * instance has this length.
 */
static void
measure_up(const struct hp_proof_model *f, struct hp_model_dump *d,
	   struct hp_model_class *k, struct hp_model_class **path)
{
	uint64_t super_of = 0;
	size_t n = 0;

	while (k && k->bytes == UNMEASURED) {
		k->bytes = ON_PATH;
		path[n++] = k;
		if (k->up == HP_MODEL_BROKEN)
			super_of = HP_MODEL_ENDLESS;
		k = k->up && k->up != HP_MODEL_BROKEN ? &d->classes[k->up - 1]
						      : NULL;
	}
	if (k)
		super_of = k->bytes == ON_PATH ? HP_MODEL_ENDLESS : k->bytes;
	while (n > 0) {
		k = path[--n];
		if (super_of != HP_MODEL_ENDLESS)
			super_of += own_bytes(f, k);
		k->bytes = super_of;
	}
}

bool
hp_proof_model_gather_loads(struct hp_proof_model *f)
{
	for (size_t i = 0; i < f->nloads; i++) {
		const uint64_t *bits =
			hp_id_map_get(&f->class_texts, f->loads[i].name);
		uint64_t *all =
			bits && *bits
				? hp_id_map_put(&f->class_bits,
						f->loads[i].class_id, NULL)
				: NULL;

		if (bits && *bits && !all)
			return false;
		if (all)
			*all |= *bits;
	}
	return true;
}

enum hp_status
hp_proof_model_link_keep(const struct hp_proof_model *f,
			 struct hp_model_dump *d, struct hp_error *err)
{
	struct hp_model_class **path = hp_calloc(d->count + 1, sizeof(*path));
	uint64_t id, place;
	size_t at = 0;

	d->keep = hp_calloc(d->count + 1, sizeof(*d->keep));
	if (!path || !d->keep) {
		hp_free(path);
		return hp_no_memory(err);
	}
	while (hp_id_map_next(&d->by_id, &at, &id, &place)) {
		const uint64_t *bits = hp_id_map_get(&f->class_bits, id);

		if (bits && place)
			d->keep[place - 1].own = *bits;
	}
	for (size_t i = 0; i < d->count; i++) {
		link_up(d, &d->classes[i], path);
		d->classes[i].bytes = UNMEASURED;
	}
	/*
	 * Compute the size of the instances of each class: instances with
	 * another length are ignored.
	 */
	for (size_t i = 0; i < d->count; i++)
		measure_up(f, d, &d->classes[i], path);
	hp_free(path);
	return HP_OK;
}
