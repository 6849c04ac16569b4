/*
 * big_array.c - large arrays of the object graph: in memory up to a limit, and
 * beyond it in temporary files
 *
 * An array reserves its whole address space at once, so it never moves. If a
 * part of the array is in a file, this file is mapped at the end of the
 * reserved addresses.
 */
#include "common/graph/big_array.h"

#include "common/base/memory.h"
#include "common/base/bytes.h"
#include "common/base/threads.h"
#include "common/io/anon_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	HUGE_PAGE = 2 << 20,
	/*
	 * minimum numbers of bytes by which an array grows: a half of its
	 * bytes, but at least STEP_LEAST and at most STEP_MOST
	 */
	STEP_LEAST = 2 << 20,
	STEP_MOST = 32 << 20,
	/*
	 * Minimum size of a temporary file, except for the rest of an array. If
	 * a page of a mapped file is not in memory, the kernel reads many pages
	 * around it, often 8 MB (read_ahead_kb of the disk), but never beyond
	 * the end of the file. So the size of the file limits how much is read.
	 * If memory is scarce, 8 MB would evict other pages that are still
	 * needed. But smaller files are more files, and ext4 takes 0.3 ms to
	 * create one: with 256 KB instead of 1 MB, --retained takes 15 percent
	 * longer in a container of a quarter of the dump's size.
	 */
	PIECE = 1 << 20,
	/*
	 * An array has at most about this number of files of each size, because
	 * the number of mappings of a process is limited (to 65,530 by
	 * default).
	 */
	PIECES = 2048,
	/* number of bytes that are moved from files to memory at once */
	LOADED = 2 << 20,
	/* number of bytes of an array that one call of touch() handles */
	TOUCHED = 4 << 20,
};

/*
 * protects the sums of struct hp_big_memory, because an array may be moved to a
 * file while another one is made
 */
static pthread_mutex_t sums = PTHREAD_MUTEX_INITIALIZER;

/*
 * Round a number of bytes up to whole pages. For a large array, round up to
 * whole huge pages, so that the kernel can use huge pages for the whole array.
 */
static uint64_t
whole_pages(uint64_t bytes)
{
	return hp_align_up(bytes, bytes < HUGE_PAGE ? PAGE : HUGE_PAGE);
}

enum hp_status
hp_big_array_reserve(struct hp_big_array *a, uint64_t bytes,
		     enum hp_big_use use, struct hp_error *err)
{
	void *at;

	*a = (struct hp_big_array){.bytes = whole_pages(bytes ? bytes : 1),
				   .split = UINT64_MAX,
				   .use = use};
	at = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return hp_no_memory(err);
	a->at = at;
	/* this is only a hint: the kernel may ignore it */
	if (a->bytes >= HUGE_PAGE && use != HP_BIG_SPARSE)
		madvise(at, a->bytes, MADV_HUGEPAGE);
	return HP_OK;
}

static bool
in_order(enum hp_big_use use)
{
	return use == HP_BIG_IN_ORDER || use == HP_BIG_BLOCKS;
}

/*
 * Returns how many more bytes of the array may be in memory, according to the
 * memory limit. Returns 0 if the array already continues in a file.
 */
static uint64_t
room_for(const struct hp_big_memory *m, const struct hp_big_array *a)
{
	uint64_t limit = in_order(a->use) ? m->in_order : m->limit;
	uint64_t left = hp_memory_left();

	if (a->split != UINT64_MAX || limit <= m->held)
		return 0;
	if (left > limit - m->held)
		left = limit - m->held;
	return left & ~(uint64_t)(PAGE - 1);
}

static void
take_memory(struct hp_big_memory *m, uint64_t bytes)
{
	m->held += bytes;
	if (m->held > m->peak)
		m->peak = m->held;
}

/*
 * Returns the maximum size in bytes of the next temporary file of the array.
 */
static uint64_t
piece_size(const struct hp_big_array *a)
{
	uint64_t size = PIECE;

	while (a->ready / size >= PIECES)
		size *= 2;
	return size;
}

static void
take_file(struct hp_big_memory *m, uint64_t bytes)
{
	m->in_file += bytes;
	if (m->in_file > m->file_peak)
		m->file_peak = m->in_file;
}

/*
 * Map a new temporary file at @at, in the place of what is there. @contents:
 * the bytes for the file; NULL: all are 0. The file has no name, so it is
 * deleted when it is not mapped any more.
 */
