/*
 * test_pack_helper.h - write packs to memory and read them back
 *
 * The functions are in test_pack.c.
 */
#ifndef TEST_PACK_HELPER_H
#define TEST_PACK_HELPER_H

#include "common/base/buf.h"
#include "common/io/source.h"

struct hp_buf test_pack_write(const void *data, size_t n, unsigned threads,
			      size_t block);

struct test_pack_read {
	enum hp_status status;
	struct hp_buf out; /* the unpacked bytes; the caller releases them */
	struct hp_container_note notes[16];
	size_t nnotes;
	struct hp_hole holes[16];
	size_t nholes;
};

struct test_pack_read test_pack_read(const void *data, size_t n,
				     unsigned threads, bool with_holes);

#endif
