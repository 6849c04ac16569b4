/*
 * content_pass.c - hash texts by their characters, and other primitive arrays
 * by their type and bytes
 *
 * Equal texts have the same hash, whether a character is stored in one byte or
 * in two bytes of any order. To know which arrays are texts, the Strings are
 * read in an earlier pass.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "diff/count/passes.h"

#include <string.h>

/*
 * A tool may have overwritten the contents of all arrays, or all array elements
 * from some index on. This is assumed if all these elements are zeros, or the
 * bytes that hprof-convert writes over texts. At least this many arrays must
 * have such elements.
 */
enum { LEAST_REMOVED = 8 };

/*
 * The contents of a primitive array, or of a piece of a long array that arrives
 * in pieces.
 */
struct content {
	const uint8_t *data;
	uint64_t bytes; /* number of bytes of this piece */
	/* offset of this piece in the contents of the array, in bytes */
	uint64_t from;
	uint64_t length; /* number of elements of the whole array */
	uint32_t node;
	uint8_t type;
	uint8_t marks;
};

static bool
is_text(const struct content *c)
{
	return c->marks & (HP_MARK_NARROW | HP_MARK_WIDE);
}

/* Whether a text is stored with two bytes for each character. */
static bool
is_wide(const struct content *c)
{
	return c->type == HP_TYPE_CHAR || c->marks & HP_MARK_WIDE;
}

/*
 * Whether the number of bytes of a character in a text is known. It is not
 * known if several Strings share the array, and some of them have one byte for
 * each character and others two bytes.
 */
static bool
is_clear(const struct content *c)
{
	return c->type == HP_TYPE_CHAR ||
	       (c->type == HP_TYPE_BYTE &&
		(c->marks & (HP_MARK_NARROW | HP_MARK_WIDE)) !=
			(HP_MARK_NARROW | HP_MARK_WIDE));
}

/*
 * Returns the index of the more significant byte, 0 or 1, of a character with
 * two bytes.
 */
static unsigned
upper_byte(const struct hp_waste *w, const struct content *c)
{
	return c->type == HP_TYPE_BYTE && w->string.order != HP_ORDER_BIG ? 1
									  : 0;
}

