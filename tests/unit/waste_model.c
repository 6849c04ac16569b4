/*
 * waste_model.c - make a random heap, write it as a dump, and find its waste by
 * brute force
 */
#include "tests/unit/waste_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- make random heaps -------------------------------------------- */

static unsigned
pick(struct wm *m, unsigned n)
{
	m->random = m->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((m->random >> 33) % n);
}

static int
add(struct wm *m, enum wm_kind kind, int up, const char *field)
{
	struct wm_object *o = &m->objects[m->count];

	*o = (struct wm_object){.kind = kind, .up = up, .field = field};
	return m->count++;
}

static void
add_ref(struct wm *m, int from, int to)
{
	m->objects[from].refs[m->objects[from].nrefs++] = to;
}

static int
add_data(struct wm *m, int up, const char *field)
{
	static const unsigned types[] = {B_BYTE, B_CHAR, B_INT, B_LONG,
					 B_BOOLEAN};
	static const unsigned lengths[] = {0, 1, 2, 3, 7, 8, 20};
	int at = add(m, WM_DATA, up, field);
	struct wm_object *o = &m->objects[at];

	o->type = types[pick(m, 5)];
	o->nrefs = lengths[pick(m, 7)];
	if (o->nrefs > 0 && pick(m, 3) > 0)
		o->values[pick(m, o->nrefs)] = 1;
	if (o->nrefs > 0 && pick(m, 3) == 0)
		o->values[0] = 1 + pick(m, 2);
	return at;
}

static int
add_string(struct wm *m, int up, const char *field)
{
	static const char *const texts[] = {"", "a", "DE", "Deutschland", "DE"};
	int at = add(m, WM_STRING, up, field), array;
	struct wm_object *o = &m->objects[at];
	const char *text = texts[pick(m, 5)];
	bool wide = pick(m, 3) == 0, far = wide && pick(m, 2) && *text;

	/* sometimes share the array of another String */
	for (int i = 0; i < at && pick(m, 4) == 0; i++)
		if (m->objects[i].kind == WM_STRING && pick(m, 2)) {
			o->utf16 = m->objects[i].utf16;
			add_ref(m, at, m->objects[i].refs[0]);
			return at;
		}
	array = add(m, WM_DATA, at, NULL);
	add_ref(m, at, array);
	o = &m->objects[array];
	o->type = pick(m, 4) == 0 ? B_CHAR : B_BYTE;
	if (o->type == B_CHAR)
		wide = pick(m, 2);
	m->objects[at].utf16 = wide;
	for (const char *c = text; *c; c++) {
		uint64_t unit = far && c == text ? 0x416 : (uint64_t)*c;

		if (o->type == B_CHAR) {
			o->values[o->nrefs++] = unit;
		} else {
			o->values[o->nrefs++] = unit & 255;
			if (wide)
				o->values[o->nrefs++] = unit >> 8;
		}
	}
	return at;
}

static int add_any(struct wm *m, int up, const char *field, unsigned depth);

static int
add_array(struct wm *m, int up, const char *field, unsigned depth,
	  unsigned length, unsigned filled)
{
	int at = add(m, WM_ARRAY, up, field);

	for (unsigned i = 0; i < length; i++)
		add_ref(m, at,
			i < filled ? add_any(m, at, NULL, depth + 1) : -1);
	return at;
}

static int
add_list(struct wm *m, int up, const char *field, unsigned depth)
{
	int at = add(m, WM_LIST, up, field), array;
	unsigned size = pick(m, 3) ? pick(m, 4) : 0;

	m->objects[at].size = size;
	if (size == 0 && pick(m, 2)) {
		add_ref(m, at, m->empty_list);
		return at;
	}
	array = add_array(m, at, NULL, depth, size + pick(m, 2) * pick(m, 18),
			  size);
	m->objects[array].part = true;
	add_ref(m, at, array);
	return at;
}

