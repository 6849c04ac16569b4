/*
 * table_rows.c - rows of the tables for sub-records of the heap: objects,
 * references, classes, roots
 */
#include "convert/export/table_rows.h"

#include "convert/export/ndjson.h"

/*
 * Each lookup of a class is prepared (its memory is prefetched) this many
 * references earlier.
 */
enum { AHEAD = 8 };

/*
 * A header in the output buffer. `table`: the table of the rows after this
 * header. `length`: the number of bytes of these rows.
 */
struct stretch {
	uint32_t table, length;
};

/* --- stretches: consecutive rows of one table --- */

void
hp_table_end_stretch(struct hp_table_worker *w)
{
	struct stretch s = {.table = (uint32_t)w->table};

	if (!w->open)
		return;
	w->open = false;
	if (!hp_buf_ok(w->out))
		return;
	s.length = (uint32_t)(w->out->len - w->head - sizeof(s));
	memcpy(w->out->data + w->head, &s, sizeof(s));
}

/*
 * Begin a row of @table. If the buffer is large, first write the rows that it
 * contains.
 */
static void
begin_row(struct hp_table_worker *w, enum hp_table table)
{
	static const struct stretch none;

	if (HP_UNLIKELY(w->out->len > HP_INORDER_LEAST)) {
		hp_table_end_stretch(w);
		hp_ordered_pass_write_ahead(w->batch);
	}
	if (w->open && w->table == table)
		return;
	hp_table_end_stretch(w);
	w->open = true;
	w->table = table;
	w->head = w->out->len;
	hp_buf_add(w->out, &none, sizeof(none));
}

/*
 * Write the rows in the buffer of a batch to the files of the tables. Called in
 * file order.
 */
enum hp_status
hp_table_write(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	       struct hp_error *err)
{
	struct hp_table_pass *t = ctx;
	enum hp_status st = HP_OK;
	struct stretch s;

	for (size_t at = 0; st == HP_OK && at < out->len; at += s.length) {
		memcpy(&s, out->data + at, sizeof(s));
		at += sizeof(s);
		t->set->rows[s.table] += s.length > 0;
		st = hp_table_set_add(t->set, (enum hp_table)s.table,
				      out->data + at, s.length, err);
	}
	return st;
}

/* --- format the cells of a row --- */

static void
add_name(struct hp_buf *out, struct hp_name name)
{
	hp_buf_byte(out, '\t');
	if (name.data)
		hp_buf_add(out, name.data, name.length);
}

static void
add_word(struct hp_buf *out, const char *word)
{
	hp_buf_byte(out, '\t');
	hp_buf_text(out, word);
}

/*
 * Returns the name of the class of the object @id. The class of a class object
 * is always java.lang.Class.
 */
static struct hp_name
class_of(struct hp_table_worker *w, uint64_t id)
{
	return hp_object_classes_name(&w->kinds, id);
}

/* --- rows of the table "edges" (references) --- */

/*
 * Format the first cells of the rows for the references of one object. These
 * cells are equal in all these rows. If an earlier object of the dump has the
 * same id, the references of this object get no rows.
 */
static void
begin_edges(struct hp_table_worker *w, const struct hp_sub *s,
	    struct hp_name class)
{
	w->first = hp_object_classes_is_first(&w->kinds, s->id, s->offset);
	hp_buf_clear(&w->prefix);
	hp_buf_u64(&w->prefix, w->batch->dump);
	hp_table_cell(&w->prefix, s->id);
	add_name(&w->prefix, class);
	hp_buf_byte(&w->prefix, '\t');
}

/*
 * Append a row to the table of references. The cell for the field contains
 * @name. If owner.data is not NULL, @owner and a dot come before @name.
 */
static void
add_edge(struct hp_table_worker *w, const char *kind, struct hp_name owner,
	 struct hp_name name, uint64_t position, uint64_t to)
{
	struct hp_buf *out = w->out;

