/*
 * test_text.c - tests of reading the text format of the HPROF agent: lines,
 * values, and the records that are made from them
 */
#include "common/base/buf.h"
#include "common/text/lines/parse.h"
#include "common/text/text.h"
#include "common/text/internal.h"
#include "common/text/lines/spool.h"
#include "tests/unit/must.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_text_suite(void);

/* ---- a text in memory that is returned in pieces ---- */

struct memory {
	const char *text;
	size_t length, at;
};

static enum hp_status
read_memory(void *ctx, void *buf, size_t n, size_t *got, struct hp_error *err)
{
	struct memory *m = ctx;
	size_t left = m->length - m->at;

	*got = n < left ? n : left;
	memcpy(buf, m->text + m->at, *got);
	m->at += *got;
	return HP_OK;
}

/* ---- read lines ---- */

START_TEST(lines)
{
	static const char text[] = "one\n\nthree\0x\nlast";
	struct memory m = {text, sizeof(text) - 1, 0};
	const struct hp_text_blocks_options o = {.read = read_memory,
						 .ctx = &m};
	struct hp_text_lines l;
	struct hp_text_line line;

	must(hp_text_lines_init(&l, &o, NULL) == HP_OK);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 3 && line.number == 1 && line.offset == 0);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 0 && line.number == 2 && line.offset == 4);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 7 && memcmp(line.text, "three\0x", 7) == 0);
	hp_text_lines_split(&l, &line, 5);
	must(line.length == 5 && !line.ended);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 2 && line.offset == 10 && line.number == 3);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 4 && !line.ended && line.number == 4);
	must(hp_text_lines_next(&l, &line, NULL) == HP_EOF);
	hp_text_lines_release(&l);
}
END_TEST

static void
check_long(size_t length)
{
	char *text = malloc(length + 16);
	struct memory m = {text, length + 4, 0};
	const struct hp_text_blocks_options o = {.read = read_memory,
						 .ctx = &m};
	struct hp_text_lines l;
	struct hp_text_line line;

	memset(text, 'x', length + 4);
	memcpy(text, "a\n", 2);
	memcpy(text + length + 2, "\nb", 2);
	must(hp_text_lines_init(&l, &o, NULL) == HP_OK);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.longer == (length > HP_TEXT_LINE_MOST));
	must(line.length == (line.longer ? HP_TEXT_LINE_MOST : length));
	must(hp_text_lines_next(&l, &line, NULL) == HP_OK);
	must(line.length == 1 && line.text[0] == 'b' && line.number == 3);
	must(line.offset == length + 3);
	must(hp_text_lines_next(&l, &line, NULL) == HP_EOF);
	hp_text_lines_release(&l);
	free(text);
}

START_TEST(long_lines)
{
	static const size_t lengths[] = {1,
					 1023,
					 HP_TEXT_LINE_MOST,
					 HP_TEXT_LINE_MOST + 1,
					 (1 << 20) - 2,
					 (1 << 20) - 1,
					 1 << 20,
					 (1 << 20) + 1,
					 3 << 20};

	for (size_t i = 0; i < HP_ARRAY_LEN(lengths); i++)
		check_long(lengths[i]);
}
END_TEST

/* ---- parse a single line ---- */

static struct hp_text_item
parsed(const char *line, enum hp_text_within within, enum hp_text_kind kind)
{
	struct hp_text_item i;

	ck_assert_msg(hp_text_parse(line, strlen(line), within, &i) == kind,
		      "kind %d of: %s", i.kind, line);
	return i;
}

