/*
 * classes.c - hprof_read_classes(), and the functions that look up names,
 * classes and fields
 *
 * hprof_read_classes() reads the whole dump once and keeps the names, the LOAD
 * CLASS records and the class dumps. Then it returns to the first byte of the
 * input, so that hprof_next() can read from the beginning.
 */
#include "lib/internal.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/format/scan.h"
#include "common/model/class_name.h"
#include "diff/budget.h"

#include <string.h>
#include <xxhash.h>

struct learning {
	struct hprof_reader *r;
	unsigned wanted; /* number of the dump to read, from 1 */
	unsigned dumps;	 /* number of dumps that have begun so far */
};

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct learning *l = ctx;

	if (rec->tag != HP_REC_STRING && rec->tag != HP_REC_LOAD_CLASS)
		return HP_OK;
	return hp_tables_record(&l->r->tables, rec, body, l->dumps, NULL, err);
}

static enum hp_status
on_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct learning *l = ctx;
	enum hp_status st;

	l->dumps = dump;
	if (dump != l->wanted)
		return HP_OK;
	st = hp_classes_init(&l->r->classes, l->r->id_size,
			     l->r->options.threads, err);
	l->r->has_classes = st == HP_OK;
	return st;
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct learning *l = ctx;
	struct hp_batch_walk walk = {.ahead = HP_AHEAD, .skip_instances = true};
	enum hp_status st = HP_OK;
	struct hp_sub s;

	if (b->dump != l->wanted)
		return HP_OK;
	while (st == HP_OK && hp_batch_next(&walk, b, &s, l->r->id_size))
		if (s.tag == HP_SUB_CLASS_DUMP)
			st = hp_classes_add(&l->r->classes, b->worker, b->index,
					    walk.run->record, 0, &s, NULL, err);
	return st;
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct learning *l = ctx;

	return b->dump == l->wanted
		       ? hp_classes_retire(&l->r->classes, b->index, err)
		       : HP_OK;
}

static enum hp_status
on_dump_end(void *ctx, unsigned dump, struct hp_error *err)
{
	struct learning *l = ctx;

	return dump == l->wanted ? hp_classes_complete(&l->r->classes, err)
				 : HP_OK;
}

static enum hp_status
scan_for_classes(struct hprof_reader *r, struct learning *l,
		 struct hp_error *err)
{
	const struct hp_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = l,
				     .record = on_record,
				     .dump_begin = on_dump_begin,
				     .dump_end = on_dump_end,
				     .batch = on_batch,
				     .retired = on_retired};
	const struct hp_scan_options scan = {.threads = r->options.threads};
	enum hp_status st;

	hp_tables_init(&r->tables, r->id_size);
	r->has_tables = true;
	st = hp_source_rewind(r->src, err);
	if (st == HP_OK)
		st = hp_scan(r->src, &pass, &scan, err);
	return st == HP_OK ? hp_source_rewind(r->src, err) : st;
}

/*
 * Returns the name of a class, spelled as in Java; NULL if out of memory. The
 * cache r->names maps the address of a text in the dump to the converted name,
 * so that each text is converted only once. In a malicious dump, many classes
 * can share one long text at a cost of a few bytes each.
 */
static const char *
learn_name(struct hprof_reader *r, const struct hp_class *c)
{
	const struct hp_string *raw = hp_tables_class_name(&r->tables, c->id);
	struct hp_buf java = {0}, visible = {0};
	char room[HP_NAME_ROOM];
	struct hp_string name;
	uint64_t *slot;

	if (!raw || raw->length == 0)
		return "";
	slot = hp_id_map_put(&r->names, (uintptr_t)raw->data, NULL);
	if (!slot || *slot)
		return slot ? (const char *)(uintptr_t)*slot : NULL;
	name = hp_string_short(raw, room);
	hp_class_name(&java, name.data, name.length);
	hp_text_clean(&visible, java.data, java.len);
	if (hp_buf_ok(&java) && hp_buf_ok(&visible))
		*slot = (uintptr_t)hp_arena_copy(
			&r->arena, visible.data ? visible.data : "",
			visible.len);
	hp_buf_release(&java);
	hp_buf_release(&visible);
	return (const char *)(uintptr_t)*slot;
}

/*
 * Hash a name with a random seed, so that no dump can contain names whose
 * hashes collide on purpose.
 */
