/*
 * fuzz_convert.c - fuzz target: copying and stripping with hprof-convert
 *
 * A copy must have the same bytes as its input, whether plain or compressed.
 * Every input that can be copied can also be stripped. Then the check of the
 * result (convert/strip/proof.h) succeeds, the length stays the same, and a
 * second strip changes nothing.
 */
#include "convert/copy/copy.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	uint8_t *data;
	size_t n;
};

static void
read_back(struct hp_sink *sink, struct bytes *out)
{
	const struct hp_source_options options = {0};
	struct hp_source *src = NULL;
	struct hp_error err = {0};

	HP_FUZZ_CHECK(hp_sink_reopen(sink, &src, &options, &err) == HP_OK);
	HP_FUZZ_CHECK(hp_fuzz_read_all(src, 65536, &out->data, &out->n) ==
		      HP_OK);
	hp_source_close(src);
}

static struct hp_sink *
sink_of(const struct hp_convert_options *o)
{
	const struct hp_sink_options options = {.compression = o->compression,
						.level = o->level,
						.force = true,
						.threads = 0};
	const char *folder = getenv("HP_FUZZ_TMP");
	struct hp_sink *sink = NULL;
	struct hp_error err = {0};
	char path[256];

	snprintf(path, sizeof(path), "%s/hp-fuzz-out",
		 folder ? folder : "/tmp");
	if (hp_sink_open(&sink, path, &options, &err) != HP_OK)
		hp_fuzz_violated(err.text, __FILE__, __LINE__);
	return sink;
}

static enum hp_status
convert(struct hp_source *src, const struct hp_convert_options *o,
	struct hp_copy_result *result, struct bytes *out)
{
	struct hp_sink *sink = sink_of(o);
	struct hp_error err = {0};
	enum hp_status st;

	*out = (struct bytes){0};
	st = o->raw ? hp_copy_bytes(src, sink, true, NULL, &err)
		    : hp_copy(src, sink, o, result, &err);
	HP_FUZZ_CHECK(st == HP_OK || err.text[0]);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED || st == HP_TRUNCATED ||
		      st == HP_LIMIT || st == HP_UNSUPPORTED);
	if (st == HP_OK)
		read_back(sink, out);
	hp_sink_abort(sink);
	return st;
}

static void
check_plain(const struct bytes *out, const uint8_t *data, size_t n)
{
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	struct bytes in = {0};

	HP_FUZZ_CHECK(hp_fuzz_read_all(src, 65536, &in.data, &in.n) == HP_OK);
	hp_source_close(src);
	HP_FUZZ_CHECK(in.n == out->n);
	HP_FUZZ_CHECK(memcmp(in.data, out->data, in.n) == 0);
	free(in.data);
}

/*
 * Strip the input twice; the second strip must change nothing. The library may
 * refuse an input that has records with unknown tags, because it cannot remove
 * values from them.
 */
static void
strip(const struct bytes *plain, struct hp_convert_options o, unsigned way)
{
	struct hp_copy_result once = {0}, twice = {0};
	struct bytes a, b;
	struct hp_source *src;
	enum hp_status st;

	o.policy.array_types = HP_POLICY_ALL_TYPES;
	o.policy.keep_first = way & 2 ? 3 : 0;
	src = hp_fuzz_source(plain->data, plain->n,
			     way & 1 ? HP_FUZZ_PIPE : HP_FUZZ_FILE, 0);
	st = convert(src, &o, &once, &a);
	hp_source_close(src);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED);
	if (st != HP_OK)
		return;
	HP_FUZZ_CHECK(a.n == plain->n);
	HP_FUZZ_CHECK(once.proved == once.stripped.bytes);
	src = hp_fuzz_source(a.data, a.n, HP_FUZZ_FILE, 0);
	HP_FUZZ_CHECK(convert(src, &o, &twice, &b) == HP_OK);
	hp_source_close(src);
	HP_FUZZ_CHECK(b.n == a.n && memcmp(a.data, b.data, a.n) == 0);
	HP_FUZZ_CHECK(twice.proved == once.proved);
	free(a.data);
	free(b.data);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	static const enum hp_compression ways[] = {
		HP_COMPRESSION_NONE, HP_COMPRESSION_ZSTD, HP_COMPRESSION_GZIP,
		HP_COMPRESSION_NONE};
	unsigned way = hp_fuzz_choice(data, n, 8);
	struct hp_convert_options o = {
		.common = {.threads = 1, .memory = 1 << 30}};
	struct hp_copy_result result;
	struct hp_source *src;
	struct bytes out = {0};

	o.compression = ways[way % 4];
	o.raw = way == 5 || way == 6;
	o.verify = way & 1;
	src = hp_fuzz_source(data, n, way & 4 ? HP_FUZZ_PIPE : HP_FUZZ_FILE, 0);
	if (src && convert(src, &o, &result, &out) == HP_OK) {
		check_plain(&out, data, n);
		if (!o.raw && out.n <= HP_FUZZ_MAX)
			strip(&out, o, way);
	}
	free(out.data);
	hp_source_close(src);
	return 0;
}
