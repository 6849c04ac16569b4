/*
 * writer.c - write a pack
 *
 * The calling thread divides the bytes of a dump into blocks, and collects the
 * classes. A block ends where an item (a record or sub-record) ends. Other
 * threads encode the blocks. The blocks are then written in order. The pack
 * depends only on the bytes of the dump, not on the number of threads.
 */
#include "common/sink/sink.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"

#include <assert.h>

/*
 * A block that is being filled with bytes of the dump, or that is being
 * encoded.
 */
struct encode_job {
	uint8_t *in;
	size_t len; /* number of bytes in the block so far */
	/* the number of bytes at which the block is full */
	size_t room;
	/* state of the parser at the first byte of the block */
	struct hp_pack_walk w;
	/*
	 * number of classes of the dump that are defined before the end of the
	 * block
	 */
	uint32_t known;
	struct hp_pack_head head;
	struct hp_buf out;
	enum hp_status status;
};

struct writer {
	hp_pack_vtable_put *put;
	void *context;
	int level;
	/* maximum size of a block in bytes */
	size_t block;
	/* size of the first blocks in bytes; later blocks are larger */
	size_t first;
	/*
	 * The maximum size in bytes of a block for which the memory limit
	 * suffices.
	 */
	size_t most;
	struct hp_pack_layouts layouts;
	struct hp_ordered_writer blocks;

	/* Only the calling thread uses this member and those after it. */
	/* the block that is being filled; NULL: there is none */
	struct encode_job *job;
	/*
	 * The bytes after the last complete item. The next block begins with
	 * these bytes.
	 */
	uint8_t *rest;
	size_t nrest, rest_room;
	/* state of the parser at the first byte of the next block */
	struct hp_pack_walk walk;
	uint32_t number;
	uint64_t offset;
	XXH3_state_t *hash;

	/*
	 * Only the thread that writes uses this member and those after it. When
	 * that thread has ended, the calling thread uses them.
	 */
	struct hp_pack_entry *entries;
	size_t nentries, entries_room;
	uint64_t written;
};

/* ---- workers ---- */

static void
packer_close(void *state)
{
	struct hp_pack_packer *p = state;

	if (p)
		hp_pack_packer_release(p);
	hp_free(p);
}

static void *
packer_open(void *context)
{
	struct writer *w = context;
	struct hp_pack_packer *p = hp_calloc(1, sizeof(*p));

	if (p && !hp_pack_packer_init(p, w->level)) {
		packer_close(p);
		return NULL;
	}
	if (p)
		p->encoder.layouts = &w->layouts;
	return p;
}

static void
pack_block(void *context, void *state, void *slot)
{
	struct hp_pack_packer *p = state;
	struct encode_job *j = slot;

	p->encoder.known = j->known;
	j->status = hp_pack_block_write(p, &j->w, &j->head, &j->out);
}

static void
job_release(void *slot)
{
	struct encode_job *j = slot;

	hp_free(j->in);
	hp_buf_release(&j->out);
}

/* ---- writing the blocks in order ---- */

static enum hp_status
write_bytes(struct writer *w, const void *buf, size_t n, struct hp_error *err)
{
	w->written += n;
	return w->put(w->context, buf, n, err);
}

static enum hp_status
remember_block(struct writer *w, const struct encode_job *j,
	       struct hp_error *err)
{
	if (!HP_LIST_RESERVE(w->entries, w->nentries, w->entries_room))
		return hp_no_memory(err);
	w->entries[w->nentries++] =
		(struct hp_pack_entry){.at = w->written,
				       .offset = j->head.offset,
				       .plain = j->head.plain,
				       .stored = (uint32_t)j->out.len};
	return HP_OK;
}

static enum hp_status
write_block(void *context, void *slot, struct hp_error *err)
{
	struct writer *w = context;
	const struct encode_job *j = slot;
	enum hp_status st = j->status;

	if (st != HP_OK)
		return hp_no_memory(err);
	st = remember_block(w, j, err);
	return st == HP_OK ? write_bytes(w, j->out.data, j->out.len, err) : st;
}

/* ---- splitting into blocks ---- */

/*
 * Returns the size of the block that begins at offset @offset of the dump:
 * about a sixteenth of the bytes before it, but at least @first and at most
 * @block. Small blocks are better for a small dump, because damage in a block
 * loses the whole block. Large blocks compress better, because then most names
 * are in one block. @first is large enough for two small dumps in one file.
 */
static size_t
block_room(size_t first, size_t block, uint64_t offset)
{
	size_t room = first;

	while (room < block && room < offset / 16)
		room *= 2;
	return room < block ? room : block;
}

