/*
 * layer.c - functions that all layers of an input (the file and decompressors)
 * share: reading the first bytes in advance, the limit on the number of bytes,
 * and lists of notes about problems
 */
#include "common/io/layer.h"

#include <stdlib.h>
#include <string.h>

void
hp_notes_add(struct hp_notes *notes, const struct hp_container_note *note)
{
	bool block = note->problem == HP_CONTAINER_PACK_BLOCK;
	unsigned same = 0;

	for (size_t i = 0; i < notes->count; i++) {
		if (notes->list[i].problem == note->problem &&
		    (!block || ++same == HP_NOTES_BLOCKS)) {
			notes->list[i].count += note->count;
			return;
		}
	}
	notes->list[notes->count++] = *note;
}

enum hp_status
hp_layer_peek(struct hp_layer *l, uint8_t *buf, size_t *got,
	      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (l->head_len == 0)
		st = l->ops->read(l, l->head, HP_LAYER_HEAD, &l->head_len, err);
	memcpy(buf, l->head, l->head_len);
	*got = l->head_len;
	return st;
}

/*
 * Read the next @n bytes of the layer to @buf. If @buf is NULL, skip the bytes.
 * Bytes that hp_layer_peek() has buffered come first.
 */
static enum hp_status
read_peeked_first(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
		  struct hp_error *err)
{
	size_t first = l->head_len - l->head_pos;
	size_t more = 0;
	enum hp_status st = HP_OK;

	if (first > n)
		first = n;
	if (buf)
		memcpy(buf, l->head + l->head_pos, first);
	l->head_pos += first;
	if (n > first)
		st = l->ops->read(l, buf ? buf + first : NULL, n - first, &more,
				  err);
	*got = first + more;
	l->pos += *got;
	return st;
}

enum hp_status
hp_layer_read(struct hp_layer *l, void *buf, size_t n, size_t *got,
	      struct hp_error *err)
{
	size_t want = n, extra = 0;
	uint64_t pos;
	uint8_t byte;
	enum hp_status st;

	*got = 0;
	if (l->limit && n > l->limit - l->pos)
		want = (size_t)(l->limit - l->pos);
	if (!l->over) {
		st = read_peeked_first(l, buf, want, got, err);
		if (st != HP_OK || want == n || *got < want)
			return st;
		pos = l->pos;
		st = read_peeked_first(l, &byte, 1, &extra, err);
		l->pos = pos;
		if (st != HP_OK || extra == 0)
			return st;
		l->over = true;
	} else if (n == 0) {
		return HP_OK;
	}
	return hp_fail(err, HP_LIMIT,
		       "has more than %llu bytes when decompressed "
		       "(--max-size)",
		       (unsigned long long)l->limit);
}

uint8_t *
hp_layer_borrow(struct hp_layer *l, uint64_t offset, size_t n,
		struct hp_buffer **held)
{
	if (!l->ops->lend ||
	    (l->limit && (offset > l->limit || n > l->limit - offset)))
		return NULL;
	return l->ops->lend(l, offset, n, held);
}
