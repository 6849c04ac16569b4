/*
 * source_layer.c - an input layer that unpacks a pack and delivers the dump
 *
 * One thread reads blocks, other threads unpack them, and the caller gets the
 * unpacked blocks in the order of the file. After a damaged block, the dump
 * either ends or has zeros in place of the block. In both cases all later
 * blocks are read, so that every damaged block is reported.
 */
#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/base/vec.h"
#include "common/io/workers.h"
#include "common/pack/internal.h"
#include "common/pack/block/layout.h"

/*
 * BLOCK_BYTES: the memory in bytes to unpack a usual block that this program
 * has written. MORE_BYTES: the maximum memory in bytes that a block of many
 * small items needs in addition.
 */
#define BLOCK_BYTES ((uint64_t)3 * HP_PACK_BLOCK + (1 << 20))
#define MORE_BYTES ((uint64_t)HP_PACK_BLOCK / 4 * HP_PACK_ITEM_BYTES)

/*
 * The job of a worker thread: a part of the pack file (a block, lost bytes, or
 * the end). If the part is a block, the struct also has its unpacked bytes.
 */
struct decode_job {
	struct hp_pack_part part;
	uint8_t *out;
	size_t out_room;
	/* the result of unpacking the block: HP_OK or the failure */
	enum hp_status status;
};

struct pack {
	/*
	 * This must be the first member: a pointer to `layer` is also a pointer
	 * to the whole struct.
	 */
	struct hp_layer layer;
	struct hp_pack_input input;
	pthread_mutex_t lock; /* protects `pool` and `more` */
	/*
	 * signals that memory for large blocks was released (`more` has
	 * increased)
	 */
	pthread_cond_t given;
	/*
	 * The number of bytes of the memory limit that are left for large
	 * blocks. A large block needs more than BLOCK_BYTES.
	 */
	uint64_t more;
	/*
	 * the worker threads; NULL: there are none, or all of them have ended
	 */
	struct hp_worker_pool *pool;
	unsigned threads;
	pthread_t reader;
	bool reading;
	/* the block of the calling thread, if there are no worker threads */
	struct decode_job own;
	struct hp_pack_unpacker *own_unpacker;

	/*
	 * Only the thread that reads the dump uses this member and those after
	 * it.
	 */
	struct decode_job *job;
	/*
	 * The bytes of `job` that were not delivered yet. `pos`: the offset of
	 * the first one among the unpacked bytes. `left`: their number.
	 */
	size_t pos, left;
	/*
	 * The number of zeros that replace lost blocks. They are delivered
	 * before the bytes of `job`.
	 */
	uint64_t zeros;
	/*
	 * The last message was about lost blocks whose size is not known,
	 * because no block was found after them. Later, the directory may show
	 * their size.
	 */
	bool unplaced;
	/* the pack file contains bytes that are not part of any block */
	bool misplaced;
	/* number of bytes of the dump that the caller has received */
	uint64_t handed;
	bool with_holes;
	bool damaged; /* a part of the dump is lost */
	bool over;
	struct hp_hole *holes;
	size_t nholes, holes_room;
	XXH3_state_t *hash;
	struct hp_notes notes;
	/* the failure that ended the reading of the pack; HP_OK: none */
	enum hp_status status;
	struct hp_error error;
};

/* ---- workers ---- */

static void
unpacker_close(void *state)
{
	if (state)
		hp_pack_unpacker_release(state);
	hp_free(state);
}

static void *
unpacker_open(void *context)
{
	struct hp_pack_unpacker *u = hp_malloc(sizeof(*u));

	if (u && !hp_pack_unpacker_init(u)) {
		unpacker_close(u);
		return NULL;
	}
	return u;
}

/*
 * Reserve @n bytes of the memory for large blocks. If too little is left, wait
 * until other blocks have returned enough memory. @n must not exceed the total
 * memory for large blocks.
 */
static void
take_more(struct pack *p, uint64_t n)
{
	pthread_mutex_lock(&p->lock);
	while (p->more < n)
		pthread_cond_wait(&p->given, &p->lock);
	p->more -= n;
	pthread_mutex_unlock(&p->lock);
}

static void
give_more(struct pack *p, struct hp_pack_unpacker *u, uint64_t n)
{
	hp_pack_decoder_release(&u->decoder);
	pthread_mutex_lock(&p->lock);
	p->more += n;
	pthread_cond_broadcast(&p->given);
	pthread_mutex_unlock(&p->lock);
}

