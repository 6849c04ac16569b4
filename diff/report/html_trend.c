/*
 * html_trend.c - write the chart "From dump to dump" of the HTML page, for
 * three and more dumps
 *
 * The lines are the suspects or, if no suspect has a size in each dump, the
 * rows that changed most. This file also writes the labels of both axes.
 */
#include "diff/report/html_figures.h"

#include <string.h>

enum {
	LINES = 6,
	/* the parts into which labels divide the axis of sizes */
	TICKS = 4
};

/* A line of the chart: a suspect or a row. */
struct line {
	const char *key; /* "suspect" or "row" */
	size_t place;	 /* its index in this member of the JSON */
	const uint64_t *values;
};

struct trend {
	const struct hp_result *r;
	bool retained; /* the values are retained sizes */
	enum hp_col column;
	struct line lines[LINES];
	size_t count;
};

static uint64_t
change(const struct trend *t, const struct line *l)
{
	return hp_difference(l->values[0], l->values[t->r->ndumps - 1]);
}

static bool
is_known(const struct hp_result *r, const struct hp_suspect *s)
{
	for (size_t i = 0; s->sizes && i < r->ndumps; i++)
		if (s->sizes[i] == UINT64_MAX)
			return false;
	return s->sizes;
}

static void
find_suspects(struct trend *t)
{
	const struct hp_result *r = t->r;

	for (size_t i = 0; i < r->nsuspects && t->count < LINES; i++)
		if (is_known(r, &r->suspects[i]))
			t->lines[t->count++] =
				(struct line){.key = "suspect",
					      .place = i,
					      .values = r->suspects[i].sizes};
	t->retained = t->count > 0;
}

/* Insert a row into the lines if it is one of those that changed most. */
static void
add_row(struct trend *t, size_t place, const uint64_t *values)
{
	struct line l = {.key = "row", .place = place, .values = values};
	size_t i = t->count;

	if (change(t, &l) == 0)
		return;
	if (t->count == LINES) {
		if (change(t, &t->lines[LINES - 1]) >= change(t, &l))
			return;
		i--;
	} else {
		t->count++;
	}
	for (; i > 0 && change(t, &t->lines[i - 1]) < change(t, &l); i--)
		t->lines[i] = t->lines[i - 1];
	t->lines[i] = l;
}

/*
 * Choose the rows that changed most. Arrays and java.lang.Class are left out,
 * because they retain little, or nearly the whole heap.
 */
static void
find_rows(struct trend *t)
{
	const struct hp_result *r = t->r;
	bool of_graph = r->rows.retained && !hp_key_is(r->by, HP_KEY_OWNERS);

	t->retained = of_graph;
	if (!of_graph && t->column == HP_COLS)
		return;
	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];
		const uint64_t *v =
			of_graph ? row->retained_bytes : row->value[t->column];
		bool array = row->key_len > 1 &&
			     strcmp(row->key + row->key_len - 2, "[]") == 0;

		if (row->rollup || !v ||
		    (of_graph &&
		     (array || strcmp(row->key, "java.lang.Class") == 0)))
			continue;
		add_row(t, i, v);
	}
}

static void
add_value(struct hp_buf *b, const struct trend *t, uint64_t v)
{
	if (t->retained)
		hp_size_text(b, v);
	else
		hp_html_value(b, t->column, v);
}

/* Write the values of the axis. If two labels are equal, write one of them. */
static void
write_ticks(struct hp_json *j, const struct trend *t)
{
	struct hp_buf b = {0}, before = {0};
	uint64_t most = 1;

	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < t->r->ndumps; k++)
			if (t->lines[i].values[k] > most)
				most = t->lines[i].values[k];
	hp_json_put_u64(j, "most", most);
	hp_json_put_array_flat(j, "ticks");
	for (uint64_t i = 0; i <= TICKS; i++) {
		uint64_t v = most / TICKS * i + most % TICKS * i / TICKS;

		add_value(&b, t, v);
		if (strcmp(hp_buf_string(&b), hp_buf_string(&before)) != 0) {
			hp_json_array_flat(j);
			hp_json_u64(j, v);
			hp_json_string(j, hp_buf_string(&b));
			hp_json_array_end(j);
		}
		hp_buf_clear(&before);
		hp_buf_text(&before, hp_buf_string(&b));
		j->buf.failed |= !hp_buf_ok(&b) || !hp_buf_ok(&before);
		hp_buf_clear(&b);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
	hp_buf_release(&before);
}

/* Whether all dumps have a time, and each is later than the one before. */
static bool
is_timed(const struct hp_result *r)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		uint64_t ms = r->dumps[i].timestamp_ms;

		if (ms == 0 || ms >= HP_TIME_END ||
		    (i > 0 && ms <= r->dumps[i - 1].timestamp_ms))
			return false;
	}
	return true;
}

