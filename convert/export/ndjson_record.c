/*
 * ndjson_record.c - format values, records, and the fixed fields of sub-records
 * as JSON
 *
 * The tables of format.def define the fields of each record. The names of the
 * fields are the keys in JSON. If a field refers to a string or a class, the
 * text of the string or the name of the class is added.
 */
#include "convert/export/ndjson.h"

#include "common/cli/escape.h"
#include "convert/copy/ordered_pass.h"

#include <math.h>

static void
add_id(struct hp_buf *out, uint64_t v)
{
	char text[20];
	char *p = text + sizeof(text);

	*--p = '"';
	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v > 0);
	*--p = 'x';
	*--p = '0';
	hp_buf_byte(out, '"');
	hp_buf_add(out, p, (size_t)(text + sizeof(text) - p));
}

void
hp_ndjson_value(struct hp_buf *out, const uint8_t *p, unsigned type,
		unsigned width)
{
	uint64_t v = hp_load_uint(p, width);
	uint32_t half;
	float f;
	double d;

	switch (type) {
	case HP_TYPE_BOOLEAN:
		if (v > 1)
			hp_buf_u64(out, v);
		else
			hp_buf_text(out, v ? "true" : "false");
		break;
	case HP_TYPE_FLOAT:
		half = (uint32_t)v;
		memcpy(&f, &half, sizeof(f));
		if (isfinite(f))
			hp_buf_float(out, f);
		else
			hp_buf_add(out, "null", 4);
		break;
	case HP_TYPE_DOUBLE:
		memcpy(&d, &v, sizeof(d));
		if (isfinite(d))
			hp_buf_double(out, d);
		else
			hp_buf_add(out, "null", 4);
		break;
	case HP_TYPE_BYTE:
		hp_buf_i64(out, (int8_t)v);
		break;
	case HP_TYPE_SHORT:
		hp_buf_i64(out, (int16_t)v);
		break;
	case HP_TYPE_INT:
		hp_buf_i64(out, (int32_t)v);
		break;
	case HP_TYPE_LONG:
		hp_buf_i64(out, (int64_t)v);
		break;
	default:
		hp_buf_u64(out, v);
		break;
	}
}

void
hp_ndjson_reference(struct hp_buf *out, struct hp_object_classes_lookup *look,
		    uint64_t id)
{
	struct hp_name class;

	if (!id) {
		hp_buf_add(out, "null", 4);
		return;
	}
	class = hp_object_classes_name(look, id);
	hp_buf_add(out, "{\"id\":", 6);
	add_id(out, id);
	if (class.data) {
		hp_buf_add(out, ",\"class\":\"", 10);
		hp_buf_add(out, class.data, class.length);
		hp_buf_add(out, "\"}", 2);
	} else {
		hp_buf_add(out, ",\"class\":null}", 14);
	}
}

static void
add_key(struct hp_buf *out, const char *key, size_t length)
{
	hp_buf_add(out, ",\"", 2);
	hp_buf_add(out, key, length);
	hp_buf_add(out, "\":", 2);
}

void
hp_ndjson_name(struct hp_buf *out, struct hp_name name)
{
	if (!name.data) {
		hp_buf_text(out, "null");
		return;
	}
	hp_buf_byte(out, '"');
	hp_buf_add(out, name.data, name.length);
	hp_buf_byte(out, '"');
}

static void
add_string(const struct hp_ndjson_names *n, struct hp_buf *out, uint64_t id)
{
	if (!hp_tables_string(&n->prepass->tables, id)) {
		hp_buf_text(out, "null");
		return;
	}
	hp_buf_byte(out, '"');
	hp_name_cache_string(&n->naming, id, out);
	hp_buf_byte(out, '"');
}

/*
 * Returns the length of a key without the "_id" or "_serial" at its end, or 0
 * if it has no such end.
 */
