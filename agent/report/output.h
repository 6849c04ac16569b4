/*
 * output.h - write a report to a file; the file gets its name only when it is
 * complete
 *
 * common/sink does the same and more. But it needs compression libraries, which
 * should not be loaded into a user's JVM.
 */
#ifndef HP_AGENT_OUTPUT_H
#define HP_AGENT_OUTPUT_H

#include "common/base/buf.h"

struct hp_agent_output {
	int fd;
	char *path; /* the path that the file gets when it is complete */
	/*
	 * the temporary path of the file; NULL: the file was not created, or
	 * already has its final path
	 */
	char *temp;
	/*
	 * true: replace an existing file; false: choose a name that no file has
	 */
	bool force;
};

/*
 * Returns random bits from the system or, if it provides none, bits that are
 * made from the time and the process id.
 */
uint64_t hp_agent_random(void);

/*
 * Returns @pattern with %p replaced by the process id; NULL if out of memory.
 * The caller frees the path.
 */
char *hp_agent_path(const char *pattern);

/*
 * Returns an unused path in the folder of @path: a random name that ends with
 * @suffix. NULL if out of memory. The caller frees the path.
 */
char *hp_agent_path_beside(const char *path, const char *suffix);

/*
 * Create the temporary file of a report whose final path is @path. This
 * function and the following ones return HP_OK, HP_NOMEM, or HP_IO, for example
 * if @path is not a regular file. Call hp_agent_output_release() also after a
 * failure.
 */
HP_MUST_USE enum hp_status hp_agent_output_open(struct hp_agent_output *o,
						const char *path, bool force,
						struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_output_put(void *output, const void *bytes,
					       size_t n, struct hp_error *err);
/*
 * Give the complete file its final name. o->path changes if the name was
 * already in use.
 */
HP_MUST_USE enum hp_status hp_agent_output_commit(struct hp_agent_output *o,
						  struct hp_error *err);
void hp_agent_output_release(struct hp_agent_output *o);

#endif
