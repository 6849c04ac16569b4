/*
 * rename.c - give the classes and fields of a dump their original names
 *
 * rename_frames.c does the same for stack frames. The order is: fields, frames,
 * classes. The code for fields and frames looks up classes by their names in
 * the program, so these names are replaced last.
 */
#include "common/mapping/internal.h"

#include "common/base/memory.h"
#include "common/model/class_name.h"

void
hp_rename_init(struct hp_rename *r, const struct hp_mappings *mappings,
	       struct hp_tables *tables)
{
	r->mappings = mappings;
	r->tables = tables;
	/*
	 * Give new strings ids from a range of addresses in which no process
	 * has memory. So no string of the dump has one of these ids.
	 */
	r->next_id = tables->id_size == 4 ? UINT64_C(0xFA000000)
					  : UINT64_C(0x7FFFFA0000000000);
	r->next_serial = 0x7A000000;
}

void
hp_rename_release(struct hp_rename *r)
{
	hp_intern_release(&r->texts);
	hp_free(r->ids);
	hp_free(r->loads.items);
	hp_free(r->frames.items);
	hp_free(r->stacks.items);
	hp_id_map_release(&r->serials);
	hp_id_map_release(&r->expanded);
	hp_id_map_release(&r->types);
	hp_buf_release(&r->buf);
	*r = (struct hp_rename){0};
}

/*
 * Returns the id of a new string with the text in r->buf; 0 if out of memory.
 */
static uint64_t
buffer_id(struct hp_rename *r)
{
	uint32_t number = hp_buf_ok(&r->buf)
				  ? hp_rename_text(r, r->buf.data, r->buf.len)
				  : 0;

	return hp_rename_id(r, number);
}

/* ---- classes ---- */

/*
 * Append the original name of a class. Returns true if a mapping contains the
 * class.
 */
static bool
add_class(const struct hp_rename *r, struct hp_slice dotted, struct hp_buf *out)
{
	struct hp_mapped_chain chain = {0};
	bool found = false;

	dotted = hp_rename_chain(r, dotted, &chain);
	hp_buf_add(out, dotted.text, dotted.length);
	for (size_t i = 0; i < r->mappings->count; i++)
		found |= chain.list[i] != NULL;
	return found;
}

/*
 * Append the original name of a class that is not an array class. @raw: the
 * name in the dump, which may be that of a lambda, such as "a/b$$Lambda+0x...".
 * @slashes: whether @raw has slashes instead of dots.
 */
static bool
add_original(const struct hp_rename *r, const struct hp_string *raw,
	     bool slashes, struct hp_buf *out)
{
	static const char lambda[] = "$$Lambda";
	struct hp_buf dotted = {0};
	const char *tail;
	size_t from = out->len, n;
	bool found;

	hp_mapping_dotted(&dotted, raw);
	found = add_class(r, (struct hp_slice){dotted.data, dotted.len}, out);
	tail = found || dotted.len == 0 ? NULL
					: memmem(dotted.data, dotted.len,
						 lambda, sizeof(lambda) - 1);
	if (tail) {
		n = (size_t)(tail - dotted.data);
		out->len = from;
		found = add_class(r, (struct hp_slice){dotted.data, n}, out);
		hp_buf_add(out, raw->data + n, raw->length - n);
	}
	if (memchr(raw->data, '/', raw->length))
		slashes = true;
	else if (memchr(raw->data, '.', raw->length))
		slashes = false;
	for (size_t i = from; slashes && i < out->len; i++)
		if (out->data[i] == '.')
			out->data[i] = '/';
	hp_buf_inherit(out, &dotted);
	hp_buf_release(&dotted);
	return found;
}

/*
 * Append the original name of a class, which may be an array class, with
 * slashes or dots as in the dump. Returns true if a mapping contains the class.
 */
static bool
rename_spelled(const struct hp_rename *r, const struct hp_string *raw,
	       struct hp_buf *out)
{
	struct hp_string element = *raw;
	size_t dimensions = 0, brackets = 0;
	bool found;

