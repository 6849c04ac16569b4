/*
 * select_dump.c - extract one heap dump from a file that contains several
 *
 * The scan of the input skips the heap records of other dumps (option
 * only_dump). This file only has to remove the HEAP DUMP END records of other
 * dumps, so one pass is enough.
 */
#include "convert/filter/filter.h"

#include "common/format/scan.h"
#include "common/object_ids/id_map.h"
#include "convert/prepass/dump_tables.h"
#include "convert/copy/ordered_pass.h"

struct selection {
	struct hp_sink *sink;
	/* Only the reading thread uses the next two members. */
	struct hp_chosen_dump chosen;
	unsigned dumps; /* number of dumps that have begun so far */
	pthread_mutex_t lock;
	/*
	 * The indexes, in the file, of the HEAP DUMP END records of other
	 * dumps. Protected by `lock`.
	 */
	struct hp_id_map ends;
};

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct selection *c = ctx;
	bool ok = true;

	if (hp_chosen_dump_skips(&c->chosen, rec) &&
	    rec->tag == HP_REC_HEAP_DUMP_END) {
		pthread_mutex_lock(&c->lock);
		ok = hp_id_map_put(&c->ends, rec->ordinal, NULL);
		pthread_mutex_unlock(&c->lock);
	}
	if (c->chosen.last > c->dumps)
		c->dumps = c->chosen.last;
	return ok ? HP_OK : hp_no_memory(err);
}

static bool
is_dropped(struct selection *c, const struct hp_run *r)
{
	bool yes;

	if (r->kind != HP_RUN_BYTES)
		return false;
	pthread_mutex_lock(&c->lock);
	yes = hp_id_map_get(&c->ends, r->record) != NULL;
	pthread_mutex_unlock(&c->lock);
	return yes;
}

static enum hp_status
on_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	   struct hp_error *err)
{
	struct selection *c = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < b->nruns && st == HP_OK; i++) {
		const struct hp_run *r = &b->runs[i];
		/*
		 * The data of the first piece of an array begins with the fixed
		 * fields, and the elements follow.
		 */
		size_t at =
			r->kind == HP_RUN_ARRAY && r->piece.head ? 0 : r->at;

		if (is_dropped(c, r))
			continue;
		if (r->record_start)
			hp_sink_boundary(c->sink, hp_run_record(b, r));
		st = hp_sink_write(c->sink, b->data + at,
				   r->at - at + (size_t)r->length, err);
	}
	return st;
}

enum hp_status
hp_select_dump(struct hp_source *src, struct hp_sink *sink, unsigned dump,
	       unsigned threads, struct hp_error *err)
{
	struct selection c = {.sink = sink, .chosen.dump = dump};
	const struct hp_transform pass = {.need = HP_NEED_EVERYTHING,
					  .ctx = &c,
					  .record = on_record,
					  .retired = on_retired,
					  .only_dump = dump};
	enum hp_status st;

	pthread_mutex_init(&c.lock, NULL);
	st = hp_ordered_pass_run(src, NULL, &pass, threads, err);
	if (st == HP_OK && c.dumps < dump)
		st = hp_scan_no_dump(dump, c.dumps, err);
	hp_id_map_release(&c.ends);
	pthread_mutex_destroy(&c.lock);
	return st == HP_OK ? hp_sink_finish(sink, err) : st;
}
