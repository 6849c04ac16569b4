/*
 * gen-layout.c - choose the contents of a dump before it is written
 *
 * These functions choose the classes, the addresses of the objects, and the
 * pattern: a group of objects that the heap repeats. They also choose how often
 * the heap repeats it.
 */
#include "gen.h"

static const struct class CLASSES[KINDS] = {
	{"java/lang/Object", "java.lang.Object", -1, "", {0}, "", 0},
	{"java/lang/Class", "java.lang.Class", 0, "", {0}, "", 0},
	{"java/lang/ClassLoader", "java.lang.ClassLoader", 0, "", {0}, "", 0},
	{"java/lang/String",
	 "java.lang.String",
	 0,
	 "IBL",
	 {"hash", "coder", "value"},
	 "",
	 0},
	{"java/lang/Thread",
	 "java.lang.Thread",
	 0,
	 "JL",
	 {"tid", "name"},
	 "",
	 0},
	{"gen/Base", "gen.Base", 0, "I", {"serial"}, "", 0},
	{"gen/Node", "gen.Node", K_BASE, "LLL", {"left", "right", "up"}, "", 0},
	{"gen/Entry",
	 "gen.Entry",
	 K_NODE,
	 "LLIZ",
	 {"key", "value", "hash", "dead"},
	 "",
	 0},
	{"gen/Leaf",
	 "gen.Leaf",
	 K_BASE,
	 "JDFSCB",
	 {"a", "b", "c", "d", "e", "f"},
	 "",
	 0},
	{"[Ljava/lang/Object;", "java.lang.Object[]", 0, "", {0}, "", 0},
	{"[Z", "boolean[]", 0, "", {0}, "", 0},
	{"[C", "char[]", 0, "", {0}, "", 0},
	{"[F", "float[]", 0, "", {0}, "", 0},
	{"[D", "double[]", 0, "", {0}, "", 0},
	{"[B", "byte[]", 0, "", {0}, "", 0},
	{"[S", "short[]", 0, "", {0}, "", 0},
	{"[I", "int[]", 0, "", {0}, "", 0},
	{"[J", "long[]", 0, "", {0}, "", 0},
};

static void
text_init(struct gen *g)
{
	static const char WORDS[] = "order customer street invoice total open "
				    "shipped 2023-11-14 EUR http://localhost/ ";

	for (size_t i = 0; i < sizeof(g->text); i++)
		g->text[i] = (uint8_t)WORDS[i % (sizeof(WORDS) - 1)];
	g->random = g->seed;
	for (size_t i = 0; i < sizeof(g->text); i += 37)
		g->text[i] = (uint8_t)('a' + next_random(g) % 26);
}

static void
chain_add(struct gen *g, struct class *c, const struct class *from)
{
	for (;;) {
		strcat(c->chain, from->fields);
		if (from->super < 0)
			break;
		from = &g->classes[from->super];
	}
	for (const char *t = c->chain; *t; t++)
		c->size += *t == 'L' || *t == 'K'
				   ? g->id_size
				   : TYPE_SIZE[strchr(TYPES, *t) - TYPES];
}

static void
classes_init(struct gen *g)
{
	memcpy(g->classes, CLASSES, sizeof(CLASSES));
	if (g->dialect == ART) {
		g->classes[K_OBJECT].fields = "KI";
		g->classes[K_OBJECT].names[0] = "shadow$_klass_";
		g->classes[K_OBJECT].names[1] = "shadow$_monitor_";
		g->classes[K_STRING].fields = "IIL";
		g->classes[K_STRING].names[0] = "count";
		g->classes[K_STRING].names[1] = "hash";
	}
	for (int k = 0; k < KINDS; k++)
		if (IS_INSTANCE(k))
			chain_add(g, &g->classes[k], &g->classes[k]);
}

