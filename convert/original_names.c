/*
 * original_names.c - write a dump with the names that its classes, fields and
 * methods had before R8 or ProGuard (--mapping)
 *
 * The original names become STRING records after the first record of the dump,
 * with unused ids. LOAD CLASS, STACK FRAME and STACK TRACE records are written
 * again with these ids. The ids of names in class dumps are replaced. A trace
 * may get more frames, because R8 inlines methods. Then the frame numbers in
 * roots also change. Nothing else changes, and the lengths of heap records stay
 * the same.
 */
#include "convert/pipeline.h"

#include "common/base/memory.h"
#include "common/format/record_writer.h"
#include "convert/prepass/class_prepass.h"

#include <xxhash.h>

struct names {
	struct hp_prepass prepass;
	struct hp_rename rename;
	/*
	 * maps the index of a record in the file to 1 + its index in `changed`
	 */
	struct hp_id_map by_ordinal;
	/*
	 * elements: struct hp_record_change, the records that are written again
	 */
	struct hp_vec changed;
	/*
	 * `frames` maps the id of a stack frame to a hash of the record.
	 * `traces` maps the serial number of a stack trace to a hash of the
	 * record. The hashes show whether a later record is equal.
	 */
	struct hp_id_map frames, traces;
	/*
	 * the stack traces of threads: the key is the number of the dump,
	 * combined with the serial number of the thread; the value is the
	 * serial number of the stack trace
	 */
	struct hp_id_map thread_traces;
	/* maps the file offset of a class dump to its struct hp_class * */
	struct hp_id_map classes;
	unsigned id_size;
};

/* A record outside the heap that is written again with another body. */
struct hp_record_change {
	uint8_t tag;
	/*
	 * the new contents of the record: a struct hp_load, hp_frame or
	 * hp_trace in the tables
	 */
	const void *item;
};

/* ---- the passes before: collect the records that change ---- */

static bool
note_classes(struct names *n, const struct hp_classes *c)
{
	bool ok = true;

	for (size_t i = 0; i < c->count && ok; i++)
		ok = hp_id_map_set(&n->classes, c->list[i]->offset,
				   (uintptr_t)c->list[i]);
	for (size_t i = 0; i < c->nduplicates && ok; i++)
		ok = hp_id_map_set(&n->classes, c->duplicates[i]->offset,
				   (uintptr_t)c->duplicates[i]);
	return ok;
}

static enum hp_status
rename_all(struct names *n, const struct hp_mappings *mappings,
	   struct hp_error *err)
{
	struct hp_prepass *p = &n->prepass;
	const struct hp_classes *last = NULL;
	enum hp_status st = HP_OK;

	hp_rename_init(&n->rename, mappings, &p->tables);
	for (size_t i = 0; i < p->ndumps && st == HP_OK; i++) {
		last = &p->dumps[i]->classes;
		st = hp_rename_fields(&n->rename, &p->dumps[i]->classes, err);
		if (st == HP_OK && !note_classes(n, last))
			st = hp_no_memory(err);
	}
	return st == HP_OK ? hp_rename_records(&n->rename, last, err) : st;
}

static const struct hp_load *
find_load(const struct hp_tables *t, uint64_t offset)
{
	const struct hp_load *list = t->load_list.items;
	size_t i = hp_list_find(list, t->load_list.count, sizeof(*list),
				offsetof(struct hp_load, offset), offset);

	return i < t->load_list.count && list[i].offset == offset ? &list[i]
								  : NULL;
}

/* Append the new body of a record with the original names. */
static void
add_body(const struct names *n, uint8_t tag, const void *item,
	 struct hp_buf *out)
{
	const struct hp_trace *t = item;

	if (tag == HP_REC_LOAD_CLASS) {
		hp_rename_load_body(&n->rename, item, out);
	} else if (tag == HP_REC_STACK_FRAME) {
		hp_rename_frame_body(&n->rename, item, out);
	} else {
		hp_append_uint(out, t->serial, 4);
		hp_append_uint(out, t->thread, 4);
		hp_append_uint(out, t->nframes, 4);
		for (uint32_t i = 0; i < t->nframes; i++)
			hp_append_uint(out, t->frames[i], n->id_size);
	}
}

/*
 * Whether @rec is the record at offset @at, or an equal record: dumps of
 * Android contain some frames twice. The tables contain the record at @at. *@ok
 * becomes false if out of memory.
 */
static bool
is_known(struct hp_id_map *map, uint64_t key, uint64_t at,
	 const struct hp_record *rec, struct hp_cursor body, bool *ok)
{
	uint64_t hash = XXH3_64bits(body.data, (size_t)hp_left(&body));
	const uint64_t *known = hp_id_map_get(map, key);

	if (at != rec->offset)
		return known && *known == hash;
	*ok = hp_id_map_set(map, key, hash);
	return true;
}

/*
 * Returns the contents of the record @rec: a struct hp_load, hp_frame or
 * hp_trace of the tables. Returns NULL if the tables have the contents of a
 * later record with the same id instead. *@ok becomes false if out of memory.
 */
