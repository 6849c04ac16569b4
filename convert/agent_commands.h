/*
 * agent_commands.h - the commands of the hprof agent's socket, as bytes
 *
 * Shape:  u1 command | u4 sequence number | u4 body length | body; EOF is one
 *         byte. Big-endian, but for a thread's id, which the agent reads as
 *         its machine's own.
 * Source: hprof_listener.c of OpenJDK 8, which differs from the manual: setting
 *         the depth is 7, not 6, and 6 clears the allocation sites.
 */
#ifndef HP_CONVERT_AGENT_COMMANDS_H
#define HP_CONVERT_AGENT_COMMANDS_H

#include "common/base/buf.h"

/* What a list of commands does, besides what it is for. */
struct hp_agent_commands {
	struct hp_buf bytes;   /* to be sent, in order */
	const char *dangerous; /* one that can end the VM; NULL: none does */
	bool ends;	       /* it ends with eof or exit */
};

/**
 * hp_agent_commands_parse() - "dump-heap,alloc-sites:2:0.01,eof"
 *
 * Names: gc, dump-heap, alloc-sites[:FLAGS[:CUTOFF]], heap-summary, exit,
 * dump-traces, cpu-samples[:CUTOFF], traces-on, traces-off,
 * samples-on[:THREAD[:le|be]], samples-off[:THREAD[:le|be]], clear-samples,
 * clear-sites, depth:N, eof.
 * Returns: HP_OK; HP_DAMAGED (the text says why); HP_NOMEM.
 * Ownership: hp_buf_release() of out->bytes in any case.
 */
HP_MUST_USE enum hp_status
hp_agent_commands_parse(const char *list, struct hp_agent_commands *out,
			struct hp_error *err);

#endif