	if (to == 0 || !w->first)
		return;
	begin_row(w, HP_TABLE_EDGES);
	hp_buf_add(out, w->prefix.data, w->prefix.len);
	hp_buf_text(out, kind);
	add_name(out, owner);
	if (owner.data)
		hp_buf_byte(out, '.');
	if (name.data)
		hp_buf_add(out, name.data, name.length);
	hp_table_cell(out, position);
	hp_table_cell(out, to);
	add_name(out, class_of(w, to));
	hp_buf_byte(out, '\n');
}

static void
add_elements(struct hp_table_worker *w, const uint8_t *p, uint64_t first,
	     uint64_t n, unsigned width)
{
	const struct hp_name none = {0};

	for (uint64_t i = 0; i < n; i++, p += width) {
		if (n - i > AHEAD)
			hp_object_classes_prefetch(
				&w->kinds,
				hp_load_id(p + AHEAD * width, width));
		add_edge(w, "element", none, none, first + i,
			 hp_load_id(p, width));
	}
}

static enum hp_status
add_fields(struct hp_table_worker *w, const struct hp_class *k,
	   const struct hp_sub *s, struct hp_error *err)
{
	const struct hp_field_plan *plan;
	const uint8_t *p = s->data;

	if (k->nrefs == 0 && k->references == 0)
		return HP_OK;
	plan = hp_field_plans_find(&w->plans, &w->pass->naming,
				   w->pass->prepass.header.id_size, k, s, err);
	if (!plan)
		return HP_LIMIT;
	for (uint32_t i = 0; i < plan->count; p += plan->fields[i++].width)
		if (hp_type_is_reference(plan->fields[i].type))
			hp_object_classes_prefetch(
				&w->kinds,
				hp_load_id(p, plan->fields[i].width));
	p = s->data;
	for (uint32_t i = 0; i < plan->count; p += plan->fields[i++].width) {
		const struct hp_planned_field *f = &plan->fields[i];

		if (hp_type_is_reference(f->type))
			add_edge(w, "field", f->owner, f->key, i,
				 hp_load_id(p, f->width));
	}
	return HP_OK;
}

/* --- rows of the table "objects" --- */

static const char *
kind_of(unsigned tag)
{
	switch (tag) {
	case HP_SUB_INSTANCE_DUMP:
		return "instance";
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return "object_array";
	case HP_SUB_CLASS_DUMP:
		return "class";
	default:
		return "primitive_array";
	}
}

static void
begin_object(struct hp_table_worker *w, const struct hp_sub *s,
	     struct hp_name class, uint64_t bytes)
{
	struct hp_buf *out = w->out;
	begin_row(w, HP_TABLE_OBJECTS);
	hp_buf_u64(out, w->batch->dump);
	hp_table_cell(out, s->id);
	hp_table_cell(out, s->tag == HP_SUB_INSTANCE_DUMP ||
					   s->tag == HP_SUB_OBJECT_ARRAY_DUMP
				   ? s->class_id
				   : 0);
	add_name(out, class);
	add_word(out, kind_of(s->tag));
	hp_table_cell(out, s->tag == HP_SUB_INSTANCE_DUMP ||
					   s->tag == HP_SUB_CLASS_DUMP
				   ? 0
				   : s->count);
	hp_table_cell(out, bytes);
	hp_table_cell(out, s->trace);
	hp_buf_byte(out, '\t');
	w->objects++;
	w->bytes += bytes;
}

/*
 * Append a value of a primitive type as a number; a boolean is 0 or 1. A
 * floating-point value can be nan, inf or -inf.
 */
static void
add_value(struct hp_buf *out, const uint8_t *p, unsigned type, unsigned width)
{
	uint64_t v = hp_load_uint(p, width);
	uint32_t half = (uint32_t)v;
	double d;
	float f;

	switch (type) {
	case HP_TYPE_BOOLEAN:
		hp_buf_u64(out, v);
		break;
	case HP_TYPE_FLOAT:
		memcpy(&f, &half, sizeof(f));
		hp_buf_float(out, f);
		break;
	case HP_TYPE_DOUBLE:
		memcpy(&d, &v, sizeof(d));
		hp_buf_double(out, d);
		break;
	default:
		hp_ndjson_value(out, p, type, width);
		break;
	}
}

