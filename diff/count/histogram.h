/*
 * histogram.h - count the objects of a dump in one pass
 *
 * Only the heads of sub-records are read; the contents of arrays are skipped.
 * resolve.c finds the names and sizes of classes.
 */
#ifndef HP_DIFF_COUNT_HISTOGRAM_H
#define HP_DIFF_COUNT_HISTOGRAM_H

#include "common/format/scan.h"
#include "common/graph/nodes.h"
#include "common/model/classes.h"
#include "common/model/damage.h"
#include "common/model/dialect.h"
#include "common/model/size_model.h"
#include "common/model/tables.h"
#include "common/model/undescribed.h"
#include "diff/budget.h"
#include "diff/count/tally.h"

/* What tallies are split by, besides the class. A bit set. */
enum { HP_SPLIT_HEAP = 1, HP_SPLIT_TRACE = 2 };

struct hp_histogram_options {
	unsigned split;
	unsigned threads;
	/* which dump of the file to count, from 1; 0: the last */
	unsigned dump;
	bool nodes; /* also collect the object ids for the object graph */
	struct hp_budget *budget; /* the budget of --memory */
};

enum { HP_RECENT = 1024 }; /* Slots of a worker's cache of classes. */

struct hp_recent {
	uint64_t id, split; /* Android heap and allocation trace */
	struct hp_tally *tally;
};

struct hp_histogram_worker {
	struct hp_recent instances[HP_RECENT];
	struct hp_recent arrays[HP_RECENT];
	/* tallies of primitive arrays, if nothing is split */
	struct hp_tally *primitives[HP_TYPE_END];
	struct hp_tallies tallies;
	/* evidence for the dialect, except from objects */
	struct hp_dialect_evidence evidence;
	struct hp_size_hints hints;
	struct hp_id_map heaps;
	struct hp_damage damage;
	struct hp_instance_lengths lengths;
	uint64_t noted; /* bytes charged to the memory budget */
};

struct hp_histogram {
	const struct hp_histogram_options *options;
	struct hp_header header;
	struct hp_tables tables;
	struct hp_classes classes;
	bool have_tables, have_classes;
	struct hp_string_taker strings;
	struct hp_dialect_evidence evidence;
	enum hp_dialect dialect;
	struct hp_size_hints hints;
	/* tallies of the chosen dump, merged from all workers */
	struct hp_tallies tallies;
	/* key: heap id; value: string id of its name */
	struct hp_id_map heaps;
	/* key: object id; value: struct hp_loader *, see class_loaders.h */
	struct hp_id_map loaders;
	/* int[] to which nothing refers, see fillers.h */
	struct hp_array_totals fillers;
	uint64_t filler_residues[64];
	struct hp_arena arena; /* memory of the loaders */
	unsigned dumps;	       /* dumps counted or skipped so far */
	/*
	 * the object ids found in this pass; the sets are NULL if they were not
	 * requested, or if facts became known too late to collect them
	 */
	struct hp_nodes nodes;
	unsigned held; /* dumps that the file contains */
	/*
	 * sizes of the tables where the dump after the chosen one starts; the
	 * reports of the chosen dump are before these
	 */
	size_t sites_until, samples_until, strings_until;
	bool current; /* the pass is inside the chosen dump */
	/* what is damaged in the file, and which damage comes first */
	struct hp_heap_records heap_records;
	bool problem; /* the reader found a problem */
	struct hp_damage damage;
	/* an entry of @damage; NULL: nothing is damaged */
	const struct hp_symptom *damaged;
	struct hp_histogram_worker **workers;
	unsigned nworkers;
	/* bytes charged to the memory budget */
	uint64_t noted_tables, noted_classes, noted_tallies, noted_loaders;
	uint64_t noted_nodes;
	uint64_t size; /* bytes of the input; UINT64_MAX: not known */
};

/**
 * hp_histogram_run() - read a dump and count its objects
 * @src: at its first byte
 *
 * Returns: HP_OK, even if the dump is damaged (see g->damaged); HP_IO,
 *          HP_LIMIT, HP_NOMEM.
 * Ownership: call hp_histogram_release() after a failure also.
 */
HP_MUST_USE enum hp_status
hp_histogram_run(struct hp_histogram *g, struct hp_source *src,
		 const struct hp_histogram_options *options,
		 struct hp_error *err);

void hp_histogram_release(struct hp_histogram *g);

/*
 * Count the instances whose fields no class dump describes. If the lengths in
 * the dump are wrong, the length in the class dump decides. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_histogram_undescribed(const struct hp_histogram *g,
			 struct hp_undescribed *out, struct hp_error *err);

/*
 * Charge bytes to the memory budget of the dump's options, see
 * hp_budget_note().
 */
HP_MUST_USE static inline enum hp_status
hp_histogram_note(const struct hp_histogram *g, uint64_t *noted, uint64_t now,
		  struct hp_error *err)
{
	return hp_budget_note(g->options->budget, noted, now, err);
}

#endif
