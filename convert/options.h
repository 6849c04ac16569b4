/*
 * options.h - the command line of hprof-convert
 */
#ifndef HP_CONVERT_OPTIONS_H
#define HP_CONVERT_OPTIONS_H

#include "common/mapping/mapping.h"
#include "common/options/options.h"
#include "common/sink/sink.h"
#include "convert/agent/agent.h"
#include "convert/strip/policy.h"

/*
 * Values of hp_convert_options.elements: write all elements of primitive
 * arrays, or leave out the key "elements".
 */
#define HP_NDJSON_ELEMENTS UINT64_MAX
#define HP_NDJSON_NO_ELEMENTS (UINT64_MAX - 1)

#define FORMAT(symbol, ...) HP_TO_##symbol,
enum hp_convert_to {
#include "convert/formats.def"
	HP_TO_FORMATS /* number of formats */
};

/* What an output format contains; each format has a set of these bits. */
enum {
	HP_OUTPUT_DUMP = 1,	   /* the records of a dump, in binary form */
	HP_OUTPUT_PACKED = 2,	   /* the dump is inside a pack */
	HP_OUTPUT_LINES = 4,	   /* lines of text */
	HP_OUTPUT_JSON = 8,	   /* the lines are JSON objects */
	HP_OUTPUT_AGENT_TEXT = 16, /* the lines are those of the HPROF agent */
	/* the output is several files, in a folder or an archive */
	HP_OUTPUT_FOLDER = 32,
	/*
	 * The writer chooses one of several dumps itself, so that the dump
	 * keeps its number and its offsets.
	 */
	HP_OUTPUT_CHOOSES = 64,
	HP_OUTPUT_STACKS = 128, /* the stacks of threads, and nothing else */
};

struct hp_convert_options {
	struct hp_options common;
	const char *input;
	const char *output; /* path of the output; NULL: standard output */
	enum hp_convert_to to;
	/* index of the argument of --to among its choices; -1: not given */
	int to_given;
	bool pack; /* write the output as a pack */
	bool compress_given;
	enum hp_compression compression;
	int level; /* level of the compression; 0: the default level */
	bool raw, verify;
	bool keep_first_given;
	struct hp_policy policy;
	/* --shareable: say in plain words what the output still has */
	bool shareable;
	bool standard;
	bool join_traces;
	struct hp_mappings mappings; /* of --mapping */
	bool salvage;
	bool null_dangling;
	const char *heaps; /* names of the heaps to keep; NULL: all heaps */
	/* --prune-classes: with @heaps, also remove unused classes */
	bool prune;
	bool strings; /* --to=text, ndjson: add the values of Strings */
	bool edges;   /* --to=ndjson: add a line for each reference */
	bool graph;   /* --to=ndjson: add dominators and retained sizes */
	bool elements_given;
	/*
	 * --to=ndjson, tables: maximum number of elements of each primitive
	 * array; or HP_NDJSON_ELEMENTS, HP_NDJSON_NO_ELEMENTS
	 */
	uint64_t elements;
	/* --listen and related options; address is NULL: read INPUT */
	struct hp_agent_listen agent;
	struct hp_agent_commands send;
	bool send_given;
	/* version to write: 1 (1.0.1) or 2 (1.0.2); 0: no change */
	unsigned profile;
	/* part of --memory in bytes that packing needs; see main.c */
	uint64_t packing;
};

/* Whether the options change records of the dump or their lengths. */
static inline bool
hp_convert_rewrites(const struct hp_convert_options *o)
{
	return o->common.dump || o->salvage || o->heaps || o->join_traces ||
	       o->standard || o->profile || o->mappings.count > 0;
}

/*
 * Returns the memory limit in bytes for the lookup tables of one stage. The
 * same amount is left for the results of earlier stages. Packing reduces the
 * limit.
 */
static inline uint64_t
hp_convert_memory(const struct hp_convert_options *o)
{
	return (o->common.memory - o->packing) / 2;
}

extern const struct hp_program hp_convert_program;

/**
 * hp_convert_options_parse() - parse and check the command line
 *
 * Returns: HP_GO_ON, or the exit status.
 */
int hp_convert_options_parse(struct hp_convert_options *o, int argc,
			     char **argv);

/*
 * Returns a message if the name of the output does not fit its format, or NULL.
 */
const char *hp_convert_name_mismatch(const struct hp_convert_options *o);

/* Whether the output format holds one of @what, a set of HP_OUTPUT_ bits. */
bool hp_convert_holds(const struct hp_convert_options *o, unsigned what);

#endif
