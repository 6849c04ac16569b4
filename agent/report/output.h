/*
 * output.h - the file of a report: whole, or not there
 *
 * hp_sink does the same and more, with compressors that nobody wants loaded
 * into a VM.
 */
#ifndef HP_AGENT_OUTPUT_H
#define HP_AGENT_OUTPUT_H

#include "common/base/buf.h"

struct hp_agent_output {
	int fd;
	char *path; /* where it will appear */
	char *temp; /* the name it is written under; NULL: it has none */
	bool force; /* replace what is there; else take a free name */
};

/* Random bits of the system; failing that, of time and process. */
uint64_t hp_agent_random(void);

/* The path that @pattern names: %p is the process. Allocated; NULL. */
char *hp_agent_path(const char *pattern);

/* A name beside @path that is not taken, ending in @suffix. Allocated; NULL. */
char *hp_agent_path_beside(const char *path, const char *suffix);

/*
 * Each: HP_OK; HP_IO, as where anything but a regular file is at the place;
 * HP_NOMEM. After a failure release.
 */
HP_MUST_USE enum hp_status hp_agent_output_open(struct hp_agent_output *o,
						const char *path, bool force,
						struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_output_put(void *output, const void *bytes,
					       size_t n, struct hp_error *err);
/* Makes it visible; o->path is then the name it got. */
HP_MUST_USE enum hp_status hp_agent_output_commit(struct hp_agent_output *o,
						  struct hp_error *err);
void hp_agent_output_release(struct hp_agent_output *o);

#endif
