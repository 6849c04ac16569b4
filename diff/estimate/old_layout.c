/*
 * old_layout.c - the size of instances as JDK 8 to 14 place their fields
 *
 * The fields of the superclass come first. Their end is rounded up to a
 * multiple of the size of a reference. Then the fields of the class follow:
 * first the fields with 8 bytes, then those with 4, 2 and 1 bytes, then the
 * references. A gap before the fields with 8 bytes receives smaller fields, if
 * there are any.
 */
#include "diff/estimate/internal.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"

struct own_fields {
	uint64_t eight, four, two, one, references;
};

static struct own_fields
count_fields(const struct hp_class *c)
{
	struct own_fields n = {0};

	for (uint32_t i = 0; i < c->nfields; i++) {
		unsigned type = c->fields[i].type;

		if (hp_type_is_reference(type)) {
			n.references++;
			continue;
		}
		switch (hp_type_size(type, 4)) {
		case 8:
			n.eight++;
			break;
		case 4:
			n.four++;
			break;
		case 2:
			n.two++;
			break;
		default:
			n.one++;
		}
	}
	return n;
}

/*
 * Move as many fields of @bytes bytes into a gap as fit, and subtract their
 * number from *@count. Returns how many bytes of the gap are left.
 */
static uint64_t
fill_gap(uint64_t gap, uint64_t *count, unsigned bytes)
{
	uint64_t n = gap / bytes < *count ? gap / bytes : *count;

	*count -= n;
	return gap - n * bytes;
}

/*
 * Place the fields of a class from offset @at on. Returns the offset after
 * them.
 */
static uint64_t
place_fields(const struct hp_class *c, uint64_t at, unsigned reference)
{
	struct own_fields n = count_fields(c);

	if (n.eight > 0) {
		uint64_t gap = hp_align_up(at, 8) - at;

		at += gap;
		gap = fill_gap(gap, &n.four, 4);
		gap = fill_gap(gap, &n.two, 2);
		gap = fill_gap(gap, &n.one, 1);
		fill_gap(gap, &n.references, reference);
	}
	at += n.eight * 8 + n.four * 4 + n.two * 2 + n.one;
	if (n.references > 0)
		at = hp_align_up(at, reference) + n.references * reference;
	return hp_align_up(at, reference);
}

uint64_t *
hp_old_layout(const struct hp_classes *classes, unsigned header,
	      unsigned reference)
{
	struct hp_class **order = hp_classes_topmost_first(classes);
	uint64_t *ends = hp_calloc(classes->count + 1, sizeof(*ends));

	for (size_t i = 0; order && ends && i < classes->count; i++) {
		const struct hp_class *c = order[i];

		ends[c->index] = place_fields(
			c, c->super ? ends[c->super->index] : header,
			reference);
	}
	if (!order) {
		hp_free(ends);
		ends = NULL;
	}
	hp_free(order);
	return ends;
}
