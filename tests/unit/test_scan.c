/*
 * test_scan.c - tests of hp_scan(), which divides a dump into parts ("batches")
 * for several threads
 *
 * For every fixture (test dump) and for a large dump, all passes must get the
 * same sub-records, whatever the number of threads, the kind of input and the
 * data that the pass needs. A pass that needs all data must get every byte.
 * Threads must use decompressed data without a copy.
 */
#include "common/base/platform.h"
#include "common/format/scan.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

Suite *test_scan_suite(void);

enum { WORKERS = 4 };

/*
 * what a pass has received, as sums and hashes that do not depend on the order
 * of the batches
 */
struct tally {
	uint64_t subs, digest, elements, element_digest;
};

struct seen {
	unsigned id_size;
	struct tally worker[WORKERS];
	uint64_t problems;
	uint64_t next_index;
	uint64_t cuts;
	/* for passes that need all data: the received bytes in order */
	uint8_t *bytes;
	size_t length, cap;
};

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct seen *s = ctx;
	uint64_t key[] = {(uint64_t)p->kind, p->offset, p->record, p->got,
			  p->want};

	s->problems += XXH3_64bits(key, sizeof(key));
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	((struct seen *)ctx)->id_size = h->id_size;
	return HP_OK;
}

static void
note_sub(struct tally *t, const struct hp_sub *s)
{
	uint64_t key[] = {s->offset, s->tag, s->size};

	t->subs++;
	t->digest += XXH3_64bits(key, sizeof(key));
}

