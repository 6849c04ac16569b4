/* block_index.c - read the list of the blocks of a pack from its directory */
#include "common/pack/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/pack/block/block.h"

static enum hp_status
read_all(struct hp_source *raw, void *buf, size_t n, uint64_t at,
	 struct hp_error *err)
{
	size_t got;
	enum hp_status st = hp_source_pread(raw, buf, n, at, &got, err);

	return st == HP_OK && got < n ? HP_DAMAGED : st;
}

static enum hp_status
add_entry(struct hp_pack_index *index, const struct hp_pack_entry *e,
	  struct hp_error *err)
{
	if (!HP_LIST_PUSH(index->entries, index->count, index->room, *e))
		return hp_no_memory(err);
	index->plain = e->offset + e->plain;
	return HP_OK;
}

/*
 * Parse the entries of a directory, after checking its hash. Each block must
 * begin where the previous one ends.
 */
static enum hp_status
parse_entries(struct hp_pack_index *index, const uint8_t *p, size_t n,
	      const struct hp_pack_tail *tail, struct hp_error *err)
{
	uint64_t at = HP_PACK_FILE_HEAD;
	enum hp_status st = HP_OK;

	if (!hp_pack_directory_intact(p, n))
		return HP_DAMAGED;
	for (uint64_t i = 0; i < tail->blocks && st == HP_OK; i++) {
		struct hp_pack_entry e = hp_pack_directory_entry(p, i);

		if (e.at != at || e.offset != index->plain ||
		    e.stored < HP_PACK_BLOCK_HEAD)
			return HP_DAMAGED;
		st = add_entry(index, &e, err);
		at += e.stored;
	}
	return st == HP_OK && (at != tail->directory ||
			       index->plain != tail->plain)
		       ? HP_DAMAGED
		       : st;
}

static enum hp_status
read_directory(struct hp_pack_index *index, struct hp_source *raw,
	       struct hp_error *err)
{
	uint64_t size = hp_source_size(raw), n;
	struct hp_pack_tail tail;
	uint8_t bytes[HP_PACK_TAIL];
	enum hp_status st;
	uint8_t *p;

	if (size < HP_PACK_FILE_HEAD + HP_PACK_DIRECTORY_HEAD + HP_PACK_TAIL)
		return HP_DAMAGED;
	st = read_all(raw, bytes, HP_PACK_TAIL, size - HP_PACK_TAIL, err);
	if (st != HP_OK)
		return st;
	if (!hp_pack_tail_read(bytes, &tail) || tail.directory >= size)
		return HP_DAMAGED;
	n = size - tail.directory;
	if (tail.blocks > n / HP_PACK_DIRECTORY_ENTRY ||
	    n != HP_PACK_DIRECTORY_HEAD + HP_PACK_TAIL +
			    HP_PACK_DIRECTORY_ENTRY * tail.blocks)
		return HP_DAMAGED;
	p = hp_malloc(n);
	if (!p)
		return hp_no_memory(err);
	st = read_all(raw, p, n, tail.directory, err);
	if (st == HP_OK)
		st = parse_entries(index, p, n, &tail, err);
	hp_free(p);
	return st;
}

enum hp_status
hp_pack_index_read(struct hp_pack_index *index, struct hp_source *raw,
		   struct hp_error *err)
{
	uint8_t head[HP_PACK_FILE_HEAD];
	enum hp_status st = read_all(raw, head, sizeof(head), 0, err);

	*index = (struct hp_pack_index){0};
	if (st == HP_OK)
		st = hp_pack_file_head_check(head) == HP_OK ? HP_OK
							    : HP_DAMAGED;
	return st == HP_OK ? read_directory(index, raw, err) : st;
}

void
hp_pack_index_release(struct hp_pack_index *index)
{
	hp_free(index->entries);
	*index = (struct hp_pack_index){0};
}