static const void *
find_item(struct names *n, const struct hp_record *rec, struct hp_cursor body,
	  bool *ok)
{
	const struct hp_tables *t = &n->prepass.tables;
	const struct hp_frame *f;
	const struct hp_trace *s;

	switch (rec->tag) {
	case HP_REC_LOAD_CLASS:
		return find_load(t, rec->offset);
	case HP_REC_STACK_FRAME:
		if (hp_left(&body) < n->id_size)
			return NULL;
		f = hp_tables_frame(t, hp_load_id(body.data, n->id_size));
		return f && is_known(&n->frames, f->id, f->offset, rec, body,
				     ok)
			       ? f
			       : NULL;
	case HP_REC_STACK_TRACE:
		if (hp_left(&body) < 4)
			return NULL;
		s = hp_tables_trace(t, hp_load4(body.data));
		return s && is_known(&n->traces, s->serial, s->offset, rec,
				     body, ok)
			       ? s
			       : NULL;
	default:
		return NULL;
	}
}

static enum hp_status
note_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	    struct hp_error *err)
{
	struct names *n = ctx;
	bool same, ok = true;
	const void *item = find_item(n, rec, body, &ok);
	struct hp_record_change change = {rec->tag, item};
	struct hp_buf now = {0};

	if (!item)
		return HP_OK;
	add_body(n, rec->tag, item, &now);
	ok &= hp_buf_ok(&now);
	same = ok && hp_left(&body) >= now.len &&
	       memcmp(body.data, now.data, now.len) == 0;
	hp_buf_release(&now);
	if (ok && !same)
		ok = hp_vec_push(&n->changed, &change, sizeof(change)) &&
		     hp_id_map_set(&n->by_ordinal, rec->ordinal,
				   n->changed.count);
	return ok ? HP_OK : hp_no_memory(err);
}

/* The stack trace of a thread, from its ROOT THREAD OBJECT. */
struct thread_trace {
	uint32_t thread, trace;
};

static uint64_t
thread_key(unsigned dump, uint32_t thread)
{
	return (uint64_t)dump << 32 | thread;
}

/*
 * Collect the stack traces of the threads from ROOT THREAD OBJECT sub-records.
 * Each sub-record contains the id of the thread object, and the serial numbers
 * of the thread and of the stack trace.
 */
static enum hp_status
note_root(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct names *n = ctx;
	struct thread_trace t;

	if (!sub || sub->tag != HP_SUB_ROOT_THREAD_OBJECT)
		return HP_OK;
	t.thread = hp_load4(sub->start + 1 + n->id_size);
	t.trace = hp_load4(sub->start + 5 + n->id_size);
	hp_buf_add(out, &t, sizeof(t));
	return HP_OK;
}

static enum hp_status
store_roots(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	    struct hp_error *err)
{
	struct names *n = ctx;
	struct thread_trace t;
	bool ok = true;

	for (size_t at = 0; at < out->len && ok; at += sizeof(t)) {
		memcpy(&t, out->data + at, sizeof(t));
		ok = hp_id_map_set(&n->thread_traces,
				   thread_key(b->dump, t.thread), t.trace);
	}
	return ok ? HP_OK : hp_no_memory(err);
}

/* ---- the pass that writes the dump with the original names ---- */

static void
add_record(struct hp_buf *out, uint8_t tag, struct hp_buf *body)
{
	hp_append_record_head(out, tag, 0, body->len);
	hp_buf_add(out, body->data, body->len);
	hp_buf_inherit(out, body);
	hp_buf_clear(body);
}

/*
 * Append the new STRING, LOAD CLASS and STACK FRAME records. They come after
 * the first record of the dump, because that record shows which program wrote
 * the dump.
 */
static void
add_new_records(const struct names *n, struct hp_buf *out)
{
	const struct hp_rename *r = &n->rename;
	const struct hp_load *loads = r->loads.items;
	const struct hp_frame *frames = r->frames.items;
	struct hp_buf body = {0};

	for (uint32_t i = 1; i <= r->texts.count; i++) {
		if (!r->ids[i - 1])
			continue;
		hp_rename_string_body(r, i, &body);
		add_record(out, HP_REC_STRING, &body);
	}
	for (size_t i = 0; i < r->loads.count; i++) {
		hp_rename_load_body(r, &loads[i], &body);
		add_record(out, HP_REC_LOAD_CLASS, &body);
	}
	for (size_t i = 0; i < r->frames.count; i++) {
		hp_rename_frame_body(r, &frames[i], &body);
		add_record(out, HP_REC_STACK_FRAME, &body);
	}
	hp_buf_release(&body);
}

