/*
 * report_object.c - write the object of --object as text and as JSON
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/model/java_string.h"
#include "common/options/options.h"

#include <inttypes.h>
#include <string.h>

static const char *const kinds[] = {
	[HP_NODE_NOTHING] = "unknown",
	[HP_NODE_INSTANCE] = "instance",
	[HP_NODE_OBJECT_ARRAY] = "object array",
	[HP_NODE_PRIMITIVE_ARRAY] = "primitive array",
	[HP_NODE_CLASS] = "class",
};

static const char *const references[] = {
	[HP_REFERENCE_FIELD] = "field",
	[HP_REFERENCE_STATIC] = "static field",
	[HP_REFERENCE_ELEMENT] = "element",
	[HP_REFERENCE_LOCAL] = "local variable",
	[HP_REFERENCE_CLASS] = "class",
	[HP_REFERENCE_WEAK] = "weak reference",
};

static bool
is_array(const struct hp_object_facts *f)
{
	return f->is == HP_NODE_OBJECT_ARRAY ||
	       f->is == HP_NODE_PRIMITIVE_ARRAY;
}

/* --- values of primitive types -------------------------------------------- */

static int64_t
integer(uint8_t type, uint64_t bits)
{
	switch (type) {
	case HP_TYPE_BYTE:
		return (int8_t)bits;
	case HP_TYPE_SHORT:
		return (int16_t)bits;
	case HP_TYPE_INT:
		return (int32_t)bits;
	default:
		return (int64_t)bits;
	}
}

static double
real(uint8_t type, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float single;
	double wide;

	memcpy(&single, &low, sizeof(single));
	memcpy(&wide, &bits, sizeof(wide));
	return type == HP_TYPE_FLOAT ? (double)single : wide;
}

/*
 * Append a Java char (a UTF-16 code unit), or an escape if it is not printable.
 */
static void
char_text(struct hp_buf *b, uint64_t unit)
{
	struct hp_buf raw = {0};

	hp_java_unit_add(&raw, (uint32_t)unit);
	hp_text_clean(b, hp_buf_string(&raw), hp_buf_length(&raw));
	hp_buf_inherit(b, &raw);
	hp_buf_release(&raw);
}

static void
value_text(struct hp_buf *b, uint8_t type, uint64_t bits)
{
	switch (type) {
	case HP_TYPE_BOOLEAN:
		hp_buf_text(b, bits ? "true" : "false");
		break;
	case HP_TYPE_CHAR:
		char_text(b, bits);
		break;
	case HP_TYPE_FLOAT:
	case HP_TYPE_DOUBLE:
		hp_buf_printf(b, "%.*g", type == HP_TYPE_FLOAT ? 9 : 17,
			      real(type, bits));
		break;
	default:
		hp_buf_printf(b, "%" PRId64, integer(type, bits));
	}
}

static void
value_json(struct hp_json *j, uint8_t type, uint64_t bits)
{
	struct hp_buf b = {0};

	switch (type) {
	case HP_TYPE_BOOLEAN:
		hp_json_bool(j, bits != 0);
		break;
	case HP_TYPE_CHAR:
		char_text(&b, bits);
		hp_json_buf(j, &b);
		break;
	case HP_TYPE_FLOAT:
	case HP_TYPE_DOUBLE:
		hp_json_double(j, real(type, bits));
		break;
	default:
		hp_json_i64(j, integer(type, bits));
	}
	hp_buf_release(&b);
}

/* --- text ----------------------------------------------------------------- */

static void
id_text(struct hp_buf *b, uint64_t id)
{
	hp_buf_printf(b, "0x%" PRIx64, id);
}

static void
add_quoted(struct hp_buf *b, const char *text)
{
	hp_buf_printf(b, " \"%s\"", text);
}

