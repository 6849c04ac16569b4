/*
 * table_counts.c - count the objects in a pack from the symbol tables of its
 * blocks, and build a dump without objects
 *
 * For most blocks, only the symbol table is unpacked, a few hundred bytes. The
 * other data streams are only hashed, to detect damage. All records except
 * objects are copied in the order of the dump, and the lengths of heap records
 * are computed again. This is so little work that several threads would not be
 * faster.
 */
#include "common/pack/pack.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"
#include "common/pack/block/layout.h"

#include <string.h>
#include <xxhash.h>

/*
 * A number of bytes that means "all bytes of the stream". It is larger than any
 * stream, but small enough that sums do not overflow.
 */
#define ALL ((uint64_t)1 << 40)

/*
 * A mark: an offset in the kept bytes of a block where a heap record begins or
 * ends. Kept bytes are all bytes of the dump that do not belong to objects.
 */
struct mark {
	size_t at;
	/*
	 * true: a heap record begins here; false: another record begins, so the
	 * heap record ends
	 */
	bool heap;
};

/*
 * The kept bytes of a block (all bytes that do not belong to objects), and
 * facts about them.
 */
struct part {
	size_t len; /* number of kept bytes (all except objects) */
	struct mark *marks;
	size_t nmarks, marks_room;
	/*
	 * The tag of the heap records whose headers were left out in this
	 * block; 0: no headers were left out. If the output is not inside a
	 * heap record, such a header is inserted before the kept bytes (all
	 * except objects).
	 */
	uint8_t heap_tag;
	/*
	 * heads[0]: the number of HEAP DUMP records in the block; heads[1]: the
	 * number of HEAP DUMP SEGMENT records.
	 */
	uint32_t heads[2];
	uint32_t ends; /* number of HEAP DUMP END records in the block */
};

struct table_count {
	struct hp_source *raw;
	const struct hp_table_counts_options *options;
	struct hp_pack_index index;

	/* The block that is being read. */
	struct hp_pack_unpacker unpacker;
	struct hp_pack_packed list[HP_PACK_STREAMS];
	/* for each stream of the block: its offset in the pack file */
	uint64_t at[HP_PACK_STREAMS];
	/* for each stream of the block: its hash was checked */
	bool checked[HP_PACK_STREAMS];
	XXH3_state_t *hash;
	uint8_t piece[64 << 10];
	uint8_t *packed; /* the compressed bytes of one stream */
	size_t packed_room;
	struct part part;

	/* The dump without objects: names, classes, roots and other records. */
	struct hp_buf dump;
	/*
	 * offset in `dump` of the open heap record, whose length is not known
	 * yet; SIZE_MAX: there is none
	 */
	size_t open;
	bool kept; /* `dump` contains a heap record that is not empty */
	bool ended;
	uint64_t heads[2], ends;
	struct hp_pack_facts facts;
};

bool
hp_table_counts_possible(struct hp_source *raw)
{
	uint8_t magic[8];
	size_t got;

	return hp_source_seekable(raw) &&
	       hp_source_pread(raw, magic, 8, 0, &got, NULL) == HP_OK &&
	       got == 8 && memcmp(magic, HP_PACK_MAGIC, 8) == 0;
}

/* ---- streams of a block ---- */

/*
 * Read the header of a block and its list of streams. Returns HP_UNSUPPORTED if
 * the tables of the block do not suffice to count its objects.
 */
static enum hp_status
open_block(struct table_count *k, uint32_t number, struct hp_pack_head *h,
	   struct hp_error *err)
{
	const struct hp_pack_entry *e = &k->index.entries[number];
	uint8_t bytes[HP_PACK_BLOCK_HEAD + HP_PACK_LIST_MOST];
	uint64_t at = e->at;
	enum hp_status st;
	size_t got, front;

