/*
 * histogram.h - count the objects of each class, and measure their sizes
 */
#ifndef HP_DIFF_COUNT_HISTOGRAM_H
#define HP_DIFF_COUNT_HISTOGRAM_H

#include "common/base/arena.h"
#include "common/base/hash.h"
#include "common/format/scan.h"
#include "common/graph/graph.h"
#include "common/model/classes.h"
#include "common/model/dialect.h"
#include "common/model/rules.h"
#include "common/model/size_fit.h"
#include "common/model/tables.h"
#include "common/model/undescribed.h"

/*
 * ----------------------------------------------------------------------
 * Count objects, and the lengths of arrays
 *
 * A tally is a counter for the objects of one class (or arrays of one primitive
 * type), in one Android heap and with one allocation trace. The bytes of these
 * objects are not counted: resolve.c computes them at the end of the dump,
 * because only then the memory layout (for example the size of a reference) is
 * known.
 */

enum hp_tally_kind {
	HP_TALLY_INSTANCES,
	HP_TALLY_OBJECT_ARRAYS,
	/* the `id` of the key is the number of a primitive type */
	HP_TALLY_PRIMITIVE_ARRAYS,
};

/*
 * A tally (counter of objects) stores the lengths of its first 16 arrays in a
 * list. When it counts more arrays, it allocates a table of counts.
 */
enum { HP_TALLY_EARLY = 16 };

/*
 * The key of a tally (counter): which objects it counts. The bytes of the key
 * are hashed and compared, so the struct has no padding.
 */
struct hp_tally_key {
	uint64_t id; /* class id, or number of a primitive type */
	/*
	 * allocation trace; 0 if a tally counts the objects of all traces
	 * together
	 */
	uint32_t trace;
	/*
	 * Android heap; 0 if a tally counts the objects of all heaps together
	 */
	uint32_t heap;
	uint64_t kind;
};

struct hp_tally {
	struct hp_tally_key key;
	uint64_t count;
	/*
	 * for arrays: sum of the numbers of their elements; for instances: sum
	 * of the bytes of their field data
	 */
	uint64_t elements;
	/*
	 * for instances: number of bytes of the field data of the first
	 * instance that was counted
	 */
	uint64_t length;
	/*
	 * For instances. least: the smallest distance in bytes from an instance
	 * to the next object in the dump; UINT64_MAX: none was measured.
	 * least_times: how many instances have this distance.
	 */
	uint64_t least, least_times;
	/*
	 * number of bytes outside the heap that the counted objects own, see
	 * native_sizes.c
	 */
	uint64_t native;
	/* for arrays: number of elements of the largest array */
	uint32_t largest;
	/*
	 * For arrays: by_residue[i] is the number of arrays whose length modulo
	 * n is i. n is the number of entries of by_residue. The sizes of the
	 * arrays, which include padding, are computed from these numbers. NULL:
	 * only `early` is used so far.
	 */
	uint64_t *by_residue;
	/*
	 * distances in memory from the counted objects to the next object, see
	 * struct hp_heap_sample
	 */
	struct hp_distances sampled;
	/*
	 * for the first arrays, until by_residue is allocated: the length of
	 * each array modulo the future number of entries of by_residue
	 */
	uint8_t early[HP_TALLY_EARLY];
};

/* A hash table of tallies (counters of objects). Tallies never move. */
struct hp_tallies {
	struct hp_tally **list;
	size_t cap, count;
	struct hp_hash_table table;
	struct hp_arena arena;
};

/*
 * Initialise an empty set of tallies (counters of objects). Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tallies_init(struct hp_tallies *t,
					   struct hp_error *err);
void hp_tallies_release(struct hp_tallies *t);

/*
 * Find or create the tally (counter) with the key @key. Returns NULL if out of
 * memory.
 */
struct hp_tally *hp_tallies_put(struct hp_tallies *t,
				const struct hp_tally_key *key);

/*
 * Returns the size in bytes of one element of the arrays that a tally (counter)
 * counts; for references always 4. The smaller the elements are, the more
 * different remainders (array length modulo a power of two) the tally must
 * count separately.
 */
unsigned hp_tally_width(const struct hp_tally_key *key);

