/*
 * histogram.h - the histogram: objects counted in one pass over a dump
 *
 * Only sub-record heads are looked at; array bodies are skipped. Which names
 * the classes have and what they weigh is left to resolve.c.
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

/* What tallies are split by, as bits. */
enum { HP_SPLIT_HEAP = 1, HP_SPLIT_TRACE = 2 };

struct hp_histogram_options {
	unsigned split;
	unsigned threads;
	unsigned dump;		  /* from 1; 0: the last one */
	bool nodes;		  /* the graph will be asked for its objects */
	struct hp_budget *budget; /* of --memory */
};

enum { HP_RECENT = 1024 }; /* classes that a worker remembers */

struct hp_recent {
	uint64_t id, split; /* split: heap and trace */
	struct hp_tally *tally;
};

struct hp_histogram_worker {
	struct hp_recent instances[HP_RECENT];
	struct hp_recent arrays[HP_RECENT];
	struct hp_tally *primitives[HP_TYPE_END]; /* where nothing is split */
	struct hp_tallies tallies;
	struct hp_dialect_evidence evidence; /* of the dump, but for objects */
	struct hp_size_hints hints;
	struct hp_id_map heaps;
	struct hp_damage damage;
	struct hp_instance_lengths lengths;
	uint64_t noted; /* bytes, for the budget */
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
	struct hp_tallies tallies; /* of the chosen dump, all workers' */
	struct hp_id_map heaps;	   /* heap id to the string id of its name */
	struct hp_id_map loaders;  /* loader objects to a struct hp_loader,
				      see class_loaders.h */
	/* int[] that nothing references, see fillers.h */
	struct hp_array_totals fillers;
	uint64_t filler_residues[64];
	struct hp_arena arena; /* of loaders */
	unsigned dumps;	       /* that were counted, or passed by before */
	/* what the pass has found of it: sets are NULL if nobody asked, or
	   what is known now was not known in time */
	struct hp_nodes nodes;
	unsigned held; /* that the file holds */
	/* how much of the tables stands before the dump behind the wanted one
	   begins: its reports are among that */
	size_t sites_until, samples_until, strings_until;
	bool current; /* inside the dump that is wanted */
	/* what is wrong with the file, and what of it comes first */
	struct hp_heap_records heap_records;
	bool problem; /* the reader had one */
	struct hp_damage damage;
	const struct hp_symptom *damaged; /* in @damage; NULL: nothing is */
	struct hp_histogram_worker **workers;
	unsigned nworkers;
	/* bytes, for the budget */
	uint64_t noted_tables, noted_classes, noted_tallies, noted_loaders;
	uint64_t noted_nodes;
	uint64_t size; /* of the input; UINT64_MAX: not known */
};

/**
 * hp_histogram_run() - read a dump and count
 * @src: from its first byte
 *
 * Returns: HP_OK whatever is wrong with the dump (look at g->damaged); HP_IO,
 *          HP_LIMIT, HP_NOMEM.
 * Ownership: hp_histogram_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_histogram_run(struct hp_histogram *g, struct hp_source *src,
		 const struct hp_histogram_options *options,
		 struct hp_error *err);

void hp_histogram_release(struct hp_histogram *g);

/*
 * How many instances have fields that no class dump describes. Of a dump whose
 * lengths are wrong the class's word counts. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_histogram_undescribed(const struct hp_histogram *g,
			 struct hp_undescribed *out, struct hp_error *err);

/* Note the bytes of who holds something of the dump, see hp_budget_note(). */
HP_MUST_USE static inline enum hp_status
hp_histogram_note(const struct hp_histogram *g, uint64_t *noted, uint64_t now,
		  struct hp_error *err)
{
	return hp_budget_note(g->options->budget, noted, now, err);
}

#endif
