/*
 * ordered_pass.c - convert parts of a dump ("batches") on several threads, and
 * write the results in file order
 */
#include "convert/copy/ordered_pass.h"

#include "common/base/memory.h"
#include "common/format/scan.h"

struct ordered_pass;

struct job {
	struct job *next_free;
	struct ordered_pass *o;
	struct hp_buf out;
	/* some output of this batch (part of the dump) is already written */
	bool begun;
	/*
	 * how many runs of the batch were converted completely; a run is a
	 * range of bytes of one kind, such as sub-records
	 */
	size_t walked;
	/* the error because of which the work on this batch ended early */
	struct hp_error error;
	/*
	 * error of hp_ordered_pass_relieve(), which has written output of this
	 * batch early, before the batch was complete
	 */
	struct hp_error unwritten;
};

struct ordered_pass {
	const struct hp_transform *t;
	struct hp_sink *sink;
	/*
	 * a buffer with more bytes than this is written before its batch (part
	 * of the dump) is complete
	 */
	size_t most;
	pthread_mutex_t lock; /* protects the following members */
	struct hp_framing framing;
	struct job *free;
	/* index of the batch (part of the dump) that is written next */
	uint64_t turn;
	/* writing a batch has failed, so no later batch is written */
	bool stopped;
	pthread_cond_t turns;

	/* ---- members for writing finished batches, in file order ---- */

	/* the pass has ended because the reading thread has found damage */
	bool told;
	/*
	 * if the input ends inside a sub-record: the error about this;
	 * otherwise HP_OK
	 */
	struct hp_error cut;
};

/*
 * Called when the reading thread has created a batch (part of the dump): store
 * the damage that the reading thread has found so far.
 */
static void
on_cut(void *ctx, const struct hp_batch *b)
{
	struct ordered_pass *o = ctx;

	pthread_mutex_lock(&o->lock);
	hp_framing_cut(&o->framing, b);
	pthread_mutex_unlock(&o->lock);
}

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct ordered_pass *o = ctx;

	pthread_mutex_lock(&o->lock);
	hp_framing_problem(&o->framing, p);
	pthread_mutex_unlock(&o->lock);
	if (o->t->problem)
		o->t->problem(o->t->ctx, p);
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	enum hp_status st;

	pthread_mutex_lock(&o->lock);
	st = hp_framing_header(&o->framing, h, err);
	pthread_mutex_unlock(&o->lock);
	if (st == HP_OK && o->t->header)
		st = o->t->header(o->t->ctx, h, err);
	return st;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	enum hp_status st;

	pthread_mutex_lock(&o->lock);
	st = hp_framing_record(&o->framing, rec, body, err);
	if (o->t->strips)
		hp_framing_unknown_payload(&o->framing, rec);
	pthread_mutex_unlock(&o->lock);
	if (st == HP_OK && o->t->record)
		st = o->t->record(o->t->ctx, rec, body, err);
	return st;
}

static enum hp_status
on_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	enum hp_status st;

	pthread_mutex_lock(&o->lock);
	st = hp_framing_dump_begin(&o->framing, err);
	pthread_mutex_unlock(&o->lock);
	return st;
}

static enum hp_status
on_dump_end(void *ctx, unsigned dump, struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	enum hp_status st;

	pthread_mutex_lock(&o->lock);
	st = hp_framing_dump_end(&o->framing, err);
	pthread_mutex_unlock(&o->lock);
	return st;
}

static struct job *
job_acquire(struct ordered_pass *o)
{
	struct job *j;

	pthread_mutex_lock(&o->lock);
	j = o->free;
	if (j)
		o->free = j->next_free;
	pthread_mutex_unlock(&o->lock);
	if (!j)
		j = hp_calloc(1, sizeof(*j));
	if (j) {
		hp_buf_clear(&j->out);
		j->o = o;
		j->begun = false;
		j->walked = 0;
		j->error = j->unwritten = (struct hp_error){0};
	}
	return j;
}

static void
job_release(struct ordered_pass *o, struct job *j)
{
	pthread_mutex_lock(&o->lock);
	j->next_free = o->free;
	o->free = j;
	pthread_mutex_unlock(&o->lock);
}

/*
 * Allow the batch with the index @next to be written, because the batch before
 * it was written or discarded.
 */
static void
turn_to(struct ordered_pass *o, uint64_t next, bool stopped)
{
	pthread_mutex_lock(&o->lock);
	o->turn = next;
	o->stopped |= stopped;
	pthread_cond_broadcast(&o->turns);
	pthread_mutex_unlock(&o->lock);
}

