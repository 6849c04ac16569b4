/*
 * test_agent_stream.c - tests of the code that receives data from the HPROF
 * agent
 *
 * Three things are tested: how many of the received bytes form complete records
 * (or complete reports, in the text format), whatever the sizes of the pieces
 * in which they arrive; the queue of bytes that wait for the conversion; and
 * how commands to the agent are encoded.
 */
#include "convert/agent/agent.h"
#include "tests/unit/must.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *test_agent_stream_suite(void);

/*
 * A file header of 31 bytes, a record with a body of 6 bytes, and an empty
 * record.
 */
static const uint8_t binary[] = "JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\1"
				"\x0e\0\0\0\0\0\0\0\6\0\0\0\1\0\2"
				"\x2c\0\0\0\0\0\0\0\0";
static const uint64_t binary_ends[] = {31, 46, 55};

static const char text[] =
	"JAVA PROFILE 1.0.1, created x\n\nHEAP DUMP BEGIN\n--------\n"
	"THREAD END (id = 1)\nSITES BEGIN (ordered by live bytes) x\n"
	"    1 ROW\nSITES END\n";

static uint64_t
whole(const void *bytes, size_t n, size_t step)
{
	struct hp_agent_stream s = {0};
	const uint8_t *p = bytes;

	for (size_t at = 0; at < n; at += step)
		hp_agent_stream_feed(&s, p + at, n - at < step ? n - at : step);
	must(s.taken == n);
	return s.whole;
}

/*
 * Returns byte number @i of a test stream. No two parts of the stream are
 * equal, so a part at a wrong position is detected.
 */
static uint8_t
byte_at(uint64_t i)
{
	return (uint8_t)(i * 2654435761U >> 13);
}

static void
add_mib(struct hp_agent_backlog *b, uint64_t *at)
{
	static uint8_t bytes[1 << 20];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = byte_at((*at)++);
	must(hp_agent_backlog_add(b, bytes, sizeof(bytes), NULL) == HP_OK);
}

