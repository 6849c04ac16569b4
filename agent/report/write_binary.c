/*
 * write_binary.c - write reports as HPROF records
 *
 * The low bits of an id are the number of an entry in a table, and the upper
 * bits of the id identify the table. In a heap dump of the JVM, ids are
 * addresses. If the report is inserted into such a dump, the ids of the agent
 * have additional upper bits, which no address has.
 */
#include "agent/report/write.h"

#include "common/format/format.h"
#include "common/format/record_writer.h"
#include "common/text/text.h"

#include <string.h>

/*
 * The upper bits of ids. They identify the table, and are equal to those of the
 * JDK's old agent.
 */
enum {
	MARK_OBJECT = 0x5,
	MARK_CLASS = 0x6,
	MARK_FRAME = 0x7,
	MARK_STRING = 0xA
};

/*
 * The string with the agent's settings is in no table. Its id contains this
 * number.
 */
enum { SETTINGS = 0x0FFFFFFF };

static void
put_id(struct hp_agent_writer *w, unsigned mark, uint32_t n)
{
	uint64_t id = (uint64_t)mark << 28 | n;

	if (w->id_size == 8)
		id |= UINT64_C(0x0F00) << 48;
	hp_append_uint(&w->out, id, w->id_size);
}

static void
put_serial(struct hp_agent_writer *w, uint32_t first, uint32_t n)
{
	hp_append_uint(&w->out, hp_agent_serial(w->a, first, n), 4);
}

/* Write the id of a string; 0 stays 0, which means none. */
static void
put_string_id(struct hp_agent_writer *w, uint32_t n)
{
	if (n)
		put_id(w, MARK_STRING, n);
	else
		hp_append_uint(&w->out, 0, w->id_size);
}

/*
 * Write the head of a record. The body of the record consists of the fixed
 * fields for its tag and @more further bytes.
 */
static void
put_head(struct hp_agent_writer *w, uint8_t tag, uint32_t time_us,
	 uint64_t more)
{
	hp_append_record_head(&w->out, tag, time_us,
			      hp_record_fixed[hp_widen(w->id_size)][tag] +
				      more);
}

static void
put_string(struct hp_agent_writer *w, uint32_t n, const void *text,
	   size_t length)
{
	put_head(w, HP_REC_STRING, 0, length);
	put_id(w, MARK_STRING, n);
	hp_buf_add(&w->out, text, length);
}

static void
put_settings(struct hp_agent_writer *w)
{
	struct hp_buf b = {0};

	hp_agent_put_settings(&b, w->a);
	put_string(w, SETTINGS, b.data, b.len);
	hp_buf_inherit(&w->out, &b);
	hp_buf_release(&b);
}

static void
put_trace(struct hp_agent_writer *w, uint32_t n, uint32_t count,
	  uint32_t thread, const uint32_t *frames)
{
	put_head(w, HP_REC_STACK_TRACE, hp_agent_time_us(w->a),
		 (uint64_t)count * w->id_size);
	put_serial(w, HP_AGENT_FIRST_TRACE, n);
	if (thread)
		put_serial(w, HP_AGENT_FIRST_THREAD, thread);
	else
		hp_append_uint(&w->out, 0, 4);
	hp_append_uint(&w->out, count, 4);
	for (uint32_t i = 0; i < count; i++)
		put_id(w, MARK_FRAME, frames[i]);
}

/*
 * Write the header of the file, and the records with which reports of the JDK's
 * old agent begin. If the reports are inserted into a heap dump of the JVM, do
 * not write the header, because the heap dump has one.
 */
static void
header(struct hp_agent_writer *w)
{
	const char *text =
		w->id_size == 8 ? "JAVA PROFILE 1.0.2" : "JAVA PROFILE 1.0.1";
	const struct hp_agent *a = w->a;

	if (!w->within) {
		hp_buf_add(&w->out, text, strlen(text) + 1);
		hp_append_uint(&w->out, w->id_size, 4);
		hp_append_uint(&w->out, a->start_ms, 8);
		put_head(w, HP_REC_CONTROL_SETTINGS, 0, 0);
		hp_append_uint(&w->out,
			       (a->o.heap ? 1 : 0) | (a->o.cpu ? 2 : 0), 4);
		hp_append_uint(&w->out, atomic_load(&a->depth), 2);
	}
	put_settings(w);
	put_trace(w, 0, 0, 0, NULL);
}

