/*
 * big_array.c - arrays in pages of their own, or in a mapped temporary file
 */
#include "common/graph/big_array.h"

#include "common/io/nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

static uint64_t
whole_pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* Pages of the temporary file, whose blocks are there. */
static enum hp_status
make_in_file(struct hp_big_memory *m, struct hp_big_array *a,
	     struct hp_error *err)
{
	enum hp_status st = HP_OK;
	int failed;

	if (m->fd < 0)
		st = hp_nameless_open(&m->fd, m->dir, err);
	if (st != HP_OK)
		return st;
	failed = posix_fallocate(m->fd, (off_t)m->file_size, (off_t)a->bytes);
	if (failed) {
		errno = failed;
		return hp_fail(err, HP_IO,
			       "the graph does not fit in --memory, and the "
			       "temporary file for it cannot have %llu MB: %m",
			       (unsigned long long)(m->file_size + a->bytes) >>
				       20);
	}
	a->at = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd,
		     (off_t)m->file_size);
	if (a->at == MAP_FAILED) {
		a->at = NULL;
		return hp_fail(err, HP_NOMEM,
			       "cannot map a temporary file: %m");
	}
	a->in_file = true;
	m->file_size += a->bytes;
	m->in_file += a->bytes;
	if (m->in_file > m->file_peak)
		m->file_peak = m->in_file;
	return HP_OK;
}

/* Pages that nobody has touched take no memory. */
static enum hp_status
map_pages(struct hp_big_array *a, struct hp_error *err)
{
	a->at = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (a->at == MAP_FAILED) {
		a->at = NULL;
		return hp_fail(err, HP_NOMEM, "out of memory");
	}
	if (a->bytes >= HUGE_PAGE) /* a hint: it may be refused */
		madvise(a->at, a->bytes, MADV_HUGEPAGE);
	return HP_OK;
}

static void
count_held(struct hp_big_memory *m, uint64_t bytes)
{
	m->held += bytes;
	if (m->held > m->peak)
		m->peak = m->held;
}

enum hp_status
hp_big_array_make(struct hp_big_memory *m, struct hp_big_array *a,
		  uint64_t bytes, unsigned role, struct hp_error *err)
{
	enum hp_status st;

	*a = (struct hp_big_array){.bytes = whole_pages(bytes ? bytes : 1)};
	if (m->spill & role)
		return make_in_file(m, a, err);
	if (m->held + a->bytes > m->limit)
		return hp_fail(err, HP_LIMIT,
			       "the graph does not fit in --memory");
	st = map_pages(a, err);
	if (st == HP_OK)
		count_held(m, a->bytes);
	return st;
}

enum hp_status
hp_big_array_reserve(struct hp_big_array *a, uint64_t bytes,
		     struct hp_error *err)
{
	*a = (struct hp_big_array){.bytes = whole_pages(bytes ? bytes : 1),
				   .reserved = true};
	return map_pages(a, err);
}

void
hp_big_array_shrink(struct hp_big_memory *m, struct hp_big_array *a,
		    uint64_t bytes)
{
	uint64_t keep = whole_pages(bytes ? bytes : 1);

	if (!a->at || keep > a->bytes)
		return;
	if (keep < a->bytes)
		munmap((char *)a->at + keep, a->bytes - keep);
	if (a->reserved)
		count_held(m, keep);
	else if (a->in_file)
		m->in_file -= a->bytes - keep;
	else
		m->held -= a->bytes - keep;
	a->reserved = false;
	a->bytes = keep;
}

void
hp_big_array_drop(struct hp_big_memory *m, struct hp_big_array *a)
{
	if (!a->at)
		return;
	munmap(a->at, a->bytes);
	if (a->in_file)
		m->in_file -= a->bytes;
	else if (!a->reserved)
		m->held -= a->bytes;
	*a = (struct hp_big_array){0};
}

void
hp_big_memory_release(struct hp_big_memory *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}
