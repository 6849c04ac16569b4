/*
 * seccomp.h - a filter of system calls; sandbox.h is what programs use
 */
#ifndef HP_CLI_SECCOMP_H
#define HP_CLI_SECCOMP_H

#include "common/base/status.h"

/*
 * Leaves, to all threads, the system calls that reading and writing dumps
 * needs. Others fail with ENOSYS, these with other arguments with EPERM; those
 * of another architecture end the process. The process must have given up new
 * privileges, and stays the process it is: its number is in the filter.
 * False if the system has no such filter or the processor is not known.
 */
bool hp_seccomp_enter(bool folders);

#endif