/*
 * The slow case of hp_tally_array(): the list `early` of the tally (counter) is
 * full, so allocate by_residue. Returns false if out of memory.
 */
bool hp_tally_table(struct hp_tallies *t, struct hp_tally *tally);

/*
 * Count an array of @n elements. @mask: the number of entries of by_residue (a
 * power of two), minus 1. Returns false if out of memory.
 */
static inline bool
hp_tally_array(struct hp_tallies *t, struct hp_tally *tally, uint32_t n,
	       uint32_t mask)
{
	if (HP_UNLIKELY(n > tally->largest))
		tally->largest = n;
	if (HP_UNLIKELY(!tally->by_residue)) {
		if (tally->count < HP_TALLY_EARLY) {
			tally->early[tally->count++] = (uint8_t)(n & mask);
			tally->elements += n;
			return true;
		}
		if (!hp_tally_table(t, tally))
			return false;
	}
	tally->count++;
	tally->elements += n;
	tally->by_residue[n & mask]++;
	return true;
}

/*
 * Count @count arrays whose lengths have the remainder @residue, see
 * hp_tally.by_residue. The caller adds the numbers of elements to
 * tally->elements. Returns false if out of memory.
 */
bool hp_tally_arrays(struct hp_tallies *t, struct hp_tally *tally,
		     uint32_t residue, uint32_t count);

/**
 * hp_tallies_merge() - add the counts of all tallies (counters) in @from to
 * those in @into
 *
 * If @into is empty, the tables are swapped instead, so that nothing is copied.
 */
HP_MUST_USE enum hp_status hp_tallies_merge(struct hp_tallies *into,
					    struct hp_tallies *from,
					    struct hp_error *err);

/*
 * Returns the total shallow size in bytes of the arrays that a tally (counter)
 * counts. Each array element has @width bytes.
 */
uint64_t hp_tally_array_bytes(const struct hp_tally *tally,
			      const struct hp_size_model *layout,
			      unsigned width);

/*
 * ----------------------------------------------------------------------
 * Measure the sizes of objects by the distances between them
 *
 * The distance from one object to the next object in memory is the size of the
 * first one. With some garbage collectors, the JVM writes objects in the order
 * of references, not of addresses. Then the next object in memory may be
 * anywhere in the dump. So this module keeps a sample: all objects that are on
 * certain pages. A page is a range of 64 KB of addresses.
 *
 * As long as all pages fit in memory, all of them are in the sample. When they
 * do not, every second page is kept, then every fourth, and so on; a hash of
 * the page decides which pages are kept. So the sample does not depend on the
 * number of threads.
 */

enum {
	HP_SAMPLE_PAGE_BITS = 16,
	/* maximum number of objects in a sample; so many objects take 3 MB */
	HP_SAMPLES_MOST = 1 << 17,
};

/*
 * Returns the maximum number of objects in a struct hp_heap_sample. @memory:
 * the limit in bytes (--memory); 0: no limit.
 */
static inline size_t
hp_heap_sample_size(uint64_t memory)
{
	if (memory == 0 || memory >= 64 << 20)
		return HP_SAMPLES_MOST;
	return memory >= 32 << 20 ? HP_SAMPLES_MOST / 2 : HP_SAMPLES_MOST / 8;
}

struct hp_sampled {
	uint64_t id;
	/*
	 * the tally (counter) of this object; NULL: the object is a class
	 * object
	 */
	struct hp_tally *tally;
	uint32_t elements; /* number of elements, if the object is an array */
};

struct hp_heap_sample {
	struct hp_sampled *list;
	size_t count, cap;
	size_t most;	/* maximum number of objects in the sample */
	unsigned level; /* one of 2^level pages is in the sample */
	/*
	 * 1 + the number of the page for which `wanted` is valid; 0: it is not
	 * valid for any page yet
	 */
	uint64_t next_page;
	bool wanted;
};

static inline bool
hp_sample_is_wanted(uint64_t page, unsigned level)
{
	return level == 0 ||
	       page * UINT64_C(0x9E3779B97F4A7C15) >> (64 - level) == 0;
}