static bool
is_zero(const uint8_t *p, uint64_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

static uint64_t
bytes_used(const uint8_t *p, uint64_t n)
{
	while (n >= 8) {
		uint64_t word;

		memcpy(&word, p + n - 8, sizeof(word));
		if (word != 0)
			break;
		n -= 8;
	}
	while (n > 0 && p[n - 1] == 0)
		n--;
	return n;
}

/*
 * Whether the bytes of a text differ from those that hprof-convert writes when
 * it removes a text.
 */
static bool
is_varied(const uint8_t *p, uint64_t n, bool wide)
{
	unsigned step = wide ? 2 : 1;

	if (is_zero(p, n))
		return false;
	for (uint64_t i = 0; i + step <= n; i += step)
		if ((wide ? p[i] + p[i + 1] : p[i]) != '?')
			return true;
	return false;
}

/*
 * Add an array of @length elements to the evidence that contents were removed
 * from the dump. @varied: the contents of this array show that they were not
 * removed. @end: 1 + the index of its last element that is not 0.
 */
static void
count_content(struct hp_waste_payload *p, bool text, bool varied,
	      uint64_t length, uint64_t end)
{
	p->count[text]++;
	p->varied[text] += varied;
	if (end > p->most_used) {
		p->most_used = end;
		p->cut = 0;
	}
	p->cut += end == p->most_used && length > end;
}

static bool
add_entry(struct hp_waste *w, struct hp_waste_worker *k, uint32_t node,
	  struct hp_content_hash hash)
{
	const struct hp_content_entry e = {hash.v[0], (uint32_t)hash.v[1],
					   node};

	return hp_content_list_add(&w->contents, k->rest,
				   hp_content_part_of(hash), &e,
				   &k->error) == HP_OK;
}

/*
 * Store what is known about a text besides its hash: its length and, if @fits
 * is true, that it would fit in half of the bytes of its array. The text counts
 * as the first of its kind until find_contents.c finds an earlier one.
 */
static void
note_text(struct hp_waste *w, uint32_t node, uint64_t characters, bool fits)
{
	if (fits && characters > 0)
		hp_waste_mark(w, node, HP_MARK_FITS);
	*hp_waste_link(w, node) =
		HP_LINK_FIRST |
		(uint32_t)(characters < HP_LINK_FIRST ? characters
						      : HP_LINK_FIRST - 1);
}

/*
 * Store what is known about another array besides its hash. @length: the number
 * of its elements. @used: 1 + the index of its last element that is not 0.
 */
static void
note_data(struct hp_waste *w, uint32_t node, uint64_t length, uint64_t used)
{
	uint64_t run = length - used;

	*hp_waste_link(w, node) = run > length / 2 ? (uint32_t)run : 0;
	hp_waste_mark(w, node,
		      HP_MARK_HASHED |
			      (used == 0 && length > 0 ? HP_MARK_ZEROS : 0));
	if (w->want_arrays)
		((uint32_t *)w->lengths.at)[node] = (uint32_t)length;
}

/* --- short arrays --------------------------------------------------------- */

/*
 * Add the hash of a text with two bytes for each character to the list of
 * hashes.
 */
static bool
add_wide_text(struct hp_waste *w, struct hp_waste_worker *k,
	      const struct content *c)
{
	const uint64_t n = c->bytes / 2;
	const unsigned upper = upper_byte(w, c);
	uint8_t any = 0;
	struct hp_content_hash hash;

	for (uint64_t i = 0; i < n; i++)
		any |= c->data[2 * i + upper];
	for (uint64_t i = 0; i < n && any == 0; i++)
		k->narrow[i] = c->data[2 * i + 1 - upper];
	for (uint64_t i = 0; i < n && any != 0; i++) {
		k->narrow[2 * i] = c->data[2 * i + upper];
		k->narrow[2 * i + 1] = c->data[2 * i + 1 - upper];
	}
	hash = hp_content_hash(&w->key,
			       any ? HP_CONTENT_WIDE : HP_CONTENT_NARROW,
			       k->narrow, any ? 2 * n : n);
	note_text(w, c->node, n, any == 0);
	return add_entry(w, k, c->node, hash);
}

static bool
add_short(struct hp_waste *w, struct hp_waste_worker *k,
	  const struct content *c)
{
	unsigned width = hp_type_size(c->type, 4);
	uint64_t used = (bytes_used(c->data, c->bytes) + width - 1) / width;
	bool text = is_text(c);

	if (c->length > 0)
		count_content(&k->payload, text,
			      text ? is_varied(c->data, c->bytes, is_wide(c))
				   : used > 0,
			      c->length, used);
	if (text && is_wide(c))
		return add_wide_text(w, k, c);
	if (text)
		note_text(w, c->node, c->length, false);
	else
		note_data(w, c->node, c->length, used);
	return add_entry(w, k, c->node,
			 hp_content_hash(&w->key,
					 text ? HP_CONTENT_NARROW
					      : HP_CONTENT_DATA + c->type,
					 c->data, c->bytes));
}

/* --- long arrays ---------------------------------------------------------- */

/*
 * Add the bytes of a piece of a long array to the sum for this array. A
 * character of a text, or a word of four bytes of another array, may be divided
 * between two pieces. So each byte is added separately, shifted to its position
 * in the character or word.
 */
static void
sum_bytes(const struct hp_waste *w, const struct content *c,
	  struct hp_waste_long *l)
{
	const bool wide = is_text(c) && is_wide(c);
	const unsigned upper = upper_byte(w, c);

	for (uint64_t i = 0; i < c->bytes; i++) {
		uint64_t at = c->from + i, value = c->data[i];
		unsigned shift = 0;

		if (wide && at % 2 == upper) {
			l->high |= value != 0;
			shift = 8;
		} else if (!is_text(c)) {
			shift = (unsigned)(at % 4) * 8;
		}
		if (value != 0)
			hp_content_sum_add(&w->key, &l->sum,
					   wide		? at / 2
					   : is_text(c) ? at
							: at / 4,
					   value << shift);
	}
}

/*
 * Find or create the entry for a long array that arrives in pieces. The caller
 * holds the lock of these entries.
 */
static struct hp_waste_long *
find_long(struct hp_waste *w, uint32_t node)
{
	uint64_t *slot = hp_id_map_put(&w->longs, node + UINT64_C(1), NULL);

	if (slot && !*slot)
		*slot = (uintptr_t)hp_calloc(1, sizeof(struct hp_waste_long));
	return slot ? (struct hp_waste_long *)(uintptr_t)*slot : NULL;
}

static bool
add_long(struct hp_waste *w, const struct content *c)
{
	struct hp_waste_long part = {0}, *all;
	unsigned width = hp_type_size(c->type, 4);
	uint64_t used = bytes_used(c->data, c->bytes);

	sum_bytes(w, c, &part);
	part.varied = is_text(c) ? is_varied(c->data, c->bytes, is_wide(c))
				 : used > 0;
	part.end = used ? (uint32_t)((c->from + used + width - 1) / width) : 0;
	pthread_mutex_lock(&w->longs_lock);
	all = find_long(w, c->node);
	if (all) {
		hp_content_sum_join(&all->sum, &part.sum);
		all->count = is_text(c) && is_wide(c) ? c->length * width / 2
						      : c->length;
		all->length = c->length;
		all->node = c->node;
		all->type = c->type;
		all->high |= part.high;
		all->varied |= part.varied;
		if (part.end > all->end)
			all->end = part.end;
	}
	pthread_mutex_unlock(&w->longs_lock);
	return all;
}

/*
 * Add the hashes of long arrays to the list of hashes, after all of their
 * pieces were read.
 */
static enum hp_status
add_longs(struct hp_waste *w, struct hp_error *err)
{
	struct hp_waste_worker *k = &w->workers[0];
	uint64_t node, value;
	size_t at = 0;

	while (hp_id_map_next(&w->longs, &at, &node, &value)) {
		const struct hp_waste_long *l =
			(const struct hp_waste_long *)(uintptr_t)value;
		struct content c = {.type = (uint8_t)l->type,
				    .marks = hp_waste_marks(w, l->node)};
		bool wide = is_text(&c) && is_wide(&c);
		unsigned domain = is_text(&c) ? l->high ? HP_CONTENT_WIDE
							: HP_CONTENT_NARROW
					      : HP_CONTENT_DATA + l->type;

		count_content(&k->payload, is_text(&c), l->varied, l->length,
			      l->end);
		if (is_text(&c))
			note_text(w, l->node, l->count, wide && !l->high);
		else
			note_data(w, l->node, l->length, l->end);
		if (!add_entry(w, k, l->node,
			       hp_content_sum_hash(&w->key, domain, l->count,
						   &l->sum)))
			return hp_fail_as(err, &k->error);
	}
	return HP_OK;
}

/* --- the pass ------------------------------------------------------------- */

static bool
read_array(struct hp_waste *w, struct hp_waste_worker *k,
	   const struct hp_sub *s, const struct hp_piece *piece)
{
	unsigned width = hp_type_size(s->type, 4);
	struct content c = {.data = s->data,
			    .bytes = width *
				     (piece ? piece->elements : s->count),
			    .from = piece ? piece->first * width : 0,
			    .length = s->count,
			    .type = s->type,
			    .node = hp_node_of(&w->nodes, &k->near, s->id)};
	uint64_t elements = c.length;

	if (c.node == HP_NO_NODE ||
	    !hp_node_is_first(&w->nodes, c.node, s->offset))
		return true;
	c.marks = hp_waste_marks(w, c.node);
	if (is_text(&c) ? w->slices || !is_clear(&c) : c.marks & HP_MARK_PART)
		return true;
	if (is_text(&c) && is_wide(&c))
		elements = c.length * width / 2;
	else if (!is_text(&c))
		elements = c.length * width;
	return piece || elements >= HP_CONTENT_LONG ? add_long(w, &c)
						    : add_short(w, k, &c);
}

static bool
on_sub(void *ctx, unsigned worker, const struct hp_sub *s,
       const struct hp_piece *piece)
{
	struct hp_waste *w = ctx;
	struct hp_waste_worker *k = &w->workers[worker];

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || k->error.status != HP_OK)
		return true;
	k->no_memory |= !read_array(w, k, s, piece) && k->error.status == HP_OK;
	return !k->no_memory;
}