uint64_t
hp_pack_writer_usual_part(uint64_t size)
{
	return block_room(HP_PACK_BLOCK_FIRST, HP_PACK_BLOCK, size);
}

/*
 * Called if an item does not fit into the block: increase the size of the block
 * to the maximum that the memory limit allows.
 */
static enum hp_status
job_grow(struct writer *w, struct encode_job *j, struct hp_error *err)
{
	if (w->most < w->block)
		return hp_fail(err, HP_LIMIT,
			       "the program must pack more than %zu MB at "
			       "once, which do not fit in --memory; allow more",
			       w->most >> 20);
	j->room = w->block;
	return HP_OK;
}

/*
 * Begin a block. Its first bytes are those after the last complete item of the
 * previous block.
 */
static enum hp_status
job_begin(struct writer *w, struct hp_error *err)
{
	struct encode_job *j;
	void *slot;
	enum hp_status st = hp_ordered_writer_begin(&w->blocks, &slot, err);

	if (st != HP_OK)
		return st;
	j = slot;
	if (!j->in)
		j->in = hp_malloc(w->block);
	if (!j->in)
		return hp_no_memory(err);
	if (w->nrest > 0)
		memcpy(j->in, w->rest, w->nrest);
	j->len = w->nrest;
	j->room = block_room(w->first, w->block, w->offset);
	if (j->room <= j->len || j->room > w->most)
		st = job_grow(w, j, err);
	w->nrest = 0;
	w->job = j;
	return st;
}

static enum hp_status
find_end(struct writer *w, bool last, size_t *end, struct hp_error *err)
{
	struct encode_job *j = w->job;
	struct hp_pack_item item = {0};
	enum hp_status st = HP_OK;

	w->walk.at = j->in;
	w->walk.left = j->len;
	w->walk.last = last;
	w->walk.odd = false;
	j->w = w->walk;
	while (st == HP_OK &&
	       hp_pack_walk_next(&w->walk, &item) == HP_PACK_ITEM) {
		__builtin_prefetch(w->walk.at + 2048);
		if (item.kind == HP_PACK_ROW && item.tag == HP_SUB_CLASS_DUMP)
			st = hp_pack_layouts_add(&w->layouts, item.at,
						 item.size + w->walk.run,
						 w->walk.id_size, err);
	}
	*end = j->len - w->walk.left;
	if (*end == 0 && !last && j->len < w->block) {
		/* the block contains no complete item, so make it longer */
		w->walk = j->w;
		return st;
	}
	if (last && hp_pack_walk_in_heap(&w->walk))
		j->w.odd = true;
	if (*end > 0 || last)
		return st;
	/*
	 * The item is too long for any block, so do not parse the rest of the
	 * dump.
	 */
	w->walk.phase = HP_PACK_LOST;
	j->w = w->walk;
	*end = j->len;
	return st;
}

/*
 * Keep the bytes of the block after @end, where its last complete item ends.
 * The next block begins with these bytes.
 */
static enum hp_status
keep_rest(struct writer *w, size_t end, struct hp_error *err)
{
	struct encode_job *j = w->job;

	w->nrest = j->len - end;
	if (w->nrest > w->rest_room &&
	    !hp_list_resize(&w->rest, &w->rest_room, w->nrest, 1))
		return hp_no_memory(err);
	if (w->nrest > 0)
		memcpy(w->rest, j->in + end, w->nrest);
	return HP_OK;
}

/*
 * End the block, because it is full or no more bytes follow, and pass it to the
 * encoding threads.
 */
static enum hp_status
job_end(struct writer *w, bool last, struct hp_error *err)
{
	struct encode_job *j = w->job;
	enum hp_status st;
	size_t end;

	st = find_end(w, last, &end, err);
	if (st == HP_OK && end == 0 && !last)
		return job_grow(w, j, err);
	if (st == HP_OK)
		st = keep_rest(w, end, err);
	if (st != HP_OK)
		return st;
	j->w.left = end;
	/* the block ends after an item, so its parser gets no further bytes */
	j->w.last = true;
	j->known = w->layouts.count;
	j->head = (struct hp_pack_head){.number = w->number++,
					.offset = w->offset};
	w->offset += end;
	w->job = NULL;
	hp_ordered_writer_submit(&w->blocks);
	return HP_OK;
}

enum hp_status
hp_pack_writer_write(void *writer, const void *buf, size_t n,
		     struct hp_error *err)
{
	struct writer *w = writer;
	const uint8_t *from = buf;
	enum hp_status st = HP_OK;