/*
 * The slow case of hp_heap_sample_add(): add an object, because its page is in
 * the sample. Returns false if out of memory.
 */
HP_MUST_USE bool hp_heap_sample_push(struct hp_heap_sample *s, uint64_t id,
				     struct hp_tally *tally, uint32_t elements);

/*
 * Add an object to the sample if its page is in the sample. The sample keeps
 * the pointer @tally to the counter of the object's class. Returns false if out
 * of memory.
 */
HP_MUST_USE HP_HOT bool
hp_heap_sample_add(struct hp_heap_sample *s, uint64_t id,
		   struct hp_tally *tally, uint32_t elements)
{
	uint64_t page = id >> HP_SAMPLE_PAGE_BITS;

	if (HP_UNLIKELY(page + 1 != s->next_page)) {
		s->next_page = page + 1;
		s->wanted = hp_sample_is_wanted(page, s->level);
	}
	return HP_LIKELY(!s->wanted) ||
	       hp_heap_sample_push(s, id, tally, elements);
}

void hp_heap_sample_release(struct hp_heap_sample *s);

/*
 * Add to @into the sample that another thread has collected. Returns false if
 * out of memory.
 */
HP_MUST_USE bool hp_heap_sample_merge(struct hp_heap_sample *into,
				      const struct hp_heap_sample *from);

/**
 * hp_heap_sample_measure() - measure the distance from each object of the
 * sample to the next object in memory, and add it to the tally of the object
 *
 * @wide: receives the distances of object arrays whose references have 8 bytes
 * @class_object: a function that is called with the distance of each class
 *   object
 *
 * Sorts the sample. Returns false if out of memory.
 */
HP_MUST_USE bool hp_heap_sample_measure(
	struct hp_heap_sample *s, struct hp_distances *wide,
	void (*class_object)(void *ctx, uint64_t id, uint64_t distance),
	void *ctx);

/* ----------------------------------------------------------------------
 * Measure the shallow sizes of the objects that a pass has counted
 */

/*
 * The data from which the sizes of objects are measured. `classes` and `tables`
 * are borrowed, and `classes` must be complete. `evidence` contains the
 * measured distances between neighbouring objects, by class and array type.
 */
struct hp_measure {
	const struct hp_classes *classes;
	const struct hp_tables *tables;
	struct hp_size_evidence evidence;
};

/*
 * Initialise @m, which collects the distances between neighbouring objects.
 * Returns HP_OK or HP_NOMEM. The caller must call hp_measure_release() in any
 * case.
 */
HP_MUST_USE enum hp_status hp_measure_init(struct hp_measure *m,
					   const struct hp_classes *classes,
					   const struct hp_tables *tables,
					   struct hp_error *err);
void hp_measure_release(struct hp_measure *m);

/*
 * Measure the distances between the objects of @sample. Add them to the tallies
 * (counters) of these objects and to m->evidence. Sorts the sample. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_measure_sample(struct hp_measure *m,
					     struct hp_heap_sample *sample,
					     struct hp_error *err);

/**
 * hp_measure_sizes() - compute the sizes of classes from the distances between
 * objects
 *
 * @tallies: all tallies (counters) of the dump; each contains the distances of
 *   its objects
 * @model: the detected size model; replaced by the one that fits the measured
 *   sizes best, see hp_size_fit()
 * @out: receives the measured sizes
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_measure_sizes(struct hp_measure *m, const struct hp_tallies *tallies,
		 unsigned id_size, struct hp_size_model *model,
		 struct hp_measured_sizes *out, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Count the objects of a dump in one pass
 *
 * Only the heads of sub-records are read; the contents of arrays are skipped.
 * resolve.c finds the names and sizes of classes.
 */

/*
 * Whether the objects of one class are counted separately for each Android
 * heap, and for each allocation trace; a set of bits.
 */
enum { HP_SPLIT_HEAP = 1, HP_SPLIT_TRACE = 2 };

struct hp_histogram_options {
	unsigned split;
	unsigned threads;
	/* number of the dump to count, from 1; 0: the last one of the file */
	unsigned dump;
	/*
	 * also collect the ids of all objects, from which the object graph is
	 * built
	 */
	bool nodes;
};

