/*
 * publish.h - make a report and write it to the file or socket
 */
#ifndef HP_AGENT_PUBLISH_H
#define HP_AGENT_PUBLISH_H

#include "agent/agent.h"
#include "agent/report/write.h"

/*
 * The parts of a report. The options request parts, and so do socket commands.
 */
struct hp_agent_wish {
	bool sites, samples, waits, dump;
	bool collect; /* collect garbage before the report */
	uint16_t flags;
	double cutoff;
};

/* Returns all parts of a report that the user's options ask for. */
struct hp_agent_wish hp_agent_wish_all(const struct hp_agent *a);

/**
 * hp_agent_publish() - make a report now and write it to the file or the socket
 * @jni: of the current thread; NULL: the VM is dying and must not be called
 *
 * The file is replaced. It contains this report and the earlier ones, but only
 * the newest heap dump. Prints a message on failure.
 */
void hp_agent_publish(struct hp_agent *a, JNIEnv *jni,
		      const struct hp_agent_wish *wish);

/**
 * hp_agent_publish_check() - check that a report can be written
 *
 * Creates a temporary file in the folder of the report, and removes it. It does
 * not check a socket.
 *
 * Returns: HP_OK; HP_IO if the folder is missing or not writable, or if the
 *          path exists and is no regular file; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_publish_check(const struct hp_agent *a,
						  struct hp_error *err);

/*
 * Collect garbage, and wait until the frees of the collected objects are
 * counted.
 */
void hp_agent_collect_garbage(struct hp_agent *a);

#endif
