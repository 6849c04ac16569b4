/*
 * join_traces.h - objects get the traces that the agent noted in the heap
 */
#ifndef HP_CONVERT_JOIN_TRACES_H
#define HP_CONVERT_JOIN_TRACES_H

#include "common/sink/sink.h"

struct hp_join_result {
	uint64_t noted;	 /* objects that the tables name */
	uint64_t joined; /* objects and classes that got their trace */
};

/**
 * hp_join_traces() - write @src to @sink with trace serials in its objects;
 * the sink is finished
 * @src:    read several times, from its first byte; must be rewindable
 * @memory: that the tables may take
 *
 * libhprof-agent leaves a class hprofagent.AllocationTraces in the heap, whose
 * static arrays "objects" and "traces" say by index which trace an object has.
 * The first becomes an array of nulls, or it would hold what they name.
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error; there is no such class, or its
 *          arrays do not fit each other); HP_LIMIT, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_join_traces(struct hp_source *src,
					  struct hp_sink *sink,
					  unsigned threads, uint64_t memory,
					  struct hp_join_result *result,
					  struct hp_error *err);

#endif
