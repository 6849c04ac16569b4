/*
 * text_line.h - the lines of the agent's text; spelling and widths are its
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
	struct hp_id_map plans; /* struct hp_class * : struct hp_text_plan * */
	struct hp_arena arena;	/* plans; both under the naming's lock */
	enum hp_dialect dialect;
	/* called between the rows of reports, traces and classes, whose text
	   may be much longer than they are */
	void (*flush)(void *ctx);
	void *flush_ctx;
};

/* The reference fields of a class, those of its super classes first. */
struct hp_text_field {
	struct hp_name name;
	uint32_t at; /* in the instance's bytes */
};

struct hp_text_plan {
	uint32_t count;
	struct hp_text_field fields[];
};

/* Any thread. NULL: out of memory. */
const struct hp_text_plan *hp_text_plan(struct hp_text_names *n,
					const struct hp_prepass_dump *d,
					const struct hp_class *k);

void hp_text_prologue(const struct hp_text_names *n, struct hp_buf *out,
		      uint64_t ms);
/* A line that a STRING record carries. */
void hp_text_carried(const struct hp_text_names *n, uint64_t string,
		     struct hp_buf *out);
void hp_text_thread(const struct hp_text_names *n, const struct hp_event *e,
		    struct hp_buf *out);
void hp_text_trace(const struct hp_text_names *n, const struct hp_trace *t,
		   struct hp_buf *out);
void hp_text_root(const struct hp_text_names *n,
		  const struct hp_text_prepass_dump *d, const struct hp_sub *s,
		  struct hp_buf *out);
/*
 * The line of an instance or array, without its end ")\n"; @k: an instance's
 * class, or NULL.
 */
void hp_text_object(const struct hp_text_names *n, const struct hp_sub *s,
		    const struct hp_class *k, struct hp_buf *out);
/* The lines of elements that are not null; @first: index of the first. */
void hp_text_elements(const struct hp_text_names *n, const uint8_t *p,
		      uint64_t first, uint64_t count, const struct hp_batch *b,
		      struct hp_buf *out);
void hp_text_fields(const struct hp_text_names *n,
		    const struct hp_text_plan *plan, const uint8_t *data,
		    const struct hp_batch *b, struct hp_buf *out);
void hp_text_class(const struct hp_text_names *n, const struct hp_class *k,
		   struct hp_buf *out);
void hp_text_sites(const struct hp_text_names *n, const struct hp_sites *s,
		   uint64_t ms, struct hp_buf *out);
void hp_text_samples(const struct hp_text_names *n, const struct hp_samples *s,
		     uint64_t ms, struct hp_buf *out);

#endif