/*
 * Write the finished results of a batch (part of the dump). The caller has
 * already written all earlier batches.
 */
static enum hp_status
write_out(struct ordered_pass *o, const struct hp_batch *b, struct job *j,
	  struct hp_error *err)
{
	struct hp_batch done = *b;
	enum hp_status st = HP_OK;

	done.nruns = j->walked;
	if (o->t->retired)
		st = o->t->retired(o->t->ctx, &done, &j->out, err);
	j->begun = true;
	if (st != HP_OK || j->out.len == 0 || (!o->sink && !o->t->write))
		return st;
	return o->t->write
		       ? o->t->write(o->t->ctx, b, &j->out, err)
		       : hp_sink_write(o->sink, j->out.data, j->out.len, err);
}

/*
 * Returns the size in bytes at which an output buffer is written before its
 * batch (part of the dump) is complete. The buffers of all @threads threads
 * together use only a small part of @memory.
 */
static size_t
most_buffered(uint64_t memory, unsigned threads)
{
	uint64_t most = memory / 8 / (2 * (uint64_t)threads + 2);

	if (most > HP_INORDER_MOST)
		return HP_INORDER_MOST;
	return most > HP_INORDER_LEAST ? (size_t)most : HP_INORDER_LEAST;
}

/*
 * Wait until all earlier batches (parts of the dump) are written, then write
 * the output of the batch @b so far. The waiting cannot cause a deadlock:
 * threads take batches in file order, so other threads are working on the
 * earlier ones. If the reading thread found damage in the batch @b, nothing of
 * it is written.
 */
void
hp_ordered_pass_write_ahead(const struct hp_batch *b)
{
	struct job *j = b->user;
	struct ordered_pass *o = j->o;
	bool stopped;

	if (!o->t->relieves || j->out.len <= o->most || !hp_buf_ok(&j->out))
		return;
	pthread_mutex_lock(&o->lock);
	while (o->turn < b->index && !o->stopped)
		pthread_cond_wait(&o->turns, &o->lock);
	stopped = o->stopped || o->cut.status != HP_OK ||
		  hp_framing_until(&o->framing, b, NULL) != HP_OK;
	pthread_mutex_unlock(&o->lock);
	if (!stopped && j->unwritten.status == HP_OK)
		write_out(o, b, j, &j->unwritten);
	hp_buf_clear(&j->out);
}

static enum hp_status
walk_subs(struct ordered_pass *o, struct hp_batch *b, size_t i, struct job *j,
	  struct hp_error *err)
{
	unsigned id_size = o->framing.id_size;
	struct hp_heap_iter it = hp_run_iter(b, i);
	struct hp_sub sub = {0};
	enum hp_status st = HP_OK;

	while (st == HP_OK && hp_heap_next(&it, &sub, id_size)) {
		hp_heap_prefetch_behind(it.at, sub.size, HP_AHEAD_BUSY);
		st = hp_framing_subrecord(&o->framing, b, &b->runs[i], &sub,
					  err);
		if (st == HP_OK && o->t->run)
			st = o->t->run(o->t->ctx, b, &b->runs[i], &sub, &j->out,
				       err);
	}
	return st == HP_OK ? hp_framing_stop(&it, err) : st;
}

static enum hp_status
walk_run(struct ordered_pass *o, struct hp_batch *b, size_t i, struct job *j,
	 struct hp_error *err)
{
	const struct hp_run *r = &b->runs[i];
	enum hp_status st = HP_OK;

	if (r->kind == HP_RUN_SUBS)
		return o->t->walk
			       ? o->t->walk(o->t->ctx, &o->framing, b, i, err)
			       : walk_subs(o, b, i, j, err);
	if (r->kind == HP_RUN_ARRAY && r->piece.head)
		st = hp_framing_subrecord(&o->framing, b, r, &r->piece.sub,
					  err);
	if (st == HP_OK && o->t->run)
		st = o->t->run(o->t->ctx, b, r, NULL, &j->out, err);
	return st;
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	struct job *j = job_acquire(o);
	enum hp_status st = HP_OK;

	if (!j)
		return hp_no_memory(err);
	b->user = j;
	if (o->t->begin)
		o->t->begin(o->t->ctx, b);
	for (; j->walked < b->nruns && st == HP_OK; j->walked += st == HP_OK)
		st = walk_run(o, b, j->walked, j, err);
	hp_framing_worked(&o->framing, b);
	if (o->t->end)
		o->t->end(o->t->ctx, b, &j->out);
	if (st == HP_OK && !hp_buf_ok(&j->out))
		st = hp_no_memory(err);
	/*
	 * on_retired() will report this error, because errors are reported in
	 * file order
	 */
	if (j->unwritten.status != HP_OK) {
		j->error = j->unwritten;
	} else if (st != HP_OK) {
		j->error = *err;
		/*
		 * Store the status explicitly, because a callback may return a
		 * status without setting the error.
		 */
		j->error.status = st;
	}
	*err = (struct hp_error){0};
	return HP_OK;
}

