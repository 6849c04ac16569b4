/*
 * java_string.c - decode the text of String objects of all JDKs and of Android
 *
 * Different versions of java.lang.String have different fields. JDK 9 and later
 * have a byte[] and a coder. JDK 7 and 8 have only a char[]. JDK 6 and earlier
 * have a char[] with offset and count. Newer versions of Android have a count,
 * but no offset.
 */
#include "common/model/java_string.h"

#include <string.h>

struct hp_field_place
hp_field_find(const struct hp_class *c, const struct hp_tables *t,
	      unsigned id_size, const char *name)
{
	struct hp_field_place place = {0};
	uint64_t left = c->data_size;
	size_t n = strlen(name);

	for (uint32_t i = 0; i < c->nfields; i++) {
		const struct hp_string *s =
			hp_tables_string(t, c->fields[i].name);

		if (s && s->length == n && memcmp(s->data, name, n) == 0) {
			place.from_end = left;
			place.type = c->fields[i].type;
			return place;
		}
		left -= hp_type_size(c->fields[i].type, id_size);
	}
	return place;
}

bool
hp_field_load(const struct hp_field_place *f, unsigned id_size,
	      const uint8_t *data, uint64_t n, uint64_t *value)
{
	unsigned size = hp_type_size(f->type, id_size);
	const uint8_t *p;

	if (f->from_end == 0 || f->from_end > n || size > f->from_end)
		return false;
	p = data + (n - f->from_end);
	*value = 0;
	for (unsigned i = 0; i < size; i++)
		*value = *value << 8 | p[i];
	return true;
}

const struct hp_class *
hp_boot_class(const struct hp_classes *c, const struct hp_tables *t,
	      const char *jvm)
{
	char java[96];
	size_t n = strlen(jvm);

	for (size_t i = 0; i <= n; i++)
		java[i] = jvm[i] == '/' ? '.' : jvm[i];
	for (size_t i = 0; i < c->count; i++) {
		const struct hp_class *k = c->list[i];

		if (k->loader == 0 && k->chain == HP_CHAIN_FINE &&
		    hp_string_is(hp_tables_class_name(t, k->id), jvm, java))
			return k;
	}
	return NULL;
}

struct hp_named_class
hp_named_class(const struct hp_classes *c, const struct hp_tables *t,
	       const char *jvm)
{
	struct hp_named_class n = {.top = hp_boot_class(c, t, jvm)};

	if (n.top)
		n.name = hp_field_find(n.top, t, c->layouts.id_size, "name");
	if (!n.name.from_end || !hp_type_is_reference(n.name.type))
		n.top = NULL;
	return n;
}

uint64_t
hp_named_class_read(const struct hp_named_class *n, const struct hp_class *k,
		    unsigned id_size, const uint8_t *data, uint64_t size)
{
	uint64_t name;

	return n->top && k && hp_class_is_a(k, n->top) &&
			       hp_field_load(&n->name, id_size, data, size,
					     &name)
		       ? name
		       : 0;
}

static uint64_t
static_int(const struct hp_class *k, const struct hp_tables *t,
	   const char *name)
{
	for (uint32_t i = 0; i < k->nstatics; i++) {
		const struct hp_string *s =
			hp_tables_string(t, k->statics[i].name);

		if (k->statics[i].type == HP_TYPE_INT &&
		    hp_string_is(s, name, name))
			return k->statics[i].value;
	}
	return UINT64_MAX;
}

/*
 * Detect the byte order of UTF-16 from the static fields HI_BYTE_SHIFT and
 * LO_BYTE_SHIFT of java.lang.StringUTF16. If both are 0, the class was not
 * initialised when the dump was written, so the order is unknown.
 * Source: java.lang.StringUTF16 of JDK 9 and later
 */
static enum hp_byte_order
byte_order(const struct hp_classes *c, const struct hp_tables *t)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct hp_class *k = c->list[i];
		uint64_t high, low;

		if (k->loader || !hp_string_is(hp_tables_class_name(t, k->id),
					       "java/lang/StringUTF16",
					       "java.lang.StringUTF16"))
			continue;
		high = static_int(k, t, "HI_BYTE_SHIFT");
		low = static_int(k, t, "LO_BYTE_SHIFT");
		if (high == 0 && low == 8)
			return HP_ORDER_LITTLE;
		if (high == 8 && low == 0)
			return HP_ORDER_BIG;
	}
	return HP_ORDER_UNKNOWN;
}

