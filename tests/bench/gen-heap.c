/*
 * gen-heap.c - write the heap sub-records: objects, classes, the thread and the
 * roots
 */
#include "gen.h"

/*
 * Choose a reference of a generated object. One reference in eight is null.
 * Half of the other references point to an object in the same copy of the
 * pattern (the group of objects that the heap repeats). The code has no branch,
 * because a processor cannot predict a random choice.
 */
static inline uint64_t
reference(const struct gen *g, uint64_t r, uint64_t block)
{
	uint64_t slots = block < g->blocks ? SLOTS : g->rest;
	uint64_t near = -(uint64_t)((r & 15) < 9 || !g->blocks);
	uint64_t some = -(uint64_t)((r & 15) >= 2);
	uint64_t far = ((r >> 8 & 0xffffffff) * g->blocks) >> 32;

	block = (block & near) | (far & ~near);
	slots = (scale(r >> 40, slots) & near) | (r >> 52 & ~near);
	return object_id(g, block, slots) & some;
}

static inline void
put_reference(struct gen *g, uint64_t id)
{
	g->counts.references += id != 0;
	g->counts.nulls += id == 0;
	put_id(g, id);
}

/*
 * Whether the first field of the next node must be a dangling reference. This
 * is the case for nodes at regular distances.
 */
static inline bool
dangling_reference(struct gen *g)
{
	uint64_t id = g->base - 8 - 8 * (g->left % 512);

	if (!g->left || g->holders++ % g->step)
		return false;
	g->left--;
	g->counts.references++;
	g->counts.dangling++;
	put_id(g, g->dialect == AGENT ? 0x5fffffff : id);
	return true;
}

static inline void
primitive(struct gen *g, char type, uint64_t r)
{
	switch (type) {
	case 'Z':
		put1(g, r & 1);
		break;
	case 'B':
		put1(g, (unsigned)r & 0xff);
		break;
	case 'C':
	case 'S':
		put2(g, (unsigned)r & 0x7f);
		break;
	case 'F':
		put4(g, 0x3f800000 | (r & 0x7fff00));
		break;
	case 'I':
		put4(g, (uint32_t)r & 0xffff);
		break;
	case 'J':
		put8(g, r & 0xffffffffff);
		break;
	default:
		put8(g, 0x3ff0000000000000 | (r & 0xfffff00000));
		break;
	}
}

static void
instance(struct gen *g, uint64_t block, uint64_t s)
{
	const struct slot *slot = &g->slots[s];
	const struct class *c = &g->classes[slot->kind];
	bool first = true;

	sub(g, 0x21, slot->bytes);
	put_id(g, object_id(g, block, s));
	put4(g, object_trace(g, s));
	put_id(g, class_id(g, slot->kind));
	put4(g, c->size);
	for (const char *t = c->chain; *t; t++) {
		/* the field refers to the class itself, as in dumps of ART */
		if (*t == 'K') {
			g->counts.references++;
			put_id(g, class_id(g, slot->kind));
		} else if (*t != 'L') {
			primitive(g, *t, next_random(g));
		} else if (slot->kind == K_STRING) {
			g->counts.references++;
			put_id(g, object_id(g, block, s + 1));
		} else {
			if (!first || !dangling_reference(g))
				put_reference(
					g, reference(g, next_random(g), block));
			first = false;
		}
	}
}

static void
object_array(struct gen *g, uint64_t block, uint64_t s)
{
	const struct slot *slot = &g->slots[s];

	sub(g, 0x22, slot->bytes);
	put_id(g, object_id(g, block, s));
	put4(g, object_trace(g, s));
	put4(g, slot->n);
	put_id(g, class_id(g, K_OBJECTS));
	/*
	 * local copies of members of @slot and @g: otherwise the compiler would
	 * have to assume that writing through p changes them
	 */
	uint64_t nulls = 0, n = slot->n, width = g->id_size;
	uint8_t *p = g->buf + g->len;
	for (uint32_t i = 0; i < n; i++, p += width) {
		uint64_t id = reference(g, next_random(g), block);
		uint64_t be = __builtin_bswap64(id << (64 - 8 * width));
		nulls += id == 0;
		memcpy(p, &be,
		       /*
			* always copy eight bytes, because a constant number is
			* faster; the buffer has room for eight
			*/
		       8);
	}
	g->len += n * width;
	g->counts.nulls += nulls;
	g->counts.references += n - nulls;
}

