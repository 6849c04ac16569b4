/*
 * shim.h - inject a fault into one system or library call of a run
 *
 * The linker option --wrap redirects the calls of a program's objects to
 * shim.c. While a fault is armed, shim.c counts the calls of each kind, and the
 * call with a given number fails. If the fault is lasting, all later calls of
 * the same kind fail also.
 */
#ifndef HP_FAULT_SHIM_H
#define HP_FAULT_SHIM_H

#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
	FAULT_MEMORY, /* malloc() and similar functions, and fopencookie() */
	FAULT_MAP,    /* calls of mmap() */
	FAULT_THREAD, /* calls of pthread_create() */
	FAULT_OPEN,   /* all calls that open a file descriptor */
	FAULT_READ,
	FAULT_WRITE,
	/*
	 * calls that affect the name of a file, its size or position, such as
	 * link, rename, fsync, fstat and lseek; and calls that read random
	 * bytes
	 */
	FAULT_PLACE,
	FAULT_KINDS
};

/* What the failing call returns: an errno value, or one of these numbers. */
enum {
	FAULT_SHORT = -1, /* a read or write transfers only one byte */
	FAULT_END = -2,	  /* a read returns the end of the file */
};

struct fault {
	enum fault_kind kind;
	uint64_t number; /* number of the call that fails, from 1; 0: no call
			    fails */
	int what;
	bool lasting; /* all later calls of the same kind also fail */
	/* imitate a file system that has no unnamed temporary files */
	bool named;
	bool armed; /* calls are counted only while this is true */
	bool trace; /* print the source line of the call that fails */
	/*
	 * FAULT_KINDS counters: for each kind, the number of calls so far;
	 * shared with the parent process
	 */
	uint64_t *seen;
};

/* The fault that is injected into this process. */
extern struct fault fault;

#endif
