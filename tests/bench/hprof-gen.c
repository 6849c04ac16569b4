/*
 * hprof-gen - write a valid dump of any size to standard output, without a JVM
 *
 * The program chooses a pattern of some thousand objects. The heap consists of
 * copies of this pattern, as many as the requested size needs, with different
 * values of the fields and elements in each copy. So the address of any object
 * is easy to compute, references can refer to any object, and the program needs
 * constant memory. The same options give the same bytes. --truth=FILE writes
 * the numbers of records, objects, references and so on. The program counts
 * them while it writes the dump.
 *
 * This is a test tool. It shares no code with the library. The dump builder in
 * tests/builder/ can also write damaged dumps.
 */
#include <errno.h>
#include <getopt.h>

#include "gen.h"

void
die(const char *what)
{
	fprintf(stderr, "hprof-gen: %s\n", what);
	exit(2);
}

/*
 * Returns the number of bytes that the function @emit would write. Nothing is
 * written, and the counters do not change.
 */
static uint64_t
measure(struct gen *g, void (*emit)(struct gen *))
{
	struct counts counts = g->counts;
	uint64_t written = g->written, n;

	flush(g);
	written = g->written;
	g->dry = true;
	emit(g);
	flush(g);
	g->dry = false;
	n = g->written - written;
	g->written = written;
	g->counts = counts;
	return n;
}

static void
header(struct gen *g)
{
	const char *version = "JAVA PROFILE 1.0.2";

	if (g->dialect == AGENT && !g->segmented)
		version = "JAVA PROFILE 1.0.1";
	if (g->dialect == ART)
		version = "JAVA PROFILE 1.0.3";
	memcpy(g->buf, version, 19);
	g->len = 19;
	put4(g, g->id_size);
	put8(g, 1700000000000); /* 14 November 2023, in milliseconds */
	if (g->dialect == AGENT) {
		record(g, 0x0e, 6);
		put4(g, 1);
		put2(g, FRAMES);
	}
}

/*
 * Write the heap as the HPROF agent does: as one HEAP DUMP record if it is
 * small enough, otherwise as segments.
 */
static void
agent_heap(struct gen *g)
{
	if (!g->segmented) {
		uint64_t n = measure(g, roots) + measure(g, thread_instance) +
			     measure(g, class_dumps) +
			     g->blocks * g->pattern_bytes +
			     slot_bytes(g, g->rest);
		record(g, 0x0c, (uint32_t)n);
	}
	flush(g);
	g->heap = true;
	roots(g);
	thread_instance(g);
	objects(g);
	class_dumps(g);
}

static void
heap(struct gen *g)
{
	if (g->dialect == AGENT) {
		agent_heap(g);
	} else {
		flush(g);
		g->heap = true;
		if (g->dialect == HOTSPOT)
			class_dumps(g);
		else
			roots(g);
		thread_instance(g);
		objects(g);
		archive_array(g);
		if (g->dialect == HOTSPOT)
			roots(g);
		else
			class_dumps(g);
	}
	flush(g);
	g->heap = false;
	if (g->segmented)
		record(g, 0x2c, 0);
	if (g->dialect == AGENT) {
		record(g, 0x0b, 4);
		put4(g, 200001);
	}
	flush(g);
}

static const struct {
	uint8_t tag;
	const char *name;
} RECORDS[] =
	{
		{0x01, "STRING"},
		{0x02, "LOAD_CLASS"},
		{0x04, "STACK_FRAME"},
		{0x05, "STACK_TRACE"},
		{0x0a, "START_THREAD"},
		{0x0b, "END_THREAD"},
		{0x0c, "HEAP_DUMP"},
		{0x0e, "CONTROL_SETTINGS"},
		{0x1c, "HEAP_DUMP_SEGMENT"},
		{0x2c, "HEAP_DUMP_END"},
},
  SUBRECORDS[] = {
	  {0x01, "ROOT_JNI_GLOBAL"},   {0x03, "ROOT_JAVA_FRAME"},
	  {0x05, "ROOT_STICKY_CLASS"}, {0x08, "ROOT_THREAD_OBJECT"},
	  {0x20, "CLASS_DUMP"},	       {0x21, "INSTANCE_DUMP"},
	  {0x22, "OBJECT_ARRAY_DUMP"}, {0x23, "PRIMITIVE_ARRAY_DUMP"},
	  {0xfe, "HEAP_DUMP_INFO"},
};

static void
truth_counts(FILE *f, const char *name, const uint64_t *counts, bool records)
{
	size_t n = records ? HP_COUNT(RECORDS) : HP_COUNT(SUBRECORDS);
	const char *comma = "";

	fprintf(f, ",\"%s\":{", name);
	for (size_t i = 0; i < n; i++) {
		uint8_t tag = records ? RECORDS[i].tag : SUBRECORDS[i].tag;
		if (!counts[tag])
			continue;
		fprintf(f, "%s\"%s\":%" PRIu64, comma,
			records ? RECORDS[i].name : SUBRECORDS[i].name,
			counts[tag]);
		comma = ",";
	}
	fputc('}', f);
}

