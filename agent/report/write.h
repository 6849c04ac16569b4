/*
 * write.h - reports and the tables they need, as bytes of a file
 *
 * Two formats write the same: binary records, and the old agent's text. A
 * writer remembers what of the tables it wrote, so that a stream gets what is
 * new before each report; a file's writer starts from nothing.
 */
#ifndef HP_AGENT_WRITE_H
#define HP_AGENT_WRITE_H

#include "agent/report/report.h"

/* Takes bytes: a file's or a socket's. HP_OK; HP_IO. */
typedef enum hp_status hp_agent_put(void *ctx, const void *bytes, size_t n,
				    struct hp_error *err);

struct hp_agent_writer {
	const struct hp_agent *a;
	unsigned id_size; /* hp_agent_id_size() */
	bool within;	  /* behind the header of such a dump */
	/* table entries up to these are written */
	uint32_t strings, classes, frames, traces, events;
	uint32_t carried; /* strings that are no entries of tables */
	struct hp_buf out;
	hp_agent_put *put; /* takes bytes when there are many */
	void *ctx;
};

struct hp_agent_format {
	void (*header)(struct hp_agent_writer *w);
	/* what is new of the tables; stops if the bytes cannot be written */
	enum hp_status (*tables)(struct hp_agent_writer *w,
				 struct hp_error *err);
	/* parts of a report; tables are not their concern */
	void (*line)(struct hp_agent_writer *w, const struct hp_buf *text);
	void (*sites)(struct hp_agent_writer *w,
		      const struct hp_agent_report *r);
	void (*samples)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
	void (*summary)(struct hp_agent_writer *w,
			const struct hp_agent_report *r);
};

extern const struct hp_agent_format hp_agent_binary, hp_agent_text;

/* The one that the options ask for. */
static inline const struct hp_agent_format *
hp_agent_format_of(const struct hp_agent *a)
{
	return a->o.text ? &hp_agent_text : &hp_agent_binary;
}

/*
 * Bytes of an id: 8, as the VM's dumps have, where there may be some, and also
 * if there was none. Reports are kept as they were written, for later files.
 */
static inline unsigned
hp_agent_id_size(const struct hp_agent *a)
{
	return a->o.heap & HP_AGENT_HEAP_DUMP ? 8 : 4;
}

/* The line that says how a file was made: "hprof-agent: sample=524288 ...". */
void hp_agent_put_settings(struct hp_buf *b, const struct hp_agent *a);

/* Hands bytes on if there are more than @limit. */
HP_MUST_USE enum hp_status hp_agent_writer_flush(struct hp_agent_writer *w,
						 size_t limit,
						 struct hp_error *err);

/* The rows of ALLOC SITES that a row becomes: their values have 32 bits. */
size_t hp_agent_row_pieces(const struct hp_agent_values *v);
struct hp_agent_values hp_agent_row_piece(const struct hp_agent_values *v,
					  size_t piece);

/* All of a report that it has; of monitors a line each. */
void hp_agent_write_report(const struct hp_agent_format *f,
			   struct hp_agent_writer *w,
			   const struct hp_agent_report *r);

#endif