/* A part of a time such as "2026-11-21 06:28:10 UTC": its bytes from..to. */
struct part {
	size_t from, to;
};

static void
add_time(struct hp_buf *b, const struct hp_result *r, size_t i,
	 const struct part *p)
{
	struct hp_buf time = {0};

	(void)hp_time_text(&time, r->dumps[i].timestamp_ms);
	if (time.len >= p->to)
		hp_buf_add(b, time.data + p->from, p->to - p->from);
	hp_buf_inherit(b, &time);
	hp_buf_release(&time);
}

/* The times increase, so two equal labels are next to each other. */
static bool
all_differ(struct hp_json *j, const struct hp_result *r, const struct part *p)
{
	struct hp_buf a = {0}, b = {0};
	bool differ = true;

	for (size_t i = 1; differ && i < r->ndumps; i++) {
		hp_buf_clear(&a);
		hp_buf_clear(&b);
		add_time(&a, r, i - 1, p);
		add_time(&b, r, i, p);
		differ = strcmp(hp_buf_string(&a), hp_buf_string(&b)) != 0;
	}
	hp_buf_inherit(&j->buf, &a);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&a);
	hp_buf_release(&b);
	return differ;
}

/*
 * Write the labels of the dumps: as much of their times as tells them apart, or
 * else their numbers.
 */
static void
write_times(struct hp_json *j, const struct hp_result *r)
{
	static const struct part parts[] = {
		{11, 16}, {11, 19}, {5, 16}, {0, 19}};
	bool timed = is_timed(r);
	bool one_day = timed && r->dumps[r->ndumps - 1].timestamp_ms -
						r->dumps[0].timestamp_ms <
					24 * UINT64_C(3600000);
	const struct part *p = NULL;
	struct hp_buf b = {0};

	/* after a day, the time of day may be the same again */
	for (size_t k = one_day ? 0 : 2; !p && timed && k < HP_ARRAY_LEN(parts);
	     k++)
		if (all_differ(j, r, &parts[k]))
			p = &parts[k];
	hp_json_put_bool(j, "timed", timed);
	hp_json_put_array_flat(j, "times");
	for (size_t i = 0; i < r->ndumps; i++) {
		if (p)
			add_time(&b, r, i, p);
		else
			hp_buf_printf(&b, "%zu", i + 1);
		hp_json_string(j, hp_buf_string(&b));
		j->buf.failed |= !hp_buf_ok(&b);
		hp_buf_clear(&b);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}

static void
write_lines(struct hp_json *j, const struct trend *t)
{
	size_t last = t->r->ndumps - 1;
	struct hp_buf b = {0};

	hp_json_put_array(j, "lines");
	for (size_t i = 0; i < t->count; i++) {
		const struct line *l = &t->lines[i];
		int64_t growth = hp_growth(l->values[0], l->values[last]);

		hp_json_object_flat(j);
		hp_json_put_u64(j, l->key, l->place);
		hp_json_put_array_flat(j, "values");
		for (size_t k = 0; k <= last; k++)
			hp_json_u64(j, l->values[k]);
		hp_json_array_end(j);
		hp_json_put_array_flat(j, "texts");
		for (size_t k = 0; k <= last; k++) {
			add_value(&b, t, l->values[k]);
			hp_html_put_figures(j, NULL, &b);
		}
		hp_json_array_end(j);
		if (growth != 0)
			hp_buf_byte(&b, growth < 0 ? '-' : '+');
		add_value(&b, t, change(t, l));
		hp_html_put_figures(j, "growth", &b);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}

void
hp_html_trend(struct hp_json *j, const struct hp_result *r)
{
	struct trend t = {.r = r, .column = hp_html_weight(r, 0)};
	struct hp_buf b = {0};

	if (r->ndumps < 3)
		return;
	find_suspects(&t);
	if (t.count == 0)
		find_rows(&t);
	if (t.count == 0)
		return;
	hp_json_put_object(j, "trend");
	if (strcmp(t.lines[0].key, "suspect") == 0)
		hp_buf_text(&b, "Retained size of the suspects.");
	else
		hp_buf_printf(&b, "%s of the rows that changed most.",
			      t.retained ? "Retained size"
			      : hp_key_is(r->by, HP_KEY_EVENTS)
				      ? hp_columns[t.column].title
				      : "Size");
	hp_json_put_buf(j, "note", &b);
	hp_buf_release(&b);
	write_ticks(j, &t);
	write_times(j, r);
	write_lines(j, &t);
	hp_json_object_end(j);
}
