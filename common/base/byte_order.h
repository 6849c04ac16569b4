/*
 * byte_order.h - load and store numbers at any alignment, without bounds checks
 *
 * Dumps are big-endian; gzip, zstd and packs are little-endian.
 */
#ifndef HP_BYTE_ORDER_H
#define HP_BYTE_ORDER_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define HP_LOAD_AS(name, type, from)                                           \
	static inline type name(const void *p)                                 \
	{                                                                      \
		type v;                                                        \
                                                                               \
		memcpy(&v, p, sizeof(v));                                      \
		return from(v);                                                \
	}
#define HP_STORE_AS(name, type, to)                                            \
	static inline void name(void *p, type v)                               \
	{                                                                      \
		v = to(v);                                                     \
		memcpy(p, &v, sizeof(v));                                      \
	}

/* Big-endian. */
HP_LOAD_AS(hp_load2, uint16_t, be16toh)
HP_LOAD_AS(hp_load4, uint32_t, be32toh)
HP_LOAD_AS(hp_load8, uint64_t, be64toh)
HP_STORE_AS(hp_store2, uint16_t, htobe16)
HP_STORE_AS(hp_store4, uint32_t, htobe32)
HP_STORE_AS(hp_store8, uint64_t, htobe64)

/* Little-endian. */
HP_LOAD_AS(hp_le2, uint16_t, le16toh)
HP_LOAD_AS(hp_le4, uint32_t, le32toh)
HP_LOAD_AS(hp_le8, uint64_t, le64toh)
HP_STORE_AS(hp_put_le2, uint16_t, htole16)
HP_STORE_AS(hp_put_le4, uint32_t, htole32)
HP_STORE_AS(hp_put_le8, uint64_t, htole64)

#endif
