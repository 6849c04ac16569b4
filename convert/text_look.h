/*
 * text_look.h - what the text needs to know before its first line: what comes
 * in which order, the roots, the totals
 */
#ifndef HP_CONVERT_TEXT_LOOK_H
#define HP_CONVERT_TEXT_LOOK_H

#include "common/buf.h"
#include "common/model/sizes.h"
#include "convert/survey.h"

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

struct hp_look_dump {
	uint64_t end; /* offset of its last heap record */
	uint64_t objects, bytes;
	/* objects of JNI global roots: their trace serial + 1, 0: not met */
	struct hp_id_map globals;
};

struct hp_look {
	struct hp_survey *survey;
	struct hp_header header;
	struct hp_vec events; /* struct hp_event, in file order */
	struct hp_vec dumps;  /* struct hp_look_dump, from dump 1 */
	struct hp_vec chunks; /* struct hp_root_chunk, by dump and batch */
	struct hp_layout layout;
	pthread_mutex_t lock;
	struct hp_look_worker *workers;
};

/**
 * hp_look_run() - two passes over @src, which is rewound before each
 * @l:      zeroed
 * @survey: done, with tables; borrowed
 *
 * Returns: HP_OK; HP_UNSUPPORTED, HP_IO, HP_LIMIT, HP_NOMEM. Problems of the
 *          dump are not looked at.
 */
HP_MUST_USE enum hp_status hp_look_run(struct hp_look *l,
				       struct hp_survey *survey,
				       struct hp_source *src, unsigned threads,
				       struct hp_error *err);
void hp_look_release(struct hp_look *l);

/*
 * The size that the text gives to an object. As the agent does it: arrays of
 * primitives without a header; all else by the layout model.
 * @k: the instance's class, or NULL
 */
uint64_t hp_look_bytes(const struct hp_look *l, const struct hp_sub *s,
		       const struct hp_class *k);

static inline struct hp_look_dump *
hp_look_dump(const struct hp_look *l, unsigned dump)
{
	return dump >= 1 && dump <= l->dumps.count
		       ? (struct hp_look_dump *)l->dumps.items + (dump - 1)
		       : NULL;
}

#endif