static bool
word_is(struct hp_slice w, const char *text)
{
	return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

START_TEST(threads_and_traces)
{
	struct hp_text_item i;

	i = parsed("THREAD START (obj=50000174, id = 200002, name=\"a\", "
		   "group=\"b\", group=\"system\")",
		   HP_WITHIN_NOTHING, HP_TEXT_THREAD_START);
	must(i.id == 0x50000174 && i.serial == 200002);
	must(word_is(i.name, "a\", group=\"b") && word_is(i.method, "system"));
	i = parsed("THREAD END (id = 7)", HP_WITHIN_NOTHING,
		   HP_TEXT_THREAD_END);
	must(i.serial == 7);
	i = parsed("TRACE 300001: (thread=200001) (from start phase of JVM)",
		   HP_WITHIN_NOTHING, HP_TEXT_TRACE);
	must(i.trace == 300001 && i.serial == 200001);
	parsed("TRACE 4294967296:", HP_WITHIN_NOTHING, HP_TEXT_OTHER);
	i = parsed("\ta.b.C.<init>(C.java:12)", HP_WITHIN_TRACE, HP_TEXT_FRAME);
	must(word_is(i.name, "a.b.C") && word_is(i.method, "<init>"));
	must(word_is(i.source, "C.java") && i.line == 12);
	i = parsed("\tC.m(<Unknown Source>:Unknown line)", HP_WITHIN_TRACE,
		   HP_TEXT_FRAME);
	must(i.line == -1 && word_is(i.source, "<Unknown Source>"));
	must(parsed("\tC.m(f:Native method)", HP_WITHIN_TRACE, HP_TEXT_FRAME)
		     .line == -3);
	parsed("\t<empty>", HP_WITHIN_TRACE, HP_TEXT_NO_FRAME);
	parsed("\tC.m(f:12", HP_WITHIN_TRACE, HP_TEXT_OTHER);
	parsed("\tC.m(f:12)", HP_WITHIN_NOTHING, HP_TEXT_OTHER);
}
END_TEST

START_TEST(heap_lines)
{
	struct hp_text_item i;

	i = parsed("HEAP DUMP BEGIN (5315 objects, 483792 bytes) Fri Nov 20 "
		   "22:29:09 2026",
		   HP_WITHIN_NOTHING, HP_TEXT_HEAP_BEGIN);
	must(i.count == 5315 && i.size == 483792);
	must(i.time_ms == UINT64_C(1795213749000));
	/* a leap second (60) is valid, but not 61 */
	must(hp_text_time_ms("Fri Nov 20 22:29:60 2026", 24) ==
	     UINT64_C(1795213800000));
	must(hp_text_time_ms("Fri Nov 20 22:29:61 2026", 24) == 0);
	i = parsed("ROOT ff (kind=<JNI global ref>, id=1a, trace=3)",
		   HP_WITHIN_HEAP, HP_TEXT_ROOT);
	must(i.count == HP_TEXT_ROOT_JNI_GLOBAL && i.other == 0x1a);
	i = parsed("ROOT 1 (kind=<Java stack>, thread=9, frame=-1)",
		   HP_WITHIN_HEAP, HP_TEXT_ROOT);
	must(i.serial == 9 && i.line == -1);
	i = parsed("ROOT 2 (kind=<system class>, name=a.B)", HP_WITHIN_HEAP,
		   HP_TEXT_ROOT);
	must(word_is(i.name, "a.B"));
	parsed("ROOT 2 (kind=<odd>)", HP_WITHIN_HEAP, HP_TEXT_OTHER);
	i = parsed("OBJ 50000100 (sz=24, trace=300002, class=a@b.C@50000001)",
		   HP_WITHIN_HEAP, HP_TEXT_OBJECT);
	must(i.size == 24 && i.other == 0x50000001 && word_is(i.name, "a@b.C"));
	i = parsed("\tvalue\t\t5000", HP_WITHIN_OBJECT, HP_TEXT_FIELD);
	must(word_is(i.name, "value") && i.other == 0x5000);
	i = parsed("\t\t\t5000", HP_WITHIN_OBJECT, HP_TEXT_FIELD);
	ck_assert_uint_eq(i.name.length, 0);
	parsed("\t\t5000", HP_WITHIN_OBJECT, HP_TEXT_OTHER);
	i = parsed("\teightmore\tff", HP_WITHIN_OBJECT, HP_TEXT_FIELD);
	must(word_is(i.name, "eightmore"));
	i = parsed("ARR 5 (sz=8, trace=1, nelems=3, elem type=int[][]@50)",
		   HP_WITHIN_HEAP, HP_TEXT_ARRAY);
	must(!i.primitive && i.other == 0x50 && i.count == 3);
	i = parsed("ARR 5 (sz=8, trace=1, nelems=3, elem type=char[])",
		   HP_WITHIN_HEAP, HP_TEXT_ARRAY);
	must(i.primitive && hp_text_array_type(i.name) == 5);
	parsed("ARR 5 (sz=8, trace=1, nelems=3, elem type=odd)", HP_WITHIN_HEAP,
	       HP_TEXT_OTHER);
	/* JDK 1.4 writes the element type into this line */
	i = parsed("ARR 5 (sz=8, trace=1, nelems=3, elem type=double)",
		   HP_WITHIN_HEAP, HP_TEXT_ARRAY);
	must(i.primitive && hp_text_element_type(i.name) == 7);
	ck_assert_uint_eq(hp_text_array_type(i.name), 0);
	i = parsed("\t[12]\t\tab", HP_WITHIN_ARRAY, HP_TEXT_ELEMENT);
	must(i.count == 12 && i.other == 0xab);
	i = parsed("CLS 50 (name=a, trace=1, trace=2)", HP_WITHIN_HEAP,
		   HP_TEXT_CLASS);
	must(i.trace == 2 && word_is(i.name, "a, trace=1"));
	must(parsed("\tsuper\t\t5", HP_WITHIN_CLASS, HP_TEXT_LINK).count ==
	     HP_TEXT_SUPER);
	i = parsed("\tstatic s\t5", HP_WITHIN_CLASS, HP_TEXT_STATIC);
	must(word_is(i.name, "s"));
	i = parsed("\tconstant pool entry 17\tff", HP_WITHIN_CLASS,
		   HP_TEXT_CONSTANT);
	must(i.count == 17 && i.other == 0xff);
}
END_TEST

START_TEST(tables)
{
	struct hp_text_item i;

	i = parsed("    1 11.32% 100.00%     74992  841     74993   842 300000 "
		   "char[]",
		   HP_WITHIN_SITES, HP_TEXT_SITE);
	must(i.rank == 1 && i.self == 1132 && i.accum == 10000);
	must(i.live_bytes == 74992 && i.live_count == 841);
	must(i.all_bytes == 74993 && i.all_count == 842 && i.trace == 300000);
	i = parsed("   9  0.35% 100.00%       1 300087 Ag.main",
		   HP_WITHIN_SAMPLES, HP_TEXT_ROW);
	must(i.count == 1 && word_is(i.name, "Ag.main"));
	must(parsed("SITES BEGIN (ordered by allocated bytes) Fri Nov 20 "
		    "22:29:09 2026",
		    HP_WITHIN_NOTHING, HP_TEXT_SITES_BEGIN)
		     .by_allocated);
	must(parsed("CPU TIME (ms) BEGIN (total = 1098) x", HP_WITHIN_NOTHING,
		    HP_TEXT_TIMES_BEGIN)
		     .size == 1098);
	must(parsed("MONITOR TIME BEGIN (total = 7 ms) x", HP_WITHIN_NOTHING,
		    HP_TEXT_MONITORS_BEGIN)
		     .size == 7);
	i = parsed("233000 Ag.fast(I)D Ag.burn(I)D 115", HP_WITHIN_OLD,
		   HP_TEXT_OLD_ROW);
	must(i.count == 233000 && i.size == 115);
	must(word_is(i.name, "Ag.fast(I)D") &&
	     word_is(i.method, "Ag.burn(I)D"));
	i = parsed("1 <unknown callee> <unknown caller> 0", HP_WITHIN_OLD,
		   HP_TEXT_OLD_ROW);
	must(i.name.length == 0 && i.method.length == 0);
}
END_TEST

/* ---- convert a text to records ---- */

#define PROLOGUE                                                               \
	"JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\nx\n"          \
	"\n--------\n\n"

static const char sample[] = PROLOGUE
	"THREAD START (obj=50000001, id = 200001, name=\"m\", group=\"g\")\n"
	"TRACE 300000:\n\t<empty>\n"
	"TRACE 300001:\n\ta.B.m(B.java:1)\n\ta.B.n(B.java:Unknown line)\n"
	"HEAP DUMP BEGIN (3 objects, 80 bytes) Fri Nov 20 22:29:10 2026\n"
	"ROOT 0 (kind=<thread>, id=200000, trace=300000)\n"
	"OBJ 50000001 (sz=24, trace=300001, class=a.D@50000011)\n"
	"\ta\t\t50000002\n\tb\t\t50000003\n"
	"OBJ 50000002 (sz=16, trace=300001, class=a.B@50000010)\n"
	"\tb\t\t50000001\n"
	"ARR 50000003 (sz=32, trace=300001, nelems=3, elem "
	"type=a.B[]@50000012)\n"
	"\t[1]\t\t50000002\n"
	"ARR 50000004 (sz=4, trace=300001, nelems=4, elem type=byte[])\n"
	"CLS 50000009 (name=java.lang.Object, trace=300000)\n"
	"CLS 50000010 (name=a.B, trace=300000)\n\tsuper\t\t50000009\n"
	"CLS 50000011 (name=a.D, trace=300000)\n\tsuper\t\t50000010\n"
	"CLS 50000012 (name=a.B[], trace=300000)\n\tsuper\t\t50000009\n"
	"HEAP DUMP END\n";

struct odd {
	unsigned counts[HP_TEXT_ODDITIES];
	uint64_t line; /* line number of the last reported problem */
};

static void
note_odd(void *ctx, const struct hp_text_problem *p)
{
	struct odd *o = ctx;

	o->counts[p->oddity]++;
	o->line = p->line;
}

static uint8_t *
records_of(const char *text, size_t length, size_t step, size_t *total,
	   struct odd *odd)
{
	struct memory m = {text, length, 0};
	const struct hp_text_reading o = {.problem = odd ? note_odd : NULL,
					  .ctx = odd};
	struct hp_text_records *r;
	uint8_t *bytes = malloc(1 << 20);
	size_t got = step;

	*total = 0;
	must(hp_text_records_open(&r, read_memory, &m, &o, NULL) == HP_OK);
	while (got == step) {
		must(*total + step <= 1 << 20);
		must(hp_text_records_next(r, bytes + *total, step, &got,
					  NULL) == HP_OK);
		*total += got;
	}
	must(hp_text_records_bytes(r) == length);
	hp_text_records_close(r);
	return bytes;
}

/*
 * Test totals that are so large that their product exceeds 64 bits. No agent
 * writes such totals.
 */
START_TEST(shares)
{
	ck_assert_uint_eq(hp_text_share(3333, 100), 33);
	ck_assert_uint_eq(hp_text_share(5050, 100), 51);
	ck_assert_uint_eq(hp_text_share(5000, UINT64_C(18) << 58),
			  UINT64_C(9) << 58);
	ck_assert_uint_eq(hp_text_share(20000, UINT64_MAX), UINT64_MAX);
}
END_TEST

START_TEST(any_step)
{
	static const size_t steps[] = {1, 2, 7, 31, 4096};
	size_t want, got;
	uint8_t *all = records_of(sample, strlen(sample), 65536, &want, NULL);

	must(want > 500 && memcmp(all, "JAVA PROFILE 1.0.2", 19) == 0);
	for (size_t i = 0; i < HP_ARRAY_LEN(steps); i++) {
		uint8_t *b = records_of(sample, strlen(sample), steps[i], &got,
					NULL);

		must(got == want && memcmp(all, b, want) == 0);
		free(b);
	}
	free(all);
}
END_TEST

/*
 * Test the order of fields in an instance: the field a of class a.D comes
 * before the field b, which it inherits from a.B.
 */
START_TEST(inherited)
{
	static const uint8_t of_d[] = {0x21, 0x50, 0, 0,    1, 0, 4, 0x93, 0xe1,
				       0x50, 0,	   0, 0x11, 0, 0, 0, 8,	   0x50,
				       0,    0,	   2, 0x50, 0, 0, 3};
	static const uint8_t of_b[] = {0x21, 0x50, 0, 0,    2, 0, 4, 0x93, 0xe1,
				       0x50, 0,	   0, 0x10, 0, 0, 0, 8,	   0,
				       0,    0,	   0, 0x50, 0, 0, 1};
	static const uint8_t array[] = {
		0x22, 0x50, 0, 0, 3, 0, 4,    0x93, 0xe1, 0, 0, 0, 3, 0x50, 0,
		0,    0x12, 0, 0, 0, 0, 0x50, 0,    0,	  2, 0, 0, 0, 0};
	static const uint8_t bytes[] = {0x23, 0x50, 0, 0, 4,   0, 4,
					0x93, 0xe1, 0, 0, 0,   4, 8,
					0,    0,    0, 0, 0x2c};
	struct odd odd = {0};
	size_t n;
	uint8_t *all = records_of(sample, strlen(sample), 65536, &n, &odd);

	must(memmem(all, n, of_d, sizeof(of_d)));
	must(memmem(all, n, of_b, sizeof(of_b)));
	must(memmem(all, n, array, sizeof(array)));
	must(memmem(all, n, bytes, sizeof(bytes)));
	for (unsigned i = 0; i < HP_TEXT_ODDITIES; i++)
		ck_assert_msg(odd.counts[i] == 0, "oddity %u", i);
	free(all);
}
END_TEST

/*
 * Test a class with two fields of the same name. The second one must not become
 * a field of java.lang.Object, which has no fields.
 */
START_TEST(fields_of_one_name)
{
	static const char text[] = PROLOGUE
		"HEAP DUMP BEGIN (2 objects, 32 bytes) Fri Nov 20 22:29:10 "
		"2026\n"
		"OBJ 50000001 (sz=24, trace=1, class=a.B@50000010)\n"
		"\tb\t\t50000002\n\tb\t\t50000001\n"
		"OBJ 50000002 (sz=8, trace=1, class=a.D@50000011)\n"
		"CLS 50000009 (name=java.lang.Object, trace=1)\n"
		"CLS 50000010 (name=a.B, trace=1)\n\tsuper\t\t50000009\n"
		"CLS 50000011 (name=a.D, trace=1)\n\tsuper\t\t50000009\n"
		"HEAP DUMP END\n";
	static const uint8_t of_b[] = {0x21, 0x50, 0, 0,    1, 0, 0, 0, 1,
				       0x50, 0,	   0, 0x10, 0, 0, 0, 8, 0x50,
				       0,    0,	   2, 0x50, 0, 0, 1};
	static const uint8_t of_d[] = {0x21, 0x50, 0, 0,    2, 0, 0, 0, 1,
				       0x50, 0,	   0, 0x11, 0, 0, 0, 0};
	size_t n;
	uint8_t *all = records_of(text, strlen(text), 65536, &n, NULL);

	must(memmem(all, n, of_b, sizeof(of_b)));
	must(memmem(all, n, of_d, sizeof(of_d)));
	free(all);
}
END_TEST

static void
show(struct hp_text_shapes *s, uint32_t class, const char *names)
{
	static uint64_t stamp;
	uint32_t slot = HP_TEXT_NO_FIELD;

	stamp++;
	for (; *names; names++)
		must(hp_text_shapes_field(s, class, slot, (uint32_t)*names,
					  stamp, &slot, NULL) == HP_OK);
}

static void
check_layout(const struct hp_text_shapes *s, uint32_t class, const char *want)
{
	const struct hp_text_shape *c = hp_text_shape(s, class);
	char got[16] = "";

	must(c->count < sizeof(got));
	for (uint32_t i = 0; i < c->count; i++)
		got[c->fields[i].at / 4] = (char)c->fields[i].name;
	ck_assert_str_eq(got, want);
}

static void
shapes_in_a_row(struct hp_text_shapes *s)
{
	must(hp_text_shapes_init(s, NULL) == HP_OK);
	for (uint32_t i = 1; i <= 3; i++) {
		must(hp_text_shapes_add(s) == i);
		hp_text_shape(s, i)->super = i - 1;
	}
}

/*
 * Test that the order of the fields of a class is computed again only if the
 * fields, or their order, change in the class or in a superclass.
 */
START_TEST(laid_out_again)
{
	static const struct hp_text_model model = {4, 4, 8};
	static const uint32_t classes[] = {1, 2, 3};
	static const struct {
		uint32_t class;
		const char *names;
	} shown[] = {{2, "p"}, {2, "q"}, {3, "p"}, {3, "q"}, {3, "x"}};
	struct hp_text_shapes s;

	shapes_in_a_row(&s);
	for (unsigned i = 0; i < HP_ARRAY_LEN(shown); i++)
		show(&s, shown[i].class, shown[i].names);
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	check_layout(&s, 2, "pq");
	check_layout(&s, 3, "xpq");
	hp_text_shape(&s, 3)->fields[0].order = 77;
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	ck_assert_uint_eq(hp_text_shape(&s, 3)->fields[0].order, 77);
	show(&s, 2, "qp");
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	check_layout(&s, 2, "qp");
	check_layout(&s, 3, "xqp");
	show(&s, 2, "x");
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	check_layout(&s, 2, "qxp");
	check_layout(&s, 3, "qxp");
	hp_text_shape(&s, 3)->super = 1;
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	check_layout(&s, 3, "pqx");
	hp_text_shapes_release(&s);
}
END_TEST

/*
 * Test classes 1, 2 and 3, each a subclass of the one before. Objects of all
 * three show a field f. It must become one field, declared by class 1.
 */
START_TEST(moved_once)
{
	static const struct hp_text_model model = {4, 4, 8};
	static const uint32_t classes[] = {1, 2, 3};
	struct hp_text_shapes s;

	shapes_in_a_row(&s);
	show(&s, 1, "fg");
	show(&s, 2, "f");
	show(&s, 3, "fg");
	must(hp_text_shapes_resolve(&s, classes, 3, &model, NULL) == HP_OK);
	for (uint32_t i = 1; i <= 3; i++) {
		ck_assert_uint_eq(hp_text_shape(&s, i)->references, 2);
		check_layout(&s, i, i == 2 ? "f" : "fg");
	}
	hp_text_shapes_release(&s);
}
END_TEST

START_TEST(prefixes)
{
	for (size_t n = HP_TEXT_MAGIC; n < strlen(sample); n++) {
		struct odd odd = {0};
		size_t total;
		bool told = false;

		free(records_of(sample, n, 4096, &total, &odd));
		for (unsigned i = 0; i < HP_TEXT_ODDITIES; i++)
			told |= odd.counts[i] > 0;
		must(told || sample[n - 1] == '\n');
	}
}
END_TEST

static void
check_odd(const char *text, enum hp_text_oddity oddity, uint64_t line)
{
	struct odd odd = {0};
	size_t n;

	free(records_of(text, strlen(text), 4096, &n, &odd));
	ck_assert_msg(odd.counts[oddity] == 1 && odd.line == line,
		      "%u times, line %u: %s", odd.counts[oddity],
		      (unsigned)odd.line, text);
}

/*
 * Make a table of @rows equal rows. Their accumulated percentages are computed
 * with 32-bit floating-point numbers, as by the agent.
 */
static char *
float_table(bool sites, unsigned rows, float too_much)
{
	struct hp_buf b = {0};
	float sum = 0;

	hp_buf_text(&b, PROLOGUE "TRACE 9:\n");
	if (sites)
		hp_buf_text(&b, "SITES BEGIN (ordered by live bytes) x\n");
	else
		hp_buf_printf(&b, "CPU SAMPLES BEGIN (total = %u) x\n",
			      3 * rows);
	for (unsigned i = 1; i <= rows; i++) {
		float self = 100.0F * 3 / (3 * (float)rows);

		sum += self;
		if (i == rows)
			sum += too_much;
		if (sites)
			hp_buf_printf(&b,
				      "%5u %5.2f%% %5.2f%% %9u %4u %9u %5u %5u "
				      "A\n",
				      i, (double)self, (double)sum, 3, 1, 3, 1,
				      9);
		else
			hp_buf_printf(&b, "%4u %5.2f%% %5.2f%% %7u %5u A.b\n",
				      i, (double)self, (double)sum, 3, 9);
	}
	hp_buf_text(&b, sites ? "SITES END\n" : "CPU SAMPLES END\n");
	ck_assert(hp_buf_ok(&b));
	return hp_buf_take(&b);
}

/*
 * Test that accumulated percentages are accepted although they have rounding
 * errors: the agent adds them up as 32-bit floating-point numbers.
 */
START_TEST(float_sums)
{
	struct odd odd = {0};
	unsigned rows = _i / 2 ? 30011 : 7001;
	char *text = float_table(_i % 2, rows, 0);
	size_t n;

	free(records_of(text, strlen(text), 4096, &n, &odd));
	ck_assert_uint_eq(odd.counts[HP_TEXT_ODD_PERCENT], 0);
	free(text);
	odd = (struct odd){0};
	text = float_table(_i % 2, rows, 0.3F);
	free(records_of(text, strlen(text), 4096, &n, &odd));
	ck_assert_uint_eq(odd.counts[HP_TEXT_ODD_PERCENT], 1);
	free(text);
}
END_TEST

START_TEST(oddities)
{
	check_odd(PROLOGUE "what\n", HP_TEXT_ODD_LINE, 7);
	check_odd(PROLOGUE "HEAP DUMP BEGIN (0 objects, 0 bytes) x\n",
		  HP_TEXT_ODD_END, 7);
	check_odd(PROLOGUE "TRACE 1:\nTRACE 1:\n", HP_TEXT_ODD_TRACE_AGAIN, 8);
	check_odd(PROLOGUE "CPU SAMPLES BEGIN (total = 2) x\n"
			   "   1 50.00% 50.00%       1     9 A.b\n"
			   "CPU SAMPLES END\n",
		  HP_TEXT_ODD_TRACE, 8);
	check_odd(PROLOGUE "TRACE 9:\nCPU SAMPLES BEGIN (total = 2) x\n"
			   "   2 50.00% 50.00%       1     9 A.b\n"
			   "CPU SAMPLES END\n",
		  HP_TEXT_ODD_RANK, 9);
	check_odd(PROLOGUE "TRACE 9:\nCPU SAMPLES BEGIN (total = 3) x\n"
			   "   1 33.33% 33.33%       1     9 A.b\n"
			   "   2 66.67% 100.00%       2     9 A.c\n"
			   "CPU SAMPLES END\n",
		  HP_TEXT_ODD_ORDER, 10);
	check_odd(PROLOGUE "TRACE 9:\nCPU SAMPLES BEGIN (total = 3) x\n"
			   "   1 33.35% 33.33%       1     9 A.b\n"
			   "CPU SAMPLES END\n",
		  HP_TEXT_ODD_PERCENT, 9);
	check_odd(PROLOGUE "TRACE 9:\nSITES BEGIN (ordered by live bytes) x\n"
			   "    1 50.00% 50.00%       100    1       100     1 "
			   "    9 A\n"
			   "    2 50.00% 100.00%       90    1        90     1 "
			   "    9 B\n"
			   "SITES END\n",
		  HP_TEXT_ODD_PERCENT, 10);
	check_odd(PROLOGUE "HEAP DUMP BEGIN (1 objects, 9 bytes) x\n"
			   "ARR 1 (sz=8, trace=0, nelems=2, elem type=A[]@2)\n"
			   "\t[2]\t\t5\nCLS 2 (name=A[], trace=0)\n"
			   "HEAP DUMP END\n",
		  HP_TEXT_ODD_ELEMENT, 9);
	check_odd(PROLOGUE "HEAP DUMP BEGIN (1 objects, 9 bytes) x\n"
			   "OBJ 1 (sz=8, trace=0, class=A@2)\n"
			   "HEAP DUMP END\n",
		  HP_TEXT_ODD_CLASS, 8);
	check_odd(PROLOGUE "THREAD START (obj=150000001, id = 1, name=\"m\", "
			   "group=\"g\")\n",
		  HP_TEXT_ODD_ID, 7);
}
END_TEST

/*
 * Test a truncated line of the agent: the next line follows without a line end
 * between.
 */
START_TEST(cut_lines)
{
	char text[4096] = PROLOGUE "TRACE 1:\n\tA.", *p;
	struct odd odd = {0};
	size_t n;
	uint8_t *all;

	p = text + strlen(text);
	memset(p, 'm', 1023 - 3);
	strcpy(p + 1023 - 3, "TRACE 2:\n\tB.n(B.java:1)\n");
	all = records_of(text, strlen(text), 4096, &n, &odd);
	must(odd.counts[HP_TEXT_ODD_CUT] == 1);
	must(memmem(all, n, "B.java", 6));
	free(all);
}
END_TEST

/*
 * Test truncated MONITOR TIME reports. The agent writes each row with one call,
 * so a row is never truncated.
 */
START_TEST(cut_monitors)
{
	static const char first[] = "   1 50.00% 50.00%       1     1 ";
	static const char next[] =
		"   2 50.00% 100.00%       1     1 B (Java)\n"
		"MONITOR TIME END\n";
	char text[4096] = PROLOGUE "TRACE 1:\n\t<empty>\n"
				   "MONITOR TIME BEGIN (total = 2 ms) x\n";
	struct odd odd = {0};
	size_t n;
	uint8_t *all;
	char *p = text + strlen(text);

	memset(p, 'm', 1023);
	memcpy(p, first, strlen(first));
	strcpy(p + 1023, next);
	all = records_of(text, strlen(text), 4096, &n, &odd);
	must(odd.counts[HP_TEXT_ODD_CUT] == 1);
	must(odd.counts[HP_TEXT_ODD_LINE] == 0);
	must(memmem(all, n, "hprof-text:    2 50.00%", 23));
	free(all);
}
END_TEST

START_TEST(site_of_many_bytes)
{
	static const char text[] = PROLOGUE
		"TRACE 9:\n\t<empty>\n"
		"SITES BEGIN (ordered by live bytes) Fri Nov 20 22:29:09 2026\n"
		"    1 50.00% 50.00% 18000000000000000000 1 1 1 9 A\n"
		"SITES END\n";
	static const uint8_t sites[] = {6,    0,    0,	  0, 0, 0, 0, 0,
					59,   0,    0,	  0, 0, 0, 0, 0xff,
					0xff, 0xff, 0xff, 0, 0, 0, 1};
	size_t n;
	uint8_t *all = records_of(text, strlen(text), 65536, &n, NULL);

	must(memmem(all, n, sites, sizeof(sites)));
	free(all);
}
END_TEST

/* ---- store numbers in a temporary file ---- */

/*
 * Returns a number close to 0, close to a power of two, or close to 2^64, so
 * that the encoded numbers have all lengths.
 */
static uint64_t
number_of_length(unsigned i)
{
	uint64_t edge = UINT64_C(1) << (i / 3 % 64);

	return i % 3 == 0 ? edge - 1 : i % 3 == 1 ? edge : ~edge;
}

START_TEST(spooled_numbers)
{
	/*
	 * The second round has fewer numbers, so old bytes remain in the file
	 * after the new ones.
	 */
	static const unsigned numbers[] = {2000000, 1700000};
	struct hp_text_spool s = {0};
	bool more;

	for (unsigned round = 0; round < HP_ARRAY_LEN(numbers); round++) {
		for (unsigned i = 0; i < numbers[round]; i++) {
			must(hp_text_spool_room(&s, NULL) == HP_OK);
			hp_text_spool_byte(&s, (uint8_t)i);
			hp_text_spool_number(&s, number_of_length(i));
			hp_text_spool_number(&s, i % 512);
		}
		must(s.stored > 0);
		must(hp_text_spool_turn(&s, NULL) == HP_OK);
		for (unsigned i = 0; i < numbers[round]; i++) {
			must(hp_text_spool_more(&s, &more, NULL) == HP_OK);
			must(more && hp_text_spool_take(&s) == (uint8_t)i);
			must(hp_text_spool_take_number(&s) ==
			     number_of_length(i));
			must(hp_text_spool_take_number(&s) == i % 512);
		}
		must(hp_text_spool_more(&s, &more, NULL) == HP_OK && !more);
		hp_text_spool_reset(&s);
	}
	hp_text_spool_release(&s);
}
END_TEST

/*
 * Test that the error contains the reason: the file is open only for writing.
 */
START_TEST(spool_unreadable)
{
	struct hp_text_spool s = {0};
	struct hp_error err = {0};
	bool more;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	while (s.stored == 0) {
		must(hp_text_spool_room(&s, NULL) == HP_OK);
		hp_text_spool_byte(&s, 1);
	}
	must(hp_text_spool_turn(&s, NULL) == HP_OK);
	must(fd >= 0 && dup2(fd, s.fd) == s.fd);
	must(hp_text_spool_more(&s, &more, &err) == HP_IO);
	ck_assert_str_eq(err.text, "cannot read a temporary file: "
				   "Bad file descriptor");
	hp_text_spool_release(&s);
	close(fd);
}
END_TEST

Suite *
test_text_suite(void)
{
	Suite *suite = suite_create("text");
	TCase *c = tcase_create("text");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, lines);
	tcase_add_test(c, long_lines);
	tcase_add_test(c, threads_and_traces);
	tcase_add_test(c, heap_lines);
	tcase_add_test(c, tables);
	tcase_add_test(c, shares);
	tcase_add_test(c, any_step);
	tcase_add_test(c, inherited);
	tcase_add_test(c, fields_of_one_name);
	tcase_add_test(c, laid_out_again);
	tcase_add_test(c, moved_once);
	tcase_add_test(c, prefixes);
	tcase_add_test(c, oddities);
	tcase_add_loop_test(c, float_sums, 0, 4);
	tcase_add_test(c, cut_lines);
	tcase_add_test(c, cut_monitors);
	tcase_add_test(c, site_of_many_bytes);
	tcase_add_test(c, spooled_numbers);
	tcase_add_test(c, spool_unreadable);
	suite_add_tcase(suite, c);
	return suite;
}
