/*
 * matching.h - the texts that --strip-matching removes
 */
#ifndef HP_CONVERT_STRIP_MATCHING_H
#define HP_CONVERT_STRIP_MATCHING_H

#include "common/io/source.h"
#include "convert/prepass/class_prepass.h"

/*
 * The result of the search for secrets. The strip and its proof share this
 * list: the proof checks that exactly these bytes were replaced. In addition,
 * the output is searched for secrets again.
 */
struct hp_matching {
	/*
	 * ids of the arrays that contain secrets; all elements of these arrays
	 * become zero
	 */
	struct hp_dump_id_sets arrays;
	/* file offsets of the STRING records with secrets, ascending */
	uint64_t *strings;
	size_t nstrings, cap;
};

/**
 * hp_matching_find() - search a dump for secrets
 * @m: zeroed
 * @src: at its first byte; it is read once
 * @categories: HP_SECRETS_ bits: what to search
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_matching_find(struct hp_matching *m,
					    struct hp_source *src,
					    unsigned categories,
					    unsigned threads, uint64_t memory,
					    struct hp_error *err);

/**
 * hp_matching_prove() - fail if a stripped dump still has a secret
 * @src: the output, at its first byte; it is read once
 *
 * Returns: HP_OK; HP_DAMAGED: there is a secret; HP_NOMEM; the failures of
 *          hp_scan().
 */
HP_MUST_USE enum hp_status hp_matching_prove(struct hp_source *src,
					     unsigned categories,
					     unsigned threads,
					     struct hp_error *err);

/*
 * Whether the array @id contains a secret. @m may be NULL. Any thread may call
 * this.
 */
static inline bool
hp_matching_has_array(const struct hp_matching *m, unsigned dump, uint64_t id)
{
	return m && hp_dump_id_sets_has(&m->arrays, dump, id);
}

/* Whether the STRING record at @offset contains a secret. @m may be NULL. */
bool hp_matching_has_string(const struct hp_matching *m, uint64_t offset);

void hp_matching_release(struct hp_matching *m);

#endif
