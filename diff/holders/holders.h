/*
 * holders.h - rows of --by=holder: which references hold which objects
 *
 * A row is a kind of reference and the class of what it names:
 * "java.util.HashMap$Node.value → Leak$Session". Its count and bytes are those
 * of the objects, each once; extra is the number of references.
 */
#ifndef HP_DIFF_HOLDERS_HOLDERS_H
#define HP_DIFF_HOLDERS_HOLDERS_H

#include "diff/result.h"
#include "diff/keys/keys.h"

/**
 * hp_holders_add() - read the references of the dump that was counted
 * @c:   its info's layout is for shallow bytes; nothing else is looked at
 * @src: is rewound, so it must be rewindable
 *
 * References that --reachability does not follow hold nothing. No graph is
 * made: some 4 bytes an object and up to 6 a reference, of kinds that have many
 * a bit an object; what does not fit in --memory takes more passes.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_holders_add(const struct hp_column *c,
					  struct hp_source *src,
					  struct hp_error *err);

#endif
