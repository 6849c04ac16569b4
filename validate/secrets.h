/*
 * secrets.h - find credentials in a dump (--secrets)
 */
#ifndef HP_VALIDATE_SECRETS_H
#define HP_VALIDATE_SECRETS_H

#include "common/io/source.h"
#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/finding.h"

struct hp_secrets_request {
	unsigned dump, threads;
	bool strings; /* also search the STRING records of the file */
	const struct hp_tables *tables;
	struct hp_classes *classes; /* of the dump, complete */
};

/**
 * hp_secrets_find() - add a finding for each array and STRING record with a
 * credential
 * @src: at its first byte; must be rewindable. It is read once, and up to
 *       three times more if something is found, for the objects that hold it
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_secrets_find(struct hp_source *src,
					   const struct hp_secrets_request *q,
					   struct hp_findings *findings,
					   struct hp_error *err);

#endif
