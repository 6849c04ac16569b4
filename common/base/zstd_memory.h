/*
 * zstd_memory.h - create encoders and decoders of zstd that allocate from
 * memory.h, so that --memory counts them
 */
#ifndef HP_BASE_ZSTD_MEMORY_H
#define HP_BASE_ZSTD_MEMORY_H

/*
 * zstd.h declares the functions that take an allocator only if this macro is
 * defined
 */
#ifndef ZSTD_STATIC_LINKING_ONLY
#define ZSTD_STATIC_LINKING_ONLY
#endif
#include <zstd.h>

#include "common/base/memory.h"

static inline void *
hp_zstd_malloc(void *context, size_t n)
{
	return hp_malloc(n);
}

static inline void
hp_zstd_free(void *context, void *p)
{
	hp_free(p);
}

/* Create a zstd decoder, as ZSTD_createDCtx() does, with counted memory. */
static inline ZSTD_DCtx *
hp_zstd_new_decoder(void)
{
	return ZSTD_createDCtx_advanced(
		(ZSTD_customMem){hp_zstd_malloc, hp_zstd_free, NULL});
}

/* Create a zstd encoder, as ZSTD_createCCtx() does, with counted memory. */
static inline ZSTD_CCtx *
hp_zstd_new_encoder(void)
{
	return ZSTD_createCCtx_advanced(
		(ZSTD_customMem){hp_zstd_malloc, hp_zstd_free, NULL});
}

#endif
