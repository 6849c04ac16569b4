/*
 * load_history.c - the LOAD CLASS records of a file, sorted by class id
 */
#include "validate/finding.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>

static const struct hp_load *
load_at(const struct hp_load_history *h, uint32_t number)
{
	return (const struct hp_load *)h->tables->load_list.items + number;
}

static int
compare_loads(const void *a, const void *b, void *context)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = hp_order(load_at(context, x)->class_id,
			 load_at(context, y)->class_id);

	return c ? c : hp_order(x, y);
}

enum hp_status
hp_load_history_init(struct hp_load_history *h, const struct hp_tables *tables,
		     bool renamed, struct hp_error *err)
{
	size_t n = tables->load_list.count;

	*h = (struct hp_load_history){.tables = tables};
	if (!renamed || n == 0 || n > UINT32_MAX)
		return HP_OK;
	h->loads = hp_malloc(n * sizeof(*h->loads));
	if (!h->loads)
		return hp_no_memory(err);
	for (size_t i = 0; i < n; i++)
		h->loads[i] = (uint32_t)i;
	h->count = n;
	qsort_r(h->loads, n, sizeof(*h->loads), compare_loads, h);
	return HP_OK;
}

void
hp_load_history_release(struct hp_load_history *h)
{
	hp_free(h->loads);
	*h = (struct hp_load_history){0};
}

/*
 * The LOAD CLASS records are sorted by class id, then by offset. Returns how
 * many of them have a smaller class id than @class_id, or this class id and an
 * offset of at most @offset.
 */
static size_t
loads_before(const struct hp_load_history *h, uint64_t class_id,
	     uint64_t offset)
{
	size_t low = 0, high = h->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct hp_load *l = load_at(h, h->loads[middle]);

		if (l->class_id < class_id ||
		    (l->class_id == class_id && l->offset <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct hp_string *
hp_load_history_name(const struct hp_load_history *h, uint64_t class_id,
		     uint64_t offset)
{
	size_t at = loads_before(h, class_id, offset);

	if (at > 0 && load_at(h, h->loads[at - 1])->class_id == class_id)
		at--;
	if (at < h->count && load_at(h, h->loads[at])->class_id == class_id)
		return hp_tables_load_name(h->tables, load_at(h, h->loads[at]));
	return hp_tables_class_name(h->tables, class_id);
}