static int
add_deque(struct wm *m, int up, const char *field, unsigned depth)
{
	int at = add(m, WM_DEQUE, up, field), array;
	unsigned length = pick(m, 2) ? 17 : 24, size = pick(m, 4);

	array = add_array(m, at, NULL, depth, length, size);
	m->objects[array].part = true;
	/*
	 * Rotate the elements, as in a deque whose contents continue at the
	 * beginning of its array.
	 */
	if (size > 0 && pick(m, 2)) {
		int *refs = m->objects[array].refs;

		refs[length - 1] = refs[0];
		memmove(refs, refs + 1, (size - 1) * sizeof(*refs));
		refs[size - 1] = -1;
		m->objects[at].head = length - 1;
		m->objects[at].tail = size - 1;
	} else {
		m->objects[at].tail = size;
	}
	m->objects[at].size = size;
	add_ref(m, at, array);
	return at;
}

static int
add_map(struct wm *m, int up, const char *field, unsigned depth, bool of_set)
{
	int at = add(m, WM_MAP, up, field), table;
	unsigned size = pick(m, 4) ? pick(m, 4) : 0;
	unsigned length = pick(m, 3) ? 16 : 24;

	m->objects[at].size = size;
	m->objects[at].part = of_set;
	if (size == 0 && pick(m, 2)) {
		add_ref(m, at, -1);
		return at;
	}
	table = add(m, WM_TABLE, at, NULL);
	m->objects[table].part = true;
	add_ref(m, at, table);
	for (unsigned i = 0; i < length; i++) {
		int node = i < size ? add(m, WM_NODE, table, NULL) : -1;

		add_ref(m, table, node);
		if (node < 0)
			continue;
		add_ref(m, node, add_any(m, node, NULL, depth + 1));
		add_ref(m, node, add_any(m, node, NULL, depth + 1));
	}
	return at;
}

static int
add_any(struct wm *m, int up, const char *field, unsigned depth)
{
	int at;

	if (m->count > WM_OBJECTS - 200 || depth > 3)
		return -1;
	switch (pick(m, 12)) {
	case 0:
	case 1:
	case 2:
		return add_string(m, up, field);
	case 3:
	case 4:
		return add_data(m, up, field);
	case 5:
		return add_array(m, up, field, depth, pick(m, 7), pick(m, 3));
	case 6:
		return add_list(m, up, field, depth);
	case 7:
		return add_deque(m, up, field, depth);
	case 8:
		return add_map(m, up, field, depth, false);
	case 9:
		at = add(m, WM_SET, up, field);
		add_ref(m, at, add_map(m, at, NULL, depth, true));
		return at;
	case 10:
		return add(m, WM_INTEGER, up, field);
	default:
		return add(m, WM_LONG, up, field);
	}
}

void
wm_make(struct wm *m, uint64_t seed)
{
	static const char *const fields[] = {"x", "y", "z"};
	int holders;

	memset(m, 0, sizeof(*m));
	m->random = seed * 77777 + 1;
	m->empty_list = add(m, WM_ARRAY, -1, "ArrayList.EMPTY (static)");
	m->objects[m->empty_list].constant = true;
	m->cache = add(m, WM_ARRAY, -1, "Integer$IntegerCache.cache (static)");
	m->objects[m->cache].constant = true;
	for (int i = 0; i < 3; i++) {
		int box = add(m, WM_INTEGER, m->cache, NULL);

		m->objects[box].cached = true;
		add_ref(m, m->cache, box);
	}
	holders = 1 + (int)pick(m, 12);
	for (int i = 0; i < holders; i++) {
		int at = add(m, WM_HOLDER, -1, NULL);

		for (int k = 0; k < 3; k++)
			add_ref(m, at, add_any(m, at, fields[k], 0));
		/* add an object to which a root refers instead of a field */
		if (pick(m, 3) == 0)
			add_any(m, -1, NULL, 2);
	}
	/*
	 * shuffle the ids, so that their order differs from that of the objects
	 */
	for (int i = 0; i < m->count; i++)
		m->objects[i].id = 0x10000 + 64 * (uint64_t)i;
	for (int i = m->count - 1; i > 0; i--) {
		int k = (int)pick(m, (unsigned)i + 1);
		uint64_t id = m->objects[i].id;

		m->objects[i].id = m->objects[k].id;
		m->objects[k].id = id;
	}
}

/* --- write the heap as a dump ------------------------------------- */

