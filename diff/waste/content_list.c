/*
 * content_list.c - store the hashes of arrays in a list that is divided into
 * parts, and sort a part
 *
 * The entries of a part are stored in blocks, in memory or in a temporary file.
 * In the file, each part has extents of its own, because a part is read as a
 * whole: a read of one block would read pages that contain blocks of other
 * parts, too, and these pages would be read again for each of these parts.
 */
#include "diff/waste/internal.h"

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/io/anon_file.h"

#include <string.h>
#include <unistd.h>

enum {
	/* a list is sorted with at most 2^BUCKET_BITS buckets */
	BUCKET_BITS = 12,
	/* lists of at most so many entries are sorted by insertion */
	FEW = 16,
	/*
	 * number of bytes of an extent of the file: 64 blocks, which are whole
	 * pages
	 */
	EXTENT = 64 * HP_CONTENT_BLOCK * sizeof(struct hp_content_entry),
};

void
hp_content_list_init(struct hp_content_list *l, uint64_t limit)
{
	*l = (struct hp_content_list){.limit = limit, .fd = -1};
	pthread_mutex_init(&l->lock, NULL);
}

void
hp_content_list_release(struct hp_content_list *l)
{
	for (size_t i = 0; i < HP_CONTENT_PARTS; i++) {
		for (size_t k = 0; k < l->parts[i].count; k++)
			hp_free(l->parts[i].list[k].at);
		hp_free(l->parts[i].list);
		l->parts[i] = (struct hp_content_part){0};
	}
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	pthread_mutex_destroy(&l->lock);
}

/* Write a block to the file. *@offset receives its position. */
static enum hp_status
write_block(struct hp_content_list *l, struct hp_content_part *p,
	    const struct hp_content_entry *from, size_t bytes, uint64_t *offset,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (l->fd < 0)
		st = hp_anon_file_open(&l->fd, NULL, err);
	if (p->free < bytes) {
		p->at = l->in_file;
		p->free = EXTENT;
		l->in_file += EXTENT;
	}
	if (st == HP_OK)
		st = hp_anon_file_write(l->fd, from, bytes, p->at, err);
	*offset = p->at;
	p->at += bytes;
	p->free -= bytes;
	return st;
}

/*
 * Append a block to the blocks of a part. If it follows the last block in the
 * file, both become one block, which is read at once.
 */
static void
append(struct hp_content_part *p, const struct hp_content_block *b)
{
	struct hp_content_block *last =
		p->count ? &p->list[p->count - 1] : NULL;

	if (last && !last->at && !b->at &&
	    last->offset + last->count * sizeof(*b->at) == b->offset)
		last->count += b->count;
	else
		p->list[p->count++] = *b;
	p->entries += b->count;
}

/*
 * Add a block of entries to a part of the list of hashes. The caller holds the
 * lock of the list.
 */
static enum hp_status
add_block(struct hp_content_list *l, unsigned part,
	  const struct hp_content_entry *from, uint32_t count,
	  struct hp_error *err)
{
	struct hp_content_part *p = &l->parts[part];
	size_t bytes = count * sizeof(*from);
	struct hp_content_block b = {.count = count};
	enum hp_status st = HP_OK;

	if (!HP_LIST_RESERVE(p->list, p->count, p->cap))
		return hp_no_memory(err);
	if (l->held + bytes <= l->limit) {
		b.at = hp_malloc(bytes);
		if (!b.at)
			return hp_no_memory(err);
		memcpy(b.at, from, bytes);
		l->held += bytes;
	} else {
		st = write_block(l, p, from, bytes, &b.offset, err);
	}
	if (st == HP_OK)
		append(p, &b);
	return st;
}

static enum hp_status
send_block(struct hp_content_list *l, struct hp_content_rest *rest,
	   unsigned part, struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&l->lock);
	st = add_block(l, part, rest->list[part], rest->count[part], err);
	pthread_mutex_unlock(&l->lock);
	rest->count[part] = 0;
	return st;
}

enum hp_status
hp_content_list_add(struct hp_content_list *l, struct hp_content_rest *rest,
		    unsigned part, const struct hp_content_entry *e,
		    struct hp_error *err)
{
	rest->list[part][rest->count[part]++] = *e;
	return rest->count[part] == HP_CONTENT_BLOCK
		       ? send_block(l, rest, part, err)
		       : HP_OK;
}

enum hp_status
hp_content_list_flush(struct hp_content_list *l, struct hp_content_rest *rest,
		      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (unsigned i = 0; i < HP_CONTENT_PARTS && st == HP_OK; i++)
		if (rest->count[i] > 0)
			st = send_block(l, rest, i, err);
	return st;
}

/* --- read a part ---------------------------------------------------------- */

