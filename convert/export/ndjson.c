/*
 * ndjson.c - export a dump as JSON lines: the main pass, and the sub-records of
 * the heap
 *
 * ndjson_record.c formats the other records. Only the reading thread gets such
 * a record in one piece, and adds its bytes to a queue. Another thread formats
 * the record when the output has reached its offset. The queue contains the
 * bytes of records and not their JSON text, because the text can be much
 * longer.
 */
#include "convert/export/ndjson.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/cli/message.h"
#include "convert/prepass/dump_tables.h"
#include "convert/copy/ordered_pass.h"
#include "convert/export/text.h"

enum {
	/*
	 * Each lookup of a class is prepared (its memory is prefetched) this
	 * many references earlier.
	 */
	AHEAD = 8,
	/*
	 * After this many elements of an array, hp_ordered_pass_relieve() is
	 * called. It may write the output so far.
	 */
	ROW = 64,
	PLANS_MOST = 64 << 20,
};

/* A record that waits in the queue until the output has reached it. */
struct waiting {
	struct hp_record record;
	/*
	 * the bytes of the record; NULL: the record is no longer in the queue
	 */
	uint8_t *body;
	size_t length;
};

struct ndjson {
	const struct hp_convert_options *options;
	struct hp_sink *sink;
	struct hp_strings strings;
	struct hp_ndjson_names names;
	struct hp_object_classes kinds;
	struct hp_ndjson_graph graph;
	/* for each thread: its caches and counters */
	struct hp_ndjson_worker *lookers;
	/*
	 * finds the heap dump to which a record belongs; used only by the
	 * reading thread
	 */
	struct hp_chosen_dump chosen;
	pthread_mutex_t lock; /* protects the queue */
	struct waiting *lines;
	/*
	 * The queue is a ring buffer with `count` records. The oldest record
	 * has the index `first`.
	 */
	size_t first, count, cap;
};

/* ---- write the lines of records outside the heap, in file order ---- */

/*
 * Make room for one more record in the queue, if possible in the slots of
 * records that were removed. Returns false if out of memory.
 */
static bool
queue_room(struct ndjson *n)
{
	if (n->first + n->count == n->cap && n->first > n->cap / 2) {
		memmove(n->lines, n->lines + n->first,
			n->count * sizeof(*n->lines));
		n->first = 0;
	}
	return HP_LIST_RESERVE(n->lines, n->first + n->count, n->cap);
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct ndjson *n = ctx;
	struct waiting w = {.record = *rec, .length = (size_t)hp_left(&body)};
	bool ok;

	if (hp_chosen_dump_skips(&n->chosen, rec))
		return HP_OK;
	w.body = hp_malloc(w.length + 1);
	if (!w.body)
		return hp_no_memory(err);
	if (w.length > 0)
		memcpy(w.body, body.data + body.pos, w.length);
	pthread_mutex_lock(&n->lock);
	ok = queue_room(n);
	if (ok)
		n->lines[n->first + n->count++] = w;
	pthread_mutex_unlock(&n->lock);
	if (!ok) {
		hp_free(w.body);
		return hp_no_memory(err);
	}
	return HP_OK;
}

/*
 * Remove the record at @offset from the queue and return it. If the queue does
 * not contain it, the `body` of the result is NULL.
 */
static struct waiting
take_record(struct ndjson *n, uint64_t offset)
{
	struct waiting found = {.body = NULL};
	struct waiting *lines;
	size_t i;

	pthread_mutex_lock(&n->lock);
	lines = n->lines ? n->lines + n->first : NULL;
	i = hp_list_find(lines, n->count, sizeof(*lines),
			 offsetof(struct waiting, record.offset), offset);
	if (i < n->count && lines[i].record.offset == offset) {
		found = lines[i];
		lines[i].body = NULL;
	}
	while (n->count > 0 && !n->lines[n->first].body) {
		n->first++;
		n->count--;
	}
	pthread_mutex_unlock(&n->lock);
	return found;
}

