/*
 * block_compressor.c - divide an output into blocks, compress them on several
 * threads, and write them in order
 *
 * gzip_out.c and zstd_out.c compress single blocks.
 */
#include "common/sink/internal.h"
#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/sink/sink.h"
#include "common/base/threads.h"

#include <string.h>

struct hp_compressor {
	const struct hp_block_encoder *encoder;
	struct hp_output_file *target;
	int level;
	struct hp_ordered_writer writer;

	/* The members below are used only by the calling thread. */
	/* the block of the output that is being filled; NULL: there is none */
	struct hp_compressor_block *block;
	bool any; /* at least one block was begun */

	/*
	 * The thread that writes uses the next three members. After
	 * hp_ordered_writer_finish(), the calling thread may use them.
	 */
	/*
	 * the sizes of all blocks written so far; only used if the compressed
	 * format has a seek table at the end
	 */
	struct hp_compressor_frame *frames;
	size_t frames_count, frames_room;
	_Atomic uint64_t *written;
};

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
		hp_free(b->out);
		b->out = hp_malloc(room);
		b->out_room = b->out ? room : 0;
	}
	if (b->out && p->encoder->encode(worker, b))
		b->status = HP_OK;
}

static void
block_release(void *slot)
{
	struct hp_compressor_block *b = slot;

	hp_free(b->in);
	hp_free(b->out);
}

static enum hp_status
remember_frame(struct hp_compressor *p, const struct hp_compressor_block *b,
	       struct hp_error *err)
{
	const struct hp_compressor_frame frame = {
		.packed = (uint32_t)b->out_len,
		.plain = (uint32_t)b->in_len,
		.last_word = hp_le4(b->out + b->out_len - 4),
	};

	return HP_LIST_PUSH(p->frames, p->frames_count, p->frames_room, frame)
		       ? HP_OK
		       : hp_no_memory(err);
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

static enum hp_status
write_block(void *context, void *slot, struct hp_error *err)
{
	struct hp_compressor *p = context;
	const struct hp_compressor_block *b = slot;
	enum hp_status st = b->status;

	if (st != HP_OK)
		return hp_no_memory(err);
	st = write_output(p, b->out, b->out_len, err);
	return st == HP_OK && p->encoder->trailer ? remember_frame(p, b, err)
						  : st;
}

/*
 * Returns the number of threads, at most @threads, for which @memory suffices.
 * Each thread needs memory for a block and for its encoder. Two more blocks are
 * in memory, because one block is filled and one is written while the threads
 * work.
 */
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
		return hp_fail(
			err, HP_UNSUPPORTED,
			"compression level %d is out of range (%d to %d)",
			level, encoder->level_least, encoder->level_most);
	if (memory > 0 && encoder->working(level) > memory)
		return hp_fail(
			err, HP_LIMIT,
			"compression level %d needs %zu MB, but --memory "
			"leaves less; allow more",
			level, encoder->working(level) >> 20);
	p = hp_calloc(1, sizeof(*p));
	if (!p)
		return hp_no_memory(err);
	p->encoder = encoder;
	p->target = target;
	p->level = level;
	p->written = written;
	threads = threads_within(encoder, level, threads, memory);
	p->writer = (struct hp_ordered_writer){
		.o = {.threads = threads,
		      .slots = threads + 2,
		      .slot_size = sizeof(struct hp_compressor_block),
		      .work = compress_block,
		      .worker_open = worker_open,
		      .worker_close = encoder->worker_close,
		      .slot_release = block_release,
		      .context = p},
		.write = write_block};
	st = hp_ordered_writer_open(&p->writer, err);
	if (st != HP_OK) {
		hp_compressor_close(p, false);
		return st;
	}
	*out = p;
	return HP_OK;
}

/* Get an empty block for the next bytes of the output, and set p->block. */
static enum hp_status
block_begin(struct hp_compressor *p, struct hp_error *err)
{
	struct hp_compressor_block *b;
	void *slot;
	enum hp_status st = hp_ordered_writer_begin(&p->writer, &slot, err);

	if (st != HP_OK)
		return st;
	b = slot;
	if (!b->in) {
		b->in = hp_malloc(p->encoder->most);
		if (!b->in)
			return hp_no_memory(err);
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
	p->block = NULL;
	hp_ordered_writer_submit(&p->writer);
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
		return hp_no_memory(err);
	if (len > 0)
		st = write_output(p, buf, len, err);
	hp_free(buf);
	return st;
}

enum hp_status
hp_compressor_finish(struct hp_compressor *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	/* An empty output consists of one empty block. */
	if (!p->any)
		st = block_begin(p, err);
	if (st != HP_OK)
		return st;
	if (p->block)
		block_end(p);
	st = hp_ordered_writer_finish(&p->writer, err);
	return st == HP_OK ? write_trailer(p, err) : st;
}

void
hp_compressor_close(struct hp_compressor *p, bool write)
{
	if (!p)
		return;
	hp_ordered_writer_close(&p->writer, write);
	hp_free(p->frames);
	hp_free(p);
}
