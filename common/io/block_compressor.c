/*
 * block_compressor.c - cuts an output into blocks, has them compressed by
 * workers, and writes them in order from a thread of its own
 *
 * What a compressed block looks like is left to the encoders.
 */
#include "common/io/block_compressor.h"
#include "common/io/worker_pool.h"
#include "common/base/threads.h"

#include <stdlib.h>
#include <string.h>

struct hp_compressor {
	const struct hp_block_encoder *encoder;
	struct hp_output_file *target;
	int level;
	struct hp_worker_pool *pool; /* NULL: without threads */
	pthread_t writer;
	bool writing; /* the writer was started */

	/* without threads */
	struct hp_compressor_block own;
	void *own_worker;

	/* the caller's */
	struct hp_compressor_block *block; /* being filled; NULL: none */
	bool any;			   /* a block was begun */

	/* the writer's; the caller's after it was joined */
	struct hp_compressor_frame
		*frames; /* only for encoders with a trailer */
	size_t frames_count, frames_room;
	_Atomic uint64_t *written;

	pthread_mutex_t lock;
	struct hp_error error; /* the first failure, under lock */
};

/* Notes a failure of a thread and lets everything end. */
static void
note_failure(struct hp_compressor *p, const struct hp_error *err)
{
	pthread_mutex_lock(&p->lock);
	if (p->error.status == HP_OK)
		p->error = *err;
	pthread_mutex_unlock(&p->lock);
	if (p->pool)
		hp_worker_pool_stop(p->pool);
}

/* The failure that was noted, for the caller. */
static enum hp_status
noted_failure(struct hp_compressor *p, struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&p->lock);
	st = p->error.status;
	if (st != HP_OK)
		hp_fail(err, st, "%s", p->error.text);
	pthread_mutex_unlock(&p->lock);
	return st;
}

static void *
worker_open(void *context)
{
	struct hp_compressor *p = context;

	return p->encoder->worker_open(p->level);
}

static void
compress_block(void *context, void *worker, void *slot)
{
	struct hp_compressor *p = context;
	struct hp_compressor_block *b = slot;
	size_t room = p->encoder->bound(b->in_len);

	b->status = HP_NOMEM;
	if (b->out_room < room) {
		free(b->out);
		b->out = malloc(room);
		b->out_room = b->out ? room : 0;
	}
	if (b->out && p->encoder->encode(worker, b))
		b->status = HP_OK;
}

static void
block_release(void *slot)
{
	struct hp_compressor_block *b = slot;

	free(b->in);
	free(b->out);
}

static enum hp_status
remember_frame(struct hp_compressor *p, const struct hp_compressor_block *b,
	       struct hp_error *err)
{
	const uint8_t *end = b->out + b->out_len;

	if (p->frames_count == p->frames_room) {
		size_t room = 2 * p->frames_room + 64;
		void *list = realloc(p->frames, room * sizeof(*p->frames));

		if (!list)
			return hp_fail(err, HP_NOMEM, "out of memory");
		p->frames = list;
		p->frames_room = room;
	}
	p->frames[p->frames_count++] = (struct hp_compressor_frame){
		.packed = (uint32_t)b->out_len,
		.plain = (uint32_t)b->in_len,
		.last_word = (uint32_t)end[-4] | (uint32_t)end[-3] << 8 |
			     (uint32_t)end[-2] << 16 | (uint32_t)end[-1] << 24,
	};
	return HP_OK;
}

static enum hp_status
write_output(struct hp_compressor *p, const void *buf, size_t n,
	     struct hp_error *err)
{
	enum hp_status st = hp_output_file_write(p->target, buf, n, err);

	if (st == HP_OK)
		atomic_fetch_add_explicit(p->written, n, memory_order_relaxed);
	return st;
}

/* Writes a block that was compressed. False: it failed, which is noted. */
static bool
write_block(struct hp_compressor *p, const struct hp_compressor_block *b)
{
	struct hp_error err = {0};
	enum hp_status st = b->status;

	if (st != HP_OK)
		hp_fail(&err, st, "out of memory");
	if (st == HP_OK)
		st = write_output(p, b->out, b->out_len, &err);
	if (st == HP_OK && p->encoder->trailer)
		st = remember_frame(p, b, &err);
	if (st != HP_OK)
		note_failure(p, &err);
	return st == HP_OK;
}

static void *
writer_main(void *argument)
{
	struct hp_compressor *p = argument;
	struct hp_compressor_block *b;

	while ((b = hp_worker_pool_take(p->pool)) && write_block(p, b))
		hp_worker_pool_give(p->pool);
	return NULL;
}

static enum hp_status
start_threads(struct hp_compressor *p, unsigned threads, struct hp_error *err)
{
	struct hp_worker_pool_options o = {
		.threads = threads,
		.slots = threads + 2,
		.slot_size = sizeof(struct hp_compressor_block),
		.work = compress_block,
		.worker_open = worker_open,
		.worker_close = p->encoder->worker_close,
		.slot_release = block_release,
		.context = p,
	};
	enum hp_status st;

	if (threads == 0) {
		p->own_worker = worker_open(p);
		return p->own_worker ? HP_OK
				     : hp_fail(err, HP_NOMEM, "out of memory");
	}
	st = hp_worker_pool_open(&p->pool, &o, err);
	if (st == HP_OK)
		st = hp_thread_start(&p->writer, writer_main, p, err);
	p->writing = st == HP_OK;
	return st;
}

