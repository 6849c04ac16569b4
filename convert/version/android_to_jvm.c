/*
 * android_to_jvm.c - convert dumps of Android (version 1.0.3) to standard ones
 * (1.0.2)
 *
 * Names of heaps are removed. Roots of Android's own types become ROOT UNKNOWN.
 * Arrays without elements become empty arrays. UNREACHABLE sub-records are
 * removed, because they are no roots. Everything else is copied.
 */
#include "convert/version/version.h"

#include "convert/copy/copy.h"

#include <stdatomic.h>

struct android_to_jvm {
	struct hp_rewrite how;
	unsigned id_size;
	_Atomic uint64_t roots, arrays;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct android_to_jvm *s = ctx;

	s->id_size = h->id_size;
	if (h->version == HP_VERSION_1_0_3)
		s->how.version = '2';
	return HP_OK;
}

static uint64_t
bytes_lost(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	   const struct hp_sub *sub)
{
	const struct android_to_jvm *s = ctx;

	switch (sub->tag) {
	case HP_SUB_HEAP_DUMP_INFO:
	case HP_SUB_UNREACHABLE:
		return sub->size;
	case HP_SUB_ROOT_JNI_MONITOR:
		return sub->size - 1 - s->id_size;
	default:
		return 0;
	}
}

static void
edit_sub(void *ctx, const struct hp_batch *b, const struct hp_sub *sub,
	 uint8_t *copy)
{
	struct android_to_jvm *s = ctx;

	if (!hp_subrecord_is_android(sub->tag))
		return;
	if (sub->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA) {
		copy[0] = HP_SUB_PRIMITIVE_ARRAY_DUMP;
		hp_store4(copy + 5 + s->id_size, 0);
		atomic_fetch_add(&s->arrays, 1);
	} else {
		copy[0] = HP_SUB_ROOT_UNKNOWN;
		atomic_fetch_add(&s->roots, 1);
	}
}

enum hp_status
hp_android_to_jvm(struct hp_source *src, struct hp_sink *sink, unsigned threads,
		  struct hp_android_to_jvm_result *result, struct hp_error *err)
{
	struct android_to_jvm s = {.how = {.loss = bytes_lost,
					   .edit = edit_sub,
					   .header = on_header}};
	enum hp_status st;

	s.how.ctx = &s;
	st = hp_rewrite(src, sink, &s.how, threads, err);
	*result = (struct hp_android_to_jvm_result){.roots = s.roots,
						    .arrays = s.arrays};
	return st;
}