static enum hp_status
map_file(const struct hp_big_memory *m, const struct hp_big_array *a, void *at,
	 uint64_t bytes, const void *contents, struct hp_error *err)
{
	int fd;
	enum hp_status st = hp_anon_file_open(&fd, m->dir, err);

	if (st != HP_OK)
		return st;
	errno = posix_fallocate(fd, 0, (off_t)bytes);
	if (errno != 0)
		st = hp_fail(err, HP_IO,
			     "the object graph does not fit in --memory, and "
			     "there is no room for %llu MB of temporary "
			     "files: %m",
			     (unsigned long long)(m->in_file + bytes) >> 20);
	if (st == HP_OK && contents)
		st = hp_anon_file_write(fd, contents, bytes, 0, err);
	if (st == HP_OK && mmap(at, bytes, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		st = hp_fail(err, HP_NOMEM, "cannot map a temporary file: %m");
	if (st == HP_OK && (a->random || a->use == HP_BIG_BLOCKS))
		madvise(at, bytes, MADV_RANDOM);
	close(fd);
	return st;
}

/*
 * Make @bytes more bytes of the array usable, in a new temporary file at the
 * end of the usable bytes.
 */
static enum hp_status
take_piece(struct hp_big_memory *m, struct hp_big_array *a, uint64_t bytes,
	   struct hp_error *err)
{
	enum hp_status st =
		map_file(m, a, (char *)a->at + a->ready, bytes, NULL, err);

	if (st != HP_OK)
		return st;
	if (a->split == UINT64_MAX)
		a->split = a->ready;
	a->ready += bytes;
	take_file(m, bytes);
	return HP_OK;
}

/* Make @bytes more bytes of the array usable, in temporary files. */
static enum hp_status
take_files(struct hp_big_memory *m, struct hp_big_array *a, uint64_t bytes,
	   struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint64_t piece;

	for (; bytes > 0 && st == HP_OK; bytes -= piece) {
		piece = piece_size(a);
		/* end each file at a multiple of its size, if possible */
		piece -= a->ready & (piece - 1);
		if (piece > bytes)
			piece = bytes;
		st = take_piece(m, a, piece, err);
	}
	return st;
}

/*
 * Make @bytes more bytes of the array usable. As many of them as the memory
 * limit allows are in memory; the rest is in temporary files.
 */
static enum hp_status
make_ready(struct hp_big_memory *m, struct hp_big_array *a, uint64_t bytes,
	   struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint64_t room;

	pthread_mutex_lock(&sums);
	room = room_for(m, a);
	if (room > bytes)
		room = bytes;
	/* Another thread may have used the free memory in the meantime. */
	if (!hp_memory_try_take(room))
		room = 0;
	take_memory(m, room);
	a->ready += room;
	if (room < bytes)
		st = take_files(m, a, bytes - room, err);
	pthread_mutex_unlock(&sums);
	return st;
}

enum hp_status
hp_big_array_make(struct hp_big_memory *m, struct hp_big_array *a,
		  uint64_t bytes, enum hp_big_use use, struct hp_error *err)
{
	enum hp_status st = hp_big_array_reserve(a, bytes, use, err);

	return st == HP_OK ? make_ready(m, a, a->bytes, err) : st;
}

enum hp_status
hp_big_array_grow(struct hp_big_memory *m, struct hp_big_array *a,
		  uint64_t bytes, struct hp_error *err)
{
	uint64_t step, least;

	if (bytes <= a->ready)
		return HP_OK;
	if (bytes > a->bytes)
		return hp_fail(err, HP_NOMEM,
			       "the object graph needs more address space than "
			       "was reserved");
	step = whole_pages(bytes) - a->ready;
	least = a->ready / 2 & ~(uint64_t)(STEP_LEAST - 1);
	if (least < STEP_LEAST)
		least = STEP_LEAST;
	if (least > STEP_MOST)
		least = STEP_MOST;
	if (least > a->bytes - a->ready)
		least = a->bytes - a->ready;
	return make_ready(m, a, step > least ? step : least, err);
}

/* Returns the number of usable bytes of the array that are in memory. */
static uint64_t
in_memory(const struct hp_big_array *a)
{
	return a->ready - hp_big_array_in_file(a);
}

/* Note that bytes in memory and bytes in files were freed. */
static void
give_back(struct hp_big_memory *m, uint64_t memory, uint64_t in_file)
{
	pthread_mutex_lock(&sums);
	m->held -= memory;
	hp_memory_give_back(memory);
	m->in_file -= in_file;
	pthread_mutex_unlock(&sums);
}

/*
 * Move the last bytes of the array that are in memory to a file. A read of
 * another thread finds the old page or the page of the file, with equal
 * contents.
 */
static enum hp_status
move_piece(struct hp_big_memory *m, struct hp_big_array *a, uint64_t end,
	   struct hp_error *err)
{
	uint64_t size = piece_size(a);
	uint64_t from = (end - 1) & ~(size - 1);
	char *at = (char *)a->at + from;
	enum hp_status st = map_file(m, a, at, end - from, at, err);

	if (st != HP_OK)
		return st;
	a->split = from;
	m->held -= end - from;
	hp_memory_give_back(end - from);
	take_file(m, end - from);
	/* other arrays must not take the memory that was freed */
	m->limit -= m->limit < end - from ? m->limit : end - from;
	m->in_order -= m->in_order < end - from ? m->in_order : end - from;
	return HP_OK;
}

enum hp_status
hp_big_array_move_to_file(struct hp_big_memory *m, struct hp_big_array *a,
			  uint64_t *bytes, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint64_t end, moved;

	pthread_mutex_lock(&sums);
	while (st == HP_OK && *bytes > 0) {
		end = in_memory(a);
		if (end == 0)
			break;
		st = move_piece(m, a, end, err);
		moved = end - a->split;
		if (st == HP_OK)
			*bytes -= *bytes < moved ? *bytes : moved;
	}
	pthread_mutex_unlock(&sums);
	return st;
}

/*
 * Map memory at @at that has the same contents as what is mapped there. Returns
 * false, and changes nothing, if the kernel has no memory.
 */
static bool
map_copy(void *at, uint64_t bytes)
{
	void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		return false;
	memcpy(copy, at, bytes);
	if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) !=
	    MAP_FAILED)
		return true;
	munmap(copy, bytes);
	return false;
}

