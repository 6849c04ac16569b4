/*
 * tables.c - export a dump as tables for databases: the order of the passes
 *
 * table_rows.c makes the rows for sub-records, table_records.c those for other
 * records.
 */
#include "convert/export/tables.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "convert/export/table_rows.h"

enum { PLANS_MOST = 64 << 20 };

/* Add the objects that a thread has counted to the sums of the current dump. */
static void
flush_sum(struct hp_table_pass *t, struct hp_table_worker *w)
{
	size_t place = hp_prepass_place(&t->prepass, w->plans.classes.number);

	if (place < t->prepass.ndumps) {
		pthread_mutex_lock(&t->lock);
		t->sums[place].objects += w->objects;
		t->sums[place].bytes += w->bytes;
		pthread_mutex_unlock(&t->lock);
	}
	w->objects = w->bytes = 0;
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct hp_table_pass *t = ctx;
	struct hp_table_worker *w = &t->workers[b->worker];
	enum hp_status st = HP_OK;

	if (r->kind == HP_RUN_BYTES)
		return HP_OK;
	w->batch = b;
	w->out = out;
	hp_object_classes_select_dump(&w->kinds, b->dump);
	if (w->plans.classes.number != b->dump)
		flush_sum(t, w);
	hp_dump_classes_select(&w->plans.classes, &t->prepass, b->dump);
	if (sub)
		st = hp_table_sub(w, sub, err);
	else
		st = hp_table_piece(w, r, err);
	hp_table_end_stretch(w);
	hp_buf_inherit(out, &w->prefix);
	return st;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct hp_table_pass *t = ctx;

	return rec->tag == HP_REC_STRING
		       ? hp_table_string_record(t->set, rec, body,
						t->prepass.header.id_size, err)
		       : HP_OK;
}

static enum hp_status
run_prepasses(struct hp_table_pass *t, struct hp_source *src,
	      struct hp_error *err)
{
	const struct hp_convert_options *o = t->options;
	uint64_t memory = hp_convert_memory(o);
	const struct hp_pass threads = hp_thread_names_note_pass(&t->threads);
	enum hp_status st = hp_prepass_run(&t->prepass, src, o->common.threads,
					   &threads, err);

	if (st == HP_OK)
		st = hp_thread_names_read(&t->threads, src, err);
	if (st == HP_OK)
		st = hp_name_cache_init(&t->naming, &t->prepass, hp_escape_tsv,
					err);
	t->naming.plan_most = memory / 4 < PLANS_MOST ? memory / 4 : PLANS_MOST;
	t->naming.own_most = memory / 2 / o->common.threads;
	if (st == HP_OK)
		st = hp_object_classes_run(&t->kinds, &t->naming, src,
					   o->common.threads,
					   memory - t->threads.bytes, err);
	if (st == HP_OK && t->kinds.limited)
		st = hp_fail(err, HP_LIMIT, "%s%s",
			     hp_object_classes_limit(&t->kinds),
			     t->kinds.tables.crowded ? "" : "; allow more");
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	t->sums = hp_calloc(t->prepass.ndumps + 1, sizeof(*t->sums));
	if (st == HP_OK && !t->sums)
		st = hp_no_memory(err);
	for (unsigned i = 0; i < o->common.threads; i++) {
		t->workers[i].pass = t;
		t->workers[i].kinds.kinds = &t->kinds;
	}
	return st;
}

/*
 * Write the rows of the tables "dumps" and "frames", for which the earlier
 * passes have collected the data.
 */
static enum hp_status
write_rest(struct hp_table_pass *t, struct hp_source *src, struct hp_error *err)
{
	const struct hp_convert_options *o = t->options;
	struct hp_table_dump d = {.path = o->input, .sums = t->sums};
	enum hp_status st;

	for (unsigned i = 0; i < o->common.threads; i++)
		flush_sum(t, &t->workers[i]);
	st = hp_dump_id_read(&d.id, src, o->input, err);
	if (st == HP_OK)
		st = hp_table_dump_rows(t->set, &t->prepass, &d, err);
	if (st == HP_OK)
		st = hp_table_frame_rows(t->set, &t->naming, err);
	/* free this memory before the next passes */
	hp_object_classes_release(&t->kinds);
	if (st == HP_OK)
		st = hp_table_waste_rows(t->set, src, &t->prepass.layout,
					 o->common.threads, t->prepass.dump,
					 err);
	return st == HP_OK ? hp_table_set_finish(t->set, err) : st;
}

static void
release_tables(struct hp_table_pass *t)
{
	for (unsigned i = 0; t->workers && i < t->options->common.threads;
	     i++) {
		hp_free(t->workers[i].plans.own);
		hp_buf_release(&t->workers[i].prefix);
		hp_undescribed_release(&t->workers[i].undescribed);
	}
	hp_free(t->workers);
	hp_free(t->sums);
	hp_thread_names_release(&t->threads);
	hp_object_classes_release(&t->kinds);
	hp_name_cache_release(&t->naming);
	hp_prepass_release(&t->prepass);
	pthread_mutex_destroy(&t->lock);
}

enum hp_status
hp_tables_convert(struct hp_source *src, struct hp_table_set *set,
		  const struct hp_convert_options *options,
		  struct hp_undescribed *undescribed, struct hp_error *err)
{
	struct hp_table_pass t = {
		.options = options,
		.set = set,
		.prepass = {.want_tables = true,
			    .want_layout = true,
			    .dump = (unsigned)options->common.dump}};
	const struct hp_transform pass = {.need = HP_NEED_EVERYTHING,
					  .memory = hp_convert_memory(options),
					  .ctx = &t,
					  .only_dump = t.prepass.dump,
					  .relieves = true,
					  .record = on_record,
					  .run = on_run,
					  .write = hp_table_write};
	enum hp_status st = HP_OK;

	t.threads =
		(struct hp_thread_names){.prepass = &t.prepass,
					 .memory = pass.memory,
					 .threads = options->common.threads};
	hp_thread_names_init(&t.threads);
	pthread_mutex_init(&t.lock, NULL);
	t.workers = hp_calloc(options->common.threads, sizeof(*t.workers));
	if (!t.workers)
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = run_prepasses(&t, src, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &pass,
					 options->common.threads, err);
	if (st == HP_OK)
		st = hp_undescribed_all(
			&t.workers->undescribed, sizeof(*t.workers),
			options->common.threads, undescribed, err);
	if (st == HP_OK)
		st = write_rest(&t, src, err);
	release_tables(&t);
	return st;
}
