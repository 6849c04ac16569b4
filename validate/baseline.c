/*
 * baseline.c - read an earlier JSON result (--baseline), and leave out its
 * findings from new results
 *
 * The library jansson parses the result into a tree. Before that, the program
 * estimates how much memory this tree will need. The tree is freed before the
 * first dump is read. Three lists are kept: the files; the entries, each with
 * the findings of one rule and severity in one file; and the examples. Files
 * and examples are sorted, so that a binary search finds them.
 */
#include "validate/baseline.h"

#include "common/base/arena.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/cli/json.h"
#include "common/io/source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 << 20 }; /* maximum size of a JSON result, in bytes */

/*
 * An example of a finding in the earlier result. Examples are sorted by offset,
 * then by text.
 */
struct known_example {
	uint64_t offset;
	const char *text;
	size_t length;
};

/*
 * An entry: the findings of one rule and severity in one file of the earlier
 * result.
 */
struct entry {
	enum hp_rule rule;
	enum hp_severity severity;
	uint64_t count;
	/*
	 * the examples of this entry are list[first] to list[end - 1] in the
	 * list of examples
	 */
	size_t first, end;
};

struct known_file {
	/*
	 * path of the file, with control characters escaped, as in JSON results
	 */
	const char *path;
	/*
	 * index of the file in the earlier result; if two files have the same
	 * path, the first one is used
	 */
	size_t order;
	/*
	 * the entries of this file are list[first] to list[end - 1] in the list
	 * of entries
	 */
	size_t first, end;
};

struct hp_validate_baseline {
	struct hp_arena arena; /* memory for all texts of the baseline */
	struct hp_vec files, entries, examples;
	/*
	 * For each rule and severity: 1 + the index of the entry (findings in
	 * one file) that has the most findings; 0: there is none.
	 */
	size_t most[HP_RULE_COUNT][HP_SEVERITY_COUNT];
	/*
	 * Used only while the result is read. For each rule and severity: 1 +
	 * the index of the last file that has an entry for them.
	 */
	size_t seen[HP_RULE_COUNT][HP_SEVERITY_COUNT];
};

/* --- read an earlier result ----------------------------------------------- */

/*
 * Parse a JSON file into a tree. Returns HP_LIMIT if the file is larger than
 * any result can be.
 */
static enum hp_status
load_tree(json_t **root, const char *path, struct hp_error *err)
{
	const struct hp_source_options options = {.max_size = MOST};
	struct hp_source *src = NULL;
	struct hp_buf text = {0};
	json_error_t why;
	enum hp_status st = hp_source_open(&src, path, &options, err);

	if (st == HP_OK)
		st = hp_json_text_read(src, MOST, "is too large for a result",
				       &text, err);
	hp_source_close(src);
	if (st == HP_OK && text.len == 0)
		st = hp_fail(err, HP_DAMAGED, "is empty");
	if (st == HP_OK) {
		*root = hp_json_load(text.data, text.len, 0, &why);
		if (!*root && hp_memory_refused(NULL, NULL))
			st = hp_no_memory(err);
		else if (!*root)
			st = hp_fail(err, HP_DAMAGED,
				     "cannot be read as JSON: %s", why.text);
	}
	hp_buf_release(&text);
	return st;
}

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool
find_rule(const char *id, enum hp_rule *rule)
{
	for (unsigned i = 0; id && i < HP_RULE_COUNT; i++) {
		*rule = (enum hp_rule)i;
		if (strcmp(hp_rule_desc(*rule)->id, id) == 0)
			return true;
	}
	return false;
}

/*
 * Returns the length of a message without an ending such as ", and 3 more in
 * this field". So a known finding is recognised even if the number of similar
 * findings has changed.
 */
static size_t
own_length(const char *message)
{
	static const char last[] = " more in this field", first[] = ", and ";
	size_t all = strlen(message), n = all;

	if (n < sizeof(last) || strcmp(message + n - strlen(last), last) != 0)
		return all;
	for (n -= strlen(last); n > 0 && strchr("0123456789,", message[n - 1]);)
		n--;
	if (n < strlen(first) ||
	    memcmp(message + n - strlen(first), first, strlen(first)) != 0)
		return all;
	return n - strlen(first);
}

static int
compare_examples(const void *x, const void *y)
{
	const struct known_example *a = x, *b = y;
	int c = hp_order(a->offset, b->offset);

	if (c == 0)
		c = hp_order(a->length, b->length);
	return c ? c : memcmp(a->text, b->text, a->length);
}

static struct known_example *
examples_of(const struct hp_validate_baseline *b, const struct entry *e)
{
	struct known_example *all = b->examples.items;

	return all ? all + e->first : NULL;
}

/*
 * Append the examples of the entry @e, from the JSON list @list, to the list of
 * examples, and sort them. Returns false if out of memory.
 */
