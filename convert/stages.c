/*
 * stages.c - what the options ask for, one transformation after the other
 *
 * Each is a function from a source to a sink. What they do is theirs; here is
 * their order, what lies between them, and --verify.
 */
#include "convert/stages.h"

#include "convert/ancient.h"
#include "convert/choose.h"
#include "convert/framing.h"
#include "convert/inorder.h"
#include "convert/ndjson.h"
#include "convert/profile.h"
#include "convert/spool.h"
#include "convert/text.h"

/* How a stage reads its source; ANYWHERE: also at any offset. */
enum reads { ONCE, AGAIN, ANYWHERE };

typedef enum hp_status stage_fn(struct hp_stages *s, struct hp_source *src,
				struct hp_sink *sink, struct hp_error *err);

struct stage {
	stage_fn *run;
	enum reads reads;
};

enum { STAGES_MAX = 8 };

static void
how_far(void *context, uint64_t *taken, uint64_t *total)
{
	hp_source_progress(context, taken, total);
}

static enum hp_status
run_raw(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	struct hp_error *err)
{
	return hp_copy_raw(src, sink, !s->options->raw, err);
}

/* Salvage reads anywhere, also in what cannot seek. */
static enum hp_status
run_salvage(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	struct hp_source *spooled = NULL;
	const struct hp_salvage_options how = {
		.threads = s->options->common.threads,
		.null_dangling = s->options->null_dangling,
		.memory = s->options->common.memory / 2};
	const struct hp_hole *holes;
	enum hp_status st = HP_OK;
	size_t n;

	if (!hp_source_seekable(src)) {
		st = hp_spool(src, &spooled, err); /* damaged as it may be */
		hp_progress_watch(s->progress, how_far, spooled,
				  s->options->input);
		s->container = hp_framing_container(src);
	}
	holes = hp_source_holes(src, &n);
	if (st == HP_OK)
		st = hp_salvage(spooled ? spooled : src, holes, n, sink, &how,
				&s->salvage, err);
	hp_progress_watch(s->progress, NULL, NULL, NULL);
	hp_source_close(spooled);
	return st;
}

static enum hp_status
run_choose(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	   struct hp_error *err)
{
	return hp_choose(src, sink, (unsigned)s->options->common.dump,
			 s->options->common.threads, err);
}

static enum hp_status
run_heaps(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	  struct hp_error *err)
{
	const struct hp_sift how = {.nulls = true,
				    .heaps = s->options->heaps,
				    .prune = s->options->prune,
				    .memory = s->options->common.memory / 2};

	return hp_sift(src, sink, &how, s->options->common.threads, &s->heaps,
		       err);
}

static enum hp_status
run_standard(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	     struct hp_error *err)
{
	return hp_standard(src, sink, s->options->common.threads, &s->standard,
			   err);
}

static enum hp_status
run_profile(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	return hp_profile(src, sink, s->options->profile,
			  s->options->common.threads, err);
}

static enum hp_status
run_copy(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	 struct hp_error *err)
{
	return hp_copy(src, sink, s->options, &s->copy, err);
}

static enum hp_status
run_ndjson(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	   struct hp_error *err)
{
	const struct hp_ndjson_options how = {
		.threads = s->options->common.threads,
		.memory = s->options->common.memory / 2,
		.elements = s->options->elements,
		.strings = s->options->strings};

	return hp_ndjson(src, sink, &how, &s->ndjson, err);
}

static enum hp_status
run_text(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	 struct hp_error *err)
{
	const struct hp_text_options how = {
		.threads = s->options->common.threads,
		.strings = s->options->strings,
		.memory = s->options->common.memory / 2};

	return hp_astext(src, sink, &how, &s->text, err);
}

static enum hp_status
run_ancient(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	s->newer = true;
	return hp_ancient(src, sink, false, err);
}

/* A plain copy of version 1.0. */
static enum hp_status
run_ancient_copy(struct hp_stages *s, struct hp_source *src,
		 struct hp_sink *sink, struct hp_error *err)
{
	(void)s;
	return hp_ancient(src, sink, true, err);
}

/* Are the bytes copied without a look at them? Packs hold any bytes. */
static bool
any_bytes(const struct hp_convert_options *o, const struct hp_source *src)
{
	return o->raw || o->compression == HP_COMPRESSION_PACK ||
	       hp_source_compression(src) == HP_COMPRESSION_PACK;
}

/*
 * The stages that the options ask for, in order; returns their number.
 * @ancient: the input is of version 1.0
 */
