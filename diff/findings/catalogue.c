/*
 * catalogue.c - list and explain the findings of findings.def
 */
#include "diff/findings/catalogue.h"

#include "common/base/bytes.h"
#include "common/cli/quantity.h"
#include "common/options/options.h"
#include "diff/result/answer.h"

#include <inttypes.h>
#include <string.h>

enum { EXPLAIN_WIDTH = 76 };

const struct hp_unusual_kind hp_unusual_kinds[HP_UNUSUALS] = {
#define FINDING(symbol, id, percent, ...)                                      \
	{id, (uint64_t)(percent)*HP_PERCENT_ONE, __VA_ARGS__},
#include "diff/findings/findings.def"
};

/* The sentences for suspects that a report has shown; NULL: there is none. */
static const char *const shown_messages[HP_UNUSUALS] = {
#define SHOWN(symbol, sentence) [HP_UNUSUAL_##symbol] = sentence,
#include "diff/findings/findings.def"
};

const char *const hp_unusual_ids[HP_UNUSUALS + 1] = {
#define FINDING(symbol, id, ...) id,
#include "diff/findings/findings.def"
	NULL};

enum hp_status
hp_unusual_find(const char *id, size_t len, enum hp_unusual *kind,
		struct hp_error *err)
{
	int found = hp_choice_find(hp_unusual_ids, id, len);
	const char *near = hp_suggest(id, len, hp_unusual_ids);
	int shown = (int)(len < 60 ? len : 60);

	if (found >= 0) {
		*kind = (enum hp_unusual)found;
		return HP_OK;
	}
	if (near)
		return hp_fail(err, HP_DAMAGED,
			       "there is no finding '%.*s'; did you mean '%s'?",
			       shown, id, near);
	return hp_fail(err, HP_DAMAGED,
		       "there is no finding '%.*s'; --findings lists them",
		       shown, id);
}

enum hp_status
hp_unusual_set_limit(struct hp_unusual_limits *l, const char *text,
		     struct hp_error *err)
{
	const char *equals = strchr(text, '=');
	enum hp_unusual kind;
	enum hp_status st;

	if (!equals)
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' is not of the form ID=N%%", text);
	st = hp_unusual_find(text, (size_t)(equals - text), &kind, err);
	if (st != HP_OK)
		return st;
	if (!hp_percent_parse(equals + 1, &l->limit[kind]))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected a percentage, as 5%%",
			       equals + 1);
	l->set[kind] = true;
	return HP_OK;
}

enum hp_status
hp_unusual_disable(struct hp_unusual_limits *l, const char *text,
		   struct hp_error *err)
{
	enum hp_status st = HP_OK;
	enum hp_unusual kind;
	struct hp_slice id;

	while (st == HP_OK && hp_list_next(&text, &id)) {
		st = hp_unusual_find(id.text, id.length, &kind, err);
		if (st == HP_OK)
			l->disabled[kind] = true;
	}
	return st;
}

void
hp_unusual_list(struct hp_buf *b)
{
	for (unsigned i = 0; i < HP_UNUSUALS; i++)
		hp_buf_printf(
			b, "%-22s %3u%%  %s\n", hp_unusual_kinds[i].id,
			(unsigned)(hp_unusual_kinds[i].limit / HP_PERCENT_ONE),
			hp_unusual_kinds[i].line);
}

void
hp_unusual_explain(struct hp_buf *b, enum hp_unusual kind)
{
	const struct hp_unusual_kind *k = &hp_unusual_kinds[kind];
	struct hp_buf text = {0};

	hp_buf_printf(b, "%s: %s\n\n", k->id, k->line);
	hp_text_wrap(b, k->paragraph, EXPLAIN_WIDTH, 0, 0);
	hp_buf_printf(&text, "What to do: %s", k->advice);
	hp_buf_byte(b, '\n');
	hp_text_wrap(b, hp_buf_string(&text), EXPLAIN_WIDTH, 0, 0);
	hp_buf_clear(&text);
	hp_buf_printf(&text,
		      "hprof-diff reports the finding if it concerns at "
		      "least %u %% of %s. "
		      "--threshold=%s=N%% sets another share, and "
		      "--disable=%s turns the finding off.",
		      (unsigned)(k->limit / HP_PERCENT_ONE), k->whole, k->id,
		      k->id);
	hp_buf_byte(b, '\n');
	hp_text_wrap(b, hp_buf_string(&text), EXPLAIN_WIDTH, 0, 0);
	hp_buf_inherit(b, &text);
	hp_buf_release(&text);
}

