/*
 * find_contents.c - find arrays with equal contents, and arrays of zeros
 *
 * Among arrays with equal contents, the array with the smallest address is
 * kept, and the others are waste. An array with the text of a String is only
 * linked with the array that is kept; find_objects.c counts its bytes together
 * with the String.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/base/vec.h"

enum {
	AHEAD = 12,
	/* the minimum number of arrays for each thread */
	ARRAYS_A_THREAD = 1 << 12,
};

static bool
is_text(const struct hp_waste *w, uint32_t node)
{
	return hp_waste_marks(w, node) & (HP_MARK_NARROW | HP_MARK_WIDE);
}

static bool
is_equal(const struct hp_content_entry *a, const struct hp_content_entry *b)
{
	return a->hash.v[0] == b->hash.v[0] && a->hash.v[1] == b->hash.v[1];
}

/*
 * Count the zeros of an array as waste: the whole array if it has only zeros,
 * otherwise the zeros at its end. hp_waste_link() has the length of the array;
 * the second pass has stored it there.
 */
static bool
find_zeros(struct hp_waste *w, struct hp_waste_sums *sums,
	   const struct hp_content_entry *e, uint32_t holder)
{
	const struct hp_node_kind *kind = hp_waste_kind(w, e->node);
	unsigned width = hp_type_size((uint8_t)kind->class_id, 4);
	uint64_t length = *hp_waste_link(w, e->node), run = length - e->more;

	if (length == 0)
		return true;
	if (e->more == 0)
		return hp_waste_add(sums, HP_WASTE_ZERO_ARRAYS, holder,
				    kind->bytes, 0);
	return run <= length / 2 || hp_waste_add(sums, HP_WASTE_TRAILING_ZEROS,
						 holder, run * width, 0);
}

/*
 * Count as waste a duplicate array that is not the text of a String. @first:
 * the array with the same contents that is kept.
 */
static bool
find_data(struct hp_waste *w, struct hp_waste_sums *sums,
	  const struct hp_content_entry *e, uint32_t first)
{
	uint32_t holder = hp_waste_holder(w, e->node);
	uint64_t bytes = hp_waste_kind(w, e->node)->bytes;

	if (w->no_data)
		return true;
	if (!hp_waste_count(sums, HP_WASTE_OF_DATA, holder, 1))
		return false;
	if (first == e->node)
		return find_zeros(w, sums, e, holder);
	return hp_waste_add(sums, HP_WASTE_SAME_ARRAYS, holder, bytes, 0) &&
	       (!w->want_arrays ||
		hp_waste_note_value(w, holder, first, bytes, 0));
}

/*
 * Prefetch the data of an array whose entry comes later in the list of hashes.
 * The list is sorted by hash, so the data of consecutive entries is far apart.
 */
HP_HOT void
prefetch(const struct hp_waste *w, uint32_t node)
{
	__builtin_prefetch((const uint16_t *)w->marks.at + node, 1);
	__builtin_prefetch(hp_waste_link(w, node), 1);
	__builtin_prefetch(hp_waste_kind_of(w, node));
	__builtin_prefetch((const uint32_t *)w->joined.at + node);
	__builtin_prefetch(hp_waste_held(w, node));
}

/*
 * Evaluate the entry of an array in the list of contents. @first: the array
 * with the same contents that is kept. If the array is the text of a String,
 * only store @first for it (see hp_waste_link()). Otherwise count the array as
 * waste if it is a duplicate or ends with many zeros. The order of the entries
 * does not matter.
 */
static bool
use_entry(struct hp_waste *w, struct hp_waste_sums *sums,
	  const struct hp_content_entry *e, uint32_t first)
{
	if (!is_text(w, e->node))
		return find_data(w, sums, e, first);
	if (e->more & HP_CONTENT_FITS)
		hp_waste_mark(w, e->node, HP_MARK_FITS);
	if (first == e->node)
		hp_waste_mark(w, first, HP_MARK_FIRST);
	*hp_waste_link(w, e->node) =
		first == e->node ? e->more & ~HP_CONTENT_FITS : first + 1;
	return true;
}

/*
 * A second list of the hashes of arrays. It is sorted by the number of the
 * array instead of by hash, see find_in_order().
 */
