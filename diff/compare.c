/*
 * compare.c - one input after the other, all threads on each; of packs several
 * at a time, but the first one first
 */
#include "diff/compare.h"

#include "diff/abreast.h"
#include "diff/baseline.h"
#include "diff/fillers.h"
#include "diff/gather.h"
#include "diff/loaders.h"
#include "diff/packed.h"
#include "diff/records.h"
#include "diff/resolve.h"

#include "common/cli/times.h"
#include "common/pack/packing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
hp_compare_progress(void *context, uint64_t *taken, uint64_t *total)
{
	hp_source_progress(context, taken, total);
}

struct hp_compare {
	struct hp_result *r;
	const struct hp_diff_options *o;
	const struct hp_messages *m;
	size_t column; /* the input at hand */
	const char *path;
	/* by site: what the ALLOC SITES records say, until it is chosen */
	struct hp_rows records;
	struct hp_dump_info *records_info;
	size_t traces, site_records; /* how many inputs have them */
	/* how many saved results were made of either */
	size_t saved_traces, saved_records;
	/* packs that are counted while one before them is at hand */
	struct hp_gather_options gathering;
	struct hp_abreast abreast;
};

static int
hp_compare_trouble(const struct hp_compare *c, const struct hp_error *err)
{
	hp_message_failure(c->m, c->path, err);
	return HP_EXIT_TROUBLE;
}

/* What is odd about a dump but does not stop the comparison. */
static void
hp_compare_notes(const struct hp_compare *c, const struct hp_resolve_notes *n)
{
	if (n->dumpless)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "%" PRIu64 " classes of %" PRIu64
			   " objects have no class dump; the objects count as "
			   "headers only",
			   n->dumpless, n->objects_of_dumpless);
	if (c->o->heap && !n->heap_matched)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "no object in a heap named \"%s\"", c->o->heap);
}

/* Damage, and whether it matters. */
static int
hp_compare_damage(const struct hp_compare *c, const struct hp_gather *g)
{
	const struct hp_symptom *s = g->damaged;
	struct hp_symptom header;
	char text[HP_SYMPTOM_TEXT];

	if (!hp_header_readable(&g->header)) {
		if (!s && hp_symptom_of_header(&g->header, &header))
			s = &header;
		hp_symptom_text(s, text);
		hp_message(c->m, HP_MESSAGE_ERROR, c->path, "%s", text);
		return HP_EXIT_TROUBLE;
	}
	if (!s)
		return HP_EXIT_OK;
	hp_symptom_text(s, text);
	if (!c->o->partial) {
		hp_message(c->m, HP_MESSAGE_ERROR, c->path,
			   "damaged at offset %" PRIu64
			   ": %s (--partial uses what can be read)",
			   s->offset, text);
		return HP_EXIT_TROUBLE;
	}
	hp_message(c->m, HP_MESSAGE_WARNING, c->path,
		   "damaged at offset %" PRIu64
		   ": %s; what could be read is used",
		   s->offset, text);
	return HP_EXIT_OK;
}

/* Does the input hold what is asked for? */
static int
hp_compare_present(const struct hp_compare *c, const struct hp_gather *g)
{
	if (c->o->common.dump > g->dumps) {
		hp_message(c->m, HP_MESSAGE_ERROR, c->path,
			   "there is no dump %" PRIu64, c->o->common.dump);
		return HP_EXIT_TROUBLE;
	}
	if (c->o->by == HP_BY_CPU || c->o->by == HP_BY_SITE || g->dumps ||
	    (g->damaged && c->o->partial))
		return HP_EXIT_OK;
	hp_message(c->m, HP_MESSAGE_ERROR, c->path, "no heap dump in it");
	return HP_EXIT_TROUBLE;
}

/* The rows that --heap shows; NULL: there is none. */
static struct hp_rows *
hp_compare_in_heap(const struct hp_compare *c)
{
	return c->o->heap ? &c->r->in_heap : NULL;
}

