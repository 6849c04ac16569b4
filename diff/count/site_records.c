/*
 * site_records.c - make rows from the allocation sites and CPU samples that the
 * HPROF agent has recorded
 */
#include "diff/count/passes.h"

#include "common/cli/quantity.h"
#include "diff/count/carried.h"
#include "diff/keys/keys.h"
#include "diff/result/result.h"

static bool
add_site(const struct hp_column *c, struct hp_keys *k,
	 const struct hp_site *site)
{
	const struct hp_load *load =
		hp_tables_load_serial(&k->g->tables, site->class_serial);
	const struct hp_string *raw =
		load ? hp_tables_load_name(&k->g->tables, load) : NULL;
	const struct hp_name *name =
		hp_key_raw(k, raw, load ? load->class_id : 0);
	bool allocated = k->o->allocated, traces = false;
	uint32_t count =
		allocated ? site->allocated_instances : site->live_instances;
	uint32_t bytes = allocated ? site->allocated_bytes : site->live_bytes;
	struct hp_row *row =
		name ? hp_stack_row(k, c->rows, name, site->trace, &traces)
		     : NULL;

	if (!row)
		return false;
	row->count[c->index] += count;
	row->bytes[c->index] += bytes;
	c->info->objects += count;
	c->info->bytes += bytes;
	return true;
}

/*
 * Returns the average number of bytes between two sampled objects, or 0 if it
 * is not known. The agent of this project writes this setting into a string of
 * the dump; the last such string is used.
 */
static uint64_t
sampling_interval(const struct hp_histogram *g)
{
	const struct hp_vec *list = &g->tables.string_list;
	const struct hp_string *s = list->items;
	uint64_t interval = 0;

	for (size_t i = 0; i < list->count; i++) {
		uint64_t v = hp_sampling_interval(s[i].data, s[i].length);

		interval = v ? v : interval;
	}
	return interval;
}

enum hp_status
hp_site_records_add(const struct hp_column *c, bool *any, struct hp_error *err)
{
	const struct hp_sites *list = c->g->tables.site_list.items;
	size_t n = c->g->sites_until;
	struct hp_keys k = {.g = c->g, .o = c->o};
	const struct hp_sites *last;
	enum hp_status st = HP_OK;

	*any = n > 0;
	if (!*any)
		return HP_OK;
	last = &list[n - 1];
	for (uint32_t i = 0; i < last->nsites && st == HP_OK; i++)
		st = add_site(c, &k, &last->sites[i]) ? HP_OK
						      : hp_no_memory(err);
	c->info->sample = sampling_interval(c->g);
	hp_keys_release(&k);
	return st;
}

/*
 * Find or create the row of a stack trace. Rows are different for different
 * stacks, although the key shows only the innermost method. Returns NULL if out
 * of memory.
 */
static struct hp_row *
records_row(struct hp_keys *k, struct hp_rows *rows, uint32_t trace)
{
	static const char empty[] = "<empty trace>";
	const struct hp_stack *stack = hp_stack_get(k, trace);
	struct hp_name name = {.text = empty, .len = sizeof(empty) - 1};
	bool traces = false;

	if (!stack)
		return NULL;
	if (stack->frames.count) {
		name.text = stack->frames.text[0];
		name.len = hp_frame_method(name.text);
	}
	return hp_stack_row(k, rows, &name, trace, &traces);
}

/*
 * Add one entry of a CPU SAMPLES record. If @times is true, its number is a
 * time in milliseconds; otherwise it is a number of samples. Returns false if
 * out of memory.
 */
static bool
add_sample(const struct hp_column *c, struct hp_keys *k,
	   const struct hp_sample *sample, bool times)
{
	struct hp_row *row = records_row(k, c->rows, sample->trace);
	uint64_t *values;

	if (!row)
		return false;
	values = times ? row->ms : row->samples;
	values[c->index] += sample->samples;
	row->inclusive[c->index] += sample->samples;
	return true;
}

enum hp_status
hp_cpu_samples_add(const struct hp_column *c, bool *any, struct hp_error *err)
{
	const struct hp_samples *list = c->g->tables.sample_list.items;
	size_t n = c->g->samples_until;
	struct hp_keys k = {.g = c->g, .o = c->o};
	const struct hp_samples *last;
	enum hp_status st = HP_OK;
	bool times = hp_carried_times(c->g);

	*any = n > 0;
	if (!*any)
		return HP_OK;
	last = &list[n - 1];
	for (uint32_t i = 0; i < last->nsamples && st == HP_OK; i++)
		st = add_sample(c, &k, &last->samples[i], times)
			     ? HP_OK
			     : hp_no_memory(err);
	if (st == HP_OK)
		st = hp_carried_calls(c, &k, records_row, err);
	hp_keys_release(&k);
	return st;
}

enum hp_status
hp_records_monitors(const struct hp_column *c, bool *any, struct hp_error *err)
{
	struct hp_keys k = {.g = c->g, .o = c->o};
	enum hp_status st = hp_carried_monitors(c, &k, any, err);

	hp_keys_release(&k);
	return st;
}
