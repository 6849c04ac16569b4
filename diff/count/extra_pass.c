/*
 * extra_pass.c - the frame of a further pass; what it looks for is
 * class_loaders.c's and fillers.c's
 */
#include "diff/count/extra_pass.h"

struct again_pass {
	const struct hp_extra_pass *again;
	unsigned wanted, id_size;
	bool current;
};

static enum hp_status
on_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct again_pass *p = ctx;

	(void)err;
	p->current = dump == p->wanted;
	return HP_OK;
}

static void
on_problem(void *ctx, const struct hp_problem *problem)
{
	(void)ctx;
	(void)problem;
}

static bool
handle_piece(const struct again_pass *p, const struct hp_batch *b,
	     const struct hp_run *run)
{
	struct hp_sub s = run->piece.sub;

	s.data = run->piece.elements ? b->data + run->at : NULL;
	return p->again->sub(p->again->ctx, b->worker, &s, &run->piece);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	const struct again_pass *p = ctx;
	const struct hp_extra_pass *again = p->again;
	bool fine = true;

	for (size_t i = 0; p->current && i < b->nruns && fine; i++) {
		struct hp_heap_iter it;
		struct hp_sub s;

		if (b->runs[i].kind == HP_RUN_ARRAY)
			fine = handle_piece(p, b, &b->runs[i]);
		if (b->runs[i].kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (fine && hp_heap_next(&it, &s, p->id_size))
			fine = again->sub(again->ctx, b->worker, &s, NULL);
	}
	if (!fine)
		return hp_fail(err, HP_NOMEM, "out of memory");
	return p->current && again->batch
		       ? again->batch(again->ctx, b->worker, err)
		       : HP_OK;
}

enum hp_status
hp_extra_pass_run(const struct hp_histogram *g, struct hp_source *src,
		  const struct hp_extra_pass *again, struct hp_error *err)
{
	struct again_pass p = {.again = again,
			       .wanted = g->options->dump ? g->options->dump
							  : g->dumps,
			       .id_size = g->header.id_size};
	const struct hp_pass pass = {.need = again->need,
				     .ctx = &p,
				     .problem = on_problem,
				     .dump_begin = on_dump_begin,
				     .batch = on_batch};
	const struct hp_scan_options scan = {.threads = g->options->threads,
					     .only_dump = p.wanted,
					     .spill_memory = 0};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &pass, &scan, err) : st;
}
