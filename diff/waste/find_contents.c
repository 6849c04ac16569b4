/*
 * find_contents.c - find arrays with equal contents
 *
 * Among arrays with equal contents, the array with the smallest address is
 * kept. The other arrays are linked with it. find_objects.c counts them as
 * waste: the text of a String together with the String, other arrays alone.
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
is_equal(const struct hp_content_entry *a, const struct hp_content_entry *b)
{
	return a->hash == b->hash && a->more == b->more;
}

/*
 * Prefetch the data of an array whose entry comes later in the list of hashes.
 * The list is sorted by hash, so the data of consecutive entries is far apart.
 */
HP_HOT void
prefetch(const struct hp_waste *w, uint32_t node)
{
	__builtin_prefetch((const uint8_t *)w->marks.at + node, 1);
	__builtin_prefetch(hp_waste_link(w, node), 1);
}

/* Link a duplicate with @first, the array with the same contents. */
static void
link_duplicate(struct hp_waste *w, uint32_t node, uint32_t first)
{
	if (!hp_waste_is_text(w, node))
		hp_waste_mark(w, node, HP_MARK_DUPLICATE);
	*hp_waste_link(w, node) = first + 1;
}

/*
 * A second list, of the duplicates only. Its parts are ranges of the numbers of
 * the arrays, see find_in_order().
 */
struct in_order {
	struct hp_content_list list;
	/*
	 * Each part of the list is for this many objects. For example, the
	 * first part is for the objects 0 to range - 1.
	 */
	uint32_t range;
};

struct reader;

/*
 * The parts of a list, of which each thread reads one at a time. Equal contents
 * are in the same part, so the threads work independently.
 */
struct reading {
	struct hp_waste *w;
	struct hp_content_list *list;
	/*
	 * the second list, to which the duplicates are appended; NULL: they are
	 * linked at once
	 */
	struct in_order *order;
	/*
	 * Handles the @n entries of a part, which are in r->entries. Returns
	 * HP_OK; HP_NOMEM; HP_IO.
	 */
	enum hp_status (*use)(struct reader *r, uint64_t n);
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
	/* the entries for the second list that are not yet in it */
	struct hp_content_rest *rest;
	enum hp_status st;
	struct hp_error error;
};

/*
 * Append a duplicate to the second list. Its entry has the number of the array,
 * and @first instead of a part of the hash.
 */
static enum hp_status
send_duplicate(struct reader *r, uint32_t node, uint32_t first)
{
	struct in_order *o = r->all->order;
	const struct hp_content_entry e = {.more = first, .node = node};

	return hp_content_list_add(&o->list, r->rest, node / o->range, &e,
				   &r->error);
}

/*
 * Find the duplicates in a part of the list of contents. Link them at once, or
 * append them to the second list.
 */
static enum hp_status
find_part(struct reader *r, uint64_t n)
{
	struct hp_content_entry *list = r->entries.at, *first = list;
	struct hp_waste *w = r->all->w;
	enum hp_status st = HP_OK;

	hp_content_sort(list, n);
	for (uint64_t i = 1; i < n && st == HP_OK; i++) {
		uint64_t ahead = i + AHEAD;

		if (ahead < n && is_equal(&list[ahead - 1], &list[ahead]))
			prefetch(w, list[ahead].node);
		if (!is_equal(first, &list[i]))
			first = &list[i];
		else if (r->all->order)
			st = send_duplicate(r, list[i].node, first->node);
		else
			link_duplicate(w, list[i].node, first->node);
	}
	return st;
}

/* Link the duplicates in a part of the second list. */
static enum hp_status
use_part(struct reader *r, uint64_t n)
{
	const struct hp_content_entry *list = r->entries.at;

	for (uint64_t i = 0; i < n; i++)
		link_duplicate(r->all->w, list[i].node, list[i].more);
	return HP_OK;
}

static void
read_part(struct reader *r, unsigned part)
{
	struct reading *all = r->all;

	r->st = hp_content_list_part(all->list, part, r->entries.at, &r->error);
	if (r->st == HP_OK)
		r->st = all->use(r, all->list->parts[part].entries);
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

/*
 * Read all parts of a list, with all threads. The caller sets w, list, order
 * and use.
 */
static enum hp_status
read_parts(struct reading *all, struct hp_error *err)
{
	uint64_t total = 0, largest = 0;
	unsigned threads = all->w->g->options->threads;
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
		/* the second pass has added all entries, so this is empty */
		readers[i].rest = all->w->workers[i].rest;
		make_room(&readers[i], i == 0 ? largest : all->large);
	}
	hp_threads_run(threads, read_in_turn, readers, sizeof(*readers));
	for (unsigned i = 0; i < threads; i++) {
		if (st == HP_OK && readers[i].st != HP_OK)
			st = hp_fail_as(err, &readers[i].error);
		if (st == HP_OK && all->order)
			st = hp_content_list_flush(&all->order->list,
						   readers[i].rest, err);
		hp_big_array_drop(&all->w->memory, &readers[i].entries);
	}
	hp_free(readers);
	return st;
}

/*
 * Find duplicates if --memory is so small that the links of the arrays are
 * partly in files. Storing them in the order of the hashes would write the
 * pages of these files at random, again and again. So the duplicates are first
 * written to a second list. Each of its parts is for a range of the array
 * numbers, so the links of a part are close to each other.
 */
static enum hp_status
find_in_order(struct hp_waste *w, struct hp_error *err)
{
	struct in_order o = {.range = w->nodes.count / HP_CONTENT_PARTS + 1};
	struct reading first = {
		.w = w, .list = &w->contents, .order = &o, .use = find_part};
	struct reading second = {.w = w, .list = &o.list, .use = use_part};
	enum hp_status st;

	/* the memory limit 0 means: store all entries in the temporary file */
	hp_content_list_init(&o.list, 0);
	st = read_parts(&first, err);
	if (st == HP_OK)
		st = read_parts(&second, err);
	hp_content_list_release(&o.list);
	return st;
}

enum hp_status
hp_waste_find_contents(struct hp_waste *w, struct hp_error *err)
{
	struct reading all = {.w = w, .list = &w->contents, .use = find_part};

	return hp_big_array_in_file(&w->link) > 0 ? find_in_order(w, err)
						  : read_parts(&all, err);
}
