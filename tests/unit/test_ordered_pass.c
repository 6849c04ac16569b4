/*
 * test_ordered_pass.c - test that for a damaged dump, the output of a pass and
 * the messages do not depend on which thread is slow
 */
#include "convert/copy/ordered_pass.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *test_ordered_pass_suite(void);

enum {
	/*
	 * number of arrays in a segment, so that it is about as large as a
	 * batch (the part of the dump that one thread handles)
	 */
	ARRAYS = 300,
	ELEMENTS = 4 << 10,
	SEGMENTS = 6,
	UNKNOWN = 0x77,
	DAMAGES = 5,
	LINE = 900, /* number of bytes of output text for each array */
};

enum slow { NOBODY, READER, WORKER, SLOW_END };

struct pass {
	enum slow slow;
	struct hp_buf written;
};

static void
segment(struct b *b, uint64_t number, bool broken)
{
	b_segment(b);
	for (uint64_t i = 0; i < ARRAYS; i++) {
		if (broken && i == ARRAYS / 2)
			b_u1(b, UNKNOWN);
		b_primitive_array(b, 8 * (number * ARRAYS + i + 1), B_BYTE,
				  ELEMENTS, NULL);
	}
	b_close(b);
}

static void
make_dump(struct b *b, int damage)
{
	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1);
	b_string(b, 1, "text");
	for (uint64_t i = 0; i < SEGMENTS; i++) {
		segment(b, i, i == 3 && (damage == 1 || damage == 2));
		if (i == 2 && (damage == 0 || damage == 2)) {
			/* begin the damage after the first array */
			size_t n = (size_t)ARRAYS * ELEMENTS;

			b_open(b, UNKNOWN);
			b_zeros(b, 2 * n);
			b_close(b);
			b_set_length(b, b_record(b, UNKNOWN, "", 0),
				     UINT32_MAX);
		}
		/* write an array with fewer elements than its length says */
		if (i == 1 && damage == 4)
			b_record(b, B_UNLOAD_CLASS, "abc", 3);
	}
	b_heap_dump_end(b);
	if (damage == 3)
		b_cut(b, (size_t)ARRAYS * ELEMENTS / 2);
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct pass *p = ctx;

	if (p->slow == READER)
		usleep(10000);
	return HP_OK;
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct pass *p = ctx;

	hp_ordered_pass_relieve(b, out);
	if (p->slow == WORKER && sub && (sub->id / 8) % (ARRAYS / 2) == 1)
		usleep(10000);
	hp_buf_printf(out, "%*llu\n", sub ? LINE : 1,
		      (unsigned long long)(sub ? sub->offset : r->offset));
	return HP_OK;
}

static enum hp_status
on_write(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	 struct hp_error *err)
{
	struct pass *p = ctx;

	hp_buf_add(&p->written, out->data, out->len);
	return HP_OK;
}

static struct hp_source *
open_dump(const struct b *b)
{
	const struct hp_source_options so = {.threads = 1};
	int fd = memfd_create("dump", 0);
	struct hp_source *src;

	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(hp_source_open_fd(&src, fd, "dump", &so, NULL) == HP_OK);
	return src;
}

static void
run_pass(const struct b *b, struct pass *p, unsigned threads, bool relieves,
	 uint64_t memory, struct hp_error *err)
{
	const struct hp_transform t = {.need = HP_NEED_EVERYTHING,
				       .memory = memory,
				       .relieves = relieves,
				       .ctx = p,
				       .record = on_record,
				       .run = on_run,
				       .write = on_write};
	struct hp_source *src = open_dump(b);

	ck_assert_int_eq(hp_ordered_pass_run(src, NULL, &t, threads, err),
			 HP_DAMAGED);
	hp_source_close(src);
}

START_TEST(same_whoever_is_slow)
{
	bool relieves = _i >= DAMAGES;
	struct hp_error first = {0};
	struct pass all = {0};
	struct b b;

	make_dump(&b, _i % DAMAGES);
	run_pass(&b, &all, 1, relieves, 1 << 30, &first);
	/* the output for the arrays before the damage must have been written */
	ck_assert_uint_ge(all.written.len, (size_t)LINE * ARRAYS);
	for (enum slow slow = NOBODY; slow < SLOW_END; slow++)
		for (unsigned threads = 1; threads <= 4; threads++) {
			struct pass p = {.slow = slow};
			struct hp_error err = {0};

			/*
			 * with a small --memory, some output is written earlier
			 */
			run_pass(&b, &p, threads, relieves,
				 threads % 2 ? 1 << 21 : 1 << 30, &err);
			ck_assert_str_eq(err.text, first.text);
			ck_assert_uint_eq(p.written.len, all.written.len);
			ck_assert_mem_eq(p.written.data, all.written.data,
					 all.written.len);
			hp_buf_release(&p.written);
		}
	hp_buf_release(&all.written);
	b_release(&b);
}
END_TEST

Suite *
test_ordered_pass_suite(void)
{
	Suite *suite = suite_create("ordered_pass");
	TCase *c = tcase_create("damaged"), *q = quick_case(suite, 60);

	tcase_set_timeout(c, 120);
	tcase_add_loop_test(q, same_whoever_is_slow, 0, 1);
	tcase_add_loop_test(c, same_whoever_is_slow, 1, 2 * DAMAGES);
	suite_add_tcase(suite, c);
	return suite;
}
