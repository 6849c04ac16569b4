/*
 * page.c - write a report as one self-contained HTML page
 */
#include "common/html/html.h"

static enum hp_status
write_start(const struct hp_page *p, FILE *out, struct hp_error *err)
{
	struct hp_buf title = {0};
	struct hp_html h;

	p->write_title(&title, p->ctx);
	if (!hp_buf_ok(&title))
		return hp_no_memory(err);
	hp_html_init(&h, out);
	hp_html_markup(&h, p->text->to_title);
	hp_html_visible(&h, hp_buf_string(&title));
	hp_buf_release(&title);
	hp_html_markup(&h, p->text->to_fallback);
	p->write_fallback(&h, p->ctx);
	hp_html_markup(&h, p->text->to_data);
	return hp_html_finish(&h, err);
}

static enum hp_status
write_json(const struct hp_page *p, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	hp_json_init(&j, out, HP_JSON_COMPACT);
	j.script = true;
	p->write_data(&j, p->ctx);
	return hp_json_finish(&j, err);
}

enum hp_status
hp_page_write(const struct hp_page *p, FILE *out, struct hp_error *err)
{
	enum hp_status st = write_start(p, out, err);
	struct hp_html h;

	if (st == HP_OK)
		st = write_json(p, out, err);
	if (st != HP_OK)
		return st;
	hp_html_init(&h, out);
	hp_html_markup(&h, p->text->to_end);
	return hp_html_finish(&h, err);
}
