/*
 * report_speedscope.c - write the rows in the file format of speedscope
 *
 * A file has several profiles with the same frames: the values of the first
 * dump, those of the last dump, and the growth. In the picture, a width cannot
 * be negative. So rows that became smaller are in a further profile.
 */
#include "diff/report/report.h"

#include "diff/report/profile.h"

#include <stdio.h>

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/*
 * The profiles of a file. They have the same frames, but show different numbers
 * as the width of a frame: the value in the first dump, the value in the last
 * dump, the growth, or the amount by which the row shrank.
 */
enum values { BEFORE, AFTER, GROWTH, SHRINKAGE };

/*
 * Returns the width of a row in a profile; 0: the profile does not contain the
 * row.
 */
static uint64_t
width_of(const struct hp_result *r, const struct hp_row *row,
	 enum values values)
{
	const uint64_t *v = row->value[r->basis.weight];
	uint64_t before = v[0], after = v[r->ndumps - 1];

	switch (values) {
	case BEFORE:
		return before;
	case AFTER:
		return after;
	case GROWTH:
		return after > before ? after - before : 0;
	default:
		return before > after ? before - after : 0;
	}
}

/*
 * Give each frame a number. Stacks are not stored, but made again for each
 * profile, so that only one stack at a time is in memory.
 */
static bool
number_frames(struct hp_profile *p, const struct hp_result *r)
{
	for (size_t i = 0; i < r->nshown; i++)
		if (!hp_profile_stack(p, r, r->shown[i]))
			return false;
	return true;
}

static void
write_frames(struct hp_json *j, const struct hp_profile *p)
{
	hp_json_key(j, "shared");
	hp_json_object(j);
	hp_json_key(j, "frames");
	hp_json_array(j);
	for (uint32_t i = 1; i <= p->frames.count; i++) {
		struct hp_slice f = hp_intern_get(&p->frames, i);
		struct hp_profile_place place =
			hp_profile_place(f.text, f.length);

		hp_json_object_flat(j);
		hp_json_key(j, "name");
		hp_json_visible(j, f.text, place.name);
		if (place.file) {
			hp_json_key(j, "file");
			hp_json_visible(j, place.file, place.file_len);
		}
		if (place.line > 0)
			hp_json_put_u64(j, "line", place.line);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
}

static bool
write_samples(struct hp_json *j, struct hp_profile *p,
	      const struct hp_result *r, enum values values)
{
	hp_json_key(j, "samples");
	hp_json_array(j);
	for (size_t i = 0; i < r->nshown; i++) {
		if (width_of(r, r->shown[i], values) == 0)
			continue;
		if (!hp_profile_stack(p, r, r->shown[i]))
			return false;
		hp_json_array_flat(j);
		for (size_t k = 0; k < p->depth; k++)
			hp_json_u64(j, p->stack[k] - 1);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	return true;
}

static bool
write_profile(struct hp_json *j, struct hp_profile *p,
	      const struct hp_result *r, const char *name, enum values values)
{
	static const char *const units[] = {[HP_IN_COUNT] = "none",
					    [HP_IN_BYTES] = "bytes",
					    [HP_IN_MS] = "milliseconds"};
	const struct hp_column_kind *weight = &hp_columns[r->basis.weight];
	uint64_t sum = 0;
	char title[100];

	for (size_t i = 0; i < r->nshown; i++)
		sum += width_of(r, r->shown[i], values);
	snprintf(title, sizeof(title), "%s: %s by %s", name, weight->word,
		 hp_by_name(r->by));
	hp_json_object(j);
	hp_json_put_string(j, "type", "sampled");
	hp_json_put_string(j, "name", title);
	hp_json_put_string(j, "unit", units[weight->unit]);
	hp_json_put_u64(j, "startValue", 0);
	hp_json_put_u64(j, "endValue", sum);
	if (!write_samples(j, p, r, values))
		return false;
	hp_json_key(j, "weights");
	hp_json_array_flat(j);
	for (size_t i = 0; i < r->nshown; i++)
		if (width_of(r, r->shown[i], values) > 0)
			hp_json_u64(j, width_of(r, r->shown[i], values));
	hp_json_array_end(j);
	hp_json_object_end(j);
	return true;
}

static bool
write_profiles(struct hp_json *j, struct hp_profile *p,
	       const struct hp_result *r)
{
	bool fine;

	hp_json_key(j, "profiles");
	hp_json_array(j);
	if (r->ndumps == 1)
		fine = write_profile(j, p, r, "heap", AFTER);
	else
		fine = write_profile(j, p, r, "growth", GROWTH) &&
		       write_profile(j, p, r, "before", BEFORE) &&
		       write_profile(j, p, r, "after", AFTER) &&
		       write_profile(j, p, r, "shrinkage", SHRINKAGE);
	hp_json_array_end(j);
	return fine;
}

enum hp_status
hp_report_speedscope(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_profile p = {0};
	enum hp_status st;
	struct hp_json j;
	bool fine;

	hp_json_init(&j, out, HP_JSON_INDENT);
	fine = number_frames(&p, r);
	hp_json_object(&j);
	hp_json_put_string(&j, "$schema", SCHEMA);
	hp_json_put_string(&j, "exporter", "hprof-diff");
	hp_json_put_string(&j, "name", r->dumps[r->ndumps - 1].path);
	hp_json_put_u64(&j, "activeProfileIndex", 0);
	write_frames(&j, &p);
	fine = fine && write_profiles(&j, &p, r);
	hp_json_object_end(&j);
	hp_profile_release(&p);
	st = hp_json_finish(&j, err);
	return fine ? st : hp_no_memory(err);
}
