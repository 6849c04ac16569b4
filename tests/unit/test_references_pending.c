/*
 * test_references_pending.c - tests of references to objects that come later,
 * while a compressed dump is validated
 *
 * Such references are kept in memory until their object comes ("pending"), so
 * that a compressed dump need not be read twice. A second pass is needed only
 * if there are too many of them, or if an object occurs twice. The result must
 * be the same as for the uncompressed dump.
 */
#include "tests/builder/world.h"
#include "tests/unit/validate_helper.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum {
	ARRAYS = 40,
	NUMBERS = 12500,
	FEW = 5,
	/*
	 * SOME references need 3.67 MB. If --memory is GRUDGING, all threads
	 * together may use 4.6 to 6 MB for pending references. If each of two
	 * threads had a fixed half of this memory, it would be too little.
	 */
	SOME = 60000,
	MANY = 2000000,
	/*
	 * LATER arrays of EACH references to an object that comes at the end.
	 * One thread needs 28 MB for the list of these references, and PLENTY
	 * allows 32 MB. If each of several threads had a list that doubles when
	 * it is full, their lists would need up to 56 MB.
	 */
	LATER = 58,
	EACH = 8192,
	/* a value of --memory that suffices for all references */
	PLENTY = 512 << 20,
	GRUDGING = 160 << 20,
};

/*
 * What a dump contains in addition to the objects of b_world() and
 * incompressible data.
 */
enum extra {
	NOTHING,
	DANGLING, /* a few dangling references */
	/*
	 * As many dangling references as fit into the memory, all in one batch
	 * (part of the dump), so that only one thread sees them.
	 */
	DANGLING_IN_ONE,
	/* a few dangling references, and many to an object at the end */
	DANGLING_AND_LATER,
	DANGLING_ALL, /* more dangling references than fit into the memory */
	/* a few dangling references, and an object that is dumped twice */
	DOUBLE,
	EXTRAS
};

/* the index of the next object whose id is not used yet */
static unsigned free_object;

static void
payload_arrays(struct b *b, unsigned arrays)
{
	static uint64_t payload[NUMBERS];
	static uint64_t seed;

	for (; arrays > 0; arrays--) {
		for (unsigned i = 0; i < NUMBERS; i++) {
			seed++;
			payload[i] = XXH3_64bits(&seed, sizeof(seed));
		}
		b_byte_array(b, b_object_id(b, free_object++), payload,
			     sizeof(payload));
	}
}

static void
references_to_nothing(struct b *b, uint32_t n)
{
	uint64_t *ids = calloc(n, sizeof(*ids));

	ck_assert_ptr_nonnull(ids);
	for (uint32_t i = 0; i < n; i++)
		ids[i] = UINT64_C(0x900000000) + 8 * i;
	b_object_array(b, b_object_id(b, B_O_FREE), b_class_id(b, B_C_OBJECTS),
		       n, ids);
	free(ids);
}

static void
references_to_the_end(struct b *b)
{
	static uint64_t ids[EACH];

	for (uint32_t i = 0; i < EACH; i++)
		ids[i] = b_object_id(b, B_O_FREE + 1);
	for (unsigned i = 0; i < LATER; i++) {
		payload_arrays(b, 2);
		b_object_array(b, b_object_id(b, free_object++),
			       b_class_id(b, B_C_OBJECTS), EACH, ids);
	}
	b_byte_array(b, ids[0], "x", 1);
}

static uint32_t
how_many(enum extra extra)
{
	return extra == NOTHING		  ? 0
	       : extra == DANGLING_IN_ONE ? SOME
	       : extra == DANGLING_ALL	  ? MANY
					  : FEW;
}

static void
build(struct b *b, enum extra extra)
{
	b_init(b, 8);
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	free_object = B_O_FREE + 2;
	if (extra != NOTHING)
		references_to_nothing(b, how_many(extra));
	if (extra == DOUBLE)
		for (unsigned i = 0; i < 2; i++)
			b_byte_array(b, b_object_id(b, B_O_FREE + 1), "x", 1);
	/*
	 * a longer dump, so that the thread with the dangling references also
	 * handles another batch
	 */
	payload_arrays(b,
		       extra == DANGLING_IN_ONE || extra == DANGLING_AND_LATER
			       ? 4 * ARRAYS
			       : ARRAYS);
	if (extra == DANGLING_AND_LATER)
		references_to_the_end(b);
	b_world_end(b);
}

static int
in_zstd(const struct b *b)
{
	size_t room = ZSTD_compressBound(b->len), n;
	void *packed = malloc(room);
	int fd;

	ck_assert_ptr_nonnull(packed);
	n = ZSTD_compress(packed, room, b->data, b->len, 1);
	ck_assert(!ZSTD_isError(n));
	fd = bytes_as_file(packed, n);
	free(packed);
	return fd;
}

/*
 * Returns how many bytes this process has read so far; 0: the system does not
 * report this.
 */
static unsigned long long
bytes_read(void)
{
	unsigned long long n = 0;
	FILE *f = fopen("/proc/self/io", "r");

	if (f && fscanf(f, "rchar: %llu", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

static void
check(int fd, uint64_t memory, unsigned threads, struct hp_validation *v)
{
	struct hp_validate_options o = {.threads = threads,
					.memory = memory,
					.level = HP_LEVEL_REFERENCES,
					.max_examples = 3};
	char path[32];

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_validate_file(path, &o, v);
	v->path = "dump";
	v->compression = "none";
}

START_TEST(read_once_or_twice)
{
	const bool twice = _i == DANGLING_ALL || _i == DOUBLE;
	const uint64_t memory = _i == DANGLING_IN_ONE ? GRUDGING : PLENTY;
	const unsigned threads = _i == DANGLING_AND_LATER ? 5 : 2;
	struct hp_validation plain, unpacked;
	unsigned long long before, after;
	char *want, *got;
	off_t size;
	struct b b;
	int fd;

	build(&b, (enum extra)_i);
	fd = bytes_as_file(b.data, b.len);
	check(fd, memory, threads, &plain);
	close(fd);
	fd = in_zstd(&b);
	size = lseek(fd, 0, SEEK_END);
	before = bytes_read();
	check(fd, memory, threads, &unpacked);
	after = bytes_read();
	close(fd);
	want = json_of_validation(&plain);
	got = json_of_validation(&unpacked);
	ck_assert_str_eq(got, want);
	ck_assert_uint_eq(unpacked.dangling, how_many((enum extra)_i));
	if (before > 0)
		ck_assert_msg((after - before > (uint64_t)size / 2 * 3) ==
				      twice,
			      "%llu bytes of %lld were read", after - before,
			      (long long)size);
	free(want);
	free(got);
	hp_validation_release(&plain);
	hp_validation_release(&unpacked);
	b_release(&b);
}
END_TEST

Suite *test_references_pending_suite(void);

Suite *
test_references_pending_suite(void)
{
	Suite *s = suite_create("references_pending");
	TCase *t = tcase_create("references_pending");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, read_once_or_twice, 0, EXTRAS);
	suite_add_tcase(s, t);
	return s;
}
