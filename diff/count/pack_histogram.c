/*
 * pack_histogram.c - count the objects of a pack without reading the objects
 *
 * A pack is this project's archive format for dumps. It stores the number of
 * objects of each class (common/pack/pack.h). A pack also contains a small dump
 * without objects: the header, the names and the classes. The ordinary pass
 * reads this small dump, and then the stored numbers are added.
 */
#include "diff/count/pack_histogram.h"

#include "common/base/memory.h"
#include "common/sink/sink.h"
#include "common/pack/pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct pack_counts {
	const struct hp_histogram_options *options;
	struct hp_tallies tallies;
	/*
	 * for each class: the number of its instances of each length. There are
	 * no file offsets, because the objects are not read.
	 */
	struct hp_instance_lengths lengths;
	/*
	 * receives the small dump without objects that is a part of the pack,
	 * as ordinary records
	 */
	struct hp_sink *rest;
	struct hp_table_counts_facts facts;
};

static enum hp_tally_kind
tally_kind(const struct hp_pack_symbol *s)
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
add_symbol_count(void *context, const struct hp_pack_symbol *s,
		 const struct hp_pack_residue *residues)
{
	struct pack_counts *p = context;
	struct hp_tallies *tallies = &p->tallies;
	struct hp_tally_key key = {.id = s->class_id, .kind = tally_kind(s)};
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
append_bytes(void *context, const void *bytes, size_t n, struct hp_error *err)
{
	struct pack_counts *p = context;

	return hp_name_prescan(bytes, n, p->rest, err);
}

static void
release_counts(struct pack_counts *p)
{
	hp_tallies_release(&p->tallies);
	hp_instance_lengths_release(&p->lengths);
	hp_sink_abort(p->rest);
}

/*
 * Whether the numbers in the pack suggest that the packed dump is damaged. If
 * so, the caller reads the whole input, so that the damage and its offset are
 * reported as for any other input.
 */
static bool
packed_damaged(const struct pack_counts *p, const struct hp_histogram *g)
{
	const struct hp_class *class;
	struct hp_length length;

	return g->damaged || g->dumps != 1 ||
	       hp_instance_lengths_wrong(&p->lengths, &g->classes, &length,
					 &class);
}

/*
 * Run the ordinary pass over the dump without objects that a pack contains.
 * Then add the numbers of objects that the pack stores.
 */
static enum hp_status
run_histogram(struct pack_counts *p, struct hp_histogram *g,
	      struct hp_error *err)
{
	const struct hp_source_options raw = {.raw = true};
	struct hp_source *src = NULL;
	enum hp_status st = hp_sink_finish(p->rest, err);

	if (st == HP_OK)
		st = hp_sink_reopen(p->rest, &src, &raw, err);
	if (st != HP_OK)
		return st;
	st = hp_histogram_run(g, src, p->options, err);
	if (st == HP_OK)
		st = hp_tallies_merge(&g->tallies, &p->tallies, err);
	g->hints.id_bits |= p->facts.id_bits;
	g->hints.overlap |= p->facts.overlap;
	hp_source_close(src);
	if (st == HP_OK && packed_damaged(p, g))
		st = HP_UNSUPPORTED;
	if (st != HP_OK)
		hp_histogram_release(g);
	return st;
}

/*
 * Returns how much memory may be used to read the tables of the pack @raw, in
 * bytes. The dump without objects is kept in memory, and a malicious pack of a
 * few kilobytes could expand to gigabytes. So the limit depends on the size of
 * the pack. If a pack needs more memory, the caller reads the whole input part
 * by part instead.
 */
static uint64_t
explained_memory(struct hp_source *raw,
		 const struct hp_histogram_options *options)
{
	uint64_t left = hp_memory_left();
	uint64_t size = hp_source_size(raw), most = UINT64_C(256) << 20;

	most += size < UINT64_MAX / 32 ? 16 * size : UINT64_MAX / 2;
	return left < most ? left : most;
}

static enum hp_status
read_table_counts(struct hp_histogram *g, struct hp_source *raw,
		  const struct hp_histogram_options *options,
		  struct hp_error *err)
{
	struct pack_counts p = {.options = options};
	const struct hp_table_counts_options skim = {
		.memory = explained_memory(raw, options),
		.context = &p,
		.count = add_symbol_count,
		.put = append_bytes};
	enum hp_status st = hp_tallies_init(&p.tallies, err);

	if (st == HP_OK)
		st = hp_sink_open_temporary(&p.rest, err);
	if (st == HP_OK)
		st = hp_table_counts(raw, &skim, &p.facts, err);
	if (st == HP_OK)
		st = run_histogram(&p, g, err);
	release_counts(&p);
	return st;
}

static bool
is_regular_file(const char *path)
{
	struct stat sb;

	return strcmp(path, "-") != 0 && stat(path, &sb) == 0 &&
	       S_ISREG(sb.st_mode);
}

/*
 * If the file @path is a pack, open it, and store the source in *@src; the
 * caller closes the source. Otherwise set *@src to NULL.
 */
static enum hp_status
open_pack(const char *path, struct hp_source **src, struct hp_error *err)
{
	const struct hp_source_options raw = {.raw = true};
	enum hp_status st;

	*src = NULL;
	if (!is_regular_file(path))
		return HP_OK;
	st = hp_source_open(src, path, &raw, err);
	if (st != HP_OK || hp_table_counts_possible(*src))
		return st;
	hp_source_close(*src);
	*src = NULL;
	return HP_OK;
}

bool
hp_pack_histogram_is(const char *path)
{
	struct hp_source *src = NULL;
	bool is = open_pack(path, &src, NULL) == HP_OK && src;

	hp_source_close(src);
	return is;
}

enum hp_status
hp_pack_histogram_run(struct hp_histogram *g, const char *path,
		      uint64_t max_size,
		      const struct hp_histogram_options *options, bool *done,
		      struct hp_error *err)
{
	struct hp_source *src;
	enum hp_status st;

	*done = false;
	if (options->split || options->dump || max_size)
		return HP_OK;
	st = open_pack(path, &src, err);
	if (st != HP_OK || !src)
		return st;
	st = read_table_counts(g, src, options, err);
	*done = st == HP_OK;
	hp_source_close(src);
	return st == HP_UNSUPPORTED ? HP_OK : st;
}
