/*
 * report_findings.c - write the findings: unusual facts about the last dump
 */
#include "diff/report/report.h"

#include "common/options/options.h"

#include "common/cli/quantity.h"

#include <inttypes.h>
#include <string.h>

/* Maximum number of class loaders that a text lists. */
enum { LOADERS_SHOWN = 4 };

/*
 * Append ", new" if the first dump does not have the finding; otherwise append
 * nothing.
 */
static void
add_since(struct hp_buf *b, const struct hp_unusual_fact *f)
{
	if (f->before_known)
		hp_buf_text(b, f->before ? " (also in the first dump)"
					 : " (not in the first dump)");
}

/*
 * Returns how much of @path, the text of a path to a class loader, is shown.
 * The last steps are left out if they only lead from an object to its class,
 * and from the class to the loader.
 */
static size_t
shown_length(const char *path)
{
	const char *end = NULL, *p = path;

	while ((p = strstr(p, ".<class>" HP_ROW_ARROW)))
		end = p++;
	return end ? (size_t)(end - path) : strlen(path);
}

/*
 * Append a line for each class loader of the finding duplicate-classes: the
 * path that keeps the loader alive, and what this path means.
 */
static void
add_loaders(struct hp_buf *b, const struct hp_result *r, size_t width)
{
	struct hp_buf line = {0};
	size_t shown = 0, n = 0;

	for (size_t i = 0; i < r->nloaders; i++) {
		const struct hp_kept_loader *l = &r->loaders[i];

		n += l->path != NULL;
		if (!l->path || shown == LOADERS_SHOWN)
			continue;
		shown++;
		hp_buf_clear(&line);
		hp_buf_printf(&line, "%s 0x%" PRIx64 " ", l->class, l->id);
		if (l->name)
			hp_buf_printf(&line, "%s%s ",
				      hp_loader_name_word(l->name), l->name);
		hp_buf_text(&line, "is kept by ");
		hp_buf_add(&line, l->path, shown_length(l->path));
		hp_buf_printf(&line, ": %s", l->meaning);
		hp_buf_text(b, "   ");
		hp_text_wrap(b, hp_buf_string(&line), width ? width : SIZE_MAX,
			     3, 6);
		hp_buf_inherit(b, &line);
	}
	if (n > shown || r->more_loaders > 0) {
		hp_buf_text(b, "   (");
		hp_count_text(b, n - shown + r->more_loaders);
		hp_buf_text(b, " more; --format=json shows up to 16)\n");
	}
	hp_buf_release(&line);
}

static void
write_loaders(struct hp_json *j, const struct hp_result *r)
{
	if (r->nloaders == 0)
		return;
	hp_json_put_array(j, "loaders");
	for (size_t i = 0; i < r->nloaders; i++) {
		const struct hp_kept_loader *l = &r->loaders[i];

		hp_json_object_flat(j);
		hp_json_put_id(j, "object", l->id);
		hp_json_put_visible(j, "class", l->class);
		if (l->name)
			hp_json_put_visible(j, "name", l->name);
		hp_json_put_u64(j, "classes", l->classes);
		if (l->path) {
			hp_json_put_visible(j, "path", l->path);
			hp_json_put_string(j, "meaning", l->meaning);
		}
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

void
hp_findings_text(struct hp_buf *b, const struct hp_result *r, size_t suspects,
		 size_t width)
{
	struct hp_buf line = {0};
	bool any = false;

	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		if (!r->findings[i].applies)
			continue;
		if (!any)
			hp_buf_text(b, "what is unusual (--explain=ID):\n");
		any = true;
		hp_buf_clear(&line);
		hp_buf_printf(&line, "!  %s: ", hp_unusual_kinds[i].id);
		hp_unusual_text_after(&line, (enum hp_unusual)i,
				      &r->findings[i],
				      hp_suspect_words(r)->noun, suspects);
		add_since(&line, &r->findings[i]);
		if (r->known_findings[i])
			hp_buf_text(&line, "; ");
		hp_known_text(&line, r->known_findings[i]);
		hp_text_wrap(b, hp_buf_string(&line), width ? width : SIZE_MAX,
			     0, 3);
		hp_buf_inherit(b, &line);
		if (i == HP_UNUSUAL_LOADERS)
			add_loaders(b, r, width);
	}
	if (r->waste_refused)
		hp_buf_text(b, "waste and duplicate strings were not checked: "
			       "the search does not fit in --memory\n");
	if (any || r->waste_refused)
		hp_buf_byte(b, '\n');
	hp_buf_release(&line);
}

static void
write_finding(struct hp_json *j, const struct hp_result *r,
	      enum hp_unusual kind)
{
	const struct hp_unusual_fact *f = &r->findings[kind];
	struct hp_buf text = {0};
	uint64_t limit = hp_unusual_limit(&r->options->unusual, kind);

	hp_unusual_text(&text, kind, f);
	hp_json_object_flat(j);
	hp_json_put_string(j, "id", hp_unusual_kinds[kind].id);
	hp_json_put_buf(j, "text", &text);
	hp_json_key(j, "percent");
	hp_json_double(j, (double)hp_percent_hundredths(f->share) / 100.0);
	hp_json_key(j, "threshold");
	hp_json_double(j, (double)hp_percent_hundredths(limit) / 100.0);
	hp_json_put_string(j, "of", hp_unusual_whole(kind, f));
	hp_json_put_u64(j, "count", f->count);
	hp_json_put_u64(j, "bytes", f->bytes);
	if (f->what)
		hp_json_put_visible(j, "what", f->what);
	if (f->before_known)
		hp_json_put_bool(j, "in_first", f->before);
	hp_json_put_string(
		j, "fingerprint",
		hp_fingerprint_finding(hp_unusual_kinds[kind].id).text);
	hp_known_reason_json(j, r->known_findings[kind]);
	hp_json_put_string(j, "advice", hp_unusual_kinds[kind].advice);
	if (kind == HP_UNUSUAL_LOADERS)
		write_loaders(j, r);
	hp_json_object_end(j);
	hp_buf_release(&text);
}

void
hp_findings_json(struct hp_json *j, const struct hp_result *r)
{
	bool any = false;

	for (unsigned i = 0; i < HP_UNUSUALS; i++)
		any |= r->findings[i].checked;
	if (!any)
		return;
	hp_json_put_array(j, "findings");
	for (unsigned i = 0; i < HP_UNUSUALS; i++)
		if (r->findings[i].applies)
			write_finding(j, r, (enum hp_unusual)i);
	hp_json_array_end(j);
	hp_json_put_array_flat(j, "findings_checked");
	for (unsigned i = 0; i < HP_UNUSUALS; i++)
		if (r->findings[i].checked)
			hp_json_string(j, hp_unusual_kinds[i].id);
	hp_json_array_end(j);
}
