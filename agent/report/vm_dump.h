/*
 * vm_dump.h - the VM's own heap dump, with the traces of its objects
 */
#ifndef HP_AGENT_VM_DUMP_H
#define HP_AGENT_VM_DUMP_H

#include "agent/agent.h"
#include "agent/report/write.h"

/* hprofagent.AllocationTraces is made known. HP_OK; HP_UNSUPPORTED. */
HP_MUST_USE enum hp_status
hp_agent_dump_prepare(struct hp_agent *a, JNIEnv *jni, struct hp_error *err);

/**
 * hp_agent_dump() - have the VM dump its heap beside @path
 * @fd: the dump, which has no name any more; the caller closes it
 *
 * It holds hprofagent.AllocationTraces: which trace each object has.
 * Returns: HP_OK; HP_IO, HP_NOMEM, HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_dump(struct hp_agent *a, JNIEnv *jni,
					 const char *path, int *fd,
					 struct hp_error *err);

/*
 * The dump's header, and what follows it, which is gone behind that: the disk
 * need not hold it twice. HP_OK; HP_IO; HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_agent_dump_head(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_dump_rest(int fd, hp_agent_put *put,
					      void *ctx, struct hp_error *err);

#endif
