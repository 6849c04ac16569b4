/*
 * compare.h - reads the dumps and fills the result
 */
#ifndef HP_DIFF_COMPARE_H
#define HP_DIFF_COMPARE_H

#include "common/cli/message.h"
#include "common/cli/progress.h"
#include "diff/result.h"

/**
 * hp_compare_run() - read all inputs
 * @r: r->threads as many as there may be; r->refused tells of trouble that one
 *     thread might not have
 * @m: what is worth saying is said here, also what went wrong
 *
 * Returns: HP_EXIT_OK or HP_EXIT_TROUBLE; result is to be released in either
 *          case.
 */
int hp_compare_run(struct hp_result *r, const struct hp_diff_options *o,
		   const struct hp_messages *m);

#endif