static void
truth(const struct gen *g)
{
	FILE *f = fopen(g->truth, "w");
	const char *comma = "";

	if (!f) {
		perror(g->truth);
		exit(2);
	}
	fprintf(f, "{\"bytes\":%" PRIu64 ",\"id_size\":%u", g->written,
		g->id_size);
	truth_counts(f, "records", g->counts.records, true);
	truth_counts(f, "subrecords", g->counts.subrecords, false);
	fprintf(f,
		",\"references\":{\"checked\":%" PRIu64 ",\"null\":%" PRIu64
		",\"dangling\":%" PRIu64 "},\"histogram\":{",
		g->counts.references, g->counts.nulls, g->counts.dangling);
	for (int k = 0; k < KINDS; k++) {
		uint64_t n = g->counts.kinds[k];
		if (k == K_CLASS)
			n += g->counts.subrecords[0x20];
		if (!n)
			continue;
		fprintf(f, "%s\"%s\":%" PRIu64, comma, g->classes[k].java, n);
		comma = ",";
	}
	fputs("}}\n", f);
	if (fclose(f)) {
		perror(g->truth);
		exit(2);
	}
}

static const char USAGE[] =
	"Usage: hprof-gen [OPTION]... > FILE\n"
	"  --size=SIZE             about so large, e.g. 100g (default 64m)\n"
	"  --objects=N             so many objects instead\n"
	"  --reference-density=P   percent of objects that hold references "
	"(40)\n"
	"  --dialect=D             hotspot, agent or art (default hotspot)\n"
	"  --id-size=4|8           hotspot's; the others have 4 (default 8)\n"
	"  --segment-size=SIZE     largest segment (default 1m, agent 16m)\n"
	"  --seed=N                other contents (default 1)\n"
	"  --dangling=N            so many references name nothing\n"
	"  --archived=N            so many archived objects, not dumped, as "
	"with G1\n"
	"  --spread=N              addresses are N times as far apart (1)\n"
	"  --truth=FILE            write what is in the dump as JSON\n";

static uint64_t
number(const char *text, bool is_size)
{
	static const char UNITS[] = "kmgt";
	char *end;
	const char *unit;
	uint64_t v;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (end == text || *text == '-' || errno)
		die("not a number");
	if (!*end)
		return v;
	unit = strchr(UNITS, *end | 0x20);
	if (!is_size || !unit || end[1] || v >> 23)
		die("not a number, or too large");
	return v << (10 * (unit - UNITS + 1));
}

static void
set(struct gen *g, int option, const char *arg)
{
	switch (option) {
	case 's':
		g->size = number(arg, true);
		break;
	case 'o':
		g->objects = number(arg, false);
		break;
	case 'r':
		g->density = number(arg, false);
		break;
	case 'i':
		g->id_size = (unsigned)number(arg, false);
		break;
	case 'g':
		g->segment = number(arg, true);
		break;
	case 'e':
		g->seed = number(arg, false);
		break;
	case 'd':
		g->dangling = number(arg, false);
		break;
	case 'a':
		g->archived = number(arg, false);
		break;
	case 'p':
		g->spread = number(arg, false);
		break;
	case 't':
		g->truth = arg;
		break;
	case 'h':
		fputs(USAGE, stdout);
		exit(0);
	case 'D':
		if (strcmp(arg, "hotspot") == 0)
			g->dialect = HOTSPOT;
		else if (strcmp(arg, "agent") == 0)
			g->dialect = AGENT;
		else if (strcmp(arg, "art") == 0)
			g->dialect = ART;
		else
			die("the dialects are hotspot, agent and art");
		break;
	default:
		fputs(USAGE, stderr);
		exit(2);
	}
}

static void
options(struct gen *g, int argc, char **argv)
{
	static const struct option LONG[] = {
		{"size", 1, 0, 's'},
		{"objects", 1, 0, 'o'},
		{"reference-density", 1, 0, 'r'},
		{"dialect", 1, 0, 'D'},
		{"id-size", 1, 0, 'i'},
		{"segment-size", 1, 0, 'g'},
		{"seed", 1, 0, 'e'},
		{"dangling", 1, 0, 'd'},
		{"archived", 1, 0, 'a'},
		{"spread", 1, 0, 'p'},
		{"truth", 1, 0, 't'},
		{"help", 0, 0, 'h'},
		{0, 0, 0, 0},
	};
	int c;

	g->size = 64 << 20;
	g->density = 40;
	g->spread = 1;
	g->seed = 1;
	while ((c = getopt_long(argc, argv, "", LONG, NULL)) != -1)
		set(g, c, optarg);
	if (optind < argc)
		set(g, '?', NULL);
	if (!g->id_size)
		g->id_size = g->dialect == HOTSPOT ? 8 : 4;
	if (g->id_size != 4 && (g->id_size != 8 || g->dialect != HOTSPOT))
		die("ids have 4 bytes, or 8 with hotspot");
	if (g->archived && g->dialect != HOTSPOT)
		die("only HotSpot has archived objects");
	if (g->archived > 5000)
		die("at most 5000 archived objects");
	if (g->spread < 1 || g->spread > 1000)
		die("the spread is from 1 to 1000");
	if (g->density > 100)
		die("the reference density is in percent");
	if (!g->segment)
		g->segment = g->dialect == AGENT ? 16 << 20 : 1 << 20;
	if (g->segment > (uint64_t)1 << 30)
		die("segments are held in memory: 1g at most");
}

int
main(int argc, char **argv)
{
	static struct gen g;

	options(&g, argc, argv);
	layout_init(&g);
	g.segmented =
		g.dialect != AGENT || g.blocks * g.pattern_bytes > 1900000000;
	g.cap = (g.segment > 1 << 20 ? g.segment : 1 << 20) + SCRATCH;
	g.buf = malloc(g.cap);
	if (!g.buf)
		die("out of memory");
	header(&g);
	strings(&g);
	load_classes(&g);
	traces(&g);
	heap(&g);
	if (g.truth)
		truth(&g);
	free(g.buf);
	return 0;
}
