/*
 * text_prepass.h - a prepass for the text output: events in order, roots,
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
	HP_EVENT_DUMP, /* at its first heap record */
	HP_EVENT_SITES,
	HP_EVENT_SAMPLES,
	HP_EVENT_CARRIED, /* a line that a STRING record holds */
};

struct hp_event {
	enum hp_event_kind kind;
	uint64_t offset;	      /* of the record */
	uint32_t time_us;	      /* since the header's time */
	uint32_t serial;	      /* of a thread; a dump's number */
	uint64_t object, name, group; /* THREAD_START; name: CARRIED, too */
};

/* The roots of one batch, as in the file. */
struct hp_root_chunk {
	uint64_t batch;
	unsigned dump;
	struct hp_buf bytes;
};

struct hp_text_prepass_dump {
	uint64_t end; /* offset of its last heap record */
	uint64_t objects, bytes;
	/* objects of JNI global roots: their trace serial + 1, 0: not met */
	struct hp_id_map globals;
};

struct hp_text_prepass {
	struct hp_prepass *prepass;
	unsigned threads;
	struct hp_vec events; /* struct hp_event, in file order */
	struct hp_vec dumps;  /* struct hp_text_prepass_dump, from dump 1 */
	struct hp_vec chunks; /* struct hp_root_chunk, by dump and batch */
	pthread_mutex_t lock;
	struct hp_text_prepass_worker *workers;
};

/**
 * hp_text_prepass_init() - nothing is known yet
 * @l:       zeroed
 * @prepass: with tables and layout, done when the totals begin; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_prepass_init(struct hp_text_prepass *l,
						struct hp_prepass *prepass,
						unsigned threads,
						struct hp_error *err);

/*
 * The first pass: order and roots. It needs heads, and
 * fails with HP_UNSUPPORTED, HP_NOMEM; problems of the dump it passes over.
 */
struct hp_pass hp_text_prepass_order(struct hp_text_prepass *l);

/**
 * hp_text_prepass_totals() - the second pass
 * @src:  is rewound before
 * @also: another pass to be made in the same scan, see scan_two.h; or NULL
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM; what @also returns.
 */
HP_MUST_USE enum hp_status hp_text_prepass_totals(struct hp_text_prepass *l,
						  struct hp_source *src,
						  const struct hp_pass *also,
						  struct hp_error *err);
void hp_text_prepass_release(struct hp_text_prepass *l);

/*
 * The size that the text gives to an object. As the agent does it: arrays of
 * primitives without a header; all else by the layout model.
 * @k: the instance's class, or NULL
 */
uint64_t hp_text_prepass_bytes(const struct hp_text_prepass *l,
			       const struct hp_sub *s,
			       const struct hp_class *k);

static inline struct hp_text_prepass_dump *
hp_text_prepass_dump(const struct hp_text_prepass *l, unsigned dump)
{
	return dump >= 1 && dump <= l->dumps.count
		       ? (struct hp_text_prepass_dump *)l->dumps.items +
				 (dump - 1)
		       : NULL;
}

#endif
