/*
 * finding_text.c - make the messages of rules: replace the placeholders in the
 * texts of rules.def
 *
 * finding.h describes the placeholders.
 */
#include "validate/finding.h"

#include <string.h>

#include "common/cli/escape.h"
#include "common/format/foreign_file.h"
#include "common/model/class_name.h"
#include "common/secrets/secrets.h"

enum { BRIEF_BYTES = 200 };

void
hp_record_name(struct hp_buf *out, uint8_t tag)
{
	const struct hp_record_desc *d = hp_record_desc(tag);

	if (hp_record_is_named(d))
		hp_buf_text(out, d->name);
	else
		hp_buf_printf(out, "0x%02x", tag);
}

void
hp_subrecord_name(struct hp_buf *out, uint8_t tag)
{
	const struct hp_record_desc *d = hp_subrecord_desc(tag);

	if (d)
		hp_buf_text(out, d->name);
	else
		hp_buf_printf(out, "0x%02x", tag);
}

/*
 * Replace each "_" in the text of @out from offset @from on by a space, so that
 * "HEAP_DUMP_SEGMENT" becomes "HEAP DUMP SEGMENT".
 */
static void
add_words(struct hp_buf *out, size_t from)
{
	for (size_t i = from; i < out->len; i++) {
		if (out->data[i] == '_')
			out->data[i] = ' ';
	}
}

static void
add_string(struct hp_buf *out, const struct hp_naming *n, uint64_t id)
{
	const struct hp_string *s =
		n->tables ? hp_tables_string(n->tables, id) : NULL;
	char room[HP_NAME_ROOM];
	struct hp_string shown;
	struct hp_secret secret;

	if (!s) {
		hp_buf_printf(out, "0x%llx", (unsigned long long)id);
	} else if (hp_secret_next(s->data, s->length, 0, HP_SECRETS_ALL,
				  &secret)) {
		/*
		 * do not show the value of a secret, because people share
		 * reports more freely than dumps
		 */
		hp_buf_printf(out, "(%s, not shown)",
			      hp_secret_name(secret.kind));
	} else if (n->brief) {
		hp_text_clean_cut(out, s->data, s->length, BRIEF_BYTES);
	} else {
		shown = hp_string_short(s, room);
		hp_text_clean(out, shown.data, shown.length);
	}
}

/*
 * Append the name that a class had at @offset. If it has no name, append "class
 * 0x..." with the id.
 */
static void
put_class(struct hp_buf *out, const struct hp_naming *n, uint64_t id,
	  uint64_t offset)
{
	const struct hp_string *s =
		n->tables ? hp_load_history_name(n->loads, id, offset) : NULL;
	char room[HP_NAME_ROOM];
	struct hp_string shown;
	struct hp_buf name = {0};

	if (!s || s->length == 0) {
		hp_buf_printf(out, "class 0x%llx", (unsigned long long)id);
		return;
	}
	shown = hp_string_short(s, room);
	hp_class_name(&name, shown.data, shown.length);
	if (n->brief)
		hp_text_clean_cut(out, name.data, name.len, BRIEF_BYTES);
	else
		hp_text_clean(out, name.data, name.len);
	hp_buf_inherit(out, &name);
	hp_buf_release(&name);
}

void
hp_finding_field(struct hp_buf *out, const struct hp_finding *f,
		 const struct hp_naming *names)
{
	static const char *const lists[] = {
		[HP_PLACE_ELEMENT] = "elements",
		[HP_PLACE_INSTANCE_FIELD] = "data",
		[HP_PLACE_STATIC] = "statics",
		[HP_PLACE_CONSTANT] = "constants",
		[HP_PLACE_FRAME] = "frames",
		[HP_PLACE_ROW] = "rows",
	};

	if (f->place == HP_PLACE_NONE)
		return;
	if (f->place == HP_PLACE_NAME)
		hp_buf_text(out, hp_place_word((enum hp_word)f->index));
	else if (f->named)
		add_string(out, names, f->name);
	else
		hp_buf_printf(out, "%s[%llu]", lists[f->place],
			      (unsigned long long)f->index);
}

