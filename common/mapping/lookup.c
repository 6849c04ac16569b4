/*
 * lookup.c - find classes, fields and methods of a mapping by their names in
 * the program
 *
 * Fields and methods are in sorted lists, and a look-up is a binary search. A
 * method has one entry for each range of its lines.
 */
#include "common/mapping/internal.h"

#include "common/base/memory.h"
#include "common/model/class_name.h"

enum {
	/*
	 * Maximum number of entries of a method that are compared with a line.
	 * Several entries must be compared if their ranges of lines overlap.
	 */
	LOOK_MOST = 64,
};

void
hp_mapping_close(struct hp_name_mapping *m)
{
	if (!m)
		return;
	hp_intern_release(&m->texts);
	hp_free(m->classes);
	hp_free(m->fields);
	hp_free(m->methods);
	hp_free(m->frames);
	hp_free(m->positions);
	hp_free(m->by_name);
	hp_free(m->by_original);
	hp_free(m);
}

/* ---- names of types ---- */

/*
 * Append the name of a class with slashes. @name is the original name. @side
 * says whether the original name or the name in the program is appended.
 */
static void
add_class(const struct hp_name_mapping *m, struct hp_slice name,
	  enum hp_mapping_side side, struct hp_buf *out)
{
	const struct hp_mapped_class *c =
		side == HP_MAPPING_PROGRAM ? hp_mapping_find_original(m, name)
					   : NULL;
	size_t from = out->len;

	if (c)
		name = hp_mapping_text(m, c->name);
	hp_buf_byte(out, 'L');
	hp_buf_add(out, name.text, name.length);
	hp_buf_byte(out, ';');
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '.')
			out->data[i] = '/';
}

static void
add_type(const struct hp_name_mapping *m, struct hp_slice type,
	 enum hp_mapping_side side, struct hp_buf *out)
{
	static const struct {
		const char *name;
		char letter;
	} primitives[] = {{"void", 'V'},  {"boolean", 'Z'}, {"char", 'C'},
			  {"float", 'F'}, {"double", 'D'},  {"byte", 'B'},
			  {"short", 'S'}, {"int", 'I'},	    {"long", 'J'}};

	while (type.length > 0 && type.text[0] == ' ') {
		type.text++;
		type.length--;
	}
	while (type.length > 2 &&
	       memcmp(type.text + type.length - 2, "[]", 2) == 0) {
		hp_buf_byte(out, '[');
		type.length -= 2;
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(primitives); i++)
		if (hp_slice_is(type, primitives[i].name)) {
			hp_buf_byte(out, primitives[i].letter);
			return;
		}
	add_class(m, type, side, out);
}

void
hp_mapping_descriptor(const struct hp_name_mapping *m, struct hp_slice types,
		      enum hp_mapping_side side, struct hp_buf *out)
{
	const char *open = memchr(types.text, '(', types.length);
	const char *end = types.text + types.length - 1, *at, *comma;

	if (!open)
		return;
	hp_buf_byte(out, '(');
	for (at = open + 1; at < end; at = comma + 1) {
		comma = memchr(at, ',', (size_t)(end - at));
		if (!comma)
			comma = end;
		add_type(m, (struct hp_slice){at, (size_t)(comma - at)}, side,
			 out);
	}
	hp_buf_byte(out, ')');
	add_type(m, (struct hp_slice){types.text, (size_t)(open - types.text)},
		 side, out);
}

/* ---- after the last line ---- */

static bool
index_classes(struct hp_name_mapping *m)
{
	m->named = m->texts.count;
	m->by_name = hp_calloc((size_t)m->named + 1, sizeof(*m->by_name));
	m->by_original =
		hp_calloc((size_t)m->named + 1, sizeof(*m->by_original));
	if (!m->by_name || !m->by_original)
		return false;
	for (size_t i = 0; i < m->nclasses; i++) {
		uint32_t *name = &m->by_name[m->classes[i].name];
		uint32_t *original = &m->by_original[m->classes[i].original];

		if (!*name)
			*name = (uint32_t)(i + 1);
		if (!*original)
			*original = (uint32_t)(i + 1);
	}
	return true;
}

/*
 * Compute the JVM descriptor of each method from its types, unless the mapping
 * contains the descriptor. A descriptor has the class names in the program. If
 * several methods have equal types, their descriptor is computed only once,
 * because a malicious mapping may repeat a long list of types in many lines.
 */
