/*
 * write.h - write reports, and the tables of names that reports refer to
 *
 * There are two formats with the same contents: binary HPROF records, and the
 * text of the JDK's old agent. A writer remembers which table entries it has
 * written. So a socket gets only the new entries before each report. Each file
 * is written by a new writer, so it gets all entries.
 */
#ifndef HP_AGENT_WRITE_H
#define HP_AGENT_WRITE_H

#include "agent/report/report.h"

/* A function that writes bytes to a file or socket. Returns HP_OK or HP_IO. */
typedef enum hp_status hp_agent_put(void *ctx, const void *bytes, size_t n,
				    struct hp_error *err);

struct hp_agent_writer {
	const struct hp_agent *a;
	/* size of an object id in the report in bytes: 4 or 8 */
	unsigned id_size;
	/*
	 * the report is inserted into a heap dump of the JVM, after the header
	 * of the dump
	 */
	bool within;
	/* for each table: number of entries that are already written */
	uint32_t strings, classes, frames, traces, events;
	/*
	 * number of lines of text that are already written, as STRING records
	 * that belong to no table
	 */
	uint32_t carried;
	struct hp_buf out;
	/*
	 * called whenever the buffer `out` contains many bytes, to write them
	 */
	hp_agent_put *put;
	void *ctx;
};

struct hp_agent_format {
	void (*header)(struct hp_agent_writer *w);
	/* Writes the new entries of the tables. Stops when writing fails. */
	enum hp_status (*tables)(struct hp_agent_writer *w,
				 struct hp_error *err);
	/*
	 * The following functions write the parts of a report, without the
	 * tables of names.
	 */
	void (*line)(struct hp_agent_writer *w, const struct hp_buf *text);
	void (*sites)(struct hp_agent_writer *w,
		      const struct hp_agent_report *r);
	void (*samples)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
	/*
	 * writes the calls of methods: by hp_agent_times_lines(), or in a
	 * layout of its own
	 */
	void (*times)(struct hp_agent_writer *w,
		      const struct hp_agent_report *r);
	void (*summary)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
};

extern const struct hp_agent_format hp_agent_binary, hp_agent_text,
	hp_agent_old_text;

/* Returns the format that the option format= requests. */
static inline const struct hp_agent_format *
hp_agent_format_of(const struct hp_agent *a)
{
	if (a->o.old)
		return &hp_agent_old_text;
	return a->o.text ? &hp_agent_text : &hp_agent_binary;
}

/*
 * Returns the size of an id in the report in bytes. If the options request heap
 * dumps, the size is 8 as in the dumps of the JVM, even before the first dump:
 * later files repeat the bytes of this report, so the size must never change.
 */
static inline unsigned
hp_agent_id_size(const struct hp_agent *a)
{
	return a->o.heap & HP_AGENT_HEAP_DUMP ? 8 : 4;
}

/*
 * Append the line with the settings of the agent, for example "hprof-agent:
 * sample=524288 ...".
 */
void hp_agent_put_settings(struct hp_buf *b, const struct hp_agent *a);

/* Append the name of a frame's method, such as "com.acme.Order.add". */
void hp_agent_put_method(struct hp_buf *b, const struct hp_agent *a,
			 uint32_t frame);

/*
 * Write the table CPU TIME as lines of text, by the function `line` of the
 * format @f.
 */
void hp_agent_times_lines(const struct hp_agent_format *f,
			  struct hp_agent_writer *w,
			  const struct hp_agent_report *r);

/* Convert nanoseconds to milliseconds, rounded to the nearest one. */
static inline uint64_t
hp_agent_ms(uint64_t ns)
{
	return (ns + 500000) / 1000000;
}

/* Write the buffered bytes if there are more than @limit bytes. */
HP_MUST_USE enum hp_status hp_agent_writer_flush(struct hp_agent_writer *w,
						 size_t limit,
						 struct hp_error *err);

/*
 * Returns how many rows of ALLOC SITES are needed for the values @v. A value in
 * the file has only 32 bits, so larger values are split into several rows.
 */
size_t hp_agent_row_pieces(const struct hp_agent_values *v);
struct hp_agent_values hp_agent_row_piece(const struct hp_agent_values *v,
					  size_t piece);

/*
 * Write all parts that a report has. Data about monitors are written as lines
 * of text.
 */
void hp_agent_write_report(const struct hp_agent_format *f,
			   struct hp_agent_writer *w,
			   const struct hp_agent_report *r);

#endif
