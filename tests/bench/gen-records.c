/*
 * gen-records.c - write bytes, and the records outside the heap
 */
#include <errno.h>
#include <unistd.h>

#include "gen.h"

static void
write_all(struct gen *g, const uint8_t *p, size_t n)
{
	g->written += n;
	while (n && !g->dry) {
		ssize_t w = write(STDOUT_FILENO, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0) {
			perror("hprof-gen: standard output");
			exit(2);
		}
		p += w;
		n -= (size_t)w;
	}
}

void
flush(struct gen *g)
{
	if (g->segmented && g->heap && g->len) {
		uint32_t be = __builtin_bswap32((uint32_t)g->len - 9);
		memcpy(g->buf + 5, &be, 4);
		g->counts.records[0x1c]++;
	}
	write_all(g, g->buf, g->len);
	g->len = 0;
	g->in_segment = 0;
}

void
record(struct gen *g, unsigned tag, uint32_t length)
{
	if (g->len + 9 + length > g->cap)
		flush(g);
	g->counts.records[tag]++;
	put1(g, tag);
	put4(g, 0);
	put4(g, length);
}

void
sub(struct gen *g, unsigned tag, size_t n)
{
	bool full = g->len + n > g->segment;

	if (g->dialect == ART)
		full = g->in_segment >= 128 || g->len > 4096;
	else if (!g->segmented)
		full = g->len + n > g->cap;
	if (full && g->len)
		flush(g);
	if (g->segmented && !g->len) {
		put1(g, 0x1c);
		put8(g, 0);
		if (g->dialect == ART) {
			g->counts.subrecords[0xfe]++;
			put1(g, 0xfe);
			put4(g, 'A');
			put_id(g, 0x400000);
		}
	}
	g->in_segment++;
	g->counts.subrecords[tag]++;
	put1(g, tag);
}

static const char *
file_name(const struct gen *g, int kind)
{
	const struct class *c = &g->classes[kind];

	return g->dialect == HOTSPOT ? c->name : c->java;
}

static void
string(struct gen *g, unsigned i, const char *text)
{
	size_t n = strlen(text);

	record(g, 0x01, (uint32_t)(g->id_size + n));
	put_id(g, string_id(g, i));
	memcpy(g->buf + g->len, text, n);
	g->len += n;
}

void
strings(struct gen *g)
{
	static const char *const FIXED[] = {
		"app",	  "ALL", "count",    "flag", "$classOverhead",
		"insert", "()V", "Gen.java", "main",
	};

	for (unsigned i = 0; i < HP_COUNT(FIXED); i++)
		string(g, i, FIXED[i]);
	for (int k = 0; k < KINDS; k++) {
		string(g, S_CLASS + (unsigned)k, file_name(g, k));
		for (unsigned i = 0; g->classes[k].fields[i]; i++)
			string(g, S_FIELD(k, i), g->classes[k].names[i]);
	}
}

void
load_classes(struct gen *g)
{
	for (int k = 0; k < KINDS; k++) {
		record(g, 0x02, 8 + 2 * g->id_size);
		put4(g, class_serial(g, k));
		put_id(g, class_id(g, k));
		put4(g, g->dialect == AGENT ? 300000 : object_trace(g, 0));
		put_id(g, string_id(g, S_CLASS + (unsigned)k));
	}
}

static void
frame(struct gen *g, uint64_t id, uint32_t line)
{
	record(g, 0x04, 8 + 4 * g->id_size);
	put_id(g, id);
	put_id(g, string_id(g, S_METHOD));
	put_id(g, string_id(g, S_SIGNATURE));
	put_id(g, string_id(g, S_SOURCE));
	put4(g, class_serial(g, K_BASE));
	put4(g, line);
}

static void
trace(struct gen *g, uint32_t serial, uint32_t thread, unsigned frames,
      uint64_t first)
{
	for (unsigned i = 0; i < frames; i++)
		frame(g, first + i, 10 * (i + 1) + serial % 1000);
	record(g, 0x05, 12 + frames * g->id_size);
	put4(g, serial);
	put4(g, thread);
	put4(g, frames);
	for (unsigned i = 0; i < frames; i++)
		put_id(g, first + i);
}

/* Write the threads and stack traces in the style of the imitated JVM. */
void
traces(struct gen *g)
{
	if (g->dialect == AGENT) {
		record(g, 0x0a, 8 + 4 * g->id_size);
		put4(g, 200001);
		put_id(g, thread_id(g));
		put4(g, 300000);
		for (int i = 0; i < 3; i++)
			put_id(g, string_id(g, S_THREAD));
		trace(g, 300000, 0, 0, 0);
		for (unsigned i = 0; i < TRACES; i++)
			trace(g, 300001 + i, 0, FRAMES,
			      0x70000001u + FRAMES * i);
	} else if (g->dialect == ART) {
		trace(g, 0, 0, 0, 0);
	} else {
		trace(g, 1, 0, 0, 0);
		trace(g, 2, 1, FRAMES, 1);
	}
}