static size_t
key_stem(const char *key)
{
	size_t n = strlen(key);

	if (n > 3 && strcmp(key + n - 3, "_id") == 0)
		return n - 3;
	if (n > 7 && strcmp(key + n - 7, "_serial") == 0)
		return n - 7;
	return 0;
}

static void
add_class_of(const struct hp_ndjson_names *n,
	     struct hp_object_classes_lookup *look,
	     const struct hp_field_desc *f, size_t length, uint64_t v,
	     struct hp_buf *out)
{
	hp_buf_add(out, ",\"", 2);
	if (length > 0) {
		hp_buf_add(out, f->name, length);
		hp_buf_byte(out, '_');
	}
	hp_buf_add(out, "class\":", 7);
	hp_ndjson_name(out, hp_object_classes_name(look, v));
	if (f->role == HP_ROOT && hp_object_classes_is_class(look, v)) {
		hp_buf_text(out, ",\"name\":");
		hp_ndjson_name(out, hp_name_cache_class(&n->naming, v));
	}
}

/*
 * If a field refers to a string, a class or an object, append the text or the
 * class name. The JSON key is the name of the field without "_id" or "_serial".
 * @look finds the classes of objects; it is NULL for records that are not
 * sub-records.
 */
static void
add_referenced_name(const struct hp_ndjson_names *n,
		    struct hp_object_classes_lookup *look,
		    const struct hp_field_desc *f, uint64_t v,
		    struct hp_buf *out)
{
	const struct hp_load *l;
	size_t length = key_stem(f->name);

	if (look && (f->role == HP_ROOT || f->role == HP_REF_OBJECT)) {
		add_class_of(n, look, f, length, v, out);
		return;
	}
	if (length == 0)
		return;
	switch (f->role) {
	case HP_REF_STRING:
	case HP_REF_STRING_OR_NONE:
		add_key(out, f->name, length);
		add_string(n, out, v);
		break;
	case HP_REF_CLASS:
	case HP_LOAD_CLASS:
		add_key(out, f->name, length);
		/*
		 * 0 as the id of a superclass means that there is none, even if
		 * a LOAD CLASS record has the id 0.
		 */
		hp_ndjson_name(out, v || f->role == HP_LOAD_CLASS
					    ? hp_name_cache_class(&n->naming, v)
					    : (struct hp_name){0});
		break;
	case HP_REF_CLASS_SERIAL:
		l = hp_tables_load_serial(&n->prepass->tables, (uint32_t)v);
		add_key(out, f->name, length);
		hp_ndjson_name(out,
			       l ? hp_name_cache_class(&n->naming, l->class_id)
				 : (struct hp_name){0});
		break;
	default:
		break;
	}
}

/*
 * Append the fields that @d describes. Stop at the end of the record if the
 * record is too short. Returns the value of the last field. If the record
 * contains a table, this value is the number of entries of the table.
 */
static uint64_t
add_described_fields(const struct hp_ndjson_names *n,
		     struct hp_object_classes_lookup *look,
		     const struct hp_record_desc *d, struct hp_cursor *c,
		     struct hp_buf *out)
{
	uint64_t v = 0;

	for (const struct hp_field_desc *f = d->fields; f->name; f++) {
		unsigned width = hp_shape_size(f->shape, n->id_size);

		if (!hp_uint(c, width, &v))
			return 0;
		add_key(out, f->name, strlen(f->name));
		if (f->shape == HP_ID)
			add_id(out, v);
		else if (f->shape == HP_I4)
			hp_buf_i64(out, (int32_t)v);
		else if (f->role == HP_TYPE && hp_type_name((unsigned)v))
			hp_buf_printf(out, "\"%s\"", hp_type_name((unsigned)v));
		else
			hp_buf_u64(out, v);
		add_referenced_name(n, look, f, v, out);
	}
	return v;
}

/*
 * Append "key":[{...},...] with the rows of a table. Stop at the end of the
 * record if the record is too short.
 */
