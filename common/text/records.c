/*
 * records.c - translate the agent's text to binary records, line by line, and
 * report lines that are wrong
 */
#include "common/text/text.h"

#include "common/base/memory.h"
#include "common/text/internal.h"

#include <string.h>

enum {
	AGENT_LINE = HP_TEXT_LINE_CUT,
	/*
	 * The memory limit is checked after each LINES_APART lines, and after
	 * each BYTES_APART bytes of text.
	 */
	LINES_APART = 1 << 12,
	BYTES_APART = 1 << 20,
	/*
	 * The maximum number of bytes of records that wait because the ids of
	 * their classes are not known yet.
	 */
	WAITING_MOST = 64 << 20,
};

/* ---- the prologue ---- */

/*
 * Write the header of the dump, and the record with which dumps of the agent
 * always begin.
 */
static bool
put_header(struct hp_text_records *r)
{
	static const char text[] = "JAVA PROFILE 1.0.2";
	struct hp_buf b = {0};
	bool fine;

	hp_buf_add(&b, text, sizeof(text));
	hp_append_uint(&b, r->model.id_size, 4);
	hp_append_uint(&b, r->start_ms, 8);
	hp_append_record_head(&b, HP_REC_CONTROL_SETTINGS, 0, 6);
	hp_append_uint(&b, 0, 6);
	if (r->settings.len) {
		hp_append_record_head(&b, HP_REC_STRING, 0,
				      r->model.id_size + r->settings.len);
		hp_text_put_id(r, &b, HP_TEXT_CARRIED_IDS + ++r->carried);
		hp_buf_add(&b, r->settings.data, r->settings.len);
	}
	fine = hp_buf_ok(&b);
	hp_text_out(r, b.data, b.len);
	hp_buf_release(&b);
	r->begun = true;
	return fine;
}

static bool
line_has(const struct hp_text_line *l, const char *text)
{
	return memmem(l->text, l->length, text, strlen(text)) != NULL;
}

/*
 * Parse "Identifiers have 8 bytes, references 4, headers 12.", a line that only
 * hprof-convert and libhprof-agent write.
 */
static void
take_model(struct hp_text_records *r)
{
	unsigned id, reference, header;
	char text[80] = {0};

	memcpy(text, r->line.text,
	       r->line.length < sizeof(text) ? r->line.length
					     : sizeof(text) - 1);
	if (sscanf(text, "Identifiers have %u bytes, references %u, headers %u",
		   &id, &reference, &header) == 3 &&
	    (id == 4 || id == 8) && (reference == 4 || reference == 8) &&
	    header <= 256)
		r->model = (struct hp_text_model){id, reference, header};
}

static bool
prologue_line(struct hp_text_records *r)
{
	static const char created[] = ", created ";
	const struct hp_text_line *l = &r->line;
	struct hp_text_item none = {.kind = HP_TEXT_OLD_BEGIN};
	const char *p;

	if (l->number == 1) {
		p = memmem(l->text, l->length, created, strlen(created));
		if (p) {
			p += strlen(created);
			r->start_ms = hp_text_time_ms(
				p, (size_t)(l->text + l->length - p));
			return true;
		}
		/*
		 * a text that was written with the option cpu=old of the agent
		 * has no prologue, but begins with the report
		 */
		return put_header(r) && hp_text_report_begin(r, &none);
	}
	if (l->number <= 8 && (line_has(l, "Written by hprof-convert") ||
			       line_has(l, "Written by libhprof-agent")))
		r->ours = true;
	if (r->ours && l->length > strlen(HP_TEXT_SETTINGS) &&
	    memcmp(l->text, HP_TEXT_SETTINGS, strlen(HP_TEXT_SETTINGS)) == 0 &&
	    r->settings.len == 0)
		hp_buf_add(&r->settings, l->text, l->length);
	if (r->ours)
		take_model(r);
	return l->length != 8 || memcmp(l->text, "--------", 8) != 0 ||
	       put_header(r);
}

/* ---- threads and traces ---- */

static bool
thread_line(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_buf *b = &r->waiting;
	bool start = i->kind == HP_TEXT_THREAD_START;
	uint32_t name = 0, group = 0;
	unsigned id = r->model.id_size;

	if (start && (!(name = hp_text_name(r, i->name)) ||
		      !(group = hp_text_name(r, i->method))))
		return false;
	hp_append_record_head(b,
			      start ? HP_REC_START_THREAD : HP_REC_END_THREAD,
			      0, start ? 8 + 4 * id : 4);
	hp_append_uint(b, i->serial, 4);
	if (!start)
		return true;
	hp_text_put_id(r, b, hp_text_narrow(r, i->id));
	hp_append_uint(b, 0, 4);
	hp_text_put_id(r, b, hp_text_string_id(name));
	hp_text_put_id(r, b, hp_text_string_id(group));
	hp_text_put_id(r, b, 0);
	return true;
}

