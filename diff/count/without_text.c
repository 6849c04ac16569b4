/*
 * without_text.c - functions that replace those of carried.c in a build without
 * the agent's text format
 *
 * A dump that was made from such a text contains its report lines as STRING
 * records. Here these lines are ignored.
 */
#include "diff/count/carried.h"

bool
hp_carried_times(const struct hp_histogram *g)
{
	return false;
}

bool
hp_carried_has_monitors(const struct hp_histogram *g)
{
	return false;
}

enum hp_status
hp_carried_calls(const struct hp_column *c, struct hp_keys *k,
		 struct hp_row *(*row)(struct hp_keys *k, struct hp_rows *rows,
				       uint32_t trace),
		 struct hp_error *err)
{
	return HP_OK;
}

enum hp_status
hp_carried_monitors(const struct hp_column *c, struct hp_keys *k, bool *any,
		    struct hp_error *err)
{
	return HP_OK;
}