static void
take_mib(struct hp_agent_backlog *b, uint64_t *at)
{
	static uint8_t bytes[1 << 20];
	size_t got;

	must(hp_agent_backlog_peek(b, bytes, sizeof(bytes), &got, NULL) ==
	     HP_OK);
	must(got == sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		must(bytes[i] == byte_at((*at)++));
	must(hp_agent_backlog_drop(b, got, NULL) == HP_OK);
}

static uint64_t
file_size(const struct hp_agent_backlog *b)
{
	struct stat sb;

	must(fstat(b->fd, &sb) == 0);
	return (uint64_t)sb.st_size;
}

START_TEST(backlog)
{
	struct hp_agent_backlog b;
	uint64_t in = 0, out = 0;

	must(hp_agent_backlog_open(&b, NULL) == HP_OK);
	while (in < 40 << 20)
		add_mib(&b, &in);
	while (out < 36 << 20)
		take_mib(&b, &out);
	must(hp_agent_backlog_bytes(&b) == 4 << 20);
	must(file_size(&b) <= 9 << 20);
	must(hp_agent_backlog_compact(&b, NULL) == HP_OK);
	must(file_size(&b) == 4 << 20);
	while (out < in)
		take_mib(&b, &out);
	must(hp_agent_backlog_bytes(&b) == 0);
	must(file_size(&b) <= 1 << 20);
	/*
	 * append and remove alternately, so that the queue must reuse the free
	 * space in its file
	 */
	while (in < 60 << 20) {
		add_mib(&b, &in);
		take_mib(&b, &out);
	}
	must(file_size(&b) <= 2 << 20);
	hp_agent_backlog_close(&b);
}
END_TEST

START_TEST(records)
{
	for (size_t n = 0; n < sizeof(binary); n++) {
		uint64_t want = 0;

		for (size_t i = 0; i < HP_ARRAY_LEN(binary_ends); i++)
			if (binary_ends[i] <= n)
				want = binary_ends[i];
		for (size_t step = 1; step <= n; step++)
			must(whole(binary, n, step) == want);
	}
}
END_TEST

/*
 * Test that a heap dump counts as open from the end of its first segment until
 * its HEAP DUMP END record is complete.
 */
START_TEST(segments)
{
	static const uint8_t bytes[] =
		"JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\1"
		"\x1c\0\0\0\0\0\0\0\2\xff\1"
		"\x0e\0\0\0\0\0\0\0\6\0\0\0\1\0\2"
		"\x2c\0\0\0\0\0\0\0";

	for (size_t n = 0; n <= sizeof(bytes); n++) {
		struct hp_agent_stream s = {0};

		hp_agent_stream_feed(&s, bytes, n);
		must(s.heap_open == (n >= 42 && n < sizeof(bytes)));
	}
}
END_TEST

START_TEST(lines)
{
	const size_t thread = (size_t)(strstr(text, "SITES BEGIN") - text);
	const size_t prologue = (size_t)(strstr(text, "THREAD") - text);

	for (size_t n = 0; n < sizeof(text); n++) {
		uint64_t want = n >= strlen(text) ? strlen(text)
				: n >= thread	  ? thread
				: n >= prologue	  ? prologue
						  : 0;

		for (size_t step = 1; step <= n; step++)
			must(whole(text, n, step) == want);
	}
}
END_TEST

START_TEST(odd)
{
	static const char bytes[] = "GET / HTTP/1.1\r\nHost: somebody\r\n";

	must(whole(bytes, 30, 7) == 30);
	must(whole(bytes, 10, 7) == 0);
}
END_TEST

static void
check_commands(const char *list, const void *bytes, size_t n)
{
	struct hp_agent_commands c;

	must(hp_agent_commands_parse(list, &c, NULL) == HP_OK);
	must(c.bytes.len == n && memcmp(c.bytes.data, bytes, n) == 0);
	hp_buf_release(&c.bytes);
}

START_TEST(commands)
{
	static const char *const wrong[] = {"",
					    "gc,",
					    "gc:1",
					    "depth",
					    "depth:x",
					    "depth:65536",
					    "depth:0x",
					    "depth:1f",
					    "alloc-sites:8",
					    "alloc-sites:1:2",
					    "eof,gc",
					    "cpu-samples:nan",
					    "samples-on:1:xe",
					    "samples-on:4294967296",
					    "dump",
					    "alloc-sites:1:0.5:3"};
	struct hp_agent_commands c;

	check_commands("gc,eof", "\1\0\0\0\0\0\0\0\0\xff", 10);
	check_commands("alloc-sites:7:1", "\3\0\0\0\0\0\0\0\6\0\7\x3f\x80\0\0",
		       15);
	check_commands("depth:258", "\10\0\0\0\0\0\0\0\4\0\7\1\2", 13);
	check_commands("depth:010", "\10\0\0\0\0\0\0\0\4\0\7\0\12", 13);
	check_commands("depth:0X1f", "\10\0\0\0\0\0\0\0\4\0\7\0\37", 13);
	check_commands("samples-off:0x01020304:le",
		       "\10\0\0\0\0\0\0\0\6\0\4\4\3\2\1", 15);
	check_commands("samples-on:0x01020304:be",
		       "\10\0\0\0\0\0\0\0\6\0\3\1\2\3\4", 15);
	for (size_t i = 0; i < HP_ARRAY_LEN(wrong); i++) {
		must(hp_agent_commands_parse(wrong[i], &c, NULL) == HP_DAMAGED);
		hp_buf_release(&c.bytes);
	}
	must(hp_agent_commands_parse("gc,dump-heap", &c, NULL) == HP_OK);
	ck_assert_str_eq(c.dangerous, "dump-heap");
	hp_buf_release(&c.bytes);
}
END_TEST

Suite *
test_agent_stream_suite(void)
{
	Suite *suite = suite_create("agent_stream");
	TCase *c = tcase_create("agent_stream");

	tcase_add_test(c, backlog);
	tcase_add_test(c, records);
	tcase_add_test(c, segments);
	tcase_add_test(c, lines);
	tcase_add_test(c, odd);
	tcase_add_test(c, commands);
	suite_add_tcase(suite, c);
	return suite;
}
