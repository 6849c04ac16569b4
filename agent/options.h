/*
 * options.h - the agent's options: name=value, separated by commas
 */
#ifndef HP_AGENT_OPTIONS_H
#define HP_AGENT_OPTIONS_H

#include "common/base/status.h"

enum hp_agent_heap {
	HP_AGENT_HEAP_OFF = 0,
	HP_AGENT_HEAP_SITES = 1, /* allocation sites */
	HP_AGENT_HEAP_DUMP = 2,	 /* the VM's dump, with traces of objects */
	HP_AGENT_HEAP_ALL = 3,
};

enum {
	HP_AGENT_DEPTH_MOST = 512,
	HP_AGENT_PATH = 4096,
};

struct hp_agent_options {
	unsigned heap; /* bits of enum hp_agent_heap */
	bool cpu, monitor;
	bool text;		  /* format=a */
	char file[HP_AGENT_PATH]; /* as given, %p not yet replaced */
	char host[256];		  /* net=; "": none */
	char port[16];
	unsigned depth;	      /* frames of a trace, at first */
	unsigned interval_ms; /* between CPU samples */
	uint64_t sample;      /* bytes between samples; 0: every object */
	double cutoff;	      /* least share of a site that is shown */
	bool lineno, thread, doe, force, verbose;
	bool msa; /* Solaris's microstates: taken, and of no effect */
	bool help;
};

/**
 * hp_agent_options_parse() - read the text behind the agent's name
 * @text: may be NULL or empty: the defaults
 *
 * Returns: HP_OK; HP_DAMAGED: an option that is none, or a value that is none
 *          of its; HP_UNSUPPORTED: an old agent's option that this one has not,
 *          or report, which only a running agent can make.
 */
HP_MUST_USE enum hp_status hp_agent_options_parse(struct hp_agent_options *o,
						  const char *text,
						  struct hp_error *err);

/* What help prints. */
extern const char hp_agent_help[];

#endif
