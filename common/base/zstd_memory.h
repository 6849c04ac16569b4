/* zstd_memory.h - contexts of zstd whose memory is counted, see memory.h */
#ifndef HP_BASE_ZSTD_MEMORY_H
#define HP_BASE_ZSTD_MEMORY_H

/* zstd.h declares the functions that take an allocator only with this */
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

/* Like ZSTD_createDCtx(). */
static inline ZSTD_DCtx *
hp_zstd_new_decoder(void)
{
	return ZSTD_createDCtx_advanced(
		(ZSTD_customMem){hp_zstd_malloc, hp_zstd_free, NULL});
}

/* Like ZSTD_createCCtx(). */
static inline ZSTD_CCtx *
hp_zstd_new_encoder(void)
{
	return ZSTD_createCCtx_advanced(
		(ZSTD_customMem){hp_zstd_malloc, hp_zstd_free, NULL});
}

#endif