static void
add_argument(struct hp_buf *out, const char *what, size_t len,
	     const struct hp_finding *f, const struct hp_naming *names)
{
	const char *colon = memchr(what, ':', len);
	uint64_t v = colon ? f->args[(colon[1] - '0') % HP_FINDING_ARGS] : 0;
	size_t n = colon ? (size_t)(colon - what) : len, from = out->len;
	char guess[HP_FOREIGN_TEXT];

	if (n == 5 && memcmp(what, "field", n) == 0) {
		hp_finding_field(out, f, names);
	} else if (n == 5 && memcmp(what, "class", n) == 0) {
		put_class(out, names, v, f->offset);
	} else if (n == 5 && memcmp(what, "guess", n) == 0) {
		hp_buf_text(out, hp_foreign_file_text(v, guess)
					 ? guess
					 : "something else");
	} else if (n == 6 && memcmp(what, "string", n) == 0) {
		add_string(out, names, v);
	} else if (n == 6 && memcmp(what, "secret", n) == 0) {
		hp_buf_text(out, hp_secret_name((unsigned)v));
	} else if (n == 6 && memcmp(what, "record", n) == 0) {
		hp_record_name(out, (uint8_t)v);
		add_words(out, from);
	} else if (n == 3) {
		hp_subrecord_name(out, (uint8_t)v);
		add_words(out, from);
	} else if (n == 4) {
		const char *name = hp_type_name((unsigned)v);

		if (name)
			hp_buf_text(out, name);
		else
			hp_buf_u64(out, v);
	} else if (what[0] == 'u') {
		hp_buf_u64(out, v);
	} else if (what[0] == 'i') {
		hp_buf_i64(out, (int64_t)v);
	} else if (what[0] == 'x') {
		hp_buf_printf(out, "0x%llx", (unsigned long long)v);
	} else if (what[0] == 's' && v != 1) {
		hp_buf_byte(out, 's');
	}
}

/*
 * Returns the closing brace that matches the opening brace before @p; @end if
 * there is none.
 */
static const char *
closing_brace(const char *p, const char *end)
{
	unsigned depth = 1;

	for (; p < end; p++) {
		depth += *p == '{';
		depth -= *p == '}';
		if (depth == 0)
			break;
	}
	return p;
}

/*
 * For a placeholder "N?a|b": find the alternative (a or b) that argument N of
 * the finding selects, and set *@from and *@to to its beginning and end.
 */
static void
choose_alternative(const char **from, const char **to,
		   const struct hp_finding *f)
{
	uint64_t v = f->args[(**from - '0') % HP_FINDING_ARGS];
	const char *p = *from + 2, *end = *to, *start = p;
	unsigned depth = 0;

	for (; p < end; p++) {
		depth += *p == '{';
		depth -= *p == '}';
		if (*p != '|' || depth > 0)
			continue;
		if (v == 0)
			break;
		v--;
		start = p + 1;
	}
	*from = start;
	*to = p;
}

/*
 * Append a text and replace its placeholders. The text has no alternatives
 * ("a|b").
 */
static void
fill_plain(struct hp_buf *out, const char *p, const char *end,
	   const struct hp_finding *f, const struct hp_naming *names)
{
	while (p < end) {
		const char *close;

		if (*p != '{') {
			hp_buf_byte(out, *p++);
			continue;
		}
		close = closing_brace(p + 1, end);
		add_argument(out, p + 1, (size_t)(close - p - 1), f, names);
		p = close + 1;
	}
}

void
hp_finding_message(struct hp_buf *out, const struct hp_finding *f,
		   const struct hp_naming *names)
{
	const char *p = hp_rule_desc((enum hp_rule)f->rule)->message;
	const char *end = p + strlen(p);

	while (p < end) {
		const char *open = strchr(p, '{'), *from, *to;

		if (!open) {
			hp_buf_text(out, p);
			return;
		}
		hp_buf_add(out, p, (size_t)(open - p));
		to = closing_brace(open + 1, end);
		p = to + 1;
		from = open + 1;
		if (from[0] >= '0' && from[0] <= '9' && from[1] == '?') {
			choose_alternative(&from, &to, f);
			fill_plain(out, from, to, f, names);
		} else {
			add_argument(out, from, (size_t)(to - from), f, names);
		}
	}
}
