/*
 * secrets.c - report the secrets of a dump as findings (--secrets)
 *
 * common/secrets/ finds the secrets and the objects that hold them.
 */
#include "validate/secrets.h"

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

enum hp_status
hp_secrets_report(struct hp_source *src, const struct hp_secret_search *q,
		  const struct hp_tables *tables, struct hp_classes *classes,
		  struct hp_findings *findings, struct hp_error *err)
{
	struct hp_secret_hits hits = {0};
	enum hp_status st = hp_secrets_find(src, q, &hits, err);

	if (st == HP_OK)
		st = hp_secrets_find_holders(src, q, tables, classes, &hits,
					     err);
	for (size_t i = 0; st == HP_OK && i < hits.count; i++)
		report(&hits.list[i], findings);
	hp_secret_hits_release(&hits);
	return st;
}
