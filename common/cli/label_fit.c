/*
 * label_fit.c - shorten the label of an object, so that it fits into a number
 * of columns and is still true
 *
 * Only the names of classes and fields in a label are shortened: numbers and
 * words such as "map of" are kept. The longest name is shortened first: its
 * outer classes are left out, then its middle.
 */
#include "common/cli/message.h"
#include "common/cli/table.h"

#include <ctype.h>
#include <string.h>

enum {
	/* a name is not shortened to fewer columns than this */
	LEAST = 8,
	/* maximum number of names that are shortened, one after the other */
	ROUNDS = 16,
};

#define ELLIPSIS "\xe2\x80\xa6"

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
		if (!islower((unsigned char)text[i]))
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

/*
 * Returns the offset of the part of a name after its outer classes, or 0 if
 * there are none: "Shop$Cart" ends with "Cart".
 */
static size_t
inner_class(const char *name, size_t len)
{
	size_t at = len;

	while (at > 0 && name[at - 1] != '$')
		at--;
	return at < len && isalpha((unsigned char)name[at]) ? at : 0;
}

static void
add_shorter(struct hp_buf *b, const char *name, size_t len, size_t columns)
{
	size_t inner = inner_class(name, len), head, tail;

	if (inner > 0) {
		hp_buf_add(b, name + inner, len - inner);
		return;
	}
	head = hp_text_head(name, len, columns / 2);
	tail = hp_text_tail(name, len, columns - columns / 2 - 1);
	hp_buf_add(b, name, head);
	hp_buf_text(b, ELLIPSIS);
	hp_buf_add(b, name + tail, len - tail);
}

bool
hp_label_fit(struct hp_buf *b, const char *label, size_t room)
{
	struct hp_buf now = {0}, next = {0};
	struct name n;
	size_t width = 0;

	hp_buf_text(&now, label);
	for (unsigned i = 0; i <= ROUNDS && hp_buf_ok(&now); i++) {
		width = hp_text_width(now.data, now.len);
		if (width <= room || i == ROUNDS ||
		    !widest(now.data, now.len, &n))
			break;
		hp_buf_clear(&next);
		hp_buf_add(&next, now.data, n.begin);
		add_shorter(&next, now.data + n.begin, n.end - n.begin,
			    n.width > width - room + LEAST
				    ? n.width - (width - room)
				    : LEAST);
		hp_buf_add(&next, now.data + n.end, now.len - n.end);
		hp_buf_clear(&now);
		hp_buf_add(&now, next.data, next.len);
		hp_buf_inherit(&now, &next);
	}
	hp_buf_add(b, now.data, now.len);
	hp_buf_inherit(b, &now);
	hp_buf_release(&now);
	hp_buf_release(&next);
	return width <= room;
}
