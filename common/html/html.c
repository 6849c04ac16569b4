/*
 * html.c - a streaming HTML writer
 *
 * Text is collected in a buffer and written to the file in large pieces. The
 * first failure is kept until hp_html_finish() returns it.
 */
#include "common/html/html.h"

#include "common/cli/escape.h"

/* number of bytes of output that are collected before they are written */
#define HP_HTML_PIECE 65536

void
hp_html_init(struct hp_html *h, FILE *file)
{
	*h = (struct hp_html){.file = file};
}

enum hp_status
hp_html_finish(struct hp_html *h, struct hp_error *err)
{
	hp_buf_drain(&h->buf, 0, h->file, &h->err);
	return hp_buf_finish(&h->buf, &h->err, err);
}

void
hp_html_markup(struct hp_html *h, const char *markup)
{
	hp_buf_text(&h->buf, markup);
	hp_buf_drain(&h->buf, HP_HTML_PIECE, h->file, &h->err);
}

void
hp_html_text(struct hp_html *h, const char *text)
{
	hp_escape_xml(&h->buf, text, strlen(text));
	hp_buf_drain(&h->buf, HP_HTML_PIECE, h->file, &h->err);
}

void
hp_html_visible(struct hp_html *h, const char *text)
{
	hp_escape_xml_visible(&h->buf, text, strlen(text));
	hp_buf_drain(&h->buf, HP_HTML_PIECE, h->file, &h->err);
}

void
hp_html_element(struct hp_html *h, const char *tag, const char *text)
{
	hp_buf_printf(&h->buf, "<%s>", tag);
	hp_html_visible(h, text);
	hp_buf_printf(&h->buf, "</%s>\n", tag);
}