static void
write_line(struct ndjson *n, const struct hp_batch *b, uint64_t offset,
	   struct hp_buf *out)
{
	struct waiting w = take_record(n, offset);
	const struct hp_cursor body = {.data = w.body, .len = w.length};

	if (w.body)
		hp_ndjson_record(&n->names, &w.record, body, b, out);
	hp_free(w.body);
}

/* ---- format sub-records ---- */

static void
end_sub(struct ndjson *n, struct hp_ndjson_worker *l, const struct hp_sub *s,
	struct hp_buf *out)
{
	if (n->options->graph)
		hp_ndjson_graph_add(&n->graph, &l->near, &l->kinds, s, out);
	hp_buf_add(out, "}\n", 2);
}

/*
 * Returns how many of @count elements of an array are written (see --elements).
 * The first of these elements has the index @from.
 */
static uint64_t
count_wanted(const struct ndjson *n, uint64_t from, uint64_t count)
{
	uint64_t most = n->options->elements;

	if (most == HP_NDJSON_NO_ELEMENTS || from >= most)
		return 0;
	return count < most - from ? count : most - from;
}

static bool
has_elements(const struct ndjson *n, unsigned tag)
{
	return tag != HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	       n->options->elements != HP_NDJSON_NO_ELEMENTS;
}

static void
add_elements(const struct hp_batch *b, struct hp_buf *out, const uint8_t *p,
	     uint64_t n, unsigned type, unsigned width, bool first)
{
	for (uint64_t i = 0; i < n; i++, p += width) {
		if (i % ROW == 0)
			hp_ordered_pass_relieve(b, out);
		if (!first || i > 0)
			hp_buf_byte(out, ',');
		hp_ndjson_value(out, p, type, width);
	}
}

static void
add_references(const struct hp_batch *b, struct hp_ndjson_worker *l,
	       struct hp_buf *out, const uint8_t *p, uint64_t n, unsigned width,
	       bool first)
{
	for (uint64_t i = 0; i < n; i++, p += width) {
		hp_ordered_pass_relieve(b, out);
		if (n - i > AHEAD)
			hp_object_classes_prefetch(
				&l->kinds,
				hp_load_id(p + AHEAD * width, width));
		if (!first || i > 0)
			hp_buf_byte(out, ',');
		hp_ndjson_reference(out, &l->kinds, hp_load_id(p, width));
	}
}

static void
add_hex_bytes(struct hp_buf *out, const uint8_t *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	if (!hp_buf_reserve(out, 2 * n))
		return;
	for (size_t i = 0; i < n; i++) {
		out->data[out->len++] = digits[p[i] >> 4];
		out->data[out->len++] = digits[p[i] & 15];
	}
}

static void
add_planned_fields(const struct hp_batch *b, struct hp_ndjson_worker *l,
		   const uint8_t *p, struct hp_buf *out)
{
	const struct hp_field_plan *plan = l->plans.plan;
	const uint8_t *at = p;

	for (uint32_t i = 0; i < plan->count; at += plan->fields[i++].width)
		if (hp_type_is_reference(plan->fields[i].type))
			hp_object_classes_prefetch(
				&l->kinds,
				hp_load_id(at, plan->fields[i].width));
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct hp_planned_field *f = &plan->fields[i];

		hp_ordered_pass_relieve(b, out);
		if (i > 0)
			hp_buf_byte(out, ',');
		hp_buf_byte(out, '"');
		hp_planned_field_name(f, out);
		hp_buf_add(out, "\":", 2);
		if (hp_type_is_reference(f->type))
			hp_ndjson_reference(out, &l->kinds,
					    hp_load_id(p, f->width));
		else
			hp_ndjson_value(out, p, f->type, f->width);
		p += f->width;
	}
}

/*
 * Append the fields of an instance. If no class dump describes them, append the
 * bytes of the instance in hexadecimal.
 */
static enum hp_status
add_fields(struct ndjson *n, struct hp_ndjson_worker *l,
	   const struct hp_batch *b, const struct hp_sub *s, struct hp_buf *out,
	   struct hp_error *err)
{
	const struct hp_class *k =
		hp_dump_classes_layout(&l->plans.classes, s->class_id);