/*
 * Append elements of a primitive array, separated by commas, but not more than
 * --elements allows.
 */
static void
add_values(struct hp_table_worker *w, const uint8_t *p, uint64_t from,
	   uint64_t n, unsigned type)
{
	unsigned width = hp_type_size(type, w->pass->prepass.header.id_size);
	uint64_t most = w->pass->options->elements;

	if (most == HP_NDJSON_NO_ELEMENTS || from >= most)
		return;
	if (n > most - from)
		n = most - from;
	for (uint64_t i = 0; i < n; i++, p += width) {
		if (from + i > 0)
			hp_buf_byte(w->out, ',');
		add_value(w->out, p, type, width);
	}
}

static enum hp_status
add_instance(struct hp_table_worker *w, const struct hp_sub *s,
	     struct hp_error *err)
{
	struct hp_name class =
		hp_name_cache_class(&w->pass->naming, s->class_id);
	const struct hp_class *k =
		hp_dump_classes_layout(&w->plans.classes, s->class_id);

	begin_object(w, s, class,
		     hp_instance_bytes(&w->pass->prepass.layout, k,
				       w->pass->prepass.header.id_size));
	hp_buf_byte(w->out, '\n');
	if (!hp_instance_decodable(k, s))
		return hp_undescribed_instance(&w->undescribed, s, err);
	begin_edges(w, s, class);
	return add_fields(w, k, s, err);
}

/*
 * Append the type of a root in lower case, for example "jni_global" for
 * ROOT_JNI_GLOBAL.
 */
static void
add_root_kind(struct hp_buf *out, unsigned tag)
{
	const char *name = hp_subrecord_desc((uint8_t)tag)->name;

	if (strncmp(name, "ROOT_", 5) == 0)
		name += 5;
	hp_buf_byte(out, '\t');
	for (; *name; name++)
		hp_buf_byte(out, *name >= 'A' && *name <= 'Z'
					 ? (char)(*name - 'A' + 'a')
					 : *name);
}

static void
add_thread(struct hp_table_worker *w, const struct hp_sub *s)
{
	struct hp_buf *out = w->out;
	uint32_t serial = hp_root_thread(s, w->pass->prepass.header.id_size);
	uint64_t started = hp_thread_names_started(&w->pass->threads, serial);
	const char *name = hp_thread_names_get(&w->pass->threads,
					       w->kinds.at.place, s->id);

	begin_row(w, HP_TABLE_THREADS);
	hp_buf_u64(out, w->batch->dump);
	hp_table_cell(out, serial);
	hp_table_cell(out, s->id);
	add_name(out, class_of(w, s->id));
	hp_table_cell(out, hp_root_third(s, w->pass->prepass.header.id_size));
	hp_buf_byte(out, '\t');
	if (started)
		hp_name_cache_string(&w->pass->naming, started, out);
	else if (name)
		hp_buf_text(out, name);
	hp_buf_byte(out, '\n');
}

static void
add_root(struct hp_table_worker *w, const struct hp_sub *s)
{
	struct hp_buf *out = w->out;
	unsigned id_size = w->pass->prepass.header.id_size;
	bool local = hp_subrecord_is_local(s->tag);
	bool thread = local || s->tag == HP_SUB_ROOT_THREAD_OBJECT;
	bool frame = local && s->tag != HP_SUB_ROOT_NATIVE_STACK &&
		     s->tag != HP_SUB_ROOT_THREAD_BLOCK;

	if (s->tag == HP_SUB_ROOT_THREAD_OBJECT)
		add_thread(w, s);
	begin_row(w, HP_TABLE_ROOTS);
	hp_buf_u64(out, w->batch->dump);
	hp_table_cell(out, s->id);
	add_name(out, class_of(w, s->id));
	add_root_kind(out, s->tag);
	hp_table_cell(out, thread ? hp_root_thread(s, id_size) : 0);
	hp_buf_byte(out, '\t');
	hp_buf_i64(out, frame ? (int32_t)hp_root_third(s, id_size) : -1);
	hp_buf_byte(out, '\n');
}

