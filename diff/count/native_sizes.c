/*
 * native_sizes.c - find the memory outside the heap (native memory) that
 * objects own
 *
 * The first pass reads the objects that contain the size of such memory:
 * cleaners and direct buffers. The second pass finds the class, Android heap
 * and allocation trace of each owner, because objects are counted by these.
 */
#include "diff/count/passes.h"

#include "common/base/vec.h"
#include "common/base/memory.h"
#include "common/cli/quantity.h"
#include "common/model/java_string.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The classes of objects from which the sizes of native memory are read, and
 * the fields to read.
 */
enum speaker {
	/* cleaners: read the fields "referent" (the owner) and "thunk" */
	CLEANER,
	THUNK,	  /* thunks of cleaners: read the field "registry" */
	REGISTRY, /* registries of native allocations: read the field "size" */
	BUFFER,	  /* direct buffers: read the field "capacity" */
	SPEAKERS,
};

struct word {
	/* which of the four classes above the object has (enum speaker) */
	uint32_t from;
	uint64_t id, offset, a, b;
};

/* An object that owns native memory. Pass 2 finds these objects. */
struct owner {
	uint64_t id, offset;
	struct hp_tally_key key;
};

struct native_worker {
	struct hp_class_cache classes;
	/* the Android heap to which the current sub-record belongs */
	uint32_t heap;
};

struct native_pass {
	struct hp_histogram *g;
	/* the four classes above; NULL: the dump does not have the class */
	const struct hp_class *top[SPEAKERS];
	struct hp_field_place referent, next, thunk, registry, size;
	struct hp_field_place capacity, cleaner, attached;
	struct native_worker *workers;
	/* guards the lists `words` and `owners`, which get few entries */
	pthread_mutex_t lock;
	/* what pass 1 has read from these objects; elements: struct word */
	struct hp_vec words;
	/* the owners of native memory; elements: struct owner */
	struct hp_vec owners;
	/* maps the id of an owner to its native bytes */
	struct hp_id_map bytes;
};

/* --- classes -------------------------------------------------------------- */

static struct hp_field_place
find_field(const struct hp_histogram *g, const struct hp_class *c,
	   const char *name)
{
	if (!c)
		return (struct hp_field_place){0};
	return hp_field_find(c, &g->tables, g->header.id_size, name);
}

static const struct hp_class *
boot_class(const struct hp_histogram *g, const char *jvm)
{
	return hp_boot_class(&g->classes, &g->tables, jvm);
}

static void
find_cleaners(struct native_pass *p)
{
	const struct hp_histogram *g = p->g;
	const struct hp_class *reference =
		boot_class(g, "java/lang/ref/Reference");

	p->top[CLEANER] = boot_class(g, "sun/misc/Cleaner");
	p->top[THUNK] = boot_class(
		g, "libcore/util/NativeAllocationRegistry$CleanerThunk");
	p->top[REGISTRY] =
		boot_class(g, "libcore/util/NativeAllocationRegistry");
	p->referent = find_field(g, reference, "referent");
	p->next = find_field(g, p->top[CLEANER], "next");
	p->thunk = find_field(g, p->top[CLEANER], "thunk");
	p->registry = find_field(g, p->top[THUNK], "this$0");
	p->size = find_field(g, p->top[REGISTRY], "size");
	if (!p->top[THUNK] || !p->top[REGISTRY] || !reference ||
	    (p->top[CLEANER] && !hp_class_is_a(p->top[CLEANER], reference)))
		p->top[CLEANER] = NULL;
}

/*
 * Find the class of direct buffers. Android is left out, because its direct
 * buffers are arrays in the heap.
 */
static void
find_buffers(struct native_pass *p)
{
	const struct hp_histogram *g = p->g;
	const struct hp_class *buffer = boot_class(g, "java/nio/Buffer");

	if (g->dialect == HP_DIALECT_ART || g->dialect == HP_DIALECT_DALVIK)
		return;
	p->top[BUFFER] = boot_class(g, "java/nio/DirectByteBuffer");
	p->capacity = find_field(g, buffer, "capacity");
	p->cleaner = find_field(g, p->top[BUFFER], "cleaner");
	p->attached = find_field(g, p->top[BUFFER], "att");
	if (!buffer ||
	    (p->top[BUFFER] && !hp_class_is_a(p->top[BUFFER], buffer)))
		p->top[BUFFER] = NULL;
}

