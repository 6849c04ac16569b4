/*
 * secrets.c - report the secrets of a file as findings (--secrets)
 *
 * common/secrets/ finds the secrets and the objects that hold them.
 */
#include "validate/secrets.h"

#include "common/base/vec.h"

#include <assert.h>

/*
 * Maximum number of dumps with secrets for which the objects that hold these
 * secrets are searched. The search reads the whole file for each dump.
 */
enum { LOCATED_MOST = 16 };

static void
report(const struct hp_secret_hit *h, struct hp_findings *findings)
{
	static const enum hp_place places[] = {
		[HP_SECRET_NOWHERE] = HP_PLACE_NONE,
		[HP_SECRET_ELEMENT] = HP_PLACE_ELEMENT,
		[HP_SECRET_FIELD] = HP_PLACE_INSTANCE_FIELD,
		[HP_SECRET_STATIC] = HP_PLACE_STATIC};
	struct hp_finding out = {
		.offset = h->offset,
		.record = h->record,
		.dump = h->dump,
		.rule = HP_RULE_SECRET,
		.severity = HP_SEVERITY_DEFAULT,
		.args = {h->kind, h->length, h->in, h->holder}};

	if (h->holder) {
		out.place = (uint8_t)places[h->place];
		out.holder = h->holder;
		out.index = h->index;
		out.named = h->place == HP_SECRET_STATIC;
		out.name = h->static_name;
	}
	hp_findings_add(findings, &out);
}

static int
compare_dumps(const void *a, const void *b)
{
	const struct hp_secret_hit *x = a, *y = b;
	int c = hp_order(x->dump, y->dump);

	c = c ? c : hp_order(x->offset, y->offset);
	return c ? c : hp_order(x->kind, y->kind);
}

bool
hp_secrets_pending(const struct hp_secrets *s, unsigned dump)
{
	return !s->searched ||
	       (s->next < s->hits.count && s->hits.list[s->next].dump <= dump);
}

enum hp_status
hp_secrets_search(struct hp_secrets *s, struct hp_source *src,
		  const struct hp_secret_search *q, struct hp_error *err)
{
	enum hp_status st;

	if (s->searched)
		return HP_OK;
	st = hp_secrets_find(src, q, &s->hits, err);
	if (st == HP_OK && !hp_sort(s->hits.list, s->hits.count,
				    sizeof(*s->hits.list), compare_dumps))
		st = hp_no_memory(err);
	s->searched = st == HP_OK;
	return st;
}

enum hp_status
hp_secrets_report(struct hp_secrets *s, struct hp_source *src,
		  const struct hp_secret_search *q,
		  const struct hp_tables *tables, struct hp_classes *classes,
		  struct hp_findings *findings, struct hp_error *err)
{
	struct hp_secret_hits part = {0};
	enum hp_status st = HP_OK;
	bool arrays = false;

	if (s->next == s->hits.count)
		return HP_OK;
	part.list = &s->hits.list[s->next];
	while (s->next < s->hits.count &&
	       s->hits.list[s->next].dump <= q->dump) {
		arrays |= s->hits.list[s->next++].array != 0;
		part.count++;
	}
	/* only a heap dump has arrays, and a heap dump has a list of classes */
	assert(classes || !arrays);
	if (arrays && s->located++ < LOCATED_MOST)
		st = hp_secrets_find_holders(src, q, tables, classes, &part,
					     err);
	for (size_t i = 0; st == HP_OK && i < part.count; i++)
		report(&part.list[i], findings);
	return st;
}

void
hp_secrets_release(struct hp_secrets *s)
{
	hp_secret_hits_release(&s->hits);
	*s = (struct hp_secrets){0};
}