bool
hp_waste_skip_instances(void *ctx, unsigned worker, struct hp_heap_iter *at)
{
	const struct hp_waste *w = ctx;

	(void)worker;
	(void)hp_heap_skip_instances(at, w->nodes.id_size);
	return true;
}

static enum hp_status
make_room(struct hp_waste *w, struct hp_error *err)
{
	unsigned n = w->g->options->threads;
	uint64_t left;
	enum hp_status st = HP_OK;

	if (w->want_arrays)
		st = hp_big_array_make(&w->memory, &w->lengths,
				       4 * (w->nodes.count + UINT64_C(1)),
				       HP_BIG_RANDOM, err);
	if (st != HP_OK)
		return st;
	for (unsigned i = 0; i < n; i++) {
		struct hp_waste_worker *k = &w->workers[i];

		k->rest = hp_calloc(1, sizeof(*k->rest));
		k->narrow = hp_malloc(2 * (size_t)HP_CONTENT_LONG);
		if (!k->rest || !k->narrow)
			return hp_no_memory(err);
	}
	left = hp_memory_left() / 2;
	if (left > sizeof(struct hp_content_entry) * (uint64_t)w->nodes.count)
		left = sizeof(struct hp_content_entry) *
		       (uint64_t)w->nodes.count;
	hp_content_key_init(&w->key);
	w->contents.limit = left;
	return HP_OK;
}