/* --- pass 1: cleaners and buffers ----------------------------------------- */

/*
 * The value of a field of an object. Returns 0 if the object has no such field.
 */
static uint64_t
load(const struct native_pass *p, const struct hp_field_place *place,
     const struct hp_sub *s)
{
	uint64_t value = 0;

	if (place->from_end == 0 || !hp_field_load(place, p->g->header.id_size,
						   s->data, s->count, &value))
		return 0;
	return value;
}

static bool
read_word(const struct native_pass *p, const struct hp_sub *s,
	  const struct hp_class *c, struct word *w)
{
	*w = (struct word){.id = s->id, .offset = s->offset};
	while (w->from < SPEAKERS &&
	       (!p->top[w->from] || !hp_class_is_a(c, p->top[w->from])))
		w->from++;
	switch (w->from) {
	case CLEANER:
		w->a = load(p, &p->referent, s);
		w->b = load(p, &p->thunk, s);
		/*
		 * a cleaner that has run refers to itself; its memory is free
		 * already, so it does not count
		 */
		if (load(p, &p->next, s) == s->id)
			w->b = 0;
		return true;
	case THUNK:
		w->a = load(p, &p->registry, s);
		return true;
	case REGISTRY:
		w->a = load(p, &p->size, s);
		return true;
	case BUFFER:
		if (load(p, &p->cleaner, s) != 0 &&
		    load(p, &p->attached, s) == 0)
			w->a = load(p, &p->capacity, s);
		return true;
	default:
		return false;
	}
}

static bool
on_speaker(void *ctx, unsigned worker, const struct hp_sub *s,
	   const struct hp_piece *piece)
{
	struct native_pass *p = ctx;
	struct native_worker *w = &p->workers[worker];
	const struct hp_class *c;
	struct word word;
	bool kept;

	if (piece || s->tag != HP_SUB_INSTANCE_DUMP)
		return true;
	c = hp_classes_layout(&p->g->classes, &w->classes, s->class_id);
	if (!c || c->chain != HP_CHAIN_FINE || !read_word(p, s, c, &word))
		return true;
	pthread_mutex_lock(&p->lock);
	kept = hp_vec_push(&p->words, &word, sizeof(word));
	pthread_mutex_unlock(&p->lock);
	return kept;
}

static bool
on_owner(void *ctx, unsigned worker, const struct hp_sub *s,
	 const struct hp_piece *piece)
{
	struct native_pass *p = ctx;
	struct native_worker *w = &p->workers[worker];
	unsigned split = p->g->options->split;
	struct owner o = {.id = s->id, .offset = s->offset};
	bool kept;

	if ((piece && !piece->head) ||
	    (s->tag != HP_SUB_INSTANCE_DUMP &&
	     s->tag != HP_SUB_OBJECT_ARRAY_DUMP &&
	     s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP) ||
	    !hp_id_map_get(&p->bytes, s->id))
		return true;
	o.key.kind = s->tag == HP_SUB_INSTANCE_DUMP ? HP_TALLY_INSTANCES
		     : s->tag == HP_SUB_OBJECT_ARRAY_DUMP
			     ? HP_TALLY_OBJECT_ARRAYS
			     : HP_TALLY_PRIMITIVE_ARRAYS;
	o.key.id =
		s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ? s->type : s->class_id;
	o.key.heap = split & HP_SPLIT_HEAP ? w->heap : 0;
	o.key.trace = split & HP_SPLIT_TRACE ? s->trace : 0;
	pthread_mutex_lock(&p->lock);
	kept = hp_vec_push(&p->owners, &o, sizeof(o));
	pthread_mutex_unlock(&p->lock);
	return kept;
}

static void
note_heap(void *ctx, unsigned worker, uint32_t heap)
{
	((struct native_pass *)ctx)->workers[worker].heap = heap;
}

/* --- pass 2: owners ------------------------------------------------------- */

static int
by_id(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	int c = hp_order(x->from, y->from);

	c = c ? c : hp_order(x->id, y->id);
	return c ? c : hp_order(x->offset, y->offset);
}

/*
 * Find the entry that pass 1 made for an object, by binary search. Returns NULL
 * if the object has another class than @from.
 */
