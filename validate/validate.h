/*
 * validate.h - check one file: the options and the result
 *
 * A result consists of numbers and texts. After the check, the file is not
 * needed any more: reports are written only from results.
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
	/* memory that every run of the program needs, in bytes */
	HP_VALIDATE_FIXED = 24 << 20,
	/* additional memory for each thread, in bytes */
	HP_VALIDATE_FIXED_THREAD = 16 << 20,
};

/*
 * Limits for examples of findings. For each rule and severity, at most
 * HP_EXAMPLES_MOST examples are kept. The texts of all examples of a file have
 * at most HP_EXAMPLES_BYTES bytes, and at most twice as many bytes as the file.
 * But the first HP_EXAMPLES_SURE examples of each rule and severity are always
 * kept.
 */
enum {
	HP_EXAMPLES_MOST = 1 << 16,
	HP_EXAMPLES_SURE = 5,
	HP_EXAMPLES_BYTES = 64 << 20,
	HP_EXAMPLES_BYTES_LEAST = 1 << 20,
	/*
	 * memory that is counted for each example in addition to its text, in
	 * bytes
	 */
	HP_EXAMPLE_OVERHEAD = 512,
};

struct hp_validate_options {
	unsigned threads;
	/*
	 * the values of --memory and --max-size, in bytes; max_size 0: no limit
	 */
	uint64_t memory, max_size;
	/*
	 * Limit for the memory of the sets of ids, in bytes; 0: everything that
	 * is left of `memory`. Tests set a small limit, so that small dumps
	 * need many passes.
	 */
	uint64_t id_memory;
	unsigned dump; /* number of the dump to check, from 1; 0: all dumps */
	enum hp_level level;
	/*
	 * maximum number of examples for each rule and severity, at most
	 * HP_EXAMPLES_MOST
	 */
	size_t max_examples;
	/*
	 * also compute the map of the file (file_map.h), and the number of
	 * findings by offset
	 */
	bool places;
	bool disabled[HP_RULE_COUNT];
	/*
	 * For each rule: the severity that the user has chosen (an enum
	 * hp_severity), or HP_SEVERITY_AS_IS for the default severity.
	 */
	int8_t severity[HP_RULE_COUNT];
	enum hp_mapping mapping;
	/* the progress display; NULL: show no progress */
	struct hp_progress *progress;
	/* also compute the id of the dump; this reads the whole file */
	bool identify;
	struct hp_mappings mappings; /* the mapping files of --mapping */
	/*
	 * --secrets: the categories to search for, as HP_SECRETS_ bits; 0: do
	 * not search
	 */
	unsigned secrets;
};

enum hp_verdict { HP_VALID, HP_INVALID, HP_UNREADABLE };

struct hp_example {
	uint64_t offset, record;
	/*
	 * line of the text dump, from 1, that the finding is about; 0: the dump
	 * is binary, or the line is unknown
	 */
	uint64_t line;
	/* number of the dump in the file, from 1; 0: outside of all dumps */
	uint32_t dump;
	/*
	 * name of the field that the finding is about; NULL: it is about no
	 * field
	 */
	char *field;
	char *message;
};

/* All findings of one rule that have the same severity. */
struct hp_reported {
	enum hp_rule rule;
	enum hp_severity severity;
	uint64_t count;
	/*
	 * The number of findings of this rule and severity, by offset in the
	 * dump. NULL: not requested, or not known.
	 */
	struct hp_offset_bins *places;
	/*
	 * examples: some of the findings of this rule and severity, sorted by
	 * offset
	 */
	struct hp_example *examples;
	size_t nexamples;
};

struct hp_file_map;