enum {
	C_OBJECT = 0x100,
	C_HOLDER = 0x200,
	C_STRING = 0x300,
	C_ARRAY = 0x400,
	C_ABSTRACT_LIST = 0x500,
	C_LIST = 0x600,
	C_DEQUE = 0x700,
	C_ABSTRACT_MAP = 0x800,
	C_MAP = 0x900,
	C_SET = 0xa00,
	C_TABLE = 0xb00,
	C_NODE = 0xc00,
	C_NUMBER = 0xd00,
	C_INTEGER = 0xe00,
	C_LONG = 0xf00,
	C_CACHE = 0x1000,
	C_INTEGERS = 0x1100,
};

/* A class: its name, and for each field the letter of its type and its name. */
static const struct {
	uint64_t id, super;
	const char *name, *fields;
} classes[] = {
	{C_OBJECT, 0, "java/lang/Object", ""},
	{C_HOLDER, C_OBJECT, "a/A", "Lx Ly Lz"},
	{C_STRING, C_OBJECT, "java/lang/String", "Lvalue Bcoder Ihash"},
	{C_ARRAY, C_OBJECT, "[Ljava/lang/Object;", ""},
	{C_ABSTRACT_LIST, C_OBJECT, "java/util/AbstractList", "ImodCount"},
	{C_LIST, C_ABSTRACT_LIST, "java/util/ArrayList", "LelementData Isize"},
	{C_DEQUE, C_OBJECT, "java/util/ArrayDeque", "Lelements Ihead Itail"},
	{C_ABSTRACT_MAP, C_OBJECT, "java/util/AbstractMap", "LkeySet Lvalues"},
	{C_MAP, C_ABSTRACT_MAP, "java/util/HashMap",
	 "Ltable LentrySet Isize ImodCount Ithreshold FloadFactor"},
	{C_SET, C_OBJECT, "java/util/HashSet", "Lmap"},
	{C_TABLE, C_OBJECT, "[Ljava/util/HashMap$Node;", ""},
	{C_NODE, C_OBJECT, "java/util/HashMap$Node", "Ihash Lkey Lvalue Lnext"},
	{C_NUMBER, C_OBJECT, "java/lang/Number", ""},
	{C_INTEGER, C_NUMBER, "java/lang/Integer", "Ivalue"},
	{C_LONG, C_NUMBER, "java/lang/Long", "Jvalue"},
	{C_CACHE, C_OBJECT, "java/lang/Integer$IntegerCache", ""},
	{C_INTEGERS, C_OBJECT, "[Ljava/lang/Integer;", ""},
};

enum { CLASSES = sizeof(classes) / sizeof(*classes) };

static unsigned
type_of(char letter)
{
	switch (letter) {
	case 'L':
		return B_OBJECT;
	case 'B':
		return B_BYTE;
	case 'F':
		return B_FLOAT;
	case 'J':
		return B_LONG;
	default:
		return B_INT;
	}
}

/*
 * For each field of the list, write its definition in a class dump if @write is
 * true, otherwise the STRING record with its name.
 */
static void
each_field(struct b *b, const char *fields, bool write)
{
	char name[32];

	for (const char *at = fields; *at; at += *at == ' ') {
		size_t n = strcspn(at, " ");

		snprintf(name, sizeof(name), "%.*s", (int)n - 1, at + 1);
		if (write)
			b_field(b, b_intern(b, name), type_of(*at));
		else
			b_intern(b, name);
		at += n;
	}
}

static void
write_classes(const struct wm *m, struct b *b)
{
	b_intern(b, "EMPTY_ELEMENTDATA");
	b_intern(b, "cache");
	for (int i = 0; i < CLASSES; i++) {
		b_load_class(b, (uint32_t)i + 1, classes[i].id, 0,
			     b_intern(b, classes[i].name));
		each_field(b, classes[i].fields, false);
	}
	b_segment(b);
	for (int i = 0; i < CLASSES; i++) {
		b_class(b, &(struct b_class){.id = classes[i].id,
					     .super = classes[i].super,
					     .size = B_AUTO});
		if (classes[i].id == C_LIST)
			b_static(b, b_intern(b, "EMPTY_ELEMENTDATA"), B_OBJECT,
				 m->objects[m->empty_list].id);
		if (classes[i].id == C_CACHE)
			b_static(b, b_intern(b, "cache"), B_OBJECT,
				 m->objects[m->cache].id);
		each_field(b, classes[i].fields, true);
		b_class_end(b);
	}
}

