/*
 * html_dumps.c - write what the HTML page says first: the dumps that were
 * compared, and the thread that ran out of memory
 *
 * The headline and the cards are in html_lead.c.
 */
#include "diff/report/report.h"

#include "common/cli/quantity.h"

enum {
	/* with more dumps than this, the page lists the first and the last */
	DUMPS_LISTED = 4,
};

/* Append the word before the name of a dump: "Before", "After" or its number */
static void
add_word(struct hp_buf *b, const struct hp_result *r, size_t i)
{
	bool last = i == r->ndumps - 1;

	if (r->ndumps == 2)
		hp_buf_text(b, last ? "After" : "Before");
	else if (i == 0 || last)
		hp_buf_text(b, last ? "Last" : "First");
	else
		hp_buf_printf(b, "%zu", i + 1);
}

static void
add_separator(struct hp_buf *b)
{
	if (b->len > 0)
		hp_buf_text(b, " · ");
}

/* Append the time of a dump: "2026-11-21 06:28:10 UTC, 6 s later". */
static void
add_time(struct hp_buf *b, const struct hp_result *r, size_t i)
{
	uint64_t first = r->dumps[0].timestamp_ms;
	uint64_t time = r->dumps[i].timestamp_ms;

	if (!time)
		return;
	add_separator(b);
	if (!hp_time_text(b, time))
		hp_buf_text(b, "after the year 9999");
	if (i == 0 || !first || time == first)
		return;
	hp_buf_text(b, ", ");
	hp_answer_duration(b, hp_difference(first, time));
	hp_buf_text(b, time > first ? " later" : " earlier");
}

/* Append the size of the file, the time and the labels of a dump. */
static void
add_facts(struct hp_buf *b, const struct hp_result *r, size_t i)
{
	const struct hp_dump_info *d = &r->dumps[i];

	if (d->file_bytes > 0)
		hp_size_text(b, d->file_bytes);
	add_time(b, r, i);
	for (size_t k = 0; k < d->nlabels; k++) {
		if (k > 0)
			hp_buf_byte(b, ' ');
		else
			add_separator(b);
		hp_buf_printf(b, "%s=%s", d->labels[k].key, d->labels[k].value);
	}
}

/* Append what is wrong with a dump. @older: the dump before it is newer */
static void
add_problems(struct hp_buf *b, const struct hp_dump_info *d, bool older)
{
	if (d->partial)
		hp_buf_text(b, "partial: damaged input");
	if (d->unrooted) {
		add_separator(b);
		hp_buf_text(b, "no roots");
	}
	if (older) {
		add_separator(b);
		hp_buf_text(b, "older than the dump before it");
	}
	if (d->undescribed.objects > 0) {
		add_separator(b);
		hp_buf_text(b, "fields of ");
		hp_count_noun_text(b, d->undescribed.objects, "object");
		hp_buf_text(b, " not described");
	}
}

/* Write a text, if there is one, and empty it. */
static void
put_text(struct hp_json *j, const char *key, struct hp_buf *b)
{
	hp_buf_inherit(&j->buf, b);
	if (b->len > 0)
		hp_json_put_buf(j, key, b);
	hp_buf_clear(b);
}

static void
write_dump(struct hp_json *j, const struct hp_result *r, size_t i, bool older)
{
	const struct hp_dump_info *d = &r->dumps[i];
	struct hp_buf b = {0};

	hp_json_object_flat(j);
	if (r->ndumps > 1)
		add_word(&b, r, i);
	put_text(j, "word", &b);
	hp_buf_text(&b, hp_shown_file_name(d->path));
	put_text(j, "file", &b);
	hp_json_put_string(j, "path", d->path);
	add_facts(&b, r, i);
	put_text(j, "facts", &b);
	add_problems(&b, d, older);
	put_text(j, "problems", &b);
	hp_json_object_end(j);
	hp_buf_release(&b);
}

void
hp_html_dumps(struct hp_json *j, const struct hp_result *r)
{
	size_t step = r->ndumps > DUMPS_LISTED ? r->ndumps - 1 : 1;
	struct hp_answer a = {0};
	struct hp_buf b = {0};

	hp_answer_find_order(&a, r);
	hp_json_put_array(j, "compared");
	for (size_t i = 0; i < r->ndumps; i += step)
		write_dump(j, r, i, a.older == &r->dumps[i]);
	if (step > 1) {
		hp_json_object_flat(j);
		hp_count_noun_text(&b, r->ndumps - 2, "dump");
		hp_buf_text(&b, " between");
		put_text(j, "facts", &b);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}

void
hp_html_failed_thread(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_failed_thread *f = &r->failed;
	struct hp_buf b = {0};

	if (!f->found)
		return;
	hp_json_put_object(j, "failed");
	hp_buf_text(&b, "OutOfMemoryError in ");
	hp_buf_text(&b, f->name ? "thread " : "a thread");
	put_text(j, "before", &b);
	if (f->name)
		hp_buf_text(&b, f->name);
	put_text(j, "thread", &b);
	hp_buf_text(&b, ", which retains ");
	hp_size_text(&b, f->retained.bytes);
	put_text(j, "after", &b);
	if (f->more_frames > 0) {
		hp_count_noun_text(&b, f->more_frames, "more frame");
		put_text(j, "more", &b);
	}
	hp_json_object_end(j);
	hp_buf_release(&b);
}