/*
 * Fill an array. A third of the arrays are random bytes, a third are small
 * numbers, and a third are text.
 */
static void
elements(struct gen *g, uint64_t s, size_t bytes)
{
	uint8_t *p = g->buf + g->len;
	uint64_t mask = s % 3 == 0 ? ~(uint64_t)0 : 0x00ff0000000000ff;

	g->len += bytes;
	if (s % 3 == 1) {
		while (bytes) {
			size_t n = bytes < TEXT_SIZE ? bytes : TEXT_SIZE;
			memcpy(p, g->text + (next_random(g) >> 48), n);
			p += n;
			bytes -= n;
		}
		return;
	}
	for (; bytes >= 8; p += 8, bytes -= 8) {
		uint64_t r = next_random(g) & mask;
		memcpy(p, &r, 8);
	}
	memset(p, 0, bytes);
}

static void
primitive_array(struct gen *g, uint64_t block, uint64_t s)
{
	const struct slot *slot = &g->slots[s];
	unsigned type = slot->kind - K_PRIMITIVES;

	sub(g, 0x23, slot->bytes);
	put_id(g, object_id(g, block, s));
	put4(g, object_trace(g, s));
	put4(g, slot->n);
	put1(g, type + 4);
	if (type == 0) /* a boolean is 0 or 1 */
		memset(g->buf + g->len, (int)(block & 1), slot->n);
	if (type == 0)
		g->len += slot->n;
	else
		elements(g, s, (size_t)slot->n * TYPE_SIZE[type]);
}

void
objects(struct gen *g)
{
	g->random = g->seed;
	for (uint64_t b = 0; b <= g->blocks; b++) {
		uint64_t slots = b < g->blocks ? SLOTS : g->rest;
		for (uint64_t s = 0; s < slots; s++) {
			unsigned kind = g->slots[s].kind;
			g->counts.kinds[kind]++;
			if (IS_INSTANCE(kind))
				instance(g, b, s);
			else if (kind == K_OBJECTS)
				object_array(g, b, s);
			else
				primitive_array(g, b, s);
		}
	}
}

static void
static_fields(struct gen *g, int kind)
{
	put2(g, (kind == K_BASE ? 3 : 0) + (g->dialect == ART));
	if (g->dialect == ART) {
		put_id(g, string_id(g, S_OVERHEAD));
		put1(g, 2);
		put_id(g, class_id(g, kind) | 1);
		g->counts.references++;
	}
	if (kind != K_BASE)
		return;
	put_id(g, string_id(g, S_ALL));
	put1(g, 2);
	put_id(g, object_count(g) ? object_id(g, 0, 0) : 0);
	*(object_count(g) ? &g->counts.references : &g->counts.nulls) += 1;
	put_id(g, string_id(g, S_COUNT));
	put1(g, 10);
	put4(g, (uint32_t)object_count(g));
	put_id(g, string_id(g, S_FLAG));
	put1(g, 4);
	put1(g, 1);
}

/*
 * Write a byte[] whose length is the size of the class. ART writes such an
 * array for each class.
 */
static void
class_overhead(struct gen *g, int kind)
{
	sub(g, 0x23, 10 + g->id_size + 12);
	g->counts.kinds[K_PRIMITIVES + 4]++;
	put_id(g, class_id(g, kind) | 1);
	put4(g, 0);
	put4(g, 12);
	put1(g, 8);
	put4(g, 0);
	put8(g, 0);
}