static uint64_t
id_of(const struct wm *m, int at)
{
	return at < 0 ? 0 : m->objects[at].id;
}

static void
write_array(const struct wm *m, struct b *b, const struct wm_object *o,
	    uint64_t class_id)
{
	uint64_t ids[WM_ELEMENTS];

	for (unsigned i = 0; i < o->nrefs; i++)
		ids[i] = id_of(m, o->refs[i]);
	b_object_array(b, o->id, class_id, o->nrefs, ids);
}

static void
write_values(struct b *b, const char *types, const uint64_t *values)
{
	for (; *types; types++)
		b_value(b, type_of(*types), *values++);
}

static void
write_object(const struct wm *m, struct b *b, int at)
{
	const struct wm_object *o = &m->objects[at];
	static const uint64_t class_of[] = {
		[WM_HOLDER] = C_HOLDER, [WM_STRING] = C_STRING,
		[WM_LIST] = C_LIST,	[WM_DEQUE] = C_DEQUE,
		[WM_MAP] = C_MAP,	[WM_SET] = C_SET,
		[WM_NODE] = C_NODE,	[WM_INTEGER] = C_INTEGER,
		[WM_LONG] = C_LONG};
	uint64_t r[3] = {0};

	for (unsigned i = 0; i < 3 && i < o->nrefs && o->kind != WM_DATA; i++)
		r[i] = id_of(m, o->refs[i]);
	if (o->kind == WM_DATA) {
		b_primitive_array(b, o->id, o->type, o->nrefs, o->values);
		return;
	}
	if (o->kind == WM_ARRAY || o->kind == WM_TABLE) {
		write_array(m, b, o,
			    o->kind == WM_TABLE ? C_TABLE
			    : at == m->cache	? C_INTEGERS
						: C_ARRAY);
		return;
	}
	b_instance(b, o->id, class_of[o->kind]);
	switch (o->kind) {
	case WM_HOLDER:
		write_values(b, "LLL", r);
		break;
	case WM_STRING:
		write_values(b, "LBI", (uint64_t[]){r[0], o->utf16, 0});
		break;
	case WM_LIST:
		write_values(b, "LII", (uint64_t[]){r[0], o->size, 0});
		break;
	case WM_DEQUE:
		write_values(b, "LII", (uint64_t[]){r[0], o->head, o->tail});
		break;
	case WM_MAP:
		write_values(b, "LLIIIFLL",
			     (uint64_t[]){r[0], 0, o->size, 0, 12, 0x3f400000,
					  0, 0});
		break;
	case WM_SET:
		write_values(b, "L", r);
		break;
	case WM_NODE:
		write_values(b, "ILLL", (uint64_t[]){0, r[0], r[1], 0});
		break;
	case WM_LONG:
		write_values(b, "J", (uint64_t[]){7});
		break;
	default:
		write_values(b, "I", (uint64_t[]){7});
	}
	b_instance_end(b);
}

void
wm_write(const struct wm *m, struct b *b)
{
	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	write_classes(m, b);
	for (int i = 0; i < CLASSES; i++)
		b_root_sticky_class(b, classes[i].id);
	for (int i = 0; i < m->count; i++) {
		if (m->objects[i].up < 0)
			b_root_unknown(b, m->objects[i].id);
		write_object(m, b, i);
	}
	b_close(b);
	b_heap_dump_end(b);
}

/* --- brute force: compute the expected waste ---------------------- */

static uint64_t
round_up(uint64_t n)
{
	return (n + 7) / 8 * 8;
}

static uint64_t
width_of(unsigned type)
{
	return type == B_LONG ? 8 : type == B_INT ? 4 : type == B_CHAR ? 2 : 1;
}

