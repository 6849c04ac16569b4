/*
 * carried.c - read reports for which HPROF has no record
 *
 * The text format of the HPROF agent has CPU and monitor reports that the
 * binary format cannot express. When a text is read, the lines of these reports
 * become STRING records. This file finds the last report of a kind among these
 * lines, and parses its rows.
 */
#include "diff/count/carried.h"

#include "common/cli/quantity.h"
#include "common/text/lines/parse.h"
#include "common/text/text.h"
#include "diff/keys/keys.h"
#include "diff/result/result.h"

#include <string.h>

/* A report, whose lines are consecutive strings of the dump. */
struct report {
	const struct hp_string *strings;
	/*
	 * at: index of the string with the next line of the report; end: index
	 * of the string after its last line
	 */
	size_t at, end;
	enum hp_text_within within;
	uint64_t total; /* total time of the report in milliseconds */
};

/*
 * If the string at index @at is a line of the report, store the line in *@text.
 * Returns false if the string is not from a report.
 */
static bool
line_at(const struct report *r, size_t at, const char **text, size_t *length)
{
	const size_t head = strlen(HP_TEXT_CARRIED);
	const struct hp_string *s = &r->strings[at];

	if (!hp_text_is_carried(s->data, s->length))
		return false;
	*text = (const char *)s->data + head;
	*length = s->length - head;
	return true;
}

/*
 * Find the last report of the kind @kind among the first @strings strings of
 * the dump. Returns false if they contain no such report.
 */
static bool
find_report(const struct hp_histogram *g, size_t strings,
	    enum hp_text_kind kind, struct report *r)
{
	struct hp_text_item item;
	const char *text;
	size_t length;
	bool found = false;

	*r = (struct report){.strings = g->tables.string_list.items,
			     .end = strings};
	for (size_t i = 0; i < r->end; i++) {
		if (!line_at(r, i, &text, &length) ||
		    hp_text_parse(text, length, HP_WITHIN_NOTHING, &item) !=
			    kind)
			continue;
		found = true;
		r->at = i + 1;
		r->total = item.size;
	}
	return found;
}

static bool
next_row(struct report *r, struct hp_text_item *item)
{
	const char *text;
	size_t length;

	while (r->at < r->end) {
		if (!line_at(r, r->at++, &text, &length))
			continue;
		switch (hp_text_parse(text, length, r->within, item)) {
		case HP_TEXT_ROW:
		case HP_TEXT_OLD_ROW:
			return true;
		case HP_TEXT_TIMES_END:
		case HP_TEXT_MONITORS_END:
			return false;
		default:
			break;
		}
	}
	return false;
}

/*
 * Find the last report that the agent wrote because of its option cpu=times or
 * cpu=old.
 */
static bool
find_times(const struct hp_histogram *g, struct report *r)
{
	bool found = find_report(g, g->strings_until, HP_TEXT_TIMES_BEGIN, r);

	r->within = HP_WITHIN_TIMES;
	if (found)
		return true;
	found = find_report(g, g->strings_until, HP_TEXT_OLD_BEGIN, r);
	r->within = HP_WITHIN_OLD;
	return found;
}

bool
hp_carried_times(const struct hp_histogram *g)
{
	struct report r;

	return find_times(g, &r);
}

enum hp_status
hp_carried_calls(const struct hp_column *c, struct hp_keys *k,
		 struct hp_row *(*row_of)(struct hp_keys *k,
					  struct hp_rows *rows, uint32_t trace),
		 struct hp_error *err)
{
	struct hp_text_item item;
	struct report r;
	struct hp_row *row;
	uint32_t n = 0;
	enum hp_status st = HP_OK;

	if (!find_times(k->g, &r))
		return HP_OK;
	while (st == HP_OK && next_row(&r, &item)) {
		/*
		 * a report of cpu=old contains no serial numbers of traces: row
		 * n of the report belongs to the stack trace with the serial
		 * number n
		 */
		row = row_of(k, c->rows,
			     r.within == HP_WITHIN_OLD ? ++n : item.trace);
		if (!row)
			return hp_no_memory(err);
		hp_sum_add(&row->calls[c->index], item.count);
	}
	return st;
}

static bool
find_monitors(const struct hp_histogram *g, struct report *r)
{
	bool found = find_report(g, g->tables.string_list.count,
				 HP_TEXT_MONITORS_BEGIN, r);

	r->within = HP_WITHIN_MONITORS;
	return found;
}

bool
hp_carried_has_monitors(const struct hp_histogram *g)
{
	struct report r;

	return find_monitors(g, &r);
}

/*
 * Returns the class name at the start of the text for a monitor:
 * "java.lang.Object" in "java.lang.Object (Java)".
 */
static struct hp_string
monitor_class(struct hp_slice w)
{
	static const char java[] = " (Java)";
	const size_t n = strlen(java);

	if (w.length > n && memcmp(w.text + w.length - n, java, n) == 0)
		w.length -= n;
	return (struct hp_string){.data = (const uint8_t *)w.text,
				  .length = (uint32_t)w.length};
}

enum hp_status
hp_carried_monitors(const struct hp_column *c, struct hp_keys *k, bool *any,
		    struct hp_error *err)
{
	struct hp_text_item item;
	struct report r;
	enum hp_status st = HP_OK;

	*any = find_monitors(k->g, &r);
	while (st == HP_OK && *any && next_row(&r, &item)) {
		const struct hp_string raw = monitor_class(item.name);
		const struct hp_name *name = hp_key_raw(k, &raw, 0);
		uint64_t time = hp_text_share(item.self, r.total);
		struct hp_row *row;
		bool traces = false;

		row = name ? hp_stack_row(k, c->rows, name, item.trace, &traces)
			   : NULL;
		if (!row)
			return hp_no_memory(err);
		hp_sum_add(&row->waits[c->index], item.count);
		hp_sum_add(&row->ms[c->index], time);
	}
	return st;
}
