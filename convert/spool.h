/*
 * spool.h - a pipe made readable twice: its bytes in a nameless file
 */
#ifndef HP_CONVERT_SPOOL_H
#define HP_CONVERT_SPOOL_H

#include "common/io/source.h"

/**
 * hp_spool() - read all of @src into a temporary file that has no name
 * @out: a source over that file; the caller closes it
 *
 * The folder is $TMPDIR, or /tmp.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_spool(struct hp_source *src, struct hp_source **out, struct hp_error *err);

/* The same; HP_DAMAGED if the container of @src is. */
HP_MUST_USE enum hp_status hp_spool_checked(struct hp_source *src,
					    struct hp_source **out,
					    struct hp_error *err);

/* A nameless temporary file that is written first and read then. */
struct hp_spooler;

/* Ends with hp_spooler_finish() or hp_spooler_abort(). HP_OK, HP_IO, ... */
HP_MUST_USE enum hp_status hp_spooler_open(struct hp_spooler **out,
					   struct hp_error *err);
HP_MUST_USE enum hp_status hp_spooler_write(struct hp_spooler *s,
					    const void *bytes, size_t n,
					    struct hp_error *err);
/* *@out reads what was written; @s is released in any case. */
HP_MUST_USE enum hp_status hp_spooler_finish(struct hp_spooler *s,
					     struct hp_source **out,
					     struct hp_error *err);
void hp_spooler_abort(struct hp_spooler *s); /* NULL is allowed */

#endif
