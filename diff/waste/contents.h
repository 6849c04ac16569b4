/*
 * contents.h - hashes of the contents of arrays, and a list of these hashes
 *
 * Equal contents have equal hashes, so --by=waste finds duplicates without
 * comparing bytes.
 */
#ifndef HP_DIFF_WASTE_CONTENTS_H
#define HP_DIFF_WASTE_CONTENTS_H

#include "common/base/status.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ----------------------------------------------------------------------
 * 128-bit hashes of the contents of arrays, with a secret key
 *
 * Arrays with equal hashes count as equal. The key is secret, so that an
 * attacker cannot simply construct collisions; but XXH3 is not a cryptographic
 * hash.
 *
 * Short arrays are hashed with XXH3 and a secret. An array with at least
 * HP_CONTENT_LONG elements may arrive in pieces, which several threads read.
 * Equal arrays may be divided into different pieces. So the hash of such an
 * array is a sum over its elements, each multiplied by a secret number for its
 * index. The pieces can be added in any order. There are two such sums, modulo
 * the prime 2^61 - 1, so that different contents have equal sums with a
 * probability of 2^-122 (multilinear hashing).
 */

/*
 * If an array has at least this many elements, its hash is computed as a sum.
 * Elements are the characters of a text, or the bytes of another array. Only
 * arrays of 8 MB or more are read in pieces.
 */
enum { HP_CONTENT_LONG = 1 << 18 };

/*
 * The kinds of contents. The kind is part of the hash, so that equal bytes of
 * different kinds have different hashes.
 */
enum hp_content_domain {
	/*
	 * the text of a String whose characters are all below 256, hashed as
	 * one byte for each character
	 */
	HP_CONTENT_NARROW,
	/*
	 * the text of any other String, hashed as two bytes for each character
	 */
	HP_CONTENT_WIDE,
	/*
	 * the contents of another primitive array; to distinguish arrays by
	 * type, the number of the element type is added to this value
	 */
	HP_CONTENT_DATA,
	HP_CONTENT_DOMAINS = HP_CONTENT_DATA + 16,
};

struct hp_content_hash {
	uint64_t v[2];
};

/*
 * The secret random numbers with which contents are hashed. Each run of the
 * program makes new numbers, so that an attacker cannot construct collisions.
 */
struct hp_content_key {
	/*
	 * for each kind of contents: the secret with which XXH3 hashes it, in
	 * bytes
	 */
	uint8_t secret[HP_CONTENT_DOMAINS][192];
	uint64_t seed[2];
};

/*
 * For a long array that arrives in pieces: the sum over the elements of some
 * pieces. Initially zeroed.
 */
struct hp_content_sum {
	uint64_t v[2];
};

void hp_content_key_init(struct hp_content_key *k);

/*
 * Returns the hash of the @n bytes at @bytes. @domain: the kind of contents
 * (enum hp_content_domain).
 */
struct hp_content_hash hp_content_hash(const struct hp_content_key *k,
				       unsigned domain, const void *bytes,
				       size_t n);

/*
 * Add to the sum @s the element with the index @index. If only one byte of the
 * element is known, @value is this byte, shifted to its position. @value must
 * be less than 2^32.
 */
void hp_content_sum_add(const struct hp_content_key *k,
			struct hp_content_sum *s, uint64_t index,
			uint64_t value);
/* Add to @s the sum over other pieces of the same long array. */
void hp_content_sum_join(struct hp_content_sum *s,
			 const struct hp_content_sum *more);
/*
 * Returns the hash of a long array with @n elements. @s is the sum over all its
 * elements.
 */
struct hp_content_hash hp_content_sum_hash(const struct hp_content_key *k,
					   unsigned domain, uint64_t n,
					   const struct hp_content_sum *s);

/* ----------------------------------------------------------------------
 * A list of the hashes of all arrays, divided into parts by hash
 *
 * Equal arrays have equal hashes, so they are in the same part of the list. So
 * each part can be sorted by itself. An entry of the list has 16 bytes. If the
 * entries do not fit in memory, they are stored in an unnamed temporary file.
 *
 * A hash has 128 bits, and the list uses 104 of them: 8 bits choose the part,
 * and 96 bits are in the entry. If the hash behaves like a random function,
 * even 2^30 different arrays have two equal hashes only with a probability of
 * about 2^-45.
 */

enum {
	HP_CONTENT_PARTS = 256,
	/*
	 * number of entries that a thread collects for a part of the list
	 * before it adds them to the list
	 */
	HP_CONTENT_BLOCK = 64,
};

struct hp_content_entry {
	uint64_t hash; /* 64 bits of the hash of the contents */
	uint32_t more; /* 32 more bits of the hash */
	uint32_t node; /* the number of the array in the graph */
};

/* Returns the part of the list for a hash. */
static inline unsigned
hp_content_part_of(struct hp_content_hash hash)
{
	return (unsigned)(hash.v[1] >> 56);
}

/* Some entries of one part of the list, in memory or in the temporary file. */
struct hp_content_block {
	/* the entries in memory; NULL: they are in the temporary file */
	struct hp_content_entry *at;
	/* if `at` is NULL: the offset of the entries in the temporary file */
	uint64_t offset;
	uint32_t count;
};

struct hp_content_list {
	/*
	 * maximum number of bytes of memory for the entries; the rest is stored
	 * in the temporary file
	 */
	uint64_t limit;
	uint64_t held; /* number of bytes of memory that the entries use now */
	uint64_t in_file; /* number of bytes of the file, with free ones */
	int fd; /* descriptor of the temporary file; -1: there is none */
	pthread_mutex_t lock;
	struct hp_content_part {
		struct hp_content_block *list;
		size_t count, cap;
		uint64_t entries;
		/*
		 * where the next block of the part is written, and how many
		 * bytes are free there
		 */
		uint64_t at, free;
	} parts[HP_CONTENT_PARTS];
};

/*
 * The entries that one thread has collected and not yet added to the list of
 * hashes.
 */
struct hp_content_rest {
	struct hp_content_entry list[HP_CONTENT_PARTS][HP_CONTENT_BLOCK];
	uint32_t count[HP_CONTENT_PARTS];
};

void hp_content_list_init(struct hp_content_list *l, uint64_t limit);
void hp_content_list_release(struct hp_content_list *l);

/*
 * Add the entry @e for the part @part to @rest, the entries that this thread
 * has collected. When @rest has HP_CONTENT_BLOCK entries for the part, move
 * them to @l. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_content_list_add(struct hp_content_list *l,
					       struct hp_content_rest *rest,
					       unsigned part,
					       const struct hp_content_entry *e,
					       struct hp_error *err);
HP_MUST_USE enum hp_status hp_content_list_flush(struct hp_content_list *l,
						 struct hp_content_rest *rest,
						 struct hp_error *err);

/*
 * Read one part of the list into @to, which must have room for it. The entries
 * are in no particular order. Returns HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_content_list_part(struct hp_content_list *l,
						unsigned part,
						struct hp_content_entry *to,
						struct hp_error *err);

/*
 * Sort @n entries by hash, and those with equal hashes by the number of the
 * array.
 */
void hp_content_sort(struct hp_content_entry *list, size_t n);

#endif