static bool
is_less(const struct hp_content_entry *a, const struct hp_content_entry *b)
{
	if (a->hash != b->hash)
		return a->hash < b->hash;
	return a->more != b->more ? a->more < b->more : a->node < b->node;
}

static void
swap(struct hp_content_entry *a, struct hp_content_entry *b)
{
	struct hp_content_entry t = *a;

	*a = *b;
	*b = t;
}

static void
sort_few(struct hp_content_entry *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct hp_content_entry e = list[i];
		size_t k = i;

		for (; k > 0 && is_less(&e, &list[k - 1]); k--)
			list[k] = list[k - 1];
		list[k] = e;
	}
}

/*
 * Sort entries by quicksort, in place, because @list may be in a mapped
 * file. The pivot is a random element, and @random is a secret number, so an
 * attacker cannot construct the worst case, not even with equal contents, whose
 * order the dump determines. The larger half waits on a stack while the smaller
 * half is sorted, so the depth of the stack is logarithmic.
 */
static void
sort(struct hp_content_entry *list, size_t n, uint64_t random)
{
	struct {
		struct hp_content_entry *list;
		size_t n;
	} stack[64];
	size_t depth = 0;

	stack[depth].list = list;
	stack[depth++].n = n;
	while (depth > 0) {
		struct hp_content_entry pivot;
		size_t low = 0, high;

		list = stack[--depth].list;
		n = stack[depth].n;
		if (n <= FEW) {
			sort_few(list, n);
			continue;
		}
		random = random * UINT64_C(0xD1342543DE82EF95) + 1;
		pivot = list[(random >> 32) % (n - 1)];
		for (high = n - 1;; low++, high--) {
			while (is_less(&list[low], &pivot))
				low++;
			while (is_less(&pivot, &list[high]))
				high--;
			if (low >= high)
				break;
			swap(&list[low], &list[high]);
		}
		low = high + 1;
		/* sort the smaller half next, so that the stack stays short */
		stack[depth + (low > n - low ? 0 : 1)].list = list;
		stack[depth + (low > n - low ? 0 : 1)].n = low;
		stack[depth + (low > n - low ? 1 : 0)].list = list + low;
		stack[depth + (low > n - low ? 1 : 0)].n = n - low;
		depth += 2;
	}
}

/*
 * Returns the index of the bucket for an entry: the upper @bits bits of its
 * hash.
 */
static unsigned
bucket_of(const struct hp_content_entry *e, unsigned bits)
{
	return (unsigned)(e->hash >> 1 >> (63 - bits));
}

/*
 * Sort in place: first move the entries into buckets by the upper bits of their
 * hashes, then sort each bucket. The number of buckets is chosen so that a
 * bucket has about FEW entries.
 *
 * Source: P. McIlroy, K. Bostic, M. McIlroy, "Engineering Radix Sort", 1993
 * (American flag sort)
 */
void
hp_content_sort(struct hp_content_entry *list, size_t n)
{
	size_t next[1 << BUCKET_BITS] = {0}, end[1 << BUCKET_BITS];
	size_t at = 0, from = 0;
	uint64_t random = hp_seed(list);
	unsigned bits = 0;

	while (bits < BUCKET_BITS && n >> bits > FEW)
		bits++;
	for (size_t i = 0; i < n; i++)
		next[bucket_of(&list[i], bits)]++;
	for (unsigned b = 0; b < 1U << bits; b++) {
		at += next[b];
		end[b] = at;
		next[b] = at - next[b];
	}
	for (unsigned b = 0; b < 1U << bits; b++)
		while (next[b] < end[b]) {
			unsigned to = bucket_of(&list[next[b]], bits);

			if (to == b)
				next[b]++;
			else
				swap(&list[next[b]], &list[next[to]++]);
		}
	for (unsigned b = 0; b < 1U << bits; from = end[b++])
		sort(list + from, end[b] - from, random);
}

static enum hp_status
read_block(const struct hp_content_list *l, const struct hp_content_block *b,
	   struct hp_content_entry *to, struct hp_error *err)
{
	size_t bytes = b->count * sizeof(*to);

	if (!b->at)
		return hp_anon_file_read(l->fd, to, bytes, b->offset, err);
	memcpy(to, b->at, bytes);
	return HP_OK;
}

enum hp_status
hp_content_list_part(struct hp_content_list *l, unsigned part,
		     struct hp_content_entry *to, struct hp_error *err)
{
	struct hp_content_part *p = &l->parts[part];
	enum hp_status st = HP_OK;
	size_t at = 0;

	for (size_t i = 0; i < p->count && st == HP_OK; i++) {
		st = read_block(l, &p->list[i], to + at, err);
		at += p->list[i].count;
	}
	return st;
}
