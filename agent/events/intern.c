/*
 * intern.c - the tables of strings, classes, frames and traces, and their hash
 * tables
 */
#include "agent/events/intern.h"

#include "common/base/buf.h"
#include "common/format/format.h"

#include <string.h>

enum { FIRST_SLOTS = 1024 };

void
hp_agent_tables_init(struct hp_agent_tables *t, uint64_t seed)
{
	t->seed = seed | 1;
	t->strings.size = sizeof(struct hp_agent_string);
	t->classes.size = sizeof(struct hp_agent_class);
	t->frames.size = sizeof(struct hp_agent_frame);
	t->places.size = sizeof(struct hp_agent_place);
	t->traces.size = sizeof(struct hp_agent_trace);
}

/*
 * Returns a hash with a secret seed, so that an attacker cannot construct
 * collisions.
 */
static uint64_t
hash_bytes(uint64_t seed, const void *bytes, size_t n)
{
	const char *p = bytes;
	uint64_t h = seed ^ n * UINT64_C(0x9E3779B97F4A7C15), v;

	for (; n; p += n < 8 ? n : 8, n -= n < 8 ? n : 8) {
		v = 0;
		memcpy(&v, p, n < 8 ? n : 8);
		h = (h ^ v) * seed;
		h ^= h >> 29;
	}
	h *= UINT64_C(0xBF58476D1CE4E5B9);
	return h ^ h >> 32;
}

/* ---- the hash table ---- */

static uint64_t
hash_of(const struct hp_chunks *items, uint32_t n)
{
	uint64_t hash;

	memcpy(&hash, hp_chunks_at(items, n), sizeof(hash));
	return hash;
}

/*
 * A function that returns whether an item has the key @key, which has @n bytes.
 */
typedef bool same_item(const void *item, const void *key, size_t n);

/*
 * Returns the number of the item that has the hash @hash and for which @same
 * returns true; 0 if there is none.
 */
static uint32_t
find_item(const struct hp_agent_index *x, const struct hp_chunks *items,
	  uint64_t hash, same_item *same, const void *key, size_t n)
{
	if (!x->cap)
		return 0;
	for (size_t i = hash & (x->cap - 1); x->slots[i];
	     i = (i + 1) & (x->cap - 1)) {
		uint32_t number = x->slots[i];

		if (hash_of(items, number) == hash &&
		    same(hp_chunks_at(items, number), key, n))
			return number;
	}
	return 0;
}

static void
fill_slot(struct hp_agent_index *x, uint64_t hash, uint32_t n)
{
	size_t i = hash & (x->cap - 1);

	while (x->slots[i])
		i = (i + 1) & (x->cap - 1);
	x->slots[i] = n;
}

static bool
grow_index(struct hp_agent_index *x, const struct hp_chunks *items)
{
	struct hp_agent_index more = {.cap = x->cap ? 2 * x->cap : FIRST_SLOTS,
				      .count = x->count};

	more.slots = calloc(more.cap, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < x->cap; i++)
		if (x->slots[i])
			fill_slot(&more, hash_of(items, x->slots[i]),
				  x->slots[i]);
	free(x->slots);
	*x = more;
	return true;
}

static bool
add_to_index(struct hp_agent_index *x, const struct hp_chunks *items,
	     uint32_t n)
{
	if (2 * (x->count + 1) > x->cap && !grow_index(x, items))
		return false;
	fill_slot(x, hash_of(items, n), n);
	x->count++;
	return true;
}

/*
 * Make the item that was just filled visible to other threads, and add it to
 * the hash table. If memory for the hash table runs out, the item cannot be
 * found later, and an equal item may be added. This does no harm.
 */
static uint32_t
publish(struct hp_chunks *items, struct hp_agent_index *x)
{
	uint32_t n = hp_chunks_publish(items);

	(void)add_to_index(x, items, n);
	return n;
}

static const char *
key_of(const void *item)
{
	return (const char *)item + sizeof(uint64_t);
}

static bool
same_key(const void *item, const void *key, size_t n)
{
	return memcmp(key_of(item), key_of(key), n) == 0;
}

uint32_t
hp_agent_intern(struct hp_agent_index *x, struct hp_chunks *items,
		uint64_t seed, const void *item, size_t n)
{
	uint64_t hash = hash_bytes(seed, key_of(item), n);
	uint32_t number = find_item(x, items, hash, same_key, item, n);
	char *made = number ? NULL : hp_chunks_next(items);

	if (!made)
		return number;
	memcpy(made, item, items->size);
	memcpy(made, &hash, sizeof(hash));
	return publish(items, x);
}

const void *
hp_agent_find(const struct hp_agent_index *x, const struct hp_chunks *items,
	      uint64_t seed, const void *item, size_t n)
{
	uint64_t hash = hash_bytes(seed, key_of(item), n);
	uint32_t number = find_item(x, items, hash, same_key, item, n);

	return number ? hp_chunks_at(items, number) : NULL;
}

/* ---- strings and classes ---- */

static bool
same_string(const void *item, const void *text, size_t length)
{
	const struct hp_agent_string *s = item;

	return s->length == length && memcmp(s->text, text, length) == 0;
}

