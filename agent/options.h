/*
 * options.h - the options of the agent: name=value, separated by commas
 */
#ifndef HP_AGENT_OPTIONS_H
#define HP_AGENT_OPTIONS_H

#include "common/base/status.h"

enum hp_agent_heap {
	HP_AGENT_HEAP_OFF = 0,
	HP_AGENT_HEAP_SITES = 1, /* heap=sites: write the allocation sites */
	/* heap=dump: write the JVM's heap dump, with allocation traces */
	HP_AGENT_HEAP_DUMP = 2,
	HP_AGENT_HEAP_ALL = 3,
};

enum {
	HP_AGENT_DEPTH_MOST = 512,
	HP_AGENT_PATH = 4096,
};

struct hp_agent_options {
	/* which parts the option heap= requests: bits of enum hp_agent_heap */
	unsigned heap;
	bool cpu, monitor;
	/*
	 * times: cpu=times or cpu=old: count the calls of methods. old: write
	 * them in the layout of cpu=old.
	 */
	bool times, old;
	/*
	 * the patterns of the option only=, each with a NUL at its end; an
	 * empty pattern ends the list
	 */
	char only[HP_AGENT_PATH];
	bool text;   /* format=a: write the text format */
	bool binary; /* the options have format=b */
	/*
	 * the path in the option file=, in which %p is not yet replaced by the
	 * process id
	 */
	char file[HP_AGENT_PATH];
	/* the host in the option net=; empty: reports go to a file */
	char host[256];
	char port[16];
	/*
	 * maximum number of frames in a stack trace; the command HP_CTL_DEPTH
	 * changes it
	 */
	unsigned depth;
	unsigned interval_ms; /* milliseconds between two CPU samples */
	/*
	 * average number of bytes between two allocation samples; 0: sample
	 * every object
	 */
	uint64_t sample;
	/*
	 * allocation sites are left out if their share of the bytes is smaller
	 * than this (0 to 1); -1: the option was not given
	 */
	double cutoff;
	/*
	 * rows of cpu=times are left out if their share of the time is smaller
	 * than this (0 to 1); default: 0, no row is left out
	 */
	double calls_cutoff;
	bool sampled; /* the command line has the option sample */
	bool lineno, thread, doe, force, verbose;
	/*
	 * the option msa (microstate accounting on Solaris) is accepted and
	 * ignored
	 */
	bool msa;
	bool help;
};

/**
 * hp_agent_options_parse() - parse the options in the argument of -agentpath
 * @text: NULL or empty: use the defaults
 *
 * Returns: HP_OK; HP_DAMAGED if an option or a value is invalid; HP_UNSUPPORTED
 *          for an option of the JDK's old agent that this agent does not have,
 *          or for "report", which needs a running agent.
 */
HP_MUST_USE enum hp_status hp_agent_options_parse(struct hp_agent_options *o,
						  const char *text,
						  struct hp_error *err);

extern const char hp_agent_help[];

#endif