	if (raw->length > HP_MAPPED_NAME_MOST) {
		hp_buf_add(out, raw->data, raw->length);
		return false;
	}
	while (dimensions < element.length && element.data[dimensions] == '[')
		dimensions++;
	element.data += dimensions;
	element.length -= (uint32_t)dimensions;
	hp_buf_fill(out, '[', dimensions);
	if (dimensions > 0 && element.length > 2 && element.data[0] == 'L' &&
	    element.data[element.length - 1] == ';') {
		element.data++;
		element.length -= 2;
		hp_buf_byte(out, 'L');
		found = add_original(r, &element, r->jvm, out);
		hp_buf_byte(out, ';');
		return found;
	}
	while (element.length > 2 &&
	       memcmp(element.data + element.length - 2, "[]", 2) == 0) {
		element.length -= 2;
		brackets++;
	}
	found = dimensions == 0 &&
		add_original(r, &element, r->jvm && brackets == 0, out);
	if (dimensions > 0)
		hp_buf_add(out, element.data, element.length);
	for (; brackets > 0; brackets--)
		hp_buf_text(out, "[]");
	return found;
}

static enum hp_status
rename_load(struct hp_rename *r, struct hp_load *load, struct hp_error *err)
{
	const struct hp_string *raw = hp_tables_load_name(r->tables, load);
	bool array, found;

	if (!raw)
		return HP_OK;
	array = hp_class_name_looks(raw->data, raw->length) & HP_LOOKS_ARRAY;
	hp_buf_clear(&r->buf);
	found = rename_spelled(r, raw, &r->buf);
	if (!hp_buf_ok(&r->buf))
		return hp_no_memory(err);
	r->counts.classes += !array;
	r->counts.known += !array && found;
	if (r->buf.len == raw->length &&
	    memcmp(r->buf.data, raw->data, raw->length) == 0)
		return HP_OK;
	load->name_id = buffer_id(r);
	load->name = 0;
	return load->name_id ? HP_OK : hp_no_memory(err);
}

/* ---- fields ---- */

/*
 * Returns the id of the new name of a field. If the name does not change,
 * returns the old id. *@ok is set to false if out of memory.
 */
static uint64_t
field_id(struct hp_rename *r, const struct hp_mapped_chain *chain, uint64_t id,
	 unsigned type, bool *ok)
{
	const struct hp_string *raw = hp_tables_string(r->tables, id);
	struct hp_slice name;

	if (!raw || raw->length > HP_MAPPED_NAME_MOST)
		return id;
	name = (struct hp_slice){(const char *)raw->data, raw->length};
	for (size_t i = 0; i < r->mappings->count; i++) {
		const struct hp_name_mapping *m = r->mappings->list[i].mapping;
		const struct hp_mapped_field *f =
			chain->list[i] ? hp_mapping_find_field(
						 m, chain->list[i], name, type)
				       : NULL;

		if (f && f->ambiguous)
			r->counts.ambiguous++;
		else if (f)
			name = hp_mapping_text(m, f->original);
	}
	if (name.length == raw->length &&
	    memcmp(name.text, raw->data, name.length) == 0)
		return id;
	hp_buf_clear(&r->buf);
	hp_buf_add(&r->buf, name.text, name.length);
	id = buffer_id(r);
	r->counts.fields++;
	*ok &= id != 0;
	return id;
}

static bool
rename_class_fields(struct hp_rename *r, struct hp_class *k)
{
	const struct hp_string *raw = hp_tables_class_name(r->tables, k->id);
	struct hp_mapped_chain chain = {0};
	struct hp_buf dotted = {0};
	bool ok = true;

	if (!raw || raw->length > HP_MAPPED_NAME_MOST)
		return true;
	hp_mapping_dotted(&dotted, raw);
	hp_rename_chain(r, (struct hp_slice){dotted.data, dotted.len}, &chain);
	for (uint32_t i = 0; i < k->nfields; i++)
		k->fields[i].name = field_id(r, &chain, k->fields[i].name,
					     k->fields[i].type, &ok);
	for (uint32_t i = 0; i < k->nstatics; i++)
		k->statics[i].name = field_id(r, &chain, k->statics[i].name,
					      k->statics[i].type, &ok);
	ok &= hp_buf_ok(&dotted);
	hp_buf_release(&dotted);
	return ok;
}

enum hp_status
hp_rename_fields(struct hp_rename *r, struct hp_classes *classes,
		 struct hp_error *err)
{
	bool ok = true;

	for (size_t i = 0; i < classes->count && ok; i++)
		ok = rename_class_fields(r, classes->list[i]);
	for (size_t i = 0; i < classes->nduplicates && ok; i++)
		ok = rename_class_fields(r, classes->duplicates[i]);
	return ok ? HP_OK : hp_no_memory(err);
}

