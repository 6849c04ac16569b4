/*
 * text.c - export the text format of the HPROF agent: the last pass, and the
 * order of the output
 *
 * The text has the same order as the text of the agent. Threads and reports
 * come in file order. Each report comes after the stack traces that it refers
 * to, and each trace is written once. In a heap dump, roots come first, then
 * instances and arrays in file order, then classes. The order of the file
 * differs. So earlier passes collect the roots and the order of the events
 * (text_prepass.c), and the classes (class_prepass.c). The last pass formats
 * the lines of objects, and inserts all other lines at the right places.
 */
#include "convert/export/text.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/text/text.h"
#include "convert/copy/ordered_pass.h"

#include <string.h>

enum { FLUSH_AT = 1 << 20 };

/*
 * The cache of one thread: the class that the thread looked up last, and the
 * list of reference fields (plan) of this class.
 */
struct worker {
	struct hp_dump_classes classes;
	const struct hp_class *class;
	const struct hp_text_plan *plan;
};

struct text {
	const struct hp_convert_options *options;
	struct hp_text_names names;
	struct hp_text_prepass *look;
	struct hp_strings strings; /* values of Strings; used with --strings */
	struct hp_sink *sink;
	/* one cache for each thread */
	struct worker *lookers;
	/*
	 * number of the heap dump whose objects are being written; 0: no heap
	 * dump
	 */
	unsigned open;
	size_t event; /* index of the next event to write */
	/*
	 * indexes of the next items to write: the stack trace, the roots of a
	 * batch (part of the dump), the ALLOC SITES record and the CPU SAMPLES
	 * record
	 */
	size_t trace, chunk, site, sample;
	/*
	 * The next CPU SAMPLES record is not written, because STRING records
	 * show the same table with more details: they contain lines of the
	 * agent's original text.
	 */
	bool times_carried;
	/*
	 * for each stack trace: the lowest file offset among the records of
	 * this trace and of all traces after it in the list
	 */
	uint64_t *trace_from;
	struct hp_buf out;
	/* the first error of flush_rows(), which cannot return an error */
	struct hp_error unwritten;
};

/* ---- write all lines except those of objects ---- */

static enum hp_status
flush_lines(struct text *t, size_t limit, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (!hp_buf_ok(&t->out))
		return hp_no_memory(err);
	if (t->unwritten.status != HP_OK && err != &t->unwritten)
		return hp_fail(err, t->unwritten.status, "%s",
			       t->unwritten.text);
	if (t->out.len > limit) {
		st = hp_sink_write(t->sink, t->out.data, t->out.len, err);
		hp_buf_clear(&t->out);
	}
	return st;
}

/*
 * Called by text_line.c after each row of a long report: write the buffer if it
 * is large.
 */
static void
flush_rows(void *ctx)
{
	struct text *t = ctx;

	if (t->unwritten.status == HP_OK)
		flush_lines(t, FLUSH_AT, &t->unwritten);
	else
		hp_buf_clear(&t->out);
}

static uint64_t
time_of(const struct text *t, const struct hp_event *e)
{
	return t->look->prepass->header.timestamp_ms + e->time_us / 1000;
}

/*
 * Compute t->trace_from, with which write_traces() finds out whether any
 * further trace comes before an offset. The traces need not be in file order:
 * if a trace has several records, only the last of them counts.
 */
static enum hp_status
order_traces(struct text *t, struct hp_error *err)
{
	const struct hp_vec *v = &t->names.prepass->tables.trace_list;
	const struct hp_trace *items = v->items;
	uint64_t low = UINT64_MAX;

	t->trace_from = hp_calloc(v->count + 1, sizeof(*t->trace_from));
	if (!t->trace_from)
		return hp_no_memory(err);
	for (size_t i = v->count; i-- > 0;) {
		if (items[i].offset < low)
			low = items[i].offset;
		t->trace_from[i] = low;
	}
	return HP_OK;
}

/*
 * Write the stack traces whose records are before the offset @end, except those
 * that were already written.
 */
static enum hp_status
write_traces(struct text *t, uint64_t end, struct hp_error *err)
{
	const struct hp_vec *v = &t->names.prepass->tables.trace_list;
	enum hp_status st = HP_OK;

	while (st == HP_OK && t->trace < v->count &&
	       t->trace_from[t->trace] < end) {
		hp_text_trace(&t->names,
			      (const struct hp_trace *)v->items + t->trace++,
			      &t->out);
		st = flush_lines(t, FLUSH_AT, err);
	}
	return st;
}

