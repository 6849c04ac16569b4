/*
 * collection_lines.c - read the lines of --collections=FILE
 */
#include "diff/waste/collections.h"

#include "common/base/buf.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdio.h>
#include <string.h>

/* maximum size of the file in bytes */
enum { MOST_BYTES = (1 << 20) - 1 };

/*
 * The names of the policies in the file of --collections. The policy of a
 * collection determines how many slots of its array are not waste.
 */
static const struct {
	const char *name;
	enum hp_collection_policy policy;
} policies[] = {
	{"half-more", HP_COLLECTION_HALF_MORE},
	{"twice", HP_COLLECTION_TWICE},
	{"hash", HP_COLLECTION_HASH},
	{"identity", HP_COLLECTION_IDENTITY},
	{"exact", HP_COLLECTION_EXACT},
	{"pairs", HP_COLLECTION_PAIRS},
	{"fixed", HP_COLLECTION_FIXED},
	{"length", HP_COLLECTION_LENGTH},
	{"nodes", HP_COLLECTION_NODES},
	{"delegate", HP_COLLECTION_DELEGATE},
	{"none", HP_COLLECTION_NONE},
};

void
hp_collection_lines_release(struct hp_collection_lines *l)
{
	hp_free(l->list);
	hp_free(l->text);
	*l = (struct hp_collection_lines){0};
}

static enum hp_status
read_text(struct hp_collection_lines *l, const char *path, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st =
		hp_buf_read_file(&b, path, MOST_BYTES, "too large", err);

	if (st == HP_OK)
		l->text = hp_buf_take(&b);
	hp_buf_release(&b);
	return st == HP_OK && !l->text ? hp_no_memory(err) : st;
}

/* Split a line into words, at most 5. Returns the number of words. */
static unsigned
split(char *line, const char *words[5])
{
	unsigned n = 0;
	char *rest = NULL;

	for (char *word = strtok_r(line, " \t\r", &rest); word && n < 5;
	     word = strtok_r(NULL, " \t\r", &rest))
		words[n++] = word;
	return n;
}

static const char *
field_of(const char *word)
{
	return strcmp(word, "-") == 0 ? "" : word;
}

static enum hp_status
add_line(struct hp_collection_lines *l, char *text, unsigned number,
	 struct hp_error *err)
{
	const char *words[5];
	struct hp_collection_line line = {.views = "", .more = ""};
	unsigned n;
	size_t i = 0;

	text[strcspn(text, "#")] = '\0';
	n = split(text, words);
	if (n == 0)
		return HP_OK;
	while (n == 4 && i < HP_ARRAY_LEN(policies) &&
	       strcmp(policies[i].name, words[1]) != 0)
		i++;
	if (n != 4 || i == HP_ARRAY_LEN(policies))
		return hp_fail(err, HP_DAMAGED,
			       "line %u: expected a class, a growth policy "
			       "such as half-more, the field with the size, "
			       "and the field with the array",
			       number);
	line.name = words[0];
	line.policy = policies[i].policy;
	line.size = field_of(words[2]);
	line.backing = field_of(words[3]);
	if (line.policy == HP_COLLECTION_HASH)
		line.more = "loadFactor";
	return HP_LIST_PUSH(l->list, l->count, l->cap, line)
		       ? HP_OK
		       : hp_no_memory(err);
}

enum hp_status
hp_collection_lines_read(struct hp_collection_lines *l, const char *path,
			 struct hp_error *err)
{
	unsigned number = 1;
	enum hp_status st;
	char *next;

	/* if the option is given several times, the last file counts */
	hp_collection_lines_release(l);
	st = read_text(l, path, err);
	for (char *at = l->text; st == HP_OK && at; at = next, number++) {
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		st = add_line(l, at, number, err);
	}
	return st;
}
