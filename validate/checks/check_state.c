/*
 * check_state.c - create the data that the checks of a file need, measure its
 * memory, and free it
 */
#include "common/base/memory.h"
#include "validate/checks/check.h"

#include <string.h>

void
hp_check_init(struct hp_check *c, struct hp_findings *findings,
	      struct hp_tables *tables, const struct hp_header *header,
	      struct hp_source *src, bool framing_only, uint64_t memory)
{
	memset(c, 0, sizeof(*c));
	c->findings = findings;
	c->tables = tables;
	c->header = header;
	c->src = src;
	c->framing_only = framing_only;
	c->memory = memory;
	c->id_size = header->id_size;
	c->evidence.version = header->version;
	c->evidence.id_size = header->id_size;
}

uint64_t
hp_check_bytes(const struct hp_check *c)
{
	return c->big.cap * sizeof(struct hp_big_segment) +
	       c->string_lengths.cap * sizeof(uint32_t) +
	       c->string_places.cap * sizeof(struct hp_string_place) +
	       c->used_bytes + c->uses.cap * sizeof(struct hp_mention) +
	       hp_id_map_bytes(&c->awaited) + hp_id_map_bytes(&c->dumped);
}

enum hp_status
hp_check_budget(const struct hp_check *c, uint64_t tables, struct hp_error *err)
{
	if (tables + hp_check_bytes(c) <= c->memory)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "strings, traces and the like do not fit in "
		       "--memory; allow more");
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
