/*
 * report_known.c - write suspects and findings as entries for the file of
 * --known, and report which entries of that file were found
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"

#include <string.h>

void
hp_known_text(struct hp_buf *b, const struct hp_known_leak *known)
{
	if (!known)
		return;
	hp_buf_text(b, "known: ");
	hp_text_clean(b, known->reason, strlen(known->reason));
	if (!known->owner && !known->expires)
		return;
	hp_buf_text(b, " (");
	if (known->owner)
		hp_text_clean(b, known->owner, strlen(known->owner));
	if (known->expires)
		hp_buf_printf(b, "%suntil %s", known->owner ? ", " : "",
			      known->expires);
	hp_buf_byte(b, ')');
}

static void
put_if(struct hp_json *j, const char *key, const char *text)
{
	if (text)
		hp_json_put_visible(j, key, text);
}

/*
 * Write an entry of the --known file that matches no suspect and no finding of
 * this run.
 */
static void
write_missing(struct hp_json *j, const struct hp_known_leak *leak)
{
	hp_json_object_flat(j);
	hp_json_put_string(j, "fingerprint", leak->fingerprint);
	put_if(j, "what", leak->what);
	if (leak->moved_to)
		hp_json_put_string(j, "moved_to",
				   leak->moved_to->fingerprint.text);
	hp_json_object_end(j);
}

void
hp_known_json(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_known *k = r->known;

	if (!k)
		return;
	hp_json_put_object(j, "known");
	hp_json_put_visible(j, "file", k->file);
	hp_json_put_u64(j, "entries", k->count);
	hp_json_put_array_flat(j, "expired");
	for (size_t i = 0; i < k->count; i++)
		if (k->list[i].is_expired)
			hp_json_string(j, k->list[i].fingerprint);
	hp_json_array_end(j);
	hp_json_put_array(j, "not_found");
	for (size_t i = 0; i < k->count; i++)
		if (!k->list[i].is_found)
			write_missing(j, &k->list[i]);
	hp_json_array_end(j);
	hp_json_object_end(j);
}

void
hp_known_reason_json(struct hp_json *j, const struct hp_known_leak *known)
{
	if (!known)
		return;
	hp_json_put_object_flat(j, "known");
	hp_json_put_visible(j, "reason", known->reason);
	put_if(j, "owner", known->owner);
	put_if(j, "expires", known->expires);
	hp_json_object_end(j);
}

/*
 * Write an entry that the user can add to the file of --known. The user fills
 * in the empty members, such as the reason. @known: the entry that the file
 * already has for this suspect or finding; NULL: it has none.
 */
static void
write_entry(struct hp_json *j, const char *fingerprint, const char *what,
	    const char *path, const struct hp_known_leak *known)
{
	hp_json_object(j);
	hp_json_put_string(j, "fingerprint", fingerprint);
	hp_json_put_visible(j, "what", what);
	put_if(j, "path", path);
	hp_json_put_visible(j, "reason", known ? known->reason : "");
	put_if(j, "owner", known ? known->owner : NULL);
	put_if(j, "expires", known ? known->expires : NULL);
	hp_json_object_end(j);
}

enum hp_status
hp_report_known(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_suspect *s = r->suspects;
	struct hp_json j;
	size_t i, k;

	hp_json_init(&j, out, HP_JSON_INDENT);
	hp_json_object(&j);
	hp_json_put_array(&j, "known_leaks");
	for (i = 0; i < r->nsuspects; i++) {
		/*
		 * several suspects on the same path have the same fingerprint
		 * and get one entry
		 */
		for (k = 0; k < i && strcmp(s[k].fingerprint.text,
					    s[i].fingerprint.text) != 0;
		     k++)
			;
		if (k == i)
			write_entry(&j, s[i].fingerprint.text, s[i].label,
				    s[i].path, s[i].known);
	}
	for (i = 0; i < HP_UNUSUALS; i++) {
		const char *id = hp_unusual_kinds[i].id;

		if (r->findings[i].applies)
			write_entry(&j, hp_fingerprint_finding(id).text, id,
				    NULL, r->known_findings[i]);
	}
	hp_json_array_end(&j);
	hp_json_object_end(&j);
	return hp_json_finish(&j, err);
}
