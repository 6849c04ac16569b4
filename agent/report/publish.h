/* publish.h - make a report and write it to a file or socket */
#ifndef HP_AGENT_PUBLISH_H
#define HP_AGENT_PUBLISH_H

#include "agent/agent.h"
#include "agent/report/write.h"

/*
 * The parts that a report must have, as requested by the agent's options or by
 * commands on the socket.
 */
struct hp_agent_wish {
	bool sites, samples, times, waits, dump;
	bool collect; /* collect garbage before the report */
	uint16_t flags;
	double cutoff;
};

/* Returns all parts of a report that the agent's options request. */
struct hp_agent_wish hp_agent_wish_all(const struct hp_agent *a);

/**
 * hp_agent_publish() - make a report now and write it to the file or the socket
 * @jni: the JNI environment of the current thread; NULL: the JVM is dying and
 * must not be called
 *
 * The new file replaces the file of the previous report. It contains this
 * report and the earlier ones, but only the newest heap dump. Prints a message
 * on failure.
 */
void hp_agent_publish(struct hp_agent *a, JNIEnv *jni,
		      const struct hp_agent_wish *wish);

/**
 * hp_agent_publish_check() - check that a report can be written
 *
 * Creates a temporary file in the folder of the report, and removes it. The
 * function does not check the socket of the option net=.
 *
 * Returns: HP_OK; HP_IO if the folder is missing or not writable, or if the
 *          path exists and is no regular file; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_publish_check(const struct hp_agent *a,
						  struct hp_error *err);

/*
 * Collect garbage. Then wait until the JVM has reported the objects that were
 * freed, so that they are no longer counted as live.
 */
void hp_agent_collect_garbage(struct hp_agent *a);

#endif
