/*
 * print.h - print those lines of the agent's text that contain numbers
 *
 * All writers of the text use it, so that spelling and column widths agree.
 */
#ifndef HP_TEXT_PRINT_H
#define HP_TEXT_PRINT_H

#include "common/base/buf.h"

/*
 * Print a time as ctime() of C does, with a newline, but always in UTC. @ms:
 * milliseconds since 1970.
 */
void hp_print_time(struct hp_buf *out, uint64_t ms);

/*
 * Print the line number of a frame: "12", "Unknown line", "Compiled method" or
 * "Native method".
 */
void hp_print_line_number(struct hp_buf *out, int32_t line);

/* Print the beginning of a SITES report, with the column headings. */
void hp_print_sites_begin(struct hp_buf *out, bool by_allocated, uint64_t ms);

struct hp_print_site {
	uint64_t rank, live_bytes, live_count, all_bytes, all_count, trace;
	uint64_t sum, total; /* live bytes up to this row, and of all rows */
};

/* Print a row of SITES up to the class name. The caller appends the name. */
void hp_print_site(struct hp_buf *out, const struct hp_print_site *s);

/*
 * Print the beginning of a CPU SAMPLES report. The column headings are printed
 * only if the report has rows.
 */
void hp_print_samples_begin(struct hp_buf *out, uint64_t total, bool rows,
			    uint64_t ms);

/*
 * Print a row of CPU SAMPLES or MONITOR TIME up to the name. @count is printed
 * in the count column.
 */
void hp_print_row(struct hp_buf *out, uint64_t rank, uint64_t self,
		  uint64_t sum, uint64_t total, uint64_t count, uint64_t trace);

#endif
