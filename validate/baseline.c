/*
 * baseline.c - reads an earlier result with jansson and takes it out of new
 * ones
 */
#include "validate/baseline.h"

#include "common/base/buf.h"
#include "common/cli/escape.h"
#include "common/io/source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 << 20 }; /* bytes of a result */

struct hp_validate_baseline {
	json_t *root;
	json_t *files; /* by path, which results have in the visible form */
	json_t *most;  /* entries of rules by key_of(): that of most findings */
};

/* All of the file, unpacked; HP_LIMIT if it is too large for a result. */
static enum hp_status
load_file(struct hp_validate_baseline *b, const char *path,
	  struct hp_error *err)
{
	const struct hp_source_options options = {.max_size = MOST};
	struct hp_source *src = NULL;
	struct hp_buf text = {0};
	json_error_t why;
	uint8_t part[1 << 14];
	size_t got = sizeof(part);
	enum hp_status st = hp_source_open(&src, path, &options, err);

	while (st == HP_OK && got == sizeof(part)) {
		st = hp_source_read(src, part, sizeof(part), &got, err);
		hp_buf_add(&text, part, got);
	}
	hp_source_close(src);
	if (st == HP_OK && !hp_buf_ok(&text))
		st = hp_no_memory(err);
	if (st == HP_OK && text.len == 0)
		st = hp_fail(err, HP_DAMAGED, "is empty");
	if (st == HP_OK) {
		b->root =
			json_loadb((const char *)text.data, text.len, 0, &why);
		if (!b->root)
			st = hp_fail(err, HP_DAMAGED,
				     "cannot be read as JSON: %s", why.text);
	}
	hp_buf_release(&text);
	return st;
}

/* The text of a member; NULL: it has none. */
static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static uint64_t
known_count(const json_t *entry)
{
	json_int_t n = json_integer_value(json_object_get(entry, "count"));

	return n > 0 ? (uint64_t)n : 0;
}

/* "ref-dangling-array info"; NULL: out of memory, or a text is missing. */
static const char *
key_of(struct hp_buf *b, const char *rule, const char *severity)
{
	hp_buf_clear(b);
	if (!rule || !severity)
		return NULL;
	hp_buf_text(b, rule);
	hp_buf_byte(b, ' ');
	hp_buf_text(b, severity);
	return hp_buf_ok(b) ? hp_buf_string(b) : NULL;
}

/* A file's rules, where they have more findings than what is there already. */
static bool
index_rules(json_t *most, const json_t *file, struct hp_buf *b)
{
	const json_t *rules = json_object_get(file, "rules");
	bool fine = true;

	for (size_t i = 0; i < json_array_size(rules) && fine; i++) {
		json_t *e = json_array_get(rules, i), *there;
		const char *key =
			key_of(b, text_of(e, "rule"), text_of(e, "severity"));

		if (!key)
			continue;
		there = json_object_get(most, key);
		if (!there || known_count(e) > known_count(there))
			fine = json_object_set(most, key, e) == 0;
	}
	return fine && hp_buf_ok(b);
}