	st = hp_source_pread(k->raw, bytes, sizeof(bytes), at, &got, err);
	if (st != HP_OK)
		return st;
	if (got < HP_PACK_BLOCK_HEAD || !hp_pack_head_read(h, bytes))
		return HP_UNSUPPORTED;
	front = HP_PACK_BLOCK_HEAD + HP_PACK_ENTRY * (size_t)h->nstreams;
	if (got < front || h->flags != 0 || h->number != number ||
	    h->plain != e->plain || h->offset != e->offset ||
	    front + h->body != e->stored ||
	    !hp_pack_head_intact(h, bytes, bytes + HP_PACK_BLOCK_HEAD) ||
	    !hp_pack_list_read(h, bytes + HP_PACK_BLOCK_HEAD, k->list))
		return HP_UNSUPPORTED;
	at += front;
	memset(k->checked, 0, sizeof(k->checked));
	for (uint32_t i = 0; i < h->nstreams; i++) {
		k->at[i] = at;
		at += k->list[i].packed;
	}
	return HP_OK;
}

static enum hp_status
read_stream(struct table_count *k, uint32_t i, uint8_t *to, size_t n,
	    struct hp_error *err)
{
	const struct hp_pack_packed *s = &k->list[i];
	enum hp_status st;
	size_t got;

	if (!hp_pack_make_room(&k->packed, &k->packed_room, s->packed, 1))
		return hp_no_memory(err);
	st = hp_source_pread(k->raw, k->packed, s->packed, k->at[i], &got, err);
	if (st == HP_OK && got == s->packed)
		st = hp_pack_stream_read(k->unpacker.zstd, s, k->packed, to, n);
	else if (st == HP_OK)
		st = HP_UNSUPPORTED;
	k->checked[i] = st == HP_OK;
	return st == HP_DAMAGED ? HP_UNSUPPORTED : st;
}

/*
 * Check the hash of stream number @i in the block's list. Returns
 * HP_UNSUPPORTED if the hash is wrong.
 */
static enum hp_status
check_stream(struct table_count *k, uint32_t i, struct hp_error *err)
{
	const struct hp_pack_packed *s = &k->list[i];
	enum hp_status st = HP_OK;
	uint32_t done = 0;

	XXH3_64bits_reset(k->hash);
	while (st == HP_OK && done < s->packed) {
		size_t n = s->packed - done, got;

		if (n > sizeof(k->piece))
			n = sizeof(k->piece);
		st = hp_source_pread(k->raw, k->piece, n, k->at[i] + done, &got,
				     err);
		if (st == HP_OK && got < n)
			return HP_UNSUPPORTED;
		XXH3_64bits_update(k->hash, k->piece, n);
		done += (uint32_t)n;
	}
	if (st == HP_OK && (uint32_t)XXH3_64bits_digest(k->hash) != s->hash)
		st = HP_UNSUPPORTED;
	return st;
}

/*
 * Check the hashes of the streams that were not read. If a hash is wrong, the
 * block is damaged, and its table cannot be trusted. This takes less than a
 * tenth of the time for unpacking the streams.
 */
static enum hp_status
check_block(struct table_count *k, const struct hp_pack_head *h,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (uint32_t i = 0; i < h->nstreams && st == HP_OK; i++)
		if (!k->checked[i])
			st = check_stream(k, i, err);
	return st;
}

/*
 * Read the first @want[i] bytes of each stream i into one buffer, for the
 * decoder.
 */
static enum hp_status
read_streams(struct table_count *k, const struct hp_pack_head *h,
	     const uint64_t *want, struct hp_error *err)
{
	struct hp_pack_decoder *d = &k->unpacker.decoder;
	enum hp_status st = HP_OK;
	uint64_t sum = 0;
	uint8_t *to;

	for (uint32_t i = 0; i < h->nstreams; i++)
		sum += want[k->list[i].stream] < k->list[i].plain
			       ? want[k->list[i].stream]
			       : k->list[i].plain;
	/* half of the memory limit is for streams; see fill_kept_bytes() */
	if (sum > k->options->memory / 2)
		return HP_UNSUPPORTED;
	if (!hp_pack_memory(&k->unpacker, sum))
		return hp_no_memory(err);
	hp_pack_streams_clear(d);
	to = k->unpacker.streams;
	for (uint32_t i = 0; i < h->nstreams && st == HP_OK; i++) {
		const struct hp_pack_packed *s = &k->list[i];
		uint64_t n =
			want[s->stream] < s->plain ? want[s->stream] : s->plain;

		if (n == 0)
			continue;
		st = read_stream(k, i, to, n, err);
		d->streams[s->stream] = (struct hp_pack_bytes){to, to + n};
		to += n;
	}
	return st;
}

/* ---- bytes that are not objects ---- */

