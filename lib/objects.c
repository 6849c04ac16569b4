/*
 * objects.c - decode sub-records of a heap dump into items: roots, classes,
 * instances, arrays
 */
#include "lib/internal.h"

#include <stdlib.h>

static void
decode_root(struct hprof_reader *r, const struct hp_sub *s)
{
	struct hprof_item *item = &r->item;

	item->kind = HPROF_ROOT;
	item->u.root.object_id = s->id;
	item->u.root.frame = -1;
	switch (s->tag) {
	case HP_SUB_ROOT_JNI_GLOBAL:
		item->u.root.reference_id =
			hp_load_id(s->start + 1 + r->id_size, r->id_size);
		break;
	case HP_SUB_ROOT_JNI_LOCAL:
	case HP_SUB_ROOT_JAVA_FRAME:
	case HP_SUB_ROOT_JNI_MONITOR:
		item->u.root.thread_serial = hp_root_thread(s, r->id_size);
		item->u.root.frame = (int32_t)hp_root_third(s, r->id_size);
		break;
	case HP_SUB_ROOT_NATIVE_STACK:
	case HP_SUB_ROOT_THREAD_BLOCK:
		item->u.root.thread_serial = hp_root_thread(s, r->id_size);
		break;
	case HP_SUB_ROOT_THREAD_OBJECT:
		item->u.root.thread_serial = hp_root_thread(s, r->id_size);
		item->u.root.trace_serial = hp_root_third(s, r->id_size);
		break;
	default:
		break;
	}
}

/*
 * A class dump has three tables; each row has a type. These are the other
 * columns of a table.
 */
struct columns {
	bool index, name, value;
};

/*
 * Decode one of the three tables of a class dump: constants, static fields, or
 * instance fields. A table is a u2 count, then rows of a u2 index or a name id,
 * a u1 type, and the value. Moves *@at to the end of the table. hp_heap_next()
 * has already checked that the table is complete. Returns NULL if out of
 * memory.
 */
static struct hprof_value *
decode_table(struct hprof_reader *r, struct hp_scratch *room,
	     const uint8_t **at, struct columns has, size_t *count)
{
	const uint8_t *p = *at;
	unsigned n = hp_load2(p);
	struct hprof_value *rows =
		hp_scratch_reserve(room, n ? n * sizeof(*rows) : 1);

	if (!rows)
		return NULL;
	p += 2;
	for (unsigned i = 0; i < n; i++) {
		struct hprof_value v = {0};
		unsigned width;

		if (has.index)
			v.index = hp_load2(p);
		if (has.name)
			v.name_id = hp_load_id(p, r->id_size);
		p += has.name ? r->id_size : 2;
		v.type = hp_lib_type(*p++);
		width = has.value ? hp_type_size(v.type, r->id_size) : 0;
		if (width > 0)
			v.value = hp_load_uint(p, width);
		p += width;
		rows[i] = v;
	}
	*at = p;
	*count = n;
	return rows;
}

/*
 * Decode a CLASS DUMP. Its layout after the tag is: ID class | u4 trace | ID
 * super | ID loader | ID signers | ID domain | 2 ID reserved | u4 instance size
 * | three tables
 */
static enum hp_status
decode_class(struct hprof_reader *r, const struct hp_sub *s,
	     struct hp_error *err)
{
	static const struct columns constants = {.index = true, .value = true},
				    statics = {.name = true, .value = true},
				    fields = {.name = true};
	unsigned w = r->id_size;
	const uint8_t *p = s->start + 5 + w, *tables = s->data;
	struct hprof_item *item = &r->item;

	item->kind = HPROF_CLASS;
	item->u.class_dump.id = s->id;
	item->u.class_dump.trace_serial = s->trace;
	item->u.class_dump.super_id = hp_load_id(p, w);
	item->u.class_dump.loader_id = hp_load_id(p + w, w);
	item->u.class_dump.signers_id = hp_load_id(p + 2 * w, w);
	item->u.class_dump.domain_id = hp_load_id(p + 3 * w, w);
	item->u.class_dump.instance_size = hp_load4(p + 6 * w);
	item->u.class_dump.constants =
		decode_table(r, &r->rows[0], &tables, constants,
			     &item->u.class_dump.nconstants);
	if (item->u.class_dump.constants)
		item->u.class_dump.statics =
			decode_table(r, &r->rows[1], &tables, statics,
				     &item->u.class_dump.nstatics);
	if (item->u.class_dump.statics)
		item->u.class_dump.fields =
			decode_table(r, &r->rows[2], &tables, fields,
				     &item->u.class_dump.nfields);
	return item->u.class_dump.fields ? HP_OK : hp_no_memory(err);
}

void
hp_decode_object(struct hprof_reader *r, const struct hp_sub *s)
{
	struct hprof_item *item = &r->item;

	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		item->kind = HPROF_INSTANCE;
		item->u.object.class_id = s->class_id;
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		item->kind = HPROF_OBJECT_ARRAY;
		item->u.object.class_id = s->class_id;
		item->u.object.type = HPROF_TYPE_OBJECT;
		break;
	default:
		item->kind = HPROF_PRIMITIVE_ARRAY;
		item->u.object.type = s->type;
	}
	item->u.object.id = s->id;
	item->u.object.trace_serial = s->trace;
	item->u.object.count = s->count;
}

static void
decode_heap_info(struct hprof_reader *r, const struct hp_sub *s)
{
	r->item.kind = HPROF_HEAP_INFO;
	r->item.u.heap_info.heap = hp_load4(s->start + 1);
	r->item.u.heap_info.name_id = hp_load_id(s->start + 5, r->id_size);
}

enum hp_status
hp_decode_sub(struct hprof_reader *r, const struct hp_sub *s,
	      struct hp_error *err)
{
	switch (s->tag) {
	case HP_SUB_CLASS_DUMP:
		return decode_class(r, s, err);
	case HP_SUB_INSTANCE_DUMP:
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		hp_decode_object(r, s);
		r->item.u.object.here = s->count;
		r->item.u.object.data = s->count ? s->data : NULL;
		return HP_OK;
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		hp_decode_object(r, s);
		return HP_OK;
	case HP_SUB_HEAP_DUMP_INFO:
		decode_heap_info(r, s);
		return HP_OK;
	default:
		decode_root(r, s);
		return HP_OK;
	}
}
