/*
 * report_layout.c - write the name of a dump, the first members of a JSON
 * result, and the size model of a dump (how many bytes its objects take)
 */
#include "diff/report/report.h"

#include "common/options/options.h"

#include <string.h>

void
hp_report_tool_json(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_string(j, "tool", "hprof-diff");
	hp_json_put_string(j, "version", HP_VERSION);
	hp_json_put_u64(j, "schema", HP_RESULT_SCHEMA);
	hp_confine_json(j, r->sandbox_missing);
}

void
hp_report_begin_json(struct hp_json *j, const struct hp_result *r, FILE *out)
{
	const struct hp_dump_info *d = &r->dumps[0];

	hp_json_init(j, out, HP_JSON_INDENT);
	hp_json_object(j);
	hp_report_tool_json(j, r);
	hp_json_put_string(j, "path", d->path);
	hp_json_put_string(j, "dialect", d->dialect);
	hp_json_put_bool(j, "partial", d->partial);
}

/*
 * Returns the name of the size model, as --layout spells it. The name is shown
 * because the headers of two different size models can have the same size.
 */
static const char *
model_words(const struct hp_size_model *l)
{
	return strcmp(l->source, "auto") == 0 && l->model == HP_SIZE_MODEL_ART
		       ? ", art"
		       : "";
}

void
hp_report_layout_text(struct hp_buf *b, const struct hp_dump_info *d)
{
	const struct hp_size_model *l = &d->layout;

	hp_buf_printf(b, "  (layout %s%s", l->source, model_words(l));
	/*
	 * round the percentage down, so that "100 %" appears only if all
	 * objects were measured
	 */
	if (d->measured_of > 0)
		hp_buf_printf(b, " with %.1f %% of the objects",
			      (double)(uint64_t)((double)d->measured * 1000 /
						 (double)d->measured_of) /
				      10);
	hp_buf_printf(b, ": references %u, headers %u and %u, alignment %u)",
		      l->reference, l->header, l->array_header, l->alignment);
}

void
hp_report_layout_json(struct hp_json *j, const struct hp_dump_info *d)
{
	const struct hp_size_model *l = &d->layout;

	hp_json_put_object_flat(j, "layout");
	hp_json_put_u64(j, "reference", l->reference);
	hp_json_put_u64(j, "header", l->header);
	hp_json_put_u64(j, "array_header", l->array_header);
	hp_json_put_u64(j, "alignment", l->alignment);
	hp_json_put_string(j, "source", l->source);
	/*
	 * the source "measured" is not the name of a size model, so also write
	 * the model
	 */
	if (strcmp(l->source, "measured") == 0)
		hp_json_put_string(j, "model",
				   l->model == HP_SIZE_MODEL_MAT ? "mat"
								 : "hotspot");
	if (d->sizes.class_object)
		hp_json_put_u64(j, "class_object", d->sizes.class_object);
	hp_json_object_end(j);
}
