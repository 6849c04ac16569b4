/*
 * paths.c - the command lines and inputs that fault.c uses
 *
 * The command lines cover every kind of output and every conversion at least
 * once. They read files, pipes and compressed inputs. Standard input is the
 * file "in".
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
	{.words = {OFF, "--threads=1", "text"}},
	{.words = {OFF, "--format=json", "--threads=2", "text.gz"}},
	{.words = {OFF, "--secrets=all", "in"}},
};

/*
 * Without --quick, a table also shows results of the object graph. If memory
 * runs out, the program omits these results: the table differs, but the run has
 * not failed.
 */
static const struct fault_way diff_ways[] = {
	{.words = {OFF, "--quick", "in"}},
	{.words = {OFF, "--quick", "in", "grown"}},
	{.words = {"--format=json", "--threads=2", "-o", "out", "in",
		   "grown.gz"}},
	{.words = {OFF, "--format=csv", "-o", "out", "in", "grown"}},
	{.words = {OFF, "--format=ndjson", "in.zst", "grown"}},
	{.words = {OFF, "--quick", "--format=html", "--force", "-o", "out",
		   "in", "grown"},
	 .old = true},
	{.words = {OFF, "--by=site", "--format=folded", "in", "grown"}},
	{.words = {OFF, "--retained", "--format=html", "agent"}},
	/*
	 * this command computes a graph of each dump; if it fails for one dump,
	 * it continues with the others
	 */
	{.words = {OFF, "--retained", "--threads=1", "--format=json", "in",
		   "grown"}},
	{.words = {OFF, "--retained", "--threads=2", "--format=html", "in",
		   "grown"}},
	{.words = {OFF, "--by=path", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--by=holder", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--by=dominator", "--threads=1", "in", "grown"}},
	{.words = {OFF, "--quick", "--by=package", "-"}},
	{.words = {OFF, "--estimate", "in"}},
	{.words = {OFF, "--quick", "--by=loader", "in"}},
	{.words = {OFF, "--quick", "--by=heap", "art"}},
	{.words = {OFF, "--by=cpu", "--format=json", "agent"}},
	{.code = 1,
	 .words = {OFF, "--quick", "--fail-if=total growth-count>0", "in",
		   "grown"}},
	{.words = {OFF, "--quick", "--partial", "cut"}},
	{.code = 2, .words = {OFF, "--format=tsv", "in", "cut", "art"}},
	{.words = {OFF, "--retained", "--threads=1", "text"}},
	{.words = {OFF, "--by=monitor", "--threads=2", "text.gz"}},
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
	{.words = {OFF, "--strip-matching=secrets,all", "in", "out"}},
	{.words = {OFF, "--strip-matching=secrets", "-"}},
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
	{.words = {OFF, "--threads=1", "--verify", "text", "out"}},
	{.words = {OFF, "--threads=2", "--compress=zstd", "text.gz", "out"}},
	{.words = {OFF, "--to=text", "text"}},
	{.words = {OFF, "--to=tables", "--threads=1", "text", "out"}},
	{.words = {OFF, "--to=pack", "--strip-arrays", "text", "out"}},
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

/* a file in the text format of the HPROF agent, with every kind of section */
static const char text[] =
	"JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\n--------\n\n"
	"THREAD START (obj=50000001, id = 200001, name=\"m\", group=\"g\")\n"
	"WAIT: MONITOR LA;, timeout=0, thread 200001\n"
	"TRACE 1:\n"
	"\t<empty>\n"
	"TRACE 2: (thread=200001)\n"
	"\ta.B.m(B.java:1)\n"
	"\ta.B.n(B.java:Unknown line)\n"
	"MONITOR DUMP BEGIN\n"
	"    THREAD 200001, trace 1, status: R\n"
	"MONITOR DUMP END\n"
	"MONITOR TIME BEGIN (total = 7 ms) Fri Nov 20 22:29:10 2026\n"
	"   1 100.00% 100.00%       3     1 a.B (Java)\n"
	"MONITOR TIME END\n"
	"HEAP DUMP BEGIN (4 objects, 112 bytes) Fri Nov 20 22:29:10 2026\n"
	"ROOT 50000001 (kind=<thread>, id=200001, trace=1)\n"
	"ROOT 50000010 (kind=<JNI global ref>, id=1, trace=1)\n"
	"OBJ 50000001 (sz=40, trace=2, class=a.D@50000011)\n"
	"\ta\t\t50000002\n"
	"\tb\t\t50000003\n"
	"OBJ 50000002 (sz=24, trace=2, class=a.B@50000010)\n"
	"\tb\t\t50000001\n"
	"ARR 50000003 (sz=28, trace=2, nelems=3, elem type=a.B[]@50000012)\n"
	"\t[1]\t\t50000002\n"
	"ARR 50000004 (sz=20, trace=2, nelems=4, elem type=byte[])\n"
	"CLS 50000009 (name=java.lang.Object, trace=1)\n"
	"CLS 50000010 (name=a.B, trace=1)\n"
	"\tsuper\t\t50000009\n"
	"\tstatic s\t50000004\n"
	"\tconstant pool entry 3\t50000002\n"
	"CLS 50000011 (name=a.D, trace=1)\n"
	"\tsuper\t\t50000010\n"
	"CLS 50000012 (name=a.B[], trace=1)\n"
	"\tsuper\t\t50000009\n"
	"HEAP DUMP END\n"
	"SITES BEGIN (ordered by live bytes) Fri Nov 20 22:29:10 2026\n"
	"    1 100.00% 100.00%       100    1       100     1     2 a.B\n"
	"SITES END\n"
	"CPU SAMPLES BEGIN (total = 2) Fri Nov 20 22:29:10 2026\n"
	"   1 100.00% 100.00%       2     2 a.B.m\n"
	"CPU SAMPLES END\n"
	"THREAD END (id = 200001)\n";

static const struct {
	/*
	 * name of the file, and name of the fixture that it contains; a NULL
	 * fixture: the file contains the text above
	 */
	const char *name, *fixture;
	/*
	 * compression of the file: g for gzip, z for zstd, c for truncated
	 * gzip; otherwise none
	 */
	char packed;
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
	{"text", NULL, 0},
	{"text.gz", NULL, 'g'},
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

static void
build_input(const char *fixture, struct b *b)
{
	const struct b_fixture *f = fixture ? b_fixture_find(fixture) : NULL;

	if (!fixture) {
		b_bytes(b, text, sizeof(text) - 1);
	} else if (f) {
		b_fixture_build(f, b, 0);
	} else {
		fprintf(stderr, "no fixture %s\n", fixture);
		exit(2);
	}
}

void
fault_inputs(void)
{
	for (size_t i = 0; i < INPUTS; i++) {
		struct b b = {0};

		build_input(inputs[i].fixture, &b);
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