static uint64_t
name_hash(const struct hprof_reader *r, const char *name)
{
	return XXH3_64bits_withSeed(name, strlen(name), r->tables.seed);
}

/*
 * Compute the names of all classes, and fill r->by_name. If several classes
 * have the same name, by_name has the first one in the file. All names are
 * computed in advance, so that later look-ups cannot fail because memory runs
 * out.
 */
static enum hp_status
learn_names(struct hprof_reader *r, struct hp_error *err)
{
	for (size_t i = 0; i < r->classes.count; i++) {
		const struct hp_class *c = r->classes.list[i];
		const char *name = learn_name(r, c);
		uint64_t *slot = NULL;

		if (name)
			slot = hp_id_map_put(&r->by_name, name_hash(r, name),
					     NULL);
		if (!slot)
			return hp_no_memory(err);
		if (!*slot)
			*slot = (uintptr_t)c;
	}
	return HP_OK;
}

static enum hp_status
learn(struct hprof_reader *r, unsigned dump, struct hp_error *err)
{
	struct learning l = {.r = r, .wanted = dump ? dump : 1};
	struct hp_lib_memory limited;
	enum hp_status st = hp_lib_memory_enter(&limited, &r->options, err);

	if (st != HP_OK)
		return st;
	st = scan_for_classes(r, &l, err);
	if (st == HP_OK && r->has_classes)
		st = learn_names(r, err);
	hp_lib_memory_leave(&limited);
	return st;
}

int
hprof_read_classes(hprof_reader *r, unsigned dump, struct hprof_error *error)
{
	struct hp_error err = {0};
	enum hp_status st;

	hp_lib_error_clear(error);
	if (r->begun || r->has_tables || !hp_source_rewindable(r->src))
		return hp_lib_fail_text(error, HPROF_UNSUPPORTED,
					r->begun || r->has_tables
						? "classes can be read only "
						  "once, before the first "
						  "record"
						: "a pipe cannot be read "
						  "twice");
	hp_reader_close(r->records);
	r->records = NULL;
	st = learn(r, dump, &err);
	if (st == HP_OK)
		st = hp_reader_open(&r->records, r->src, hp_reader_note_problem,
				    r, &err);
	if (st != HP_OK) {
		r->ended = true;
		return hp_lib_fail(error, &err);
	}
	if (dump > 0 && !r->has_classes)
		return hp_lib_fail_text(error, HPROF_NOT_FOUND,
					"there is no dump %u", dump);
	return HPROF_OK;
}

void
hp_reader_release_classes(struct hprof_reader *r)
{
	if (r->has_classes)
		hp_classes_release(&r->classes);
	if (r->has_tables)
		hp_tables_release(&r->tables);
	hp_id_map_release(&r->names);
	hp_id_map_release(&r->by_name);
	hp_arena_release(&r->arena);
}

int
hprof_get_string(const hprof_reader *r, uint64_t id, const char **text,
		 size_t *length)
{
	const struct hp_string *s =
		r->has_tables ? hp_tables_string(&r->tables, id) : NULL;

	*text = s ? (const char *)s->data : NULL;
	*length = s ? s->length : 0;
	return s ? HPROF_OK : HPROF_NOT_FOUND;
}

/*
 * Convert a pointer of the public type to the internal type. The public struct
 * hprof_class is never defined: a pointer to it is really a pointer to a struct
 * hp_class.
 */
static const struct hp_class *
inner(const hprof_class *c)
{
	return (const struct hp_class *)c;
}

static const hprof_class *
outer(const struct hp_class *c)
{
	return (const hprof_class *)c;
}

const hprof_class *
hprof_class_by_id(const hprof_reader *r, uint64_t id)
{
	return r->has_classes ? outer(hp_classes_get(&r->classes, id)) : NULL;
}

uint64_t
hprof_class_id(const hprof_class *c)
{
	return c ? inner(c)->id : 0;
}

const hprof_class *
hprof_class_super(const hprof_class *c)
{
	return c ? outer(inner(c)->super) : NULL;
}

int
hprof_class_is_a(const hprof_class *c, const hprof_class *above)
{
	return c && above && hp_class_is_a(inner(c), inner(above));
}

