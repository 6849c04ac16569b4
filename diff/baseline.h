/*
 * baseline.h - read a saved JSON result of one dump, which is compared in place
 * of the dump
 */
#ifndef HP_DIFF_BASELINE_H
#define HP_DIFF_BASELINE_H

#include "common/cli/message.h"
#include "common/io/source.h"
#include "diff/result.h"

/**
 * hp_baseline_peek() - whether the input looks like JSON
 *
 * Consumes nothing of the source.
 * Returns: HP_OK, HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_baseline_peek(struct hp_source *src, bool *saved,
					    struct hp_error *err);

/**
 * hp_baseline_load() - read a saved result into a column of the rows
 *
 * @records: receives the rows if the result's sites are from ALLOC SITES
 *   records
 * @is_records: set to true in that case
 *
 * Refuses results of another schema, --by key or normalisation, and results of
 * several dumps. Memory layouts are compared later, when all inputs are read.
 * Returns: HP_EXIT_OK; HP_EXIT_TROUBLE after printing a message.
 */
int hp_baseline_load(struct hp_result *r, struct hp_rows *records,
		     bool *is_records, const struct hp_diff_options *o,
		     size_t column, const char *path, struct hp_source *src,
		     const struct hp_messages *m);

#endif
