/*
 * packed.c - a pack's own counts, and the rest of its dump read as usual
 *
 * The skim of a pack (common/pack/skim.h) counts objects and hands over a dump
 * without any. That dump goes through the ordinary pass, which finds names,
 * classes and dialect; then the counts are added.
 */
#include "diff/packed.h"

#include "diff/texts.h"

#include "common/io/sink.h"
#include "common/pack/skim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct hp_packed {
	const struct hp_gather_options *options;
	struct hp_tallies tallies;
	struct hp_instance_lengths lengths; /* without offsets */
	struct hp_sink *rest;		    /* the dump without objects */
	struct hp_skim_facts facts;
};

static enum hp_tally_kind
hp_packed_kind(const struct hp_pack_symbol *s)
{
	switch (s->kind) {
	case HP_PACK_INSTANCE:
		return HP_TALLY_INSTANCES;
	case HP_PACK_OBJECTS:
	case HP_PACK_OBJECTS_HEAD:
		return HP_TALLY_OBJECT_ARRAYS;
	default:
		return HP_TALLY_PRIMITIVE_ARRAYS;
	}
}

static enum hp_status
hp_packed_count(void *context, const struct hp_pack_symbol *s,
		const struct hp_pack_residue *residues)
{
	struct hp_packed *p = context;
	struct hp_tallies *tallies = &p->tallies;
	struct hp_tally_key key = {.id = s->class_id,
				   .kind = hp_packed_kind(s)};
	struct hp_tally *t;

	if (key.kind == HP_TALLY_PRIMITIVE_ARRAYS)
		key.id = s->type;
	t = hp_tallies_put(tallies, &key);
	if (!t)
		return HP_NOMEM;
	if (key.kind == HP_TALLY_INSTANCES) {
		if (!hp_instance_lengths_note(&p->lengths, s->class_id,
					      s->bytes, 0))
			return HP_NOMEM;
		t->count += s->rows;
		t->elements += (uint64_t)s->rows * s->bytes;
		return HP_OK;
	}
	t->elements += s->elements;
	for (uint32_t i = 0; i < s->nresidues; i++)
		if (!hp_tally_arrays(tallies, t, residues[i].residue,
				     residues[i].rows))
			return HP_NOMEM;
	return HP_OK;
}

static enum hp_status
hp_packed_put(void *context, const void *bytes, size_t n, struct hp_error *err)
{
	struct hp_packed *p = context;

	return hp_texts_put(bytes, n, p->rest, err);
}

static void
hp_packed_release(struct hp_packed *p)
{
	hp_tallies_release(&p->tallies);
	hp_instance_lengths_release(&p->lengths);
	hp_sink_abort(p->rest);
}

/*
 * Is the dump damaged, as far as its tables tell? Then it is read in full, so
 * that the damage and its place are found as in any other input.
 */
static bool
hp_packed_damaged(const struct hp_packed *p, const struct hp_gather *g)
{
	const struct hp_class *class;
	struct hp_length length;

	return g->damaged || g->dumps != 1 ||
	       hp_instance_lengths_wrong(&p->lengths, &g->classes, &length,
					 &class);
}

/* The ordinary pass over what is no object, then the counts. */
static enum hp_status
hp_packed_gather(struct hp_packed *p, struct hp_gather *g, struct hp_error *err)
{
	const struct hp_source_options raw = {.raw = true};
	struct hp_source *src = NULL;
	enum hp_status st = hp_sink_finish(p->rest, err);

	if (st == HP_OK)
		st = hp_sink_reopen(p->rest, &src, &raw, err);
	if (st != HP_OK)
		return st;
	st = hp_gather_run(g, src, p->options, err);
	if (st == HP_OK)
		st = hp_tallies_merge(&g->tallies, &p->tallies, err);
	g->hints.id_bits |= p->facts.id_bits;
	g->hints.overlap |= p->facts.overlap;
	hp_source_close(src);
	if (st == HP_OK && hp_packed_damaged(p, g))
		st = HP_UNSUPPORTED;
	if (st != HP_OK)
		hp_gather_release(g);
	return st;
}

static enum hp_status
hp_packed_skim(struct hp_gather *g, struct hp_source *raw,
	       const struct hp_gather_options *options, struct hp_error *err)
{
	struct hp_packed p = {.options = options};
	const struct hp_skim_options skim = {
		.memory = hp_budget_left(options->budget),
		.context = &p,
		.count = hp_packed_count,
		.put = hp_packed_put};
	enum hp_status st = hp_tallies_init(&p.tallies, err);

	if (st == HP_OK)
		st = hp_sink_open_temporary(&p.rest, err);
	if (st == HP_OK)
		st = hp_skim(raw, &skim, &p.facts, err);
	if (st == HP_OK)
		st = hp_packed_gather(&p, g, err);
	hp_packed_release(&p);
	return st;
}

/* A regular file can be opened twice. */
static bool
hp_packed_regular(const char *path)
{
	struct stat sb;

	return strcmp(path, "-") != 0 && stat(path, &sb) == 0 &&
	       S_ISREG(sb.st_mode);
}

/* *@src is set if it is a pack; the caller closes it. */
static enum hp_status
hp_packed_open(const char *path, struct hp_source **src, struct hp_error *err)
{
	const struct hp_source_options raw = {.raw = true};
	enum hp_status st;

	*src = NULL;
	if (!hp_packed_regular(path))
		return HP_OK;
	st = hp_source_open(src, path, &raw, err);
	if (st != HP_OK || hp_skim_possible(*src))
		return st;
	hp_source_close(*src);
	*src = NULL;
	return HP_OK;
}

bool
hp_packed_is(const char *path)
{
	struct hp_source *src = NULL;
	bool is = hp_packed_open(path, &src, NULL) == HP_OK && src;

	hp_source_close(src);
	return is;
}

enum hp_status
hp_packed_run(struct hp_gather *g, const char *path, uint64_t max_size,
	      const struct hp_gather_options *options, bool *done,
	      struct hp_error *err)
{
	struct hp_source *src;
	enum hp_status st;

	*done = false;
	if (options->split || options->dump || max_size)
		return HP_OK;
	st = hp_packed_open(path, &src, err);
	if (st != HP_OK || !src)
		return st;
	st = hp_packed_skim(g, src, options, err);
	*done = st == HP_OK;
	hp_source_close(src);
	return st == HP_UNSUPPORTED ? HP_OK : st;
}
