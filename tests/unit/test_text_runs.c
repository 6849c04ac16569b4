/*
 * test_text_runs.c - compare two ways to read the text of the HPROF agent: in
 * blocks by several threads, and line by line
 */
#include "common/base/buf.h"
#include "common/text/lines/parse.h"
#include "common/text/text.h"
#include "common/text/lines/lines.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

Suite *test_text_runs_suite(void);

/* ---- hexadecimal digits ---- */

START_TEST(hexadecimal)
{
	static const char digits[] = "9a8f70b1c6d2e3545";
	char text[32];
	uint64_t v, again;

	for (unsigned n = 0; n <= 17; n++) {
		for (unsigned c = 0; c < 256; c++) {
			bool digit = c && strchr("0123456789abcdef", (int)c);
			unsigned length = n + digit;
			const char *end;

			memset(text, '7', sizeof(text));
			memcpy(text, digits, n);
			text[n] = (char)c;
			text[n + 1] = 'g';
			end = hp_hex_number(text, text + sizeof(text), &v);
			if (length == 0 || length > 16) {
				must(end == NULL);
				continue;
			}
			must(end == text + length);
			must(hp_hex_number(text, text + length, &again) == end);
			text[length] = 0;
			must(v == strtoull(text, NULL, 16) && v == again);
		}
	}
}
END_TEST

/* ---- make texts ---- */

struct text {
	struct hp_buf b;
	uint64_t random;
	unsigned wide; /* number of hexadecimal digits of an id */
	unsigned traces;
	/*
	 * the text has lines that the parser must handle alone, not together
	 * with their neighbours
	 */
	bool odd;
};

static unsigned
choose(struct text *t, unsigned n)
{
	t->random = t->random * UINT64_C(6364136223846793005) + 1;
	return (unsigned)(t->random >> 33) % n;
}

static void
add_id(struct text *t)
{
	hp_buf_hex(&t->b, 0x1000 + choose(t, 1000000), t->wide);
}

static void
add_odd(struct text *t)
{
	static const char *const lines[] = {
		"\tlate\t\t5\n",
		"noise\n",
		"\t[999999]\t\t5\n",
		"\t[00]\t\t5\n",
		"ROOT 1001 (kind=<thread>, id=1, trace=1)\n",
		"CLS 77 (name=a.Late, trace=3)\n\tsuper\t\t70\n"
		"\tstatic s\t1001\n",
		"OBJ 5 (sz=8, trace=1, class=a.Odd@zz)\n",
		"OBJ 5 (sz=18446744073709551615, trace=1, class=a.Odd@70)\n",
		"OBJ 1ffffffff (sz=8, trace=1, class=a.Odd@1ffffffff)\n"
		"\twide\t\t1ffffffff\n",
	};
	unsigned n = choose(t, HP_ARRAY_LEN(lines) + 1);
	size_t before = t->b.len;

	if (n < HP_ARRAY_LEN(lines)) {
		hp_buf_text(&t->b, lines[n]);
		return;
	}
	hp_buf_text(&t->b, "OBJ 6 (sz=8, trace=9, class=a.Long");
	hp_buf_fill(&t->b, 'g', 980 + choose(t, 40));
	hp_buf_text(&t->b, "@71)");
	if (t->b.len - before < HP_TEXT_LINE_CUT)
		hp_buf_byte(&t->b, '\n');
}

static void
add_object(struct text *t)
{
	unsigned class = choose(t, 40), fields = class % 7;

	hp_buf_text(&t->b, "OBJ ");
	add_id(t);
	hp_buf_printf(&t->b, " (sz=%u, trace=%u, class=a.C%u@%x)\n",
		      16 + 8 * fields, choose(t, t->traces), class,
		      0x80 + class);
	for (unsigned i = 0; i < fields; i++) {
		if (choose(t, 4) == 0)
			continue;
		/*
		 * write two fields with the same name: the field of a subclass,
		 * and the field of the superclass that it hides
		 */
		hp_buf_printf(&t->b, "\t%s%u\t\t",
			      i % 2 ? "field" : "a_longer_field",
			      class % 10 == 9 ? i / 2 * 2 : i);
		add_id(t);
		hp_buf_byte(&t->b, '\n');
	}
}

static void
add_array(struct text *t, unsigned elements)
{
	bool primitive = choose(t, 2);

	hp_buf_text(&t->b, "ARR ");
	add_id(t);
	hp_buf_printf(&t->b,
		      " (sz=%u, trace=%u, nelems=%u, elem type=", 16 + elements,
		      choose(t, 300), elements);
	if (primitive) {
		hp_buf_text(&t->b, "int[])\n");
		return;
	}
	hp_buf_printf(&t->b, "a.C%u[]@%x)\n", elements % 3,
		      0x60 + elements % 3);
	for (unsigned i = 0; i < elements; i++) {
		if (choose(t, 5) == 0)
			i += choose(t, elements > 30000 ? 30000 : 3);
		if (i >= elements)
			break;
		hp_buf_printf(&t->b, "\t[%u]\t\t", i);
		add_id(t);
		hp_buf_byte(&t->b, '\n');
		if (t->odd && choose(t, 2000) == 0)
			add_odd(t);
	}
}