/*
 * Whether items of this symbol (kind of items) are records, not sub-records of
 * a heap dump.
 */
static bool
is_record(const struct hp_pack_symbol *s)
{
	return hp_pack_is_kept(s) &&
	       s->tag & (HP_PACK_RECORD | HP_PACK_HEADER) &&
	       !hp_pack_is_heap_head(s);
}

/*
 * Count the symbols (kinds of items) whose bytes are kept: all symbols except
 * objects. They must come first in the table, so that the beginning of each
 * stream contains their data. Returns false if they do not come first.
 */
static bool
count_kept(const struct hp_pack_table *t, uint32_t *kept)
{
	uint32_t n = 0;

	while (n < t->nsymbols && hp_pack_is_kept(&t->symbols[n]))
		n++;
	*kept = n;
	for (; n < t->nsymbols; n++)
		if (hp_pack_is_kept(&t->symbols[n]))
			return false;
	return true;
}

/*
 * Compute how many bytes of each stream belong to the first @kept symbols
 * (kinds of items), so that only these bytes are unpacked.
 */
static void
wanted_stream_bytes(const struct hp_pack_decoder *d, uint32_t kept,
		    bool ordered, uint64_t *want)
{
	const struct hp_pack_table *t = &d->table;

	memset(want, 0, HP_PACK_STREAMS * sizeof(*want));
	if (ordered)
		want[HP_PACK_S_OP_LOW] = want[HP_PACK_S_OP_HIGH] = ALL;
	want[HP_PACK_S_TEXT] = want[HP_PACK_S_BYTES] = ALL;
	want[HP_PACK_S_CLASS] = ALL;
	for (uint32_t i = 0; i < kept; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];

		for (uint32_t c = 0; c < s->ncolumns; c++) {
			const struct hp_pack_column *column =
				&t->columns[s->column + c];
			unsigned group = hp_pack_group(s, column, c);
			uint64_t rows = s->rows;

			if (hp_pack_has_elements(s->kind) && c > 0)
				/*
				 * the number of array elements is not known
				 * yet, so read the whole stream
				 */
				rows = ALL;
			for (unsigned p = 0; p < column->planes; p++)
				want[8 * group + p] += rows;
		}
	}
}

static bool
add_mark(struct part *p, bool heap)
{
	return HP_LIST_PUSH(p->marks, p->nmarks, p->marks_room,
			    (struct mark){.at = p->len, .heap = heap});
}

/*
 * @number is the index of a symbol (kind of items). Append the next item of
 * this symbol to the kept bytes (all bytes except objects): store the offset of
 * the item in d->rows, and add its size to p->len.
 */
static bool
place_row(struct hp_pack_decoder *d, struct part *p, uint32_t number)
{
	const struct hp_pack_symbol *s = &d->table.symbols[number];
	uint32_t row;
	uint64_t size = s->fixed;

	if (d->next[number] == s->rows)
		return false;
	row = hp_pack_next_row(d, number);
	if (s->unit)
		size += (uint64_t)d->lengths[row] * s->unit;
	if (size > d->plain - p->len)
		return false;
	d->rows[row] = (uint32_t)p->len;
	p->len += size;
	return true;
}

/*
 * Choose the offset of each kept item in the kept bytes (all except objects).
 * The items remain in the order of the dump, which is known from the unpacked
 * stream of symbol numbers.
 */
static bool
place_in_order(struct hp_pack_decoder *d, uint32_t kept, struct part *p)
{
	const struct hp_pack_table *t = &d->table;
	const struct hp_pack_bytes *low = &d->streams[HP_PACK_S_OP_LOW];
	const struct hp_pack_bytes *high = &d->streams[HP_PACK_S_OP_HIGH];
	/*
	 * whether the current position is in a heap record; at the beginning of
	 * the block, true is assumed
	 */
	bool inside = true;

	if (hp_pack_left(low) != t->items ||
	    (t->nsymbols > 256 && hp_pack_left(high) != t->items))
		return false;
	for (uint32_t i = 0; i < t->items; i++) {
		unsigned op = low->p[i];
		const struct hp_pack_symbol *s;

		if (t->nsymbols > 256)
			op |= (unsigned)high->p[i] << 8;
		if (op >= t->nsymbols)
			return false;
		if (op >= kept)
			continue;
		s = &t->symbols[op];
		if (hp_pack_is_heap_head(s) && !add_mark(p, true))
			return false;
		if (is_record(s) && inside && !add_mark(p, false))
			return false;
		inside = hp_pack_is_heap_head(s) || (inside && !is_record(s));
		if (!place_row(d, p, op))
			return false;
	}
	return true;
}

