/*
 * print.h - the lines of the agent's text that have numbers in them: spelling
 * and widths, for all who write it
 */
#ifndef HP_TEXT_PRINT_H
#define HP_TEXT_PRINT_H

#include "common/base/buf.h"

/* As C's ctime() writes it, but always UTC, with its line feed. */
void hp_print_time(struct hp_buf *out, uint64_t ms);

/* "12", "Unknown line", "Compiled method", "Native method". */
void hp_print_line_number(struct hp_buf *out, int32_t line);

/* Head of SITES, with the heading of its columns. */
void hp_print_sites_begin(struct hp_buf *out, bool by_allocated, uint64_t ms);

struct hp_print_site {
	uint64_t rank, live_bytes, live_count, all_bytes, all_count, trace;
	uint64_t sum, total; /* live bytes up to here, and of all sites */
};

/* A row up to the class's name, which follows. */
void hp_print_site(struct hp_buf *out, const struct hp_print_site *s);

/* Head of CPU SAMPLES; the heading is there if rows are. */
void hp_print_samples_begin(struct hp_buf *out, uint64_t total, bool rows,
			    uint64_t ms);

/* A row of samples or monitors, up to the name; @count is what is shown. */
void hp_print_row(struct hp_buf *out, uint64_t rank, uint64_t self,
		  uint64_t sum, uint64_t total, uint64_t count, uint64_t trace);

#endif