/* ---- all records ---- */

/*
 * Whether most class names in the dump that contain a package are written with
 * slashes, as in "a/b", and not with dots.
 */
static bool
has_slashes(const struct hp_tables *t)
{
	const struct hp_load *loads = t->load_list.items;
	size_t slashes = 0, dots = 0;

	for (size_t i = 0; i < t->load_list.count; i++) {
		const struct hp_string *s = hp_tables_load_name(t, &loads[i]);

		if (!s || s->length > HP_MAPPED_NAME_MOST)
			continue;
		if (memchr(s->data, '/', s->length))
			slashes++;
		else if (memchr(s->data, '.', s->length))
			dots++;
	}
	return slashes > 0 && slashes >= dots;
}

enum hp_status
hp_rename_records(struct hp_rename *r, const struct hp_classes *classes,
		  struct hp_error *err)
{
	struct hp_load *loads = r->tables->load_list.items;
	enum hp_status st;

	r->classes = classes;
	r->jvm = has_slashes(r->tables);
	st = hp_rename_frames(r, err);
	for (size_t i = 0; i < r->tables->load_list.count && st == HP_OK; i++)
		st = rename_load(r, &loads[i], err);
	return st;
}

static enum hp_status
add_record(struct hp_rename *r, uint8_t tag, struct hp_error *err)
{
	struct hp_record rec = {
		.tag = tag, .length = (uint32_t)r->buf.len, .body = r->buf.len};
	struct hp_cursor body = {.data = (const uint8_t *)r->buf.data,
				 .len = r->buf.len};

	if (!hp_buf_ok(&r->buf))
		return hp_no_memory(err);
	return hp_tables_record(r->tables, &rec, body, 0, NULL, err);
}

static void
put_number(struct hp_buf *b, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		hp_buf_byte(b, (char)(v >> 8 * bytes));
}

void
hp_rename_load_body(const struct hp_rename *r, const struct hp_load *l,
		    struct hp_buf *out)
{
	put_number(out, l->serial, 4);
	put_number(out, l->class_id, r->tables->id_size);
	put_number(out, l->trace, 4);
	put_number(out, l->name_id, r->tables->id_size);
}

void
hp_rename_frame_body(const struct hp_rename *r, const struct hp_frame *f,
		     struct hp_buf *out)
{
	unsigned id_size = r->tables->id_size;

	put_number(out, f->id, id_size);
	put_number(out, f->method, id_size);
	put_number(out, f->signature, id_size);
	put_number(out, f->source, id_size);
	put_number(out, f->class_serial, 4);
	put_number(out, (uint32_t)f->line, 4);
}

void
hp_rename_string_body(const struct hp_rename *r, uint32_t number,
		      struct hp_buf *out)
{
	struct hp_slice t = hp_intern_get(&r->texts, number);

	put_number(out, r->ids[number - 1], r->tables->id_size);
	hp_buf_add(out, t.text, t.length);
}

enum hp_status
hp_rename_publish(struct hp_rename *r, struct hp_error *err)
{
	const struct hp_load *loads = r->loads.items;
	const struct hp_frame *frames = r->frames.items;
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i <= r->texts.count && st == HP_OK; i++) {
		if (!r->ids[i - 1])
			continue;
		hp_buf_clear(&r->buf);
		hp_rename_string_body(r, i, &r->buf);
		st = add_record(r, HP_REC_STRING, err);
	}
	for (size_t i = 0; i < r->loads.count && st == HP_OK; i++) {
		hp_buf_clear(&r->buf);
		hp_rename_load_body(r, &loads[i], &r->buf);
		st = add_record(r, HP_REC_LOAD_CLASS, err);
	}
	for (size_t i = 0; i < r->frames.count && st == HP_OK; i++) {
		hp_buf_clear(&r->buf);
		hp_rename_frame_body(r, &frames[i], &r->buf);
		st = add_record(r, HP_REC_STACK_FRAME, err);
	}
	return st;
}

bool
hp_rename_fit(const struct hp_rename_counts *c, struct hp_buf *text)
{
	hp_buf_u64(text, c->known);
	hp_buf_text(text, " of ");
	hp_buf_u64(text, c->classes);
	hp_buf_text(text, " classes of the dump are in the mapping");
	if (c->known == 0)
		hp_buf_text(text, ": it seems to belong to another program");
	return c->known > 0;
}
