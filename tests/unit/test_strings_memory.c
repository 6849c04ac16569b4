/*
 * test_strings_memory.c - check the memory limit of hprof-convert --strings
 *
 * The list of arrays with long texts has one entry for each array that a String
 * refers to. The list must not exceed its share of --memory. The test calls the
 * conversion function directly, because the program refuses a --memory that is
 * so small.
 */
#include "convert/pipeline.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/validate_helper.h"

#include <check.h>
#include <string.h>

Suite *test_strings_memory_suite(void);

enum {
	/* id of the class java.lang.String in the test dump */
	STRING_CLASS = 0x10200,
	STRINGS = 0x60000000,
	ARRAYS = 0x50000000,
	/*
	 * Length in bytes of a long text. The list of long texts has entries
	 * only for texts of at least this length.
	 */
	LONG = 257,
	/*
	 * number of Strings: too many for the list of long texts if the memory
	 * limit is 2 MB
	 */
	MANY = 6000,
};

static void
add_be(struct hp_buf *out, uint32_t v)
{
	uint8_t bytes[4];

	hp_store4(bytes, v);
	hp_buf_add(out, bytes, sizeof(bytes));
}

static void
add_string(struct hp_buf *out, uint32_t i, uint32_t length)
{
	char text[LONG];

	memset(text, 'a', sizeof(text));
	hp_buf_byte(out, HP_SUB_PRIMITIVE_ARRAY_DUMP);
	add_be(out, ARRAYS + i);
	add_be(out, 1);
	add_be(out, length);
	hp_buf_byte(out, HP_TYPE_BYTE);
	hp_buf_add(out, text, length);
	hp_buf_byte(out, HP_SUB_INSTANCE_DUMP);
	add_be(out, STRINGS + i);
	add_be(out, 1);
	add_be(out, STRING_CLASS);
	/* the two fields of the String, value and coder, have 5 bytes */
	add_be(out, 5);
	add_be(out, ARRAYS + i);
	hp_buf_byte(out, 0);
}

static void
make_dump(struct hp_buf *out, uint32_t n, uint32_t length)
{
	struct hp_buf heap = {0};
	struct b b;

	b_fixture_build(b_fixture_find("strings"), &b, 4);
	hp_buf_add(out, b.data, b.len - HP_HEAD_SIZE);
	for (uint32_t i = 0; i < n; i++)
		add_string(&heap, i, length);
	hp_buf_byte(out, HP_REC_HEAP_DUMP_SEGMENT);
	add_be(out, 0);
	add_be(out, (uint32_t)heap.len);
	hp_buf_add(out, heap.data, heap.len);
	hp_buf_add(out, b.data + b.len - HP_HEAD_SIZE, HP_HEAD_SIZE);
	hp_buf_release(&heap);
	b_release(&b);
}

static enum hp_status
convert(const struct hp_buf *dump, enum hp_convert_to to, uint64_t memory,
	struct hp_error *err)
{
	const struct hp_source_options so = {.threads = 0};
	struct hp_convert_options o = {
		.to = to, .strings = true, .elements_given = true};
	struct hp_pipeline s = {.options = &o};
	int fd = bytes_as_file(dump->data, dump->len);
	struct hp_source *src;
	struct hp_sink *sink;
	enum hp_status st;

	o.common.threads = 1;
	o.common.memory = memory;
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "a dump", &so, err),
			 HP_OK);
	ck_assert_int_eq(hp_sink_open_temporary(&sink, err), HP_OK);
	st = hp_pipeline_run(&s, src, sink, err);
	hp_sink_abort(sink);
	hp_source_close(src);
	return st;
}

START_TEST(list_of_long_texts)
{
	static const enum hp_convert_to formats[] = {HP_TO_NDJSON, HP_TO_TEXT};
	const enum hp_convert_to to = formats[_i];
	const uint64_t little = 2 << 20;
	struct hp_buf many = {0}, few = {0}, short_ones = {0};
	struct hp_error err = {0};

	make_dump(&many, MANY, LONG);
	make_dump(&few, MANY / 4, LONG);
	make_dump(&short_ones, MANY, LONG - 1);
	ck_assert_int_eq(convert(&many, to, little, &err), HP_LIMIT);
	ck_assert_str_eq(err.text,
			 "--strings needs more --memory: the list of long "
			 "texts does not fit");
	err = (struct hp_error){0};
	ck_assert_int_eq(convert(&many, to, 8 * little, &err), HP_OK);
	ck_assert_int_eq(convert(&few, to, little, &err), HP_OK);
	ck_assert_int_eq(convert(&short_ones, to, little, &err), HP_OK);
	hp_buf_release(&many);
	hp_buf_release(&few);
	hp_buf_release(&short_ones);
}
END_TEST

Suite *
test_strings_memory_suite(void)
{
	Suite *s = suite_create("strings_memory");
	TCase *t = tcase_create("budget");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, list_of_long_texts, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
