/*
 * extra_pass.c - read a dump once more, and call a function for each sub-record
 */
#include "diff/count/passes.h"

struct again_pass {
	const struct hp_extra_pass *again;
	unsigned dump, id_size;
};

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	const struct again_pass *p = ctx;
	const struct hp_extra_pass *again = p->again;
	struct hp_batch_walk w = {.every_piece = true, .ahead = HP_AHEAD};
	const struct hp_run *run = NULL;
	struct hp_sub s;
	enum hp_status st = HP_OK;
	bool fine = true;

	if (b->dump != p->dump)
		return HP_OK;
	while (fine) {
		if (again->instances)
			fine = again->instances(again->ctx, b->worker, &w.it);
		if (!fine || !hp_batch_next(&w, b, &s, p->id_size))
			break;
		if (again->heap && w.run != run)
			again->heap(again->ctx, b->worker, w.run->heap);
		run = w.run;
		if (again->heap && s.tag == HP_SUB_HEAP_DUMP_INFO)
			again->heap(again->ctx, b->worker,
				    hp_load4(s.start + 1));
		if (w.piece)
			s.data = w.piece->elements ? b->data + w.run->at : NULL;
		fine = again->sub(again->ctx, b->worker, &s, w.piece);
	}
	/* the callbacks may have failed for another reason */
	if (again->batch)
		st = again->batch(again->ctx, b->worker, err);
	return st == HP_OK && !fine ? hp_no_memory(err) : st;
}

static bool
is_wanted(void *ctx, const struct hp_batch *b)
{
	const struct again_pass *p = ctx;

	return p->again->wanted(p->again->ctx, b);
}

enum hp_status
hp_extra_pass_run(const struct hp_histogram *g, struct hp_source *src,
		  const struct hp_extra_pass *again, struct hp_error *err)
{
	struct again_pass p = {.again = again,
			       .dump = g->options->dump ? g->options->dump
							: g->dumps,
			       .id_size = g->header.id_size};
	const struct hp_pass pass = {.need = again->need,
				     .ctx = &p,
				     .wanted = again->wanted ? is_wanted : NULL,
				     .batch = on_batch};
	const struct hp_scan_options scan = {.threads = g->options->threads,
					     .only_dump = p.dump,
					     .spill_memory = 0};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &pass, &scan, err) : st;
}
