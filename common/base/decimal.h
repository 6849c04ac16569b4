/*
 * decimal.h - the shortest decimal number that reads back as a given double
 * or float
 *
 * No locale, no allocation, a table made once. The C library's ways (printf
 * with more and more digits until strtod gives the number back) take a
 * microsecond a number, which a dump with double[] in it has by the million.
 */
#ifndef HP_DECIMAL_H
#define HP_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Characters that a number may take; none of them is a NUL. */
enum { HP_DECIMAL_MOST = 32, HP_DECIMAL_U64 = 20 };

/* Write a number to @to, HP_DECIMAL_U64 bytes; how many characters it has. */
size_t hp_decimal_u64(char *to, uint64_t v);

/**
 * hp_decimal_double() - write a finite double as a JSON number
 * @to: HP_DECIMAL_MOST bytes
 *
 * The fewest digits that any correct reader turns into @v again, and of those
 * numbers the nearest one; "1500", "0.25", "1e-7", "-0".
 * Returns: how many characters were written.
 * Source:  R. Giulietti, "The Schubfach way to render doubles", 2020
 */
size_t hp_decimal_double(char *to, double v);

/* The same for a float: the fewest digits that tell it from other floats. */
size_t hp_decimal_float(char *to, float v);

#endif
