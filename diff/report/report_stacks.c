/*
 * report_stacks.c - write the stacks of threads (--stacks) as text and as JSON
 */
#include "diff/report/report.h"

#include "common/cli/quantity.h"

#include <string.h>

/* maximum number of local variables that the text shows for a frame */
enum { LOCALS_SHOWN = 5 };

static void
add_list(struct hp_buf *b, const struct hp_result *r,
	 const struct hp_thread_local *list, size_t n)
{
	for (size_t i = 0; i < n && i < LOCALS_SHOWN; i++) {
		const struct hp_thread_local *x = &list[i];

		hp_buf_text(b, "        ");
		if (x->field)
			hp_buf_printf(b, "%s: ", x->field);
		if (x->count > 1) {
			hp_count_text(b, x->count);
			hp_buf_byte(b, ' ');
		}
		hp_buf_printf(b, "%s retain%s ", x->class,
			      x->count > 1 ? "" : "s");
		hp_size_text(b, x->retained.bytes);
		if (x->suspect) {
			hp_buf_text(b, ", ");
			hp_suspect_alive_text(b, r, x);
		}
		hp_buf_byte(b, '\n');
	}
}

static void
add_locals(struct hp_buf *b, const struct hp_result *r,
	   const struct hp_thread_frame *f)
{
	add_list(b, r, f->locals, f->nlocals);
	if (f->nlocals > LOCALS_SHOWN) {
		hp_buf_text(b, "        ");
		hp_count_text(b, f->nlocals - LOCALS_SHOWN);
		hp_buf_text(b, " more classes of locals\n");
	}
}

static void
add_stack(struct hp_buf *b, const struct hp_result *r,
	  const struct hp_thread_stack *s)
{
	hp_buf_byte(b, '\n');
	if (s->threads > 1) {
		hp_count_text(b, s->threads);
		hp_buf_printf(b, " threads \"%s\", which retain ", s->row);
	} else {
		hp_buf_printf(b, "thread \"%s\", which retains ", s->row);
	}
	hp_size_text(b, s->retained.bytes);
	hp_buf_text(b, s->failed ? ", OutOfMemoryError\n" : "\n");
	if (s->nframes == 0)
		hp_buf_text(b, "    the dump has no stack of it\n");
	for (size_t i = 0; i < s->nframes; i++) {
		hp_buf_printf(b, "    at %s\n", s->frames[i].text);
		add_locals(b, r, &s->frames[i]);
	}
	if (s->frames[s->nframes].nlocals > 0)
		hp_buf_text(b, "    in frames that are not known\n");
	add_locals(b, r, &s->frames[s->nframes]);
	if (s->nvalues > 0)
		hp_buf_text(b, "    values of ThreadLocals\n");
	add_list(b, r, s->values, s->nvalues);
	if (s->nvalues > LOCALS_SHOWN) {
		hp_buf_text(b, "        ");
		hp_count_text(b, s->nvalues - LOCALS_SHOWN);
		hp_buf_text(b, " more\n");
	}
}

void
hp_stacks_text(struct hp_buf *b, const struct hp_result *r)
{
	size_t most = r->top && r->top < r->nstacks ? r->top : r->nstacks;

	for (size_t i = 0; i < most; i++)
		add_stack(b, r, &r->stacks[i]);
	if (most < r->nstacks) {
		hp_buf_byte(b, '(');
		hp_count_noun_text(b, r->nstacks - most, "more stack");
		hp_buf_text(b, ": --top=0)\n");
	}
}

static void
write_list(struct hp_json *j, const char *key,
	   const struct hp_thread_local *list, size_t n)
{
	hp_json_put_array(j, key);
	for (size_t i = 0; i < n; i++) {
		const struct hp_thread_local *x = &list[i];

		hp_json_object_flat(j);
		if (x->field)
			hp_json_put_visible(j, "field", x->field);
		hp_json_put_visible(j, "class", x->class);
		hp_json_put_u64(j, "count", x->count);
		hp_json_put_u64(j, "retained_count", x->retained.objects);
		hp_json_put_u64(j, "retained_bytes", x->retained.bytes);
		if (x->suspect)
			hp_json_put_u64(j, "suspect", x->suspect);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

static void
write_frame(struct hp_json *j, const struct hp_thread_frame *f)
{
	hp_json_object(j);
	if (f->text)
		hp_json_put_visible(j, "frame", f->text);
	write_list(j, "locals", f->locals, f->nlocals);
	hp_json_object_end(j);
}

void
hp_stacks_json(struct hp_json *j, const struct hp_result *r)
{
	if (!r->options->stacks)
		return;
	hp_json_put_array(j, "stacks");
	for (size_t i = 0; i < r->nstacks; i++) {
		const struct hp_thread_stack *s = &r->stacks[i];

		hp_json_object(j);
		hp_json_put_visible(j, "key", s->row);
		hp_json_put_u64(j, "threads", s->threads);
		hp_json_put_bool(j, "out_of_memory", s->failed);
		hp_json_put_u64(j, "retained_count", s->retained.objects);
		hp_json_put_u64(j, "retained_bytes", s->retained.bytes);
		hp_json_put_array(j, "frames");
		for (size_t k = 0; k <= s->nframes; k++)
			if (k < s->nframes || s->frames[k].nlocals > 0)
				write_frame(j, &s->frames[k]);
		hp_json_array_end(j);
		if (s->nvalues > 0)
			write_list(j, "thread_locals", s->values, s->nvalues);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}
