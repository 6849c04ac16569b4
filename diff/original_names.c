/*
 * original_names.c - with --mapping, replace obfuscated names of classes,
 * fields and frames in a dump by the names that they had before R8 or ProGuard
 * renamed them
 */
#include "diff/internal.h"

enum hp_status
hp_original_names(struct hp_histogram *g, const struct hp_diff_options *o,
		  const struct hp_messages *m, const char *path,
		  struct hp_error *err)
{
	struct hp_classes *classes = g->have_classes ? &g->classes : NULL;
	struct hp_rename r = {0};
	struct hp_buf text = {0};
	enum hp_message_level level;
	enum hp_status st = HP_OK;

	if (o->mappings.count == 0 || !g->have_tables)
		return HP_OK;
	hp_rename_init(&r, &o->mappings, &g->tables);
	if (classes)
		st = hp_rename_fields(&r, classes, err);
	if (st == HP_OK)
		st = hp_rename_records(&r, classes, err);
	if (st == HP_OK)
		st = hp_rename_publish(&r, err);
	level = hp_rename_fit(&r.counts, &text) ? HP_MESSAGE_NOTE
						: HP_MESSAGE_WARNING;
	if (st == HP_OK)
		hp_message(m, level, path, "%s", hp_buf_string(&text));
	hp_buf_release(&text);
	hp_rename_release(&r);
	return st;
}