	if (!hp_instance_decodable(k, s)) {
		hp_buf_text(out, ",\"fields\":null,\"data\":\"");
		add_hex_bytes(out, s->data, s->count);
		hp_buf_byte(out, '"');
		return hp_undescribed_instance(&l->undescribed, s, err);
	}
	if (!hp_field_plans_find(&l->plans, &n->names.naming, n->names.id_size,
				 k, s, err))
		return HP_LIMIT;
	hp_buf_text(out, ",\"fields\":{");
	add_planned_fields(b, l, s->data, out);
	hp_buf_byte(out, '}');
	return HP_OK;
}

static enum hp_status
add_sub(struct ndjson *n, struct hp_ndjson_worker *l, const struct hp_batch *b,
	const struct hp_sub *s, struct hp_buf *out, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	unsigned width;

	hp_ndjson_sub_head(&n->names, &l->kinds, b->dump, s, out);
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		st = add_fields(n, l, b, s, out, err);
		if (st == HP_OK && n->options->strings)
			st = hp_strings_value(&n->strings, b, s, out, err);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		hp_buf_text(out, ",\"elements\":[");
		add_references(b, l, out, s->data, s->count, n->names.id_size,
			       true);
		hp_buf_byte(out, ']');
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		if (!has_elements(n, s->tag))
			break;
		width = hp_type_size(s->type, n->names.id_size);
		hp_buf_text(out, ",\"elements\":[");
		add_elements(b, out, s->data, count_wanted(n, 0, s->count),
			     s->type, width, true);
		hp_buf_byte(out, ']');
		break;
	case HP_SUB_CLASS_DUMP:
		hp_ndjson_class_tables(&n->names, &l->kinds, s, b, out);
		break;
	default:
		break;
	}
	end_sub(n, l, s, out);
	return st;
}

static const char *
piece_end(const struct ndjson *n, unsigned tag)
{
	if (tag == HP_SUB_INSTANCE_DUMP)
		return "\"";
	return has_elements(n, tag) ? "]" : "";
}

/*
 * Append one piece of a very long array to its line. The first piece begins the
 * JSON line, and the last one ends it.
 */
static enum hp_status
add_piece(struct ndjson *n, struct hp_ndjson_worker *l,
	  const struct hp_batch *b, const struct hp_run *r, struct hp_buf *out,
	  struct hp_error *err)
{
	const struct hp_piece *p = &r->piece;
	struct hp_sub s = p->sub;
	enum hp_status st = HP_OK;

	if (p->head) {
		s.start = b->data;
		s.data = b->data + r->at;
		hp_ndjson_sub_head(&n->names, &l->kinds, b->dump, &s, out);
		hp_buf_text(out, s.tag == HP_SUB_INSTANCE_DUMP
					 ? ",\"fields\":null,\"data\":\""
				 : has_elements(n, s.tag) ? ",\"elements\":["
							  : "");
	}
	if (s.tag == HP_SUB_INSTANCE_DUMP && p->head)
		st = hp_undescribed_instance(&l->undescribed, &s, err);
	if (s.tag == HP_SUB_INSTANCE_DUMP)
		add_hex_bytes(out, b->data + r->at, (size_t)r->length);
	else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
		add_references(b, l, out, b->data + r->at, p->elements,
			       n->names.id_size, p->head);
	else
		add_elements(b, out, b->data + r->at,
			     count_wanted(n, p->first, p->elements), s.type,
			     hp_type_size(s.type, n->names.id_size), p->head);
	if (!p->last)
		return st;
	hp_buf_text(out, piece_end(n, s.tag));
	end_sub(n, l, &s, out);
	return st;
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct ndjson *n = ctx;
	struct hp_ndjson_worker *l = &n->lookers[b->worker];

	hp_object_classes_select_dump(&l->kinds, b->dump);
	hp_ordered_pass_relieve(b, out);
	if (sub) {
		hp_dump_classes_select(&l->plans.classes, n->names.prepass,
				       b->dump);
		return add_sub(n, l, b, sub, out, err);
	} else if (r->kind == HP_RUN_ARRAY) {
		return add_piece(n, l, b, r, out, err);
	} else if (r->record_start && r->record > 0) {
		write_line(n, b, r->offset, out);
	}
	return HP_OK;
}

