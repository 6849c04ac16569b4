/*
 * write.h - write reports and the tables that they need
 *
 * There are two formats with the same contents: binary HPROF records, and the
 * text of the JDK's old agent. A writer remembers which table entries it has
 * written. So a stream gets only new entries before each report, and a file
 * gets all.
 */
#ifndef HP_AGENT_WRITE_H
#define HP_AGENT_WRITE_H

#include "agent/report/report.h"

/* Writes bytes to a file or socket. Returns HP_OK or HP_IO. */
typedef enum hp_status hp_agent_put(void *ctx, const void *bytes, size_t n,
				    struct hp_error *err);

struct hp_agent_writer {
	const struct hp_agent *a;
	unsigned id_size; /* bytes of an object id in the report: 4 or 8 */
	bool within;	  /* write after the header of a dump of the VM */
	/* how many entries of each table were already written */
	uint32_t strings, classes, frames, traces, events;
	/* how many strings were already written that belong to no table */
	uint32_t carried;
	struct hp_buf out;
	/* writes the bytes of the buffer out, when it has many */
	hp_agent_put *put;
	void *ctx;
};

struct hp_agent_format {
	void (*header)(struct hp_agent_writer *w);
	/* write the new entries of the tables; stops when writing fails */
	enum hp_status (*tables)(struct hp_agent_writer *w,
				 struct hp_error *err);
	/*
	 * Functions that write the parts of a report, without the tables of
	 * names.
	 */
	void (*line)(struct hp_agent_writer *w, const struct hp_buf *text);
	void (*sites)(struct hp_agent_writer *w,
		      const struct hp_agent_report *r);
	void (*samples)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
	void (*summary)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
};

extern const struct hp_agent_format hp_agent_binary, hp_agent_text;

/* The format that the options request. */
static inline const struct hp_agent_format *
hp_agent_format_of(const struct hp_agent *a)
{
	return a->o.text ? &hp_agent_text : &hp_agent_binary;
}

/*
 * The size of an id in bytes. It is 8, as in the VM's dumps, if the options
 * request a dump, even if there was none yet. Reports are kept as bytes for
 * later files, so the size must not change.
 */
static inline unsigned
hp_agent_id_size(const struct hp_agent *a)
{
	return a->o.heap & HP_AGENT_HEAP_DUMP ? 8 : 4;
}

/*
 * Append the line that describes how the file was made, for example
 * "hprof-agent: sample=524288 ...".
 */
void hp_agent_put_settings(struct hp_buf *b, const struct hp_agent *a);

/* Write the buffered bytes if there are more than @limit. */
HP_MUST_USE enum hp_status hp_agent_writer_flush(struct hp_agent_writer *w,
						 size_t limit,
						 struct hp_error *err);

/*
 * How many rows of ALLOC SITES are needed for a row, whose values have 64 bits.
 * Values in the file have 32 bits, so a large row is split into pieces.
 */
size_t hp_agent_row_pieces(const struct hp_agent_values *v);
struct hp_agent_values hp_agent_row_piece(const struct hp_agent_values *v,
					  size_t piece);

/* Write all parts of a report that it has. Monitors are written as lines. */
void hp_agent_write_report(const struct hp_agent_format *f,
			   struct hp_agent_writer *w,
			   const struct hp_agent_report *r);

#endif
