/*
 * paths.c - how the programs are called for fault.c, and on what
 *
 * Every kind of output and every conversion at least once, from files, pipes
 * and compressed inputs; standard input is "in".
 */
#include "tests/fault/paths.h"
#include "tests/sweep/turns.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define OFF "--sandbox=off"

static const struct fault_way validate_ways[] = {
	{.words = {OFF, "in"}},
	{.words = {OFF, "--format=json", "in"}},
	{.words = {"--format=json", "--threads=2", "-o", "out", "in.gz"},
	 .report = "\"verdict\": \"unreadable\""},
	{.words = {OFF, "--format=sarif", "--output=out", "in.zst"},
	 .report = "\"executionSuccessful\": false"},
	{.words = {OFF, "--format=junit", "--output=out", "in", "art"},
	 .report = "<error "},
	{.code = 1, .words = {OFF, "--format=github", "cut"}},
	{.words = {OFF, "--level=graph", "--threads=2", "-"}, .limits = true},
	{.words = {OFF, "--level=graph", "in.gz"}, .limits = true},
	{.words = {OFF, "--level=framing", "--force", "--sync", "-o", "out",
		   "in"},
	 .old = true,
	 .report = ": unreadable"},
	{.code = 1, .words = {OFF, "--format=json", "cut.gz"}},
	{.code = 1, .words = {OFF, "--format=rows", "in", "cut", "art"}},
	{.code = 1, .words = {OFF, "--format=html", "in", "cut"}},
	{.code = 1, .words = {OFF, "cycle"}},
};

