/*
 * html.h - a streaming HTML writer
 *
 * Markup comes only from the program. All text is escaped (cli/escape.h), so
 * that nothing in a dump can become markup. The caller must close elements in
 * the right order.
 */
#ifndef HP_HTML_HTML_H
#define HP_HTML_HTML_H

#include "common/base/buf.h"

struct hp_html {
	struct hp_buf buf;
	FILE *file;
	struct hp_error err; /* the first failure to write */
};

/* Start writing to @file. End with hp_html_finish(). */
void hp_html_init(struct hp_html *h, FILE *file);

/**
 * hp_html_finish() - write the rest and free the buffer
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO, from this or an earlier write.
 */
HP_MUST_USE enum hp_status hp_html_finish(struct hp_html *h,
					  struct hp_error *err);

/* Write markup of the program: "<table>", "</td>" ... */
void hp_html_markup(struct hp_html *h, const char *markup);

/* Write any bytes in the visible form, as text or inside a quoted attribute. */
void hp_html_text(struct hp_html *h, const char *text);
/*
 * Like hp_html_text(), for text that is already in the visible form, such as
 * keys.
 */
void hp_html_visible(struct hp_html *h, const char *text);

/*
 * Write an element with a text: "<td>text</td>". The text may already be in the
 * visible form.
 */
void hp_html_element(struct hp_html *h, const char *tag, const char *text);

#endif