static void
add_rows(const struct hp_ndjson_names *n, const char *key,
	 const struct hp_record_desc *row, uint64_t count, struct hp_cursor *c,
	 const struct hp_batch *b, struct hp_buf *out)
{
	unsigned width = 0;
	size_t at;

	for (const struct hp_field_desc *f = row->fields; f->name; f++)
		width += hp_shape_size(f->shape, n->id_size);
	add_key(out, key, strlen(key));
	hp_buf_byte(out, '[');
	for (uint64_t i = 0; i < count && hp_left(c) >= width; i++) {
		hp_ordered_pass_relieve(b, out);
		if (i > 0)
			hp_buf_byte(out, ',');
		hp_buf_byte(out, '{');
		at = out->len;
		add_described_fields(n, NULL, row, c, out);
		/* remove the comma before the first row */
		if (hp_buf_ok(out)) {
			memmove(out->data + at, out->data + at + 1,
				out->len - at - 1);
			out->len--;
		}
		hp_buf_byte(out, '}');
	}
	hp_buf_byte(out, ']');
}

static void
add_frames(const struct hp_ndjson_names *n, uint64_t count, struct hp_cursor *c,
	   const struct hp_batch *b, struct hp_buf *out)
{
	uint64_t v;

	hp_buf_text(out, ",\"frames\":[");
	for (uint64_t i = 0; i < count && hp_uint(c, n->id_size, &v); i++) {
		hp_ordered_pass_relieve(b, out);
		if (i > 0)
			hp_buf_byte(out, ',');
		add_id(out, v);
	}
	hp_buf_byte(out, ']');
}

void
hp_ndjson_record(const struct hp_ndjson_names *n, const struct hp_record *rec,
		 struct hp_cursor body, const struct hp_batch *b,
		 struct hp_buf *out)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);
	uint64_t count = 0;

	if (hp_record_is_named(d))
		hp_buf_printf(out, "{\"record\":\"%s\"", d->name);
	else
		hp_buf_printf(out, "{\"record\":\"0x%02x\"", rec->tag);
	hp_buf_printf(out, ",\"offset\":%llu,\"time\":%u,\"length\":%u",
		      (unsigned long long)rec->offset, (unsigned)rec->time,
		      (unsigned)rec->length);
	if (d && d->ending == HP_ENDS_HEAP)
		hp_buf_printf(out, ",\"dump\":%u", rec->dump);
	if (d)
		count = add_described_fields(n, NULL, d, &body, out);
	if (d && d->ending == HP_ENDS_FRAME_IDS)
		add_frames(n, count, &body, b, out);
	else if (d && d->ending == HP_ENDS_SITE_ROWS)
		add_rows(n, "sites", hp_site_row(), count, &body, b, out);
	else if (d && d->ending == HP_ENDS_SAMPLE_ROWS)
		add_rows(n, "samples", hp_sample_row(), count, &body, b, out);
	else if (d && d->ending == HP_ENDS_TEXT) {
		hp_buf_text(out, ",\"text\":\"");
		hp_escape_json_exact(out, body.data + body.pos,
				     (size_t)hp_left(&body));
		hp_buf_byte(out, '"');
		if (rec->partial)
			hp_buf_text(out, ",\"partial\":true");
	}
	hp_buf_add(out, "}\n", 2);
}

static void
add_line_start(struct hp_buf *out, const char *name, uint64_t offset,
	       unsigned dump)
{
	hp_buf_add(out, "{\"record\":\"", 11);
	hp_buf_text(out, name);
	hp_buf_add(out, "\",\"offset\":", 11);
	hp_buf_u64(out, offset);
	hp_buf_add(out, ",\"dump\":", 8);
	hp_buf_u64(out, dump);
}

/*
 * Append the fixed fields of an instance or array. Because there are many of
 * them, this function does not use the tables of format.def. It writes the same
 * keys.
 */
