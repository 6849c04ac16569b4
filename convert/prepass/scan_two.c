/* scan_two.c - run two passes over a dump in one scan */
#include "convert/prepass/class_prepass.h"

enum { PASSES = 2 };

struct both {
	const struct hp_pass *pass[PASSES];
};

/*
 * The body of a callback of the combined pass: it calls the callback @call of
 * the first pass, then that of the second pass. A pass may lack this callback.
 */
#define IN_ORDER(call, ...)                                                    \
	const struct both *b = ctx;                                            \
	enum hp_status st = HP_OK;                                             \
                                                                               \
	for (size_t i = 0; i < PASSES && st == HP_OK; i++)                     \
		if (b->pass[i]->call)                                          \
			st = b->pass[i]->call(b->pass[i]->ctx, __VA_ARGS__);   \
	return st

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	IN_ORDER(header, h, err);
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	IN_ORDER(record, rec, body, err);
}

static enum hp_status
on_strings(void *ctx, struct hp_string_run *run, struct hp_error *err)
{
	IN_ORDER(strings, run, err);
}

static enum hp_status
on_heap_end(void *ctx, const struct hp_record *rec, struct hp_error *err)
{
	IN_ORDER(heap_end, rec, err);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	IN_ORDER(batch, batch, err);
}

static enum hp_status
on_classes_complete(void *ctx, unsigned dump, struct hp_error *err)
{
	IN_ORDER(classes_complete, dump, err);
}

enum hp_status
hp_scan_two(struct hp_source *src, const struct hp_pass *first,
	    const struct hp_pass *second, const struct hp_scan_options *options,
	    struct hp_error *err)
{
	struct both b = {{first, second}};
	bool strings = first->strings && second && !second->record;
	const struct hp_pass both = {.need = first->need,
				     .ctx = &b,
				     .header = on_header,
				     .record = on_record,
				     .strings = strings ? on_strings : NULL,
				     .heap_end = on_heap_end,
				     .batch = on_batch,
				     .classes_complete = on_classes_complete};

	return hp_scan(src, second ? &both : first, options, err);
}
