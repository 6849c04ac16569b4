/*
 * write_text.c - write reports in the text format of the JDK's old HPROF agent
 */
#include "agent/report/write.h"

#include "common/cli/escape.h"
#include "common/text/text.h"

#include <string.h>

/*
 * Write the header of the text. The agent's settings are in the prologue, which
 * readers of the format ignore.
 */
static void
header(struct hp_agent_writer *w)
{
	hp_buf_text(&w->out, "JAVA PROFILE 1.0.1, created ");
	hp_print_time(&w->out, w->a->start_ms);
	hp_buf_text(&w->out,
		    "\nWritten by libhprof-agent. Times are UTC. Names "
		    "are escaped.\n");
	hp_agent_put_settings(&w->out, w->a);
	hp_buf_text(&w->out, "\n\n--------\n\nTRACE 300000:\n\t<empty>\n");
}

static void
put_string(struct hp_agent_writer *w, uint32_t n, const char *missing)
{
	const struct hp_agent_string *s;

	if (!n) {
		hp_buf_text(&w->out, missing);
		return;
	}
	s = hp_chunks_at(&w->a->tables.strings, n);
	hp_text_clean(&w->out, s->text, s->length);
}

static void
put_class(struct hp_agent_writer *w, uint32_t n)
{
	const struct hp_agent_class *c = hp_chunks_at(&w->a->tables.classes, n);

	put_string(w, c->name, "Unknown_class");
}

static void
put_event(struct hp_agent_writer *w, const struct hp_agent_event *e)
{
	const unsigned serial = HP_AGENT_FIRST_THREAD + e->serial;

	if (e->end) {
		hp_buf_printf(&w->out, "THREAD END (id = %u)\n", serial);
		return;
	}
	hp_buf_printf(&w->out, "THREAD START (obj=%x, id = %u, name=\"",
		      0x50000000 | (unsigned)e->serial, serial);
	put_string(w, e->name, "");
	hp_buf_text(&w->out, "\", group=\"");
	put_string(w, e->group, "");
	hp_buf_text(&w->out, "\")\n");
}

static void
put_trace(struct hp_agent_writer *w, uint32_t n)
{
	const struct hp_agent_trace *t = hp_chunks_at(&w->a->tables.traces, n);

	hp_buf_printf(&w->out, "TRACE %u:", HP_AGENT_FIRST_TRACE + n);
	if (t->thread)
		hp_buf_printf(&w->out, " (thread=%u)",
			      HP_AGENT_FIRST_THREAD + t->thread);
	hp_buf_byte(&w->out, '\n');
	for (uint32_t i = 0; i < t->count; i++) {
		const struct hp_agent_frame *f =
			hp_chunks_at(&w->a->tables.frames, t->frames[i]);

		hp_buf_byte(&w->out, '\t');
		hp_agent_put_method(&w->out, w->a, t->frames[i]);
		hp_buf_byte(&w->out, '(');
		put_string(w, f->source, "<Unknown Source>");
		hp_buf_byte(&w->out, ':');
		hp_print_line_number(&w->out, f->line);
		hp_buf_text(&w->out, ")\n");
	}
}

static enum hp_status
tables(struct hp_agent_writer *w, struct hp_error *err)
{
	const uint32_t events = hp_chunks_last(&w->a->events);
	const uint32_t traces = hp_chunks_last(&w->a->tables.traces);
	enum hp_status st = HP_OK;

	for (; st == HP_OK && w->events < events;) {
		put_event(w, hp_chunks_at(&w->a->events, ++w->events));
		st = hp_agent_writer_flush(w, 1 << 20, err);
	}
	for (; st == HP_OK && w->traces < traces;) {
		put_trace(w, ++w->traces);
		st = hp_agent_writer_flush(w, 1 << 20, err);
	}
	return st;
}

