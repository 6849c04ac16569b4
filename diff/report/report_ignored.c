/*
 * report_ignored.c - report how many paths are hidden because they are on the
 * ignore list (--ignore-path), as text and as JSON
 */

#include "diff/report/report.h"

#include "common/cli/quantity.h"

/*
 * Append a change of the hidden paths, for example "12 paths on the ignore list
 * grew by 3.1 MB". If their bytes did not change, append the change of the
 * number of objects instead.
 */
static void
add_change(struct hp_buf *b, size_t paths, const char *verb,
	   const struct hp_graph_sum *sum, const char *before)
{
	if (paths == 0)
		return;
	if (b->len == 0) {
		hp_count_noun_text(b, paths, "path");
		hp_buf_text(b, " on the ignore list");
	} else {
		hp_buf_text(b, before);
		hp_count_text(b, paths);
	}
	hp_buf_printf(b, " %s", verb);
	if (!sum)
		return;
	hp_buf_text(b, " by ");
	if (sum->bytes > 0)
		hp_size_text(b, sum->bytes);
	else
		hp_count_noun_text(b, sum->objects, "object");
}

void
hp_ignored_text(struct hp_buf *b, const struct hp_result *r)
{
	const struct hp_ignored *g = &r->ignored;
	struct hp_buf line = {0};

	if (r->ndumps == 1) {
		const struct hp_graph_sum sum = {
			.bytes = g->paths ? g->sum->bytes[0] : 0,
			.objects = g->paths ? g->sum->count[0] : 0};

		if (g->paths > 0) {
			hp_count_noun_text(&line, g->paths, "path");
			hp_buf_text(&line, " on the ignore list: ");
			hp_count_noun_text(&line, sum.objects, "object");
			hp_buf_text(&line, ", ");
			hp_size_text(&line, sum.bytes);
		}
	} else {
		add_change(&line, g->grew, "grew", &g->gained, "");
		add_change(&line, g->shrank, "shrank", &g->lost, ", ");
		add_change(&line, g->changed, "changed in between", NULL, ", ");
	}
	/*
	 * If the user has not given --ignore-path, show how to switch off the
	 * built-in list. A user who gives patterns knows the option.
	 */
	if (line.len > 0 && r->options->ignored_path_count == 0)
		hp_buf_text(&line, " (--ignore-path=none shows all)");
	hp_buf_add(b, line.data, line.len);
	hp_buf_inherit(b, &line);
	hp_buf_release(&line);
}

static void
put_sum(struct hp_json *j, const char *key, size_t paths,
	const struct hp_graph_sum *sum)
{
	hp_json_put_object_flat(j, key);
	hp_json_put_u64(j, "paths", paths);
	hp_json_put_u64(j, "objects", sum->objects);
	hp_json_put_u64(j, "bytes", sum->bytes);
	hp_json_object_end(j);
}

void
hp_ignored_json(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_ignored *g = &r->ignored;

	if (!g->applied)
		return;
	hp_json_put_object(j, "ignored");
	hp_json_put_u64(j, "paths", g->paths);
	hp_json_put_u64s(j, "count", g->sum->count, r->ndumps);
	hp_json_put_u64s(j, "bytes", g->sum->bytes, r->ndumps);
	if (r->ndumps > 1) {
		put_sum(j, "grew", g->grew, &g->gained);
		put_sum(j, "shrank", g->shrank, &g->lost);
	}
	hp_json_object_end(j);
}
