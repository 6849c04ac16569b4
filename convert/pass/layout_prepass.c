/*
 * layout_prepass.c - hints of how objects lie in memory, gathered by workers
 */
#include "convert/pass/layout_prepass.h"

#include <stdlib.h>

struct hp_layout_prepass_worker {
	struct hp_size_hints hints;
	unsigned first_dump, last_dump;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct hp_layout_prepass *l = ctx;

	(void)err;
	l->header = *h;
	return HP_OK;
}

static void
note_dump(struct hp_layout_prepass_worker *w, unsigned dump)
{
	if (dump == 0)
		return;
	if (w->first_dump == 0 || dump < w->first_dump)
		w->first_dump = dump;
	if (dump > w->last_dump)
		w->last_dump = dump;
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_layout_prepass *l = ctx;
	struct hp_layout_prepass_worker *w = &l->workers[b->worker];
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub s = {0};

	(void)err;
	hp_size_hints_batch(&w->hints);
	note_dump(w, b->dump);
	while (hp_batch_next(&walk, b, &s, l->header.id_size)) {
		if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			hp_size_hint_array(&w->hints, s.id, s.count);
		if (hp_subrecord_is_object(s.tag))
			hp_size_hint_object(&w->hints, s.id);
	}
	return HP_OK;
}

enum hp_status
hp_layout_prepass_init(struct hp_layout_prepass *l, unsigned threads,
		       struct hp_error *err)
{
	*l = (struct hp_layout_prepass){.threads = threads};
	l->workers = calloc(threads, sizeof(*l->workers));
	return l->workers ? HP_OK : hp_no_memory(err);
}

void
hp_layout_prepass_release(struct hp_layout_prepass *l)
{
	free(l->workers);
	*l = (struct hp_layout_prepass){0};
}

struct hp_pass
hp_layout_prepass_pass(struct hp_layout_prepass *l)
{
	return (struct hp_pass){.need = HP_NEED_HEADS,
				.ctx = l,
				.header = on_header,
				.batch = on_batch};
}

void
hp_layout_prepass_end(struct hp_layout_prepass *l)
{
	struct hp_size_hints all = {0};

	for (unsigned i = 0; i < l->threads; i++) {
		const struct hp_layout_prepass_worker *w = &l->workers[i];

		hp_size_hints_merge(&all, &w->hints);
		if (w->first_dump != 0 &&
		    (l->first_dump == 0 || w->first_dump < l->first_dump))
			l->first_dump = w->first_dump;
		if (w->last_dump > l->dumps)
			l->dumps = w->last_dump;
	}
	l->id_bits = all.id_bits;
	l->layout = hp_size_model_detect(&all, l->header.id_size,
					 l->header.version == HP_VERSION_1_0_3);
}
