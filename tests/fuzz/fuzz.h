/*
 * fuzz.h - what the fuzz targets share: inputs as sources, checked properties
 *
 * A target is one file fuzz_NAME.c with one function, hp_fuzz_one(). The
 * driver calls it under AFL++ and, elsewhere, for every file that it is given.
 */
#ifndef HP_FUZZ_FUZZ_H
#define HP_FUZZ_FUZZ_H

#include "common/io/source.h"

/* The largest input that is tried: it has to fit into a pipe. */
enum { HP_FUZZ_MAX = 1 << 20 };
/* What an input may unpack to, in bytes. */
enum { HP_FUZZ_UNPACKED = 4 << 20 };

/* A property of the library; one that does not hold ends the program. */
#define HP_FUZZ_CHECK(holds)                                                   \
	((holds) ? (void)0 : hp_fuzz_violated(#holds, __FILE__, __LINE__))

_Noreturn void hp_fuzz_violated(const char *what, const char *file, int line);

/**
 * hp_fuzz_one() - the target: hand an input to the library
 *
 * Returns: 0; it aborts where a property does not hold.
 */
int hp_fuzz_one(const uint8_t *data, size_t n);

/**
 * hp_fuzz_choice() - which of several ways this input takes
 *
 * The same for the same bytes, so that a crash comes back; a replay goes
 * through all rounds, 0 to HP_FUZZ_ROUNDS - 1, and so all ways.
 * Returns: 0 to @ways - 1.
 */
enum { HP_FUZZ_ROUNDS = 12 };
unsigned hp_fuzz_choice(const uint8_t *data, size_t n, unsigned ways);
/* The round of the choices from here on. */
void hp_fuzz_round(unsigned round);

enum hp_fuzz_kind { HP_FUZZ_FILE, HP_FUZZ_PIPE };

/* A descriptor of a file in memory that holds the bytes. */
int hp_fuzz_file(const uint8_t *data, size_t n);
/* The read end of a pipe that holds the bytes, and nothing after them. */
int hp_fuzz_pipe(const uint8_t *data, size_t n);

/*
 * Open the bytes as a source; closed with hp_source_close(). NULL: they are
 * refused, which may be.
 */
struct hp_source *hp_fuzz_source(const uint8_t *data, size_t n,
				 enum hp_fuzz_kind kind, unsigned threads);

/**
 * hp_fuzz_read_all() - everything that is left of a source
 * @step: bytes a read asks for
 * @buf:  freed by the caller
 */
enum hp_status hp_fuzz_read_all(struct hp_source *src, size_t step,
				uint8_t **buf, size_t *n);

#endif