/* --- rows of the tables "classes" and "fields" --- */

static void
add_class_row(struct hp_table_worker *w, const struct hp_sub *s)
{
	struct hp_buf *out = w->out;
	unsigned id_size = w->pass->prepass.header.id_size;
	const uint8_t *p = s->start + 5 + id_size;
	uint64_t super = hp_load_id(p, id_size);

	begin_row(w, HP_TABLE_CLASSES);
	hp_buf_u64(out, w->batch->dump);
	hp_table_cell(out, s->id);
	add_name(out, hp_name_cache_class(&w->pass->naming, s->id));
	hp_table_cell(out, super);
	add_name(out, hp_name_cache_class(&w->pass->naming, super));
	hp_table_cell(out, hp_load_id(p + id_size, id_size));
	hp_table_cell(out, hp_load4(p + 6 * id_size));
	hp_table_cell(out, s->trace);
	hp_buf_byte(out, '\n');
}

/*
 * Append the row of a field that a class declares. If the field is static and
 * refers to an object, also append a row about the reference.
 */
static void
add_field_row(struct hp_table_worker *w, const struct hp_sub *s,
	      struct hp_name class, const struct hp_name *name, unsigned type,
	      const uint8_t *value, unsigned position)
{
	struct hp_buf *out = w->out;
	unsigned width = hp_type_size(type, w->pass->prepass.header.id_size);

	begin_row(w, HP_TABLE_FIELDS);
	hp_buf_u64(out, w->batch->dump);
	hp_table_cell(out, s->id);
	add_name(out, class);
	add_name(out, *name);
	add_word(out, hp_type_name(type));
	hp_table_cell(out, value != NULL);
	hp_table_cell(out, position);
	hp_buf_byte(out, '\t');
	if (value && hp_type_is_reference(type))
		hp_buf_u64(out, hp_load_id(value, width));
	else if (value)
		add_value(out, value, type, width);
	hp_buf_byte(out, '\n');
	if (value && hp_type_is_reference(type))
		add_edge(w, "static", class, *name, position,
			 hp_load_id(value, width));
}

/*
 * Append the rows for the tables of a class dump: constants, static fields,
 * fields. A constant gets no row of its own, but a row in the table "edges" if
 * it refers to an object. Returns false if out of memory.
 */
static bool
add_class_tables(struct hp_table_worker *w, const struct hp_sub *s,
		 struct hp_name class)
{
	unsigned id_size = w->pass->prepass.header.id_size;
	const uint8_t *p = s->data;

	for (unsigned table = 0; table < 3; table++) {
		unsigned count = hp_load2(p);

		p += 2;
		for (unsigned i = 0; i < count; i++) {
			const struct hp_name *name = NULL;
			const uint8_t *value;
			unsigned type;

			if (table > 0) {
				pthread_mutex_lock(&w->pass->naming.lock);
				name = hp_name_cache_field(
					&w->pass->naming,
					hp_load_id(p, id_size));
				pthread_mutex_unlock(&w->pass->naming.lock);
			}
			p += table == 0 ? 2 : id_size;
			type = *p++;
			value = p;
			p += table < 2 ? hp_type_size(type, id_size) : 0;
			if (table > 0 && !name)
				return false;
			if (table > 0)
				add_field_row(w, s, class, name, type,
					      table == 1 ? value : NULL, i);
			else if (hp_type_is_reference(type))
				add_edge(w, "constant", class,
					 (struct hp_name){0}, i,
					 hp_load_id(value, id_size));
		}
	}
	return true;
}

static enum hp_status
add_class(struct hp_table_worker *w, const struct hp_sub *s,
	  struct hp_error *err)
{
	static const char *const links[] = {"super", "loader", "signers",
					    "domain"};
	const struct hp_name java = {"java.lang.Class", 15}, none = {0};
	struct hp_name class = hp_name_cache_class(&w->pass->naming, s->id);
	unsigned id_size = w->pass->prepass.header.id_size;
	const struct hp_class *k =
		hp_dump_classes_get(&w->plans.classes, s->id);

