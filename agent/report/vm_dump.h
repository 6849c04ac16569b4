/*
 * vm_dump.h - let the JVM write a heap dump that contains the allocation traces
 * of sampled objects
 */
#ifndef HP_AGENT_VM_DUMP_H
#define HP_AGENT_VM_DUMP_H

#include "agent/agent.h"
#include "agent/report/write.h"

/*
 * Load the Java class hprofagent.AllocationTraces. Returns HP_OK or
 * HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status
hp_agent_dump_prepare(struct hp_agent *a, JNIEnv *jni, struct hp_error *err);

/**
 * hp_agent_dump() - let the JVM write a heap dump into the folder of @path
 * @fd: receives a descriptor of the dump. The file was already removed from its
 *      folder, so it has no name; the caller closes the descriptor
 *
 * The dump contains the class hprofagent.AllocationTraces, whose arrays hold
 * the allocation trace of each sampled object.
 * Returns: HP_OK; HP_IO, HP_NOMEM, HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_dump(struct hp_agent *a, JNIEnv *jni,
					 const char *path, int *fd,
					 struct hp_error *err);

/*
 * hp_agent_dump_head() copies the header of the heap dump, hp_agent_dump_rest()
 * the rest. hp_agent_dump_rest() frees the disk space of the copied bytes, so
 * that the disk need not have space for two copies. Both return HP_OK, HP_IO or
 * HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_agent_dump_head(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_dump_rest(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);

#endif