static void
unpack_block(void *context, void *state, void *slot)
{
	struct decode_job *j = slot;
	struct hp_pack_part *p = &j->part;
	uint64_t more = p->needs > BLOCK_BYTES ? p->needs - BLOCK_BYTES : 0;

	if (more)
		take_more(context, more);
	j->status = HP_NOMEM;
	if (hp_pack_make_room(&j->out, &j->out_room, p->head.plain, 1))
		j->status = hp_pack_block_read(state, &p->head, p->list,
					       p->body, j->out);
	if (more)
		give_more(context, state, more);
}

static void
job_release(void *slot)
{
	struct decode_job *j = slot;

	hp_free(j->part.body);
	hp_free(j->out);
}

/* ---- reading ---- */

static bool
is_last(const struct hp_pack_part *p)
{
	return p->kind != HP_PACK_PART_BLOCK && p->kind != HP_PACK_PART_LOST;
}

static void *
reader_main(void *argument)
{
	struct pack *p = argument;
	bool last = false;

	while (!last) {
		struct decode_job *j = hp_worker_pool_fill(p->pool);

		if (!j)
			return NULL;
		hp_pack_input_next(&p->input, &j->part);
		last = is_last(&j->part);
		hp_worker_pool_put(p->pool, j->part.kind == HP_PACK_PART_BLOCK);
	}
	hp_worker_pool_end(p->pool);
	return NULL;
}

/* ---- delivering in order ---- */

static void
note_problem(struct pack *p, enum hp_container_problem problem, uint64_t raw,
	     uint64_t got, uint64_t want)
{
	const struct hp_container_note n = {.problem = problem,
					    .offset = p->handed,
					    .raw = raw,
					    .got = got,
					    .want = want,
					    .count = 1};

	hp_notes_add(&p->notes, &n);
}

/*
 * Record that the next @n bytes of the dump are lost. With the option holes,
 * the reader of the layer gets zeros for these bytes; otherwise the dump ends
 * before them.
 */
static enum hp_status
note_hole(struct pack *p, uint64_t n)
{
	uint64_t from = p->handed + p->zeros;

	if (!p->with_holes || n == 0)
		return HP_OK;
	p->zeros += n;
	if (p->nholes && p->holes[p->nholes - 1].end == from) {
		p->holes[p->nholes - 1].end += n;
		return HP_OK;
	}
	return HP_LIST_PUSH(p->holes, p->nholes, p->holes_room,
			    (struct hp_hole){from, from + n})
		       ? HP_OK
		       : hp_no_memory(&p->error);
}

/*
 * Report a lost block with its number and its range of the dump. @want is the
 * number of lost bytes.
 */
static enum hp_status
note_block(struct pack *p, const struct hp_pack_part *part, uint64_t want)
{
	const struct hp_container_note n = {.problem = HP_CONTAINER_PACK_BLOCK,
					    .offset = part->head.offset,
					    .raw = part->at,
					    .got = part->head.number,
					    .want = want,
					    .count = 1};

	p->damaged = true;
	hp_notes_add(&p->notes, &n);
	return note_hole(p, want);
}

/*
 * If the blocks at the end of the pack are lost, compute the number of lost
 * bytes from the directory, and report these bytes as lost.
 */
static enum hp_status
note_lost_tail(struct pack *p, const struct hp_pack_part *part)
{
	const struct hp_pack_tail *t = &part->tail;
	uint64_t lost = t->plain - part->head.offset;
	struct hp_container_note *last;

	if (t->plain <= part->head.offset || t->plain > part->most ||
	    t->blocks <= part->head.number)
		return HP_OK;
	if (!p->unplaced)
		return note_block(p, part, lost);
	last = &p->notes.list[p->notes.count - 1];
	if (last->count == 1)
		last->want = lost;
	return note_hole(p, lost);
}

/*
 * Check the end of the dump: compare the size and hash of the delivered bytes
 * with those in the directory.
 */
