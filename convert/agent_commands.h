/*
 * agent_commands.h - encode commands for the socket of the hprof agent
 *
 * Format: u1 command | u4 sequence number | u4 body length | body; EOF is a
 * single byte. Numbers are big-endian, except the id of a thread, which the
 * agent reads in the byte order of its machine. Source: hprof_listener.c of
 * OpenJDK 8. It differs from the manual: 7 sets the depth, not 6, and 6 clears
 * the allocation sites.
 */
#ifndef HP_CONVERT_AGENT_COMMANDS_H
#define HP_CONVERT_AGENT_COMMANDS_H

#include "common/base/buf.h"

/* A parsed list of commands. */
struct hp_agent_commands {
	struct hp_buf bytes; /* the bytes to send, in order */
	/* name of a command that can end the VM; NULL: there is none */
	const char *dangerous;
	bool ends; /* the list ends with eof or exit */
};

/**
 * hp_agent_commands_parse() - parse a list, as
 * "dump-heap,alloc-sites:2:0.01,eof"
 *
 * Names: gc, dump-heap, alloc-sites[:FLAGS[:CUTOFF]], heap-summary, exit,
 * dump-traces, cpu-samples[:CUTOFF], traces-on, traces-off,
 * samples-on[:THREAD[:le|be]], samples-off[:THREAD[:le|be]], clear-samples,
 * clear-sites, depth:N, eof.
 * Returns: HP_OK; HP_DAMAGED with a message; HP_NOMEM.
 * Ownership: call hp_buf_release() on out->bytes in any case.
 */
HP_MUST_USE enum hp_status
hp_agent_commands_parse(const char *list, struct hp_agent_commands *out,
			struct hp_error *err);

#endif
