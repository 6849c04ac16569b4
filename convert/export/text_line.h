/*
 * text_line.h - the lines of the agent's text, with the agent's spelling and
 * widths
 */
#ifndef HP_CONVERT_EXPORT_TEXT_LINE_H
#define HP_CONVERT_EXPORT_TEXT_LINE_H

#include "convert/pass/name_cache.h"
#include "convert/export/text_prepass.h"

struct hp_text_names {
	unsigned id_size;
	const struct hp_prepass *prepass;
	const struct hp_text_prepass *look;
	struct hp_name_cache naming;
	struct hp_id_map plans; /* struct hp_class * -> struct hp_text_plan * */
	/*
	 * memory of the plans; @plans and @arena are protected by naming.lock
	 */
	struct hp_arena arena;
	enum hp_dialect dialect;
	/*
	 * Called between the rows of reports, traces and classes, whose text
	 * may be very long.
	 */
	void (*flush)(void *ctx);
	void *flush_ctx;
};

/*
 * A reference field of a class. In a plan, those of super classes come first.
 */
struct hp_text_field {
	struct hp_name name;
	uint32_t at; /* offset in the bytes of the instance */
};

struct hp_text_plan {
	uint32_t count;
	struct hp_text_field fields[];
};

/*
 * Returns the plan for the class @k, from the cache or new; NULL if out of
 * memory. Thread-safe.
 */
const struct hp_text_plan *hp_text_plan(struct hp_text_names *n,
					const struct hp_prepass_dump *d,
					const struct hp_class *k);

/*
 * Append the prologue of the text. @ms: the time in the header, in milliseconds
 * since 1970.
 */
void hp_text_prologue(const struct hp_text_names *n, struct hp_buf *out,
		      uint64_t ms);
/* Append a line of the original text that a STRING record carries. */
void hp_text_carried(const struct hp_text_names *n, uint64_t string,
		     struct hp_buf *out);
/* Append the line of a thread that starts or ends. */
void hp_text_thread(const struct hp_text_names *n, const struct hp_event *e,
		    struct hp_buf *out);
/* Append the lines of a stack trace. */
void hp_text_trace(const struct hp_text_names *n, const struct hp_trace *t,
		   struct hp_buf *out);
/* Append the line of a root. @d: the dump that contains it. */
void hp_text_root(const struct hp_text_names *n,
		  const struct hp_text_prepass_dump *d, const struct hp_sub *s,
		  struct hp_buf *out);
/*
 * Append the line of an instance or array, without its end ")\n". @k: the class
 * of an instance, or NULL.
 */
void hp_text_object(const struct hp_text_names *n, const struct hp_sub *s,
		    const struct hp_class *k, struct hp_buf *out);
/*
 * Append the lines of the elements that are not null. @first: the index of the
 * first element.
 */
void hp_text_elements(const struct hp_text_names *n, const uint8_t *p,
		      uint64_t first, uint64_t count, const struct hp_batch *b,
		      struct hp_buf *out);
/*
 * Append the lines of the reference fields of an instance that are not null.
 * @data: the bytes of the instance.
 */
void hp_text_fields(const struct hp_text_names *n,
		    const struct hp_text_plan *plan, const uint8_t *data,
		    const struct hp_batch *b, struct hp_buf *out);
/* Append the lines of a class with its references. */
void hp_text_class(const struct hp_text_names *n, const struct hp_class *k,
		   struct hp_buf *out);
/* Append a SITES report. @ms: its time, in milliseconds since 1970. */
void hp_text_sites(const struct hp_text_names *n, const struct hp_sites *s,
		   uint64_t ms, struct hp_buf *out);
/* Append a CPU SAMPLES report. @ms: its time, in milliseconds since 1970. */
void hp_text_samples(const struct hp_text_names *n, const struct hp_samples *s,
		     uint64_t ms, struct hp_buf *out);

#endif
