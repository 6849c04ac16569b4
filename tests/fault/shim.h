/*
 * shim.h - faults injected into one call of a run
 *
 * The calls of a program's objects are linked to shim.c (--wrap). Armed, it
 * counts them by kind and lets the one of a number fail, or it and all later
 * ones.
 */
#ifndef HP_FAULT_SHIM_H
#define HP_FAULT_SHIM_H

#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
	FAULT_MEMORY, /* malloc and its like, fopencookie */
	FAULT_MAP,    /* mmap */
	FAULT_THREAD, /* pthread_create */
	FAULT_OPEN,   /* whatever makes a descriptor */
	FAULT_READ,
	FAULT_WRITE,
	FAULT_PLACE, /* link, rename, fsync, fstat, lseek, random bytes */
	FAULT_KINDS
};

/* What the call does instead; an errno, or one of these. */
enum {
	FAULT_SHORT = -1, /* a read or write of one byte */
	FAULT_END = -2,	  /* a read finds the end of the file */
};

struct fault {
	enum fault_kind kind;
	uint64_t number; /* from 1; 0: none fails */
	int what;
	bool lasting;	/* all later calls of the kind, too */
	bool named;	/* the system has no files without a name */
	bool armed;	/* whether calls are counted */
	bool trace;	/* tell who called */
	uint64_t *seen; /* FAULT_KINDS counters, shared with the parent */
};

/* The one fault of this process. */
extern struct fault fault;

#endif