static enum hp_status
write_roots(struct text *t, const struct hp_text_prepass_dump *d, unsigned dump,
	    struct hp_error *err)
{
	const struct hp_root_chunk *c = t->look->chunks.items;
	enum hp_status st = HP_OK;
	struct hp_sub s = {0};

	for (; st == HP_OK && t->chunk < t->look->chunks.count &&
	       c[t->chunk].dump <= dump;
	     t->chunk++) {
		const struct hp_buf *b = &c[t->chunk].bytes;
		struct hp_heap_iter it = hp_heap_begin((const uint8_t *)b->data,
						       b->len, b->len, 0);

		while (st == HP_OK && hp_heap_next(&it, &s, t->names.id_size)) {
			hp_text_root(&t->names, d, &s, &t->out);
			st = flush_lines(t, FLUSH_AT, err);
		}
	}
	return st;
}

static enum hp_status
begin_dump(struct text *t, const struct hp_event *e, struct hp_error *err)
{
	const struct hp_text_prepass_dump *d =
		hp_text_prepass_dump(t->look, e->serial);
	enum hp_status st = write_traces(t, d->end, err);

	hp_buf_printf(&t->out, "HEAP DUMP BEGIN (%llu objects, %llu bytes) ",
		      (unsigned long long)d->objects,
		      (unsigned long long)d->bytes);
	hp_print_time(&t->out, time_of(t, e));
	if (st == HP_OK)
		st = write_roots(t, d, e->serial, err);
	t->open = e->serial;
	return st == HP_OK ? flush_lines(t, 0, err) : st;
}

static enum hp_status
end_dump(struct text *t, struct hp_error *err)
{
	struct hp_prepass_dump *d =
		t->open ? hp_prepass_dump(t->names.prepass, t->open) : NULL;
	enum hp_status st = HP_OK;

	for (size_t i = 0; d && st == HP_OK && i < d->classes.count; i++) {
		hp_text_class(&t->names, d->classes.list[i], &t->out);
		st = flush_lines(t, FLUSH_AT, err);
	}
	if (t->open)
		hp_buf_text(&t->out, "HEAP DUMP END\n");
	t->open = 0;
	return st == HP_OK ? flush_lines(t, 0, err) : st;
}

/*
 * Write a SITES report. If the ALLOC SITES record is incomplete, write nothing:
 * such damage ends the pass.
 */
static enum hp_status
write_sites(struct text *t, const struct hp_event *e, struct hp_error *err)
{
	const struct hp_vec *v = &t->names.prepass->tables.site_list;
	const struct hp_sites *s = v->items;
	enum hp_status st = write_traces(t, e->offset, err);

	while (t->site < v->count && s[t->site].offset < e->offset)
		t->site++;
	if (t->site < v->count && s[t->site].offset == e->offset)
		hp_text_sites(&t->names, &s[t->site], time_of(t, e), &t->out);
	return st;
}

static enum hp_status
write_samples(struct text *t, const struct hp_event *e, struct hp_error *err)
{
	const struct hp_vec *v = &t->names.prepass->tables.sample_list;
	const struct hp_samples *s = v->items;
	bool carried = t->times_carried;
	enum hp_status st = carried ? HP_OK : write_traces(t, e->offset, err);

	t->times_carried = false;
	if (carried)
		/*
		 * the lines of the original text, which were already written,
		 * contain the samples of this record with more details
		 */
		return st;
	while (t->sample < v->count && s[t->sample].offset < e->offset)
		t->sample++;
	if (t->sample < v->count && s[t->sample].offset == e->offset)
		hp_text_samples(&t->names, &s[t->sample], time_of(t, e),
				&t->out);
	return st;
}

static bool
carried_begins(const struct text *t, const struct hp_event *e, const char *text)
{
	const struct hp_string *s =
		hp_tables_string(&t->names.prepass->tables, e->name);
	const size_t head = strlen(HP_TEXT_CARRIED), n = strlen(text);

	return s && s->length >= head + n &&
	       memcmp(s->data + head, text, n) == 0;
}

/*
 * If a dump was made from the agent's text, STRING records keep some lines of
 * that text. Write such a line. Before the first line of a report, write the
 * traces to which the report refers. For a report of cpu=old, no traces are
 * written, because they were created from the report itself.
 */
