/*
 * known.c - read the file of known leaks (--known), and find its entries among
 * the suspects and findings
 *
 * Entries are sorted by fingerprint and found by binary search, so the search
 * is fast even if the file has many entries.
 */
#include "diff/result/known.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/cli/json.h"
#include "diff/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * MOST_BYTES: maximum size of the file in bytes; this is enough for more than
 * 100,000 entries.
 */
enum { MOST_BYTES = 1 << 26 };

/*
 * The members of an entry. A member with another name is an error, because it
 * is probably a spelling mistake.
 */
static const struct {
	const char *name;
	size_t at; /* offset of the member in struct hp_known_leak, in bytes */
	bool required;
} members[] = {
	{"fingerprint", offsetof(struct hp_known_leak, fingerprint), true},
	{"what", offsetof(struct hp_known_leak, what), false},
	{"path", offsetof(struct hp_known_leak, path), false},
	{"reason", offsetof(struct hp_known_leak, reason), true},
	{"owner", offsetof(struct hp_known_leak, owner), false},
	{"expires", offsetof(struct hp_known_leak, expires), false},
};

static const char **
member_of(struct hp_known_leak *leak, size_t i)
{
	return (const char **)((char *)leak + members[i].at);
}

static bool
is_fingerprint(const char *text)
{
	return strlen(text) == HP_FINGERPRINT_LENGTH &&
	       strspn(text, "0123456789abcdef") == HP_FINGERPRINT_LENGTH;
}

/*
 * Parse a date such as "2027-01-31". Returns it as a number, here 20270131, or
 * 0 if there is no such date.
 */
static unsigned
parse_day(const char *text)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30,
					     31, 31, 30, 31, 30, 31};
	unsigned year, month, day, most;
	char end;

	if (strlen(text) != 10 || text[4] != '-' || text[7] != '-' ||
	    strspn(text, "0123456789-") != 10 ||
	    sscanf(text, "%4u-%2u-%2u%c", &year, &month, &day, &end) != 3 ||
	    month < 1 || month > 12)
		return 0;
	most = days[month - 1];
	if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
		most++;
	return day < 1 || day > most ? 0 : year * 10000 + month * 100 + day;
}

/* Returns today's date in UTC as a number, such as 20270131. */
static unsigned
find_today(void)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	return (unsigned)(tm.tm_year + 1900) * 10000 +
	       (unsigned)(tm.tm_mon + 1) * 100 + (unsigned)tm.tm_mday;
}

static enum hp_status
fail_entry(const struct hp_known *k, size_t i, const char *what,
	   const char *name, struct hp_error *err)
{
	return hp_fail(err, HP_DAMAGED, "%.200s: entry %zu %s%.60s%s", k->file,
		       i + 1, what, name ? name : "", name ? "\"" : "");
}

static enum hp_status
read_member(struct hp_known *k, size_t i, const char *name, const json_t *value,
	    struct hp_error *err)
{
	for (size_t m = 0; m < HP_ARRAY_LEN(members); m++) {
		if (strcmp(members[m].name, name) != 0)
			continue;
		if (!json_is_string(value))
			return fail_entry(k, i, "needs a text as \"", name,
					  err);
		*member_of(&k->list[i], m) = json_string_value(value);
		return HP_OK;
	}
	return fail_entry(k, i, "has the unknown member \"", name, err);
}

static enum hp_status
check_entry(struct hp_known *k, size_t i, unsigned today, struct hp_error *err)
{
	struct hp_known_leak *leak = &k->list[i];
	unsigned day;

	for (size_t m = 0; m < HP_ARRAY_LEN(members); m++) {
		const char *text = *member_of(leak, m);

		if (members[m].required && (!text || !*text))
			return fail_entry(k, i, "has no \"", members[m].name,
					  err);
	}
	if (!is_fingerprint(leak->fingerprint))
		return fail_entry(k, i,
				  "has a \"fingerprint\" that is not 16 "
				  "hexadecimal digits",
				  NULL, err);
	if (leak->expires) {
		day = parse_day(leak->expires);
		if (day == 0)
			return fail_entry(k, i,
					  "has an \"expires\" that is not a "
					  "day such as 2027-01-31",
					  NULL, err);
		leak->is_expired = day < today;
	}
	return hp_fingerprint_end(&leak->end, leak->path ? leak->path : "",
				  err);
}

static enum hp_status
read_entry(struct hp_known *k, size_t i, json_t *entry, unsigned today,
	   struct hp_error *err)
{
	enum hp_status st = HP_OK;
	const char *name;
	json_t *value;