static uint32_t
intern_string(struct hp_agent_tables *t, const char *text, size_t length)
{
	uint64_t hash = hash_bytes(t->seed, text, length);
	uint32_t n = find_item(&t->by_text, &t->strings, hash, same_string,
			       text, length);
	struct hp_agent_string *s;
	char *copy;

	if (n)
		return n;
	s = hp_chunks_next(&t->strings);
	copy = s ? malloc(length + 1) : NULL;
	if (!copy)
		return 0;
	memcpy(copy, text, length);
	copy[length] = '\0';
	*s = (struct hp_agent_string){
		.hash = hash, .text = copy, .length = (uint32_t)length};
	return publish(&t->strings, &t->by_text);
}

uint32_t
hp_agent_intern_text(struct hp_agent_tables *t, const char *text)
{
	return text ? intern_string(t, text, strlen(text)) : 0;
}

/*
 * Append the name of a class: "Lcom/acme/Order;" becomes com.acme.Order. The
 * name of a hidden class ends with its address, for example
 * "Lcom/acme/Order$$Lambda$7.0x0000700001001230;". This address is left out,
 * because it is different for each hidden class and has no meaning for the
 * user.
 */
static void
put_class_name(struct hp_buf *b, const char *signature, size_t dimensions)
{
	const char *p = signature + dimensions;
	unsigned type = *p == 'L' ? 0 : hp_type_of_letter(*p);

	if (type)
		hp_buf_text(b, hp_type_name(type));
	else
		for (p += *p == 'L'; *p && *p != ';' && *p != '.'; p++)
			hp_buf_byte(b, *p == '/' ? '.' : *p);
	while (dimensions--)
		hp_buf_text(b, "[]");
}

static uint8_t
array_kind(const char *signature, size_t dimensions)
{
	unsigned type = hp_type_of_letter(signature[dimensions]);

	if (!dimensions)
		return 0;
	return dimensions == 1 && type ? (uint8_t)type : HP_TYPE_OBJECT;
}

uint32_t
hp_agent_intern_class(struct hp_agent_tables *t, const char *signature)
{
	size_t dimensions = strspn(signature, "[");
	struct hp_agent_string *s;
	struct hp_agent_class *c;
	struct hp_buf b = {0};
	uint32_t name = 0;

	put_class_name(&b, signature, dimensions);
	if (hp_buf_ok(&b) && b.len)
		name = intern_string(t, b.data, b.len);
	hp_buf_release(&b);
	if (!name)
		return 0;
	s = hp_chunks_at(&t->strings, name);
	if (s->class)
		return s->class;
	c = hp_chunks_next(&t->classes);
	if (!c)
		return 0;
	c->name = name;
	c->array_kind = array_kind(signature, dimensions);
	return s->class = hp_chunks_publish(&t->classes);
}

/* ---- frames, positions in methods, traces ---- */

uint32_t
hp_agent_intern_frame(struct hp_agent_tables *t,
		      const struct hp_agent_frame *frame)
{
	return hp_agent_intern(&t->by_frame, &t->frames, t->seed, frame,
			       HP_AGENT_KEY(struct hp_agent_frame, line));
}

enum { PLACE_KEY = HP_AGENT_KEY(struct hp_agent_place, location) };

uint32_t
hp_agent_find_place(const struct hp_agent_tables *t, uint64_t method,
		    int64_t location)
{
	const struct hp_agent_place key = {.method = method,
					   .location = location};
	const struct hp_agent_place *p;
	const struct hp_agent_frame *f;
	const struct hp_agent_class *c;
	uint32_t n = find_item(&t->by_place, &t->places,
			       hash_bytes(t->seed, key_of(&key), PLACE_KEY),
			       same_key, &key, PLACE_KEY);

	if (!n)
		return 0;
	p = hp_chunks_at(&t->places, n);
	f = hp_chunks_at(&t->frames, p->frame);
	c = hp_chunks_at(&t->classes, f->class);
	return atomic_load_explicit(&c->redefined, memory_order_relaxed)
		       ? 0
		       : p->frame;
}

void
hp_agent_intern_place(struct hp_agent_tables *t, uint64_t method,
		      int64_t location, uint32_t frame)
{
	const struct hp_agent_place place = {
		.method = method, .location = location, .frame = frame};

	if (frame)
		hp_agent_intern(&t->by_place, &t->places, t->seed, &place,
				PLACE_KEY);
}

static bool
same_trace(const void *item, const void *key, size_t n)
{
	const struct hp_agent_trace *a = item, *b = key;

	return a->count == b->count && a->thread == b->thread &&
	       memcmp(a->frames, b->frames, n) == 0;
}

uint32_t
hp_agent_intern_trace(struct hp_agent_tables *t, const uint32_t *frames,
		      uint32_t count, uint32_t thread)
{
	const size_t bytes = count * sizeof(*frames);
	struct hp_agent_trace key = {
		.hash = hash_bytes(t->seed ^ thread << 1, frames, bytes),
		.count = count,
		.thread = thread,
		.frames = frames};
	struct hp_agent_trace *f;
	uint32_t n, *copy;

	if (!count)
		return 0;
	n = find_item(&t->by_trace, &t->traces, key.hash, same_trace, &key,
		      bytes);
	if (n || hp_chunks_count(&t->traces) > HP_AGENT_TRACES_MOST)
		return n;
	f = hp_chunks_next(&t->traces);
	copy = f ? malloc(bytes) : NULL;
	if (!copy)
		return 0;
	key.frames = memcpy(copy, frames, bytes);
	*f = key;
	return publish(&t->traces, &t->by_trace);
}