static void
put_class(struct hp_agent_writer *w, uint32_t n)
{
	const struct hp_agent_class *c = hp_chunks_at(&w->a->tables.classes, n);

	put_head(w, HP_REC_LOAD_CLASS, 0, 0);
	put_serial(w, HP_AGENT_FIRST_CLASS, n);
	put_id(w, MARK_CLASS, n);
	put_serial(w, HP_AGENT_FIRST_TRACE, 0);
	put_string_id(w, c->name);
}

static void
put_frame(struct hp_agent_writer *w, uint32_t n)
{
	const struct hp_agent_frame *f = hp_chunks_at(&w->a->tables.frames, n);

	put_head(w, HP_REC_STACK_FRAME, 0, 0);
	put_id(w, MARK_FRAME, n);
	put_string_id(w, f->method);
	put_string_id(w, f->signature);
	put_string_id(w, f->source);
	put_serial(w, HP_AGENT_FIRST_CLASS, f->class);
	hp_append_uint(&w->out, (uint32_t)f->line, 4);
}

static void
put_event(struct hp_agent_writer *w, const struct hp_agent_event *e)
{
	put_head(w, e->end ? HP_REC_END_THREAD : HP_REC_START_THREAD, 0, 0);
	put_serial(w, HP_AGENT_FIRST_THREAD, e->serial);
	if (e->end)
		return;
	put_id(w, MARK_OBJECT, e->serial);
	put_serial(w, HP_AGENT_FIRST_TRACE, 0);
	put_string_id(w, e->name);
	put_string_id(w, e->group);
	put_string_id(w, e->parent);
}

/*
 * Write the next table entry that was not written yet. @end has the number of
 * entries to write of each table. Returns false if all of these are written.
 */
static bool
put_next(struct hp_agent_writer *w, const struct hp_agent_writer *end)
{
	const struct hp_agent_tables *t = &w->a->tables;

	if (w->strings < end->strings) {
		const struct hp_agent_string *s =
			hp_chunks_at(&t->strings, ++w->strings);

		put_string(w, w->strings, s->text, s->length);
	} else if (w->classes < end->classes) {
		put_class(w, ++w->classes);
	} else if (w->frames < end->frames) {
		put_frame(w, ++w->frames);
	} else if (w->traces < end->traces) {
		const struct hp_agent_trace *r =
			hp_chunks_at(&t->traces, ++w->traces);

		put_trace(w, w->traces, r->count, r->thread, r->frames);
	} else if (w->events < end->events) {
		put_event(w, hp_chunks_at(&w->a->events, ++w->events));
	} else {
		return false;
	}
	return true;
}

/*
 * Write the new entries of all tables. In a heap dump of the JVM, START THREAD
 * records are left out, because the ids of the thread objects are not known.
 */
static enum hp_status
tables(struct hp_agent_writer *w, struct hp_error *err)
{
	const struct hp_agent_tables *t = &w->a->tables;
	struct hp_agent_writer end = {0};
	enum hp_status st = HP_OK;

	/*
	 * Entries of some tables refer to entries of other tables: events to
	 * strings, traces to frames, and so on. Read the length of a table
	 * before the lengths of the tables to which it refers. So those tables
	 * contain all entries that are needed.
	 */
	end.events = w->within ? 0 : hp_chunks_last(&w->a->events);
	end.traces = hp_chunks_last(&t->traces);
	end.frames = hp_chunks_last(&t->frames);
	end.classes = hp_chunks_last(&t->classes);
	end.strings = hp_chunks_last(&t->strings);
	while (st == HP_OK && put_next(w, &end))
		st = hp_agent_writer_flush(w, 1 << 20, err);
	return st;
}

