/*
 * validate.h - check one file: the options and the result
 *
 * A result consists of numbers and texts, and needs nothing of the file any
 * more. Reports are written only from results.
 */
#ifndef HP_VALIDATE_VALIDATE_H
#define HP_VALIDATE_VALIDATE_H

#include "common/base/buf.h"
#include "common/cli/message.h"
#include "common/io/source.h"
#include "common/mapping/mapping.h"
#include "common/model/rules.h"
#include "validate/finding.h"

enum hp_level {
	HP_LEVEL_FRAMING, /* check only lengths and tags of records */
	HP_LEVEL_REFERENCES,
	HP_LEVEL_GRAPH,
};

#define HP_SEVERITY_AS_IS (-1)

enum {
	/* memory that every run needs, in bytes */
	HP_VALIDATE_FIXED = 24 << 20,
	/* additional memory for each thread, in bytes */
	HP_VALIDATE_FIXED_THREAD = 16 << 20,
};

/*
 * Limits for examples. For each rule and severity at most HP_EXAMPLES_MOST are
 * kept. The texts of a file have at most HP_EXAMPLES_BYTES, and at most twice
 * the size of the file. HP_EXAMPLES_SURE of each rule and severity are always
 * kept.
 */
enum {
	HP_EXAMPLES_MOST = 1 << 16,
	HP_EXAMPLES_SURE = 5,
	HP_EXAMPLES_BYTES = 64 << 20,
	HP_EXAMPLES_BYTES_LEAST = 1 << 20,
	/* bytes counted for each example, besides its text */
	HP_EXAMPLE_OVERHEAD = 512,
};

struct hp_validate_options {
	unsigned threads;
	uint64_t memory, max_size; /* both in bytes; max_size 0: no limit */
	/*
	 * The part of @memory for the sets of ids; 0: all that is left. Tests
	 * make it small, so that small dumps need many passes.
	 */
	uint64_t id_memory;
	unsigned dump; /* number of the dump to check, from 1; 0: all dumps */
	enum hp_level level;
	/*
	 * maximum number of examples for each rule and severity, at most
	 * HP_EXAMPLES_MOST
	 */
	size_t max_examples;
	/* also compute the map of the file, and the places of findings */
	bool places;
	bool disabled[HP_RULE_COUNT];
	/*
	 * for each rule: an enum hp_severity, or HP_SEVERITY_AS_IS for the
	 * severity of the rule
	 */
	int8_t severity[HP_RULE_COUNT];
	enum hp_mapping mapping;
	/* where to show the progress; may be NULL */
	struct hp_progress *progress;
	/* also compute the id of the dump, which reads the whole file */
	bool identify;
	struct hp_mappings mappings; /* of --mapping */
	bool secrets;		     /* --secrets: search for credentials */
};

enum hp_verdict { HP_VALID, HP_INVALID, HP_UNREADABLE };

struct hp_example {
	uint64_t offset, record;
	uint64_t line; /* in a text dump, from 1; 0: binary or unknown */
	uint32_t dump; /* number of the dump, from 1; 0: outside of dumps */
	/* name of the field that the finding is about; NULL: none */
	char *field;
	char *message;
};

/* The findings of one rule with one severity. */
struct hp_reported {
	enum hp_rule rule;
	enum hp_severity severity;
	uint64_t count;
	/* Number of findings by offset; NULL if not requested or not known. */
	struct hp_offset_bins *places;
	struct hp_example *examples; /* examples, sorted by offset */
	size_t nexamples;
};

struct hp_file_map;

struct hp_validation {
	const char *path; /* path of the file as the user gave it; borrowed */
	/* the reason if the verdict is unreadable, or if lacks_dump is set */
	struct hp_error error;
	enum hp_verdict verdict;
	/* the outermost compression or archive format */
	const char *compression;
	/* the archives (zip, tar) that contain the dump */
	struct hp_archive archives[HP_SOURCE_ARCHIVES];
	size_t narchives;
	uint64_t bytes; /* length of the uncompressed dump */
	bool text;	/* the file is the text of the HPROF agent */
	char header[33];
	uint32_t id_size;
	uint64_t timestamp_ms;
	unsigned dumps;	    /* number of dumps in the file */
	unsigned only_dump; /* the dump that the user has chosen; 0: all */
	/*
	 * The file does not contain the requested dump, so no heap was checked.
	 * Without errors the verdict is unreadable. The members below are still
	 * valid.
	 */
	bool lacks_dump;
	enum hp_dialect dialect;
	uint64_t records[256], subs[256];
	/* references were checked; false with --level=framing */
	bool has_references;
	uint64_t checked, null, dangling;
	bool more_may_dangle; /* not all references were checked, see limits */
	uint64_t totals[HP_SEVERITY_COUNT];
	/* rules with findings, in the order of the list of rules */
	struct hp_reported *rules;
	size_t nrules;
	/*
	 * rules that were not checked, because the data that they need is
	 * missing
	 */
	bool unchecked[HP_RULE_COUNT];
	/*
	 * The rule string-unused was not checked, because other dumps that
	 * share the strings were not read.
	 */
	bool of_one_dump;
	bool any_unchecked;
	/*
	 * The level that a rule needs, if it is higher than the requested one;
	 * else 0.
	 */
	enum hp_level deeper[HP_RULE_COUNT];
	/*
	 * graphs: number of dumps for which --level=graph was requested.
	 * left_out: number of those to which a rule was not applied; the reason
	 * is in limits.
	 */
	unsigned graphs, left_out[HP_RULE_COUNT];
	/*
	 * texts that say what was not done, because of the memory limit or the
	 * input
	 */
	char **limits;
	size_t nlimits;
	/* how well the files of --mapping fit */
	struct hp_rename_counts renamed;
	/* Peak size of the temporary files for the object graph, in bytes. */
	uint64_t graph_in_files;
	/* number of findings that the baseline has removed */
	uint64_t known;
	/* NULL: not requested, or no readable header */
	struct hp_file_map *map;
	/* identifies the dump; set if options.identify is set */
	struct hp_dump_id id;
};

/* Returns the reason why a rule was not checked, as text. */
const char *hp_validation_unchecked_reason(const struct hp_validation *v,
					   enum hp_rule rule);

/* Whether the file could not be read, or does not have the requested dump. */
static inline bool
hp_validation_failed(const struct hp_validation *v)
{
	return v->verdict == HP_UNREADABLE || v->lacks_dump;
}

/* Whether --level=graph was requested but could not be applied completely. */
static inline bool
hp_validation_left_out(const struct hp_validation *v)
{
	return v->left_out[HP_RULE_UNREACHABLE] > 0;
}

/*
 * The limit for memory.h that keeps a run with @threads threads within @memory
 * bytes. Sets *@apart to the bytes of @memory that are not counted. The parts
 * of the dump that the threads process are always allowed.
 */
uint64_t hp_validate_memory(uint64_t memory, unsigned threads, uint64_t *apart);

/**
 * hp_validate_file() - check a file
 * @out: always filled; free it with hp_validation_release()
 *
 * If the file cannot be read, the verdict is HP_UNREADABLE, and out->error has
 * the reason. A file that does not fit in memory is tried again by one thread.
 */
void hp_validate_file(const char *path,
		      const struct hp_validate_options *options,
		      struct hp_validation *out);

void hp_validation_release(struct hp_validation *r);

/* Compute the totals and the verdict again from r->rules. */
void hp_validation_sum(struct hp_validation *r);

/* Returns "valid", "invalid" or "unreadable". */
const char *hp_verdict_name(enum hp_verdict v);

#endif