/* By site, from both places: which one counts is known in the end. */
static enum hp_status
hp_compare_sites(struct hp_compare *c, const struct hp_gather *g,
		 const struct hp_retained *graph,
		 struct hp_resolve_notes *notes, struct hp_error *err)
{
	struct hp_dump_info *info = &c->r->dumps[c->column];
	struct hp_dump_info *other = &c->records_info[c->column];
	enum hp_status st =
		hp_resolve(g, c->o, &c->r->rows, hp_compare_in_heap(c),
			   c->column, info, graph, notes, err);

	*other = *info;
	other->objects = other->bytes = 0;
	if (st == HP_OK)
		st = hp_records_sites(g, c->o, &c->records, c->column, other,
				      &notes->site_records, err);
	c->traces += notes->traces;
	c->site_records += notes->site_records;
	if (st == HP_OK && !notes->traces && !notes->site_records)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "no allocation traces in it: HotSpot's dumps have "
			   "none, the hprof agent's (heap=sites or all) and "
			   "ART's (with allocation tracking) do");
	if (st == HP_OK && !notes->traces && notes->site_records &&
	    c->o->sites == HP_SITES_OBJECTS)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "no objects with allocation traces in it; its ALLOC "
			   "SITES count with --sites=records");
	return st;
}

static enum hp_status
hp_compare_rows(struct hp_compare *c, const struct hp_gather *g,
		const struct hp_retained *graph, struct hp_resolve_notes *notes,
		struct hp_error *err)
{
	struct hp_dump_info *info = &c->r->dumps[c->column];
	enum hp_status st;
	bool any;

	if (c->o->by == HP_BY_SITE)
		return hp_compare_sites(c, g, graph, notes, err);
	if (c->o->by != HP_BY_CPU)
		return hp_resolve(g, c->o, &c->r->rows, hp_compare_in_heap(c),
				  c->column, info, graph, notes, err);
	st = hp_records_cpu(g, c->o, &c->r->rows, c->column, info, &any, err);
	if (st == HP_OK && !any)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "no CPU samples in it: the hprof agent writes them "
			   "(cpu=samples)");
	return st;
}

/* @src: to be read once more for retained sizes; NULL: there are none */
static int
hp_compare_resolve(struct hp_compare *c, struct hp_gather *g,
		   struct hp_source *src)
{
	struct hp_dump_info *info = &c->r->dumps[c->column];
	struct hp_resolve_notes notes = {0};
	struct hp_retained retained = {0}, *graph = NULL;
	struct hp_error err = {0};
	enum hp_status st;
	int status = hp_compare_damage(c, g);

	if (status == HP_EXIT_OK)
		status = hp_compare_present(c, g);
	if (status != HP_EXIT_OK)
		return status;
	info->path = c->path;
	info->dialect = hp_dialect_name(g->dialect);
	info->timestamp_ms = g->header.timestamp_ms < HP_TIME_END
				     ? g->header.timestamp_ms
				     : 0;
	info->partial = g->damaged;
	st = hp_resolve_layout(g, c->o, &info->layout, &err);
	if (st == HP_OK && src && c->r->rows.retained && g->have_classes) {
		st = hp_retained_read(&retained, g, src, c->o, info, &err);
		graph = &retained;
	}
	if (st == HP_OK)
		st = hp_compare_rows(c, g, graph, &notes, &err);
	if (graph && retained.graph.memory.file_peak > 0)
		hp_message(c->m, HP_MESSAGE_NOTE, c->path,
			   "the object graph does not fit in --memory: %" PRIu64
			   " MB of it were in temporary files",
			   (retained.graph.memory.file_peak >> 20) + 1);
	if (graph)
		hp_retained_release(&retained);
	if (st != HP_OK)
		return hp_compare_trouble(c, &err);
	hp_compare_notes(c, &notes);
	return HP_EXIT_OK;
}

static struct hp_gather_options
hp_compare_gathering(const struct hp_compare *c)
{
	return (struct hp_gather_options){
		.split = (c->o->by == HP_BY_SITE ? HP_SPLIT_TRACE : 0) |
			 (c->o->by == HP_BY_HEAP || c->o->heap ? HP_SPLIT_HEAP
							       : 0),
		.threads = c->r->threads,
		.budget = c->r->budget,
		.dump = (unsigned)c->o->common.dump};
}