static void
put_totals(struct hp_agent_writer *w, const struct hp_agent_values *v)
{
	hp_append_most(&w->out, v->live_bytes);
	hp_append_most(&w->out, v->live_count);
	hp_append_uint(&w->out, v->all_bytes, 8);
	hp_append_uint(&w->out, v->all_count, 8);
}

static void
put_site(struct hp_agent_writer *w, const struct hp_agent_site_row *row)
{
	const struct hp_agent_class *c =
		hp_chunks_at(&w->a->tables.classes, row->class);

	for (size_t i = 0; i < hp_agent_row_pieces(&row->v); i++) {
		struct hp_agent_values v = hp_agent_row_piece(&row->v, i);

		hp_append_uint(&w->out, c->array_kind, 1);
		put_serial(w, HP_AGENT_FIRST_CLASS, row->class);
		put_serial(w, HP_AGENT_FIRST_TRACE, row->trace);
		hp_append_uint(&w->out, v.live_bytes, 4);
		hp_append_uint(&w->out, v.live_count, 4);
		hp_append_uint(&w->out, v.all_bytes, 4);
		hp_append_uint(&w->out, v.all_count, 4);
	}
}

static void
put_sites(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	const unsigned row = 1 + 6 * 4;
	const float cutoff = (float)r->cutoff;
	uint32_t bits;
	size_t n = 0;

	memcpy(&bits, &cutoff, sizeof(bits));
	for (size_t i = 0; i < r->nsites; i++)
		n += hp_agent_row_pieces(&r->sites[i].v);
	put_head(w, HP_REC_ALLOC_SITES, r->time_us, (uint64_t)n * row);
	hp_append_uint(&w->out, r->flags, 2);
	hp_append_uint(&w->out, bits, 4);
	put_totals(w, &r->total);
	hp_append_uint(&w->out, n, 4);
	for (size_t i = 0; i < r->nsites; i++)
		put_site(w, &r->sites[i]);
}

static void
put_samples(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	put_head(w, HP_REC_CPU_SAMPLES, r->time_us, (uint64_t)r->nsamples * 8);
	hp_append_most(&w->out, r->total_samples);
	hp_append_uint(&w->out, r->nsamples, 4);
	for (size_t i = 0; i < r->nsamples; i++) {
		hp_append_most(&w->out, r->samples[i].count);
		put_serial(w, HP_AGENT_FIRST_TRACE, r->samples[i].trace);
	}
}

/*
 * Write a line of text as a STRING record, because HPROF has no records for
 * monitors. hprof-convert and hprof-diff find such lines in STRING records.
 */
static void
put_carried(struct hp_agent_writer *w, const struct hp_buf *text)
{
	const size_t head = strlen(HP_TEXT_CARRIED);

	put_head(w, HP_REC_STRING, 0, head + text->len);
	put_id(w, MARK_STRING, SETTINGS - ++w->carried);
	hp_buf_text(&w->out, HP_TEXT_CARRIED);
	hp_buf_add(&w->out, text->data, text->len);
}

/*
 * Write the calls of methods: lines of text with the number of calls, and a CPU
 * SAMPLES record with milliseconds. hprof-convert writes the same when it reads
 * the text of cpu=times.
 */
static void
put_times(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	uint64_t total = 0;

	hp_agent_times_lines(&hp_agent_binary, w, r);
	for (size_t i = 0; i < r->ncalls; i++)
		total += hp_agent_ms(r->calls[i].self_ns);
	put_head(w, HP_REC_CPU_SAMPLES, r->time_us, (uint64_t)r->ncalls * 8);
	hp_append_most(&w->out, total);
	hp_append_uint(&w->out, r->ncalls, 4);
	for (size_t i = 0; i < r->ncalls; i++) {
		hp_append_most(&w->out, hp_agent_ms(r->calls[i].self_ns));
		put_serial(w, HP_AGENT_FIRST_TRACE, r->calls[i].trace);
	}
}

static void
summary(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	put_head(w, HP_REC_HEAP_SUMMARY, r->time_us, 0);
	put_totals(w, &r->total);
}

const struct hp_agent_format hp_agent_binary = {
	header,	     tables,	put_carried, put_sites,
	put_samples, put_times, summary};