static enum hp_status
on_write(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	 struct hp_error *err)
{
	struct ndjson *n = ctx;

	return hp_strings_write(&n->strings, b, out, n->sink, err);
}

/*
 * Called when the input is damaged: write the lines so far, for programs that
 * read the output from a pipe. All of them are complete, because an array in
 * which the input ends is not written. Errors of writing are ignored, because
 * the damage is reported.
 */
static void
end_output(struct hp_sink *sink)
{
	enum hp_status st = hp_sink_finish(sink, NULL);

	(void)st;
}

/*
 * Write a first line which says that references lack the class of their target,
 * and why. If @edges is true, the line also describes the missing and the wrong
 * parts of the EDGE lines.
 */
static enum hp_status
write_limits(struct hp_sink *sink, const char *why, bool edges,
	     struct hp_error *err)
{
	struct hp_buf line = {0};
	enum hp_status st;

	hp_buf_printf(&line,
		      "{\"record\":\"LIMITS\",\"limits\":[\"references are "
		      "written without the class of the object that they refer "
		      "to: %s\"%s]}\n",
		      why,
		      edges ? ",\"EDGE lines may refer to missing objects, or "
			      "come from objects with a duplicate id\""
			    : "");
	st = hp_buf_ok(&line) ? hp_sink_write(sink, line.data, line.len, err)
			      : hp_no_memory(err);
	hp_buf_release(&line);
	return st;
}

const char *
hp_ndjson_lacks(const struct hp_convert_options *o)
{
	if (!o->edges)
		return "objects that only these fields refer to "
		       "count as unreachable";
	return o->graph ? "their references are left out, and objects that "
			  "only they refer to count as unreachable"
			: "their references are left out";
}

/*
 * Write a last line with the number of objects whose fields no class dump
 * describes. Do nothing if there are no such objects, or if no references are
 * written.
 */
static enum hp_status
write_undescribed(const struct ndjson *n, const struct hp_undescribed *u,
		  struct hp_error *err)
{
	struct hp_buf line = {0};
	enum hp_status st = HP_OK;

	if (u->objects == 0 || (!n->options->edges && !n->options->graph))
		return HP_OK;
	hp_buf_text(&line, "{\"record\":\"LIMITS\",\"limits\":[\"");
	hp_undescribed_text(&line, u, hp_ndjson_lacks(n->options));
	hp_buf_text(&line, "\"]}\n");
	st = hp_buf_ok(&line) ? hp_sink_write(n->sink, line.data, line.len, err)
			      : hp_no_memory(err);
	hp_buf_release(&line);
	return st;
}

/*
 * Returns the memory limit for each pass after the first, in bytes. It is
 * --memory without the memory of the tables of the first pass. With --graph,
 * the memory of these tables is subtracted twice, because the main pass builds
 * the tables again.
 */
static uint64_t
share_of_memory(const struct hp_convert_options *o,
		const struct hp_prepass *prepass)
{
	unsigned passes = 1u + o->strings + o->graph;
	uint64_t share = hp_convert_memory(o) / passes;
	uint64_t all = o->common.memory, taken = 2 * prepass->bytes;
	uint64_t rest = taken < all ? (all - taken) / passes : 0;

	return o->graph && rest < share ? rest : share;
}

static enum hp_status
run_prepasses(struct ndjson *n, struct hp_source *src,
	      struct hp_prepass *prepass, struct hp_error *err)
{
	const struct hp_convert_options *o = n->options;
	unsigned threads = o->common.threads;
	const struct hp_scan_options so = {.threads = threads,
					   .only_dump = prepass->dump};
	struct hp_pass note;
	enum hp_status st = hp_prepass_run(prepass, src, threads, NULL, err);
	uint64_t memory = share_of_memory(o, prepass);

