/*
 * report_html.c - write the result as one self-contained HTML page
 *
 * The fixed part of the page comes from the files in common/html/, and from
 * page.html, page.css and the scripts (page*.js) in diff/report/. The scripts
 * read the JSON result and additional JSON members, which this file writes.
 */

#include "diff/report/html_figures.h"

#include "common/cli/quantity.h"

#include <stdlib.h>

enum {
	/* maximum number of rows that the page lists for a gate */
	GATE_ROWS = 5
};

/*
 * The fixed text of the page, which the build generates from the files of the
 * page.
 */
extern const struct hp_page_text hp_diff_page;

/*
 * Write the JSON member "files": the sizes of the files on disk in bytes; 0:
 * not known.
 */
static void
write_files(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array_flat(j, "files");
	for (size_t i = 0; i < r->ndumps; i++)
		hp_json_u64(j, r->dumps[i].file_bytes);
	hp_json_array_end(j);
}

/*
 * For one row or the total, write the value that a gate (--fail-if) compared
 * with its limit, as text: the value in the last dump, or the growth.
 */
static void
write_measured_row(struct hp_json *j, const struct hp_result *r,
		   const struct hp_gate *g, const struct hp_row *row)
{
	struct hp_buf b = {0};

	hp_json_object_flat(j);
	if (hp_result_has_stacks(r) && row != r->total && !row->rollup)
		hp_report_json_site(j, row);
	if (hp_result_has_value(row, g->what)) {
		uint64_t first = hp_result_value(r, row, g->what, 0);
		uint64_t last = hp_result_value(r, row, g->what, r->ndumps - 1);
		int64_t growth = hp_growth(first, last);

		if (g->growth) {
			hp_column_growth_text(&b, g->what, growth);
			hp_buf_text(&b, ", ");
			hp_growth_percent_text(&b, growth, first);
			hp_json_put_string(j, "tone", hp_html_tone(growth));
		} else {
			hp_html_value(&b, g->what, last);
		}
		hp_html_put_figures(j, "text", &b);
	}
	hp_json_object_end(j);
	hp_buf_release(&b);
}

/*
 * Write the JSON member "measured": the values that each gate (--fail-if)
 * compared with its limit. An entry is {"total": false, "listed": 5, "more": "
 * and 3 more", "rows": [{"site": ..., "text": "+1.4 KB, +35 %", "tone": "up"},
 * ...]}. The page lists the first "listed" rows and the text "more". Entries
 * are in the order of the member "gates", and "rows" are in the order of the
 * member "rows" of the result.
 */
static void
write_measured(struct hp_json *j, const struct hp_result *r)
{
	struct hp_buf more = {0};

	hp_json_put_array(j, "measured");
	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_json_object_flat(j);
		hp_json_put_bool(j, "total", g->of == HP_GATE_TOTAL);
		hp_json_put_u64(j, "listed", GATE_ROWS);
		if (g->nrows > GATE_ROWS) {
			hp_buf_text(&more, " and ");
			hp_count_text(&more, g->nrows - GATE_ROWS);
			hp_buf_text(&more, " more");
			hp_json_put_buf(j, "more", &more);
			hp_buf_clear(&more);
		}
		hp_json_put_array_flat(j, "rows");
		if (g->of == HP_GATE_TOTAL)
			write_measured_row(j, r, g, r->total);
		for (size_t k = 0; k < g->nrows; k++)
			write_measured_row(j, r, g, g->rows[k]);
		hp_json_array_end(j);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&more);
}

/*
 * Write the JSON member "table": the columns of the result, with the texts that
 * the page shows for them, as {"key": "bytes", "title": "Size", ...}.
 */
static void
write_columns(struct hp_json *j, const struct hp_result *r)
{
	static const char *const units[] = {[HP_IN_COUNT] = "count",
					    [HP_IN_BYTES] = "bytes",
					    [HP_IN_MS] = "ms",
					    [HP_IN_STEPS] = "steps",
					    [HP_IN_PERCENT] = "percent"};
	static const struct {
		const char *name;
		unsigned flag;
	} flags[] = {{"grows", HP_COLUMN_IS_GROWS},
		     {"retained", HP_COLUMN_IS_RETAINED},
		     {"asked", HP_COLUMN_IS_ASKED},
		     {"ofKey", HP_COLUMN_IS_OF_KEY},
		     {"ownSum", HP_COLUMN_IS_DEFAULT},
		     {"lessIsWorse", HP_COLUMN_IS_LESS_IS_WORSE}};

	hp_json_put_array(j, "table");
	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i, pick = c;

		if (!hp_result_tells(r, c))
			continue;
		while (hp_columns[pick].picked == HP_COLUMN_WITH_NEXT)
			pick++;
		hp_json_object_flat(j);
		hp_json_put_string(j, "key", hp_columns[c].key);
		hp_json_put_string(j, "word", hp_columns[pick].word);
		hp_json_put_string(j, "title", hp_columns[c].title);
		hp_json_put_string(j, "one", hp_columns[c].one);
		hp_json_put_string(j, "unit", units[hp_columns[c].unit]);
		hp_json_put_bool(j, "shown", hp_result_shows(r, c));
		for (size_t k = 0; k < HP_ARRAY_LEN(flags); k++)
			if (hp_column_is(c, flags[k].flag))
				hp_json_put_bool(j, flags[k].name, true);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_json_put_array_flat(j, "weights");
	for (const enum hp_col *c = hp_row_keys[r->by].weight; *c != HP_COLS;
	     c++)
		if (r->columns & 1u << *c)
			hp_json_string(j, hp_columns[*c].key);
	hp_json_array_end(j);
}

