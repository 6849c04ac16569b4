/*
 * decimal.h - the shortest decimal number that reads back as a given double
 * or float
 *
 * Independent of the locale; allocates nothing; computes a table once. With the
 * C library one would call printf with more and more digits until strtod reads
 * the number back. That takes a microsecond a number, and dumps contain
 * double[] with millions of elements.
 */
#ifndef HP_DECIMAL_H
#define HP_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* The maximum length of a number in characters, without a NUL. */
enum { HP_DECIMAL_MOST = 32, HP_DECIMAL_U64 = 20 };

/* Write @v to @to, which has HP_DECIMAL_U64 bytes. Returns the length. */
size_t hp_decimal_u64(char *to, uint64_t v);

/**
 * hp_decimal_double() - write a finite double as a JSON number
 * @to: HP_DECIMAL_MOST bytes
 *
 * Writes the shortest number that every correct parser reads back as @v; if
 * several are equally short, the nearest to @v. Examples: "1500", "0.25",
 * "1e-7", "-0.0".
 * Returns: the number of characters written, without a NUL.
 * Source:  R. Giulietti, "The Schubfach way to render doubles", 2020
 */
size_t hp_decimal_double(char *to, double v);

/* The same for a float: the shortest number that reads back as @v. */
size_t hp_decimal_float(char *to, float v);

#endif
