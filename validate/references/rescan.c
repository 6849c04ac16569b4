/* rescan.c - read parts of a dump again, for the passes after the first */
#include "validate/references/internal.h"

#include "common/format/scan.h"

enum hp_status
hp_references_rescan(const struct hp_references *r, struct hp_source *src,
		     enum hp_status (*batch)(void *ctx, struct hp_batch *b,
					     struct hp_error *err),
		     bool (*wanted)(void *ctx, const struct hp_batch *b),
		     void *ctx, struct hp_error *err)
{
	const struct hp_pass pass = {.need = HP_NEED_REFERENCES,
				     .ctx = ctx,
				     .wanted = wanted,
				     .batch = batch};
	const struct hp_scan_options options = {.threads = r->o.workers,
						.only_dump = r->dump,
						.from = r->place};

	return hp_scan(src, &pass, &options, err);
}