/*
 * Returns the size of an object in a JVM with references of 4 bytes, object
 * headers of 12 bytes (arrays: 16), and objects that are aligned to 8 bytes.
 */
static uint64_t
size_of(const struct wm_object *o)
{
	switch (o->kind) {
	case WM_DATA:
		return round_up(16 + o->nrefs * width_of(o->type));
	case WM_ARRAY:
	case WM_TABLE:
		return round_up(16 + 4 * (uint64_t)o->nrefs);
	case WM_MAP:
		return 48;
	case WM_NODE:
		return 32;
	case WM_SET:
	case WM_INTEGER:
		return 16;
	default:
		return 24;
	}
}

/*
 * Returns how many bytes compact headers would save for an object. With compact
 * headers, the header of an object has 8 instead of 12 bytes, and the header of
 * an array has 12 instead of 16 bytes. Most objects get no smaller, because
 * their size is rounded up to a multiple of 8 bytes.
 */
static uint64_t
saved_in(const struct wm_object *o)
{
	uint64_t width = o->kind == WM_DATA ? width_of(o->type) : 4;
	uint64_t bytes = o->nrefs * width;

	switch (o->kind) {
	case WM_DATA:
	case WM_ARRAY:
	case WM_TABLE:
		return width == 8 ? 0
				  : round_up(16 + bytes) - round_up(12 + bytes);
	case WM_MAP:
	case WM_NODE:
	case WM_LONG:
		return 8;
	default:
		return 0;
	}
}

/*
 * Returns the number of padding bytes of an object: bytes that belong neither
 * to the header nor to the fields or elements.
 */
static uint64_t
padding_in(const struct wm_object *o)
{
	uint64_t width = o->kind == WM_DATA ? width_of(o->type) : 4;

	switch (o->kind) {
	case WM_DATA:
	case WM_ARRAY:
	case WM_TABLE:
		return size_of(o) - 16 - o->nrefs * width;
	case WM_STRING: /* 12 + 4 + 1 + 4 bytes: the header and the fields */
		return 3;
	case WM_MAP:
	case WM_NODE:
	case WM_LONG:
		return 4;
	default:
		return 0;
	}
}

static const char *
holder_of(const struct wm *m, int at)
{
	static char text[64];
	static const char *const names[] = {[WM_HOLDER] = "a.A",
					    [WM_STRING] = "java.lang.String",
					    [WM_ARRAY] = "java.lang.Object[]",
					    [WM_LIST] = "java.util.ArrayList",
					    [WM_DEQUE] = "java.util.ArrayDeque",
					    [WM_MAP] = "java.util.HashMap",
					    [WM_SET] = "java.util.HashSet",
					    [WM_INTEGER] = "java.lang.Integer",
					    [WM_LONG] = "java.lang.Long"};
	const struct wm_object *o = &m->objects[at];
	int top = at;

	while (!m->objects[top].field && m->objects[top].up >= 0)
		top = m->objects[top].up;
	if (m->objects[top].field && m->objects[top].up >= 0)
		snprintf(text, sizeof(text), "a.A.%s", m->objects[top].field);
	else if (m->objects[top].field)
		snprintf(text, sizeof(text), "java.%s.%s",
			 strncmp(m->objects[top].field, "Int", 3) ? "util"
								  : "lang",
			 m->objects[top].field);
	else if (o->kind == WM_DATA)
		snprintf(text, sizeof(text), "%s[]",
			 o->type == B_LONG   ? "long"
			 : o->type == B_INT  ? "int"
			 : o->type == B_CHAR ? "char"
			 : o->type == B_BYTE ? "byte"
					     : "boolean");
	else
		snprintf(text, sizeof(text), "%s", names[o->kind]);
	return text;
}

static struct wm_row *
row_of(struct wm *m, const char *kind, int at)
{
	char key[sizeof(m->rows->key)];

	snprintf(key, sizeof(key), "%s %s", kind, holder_of(m, at));
	for (int i = 0; i < m->nrows; i++)
		if (strcmp(m->rows[i].key, key) == 0)
			return &m->rows[i];
	m->rows[m->nrows] = (struct wm_row){0};
	strcpy(m->rows[m->nrows].key, key);
	return &m->rows[m->nrows++];
}

