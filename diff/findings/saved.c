/*
 * saved.c - read the findings of a saved JSON result
 */
#include "diff/findings/findings.h"

#include "common/cli/escape.h"

#include <jansson.h>
#include <string.h>

static const char *
copy_visible(struct hp_arena *arena, const char *text)
{
	struct hp_buf clean = {0};
	const char *copy = NULL;

	hp_text_clean_visible(&clean, text, strlen(text));
	if (hp_buf_ok(&clean))
		copy = hp_arena_copy(arena, clean.data, clean.len);
	hp_buf_release(&clean);
	return copy;
}

static uint64_t
number_of(const json_t *j)
{
	json_int_t v = json_integer_value(j);

	return v > 0 ? (uint64_t)v : 0;
}

/*
 * Convert a percentage to millionths of a percent. Returns 0 if it is not a
 * valid percentage.
 */
static uint64_t
share_of(double percent)
{
	return percent > 0 && percent < 1e9
		       ? (uint64_t)(percent * (double)HP_PERCENT_ONE)
		       : 0;
}

static void
read_one(struct hp_result *r, const json_t *j, bool first)
{
	const char *id = json_string_value(json_object_get(j, "id"));
	const char *what = json_string_value(json_object_get(j, "what"));
	const char *whole = json_string_value(json_object_get(j, "of"));
	int at = id ? hp_choice_find(hp_unusual_ids, id, strlen(id)) : -1;
	struct hp_unusual_fact *f;

	if (at < 0)
		return;
	f = &r->findings[at];
	if (first) {
		f->before = true;
		return;
	}
	f->applies = true;
	f->share = share_of(json_number_value(json_object_get(j, "percent")));
	f->count = number_of(json_object_get(j, "count"));
	f->bytes = number_of(json_object_get(j, "bytes"));
	f->whole = whole ? copy_visible(&r->arena, whole) : NULL;
	f->what = what ? copy_visible(&r->arena, what) : NULL;
}

void
hp_findings_load(const struct json_t *root, struct hp_result *r, size_t column)
{
	const json_t *list = json_object_get(root, "findings");
	const json_t *checked = json_object_get(root, "findings_checked");
	bool first = column + 1 < r->ndumps;

	if (first && column > 0)
		return;
	for (size_t i = 0; i < json_array_size(checked); i++) {
		const char *id = json_string_value(json_array_get(checked, i));
		int at = id ? hp_choice_find(hp_unusual_ids, id, strlen(id))
			    : -1;

		if (at >= 0 && first)
			r->findings[at].before_known = true;
		else if (at >= 0)
			r->findings[at].checked = true;
	}
	for (size_t i = 0; i < json_array_size(list); i++)
		read_one(r, json_array_get(list, i), first);
}
