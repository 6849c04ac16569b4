/*
 * check.c - hprof_check_read(): run the rules of hprof-validate and keep the
 * result
 *
 * The result stays in memory until hprof_check_free(). The other functions only
 * convert parts of it to the public types.
 */
#include "lib/internal.h"

#include "validate/validate.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <string.h>

enum {
	/*
	 * number of examples to keep for each rule and severity, as in
	 * hprof-validate
	 */
	EXAMPLES = 5
};

struct hprof_check {
	struct hp_validation result;
	/*
	 * a copy of the path of the file, because `result` points to the path
	 */
	char *path;
};

static void
set_options(struct hp_validate_options *v, const struct hp_lib_options *o,
	    int level)
{
	*v = (struct hp_validate_options){
		.threads = hp_threads_within(o->threads, o->memory / 2,
					     HP_VALIDATE_FIXED,
					     HP_VALIDATE_FIXED_THREAD),
		.memory = o->memory,
		.max_size = o->max_size,
		.dump = o->dump,
		.level = (enum hp_level)level,
		.max_examples = EXAMPLES,
		.mapping = o->mapping};
	memset(v->severity, HP_SEVERITY_AS_IS, sizeof(v->severity));
}

static void
check_within_memory(hprof_check *c, const struct hp_validate_options *v)
{
	struct hp_memory run = {0}, *before;
	uint64_t apart;
	uint64_t limit = hp_validate_memory(v->memory, v->threads, &apart);

	if (!hp_memory_child(&run, limit)) {
		hp_no_memory(&c->result.error);
		c->result.verdict = HP_UNREADABLE;
		return;
	}
	run.apart = apart;
	before = hp_memory_enter(&run);
	hp_validate_file(c->path, v, &c->result);
	hp_memory_enter(before);
	hp_memory_join(&run);
}

int
hprof_check_read(const char *path, const struct hprof_options *options,
		 int level, hprof_check **out, struct hprof_error *error)
{
	struct hp_validate_options v;
	struct hp_lib_options o;
	struct hprof_check *c;
	bool valid =
		path && out && level >= HPROF_FRAMING && level <= HPROF_GRAPH;
	int status;

	status = hp_lib_begin(valid,
			      "path or out is NULL, or the level is invalid",
			      options, &o, error);
	if (status != HPROF_OK)
		return status;
	*out = NULL;
	c = hp_lib_new(sizeof(*c), error);
	if (!c)
		return HPROF_NO_MEMORY;
	c->path = hp_strdup(path);
	if (!c->path) {
		hp_free(c);
		return hp_lib_no_memory(error);
	}
	set_options(&v, &o, level);
	check_within_memory(c, &v);
	if (hp_validation_failed(&c->result) &&
	    c->result.error.status == HP_NOMEM) {
		/*
		 * The machine has a problem, such as too little memory. This is
		 * not a finding about the file, so the call fails.
		 */
		status = hp_lib_fail(error, &c->result.error);
		hprof_check_free(c);
		return status;
	}
	if (c->result.lacks_dump)
		hp_lib_fail_text(error, HPROF_NOT_FOUND, "%s",
				 c->result.error.text);
	else if (hp_validation_failed(&c->result))
		hp_lib_fail(error, &c->result.error);
	*out = c;
	return HPROF_OK;
}

void
hprof_check_free(hprof_check *c)
{
	if (!c)
		return;
	hp_validation_release(&c->result);
	hp_free(c->path);
	hp_free(c);
}

int
hprof_check_verdict(const hprof_check *c)
{
	switch (c->result.verdict) {
	case HP_VALID:
		return HPROF_VALID;
	case HP_INVALID:
		return HPROF_INVALID;
	default:
		return HPROF_UNREADABLE;
	}
}

/*
 * Convert a severity to enum hprof_severity, in which the severities have the
 * opposite order.
 */
static int
public_severity(enum hp_severity s)
{
	return s == HP_SEVERITY_ERROR	  ? HPROF_ERROR
	       : s == HP_SEVERITY_WARNING ? HPROF_WARNING
					  : HPROF_INFO;
}

uint64_t
hprof_check_total(const hprof_check *c, int severity)
{
	for (int s = 0; s < HP_SEVERITY_COUNT; s++)
		if (public_severity((enum hp_severity)s) == severity)
			return c->result.totals[s];
	return 0;
}

uint64_t
hprof_check_references(const hprof_check *c)
{
	return c->result.checked;
}

uint64_t
hprof_check_null(const hprof_check *c)
{
	return c->result.null;
}

uint64_t
hprof_check_dangling(const hprof_check *c)
{
	return c->result.dangling;
}

size_t
hprof_check_rows(const hprof_check *c)
{
	return c->result.nrules;
}

/* Returns row @i, or an empty row if there is none. */
static const struct hp_reported *
row_at(const hprof_check *c, size_t i)
{
	static const struct hp_reported none;

	return i < c->result.nrules ? &c->result.rules[i] : &none;
}

const char *
hprof_check_rule(const hprof_check *c, size_t i)
{
	return i < c->result.nrules ? hp_rule_desc(row_at(c, i)->rule)->id
				    : NULL;
}

int
hprof_check_severity(const hprof_check *c, size_t i)
{
	return public_severity(row_at(c, i)->severity);
}

uint64_t
hprof_check_count(const hprof_check *c, size_t i)
{
	return row_at(c, i)->count;
}

size_t
hprof_check_examples(const hprof_check *c, size_t i)
{
	return row_at(c, i)->nexamples;
}

uint64_t
hprof_check_example_offset(const hprof_check *c, size_t i, size_t k)
{
	const struct hp_reported *r = row_at(c, i);

	return k < r->nexamples ? r->examples[k].offset : 0;
}

const char *
hprof_check_example_text(const hprof_check *c, size_t i, size_t k)
{
	const struct hp_reported *r = row_at(c, i);

	return k < r->nexamples ? r->examples[k].message : NULL;
}

size_t
hprof_check_limits(const hprof_check *c)
{
	return c->result.nlimits;
}

const char *
hprof_check_limit(const hprof_check *c, size_t i)
{
	return i < c->result.nlimits ? c->result.limits[i] : NULL;
}