struct hp_validation {
	const char *path; /* path of the file as the user gave it; borrowed */
	/* the reason why the verdict is unreadable, or why lacks_dump is set */
	struct hp_error error;
	enum hp_verdict verdict;
	/* name of the outermost compression or archive format */
	const char *compression;
	/* the archives (zip, tar) that contain the dump */
	struct hp_archive archives[HP_SOURCE_ARCHIVES];
	size_t narchives;
	uint64_t bytes; /* length of the uncompressed dump, in bytes */
	/* the file is a text of the HPROF agent, and not a binary dump */
	bool text;
	char header[33];
	uint32_t id_size;
	uint64_t timestamp_ms;
	unsigned dumps; /* number of dumps in the file */
	/* number of the dump that the user has chosen; 0: all dumps */
	unsigned only_dump;
	/*
	 * The file does not contain the requested dump, so no heap was checked.
	 * If the file has no errors, the verdict is unreadable. The members
	 * after this one are valid nevertheless.
	 */
	bool lacks_dump;
	enum hp_dialect dialect;
	uint64_t records[256], subs[256];
	/* references were checked; false with --level=framing */
	bool has_references;
	uint64_t checked, null, dangling;
	/* not all references were checked; `limits` has the reasons */
	bool more_may_dangle;
	uint64_t totals[HP_SEVERITY_COUNT];
	/*
	 * the rules that have findings, in the order of rules.def; at most one
	 * entry for each rule and severity
	 */
	struct hp_reported *rules;
	size_t nrules;
	/*
	 * For each rule: whether the rule was not checked, because data that it
	 * needs is missing.
	 */
	bool unchecked[HP_RULE_COUNT];
	/*
	 * The rule string-unused was not checked, because other dumps that
	 * share the strings were not read.
	 */
	bool of_one_dump;
	bool any_unchecked;
	/*
	 * For each rule that needs a higher --level than the user has
	 * requested: this level. For all other rules: 0.
	 */
	enum hp_level deeper[HP_RULE_COUNT];
	/*
	 * `graphs`: number of dumps for which --level=graph was requested.
	 * `left_out`: for each rule, to how many of these dumps it was not
	 * applied; `limits` has the reasons.
	 */
	unsigned graphs, left_out[HP_RULE_COUNT];
	/*
	 * Texts about the checks that were left out because of the memory limit
	 * or because of the input.
	 */
	char **limits;
	size_t nlimits;
	/*
	 * the categories of secrets that were searched, as HP_SECRETS_ bits; 0:
	 * no search was done
	 */
	unsigned secrets;
	/*
	 * the number of secrets that were found, including those in the
	 * baseline
	 */
	uint64_t secrets_found;
	/*
	 * A part of the file was not searched for secrets: the end of a long
	 * STRING record, or the unreadable part of a damaged dump.
	 */
	bool secrets_incomplete;
	/* how many names of the dump are in the files of --mapping */
	struct hp_rename_counts renamed;
	/*
	 * largest total size that the temporary files for the object graph had
	 * at any time, in bytes
	 */
	uint64_t graph_in_files;
	/*
	 * number of findings that were removed, because the baseline contains
	 * them
	 */
	uint64_t known;
	/*
	 * the map of the file; NULL: not requested, or the file has no readable
	 * header
	 */
	struct hp_file_map *map;
	/*
	 * identifies the dump by its contents; only set with the option
	 * `identify`
	 */
	struct hp_dump_id id;
};

/* Returns the reason why a rule was not checked, as text. */
const char *hp_validation_unchecked_reason(const struct hp_validation *v,
					   enum hp_rule rule);

/*
 * Whether the file could not be read, or does not contain the requested dump.
 */
static inline bool
hp_validation_failed(const struct hp_validation *v)
{
	return v->verdict == HP_UNREADABLE || v->lacks_dump;
}

/* Whether --level=graph was requested, but could not be applied completely. */
static inline bool
hp_validation_left_out(const struct hp_validation *v)
{
	return v->left_out[HP_RULE_UNREACHABLE] > 0;
}

/*
 * Returns how many bytes a run with @threads threads may allocate through
 * common/base/memory.h, so that the process uses at most @memory bytes. *@apart
 * receives the part of @memory for other memory of the process. The result
 * always suffices for the batches (parts of the dump) that the threads process.
 */
uint64_t hp_validate_memory(uint64_t memory, unsigned threads, uint64_t *apart);

/**
 * hp_validate_file() - check a file
 * @out: always filled; free it with hp_validation_release()
 *
 * If the file cannot be read, the verdict is HP_UNREADABLE, and out->error has
 * the reason. If the memory is not sufficient for several threads, the check is
 * repeated with one thread.
 */
void hp_validate_file(const char *path,
		      const struct hp_validate_options *options,
		      struct hp_validation *out);

void hp_validation_release(struct hp_validation *r);

/*
 * Compute the totals and the verdict from r->rules again, after the findings
 * have changed.
 */
void hp_validation_sum(struct hp_validation *r);

/* Returns "valid", "invalid" or "unreadable". */
const char *hp_verdict_name(enum hp_verdict v);

#endif
