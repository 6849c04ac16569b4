/*
 * profile.c - represent each row as a stack of frames, for the formats that
 * profilers read
 */
#include "diff/report/profile.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdio.h>
#include <string.h>

static bool
push_frame(struct hp_profile *p, const char *text, size_t n)
{
	bool fresh;
	uint32_t number = hp_intern_put(&p->frames, text, n, &fresh);

	return number != 0 && HP_LIST_PUSH(p->stack, p->depth, p->cap, number);
}

/*
 * Append frames to the stack: the steps of a path or, for a row of --by=holder,
 * the field and the class of the objects.
 */
static bool
push_steps(struct hp_profile *p, const char *key)
{
	static const char arrow[] = HP_ROW_ARROW;
	const char *end;

	while ((end = strstr(key, arrow))) {
		if (!push_frame(p, key, (size_t)(end - key)))
			return false;
		key = end + sizeof(arrow) - 1;
	}
	return push_frame(p, key, strlen(key));
}

bool
hp_profile_stack(struct hp_profile *p, const struct hp_result *r,
		 const struct hp_row *row)
{
	bool method = hp_key_is(r->by, HP_KEY_NAMES_FRAME);
	char root[64];
	int n = snprintf(root, sizeof(root), "%s by %s",
			 hp_columns[r->basis.weight].word, hp_by_name(r->by));

	p->depth = 0;
	if (!push_frame(p, root, (size_t)n))
		return false;
	for (uint32_t k = row->frames.count; k > 0; k--) {
		const char *text = row->frames.text[k - 1];

		if (!push_frame(p, text, strlen(text)))
			return false;
	}
	/*
	 * if the row is a method, the innermost frame of its stack is the
	 * method itself
	 */
	return (method && row->frames.count > 0) || push_steps(p, row->key);
}

void
hp_profile_release(struct hp_profile *p)
{
	hp_intern_release(&p->frames);
	hp_free(p->stack);
	*p = (struct hp_profile){0};
}

struct hp_profile_place
hp_profile_place(const char *text, size_t length)
{
	struct hp_profile_place place = {.name = length};
	const char *open = memchr(text, '(', length), *colon;
	uint64_t line = 0;
	size_t n;

	if (!open || open == text || open[-1] == ' ' || text[length - 1] != ')')
		return place;
	/*
	 * number of bytes between the parentheses, for example of
	 * "Order.java:12"
	 */
	n = (size_t)(text + length - 1 - open) - 1;
	colon = memchr(open + 1, ':', n);
	for (const char *c = colon ? colon + 1 : open + 1 + n; c < open + 1 + n;
	     c++) {
		if (*c < '0' || *c > '9' || line > UINT32_MAX / 10 - 1)
			return place;
		line = 10 * line + (uint64_t)(*c - '0');
	}
	place.name = (size_t)(open - text);
	if (colon)
		n = (size_t)(colon - open) - 1;
	/*
	 * a text with a space, such as "Native method", is not the name of a
	 * file
	 */
	if (n == 0 || memchr(open + 1, ' ', n))
		return place;
	place.file = open + 1;
	place.file_len = n;
	place.line = (uint32_t)line;
	return place;
}

unsigned
hp_profile_columns(const struct hp_result *r)
{
	unsigned all = 1u << r->basis.weight;

	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_result_shows(r, (enum hp_col)c) && hp_columns[c].join &&
		    !hp_columns[c].derive &&
		    !hp_column_is((enum hp_col)c, HP_COLUMN_IS_NO_TOTAL))
			all |= 1u << c;
	return all;
}