	begin_object(
		w, s, java,
		k ? hp_class_object_bytes(&w->pass->prepass.layout, k, id_size)
		  : 0);
	hp_buf_byte(w->out, '\n');
	add_class_row(w, s);
	begin_edges(w, s, java);
	for (unsigned i = 0; i < HP_ARRAY_LEN(links); i++)
		add_edge(w, links[i], none, none, 0,
			 hp_load_id(s->start + 5 + (1 + i) * id_size, id_size));
	if (!add_class_tables(w, s, class))
		return hp_no_memory(err);
	return HP_OK;
}

/* --- arrays, as one sub-record or in pieces --- */

static void
add_array_head(struct hp_table_worker *w, const struct hp_sub *s)
{
	bool objects = s->tag == HP_SUB_OBJECT_ARRAY_DUMP;
	struct hp_name class =
		objects ? hp_name_cache_class(&w->pass->naming, s->class_id)
			: hp_object_classes_array(&w->pass->kinds, s->type);
	unsigned width =
		objects ? w->pass->prepass.layout.reference
			: hp_type_size(s->type,
				       w->pass->prepass.header.id_size);

	begin_object(w, s, class,
		     hp_array_bytes(&w->pass->prepass.layout, s->count, width));
	if (objects) {
		hp_buf_byte(w->out, '\n');
		begin_edges(w, s, class);
	}
}

/*
 * Append the @n array elements at @p. The first of them has the index @first in
 * the array. @last: the array ends with these elements.
 */
static void
add_array_part(struct hp_table_worker *w, const struct hp_sub *s,
	       const uint8_t *p, uint64_t first, uint64_t n, bool last)
{
	if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		add_elements(w, p, first, n, w->pass->prepass.header.id_size);
		return;
	}
	if (s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP)
		add_values(w, p, first, n, s->type);
	if (last)
		hp_buf_byte(w->out, '\n');
}

/*
 * Append one piece of a very long array. The row of a primitive array ends
 * after the last piece. If the previous piece was in another batch, the buffer
 * of this batch begins with a header (struct stretch) for the same table.
 */
enum hp_status
hp_table_piece(struct hp_table_worker *w, const struct hp_run *r,
	       struct hp_error *err)
{
	const struct hp_piece *p = &r->piece;
	struct hp_sub s = p->sub;
	bool objects = s.tag == HP_SUB_OBJECT_ARRAY_DUMP;

	if (p->head) {
		s.start = w->batch->data;
		s.data = w->batch->data + r->at;
	}
	/*
	 * an instance that is so long that it arrives in pieces has more bytes
	 * than any class dump can describe
	 */
	if (s.tag == HP_SUB_INSTANCE_DUMP) {
		if (!p->head)
			return HP_OK;
		begin_object(w, &s,
			     hp_name_cache_class(&w->pass->naming, s.class_id),
			     w->pass->prepass.layout.header);
		hp_buf_byte(w->out, '\n');
		return hp_undescribed_instance(&w->undescribed, &s, err);
	}
	if (p->head)
		add_array_head(w, &s);
	else if (objects)
		begin_edges(w, &s,
			    hp_name_cache_class(&w->pass->naming, s.class_id));
	else
		begin_row(w, HP_TABLE_OBJECTS);
	add_array_part(w, &s, w->batch->data + r->at, p->first, p->elements,
		       p->last);
	return HP_OK;
}

enum hp_status
hp_table_sub(struct hp_table_worker *w, const struct hp_sub *s,
	     struct hp_error *err)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		return add_instance(w, s, err);
	case HP_SUB_CLASS_DUMP:
		return add_class(w, s, err);
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		add_array_head(w, s);
		add_array_part(w, s, s->data, 0, s->count, true);
		return HP_OK;
	default:
		if (hp_subrecord_is_root(s->tag))
			add_root(w, s);
		return HP_OK;
	}
}
