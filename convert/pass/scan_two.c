/*
 * scan_two.c - the callbacks of a scan, handed to one pass and then to another
 */
#include "convert/pass/scan_two.h"

enum { PASSES = 2 };

struct both {
	const struct hp_pass *pass[PASSES];
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	const struct both *b = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < PASSES && st == HP_OK; i++)
		if (b->pass[i]->header)
			st = b->pass[i]->header(b->pass[i]->ctx, h, err);
	return st;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	const struct both *b = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < PASSES && st == HP_OK; i++)
		if (b->pass[i]->record)
			st = b->pass[i]->record(b->pass[i]->ctx, rec, body,
						err);
	return st;
}

static enum hp_status
on_heap_end(void *ctx, const struct hp_record *rec, struct hp_error *err)
{
	const struct both *b = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < PASSES && st == HP_OK; i++)
		if (b->pass[i]->heap_end)
			st = b->pass[i]->heap_end(b->pass[i]->ctx, rec, err);
	return st;
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	const struct both *b = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < PASSES && st == HP_OK; i++)
		if (b->pass[i]->batch)
			st = b->pass[i]->batch(b->pass[i]->ctx, batch, err);
	return st;
}

static enum hp_status
on_classes_complete(void *ctx, unsigned dump, struct hp_error *err)
{
	const struct both *b = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < PASSES && st == HP_OK; i++)
		if (b->pass[i]->classes_complete)
			st = b->pass[i]->classes_complete(b->pass[i]->ctx, dump,
							  err);
	return st;
}

enum hp_status
hp_scan_two(struct hp_source *src, const struct hp_pass *first,
	    const struct hp_pass *second, const struct hp_scan_options *options,
	    struct hp_error *err)
{
	struct both b = {{first, second}};
	const struct hp_pass both = {.need = first->need,
				     .ctx = &b,
				     .header = on_header,
				     .record = on_record,
				     .heap_end = on_heap_end,
				     .batch = on_batch,
				     .classes_complete = on_classes_complete};

	return hp_scan(src, second ? &both : first, options, err);
}