/* number of slots in the cache of classes that each thread has */
enum { HP_RECENT = 1024 };

struct hp_recent {
	/*
	 * The key of a slot in the cache of classes. id: the class id. split:
	 * the Android heap and the allocation trace, combined into one number.
	 */
	uint64_t id, split;
	struct hp_tally *tally;
};

struct hp_histogram_worker {
	struct hp_recent instances[HP_RECENT];
	struct hp_recent arrays[HP_RECENT];
	/*
	 * for each element type: the only tally (counter) of primitive arrays
	 * of this type; not used if arrays are counted for each heap or trace
	 */
	struct hp_tally *primitives[HP_TYPE_END];
	struct hp_tallies tallies;
	/*
	 * The previous object in this part of the dump: its tally (counter) and
	 * its id. The distance from this object to the next one is not measured
	 * yet. If the previous object is not an instance, the tally is `none`.
	 */
	struct hp_tally *before;
	uint64_t before_id;
	struct hp_tally none;
	struct hp_heap_sample sample;
	/*
	 * hints about which program wrote the dump, except for hints from the
	 * objects themselves
	 */
	struct hp_dialect_evidence evidence;
	struct hp_size_hints hints;
	struct hp_id_map heaps;
	struct hp_damage damage;
	struct hp_instance_lengths lengths;
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
	/* the sizes of classes that were measured in the dump */
	struct hp_measured_sizes measured;
	/*
	 * the size model (rules for the sizes of objects) that fits the
	 * measured sizes; valid if measured.objects > 0
	 */
	struct hp_size_model fitted;
	/*
	 * the tallies (counters of objects) of the chosen dump, merged from all
	 * threads
	 */
	struct hp_tallies tallies;
	/* maps the number of an Android heap to the string id of its name */
	struct hp_id_map heaps;
	/*
	 * maps the object id of a class loader to its struct hp_loader *, see
	 * class_loaders.c
	 */
	struct hp_id_map loaders;
	/* number and lengths of the filler objects, see fillers.c */
	struct hp_array_totals fillers;
	uint64_t filler_residues[64];
	struct hp_arena arena; /* memory for the list of class loaders */
	/* number of dumps in the file that were counted or skipped so far */
	unsigned dumps;
	/*
	 * the ids of all objects, for the object graph; NULL: the ids were not
	 * requested, or this pass did not collect them because they need too
	 * much memory
	 */
	struct hp_nodes nodes;
	/* number of dumps in the file; set after the whole file was read */
	unsigned held;
	/*
	 * number of ALLOC SITES, CPU SAMPLES and STRING records that were read
	 * before the next dump of the file started; only these records belong
	 * to the chosen dump
	 */
	size_t sites_until, samples_until, strings_until;
	/* whether the reader is inside the dump that is counted */
	bool current;
	/*
	 * the state of the search for damaged heap records, and the first
	 * damage that was found
	 */
	struct hp_heap_records heap_records;
	bool problem; /* whether the reader has reported damage */
	struct hp_damage damage;
	/*
	 * the damage to report, an element of `damage`; NULL: nothing is
	 * damaged
	 */
	const struct hp_symptom *damaged;
	struct hp_histogram_worker **workers;
	unsigned nworkers;
	uint64_t size; /* size of the input in bytes; UINT64_MAX: not known */
};

/**
 * hp_histogram_run() - read a dump and count its objects
 * @src: the dump, at its first byte
 *
 * Returns: HP_OK, even if the dump is damaged (see g->damaged); HP_IO,
 *          HP_LIMIT, HP_NOMEM.
 * Ownership: call hp_histogram_release(), also after a failure.
 */
HP_MUST_USE enum hp_status
hp_histogram_run(struct hp_histogram *g, struct hp_source *src,
		 const struct hp_histogram_options *options,
		 struct hp_error *err);

void hp_histogram_release(struct hp_histogram *g);

/*
 * Count the instances with fields that are not described, because the dump
 * lacks the class dump of their class or of a superclass. Instances whose only
 * fault is a wrong length do not count. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_histogram_undescribed(const struct hp_histogram *g,
			 struct hp_undescribed *out, struct hp_error *err);

#endif
