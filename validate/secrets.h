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
	/* whether to search the STRING records of the file also */
	bool strings;
	unsigned categories; /* HP_SECRETS_ bits: what to search */
	const struct hp_tables *tables;
	/* the classes of the dump; all class dumps were read */
	struct hp_classes *classes;
};

/**
 * hp_secrets_find() - add a finding for each array and STRING record with a
 * credential
 * @src: at its first byte; must be rewindable. The source is read once. If
 *       credentials are found, it is read up to three times more, to find the
 *       objects that hold the credentials
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_secrets_find(struct hp_source *src,
					   const struct hp_secrets_request *q,
					   struct hp_findings *findings,
					   struct hp_error *err);

#endif