/*
 * Choose the offset of each kept item in the kept bytes (all except objects),
 * in any order. Called if all kept items are sub-records.
 */
static bool
place_subs(struct hp_pack_decoder *d, uint32_t kept, struct part *p)
{
	for (uint32_t i = 0; i < kept; i++)
		for (uint32_t k = 0; k < d->table.symbols[i].rows; k++)
			if (!place_row(d, p, i))
				return false;
	return true;
}

/*
 * Whether the header of a heap record must be inserted before the first kept
 * byte of the block. The bytes of objects are not kept.
 */
static bool
needs_head(const struct table_count *k)
{
	return k->part.heap_tag && k->open == SIZE_MAX;
}

/*
 * Decode the bytes of all kept items (all except objects) to the end of the
 * buffer `dump`. Space is left for a header that append_block() may insert
 * before them.
 */
static enum hp_status
fill_kept_bytes(struct table_count *k, uint32_t kept)
{
	struct hp_pack_decoder *d = &k->unpacker.decoder;
	size_t head = needs_head(k) ? HP_HEAD_SIZE : 0;
	enum hp_status st = HP_OK;

	/*
	 * A quarter of the memory limit is for the dump without objects, and
	 * half of the limit is for streams. The lists of items need less than
	 * the other quarter.
	 */
	if (k->dump.len + k->part.len > k->options->memory / 4)
		return HP_UNSUPPORTED;
	if (!hp_buf_reserve(&k->dump, head + k->part.len))
		return HP_NOMEM;
	d->out = (uint8_t *)k->dump.data + k->dump.len + head;
	for (uint32_t i = 0; i < kept && st == HP_OK; i++) {
		const struct hp_pack_symbol *s = &d->table.symbols[i];

		if (d->next[i] != s->rows)
			return HP_DAMAGED;
		for (uint32_t n = 0; s->fixed && n < s->rows; n++)
			d->out[d->rows[s->first + n]] = (uint8_t)s->tag;
		st = hp_pack_decode_symbol(d, s);
	}
	return st;
}

static enum hp_status
count_objects(const struct table_count *k, struct part *p)
{
	const struct hp_pack_table *t = &k->unpacker.decoder.table;
	const struct hp_table_counts_options *o = k->options;
	enum hp_status st = HP_OK;

	for (uint32_t i = 0; i < t->nsymbols && st == HP_OK; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];

		if (hp_pack_is_object(s->kind))
			st = o->count(o->context, s,
				      s->nresidues ? t->residues + s->residue
						   : NULL);
		else if (hp_pack_is_heap_head(s))
			p->heads[s->tag ==
				 (HP_PACK_RECORD | HP_REC_HEAP_DUMP_SEGMENT)] +=
				s->rows;
		else if (s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP_END))
			p->ends += s->rows;
	}
	return st;
}

/*
 * Whether the items of this symbol (kind of items) must keep their position
 * relative to other items.
 */
static bool
has_place(const struct hp_pack_symbol *s)
{
	/*
	 * A class dump consists of two items: its fixed fields and its tables.
	 * The two items must stay together.
	 */
	return is_record(s) || hp_pack_is_heap_head(s) ||
	       (s->kind == HP_PACK_ROW && s->tag == HP_SUB_CLASS_DUMP);
}

/*
 * Whether the order of the kept items matters. The kept items are those of the
 * first @kept symbols (kinds of items). If all kept items are complete
 * sub-records, their order does not matter: the output then has a single heap
 * record with all of them.
 */
static bool
is_ordered(const struct hp_pack_table *t, uint32_t *kept, struct part *p)
{
	uint32_t n = *kept;

	while (n > 0 && hp_pack_is_heap_head(&t->symbols[n - 1]))
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (has_place(&t->symbols[i]))
			return true;
	if (n < *kept)
		p->heap_tag = (uint8_t)t->symbols[n].tag;
	*kept = n;
	return false;
}