static void
add_sizes(struct hp_buf *b, const struct hp_object_facts *f)
{
	hp_buf_text(b, "size: ");
	hp_size_text(b, f->bytes);
	if (f->is_reachable || f->is_waiting) {
		hp_buf_text(b, "; retains ");
		hp_size_text(b, f->retained.bytes);
		hp_buf_text(b, " in ");
		hp_count_noun_text(b, f->retained.objects, "object");
	}
	hp_buf_byte(b, '\n');
	if (is_array(f)) {
		hp_buf_text(b, "length: ");
		hp_count_text(b, f->length);
		hp_buf_byte(b, '\n');
	}
	if (f->is == HP_NODE_CLASS) {
		hp_buf_text(b, "instances: ");
		hp_count_text(b, f->instances);
		hp_buf_byte(b, '\n');
	}
}

static void
add_keepers(struct hp_buf *b, const struct hp_object_facts *f)
{
	if (!f->is_reachable && !f->is_waiting)
		hp_buf_text(b, "not kept alive: no path from a root leads to "
			       "the object, or only a path with a weak "
			       "reference\n");
	if (f->is_waiting)
		hp_buf_text(b, "kept alive by its finalizer, which has not "
			       "run\n");
	if (f->path)
		hp_buf_printf(b, "path: %s\n", f->path);
	if (f->root)
		hp_buf_printf(b, "root: %s\n", f->root);
	if (f->dominator) {
		hp_buf_printf(b, "retained by: %s ", f->dominator_class);
		id_text(b, f->dominator);
		hp_buf_byte(b, '\n');
	} else if (f->is_reachable) {
		hp_buf_text(b, "retained by: no single object\n");
	}
}

static void
add_field_name(struct hp_buf *b, const struct hp_object_field *field)
{
	if (!field->name) {
		hp_buf_printf(b, "[%" PRIu64 "]", field->index);
		return;
	}
	if (field->declared_in)
		hp_buf_printf(b, "%s.", field->declared_in);
	hp_buf_text(b, field->name);
	hp_buf_text(b, field->is_static ? " (static)" : "");
}

static void
add_field(struct hp_table_lines *l, const struct hp_object_field *field,
	  bool values)
{
	bool reference = hp_type_is_reference(field->type);
	struct hp_buf *b =
		hp_table_lines_cell(l, "type", HP_COLOR_NONE, false, false);

	if (b)
		hp_buf_text(b, hp_type_name(field->type));
	b = hp_table_lines_cell(l, "refers to", HP_COLOR_NONE, false, false);
	if (b && reference && field->value == 0)
		hp_buf_text(b, "null");
	else if (b && reference)
		id_text(b, field->value);
	b = hp_table_lines_cell(l, "field", HP_COLOR_NONE, false, true);
	if (!b)
		return;
	add_field_name(b, field);
	if (reference && field->value != 0) {
		hp_buf_printf(b, HP_ROW_ARROW "%s",
			      field->class ? field->class : "not in the dump");
		if (field->text)
			add_quoted(b, field->text);
	} else if (!reference && values) {
		hp_buf_text(b, " = ");
		value_text(b, field->type, field->value);
	}
}

static void
plan_fields(struct hp_table_lines *l)
{
	add_field(l, &(struct hp_object_field){.type = HP_TYPE_INT}, false);
}

static enum hp_status
add_fields(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = l->ctx;
	const struct hp_object_facts *f = r->object;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < f->nfields && st == HP_OK; i++) {
		if (!f->fields[i].name && !r->options->show_values &&
		    !hp_type_is_reference(f->fields[i].type))
			continue;
		add_field(l, &f->fields[i], r->options->show_values);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	return st;
}

static void
add_referrer(struct hp_table_lines *l, const struct hp_object_referrer *from)
{
	struct hp_buf *b = hp_table_lines_cell(l, "referred to by",
					       HP_COLOR_NONE, false, false);

	if (b)
		id_text(b, from->id);
	b = hp_table_lines_cell(l, "reference", HP_COLOR_NONE, false, true);
	if (!b)
		return;
	if (from->kind > HP_REFERENCE_STATIC)
		hp_buf_printf(b, "%s, ", from->class);
	hp_buf_text(b, from->field);
	if (from->kind == HP_REFERENCE_STATIC)
		hp_buf_text(b, " (static)");
	if (from->kind == HP_REFERENCE_WEAK)
		hp_buf_text(b, " (weak)");
}