/*
 * Append a share in words, for example "35 % of". A share of at least 200 % is
 * written as "2.5 times", because large percentages are hard to read.
 */
static void
add_part(struct hp_buf *b, uint64_t share)
{
	const uint64_t one = 100 * (uint64_t)HP_PERCENT_ONE;
	uint64_t tenths = (share + one / 20) / (one / 10);

	if (share < 2 * one) {
		hp_percent_text(b, share);
		hp_buf_text(b, " of");
	} else {
		hp_count_text(b, tenths / 10);
		if (tenths < 100)
			hp_buf_printf(b, ".%" PRIu64, tenths % 10);
		hp_buf_text(b, " times");
	}
}

const char *
hp_unusual_whole(enum hp_unusual kind, const struct hp_unusual_fact *fact)
{
	return fact->whole ? fact->whole : hp_unusual_kinds[kind].whole;
}

/* A sentence of findings.def whose placeholders are being replaced. */
struct sentence {
	enum hp_unusual kind;
	const struct hp_unusual_fact *fact;
	const char *noun; /* what the report calls suspects, or NULL */
};

/*
 * Append the value of a placeholder in the sentence of a finding, for example
 * of {count} or {class|classes}.
 */
static void
add_value(struct hp_buf *b, const char *name, size_t len,
	  const struct sentence *s)
{
	const struct hp_unusual_fact *f = s->fact;
	const char *bar = memchr(name, '|', len);

	if (bar && f->count == 1)
		hp_buf_add(b, name, (size_t)(bar - name));
	else if (bar)
		hp_buf_add(b, bar + 1, (size_t)(name + len - bar) - 1);
	else if (strncmp(name, "what", len) == 0)
		hp_buf_text(b, f->what ? f->what : "?");
	else if (strncmp(name, "suspect", len) == 0)
		hp_buf_printf(b, "%s %zu", s->noun, f->suspect);
	else if (strncmp(name, "size", len) == 0)
		hp_size_text(b, f->bytes);
	else if (strncmp(name, "count", len) == 0)
		hp_count_text(b, f->count);
	else if (strncmp(name, "whole", len) == 0)
		hp_buf_text(b, hp_unusual_whole(s->kind, f));
	else if (strncmp(name, "part", len) == 0)
		add_part(b, f->share);
	else
		hp_percent_text(b, f->share);
}

static void
add_sentence(struct hp_buf *b, const char *p, const struct sentence *s)
{
	/*
	 * the sentence may end with "; ..." and an example: leave out this end
	 * if there is no example
	 */
	const char *end = s->fact->what ? NULL : strchr(p, ';');

	while (*p && p != end) {
		size_t n = strcspn(p, end ? "{;" : "{"), len;

		hp_buf_add(b, p, n);
		p += n;
		if (*p != '{')
			break;
		len = strcspn(p + 1, "}");
		add_value(b, p + 1, len, s);
		p += len + 2;
	}
}

void
hp_unusual_text(struct hp_buf *b, enum hp_unusual kind,
		const struct hp_unusual_fact *fact)
{
	const struct sentence s = {.kind = kind, .fact = fact};

	add_sentence(b, hp_unusual_kinds[kind].message, &s);
}

void
hp_unusual_text_after(struct hp_buf *b, enum hp_unusual kind,
		      const struct hp_unusual_fact *fact, const char *noun,
		      size_t shown)
{
	const struct sentence s = {.kind = kind, .fact = fact, .noun = noun};

	if (fact->suspect == 0 || fact->suspect > shown ||
	    !shown_messages[kind])
		hp_unusual_text(b, kind, fact);
	else
		add_sentence(b, shown_messages[kind], &s);
}