static bool
end_trace(struct hp_text_records *r)
{
	const uint32_t *frames = r->stack.items;
	struct hp_buf *b = &r->waiting;

	if (!r->in_trace)
		return true;
	r->in_trace = false;
	r->within = HP_WITHIN_NOTHING;
	if (!hp_text_mark(r, &r->marks, b, r->trace_spot))
		return false;
	hp_append_record_head(b, HP_REC_STACK_TRACE, 0,
			      12 + (uint64_t)r->stack.count * r->model.id_size);
	hp_append_uint(b, r->trace, 4);
	hp_append_uint(b, r->trace_thread, 4);
	hp_append_uint(b, r->stack.count, 4);
	for (size_t i = 0; i < r->stack.count; i++)
		hp_text_put_id(r, b, hp_text_frame_id(frames[i]));
	r->stack.count = 0;
	return hp_buf_ok(b);
}

static bool
begin_trace(struct hp_text_records *r, const struct hp_text_item *i)
{
	r->in_trace = true;
	r->within = HP_WITHIN_TRACE;
	r->trace = i->trace;
	r->trace_thread = i->serial;
	r->trace_spot = hp_text_here(r);
	return hp_text_print_trace(r, i->trace);
}

static bool
frame_line(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_frame_key key = {.line = i->line};
	uint32_t *frame = hp_vec_add(&r->stack, sizeof(*frame));
	bool unknown = hp_slice_is(i->source, "<Unknown Source>");

	key.class = hp_text_class_named(r, i->name);
	key.method = hp_text_name(r, i->method);
	key.signature = hp_text_own_name(r, "", 0);
	if (!unknown)
		key.source = hp_text_name(r, i->source);
	if (!frame || !key.class || !key.method || !key.signature ||
	    (!unknown && !key.source))
		return false;
	*frame = hp_text_frame(r, &key);
	return *frame != 0;
}

/* ---- memory ---- */

static uint64_t
names_memory(const struct hp_text_records *r)
{
	return hp_intern_bytes(&r->texts) + hp_text_shapes_bytes(&r->shapes) +
	       r->strings.cap + r->waiting.cap + r->out.cap +
	       hp_id_map_bytes(&r->traces) + hp_intern_bytes(&r->frames) +
	       hp_id_map_bytes(&r->by_id) +
	       r->classes.cap * sizeof(struct hp_text_class) +
	       r->uses.cap * sizeof(struct hp_text_use) +
	       r->cls.cap * sizeof(struct hp_text_cls) +
	       r->links.cap * sizeof(struct hp_text_member) +
	       (r->shown.cap + r->listed.cap) * sizeof(uint32_t) +
	       r->report.rows.cap * sizeof(struct hp_text_row) + r->object.cap +
	       r->segment.cap + r->defs.cap;
}

/*
 * Check whether the memory in use plus @more bytes would exceed the limit.
 * Returns HP_OK or HP_LIMIT.
 */
static enum hp_status
check_memory(const struct hp_text_records *r, uint64_t more,
	     struct hp_error *err)
{
	if (r->options.memory && names_memory(r) + more > r->options.memory)
		return hp_fail(err, HP_LIMIT,
			       "names, classes and traces of the text do not "
			       "fit in --memory; allow more");
	return HP_OK;
}

/* ---- lines ---- */

static bool
in_report(const struct hp_text_records *r)
{
	return r->within >= HP_WITHIN_SITES;
}

/*
 * Check the memory limit before waiting records are copied to the output. They
 * need twice the memory until the caller has read the output.
 */
static enum hp_status
check_waiting(const struct hp_text_records *r, struct hp_error *err)
{
	return check_memory(r, r->strings.len + r->waiting.len, err);
}

/*
 * End the report that is being read. @whole: the END line of the report was
 * read. If not, the function reports a problem.
 */
static enum hp_status
close_report(struct hp_text_records *r, bool whole, struct hp_error *err)
{
	enum hp_status st;

	if (!r->in_heap && !in_report(r))
		return HP_OK;
	st = check_waiting(r, err);
	if (st != HP_OK)
		return st;
	if (r->in_heap) {
		if (!whole)
			hp_text_tell(r, HP_TEXT_ODD_END, &r->heap_spot,
				     HP_WITHIN_HEAP, 0);
		r->within = HP_WITHIN_NOTHING;
		st = hp_text_heap_end(r, whole, err);
	} else if (!hp_text_report_end(r, whole)) {
		return hp_no_memory(err);
	}
	return st == HP_OK ? check_memory(r, 0, err) : st;
}