static void
put_sites(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	struct hp_print_site line = {.total = r->total.live_bytes};

	hp_print_sites_begin(&w->out, r->flags & HP_AGENT_BY_ALLOCATED,
			     r->now_ms);
	for (size_t i = 0; i < r->nsites; i++) {
		const struct hp_agent_site_row *row = &r->sites[i];

		for (size_t k = 0; k < hp_agent_row_pieces(&row->v); k++) {
			struct hp_agent_values v =
				hp_agent_row_piece(&row->v, k);

			line.rank++;
			line.sum += v.live_bytes;
			line.live_bytes = v.live_bytes;
			line.live_count = v.live_count;
			line.all_bytes = v.all_bytes;
			line.all_count = v.all_count;
			line.trace = HP_AGENT_FIRST_TRACE + row->trace;
			hp_print_site(&w->out, &line);
			put_class(w, row->class);
			hp_buf_byte(&w->out, '\n');
		}
	}
	hp_buf_text(&w->out, "SITES END\n");
}

static void
put_samples(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	const struct hp_agent_tables *t = &w->a->tables;
	uint64_t sum = 0;

	hp_print_samples_begin(&w->out, r->total_samples, r->nsamples > 0,
			       r->now_ms);
	for (size_t i = 0; i < r->nsamples; i++) {
		const struct hp_agent_count_row *row = &r->samples[i];
		const struct hp_agent_trace *trace =
			hp_chunks_at(&t->traces, row->trace);

		sum += row->count;
		hp_print_row(&w->out, i + 1, row->count, sum, r->total_samples,
			     row->count, HP_AGENT_FIRST_TRACE + row->trace);
		hp_agent_put_method(&w->out, w->a, trace->frames[0]);
		hp_buf_byte(&w->out, '\n');
	}
	hp_buf_text(&w->out, "CPU SAMPLES END\n");
}

static void
put_line(struct hp_agent_writer *w, const struct hp_buf *text)
{
	hp_buf_add(&w->out, text->data, text->len);
	hp_buf_byte(&w->out, '\n');
}

/*
 * Do nothing: the text format has no heap summary, as in the JDK's old agent.
 */
static void
summary(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
}

static void
put_times(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	hp_agent_times_lines(&hp_agent_text, w, r);
}

const struct hp_agent_format hp_agent_text = {
	header, tables, put_line, put_sites, put_samples, put_times, summary};

/* ---- the layout of cpu=old, which has only the table of calls ---- */

static void
no_header(struct hp_agent_writer *w)
{
}

static enum hp_status
no_tables(struct hp_agent_writer *w, struct hp_error *err)
{
	return HP_OK;
}

/*
 * Write a method in the form of cpu=old, with its signature: "Order.add(I)V ".
 */
static void
put_old_method(struct hp_agent_writer *w, uint32_t frame)
{
	const struct hp_agent_frame *f =
		hp_chunks_at(&w->a->tables.frames, frame);

	hp_agent_put_method(&w->out, w->a, frame);
	put_string(w, f->signature, "");
	hp_buf_byte(&w->out, ' ');
}

static void
put_old_times(struct hp_agent_writer *w, const struct hp_agent_report *r)
{
	hp_buf_text(&w->out, "count callee caller time\n");
	for (size_t i = 0; i < r->ncalls; i++) {
		const struct hp_agent_call_row *row = &r->calls[i];
		const struct hp_agent_trace *t =
			hp_chunks_at(&w->a->tables.traces, row->trace);

		hp_buf_printf(&w->out, "%llu ", (unsigned long long)row->count);
		put_old_method(w, t->frames[0]);
		if (t->count > 1)
			put_old_method(w, t->frames[1]);
		else
			hp_buf_text(&w->out, "<unknown caller> ");
		hp_buf_printf(&w->out, "%llu\n",
			      (unsigned long long)hp_agent_ms(row->total_ns));
	}
}

const struct hp_agent_format hp_agent_old_text = {
	no_header,   no_tables,	    put_line, put_sites,
	put_samples, put_old_times, summary};
