/*
 * secrets.h - report the secrets of a file (--secrets)
 */
#ifndef HP_VALIDATE_SECRETS_H
#define HP_VALIDATE_SECRETS_H

#include "common/secrets/find.h"
#include "validate/finding.h"

struct hp_secrets {
	/* the secrets, sorted by the number of the dump, then by offset */
	struct hp_secret_hits hits;
	bool searched;
	size_t next; /* index of the first secret that was not reported yet */
	/*
	 * number of dumps for which the objects that hold secrets were already
	 * searched
	 */
	unsigned located;
};

/*
 * Whether the input must be read to report the secrets of dump number @dump: it
 * was not searched yet, or the dump has secrets and the objects that hold them
 * must be found.
 */
bool hp_secrets_pending(const struct hp_secrets *s, unsigned dump);

/**
 * hp_secrets_search() - search all dumps of a file, unless they were already
 * searched
 * @src: at its first byte; it is read once
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_secrets_search(struct hp_secrets *s,
					     struct hp_source *src,
					     const struct hp_secret_search *q,
					     struct hp_error *err);

/**
 * hp_secrets_report() - add a finding for each secret of a dump, and of the
 * STRING records
 * @src: rewindable; if the dump has secrets, it is read up to three times to
 *       find the objects that hold them
 * @q: q->dump is the number of the dump, which must be larger than in the
 * previous call
 * @classes: the classes of the dump; all class dumps were read
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_secrets_report(struct hp_secrets *s, struct hp_source *src,
		  const struct hp_secret_search *q,
		  const struct hp_tables *tables, struct hp_classes *classes,
		  struct hp_findings *findings, struct hp_error *err);

void hp_secrets_release(struct hp_secrets *s);

#endif
