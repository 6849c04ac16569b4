/*
 * fuzz.h - functions for fuzz targets: inputs as sources, and property checks
 *
 * A target is a file fuzz_NAME.c with one function, hp_fuzz_one(). The driver
 * calls it under AFL++ or for each given file.
 */
#ifndef HP_FUZZ_FUZZ_H
#define HP_FUZZ_FUZZ_H

#include "common/io/source.h"

/*
 * Number of bytes of the largest input that the driver tries. It is limited
 * because an input must fit into a pipe.
 */
enum { HP_FUZZ_MAX = 1 << 20 };
/* The largest uncompressed size of an input, in bytes. */
enum { HP_FUZZ_UNPACKED = 4 << 20 };

#define HP_FUZZ_CHECK(holds)                                                   \
	((holds) ? (void)0 : hp_fuzz_violated(#holds, __FILE__, __LINE__))

_Noreturn void hp_fuzz_violated(const char *what, const char *file, int line);

/**
 * hp_fuzz_one() - the fuzz target: pass an input to the library and check it
 *
 * Returns: 0. It aborts if a property does not hold.
 */
int hp_fuzz_one(const uint8_t *data, size_t n);

/**
 * hp_fuzz_choice() - choose one of several variants of a test for this input
 *
 * The choice depends only on the bytes of the input and on the round (a number
 * that the driver sets), so that a crash can be reproduced. A replay runs the
 * input in all rounds, 0 to HP_FUZZ_ROUNDS - 1, and so with all variants.
 *
 * Returns: 0 to @ways - 1.
 */
enum { HP_FUZZ_ROUNDS = 12 };
unsigned hp_fuzz_choice(const uint8_t *data, size_t n, unsigned ways);
/*
 * Set the round for the following calls: the number that hp_fuzz_choice()
 * combines with the bytes of the input.
 */
void hp_fuzz_round(unsigned round);

enum hp_fuzz_kind { HP_FUZZ_FILE, HP_FUZZ_PIPE };

/* Returns the descriptor of a memory file that contains the bytes. */
int hp_fuzz_file(const uint8_t *data, size_t n);
/*
 * Returns the read end of a pipe. The pipe contains the bytes, and its write
 * end is closed.
 */
int hp_fuzz_pipe(const uint8_t *data, size_t n);

/*
 * Open the bytes as a source, to be closed with hp_source_close(). Returns NULL
 * if the library refuses the bytes, which is no error.
 */
struct hp_source *hp_fuzz_source(const uint8_t *data, size_t n,
				 enum hp_fuzz_kind kind, unsigned threads);

/**
 * hp_fuzz_read_all() - read the rest of a source
 *
 * @step: number of bytes to request with each read
 * @buf:  receives the bytes; the caller frees it
 */
enum hp_status hp_fuzz_read_all(struct hp_source *src, size_t step,
				uint8_t **buf, size_t *n);

#endif