/* May the counts of a pack's tables do? */
static bool
hp_compare_countable(const struct hp_compare *c)
{
	return (c->o->by == HP_BY_CLASS || c->o->by == HP_BY_PACKAGE) &&
	       !c->o->hide_fillers && !c->r->rows.retained;
}

/* A pack that tells its counts; *@status: the exit code, if *@done. */
static enum hp_status
hp_compare_packed(struct hp_compare *c, bool *done, int *status,
		  struct hp_error *err)
{
	struct hp_gather *ahead = hp_abreast_take(&c->abreast, c->column), g;
	enum hp_status st;

	*done = ahead;
	if (ahead) {
		*status = hp_compare_resolve(c, ahead, NULL);
		hp_abreast_give(&c->abreast);
		return HP_OK;
	}
	if (!hp_compare_countable(c))
		return HP_OK;
	st = hp_packed_run(&g, c->path, c->o->common.max_size, &c->gathering,
			   done, err);
	if (st != HP_OK || !*done)
		return st;
	*status = hp_compare_resolve(c, &g, NULL);
	hp_gather_release(&g);
	return HP_OK;
}

/* Bytes behind the compressed stream are nobody's: they do not count. */
static void
hp_compare_trailing(const struct hp_compare *c, struct hp_source *src)
{
	if (hp_source_trailing(src))
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "bytes behind the end of the compressed data are "
			   "left out");
}

static int
hp_compare_dump(struct hp_compare *c, struct hp_source *src)
{
	struct hp_error err = {0};
	struct hp_gather g;
	enum hp_status st;
	int status;

	st = hp_gather_run(&g, src, &c->gathering, &err);
	if (st == HP_OK)
		hp_compare_trailing(c, src);
	if (st == HP_OK && c->o->by == HP_BY_LOADER)
		st = hp_loaders_find(&g, src, &err);
	if (st == HP_OK && c->o->hide_fillers && hp_fillers_loaded(&g))
		st = hp_fillers_find(&g, src, &err);
	status = st == HP_OK ? hp_compare_resolve(c, &g, src)
			     : hp_compare_trouble(c, &err);
	hp_gather_release(&g);
	return status;
}

static int
hp_compare_saved(struct hp_compare *c, struct hp_source *src)
{
	bool records = false;
	int status;

	status = hp_baseline_load(c->r, &c->records, &records, c->o, c->column,
				  c->path, src, c->m);

	c->records_info[c->column] = c->r->dumps[c->column];
	c->site_records += records;
	c->traces += !records;
	c->saved_records += records;
	c->saved_traces += !records;
	return status;
}

/* What a decompressor takes beyond what is reckoned for plain files. */
static enum hp_status
hp_compare_unpacking(struct hp_compare *c, const struct hp_source *src,
		     uint64_t *noted, struct hp_error *err)
{
	uint64_t bytes = hp_source_memory(src);

	if (hp_budget_note(c->r->budget, noted, bytes, NULL) == HP_OK)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "unpacking takes %" PRIu64
		       " MB, more than --memory leaves; allow more, or take "
		       "fewer --threads",
		       bytes >> 20);
}

static int
hp_compare_input(struct hp_compare *c)
{
	const struct hp_options *common = &c->o->common;
	const struct hp_source_options options = {
		.threads = c->r->threads,
		.memory = hp_budget_left(c->r->budget) / 4 * 3,
		.max_size = common->max_size,
		.packing = &hp_packing,
		/* these take more than one pass */
		.again = c->o->by == HP_BY_LOADER || c->o->hide_fillers ||
			 c->r->rows.retained};
	struct hp_source *src = NULL;
	struct hp_error err = {0};
	bool saved = false, done;
	int status = HP_EXIT_OK;
	uint64_t noted = 0;
	enum hp_status st = hp_compare_packed(c, &done, &status, &err);

	if (st == HP_OK && !done)
		st = hp_source_open(&src, c->path, &options, &err);
	if (st != HP_OK)
		return hp_compare_trouble(c, &err);
	if (done)
		return status;
	hp_progress_watch(c->m->progress, hp_compare_progress, src, c->path);
	st = hp_compare_unpacking(c, src, &noted, &err);
	if (st == HP_OK)
		st = hp_baseline_peek(src, &saved, &err);
	if (st != HP_OK)
		status = hp_compare_trouble(c, &err);
	else if (saved)
		status = hp_compare_saved(c, src);
	else
		status = hp_compare_dump(c, src);
	hp_progress_watch(c->m->progress, NULL, NULL, NULL);
	hp_source_close(src);
	hp_budget_forget(c->r->budget, &noted);
	return status;
}