void
class_dumps(struct gen *g)
{
	for (int k = 0; k < KINDS; k++) {
		const struct class *c = &g->classes[k];
		unsigned n = (unsigned)strlen(c->fields);

		if (g->dialect == ART)
			class_overhead(g, k);
		sub(g, 0x20, 512);
		put_id(g, class_id(g, k));
		put4(g, g->dialect == AGENT ? 300000 : object_trace(g, 0));
		put_id(g, c->super < 0 ? 0 : class_id(g, c->super));
		for (int i = 0; i < 5; i++)
			put_id(g, 0);
		put4(g, IS_INSTANCE(k) ? c->size : 0);
		put2(g, 0);
		static_fields(g, k);
		put2(g, n);
		for (unsigned i = 0; i < n; i++) {
			char t = c->fields[i];
			put_id(g, string_id(g, S_FIELD(k, i)));
			put1(g, t == 'L' || t == 'K'
					? 2
					: (unsigned)(strchr(TYPES, t) - TYPES) +
						  4);
		}
	}
}

void
thread_instance(struct gen *g)
{
	const struct class *c = &g->classes[K_THREAD];

	sub(g, 0x21, 256);
	g->counts.kinds[K_THREAD]++;
	put_id(g, thread_id(g));
	put4(g, object_trace(g, 0));
	put_id(g, class_id(g, K_THREAD));
	put4(g, c->size);
	for (const char *t = c->chain; *t; t++) {
		if (*t == 'K') {
			g->counts.references++;
			put_id(g, class_id(g, K_THREAD));
		} else if (*t == 'L') {
			g->counts.nulls++;
			put_id(g, 0);
		} else {
			primitive(g, *t, 1);
		}
	}
}

/*
 * Write the array that refers to the objects in HotSpot's class data archive
 * (CDS). Only a JNI root refers to this array.
 */
void
archive_array(struct gen *g)
{
	if (!g->archived)
		return;
	sub(g, 0x22, 64 + g->archived * g->id_size);
	g->counts.kinds[K_OBJECTS]++;
	put_id(g, archive_id(g));
	put4(g, object_trace(g, 0));
	put4(g, (uint32_t)g->archived);
	put_id(g, class_id(g, K_OBJECTS));
	for (uint64_t i = 0; i < g->archived; i++) {
		g->counts.references++;
		g->counts.dangling++;
		put_id(g, archived_id(g, i));
	}
}

static void
root(struct gen *g, unsigned tag, uint64_t id)
{
	sub(g, tag, 32);
	put_id(g, id);
}

static void
thread_roots(struct gen *g)
{
	uint32_t thread = g->dialect == AGENT ? 200001 : 1;
	uint32_t line = g->dialect == ART ? 0xffffffff : 1;
	static const uint32_t TRACE[] = {2, 300000, 0xffffffff};

	if (g->dialect == AGENT) {
		root(g, 0x08, 0);
		put4(g, 200000);
		put4(g, 300000);
	}
	root(g, 0x08, thread_id(g));
	put4(g, thread);
	put4(g, TRACE[g->dialect]);
	for (unsigned s = 0; s < 4 && s < object_count(g); s++) {
		root(g, 0x03, object_id(g, 0, s));
		put4(g, thread);
		put4(g, line);
	}
}

void
roots(struct gen *g)
{
	thread_roots(g);
	for (unsigned s = 0; s < 16 && s < object_count(g); s++) {
		root(g, 0x01, object_id(g, 0, s));
		put_id(g, g->dialect == ART	? 0
			  : g->dialect == AGENT ? s + 1
						: g->base - 0x40000 + 8 * s);
	}
	if (g->archived) {
		root(g, 0x01, archive_id(g));
		put_id(g, g->base - 0x30000);
	}
	for (int k = 0; k < KINDS; k++)
		root(g, 0x05, class_id(g, k));
}