	if (st == HP_OK)
		st = hp_name_cache_init(&n->names.naming, prepass,
					hp_escape_json_exact, err);
	n->names.naming.plan_most =
		memory / 4 < PLANS_MOST ? memory / 4 : PLANS_MOST;
	n->names.naming.own_most = memory / 2 / threads;
	n->names.id_size = prepass->header.id_size;
	if (st == HP_OK && o->strings) {
		st = hp_strings_init(&n->strings, prepass, src, threads, memory,
				     err);
		note = hp_strings_note_pass(&n->strings);
		if (st == HP_OK)
			st = hp_source_rewind(src, err);
		if (st == HP_OK)
			st = hp_scan(src, &note, &so, err);
		if (st == HP_OK)
			st = hp_strings_place(&n->strings, err);
	}
	if (st == HP_OK)
		st = hp_object_classes_run(&n->kinds, &n->names.naming, src,
					   threads, memory, err);
	if (st == HP_OK && o->graph)
		st = hp_ndjson_graph_build(&n->graph, src, prepass, threads,
					   memory, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	n->lookers = hp_calloc(threads, sizeof(*n->lookers));
	if (st == HP_OK && !n->lookers)
		st = hp_no_memory(err);
	for (unsigned i = 0; n->lookers && i < threads; i++)
		n->lookers[i].kinds.kinds = &n->kinds;
	return st;
}

enum hp_status
hp_ndjson_convert(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_convert_options *options,
		  struct hp_ndjson_result *result, struct hp_error *err)
{
	struct hp_prepass prepass = {.want_tables = true,
				     .dump = (unsigned)options->common.dump,
				     .want_layout = options->graph,
				     .memory = hp_convert_memory(options)};
	struct ndjson n = {.options = options,
			   .chosen.dump = prepass.dump,
			   .sink = sink,
			   .strings = {.intro = ",\"value\":",
				       .shared = ",\"value_array\":\"0x",
				       .shared_end = "\""},
			   .names = {.prepass = &prepass}};
	const struct hp_transform t = {.need = HP_NEED_EVERYTHING,
				       .memory = hp_convert_memory(options),
				       .ctx = &n,
				       .only_dump = prepass.dump,
				       .relieves = true,
				       .record = on_record,
				       .run = on_run,
				       .write = options->strings ? on_write
								 : NULL};
	enum hp_status st;

	pthread_mutex_init(&n.lock, NULL);
	st = run_prepasses(&n, src, &prepass, err);
	if (n.kinds.limited)
		result->limited = hp_object_classes_limit(&n.kinds);
	if (st == HP_OK && n.kinds.limited)
		st = write_limits(sink, result->limited, options->edges, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, sink, &t, options->common.threads,
					 err);
	if (st == HP_OK && options->edges)
		st = hp_ndjson_edges_write(src, sink, &n.names, n.lookers,
					   options->common.threads,
					   hp_convert_memory(options), err);
	if (st == HP_OK)
		st = hp_undescribed_all(
			&n.lookers->undescribed, sizeof(*n.lookers),
			options->common.threads, &result->undescribed, err);
	if (st == HP_OK)
		st = write_undescribed(&n, &result->undescribed, err);
	if (st == HP_OK)
		st = hp_sink_finish(sink, err);
	else if (st == HP_DAMAGED)
		end_output(sink);
	for (unsigned i = 0; n.lookers && i < options->common.threads; i++) {
		hp_free(n.lookers[i].plans.own);
		hp_undescribed_release(&n.lookers[i].undescribed);
	}
	result->missing = hp_strings_missing(&n.strings);
	if (n.graph.tree.reachable.objects == 0)
		result->unrooted = n.graph.graph.all.objects;
	result->graph_in_files = n.graph.graph.memory.file_peak;
	for (size_t i = 0; i < n.count; i++)
		hp_free(n.lines[n.first + i].body);
	hp_free(n.lines);
	hp_free(n.lookers);
	hp_strings_release(&n.strings);
	hp_ndjson_graph_release(&n.graph);
	hp_object_classes_release(&n.kinds);
	hp_name_cache_release(&n.names.naming);
	hp_prepass_release(&prepass);
	pthread_mutex_destroy(&n.lock);
	return st;
}
