/*
 * rescan.h - the batches of a dump once more
 */
#ifndef HP_VALIDATE_REFERENCES_RESCAN_H
#define HP_VALIDATE_REFERENCES_RESCAN_H

#include "validate/references/references_state.h"

/**
 * hp_references_rescan() - show the dump's batches once more
 * @src:    at its first byte
 * @wanted: see struct hp_pass; NULL: all are
 *
 * Returns: what hp_scan() and @batch return.
 */
HP_MUST_USE enum hp_status
hp_references_rescan(const struct hp_references *r, struct hp_source *src,
		     enum hp_status (*batch)(void *ctx, struct hp_batch *b,
					     struct hp_error *err),
		     bool (*wanted)(void *ctx, const struct hp_batch *b),
		     void *ctx, struct hp_error *err);

#endif