static void
make_text(struct text *t, unsigned dumps, size_t length)
{
	hp_buf_text(&t->b,
		    "JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\n");
	if (t->wide > 8)
		hp_buf_text(&t->b, "Written by hprof-convert\nIdentifiers have "
				   "8 bytes, references 4, headers 12.\n");
	hp_buf_text(&t->b, "\n--------\n\nTRACE 1:\n\t<empty>\n");
	while (dumps-- > 0) {
		size_t end = t->b.len + length / (dumps + 1);

		hp_buf_text(&t->b, "HEAP DUMP BEGIN (1 objects, 1 bytes) x\n");
		while (t->b.len < end) {
			unsigned n = choose(t, 1000);

			if (n == 0)
				add_array(t, choose(t, 2) ? 200000 : 3000);
			else if (n < 300)
				add_array(t, choose(t, 20));
			else if (n < 301 && t->odd)
				add_odd(t);
			else
				add_object(t);
		}
		hp_buf_text(&t->b, "CLS 70 (name=a.Odd, trace=1)\n"
				   "CLS 80 (name=a.C0, trace=2)\n"
				   "\tsuper\t\t70\n");
		if (t->odd) /* this line ends the heap dump */
			hp_buf_text(&t->b, "\nOBJ 5 (sz=8, trace=1, "
					   "class=a.Odd@70)\n");
		if (dumps % 2 == 0)
			hp_buf_text(&t->b, "HEAP DUMP END\n");
	}
}

/* ---- read texts in both ways ---- */

struct result {
	XXH3_state_t *bytes, *problems, *places;
	uint64_t hashes[3], total, told;
};

struct memory {
	const struct hp_buf *b;
	size_t at;
};

static enum hp_status
read_memory(void *ctx, void *buf, size_t n, size_t *got, struct hp_error *err)
{
	struct memory *m = ctx;
	size_t left = m->b->len - m->at;

	*got = n < left ? n : left;
	memcpy(buf, m->b->data + m->at, *got);
	m->at += *got;
	return HP_OK;
}

static void
on_problem(void *ctx, const struct hp_text_problem *p)
{
	struct result *r = ctx;
	const uint64_t all[5] = {(uint64_t)p->oddity, p->line, p->offset,
				 p->args[0], p->args[1]};

	XXH3_64bits_update(r->problems, all, sizeof(all));
	r->told++;
}

static void
on_place(void *ctx, uint64_t offset, uint64_t line, uint64_t line_offset)
{
	const uint64_t all[3] = {offset, line, line_offset};

	XXH3_64bits_update(((struct result *)ctx)->places, all, sizeof(all));
}

static struct result
read_text(const struct text *t, struct hp_text_reading o, bool places)
{
	struct memory m = {&t->b, 0};
	struct result r = {.bytes = XXH3_createState(),
			   .problems = XXH3_createState(),
			   .places = XXH3_createState()};
	struct hp_text_records *records;
	uint8_t buf[65536];
	size_t got = sizeof(buf);

	XXH3_64bits_reset(r.bytes);
	XXH3_64bits_reset(r.problems);
	XXH3_64bits_reset(r.places);
	o.problem = on_problem;
	o.place = places ? on_place : NULL;
	o.ctx = &r;
	must(hp_text_records_open(&records, read_memory, &m, &o, NULL) ==
	     HP_OK);
	while (got == sizeof(buf)) {
		must(hp_text_records_next(records, buf, sizeof(buf), &got,
					  NULL) == HP_OK);
		XXH3_64bits_update(r.bytes, buf, got);
		r.total += got;
	}
	must(hp_text_records_bytes(records) == t->b.len);
	r.hashes[0] = XXH3_64bits_digest(r.bytes);
	r.hashes[1] = XXH3_64bits_digest(r.problems);
	r.hashes[2] = XXH3_64bits_digest(r.places);
	hp_text_records_close(records);
	XXH3_freeState(r.bytes);
	XXH3_freeState(r.problems);
	XXH3_freeState(r.places);
	return r;
}

static void
check_same(const struct text *t)
{
	static const unsigned threads[] = {0, 1, 2, 5};

	for (unsigned places = 0; places < 2; places++) {
		struct result want = read_text(
			t, (struct hp_text_reading){.by_line = true}, places);

		must(want.total > t->b.len / 4 && want.told > 0);
		for (size_t i = 0; i < HP_ARRAY_LEN(threads); i++) {
			struct result got = read_text(
				t,
				(struct hp_text_reading){.threads = threads[i]},
				places);

			ck_assert_msg(got.total == want.total &&
					      got.told == want.told &&
					      memcmp(got.hashes, want.hashes,
						     sizeof(got.hashes)) == 0,
				      "%u threads, places %u", threads[i],
				      places);
		}
	}
}

