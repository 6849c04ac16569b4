/*
 * sandbox.h - restrict the process before it reads hostile input
 */
#ifndef HP_CLI_SANDBOX_H
#define HP_CLI_SANDBOX_H

#include "common/base/status.h"

/* ----------------------------------------------------------------------
 * Give up the rights that are not needed for reading dumps
 *
 * On Linux, Landlock restricts which files can be opened, and a seccomp filter
 * allows only the system calls that the programs need (seccomp.c has the list).
 * On other systems, and on kernels without these features, nothing happens.
 * Files that are already open stay usable.
 */

/*
 * The files that the program will still open after it has entered the sandbox.
 * Entries that are NULL or "-" are ignored.
 */
struct hp_sandbox_rules {
	char *const *inputs; /* paths of the files to read */
	size_t input_count;
	/* path of a file to create or replace, or of a device */
	const char *output;
	bool output_is_folder; /* the output is a new folder, not a file */
	/* the program reads the output after it was written */
	bool output_is_read;
	/*
	 * the program opens the folder of the output later, to sync it to the
	 * disk
	 */
	bool output_is_synced;
	/* folder in which the program may create temporary files; NULL: none */
	const char *folder;
};

/* limits which files can be opened (Landlock) */
#define HP_SANDBOX_FILES 1 /* limits which files can be opened (Landlock) */
#define HP_SANDBOX_CALLS 2 /* limits the system calls (seccomp) */
#define HP_SANDBOX_ALL (HP_SANDBOX_FILES | HP_SANDBOX_CALLS)

/**
 * hp_sandbox_enter() - restrict this process permanently
 *
 * main() calls this when the inputs and outputs are known, before it starts
 * other threads: Landlock does not restrict threads that already run. The
 * function never fails. A part of the sandbox that the system does not support
 * is left out.
 *
 * Returns: the HP_SANDBOX_ bits of the parts that are active.
 */
unsigned hp_sandbox_enter(const struct hp_sandbox_rules *rules);

/*
 * ----------------------------------------------------------------------
 * A filter of system calls; hp_sandbox_enter() uses it
 */

/*
 * Allow, for all threads, only the system calls that are needed for reading and
 * writing dumps. Other system calls fail with ENOSYS. Some calls are allowed
 * only with certain arguments, and fail with EPERM otherwise. A system call of
 * another architecture (such as 32-bit x86) ends the process. The process must
 * have set no_new_privs, and must not fork afterwards, because the filter
 * contains its process id. @folders: also allow creating folders. Returns false
 * if the system has no such filter, or the processor is not supported.
 */
bool hp_seccomp_enter(bool folders);

#endif
