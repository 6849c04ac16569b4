/*
 * compare.h - read all inputs and fill in the result
 */
#ifndef HP_DIFF_COMPARE_H
#define HP_DIFF_COMPARE_H

#include "common/cli/message.h"
#include "common/cli/progress.h"
#include "diff/result.h"

/**
 * hp_compare_run() - read all inputs
 * @r: r->threads is the maximum number of threads; r->refused is set if the run
 *   may succeed with one thread
 * @m: prints warnings and errors
 *
 * Returns: HP_EXIT_OK or HP_EXIT_TROUBLE; release @r in either case.
 */
int hp_compare_run(struct hp_result *r, const struct hp_diff_options *o,
		   const struct hp_messages *m);

#endif
