/*
 * native_bytes.c - read how many bytes outside the heap (native memory) each
 * object owns
 *
 * One pass reads the objects that contain the size of such memory: cleaners and
 * direct buffers. native_sizes.c adds these bytes to the counters of classes.
 * diff/retained/native_owners.c adds them to the retained sizes of the objects
 * that keep the owners alive.
 */
#include "diff/count/passes.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/quantity.h"
#include "common/model/java_string.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The kinds of objects that contain sizes of native memory, and the fields that
 * are read from them.
 */
enum speaker {
	/*
	 * cleaners: read the fields "referent" (the object that owns the
	 * memory) and "thunk"
	 */
	CLEANER,
	THUNK,	  /* thunks of cleaners: read the field "registry" */
	REGISTRY, /* registries of native allocations: read the field "size" */
	BUFFER,	  /* direct buffers: read the field "capacity" */
	SPEAKERS = HP_NATIVE_CLASSES,
};

struct word {
	/* the kind of the object with the id `id`, a value of enum speaker */
	uint32_t from;
	uint64_t id, offset, a, b;
};

struct reading {
	struct hp_histogram *g;
	const struct hp_native_classes *n;
	bool (*wanted)(void *context, const struct hp_batch *b);
	void *context;
	/* for each thread: a cache of the classes that it has looked up */
	struct hp_class_cache *caches;
	/* guards `words`; one lock is enough, because few entries are added */
	pthread_mutex_t lock;
	/* elements: struct word, the fields that were read */
	struct hp_vec words;
	/*
	 * maps the object id of an owner to the number of native bytes that it
	 * owns
	 */
	struct hp_id_map *bytes;
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
find_cleaners(struct hp_native_classes *p, const struct hp_histogram *g)
{
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
 * Find the class of direct buffers. Dumps of Android are left out, because
 * there the memory of direct buffers is an array in the heap.
 */
static void
find_buffers(struct hp_native_classes *p, const struct hp_histogram *g)
{
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

bool
hp_native_classes_find(struct hp_native_classes *n,
		       const struct hp_histogram *g)
{
	*n = (struct hp_native_classes){0};
	if (!g->have_classes)
		return false;
	find_cleaners(n, g);
	find_buffers(n, g);
	return n->top[CLEANER] || n->top[BUFFER];
}

/*
 * Returns which of the four kinds of objects (enum speaker) the instances of @c
 * and its subclasses are; SPEAKERS: none of them.
 */
static uint32_t
speaker_of(const struct hp_native_classes *n, const struct hp_class *c)
{
	uint32_t from = 0;

	while (from < SPEAKERS &&
	       (!n->top[from] || !hp_class_is_a(c, n->top[from])))
		from++;
	return from;
}

bool
hp_native_classes_have(const struct hp_native_classes *n,
		       const struct hp_class *c)
{
	return speaker_of(n, c) != SPEAKERS;
}

/* --- cleaners and buffers ------------------------------------------------- */

static uint64_t
load(const struct reading *p, const struct hp_field_place *place,
     const struct hp_sub *s)
{
	uint64_t value = 0;

	if (place->from_end == 0 || !hp_field_load(place, p->g->header.id_size,
						   s->data, s->count, &value))
		return 0;
	return value;
}

static bool
read_word(const struct reading *p, const struct hp_sub *s,
	  const struct hp_class *c, struct word *w)
{
	*w = (struct word){
		.from = speaker_of(p->n, c), .id = s->id, .offset = s->offset};
	switch (w->from) {
	case CLEANER:
		w->a = load(p, &p->n->referent, s);
		w->b = load(p, &p->n->thunk, s);
		/*
		 * skip a cleaner that has run and freed its memory: its field
		 * `next` refers to the cleaner itself
		 */
		if (load(p, &p->n->next, s) == s->id)
			w->b = 0;
		return true;
	case THUNK:
		w->a = load(p, &p->n->registry, s);
		return true;
	case REGISTRY:
		w->a = load(p, &p->n->size, s);
		return true;
	case BUFFER:
		if (load(p, &p->n->cleaner, s) != 0 &&
		    load(p, &p->n->attached, s) == 0)
			w->a = load(p, &p->n->capacity, s);
		return true;
	default:
		return false;
	}
}

static bool
on_speaker(void *ctx, unsigned worker, const struct hp_sub *s,
	   const struct hp_piece *piece)
{
	struct reading *p = ctx;
	const struct hp_class *c;
	struct word word;
	bool kept;

	if (piece || s->tag != HP_SUB_INSTANCE_DUMP)
		return true;
	c = hp_classes_layout(&p->g->classes, &p->caches[worker], s->class_id);
	if (!c || c->chain != HP_CHAIN_FINE || !read_word(p, s, c, &word))
		return true;
	pthread_mutex_lock(&p->lock);
	kept = hp_vec_push(&p->words, &word, sizeof(word));
	pthread_mutex_unlock(&p->lock);
	return kept;
}

static bool
is_wanted(void *ctx, const struct hp_batch *b)
{
	const struct reading *p = ctx;

	return p->wanted(p->context, b);
}

/* --- owners --------------------------------------------------------------- */

static int
by_id(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	int c = hp_order(x->from, y->from);

	c = c ? c : hp_order(x->id, y->id);
	return c ? c : hp_order(x->offset, y->offset);
}

/*
 * Find the entry for an object in `words`, by binary search. Returns NULL if
 * there is none, or if the object is not of the kind @from.
 */
static const struct word *
word_of(const struct reading *p, enum speaker from, uint64_t id)
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
add_bytes(struct reading *p, uint64_t owner, uint64_t bytes)
{
	uint64_t *slot;

	if (owner == 0 || bytes == 0)
		return true;
	slot = hp_id_map_put(p->bytes, owner, NULL);
	if (slot)
		hp_sum_add(slot, bytes);
	return slot;
}

/*
 * Add the size of the native memory of a buffer or cleaner to the bytes of its
 * owner. For a cleaner, the size is in the registry to which its thunk refers;
 * bit 0 of this size is a flag. Negative sizes are ignored. Returns false if
 * out of memory.
 */
static bool
add_word(struct reading *p, const struct word *w)
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
add_words(struct reading *p, struct hp_error *err)
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

enum hp_status
hp_native_bytes_read(const struct hp_native_classes *n, struct hp_histogram *g,
		     struct hp_source *src,
		     bool (*wanted)(void *context, const struct hp_batch *b),
		     void *context, struct hp_id_map *bytes,
		     struct hp_error *err)
{
	struct reading p = {.g = g,
			    .n = n,
			    .wanted = wanted,
			    .context = context,
			    .bytes = bytes,
			    .lock = PTHREAD_MUTEX_INITIALIZER};
	const struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
					   .ctx = &p,
					   .sub = on_speaker,
					   .wanted = wanted ? is_wanted : NULL};
	enum hp_status st;

	p.caches = hp_calloc(g->options->threads, sizeof(*p.caches));
	st = p.caches ? hp_extra_pass_run(g, src, &pass, err)
		      : hp_no_memory(err);
	if (st == HP_OK)
		st = add_words(&p, err);
	hp_free(p.caches);
	hp_free(p.words.items);
	pthread_mutex_destroy(&p.lock);
	return st;
}
