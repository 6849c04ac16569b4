/*
 * facts.c - store what was found out about a finding: the percentage that is
 * compared with its limit, and an example
 */
#include "diff/findings/internal.h"

#include <string.h>

void
hp_unusual_share(struct hp_unusual_search *s, enum hp_unusual kind,
		 uint64_t part, uint64_t whole)
{
	struct hp_unusual_fact *f = &s->facts[kind];
	unsigned __int128 share = 0;

	if (part > whole && kind != HP_UNUSUAL_DIRECT)
		part = whole;
	if (whole > 0)
		share = (unsigned __int128)part * 100 * HP_PERCENT_ONE / whole;
	f->checked = true;
	f->share = share < UINT64_MAX ? (uint64_t)share : UINT64_MAX;
	f->applies =
		part > 0 && !s->r->options->unusual.disabled[kind] &&
		f->share >= hp_unusual_limit(&s->r->options->unusual, kind);
}

bool
hp_unusual_say(struct hp_unusual_search *s, enum hp_unusual kind,
	       const char *text)
{
	s->facts[kind].what =
		text ? hp_arena_copy(&s->r->arena, text, strlen(text)) : NULL;
	return s->facts[kind].what != NULL;
}

const char *
hp_unusual_name(struct hp_unusual_search *s, uint32_t kind)
{
	const struct hp_name *name =
		hp_key_kind(&s->keys, &s->t->graph.kinds.list[kind]);

	return name ? name->text : NULL;
}
