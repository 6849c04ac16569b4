/* hold.c - keep bytes in memory or, if there are many, in a temporary file */
#include "common/format/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/io/anon_file.h"

#include <unistd.h>

enum { STEP = 1 << 20 };

void
hp_hold_init(struct hp_hold *h, const char *dir)
{
	*h = (struct hp_hold){.dir = dir, .fd = -1};
}

void
hp_hold_release(struct hp_hold *h)
{
	hp_free(h->data);
	if (h->fd >= 0)
		close(h->fd);
}

/*
 * Read up to @n bytes of the record into memory, but at most HP_HOLD_MEMORY
 * bytes. If the record or the input ends before that, sets *@end.
 */
static enum hp_status
fill_memory(struct hp_hold *h, struct hp_reader *r, uint64_t n, bool *end,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t want, got;

	if (n > HP_HOLD_MEMORY)
		n = HP_HOLD_MEMORY;
	while (st == HP_OK && h->have < n && !*end) {
		want = n - h->have < STEP ? (size_t)n - h->have : STEP;
		if (!HP_LIST_FIT(h->data, h->have + want, h->cap))
			return hp_no_memory(err);
		st = hp_reader_read(r, h->data + h->have, want, &got, err);
		h->have += got;
		*end = got < want;
	}
	h->total = h->have;
	return st;
}

static enum hp_status
fill_file(struct hp_hold *h, struct hp_reader *r, uint64_t n, uint8_t *buf,
	  struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t want, got = 0;
	bool end = false;

	if (h->fd < 0)
		st = hp_anon_file_open(&h->fd, h->dir, err);
	while (st == HP_OK && h->total < n && !end) {
		want = n - h->total < STEP ? (size_t)(n - h->total) : STEP;
		st = hp_reader_read(r, buf, want, &got, err);
		end = got < want;
		if (st == HP_OK)
			st = hp_anon_file_write(h->fd, buf, got,
						h->total - h->have, err);
		h->total += got;
	}
	return st;
}

enum hp_status
hp_hold_fill(struct hp_hold *h, struct hp_reader *r, uint64_t n,
	     struct hp_error *err)
{
	bool end = false;
	enum hp_status st;
	uint8_t *buf;

	h->have = 0;
	h->total = h->taken = 0;
	st = fill_memory(h, r, n, &end, err);
	if (st != HP_OK || end || h->total == n)
		return st;
	buf = hp_malloc(STEP);
	if (!buf)
		return hp_no_memory(err);
	st = fill_file(h, r, n, buf, err);
	hp_free(buf);
	return st;
}

enum hp_status
hp_hold_read(struct hp_hold *h, uint8_t *buf, size_t n, size_t *got,
	     struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t here = 0;

	if (n > hp_hold_left(h))
		n = (size_t)hp_hold_left(h);
	if (h->taken < h->have) {
		here = h->have - (size_t)h->taken;
		if (here > n)
			here = n;
		memcpy(buf, h->data + h->taken, here);
	}
	if (n > here)
		st = hp_anon_file_read(h->fd, buf + here, n - here,
				       h->taken + here - h->have, err);
	*got = st == HP_OK ? n : here;
	h->taken += *got;
	return st;
}