static enum hp_status
write_carried(struct text *t, const struct hp_event *e, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (carried_begins(t, e, "count callee caller time")) {
		t->times_carried = true;
		t->trace = t->names.prepass->tables.trace_list.count;
	} else if (carried_begins(t, e, "CPU TIME (ms) BEGIN")) {
		t->times_carried = true;
	}
	if (carried_begins(t, e, "CPU TIME (ms) BEGIN") ||
	    carried_begins(t, e, "MONITOR DUMP BEGIN") ||
	    carried_begins(t, e, "MONITOR TIME BEGIN"))
		st = write_traces(t, e->offset, err);
	hp_text_carried(&t->names, e->name, &t->out);
	return st;
}

/*
 * Write all lines that come before heap dump number @dump. If @dump is 0, write
 * all remaining lines.
 */
static enum hp_status
write_until_dump(struct text *t, unsigned dump, struct hp_error *err)
{
	const struct hp_event *items = t->look->events.items;
	enum hp_status st = end_dump(t, err);

	while (st == HP_OK && t->event < t->look->events.count) {
		const struct hp_event *e = &items[t->event++];

		switch (e->kind) {
		case HP_EVENT_THREAD_START:
		case HP_EVENT_THREAD_END:
			hp_text_thread(&t->names, e, &t->out);
			break;
		case HP_EVENT_SITES:
			st = write_sites(t, e, err);
			break;
		case HP_EVENT_SAMPLES:
			st = write_samples(t, e, err);
			break;
		case HP_EVENT_CARRIED:
			st = write_carried(t, e, err);
			break;
		case HP_EVENT_DUMP:
			st = begin_dump(t, e, err);
			if (st == HP_OK && e->serial == dump)
				return st;
			if (st == HP_OK)
				st = end_dump(t, err);
			break;
		}
		if (st == HP_OK)
			st = flush_lines(t, FLUSH_AT, err);
	}
	if (st == HP_OK && dump == 0)
		st = write_traces(t, UINT64_MAX, err);
	return st == HP_OK ? flush_lines(t, 0, err) : st;
}

/*
 * Called in file order, before the lines of the objects in a batch are written.
 */
static enum hp_status
on_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	   struct hp_error *err)
{
	struct text *t = ctx;

	if (b->dump == 0 || b->dump == t->open)
		return HP_OK;
	return write_until_dump(t, b->dump, err);
}

/* ---- write the lines of objects ---- */

static enum hp_status
add_instance(struct text *t, struct worker *l, const struct hp_batch *b,
	     const struct hp_sub *s, struct hp_buf *out, struct hp_error *err)
{
	const struct hp_class *k =
		hp_dump_classes_layout(&l->classes, s->class_id);
	enum hp_status st = HP_OK;

	hp_text_object(&t->names, s, k, out);
	if (t->options->strings)
		st = hp_strings_value(&t->strings, b, s, out, err);
	hp_buf_add(out, ")\n", 2);
	if (st != HP_OK || !hp_instance_decodable(k, s))
		return st;
	if (k != l->class)
		l->plan = hp_text_plan(&t->names, l->classes.dump, k);
	l->class = k;
	if (!l->plan)
		return hp_no_memory(err);
	hp_text_fields(&t->names, l->plan, s->data, b, out);
	return HP_OK;
}

/*
 * Append the line of an array, or of an instance that is so long that it is
 * handled in pieces.
 */
