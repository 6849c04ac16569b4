/*
 * rescan.h - read the batches of a dump again
 */
#ifndef HP_VALIDATE_REFERENCES_RESCAN_H
#define HP_VALIDATE_REFERENCES_RESCAN_H

#include "validate/references/references_state.h"

/**
 * hp_references_rescan() - call @batch for all batches of the dump
 * @src:    the input, at its first byte
 * @wanted: whether a batch is needed, see struct hp_pass; NULL: all are
 *
 * Returns: errors of hp_scan() and of @batch.
 */
HP_MUST_USE enum hp_status
hp_references_rescan(const struct hp_references *r, struct hp_source *src,
		     enum hp_status (*batch)(void *ctx, struct hp_batch *b,
					     struct hp_error *err),
		     bool (*wanted)(void *ctx, const struct hp_batch *b),
		     void *ctx, struct hp_error *err);

#endif
