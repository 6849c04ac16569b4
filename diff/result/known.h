/*
 * known.h - recognise a leak in other runs of a program (by fingerprints), and
 * the file of known leaks (--known)
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

/*
 * ----------------------------------------------------------------------
 * Fingerprints of leaks
 *
 * A fingerprint is a hash of the names along the path that keeps a leak alive.
 * It is equal in every run of the program, on every machine, with every JDK and
 * garbage collector, until a field of the program on this path is renamed.
 */

enum { HP_FINGERPRINT_LENGTH = 16 };

/* A fingerprint: 16 hexadecimal digits and a NUL. */
struct hp_fingerprint {
	char text[HP_FINGERPRINT_LENGTH + 1];
};

/**
 * hp_fingerprint_path() - compute the fingerprint of a path
 *
 * @path: as --by=path shows it, for example "Shop.BUS (static) →
 *   EventBus.listeners → java.util.ArrayList"
 * @element: the class of the elements that accumulate; NULL: none
 *
 * The fingerprint is computed only from the steps of the path that are in
 * classes of the application. Other steps are left out, because the JDK renames
 * its internal classes and fields, and a program may use another collection in
 * its next version. If no step is in a class of the application, all steps and
 * @element are used. Numbers in the names of threads are left out.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fingerprint_path(struct hp_fingerprint *f,
					       const char *path,
					       const char *element,
					       struct hp_error *err);

/*
 * Compute a fingerprint from a single step of a path: the last step that
 * hp_fingerprint_path() uses. So if two paths lead from different roots to one
 * field, their results are equal. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fingerprint_end(struct hp_fingerprint *f,
					      const char *path,
					      struct hp_error *err);

/*
 * Returns the fingerprint of the text @text, which must identify the same thing
 * in every run of the program.
 */
struct hp_fingerprint hp_fingerprint_text(const char *text, size_t length);

/*
 * Returns the fingerprint of a finding. It is computed from the id, such as
 * "duplicate-strings", because a heap has each finding at most once.
 */
struct hp_fingerprint hp_fingerprint_finding(const char *id);

/* ----------------------------------------------------------------------
 * The file of known leaks
 *
 * A JSON file that people edit. Each entry describes a leak that the team
 * accepts, with the reason and an expiry date. docs/known-leaks.md describes
 * the file, docs/schema/ has its schema.
 */

struct hp_known_leak {
	const char *fingerprint;
	/*
	 * The suspect as it was when the entry was written. what: its label.
	 * path: its path. Each may be NULL.
	 */
	const char *what, *path;
	const char *reason;
	/* the person who is responsible for the leak; NULL: not given */
	const char *owner;
	/*
	 * the last day on which the entry is valid, for example "2027-01-31";
	 * NULL: the entry is always valid
	 */
	const char *expires;
	/*
	 * the fingerprint of the last step of `path`, see hp_fingerprint_end()
	 */
	struct hp_fingerprint end;
	/*
	 * the entry is no longer valid, because its last day was before today
	 */
	bool is_expired;
	/* the dump has a suspect or a finding with this fingerprint */
	bool is_found;
	/*
	 * a suspect that may be the leak of this entry: it is on another path,
	 * and has no entry of its own; NULL: there is none
	 */
	const struct hp_suspect *moved_to;
};

struct hp_known {
	/* the path of the file of --known; borrowed from the caller */
	const char *file;
	/* the entries of the file, sorted by fingerprint */
	struct hp_known_leak *list;
	size_t count;
	void *root; /* the parsed JSON of the file, which owns the texts */
};

/**
 * hp_known_read() - read the file of --known
 *
 * @k: zeroed by the caller
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED, with a text that names the
 * entry, if the file is invalid: it is not a list of entries, or an entry has
 * an unknown member, no reason, a date that does not exist, or the same
 * fingerprint as an earlier entry.
 * Ownership: call hp_known_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_known_read(struct hp_known *k, const char *path,
					 struct hp_error *err);
void hp_known_release(struct hp_known *k);

/*
 * Find the entry of the --known file with a fingerprint. Returns NULL if there
 * is none.
 */
struct hp_known_leak *hp_known_find(const struct hp_known *k,
				    const struct hp_fingerprint *f);

/**
 * hp_known_mark() - compute the fingerprints of suspects and findings, and mark
 * those that the file of --known lists
 *
 * @k: the file; in each entry, the function also stores whether it was found;
 *   NULL: no file was given
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_known_mark(struct hp_known *k, struct hp_result *r, struct hp_error *err);

#endif