START_TEST(as_by_line)
{
	struct text t = {.random = 1, .wide = 9, .traces = 100000};

	make_text(&t, 2, 5 << 20);
	check_same(&t);
	hp_buf_release(&t.b);
}
END_TEST

START_TEST(as_by_line_where_odd)
{
	for (unsigned i = 0; i < 4; i++) {
		struct text t = {.random = 7 + i,
				 .wide = i % 2 ? 9 : 0,
				 .traces = 50,
				 .odd = true};

		make_text(&t, 1 + i, (size_t)3 << 20);
		check_same(&t);
		hp_buf_release(&t.b);
	}
}
END_TEST

/*
 * Test an array whose lines do not fit into one block of text. The first line
 * in each further block is one of these: an element after a gap, a repeated
 * element, an element beyond the length of the array, or a line without
 * meaning.
 */
START_TEST(array_of_blocks)
{
	struct text t = {.random = 5, .wide = 9, .traces = 1, .odd = true};
	size_t begin = 0;
	unsigned turn = 0, elements = 600000;

	make_text(&t, 0, 0);
	hp_buf_printf(&t.b,
		      "HEAP DUMP BEGIN (1 objects, 1 bytes) x\n"
		      "ARR 1 (sz=8, trace=1, nelems=%u, elem type=a[]@60)\n",
		      elements);
	for (unsigned i = 0; i < elements - 10; i++) {
		char line[64];
		unsigned index = i;
		size_t n = (size_t)snprintf(line, sizeof(line),
					    "\t[%u]\t\t12345\n", i);

		if (t.b.len + n > begin + HP_TEXT_BLOCK) {
			static const int steps[] = {3, -1, 600000, 0};

			begin = t.b.len;
			index += (unsigned)steps[turn % 4];
			i += turn % 4 == 0 ? 3 : 0;
			if (turn++ % 4 == 3)
				hp_buf_text(&t.b, "\tnoise\n");
		}
		hp_buf_printf(&t.b, "\t[%u]\t\t12345\n", index);
	}
	must(turn > 8);
	check_same(&t);
	hp_buf_release(&t.b);
}
END_TEST

START_TEST(more_than_a_run_has)
{
	struct text t = {.random = 5, .traces = 1};

	make_text(&t, 0, 0);
	hp_buf_text(&t.b, "HEAP DUMP BEGIN (1 objects, 1 bytes) x\n");
	for (unsigned i = 1; i < 50000; i++)
		hp_buf_printf(&t.b, "OBJ 1 (sz=8, trace=%u, class=a@1)\n", i);
	for (unsigned i = 1; i < 50000; i++)
		hp_buf_printf(&t.b,
			      "OBJ 1 (sz=8, trace=1, class=a@%x)\n"
			      "\tf%u\t\t1\n",
			      i % 100, i % 20000);
	check_same(&t);
	hp_buf_release(&t.b);
}
END_TEST

/* ---- runs: lines that are converted together ---- */

/*
 * Test that nearly all lines of a block are converted together. Otherwise,
 * reading in blocks would not be faster.
 */
START_TEST(most_is_packed)
{
	struct text t = {.random = 3, .wide = 9, .traces = 500};
	struct hp_text_packer *p = hp_text_packer_open(false);
	struct hp_text_runs runs = {0};
	size_t packed = 0, begin;

	make_text(&t, 1, 1 << 20);
	begin = (size_t)(strstr(hp_buf_string(&t.b), "OBJ ") - t.b.data);
	must(hp_text_pack(p, t.b.data + begin, HP_TEXT_BLOCK - 4096, &runs));
	for (uint32_t i = 0; i < runs.count; i++) {
		must(i == 0 || runs.list[i].from >= runs.list[i - 1].to);
		packed += runs.list[i].to - runs.list[i].from;
	}
	must(packed > (HP_TEXT_BLOCK - 4096) * 99ull / 100);
	hp_text_runs_release(&runs);
	hp_text_packer_close(p);
	hp_buf_release(&t.b);
}
END_TEST

Suite *
test_text_runs_suite(void)
{
	Suite *suite = suite_create("text_runs");
	TCase *c = tcase_create("text_runs"), *q = quick_case(suite, 60);

	tcase_set_timeout(c, 120);
	tcase_add_test(q, hexadecimal);
	tcase_add_test(q, as_by_line);
	tcase_add_test(c, as_by_line_where_odd);
	tcase_add_test(q, array_of_blocks);
	tcase_add_test(q, more_than_a_run_has);
	tcase_add_test(q, most_is_packed);
	suite_add_tcase(suite, c);
	return suite;
}
