/*
 * report_rows.c - write results as rows for databases: one for the file, and
 * one for each rule that found something
 */
#include "validate/report/report.h"

#include "common/cli/quantity.h"

#include <string.h>

void
hp_validate_rows_open(struct hp_flat_rows *f, const char *format,
		      const struct hp_labels *labels, FILE *out)
{
	static const enum hp_cell shown[] = {
		HP_CELL_TOOL,
		HP_CELL_TOOL_VERSION,
		HP_CELL_VERDICT,
		HP_CELL_ERROR,
		HP_CELL_DIALECT,
		HP_CELL_COMPRESSION,
		HP_CELL_ID_SIZE,
		HP_CELL_OBJECTS,
		HP_CELL_ERRORS,
		HP_CELL_WARNINGS,
		HP_CELL_INFOS,
		HP_CELL_REFERENCES_CHECKED,
		HP_CELL_REFERENCES_NULL,
		HP_CELL_REFERENCES_DANGLING,
		HP_CELL_RULE,
		HP_CELL_SEVERITY,
		HP_CELL_DAMAGE,
		HP_CELL_COUNT,
		HP_CELL_BYTES,
		HP_CELL_OFFSET,
		HP_CELL_LINE,
		HP_CELL_RECORD,
		HP_CELL_FIELD,
		HP_CELL_MESSAGE,
	};

	hp_flat_open(f, out, format, shown, HP_ARRAY_LEN(shown), labels);
}

/*
 * Whether these findings mean that the dump is damaged, so that hprof-diff and
 * hprof-convert would refuse it.
 */
static bool
is_damage(const struct hp_reported *e)
{
	return e->severity == HP_SEVERITY_ERROR && hp_rule_is_damage(e->rule);
}

static bool
is_damaged(const struct hp_validation *v)
{
	for (size_t i = 0; i < v->nrules; i++) {
		if (is_damage(&v->rules[i]))
			return true;
	}
	return v->verdict == HP_UNREADABLE;
}

/*
 * Returns the number of classes, instances and arrays together, which is the
 * number of objects in hprof-diff.
 */
static uint64_t
count_objects(const struct hp_validation *v)
{
	return v->subs[HP_SUB_CLASS_DUMP] + v->subs[HP_SUB_INSTANCE_DUMP] +
	       v->subs[HP_SUB_OBJECT_ARRAY_DUMP] +
	       v->subs[HP_SUB_PRIMITIVE_ARRAY_DUMP] +
	       v->subs[HP_SUB_PRIMITIVE_ARRAY_NODATA];
}

static void
write_dump(struct hp_flat_rows *f, const struct hp_validation *v,
	   const struct hp_flat_dump *dump)
{
	hp_flat_begin(f, "dump", dump);
	hp_flat_text(f, HP_CELL_TOOL, "hprof-validate");
	hp_flat_text(f, HP_CELL_TOOL_VERSION, HP_VERSION);
	hp_flat_text(f, HP_CELL_VERDICT, hp_verdict_name(v->verdict));
	if (hp_validation_failed(v))
		hp_flat_text(f, HP_CELL_ERROR, v->error.text);
	if (v->verdict == HP_UNREADABLE) {
		hp_flat_end(f);
		return;
	}
	hp_flat_text(f, HP_CELL_DIALECT, hp_dialect_name(v->dialect));
	hp_flat_text(f, HP_CELL_COMPRESSION, v->compression);
	hp_flat_number(f, HP_CELL_ID_SIZE, v->id_size);
	hp_flat_number(f, HP_CELL_OBJECTS, count_objects(v));
	hp_flat_number(f, HP_CELL_BYTES, v->bytes);
	hp_flat_number(f, HP_CELL_ERRORS, v->totals[HP_SEVERITY_ERROR]);
	hp_flat_number(f, HP_CELL_WARNINGS, v->totals[HP_SEVERITY_WARNING]);
	hp_flat_number(f, HP_CELL_INFOS, v->totals[HP_SEVERITY_INFO]);
	if (v->has_references) {
		hp_flat_number(f, HP_CELL_REFERENCES_CHECKED, v->checked);
		hp_flat_number(f, HP_CELL_REFERENCES_NULL, v->null);
		hp_flat_number(f, HP_CELL_REFERENCES_DANGLING, v->dangling);
	}
	hp_flat_end(f);
}

static void
write_finding(struct hp_flat_rows *f, const struct hp_reported *e,
	      const struct hp_flat_dump *dump)
{
	hp_flat_begin(f, "finding", dump);
	hp_flat_text(f, HP_CELL_RULE, hp_rule_desc(e->rule)->id);
	hp_flat_text(f, HP_CELL_SEVERITY, hp_severity_name(e->severity));
	hp_flat_number(f, HP_CELL_DAMAGE, is_damage(e));
	hp_flat_number(f, HP_CELL_COUNT, e->count);
	if (e->nexamples > 0) {
		const struct hp_example *x = &e->examples[0];

		hp_flat_number(f, HP_CELL_OFFSET, x->offset);
		if (x->line)
			hp_flat_number(f, HP_CELL_LINE, x->line);
		hp_flat_number(f, HP_CELL_RECORD, x->record);
		if (x->field)
			hp_flat_visible(f, HP_CELL_FIELD, x->field,
					strlen(x->field));
		hp_flat_visible(f, HP_CELL_MESSAGE, x->message,
				strlen(x->message));
	}
	hp_flat_end(f);
}

enum hp_status
hp_validate_rows_file(struct hp_flat_rows *f, const struct hp_validation *v,
		      enum hp_severity least, struct hp_error *err)
{
	const struct hp_flat_dump dump = {
		.id = &v->id,
		.path = v->path,
		.time_ms = v->timestamp_ms < HP_TIME_END ? v->timestamp_ms : 0,
		.partial = is_damaged(v),
		.number = hp_flat_dump_number(v->only_dump, v->dumps)};

	write_dump(f, v, &dump);
	for (size_t i = 0; i < v->nrules; i++) {
		if (v->rules[i].severity >= least)
			write_finding(f, &v->rules[i], &dump);
	}
	return hp_flat_flush(f, err);
}