/* How many of @threads fit in @memory, each with a block, and two under way. */
static unsigned
threads_within(const struct hp_block_encoder *e, int level, unsigned threads,
	       uint64_t memory)
{
	uint64_t block = e->good + e->bound(e->good);

	return memory == 0 ? threads
			   : hp_threads_within(threads, memory, 2 * block,
					       e->working(level) + block);
}

enum hp_status
hp_compressor_open(struct hp_compressor **out, struct hp_output_file *target,
		   const struct hp_block_encoder *encoder, int level,
		   unsigned threads, uint64_t memory, _Atomic uint64_t *written,
		   struct hp_error *err)
{
	struct hp_compressor *p;
	enum hp_status st;

	*out = NULL;
	level = level ? level : encoder->level_default;
	if (level < encoder->level_least || level > encoder->level_most)
		return hp_fail(err, HP_UNSUPPORTED,
			       "compression level %d is not from %d to %d",
			       level, encoder->level_least,
			       encoder->level_most);
	if (memory > 0 && encoder->working(level) > memory)
		return hp_fail(err, HP_LIMIT,
			       "compression level %d takes %zu MB, more than "
			       "--memory leaves; allow more",
			       level, encoder->working(level) >> 20);
	p = calloc(1, sizeof(*p));
	if (!p)
		return hp_fail(err, HP_NOMEM, "out of memory");
	p->encoder = encoder;
	p->target = target;
	p->level = level;
	p->written = written;
	pthread_mutex_init(&p->lock, NULL);
	st = start_threads(p, threads_within(encoder, level, threads, memory),
			   err);
	if (st != HP_OK) {
		hp_compressor_close(p);
		return st;
	}
	*out = p;
	return HP_OK;
}

/* Makes p->block a block that can be filled. */
static enum hp_status
block_begin(struct hp_compressor *p, struct hp_error *err)
{
	struct hp_compressor_block *b =
		p->pool ? hp_worker_pool_fill(p->pool) : &p->own;
	enum hp_status st = b && p->pool ? HP_OK : noted_failure(p, err);

	if (st != HP_OK)
		return st;
	if (!b->in) {
		b->in = malloc(p->encoder->most);
		if (!b->in)
			return hp_fail(err, HP_NOMEM, "out of memory");
		b->in_room = p->encoder->most;
	}
	b->in_len = 0;
	b->first = !p->any;
	p->any = true;
	p->block = b;
	return HP_OK;
}

static void
block_end(struct hp_compressor *p)
{
	if (p->pool) {
		hp_worker_pool_put(p->pool, true);
	} else {
		compress_block(p, p->own_worker, p->block);
		write_block(p, p->block);
	}
	p->block = NULL;
}

enum hp_status
hp_compressor_write(struct hp_compressor *p, const void *buf, size_t n,
		    struct hp_error *err)
{
	const uint8_t *from = buf;
	enum hp_status st;

	while (n > 0) {
		struct hp_compressor_block *b;
		size_t k;

		if (!p->block) {
			st = block_begin(p, err);
			if (st != HP_OK)
				return st;
		}
		b = p->block;
		k = n < b->in_room - b->in_len ? n : b->in_room - b->in_len;
		memcpy(b->in + b->in_len, from, k);
		b->in_len += k;
		from += k;
		n -= k;
		if (b->in_len == b->in_room)
			block_end(p);
	}
	return HP_OK;
}

void
hp_compressor_boundary(struct hp_compressor *p, uint64_t next)
{
	const struct hp_compressor_block *b = p->block;

	if (b && (b->in_len >= p->encoder->good ||
		  (next <= b->in_room && next > b->in_room - b->in_len)))
		block_end(p);
}

static enum hp_status
write_trailer(struct hp_compressor *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint8_t *buf = NULL;
	size_t len = 0;

	if (!p->encoder->trailer)
		return HP_OK;
	if (!p->encoder->trailer(p->frames, p->frames_count, &buf, &len))
		return hp_fail(err, HP_NOMEM, "out of memory");
	if (len > 0)
		st = write_output(p, buf, len, err);
	free(buf);
	return st;
}

enum hp_status
hp_compressor_finish(struct hp_compressor *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	/* An empty output has one empty block. */
	if (!p->any)
		st = block_begin(p, err);
	if (st != HP_OK)
		return st;
	if (p->block)
		block_end(p);
	if (p->pool) {
		hp_worker_pool_end(p->pool);
		pthread_join(p->writer, NULL);
		p->writing = false;
	}
	st = noted_failure(p, err);
	return st == HP_OK ? write_trailer(p, err) : st;
}

void
hp_compressor_close(struct hp_compressor *p)
{
	if (!p)
		return;
	if (p->pool)
		hp_worker_pool_stop(p->pool);
	if (p->writing)
		pthread_join(p->writer, NULL);
	hp_worker_pool_close(p->pool);
	block_release(&p->own);
	if (p->own_worker)
		p->encoder->worker_close(p->own_worker);
	pthread_mutex_destroy(&p->lock);
	free(p->frames);
	free(p);
}
