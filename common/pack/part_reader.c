/*
 * part_reader.c - read a pack from the beginning to the end, and find the next
 * block after a damaged one
 *
 * The header of a block is trusted if its hash is right. The length in this
 * header is trusted if the next block or the directory begins where the block
 * ends, or if the hashes of all data streams of the block are right. Otherwise
 * bytes of the block may be missing, so the reader also searches the data of
 * the block for the header of the next block. Whether the data are intact is
 * checked only when the block is unpacked.
 */
#include "common/pack/internal.h"
#include "common/base/memory.h"

/* number of bytes of a block's data to read in one call */
enum { STEP = 1 << 20 };

/*
 * Read the bytes of the file that come after those in the window (a buffer). If
 * *@got is less than @n, the file ends.
 */
static enum hp_status
read_behind(struct hp_pack_input *in, uint8_t *to, size_t n, size_t *got,
	    struct hp_error *err)
{
	size_t again = in->again_end - in->again_start;
	enum hp_status st;

	*got = again < n ? again : n;
	if (*got > 0)
		memcpy(to, in->again + in->again_start, *got);
	in->again_start += *got;
	if (*got == n || in->ended)
		return HP_OK;
	st = hp_layer_read(in->below, to + *got, n - *got, &again, err);
	*got += again;
	in->ended = st == HP_OK && *got < n;
	return st;
}

/*
 * Read until the window, the buffer, has at least @n bytes, or the file ends.
 */
static enum hp_status
fill_window(struct hp_pack_input *in, size_t n, struct hp_error *err)
{
	size_t got, want;
	enum hp_status st;

	if (in->end - in->start >= n || in->last)
		return HP_OK;
	memmove(in->window, in->window + in->start, in->end - in->start);
	in->end -= in->start;
	in->start = 0;
	want = sizeof(in->window) - in->end;
	st = read_behind(in, in->window + in->end, want, &got, err);
	in->end += got;
	in->last = st == HP_OK && got < want;
	return st;
}

static size_t
window_length(const struct hp_pack_input *in)
{
	return in->end - in->start;
}

static const uint8_t *
window_bytes(const struct hp_pack_input *in)
{
	return in->window + in->start;
}

static void
skip_bytes(struct hp_pack_input *in, size_t n)
{
	in->start += n;
	in->at += n;
}

static void
fail_part(struct hp_pack_part *part, enum hp_status st)
{
	part->kind = HP_PACK_PART_FAIL;
	part->status = st;
}

/*
 * Check whether an intact block header and its list of streams begin at the
 * current position. Sets *@found, and *@h to the header.
 */
static enum hp_status
head_here(struct hp_pack_input *in, struct hp_pack_head *h, bool *found,
	  struct hp_error *err)
{
	enum hp_status st = fill_window(in, HP_PACK_BLOCK_HEAD, err);
	size_t n;

	*found = false;
	if (st != HP_OK || window_length(in) < HP_PACK_BLOCK_HEAD ||
	    !hp_pack_head_read(h, window_bytes(in)))
		return st;
	n = HP_PACK_BLOCK_HEAD + HP_PACK_ENTRY * (size_t)h->nstreams;
	st = fill_window(in, n, err);
	*found = st == HP_OK && window_length(in) >= n &&
		 hp_pack_head_intact(h, window_bytes(in),
				     window_bytes(in) + HP_PACK_BLOCK_HEAD);
	return st;
}

/*
 * Ensure that part->body has memory for @n bytes. The bytes that the body
 * already contains are kept.
 */
static enum hp_status
reserve_body(struct hp_pack_part *part, size_t n, struct hp_error *err)
{
	uint8_t *larger;

	if (n <= part->body_room)
		return HP_OK;
	larger = hp_realloc(part->body, n);
	if (!larger)
		return hp_no_memory(err);
	part->body = larger;
	part->body_room = n;
	return HP_OK;
}

static enum hp_status
read_body(struct hp_pack_input *in, struct hp_pack_part *part, size_t n,
	  size_t *len, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t room = 0, got = window_length(in) < n ? window_length(in) : n;

	for (*len = 0; st == HP_OK && *len == room && *len < n; *len += got) {
		/*
		 * The length in the header may be wrong. So enlarge the memory
		 * step by step while bytes arrive.
		 */
		room = n - *len < *len + STEP ? n : 2 * *len + STEP;
		st = reserve_body(part, room, err);
		if (st == HP_OK && *len == 0) {
			memcpy(part->body, window_bytes(in), got);
			skip_bytes(in, got);
			*len = got;
		}
		got = 0;
		if (st == HP_OK)
			st = read_behind(in, part->body + *len, room - *len,
					 &got, err);
		in->at += got;
	}
	return st;
}

