/*
 * records.c - allocation sites and CPU samples as the agent reported them,
 * and rows that sum others
 */
#include "diff/records.h"

#include "diff/stacks.h"

#include <string.h>

static enum hp_status
hp_records_nomem(struct hp_error *err)
{
	return hp_fail(err, HP_NOMEM, "out of memory");
}

/* One row of ALLOC SITES. */
static bool
hp_records_site(struct hp_keys *k, struct hp_rows *rows, size_t column,
		const struct hp_site *site)
{
	const struct hp_load *load =
		hp_tables_load_serial(&k->g->tables, site->class_serial);
	const struct hp_string *raw =
		load ? hp_tables_string(&k->g->tables, load->name_id) : NULL;
	const struct hp_name *name =
		hp_key_raw(k, raw, load ? load->class_id : 0);
	struct hp_row *row;
	bool traces = false;

	if (!name)
		return false;
	row = hp_stack_row(k, rows, name, site->trace, &traces);
	if (!row)
		return false;
	row->count[column] += site->live_instances;
	row->bytes[column] += site->live_bytes;
	return true;
}

enum hp_status
hp_records_sites(const struct hp_gather *g, const struct hp_diff_options *o,
		 struct hp_rows *rows, size_t column, struct hp_dump_info *info,
		 bool *any, struct hp_error *err)
{
	const struct hp_vec *list = &g->tables.site_list;
	struct hp_keys k = {.g = g, .o = o};
	const struct hp_sites *last;
	enum hp_status st = HP_OK;

	*any = g->have_tables && list->count > 0;
	if (!*any)
		return HP_OK;
	last = (const struct hp_sites *)list->items + list->count - 1;
	for (uint32_t i = 0; i < last->nsites && st == HP_OK; i++) {
		if (!hp_records_site(&k, rows, column, &last->sites[i]))
			st = hp_records_nomem(err);
		else
			st = hp_keys_fit(&k, rows, err);
		info->objects += last->sites[i].live_instances;
		info->bytes += last->sites[i].live_bytes;
	}
	hp_keys_release(&k);
	return st;
}

/* "Ag.burn(Ag.java:12)" up to the parenthesis. */
static size_t
hp_method_length(const char *frame)
{
	const char *end = strrchr(frame, '(');

	return end ? (size_t)(end - frame) : strlen(frame);
}

static bool
hp_records_sample(struct hp_keys *k, struct hp_rows *rows, size_t column,
		  const struct hp_sample *sample)
{
	static const char empty[] = "<empty trace>";
	const struct hp_stack *stack = hp_stack_get(k, sample->trace);
	struct hp_name name = {.text = empty, .len = sizeof(empty) - 1};
	struct hp_row *row;
	bool traces = false;

	if (!stack)
		return false;
	if (stack->frames.count) {
		name.text = stack->frames.text[0];
		name.len = hp_method_length(name.text);
	}
	row = hp_stack_row(k, rows, &name, sample->trace, &traces);
	if (!row)
		return false;
	row->count[column] += sample->samples;
	row->extra[column] += sample->samples;
	return true;
}

enum hp_status
hp_records_cpu(const struct hp_gather *g, const struct hp_diff_options *o,
	       struct hp_rows *rows, size_t column, struct hp_dump_info *info,
	       bool *any, struct hp_error *err)
{
	const struct hp_vec *list = &g->tables.sample_list;
	struct hp_keys k = {.g = g, .o = o};
	const struct hp_samples *last;
	enum hp_status st = HP_OK;

	*any = g->have_tables && list->count > 0;
	if (!*any)
		return HP_OK;
	last = (const struct hp_samples *)list->items + list->count - 1;
	for (uint32_t i = 0; i < last->nsamples && st == HP_OK; i++) {
		if (!hp_records_sample(&k, rows, column, &last->samples[i]))
			st = hp_records_nomem(err);
		else
			st = hp_keys_fit(&k, rows, err);
		info->objects += last->samples[i].samples;
	}
	hp_keys_release(&k);
	return st;
}

/* Add a row's values to the row that sums it; once for every @stamp. */
static bool
hp_rollup_add(struct hp_rows *rows, const char *key, size_t len,
	      const struct hp_row *part, bool self, size_t stamp)
{
	struct hp_row *sum = hp_rows_put(rows, key, len, NULL, NULL);

	if (!sum)
		return false;
	sum->rollup = true;
	for (size_t i = 0; i < rows->dumps && self; i++) {
		sum->count[i] += part->count[i];
		sum->bytes[i] += part->bytes[i];
	}
	if (sum->stamp == stamp)
		return true;
	sum->stamp = stamp;
	sum->parts++;
	for (size_t i = 0; i < rows->dumps; i++)
		sum->extra[i] += part->extra[i];
	return true;
}

/* All of "com.acme.x": "com.*", "com.acme.*" and "com.acme.x.*". */
static bool
hp_rollup_package(struct hp_rows *rows, const struct hp_row *row, size_t stamp)
{
	char *key;
	bool fine = true;

	if (row->key[0] == '(' || strchr(row->key, '['))
		return true;
	key = hp_arena_alloc(&rows->scratch, row->key_len + 3);
	if (!key)
		return false;
	memcpy(key, row->key, row->key_len);
	for (size_t i = 1; i <= row->key_len && fine; i++) {
		if (i < row->key_len && row->key[i] != '.')
			continue;
		memcpy(key + i, ".*", 2);
		fine = hp_rollup_add(rows, key, i + 2, row, true, stamp);
		memcpy(key, row->key, row->key_len);
	}
	hp_arena_release(&rows->scratch);
	return fine;
}

static bool
hp_rollup_methods(struct hp_rows *rows, const struct hp_row *row, size_t stamp)
{
	bool fine =
		hp_rollup_add(rows, row->key, row->key_len, row, true, stamp);

	for (uint32_t i = 1; i < row->frames.count && fine; i++)
		fine = hp_rollup_add(rows, row->frames.text[i],
				     hp_method_length(row->frames.text[i]), row,
				     false, stamp);
	return fine;
}

enum hp_status
hp_rollup(struct hp_rows *rows, enum hp_by by, struct hp_budget *budget,
	  struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t n = rows->count;

	for (size_t i = 0; i < n && st == HP_OK; i++) {
		const struct hp_row *row = rows->list[i];

		if (row->rollup)
			continue;
		if (by == HP_BY_PACKAGE && !hp_rollup_package(rows, row, i + 1))
			return hp_records_nomem(err);
		if (by == HP_BY_CPU && !hp_rollup_methods(rows, row, i + 1))
			return hp_records_nomem(err);
		st = hp_rows_fit(rows, budget, err);
	}
	return st;
}