static void
choose(struct gen *g, unsigned s)
{
	uint64_t r = next_random(g);
	struct slot *slot = &g->slots[s];
	uint64_t part = scale(r, 100), what = scale(r >> 24, 100);

	slot->n = (uint32_t)scale(r >> 40, 60) + 4;
	if (s && g->slots[s - 1].kind == K_STRING)
		slot->kind = K_PRIMITIVES + (g->dialect == AGENT ? 1 : 4);
	else if (part < g->density)
		slot->kind = what < 55	 ? K_NODE
			     : what < 85 ? K_ENTRY
					 : K_OBJECTS;
	else if (what < 35)
		slot->kind = K_LEAF;
	else if (what < 70 && s + 1 < SLOTS)
		slot->kind = K_STRING;
	else
		slot->kind = (uint8_t)(K_PRIMITIVES + (r >> 61));
	if (IS_PRIMITIVE(slot->kind) && what >= 95)
		slot->n *= what >= 99 ? LONGEST / 64 / 8 : 16;
}

/*
 * Compute the size of each object in the dump. Also compute the address that a
 * JVM with references of 4 bytes would give it.
 */
static void
pattern_init(struct gen *g)
{
	uint64_t id = g->id_size;

	g->random = g->seed ^ 0x5eed;
	for (unsigned s = 0; s < SLOTS; s++) {
		struct slot *slot = &g->slots[s];
		uint64_t real;

		choose(g, s);
		if (IS_INSTANCE(slot->kind)) {
			real = 12 + g->classes[slot->kind].size;
			slot->bytes = (uint32_t)(9 + 2 * id + real - 12);
		} else if (slot->kind == K_OBJECTS) {
			real = 16 + 4 * (uint64_t)slot->n;
			slot->bytes = (uint32_t)(9 + 2 * id + slot->n * id);
		} else {
			real = slot->n *
			       (uint64_t)TYPE_SIZE[slot->kind - K_PRIMITIVES];
			slot->bytes = (uint32_t)(10 + id + real);
			real += 16;
		}
		g->offsets[s] = g->pattern_span;
		g->pattern_span += ((real + 7) & ~(uint64_t)7) * g->spread;
		g->pattern_bytes += slot->bytes;
	}
}

uint64_t
slot_bytes(const struct gen *g, uint64_t slots)
{
	uint64_t n = 0;

	for (uint64_t s = 0; s < slots; s++)
		n += g->slots[s].bytes;
	return n;
}

/*
 * Compute how many copies of the pattern fill a heap of @size bytes: the number
 * of complete copies, and the number of objects in the last, incomplete copy.
 */
static void
blocks_init(struct gen *g)
{
	if (g->objects) {
		g->blocks = g->objects / SLOTS;
		g->rest = g->objects % SLOTS;
	} else {
		uint64_t fixed = 8192, left;
		left = g->size > fixed ? g->size - fixed : 0;
		g->blocks = left / g->pattern_bytes;
		left %= g->pattern_bytes;
		while (g->rest < SLOTS && slot_bytes(g, g->rest + 1) <= left)
			g->rest++;
	}
	/* the last copy must not end between a String and its array */
	if (g->rest && g->slots[g->rest - 1].kind == K_STRING)
		g->rest += g->objects ? -1 : 1;
	if (g->objects && object_count(g) < g->objects)
		fprintf(stderr, "hprof-gen: one object less, a whole String\n");
}

static void
dangling_init(struct gen *g)
{
	uint64_t whole = 0, rest = 0, all;

	for (unsigned s = 0; s < SLOTS; s++) {
		unsigned k = g->slots[s].kind;
		bool holder = k == K_NODE || k == K_ENTRY;
		whole += holder;
		rest += holder && s < g->rest;
	}
	all = whole * g->blocks + rest;
	if (g->dangling > all)
		die("more dangling references than objects to hold them");
	g->left = g->dangling;
	g->step = g->dangling ? all / g->dangling : 1;
}

static void
base_init(struct gen *g)
{
	uint64_t span = (g->blocks + 1) * g->pattern_span;

	g->base = g->id_size == 8 ? 0x700000000u : 0x12c00000u;
	if (g->dialect == AGENT) {
		g->base = 0x50000100u;
		span = object_count(g);
		if (span > 0x0ffffe00)
			die("too many objects for the agent's ids");
	}
	if (g->id_size == 4 && span > 0xffffffff - g->base)
		die("too many objects for 4-byte ids");
}

void
layout_init(struct gen *g)
{
	text_init(g);
	classes_init(g);
	pattern_init(g);
	blocks_init(g);
	base_init(g);
	dangling_init(g);
}