/*
 * Put back the bytes of the block from offset @from to offset @len - 1: the
 * next reads return them again, before the bytes in the window (a buffer).
 */
static enum hp_status
put_back(struct hp_pack_input *in, struct hp_pack_part *part, size_t from,
	 size_t len, struct hp_error *err)
{
	size_t n = window_length(in);
	enum hp_status st;

	if (in->again_start < in->again_end) {
		/*
		 * the bytes were taken from the buffer `again`, so move its
		 * start back
		 */
		in->again_start -= n + len - from;
	} else {
		uint8_t *body = in->again;
		size_t room = in->again_room;

		st = reserve_body(part, len + n, err);
		if (st != HP_OK)
			return st;
		if (n > 0)
			memcpy(part->body + len, window_bytes(in), n);
		in->again = part->body;
		in->again_room = part->body_room;
		in->again_start = from;
		in->again_end = len + n;
		part->body = body;
		part->body_room = room;
	}
	in->start = in->end = 0;
	in->last = false;
	in->at -= len - from;
	return HP_OK;
}

/*
 * Returns how many bytes of memory are needed to unpack a block: for its bytes
 * in the file, its uncompressed streams, its bytes of the dump, and its lists
 * of items and columns. For a block of many small items, these lists are the
 * largest part.
 */
static uint64_t
bytes_needed(const struct hp_pack_head *h, const uint8_t *list)
{
	uint64_t sum = (uint64_t)h->body + h->plain;

	for (uint32_t i = 0; i < h->nstreams; i++, list += HP_PACK_ENTRY) {
		uint64_t plain = hp_le4(list + 4);

		sum += plain;
		/*
		 * each item has one byte in the stream of symbol (kind)
		 * numbers, so the size of this stream is the number of items
		 */
		if (list[0] == HP_PACK_S_OP_LOW)
			sum += plain * (HP_PACK_ITEM_BYTES - 4);
		/*
		 * This stream has one byte for each string, the low byte of its
		 * position in the dump. So its size limits the number of
		 * strings.
		 */
		if (list[0] == HP_PACK_S_ORDER)
			sum += plain * 4;
		if (list[0] ==
		    /*
		     * the symbol table has at least two bytes for each column,
		     * so its size limits the number of columns
		     */
		    HP_PACK_S_SYMBOLS)
			sum += plain * sizeof(struct hp_pack_column);
	}
	return sum;
}

/*
 * Returns the maximum size in bytes of a dump in a pack file of @bytes bytes.
 */
static uint64_t
max_unpacked(uint64_t bytes)
{
	return (bytes / HP_PACK_BLOCK_HEAD + 1) * HP_PACK_BLOCK_MOST;
}

/*
 * Whether @h can be the header of the next block in the file. Blocks before it
 * may be missing. But the missing part of the dump cannot be larger than a pack
 * of this size can contain.
 */
static bool
is_plausible_next(const struct hp_pack_input *in, const struct hp_pack_head *h)
{
	uint32_t blocks = h->number - in->number;
	uint64_t bytes = h->offset - in->offset;

	return h->number >= in->number && h->offset >= in->offset &&
	       h->offset <= max_unpacked(in->at) && bytes >= blocks &&
	       bytes / HP_PACK_BLOCK_MOST <= blocks;
}

/*
 * Whether the directory of the pack begins at the current position. Other bytes
 * may look like the magic number of a directory. So the function also checks
 * that the directory lists blocks, and that the first block is at the beginning
 * of the file.
 */
static bool
directory_here(const struct hp_pack_input *in)
{
	const uint8_t *p = window_bytes(in);

	return window_length(in) >= HP_PACK_DIRECTORY_HEAD + 16 &&
	       hp_pack_directory_begins(p) && hp_le4(p + 4) > 0 &&
	       hp_le4(p + 4) >= in->number &&
	       hp_le8(p + HP_PACK_DIRECTORY_HEAD) == HP_PACK_FILE_HEAD &&
	       hp_le8(p + HP_PACK_DIRECTORY_HEAD + 8) == 0;
}

/*
 * Skip bytes up to the next header of a block that is_plausible_next() accepts.
 * If there is no such header, skip to the directory or to the end of the input.
 */