static bool
compute_signatures(struct hp_name_mapping *m)
{
	size_t n = m->texts.count;
	uint32_t *known = hp_calloc(n + 1, sizeof(*known));
	struct hp_buf b = {0};
	bool fresh, ok = known != NULL;

	for (size_t i = 0; i < m->nmethods && ok; i++) {
		struct hp_mapped_method *k = &m->methods[i];
		uint32_t types = m->frames[k->first + k->count - 1].types;

		if (k->residual)
			continue;
		if (!known[types]) {
			hp_buf_clear(&b);
			hp_mapping_descriptor(m, hp_mapping_text(m, types),
					      HP_MAPPING_PROGRAM, &b);
			known[types] =
				hp_buf_ok(&b) ? hp_intern_put(&m->texts, b.data,
							      b.len, &fresh)
					      : 0;
			ok = known[types] != 0;
		}
		k->signature = known[types];
	}
	hp_buf_release(&b);
	hp_free(known);
	return ok;
}

static int
compare_fields(const void *a, const void *b)
{
	const struct hp_mapped_field *x = a, *y = b;
	int c = hp_order(x->class, y->class);

	c = c ? c : hp_order(x->name, y->name);
	c = c ? c : hp_order(x->type, y->type);
	return c ? c : hp_order(x->order, y->order);
}

static int
compare_methods(const void *a, const void *b)
{
	const struct hp_mapped_method *x = a, *y = b;
	int c = hp_order(x->class, y->class);

	c = c ? c : hp_order(x->name, y->name);
	c = c ? c : hp_order(x->signature, y->signature);
	/*
	 * Adding 1 and converting to an unsigned number turn HP_NO_LINE (-1)
	 * into 0. So this value sorts before all lines.
	 */
	c = c ? c : hp_order((uint32_t)(x->from + 1), (uint32_t)(y->from + 1));
	return c ? c : hp_order(x->order, y->order);
}

