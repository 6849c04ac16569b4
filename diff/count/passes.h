/*
 * passes.h - further passes over a dump: they count objects, or find names and
 * sizes
 */
#ifndef HP_DIFF_COUNT_PASSES_H
#define HP_DIFF_COUNT_PASSES_H

#include "common/model/java_string.h"
#include "diff/count/histogram.h"
#include "diff/keys/keys.h"

/* ----------------------------------------------------------------------
 * Read the chosen dump again, once its classes are known
 */

/* The callbacks of an extra pass; @ctx is passed to each of them. */
struct hp_extra_pass {
	enum hp_need need;
	void *ctx;
	/*
	 * Called for each sub-record, by several threads. A large array may
	 * arrive in pieces: then @piece describes the piece, and @s->data has
	 * its elements, if it has any. Returns false if out of memory.
	 */
	bool (*sub)(void *ctx, unsigned worker, const struct hp_sub *s,
		    const struct hp_piece *piece);
	/*
	 * Called for consecutive instances, which is faster than one call of
	 * sub() for each. The function reads as many instances as
	 * hp_heap_instance() finds, and moves @at after them. If the pointer is
	 * NULL, sub() is also called for instances. Returns false if out of
	 * memory.
	 */
	bool (*instances)(void *ctx, unsigned worker, struct hp_heap_iter *at);
	/*
	 * Whether the pass needs this batch (part of the dump). If the pointer
	 * is NULL, the pass needs all batches.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/*
	 * Called when another Android heap begins: the following sub-records
	 * belong to the heap with the number @heap. NULL: not needed.
	 */
	void (*heap)(void *ctx, unsigned worker, uint32_t heap);
	/*
	 * Called by each thread after each batch (part of the dump) that it has
	 * read; NULL: not needed. A status other than HP_OK ends the pass.
	 */
	enum hp_status (*batch)(void *ctx, unsigned worker,
				struct hp_error *err);
};

/**
 * hp_extra_pass_run() - read the counted dump once more
 * @src: the dump; must be rewindable, and is read from its first byte
 *
 * Damaged records are not reported, because the first pass has reported them.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_extra_pass_run(const struct hp_histogram *g,
					     struct hp_source *src,
					     const struct hp_extra_pass *again,
					     struct hp_error *err);

/* ----------------------------------------------------------------------
 * Read the texts of String objects in extra passes over a counted dump
 */

struct hp_texts_pass {
	struct hp_java_texts texts;
	/* the counted objects and the classes of the dump that is read */
	const struct hp_histogram *g;
	/*
	 * the first pass also reads the arrays of all Strings, so that no
	 * second pass is needed
	 */
	bool arrays;
	/*
	 * Whether a batch (part of the dump) may contain a wanted String or its
	 * array. If the pointer is NULL, every batch may.
	 */
	bool (*may_have)(const void *context, const struct hp_batch *b);
	const void *context;
};

/**
 * hp_texts_pass_run() - read the texts of the wanted Strings, in at most two
 * passes over the dump, or in one pass if the member `arrays` is true
 *
 * @src: the dump, which is read again from its first byte
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 * Ownership: call hp_texts_pass_release(), also after a failure; it frees the
 * texts.
 */
HP_MUST_USE enum hp_status hp_texts_pass_run(struct hp_texts_pass *t,
					     struct hp_source *src,
					     struct hp_error *err);
void hp_texts_pass_release(struct hp_texts_pass *t);

/* ----------------------------------------------------------------------
 * Find the classes and names of class loaders
 *
 * Several references lead from a class to the name of its class loader. The
 * class dump has the object id of the loader. From the loader, the fields of
 * loader_names.def lead to a String, in most cases one field. The String refers
 * to an array with the characters. Each of these records may be anywhere in the
 * dump, so each step takes a pass over the dump.
 */

/* maximum length of the name of a class loader, in UTF-16 units */
enum { HP_LOADER_NAME = 200 };

/*
 * A class loader. The map g->loaders maps the object id of each loader to its
 * struct hp_loader.
 */
struct hp_loader {
	/*
	 * class id of the loader; 0: the dump does not contain the loader
	 * object
	 */
	uint64_t class_id;
	/*
	 * the name of the loader, for example "webapp 'shop'", with control
	 * characters escaped; NULL: there is none
	 */
	const char *text;
	/* the entry of loader_names.def that the name is from, from 0 */
	unsigned naming;
};

/* The class loader with the object id @id. Returns NULL if there is none. */
const struct hp_loader *hp_loader_get(const struct hp_histogram *g,
				      uint64_t id);

