/*
 * class_name.c - convert class names to Java source style, and remove the parts
 * that differ from one run of the Java program to the next
 *
 * The functions work on bytes. Invalid UTF-8 is left to escape.h.
 */
#include "common/model/class_name.h"

#include "common/base/bytes.h"
#include "common/format/format.h"

#include <string.h>

/* A substring of a name, not NUL-terminated. */
struct text {
	const char *p;
	size_t n;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_primitive_name(struct text t)
{
	for (unsigned type = HP_TYPE_BOOLEAN; type < HP_TYPE_END; type++) {
		const char *name = hp_type_name(type);

		if (strlen(name) == t.n && memcmp(name, t.p, t.n) == 0)
			return true;
	}
	return false;
}

/*
 * Remove all "[]" at the end of a class name. Returns the number of "[]" that
 * were removed.
 */
static size_t
cut_brackets(struct text *t)
{
	size_t n = 0;

	while (t->n > 2 && hp_ends_with(t->p, t->n, "[]")) {
		t->n -= 2;
		n++;
	}
	return n;
}

/* A class name from the dump, divided into parts. */
struct parts {
	size_t dimensions;
	/*
	 * The name of the primitive element type. NULL: the element type is a
	 * class, whose name is in the member `name`.
	 */
	const char *primitive;
	struct text name;
	bool as_is; /* the name has an unknown form, and is used unchanged */
};

/*
 * Parse an array descriptor, "[I" or "[Ljava/lang/String;". A single letter
 * after the brackets stands for a primitive type, such as I for int.
 */
static struct parts
parse_descriptor(struct text raw)
{
	struct parts p = {.name = raw};
	unsigned type = 0;

	while (p.name.n > 0 && p.name.p[0] == '[') {
		p.name.p++;
		p.name.n--;
		p.dimensions++;
	}
	if (p.name.n == 1)
		type = hp_type_of_letter(p.name.p[0]);
	if (type) {
		p.primitive = hp_type_name(type);
		return p;
	}
	if (p.name.n > 2 && p.name.p[0] == 'L' &&
	    hp_ends_with(p.name.p, p.name.n, ";")) {
		p.name.p++;
		p.name.n -= 2;
		return p;
	}
	return (struct parts){.name = raw, .as_is = true};
}

static struct parts
parse_raw(const void *raw, size_t length)
{
	struct text t = {raw, length};
	struct parts p = {.name = t};

	if (length == 0)
		return p;
	if (t.p[0] == '[')
		return parse_descriptor(t);
	/*
	 * HotSpot names filler objects like this:
	 * "Ljdk/internal/vm/FillerArray;".
	 */
	if (t.p[0] == 'L' && hp_ends_with(t.p, t.n, ";")) {
		p.as_is = true;
		return p;
	}
	p.dimensions = cut_brackets(&p.name);
	return p;
}

static size_t
trailing_digits(struct text t)
{
	size_t n = 0;

	while (n < t.n && is_digit(t.p[t.n - n - 1]))
		n++;
	return n;
}

/*
 * Whether @t looks like the name of a class and not of a package. By
 * convention, the name of a class (without its package) begins with a capital
 * letter, or contains a '$'.
 */
static bool
is_class_like(struct text t)
{
	size_t at = t.n;

	while (at > 0 && t.p[at - 1] != '/' && t.p[at - 1] != '.')
		if (t.p[--at] == '$')
			return true;
	return at < t.n && t.p[at] >= 'A' && t.p[at] <= 'Z';
}

/*
 * In JDK 7 to 14, the names of the JVM's anonymous classes end with an identity
 * hash code, such as "/295530567" in "a/T$$Lambda$1/295530567". Returns the
 * length of this suffix; 0 if there is none. @separators: characters that may
 * come before the digits: a slash, or a dot, because the HPROF agent replaces
 * the slash by a dot.
 *
 * "com/acme/12" may also be a class that an obfuscator has named "12". So the
 * part before the digits must look like a class, not like a package. A hash
 * code has 25 or 31 bits, so it has fewer than 6 digits only in 1 of 300 cases.
 * For short numbers, only lambdas and method handles are accepted.
 */
static size_t
hash_suffix(struct text t, const char *separators)
{
	size_t n = trailing_digits(t);
	struct text host = {t.p, t.n - n};

	if (n == 0 || host.n < 2 || !strchr(separators, host.p[host.n - 1]))
		return 0;
	host.n--;
	if (!is_class_like(host))
		return 0;
	if (n >= 6)
		return n + 1;
	host.n -= trailing_digits(host);
	return hp_ends_with(host.p, host.n, "$$Lambda$") ||
			       hp_ends_with(host.p, host.n, "LambdaForm$MH") ||
			       hp_ends_with(host.p, host.n, "LambdaForm$DMH") ||
			       hp_ends_with(host.p, host.n, "LambdaForm$BMH")
		       ? n + 1
		       : 0;
}

/*
 * Returns the length of the suffix of a hidden class, such as
 * "+0x00007f766c006000", "/0x0000000800c03000" or "/1234567"; 0 if there is
 * none. The JVM pads the address to 8 or 16 digits; addresses of archived
 * lambdas in JDK 17 have 9 digits. Other numbers of digits are not accepted,
 * because "com/acme/0xCAFE" may be a class with the name "0xCAFE".
 */
static size_t
hidden_suffix(struct text t)
{
	enum { LEAST = 8 };
	size_t at = t.n;

	while (at > 0 && is_hex(t.p[at - 1]))
		at--;
	if (at == t.n || at < 4 || t.p[at - 1] != 'x' || t.p[at - 2] != '0')
		return hash_suffix(t, "/");
	if (t.p[at - 3] == '/' && t.n - at < LEAST &&
	    !is_class_like((struct text){t.p, at - 3}))
		return 0;
	if (t.p[at - 3] != '+' && t.p[at - 3] != '/')
		return 0;
	return t.n - at + 3;
}

/*
 * Append @t, with dots instead of slashes. Slashes after a "(" are kept. In a
 * dump that Eclipse MAT has exported, a "(" begins the signature of a method.
 */
static void
add_dotted(struct hp_buf *out, struct text t)
{
	const char *stop = memchr(t.p, '(', t.n);
	size_t n = stop ? (size_t)(stop - t.p) : t.n;
	size_t start = out->len;
	char *slash;

	hp_buf_add(out, t.p, t.n);
	if (!hp_buf_ok(out))
		return;
	while (n > 0 && (slash = memchr(out->data + start, '/', n))) {
		*slash = '.';
		n -= (size_t)(slash - (out->data + start)) + 1;
		start = (size_t)(slash - out->data) + 1;
	}
}

void
hp_class_name(struct hp_buf *out, const void *raw, size_t length)
{
	struct parts p = parse_raw(raw, length);
	size_t suffix;

	if (p.as_is || p.name.n == 0) {
		hp_buf_add(out, p.name.p, p.name.n);
		return;
	}
	if (p.primitive) {
		hp_buf_text(out, p.primitive);
	} else {
		suffix = hidden_suffix(p.name);
		p.name.n -= suffix;
		add_dotted(out, p.name);
		if (suffix > 0) {
			hp_buf_byte(out, '/');
			hp_buf_add(out, p.name.p + p.name.n + 1, suffix - 1);
		}
	}
	for (; p.dimensions > 0; p.dimensions--)
		hp_buf_text(out, "[]");
}

/*
 * Whether the name stands for an array of references. @descriptor: whether the
 * name in the dump begins with '['.
 */
static bool
is_object_array(struct parts p, bool descriptor)
{
	if (p.dimensions != 1)
		return p.dimensions > 1;
	return !p.primitive && (descriptor || !is_primitive_name(p.name));
}

unsigned
hp_class_name_looks(const void *raw, size_t length)
{
	static const char *const made_up[] = {
		"<native memory>", "<method>", "<method type>",
		"<stack frame>",   "<class>",  "<unknown>",
	};
	struct text t = {raw, length};
	unsigned looks = 0;
	struct parts parts;
	size_t i;

	if (length == 0)
		return 0;
	if (t.p[0] == '[' || memchr(t.p, '/', t.n))
		looks |= HP_LOOKS_JVM;
	if (t.n > 2 && hp_ends_with(t.p, t.n, "[]"))
		looks |= HP_LOOKS_JAVA;
	for (i = 0; t.p[0] == '<' && i < HP_ARRAY_LEN(made_up); i++)
		if (t.n == strlen(made_up[i]) &&
		    memcmp(t.p, made_up[i], t.n) == 0)
			looks |= HP_LOOKS_MADE_UP;
	if (t.p[0] != '[' && !(looks & HP_LOOKS_JAVA))
		return looks;
	parts = parse_raw(raw, length);
	if (parts.dimensions > 0)
		looks |= HP_LOOKS_ARRAY;
	if (is_object_array(parts, t.p[0] == '['))
		looks |= HP_LOOKS_OBJECT_ARRAY;
	return looks;
}

static bool
is_simple_name(struct text t, const char *simple)
{
	size_t n = strlen(simple);

	return hp_ends_with(t.p, t.n, simple) &&
	       (t.n == n || t.p[t.n - n - 1] == '.');
}

/*
 * Whether @t is the name, without its number, of a package that the JDK
 * generates for proxies, such as "jdk.proxy" in "jdk.proxy2". The JDK numbers
 * these packages, because each class loader has its own. Source:
 * java.lang.reflect.Proxy, JDK 9 and later
 */
static bool
is_proxy_package(struct text t)
{
	static const char *const packages[] = {"jdk.proxy",
					       "com.sun.proxy.jdk.proxy"};

	for (size_t i = 0; i < HP_ARRAY_LEN(packages); i++)
		if (t.n == strlen(packages[i]) &&
		    hp_ends_with(t.p, t.n, packages[i]))
			return true;
	return false;
}

/*
 * Append the name of a package. If the JDK has generated it for proxies, leave
 * out its number.
 */
static void
add_package(struct hp_buf *out, struct text package)
{
	struct text stem = {package.p, package.n - trailing_digits(package)};

	if (is_proxy_package(stem))
		package = stem;
	hp_buf_add(out, package.p, package.n);
}

void
hp_class_name_normalize(struct hp_buf *out, const char *name, size_t length)
{
	static const char proxy[] = "$Proxy";
	struct text t = {name, length}, stem;
	size_t dimensions = cut_brackets(&t), package;

	t.n -= hidden_suffix(t);
	t.n -= hash_suffix(t, ".");
	stem = (struct text){t.p, t.n - trailing_digits(t)};
	if (is_simple_name(stem, proxy) && stem.n >= sizeof(proxy)) {
		package = stem.n - sizeof(proxy);
		add_package(out, (struct text){t.p, package});
		t = (struct text){t.p + package, t.n - package};
	}
	hp_generated_name(out, t.p, t.n);
	for (; dimensions > 0; dimensions--)
		hp_buf_text(out, "[]");
}

/*
 * Remove the "...#" and the hash that hp_string_short() has appended to a
 * shortened name.
 */
static struct text
without_mark(struct text t)
{
	static const char mark[] = "...#";
	enum { DIGITS = 16, MARK = sizeof(mark) - 1 };

	if (t.n > DIGITS + MARK &&
	    memcmp(t.p + t.n - DIGITS - MARK, mark, MARK) == 0)
		t.n -= DIGITS + MARK;
	return t;
}

size_t
hp_class_name_package(const char *name, size_t length)
{
	struct text t = {name, length};
	size_t end = 0;

	cut_brackets(&t);
	t = without_mark(t);
	t.n -= hash_suffix(t, ".");
	/*
	 * The suffix of a hidden class begins with a slash. It may contain dots
	 * that do not separate packages.
	 */
	for (size_t i = 0; i < t.n && t.p[i] != '/' && t.p[i] != '('; i++)
		if (t.p[i] == '.')
			end = i;
	return end;
}
