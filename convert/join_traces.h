/*
 * join_traces.h - write allocation traces into objects of a libhprof-agent dump
 */
#ifndef HP_CONVERT_JOIN_TRACES_H
#define HP_CONVERT_JOIN_TRACES_H

#include "common/sink/sink.h"

struct hp_join_result {
	uint64_t noted; /* number of objects in the tables of the agent */
	/* number of objects and classes that got their trace */
	uint64_t joined;
};

/**
 * hp_join_traces() - rewrite @src to @sink with trace serials, and finish the
 * sink
 * @src: at its first byte; must be rewindable, and is read several times
 * @memory: limit for the tables, in bytes
 *
 * libhprof-agent puts a class hprofagent.AllocationTraces into the heap. The
 * elements of its static arrays "objects" and "traces" with the same index are
 * an object and its trace. The first array becomes an array of nulls. Otherwise
 * it would keep the objects reachable.
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error, there is no such class, or its
 *          arrays differ in length; HP_LIMIT; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_join_traces(struct hp_source *src,
					  struct hp_sink *sink,
					  unsigned threads, uint64_t memory,
					  struct hp_join_result *result,
					  struct hp_error *err);

#endif