static bool
is_heap_line(enum hp_text_kind kind)
{
	return kind >= HP_TEXT_ROOT && kind <= HP_TEXT_CONSTANT;
}

static bool
is_row(enum hp_text_kind kind)
{
	return kind == HP_TEXT_SITE || kind == HP_TEXT_ROW ||
	       kind == HP_TEXT_OLD_ROW || kind == HP_TEXT_HEADING ||
	       kind == HP_TEXT_MONITOR_LINE;
}

/*
 * Whether a line of this kind is the END line of the report that is being read.
 */
static bool
is_end(const struct hp_text_records *r, enum hp_text_kind kind)
{
	static const enum hp_text_kind ends[] = {
		[HP_WITHIN_SITES] = HP_TEXT_SITES_END,
		[HP_WITHIN_SAMPLES] = HP_TEXT_SAMPLES_END,
		[HP_WITHIN_TIMES] = HP_TEXT_TIMES_END,
		[HP_WITHIN_MONITORS] = HP_TEXT_MONITORS_END,
		[HP_WITHIN_MONITOR_DUMP] = HP_TEXT_MONITOR_DUMP_END,
		[HP_WITHIN_OLD] = HP_TEXT_OTHER};

	if (r->in_heap)
		return kind == HP_TEXT_HEAP_END;
	return in_report(r) && kind == ends[r->within] && kind != HP_TEXT_OTHER;
}

static enum hp_status
free_line(struct hp_text_records *r, const struct hp_text_item *i,
	  struct hp_error *err)
{
	const struct hp_text_spot here = hp_text_here(r);
	bool fine = true;

	switch (i->kind) {
	case HP_TEXT_BLANK:
		break;
	case HP_TEXT_TRACE:
		fine = begin_trace(r, i);
		break;
	case HP_TEXT_HEAP_BEGIN:
		r->within = HP_WITHIN_HEAP;
		hp_text_heap_begin(r, i);
		break;
	case HP_TEXT_SITES_BEGIN:
	case HP_TEXT_SAMPLES_BEGIN:
	case HP_TEXT_TIMES_BEGIN:
	case HP_TEXT_MONITORS_BEGIN:
	case HP_TEXT_MONITOR_DUMP_BEGIN:
	case HP_TEXT_OLD_BEGIN:
		fine = hp_text_report_begin(r, i);
		break;
	default:
		hp_text_tell(r, HP_TEXT_ODD_LINE, &here, 0, 0);
	}
	return fine ? HP_OK : hp_no_memory(err);
}

static enum hp_status
known_line(struct hp_text_records *r, const struct hp_text_item *i,
	   struct hp_error *err)
{
	enum hp_status st;

	if (r->in_heap && is_heap_line(i->kind))
		return hp_text_heap_line(r, i, err);
	if (in_report(r) && is_row(i->kind))
		return hp_text_report_row(r, i) ? HP_OK : hp_no_memory(err);
	if (i->kind == HP_TEXT_FRAME)
		return frame_line(r, i) ? HP_OK : hp_no_memory(err);
	if (i->kind == HP_TEXT_NO_FRAME)
		return HP_OK;
	if (!end_trace(r))
		return hp_no_memory(err);
	/*
	 * the agent prints this line when the event happens, even in the middle
	 * of a report
	 */
	if (i->kind == HP_TEXT_MONITOR_EVENT)
		return hp_text_carry(r) ? HP_OK : hp_no_memory(err);
	if (i->kind == HP_TEXT_THREAD_START || i->kind == HP_TEXT_THREAD_END)
		return thread_line(r, i) ? HP_OK : hp_no_memory(err);
	if (is_end(r, i->kind))
		return close_report(r, true, err);
	st = close_report(r, false, err);
	return st == HP_OK ? free_line(r, i, err) : st;
}

/*
 * Divide a line that the agent has truncated. The agent prints each line
 * through a buffer of 1,024 bytes. A line that is longer loses its end and its
 * newline, so the text of the next line follows directly. A row of CPU samples
 * or times is printed with two calls, and only the second call, which prints
 * the name of the method, uses the buffer.
 */