static void
plan_referrers(struct hp_table_lines *l)
{
	add_referrer(l, &(struct hp_object_referrer){.class = "", .field = ""});
}

static enum hp_status
add_referrers(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_object_facts *f =
		((const struct hp_result *)l->ctx)->object;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < f->nreferrers && st == HP_OK; i++) {
		add_referrer(l, &f->referrers[i]);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	return st;
}

/*
 * If the list of fields or elements is not complete, append how many are
 * missing, for example "and 12 more fields".
 */
static void
add_rest(struct hp_buf *b, uint64_t more, const char *noun)
{
	if (more == 0)
		return;
	hp_buf_text(b, "and ");
	hp_count_text(b, more);
	hp_buf_printf(b, " more %s%s\n", noun, more == 1 ? "" : "s");
}

static void
add_head(struct hp_buf *b, const struct hp_result *r)
{
	const struct hp_object_facts *f = r->object;

	hp_buf_text(b, f->class);
	hp_buf_byte(b, ' ');
	id_text(b, f->id);
	if (f->text)
		add_quoted(b, f->text);
	hp_buf_byte(b, '\n');
	if (f->label)
		hp_buf_printf(b, "%s\n", f->label);
	else if (f->loader_name)
		hp_buf_printf(b, "class loader %s%s\n",
			      hp_loader_name_word(f->loader_name),
			      f->loader_name);
	add_sizes(b, f);
	add_keepers(b, f);
	if (f->fields_unknown)
		hp_buf_text(b, "its fields are not known: the dump does not "
			       "describe its class, or the fields in the "
			       "description need more or fewer bytes than the "
			       "object has\n");
}

static bool
shows_fields(const struct hp_result *r)
{
	return r->object->nfields > 0 &&
	       (r->options->show_values ||
		r->object->is != HP_NODE_PRIMITIVE_ARRAY);
}

enum hp_status
hp_object_table(const struct hp_result *r, const struct hp_table_style *style,
		FILE *out, struct hp_error *err)
{
	const struct hp_object_facts *f = r->object;
	struct hp_table_lines fields = {.dumps = 1,
					.most = 3,
					.ctx = r,
					.plan = plan_fields,
					.fill = add_fields};
	struct hp_table_lines referrers = {.dumps = 1,
					   .most = 2,
					   .ctx = r,
					   .plan = plan_referrers,
					   .fill = add_referrers};
	struct hp_buf b = {0}, prose = {0};
	enum hp_status st = HP_OK;

	add_head(&prose, r);
	hp_lines_fit(&b, hp_buf_string(&prose), hp_buf_length(&prose),
		     style->width);
	hp_buf_inherit(&b, &prose);
	hp_buf_release(&prose);
	if (shows_fields(r)) {
		hp_buf_byte(&b, '\n');
		st = hp_table_lines_print(&fields, style, &b, out, err);
		add_rest(&b, f->more_fields, is_array(f) ? "element" : "field");
	}
	if (f->nreferrers > 0 && st == HP_OK) {
		hp_buf_byte(&b, '\n');
		st = hp_table_lines_print(&referrers, style, &b, out, err);
		add_rest(&b, f->all_referrers - f->nreferrers, "reference");
	} else {
		hp_buf_text(&b, "\nno object refers to it\n");
	}
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}

/* --- JSON ----------------------------------------------------------------- */

