/*
 * rename_texts.c - store the texts of new names and give them ids, and look up
 * classes in all mappings
 */
#include "common/mapping/internal.h"

uint32_t
hp_rename_text(struct hp_rename *r, const char *text, size_t n)
{
	bool fresh;
	uint32_t number = hp_intern_put(&r->texts, text, n, &fresh);

	if (!number || !fresh)
		return number;
	if (!HP_LIST_FIT(r->ids, (size_t)number, r->ids_cap))
		return 0;
	r->ids[number - 1] = 0;
	return number;
}

uint64_t
hp_rename_id(struct hp_rename *r, uint32_t number)
{
	if (number && !r->ids[number - 1])
		r->ids[number - 1] = hp_rename_new_id(r);
	return number ? r->ids[number - 1] : 0;
}

uint64_t
hp_rename_new_id(struct hp_rename *r)
{
	while (hp_tables_string(r->tables, ++r->next_id) ||
	       hp_tables_frame(r->tables, r->next_id))
		;
	return r->next_id;
}

struct hp_slice
hp_rename_chain(const struct hp_rename *r, struct hp_slice dotted,
		struct hp_mapped_chain *chain)
{
	for (size_t i = 0; i < r->mappings->count; i++) {
		const struct hp_name_mapping *m = r->mappings->list[i].mapping;

		chain->list[i] = hp_mapping_find(m, dotted);
		if (chain->list[i])
			dotted = hp_mapping_text(m, chain->list[i]->original);
	}
	return dotted;
}