static void
split_line(struct hp_text_records *r)
{
	const struct hp_text_spot here = hp_text_here(r);
	size_t keep = AGENT_LINE, left = r->line.length;
	const char *p = r->line.text;

	if (r->ours || left < AGENT_LINE || r->within == HP_WITHIN_OLD ||
	    r->within == HP_WITHIN_MONITOR_DUMP)
		return;
	if (r->within == HP_WITHIN_SAMPLES || r->within == HP_WITHIN_TIMES) {
		for (unsigned n = 0; n < 5 && left > 0; n++) {
			for (; left > 0 && *p == ' '; left--)
				p++;
			for (; left > 0 && *p != ' '; left--)
				p++;
		}
		keep += (size_t)(p - r->line.text);
	}
	if (r->line.length <= keep && r->line.ended)
		return;
	if (r->line.length > keep)
		hp_text_lines_split(&r->lines, &r->line, keep);
	hp_text_tell(r, HP_TEXT_ODD_CUT, &here, 0, 0);
}

/*
 * Whether the line begins with a tab, so that it belongs to an object, array or
 * class.
 */
static bool
is_indented(const struct hp_text_line *line)
{
	return line->length > 0 && line->text[0] == '\t';
}

/*
 * Whether this line of a heap dump is the last one of the text and has no
 * newline. The last number in the line may have lost digits, so the line is
 * ignored. finish() reports the problem.
 */
static bool
is_unfinished(const struct hp_text_records *r, const struct hp_text_item *i)
{
	return r->in_heap && is_heap_line(i->kind) && !r->line.ended &&
	       !r->line.longer && (r->ours || r->line.length < AGENT_LINE);
}

static enum hp_status
take_line(struct hp_text_records *r, struct hp_error *err)
{
	struct hp_text_spot here;
	struct hp_text_item item;

	if (!r->line.longer)
		split_line(r);
	here = hp_text_here(r);
	if (r->line.longer)
		hp_text_tell(r, HP_TEXT_ODD_LONG, &here, 0, 0);
	hp_text_parse(r->line.text, r->line.length, r->within, &item);
	if (is_unfinished(r, &item))
		return HP_OK;
	if (item.kind != HP_TEXT_OTHER)
		return known_line(r, &item, err);
	/*
	 * A line without a tab ends the current object, even if the line cannot
	 * be parsed.
	 */
	if (r->in_heap && !is_indented(&r->line))
		r->within = HP_WITHIN_HEAP;
	/*
	 * Report the line. finish() reports the last line if it has no newline.
	 */
	if (!r->line.longer && (r->line.ended || !r->begun))
		hp_text_tell(r, HP_TEXT_ODD_LINE, &here,
			     r->in_heap || in_report(r) || r->in_trace, 0);
	return HP_OK;
}

static enum hp_status
finish(struct hp_text_records *r, struct hp_error *err)
{
	const struct hp_text_spot last = hp_text_here(r);
	enum hp_status st = HP_OK;

	r->ended = true;
	if (!r->begun) {
		hp_text_tell(r, HP_TEXT_ODD_PROLOGUE, &last, 0, 0);
		if (!put_header(r))
			return hp_no_memory(err);
	} else if (!r->line.ended && !r->line.longer) {
		hp_text_tell(r, HP_TEXT_ODD_LAST, &last, 0, 0);
	}
	if (!end_trace(r))
		return hp_no_memory(err);
	st = close_report(r, false, err);
	if (st == HP_OK)
		st = check_waiting(r, err);
	hp_text_check_traces(r);
	if (st == HP_OK && !r->draining && !hp_text_flush(r))
		return hp_no_memory(err);
	return st;
}

/*
 * Check the memory limit from time to time. If too many records wait for the
 * ids of their classes, write these records now, with made-up ids for the
 * classes.
 */
static enum hp_status
look_after_line(struct hp_text_records *r, struct hp_error *err)
{
	uint64_t most = WAITING_MOST;
	enum hp_status st;

	if (r->lines.number % LINES_APART &&
	    r->line.offset / BYTES_APART == r->lines.offset / BYTES_APART)
		return HP_OK;
	st = check_memory(r, 0, err);
	if (st != HP_OK)
		return st;
	if (r->options.memory && r->options.memory / 16 < most)
		most = r->options.memory / 16;
	if (!r->in_heap && r->strings.len + r->waiting.len > most &&
	    !hp_text_flush(r))
		return hp_no_memory(err);
	return HP_OK;
}

/*
 * Process the next line, or the next run (consecutive lines of objects that
 * were packed).
 */
