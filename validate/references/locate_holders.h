/*
 * locate_holders.h - who holds what dangles, and where objects are dumped again
 */
#ifndef HP_VALIDATE_REFERENCES_LOCATE_HOLDERS_H
#define HP_VALIDATE_REFERENCES_LOCATE_HOLDERS_H

#include "validate/references/references_state.h"

/* What one more pass is for. */
enum hp_pass_job {
	HP_PASS_FILL,	/* the sets of a window */
	HP_PASS_FIND,	/* what dangles; doubles, if they are wanted */
	HP_PASS_MARK,	/* which of the holders are referred to */
	HP_PASS_FINISH, /* what dangles in the holders */
};

/**
 * hp_references_locate_holders() - one more pass over a dump
 * @src: at its first byte
 *
 * Returns: HP_OK; HP_LIMIT: too many holders; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_references_locate_holders(struct hp_references *r, enum hp_pass_job job,
			     bool doubles, struct hp_source *src,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

#endif
