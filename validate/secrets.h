/*
 * secrets.h - report the secrets of a dump (--secrets)
 */
#ifndef HP_VALIDATE_SECRETS_H
#define HP_VALIDATE_SECRETS_H

#include "common/secrets/find.h"
#include "validate/finding.h"

/**
 * hp_secrets_report() - add a finding for each array and STRING record with a
 * secret
 * @src: at its first byte; must be rewindable. The source is read once. If
 *       secrets are found, it is read up to three times more, to find the
 *       objects that hold the secrets
 * @classes: the classes of the dump; all class dumps were read
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_secrets_report(struct hp_source *src, const struct hp_secret_search *q,
		  const struct hp_tables *tables, struct hp_classes *classes,
		  struct hp_findings *findings, struct hp_error *err);

#endif
