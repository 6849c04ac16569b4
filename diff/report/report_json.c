/*
 * report_json.c - write the result as JSON, and as NDJSON
 *
 * docs/json.md describes the members. baseline.c reads a saved result of one
 * dump.
 */

#include "diff/report/report.h"

#include "common/options/options.h"
#include "diff/paths/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Write the sizes of objects of each class, which are needed when the saved
 * result is later compared with another dump.
 */
static void
write_listed_sizes(struct hp_json *j, const struct hp_listed_sizes *sizes)
{
	if (sizes->count == 0)
		return;
	hp_json_key(j, "sizes");
	hp_json_array(j);
	for (size_t i = 0; i < sizes->count; i++) {
		const struct hp_listed_size *x = &sizes->list[i];

		hp_json_object_flat(j);
		hp_json_put_string(j, "class", x->name);
		hp_json_put_u64(j, "fields", x->fields);
		hp_json_put_u64(j, "references", x->references);
		hp_json_put_u64(j, "bytes", x->bytes);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

static void
json_sum(struct hp_json *j, const char *key, const struct hp_graph_sum *sum)
{
	hp_json_put_object_flat(j, key);
	hp_json_put_u64(j, "objects", sum->objects);
	hp_json_put_u64(j, "bytes", sum->bytes);
	hp_json_object_end(j);
}

static void
write_labels(struct hp_json *j, const struct hp_dump_info *d)
{
	if (d->nlabels == 0)
		return;
	hp_json_put_object_flat(j, "labels");
	for (size_t i = 0; i < d->nlabels; i++) {
		const struct hp_label *l = &d->labels[i];

		if (l->visible)
			hp_json_put_visible(j, l->key, l->value);
		else
			hp_json_put_string(j, l->key, l->value);
	}
	hp_json_object_end(j);
}

/*
 * Write the number of objects whose fields are unknown because their class has
 * no class dump. Writes nothing if there are none.
 */
static void
write_undescribed(struct hp_json *j, const struct hp_undescribed *u)
{
	if (u->objects == 0)
		return;
	hp_json_put_object_flat(j, "undescribed");
	hp_json_put_u64(j, "objects", u->objects);
	hp_json_put_u64(j, "classes", u->classes);
	hp_json_object_end(j);
}

static void
write_value(struct hp_json *j, enum hp_col c, uint64_t v)
{
	if (hp_columns[c].unit == HP_IN_PERCENT)
		hp_json_double(j, (double)hp_percent_hundredths(v) / 100.0);
	else
		hp_json_u64(j, v);
}

static void
write_growth(struct hp_json *j, enum hp_col c, int64_t v)
{
	uint64_t size = hp_magnitude(v);
	double percent = (double)hp_percent_hundredths(size) / 100.0;

	if (hp_columns[c].unit == HP_IN_PERCENT)
		hp_json_double(j, v < 0 ? -percent : percent);
	else
		hp_json_i64(j, v);
}

/*
 * Write the sums over all rows of a dump: the number and bytes of its objects
 * or, with --by=cpu and --by=monitor, its samples, milliseconds and so on.
 */
static void
write_whole(struct hp_json *j, const struct hp_result *r, size_t dump)
{
	if (!hp_key_is(r->by, HP_KEY_EVENTS)) {
		hp_json_put_u64(j, "objects", r->dumps[dump].objects);
		hp_json_put_u64(j, "bytes", r->dumps[dump].bytes);
		return;
	}
	for (unsigned c = 0; c < HP_COLS; c++)
		if (r->columns & 1u << c && r->total->value[c])
			hp_json_put_u64(j, hp_columns[c].key,
					r->total->value[c][dump]);
}

static void
write_dumps(struct hp_json *j, const struct hp_result *r)
{
	bool differ = hp_result_layouts_differ(r);

	hp_json_put_array(j, "dumps");
	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];

		hp_json_object_flat(j);
		hp_json_put_string(j, "path", d->path);
		if (d->text)
			hp_json_put_string(j, "format", "text");
		hp_json_put_string(j, "dialect", d->dialect);
		write_labels(j, d);
		if (d->timestamp_ms)
			hp_json_put_u64(j, "timestamp_ms", d->timestamp_ms);
		write_whole(j, r, i);
		hp_json_put_bool(j, "partial", d->partial);
		if (d->unrooted)
			hp_json_put_bool(j, "unrooted", true);
		if (d->measured_of > 0)
			hp_json_put_u64(j, "measured", d->measured);
		write_undescribed(j, &d->undescribed);
		if (d->sample)
			hp_json_put_u64(j, "sample", d->sample);
		if (r->rows.retained) {
			json_sum(j, "reachable", &d->reachable);
			json_sum(j, "weak", &d->weak);
			if (d->hidden.objects > 0)
				json_sum(j, "hidden_fields", &d->hidden);
			json_sum(j, "unreachable", &d->unreachable);
			if (d->waiting.objects > 0)
				json_sum(j, "finalizer_queue", &d->waiting);
		}
		if (differ)
			hp_report_layout_json(j, d);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

/*
 * Write what is wrong with the dumps: objects are missing, or two neighbouring
 * dumps are not in the order of their times. Writes nothing if all is well.
 */
static void
write_problems(struct hp_json *j, const struct hp_result *r)
{
	struct hp_answer a;

	hp_answer_find(&a, r);
	if (a.incomplete)
		hp_json_put_string(j, "incomplete", a.incomplete);
	if (!a.older)
		return;
	hp_json_put_array(j, "out_of_order");
	for (unsigned i = 0; i < 2; i++) {
		const struct hp_dump_info *d = i == 0 ? a.newer : a.older;
		struct hp_buf time = {0};

		(void)hp_time_text(&time, d->timestamp_ms);
		hp_json_object_flat(j);
		hp_json_put_u64(j, "dump", (uint64_t)(d - r->dumps) + 1);
		hp_json_put_string(j, "path", d->path);
		hp_json_put_buf(j, "time", &time);
		hp_json_object_end(j);
		hp_buf_release(&time);
	}
	hp_json_array_end(j);
}

void
hp_report_json_site(struct hp_json *j, const struct hp_row *row)
{
	char id[33];

	snprintf(id, sizeof(id), "%016" PRIx64 "%016" PRIx64, row->hash[1],
		 row->hash[0]);
	hp_json_put_string(j, "site", id);
}

/*
 * Write the frames of a row's stack, and the hash of the stack, by which saved
 * results identify the row.
 */
static void
write_site(struct hp_json *j, const struct hp_row *row)
{
	hp_json_put_array_flat(j, "frames");
	for (uint32_t i = 0; i < row->frames.count; i++)
		hp_json_visible(j, row->frames.text[i],
				strlen(row->frames.text[i]));
	hp_json_array_end(j);
	hp_report_json_site(j, row);
}

static void
write_margins(struct hp_json *j, const struct hp_result *r,
	      const struct hp_row *row)
{
	char key[64];

	for (unsigned c = 0; c < HP_COLS && hp_result_is_sampled(r); c++) {
		if (!hp_column_is((enum hp_col)c, HP_COLUMN_IS_ESTIMATE))
			continue;
		snprintf(key, sizeof(key), "error_%s", hp_columns[c].key);
		hp_json_put_array_flat(j, key);
		for (size_t i = 0; i < r->ndumps; i++)
			hp_json_u64(j, (uint64_t)hp_result_margin(
					       r, row, i, (enum hp_col)c));
		hp_json_array_end(j);
	}
}

static void
put_values(struct hp_json *j, const struct hp_result *r,
	   const struct hp_row *row, enum hp_col c)
{
	if (!hp_result_tells(r, c) || !hp_result_has_value(row, c))
		return;
	hp_json_put_array_flat(j, hp_columns[c].key);
	for (size_t i = 0; i < r->ndumps; i++)
		write_value(j, c, hp_result_value(r, row, c, i));
	hp_json_array_end(j);
}

static void
put_growth(struct hp_json *j, const struct hp_result *r,
	   const struct hp_row *row, enum hp_col c)
{
	char key[64];

	if (r->ndumps < 2 || !hp_result_tells(r, c) ||
	    !hp_column_is(c, HP_COLUMN_IS_GROWS))
		return;
	snprintf(key, sizeof(key), "delta_%s", hp_columns[c].key);
	hp_json_key(j, key);
	write_growth(j, c, hp_result_growth(r, row, c));
}

/*
 * Write the JSON members for one group of columns: values, margins of error
 * and, if @growth is true, growth.
 */
static void
put_group(struct hp_json *j, const struct hp_result *r,
	  const struct hp_row *row, unsigned begin, unsigned end, bool growth)
{
	for (unsigned c = begin; c < end; c++)
		put_values(j, r, row, (enum hp_col)c);
	if (hp_column_is((enum hp_col)begin, HP_COLUMN_IS_ESTIMATE))
		write_margins(j, r, row);
	for (unsigned c = begin; growth && c < end; c++)
		put_growth(j, r, row, (enum hp_col)c);
}

/*
 * If @of_key is true, write the columns that only a few --by keys have.
 * Otherwise write all other columns.
 */
static void
put_columns(struct hp_json *j, const struct hp_result *r,
	    const struct hp_row *row, bool of_key, bool growth)
{
	unsigned end;

	for (unsigned c = 0; c < HP_COLS; c = end) {
		end = hp_column_group_end((enum hp_col)c);
		if (hp_column_is((enum hp_col)c, HP_COLUMN_IS_OF_KEY) == of_key)
			put_group(j, r, row, c, end, growth);
	}
}

/*
 * With --by=path: if the path of a row starts with a static field, write the
 * paths that keep the class of this field alive.
 */
static void
write_within(struct hp_json *j, const struct hp_row_within *within)
{
	hp_json_put_array_flat(j, "within");
	for (uint32_t i = 0; i < within->count; i++)
		hp_json_visible(j, within->by[i].text,
				strlen(within->by[i].text));
	hp_json_array_end(j);
}

/*
 * Write the fingerprint of a row of --by=path. The fingerprint identifies the
 * path in other dumps.
 */
static void
write_fingerprint(struct hp_json *j, const struct hp_row *row)
{
	struct hp_fingerprint f;

	if (hp_fingerprint_path(&f, row->key, NULL, &j->err) == HP_OK)
		hp_json_put_string(j, "fingerprint", f.text);
}

static void
write_example(struct hp_json *j, const struct hp_row_example *e)
{
	hp_json_put_object_flat(j, "example");
	hp_json_key(j, "text");
	hp_json_visible(j, e->text, strlen(e->text));
	hp_json_put_u64(j, "characters", e->characters);
	hp_json_put_u64(j, "count", e->count);
	hp_json_put_u64(j, "waste", e->waste);
	hp_json_object_end(j);
}

static void
write_row(struct hp_json *j, const struct hp_result *r,
	  const struct hp_row *row, bool growth)
{
	const char *label;

	hp_json_object_flat(j);
	hp_json_key(j, "key");
	hp_json_visible(j, row->key, row->key_len);
	label = hp_suspect_row_label(r, row);
	if (label)
		hp_json_put_visible(j, "label", label);
	put_columns(j, r, row, false, growth);
	if (r->ndumps > 2)
		hp_json_put_bool(j, "grows", row->grows);
	if (hp_key_is(r->by, HP_KEY_PATHS) && r->ndumps > 1)
		hp_json_put_bool(j, "new", hp_result_is_new(r, row));
	if (row->moved_from)
		hp_report_json_moved(j, row->moved_count, row->moved_from);
	if (row->within && r->ndumps == 1)
		write_within(j, row->within);
	if (row->origin != HP_CLASS_OF_UNKNOWN && r->ndumps == 1)
		hp_json_put_bool(j, "application",
				 row->origin == HP_CLASS_OF_APPLICATION);
	put_columns(j, r, row, true, growth);
	if (row->example.text)
		write_example(j, &row->example);
	if (row->beside)
		hp_json_put_bool(j, "beside", true);
	if (hp_key_is(r->by, HP_KEY_PATHS))
		write_fingerprint(j, row);
	if (row->rollup)
		hp_json_put_bool(j, "rollup", true);
	else if (hp_result_has_stacks(r))
		write_site(j, row);
	hp_json_object_end(j);
}

/*
 * Write the fingerprints of the suspects that are not in the file of --known.
 */
static void
write_new_suspects(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array_flat(j, "suspects");
	for (size_t k = 0; hp_result_new_suspect(r, k); k++)
		hp_json_string(j,
			       hp_result_new_suspect(r, k)->fingerprint.text);
	hp_json_array_end(j);
}

static void
write_gates(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array(j, "gates");
	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_json_object_flat(j);
		/*
		 * write the text of the gate unchanged, because programs search
		 * for it as the user gave it
		 */
		hp_json_key(j, "gate");
		hp_json_lines(j, g->text, strlen(g->text));
		hp_json_put_bool(j, "tripped", g->tripped);
		if (hp_result_gate_is_blind(r, g))
			hp_json_put_bool(j, "blind", true);
		hp_json_put_u64(j, "matched", g->matched);
		hp_json_put_array_flat(j, "rows");
		for (size_t k = 0; k < g->nrows; k++)
			hp_json_visible(j, g->rows[k]->key,
					g->rows[k]->key_len);
		hp_json_array_end(j);
		if (g->of == HP_GATE_SUSPECTS)
			write_new_suspects(j, r);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

static void
write_columns(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array_flat(j, "columns");
	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_result_shows(r, (enum hp_col)c) &&
		    hp_columns[c].picked == HP_COLUMN_PICK)
			hp_json_string(j, hp_columns[c].word);
	hp_json_array_end(j);
}

static void
write_head(struct hp_json *j, const struct hp_result *r)
{
	hp_report_tool_json(j, r);
	hp_json_put_string(j, "by", hp_by_name(r->by));
	hp_json_put_bool(j, "normalize", !r->options->raw_names);
	if (r->sites)
		hp_json_put_string(j, "sites", r->sites);
	if (r->options->hide_fillers)
		hp_json_put_string(j, "fillers", "hide");
	if (r->options->heap)
		hp_json_put_string(j, "heap", r->options->heap);
	if (hp_result_uses_references(r))
		hp_json_put_string(
			j, "reachability",
			hp_reachability_name(r->options->reachability));
	if (r->options->allocated)
		hp_json_put_string(j, "measure", "allocated");
	if (hp_key_is(r->by, HP_KEY_EVENTS) && r->basis.weight != HP_COLS)
		hp_json_put_string(j, "unit", hp_columns[r->basis.weight].key);
	if (hp_result_has_stacks(r)) {
		hp_json_put_u64(j, "site_depth", r->options->site_depth);
		hp_json_put_bool(j, "site_lines", r->options->site_lines);
	}
	if (r->options->columns_given)
		write_columns(j, r);
	hp_report_layout_json(j, &r->dumps[0]);
	if (r->ndumps == 1)
		write_listed_sizes(j, &r->dumps[0].sizes);
	if (r->ndumps > 1)
		hp_json_put_bool(j, "changed", r->changed);
}

static void
write_total(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_object_flat(j, "total");
	for (unsigned c = 0; c < HP_COLS; c++)
		put_values(j, r, r->total, (enum hp_col)c);
	write_margins(j, r, r->total);
	hp_json_object_end(j);
}

/* Write the member "rows". If @growth is true, each row has its growth. */
static void
write_rows(struct hp_json *j, const struct hp_result *r, bool growth)
{
	hp_json_put_array(j, "rows");
	for (size_t i = 0; i < r->nshown; i++)
		write_row(j, r, r->shown[i], growth);
	hp_json_array_end(j);
}

/* Write the members of the JSON result before "rows". */
static void
write_before_rows(struct hp_json *j, const struct hp_result *r)
{
	write_head(j, r);
	write_dumps(j, r);
	write_problems(j, r);
}

/* Write the members of the JSON result after "rows". */
static void
write_after_rows(struct hp_json *j, const struct hp_result *r)
{
	write_total(j, r);
	hp_ignored_json(j, r);
	hp_why_json(j, r);
	if (r->rows.retained)
		hp_suspects_json(j, r);
	hp_known_json(j, r);
	hp_failed_thread_json(j, r);
	hp_findings_json(j, r);
	hp_stacks_json(j, r);
	write_gates(j, r);
}

void
hp_report_json_members(struct hp_json *j, const struct hp_result *r,
		       bool growth)
{
	write_before_rows(j, r);
	write_rows(j, r, growth);
	write_after_rows(j, r);
}

enum hp_status
hp_report_json(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	if (r->object)
		return hp_object_json(r, out, err);
	if (r->estimates)
		return hp_estimate_json(r, out, err);
	hp_json_init(&j, out, HP_JSON_INDENT);
	hp_json_object(&j);
	hp_report_json_members(&j, r, true);
	hp_json_object_end(&j);
	return hp_json_finish(&j, err);
}

/*
 * Write NDJSON. The first line is the result without its rows. Each further
 * line is a row.
 */
enum hp_status
hp_report_ndjson(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	hp_json_init(&j, out, HP_JSON_COMPACT);
	hp_json_object(&j);
	write_before_rows(&j, r);
	write_after_rows(&j, r);
	hp_json_object_end(&j);
	hp_json_line(&j);
	for (size_t i = 0; i < r->nshown; i++) {
		write_row(&j, r, r->shown[i], true);
		hp_json_line(&j);
	}
	return hp_json_finish(&j, err);
}
