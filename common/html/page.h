/*
 * page.h - a report as one self-contained page
 *
 * The build makes a program's hp_page_text of common/html/ and the program's
 * own report/page.html, page.css and page.js: see scripts/embed-page. The page
 * fetches nothing, and its Content-Security-Policy allows exactly the style
 * and the scripts of the build, by their hashes. What a program adds is data:
 *
 * - a title;
 * - a fallback: HTML for those who have no JavaScript, and what is left if the
 *   script fails;
 * - JSON, which the page's script reads from the element "data". It cannot end
 *   that element: '<', '>' and '&' are escaped.
 */
#ifndef HP_HTML_PAGE_H
#define HP_HTML_PAGE_H

#include "common/cli/json.h"
#include "common/html/html.h"

/* What stands before the title, the fallback, the data, and behind these. */
struct hp_page_text {
	const char *to_title, *to_fallback, *to_data, *to_end;
};

struct hp_page {
	const struct hp_page_text *text;
	void (*write_title)(struct hp_buf *b, const void *ctx); /* any bytes */
	void (*write_fallback)(struct hp_html *h, const void *ctx);
	void (*write_data)(struct hp_json *j, const void *ctx);
	const void *ctx;
};

/* Returns: HP_OK; HP_IO; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_page_write(const struct hp_page *p, FILE *out,
					 struct hp_error *err);

#endif