static const struct word *
word_of(const struct native_pass *p, enum speaker from, uint64_t id)
{
	const struct word key = {.from = from, .id = id},
			  *list = p->words.items;
	size_t low = 0, high = p->words.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_id(&list[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->words.count && list[low].from == from &&
			       list[low].id == id
		       ? &list[low]
		       : NULL;
}

static bool
add_bytes(struct native_pass *p, uint64_t owner, uint64_t bytes)
{
	uint64_t *slot;

	if (owner == 0 || bytes == 0)
		return true;
	slot = hp_id_map_put(&p->bytes, owner, NULL);
	if (slot)
		hp_sum_add(slot, bytes);
	return slot;
}

/*
 * Add the size that one buffer or cleaner has read to the bytes of its owner.
 * Bit 0 of the size in a registry is a flag. Negative sizes are ignored.
 */
static bool
add_word(struct native_pass *p, const struct word *w)
{
	const struct word *thunk, *registry;

	if (w->from == BUFFER)
		return w->a > INT32_MAX || add_bytes(p, w->id, w->a);
	if (w->from != CLEANER)
		return true;
	thunk = word_of(p, THUNK, w->b);
	registry = thunk ? word_of(p, REGISTRY, thunk->a) : NULL;
	return !registry || registry->a > INT64_MAX ||
	       add_bytes(p, w->a, registry->a & ~UINT64_C(1));
}

static enum hp_status
add_words(struct native_pass *p, struct hp_error *err)
{
	const struct word *w = p->words.items;
	/*
	 * sort, so that the result does not depend on the order in which
	 * threads added entries
	 */
	bool fine = hp_sort(p->words.items, p->words.count, sizeof(*w), by_id);

	for (size_t i = 0; i < p->words.count && fine; i++) {
		if (i > 0 && w[i].from == w[i - 1].from &&
		    w[i].id == w[i - 1].id)
			continue;
		fine = add_word(p, &w[i]);
	}
	hp_free(p->words.items);
	p->words = (struct hp_vec){0};
	return fine ? HP_OK : hp_no_memory(err);
}

static int
by_owner(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;
	int c = hp_order(x->id, y->id);

	return c ? c : hp_order(x->offset, y->offset);
}

static enum hp_status
add_owners(struct native_pass *p, struct hp_error *err)
{
	const struct owner *o = p->owners.items;
	enum hp_status st =
		hp_sort(p->owners.items, p->owners.count, sizeof(*o), by_owner)
			? HP_OK
			: hp_no_memory(err);
	struct hp_tally *t;

	for (size_t i = 0; i < p->owners.count && st == HP_OK; i++) {
		if (i > 0 && o[i].id == o[i - 1].id)
			continue;
		t = hp_tallies_put(&p->g->tallies, &o[i].key);
		if (!t)
			st = hp_no_memory(err);
		else
			hp_sum_add(&t->native,
				   *hp_id_map_get(&p->bytes, o[i].id));
	}
	return st;
}

static enum hp_status
run_passes(struct native_pass *p, struct hp_source *src, struct hp_error *err)
{
	struct hp_extra_pass pass = {
		.need = HP_NEED_HEADS, .ctx = p, .sub = on_speaker};
	enum hp_status st = hp_extra_pass_run(p->g, src, &pass, err);

	if (st == HP_OK)
		st = add_words(p, err);
	if (st != HP_OK || p->bytes.count == 0)
		return st;
	pass.sub = on_owner;
	pass.heap = note_heap;
	st = hp_extra_pass_run(p->g, src, &pass, err);
	return st == HP_OK ? add_owners(p, err) : st;
}

enum hp_status
hp_native_sizes_find(struct hp_histogram *g, struct hp_source *src,
		     struct hp_error *err)
{
	struct native_pass p = {.g = g, .lock = PTHREAD_MUTEX_INITIALIZER};
	enum hp_status st = HP_OK;

	if (!g->have_classes)
		return HP_OK;
	find_cleaners(&p);
	find_buffers(&p);
	if (!p.top[CLEANER] && !p.top[BUFFER])
		return HP_OK;
	p.workers = hp_calloc(g->options->threads, sizeof(*p.workers));
	st = p.workers ? run_passes(&p, src, err) : hp_no_memory(err);
	hp_free(p.workers);
	hp_free(p.words.items);
	hp_free(p.owners.items);
	pthread_mutex_destroy(&p.lock);
	hp_id_map_release(&p.bytes);
	return st;
}