static void
waste(struct wm *m, const char *kind, int at, uint64_t bytes, uint64_t dedup)
{
	struct wm_row *row = row_of(m, kind, at);

	row->count++;
	row->waste += bytes;
	row->dedup += dedup;
}

static int
character(const struct wm *m, const struct wm_object *string, unsigned i)
{
	const struct wm_object *a = &m->objects[string->refs[0]];
	unsigned step = a->type == B_BYTE && string->utf16 ? 2 : 1;

	if (i * step >= a->nrefs)
		return -1;
	return (int)(a->values[i * step] |
		     (step == 2 ? a->values[i * step + 1] << 8 : 0));
}

static bool
equal_texts(const struct wm *m, const struct wm_object *a,
	    const struct wm_object *b)
{
	unsigned i = 0;

	while (character(m, a, i) >= 0 &&
	       character(m, a, i) == character(m, b, i))
		i++;
	return character(m, a, i) == character(m, b, i);
}

static void
find_string(struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at];
	const struct wm_object *array = &m->objects[o->refs[0]];
	bool first = true, same_array = false, far = false;
	unsigned n = 0;

	for (int i = 0; i < m->count; i++) {
		const struct wm_object *other = &m->objects[i];

		if (other->kind != WM_STRING || other->id >= o->id ||
		    !equal_texts(m, o, other))
			continue;
		first = false;
		same_array |= other->refs[0] == o->refs[0];
	}
	for (; character(m, o, n) >= 0; n++)
		far |= character(m, o, n) > 255;
	if (!first)
		waste(m, "duplicate-strings", at,
		      size_of(o) + (same_array ? 0 : size_of(array)),
		      same_array ? 0 : size_of(array));
	else if (n > 0 && !far && (array->type == B_CHAR || o->utf16))
		waste(m, "wide-strings", at, n, 0);
}

static bool
is_text(const struct wm *m, int at)
{
	return m->objects[at].up >= 0 &&
	       m->objects[m->objects[at].up].kind == WM_STRING;
}

static void
find_data(struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at];
	unsigned run = 0;

	for (int i = 0; i < m->count; i++) {
		const struct wm_object *other = &m->objects[i];

		if (other->kind == WM_DATA && other->id < o->id &&
		    !is_text(m, i) && other->type == o->type &&
		    other->nrefs == o->nrefs &&
		    memcmp(other->values, o->values, sizeof(o->values)) == 0) {
			waste(m, "duplicate-arrays", at, size_of(o), 0);
			return;
		}
	}
	while (run < o->nrefs && o->values[o->nrefs - 1 - run] == 0)
		run++;
	if (o->nrefs > 0 && run == o->nrefs)
		waste(m, "zero-arrays", at, size_of(o), 0);
	else if (2 * run > o->nrefs)
		waste(m, "trailing-zeros", at, run * width_of(o->type), 0);
}

static unsigned
nulls_of(const struct wm_object *o)
{
	unsigned nulls = 0;

	for (unsigned i = 0; i < o->nrefs; i++)
		nulls += o->refs[i] < 0;
	return nulls;
}

static void
find_array(struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at];
	unsigned nulls = nulls_of(o);

	if (o->part || o->constant)
		return;
	if (o->nrefs == 0)
		waste(m, "empty-arrays", at, size_of(o), 0);
	else if (nulls == o->nrefs)
		waste(m, "null-arrays", at, size_of(o), 0);
	else if (2 * (o->nrefs - nulls) < o->nrefs)
		waste(m, "sparse-arrays", at, 4 * nulls, 0);
}

