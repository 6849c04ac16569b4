/*
 * validate.h - one file checked: what is asked, and the result
 *
 * A result holds nothing of the file any more but text; reports are made
 * from results alone.
 */
#ifndef HP_VALIDATE_VALIDATE_H
#define HP_VALIDATE_VALIDATE_H

#include "common/base/buf.h"
#include "common/cli/progress.h"
#include "common/io/dump_id.h"
#include "common/model/rules.h"
#include "validate/offset_bins.h"

enum hp_level {
	HP_LEVEL_FRAMING, /* lengths and tags only */
	HP_LEVEL_REFERENCES,
	HP_LEVEL_GRAPH,
};

#define HP_SEVERITY_AS_IS (-1)

enum {
	HP_VALIDATE_FIXED = 24 << 20,	     /* bytes that any run may take, */
	HP_VALIDATE_FIXED_THREAD = 16 << 20, /* and each thread */
};

/*
 * What examples may take, however many there are: of each rule and severity so
 * many are kept; of a file so many bytes of text, and twice its size at the
 * most. HP_EXAMPLES_SURE of each rule and severity are there always.
 */
enum {
	HP_EXAMPLES_MOST = 1 << 16,
	HP_EXAMPLES_SURE = 5,
	HP_EXAMPLES_BYTES = 64 << 20,
	HP_EXAMPLES_BYTES_LEAST = 1 << 20,
	HP_EXAMPLE_OVERHEAD = 512, /* of each, in a result and in a report */
};

struct hp_validate_options {
	unsigned threads;
	uint64_t memory, max_size; /* bytes; max_size 0: no limit */
	/* of memory, for sets of ids; 0: what the rest leaves (tests make it
	 * small, so that small dumps take many passes) */
	uint64_t id_memory;
	unsigned dump; /* from 1; 0: all */
	enum hp_level level;
	size_t max_examples; /* a rule and severity; HP_EXAMPLES_MOST */
	bool places; /* also tell what lies where: map, and bins of rules */
	bool disabled[HP_RULE_COUNT];
	int8_t severity[HP_RULE_COUNT]; /* or HP_SEVERITY_AS_IS */
	enum hp_mapping mapping;
	struct hp_progress *progress; /* may be NULL */
	bool identify;		      /* the dump's id, too: reads all of it */
};

enum hp_verdict { HP_VALID, HP_INVALID, HP_UNREADABLE };

struct hp_example {
	uint64_t offset, record;
	uint64_t line; /* of a text, from 1; 0: a binary dump, or not known */
	uint32_t dump; /* 0: none */
	char *field;   /* NULL: none */
	char *message;
};

/* The findings of one rule and severity. */
struct hp_reported {
	enum hp_rule rule;
	enum hp_severity severity;
	uint64_t count;
	/* findings by offset; NULL: was not asked for, or nobody knows where */
	struct hp_offset_bins *places;
	struct hp_example *examples; /* by offset */
	size_t nexamples;
};

struct hp_file_map;

struct hp_validation {
	const char *path;      /* as given; borrowed */
	struct hp_error error; /* unreadable, lacks_dump: why */
	enum hp_verdict verdict;
	const char *compression; /* the outermost container */
	struct hp_archive archives[HP_SOURCE_ARCHIVES]; /* around the dump */
	size_t narchives;
	uint64_t bytes; /* of the dump, uncompressed */
	bool text;	/* it is the agent's text */
	char header[33];
	uint32_t id_size;
	uint64_t timestamp_ms;
	unsigned dumps;	    /* that it has */
	unsigned only_dump; /* that was asked for; 0: all */
	bool lacks_dump;    /* the one asked for: nothing of a heap was checked,
			       and without an error it is unreadable, but
			       what is below does count */
	enum hp_dialect dialect;
	uint64_t records[256], subs[256];
	bool has_references; /* not with --level=framing */
	uint64_t checked, null, dangling;
	bool more_may_dangle; /* not all was looked up: see limits */
	uint64_t totals[HP_SEVERITY_COUNT];
	struct hp_reported *rules; /* in the order of the catalogue */
	size_t nrules;
	bool unchecked[HP_RULE_COUNT]; /* what they need was not there */
	bool of_one_dump; /* string-unused: dumps that share the strings are not
			     looked at */
	bool any_unchecked;
	/* the level that a rule takes, where less was asked for; else 0 */
	enum hp_level deeper[HP_RULE_COUNT];
	/* dumps whose graph was asked for, and those that a rule of it was not
	 * applied to, as limits say */
	unsigned graphs, left_out[HP_RULE_COUNT];
	char **limits; /* what memory or the input did not allow */
	size_t nlimits;
	uint64_t graph_in_files; /* bytes of the object graph that were in
				    temporary files, for want of memory */
	uint64_t known;		 /* findings left out by a baseline */
	struct hp_file_map *map; /* NULL: was not asked for, or no header */
	struct hp_dump_id id;	 /* if options asked for it */
};

/* Why a rule was not checked, for people. */
const char *hp_validation_unchecked_reason(const struct hp_validation *v,
					   enum hp_rule rule);

/* Could the file not be read, or what was asked of it not be done? */
static inline bool
hp_validation_failed(const struct hp_validation *v)
{
	return v->verdict == HP_UNREADABLE || v->lacks_dump;
}

/* Was it read, but --level=graph not done, though that was asked for? */
static inline bool
hp_validation_left_out(const struct hp_validation *v)
{
	return v->left_out[HP_RULE_UNREACHABLE] > 0;
}

/**
 * hp_validate_file() - check a file
 * @out: always filled; released by hp_validation_release()
 *
 * A file that cannot be read is a result, too: HP_UNREADABLE, with out->error.
 */
void hp_validate_file(const char *path,
		      const struct hp_validate_options *options,
		      struct hp_validation *out);

void hp_validation_release(struct hp_validation *r);

/* Totals and verdict anew, from r->rules. */
void hp_validation_sum(struct hp_validation *r);

/* "valid", "invalid", "unreadable". */
const char *hp_verdict_name(enum hp_verdict v);

#endif