static void
note_elements(struct tally *t, const uint8_t *data, uint64_t first, uint64_t n,
	      unsigned id_size)
{
	uint64_t i, key[2];

	for (i = 0; i < n; i++) {
		key[0] = first + i;
		key[1] = hp_load_id(data + i * id_size, id_size);
		t->elements++;
		t->element_digest += XXH3_64bits(key, sizeof(key));
	}
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct seen *s = ctx;
	struct tally *t = &s->worker[b->worker];
	const struct hp_run *run;
	struct hp_heap_iter it;
	struct hp_sub sub = {0};
	size_t i;

	for (i = 0; i < b->nruns; i++) {
		run = &b->runs[i];
		if (run->kind == HP_RUN_ARRAY) {
			if (run->piece.head)
				note_sub(t, &run->piece.sub);
			must(!run->piece.elements ||
			     run->piece.last ==
				     (run->piece.first + run->piece.elements ==
				      run->piece.sub.count));
			if (run->piece.sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
				note_elements(t, b->data + run->at,
					      run->piece.first,
					      run->piece.elements, s->id_size);
		}
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (hp_heap_next(&it, &sub, s->id_size)) {
			note_sub(t, &sub);
			if (sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
				note_elements(t, sub.data, 0, sub.count,
					      s->id_size);
		}
	}
	return HP_OK;
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct seen *s = ctx;

	ck_assert_uint_eq(b->index, s->next_index++);
	if (!s->bytes)
		return HP_OK;
	if (b->offset != s->length || s->length + b->length > s->cap)
		return hp_fail(err, HP_DAMAGED, "batch at %llu, expected %zu",
			       (unsigned long long)b->offset, s->length);
	memcpy(s->bytes + s->length, b->data, b->length);
	s->length += b->length;
	return HP_OK;
}

static void
on_cut(void *ctx, const struct hp_batch *b)
{
	struct seen *s = ctx;

	ck_assert_uint_eq(b->index, s->cuts++);
}

static struct tally
sum(const struct seen *s)
{
	struct tally all = {0};
	unsigned i;

	for (i = 0; i < WORKERS; i++) {
		all.subs += s->worker[i].subs;
		all.digest += s->worker[i].digest;
		all.elements += s->worker[i].elements;
		all.element_digest += s->worker[i].element_digest;
	}
	return all;
}

/* a process that writes a dump to a pipe, in parts of irregular length */
struct pump {
	const struct b *b;
	int fd;
};

static void *
pump(void *arg)
{
	struct pump *p = arg;
	size_t at, n;
	ssize_t wrote;

	for (at = 0; at < p->b->len; at += (size_t)wrote) {
		n = p->b->len - at < 65521 ? p->b->len - at : 65521;
		wrote = write(p->fd, p->b->data + at, n);
		/*
		 * write() may write only a part of the bytes, for example after
		 * a debugger has stopped this process; then write the rest
		 */
		if (wrote <= 0)
			break;
	}
	close(p->fd);
	return NULL;
}

static void
add_frame(int fd, const uint8_t *data, size_t n)
{
	size_t room = ZSTD_compressBound(n);
	void *frame = malloc(room);
	size_t len = ZSTD_compress(frame, room, data, n, 1);

	ck_assert(!ZSTD_isError(len));
	ck_assert_int_eq(write(fd, frame, len), (ssize_t)len);
	free(frame);
}

static int
pressed(const struct b *b)
{
	size_t step = b->len / 2 < 600000 ? b->len / 2 + 1 : 600000;
	int fd = memfd_create("dump.zst", 0);

	for (size_t at = 0; at < b->len; at += step)
		add_frame(fd, b->data + at,
			  b->len - at < step ? b->len - at : step);
	return fd;
}

enum input { FROM_FILE, FROM_PIPE, FROM_ZSTD, INPUTS };

static struct seen
scan_some(const struct b *b, enum hp_need need, unsigned threads,
	  enum input input,
	  bool (*wanted)(void *ctx, const struct hp_batch *batch))
{
	struct seen s = {0};
	struct hp_pass pass = {.need = need,
			       .ctx = &s,
			       .wanted = wanted,
			       .problem = on_problem,
			       .header = on_header,
			       .batch = on_batch,
			       .retired = on_retired};
	struct hp_scan_options options = {.threads = threads};
	struct hp_source_options unpack = {.threads = threads - 1};
	struct hp_error err = {0};
	struct hp_source *src;
	struct pump feed = {.b = b};
	pthread_t feeder;
	int fds[2] = {-1, -1};
	char path[64];

	if (input == FROM_PIPE) {
		ck_assert_int_eq(pipe(fds), 0);
		feed.fd = fds[1];
		pthread_create(&feeder, NULL, pump, &feed);
	} else if (input == FROM_ZSTD) {
		fds[0] = pressed(b);
	} else {
		fds[0] = memfd_create("dump", 0);
		ck_assert_int_eq(b_write_fd(b, fds[0]), 0);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	if (need == HP_NEED_EVERYTHING) {
		s.cap = b->len;
		s.bytes = malloc(b->len + 1);
	}
	ck_assert_int_eq(hp_source_open(&src, path, &unpack, &err), HP_OK);
	ck_assert_msg(hp_scan(src, &pass, &options, &err) == HP_OK, "%s",
		      err.text);
	hp_source_close(src);
	close(fds[0]);
	if (input == FROM_PIPE)
		pthread_join(feeder, NULL);
	return s;
}

static struct seen
scan(const struct b *b, enum hp_need need, unsigned threads, enum input input)
{
	return scan_some(b, need, threads, input, NULL);
}

/*
 * Check that all ways to read a dump give the same result. If @whole is true,
 * the passes must get every byte.
 */
static void
check_all_ways(const struct b *b, const char *name, bool whole)
{
	struct seen first = scan(b, HP_NEED_REFERENCES, 1, FROM_FILE), s;
	struct tally want = sum(&first), got;
	/* whether the dump has a long object that is truncated */
	bool loses = b->len > 2000000 && first.problems > 0;
	unsigned need, way;

	for (need = HP_NEED_HEADS; need <= HP_NEED_EVERYTHING; need++) {
		for (way = 0; way < 2 * INPUTS; way++) {
			if (HP_TSAN && !(way & 1))
				/*
				 * the first result, with which the others are
				 * compared
				 */
				continue;
			/*
			 * a pass that needs all data also gets the beginning of
			 * the truncated object, so its result is different
			 */
			if (loses && need == HP_NEED_EVERYTHING &&
			    way / 2 != FROM_FILE)
				continue;
			s = scan(b, need, way & 1 ? 3 : 1,
				 (enum input)(way / 2));
			got = sum(&s);
			ck_assert_msg(got.subs == want.subs &&
					      got.digest == want.digest &&
					      s.problems == first.problems,
				      "%s: need %u, way %u: %llu sub-records "
				      "instead of %llu",
				      name, need, way,
				      (unsigned long long)got.subs,
				      (unsigned long long)want.subs);
			if (need != HP_NEED_HEADS)
				ck_assert_msg(got.element_digest ==
						      want.element_digest,
					      "%s: need %u, way %u: elements",
					      name, need, way);
			if (need == HP_NEED_EVERYTHING) {
				ck_assert(!whole || s.length == b->len);
				ck_assert(s.length == 0 ||
					  memcmp(s.bytes, b->data, s.length) ==
						  0);
			}
			free(s.bytes);
		}
	}
}

START_TEST(fixtures)
{
	const struct b_fixture *f;
	unsigned id_size;
	struct b b;

	for (f = b_fixtures(); f->name; f++) {
		for (id_size = 4; id_size <= 8; id_size += 4) {
			b_init(&b, id_size);
			b_fixture_build(f, &b, id_size);
			/*
			 * the length of a record of more than 4 GB is
			 * unambiguous only if the input is a file
			 */
			if (b.hole_len == 0)
				check_all_ways(&b, f->name, false);
			b_release(&b);
		}
	}
}
END_TEST

/*
 * Build one heap record of many MiB: small objects, then arrays that are so
 * large that they are read in several pieces.
 */
static void
build_large(struct b *b, bool segments)
{
	uint64_t *ids = calloc(1 << 21, sizeof(*ids));
	unsigned i;

	for (i = 0; i < 1 << 21; i++)
		ids[i] = 0x100000 + 8 * (uint64_t)(i % 1000);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(b, 1, "java/lang/Object");
	b_load_class(b, 1, 0x1000, 1, 1);
	if (segments)
		b_segment(b);
	else
		b_heap_dump(b);
	for (i = 0; i < 60000; i++)
		b_byte_array(b, 0x100000 + 64 * (uint64_t)i, ids, i % 97);
	b_object_array(b, 0x8000000, 0x1000, 1 << 21, ids);
	b_byte_array(b, 0x9000000, ids, 9 << 20);
	b_byte_array(b, 0xa000000, ids, 3);
	b_object_array(b, 0xb000000, 0x1000, 1000, ids);
	b_byte_array(b, 0xc000000, ids, 3 << 20);
	b_close(b);
	if (segments)
		b_heap_dump_end(b);
	free(ids);
}

START_TEST(large)
{
	struct b b;

	b_init(&b, _i ? 8 : 4);
	build_large(&b, _i);
	check_all_ways(&b, "large", true);
	/*
	 * truncate the dump in the last array, then in the middle of the large
	 * array
	 */
	b_cut(&b, 1 << 20);
	check_all_ways(&b, "large, cut", false);
	b_release(&b);
}
END_TEST

static bool
is_third(void *ctx, const struct hp_batch *b)
{
	return (b->offset >> 20) % 3 == 0;
}

static bool
is_no_third(void *ctx, const struct hp_batch *b)
{
	return !is_third(ctx, b);
}

/*
 * Test a pass that does not want one batch (part of the dump). No thread must
 * get this batch, and no other batch must be missing.
 */
START_TEST(wanted)
{
	struct b b;

	b_init(&b, 8);
	build_large(&b, _i % 2);
	for (unsigned threads = 1; threads < 4; threads += 2) {
		enum hp_need need = HP_NEED_REFERENCES;
		struct seen all = scan(&b, need, threads, _i / 2);
		struct seen some =
			scan_some(&b, need, threads, _i / 2, is_third);
		struct seen others =
			scan_some(&b, need, threads, _i / 2, is_no_third);
		struct tally a = sum(&all), s = sum(&some), o = sum(&others);

		ck_assert_uint_gt(s.subs, 0);
		ck_assert_uint_gt(o.subs, 0);
		ck_assert_uint_eq(s.subs + o.subs, a.subs);
		ck_assert_uint_eq(s.elements + o.elements, a.elements);
		ck_assert_uint_eq(some.next_index + others.next_index,
				  all.next_index);
	}
	b_release(&b);
}
END_TEST

/*
 * A callback that checks that a batch uses the buffer of the decompressor: the
 * batch must have almost no memory of its own.
 */
static enum hp_status
is_lent(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	ck_assert_uint_gt(b->length, 0);
	ck_assert_uint_lt(b->data_cap, 100);
	return on_batch(ctx, b, err);
}

/*
 * Write a compressed dump as hprof-convert does: each zstd frame contains
 * complete HEAP DUMP SEGMENT records. The contents cannot be compressed, so
 * that the file is long: a short file would be read without additional threads.
 */
static int
in_frames(struct b *b)
{
	static uint64_t payload[250][500];
	size_t from = 0;
	int fd = memfd_create("dump.zst", 0);

	for (uint64_t i = 0; i < 250 * 500; i++)
		payload[i / 500][i % 500] = XXH3_64bits(&i, sizeof(i));
	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1);
	for (unsigned i = 0; i < 9; i++) {
		b_segment(b);
		for (unsigned k = 0; k < 250; k++)
			b_byte_array(b, 0x1000 + 250 * i + k, payload[k],
				     sizeof(payload[k]));
		b_close(b);
		if (i % 2 == 0) { /* end a frame after every second segment */
			add_frame(fd, b->data + from, b->len - from);
			from = b->len;
		}
	}
	return fd;
}

static void
scan_frames(int fd, const struct hp_pass *pass)
{
	const struct hp_scan_options options = {.threads = 2};
	const struct hp_source_options unpack = {.threads = 2};
	struct hp_error err = {0};
	struct hp_source *src;

	ck_assert_int_eq(hp_source_open_fd(&src, fd, "dump", &unpack, &err),
			 HP_OK);
	ck_assert_msg(hp_scan(src, pass, &options, &err) == HP_OK, "%s",
		      err.text);
	hp_source_close(src);
}

/*
 * Test a file of zstd frames with complete segments: the contents of batches
 * must not be copied.
 */
START_TEST(lent)
{
	struct seen s = {0};
	const struct hp_pass pass = {.need = (enum hp_need)_i,
				     .ctx = &s,
				     .header = on_header,
				     .batch = is_lent,
				     .retired = on_retired};
	struct b b;
	int fd = in_frames(&b);

	s.cap = b.len;
	if (_i == HP_NEED_EVERYTHING)
		s.bytes = malloc(b.len);
	scan_frames(fd, &pass);
	ck_assert_uint_eq(sum(&s).subs, 9 * 250);
	ck_assert_uint_ge(s.next_index, 9);
	if (s.bytes) {
		ck_assert_uint_eq(s.length, b.len);
		ck_assert_mem_eq(s.bytes, b.data, b.len);
	}
	free(s.bytes);
	b_release(&b);
}
END_TEST

/*
 * Test a batch that the pass does not want: the buffer of its data must be
 * released, and no thread must get the batch.
 */
START_TEST(lent_unwanted)
{
	struct seen s = {0};
	const struct hp_pass pass = {.need = HP_NEED_REFERENCES,
				     .ctx = &s,
				     .header = on_header,
				     .wanted = is_third,
				     .cut = on_cut,
				     .batch = is_lent,
				     .retired = on_retired};
	struct b b;

	scan_frames(in_frames(&b), &pass);
	ck_assert_uint_gt(sum(&s).subs, 0);
	ck_assert_uint_lt(sum(&s).subs, 9 * 250);
	ck_assert_uint_eq(s.cuts, s.next_index);
	b_release(&b);
}
END_TEST

static const unsigned deferrals[] = {1, 3};

struct deferral {
	struct seen seen;
	uint64_t first_time, replayed, completed;
	pthread_mutex_t lock;
};

/*
 * A callback that postpones every instance, and counts the instances when they
 * come the second time.
 */
static enum hp_status
defer_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct deferral *d = ctx;
	size_t i = b->replay ? b->resume_run : 0;
	struct hp_heap_iter it;
	struct hp_sub s;

	pthread_mutex_lock(&d->lock);
	ck_assert(!b->replay || d->completed);
	for (; i < b->nruns; i++) {
		if (b->runs[i].kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (hp_heap_next(&it, &s, d->seen.id_size)) {
			if (s.tag != HP_SUB_INSTANCE_DUMP)
				continue;
			if (b->replay) {
				d->replayed += s.id;
			} else {
				d->first_time += s.id;
				hp_batch_defer(b, i, s.offset);
			}
		}
	}
	pthread_mutex_unlock(&d->lock);
	return HP_OK;
}

static enum hp_status
complete(void *ctx, unsigned dump, struct hp_error *err)
{
	((struct deferral *)ctx)->completed = 1;
	return HP_OK;
}

START_TEST(deferred)
{
	struct deferral d = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct hp_pass pass = {.need = HP_NEED_REFERENCES,
			       .ctx = &d,
			       .header = on_header,
			       .batch = defer_batch,
			       .classes_complete = complete};
	struct hp_scan_options options = {
		.threads = deferrals[_i & 1],
		/*
		 * little memory, so that some postponed instances are in memory
		 * and others in a temporary file
		 */
		.spill_memory = 100000,
	};
	struct hp_source_options none = {0};
	struct hp_error err = {0};
	struct hp_source *src;
	struct pump feed;
	pthread_t feeder;
	int fds[2];
	char path[64];
	struct b b;
	unsigned i;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	b_heap_dump(&b);
	for (i = 0; i < 100000; i++)
		b_instance_bytes(&b, 8 + i * 8, 0x1000, "12345678", 8);
	b_close(&b);
	ck_assert_int_eq(pipe(fds), 0);
	if (_i & 2) {
		close(fds[0]);
		close(fds[1]);
		fds[0] = memfd_create("dump", 0);
		b_write_fd(&b, fds[0]);
	} else {
		feed = (struct pump){.b = &b, .fd = fds[1]};
		pthread_create(&feeder, NULL, pump, &feed);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	ck_assert_int_eq(hp_source_open(&src, path, &none, &err), HP_OK);
	ck_assert_msg(hp_scan(src, &pass, &options, &err) == HP_OK, "%s",
		      err.text);
	if (!(_i & 2))
		pthread_join(feeder, NULL);
	hp_source_close(src);
	close(fds[0]);
	ck_assert_uint_gt(d.first_time, 0);
	ck_assert_uint_eq(d.first_time, d.replayed);
	b_release(&b);
}
END_TEST

/*
 * Numbers of batches that were created, completed and discarded, to detect
 * leaks.
 */
struct leavings {
	_Atomic unsigned made, second;
	unsigned retired, dropped;
};

static enum hp_status
leave(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct leavings *l = ctx;

	b->user = malloc(1);
	l->made++;
	if (b->index > 0)
		l->second = 1;
	while (!l->second)
		usleep(100);
	return HP_OK;
}

static enum hp_status
fail_first(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct leavings *l = ctx;

	l->retired++;
	free(b->user);
	b->user = NULL;
	return hp_fail(err, HP_DAMAGED, "batch %u", (unsigned)b->index);
}

static void
drop(void *ctx, struct hp_batch *b)
{
	struct leavings *l = ctx;

	l->dropped += b->user != NULL;
	free(b->user);
	b->user = NULL;
}

START_TEST(dropped)
{
	struct leavings l = {0};
	const struct hp_pass pass = {.need = HP_NEED_EVERYTHING,
				     .ctx = &l,
				     .batch = leave,
				     .retired = fail_first,
				     .dropped = drop};
	const struct hp_scan_options options = {.threads = 2};
	const struct hp_source_options none = {0};
	struct hp_error err = {0};
	struct hp_source *src;
	int fd = memfd_create("dump", 0);
	struct b b;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	b_heap_dump(&b);
	for (unsigned i = 0; i < 200000; i++)
		b_instance_bytes(&b, 8 + i * 8, 0x1000, "12345678", 8);
	b_close(&b);
	b_write_fd(&b, fd);
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "dump", &none, &err),
			 HP_OK);
	ck_assert_int_eq(hp_scan(src, &pass, &options, &err), HP_DAMAGED);
	hp_source_close(src);
	ck_assert_uint_eq(l.retired, 1);
	ck_assert_uint_ge(l.dropped, 1);
	ck_assert_uint_eq(l.retired + l.dropped, l.made);
	b_release(&b);
}
END_TEST

/*
 * Test a file whose id size changes before a second pass, without a change of
 * its size and time. hp_scan() must fail before a thread gets a batch.
 */
START_TEST(id_size_changed)
{
	const struct hp_pass pass = {.need = HP_NEED_HEADS};
	const struct hp_scan_options options = {.threads = 1};
	const struct hp_source_options none = {0};
	struct hp_error err = {0};
	struct hp_source *src;
	int fd = memfd_create("dump", 0);
	struct timespec times[2];
	struct stat sb;
	struct b b;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	b_heap_dump(&b);
	b_close(&b);
	b_write_fd(&b, fd);
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "dump", &none, &err),
			 HP_OK);
	ck_assert_int_eq(hp_scan(src, &pass, &options, &err), HP_OK);
	ck_assert_int_eq(fstat(fd, &sb), 0);
	ck_assert_int_eq(pwrite(fd, "\0\0\0\4", 4, 19), 4);
	times[0] = sb.st_atim;
	times[1] = sb.st_mtim;
	ck_assert_int_eq(futimens(fd, times), 0);
	ck_assert_int_eq(hp_source_rewind(src, &err), HP_OK);
	ck_assert_int_eq(hp_scan(src, &pass, &options, &err), HP_IO);
	hp_source_close(src);
	b_release(&b);
}
END_TEST

