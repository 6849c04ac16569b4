/*
 * output.h - the file of a report, which appears when it is complete
 *
 * hp_sink does the same and more. But it needs compression libraries, which
 * should not be loaded into a user's VM.
 */
#ifndef HP_AGENT_OUTPUT_H
#define HP_AGENT_OUTPUT_H

#include "common/base/buf.h"

struct hp_agent_output {
	int fd;
	char *path; /* the path of the finished file */
	/* the temporary name; NULL: the file was renamed or not created */
	char *temp;
	bool force; /* replace an existing file; else choose an unused name */
};

/* Random bits from the system, or from time and process id if that fails. */
uint64_t hp_agent_random(void);

/*
 * The path for a pattern, in which %p is the process id. The caller frees it.
 * Returns NULL if out of memory.
 */
char *hp_agent_path(const char *pattern);

/*
 * An unused random name in the folder of @path, ending in @suffix. The caller
 * frees it. Returns NULL if out of memory.
 */
char *hp_agent_path_beside(const char *path, const char *suffix);

/*
 * These functions return HP_OK, HP_NOMEM, or HP_IO, for example if the path is
 * no regular file. Call hp_agent_output_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_agent_output_open(struct hp_agent_output *o,
						const char *path, bool force,
						struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_output_put(void *output, const void *bytes,
					       size_t n, struct hp_error *err);
/* Give the finished file its final name, which o->path is afterwards. */
HP_MUST_USE enum hp_status hp_agent_output_commit(struct hp_agent_output *o,
						  struct hp_error *err);
void hp_agent_output_release(struct hp_agent_output *o);

#endif