static enum hp_status
check_tail(struct pack *p, const struct hp_pack_part *part)
{
	const struct hp_pack_tail *t = &part->tail;
	enum hp_status st = HP_OK;

	if (!part->directory_bad)
		st = note_lost_tail(p, part);
	if (part->directory_bad || p->misplaced)
		note_problem(p, HP_CONTAINER_PACK_DIRECTORY, part->at, 0, 0);
	if (st == HP_OK && part->trailing)
		note_problem(p, HP_CONTAINER_PACK_TRAILING, part->at,
			     part->trailing, 0);
	if (st != HP_OK || p->damaged || part->directory_bad)
		return st;
	if (t->plain != p->handed)
		note_problem(p, HP_CONTAINER_PACK_HASH, part->at, p->handed,
			     t->plain);
	else if (!XXH128_isEqual(t->hash, XXH3_128bits_digest(p->hash)))
		note_problem(p, HP_CONTAINER_PACK_HASH, part->at, 0, 0);
	return HP_OK;
}

/*
 * Handle a part of the pack that is not a block: lost bytes, the directory, the
 * end of the file, or a failure.
 */
static enum hp_status
handle_other_part(struct pack *p, const struct decode_job *j)
{
	const struct hp_pack_part *part = &j->part;
	uint64_t lost = part->next - part->head.offset;

	switch (part->kind) {
	case HP_PACK_PART_BLOCK:
		return note_block(p, part, part->head.plain);
	case HP_PACK_PART_LOST:
		p->misplaced |= lost == 0 && part->most == 0;
		if (lost == 0 && part->most == 0)
			return HP_OK;
		p->unplaced = part->most > 0;
		return note_block(p, part, lost);
	case HP_PACK_PART_TAIL:
		return check_tail(p, part);
	case HP_PACK_PART_CUT:
		note_problem(p, HP_CONTAINER_PACK_TRUNCATED, part->at, 0, 0);
		return HP_OK;
	default:
		return part->status;
	}
}

/* Get the next part of the pack. Returns NULL if the threads were stopped. */
static struct decode_job *
next_job(struct pack *p)
{
	if (p->pool)
		return hp_worker_pool_take(p->pool);
	hp_pack_input_next(&p->input, &p->own.part);
	if (p->own.part.kind == HP_PACK_PART_BLOCK)
		unpack_block(p, p->own_unpacker, &p->own);
	return &p->own;
}

/*
 * Continue with the next part of the pack that has bytes of the dump, or with
 * the end of the pack.
 */
static enum hp_status
advance_part(struct pack *p, struct hp_error *err)
{
	while (!p->over && p->zeros == 0 && p->status == HP_OK) {
		struct decode_job *j;

		if (p->job && p->pool)
			hp_worker_pool_give(p->pool);
		j = p->job = next_job(p);
		p->pos = 0;
		if (!j) {
			p->status = HP_STOPPED;
		} else if (j->part.kind == HP_PACK_PART_BLOCK &&
			   j->status == HP_OK) {
			p->unplaced = false;
			if (p->damaged && !p->with_holes)
				continue;
			p->left = j->part.head.plain;
			return HP_OK;
		} else if (j->part.kind == HP_PACK_PART_BLOCK &&
			   j->status == HP_NOMEM) {
			p->status = hp_no_memory(&p->error);
		} else {
			p->over = is_last(&j->part);
			p->error = j->part.error;
			p->status = handle_other_part(p, j);
		}
	}
	if (p->status != HP_OK)
		return hp_fail(err, p->status, "%s",
			       p->error.text[0] ? p->error.text
						: "out of memory");
	return HP_OK;
}

static size_t
copy_bytes(struct pack *p, uint8_t *to, size_t n)
{
	const uint8_t *from = p->job->out + p->pos;

	if (n > p->left)
		n = p->left;
	XXH3_128bits_update(p->hash, from, n);
	if (to)
		memcpy(to, from, n);
	p->pos += n;
	p->left -= n;
	return n;
}

static size_t
copy_zeros(struct pack *p, uint8_t *to, size_t n)
{
	if (n > p->zeros)
		n = (size_t)p->zeros;
	if (to)
		memset(to, 0, n);
	p->zeros -= n;
	return n;
}

static void
pack_stop(struct hp_layer *l)
{
	struct pack *p = (struct pack *)l;

	pthread_mutex_lock(&p->lock);
	if (p->pool)
		hp_worker_pool_stop(p->pool);
	pthread_mutex_unlock(&p->lock);
}

static void
stop_unpacking(struct pack *p)
{
	struct hp_worker_pool *pool = p->pool;

	if (p->reading)
		pthread_join(p->reader, NULL);
	p->reading = false;
	p->job = NULL;
	pthread_mutex_lock(&p->lock);
	p->pool = NULL;
	pthread_mutex_unlock(&p->lock);
	hp_worker_pool_close(pool);
	job_release(&p->own);
	p->own = (struct decode_job){0};
	unpacker_close(p->own_unpacker);
	p->own_unpacker = NULL;
}