/* Objects' traces if every dump has them, else ALLOC SITES, if there are. */
static int
hp_compare_choose(struct hp_compare *c)
{
	struct hp_rows rows = c->r->rows;
	size_t n = c->r->ndumps;
	bool records = c->o->sites == HP_SITES_RECORDS ||
		       (c->o->sites == HP_SITES_AUTO && c->traces < n &&
			c->site_records > 0);

	c->r->sites = records ? "records" : "objects";
	if ((records ? c->saved_traces : c->saved_records) > 0) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "a saved result has its allocation sites from the "
			   "%s, what it is compared with from the %s; --sites "
			   "says which to take",
			   records ? "objects" : "records", c->r->sites);
		return HP_EXIT_TROUBLE;
	}
	if (!records)
		return HP_EXIT_OK;
	if (c->r->rows.retained) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "ALLOC SITES records do not tell which objects they "
			   "are about: there are no retained sizes by them");
		return HP_EXIT_TROUBLE;
	}
	if (c->site_records < n)
		hp_message(c->m, HP_MESSAGE_WARNING, NULL,
			   "not every dump has allocation sites; those without "
			   "count as empty");
	c->r->rows = c->records;
	c->records = rows;
	c->r->heap_shown = false; /* records know no heaps */
	memcpy(c->r->dumps, c->records_info, n * sizeof(*c->r->dumps));
	return HP_EXIT_OK;
}

static int
hp_compare_all(struct hp_compare *c)
{
	struct hp_result *r = c->r;
	int status = HP_EXIT_OK;

	c->gathering = hp_compare_gathering(c);
	if (hp_compare_countable(c) && !c->o->common.max_size)
		hp_abreast_init(&c->abreast, c->o->common.arguments, r->ndumps,
				&c->gathering);
	for (size_t i = 0; i < r->ndumps; i++) {
		c->column = i;
		c->path = c->o->common.arguments[i];
		status = hp_exit_worse(status, hp_compare_input(c));
	}
	hp_abreast_release(&c->abreast);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_SITE)
		status = hp_compare_choose(c);
	if (status != HP_EXIT_OK || !hp_result_layouts_differ(r) ||
	    c->o->by == HP_BY_CPU)
		return status;
	if (c->saved_traces + c->saved_records > 0) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "the saved result was made with another layout; "
			   "--layout gives the dumps the same");
		return HP_EXIT_TROUBLE;
	}
	hp_message(c->m, HP_MESSAGE_WARNING, NULL,
		   "the dumps have different layouts, so bytes differ where "
		   "counts do not; --layout gives them one");
	return status;
}

int
hp_compare_run(struct hp_result *r, const struct hp_diff_options *o,
	       const struct hp_messages *m)
{
	struct hp_compare c = {.r = r, .o = o, .m = m};
	struct hp_error err = {0};
	int status = HP_EXIT_TROUBLE;

	r->threads = o->common.threads;
	if (hp_budget_init(r->budget, o->common.memory, &r->threads, &err) !=
	    HP_OK) {
		hp_message_failure(m, NULL, &err);
		return HP_EXIT_TROUBLE;
	}
	hp_rows_init(&c.records, r->ndumps);
	c.records_info = calloc(r->ndumps, sizeof(*c.records_info));
	if (c.records_info)
		status = hp_compare_all(&c);
	else
		hp_message(m, HP_MESSAGE_ERROR, NULL, "out of memory");
	hp_rows_release(&c.records);
	free(c.records_info);
	return status;
}