static void
find_collection(struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at], *array;
	unsigned allowed, more;
	uint64_t bytes = size_of(o);
	unsigned size;

	if (o->part)
		return;
	if (o->kind == WM_SET) {
		o = &m->objects[o->refs[0]];
		bytes += size_of(o);
	}
	size = o->size;
	array = o->refs[0] >= 0 ? &m->objects[o->refs[0]] : NULL;
	if (size == 0) {
		bytes += array && !array->constant ? size_of(array) : 0;
		waste(m, "empty-collections", at, bytes, 0);
		return;
	}
	if (size == 1) {
		bytes += array && !array->constant ? size_of(array) : 0;
		bytes -= size_of(&m->objects[at]) + 4;
		waste(m, "single-collections", at, bytes, 0);
	}
	if (o->kind == WM_LIST)
		allowed = size * 3 / 2 > 10 ? size * 3 / 2 : 10;
	else if (o->kind == WM_DEQUE)
		allowed = size * 2 > 17 ? size * 2 : 17;
	else
		allowed = size * 8 / 3 > 16 ? size * 8 / 3 : 16;
	if (!array || array->nrefs <= allowed)
		return;
	more = array->nrefs - allowed;
	waste(m, "sparse-collections", at,
	      4 * (more < nulls_of(array) ? more : nulls_of(array)), 0);
}

static bool
is_element(const struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at];

	return !o->field && o->up >= 0 &&
	       (m->objects[o->up].kind == WM_NODE || m->objects[o->up].part);
}

/*
 * Returns the family of objects for which waste is counted together, such as
 * "strings", or "" if the object belongs to none.
 */
static const char *
family_of(const struct wm *m, int at)
{
	const struct wm_object *o = &m->objects[at];

	switch (o->kind) {
	case WM_STRING:
		return "strings";
	case WM_DATA:
		return is_text(m, at) ? "" : "data";
	case WM_ARRAY:
		return o->part ? "" : "arrays";
	case WM_LIST:
	case WM_DEQUE:
	case WM_MAP:
	case WM_SET:
		return o->part ? "" : "collections";
	case WM_INTEGER:
	case WM_LONG:
		return is_element(m, at) ? "elements" : "fields";
	default:
		return "";
	}
}

static const char *
family_of_row(const struct wm_row *row)
{
	static const char *const families[][2] = {
		{"duplicate-strings ", "strings"},
		{"wide-strings ", "strings"},
		{"duplicate-arrays ", "data"},
		{"zero-arrays ", "data"},
		{"trailing-zeros ", "data"},
		{"empty-collections ", "collections"},
		{"sparse-collections ", "collections"},
		{"empty-arrays ", "arrays"},
		{"null-arrays ", "arrays"},
		{"sparse-arrays ", "arrays"},
		{"boxed-collections ", "elements"},
		{"boxed-fields ", "fields"},
		{"single-collections ", "none"}};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strncmp(row->key, families[i][0], strlen(families[i][0])) ==
		    0)
			return families[i][1];
	abort();
}

static void
find_good(struct wm *m)
{
	for (int i = 0; i < m->nrows; i++) {
		struct wm_row *row = &m->rows[i];
		const char *family = family_of_row(row);

		for (int k = 0; k < m->count; k++)
			row->good += strcmp(family_of(m, k), family) == 0 &&
				     strcmp(strchr(row->key, ' ') + 1,
					    holder_of(m, k)) == 0;
		if (strcmp(family, "none") != 0)
			row->good -= row->count;
	}
}

void
wm_find(struct wm *m)
{
	m->nrows = 0;
	m->bytes = m->headers = m->padding = m->smaller = m->padded = 0;
	for (int i = 0; i < m->count; i++) {
		const struct wm_object *o = &m->objects[i];

		m->bytes += size_of(o);
		m->headers += saved_in(o);
		m->smaller += saved_in(o) > 0;
		m->padding += padding_in(o);
		m->padded += padding_in(o) > 0;
		if (o->kind == WM_STRING)
			find_string(m, i);
		else if (o->kind == WM_DATA && !is_text(m, i))
			find_data(m, i);
		else if (o->kind == WM_ARRAY)
			find_array(m, i);
		else if (o->kind == WM_LIST || o->kind == WM_DEQUE ||
			 o->kind == WM_MAP || o->kind == WM_SET)
			find_collection(m, i);
		else if ((o->kind == WM_INTEGER || o->kind == WM_LONG) &&
			 !o->cached)
			waste(m,
			      is_element(m, i) ? "boxed-collections"
					       : "boxed-fields",
			      i, size_of(o) + 4 - (o->kind == WM_LONG ? 8 : 4),
			      0);
	}
	find_good(m);
}
