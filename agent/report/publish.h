/*
 * publish.h - makes a report and puts it where it belongs
 */
#ifndef HP_AGENT_PUBLISH_H
#define HP_AGENT_PUBLISH_H

#include "agent/agent.h"
#include "agent/report/write.h"

/* What a report has; all that was asked for, or some by socket command. */
struct hp_agent_wish {
	bool sites, samples, waits, dump;
	bool collect; /* collect garbage before */
	uint16_t flags;
	double cutoff;
};

/* All that the options ask for. */
struct hp_agent_wish hp_agent_wish_all(const struct hp_agent *a);

/**
 * hp_agent_publish() - a report now, into the file or the socket
 * @jni: of the current thread; NULL: the VM is dying, and is asked nothing
 *
 * A file holds this report and the earlier ones, but of heap dumps this one's,
 * and replaces the one before.
 * What goes wrong is said on standard error.
 */
void hp_agent_publish(struct hp_agent *a, JNIEnv *jni,
		      const struct hp_agent_wish *wish);

/**
 * hp_agent_publish_check() - could a report be written, as things are now?
 *
 * Makes a temporary file where the options want the report, and removes it.
 * Nothing is asked of a socket.
 *
 * Returns: HP_OK; HP_IO: the folder is missing or may not be written, or what
 *          is there is no regular file; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_publish_check(const struct hp_agent *a,
						  struct hp_error *err);

/* Collects garbage, and waits until what it freed is counted. */
void hp_agent_collect_garbage(struct hp_agent *a);

#endif
