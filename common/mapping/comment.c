/*
 * comment.c - parse the JSON in comments of a mapping file
 *
 * R8 writes strict JSON. The examples in its documentation, and files of other
 * tools, also contain single quotes and keys without quotes. The code needs
 * only strings and numbers at the top level, and the numbers in "positions". So
 * a loop over the words suffices, without recursion.
 */
#include "common/mapping/internal.h"

struct words {
	const char *at, *end;
	unsigned depth;
};

/*
 * Read the next string, number, or word without quotes. Also counts braces in
 * w->depth. Returns false at the end of the comment.
 */
static bool
next_word(struct words *w, struct hp_slice *out)
{
	for (; w->at < w->end; w->at++) {
		char c = *w->at;

		if (c == '{' || c == '[') {
			w->depth++;
		} else if (c == '}' || c == ']') {
			w->depth -= w->depth > 0;
		} else if (c == '"' || c == '\'') {
			out->text = ++w->at;
			while (w->at < w->end && *w->at != c)
				w->at += *w->at == '\\' ? 2 : 1;
			if (w->at > w->end)
				w->at = w->end;
			out->length = (size_t)(w->at - out->text);
			w->at += w->at < w->end;
			return true;
		} else if (!strchr(" \t,:", c)) {
			out->text = w->at;
			while (w->at < w->end && !strchr(" \t,:{}[]", *w->at))
				w->at++;
			out->length = (size_t)(w->at - out->text);
			return true;
		}
	}
	return false;
}

static int32_t
number(struct hp_slice s)
{
	int32_t v = 0;

	for (size_t i = 0; i < s.length && i < 9; i++) {
		if (s.text[i] < '0' || s.text[i] > '9')
			return HP_NO_LINE;
		v = v * 10 + (s.text[i] - '0');
	}
	return s.length > 0 && s.length <= 9 ? v : HP_NO_LINE;
}

/* Whether the last word was a key, which is the case if a colon follows. */
static bool
is_key(const struct words *w)
{
	const char *p = w->at;

	while (p < w->end && (*p == ' ' || *p == '\t'))
		p++;
	return p < w->end && *p == ':';
}

bool
hp_mapping_comment(struct hp_name_mapping *m, struct hp_slice json,
		   struct hp_mapping_comment *out)
{
	struct words w = {json.text, json.text + json.length, 0};
	struct hp_slice key = {"", 0}, outer = key, word;

	*out = (struct hp_mapping_comment){.id = key};
	while (next_word(&w, &word)) {
		if (is_key(&w)) {
			key = word;
			if (w.depth == 1)
				outer = word;
			continue;
		}
		if (w.depth == 1 && hp_slice_is(key, "id"))
			out->id = word;
		else if (w.depth == 1 && hp_slice_is(key, "fileName"))
			out->file = word;
		else if (w.depth == 1 && hp_slice_is(key, "signature"))
			out->signature = word;
		else if (w.depth == 2 && hp_slice_is(outer, "positions") &&
			 !HP_LIST_PUSH(m->positions, m->npositions,
				       m->positions_cap,
				       (struct hp_mapped_position){
					       number(key), number(word)}))
			return false;
	}
	return true;
}