/* So that each file and rule is looked up at once. */
static enum hp_status
index_files(struct hp_validate_baseline *b, struct hp_error *err)
{
	const json_t *files = json_object_get(b->root, "files");
	struct hp_buf key = {0};
	bool fine;

	b->files = json_object();
	b->most = json_object();
	fine = b->files && b->most;
	for (size_t i = 0; i < json_array_size(files) && fine; i++) {
		json_t *file = json_array_get(files, i);
		const char *path = text_of(file, "path");

		if (path && !json_object_get(b->files, path))
			fine = json_object_set(b->files, path, file) == 0;
		fine = fine && index_rules(b->most, file, &key);
	}
	hp_buf_release(&key);
	return fine ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_validate_baseline_open(struct hp_validate_baseline **out, const char *path,
			  struct hp_error *err)
{
	struct hp_validate_baseline *b = calloc(1, sizeof(*b));
	enum hp_status st;
	const char *tool;

	*out = NULL;
	if (!b)
		return hp_no_memory(err);
	st = load_file(b, path, err);
	if (st != HP_OK) {
		free(b);
		return st;
	}
	*out = b;
	tool = text_of(b->root, "tool");
	if (!tool || strcmp(tool, "hprof-validate") != 0 ||
	    !json_is_array(json_object_get(b->root, "files")))
		return hp_fail(err, HP_DAMAGED,
			       "is not a JSON result of hprof-validate");
	if (json_integer_value(json_object_get(b->root, "schema")) != 1)
		return hp_fail(err, HP_UNSUPPORTED,
			       "is a result of another schema");
	return index_files(b, err);
}

void
hp_validate_baseline_close(struct hp_validate_baseline *b)
{
	if (!b)
		return;
	json_decref(b->files);
	json_decref(b->most);
	json_decref(b->root);
	free(b);
}

/* What the baseline has of a rule, by severity. */
struct known {
	const json_t *entries[HP_SEVERITY_COUNT];
	uint64_t count;
};

/* The entry of a rule and severity in a file of the baseline, or NULL. */
static const json_t *
find_entry(const json_t *file, const char *rule, const char *severity)
{
	const json_t *rules = json_object_get(file, "rules");

	for (size_t i = 0; i < json_array_size(rules); i++) {
		const json_t *e = json_array_get(rules, i);
		const char *id = text_of(e, "rule");
		const char *has = text_of(e, "severity");

		if (id && has && strcmp(id, rule) == 0 &&
		    strcmp(has, severity) == 0)
			return e;
	}
	return NULL;
}

/* The entry of a rule and severity that has most, of any file, or NULL. */
static const json_t *
find_most(const struct hp_validate_baseline *b, const char *rule,
	  const char *severity)
{
	struct hp_buf key = {0};
	const char *text = key_of(&key, rule, severity);
	const json_t *e = text ? json_object_get(b->most, text) : NULL;

	hp_buf_release(&key);
	return e;
}

/*
 * What the baseline has of a rule and severity: for the file if it is named,
 * else the most of any. Where the user says how bad the rule is, all
 * severities that it had are one.
 */
static struct known
find_known(const struct hp_validate_baseline *b, const json_t *file,
	   const struct hp_reported *r, bool any_severity)
{
	const char *rule = hp_rule_desc(r->rule)->id;
	struct known known = {0};

	for (unsigned s = 0; s < HP_SEVERITY_COUNT; s++) {
		const char *severity = hp_severity_name((enum hp_severity)s);

		if (!any_severity && s != (unsigned)r->severity)
			continue;
		known.entries[s] = file ? find_entry(file, rule, severity)
					: find_most(b, rule, severity);
		known.count += known_count(known.entries[s]);
	}
	return known;
}

/* The baseline's entry of a file; NULL: it has none. */
static const json_t *
find_file(const struct hp_validate_baseline *b, const char *path)
{
	struct hp_buf shown = {0};
	const json_t *file;

	hp_text_clean(&shown, path, strlen(path));
	file = json_object_get(b->files, hp_buf_string(&shown));
	if (!hp_buf_ok(&shown))
		file = b->root; /* has no rules: out of memory, none is known */
	hp_buf_release(&shown);
	return file;
}

/*
 * The length of a message without what it may say at its end of others like it,
 * ", and 3 more in this field": one that is known stays so if there are more.
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

/* Is the example one of the entry's, which may be NULL? */
static bool
has_example(const json_t *entry, const struct hp_example *e)
{
	const json_t *examples = json_object_get(entry, "examples");
	const size_t length = own_length(e->message);

	for (size_t i = 0; i < json_array_size(examples); i++) {
		const json_t *x = json_array_get(examples, i);
		const char *text = text_of(x, "message");

		if ((uint64_t)json_integer_value(
			    json_object_get(x, "offset")) == e->offset &&
		    text && own_length(text) == length &&
		    memcmp(text, e->message, length) == 0)
			return true;
	}
	return false;
}

static bool
is_known(const struct known *known, const struct hp_example *e)
{
	for (unsigned s = 0; s < HP_SEVERITY_COUNT; s++)
		if (has_example(known->entries[s], e))
			return true;
	return false;
}

/* Leave out what is known; examples that are not known stay. */
static void
drop_known(struct hp_reported *r, const struct known *known)
{
	size_t kept = 0;

	if (known->count == 0)
		return;
	free(r->places); /* which of them are known is not */
	r->places = NULL;
	r->count = r->count > known->count ? r->count - known->count : 0;
	for (size_t i = 0; i < r->nexamples; i++) {
		struct hp_example *e = &r->examples[i];

		if (r->count > kept && !is_known(known, e)) {
			/* the others may be known */
			e->message[own_length(e->message)] = '\0';
			r->examples[kept++] = *e;
			continue;
		}
		free(e->field);
		free(e->message);
	}
	r->nexamples = kept;
}

void
hp_validate_baseline_apply(const struct hp_validate_baseline *b,
			   const struct hp_validate_options *o,
			   struct hp_validation *v)
{
	const json_t *file = find_file(b, v->path);
	size_t kept = 0;

	for (size_t i = 0; i < v->nrules; i++) {
		struct hp_reported *r = &v->rules[i];
		const struct known known = find_known(
			b, file, r, o->severity[r->rule] != HP_SEVERITY_AS_IS);
		uint64_t before = r->count;

		drop_known(r, &known);
		v->known += before - r->count;
		if (r->count > 0) {
			v->rules[kept++] = *r;
			continue;
		}
		free(r->examples);
		free(r->places);
	}
	v->nrules = kept;
	hp_validation_sum(v);
}