static const struct fault_way diff_ways[] = {
	{.words = {OFF, "in"}},
	{.words = {OFF, "in", "grown"}},
	{.words = {"--format=json", "--threads=2", "-o", "out", "in",
		   "grown.gz"}},
	{.words = {OFF, "--format=csv", "-o", "out", "in", "grown"}},
	{.words = {OFF, "--format=ndjson", "in.zst", "grown"}},
	{.words = {OFF, "--format=html", "--force", "-o", "out", "in", "grown"},
	 .old = true},
	{.words = {OFF, "--by=site", "--format=folded", "in", "grown"}},
	{.words = {OFF, "--retained", "--format=html", "agent"}},
	/* a graph of each, where a dump that failed does not end the run */
	{.words = {OFF, "--retained", "--threads=1", "--format=json", "in",
		   "grown"}},
	{.words = {OFF, "--retained", "--threads=2", "--format=html", "in",
		   "grown"}},
	{.words = {OFF, "--by=path", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--by=holder", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--by=dominator", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--by=package", "-"}},
	{.words = {OFF, "--by=loader", "in"}},
	{.words = {OFF, "--by=heap", "art"}},
	{.words = {OFF, "--by=cpu", "--format=json", "agent"}},
	{.code = 1,
	 .words = {OFF, "--fail-if=total growth-count>0", "in", "grown"}},
	{.words = {OFF, "--partial", "cut"}},
	{.code = 2, .words = {OFF, "--format=tsv", "in", "cut", "art"}},
};

static const struct fault_way convert_ways[] = {
	{.words = {OFF, "in", "out"}},
	{.words = {"--threads=2", "--compress=zstd", "--verify", "in", "out"}},
	{.words = {OFF, "--compress=gzip", "--sync", "in.zst", "out"}},
	{.words = {OFF, "--force", "in.gz", "out"}, .old = true},
	{.words = {OFF, "in", "out"}, .named = true},
	{.words = {OFF, "--force", "in", "out"}, .old = true, .named = true},
	{.words = {OFF, "in"}},
	{.words = {OFF, "--strip-arrays", "in", "out"}},
	{.words = {OFF, "--shape-only", "-", "out"}},
	{.words = {OFF, "--shape-only", "--threads=2", "in"}},
	{.words = {OFF, "--to=text", "in", "out"}},
	{.words = {OFF, "--to=text", "--strings", "in", "out"}},
	{.words = {OFF, "--to=text", "--strings", "in.gz"}},
	{.words = {OFF, "--to=ndjson", "in", "out"}},
	{.words = {OFF, "--to=ndjson", "in.gz"}},
	{.words = {OFF, "--to=ndjson", "--graph", "in", "out"}},
	{.words = {OFF, "--to=tables", "in", "out"}},
	{.words = {OFF, "--to=tables", "--threads=2", "--sync", "in.gz",
		   "out"}},
	{.words = {OFF, "--to=tables", "in"}},
	{.words = {OFF, "--salvage", "cut", "out"}},
	{.words = {OFF, "--salvage", "--null-dangling", "cut", "out"}},
	{.words = {OFF, "--standard", "art", "out"}},
	{.words = {OFF, "--heaps=app", "art", "out"}},
	{.words = {OFF, "--heaps=app", "--prune-classes", "uses", "out"}},
	{.words = {OFF, "--to=ndjson", "ancient", "out"}},
	{.words = {OFF, "--profile=1.0.1", "in", "out"}},
	{.words = {OFF, "--profile=1.0.2", "-", "out"}},
	{.words = {OFF, "--raw", "--compress=zstd", "in", "out"}},
	{.code = 1, .words = {OFF, "cut", "out"}},
};

const struct fault_way *
fault_ways(const char *program, size_t *n)
{
	if (strcmp(program, "validate") == 0) {
		*n = sizeof(validate_ways) / sizeof(validate_ways[0]);
		return validate_ways;
	}
	if (strcmp(program, "diff") == 0) {
		*n = sizeof(diff_ways) / sizeof(diff_ways[0]);
		return diff_ways;
	}
	*n = sizeof(convert_ways) / sizeof(convert_ways[0]);
	return convert_ways;
}

/* name, fixture, how it is packed */
static const struct {
	const char *name, *fixture;
	char packed; /* g, z, or c: g cut short */
} inputs[] = {
	{"in", "leak-before", 0},
	{"in.gz", "leak-before", 'g'},
	{"in.zst", "leak-before", 'z'},
	{"grown", "leak-after", 0},
	{"grown.gz", "leak-after", 'g'},
	{"art", "art", 0},
	{"agent", "agent", 0},
	{"cut", "cut-array", 0},
	{"cut.gz", "leak-before", 'c'},
	{"cycle", "super-cycle", 0},
	{"uses", "uses", 0},
	{"ancient", "ancient", 0},
};

enum { INPUTS = sizeof(inputs) / sizeof(inputs[0]) };

static void
save_packed(const char *name, const struct b *b, char packed)
{
	size_t room = ZSTD_compressBound(b->len) + 1000, n;
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	void *to = malloc(room);

	if (!c || !to) {
		perror("compress");
		exit(2);
	}
	n = packed == 'z'
		    ? ZSTD_compress(to, room, b->data, b->len, 1)
		    : libdeflate_gzip_compress(c, b->data, b->len, to, room);
	turn_save(name, to, packed == 'c' ? n / 2 : n);
	libdeflate_free_compressor(c);
	free(to);
}

void
fault_inputs(void)
{
	for (size_t i = 0; i < INPUTS; i++) {
		const struct b_fixture *f = b_fixture_find(inputs[i].fixture);
		struct b b;

		if (!f) {
			fprintf(stderr, "no fixture %s\n", inputs[i].fixture);
			exit(2);
		}
		b_fixture_build(f, &b, 0);
		if (inputs[i].packed)
			save_packed(inputs[i].name, &b, inputs[i].packed);
		else
			turn_save(inputs[i].name, b.data, b.len);
		b_release(&b);
	}
}

void
fault_remove_inputs(void)
{
	for (size_t i = 0; i < INPUTS; i++)
		unlink(inputs[i].name);
}

bool
fault_is_input(const char *name)
{
	for (size_t i = 0; i < INPUTS; i++) {
		if (strcmp(name, inputs[i].name) == 0)
			return true;
	}
	return false;
}
