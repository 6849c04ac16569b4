/*
 * options.h - the command line of hprof-convert
 */
#ifndef HP_CONVERT_OPTIONS_H
#define HP_CONVERT_OPTIONS_H

#include "common/options/options.h"
#include "common/sink/sink.h"
#include "convert/agent_listen.h"
#include "convert/strip/policy.h"

/* Of arrays of primitives: every element; no key "elements" at all. */
#define HP_NDJSON_ELEMENTS UINT64_MAX
#define HP_NDJSON_NO_ELEMENTS (UINT64_MAX - 1)

enum hp_convert_to {
	HP_TO_HPROF,
	HP_TO_NDJSON,
	HP_TO_TEXT,
	HP_TO_TABLES,
};

struct hp_convert_options {
	struct hp_options common;
	const char *input;
	const char *output; /* NULL: standard output */
	enum hp_convert_to to;
	int to_given; /* --to, as an index of its choices; -1: none */
	bool pack;    /* what is written becomes a pack */
	bool compress_given;
	enum hp_compression compression;
	int level; /* 0: the compression's default */
	bool raw, verify;
	bool keep_first_given;
	struct hp_policy policy;
	bool standard;
	bool join_traces;
	bool salvage;
	bool null_dangling;
	const char *heaps; /* names of those that stay; NULL: all */
	bool prune;	   /* then without classes that nothing uses */
	bool strings;	   /* --to=text, ndjson: with the values of Strings */
	bool edges;	   /* --to=ndjson: references, too */
	bool graph;	   /* --to=ndjson: and what retains what */
	bool elements_given;
	uint64_t elements; /* --to=ndjson, tables: of each primitive array, at
			      most; or HP_NDJSON_... */
	struct hp_agent_listen agent; /* address NULL: INPUT is read */
	struct hp_agent_commands send;
	bool send_given;
	unsigned profile; /* 1 or 2: of 1.0.1 and 1.0.2; 0: as it is */
	uint64_t packing; /* bytes of --memory that packing takes; see main.c */
};

/* Does the dump become one with other records, other lengths? */
static inline bool
hp_convert_rewrites(const struct hp_convert_options *o)
{
	return o->common.dump || o->salvage || o->heaps || o->join_traces ||
	       o->standard || o->profile;
}

/*
 * Bytes that a stage may take for what it looks up, and one before it for what
 * it finds; a pack that is written leaves less.
 */
static inline uint64_t
hp_convert_memory(const struct hp_convert_options *o)
{
	return (o->common.memory - o->packing) / 2;
}

extern const struct hp_program hp_convert_program;

/**
 * hp_convert_options_parse() - read and check the command line
 *
 * Returns: HP_GO_ON, or the exit code.
 */
int hp_convert_options_parse(struct hp_convert_options *o, int argc,
			     char **argv);

/* What is wrong about the output's name, to be told; NULL: nothing is. */
const char *hp_convert_name_mismatch(const struct hp_convert_options *o);

#endif
