/*
 * vm_dump.h - make the VM dump its heap, with the traces of sampled objects
 */
#ifndef HP_AGENT_VM_DUMP_H
#define HP_AGENT_VM_DUMP_H

#include "agent/agent.h"
#include "agent/report/write.h"

/*
 * Load the class hprofagent.AllocationTraces. Returns HP_OK or HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status
hp_agent_dump_prepare(struct hp_agent *a, JNIEnv *jni, struct hp_error *err);

/**
 * hp_agent_dump() - make the VM dump its heap into the folder of @path
 * @fd: receives the dump, whose name is already removed; the caller closes it
 *
 * The dump contains hprofagent.AllocationTraces, with the trace of each object.
 * Returns: HP_OK; HP_IO, HP_NOMEM, HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_dump(struct hp_agent *a, JNIEnv *jni,
					 const char *path, int *fd,
					 struct hp_error *err);

/*
 * Copy the header of the dump, and then the rest. hp_agent_dump_rest() frees
 * the disk space of what it has copied, so that the disk need not hold the dump
 * twice. Returns HP_OK, HP_IO or HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_agent_dump_head(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_dump_rest(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);

#endif