static void
add_object_head(const struct hp_ndjson_names *n, const struct hp_sub *s,
		struct hp_buf *out)
{
	hp_buf_add(out, ",\"id\":", 6);
	add_id(out, s->id);
	hp_buf_add(out, ",\"trace_serial\":", 16);
	hp_buf_u64(out, s->trace);
	if (s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP) {
		hp_buf_text(out, ",\"element_type\":\"");
		hp_buf_text(out, hp_type_name(s->type));
		hp_buf_byte(out, '"');
	} else {
		hp_buf_add(out, ",\"class_id\":", 12);
		add_id(out, s->class_id);
		hp_buf_add(out, ",\"class\":", 9);
		hp_ndjson_name(out,
			       hp_name_cache_class(&n->naming, s->class_id));
	}
	if (s->tag != HP_SUB_INSTANCE_DUMP) {
		hp_buf_text(out, ",\"element_count\":");
		hp_buf_u64(out, s->count);
	}
}

void
hp_ndjson_sub_head(const struct hp_ndjson_names *n,
		   struct hp_object_classes_lookup *look, unsigned dump,
		   const struct hp_sub *s, struct hp_buf *out)
{
	const struct hp_record_desc *d = hp_subrecord_desc(s->tag);
	struct hp_cursor c = {
		.data = s->start,
		.len = hp_subrecord_fixed[hp_widen(n->id_size)][s->tag],
		.pos = 1};

	add_line_start(out, d->name, s->offset, dump);
	if (s->tag >= HP_SUB_INSTANCE_DUMP &&
	    s->tag <= HP_SUB_PRIMITIVE_ARRAY_DUMP) {
		add_object_head(n, s, out);
		return;
	}
	add_described_fields(n, look, d, &c, out);
	if (s->tag == HP_SUB_CLASS_DUMP) {
		hp_buf_text(out, ",\"name\":");
		hp_ndjson_name(out, hp_name_cache_class(&n->naming, s->id));
	}
}

/*
 * Append an entry from one of the tables of a class dump (constants, static
 * fields, fields). Returns the end of the entry.
 */
static const uint8_t *
add_table_entry(const struct hp_ndjson_names *n,
		struct hp_object_classes_lookup *look, unsigned table,
		const uint8_t *p, struct hp_buf *out)
{
	unsigned type, width;

	if (table == 0) {
		hp_buf_printf(out, "{\"index\":%u", (unsigned)hp_load2(p));
		p += 2;
	} else {
		hp_buf_text(out, "{\"name\":");
		add_string(n, out, hp_load_id(p, n->id_size));
		p += n->id_size;
	}
	type = *p++;
	width = hp_type_size(type, n->id_size);
	hp_buf_printf(out, ",\"type\":\"%s\"", hp_type_name(type));
	if (table < 2) {
		hp_buf_text(out, ",\"value\":");
		if (hp_type_is_reference(type))
			hp_ndjson_reference(out, look, hp_load_id(p, width));
		else
			hp_ndjson_value(out, p, type, width);
		p += width;
	}
	hp_buf_byte(out, '}');
	return p;
}

void
hp_ndjson_class_tables(const struct hp_ndjson_names *n,
		       struct hp_object_classes_lookup *look,
		       const struct hp_sub *s, const struct hp_batch *b,
		       struct hp_buf *out)
{
	static const char *const keys[] = {"constants", "statics", "fields"};
	const uint8_t *p =
		s->start +
		hp_subrecord_fixed[hp_widen(n->id_size)][HP_SUB_CLASS_DUMP];

	for (unsigned table = 0; table < 3; table++) {
		unsigned count = hp_load2(p);

		p += 2;
		add_key(out, keys[table], strlen(keys[table]));
		hp_buf_byte(out, '[');
		for (unsigned i = 0; i < count; i++) {
			hp_ordered_pass_relieve(b, out);
			if (i > 0)
				hp_buf_byte(out, ',');
			p = add_table_entry(n, look, table, p, out);
		}
		hp_buf_byte(out, ']');
	}
}