static enum hp_status
seek_block(struct hp_pack_input *in, struct hp_pack_head *h, bool *found,
	   struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*found = false;
	while (st == HP_OK) {
		const uint8_t *p;

		st = fill_window(in, HP_PACK_BLOCK_HEAD, err);
		if (st != HP_OK || window_length(in) < 8)
			break;
		if (memcmp(window_bytes(in), "HPK", 3) == 0) {
			if (directory_here(in))
				break;
			st = head_here(in, h, found, err);
			*found = *found && is_plausible_next(in, h);
			if (*found)
				break;
		}
		p = memchr(window_bytes(in) + 1, 'H', window_length(in) - 1);
		skip_bytes(in, p ? (size_t)(p - window_bytes(in))
				 : window_length(in));
	}
	return st;
}

/*
 * Check whether another block or the directory begins at the current position.
 * If it does, the length of the block before it was right.
 */
static enum hp_status
ends_here(struct hp_pack_input *in, bool *ends, struct hp_error *err)
{
	struct hp_pack_head h;
	enum hp_status st = head_here(in, &h, ends, err);

	*ends = st == HP_OK &&
		((*ends && h.number == in->number && h.offset == in->offset) ||
		 directory_here(in));
	return st;
}

/*
 * Report a damaged block, and find the next block. @len: how many bytes of the
 * data of the block were read; @whole: whether all the data were read. The next
 * block may begin inside the data, so the function searches them for a header.
 * Each byte is searched only once. Otherwise a malicious file with millions of
 * headers, whose data overlap, would take quadratic time.
 */
static enum hp_status
lose_block(struct hp_pack_input *in, struct hp_pack_part *part, size_t len,
	   bool whole)
{
	uint64_t body = in->at - len, end = in->at;
	size_t from = 0;
	enum hp_status st;
	struct hp_pack_head h;
	bool found = false;

	part->kind = HP_PACK_PART_LOST;
	part->next = in->offset;
	part->most = 0;
	if (in->searched > body)
		from = in->searched < end ? (size_t)(in->searched - body) : len;
	st = put_back(in, part, from, len, &part->error);
	if (st == HP_OK)
		st = seek_block(in, &h, &found, &part->error);
	if (in->searched < end)
		in->searched = end;
	if (!whole && !found && !directory_here(in))
		part->kind = HP_PACK_PART_CUT;
	return st;
}

static void
read_block(struct hp_pack_input *in, struct hp_pack_part *part,
	   const struct hp_pack_head *h)
{
	size_t list = HP_PACK_ENTRY * (size_t)h->nstreams, len;
	bool ends = false;
	enum hp_status st;

	part->kind = HP_PACK_PART_BLOCK;
	part->head = *h;
	memcpy(part->list, window_bytes(in) + HP_PACK_BLOCK_HEAD, list);
	skip_bytes(in, HP_PACK_BLOCK_HEAD + list);
	part->needs = bytes_needed(h, part->list);
	if (in->block_memory && part->needs > in->block_memory) {
		fail_part(
			part,
			hp_fail(&part->error, HP_LIMIT,
				"block %u of the pack takes %llu MB to unpack, "
				"more than --memory leaves: allow more",
				h->number,
				(unsigned long long)part->needs >> 20));
		return;
	}
	in->number = h->number + 1;
	in->offset = h->offset + h->plain;
	st = read_body(in, part, h->body, &len, &part->error);
	if (st == HP_OK && len == h->body)
		st = ends_here(in, &ends, &part->error);
	if (st == HP_OK && !ends &&
	    (len < h->body || !hp_pack_body_intact(h, part->list, part->body)))
		st = lose_block(in, part, len, len == h->body);
	if (st != HP_OK)
		fail_part(part, st);
}

/*
 * Called if neither the header of a block nor the directory of the pack begins
 * at the current position. Then bytes of the pack are damaged or missing. Find
 * the next block, and report the part of the dump that is lost.
 */
static void
find_next_block(struct hp_pack_input *in, struct hp_pack_part *part)
{
	struct hp_pack_head h;
	enum hp_status st;
	bool found;

	part->kind = HP_PACK_PART_LOST;
	part->head.number = in->number;
	part->head.offset = in->offset;
	st = seek_block(in, &h, &found, &part->error);
	if (st != HP_OK)
		fail_part(part, st);
	part->next = found ? h.offset : in->offset;
	part->most = found ? 0 : max_unpacked(in->at);
	if (found) {
		in->number = h.number;
		in->offset = h.offset;
	}
}