static void
find_removed(struct hp_waste *w)
{
	struct hp_waste_payload *p = &w->workers[0].payload;

	for (unsigned i = 1; i < w->g->options->threads; i++) {
		const struct hp_waste_payload *more = &w->workers[i].payload;

		for (unsigned text = 0; text < 2; text++) {
			p->count[text] += more->count[text];
			p->varied[text] += more->varied[text];
		}
		if (more->most_used > p->most_used)
			p->cut = 0;
		if (more->most_used >= p->most_used) {
			p->most_used = more->most_used;
			p->cut += more->cut;
		}
	}
	w->no_texts = p->count[1] >= LEAST_REMOVED && p->varied[1] == 0;
	w->no_data = p->count[0] >= LEAST_REMOVED && p->varied[0] == 0 &&
		     p->varied[1] == 0;
	if (p->cut >= LEAST_REMOVED) {
		w->removed_from = p->most_used;
		w->no_texts = w->no_data = true;
	}
}

enum hp_status
hp_waste_read_contents(struct hp_waste *w, struct hp_source *src,
		       struct hp_error *err)
{
	const struct hp_extra_pass pass = {.need = HP_NEED_CONTENTS,
					   .ctx = w,
					   .sub = on_sub,
					   .instances = hp_waste_skip_instances,
					   .batch = hp_waste_end_batch};
	enum hp_status st = make_room(w, err);

	if (st == HP_OK)
		st = hp_extra_pass_run(w->g, src, &pass, err);
	if (st == HP_OK)
		st = add_longs(w, err);
	for (unsigned i = 0; i < w->g->options->threads && st == HP_OK; i++)
		st = hp_content_list_flush(&w->contents, w->workers[i].rest,
					   err);
	find_removed(w);
	return st;
}
