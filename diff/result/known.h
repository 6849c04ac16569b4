/*
 * known.h - recognise leaks from run to run (fingerprints), and the file of
 * known leaks (--known)
 */
#ifndef HP_DIFF_RESULT_KNOWN_H
#define HP_DIFF_RESULT_KNOWN_H

#include "common/base/buf.h"
#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hp_result;
struct hp_suspect;

/* ----------------------------------------------------------------------
 * Fingerprints
 *
 * A fingerprint is a hash of the names along a path. It is the same in every
 * run of a program, on every machine, with every JDK and collector, as long as
 * the fields of the program on the path keep their names.
 */

enum { HP_FINGERPRINT_LENGTH = 16 };

/* A fingerprint as hexadecimal digits, with a NUL. */
struct hp_fingerprint {
	char text[HP_FINGERPRINT_LENGTH + 1];
};

/**
 * hp_fingerprint_path() - compute the fingerprint of a path
 * @path: as --by=path shows it, for example
 *   "Shop.BUS (static) → EventBus.listeners → java.util.ArrayList"
 * @element: the class of the elements that accumulate; NULL: none
 *
 * Only the steps in classes of the application count. The JDK renames its
 * internal classes and fields, and a collection may be replaced by another. If
 * no step is of the application, all steps count, and also @element. Numbers in
 * the names of threads do not count.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fingerprint_path(struct hp_fingerprint *f,
					       const char *path,
					       const char *element,
					       struct hp_error *err);

/*
 * The fingerprint of the last step of a path that counts. Paths to the same
 * field from different roots have the same. Returns: as hp_fingerprint_path().
 */
HP_MUST_USE enum hp_status hp_fingerprint_end(struct hp_fingerprint *f,
					      const char *path,
					      struct hp_error *err);

/*
 * The fingerprint of a finding such as "duplicate-strings". A heap has each
 * finding at most once, so the id alone recognises it.
 */
struct hp_fingerprint hp_fingerprint_finding(const char *id);

/* ----------------------------------------------------------------------
 * The file of known leaks
 *
 * A JSON file that people edit. An entry says why a leak is accepted, and until
 * when. docs/known-leaks.md describes the file, docs/schema/ has its schema.
 */

struct hp_known_leak {
	const char *fingerprint;
	/* what the suspect was when the entry was written; may be NULL */
	const char *what, *path;
	const char *reason;
	/* who is responsible for the leak; NULL: not given */
	const char *owner;
	const char *expires; /* the last day, "2027-01-31"; NULL: no end */
	/* the fingerprint of the last step of @path */
	struct hp_fingerprint end;
	bool is_expired; /* the last day was before today */
	bool is_found;	 /* a suspect or a finding has the fingerprint */
	/* a new suspect that may be the same leak on another path; or NULL */
	const struct hp_suspect *moved_to;
};

struct hp_known {
	/* the path of the file, which belongs to the caller */
	const char *file;
	/* sorted by fingerprint */
	struct hp_known_leak *list;
	size_t count;
	void *root; /* the parsed JSON, which owns the texts */
};

/**
 * hp_known_read() - read the file of --known
 * @k: zeroed
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED with a text that names the entry
 *          if the file has no such entries, an unknown member, an entry without
 *          a reason, a date that does not exist, or a fingerprint twice.
 * Ownership: call hp_known_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_known_read(struct hp_known *k, const char *path,
					 struct hp_error *err);
void hp_known_release(struct hp_known *k);

/* Find an entry. Returns NULL if no entry has the fingerprint. */
struct hp_known_leak *hp_known_find(const struct hp_known *k,
				    const struct hp_fingerprint *f);

/**
 * hp_known_mark() - set the fingerprints of suspects and findings, and which of
 * them are known
 * @k: also receives which entries were found; NULL: no file was given
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_known_mark(struct hp_known *k, struct hp_result *r, struct hp_error *err);

/* Number of expired entries. */
size_t hp_known_expired(const struct hp_known *k);

#endif