/*
 * Move the first @bytes of the part in files to memory. Returns false, and
 * changes nothing, if there is no memory.
 */
static bool
load_piece(struct hp_big_memory *m, struct hp_big_array *a, uint64_t bytes)
{
	uint64_t raised;

	if (!hp_memory_try_take(bytes))
		return false;
	if (!map_copy((char *)a->at + a->split, bytes)) {
		hp_memory_give_back(bytes);
		return false;
	}
	raised = bytes > hp_big_memory_room(m) ? bytes - hp_big_memory_room(m)
					       : 0;
	m->limit += raised;
	m->in_order += m->in_order <= UINT64_MAX - raised ? raised : 0;
	take_memory(m, bytes);
	m->in_file -= bytes;
	a->split = a->split + bytes < a->ready ? a->split + bytes : UINT64_MAX;
	return true;
}

void
hp_big_array_move_to_memory(struct hp_big_memory *m, struct hp_big_array *a,
			    uint64_t bytes)
{
	uint64_t piece;

	pthread_mutex_lock(&sums);
	if (bytes > hp_big_array_in_file(a))
		bytes = hp_big_array_in_file(a);
	bytes &= ~(uint64_t)(PAGE - 1);
	for (; bytes > 0; bytes -= piece) {
		piece = bytes < LOADED ? bytes : LOADED;
		hp_big_array_fetch(a, a->split,
				   bytes < 2 * LOADED ? bytes : 2 * LOADED);
		if (!load_piece(m, a, piece))
			break;
	}
	pthread_mutex_unlock(&sums);
}

void
hp_big_array_shrink(struct hp_big_memory *m, struct hp_big_array *a,
		    uint64_t bytes)
{
	uint64_t keep = whole_pages(bytes ? bytes : 1), memory, now;

	if (!a->at || keep >= a->bytes)
		return;
	munmap((char *)a->at + keep, a->bytes - keep);
	a->bytes = keep;
	if (keep >= a->ready)
		return;
	memory = in_memory(a);
	now = keep < a->split ? keep : a->split;
	give_back(m, memory - now, (a->ready - memory) - (keep - now));
	a->ready = keep;
}

void
hp_big_array_drop(struct hp_big_memory *m, struct hp_big_array *a)
{
	if (!a->at)
		return;
	munmap(a->at, a->bytes);
	give_back(m, in_memory(a), hp_big_array_in_file(a));
	*a = (struct hp_big_array){0};
}

void
hp_big_array_fetch(const struct hp_big_array *a, uint64_t from, uint64_t bytes)
{
	uint64_t end = from + bytes;

	if (end <= a->split)
		return;
	from &= ~(uint64_t)(PAGE - 1);
	madvise((char *)a->at + from, end - from, MADV_WILLNEED);
}

void
hp_big_array_expect(struct hp_big_array *a, enum hp_big_use use)
{
	a->random = use == HP_BIG_RANDOM;
	/* this is only a hint: the kernel may ignore it */
	if (a->ready > a->split)
		madvise((char *)a->at + a->split, hp_big_array_in_file(a),
			use == HP_BIG_RANDOM ? MADV_RANDOM : MADV_NORMAL);
}

/* --- touching pages in advance -------------------------------------------- */

/*
 * Write to some pages of an array, beginning at the offset @from, without
 * changing their contents. So the kernel creates these pages before other
 * threads need them. Returns false at the end of the array, or if the system
 * does not support this.
 */
static bool
touch(const struct hp_big_array *a, uint64_t from)
{
	uint64_t memory = in_memory(a);

	if (from >= memory)
		return false;
#ifdef MADV_POPULATE_WRITE
	return madvise((char *)a->at + from,
		       memory - from < TOUCHED ? memory - from : TOUCHED,
		       MADV_POPULATE_WRITE) == 0;
#else
	return false;
#endif
}

static void *
touch_all(void *argument)
{
	struct hp_big_toucher *t = argument;
	bool more = true;

	for (uint64_t from = 0; more; from += TOUCHED) {
		more = false;
		for (size_t i = 0; t->arrays[i] && !t->ended; i++)
			more |= touch(t->arrays[i], from);
	}
	return NULL;
}

void
hp_big_touch(struct hp_big_toucher *t, const struct hp_big_array *const *arrays)
{
	t->arrays = arrays;
	t->ended = false;
	t->running = hp_thread_start(&t->thread, touch_all, t, NULL) == HP_OK;
}

void
hp_big_touch_end(struct hp_big_toucher *t)
{
	if (!t->running)
		return;
	t->ended = true;
	pthread_join(t->thread, NULL);
	t->running = false;
}
