/*
 * page_check.c - check JSON results and HTML pages
 *
 * The checks parse the JSON with the library jansson, so that they share no
 * code with the JSON writer of the programs.
 */
#include "tests/fuzz/diff_run.h"

#include <jansson.h>
#include <string.h>

void
hp_fuzz_check_json(const char *text, size_t n, bool in_page)
{
	json_error_t why;
	json_t *value = json_loadb(text, n,
				   JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL |
					   JSON_DECODE_INT_AS_REAL,
				   &why);

	if (!value)
		hp_fuzz_violated(why.text, "JSON, byte", why.position);
	json_decref(value);
	for (size_t i = 0; in_page && i < n; i++)
		HP_FUZZ_CHECK(text[i] != '<' && text[i] != '>' &&
			      text[i] != '&');
}

static size_t
count_word(const char *text, size_t n, const char *word)
{
	const char *end = text + n, *at = text;
	size_t length = strlen(word), count = 0;

	while ((at = memmem(at, (size_t)(end - at), word, length)) != NULL) {
		at += length;
		count++;
	}
	return count;
}

/*
 * Returns how many times @word occurs in those parts of an HTML page that are
 * equal in every report.
 */
static size_t
count_own(const struct hp_page_text *own, const char *word)
{
	const char *const parts[] = {own->to_title, own->to_fallback,
				     own->to_data, own->to_end};
	size_t count = 0;

	for (size_t i = 0; i < HP_ARRAY_LEN(parts); i++)
		count += count_word(parts[i], strlen(parts[i]), word);
	return count;
}

void
hp_fuzz_check_page(const struct hp_page_text *own, const char *text, size_t n)
{
	static const char *const words[] = {"<script", "</script", "<iframe",
					    "<style",  "<body",	   "<img"};
	size_t before = strlen(own->to_data), after = strlen(own->to_end);
	const char *data;

	HP_FUZZ_CHECK(n > before + after);
	HP_FUZZ_CHECK(memcmp(text, own->to_title, strlen(own->to_title)) == 0);
	HP_FUZZ_CHECK(memcmp(text + n - after, own->to_end, after) == 0);
	for (size_t i = 0; i < HP_ARRAY_LEN(words); i++)
		HP_FUZZ_CHECK(count_word(text, n, words[i]) ==
			      count_own(own, words[i]));
	data = memmem(text, n, own->to_data, before);
	HP_FUZZ_CHECK(data != NULL);
	data += before;
	hp_fuzz_check_json(data, (size_t)(text + n - after - data), true);
}
