/*
 * dialect_pass.c - gathers the evidence of a dump's dialect
 *
 * Records are noted on the reading thread, sub-records by workers, each for
 * itself. What the evidence says is dialect.c's.
 */
#include "convert/pass/dialect_pass.h"

#include "convert/pass/ordered_pass.h"

#include <stdlib.h>

struct pass {
	struct hp_dialect_evidence all;
	struct hp_dialect_evidence *workers;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct pass *p = ctx;

	(void)err;
	p->all.version = h->version;
	p->all.id_size = h->id_size;
	return HP_OK;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct pass *p = ctx;

	(void)err;
	hp_dialect_evidence_record(&p->all, rec, body);
	return HP_OK;
}

static enum hp_status
note_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	 const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct pass *p = ctx;

	(void)r;
	(void)out;
	(void)err;
	if (sub)
		hp_dialect_evidence_sub(&p->workers[b->worker], sub,
					p->all.id_size);
	return HP_OK;
}

enum hp_status
hp_dialect_pass_run(struct hp_source *src, const struct hp_prepass *survey,
		    unsigned threads, enum hp_dialect *dialect,
		    struct hp_error *err)
{
	struct pass p = {.workers = calloc(threads, sizeof(*p.workers))};
	const struct hp_transform pass = {.need = HP_NEED_HEADS,
					  .framing_only = true,
					  .ctx = &p,
					  .header = on_header,
					  .record = on_record,
					  .run = note_run};
	enum hp_status st;

	if (!p.workers)
		return hp_no_memory(err);
	st = hp_ordered_pass_run(src, NULL, &pass, threads, err);
	for (unsigned i = 0; i < threads; i++)
		hp_dialect_evidence_merge(&p.all, &p.workers[i]);
	for (size_t i = 0; i < survey->ndumps; i++)
		hp_dialect_evidence_classes(&p.all, &survey->dumps[i]->classes,
					    &survey->tables);
	if (p.all.object_size >> 31)
		p.all.object_size = 0;
	*dialect = hp_dialect_of(&p.all, &survey->tables);
	free(p.workers);
	return st;
}
