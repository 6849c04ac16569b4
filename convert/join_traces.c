/*
 * join_traces.c - copy allocation traces from two arrays of the dump into its
 * objects
 *
 * libhprof-agent stores objects in one array, and the serial numbers of their
 * allocation traces in another array. The first pass finds the class of the
 * agent. The second pass reads the elements of its two arrays. The last pass
 * writes the dump, with the serial numbers in the objects. HotSpot itself gives
 * each object a constant serial number that means "no trace".
 */
#include "convert/pipeline.h"
#include "common/base/memory.h"

#include "convert/copy/copy.h"
#include "convert/prepass/class_prepass.h"

#include <stdatomic.h>

/* The two arrays of libhprof-agent in one dump of the file. */
struct tables {
	/*
	 * ids of the arrays "objects" and "traces"; 0: the array was not found
	 */
	uint64_t objects, traces;
	/*
	 * elements of the arrays "objects" and "traces", as bytes in the format
	 * of the file
	 */
	struct hp_buf ids, serials;
	/*
	 * maps an object id to the serial number of the allocation trace of
	 * this object
	 */
	struct hp_id_map serial_of;
};

struct join {
	struct hp_prepass prepass;
	/* the arrays of each dump, indexed by the number of the dump, from 1 */
	struct tables *tables;
	/*
	 * number of the last dump with the arrays of libhprof-agent; 0: no dump
	 * has them
	 */
	unsigned last;
	unsigned id_size;
	uint64_t memory;
	_Atomic uint64_t joined;
};

/* ---- the first pass: find the arrays ---- */

static uint64_t
static_of(const struct join *j, const struct hp_class *k, const char *name)
{
	for (uint32_t i = 0; i < k->nstatics; i++) {
		const struct hp_string *s = hp_tables_string(
			&j->prepass.tables, k->statics[i].name);

		if (hp_type_is_reference(k->statics[i].type) &&
		    hp_string_is(s, name, name))
			return k->statics[i].value;
	}
	return 0;
}

static enum hp_status
find_arrays(struct join *j, struct hp_error *err)
{
	const struct hp_prepass *s = &j->prepass;
	size_t most = s->ndumps ? s->dumps[s->ndumps - 1]->dump : 0;

	j->tables = hp_calloc(most + 1, sizeof(*j->tables));
	if (!j->tables)
		return hp_no_memory(err);
	for (size_t d = 0; d < s->ndumps; d++) {
		const struct hp_classes *all = &s->dumps[d]->classes;
		struct tables *t = &j->tables[s->dumps[d]->dump];

		for (size_t i = 0; i < all->count; i++) {
			const struct hp_class *k = all->list[i];

			if (!hp_string_is(
				    hp_tables_class_name(&s->tables, k->id),
				    "hprofagent/AllocationTraces",
				    "hprofagent.AllocationTraces"))
				continue;
			t->objects = static_of(j, k, "objects");
			t->traces = static_of(j, k, "traces");
			if (t->objects && t->traces)
				j->last = s->dumps[d]->dump;
		}
	}
	if (j->last)
		return HP_OK;
	return hp_fail(err, HP_DAMAGED,
		       "the dump has no table of allocation traces: "
		       "libhprof-agent writes this table with heap=dump or "
		       "heap=all");
}

static struct tables *
tables_of(const struct join *j, unsigned dump)
{
	return dump && dump <= j->last && j->tables[dump].objects &&
			       j->tables[dump].traces
		       ? &j->tables[dump]
		       : NULL;
}

/* ---- the second pass: read the elements of the arrays ---- */

/*
 * A header in the output buffer of a worker thread. The elements after the
 * header come from the array "traces" of the agent (serial numbers) if
 * `serials` is true, otherwise from its array "objects" (object ids).
 */
struct chunk {
	bool serials;
	uint64_t bytes;
};

static enum hp_status
collect_elements(void *ctx, const struct hp_batch *b, const struct hp_run *r,
		 const struct hp_sub *sub, struct hp_buf *out,
		 struct hp_error *err)
{
	const struct join *j = ctx;
	const struct tables *t = tables_of(j, b->dump);
	const uint8_t *data = sub ? sub->data : b->data + r->at;
	struct chunk c = {0};

	if (!sub && r->kind != HP_RUN_ARRAY)
		return HP_OK;
	c.bytes = sub ? sub->count : r->piece.elements;
	if (!sub)
		sub = &r->piece.sub;
	if (t && sub->tag == HP_SUB_OBJECT_ARRAY_DUMP &&
	    sub->id == t->objects) {
		c.bytes *= j->id_size;
	} else if (t && sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
		   sub->id == t->traces && sub->type == HP_TYPE_INT) {
		c.bytes *= 4;
		c.serials = true;
	} else {
		return HP_OK;
	}
	hp_buf_add(out, &c, sizeof(c));
	hp_buf_add(out, data, (size_t)c.bytes);
	return HP_OK;
}

static enum hp_status
append_elements(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
		struct hp_error *err)
{
	struct join *j = ctx;
	struct tables *t = tables_of(j, b->dump);
	struct chunk c;

	for (size_t at = 0; t && at < out->len; at += c.bytes) {
		struct hp_buf *to;

		memcpy(&c, out->data + at, sizeof(c));
		at += sizeof(c);
		to = c.serials ? &t->serials : &t->ids;
		if (to->len + c.bytes > j->memory / 4)
			return hp_fail(err, HP_LIMIT,
				       "the table of traces does not fit in "
				       "--memory");
		hp_buf_add(to, out->data + at, c.bytes);
		if (!hp_buf_ok(to))
			return hp_no_memory(err);
	}
	return HP_OK;
}