/*
 * Count the bytes of the file after the end of the pack.
 */
static enum hp_status
count_rest(struct hp_pack_input *in, uint64_t *n, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*n = 0;
	while (st == HP_OK) {
		*n += window_length(in);
		skip_bytes(in, window_length(in));
		if (in->last)
			break;
		st = fill_window(in, 1, err);
	}
	return st;
}

static void
read_directory(struct hp_pack_input *in, struct hp_pack_part *part)
{
	uint64_t left = HP_PACK_DIRECTORY_HEAD +
			HP_PACK_DIRECTORY_ENTRY *
				(uint64_t)hp_le4(window_bytes(in) + 4) +
			HP_PACK_TAIL - 16;
	XXH3_state_t *hash = XXH3_createState();
	enum hp_status st = HP_OK;
	const uint8_t *p;

	part->kind = HP_PACK_PART_CUT;
	part->head.number = in->number;
	part->head.offset = in->offset;
	if (!hash) {
		fail_part(part, hp_no_memory(&part->error));
		return;
	}
	XXH3_64bits_reset(hash);
	while (st == HP_OK && left > HP_PACK_TAIL - 16) {
		size_t n;

		st = fill_window(in, HP_PACK_TAIL, &part->error);
		n = window_length(in);
		if (n > left - (HP_PACK_TAIL - 16))
			n = (size_t)(left - (HP_PACK_TAIL - 16));
		if (n == 0)
			break;
		XXH3_64bits_update(hash, window_bytes(in), n);
		skip_bytes(in, n);
		left -= n;
	}
	if (st == HP_OK)
		st = fill_window(in, HP_PACK_TAIL, &part->error);
	p = window_bytes(in);
	if (st == HP_OK && window_length(in) >= HP_PACK_TAIL &&
	    hp_pack_tail_read(p, &part->tail)) {
		part->kind = HP_PACK_PART_TAIL;
		part->most = max_unpacked(in->at);
		XXH3_64bits_update(hash, p, HP_PACK_TAIL - 16);
		part->directory_bad = XXH3_64bits_digest(hash) !=
				      hp_le8(p + HP_PACK_TAIL - 16);
		skip_bytes(in, HP_PACK_TAIL);
		st = count_rest(in, &part->trailing, &part->error);
	}
	if (st != HP_OK)
		fail_part(part, st);
	XXH3_freeState(hash);
}

static bool
read_file_head(struct hp_pack_input *in, struct hp_pack_part *part)
{
	enum hp_status st = fill_window(in, HP_PACK_FILE_HEAD, &part->error);

	in->begun = true;
	if (st == HP_OK && window_length(in) < HP_PACK_FILE_HEAD) {
		part->kind = HP_PACK_PART_CUT;
		return false;
	}
	if (st == HP_OK)
		st = hp_pack_file_head_check(window_bytes(in));
	if (st == HP_UNSUPPORTED)
		hp_fail(&part->error, st, "unknown version of the pack format");
	/*
	 * The magic number is right, so this is a pack. Continue even if the
	 * rest of its header is damaged.
	 */
	if (st == HP_OK || st == HP_DAMAGED) {
		skip_bytes(in, HP_PACK_FILE_HEAD);
		return true;
	}
	fail_part(part, st);
	return false;
}

void
hp_pack_input_next(struct hp_pack_input *in, struct hp_pack_part *part)
{
	struct hp_pack_head h;
	enum hp_status st;
	bool found;

	part->error = (struct hp_error){0};
	part->status = HP_OK;
	part->directory_bad = false;
	part->trailing = 0;
	part->at = in->at;
	if (!in->begun && !read_file_head(in, part))
		return;
	part->at = in->at;
	st = head_here(in, &h, &found, &part->error);
	if (st != HP_OK) {
		fail_part(part, st);
	} else if (found && h.number == in->number && h.offset == in->offset) {
		read_block(in, part, &h);
	} else if (window_length(in) == 0 && in->last) {
		part->kind = HP_PACK_PART_CUT;
	} else if (window_length(in) >= 8 &&
		   hp_pack_directory_begins(window_bytes(in))) {
		read_directory(in, part);
	} else if (window_length(in) < 8 && in->last) {
		part->kind = HP_PACK_PART_CUT;
	} else {
		find_next_block(in, part);
	}
}

void
hp_pack_input_release(struct hp_pack_input *in)
{
	hp_free(in->again);
}
