/*
 * fuzz_secrets.c - fuzz target: the search for secrets, and --strip-matching
 *
 * The target searches the bytes of the input as one text, and as a dump:
 *
 * - Every secret is inside the text, and the filter finds its first byte.
 * - One and two threads find the same secrets in the dump.
 * - After --strip-matching, an output of the same length has no secret. Each
 *   byte of the output is the byte of the input or zero.
 */
#include "common/secrets/find.h"
#include "common/secrets/secrets.h"
#include "convert/pipeline.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/*
 * The text that is searched, and the kind and the end of the previous secret.
 * If the next secret is of the same kind, it must not begin before this end.
 */
struct last {
	const uint8_t *data;
	size_t n, end;
	enum hp_secret_kind kind;
};

static bool
check_found(void *ctx, const struct hp_secret *s)
{
	struct last *last = ctx;

	HP_FUZZ_CHECK(s->kind < HP_SECRET_KINDS);
	HP_FUZZ_CHECK(s->at < s->end && s->end <= last->n);
	HP_FUZZ_CHECK(s->length > 0 && s->length <= s->end - s->at);
	HP_FUZZ_CHECK(s->at >= last->end || s->kind != last->kind);
	if (!(hp_secret_category(s->kind) & HP_SECRETS_PLAIN))
		HP_FUZZ_CHECK(hp_secret_candidate(last->data, last->n, s->at) ==
			      s->at);
	last->end = s->end;
	last->kind = s->kind;
	return true;
}

static void
search_text(const uint8_t *data, size_t n)
{
	struct last last = {.data = data, .n = n, .kind = HP_SECRET_KINDS};

	HP_FUZZ_CHECK(
		hp_secrets_each(data, n, HP_SECRETS_ALL, check_found, &last));
}

/* Search a dump for secrets. Returns whether the library can read the dump. */
static bool
search_dump(const uint8_t *data, size_t n, unsigned threads,
	    struct hp_secret_hits *hits)
{
	const struct hp_secret_search q = {.threads = threads,
					   .strings = true,
					   .categories = HP_SECRETS_ALL};
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	struct hp_error err = {0};
	enum hp_status st;

	*hits = (struct hp_secret_hits){0};
	if (!src)
		return false;
	st = hp_secrets_find(src, &q, hits, &err);
	HP_FUZZ_CHECK(st == HP_OK || err.text[0]);
	hp_source_close(src);
	return st == HP_OK;
}

static void
check_same(const struct hp_secret_hits *a, const struct hp_secret_hits *b)
{
	HP_FUZZ_CHECK(a->count == b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct hp_secret_hit *x = &a->list[i], *y = &b->list[i];

		HP_FUZZ_CHECK(x->offset == y->offset && x->kind == y->kind);
		HP_FUZZ_CHECK(x->array == y->array && x->in == y->in);
		HP_FUZZ_CHECK(x->length == y->length && x->length > 0);
		HP_FUZZ_CHECK(x->dump == y->dump && x->record == y->record);
	}
}

/*
 * Check the output of --strip-matching. @data: the input. It is NULL if the
 * output need not have the same length, because the input was compressed, or
 * text, or version 1.0.
 */
static void
check_stripped(const uint8_t *data, size_t n, struct hp_source *out)
{
	struct hp_secret_hits hits;
	uint8_t *stripped;
	size_t length;

	HP_FUZZ_CHECK(hp_fuzz_read_all(out, 65536, &stripped, &length) ==
		      HP_OK);
	HP_FUZZ_CHECK(search_dump(stripped, length, 1, &hits));
	HP_FUZZ_CHECK(hits.count == 0);
	hp_secret_hits_release(&hits);
	HP_FUZZ_CHECK(!data || length == n);
	for (size_t i = 0; data && i < n; i++)
		HP_FUZZ_CHECK(stripped[i] == data[i] || stripped[i] == 0 ||
			      stripped[i] == ' ');
	free(stripped);
}

static void
strip(const uint8_t *data, size_t n)
{
	const struct hp_source_options so = {0};
	struct hp_convert_options o = {
		.common = {.threads = 1, .memory = 1 << 30}};
	struct hp_pipeline p = {.options = &o};
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0), *back;
	struct hp_error err = {0};
	struct hp_sink *sink;
	enum hp_status st;
	bool same;

	if (!src)
		return;
	o.policy.matching = HP_SECRETS_ALL;
	HP_FUZZ_CHECK(hp_sink_open_temporary(&sink, &err) == HP_OK);
	st = hp_pipeline_run(&p, src, sink, &err);
	HP_FUZZ_CHECK(st == HP_OK || err.text[0]);
	/* the proof (convert/strip/proof.c) has found a secret or other bytes
	 */
	HP_FUZZ_CHECK(!strstr(err.text, "the check of the output failed"));
	HP_FUZZ_CHECK(!strstr(err.text, "the check failed"));
	if (st == HP_OK) {
		HP_FUZZ_CHECK(hp_sink_reopen(sink, &back, &so, &err) == HP_OK);
		same = hp_source_seekable(src) && !p.newer && !p.from_text;
		check_stripped(same ? data : NULL, n, back);
		hp_source_close(back);
	}
	hp_sink_abort(sink);
	hp_source_close(src);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	struct hp_secret_hits one, two;

	search_text(data, n);
	if (search_dump(data, n, 1, &one)) {
		HP_FUZZ_CHECK(search_dump(data, n, 2, &two));
		check_same(&one, &two);
		hp_secret_hits_release(&two);
	}
	hp_secret_hits_release(&one);
	strip(data, n);
	return 0;
}