/*
 * Build the map serial_of from the elements of both arrays, then free the
 * elements. The number of objects is added to *@noted.
 */
static enum hp_status
make_map(struct join *j, struct tables *t, uint64_t *noted,
	 struct hp_error *err)
{
	const uint8_t *id = (const uint8_t *)t->ids.data;
	const uint8_t *serial = (const uint8_t *)t->serials.data;
	size_t n = t->ids.len / j->id_size;
	enum hp_status st = HP_OK;

	if (n != t->serials.len / 4)
		return hp_fail(err, HP_DAMAGED,
			       "the two tables of traces differ in length");
	for (size_t i = 0; i < n && st == HP_OK; i++) {
		uint64_t object = hp_load_id(id + i * j->id_size, j->id_size);

		if (!object)
			/*
			 * The element is null, because the garbage collector
			 * has removed the object.
			 */
			continue;
		if (!hp_id_map_fits(&t->serial_of, j->memory / 2))
			st = hp_fail(err, HP_LIMIT,
				     "the table of traces does not fit in "
				     "--memory");
		else if (!hp_id_map_set(&t->serial_of, object,
					hp_load4(serial + 4 * i)))
			st = hp_no_memory(err);
		*noted += st == HP_OK;
	}
	hp_buf_release(&t->ids);
	hp_buf_release(&t->serials);
	return st;
}

static enum hp_status
read_tables(struct join *j, struct hp_source *src, unsigned threads,
	    uint64_t *noted, struct hp_error *err)
{
	const struct hp_transform pass = {.need = HP_NEED_EVERYTHING,
					  .ctx = j,
					  .run = collect_elements,
					  .retired = append_elements};
	enum hp_status st =
		hp_prepass_run(&j->prepass, src, threads, NULL, err);

	j->id_size = j->prepass.header.id_size;
	if (st == HP_OK)
		st = find_arrays(j, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &pass, threads, err);
	for (unsigned d = 1; d <= j->last && st == HP_OK; d++)
		if (tables_of(j, d))
			st = make_map(j, &j->tables[d], noted, err);
	return st == HP_OK ? hp_source_rewind(src, err) : st;
}

/* ---- the last pass: write the dump ---- */

static uint64_t
loss(void *ctx, const struct hp_batch *b, const struct hp_run *r,
     const struct hp_sub *sub)
{
	return 0;
}

/*
 * Write the serial number of the allocation trace into the sub-record of an
 * object. The sub-record begins with a tag of one byte, the object id, and a
 * serial number of four bytes.
 */
static void
edit_head(void *ctx, const struct hp_batch *b, const struct hp_sub *sub,
	  uint8_t *copy)
{
	struct join *j = ctx;
	const struct tables *t = tables_of(j, b->dump);
	const uint64_t *serial;

	switch (sub->tag) {
	case HP_SUB_INSTANCE_DUMP:
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_CLASS_DUMP:
		break;
	default:
		return;
	}
	serial = t ? hp_id_map_get(&t->serial_of, sub->id) : NULL;
	if (!serial)
		return;
	hp_store4(copy + 1 + j->id_size, (uint32_t)*serial);
	atomic_fetch_add(&j->joined, 1);
}

static bool
is_objects(const struct join *j, unsigned dump, const struct hp_sub *sub)
{
	const struct tables *t = tables_of(j, dump);

	return t && sub->tag == HP_SUB_OBJECT_ARRAY_DUMP &&
	       sub->id == t->objects;
}

static void
edit(void *ctx, const struct hp_batch *b, const struct hp_sub *sub,
     uint8_t *copy)
{
	const struct join *j = ctx;

	edit_head(ctx, b, sub, copy);
	if (is_objects(j, b->dump, sub))
		memset(copy + (sub->data - sub->start), 0,
		       sub->count * j->id_size);
}

static void
edit_piece(void *ctx, const struct hp_batch *b, const struct hp_piece *piece,
	   uint8_t *copy)
{
	const struct join *j = ctx;

	if (is_objects(j, b->dump, &piece->sub))
		memset(copy, 0, piece->elements * j->id_size);
}

static void
join_release(struct join *j)
{
	for (unsigned d = 1; d <= j->last; d++) {
		hp_buf_release(&j->tables[d].ids);
		hp_buf_release(&j->tables[d].serials);
		hp_id_map_release(&j->tables[d].serial_of);
	}
	hp_free(j->tables);
	hp_prepass_release(&j->prepass);
}

enum hp_status
hp_join_traces(struct hp_source *src, struct hp_sink *sink, unsigned threads,
	       uint64_t memory, struct hp_join_result *result,
	       struct hp_error *err)
{
	struct join j = {.prepass.want_tables = true,
			 .prepass.memory = memory,
			 .memory = memory};
	const struct hp_rewrite how = {.loss = loss,
				       .edit = edit,
				       .edit_head = edit_head,
				       .edit_piece = edit_piece,
				       .ctx = &j};
	enum hp_status st = read_tables(&j, src, threads, &result->noted, err);

	st = hp_ordered_pass_blame(src, st, threads, err);
	if (st == HP_OK)
		st = hp_rewrite(src, sink, &how, threads, err);
	result->joined = j.joined;
	join_release(&j);
	return st;
}