	if (!json_is_object(entry))
		return fail_entry(k, i, "is not a JSON object", NULL, err);
	json_object_foreach(entry, name, value)
	{
		st = read_member(k, i, name, value, err);
		if (st != HP_OK)
			return st;
	}
	return check_entry(k, i, today, err);
}

static int
by_fingerprint(const void *a, const void *b)
{
	const struct hp_known_leak *x = a, *y = b;

	return strcmp(x->fingerprint, y->fingerprint);
}

static enum hp_status
read_entries(struct hp_known *k, struct hp_error *err)
{
	json_t *list = json_object_get(k->root, "known_leaks");
	size_t n = json_array_size(list);
	unsigned today = find_today();
	enum hp_status st = HP_OK;

	if (!json_is_array(list))
		return hp_fail(err, HP_DAMAGED,
			       "%.200s: the file has no list \"known_leaks\"; "
			       "to write a file with this list, use "
			       "--write-known=FILE",
			       k->file);
	k->list = hp_calloc(n ? n : 1, sizeof(*k->list));
	if (!k->list)
		return hp_no_memory(err);
	for (; k->count < n && st == HP_OK; k->count++)
		st = read_entry(k, k->count, json_array_get(list, k->count),
				today, err);
	if (st != HP_OK)
		return st;
	qsort(k->list, n, sizeof(*k->list), by_fingerprint);
	for (size_t i = 1; i < n; i++)
		if (by_fingerprint(&k->list[i - 1], &k->list[i]) == 0)
			return hp_fail(err, HP_DAMAGED,
				       "%.200s: two entries have the "
				       "fingerprint %s",
				       k->file, k->list[i].fingerprint);
	return HP_OK;
}

enum hp_status
hp_known_read(struct hp_known *k, const char *path, struct hp_error *err)
{
	struct hp_buf b = {0};
	json_error_t why = {0};
	enum hp_status st;

	/* if the option is given twice, the last file is used */
	hp_known_release(k);
	k->file = path;
	st = hp_buf_read_file(&b, path, MOST_BYTES, "larger than 64 MB", err);
	if (st == HP_OK) {
		k->root = hp_json_load(b.data, b.len, JSON_REJECT_DUPLICATES,
				       &why);
		st = k->root ? read_entries(k, err)
			     : hp_fail(err, HP_DAMAGED,
				       "%.200s:%d: not JSON: %.100s", path,
				       why.line, why.text);
	}
	hp_buf_release(&b);
	return st;
}

void
hp_known_release(struct hp_known *k)
{
	hp_free(k->list);
	json_decref(k->root);
	*k = (struct hp_known){0};
}

struct hp_known_leak *
hp_known_find(const struct hp_known *k, const struct hp_fingerprint *f)
{
	const struct hp_known_leak key = {.fingerprint = f->text};

	return k->count ? bsearch(&key, k->list, k->count, sizeof(key),
				  by_fingerprint)
			: NULL;
}

/*
 * If no suspect has the fingerprint of a known leak, the leak may still exist,
 * but its path may now begin differently. So the new suspect @s counts as this
 * leak if both paths end with the same step.
 */
static enum hp_status
find_moved(struct hp_known *k, const struct hp_suspect *s, struct hp_error *err)
{
	struct hp_fingerprint end;
	enum hp_status st = hp_fingerprint_end(&end, s->path, err);

	for (size_t i = 0; i < k->count && st == HP_OK; i++) {
		struct hp_known_leak *leak = &k->list[i];

		if (!leak->is_found && !leak->moved_to && leak->path &&
		    strcmp(leak->end.text, end.text) == 0)
			leak->moved_to = s;
	}
	return st;
}

static struct hp_known_leak *
find_entry(const struct hp_known *k, const struct hp_fingerprint *f)
{
	struct hp_known_leak *leak = k ? hp_known_find(k, f) : NULL;

	if (leak)
		leak->is_found = true;
	return leak;
}

enum hp_status
hp_known_mark(struct hp_known *k, struct hp_result *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; k && i < k->count; i++) {
		k->list[i].is_found = false;
		k->list[i].moved_to = NULL;
	}
	for (size_t i = 0; i < r->nsuspects && st == HP_OK; i++) {
		struct hp_suspect *s = &r->suspects[i];

		st = hp_fingerprint_path(&s->fingerprint, s->path, s->element,
					 err);
		s->known = find_entry(k, &s->fingerprint);
	}
	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		const struct hp_fingerprint f =
			hp_fingerprint_finding(hp_unusual_kinds[i].id);

		if (r->findings[i].applies)
			r->known_findings[i] = find_entry(k, &f);
	}
	for (size_t i = 0; k && i < r->nsuspects && st == HP_OK; i++)
		if (!r->suspects[i].known)
			st = find_moved(k, &r->suspects[i], err);
	return st;
}