/* Write the JSON member "whole": for each dump, the number that is 100 %. */
static void
write_whole(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array_flat(j, "whole");
	for (size_t i = 0; i < r->ndumps; i++)
		hp_json_u64(j, hp_html_whole(r, i));
	hp_json_array_end(j);
}

/*
 * Write two JSON members for the --by key: "key" has the texts that the page
 * shows for the current key, such as {"whole": "the heap", ...}; "keys" has the
 * titles of all keys.
 */
static void
write_key(struct hp_json *j, const struct hp_result *r)
{
	static const struct {
		const char *name;
		unsigned flag;
	} flags[] = {{"events", HP_KEY_EVENTS},
		     {"owners", HP_KEY_OWNERS},
		     {"overlaps", HP_KEY_OVERLAPS},
		     {"partsOfHeap", HP_KEY_PARTS_OF_HEAP},
		     {"namesFrame", HP_KEY_NAMES_FRAME},
		     {"details", HP_KEY_DETAILS},
		     {"inPackages", HP_KEY_IN_PACKAGES},
		     {"rollups", HP_KEY_ROLLUPS}};
	const struct hp_row_key *key = &hp_row_keys[r->by];

	hp_json_put_object_flat(j, "key");
	hp_json_put_string(j, "whole", key->whole);
	if (key->stacks)
		hp_json_put_string(j, "stacks", key->stacks);
	for (size_t k = 0; k < HP_ARRAY_LEN(flags); k++)
		if (key->flags & flags[k].flag)
			hp_json_put_bool(j, flags[k].name, true);
	hp_json_object_end(j);
	hp_json_put_object_flat(j, "keys");
	for (size_t i = 0; i < HP_BYS; i++) {
		hp_json_put_object_flat(j, hp_row_keys[i].name);
		hp_json_put_string(j, "title", hp_row_keys[i].title);
		hp_json_put_string(j, "noun", hp_row_keys[i].noun);
		hp_json_object_end(j);
	}
	hp_json_object_end(j);
}

static void
write_data(struct hp_json *j, const void *result)
{
	const struct hp_result *r = result;
	struct hp_rows texts;

	hp_rows_init(&texts, 0);
	hp_json_object(j);
	hp_report_json_members(j, r, false);
	hp_json_put_string(j, "command", r->command);
	if (r->options->filter)
		hp_json_put_string(j, "filter", r->options->filter);
	hp_json_put_bool(j, "all", r->options->all);
	if (r->options->sort_given)
		hp_json_put_string(j, "sort", hp_sort_name(r->options->sort));
	if (r->ncut > 0)
		hp_json_put_u64(j, "cut", r->ncut);
	write_columns(j, r);
	write_whole(j, r);
	write_key(j, r);
	write_files(j, r);
	hp_answer_json(j, r);
	hp_html_suspects(j, r);
	hp_html_dumps(j, r);
	hp_html_failed_thread(j, r);
	hp_html_lead(j, r);
	hp_html_growth(j, r);
	write_measured(j, r);
	hp_html_waste(j, r);
	hp_html_trend(j, r);
	hp_html_row_figures(j, r, &texts);
	hp_html_paths(j, r, &texts);
	hp_html_threads(j, r, &texts);
	/* long lists come first, because the first texts have short indexes */
	if (r->nboxes > 0 && hp_key_is(r->by, HP_KEY_DETAILS))
		hp_html_details(j, r, &texts);
	hp_html_sums(j, r, &texts);
	if (r->nboxes > 0)
		hp_html_boxes(j, r, &texts);
	hp_html_texts(j, &texts);
	hp_json_object_end(j);
}

/*
 * Append the title of the page, for example "before.hprof → after.hprof ·
 * hprof-diff". The title is short enough for the tab of a browser.
 */
static void
add_title(struct hp_buf *b, const void *ctx)
{
	const struct hp_result *r = ctx;

	hp_buf_text(b, hp_shown_file_name(r->dumps[0].path));
	if (r->ndumps > 1)
		hp_buf_printf(b, " → %s",
			      hp_shown_file_name(r->dumps[r->ndumps - 1].path));
	hp_buf_text(b, " · hprof-diff");
}

enum hp_status
hp_report_html(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_page page = {.text = &hp_diff_page,
				     .write_title = add_title,
				     .write_fallback = hp_html_fallback,
				     .write_data = write_data,
				     .ctx = r};

	return hp_page_write(&page, out, err);
}