static unsigned
threads_for(int fd, unsigned most)
{
	const struct hp_source_options none = {0};
	struct hp_error err = {0};
	struct hp_source *src;
	unsigned n;

	ck_assert_int_eq(hp_source_open_fd(&src, dup(fd), "dump", &none, &err),
			 HP_OK);
	n = hp_scan_threads(src, most);
	hp_source_close(src);
	return n;
}

/*
 * Test the number of threads. For a small dump, this number is limited, because
 * more threads are useless. The size of a pipe is unknown.
 */
START_TEST(threads)
{
	int fd = memfd_create("dump", 0), ends[2];
	unsigned last = 1, n;

	for (off_t mib = 1; mib <= 1 << 10; mib *= 2) {
		ck_assert_int_eq(ftruncate(fd, mib << 20), 0);
		ck_assert_uint_eq(threads_for(fd, 1), 1);
		n = threads_for(fd, 64);
		ck_assert_uint_ge(n, last);
		if (mib <= 8)
			ck_assert_uint_eq(n, HP_SANITIZED ? 64 : 1);
		last = n;
	}
	ck_assert_uint_eq(last, 64);
	/*
	 * for gzip files, the number of threads depends on the size of the
	 * compressed file
	 */
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(ftruncate(fd, i ? 8 << 20 : 1 << 20), 0);
		ck_assert_int_eq(
			pwrite(fd, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10, 0), 10);
		ck_assert_uint_eq(threads_for(fd, 64) < 2,
				  i == 0 && !HP_SANITIZED);
	}
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[1]);
	ck_assert_uint_eq(threads_for(ends[0], 64), 64);
	close(ends[0]);
	close(fd);
}
END_TEST

Suite *
test_scan_suite(void)
{
	Suite *s = suite_create("scan");
	TCase *t = tcase_create("scan"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 300);
	tcase_add_test(t, fixtures);
	tcase_add_loop_test(q, large, 0, 1);
	tcase_add_loop_test(t, large, 1, 2);
	tcase_add_loop_test(q, wanted, 0, 1);
	tcase_add_loop_test(t, wanted, 1, 2 * INPUTS);
	tcase_add_loop_test(q, lent, HP_NEED_HEADS, HP_NEED_EVERYTHING + 1);
	tcase_add_test(q, lent_unwanted);
	tcase_add_loop_test(q, deferred, 0, 4);
	tcase_add_test(q, dropped);
	tcase_add_test(q, id_size_changed);
	tcase_add_test(q, threads);
	suite_add_tcase(s, t);
	return s;
}
