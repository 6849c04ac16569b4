/*
 * html.h - a streaming writer of HTML
 *
 * Markup is the program's own; all text goes through the escapes of
 * cli/escape.h, so that nothing of a dump can become markup. That elements are
 * closed in the right order is the caller's business.
 */
#ifndef HP_HTML_HTML_H
#define HP_HTML_HTML_H

#include "common/base/buf.h"

struct hp_html {
	struct hp_buf buf;
	FILE *file;
	struct hp_error err; /* the first failure to write */
};

/* Start writing to @file. Ends with hp_html_finish(). */
void hp_html_init(struct hp_html *h, FILE *file);

/**
 * hp_html_finish() - write what is left, free the buffer
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO, from this call or an earlier write.
 */
HP_MUST_USE enum hp_status hp_html_finish(struct hp_html *h,
					  struct hp_error *err);

/* Markup of the program itself: "<table>", "</td>" ... */
void hp_html_markup(struct hp_html *h, const char *markup);

/* Any bytes, as text or inside a quoted attribute: the visible form. */
void hp_html_text(struct hp_html *h, const char *text);
/* The same for text that is in the visible form already, such as keys. */
void hp_html_visible(struct hp_html *h, const char *text);

/* "<td>text</td>"; the text in any form: the visible one comes out. */
void hp_html_element(struct hp_html *h, const char *tag, const char *text);

#endif