static void
append_facts(struct table_count *k, const struct hp_pack_facts *f)
{
	struct hp_pack_facts *all = &k->facts;

	all->id_bits |= f->id_bits;
	all->overlaps += f->overlaps;
	all->near += f->near;
	if (!f->any)
		return;
	if (all->any && f->first_array > all->last_array &&
	    f->first_array < all->last_end)
		all->overlaps++;
	all->any = true;
	all->last_array = f->last_array;
	all->last_end = f->last_end;
}

/* Decode the kept bytes of a block, those that do not belong to objects. */
static enum hp_status
keep_non_objects(struct table_count *k, const struct hp_pack_head *h,
		 uint32_t kept, struct hp_error *err)
{
	struct hp_pack_decoder *d = &k->unpacker.decoder;
	struct part *p = &k->part;
	bool ordered = is_ordered(&d->table, &kept, p), placed;
	uint64_t want[HP_PACK_STREAMS];
	enum hp_status st;

	if (kept == 0)
		return HP_OK;
	wanted_stream_bytes(d, kept, ordered, want);
	st = read_streams(k, h, want, err);
	if (st == HP_OK)
		st = hp_pack_decode_lengths(d, kept);
	if (st != HP_OK)
		return st;
	placed = ordered ? place_in_order(d, kept, p) : place_subs(d, kept, p);
	return placed ? fill_kept_bytes(k, kept) : HP_DAMAGED;
}

static enum hp_status
count_block(struct table_count *k, uint32_t number, struct hp_error *err)
{
	struct hp_pack_decoder *d = &k->unpacker.decoder;
	uint64_t want[HP_PACK_STREAMS] = {[HP_PACK_S_SYMBOLS] = UINT64_MAX};
	struct part *p = &k->part;
	struct hp_pack_head h;
	enum hp_status st = open_block(k, number, &h, err);
	uint32_t kept;

	p->len = p->nmarks = 0;
	p->heap_tag = 0;
	p->heads[0] = p->heads[1] = p->ends = 0;
	if (st == HP_OK)
		st = read_streams(k, &h, want, err);
	if (st == HP_OK)
		st = hp_pack_decode_table(d, h.plain);
	if (st == HP_OK)
		st = count_objects(k, p);
	if (st != HP_OK)
		return st;
	append_facts(k, &d->table.facts);
	st = count_kept(&d->table, &kept) ? keep_non_objects(k, &h, kept, err)
					  : HP_UNSUPPORTED;
	return st == HP_OK ? check_block(k, &h, err) : st;
}

/* ---- assembling the dump without objects ---- */

/* End the open heap record: write its length into its header. */
static bool
close_heap(struct table_count *k)
{
	size_t n;

	if (k->open == SIZE_MAX)
		return true;
	n = k->dump.len - k->open - HP_HEAD_SIZE;
	if (n > UINT32_MAX)
		return false;
	if (n == 0)
		/* the heap record is empty: remove it */
		k->dump.len = k->open;
	else
		hp_store4(k->dump.data + k->open + 5, (uint32_t)n);
	k->kept |= n > 0;
	k->open = SIZE_MAX;
	return true;
}

/* Handle a mark: an offset at which a heap record begins or ends. */
static bool
apply_mark(struct table_count *k, const struct mark *m)
{
	if (!close_heap(k) || (m->heap && k->ended))
		return false;
	if (m->heap)
		k->open = k->dump.len;
	return true;
}

/*
 * Append the next @n kept bytes of the block (bytes of no object) to the buffer
 * `dump`. They are already in the memory of this buffer, at *@from, at or after
 * the end of its contents. If there is a gap before them, move them.
 */
static void
next_bytes(struct table_count *k, size_t n, const uint8_t **from)
{
	uint8_t *to = (uint8_t *)k->dump.data + k->dump.len;

	/*
	 * if an empty heap record before these bytes was removed, the bytes
	 * must move
	 */
	if (n > 0 && to != *from)
		memmove(to, *from, n);
	*from += n;
	k->dump.len += n;
}

/*
 * Append the kept bytes (all except objects) of a block to the dump. The block
 * has a list of marks: the offsets at which a heap record begins or ends.
 */