static bool
add_examples(struct hp_validate_baseline *b, struct entry *e,
	     const json_t *list)
{
	e->first = b->examples.count;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *x = json_array_get(list, i);
		const json_t *offset = json_object_get(x, "offset");
		const char *text = text_of(x, "message");
		size_t length = text ? own_length(text) : 0;
		const char *copy =
			text ? hp_arena_copy(&b->arena, text, length) : NULL;

		if (!text)
			continue;
		if (!copy ||
		    !HP_VEC_PUSH(&b->examples, struct known_example,
				 .offset = (uint64_t)json_integer_value(offset),
				 .text = copy, .length = length))
			return false;
	}
	e->end = b->examples.count;
	if (e->end > e->first)
		qsort(examples_of(b, e), e->end - e->first,
		      sizeof(struct known_example), compare_examples);
	return true;
}

/*
 * Add an entry (findings of one rule and severity) to the file that is being
 * read from the baseline. Skips rules and severities that this version does not
 * know. Returns false if out of memory.
 */
static bool
add_entry(struct hp_validate_baseline *b, const json_t *j)
{
	const char *severity = text_of(j, "severity");
	json_int_t count = json_integer_value(json_object_get(j, "count"));
	const struct entry *all = b->entries.items;
	struct entry e = {.count = count > 0 ? (uint64_t)count : 0};
	size_t *most, *seen;

	if (!find_rule(text_of(j, "rule"), &e.rule) || !severity ||
	    !hp_severity_find(severity, &e.severity))
		return true;
	most = &b->most[e.rule][e.severity];
	seen = &b->seen[e.rule][e.severity];
	/*
	 * A valid result has at most one entry for each rule and severity of a
	 * file. If an invalid result has more, only the first one is used.
	 */
	if (*seen == b->files.count)
		return true;
	if (!add_examples(b, &e, json_object_get(j, "examples")) ||
	    !hp_vec_push(&b->entries, &e, sizeof(e)))
		return false;
	all = b->entries.items;
	if (*most == 0 || e.count > all[*most - 1].count)
		*most = b->entries.count;
	*seen = b->files.count;
	return true;
}

static int
compare_files(const void *x, const void *y)
{
	const struct known_file *a = x, *b = y;
	int c = strcmp(a->path, b->path);

	return c ? c : hp_order(a->order, b->order);
}

static enum hp_status
index_files(struct hp_validate_baseline *b, const json_t *files,
	    struct hp_error *err)
{
	bool fine = true;

	for (size_t i = 0; i < json_array_size(files) && fine; i++) {
		const json_t *file = json_array_get(files, i);
		const json_t *rules = json_object_get(file, "rules");
		const char *path = text_of(file, "path");
		struct known_file *f = hp_vec_add(&b->files, sizeof(*f));

		fine = f;
		if (!f)
			break;
		f->order = i;
		f->first = b->entries.count;
		f->path = hp_arena_copy(&b->arena, path ? path : "",
					path ? strlen(path) : 0);
		fine = f->path;
		for (size_t k = 0; k < json_array_size(rules) && fine; k++)
			fine = add_entry(b, json_array_get(rules, k));
		f->end = b->entries.count;
	}
	if (fine && b->files.count > 0)
		qsort(b->files.items, b->files.count, sizeof(struct known_file),
		      compare_files);
	return fine ? HP_OK : hp_no_memory(err);
}

static enum hp_status
index_result(struct hp_validate_baseline *b, const json_t *root,
	     struct hp_error *err)
{
	const json_t *files = json_object_get(root, "files");
	const char *tool = text_of(root, "tool");

	if (!tool || strcmp(tool, "hprof-validate") != 0 ||
	    !json_is_array(files))
		return hp_fail(err, HP_DAMAGED,
			       "is not a JSON result of hprof-validate");
	if (json_integer_value(json_object_get(root, "schema")) != 1)
		return hp_fail(err, HP_UNSUPPORTED,
			       "has another schema version; create it again "
			       "with this version");
	return index_files(b, files, err);
}

enum hp_status
hp_validate_baseline_open(struct hp_validate_baseline **out, const char *path,
			  struct hp_error *err)
{
	struct hp_validate_baseline *b = hp_calloc(1, sizeof(*b));
	json_t *root = NULL;
	enum hp_status st;

	*out = b;
	st = b ? load_tree(&root, path, err) : hp_no_memory(err);
	if (st == HP_OK)
		st = index_result(b, root, err);
	json_decref(root);
	hp_trim_malloc();
	return st;
}

void
hp_validate_baseline_close(struct hp_validate_baseline *b)
{
	if (!b)
		return;
	hp_free(b->files.items);
	hp_free(b->entries.items);
	hp_free(b->examples.items);
	hp_arena_release(&b->arena);
	hp_free(b);
}

/* --- remove known findings ------------------------------------------------ */

/*
 * The data of the baseline about one rule and severity: the entries (findings
 * in one file), and the sum of their counts.
 */
struct known {
	const struct entry *entries[HP_SEVERITY_COUNT];
	uint64_t count;
};

/*
 * Returns the entry for a rule and severity in a file of the baseline, or NULL.
 */