static enum hp_status
pack_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
	  struct hp_error *err)
{
	struct pack *p = (struct pack *)l;
	enum hp_status st = HP_OK;

	*got = 0;
	while (*got < n && st == HP_OK) {
		size_t k = n - *got;
		uint8_t *to = buf ? buf + *got : NULL;

		if (p->zeros > 0) {
			k = copy_zeros(p, to, k);
		} else if (p->left > 0) {
			k = copy_bytes(p, to, k);
		} else if (p->over) {
			stop_unpacking(p);
			break;
		} else {
			st = advance_part(p, err);
			k = 0;
		}
		p->handed += k;
		*got += k;
	}
	return st;
}

static const struct hp_hole *
pack_holes(const struct hp_layer *l, size_t *count)
{
	const struct pack *p = (const struct pack *)l;

	*count = p->nholes;
	return p->holes;
}

static void
pack_close(struct hp_layer *l)
{
	struct pack *p = (struct pack *)l;

	pack_stop(l);
	stop_unpacking(p);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->given);
	XXH3_freeState(p->hash);
	hp_pack_input_release(&p->input);
	hp_free(p->holes);
	hp_free(p);
}

static void
pack_notes(struct hp_layer *l, struct hp_notes *out)
{
	struct pack *p = (struct pack *)l;

	for (size_t i = 0; i < p->notes.count; i++)
		hp_notes_add(out, &p->notes.list[i]);
}

static uint64_t
pack_memory(const struct hp_layer *l)
{
	const struct pack *p = (const struct pack *)l;

	return BLOCK_BYTES * (p->threads + 1);
}

static const struct hp_layer_ops pack_ops = {
	.read = pack_read,
	.stop = pack_stop,
	.close = pack_close,
	.notes = pack_notes,
	.memory = pack_memory,
	.holes = pack_holes,
};

static enum hp_status
start_threads(struct pack *p, unsigned threads, struct hp_error *err)
{
	const struct hp_worker_pool_options o = {
		.threads = threads,
		.slots = threads + 1,
		.slot_size = sizeof(struct decode_job),
		.work = unpack_block,
		.worker_open = unpacker_open,
		.worker_close = unpacker_close,
		.slot_release = job_release,
		.context = p,
	};
	enum hp_status st;

	p->hash = XXH3_createState();
	if (!p->hash)
		return hp_no_memory(err);
	XXH3_128bits_reset(p->hash);
	if (threads == 0) {
		p->own_unpacker = unpacker_open(p);
		return p->own_unpacker ? HP_OK : hp_no_memory(err);
	}
	st = hp_worker_pool_open(&p->pool, &o, err);
	if (st == HP_OK)
		st = hp_thread_start(&p->reader, reader_main, p, err);
	p->reading = st == HP_OK;
	return st;
}

/*
 * Choose the number of threads so that the memory limit suffices: for one block
 * of each thread, for one more block that waits for the caller, and for the
 * additional memory of one block of many small items.
 */
static void
divide_memory(struct pack *p, uint64_t memory)
{
	uint64_t blocks = memory > MORE_BYTES ? memory - MORE_BYTES : 0;

	p->more = UINT64_MAX;
	p->input.block_memory = memory;
	if (memory == 0)
		return;
	p->threads = hp_pack_vtable_threads(BLOCK_BYTES, blocks, p->threads);
	blocks = BLOCK_BYTES * (p->threads + 1);
	p->more = memory > blocks ? memory - blocks : 0;
	p->input.block_memory = BLOCK_BYTES + p->more;
	if (p->input.block_memory > memory)
		p->input.block_memory = memory;
}

enum hp_status
hp_pack_layer_open(struct hp_layer **out, struct hp_layer *below,
		   const struct hp_layer_options *o, struct hp_error *err)
{
	struct pack *p = hp_calloc(1, sizeof(*p));
	enum hp_status st;

	*out = NULL;
	if (!p)
		return hp_no_memory(err);
	p->layer.ops = &pack_ops;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->given, NULL);
	p->input.below = below;
	p->with_holes = o->holes;
	p->threads = o->threads;
	divide_memory(p, o->memory);
	st = start_threads(p, p->threads, err);
	if (st != HP_OK) {
		pack_close(&p->layer);
		return st;
	}
	*out = &p->layer;
	return HP_OK;
}