struct in_order {
	struct hp_content_list list;
	struct hp_content_rest *rest;
	/*
	 * Each part of the list is for this many objects. For example, the
	 * first part is for the objects 0 to range - 1.
	 */
	uint32_t range;
};

/*
 * Add an entry to the second list. The hash in the entry is no longer needed,
 * so two other numbers take its place. v[0]: the part of the list to which the
 * array belongs. v[1]: the number of the array, and in the lower 32 bits
 * @first, the array that is kept. So sorting by hash sorts the entries by
 * array.
 */
static enum hp_status
send_entry(struct in_order *o, const struct hp_content_entry *e, uint32_t first,
	   struct hp_error *err)
{
	struct hp_content_entry sent = *e;

	sent.hash.v[0] = e->node / o->range;
	sent.hash.v[1] = (uint64_t)e->node << 32 | first;
	return hp_content_list_add(&o->list, o->rest, &sent, err);
}

/*
 * The parts of a list, of which each thread reads one at a time. Equal contents
 * are in the same part, so the threads work independently.
 */
struct reading {
	struct hp_waste *w;
	struct hp_content_list *list;
	/*
	 * `list` is the second list: it is sorted by the numbers of the arrays,
	 * and each entry also contains the number of the array with the same
	 * contents that is kept
	 */
	bool sorted;
	/*
	 * the second list, to which the entries are appended; NULL: they are
	 * evaluated at once
	 */
	struct in_order *order;
	/*
	 * Parts with more entries than this are large. Only one thread reads
	 * them: if all threads had room for the largest part, which can be the
	 * whole list, they would need too much memory.
	 */
	uint64_t large;
	_Atomic uint32_t next; /* the next part that may be read */
};

struct reader {
	struct reading *all;
	bool reads_large;	     /* the thread also reads the large parts */
	struct hp_big_array entries; /* room for the entries of a part */
	/* what this thread has found; added to w->sums at the end */
	struct hp_waste_sums sums;
	enum hp_status st;
	struct hp_error error;
};

/*
 * Find the first array of each group of equal contents in a part of the list of
 * contents. Evaluate the entries at once, or append them to the second list.
 * From there they are evaluated later, in the order of the arrays (see
 * find_in_order()).
 */
static enum hp_status
find_part(struct reader *r, uint64_t n)
{
	const struct hp_content_entry *list = r->entries.at, *first = list;
	struct hp_waste *w = r->all->w;
	struct in_order *o = r->all->order;
	enum hp_status st = HP_OK;

	for (uint64_t i = 0; i < n && st == HP_OK; i++) {
		if (!o && i + AHEAD < n)
			prefetch(w, list[i + AHEAD].node);
		if (!is_equal(first, &list[i]))
			first = &list[i];
		if (o)
			st = send_entry(o, &list[i], first->node, &r->error);
		else if (!use_entry(w, &r->sums, &list[i], first->node))
			st = hp_no_memory(&r->error);
	}
	return st;
}

/*
 * Evaluate the entries of a part of the second list, which is sorted by the
 * numbers of the arrays.
 */
static enum hp_status
use_part(struct reader *r, uint64_t n)
{
	const struct hp_content_entry *list = r->entries.at;
	bool fine = true;

	for (uint64_t i = 0; i < n && fine; i++)
		fine = use_entry(r->all->w, &r->sums, &list[i],
				 (uint32_t)list[i].hash.v[1]);
	return fine ? HP_OK : hp_no_memory(&r->error);
}

static void
read_part(struct reader *r, unsigned part)
{
	struct reading *all = r->all;
	uint64_t n = all->list->parts[part].entries;

	r->st = hp_content_list_part(all->list, part, r->entries.at, &r->error);
	if (r->st == HP_OK)
		r->st = all->sorted ? use_part(r, n) : find_part(r, n);
}

/* The function of a thread. @argument: struct reader. */
static void *
read_in_turn(void *argument)
{
	struct reader *r = argument;
	struct reading *all = r->all;
	const struct hp_content_part *parts = all->list->parts;
	uint32_t part;

	for (part = 0; r->reads_large && part < HP_CONTENT_PARTS; part++)
		if (parts[part].entries > all->large && r->st == HP_OK)
			read_part(r, part);
	while (r->st == HP_OK &&
	       (part = atomic_fetch_add(&all->next, 1)) < HP_CONTENT_PARTS)
		if (parts[part].entries <= all->large)
			read_part(r, part);
	return NULL;
}

