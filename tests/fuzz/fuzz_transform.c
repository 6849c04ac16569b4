/*
 * fuzz_transform.c - fuzz target: conversions that change the dump or its
 * format
 *
 * The target checks the promises of each conversion:
 *
 * - A stripped dump is as valid and as long as its input. A second strip
 *   changes nothing.
 * - The result of --salvage is valid. With --null-dangling it has no dangling
 *   references.
 * - Text and NDJSON succeed for every valid dump. Every line of NDJSON is
 *   valid JSON, and no line of text contains a control byte.
 * - --standard, --heaps and --profile turn a valid dump into a valid dump.
 *   With --prune-classes no reference dangles.
 */
#include "common/format/format.h"
#include "convert/pipeline.h"
#include "tests/fuzz/fuzz.h"
#include "validate/validate.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bytes {
	uint8_t *data;
	size_t n;
};

static void
judge(const uint8_t *data, size_t n, struct hp_validation *out)
{
	struct hp_validate_options o = {.threads = 1,
					.memory = 64 << 20,
					.max_size = HP_FUZZ_UNPACKED,
					.level = HP_LEVEL_REFERENCES,
					.max_examples = 1};
	int fd = hp_fuzz_file(data, n);
	char path[32];

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_validate_file(path, &o, out);
	close(fd);
}

static uint64_t
reported(const struct hp_validation *v, enum hp_rule rule)
{
	uint64_t n = 0;

	for (size_t i = 0; i < v->nrules; i++) {
		if (v->rules[i].rule == rule)
			n += v->rules[i].count;
	}
	return n;
}

/*
 * Check that the conversion has caused no errors: if a rule reports no error in
 * the input, it must report none in the output. There is one exception: a
 * conversion to another version can make the dump look as if another program
 * had written it. A finding that was only a note can then be an error.
 */
static void
check_valid(const struct hp_validation *before, const struct bytes *out,
	    struct hp_validation *after)
{
	judge(out->data, out->n, after);
	if (before->verdict != HP_VALID || after->verdict == HP_VALID)
		return;
	HP_FUZZ_CHECK(strcmp(before->header, after->header) != 0);
	for (size_t i = 0; i < after->nrules; i++) {
		const struct hp_reported *r = &after->rules[i];

		HP_FUZZ_CHECK(r->severity != HP_SEVERITY_ERROR ||
			      r->count <= reported(before, r->rule));
	}
}

static enum hp_status
convert(const uint8_t *data, size_t n, enum hp_fuzz_kind kind,
	struct hp_pipeline *s, struct bytes *out)
{
	const struct hp_source_options so = {0};
	struct hp_source *src = hp_fuzz_source(data, n, kind, 0), *back;
	struct hp_error err = {0};
	struct hp_sink *sink;
	enum hp_status st;

	*out = (struct bytes){0};
	if (!src)
		return HP_LIMIT;
	HP_FUZZ_CHECK(hp_sink_open_temporary(&sink, &err) == HP_OK);
	st = hp_pipeline_run(s, src, sink, &err);
	HP_FUZZ_CHECK(st == HP_OK || err.text[0]);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED || st == HP_TRUNCATED ||
		      st == HP_LIMIT || st == HP_UNSUPPORTED);
	if (st == HP_OK) {
		HP_FUZZ_CHECK(hp_sink_reopen(sink, &back, &so, &err) == HP_OK);
		HP_FUZZ_CHECK(hp_fuzz_read_all(back, 65536, &out->data,
					       &out->n) == HP_OK);
		hp_source_close(back);
	}
	hp_sink_abort(sink);
	hp_source_close(src);
	return st;
}