static enum hp_status
next_lines(struct hp_text_records *r, struct hp_error *err)
{
	const struct hp_text_run *run = NULL;
	bool taken = false;
	enum hp_status st = HP_OK;

	if (r->in_heap)
		st = hp_text_lines_run(&r->lines, &run, err);
	if (st == HP_OK && run)
		st = hp_text_take_run(r, run, &taken, err);
	if (st == HP_OK && taken)
		return check_memory(r, 0, err);
	if (st == HP_OK)
		st = hp_text_lines_next(&r->lines, &r->line, err);
	if (st == HP_EOF)
		return finish(r, err);
	if (st == HP_OK)
		st = look_after_line(r, err);
	if (st != HP_OK)
		return st;
	if (r->begun)
		return take_line(r, err);
	return prologue_line(r) ? HP_OK : hp_no_memory(err);
}

/*
 * Produce more bytes of the binary dump. Sets r->finished after the last byte.
 */
static enum hp_status
produce(struct hp_text_records *r, struct hp_error *err)
{
	if (r->draining)
		return hp_text_drain(r, err);
	if (r->ended) {
		r->finished = true;
		return HP_OK;
	}
	return next_lines(r, err);
}

enum hp_status
hp_text_records_next(struct hp_text_records *r, void *buf, size_t n,
		     size_t *got, struct hp_error *err)
{
	uint8_t *to = buf;
	enum hp_status st = HP_OK;
	size_t part;

	*got = 0;
	while (*got < n && st == HP_OK && !r->finished) {
		size_t left = n - *got;

		if (r->out_at < r->out.len) {
			part = r->out.len - r->out_at;
			part = part < left ? part : left;
			if (to)
				memcpy(to + *got, r->out.data + r->out_at,
				       part);
			r->out_at += part;
		} else if (r->zeros > 0) {
			part = r->zeros < left ? (size_t)r->zeros : left;
			if (to)
				memset(to + *got, 0, part);
			r->zeros -= part;
		} else {
			hp_buf_clear(&r->out);
			r->out_at = part = 0;
			st = produce(r, err);
			if (st == HP_OK && !hp_buf_ok(&r->out))
				st = hp_no_memory(err);
		}
		*got += part;
	}
	return st;
}

/* ---- open and close ---- */

enum hp_status
hp_text_records_open(struct hp_text_records **out, hp_text_read *read,
		     void *read_ctx, const struct hp_text_reading *options,
		     struct hp_error *err)
{
	struct hp_text_records *r = hp_calloc(1, sizeof(*r));
	struct hp_text_blocks_options blocks = {.read = read, .ctx = read_ctx};
	enum hp_status st;

	*out = NULL;
	if (!r)
		return hp_no_memory(err);
	if (options)
		r->options = *options;
	r->model = (struct hp_text_model){4, 4, 8};
	blocks.threads = r->options.threads;
	blocks.by_line = r->options.by_line;
	blocks.memory = r->options.memory;
	blocks.places = r->options.place != NULL;
	st = hp_text_lines_init(&r->lines, &blocks, err);
	if (st == HP_OK)
		st = hp_text_shapes_init(&r->shapes, err);
	if (st != HP_OK) {
		hp_text_records_close(r);
		return st;
	}
	*out = r;
	return HP_OK;
}

void
hp_text_records_close(struct hp_text_records *r)
{
	if (!r)
		return;
	hp_text_names_release(r);
	hp_text_lines_release(&r->lines);
	hp_text_spool_release(&r->spool);
	hp_buf_release(&r->settings);
	hp_buf_release(&r->segment);
	hp_buf_release(&r->object);
	hp_buf_release(&r->out);
	hp_free(r->stack.items);
	hp_free(r->report.rows.items);
	hp_free(r->cls.items);
	hp_free(r->links.items);
	hp_free(r->shown.items);
	hp_free(r->listed.items);
	hp_free(r->run_defs.items);
	hp_free(r->run_slots.items);
	hp_buf_release(&r->defs);
	hp_free(r);
}

uint64_t
hp_text_records_bytes(const struct hp_text_records *r)
{
	return r->lines.offset;
}

uint64_t
hp_text_records_lines(const struct hp_text_records *r)
{
	return r->lines.number;
}

uint64_t
hp_text_records_memory(const struct hp_text_records *r)
{
	return names_memory(r) + hp_text_blocks_memory(r->lines.blocks);
}

bool
hp_text_begins(const void *head, size_t n)
{
	static const char magic[] = "JAVA PROFILE 1.0";
	static const char old[] = "count callee caller ";
	const char *p = head;

	if (n < HP_TEXT_MAGIC)
		return false;
	if (memcmp(p, old, strlen(old)) == 0)
		return true;
	/*
	 * After the version, a binary dump has a NUL, and a text has a comma.
	 */
	return memcmp(p, magic, strlen(magic)) == 0 &&
	       (p[16] == ',' || (p[16] == '.' && p[18] == ','));
}
