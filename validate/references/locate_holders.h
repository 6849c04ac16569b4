/*
 * locate_holders.h - find the holders of dangling references, and duplicate ids
 */
#ifndef HP_VALIDATE_REFERENCES_LOCATE_HOLDERS_H
#define HP_VALIDATE_REFERENCES_LOCATE_HOLDERS_H

#include "validate/references/references_state.h"

/* The job of a further pass. */
enum hp_pass_job {
	HP_PASS_FILL, /* fill the id sets of the current window of ids */
	/* find dangling references, and duplicate ids if asked */
	HP_PASS_FIND,
	HP_PASS_MARK,	/* find out which deferred arrays are referred to */
	HP_PASS_FINISH, /* report the dangling references of deferred arrays */
};

/**
 * hp_references_locate_holders() - run one further pass over a dump
 * @doubles: also look for objects whose ids are not unique
 * @src:     the input, at its first byte
 *
 * Returns: HP_OK; HP_LIMIT if there are too many deferred arrays; errors of
 *          hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_locate_holders(struct hp_references *r, enum hp_pass_job job,
			     bool doubles, struct hp_source *src,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

#endif
