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
 * Two special values of hp_convert_options.elements (--elements): write all
 * elements of primitive arrays, or leave out the key "elements" in the output.
 */
#define HP_NDJSON_ELEMENTS UINT64_MAX
#define HP_NDJSON_NO_ELEMENTS (UINT64_MAX - 1)

#define FORMAT(symbol, ...) HP_TO_##symbol,
enum hp_convert_to {
#include "convert/formats.def"
	HP_TO_FORMATS /* number of output formats */
};

/* Properties of an output format. Each format has a set of these bits. */
enum {
	HP_OUTPUT_DUMP = 1, /* the records of a dump, in binary form */
	/* the dump is in a pack, the compressed archive of this project */
	HP_OUTPUT_PACKED = 2,
	HP_OUTPUT_LINES = 4, /* lines of text */
	HP_OUTPUT_JSON = 8,  /* the lines are JSON objects */
	/* the lines are in the text format of the HPROF agent of the JDK */
	HP_OUTPUT_AGENT_TEXT = 16,
	/* the output is several files, in a folder or an archive */
	HP_OUTPUT_FOLDER = 32,
	/*
	 * The writer of this format selects the dump of --dump=N itself, so
	 * that the number and the offsets of the dump do not change in the
	 * output.
	 */
	HP_OUTPUT_CHOOSES = 64,
	/* only the stacks of the threads */
	HP_OUTPUT_STACKS = 128,
};

struct hp_convert_options {
	struct hp_options common;
	const char *input;
	const char *output; /* path of the output; NULL: standard output */
	enum hp_convert_to to;
	/*
	 * index of the argument of --to in the list of format names; -1: --to
	 * was not given
	 */
	int to_given;
	/*
	 * --pack: write the output as a pack, the compressed archive of this
	 * project
	 */
	bool pack;
	bool compress_given;
	enum hp_compression compression;
	int level; /* --level: compression level; 0: the default level */
	bool raw, verify;
	bool keep_first_given;
	struct hp_policy policy;
	/*
	 * --shareable: the summary explains in plain words which data the
	 * output still contains
	 */
	bool shareable;
	bool standard;
	bool join_traces;
	/*
	 * the files of --mapping, with the original names of obfuscated classes
	 */
	struct hp_mappings mappings;
	bool salvage;
	bool null_dangling;
	/* --heaps: names of the Android heaps to keep; NULL: all heaps */
	const char *heaps;
	/*
	 * --prune-classes: with --heaps, also remove classes that become unused
	 */
	bool prune;
	/* --strings, for text and NDJSON: write the text of each String */
	bool strings;
	bool edges; /* --edges, for NDJSON: write a line for each reference */
	/* --graph, for NDJSON: add dominators and retained sizes */
	bool graph;
	bool elements_given;
	/*
	 * --elements, for NDJSON and tables: maximum number of elements to
	 * write of each primitive array; or HP_NDJSON_ELEMENTS,
	 * HP_NDJSON_NO_ELEMENTS
	 */
	uint64_t elements;
	/*
	 * --listen and related options; agent.address is NULL without --listen
	 */
	struct hp_agent_listen agent;
	struct hp_agent_commands send;
	bool send_given;
	/* format version of the output: 1 (1.0.1) or 2 (1.0.2); 0: no change */
	unsigned profile;
	/*
	 * the part of --memory that is needed for writing a pack, in bytes; see
	 * main.c
	 */
	uint64_t packing;
};

/* Whether the options change records of the dump, or the lengths of records. */
static inline bool
hp_convert_rewrites(const struct hp_convert_options *o)
{
	return o->common.dump || o->salvage || o->heaps || o->join_traces ||
	       o->standard || o->profile || o->mappings.count > 0;
}

/*
 * Returns the memory limit in bytes for the lookup tables of one stage of the
 * conversion: half of the memory that --memory leaves after the memory for
 * writing a pack. The other half remains for the results of earlier stages.
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
 * Returns a message if the suffix of the output file does not fit the output
 * format, or NULL.
 */
const char *hp_convert_name_mismatch(const struct hp_convert_options *o);

/*
 * Whether the output format has at least one of the HP_OUTPUT_ bits in @what.
 */
bool hp_convert_holds(const struct hp_convert_options *o, unsigned what);

#endif
