/*
 * mounts.h - which virtual thread runs on a platform thread (its carrier)
 */
#ifndef HP_AGENT_MOUNTS_H
#define HP_AGENT_MOUNTS_H

#include "agent/agent.h"

/*
 * Watch which virtual threads run on which carriers. Does nothing if the JVM
 * has no virtual threads.
 */
void hp_agent_mounts_watch(struct hp_agent *a);

/*
 * Returns a local reference to the virtual thread that runs on the platform
 * thread with the record @t; NULL: there is none. The virtual thread may end at
 * any time.
 */
jthread hp_agent_mounted(JNIEnv *jni, struct hp_agent_thread *t);

#endif
