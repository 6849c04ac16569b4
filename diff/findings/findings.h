/*
 * findings.h - look for unusual facts about a heap
 *
 * A finding is an unusual fact, such as many duplicate strings. findings.def
 * lists all of them. The result of a comparison contains the findings of the
 * last dump, and for each whether the first dump also has it.
 */
#ifndef HP_DIFF_FINDINGS_FINDINGS_H
#define HP_DIFF_FINDINGS_FINDINGS_H

#include "diff/keys/keys.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"

/**
 * hp_findings_find() - look for findings that need the object graph
 *
 * @t: the object graph, with its references and with the objects that wait for
 *   a finalizer
 * @column: the column of the dump; its info has the sizes of the parts of the
 *   heap
 * @src: the dump, which is read again from its beginning, for names of threads
 *   and sizes of buffers
 * @r: for the last dump, it must have the suspects already; receives
 *   r->findings
 *
 * Memory: two bits for each reachable object, and 12 bytes for each weak
 * reference
 *
 * Time: a few steps for each object, and for each reference in a hash table
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_findings_find(struct hp_retained *t,
					    const struct hp_column *column,
					    struct hp_source *src,
					    struct hp_result *r,
					    struct hp_error *err);

/*
 * Returns the meaning of a path that keeps a class loader alive, as a text from
 * the table loader_paths.def. @path: the text of the path.
 */
const char *hp_loader_path_meaning(const char *path);

/*
 * Look for findings that need the rows of --by=waste. @rows: the rows; the
 * values with the index @dump are used. @info: facts about this dump. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_findings_waste(const struct hp_rows *rows,
					     size_t dump,
					     const struct hp_dump_info *info,
					     struct hp_result *r,
					     struct hp_error *err);

/*
 * Read the findings of a saved result from its JSON @root. If the saved result
 * is the last input, its findings are stored in r->findings. If it is the first
 * input, r->findings only receives which of the findings the first input also
 * has. Invalid findings are ignored.
 */
struct json_t;
void hp_findings_load(const struct json_t *root, struct hp_result *r,
		      size_t column);

#endif