static void
check_strip(struct hp_pipeline *s, const struct hp_validation *before,
	    const struct bytes *out)
{
	uint64_t proved = s->copy.proved;
	struct hp_validation after;
	struct bytes twice;

	HP_FUZZ_CHECK(out->n == before->bytes);
	HP_FUZZ_CHECK(proved == s->copy.stripped.bytes);
	check_valid(before, out, &after);
	HP_FUZZ_CHECK(after.totals[HP_SEVERITY_ERROR] ==
		      before->totals[HP_SEVERITY_ERROR]);
	HP_FUZZ_CHECK(after.checked == before->checked);
	HP_FUZZ_CHECK(after.null == before->null);
	HP_FUZZ_CHECK(after.dangling == before->dangling);
	hp_validation_release(&after);
	s->copy = (struct hp_copy_result){0};
	HP_FUZZ_CHECK(convert(out->data, out->n, HP_FUZZ_FILE, s, &twice) ==
		      HP_OK);
	HP_FUZZ_CHECK(twice.n == out->n);
	HP_FUZZ_CHECK(memcmp(twice.data, out->data, out->n) == 0);
	HP_FUZZ_CHECK(s->copy.proved == proved);
	free(twice.data);
}

static void
check_text(const struct bytes *out)
{
	for (size_t i = 0; i < out->n; i++) {
		uint8_t c = out->data[i];

		HP_FUZZ_CHECK(c >= ' ' || c == '\n' || c == '\t');
		HP_FUZZ_CHECK(c != 0x7F);
	}
	HP_FUZZ_CHECK(out->n == 0 || out->data[out->n - 1] == '\n');
}

static void
check_lines(const struct bytes *out)
{
	const char *at = (const char *)out->data;
	const char *end = at + out->n;
	json_error_t why;

	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		json_t *object;

		HP_FUZZ_CHECK(line != NULL);
		/*
		 * jansson has only signed integers, but a dump can contain
		 * larger unsigned ones
		 */
		object = json_loadb(at, (size_t)(line - at),
				    JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES |
					    JSON_DECODE_INT_AS_REAL,
				    &why);
		if (object) {
			HP_FUZZ_CHECK(json_is_object(object));
			HP_FUZZ_CHECK(json_object_get(object, "record"));
			json_decref(object);
		} else if (json_error_code(&why) !=
			   /*
			    * JSON allows a NUL character in a key, but jansson
			    * does not
			    */
			   json_error_null_byte_in_key) {
			hp_fuzz_violated(why.text, __FILE__, __LINE__);
		}
		at = line + 1;
	}
}

static void
check_standard(const struct hp_validation *after)
{
	HP_FUZZ_CHECK(strncmp(after->header, "JAVA PROFILE 1.0.3", 18) != 0);
	for (unsigned tag = 0x89; tag <= 0x90; tag++)
		HP_FUZZ_CHECK(after->subs[tag] == 0);
	HP_FUZZ_CHECK(after->subs[0xC3] == 0 && after->subs[0xFE] == 0);
}

static void
check_salvaged(const struct hp_validation *after)
{
	for (size_t i = 0; i < after->nrules; i++) {
		const struct hp_reported *r = &after->rules[i];

		if (r->severity == HP_SEVERITY_ERROR &&
		    r->rule != HP_RULE_INSTSIZE_FIELDS)
			hp_fuzz_violated(r->examples[0].message, __FILE__,
					 __LINE__);
	}
}

static void
check(struct hp_pipeline *s, const struct hp_validation *before,
      const struct bytes *out)
{
	const struct hp_convert_options *o = s->options;
	struct hp_validation after;

	if (hp_policy_strips(&o->policy)) {
		check_strip(s, before, out);
		return;
	}
	if (hp_convert_holds(o, HP_OUTPUT_AGENT_TEXT)) {
		check_text(out);
		return;
	}
	if (hp_convert_holds(o, HP_OUTPUT_JSON)) {
		check_lines(out);
		return;
	}
	check_valid(before, out, &after);
	if (o->salvage)
		check_salvaged(&after);
	if (o->null_dangling || (o->heaps && before->verdict == HP_VALID))
		HP_FUZZ_CHECK(after.dangling == 0);
	if (o->standard)
		check_standard(&after);
	if (o->profile)
		HP_FUZZ_CHECK(after.checked == before->checked &&
			      after.dangling == before->dangling);
	hp_validation_release(&after);
}

