/*
 * check_state.c - create the data that the checks of a file need, and free it
 */
#include "common/base/memory.h"
#include "validate/checks/check.h"

#include <string.h>

void
hp_check_init(struct hp_check *c, struct hp_findings *findings,
	      struct hp_tables *tables, const struct hp_header *header,
	      struct hp_source *src, bool framing_only)
{
	memset(c, 0, sizeof(*c));
	c->findings = findings;
	c->tables = tables;
	c->header = header;
	c->src = src;
	c->framing_only = framing_only;
	c->id_size = header->id_size;
	c->evidence.version = header->version;
	c->evidence.id_size = header->id_size;
}

void
hp_check_release(struct hp_check *c)
{
	hp_free(c->big.items);
	hp_free(c->string_lengths.items);
	hp_free(c->string_places.items);
	hp_free(c->used);
	hp_free(c->uses.items);
	hp_id_map_release(&c->awaited);
	hp_id_map_release(&c->dumped);
}
