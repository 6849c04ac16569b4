/*
 * baseline.c - reads an earlier result with jansson and takes it out of new
 * ones
 */
#include "validate/baseline.h"

#include "common/base/buf.h"
#include "common/io/source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 << 20 }; /* bytes of a result */

struct hp_validate_baseline {
	json_t *root;
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
		st = hp_fail(err, HP_NOMEM, "out of memory");
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

enum hp_status
hp_validate_baseline_open(struct hp_validate_baseline **out, const char *path,
			  struct hp_error *err)
{
	struct hp_validate_baseline *b = calloc(1, sizeof(*b));
	enum hp_status st;
	const char *tool;

	*out = NULL;
	if (!b)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = load_file(b, path, err);
	if (st != HP_OK) {
		free(b);
		return st;
	}
	*out = b;
	tool = json_string_value(json_object_get(b->root, "tool"));
	if (!tool || strcmp(tool, "hprof-validate") != 0 ||
	    !json_is_array(json_object_get(b->root, "files")))
		return hp_fail(err, HP_DAMAGED,
			       "is not a JSON result of hprof-validate");
	if (json_integer_value(json_object_get(b->root, "schema")) != 1)
		return hp_fail(err, HP_UNSUPPORTED,
			       "is a result of another schema");
	return HP_OK;
}

void
hp_validate_baseline_close(struct hp_validate_baseline *b)
{
	if (!b)
		return;
	json_decref(b->root);
	free(b);
}

/* The entry of a rule and severity in a file of the baseline, or NULL. */
static const json_t *
find_entry(const json_t *file, const struct hp_reported *r)
{
	const json_t *rules = json_object_get(file, "rules");

	for (size_t i = 0; i < json_array_size(rules); i++) {
		const json_t *e = json_array_get(rules, i);
		const char *id = json_string_value(json_object_get(e, "rule"));
		const char *severity =
			json_string_value(json_object_get(e, "severity"));

		if (id && severity &&
		    strcmp(id, hp_rule_desc(r->rule)->id) == 0 &&
		    strcmp(severity, hp_severity_name(r->severity)) == 0)
			return e;
	}
	return NULL;
}

static uint64_t
known_count(const json_t *entry)
{
	json_int_t n = json_integer_value(json_object_get(entry, "count"));

	return n > 0 ? (uint64_t)n : 0;
}

/* What the baseline has of a rule: for the path, or the most of any file. */
static const json_t *
find_known(const struct hp_validate_baseline *b, const char *path,
	   const struct hp_reported *r)
{
	const json_t *files = json_object_get(b->root, "files"), *most = NULL;

	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *file = json_array_get(files, i);
		const char *name =
			json_string_value(json_object_get(file, "path"));
		const json_t *e = find_entry(file, r);

		if (name && strcmp(name, path) == 0)
			return e;
		if (!most || known_count(e) > known_count(most))
			most = e;
	}
	return most;
}

/* Is the example one of the baseline's? */
static bool
is_known(const json_t *entry, const struct hp_example *e)
{
	const json_t *examples = json_object_get(entry, "examples");

	for (size_t i = 0; i < json_array_size(examples); i++) {
		const json_t *x = json_array_get(examples, i);
		const char *text =
			json_string_value(json_object_get(x, "message"));

		if ((uint64_t)json_integer_value(
			    json_object_get(x, "offset")) == e->offset &&
		    text && strcmp(text, e->message) == 0)
			return true;
	}
	return false;
}

/* Leave out @known findings; examples that are not known stay. */
static void
drop_known(struct hp_reported *r, uint64_t known, const json_t *entry)
{
	size_t kept = 0;

	if (known > 0) { /* which of them are known is not */
		free(r->places);
		r->places = NULL;
	}
	r->count = r->count > known ? r->count - known : 0;
	for (size_t i = 0; i < r->nexamples; i++) {
		struct hp_example *e = &r->examples[i];

		if (r->count > kept && !is_known(entry, e)) {
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
			   struct hp_validation *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->nrules; i++) {
		struct hp_reported *r = &v->rules[i];
		const json_t *entry = find_known(b, v->path, r);
		uint64_t before = r->count;

		if (entry)
			drop_known(r, known_count(entry), entry);
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