static void
add_array(struct text *t, const struct hp_batch *b, const struct hp_sub *s,
	  bool whole, struct hp_buf *out)
{
	/* text_line.c writes the lines of roots and classes */
	if (hp_subrecord_is_object(s->tag) && s->tag != HP_SUB_CLASS_DUMP) {
		hp_text_object(&t->names, s, NULL, out);
		hp_buf_add(out, ")\n", 2);
	}
	if (whole && s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		hp_text_elements(&t->names, s->data, 0, s->count, b, out);
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct text *t = ctx;
	struct worker *l = &t->lookers[b->worker];
	const struct hp_piece *p = &r->piece;

	hp_dump_classes_select(&l->classes, t->names.prepass, b->dump);
	hp_ordered_pass_relieve(b, out);
	if (sub && sub->tag == HP_SUB_INSTANCE_DUMP)
		return add_instance(t, l, b, sub, out, err);
	if (sub) {
		add_array(t, b, sub, true, out);
	} else if (r->kind == HP_RUN_ARRAY) {
		if (p->head)
			add_array(t, b, &p->sub, false, out);
		if (p->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			hp_text_elements(&t->names, b->data + r->at, p->first,
					 p->elements, b, out);
	}
	return HP_OK;
}

static enum hp_status
on_write(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	 struct hp_error *err)
{
	struct text *t = ctx;

	return hp_strings_write(&t->strings, b, out, t->sink, err);
}

/* ---- run all passes ---- */

static enum hp_status
run_prepasses(struct text *t, struct hp_source *src, struct hp_prepass *prepass,
	      struct hp_error *err)
{
	unsigned threads = t->options->common.threads;
	bool strings = t->options->strings;
	struct hp_pass order = hp_text_prepass_order(t->look);
	struct hp_pass note = hp_strings_note_pass(&t->strings);
	enum hp_status st =
		hp_text_prepass_init(t->look, prepass, threads, err);

	/*
	 * The prepass and the pass `order` need no results of the other pass,
	 * so one scan of the dump serves both.
	 */
	if (st == HP_OK)
		st = hp_prepass_run(prepass, src, threads, &order, err);
	if (st == HP_OK && strings)
		st = hp_strings_init(&t->strings, prepass, src, threads,
				     hp_convert_memory(t->options), err);
	if (st == HP_OK)
		st = hp_text_prepass_totals(t->look, src,
					    strings ? &note : NULL, err);
	if (st == HP_OK && strings)
		st = hp_strings_place(&t->strings, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_name_cache_init(&t->names.naming, prepass,
					hp_text_clean, err);
	if (st == HP_OK)
		st = order_traces(t, err);
	t->names.id_size = prepass->header.id_size;
	t->names.dialect = hp_prepass_dialect(prepass);
	t->names.flush = flush_rows;
	t->names.flush_ctx = t;
	t->lookers = hp_calloc(threads, sizeof(*t->lookers));
	if (st == HP_OK && !t->lookers)
		st = hp_no_memory(err);
	return st;
}

static enum hp_status
write_text(struct text *t, struct hp_source *src, struct hp_prepass *prepass,
	   struct hp_error *err)
{
	const struct hp_transform transform = {
		.need = HP_NEED_EVERYTHING,
		.memory = hp_convert_memory(t->options),
		.ctx = t,
		.relieves = true,
		.run = on_run,
		.retired = on_retired,
		.write = t->options->strings ? on_write : NULL};
	enum hp_status st = run_prepasses(t, src, prepass, err);

	if (st != HP_OK)
		return st;
	hp_text_prologue(&t->names, &t->out, prepass->header.timestamp_ms);
	st = hp_ordered_pass_run(src, t->sink, &transform,
				 t->options->common.threads, err);
	if (st == HP_OK)
		st = write_until_dump(t, 0, err);
	return st == HP_OK ? hp_sink_finish(t->sink, err) : st;
}

enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_convert_options *options,
		struct hp_text_result *result, struct hp_error *err)
{
	struct hp_prepass prepass = {.want_tables = true,
				     .want_layout = true,
				     .want_evidence = true};
	struct hp_text_prepass look = {0};
	struct text t = {.options = options,
			 .strings = {.intro = ", value=",
				     .shared = ", value=\"\", shared array=",
				     .shared_end = ""},
			 .names = {.prepass = &prepass, .look = &look},
			 .look = &look,
			 .sink = sink};
	enum hp_status st = write_text(&t, src, &prepass, err);

	/*
	 * the dump is damaged: write the lines of everything before the damage
	 */
	if (st == HP_DAMAGED && hp_buf_ok(&t.out) &&
	    flush_lines(&t, 0, NULL) == HP_OK)
		(void)!hp_sink_finish(sink, NULL);
	result->missing = hp_strings_missing(&t.strings);
	hp_free(t.lookers);
	hp_free(t.trace_from);
	hp_buf_release(&t.out);
	hp_strings_release(&t.strings);
	hp_id_map_release(&t.names.plans);
	hp_arena_release(&t.names.arena);
	hp_name_cache_release(&t.names.naming);
	hp_text_prepass_release(&look);
	hp_prepass_release(&prepass);
	return st;
}