/*
 * Put all class loaders of the dump into the map g->loaders, without their
 * classes and names. Returns false if out of memory.
 */
HP_MUST_USE bool hp_loaders_list(struct hp_histogram *g);

/**
 * hp_loaders_find() - find all class loaders of the dump and their names, after
 * hp_histogram_run()
 *
 * Fills the map g->loaders.
 *
 * @src: the dump; must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_loaders_find(struct hp_histogram *g,
					   struct hp_source *src,
					   struct hp_error *err);

/*
 * Estimate the filler arrays in dumps of HotSpot
 *
 * Garbage collectors fill unused space in the heap with filler arrays, which
 * appear as int[] in a dump. The dump does not mark them. So all int[] to which
 * no object refers are counted as filler arrays.
 */

/**
 * hp_fillers_find() - set g->fillers if the dump can have filler arrays, after
 * hp_histogram_run()
 * @src: the dump; must be rewindable, and is read at least twice
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fillers_find(struct hp_histogram *g,
					   struct hp_source *src,
					   struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * Find the memory outside the heap that objects own (native bytes)
 *
 * On Android, cleaner objects of NativeAllocationRegistry store the size of
 * such memory. The object that a cleaner watches is the owner of this memory.
 *
 * In a JVM, the size is the capacity of direct buffers. A buffer counts only if
 * it has a cleaner and is not a view of another buffer.
 *
 * Source: ahat, AhatInstance.asRegisteredNativeAllocation();
 * java.nio.DirectByteBuffer
 */

/*
 * The classes whose objects contain sizes of native memory (there are at most
 * HP_NATIVE_CLASSES), and the positions of the fields to read. Only
 * native_bytes.c uses the members of this struct.
 */
enum { HP_NATIVE_CLASSES = 4 };
struct hp_native_classes {
	/*
	 * the classes, in the order of enum speaker; NULL: the dump does not
	 * have the class
	 */
	const struct hp_class *top[HP_NATIVE_CLASSES];
	struct hp_field_place referent, next, thunk, registry, size;
	struct hp_field_place capacity, cleaner, attached;
};

/*
 * Find the classes whose objects contain sizes of native memory, in a counted
 * dump. Returns false if no object of the dump can own native memory.
 */
bool hp_native_classes_find(struct hp_native_classes *n,
			    const struct hp_histogram *g);
/* Whether objects of the class @c contain sizes of native memory. */
bool hp_native_classes_have(const struct hp_native_classes *n,
			    const struct hp_class *c);

/**
 * hp_native_bytes_read() - read how many bytes outside the heap each object
 * owns
 *
 * @src: the dump; must be rewindable, and is read once
 * @wanted: whether a part of the dump may contain an object for which
 *   hp_native_classes_have() returns true; NULL: every part may
 * @bytes: zeroed; receives the native bytes of each owner, by its id. The
 *   caller releases this map, also after a failure.
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_native_bytes_read(const struct hp_native_classes *n, struct hp_histogram *g,
		     struct hp_source *src,
		     bool (*wanted)(void *context, const struct hp_batch *b),
		     void *context, struct hp_id_map *bytes,
		     struct hp_error *err);

/**
 * hp_native_sizes_find() - find the native bytes (memory outside the heap) that
 * objects own, and add them to the tallies (counters) of these objects
 *
 * @src: the dump; must be rewindable, and is read twice
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_native_sizes_find(struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);

/* ----------------------------------------------------------------------
 * Make rows from records that are not part of the heap dump: ALLOC SITES, CPU
 * SAMPLES and MONITOR TIME
 */

/**
 * hp_site_records_add() - make rows from the dump's ALLOC SITES record: the
 * number and bytes of live objects of each allocation site
 *
 * @any: set to true if there is such a record
 *
 * The agent writes this record after the heap dump of the same request. So the
 * last such record before the next dump is used.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_site_records_add(const struct hp_column *c,
					       bool *any, struct hp_error *err);

/*
 * Make rows from the dump's CPU SAMPLES record: the number of samples or, if
 * the agent wrote a CPU TIME report, milliseconds. Also adds the number of
 * calls. @any: set to true if there is such a record. Returns HP_OK, HP_LIMIT
 * or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_cpu_samples_add(const struct hp_column *c,
					      bool *any, struct hp_error *err);

/*
 * Make rows from the last MONITOR TIME report of the file. The report may be
 * before or after the heap dump of the same request. @any: set to true if there
 * is such a report. Returns HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_records_monitors(const struct hp_column *c,
					       bool *any, struct hp_error *err);

#endif
