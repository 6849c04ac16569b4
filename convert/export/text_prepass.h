/*
 * text_prepass.h - prepasses for the text output: order of events, roots,
 * totals
 */
#ifndef HP_CONVERT_EXPORT_TEXT_PREPASS_H
#define HP_CONVERT_EXPORT_TEXT_PREPASS_H

#include "common/base/buf.h"
#include "common/base/vec.h"
#include "convert/pass/class_prepass.h"

enum hp_event_kind {
	HP_EVENT_THREAD_START,
	HP_EVENT_THREAD_END,
	HP_EVENT_DUMP, /* a heap dump, at its first heap record */
	HP_EVENT_SITES,
	HP_EVENT_SAMPLES,
	/* a line of the original text that a STRING record carries */
	HP_EVENT_CARRIED,
};

struct hp_event {
	enum hp_event_kind kind;
	uint64_t offset; /* offset of the record */
	/* microseconds since the time in the header */
	uint32_t time_us;
	/* serial of a thread, or number of a dump */
	uint32_t serial;
	/* object id and string ids of THREAD_START; CARRIED uses only @name */
	uint64_t object, name, group;
};

/* The roots of one batch, as bytes in the format of the file. */
struct hp_root_chunk {
	uint64_t batch;
	unsigned dump;
	struct hp_buf bytes;
};

struct hp_text_prepass_dump {
	uint64_t end; /* offset of the last heap record of the dump */
	uint64_t objects, bytes;
	/*
	 * ids of the objects of JNI global roots -> trace serial + 1; 0: not
	 * known yet
	 */
	struct hp_id_map globals;
};

struct hp_text_prepass {
	struct hp_prepass *prepass;
	unsigned threads;
	struct hp_vec events; /* list of struct hp_event, in file order */
	/* list of struct hp_text_prepass_dump, from dump 1 on */
	struct hp_vec dumps;
	/* list of struct hp_root_chunk, sorted by dump and batch */
	struct hp_vec chunks;
	pthread_mutex_t lock;
	struct hp_text_prepass_worker *workers;
};

/**
 * hp_text_prepass_init() - initialise
 * @l: zeroed
 * @prepass: with tables and layout; must be finished before the totals begin;
 *           borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_prepass_init(struct hp_text_prepass *l,
						struct hp_prepass *prepass,
						unsigned threads,
						struct hp_error *err);

/*
 * Returns the first pass, which collects the order of events and the roots. It
 * needs heads, and can fail with HP_UNSUPPORTED or HP_NOMEM. It ignores damage.
 */
struct hp_pass hp_text_prepass_order(struct hp_text_prepass *l);

/**
 * hp_text_prepass_totals() - run the second pass, which counts objects and
 * bytes
 * @src: is rewound first
 * @also: another pass to run during the same scan, see scan_two.h; or NULL
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM; a status of @also.
 */
HP_MUST_USE enum hp_status hp_text_prepass_totals(struct hp_text_prepass *l,
						  struct hp_source *src,
						  const struct hp_pass *also,
						  struct hp_error *err);
void hp_text_prepass_release(struct hp_text_prepass *l);

/*
 * Returns the size that the text shows for an object. As in the agent, it is
 * without a header for primitive arrays, and follows the layout model for other
 * objects. @k: the class of an instance, or NULL.
 */
uint64_t hp_text_prepass_bytes(const struct hp_text_prepass *l,
			       const struct hp_sub *s,
			       const struct hp_class *k);

/* Returns the data of dump number @dump, or NULL if there is no such dump. */
static inline struct hp_text_prepass_dump *
hp_text_prepass_dump(const struct hp_text_prepass *l, unsigned dump)
{
	return dump >= 1 && dump <= l->dumps.count
		       ? (struct hp_text_prepass_dump *)l->dumps.items +
				 (dump - 1)
		       : NULL;
}

#endif