struct hp_java_string_class
hp_java_string_class(const struct hp_classes *c, const struct hp_tables *t)
{
	struct hp_java_string_class out = {0};
	const struct hp_class *k = NULL;

	for (size_t i = 0; i < c->count && (!k || k->loader); i++)
		if (hp_string_is(hp_tables_class_name(t, c->list[i]->id),
				 "java/lang/String", "java.lang.String") &&
		    (!k || !c->list[i]->loader))
			k = c->list[i];
	if (!k || k->chain != HP_CHAIN_FINE)
		return out;
	out.id = k->id;
	out.value = hp_field_find(k, t, c->layouts.id_size, "value");
	out.coder = hp_field_find(k, t, c->layouts.id_size, "coder");
	out.offset = hp_field_find(k, t, c->layouts.id_size, "offset");
	out.count = hp_field_find(k, t, c->layouts.id_size, "count");
	out.order = byte_order(c, t);
	if (!hp_type_is_reference(out.value.type))
		out.id = 0;
	return out;
}

bool
hp_java_string_read(const struct hp_java_string_class *c, unsigned id_size,
		    const uint8_t *data, uint64_t n, struct hp_java_string *out)
{
	uint64_t v;

	*out = (struct hp_java_string){.count = UINT32_MAX, .order = c->order};
	if (!hp_field_load(&c->value, id_size, data, n, &out->array))
		return false;
	if (hp_field_load(&c->coder, id_size, data, n, &v))
		out->utf16 = v == 1;
	if (hp_field_load(&c->offset, id_size, data, n, &v))
		out->offset = (uint32_t)v;
	if (hp_field_load(&c->count, id_size, data, n, &v))
		out->count = (uint32_t)v;
	return true;
}

void
hp_java_unit_add(struct hp_buf *b, uint32_t u)
{
	if (u != 0 && u < 0x80) {
		hp_buf_byte(b, (char)u);
	} else if (u < 0x800) {
		hp_buf_byte(b, (char)(0xc0 | u >> 6));
		hp_buf_byte(b, (char)(0x80 | (u & 0x3f)));
	} else {
		hp_buf_byte(b, (char)(0xe0 | u >> 12));
		hp_buf_byte(b, (char)(0x80 | (u >> 6 & 0x3f)));
		hp_buf_byte(b, (char)(0x80 | (u & 0x3f)));
	}
}

void
hp_java_order_add(struct hp_java_order *o, const uint8_t *p, uint32_t units)
{
	uint32_t little = 0, big = 0;

	for (uint32_t i = 0; i < units; i++) {
		big += p[2 * (uint64_t)i] == 0;
		little += p[2 * (uint64_t)i + 1] == 0;
	}
	o->little += little;
	o->big += big;
}

bool
hp_java_string_place(struct hp_java_chars *c, const struct hp_java_string *s,
		     uint8_t type, uint32_t n, uint64_t *from, bool *sure)
{
	uint32_t units;

	*c = (struct hp_java_chars){0};
	*sure = true;
	if (type != HP_TYPE_CHAR && type != HP_TYPE_BYTE)
		return false;
	c->wide = type == HP_TYPE_CHAR || s->utf16;
	units = type == HP_TYPE_BYTE && c->wide ? n / 2 : n;
	if (s->offset > units)
		return false;
	*from = (uint64_t)s->offset * (c->wide ? 2 : 1);
	units -= s->offset;
	/*
	 * If the String has a field `count`, as on Android, this field limits
	 * the number of characters. Otherwise all elements of the array are
	 * used.
	 */
	c->units = s->count < units ? s->count : units;
	if (type == HP_TYPE_BYTE && c->wide) {
		c->little = s->order == HP_ORDER_LITTLE;
		*sure = s->order != HP_ORDER_UNKNOWN;
	}
	return true;
}

bool
hp_java_string_chars(struct hp_java_chars *c, const struct hp_java_string *s,
		     uint8_t type, const uint8_t *elements, uint32_t n)
{
	struct hp_java_order order = {0};
	uint64_t from;
	bool sure;

	if (!hp_java_string_place(c, s, type, n, &from, &sure))
		return false;
	c->data = elements + from;
	if (!sure) {
		hp_java_order_add(&order, c->data, c->units);
		c->little = hp_java_order_is_little(&order);
	}
	return true;
}

void
hp_java_chars_add(struct hp_buf *b, const struct hp_java_chars *c,
		  uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		hp_java_unit_add(b, hp_java_unit(c, i));
}

bool
hp_java_string_text(struct hp_buf *b, const struct hp_java_string *s,
		    uint8_t type, const uint8_t *elements, uint32_t n,
		    uint32_t max)
{
	struct hp_java_chars c;

	if (!hp_java_string_chars(&c, s, type, elements, n))
		return true;
	hp_java_chars_add(b, &c, 0, c.units < max ? c.units : max);
	return c.units <= max;
}
