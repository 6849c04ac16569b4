/*
 * html.c - a streaming writer of HTML
 *
 * Writes into its buffer and hands that to the file in large pieces. A write
 * that failed is remembered and reported by hp_html_finish().
 */
#include "common/html/html.h"

#include "common/cli/escape.h"

#define HP_HTML_PIECE 65536 /* bytes gathered before a write */

void
hp_html_init(struct hp_html *h, FILE *file)
{
	*h = (struct hp_html){.file = file};
}

/* Write if enough has gathered; after a failure drop the bytes. */
static void
drain_buffer(struct hp_html *h, size_t enough)
{
	if (h->buf.len < enough)
		return;
	if (h->err.status != HP_OK ||
	    hp_buf_flush(&h->buf, h->file, &h->err) != HP_OK)
		h->buf.len = 0;
}

enum hp_status
hp_html_finish(struct hp_html *h, struct hp_error *err)
{
	enum hp_status status;

	drain_buffer(h, 0);
	if (h->buf.failed && h->err.status == HP_OK)
		hp_fail(&h->err, HP_NOMEM, "out of memory");
	status = h->err.status;
	if (status != HP_OK)
		hp_fail(err, status, "%s", h->err.text);
	hp_buf_release(&h->buf);
	return status;
}

void
hp_html_markup(struct hp_html *h, const char *markup)
{
	hp_buf_text(&h->buf, markup);
	drain_buffer(h, HP_HTML_PIECE);
}

void
hp_html_text(struct hp_html *h, const char *text)
{
	hp_escape_xml(&h->buf, text, strlen(text));
	drain_buffer(h, HP_HTML_PIECE);
}

void
hp_html_visible(struct hp_html *h, const char *text)
{
	hp_escape_xml_visible(&h->buf, text, strlen(text));
	drain_buffer(h, HP_HTML_PIECE);
}

void
hp_html_element(struct hp_html *h, const char *tag, const char *text)
{
	hp_buf_printf(&h->buf, "<%s>", tag);
	hp_html_visible(h, text);
	hp_buf_printf(&h->buf, "</%s>\n", tag);
}