/*
 * Wait until all earlier batches (parts of the dump) are written, then write
 * the results of this batch. If damage has ended the work on this batch, its
 * results are written only if `relieves` is set: a part of them may already be
 * written, and the number of written bytes must not depend on timing.
 */
static enum hp_status
write_in_turn(struct ordered_pass *o, const struct hp_batch *b, struct job *j,
	      struct hp_error *err)
{
	enum hp_status st = j->error.status;
	bool damaged = st == HP_DAMAGED || st == HP_TRUNCATED;

	if (o->cut.status == HP_OK &&
	    (st == HP_OK || (damaged && o->t->relieves)) &&
	    write_out(o, b, j, err) != HP_OK)
		return err->status;
	if (st != HP_TRUNCATED)
		return hp_fail_as(err, &j->error);
	o->cut = j->error;
	return HP_OK;
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct ordered_pass *o = ctx;
	struct job *j = b->user;
	enum hp_status st;
	bool some;

	pthread_mutex_lock(&o->lock);
	st = hp_framing_until(&o->framing, b, err);
	o->told = st != HP_OK;
	if (st == HP_OK)
		st = hp_framing_retired(&o->framing, b, err);
	pthread_mutex_unlock(&o->lock);
	some = j->begun || j->out.len > 0;
	if (st == HP_OK)
		st = write_in_turn(o, b, j, err);
	if (st == HP_OK && o->sink && some)
		hp_sink_boundary(o->sink, 0);
	job_release(o, j);
	b->user = NULL;
	turn_to(o, b->index + 1, st != HP_OK);
	return st;
}

static void
on_dropped(void *ctx, struct hp_batch *b)
{
	if (b->user)
		job_release(ctx, b->user);
	b->user = NULL;
	turn_to(ctx, b->index + 1, true);
}

enum hp_status
hp_ordered_pass_run(struct hp_source *src, struct hp_sink *sink,
		    const struct hp_transform *transform, unsigned threads,
		    struct hp_error *err)
{
	struct ordered_pass o = {
		.t = transform,
		.sink = sink,
		.most = most_buffered(transform->memory, threads)};
	const struct hp_pass pass = {.need = transform->need,
				     .in_place = transform->in_place,
				     .ctx = &o,
				     .problem = on_problem,
				     .header = on_header,
				     .record = on_record,
				     .dump_begin = on_dump_begin,
				     .dump_end = on_dump_end,
				     .cut = on_cut,
				     .batch = on_batch,
				     .retired = on_retired,
				     .dropped = on_dropped};
	const struct hp_scan_options so = {.threads = threads,
					   .only_dump = transform->only_dump};
	struct job *next;
	enum hp_status st;

	pthread_mutex_init(&o.lock, NULL);
	pthread_cond_init(&o.turns, NULL);
	st = hp_framing_init(&o.framing, threads, transform->memory, err);
	o.framing.framing_only = transform->framing_only;
	if (st == HP_OK)
		st = hp_scan(src, &pass, &so, err);
	if (st == HP_OK)
		st = hp_framing_end(&o.framing, src, err);
	else if (st == HP_DAMAGED && o.told)
		st = hp_framing_cause(&o.framing, src, err);
	if (st == HP_OK && o.cut.status != HP_OK)
		st = hp_fail(err, HP_DAMAGED, "%s", o.cut.text);
	for (struct job *j = o.free; j; j = next) {
		next = j->next_free;
		hp_buf_release(&j->out);
		hp_free(j);
	}
	hp_framing_release(&o.framing);
	pthread_mutex_destroy(&o.lock);
	pthread_cond_destroy(&o.turns);
	return st;
}

enum hp_status
hp_ordered_pass_blame(struct hp_source *src, enum hp_status st,
		      unsigned threads, struct hp_error *err)
{
	const struct hp_transform look = {.need = HP_NEED_HEADS};
	struct hp_error damage = {0};

	if (st == HP_DAMAGED && hp_source_rewind(src, &damage) == HP_OK &&
	    hp_ordered_pass_run(src, NULL, &look, threads, &damage) ==
		    HP_DAMAGED)
		*err = damage;
	return st;
}