static int
compare_positions(const void *a, const void *b)
{
	const struct hp_mapped_position *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/*
 * An outline is a method to which R8 moved equal code of several methods. For
 * each method that calls an outline, the mapping has pairs of a line of the
 * outline and a line of the calling method. Sort these pairs.
 */
static bool
sort_positions(struct hp_name_mapping *m)
{
	bool ok = true;

	for (size_t i = 0; i < m->nmethods && ok && m->npositions > 0; i++)
		ok = hp_sort(m->positions + m->methods[i].positions,
			     m->methods[i].npositions, sizeof(*m->positions),
			     compare_positions);
	return ok;
}

/*
 * Set the flag `ambiguous` of the fields of a class that have the same name and
 * type in the program, but different original names.
 */
static void
note_ambiguous(struct hp_name_mapping *m)
{
	for (size_t i = 1; i < m->nfields; i++) {
		struct hp_mapped_field *a = &m->fields[i - 1], *b = a + 1;

		if (a->class == b->class && a->name == b->name &&
		    a->type == b->type &&
		    (a->original != b->original || a->ambiguous))
			a->ambiguous = b->ambiguous = true;
	}
	for (size_t i = m->nfields; i-- > 1;) {
		struct hp_mapped_field *a = &m->fields[i - 1], *b = a + 1;

		if (a->class == b->class && a->name == b->name &&
		    a->type == b->type)
			a->ambiguous |= b->ambiguous;
	}
}

enum hp_status
hp_mapping_finish(struct hp_name_mapping *m, struct hp_error *err)
{
	if (!index_classes(m) || !compute_signatures(m) || !sort_positions(m) ||
	    !hp_sort(m->fields, m->nfields, sizeof(*m->fields),
		     compare_fields) ||
	    !hp_sort(m->methods, m->nmethods, sizeof(*m->methods),
		     compare_methods))
		return hp_no_memory(err);
	note_ambiguous(m);
	return HP_OK;
}

/* ---- look-ups ---- */

static uint32_t
number_of(const struct hp_name_mapping *m, struct hp_slice s)
{
	return hp_intern_find(&m->texts, s.text, s.length);
}

static const struct hp_mapped_class *
class_at(const struct hp_name_mapping *m, const uint32_t *by,
	 struct hp_slice name)
{
	uint32_t n = number_of(m, name);

	return n && n <= m->named && by[n] ? &m->classes[by[n] - 1] : NULL;
}

const struct hp_mapped_class *
hp_mapping_find(const struct hp_name_mapping *m, struct hp_slice name)
{
	return class_at(m, m->by_name, name);
}

const struct hp_mapped_class *
hp_mapping_find_original(const struct hp_name_mapping *m, struct hp_slice name)
{
	return class_at(m, m->by_original, name);
}

const struct hp_mapped_field *
hp_mapping_find_field(const struct hp_name_mapping *m,
		      const struct hp_mapped_class *c, struct hp_slice name,
		      unsigned type)
{
	const struct hp_mapped_field key = {
		.class = (uint32_t)(c - m->classes),
		.name = number_of(m, name),
		.type = (uint8_t)(type < 4 ? 2 : type)};
	size_t low = 0, high = m->nfields;

	while (key.name && low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_fields(&m->fields[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!key.name || low == m->nfields ||
	    m->fields[low].class != key.class ||
	    m->fields[low].name != key.name || m->fields[low].type != key.type)
		return NULL;
	return &m->fields[low];
}

/*
 * Returns the index of the first method in the sorted list that is not less
 * than @key; see the order in compare_methods().
 */
static size_t
lower(const struct hp_name_mapping *m, const struct hp_mapped_method *key)
{
	size_t low = 0, high = m->nmethods;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_methods(&m->methods[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
same_method(const struct hp_name_mapping *m, const struct hp_mapped_method *a,
	    const struct hp_mapped_method *b)
{
	const struct hp_mapped_frame *x = &m->frames[a->first + a->count - 1],
				     *y = &m->frames[b->first + b->count - 1];

	return x->holder == y->holder && x->method == y->method;
}

/*
 * Each entry has a range of lines. Among the entries from index @from to @to -
 * 1, choose one with a range that contains @line.
 */
static const struct hp_mapped_method *
by_line(const struct hp_name_mapping *m, size_t from, size_t to, int32_t line)
{
	const struct hp_mapped_method *list = m->methods, *whole = NULL;
	size_t low = from, high = to;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].from <= line)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low, looks = 0;
	     line > 0 && i > from && looks < LOOK_MOST; looks++)
		if (list[--i].from != HP_NO_LINE && list[i].to >= line)
			return &list[i];
	if (list[from].from == HP_NO_LINE)
		whole = &list[from];
	for (size_t i = from + 1; i < to && i - from < LOOK_MOST; i++)
		if (!same_method(m, &list[from], &list[i]))
			return line > 0 ? whole : NULL;
	return whole ? whole : &list[from];
}

/*
 * Used if the mapping has no method with the signature: choose a method only by
 * its line. Returns NULL unless the line belongs to exactly one method.
 */
static const struct hp_mapped_method *
by_line_only(const struct hp_name_mapping *m, size_t from, size_t to,
	     int32_t line)
{
	const struct hp_mapped_method *found = NULL;

	if (to - from > LOOK_MOST || line <= 0)
		return NULL;
	for (size_t i = from; i < to; i++) {
		const struct hp_mapped_method *k = &m->methods[i];

		if (k->from == HP_NO_LINE || line < k->from || line > k->to)
			continue;
		if (found)
			return NULL;
		found = k;
	}
	return found;
}

const struct hp_mapped_method *
hp_mapping_find_method(const struct hp_name_mapping *m,
		       const struct hp_mapped_class *c, struct hp_slice name,
		       struct hp_slice signature, int32_t line, bool *known)
{
	struct hp_mapped_method key = {.class = (uint32_t)(c - m->classes),
				       .name = number_of(m, name),
				       .signature = number_of(m, signature),
				       .from = HP_NO_LINE};
	size_t from, to;

	*known = false;
	if (!key.name)
		return NULL;
	if (key.signature) {
		from = lower(m, &key);
		key.signature++;
		to = lower(m, &key);
		*known = from < to;
		if (*known)
			return by_line(m, from, to, line);
	}
	key.signature = 0;
	from = lower(m, &key);
	key.name++;
	to = lower(m, &key);
	*known = from < to;
	if (!*known)
		return NULL;
	return m->methods[from].signature == m->methods[to - 1].signature
		       ? by_line(m, from, to, line)
		       : by_line_only(m, from, to, line);
}

void
hp_mapping_dotted(struct hp_buf *out, const struct hp_string *raw)
{
	size_t from = out->len;

	hp_buf_add(out, raw->data, raw->length);
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '/')
			out->data[i] = '.';
}
