/* write.c - the functions that both report formats share */
#include "agent/report/write.h"

#include "common/cli/escape.h"
#include "common/text/text.h"

#include <string.h>

enum hp_status
hp_agent_writer_flush(struct hp_agent_writer *w, size_t limit,
		      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (!hp_buf_ok(&w->out))
		return hp_no_memory(err);
	if (w->out.len > limit) {
		st = w->put(w->ctx, w->out.data, w->out.len, err);
		hp_buf_clear(&w->out);
	}
	return st;
}

void
hp_agent_put_settings(struct hp_buf *b, const struct hp_agent *a)
{
	hp_buf_text(b, HP_TEXT_SETTINGS);
	if (a->o.heap)
		hp_buf_printf(b, "sample=%llu lost=%llu ",
			      (unsigned long long)a->o.sample,
			      (unsigned long long)atomic_load(&a->sites.lost));
	if (a->o.cpu)
		hp_buf_printf(b, "interval=%u ", a->o.interval_ms);
	hp_buf_printf(b, "depth=%u vm=", atomic_load(&a->depth));
	hp_text_clean(b, a->version, strlen(a->version));
}

size_t
hp_agent_row_pieces(const struct hp_agent_values *v)
{
	const uint64_t all[] = {v->live_bytes, v->live_count, v->all_bytes,
				v->all_count};
	uint64_t most = 1;

	for (size_t i = 0; i < HP_ARRAY_LEN(all); i++) {
		uint64_t n = (all[i] + UINT32_MAX - 1) / UINT32_MAX;

		if (n > most)
			most = n;
	}
	return (size_t)most;
}

/*
 * Returns the part of the value @v that belongs into row number @piece. If @v
 * exceeds 32 bits, it is split into several rows.
 */
static uint64_t
piece_of(uint64_t v, size_t piece)
{
	uint64_t from = (uint64_t)piece * UINT32_MAX;

	if (v <= from)
		return 0;
	return v - from > UINT32_MAX ? UINT32_MAX : v - from;
}

struct hp_agent_values
hp_agent_row_piece(const struct hp_agent_values *v, size_t piece)
{
	return (struct hp_agent_values){
		piece_of(v->live_bytes, piece), piece_of(v->live_count, piece),
		piece_of(v->all_bytes, piece), piece_of(v->all_count, piece)};
}

/*
 * Write the line in @b, and empty @b. If memory ran out while the line was
 * appended to @b, writing the report fails.
 */
static void
put_line(const struct hp_agent_format *f, struct hp_agent_writer *w,
	 struct hp_buf *b)
{
	hp_buf_inherit(&w->out, b);
	f->line(w, b);
	hp_buf_clear(b);
}

static void
monitor_dump_lines(const struct hp_agent_format *f, struct hp_agent_writer *w,
		   const struct hp_agent_report *r)
{
	const char *at = r->monitor_dump.data;
	const char *end = at + r->monitor_dump.len, *feed;
	struct hp_buf b = {0};

	for (; at < end; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(end - at));
		hp_buf_add(&b, at, (size_t)(feed - at));
		put_line(f, w, &b);
	}
	hp_buf_release(&b);
}

/*
 * Append the time of the report to the heading of a table, and write the
 * heading.
 */
static void
end_heading(const struct hp_agent_format *f, struct hp_agent_writer *w,
	    struct hp_buf *b, uint64_t now_ms)
{
	hp_print_time(b, now_ms);
	if (hp_buf_ok(b))
		b->len--; /* remove the line feed that hp_print_time() appends
			   */
	put_line(f, w, b);
}

static void
put_text(struct hp_buf *b, const struct hp_agent *a, uint32_t string)
{
	const struct hp_agent_string *s =
		hp_chunks_at(&a->tables.strings, string);

	hp_text_clean(b, s->text, s->length);
}

void
hp_agent_put_method(struct hp_buf *b, const struct hp_agent *a, uint32_t frame)
{
	const struct hp_agent_frame *f = hp_chunks_at(&a->tables.frames, frame);
	const struct hp_agent_class *c =
		hp_chunks_at(&a->tables.classes, f->class);

	put_text(b, a, c->name);
	hp_buf_byte(b, '.');
	put_text(b, a, f->method);
}

void
hp_agent_times_lines(const struct hp_agent_format *f, struct hp_agent_writer *w,
		     const struct hp_agent_report *r)
{
	const struct hp_agent *a = w->a;
	struct hp_buf b = {0};
	uint64_t sum = 0;

	hp_buf_printf(&b, "CPU TIME (ms) BEGIN (total = %llu) ",
		      (unsigned long long)hp_agent_ms(r->total_ns));
	end_heading(f, w, &b, r->now_ms);
	hp_buf_text(&b, "rank   self  accum   count trace method");
	put_line(f, w, &b);
	for (size_t i = 0; i < r->ncalls; i++) {
		const struct hp_agent_call_row *row = &r->calls[i];
		const struct hp_agent_trace *t =
			hp_chunks_at(&a->tables.traces, row->trace);

		sum += row->self_ns;
		hp_print_row(
			&b, i + 1, row->self_ns, sum, r->total_ns, row->count,
			hp_agent_serial(a, HP_AGENT_FIRST_TRACE, row->trace));
		hp_agent_put_method(&b, a, t->frames[0]);
		put_line(f, w, &b);
	}
	hp_buf_text(&b, "CPU TIME (ms) END");
	put_line(f, w, &b);
	hp_buf_release(&b);
}

static void
monitor_lines(const struct hp_agent_format *f, struct hp_agent_writer *w,
	      const struct hp_agent_report *r)
{
	const struct hp_agent_tables *t = &w->a->tables;
	struct hp_buf b = {0};
	uint64_t sum = 0;

	if (r->monitor_dump.len)
		monitor_dump_lines(f, w, r);
	if (!r->total_waited)
		return;
	hp_buf_printf(&b, "MONITOR TIME BEGIN (total = %llu ms) ",
		      (unsigned long long)r->total_waited);
	end_heading(f, w, &b, r->now_ms);
	hp_buf_text(&b, "rank   self  accum   count trace monitor");
	put_line(f, w, &b);
	for (size_t i = 0; i < r->nwaits; i++) {
		const struct hp_agent_count_row *row = &r->waits[i];
		const struct hp_agent_class *c =
			hp_chunks_at(&t->classes, row->class);

		sum += row->value;
		hp_print_row(&b, i + 1, row->value, sum, r->total_waited,
			     row->count,
			     hp_agent_serial(w->a, HP_AGENT_FIRST_TRACE,
					     row->trace));
		put_text(&b, w->a, c->name);
		hp_buf_text(&b, " (Java)");
		put_line(f, w, &b);
	}
	hp_buf_text(&b, "MONITOR TIME END");
	put_line(f, w, &b);
	hp_buf_release(&b);
}

void
hp_agent_write_report(const struct hp_agent_format *f,
		      struct hp_agent_writer *w,
		      const struct hp_agent_report *r)
{
	if (r->have_monitors)
		monitor_lines(f, w, r);
	if (r->have_sites)
		f->sites(w, r);
	if (r->have_samples)
		f->samples(w, r);
	if (r->have_times)
		f->times(w, r);
}