static size_t
plan(const struct hp_convert_options *o, const struct hp_source *src,
     bool ancient, struct stage *to)
{
	const struct hp_policy *p = &o->policy;
	size_t n = 0;

	if (o->salvage)
		to[n++] = (struct stage){run_salvage, ONCE};
	if (o->common.dump)
		to[n++] = (struct stage){run_choose, ONCE};
	if (o->heaps)
		to[n++] = (struct stage){run_heaps, AGAIN};
	if (o->standard)
		to[n++] = (struct stage){run_standard, AGAIN};
	if (o->profile)
		to[n++] = (struct stage){run_profile,
					 o->profile == 1 ? AGAIN : ONCE};
	if (hp_policy_strips(p))
		to[n++] = (struct stage){
			run_copy, hp_policy_needs_look(p) ? AGAIN : ONCE};
	if (o->to == HP_TO_NDJSON)
		to[n++] = (struct stage){run_ndjson,
					 o->strings ? ANYWHERE : AGAIN};
	else if (o->to == HP_TO_TEXT)
		to[n++] =
			(struct stage){run_text, o->strings ? ANYWHERE : AGAIN};
	if (n == 0 && ancient && !any_bytes(o, src)) {
		to[n++] = (struct stage){run_ancient_copy, AGAIN};
	} else if (n == 0) {
		to[n++] = (struct stage){any_bytes(o, src) ? run_raw : run_copy,
					 ONCE};
	} else if (ancient) {
		memmove(to + 1, to, n * sizeof(*to));
		to[0] = (struct stage){run_ancient, AGAIN};
		n++;
	}
	return n;
}

/* A source that the stage can read as it does; *@owned: made here, or NULL. */
static enum hp_status
suit(const struct stage *stage, struct hp_source *src, struct hp_source **owned,
     struct hp_error *err)
{
	*owned = NULL;
	if (stage->reads == ANYWHERE && !hp_source_seekable(src))
		return hp_spool_checked(src, owned, err);
	if (stage->reads == AGAIN && !hp_source_rewindable(src))
		return hp_spool_checked(src, owned, err);
	return HP_OK;
}

static enum hp_status
run_one(struct hp_stages *s, const struct stage *stage, struct hp_source *src,
	struct hp_sink *sink, struct hp_error *err)
{
	struct hp_source *spooled;
	enum hp_status st;

	hp_progress_watch(s->progress, how_far, src, s->options->input);
	st = suit(stage, src, &spooled, err);
	if (spooled) {
		src = spooled;
		hp_progress_watch(s->progress, how_far, src, s->options->input);
	}
	if (st == HP_OK)
		st = stage->run(s, src, sink, err);
	hp_progress_watch(s->progress, NULL, NULL, NULL);
	hp_source_close(spooled);
	return st;
}

/* One into a temporary file; *@src becomes that file. */
static enum hp_status
run_between(struct hp_stages *s, const struct stage *stage,
	    struct hp_source **src, struct hp_source *given,
	    struct hp_error *err)
{
	struct hp_source *next = NULL;
	struct hp_sink *sink;
	enum hp_status st = hp_sink_open_temporary(&sink, err);

	if (st != HP_OK)
		return st;
	st = run_one(s, stage, *src, sink, err);
	if (st == HP_OK)
		st = hp_spool_end(sink, &next, err);
	else
		hp_sink_abort(sink);
	if (*src != given)
		hp_source_close(*src);
	*src = next;
	return st;
}

/* The output reads back as it was written; a rewritten dump has no framing
 * error. */
static enum hp_status
verify(const struct hp_stages *s, struct hp_sink *sink, struct hp_error *err)
{
	const struct hp_transform look = {.need = HP_NEED_HEADS};
	const unsigned threads = s->options->common.threads;
	const struct hp_source_options so = {.threads = threads};
	struct hp_source *back;
	enum hp_status st = hp_sink_verify(sink, threads, err);

	if (st != HP_OK || !hp_convert_rewrites(s->options) ||
	    s->options->to != HP_TO_HPROF)
		return st;
	st = hp_sink_reopen(sink, &back, &so, err);
	if (st == HP_OK)
		st = hp_inorder_run(back, NULL, &look, threads, err);
	hp_source_close(back);
	return st;
}

enum hp_status
hp_stages_run(struct hp_stages *s, struct hp_source *src, struct hp_sink *sink,
	      struct hp_error *err)
{
	struct hp_source *at = src;
	struct stage stages[STAGES_MAX];
	bool ancient;
	enum hp_status st = hp_ancient_is(src, &ancient, err);
	size_t n = plan(s->options, src, ancient, stages);

	for (size_t i = 0; i + 1 < n && st == HP_OK; i++)
		st = run_between(s, &stages[i], &at, src, err);
	if (st == HP_OK)
		st = run_one(s, &stages[n - 1], at, sink, err);
	if (at != src)
		hp_source_close(at);
	if (st == HP_OK && s->options->verify)
		st = verify(s, sink, err);
	return st;
}