static void
write_field(struct hp_json *j, const struct hp_object_field *field, bool values)
{
	bool reference = hp_type_is_reference(field->type);

	hp_json_object_flat(j);
	if (field->name)
		hp_json_put_visible(j, "name", field->name);
	else
		hp_json_put_u64(j, "index", field->index);
	if (field->declared_in)
		hp_json_put_visible(j, "declared_in", field->declared_in);
	if (field->is_static)
		hp_json_put_bool(j, "static", true);
	hp_json_put_string(j, "type", hp_type_name(field->type));
	if (reference && field->value != 0)
		hp_json_put_id(j, "refers_to", field->value);
	if (reference && field->value == 0)
		hp_json_put_bool(j, "null", true);
	if (field->class)
		hp_json_put_visible(j, "class", field->class);
	if (field->text)
		hp_json_put_visible(j, "text", field->text);
	if (!reference && values) {
		hp_json_key(j, "value");
		value_json(j, field->type, field->value);
	}
	hp_json_object_end(j);
}

void
hp_object_fields_json(struct hp_json *j, const struct hp_object_facts *f,
		      bool values)
{
	if (is_array(f))
		hp_json_put_u64(j, "length", f->length);
	if (f->text)
		hp_json_put_visible(j, "text", f->text);
	if (f->fields_unknown)
		hp_json_put_bool(j, "fields_unknown", true);
	hp_json_put_array(j, is_array(f) ? "elements" : "fields");
	for (size_t i = 0; i < f->nfields; i++)
		if (values || f->fields[i].name ||
		    hp_type_is_reference(f->fields[i].type))
			write_field(j, &f->fields[i], values);
	hp_json_array_end(j);
	if (f->more_fields > 0)
		hp_json_put_u64(j,
				is_array(f) ? "more_elements" : "more_fields",
				f->more_fields);
}

static void
write_referrers(struct hp_json *j, const struct hp_object_facts *f)
{
	hp_json_put_u64(j, "reference_count", f->all_referrers);
	hp_json_put_array(j, "referred_to_by");
	for (size_t i = 0; i < f->nreferrers; i++) {
		const struct hp_object_referrer *from = &f->referrers[i];

		hp_json_object_flat(j);
		hp_json_put_id(j, "object", from->id);
		hp_json_put_visible(j, "class", from->class);
		hp_json_put_string(j, "kind", references[from->kind]);
		hp_json_put_visible(j, "field", from->field);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

static void
write_object(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_object_facts *f = r->object;

	hp_json_put_object(j, "object");
	hp_json_put_id(j, "id", f->id);
	hp_json_put_visible(j, "class", f->class);
	hp_json_put_string(j, "kind", kinds[f->is]);
	if (f->label)
		hp_json_put_visible(j, "label", f->label);
	if (f->loader_name)
		hp_json_put_visible(j, "loader_name", f->loader_name);
	hp_json_put_u64(j, "bytes", f->bytes);
	hp_json_put_bool(j, "reachable", f->is_reachable);
	if (f->is_waiting)
		hp_json_put_bool(j, "waits_for_finalizer", true);
	if (f->is_reachable || f->is_waiting) {
		hp_json_put_u64(j, "retained_count", f->retained.objects);
		hp_json_put_u64(j, "retained_bytes", f->retained.bytes);
	}
	if (f->path)
		hp_json_put_visible(j, "path", f->path);
	if (f->root)
		hp_json_put_string(j, "root", f->root);
	if (f->dominator) {
		hp_json_put_object_flat(j, "dominator");
		hp_json_put_id(j, "object", f->dominator);
		hp_json_put_visible(j, "class", f->dominator_class);
		hp_json_object_end(j);
	}
	if (f->is == HP_NODE_CLASS)
		hp_json_put_u64(j, "instances", f->instances);
	hp_object_fields_json(j, f, r->options->show_values);
	write_referrers(j, f);
	hp_json_object_end(j);
}

enum hp_status
hp_object_json(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	hp_report_begin_json(&j, r, out);
	write_object(&j, r);
	hp_json_object_end(&j);
	return hp_json_finish(&j, err);
}