/*
 * Make room for the entries of a part. If --memory is too small for them, they
 * are in a mapped file.
 */
static void
make_room(struct reader *r, uint64_t entries)
{
	struct hp_big_memory *memory = &r->all->w->memory;

	r->st = hp_big_array_make(memory, &r->entries,
				  (entries + 1) *
					  sizeof(struct hp_content_entry),
				  HP_BIG_IN_ORDER, &r->error);
}

static bool
add_sums(struct hp_waste *w, const struct hp_waste_sums *sums)
{
	bool fine = true;

	for (size_t i = 0; i < sums->count && fine; i++) {
		const struct hp_waste_sum *s = &sums->list[i];

		fine = hp_waste_sums_add(&w->sums, s->key, s->count, s->waste,
					 s->dedup);
	}
	return fine;
}

/*
 * Read all parts of a list with @threads threads, and find equal contents. The
 * caller sets w, list, sorted and order.
 */
static enum hp_status
read_parts(struct reading *all, unsigned threads, struct hp_error *err)
{
	uint64_t total = 0, largest = 0;
	struct reader *readers;
	enum hp_status st = HP_OK;

	for (unsigned i = 0; i < HP_CONTENT_PARTS; i++) {
		uint64_t n = all->list->parts[i].entries;

		total += n;
		largest = n > largest ? n : largest;
	}
	threads = hp_threads_for(threads, total, ARRAYS_A_THREAD);
	readers = hp_calloc(threads, sizeof(*readers));
	if (!readers)
		return hp_no_memory(err);
	/* the parts have about equal sizes, unless many arrays are equal */
	all->large = 2 * (total / HP_CONTENT_PARTS);
	for (unsigned i = 0; i < threads; i++) {
		readers[i].all = all;
		readers[i].reads_large = i == 0;
		make_room(&readers[i], i == 0 ? largest : all->large);
	}
	hp_threads_run(threads, read_in_turn, readers, sizeof(*readers));
	for (unsigned i = 0; i < threads; i++) {
		if (st == HP_OK && readers[i].st != HP_OK)
			st = hp_fail_as(err, &readers[i].error);
		if (st == HP_OK && !add_sums(all->w, &readers[i].sums))
			st = hp_no_memory(err);
		hp_waste_sums_release(&readers[i].sums);
		hp_big_array_drop(&all->w->memory, &readers[i].entries);
	}
	hp_free(readers);
	return st;
}

/*
 * Find equal contents if --memory is so small that the data of the objects is
 * partly in files. Evaluating entries in the order of their hashes would read
 * the pages of these files at random, again and again. So the entries are
 * written to a second list, which is sorted by the numbers of the arrays, and
 * evaluated in that order.
 */
static enum hp_status
find_in_order(struct hp_waste *w, struct hp_error *err)
{
	struct in_order o = {.range = w->nodes.count / HP_CONTENT_PARTS + 1};
	struct reading first = {.w = w, .list = &w->contents, .order = &o};
	struct reading second = {.w = w, .list = &o.list, .sorted = true};
	enum hp_status st;

	/* the memory limit 0 means: store all entries in the temporary file */
	hp_content_list_init(&o.list, 0);
	/* the first worker has added all its entries, so its buffer is empty */
	o.rest = w->workers[0].rest;
	st = read_parts(&first, 1, err);
	if (st == HP_OK)
		st = hp_content_list_flush(&o.list, o.rest, err);
	if (st == HP_OK)
		st = read_parts(&second, 1, err);
	hp_content_list_release(&o.list);
	return st;
}

enum hp_status
hp_waste_find_contents(struct hp_waste *w, struct hp_error *err)
{
	struct reading all = {.w = w, .list = &w->contents};

	if (w->memory.in_file > 0)
		return find_in_order(w, err);
	/* find_data() changes w->values, which only one thread may do */
	return read_parts(&all, w->want_arrays ? 1 : w->g->options->threads,
			  err);
}
