/*
 * seccomp.h - a filter of system calls; programs use it through sandbox.h
 */
#ifndef HP_CLI_SECCOMP_H
#define HP_CLI_SECCOMP_H

#include "common/base/status.h"

/*
 * Allow, for all threads, only the system calls that are needed for reading and
 * writing dumps. Other calls fail with ENOSYS, and allowed calls with other
 * arguments with EPERM. Calls of another architecture end the process. The
 * process must have set no_new_privs, and must not fork afterwards, because the
 * filter contains its process id. @folders: also allow creating folders.
 * Returns false if the system has no such filter, or the processor is not
 * supported.
 */
bool hp_seccomp_enter(bool folders);

#endif