static bool
append_marked(struct table_count *k)
{
	const struct part *p = &k->part;
	const uint8_t *from = (const uint8_t *)k->dump.data + k->dump.len;
	size_t at = 0;

	for (size_t i = 0; i < p->nmarks; i++) {
		next_bytes(k, p->marks[i].at - at, &from);
		at = p->marks[i].at;
		if (!apply_mark(k, &p->marks[i]))
			return false;
	}
	next_bytes(k, p->len - at, &from);
	return true;
}

/*
 * Append the kept bytes (all except objects) of a block to the dump. Returns
 * HP_UNSUPPORTED if the records are not in the expected order.
 */
static enum hp_status
append_block(struct table_count *k)
{
	const struct part *p = &k->part;
	uint8_t head[HP_HEAD_SIZE] = {p->heap_tag};

	if (needs_head(k)) {
		if (k->ended)
			return HP_UNSUPPORTED;
		k->open = k->dump.len;
		hp_buf_add(&k->dump, head, sizeof(head));
	}
	if (p->len > 0 && (p->nmarks == 0 || p->marks[0].at > 0) &&
	    k->open == SIZE_MAX)
		return HP_UNSUPPORTED;
	if (!hp_buf_ok(&k->dump))
		return HP_NOMEM;
	if (p->len > 0 && !append_marked(k))
		return HP_UNSUPPORTED;
	k->heads[0] += p->heads[0];
	k->heads[1] += p->heads[1];
	k->ends += p->ends;
	k->ended |= p->ends > 0;
	return HP_OK;
}

/*
 * Decide whether arrays would overlap if references had 8 bytes. If so,
 * references have 4 bytes. The result must be the same as that of the code that
 * reads the whole dump. That code compares only arrays in the same batch. A
 * batch ends after at most 512 KiB, after long records, and at gaps of 64 KiB
 * between heap records. If the tables do not determine the result, the dump
 * must be read completely.
 */
static enum hp_status
judge_overlap(const struct table_count *k, struct hp_table_counts_facts *facts)
{
	uint64_t batches = k->index.plain / (512 << 10) +
			   k->dump.len / (64 << 10) +
			   2 * (k->heads[0] + k->heads[1]) + 16;

	facts->id_bits = k->facts.id_bits;
	facts->overlap = k->facts.near > 0 || k->facts.overlaps > batches;
	if (k->facts.overlaps > 0 && !facts->overlap)
		return HP_UNSUPPORTED;
	/*
	 * The counts are right only for a file with exactly one dump, which
	 * must have a heap record.
	 */
	if (k->heads[0] > 1 || (k->heads[0] && k->heads[1]) || k->ends > 1 ||
	    !k->kept)
		return HP_UNSUPPORTED;
	return HP_OK;
}

static enum hp_status
count_blocks(struct table_count *k, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	k->hash = XXH3_createState();
	if (!k->hash || !hp_pack_unpacker_init(&k->unpacker))
		return hp_no_memory(err);
	for (size_t i = 0; i < k->index.count && st == HP_OK; i++) {
		st = count_block(k, (uint32_t)i, err);
		if (st == HP_OK)
			st = append_block(k);
	}
	return st == HP_NOMEM ? hp_no_memory(err) : st;
}

static void
release_all(struct table_count *k)
{
	hp_pack_unpacker_release(&k->unpacker);
	XXH3_freeState(k->hash);
	hp_free(k->packed);
	hp_free(k->part.marks);
	hp_buf_release(&k->dump);
	hp_pack_index_release(&k->index);
	hp_free(k);
}

enum hp_status
hp_table_counts(struct hp_source *raw,
		const struct hp_table_counts_options *options,
		struct hp_table_counts_facts *facts, struct hp_error *err)
{
	struct table_count *k = hp_calloc(1, sizeof(*k));
	enum hp_status st;

	if (!k)
		return hp_no_memory(err);
	k->raw = raw;
	k->options = options;
	k->open = SIZE_MAX;
	st = hp_pack_index_read(&k->index, raw, err);

	if (st == HP_OK)
		st = count_blocks(k, err);
	if (st == HP_OK && !close_heap(k))
		st = HP_UNSUPPORTED;
	if (st == HP_OK)
		st = judge_overlap(k, facts);
	if (st == HP_OK)
		st = options->put(options->context, k->dump.data, k->dump.len,
				  err);
	release_all(k);
	return st == HP_DAMAGED ? HP_UNSUPPORTED : st;
}
