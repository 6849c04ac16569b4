/*
 * sandbox.h - give up the rights that reading dumps does not need
 *
 * On Linux: Landlock limits which files can be opened, a seccomp filter leaves
 * the system calls that the programs need (seccomp.c has the list). Elsewhere,
 * and on kernels without them, nothing happens. What is open already stays
 * usable.
 */
#ifndef HP_CLI_SANDBOX_H
#define HP_CLI_SANDBOX_H

#include "common/base/status.h"

/* What is still to be opened. Entries that are NULL or "-" are passed over. */
struct hp_sandbox_rules {
	char *const *inputs; /* paths to read */
	size_t input_count;
	const char *output;    /* a file to make or replace, or a device */
	bool output_is_folder; /* ... or a folder to be made */
	bool output_is_read;   /* it is read back after it was written */
	bool output_is_synced; /* its folder is opened to be synced */
	const char *folder;    /* where temporary files go; NULL: nowhere */
};

/* What is in force, as bits. */
#define HP_SANDBOX_FILES 1 /* Landlock */
#define HP_SANDBOX_CALLS 2 /* seccomp */
#define HP_SANDBOX_ALL (HP_SANDBOX_FILES | HP_SANDBOX_CALLS)

/**
 * hp_sandbox_enter() - confine this process, for good
 *
 * Called by main() once inputs and outputs are known and before any other
 * thread is made: threads that run already are not confined by Landlock.
 * Never fails: what the system does not have is left out.
 * Returns: the HP_SANDBOX_ bits that are in force, for a message under -v.
 */
unsigned hp_sandbox_enter(const struct hp_sandbox_rules *rules);

#endif
