/*
 * sandbox.h - give up the rights that are not needed for reading dumps
 *
 * On Linux, Landlock restricts which files can be opened, and a seccomp filter
 * allows only the system calls that the programs need (seccomp.c has the list).
 * On other systems, and on kernels without these features, nothing happens.
 * Files that are already open stay usable.
 */
#ifndef HP_CLI_SANDBOX_H
#define HP_CLI_SANDBOX_H

#include "common/base/status.h"

/*
 * The files that will still be opened. Entries that are NULL or "-" are
 * ignored.
 */
struct hp_sandbox_rules {
	char *const *inputs; /* paths to read */
	size_t input_count;
	const char *output;    /* a file to create or replace, or a device */
	bool output_is_folder; /* the output is a folder to be created */
	/* the output is read back after it was written */
	bool output_is_read;
	bool output_is_synced; /* the output's folder is opened to be synced */
	const char *folder;    /* folder for temporary files; NULL: none */
};

/* The layers of the sandbox, as bits. */
#define HP_SANDBOX_FILES 1 /* Landlock */
#define HP_SANDBOX_CALLS 2 /* seccomp */
#define HP_SANDBOX_ALL (HP_SANDBOX_FILES | HP_SANDBOX_CALLS)

/**
 * hp_sandbox_enter() - restrict this process permanently
 *
 * main() calls this when the inputs and outputs are known, before it starts
 * other threads: Landlock does not restrict threads that already run. The
 * function never fails. Layers that the system does not have are left out.
 *
 * Returns: the HP_SANDBOX_ bits that are in force.
 */
unsigned hp_sandbox_enter(const struct hp_sandbox_rules *rules);

#endif
