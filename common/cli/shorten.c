/*
 * shorten.c - shorten texts for reports: names of classes, and the labels of
 * objects
 *
 * A name loses its packages, then its outer classes, then its middle. In a
 * label, only the names of classes and fields are shortened, the longest first:
 * numbers and words such as "map of" are kept, so that the label is still true.
 */
#include "common/cli/message.h"
#include "common/cli/table.h"
#include "common/model/class_name.h"

#include <ctype.h>
#include <string.h>

enum {
	/* a name is not shortened to fewer columns than this */
	LEAST = 8,
	/*
	 * the outer classes of a class with a shorter name are kept: "Node" and
	 * "Entry" alone could be a class of any map
	 */
	LEAST_INNER = 6,
	/* maximum number of names that are shortened, one after the other */
	ROUNDS = 16,
};

#define ELLIPSIS "\xe2\x80\xa6"

size_t
hp_text_fit(struct hp_buf *out, const char *text, size_t len, size_t width)
{
	size_t head, used, tail;

	if (hp_text_width(text, len) <= width) {
		hp_buf_add(out, text, len);
		return hp_text_width(text, len);
	}
	if (width == 0)
		return 0;
	head = hp_text_head(text, len, (width - 1) / 2);
	used = hp_text_width(text, head);
	tail = hp_text_tail(text, len, width - 1 - used);
	hp_buf_add(out, text, head);
	hp_buf_text(out, ELLIPSIS);
	hp_buf_add(out, text + tail, len - tail);
	return used + 1 + hp_text_width(text + tail, len - tail);
}

/* --- names ---------------------------------------------------------------- */

bool
hp_is_package(const char *text, size_t len, size_t end)
{
	static const char jsp[] = "_jsp", field[] = " (static)";
	size_t word = 0, next = end + 1;

	if (!islower((unsigned char)*text) || next >= len || text[end] != '.')
		return false;
	/* names of inner classes, and of the classes that servers make of JSPs
	 */
	word = strlen(jsp);
	if (memchr(text, '$', end) ||
	    (end > word && memcmp(text + end - word, jsp, word) == 0))
		return false;
	while (next < len && text[next] != '.' && text[next] != ' ')
		next++;
	word = strlen(field);
	return len - next < word || memcmp(text + next, field, word) != 0;
}

/*
 * Returns the offset of the class in a name after its packages. @all: number of
 * bytes of the text that begins with the name, at least @len.
 */
static size_t
skip_packages(const char *name, size_t len, size_t all)
{
	size_t at = 0;

	while (at < len) {
		const char *dot = memchr(name + at, '.', len - at);

		if (!dot || dot + 1 == name + len ||
		    !hp_is_package(name + at, all - at,
				   (size_t)(dot - name) - at))
			break;
		at = (size_t)(dot + 1 - name);
	}
	return at;
}

/*
 * Returns the offset of the part of a name after its outer classes, or 0 if
 * there are none: "Shop$CartItem" ends with "CartItem". @name: the name of a
 * class without packages. The name of a field may follow:
 * "Shop$CartItem.owner".
 */
static size_t
skip_outer_classes(const char *name, size_t len)
{
	size_t end = 0, at;

	while (end < len && name[end] != '[' && name[end] != '.')
		end++;
	for (at = end; at > 0 && name[at - 1] != '$';)
		at--;
	/* a '$' at the beginning of a name follows no outer class */
	if (at < 2 || end - at < LEAST_INNER ||
	    !isalpha((unsigned char)name[at]) ||
	    hp_class_name_has_suffix(name, end))
		return 0;
	return at;
}

/* Does what hp_name_fit() does. @all: see skip_packages(). */
static size_t
name_fit(struct hp_buf *out, const char *name, size_t len, size_t all,
	 size_t width)
{
	size_t skip;

	if (hp_text_width(name, len) > width) {
		skip = skip_packages(name, len, all);
		name += skip;
		len -= skip;
	}
	if (hp_text_width(name, len) > width) {
		skip = skip_outer_classes(name, len);
		name += skip;
		len -= skip;
	}
	return hp_text_fit(out, name, len, width);
}

size_t
hp_name_fit(struct hp_buf *out, const char *name, size_t len, size_t width)
{
	return name_fit(out, name, len, len, width);
}

/* --- labels --------------------------------------------------------------- */

/* A name in a label, as a range of bytes, and the columns that it needs. */
struct name {
	size_t begin, end, width;
};

static bool
is_name(const char *text, size_t len)
{
	static const char local[] = "ThreadLocal";

	if (isdigit((unsigned char)*text) || *text == '(' ||
	    (len == sizeof(local) - 1 && memcmp(text, local, len) == 0))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)text[i]) && text[i] != '-')
			return true;
	return false;
}

/* Find the widest name of a label. Returns false if all names are short. */
static bool
widest(const char *text, size_t len, struct name *found)
{
	found->width = LEAST;
	for (size_t at = 0, end; at < len; at = end + 1) {
		struct name n = {.begin = at};
		const char *space = memchr(text + at, ' ', len - at);

		end = space ? (size_t)(space - text) : len;
		n.end = end;
		/* punctuation around the name is kept */
		if (n.begin < n.end && text[n.begin] == '`')
			n.begin++;
		while (n.begin < n.end && strchr("`:,", text[n.end - 1]))
			n.end--;
		if (n.begin == n.end ||
		    !is_name(text + n.begin, n.end - n.begin))
			continue;
		n.width = hp_text_width(text + n.begin, n.end - n.begin);
		if (n.width > found->width)
			*found = n;
	}
	return found->width > LEAST;
}

bool
hp_label_fit(struct hp_buf *out, const char *label, size_t width)
{
	struct hp_buf now = {0}, next = {0};
	struct name n;
	size_t used = 0;

	hp_buf_text(&now, label);
	for (unsigned i = 0; i <= ROUNDS && hp_buf_ok(&now); i++) {
		used = hp_text_width(now.data, now.len);
		if (used <= width || i == ROUNDS ||
		    !widest(now.data, now.len, &n))
			break;
		hp_buf_clear(&next);
		hp_buf_add(&next, now.data, n.begin);
		name_fit(&next, now.data + n.begin, n.end - n.begin,
			 now.len - n.begin,
			 n.width > used - width + LEAST
				 ? n.width - (used - width)
				 : LEAST);
		hp_buf_add(&next, now.data + n.end, now.len - n.end);
		hp_buf_clear(&now);
		hp_buf_add(&now, next.data, next.len);
		hp_buf_inherit(&now, &next);
	}
	if (used <= width)
		hp_buf_add(out, now.data, now.len);
	hp_buf_inherit(out, &now);
	hp_buf_release(&now);
	hp_buf_release(&next);
	return used <= width;
}