static const struct entry *
find_entry(const struct hp_validate_baseline *b, const struct known_file *file,
	   enum hp_rule rule, enum hp_severity severity)
{
	const struct entry *all = b->entries.items;

	for (size_t i = file->first; i < file->end; i++)
		if (all[i].rule == rule && all[i].severity == severity)
			return &all[i];
	return NULL;
}

/*
 * Among the entries for a rule and severity in all files of the baseline,
 * returns the one with the most findings, or NULL.
 */
static const struct entry *
find_most(const struct hp_validate_baseline *b, enum hp_rule rule,
	  enum hp_severity severity)
{
	const struct entry *all = b->entries.items;
	size_t most = b->most[rule][severity];

	return most ? &all[most - 1] : NULL;
}

/*
 * Find the entries of the baseline for a rule and severity. If the baseline
 * contains the file, use the entry for this file, otherwise the entry of the
 * file with the most findings. @any_severity: the user chose the severity of
 * the rule, so add up the entries for all severities.
 */
static struct known
find_known(const struct hp_validate_baseline *b, const struct known_file *file,
	   const struct hp_reported *r, bool any_severity)
{
	struct known known = {0};

	for (unsigned s = 0; s < HP_SEVERITY_COUNT; s++) {
		enum hp_severity severity = (enum hp_severity)s;
		const struct entry *e;

		if (!any_severity && severity != r->severity)
			continue;
		e = file ? find_entry(b, file, r->rule, severity)
			 : find_most(b, r->rule, severity);
		known.entries[s] = e;
		known.count += e ? e->count : 0;
	}
	return known;
}

/*
 * Find the file with the path @path in the baseline. *@file becomes NULL if the
 * baseline does not contain it. Returns false if out of memory.
 */
static bool
find_file(const struct hp_validate_baseline *b, const char *path,
	  const struct known_file **file)
{
	const struct known_file *all = b->files.items;
	size_t low = 0, high = b->files.count;
	struct hp_buf shown = {0};
	const char *text;
	bool fine;

	hp_text_clean(&shown, path, strlen(path));
	text = hp_buf_string(&shown);
	fine = hp_buf_ok(&shown);
	while (fine && low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(all[mid].path, text) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*file = fine && low < b->files.count && *text &&
				strcmp(all[low].path, text) == 0
			? &all[low]
			: NULL;
	hp_buf_release(&shown);
	return fine;
}

static bool
has_example(const struct hp_validate_baseline *b, const struct entry *entry,
	    const struct hp_example *e)
{
	const struct known_example key = {.offset = e->offset,
					  .text = e->message,
					  .length = own_length(e->message)};

	return entry && entry->end > entry->first &&
	       bsearch(&key, examples_of(b, entry), entry->end - entry->first,
		       sizeof(key), compare_examples);
}

static bool
is_known(const struct hp_validate_baseline *b, const struct known *known,
	 const struct hp_example *e)
{
	for (unsigned s = 0; s < HP_SEVERITY_COUNT; s++)
		if (has_example(b, known->entries[s], e))
			return true;
	return false;
}

/*
 * Subtract the number of known findings (those in the baseline) from the count
 * of a rule, and remove the examples that are in the baseline.
 */
static void
drop_known(const struct hp_validate_baseline *b, struct hp_reported *r,
	   const struct known *known)
{
	size_t kept = 0;

	if (known->count == 0)
		return;
	/*
	 * the numbers of findings by offset include findings that the baseline
	 * contains, so they cannot be shown
	 */
	hp_free(r->places);
	r->places = NULL;
	r->count = r->count > known->count ? r->count - known->count : 0;
	for (size_t i = 0; i < r->nexamples; i++) {
		struct hp_example *e = &r->examples[i];

		if (r->count > kept && !is_known(b, known, e)) {
			/*
			 * Remove an ending such as ", and 3 more in this
			 * field": some of these 3 findings may be in the
			 * baseline.
			 */
			e->message[own_length(e->message)] = '\0';
			r->examples[kept++] = *e;
			continue;
		}
		hp_free(e->field);
		hp_free(e->message);
	}
	r->nexamples = kept;
}

void
hp_validate_baseline_apply(const struct hp_validate_baseline *b,
			   const struct hp_validate_options *o,
			   struct hp_validation *v)
{
	const struct known_file *file;
	size_t kept = 0;

	if (!find_file(b, v->path, &file))
		return; /* memory ran out, so no finding counts as known */
	for (size_t i = 0; i < v->nrules; i++) {
		struct hp_reported *r = &v->rules[i];
		const struct known known = find_known(
			b, file, r, o->severity[r->rule] != HP_SEVERITY_AS_IS);
		uint64_t before = r->count;

		drop_known(b, r, &known);
		v->known += before - r->count;
		if (r->count > 0) {
			v->rules[kept++] = *r;
			continue;
		}
		hp_free(r->examples);
		hp_free(r->places);
	}
	v->nrules = kept;
	hp_validation_sum(v);
}