static void
choose(struct hp_convert_options *o, unsigned way)
{
	switch (way) {
	case 0:
		o->policy.field_types = HP_POLICY_ALL_TYPES;
		break;
	case 1:
		o->salvage = true;
		break;
	case 2:
		o->salvage = o->null_dangling = true;
		break;
	case 3:
		o->to = HP_TO_TEXT;
		break;
	case 4:
		o->to = HP_TO_NDJSON;
		break;
	case 5:
		o->standard = true;
		break;
	case 6:
		o->policy.strings = true;
		o->policy.array_types = o->policy.field_types =
			HP_POLICY_ALL_TYPES;
		break;
	case 7:
		o->heaps = "app";
		break;
	case 10:
		o->heaps = "app";
		o->prune = true;
		break;
	case 11:
		o->to = HP_TO_TEXT;
		o->strings = true;
		break;
	default:
		o->profile = way - 7;
	}
}

static bool
is_ancient(const struct hp_validation *in)
{
	return strcmp(in->header, "JAVA PROFILE 1.0") == 0;
}

/*
 * Whether the input has a record or sub-record that can be converted: any
 * sub-record, or a known record other than HEAP DUMP END, in a version that the
 * library can read.
 */
static bool
any_whole(const struct hp_validation *in)
{
	uint64_t n = 0;

	if (is_ancient(in))
		return false;

	for (unsigned tag = 0; tag < 256; tag++) {
		const struct hp_record_desc *d = hp_record_desc((uint8_t)tag);

		if (d && tag != HP_REC_HEAP_DUMP_END &&
		    d->ending != HP_ENDS_HEAP && d->ending != HP_ENDS_OPAQUE)
			n += in->records[tag];
		n += in->subs[tag];
	}
	return n > 0;
}

/*
 * Whether a heap of the file may be empty: the file has no sub-records, or it
 * has several dumps.
 */
static bool
may_be_empty(const struct hp_validation *in)
{
	uint64_t n = 0;

	for (unsigned tag = 0; tag < 256; tag++)
		n += in->subs[tag];
	return n == 0 || in->dumps > 1;
}

static bool
may_refuse(const struct hp_convert_options *o, const struct hp_validation *in)
{
	/*
	 * the conversion fails if the file has no heap, or if the class of an
	 * instance is missing
	 */
	if (o->heaps || o->policy.field_types)
		return true;
	if (o->profile == 1 && may_be_empty(in))
		return true;
	return o->profile && strncmp(in->header, "JAVA PROFILE 1.0.3", 18) == 0;
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	unsigned way = hp_fuzz_choice(data, n, 12);
	struct hp_convert_options o = {
		.common = {.threads = 1, .memory = 1 << 30}};
	struct hp_pipeline s = {.options = &o};
	struct hp_validation before;
	struct bytes out;
	enum hp_status st;

	choose(&o, way);
	judge(data, n, &before);
	/*
	 * The conversions promise nothing for invalid dumps, dumps without a
	 * known record, and texts of the HPROF agent, which fuzz_text.c tests.
	 */
	if (before.text || (before.verdict == HP_VALID && !any_whole(&before)))
		before.verdict = HP_INVALID;
	st = convert(data, n, n & 1 ? HP_FUZZ_PIPE : HP_FUZZ_FILE, &s, &out);
	if (st == HP_OK && before.verdict != HP_UNREADABLE &&
	    !is_ancient(&before))
		check(&s, &before, &out);
	if (before.verdict == HP_VALID && !may_refuse(&o, &before))
		HP_FUZZ_CHECK(st == HP_OK || st == HP_LIMIT);
	free(out.data);
	hp_validation_release(&before);
	return 0;
}