const char *
hprof_class_name(hprof_reader *r, const hprof_class *c)
{
	const struct hp_string *raw =
		c ? hp_tables_class_name(&r->tables, inner(c)->id) : NULL;
	const char *name = NULL;

	if (raw)
		name = hp_id_map_pointer(&r->names, (uintptr_t)raw->data);
	return name ? name : "";
}

const hprof_class *
hprof_class_by_name(hprof_reader *r, const char *name)
{
	const hprof_class *c;

	if (!name || !r->has_classes)
		return NULL;
	c = hp_id_map_pointer(&r->by_name, name_hash(r, name));
	return c && strcmp(hprof_class_name(r, c), name) == 0 ? c : NULL;
}

/*
 * Whether the text @text of a dump is the name @name in UTF-8. A dump has
 * modified UTF-8, which differs for characters beyond U+FFFF: it encodes the
 * two halves of the surrogate pair separately. So both texts are decoded and
 * compared character by character.
 */
static bool
is_name(const struct hp_string *text, const char *name, size_t length)
{
	const uint8_t *a = text->data, *b = (const uint8_t *)name;
	size_t left = text->length;

	if (left == length && memcmp(a, b, length) == 0)
		return true;
	while (left > 0 && length > 0) {
		uint32_t x, y;
		size_t m = hp_text_decode(a, left, &x);
		size_t n = hp_text_decode(b, length, &y);

		if (x != y || (x == HP_TEXT_INVALID && *a != *b))
			return false;
		a += m;
		left -= m;
		b += n;
		length -= n;
	}
	return left == length;
}

/*
 * Find a field in an instance of @limit bytes. The search stops at fields
 * beyond @limit and returns HPROF_TRUNCATED. Otherwise a malicious dump with
 * many empty instances of a class with 65,535 fields would take very long.
 */
static int
find_field(const hprof_reader *r, const struct hp_class *class,
	   const char *name, uint64_t limit, struct hprof_field *found,
	   uint64_t *name_id)
{
	size_t length = strlen(name);
	uint64_t at = 0;

	/*
	 * In the dump, an instance has the fields of its own class first, then
	 * those of its superclass, and so on.
	 */
	for (const struct hp_class *c = class; c; c = c->super) {
		for (uint32_t i = 0; i < c->nfields; i++) {
			const struct hp_class_field *f = &c->fields[i];
			const struct hp_string *s =
				hp_tables_string(&r->tables, f->name);

			if (at >= limit)
				return HPROF_TRUNCATED;
			if (s && is_name(s, name, length)) {
				found->position = at;
				found->type = hp_lib_type(f->type);
				*name_id = f->name;
				return HPROF_OK;
			}
			at += hp_type_size(f->type, r->id_size);
		}
	}
	return class->chain == HP_CHAIN_FINE ? HPROF_NOT_FOUND : HPROF_DAMAGED;
}

int
hprof_class_field(const hprof_reader *r, const hprof_class *class,
		  const char *name, struct hprof_field *out)
{
	struct hprof_field found = {0};
	uint64_t name_id;
	int status;

	if (!r || !class || !name || !out || out->size < sizeof(out->size))
		return HPROF_ARGUMENT;
	found.size = out->size;
	status =
		find_field(r, inner(class), name, UINT64_MAX, &found, &name_id);
	if (status == HPROF_OK)
		memcpy(out, &found,
		       out->size < sizeof(found) ? out->size : sizeof(found));
	return status;
}

int
hprof_instance_value(const hprof_reader *r, const struct hprof_item *item,
		     const char *name, struct hprof_value *out)
{
	struct hprof_field field = {0};
	uint64_t name_id = 0;
	const hprof_class *c;
	unsigned width;
	int status;

	if (!r || !item || !name || !out || item->kind != HPROF_INSTANCE)
		return HPROF_ARGUMENT;
	c = hprof_class_by_id(r, item->u.object.class_id);
	status = c ? find_field(r, inner(c), name, item->u.object.here, &field,
				&name_id)
		   : HPROF_NOT_FOUND;
	if (status != HPROF_OK)
		return status;
	width = hp_type_size((unsigned)field.type, r->id_size);
	if (item->u.object.first > 0 ||
	    item->u.object.here - field.position < width)
		return HPROF_TRUNCATED;
	*out = (struct hprof_value){
		.name_id = name_id,
		.type = (uint8_t)field.type,
		.value = hp_load_uint((const uint8_t *)item->u.object.data +
					      field.position,
				      width)};
	return HPROF_OK;
}
