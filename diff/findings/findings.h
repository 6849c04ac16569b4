/*
 * findings.h - look for what is unusual in a heap
 *
 * findings.def lists what is looked for. The facts are in the result of the
 * comparison: those of the last dump, and which of them the first dump has.
 */
#ifndef HP_DIFF_FINDINGS_FINDINGS_H
#define HP_DIFF_FINDINGS_FINDINGS_H

#include "diff/keys/keys.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"

/**
 * hp_findings_find() - look for findings that need the object graph
 * @t: with its edges, and with the objects that wait for a finalizer
 * @column: of the dump; its info has the parts of the heap
 * @src: rewound and read again, for names of threads and sizes of buffers
 * @r: has the suspects if it is the last dump; receives r->findings
 *
 * Needs two bits a reachable object, and 12 bytes a weak reference. Takes a few
 * steps for each object and reference of a hash table.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_findings_find(const struct hp_retained *t,
					    const struct hp_column *column,
					    struct hp_source *src,
					    struct hp_result *r,
					    struct hp_error *err);

/*
 * Look for findings that need the rows of --by=waste. @rows: the rows of one
 * dump, whose values have the index @dump. @info: what is known about this
 * dump. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_findings_waste(const struct hp_rows *rows,
					     size_t dump,
					     const struct hp_dump_info *info,
					     struct hp_result *r,
					     struct hp_error *err);

/*
 * Read the findings of a saved result. For the last input they go to
 * r->findings; for the first input they only mark which findings existed
 * before. A text that cannot be read is ignored. @root: a json_t of jansson.
 */
struct json_t;
void hp_findings_load(const struct json_t *root, struct hp_result *r,
		      size_t column);

#endif
