/*
 * holders.h - the rows of --by=holder: which references refer to which objects
 *
 * A row is a pair of a kind of reference (such as a field) and the class of the
 * objects to which it refers, for example "java.util.HashMap$Node.value →
 * Leak$Session". The columns "count" and "bytes" are about these objects, each
 * counted once. The column "extra" is the number of references.
 */
#ifndef HP_DIFF_HOLDERS_HOLDERS_H
#define HP_DIFF_HOLDERS_HOLDERS_H

#include "diff/result/result.h"
#include "diff/keys/keys.h"

/**
 * hp_holders_add() - count the references of a dump, and add them to the rows
 *
 * @c: the dump; c->info->layout is the size model for shallow sizes
 * @src: the dump; must be rewindable, and is read from its first byte
 *
 * Does not count references that --reachability excludes.
 *
 * This function needs no object graph. It needs about 4 bytes of memory for
 * each object, and at most 6 bytes for each reference. If a kind of reference
 * has many references, its counters need only half a byte for each object. If
 * the counters do not fit in --memory, the dump is read several times.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_holders_add(const struct hp_column *c,
					  struct hp_source *src,
					  struct hp_error *err);

#endif
