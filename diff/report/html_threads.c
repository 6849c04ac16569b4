/*
 * html_threads.c - write the texts of the thread stacks of the HTML page
 *
 * report_stacks.c writes the stacks themselves, as the JSON member "stacks".
 */
#include "diff/report/html_figures.h"

#include "common/cli/quantity.h"

/* Write "3 × " if there are several, and "retain 1.2 KB" or "retains 1.2 KB".
 */
static void
write_retained(struct hp_json *j, struct hp_rows *texts, uint64_t n,
	       const struct hp_graph_sum *retained)
{
	struct hp_buf b = {0};

	if (n > 1) {
		hp_count_text(&b, n);
		hp_buf_text(&b, " × ");
	}
	hp_html_number(j, texts, &b);
	hp_buf_text(&b, n > 1 ? "retain " : "retains ");
	hp_size_text(&b, retained->bytes);
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

static void
write_list(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const struct hp_thread_local *list, size_t n)
{
	struct hp_buf b = {0};

	for (size_t i = 0; i < n; i++) {
		const struct hp_thread_local *x = &list[i];

		write_retained(j, texts, x->count, &x->retained);
		if (x->suspect)
			hp_suspect_alive_text(&b, r, x);
		hp_html_number(j, texts, &b);
	}
	hp_buf_release(&b);
}

void
hp_html_threads(struct hp_json *j, const struct hp_result *r,
		struct hp_rows *texts)
{
	hp_json_put_array_flat(j, "thread_texts");
	for (size_t i = 0; i < r->nstacks; i++) {
		const struct hp_thread_stack *s = &r->stacks[i];

		hp_json_array_flat(j);
		write_retained(j, texts, s->threads, &s->retained);
		/* after the frames is the entry of frames that are not known */
		for (size_t k = 0; k <= s->nframes; k++)
			write_list(j, r, texts, s->frames[k].locals,
				   s->frames[k].nlocals);
		write_list(j, r, texts, s->values, s->nvalues);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
}