	XXH3_128bits_update(w->hash, buf, n);
	while (n > 0) {
		size_t k;

		/*
		 * End a full block only when more bytes come, because the last
		 * block must be ended with the argument `last` set.
		 */
		if (w->job && w->job->len >= w->job->room)
			st = job_end(w, false, err);
		if (st == HP_OK && !w->job)
			st = job_begin(w, err);
		if (st != HP_OK)
			break;
		assert(w->job->len < w->job->room);
		k = w->job->room - w->job->len;
		if (k > n)
			k = n;
		memcpy(w->job->in + w->job->len, from, k);
		w->job->len += k;
		from += k;
		n -= k;
	}
	return st;
}

static enum hp_status
write_directory(struct writer *w, struct hp_error *err)
{
	struct hp_pack_tail tail = {.blocks = w->nentries,
				    .plain = w->offset,
				    .hash = XXH3_128bits_digest(w->hash),
				    .directory = w->written};
	struct hp_buf out = {0};
	enum hp_status st;

	hp_pack_directory_write(w->entries, &tail, &out);
	st = hp_buf_ok(&out) ? write_bytes(w, out.data, out.len, err)
			     : hp_no_memory(err);
	hp_buf_release(&out);
	return st;
}

enum hp_status
hp_pack_writer_finish(void *writer, struct hp_error *err)
{
	struct writer *w = writer;
	enum hp_status st = HP_OK;

	while (st == HP_OK && (w->job || w->nrest > 0)) {
		if (!w->job)
			st = job_begin(w, err);
		if (st == HP_OK)
			st = job_end(w, true, err);
	}
	if (st != HP_OK)
		return st;
	st = hp_ordered_writer_finish(&w->blocks, err);
	return st == HP_OK ? write_directory(w, err) : st;
}

/* ---- opening and closing ---- */

enum hp_status
hp_pack_writer_open_sized(void **writer, hp_pack_vtable_put *put_bytes,
			  void *context, int level, unsigned threads,
			  size_t block, struct hp_error *err)
{
	uint8_t head[HP_PACK_FILE_HEAD];
	enum hp_status st;
	struct writer *w;

	*writer = NULL;
	level = level ? level : HP_PACK_LEVEL;
	if (level < 1 || level > HP_PACK_LEVEL_MOST)
		return hp_fail(err, HP_UNSUPPORTED,
			       "level %d is not between 1 and %d", level,
			       HP_PACK_LEVEL_MOST);
	w = hp_calloc(1, sizeof(*w));
	if (!w)
		return hp_no_memory(err);
	w->put = put_bytes;
	w->context = context;
	w->level = level;
	w->block = w->first = w->most = block;
	w->blocks = (struct hp_ordered_writer){
		.o = {.threads = threads,
		      .slots = threads + 1,
		      .slot_size = sizeof(struct encode_job),
		      .work = pack_block,
		      .worker_open = packer_open,
		      .worker_close = packer_close,
		      .slot_release = job_release,
		      .context = w},
		.write = write_block};
	hp_pack_layouts_init(&w->layouts);
	st = hp_ordered_writer_open(&w->blocks, err);
	w->hash = XXH3_createState();
	if (w->hash)
		XXH3_128bits_reset(w->hash);
	else if (st == HP_OK)
		st = hp_no_memory(err);
	hp_pack_file_head(head);
	if (st == HP_OK)
		st = write_bytes(w, head, sizeof(head), err);
	if (st != HP_OK) {
		hp_pack_writer_close(w, false);
		return st;
	}
	*writer = w;
	return HP_OK;
}

enum hp_status
hp_pack_writer_open(void **writer, hp_pack_vtable_put *put_bytes, void *context,
		    int level, unsigned threads, uint64_t most,
		    struct hp_error *err)
{
	enum hp_status st = hp_pack_writer_open_sized(
		writer, put_bytes, context, level, threads, HP_PACK_BLOCK, err);
	struct writer *w = *writer;

	if (st != HP_OK)
		return st;
	w->first = HP_PACK_BLOCK_FIRST;
	if (most > 0 && most < HP_PACK_BLOCK)
		w->most = (size_t)most;
	return HP_OK;
}

void
hp_pack_writer_close(void *writer, bool write)
{
	struct writer *w = writer;

	if (!w)
		return;
	hp_ordered_writer_close(&w->blocks, write);
	hp_pack_layouts_release(&w->layouts);
	XXH3_freeState(w->hash);
	hp_free(w->rest);
	hp_free(w->entries);
	hp_free(w);
}