static void
write_bytes(const struct names *n, const struct hp_batch *b,
	    const struct hp_run *r, struct hp_buf *out)
{
	const struct hp_record_change *list = n->changed.items;
	const uint64_t *number = hp_id_map_get(&n->by_ordinal, r->record);
	size_t at;

	if (r->record == 2 && r->record_start)
		add_new_records(n, out);
	at = out->len;
	if (!number || r->record == 0) {
		hp_buf_add(out, b->data + r->at, (size_t)r->length);
		return;
	}
	/*
	 * The first run of the record was replaced by the head and the new body
	 * of the record. The other runs have the old body, so skip them.
	 */
	if (!r->record_start)
		return;
	hp_buf_add(out, b->data + r->at, HP_HEAD_SIZE);
	add_body(n, list[*number - 1].tag, list[*number - 1].item, out);
	if (hp_buf_ok(out))
		hp_store4((uint8_t *)out->data + at + 5,
			  (uint32_t)(out->len - at - HP_HEAD_SIZE));
}

static void
edit_class(const struct names *n, const struct hp_sub *sub, uint8_t *p)
{
	const struct hp_class *k = hp_id_map_pointer(&n->classes, sub->offset);
	unsigned id_size = n->id_size;

	if (!k)
		return;
	p += sub->data - sub->start;
	p += 2;
	for (uint32_t i = 0; i < k->nconstants; i++)
		p += 3 + hp_type_size(k->constants[i].type, id_size);
	p += 2;
	for (uint32_t i = 0; i < k->nstatics; i++) {
		hp_store_id(p, k->statics[i].name, id_size);
		p += id_size + 1 + hp_type_size(k->statics[i].type, id_size);
	}
	p += 2;
	for (uint32_t i = 0; i < k->nfields; i++, p += id_size + 1)
		hp_store_id(p, k->fields[i].name, id_size);
}

/*
 * Correct the frame number in a copy of a root that belongs to a stack frame.
 * The root consists of the object id, the thread serial number and the frame
 * number.
 */
static void
edit_root(const struct names *n, const struct hp_batch *b, uint8_t *p)
{
	const uint64_t *serial = hp_id_map_get(
		&n->thread_traces,
		thread_key(b->dump, hp_load4(p + 1 + n->id_size)));
	const struct hp_trace *t =
		serial ? hp_tables_trace(&n->prepass.tables, (uint32_t)*serial)
		       : NULL;

	p += 5 + n->id_size;
	if (t)
		hp_store4(p, hp_trace_frame(t, hp_load4(p)));
}

static void
edit(const struct names *n, const struct hp_batch *b, const struct hp_sub *sub,
     uint8_t *copy)
{
	switch (sub->tag) {
	case HP_SUB_CLASS_DUMP:
		edit_class(n, sub, copy);
		break;
	case HP_SUB_ROOT_JNI_LOCAL:
	case HP_SUB_ROOT_JAVA_FRAME:
	case HP_SUB_ROOT_JNI_MONITOR:
		edit_root(n, b, copy);
		break;
	default:
		break;
	}
}

static enum hp_status
write_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct names *n = ctx;
	size_t at = out->len;

	if (sub) {
		hp_buf_add(out, sub->start, (size_t)sub->size);
		if (hp_buf_ok(out))
			edit(n, b, sub, (uint8_t *)out->data + at);
	} else if (r->kind == HP_RUN_BYTES) {
		write_bytes(n, b, r, out);
	} else {
		/*
		 * the first piece of a long array begins with the fixed fields,
		 * and the elements follow
		 */
		if (r->piece.head)
			hp_buf_add(out, b->data, r->at);
		hp_buf_add(out, b->data + r->at, (size_t)r->length);
	}
	return HP_OK;
}

static enum hp_status
write_dump(struct names *n, struct hp_source *src, struct hp_sink *sink,
	   unsigned threads, struct hp_error *err)
{
	const struct hp_transform note = {.need = HP_NEED_HEADS,
					  .ctx = n,
					  .record = note_record,
					  .run = note_root,
					  .retired = store_roots};
	const struct hp_transform write = {.need = HP_NEED_EVERYTHING,
					   .framing_only = true,
					   .ctx = n,
					   .run = write_run};
	enum hp_status st = hp_source_rewind(src, err);

	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &note, threads, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, sink, &write, threads, err);
	return st == HP_OK ? hp_sink_finish(sink, err) : st;
}

enum hp_status
hp_original_names_write(struct hp_source *src, struct hp_sink *sink,
			const struct hp_mappings *mappings, unsigned threads,
			uint64_t memory, struct hp_rename_counts *counts,
			struct hp_error *err)
{
	struct names n = {.prepass.want_tables = true,
			  .prepass.memory = memory};
	enum hp_status st = hp_prepass_run(&n.prepass, src, threads, NULL, err);

	n.id_size = n.prepass.header.id_size;
	if (st == HP_OK)
		st = rename_all(&n, mappings, err);
	if (st == HP_OK)
		st = write_dump(&n, src, sink, threads, err);
	*counts = n.rename.counts;
	hp_rename_release(&n.rename);
	hp_id_map_release(&n.by_ordinal);
	hp_id_map_release(&n.thread_traces);
	hp_id_map_release(&n.frames);
	hp_id_map_release(&n.traces);
	hp_id_map_release(&n.classes);
	hp_free(n.changed.items);
	hp_prepass_release(&n.prepass);
	return st;
}
