/*
 * texts_pass.c - read the texts of chosen String objects from their arrays
 *
 * The first pass finds the Strings and the ids of their arrays. If an array
 * comes before its String in the dump, a second pass reads the array.
 */
#include "diff/count/passes.h"

static bool
read_strings(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct hp_texts_pass *t = ctx;

	return piece || hp_java_texts_string(&t->texts, s);
}

static bool
read_arrays(void *ctx, unsigned worker, const struct hp_sub *s,
	    const struct hp_piece *piece)
{
	struct hp_texts_pass *t = ctx;

	return piece || hp_java_texts_array(&t->texts, s);
}

static bool
read_both(void *ctx, unsigned worker, const struct hp_sub *s,
	  const struct hp_piece *piece)
{
	return s->tag == HP_SUB_INSTANCE_DUMP
		       ? read_strings(ctx, worker, s, piece)
		       : read_arrays(ctx, worker, s, piece);
}

static bool
may_have(void *ctx, const struct hp_batch *b)
{
	const struct hp_texts_pass *t = ctx;

	return t->may_have(t->context, b);
}

enum hp_status
hp_texts_pass_run(struct hp_texts_pass *t, struct hp_source *src,
		  struct hp_error *err)
{
	struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = t,
				     .sub = t->arrays ? read_both
						      : read_strings,
				     .wanted = t->may_have ? may_have : NULL};
	size_t strings = t->texts.wanted.count;
	enum hp_status st = HP_OK;
	bool fine = true;

	if (strings == 0)
		return HP_OK;
	if (t->texts.string.id || t->arrays)
		st = hp_extra_pass_run(t->g, src, &pass, err);
	if (!t->arrays)
		fine = hp_java_texts_want_arrays(&t->texts);
	if (st == HP_OK && fine && !t->arrays &&
	    (t->texts.bare || t->texts.wanted.count > strings)) {
		pass.sub = read_arrays;
		st = hp_extra_pass_run(t->g, src, &pass, err);
	}
	return fine ? st : hp_no_memory(err);
}

void
hp_texts_pass_release(struct hp_texts_pass *t)
{
	hp_java_texts_release(&t->texts);
}
