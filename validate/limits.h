/*
 * limits.h - texts about what was not checked, and why
 */
#ifndef HP_VALIDATE_LIMITS_H
#define HP_VALIDATE_LIMITS_H

#include "validate/references/graph.h"
#include "validate/validate.h"

/*
 * Add a text to the result that says what could not be done. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_limit(struct hp_validation *r,
					       struct hp_error *err,
					       const char *fmt, ...)
	HP_PRINTF(3, 4);

/*
 * Add texts about what was not checked in dump @dump because of too little
 * memory. @once: the input cannot be read twice. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_limits(struct hp_validation *r, unsigned dump,
		     const struct hp_reference_totals *t, bool once,
		     struct hp_error *err);

/*
 * Handle rules of --level=graph that could not be applied to a dump. Too little
 * memory makes the whole file fail; damage only leaves the rules out.
 * Returns HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_left_out(struct hp_validation *r,
							unsigned dump,
							enum hp_graph_gap gap,
							struct hp_error *err);

/*
 * Leave out the rules of --level=graph for dumps that must be read only once.
 * The first such dump adds a message that covers all later ones.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validation_graph_not_read(struct hp_validation *r,
							unsigned dump,
							struct hp_error *err);

#endif
