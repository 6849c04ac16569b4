/*
 * catalogue.h - the findings of findings.def, and the limits of the options
 */
#ifndef HP_DIFF_FINDINGS_CATALOGUE_H
#define HP_DIFF_FINDINGS_CATALOGUE_H

#include "common/base/buf.h"
#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hp_unusual {
#define FINDING(symbol, ...) HP_UNUSUAL_##symbol,
#include "diff/findings/findings.def"
	HP_UNUSUALS
};

/* An entry of findings.def. */
struct hp_unusual_kind {
	const char *id;
	uint64_t limit; /* in millionths of a percent */
	const char *whole, *line, *message, *paragraph, *advice;
};

extern const struct hp_unusual_kind hp_unusual_kinds[HP_UNUSUALS];
/* The ids of all findings, ending with NULL. */
extern const char *const hp_unusual_ids[HP_UNUSUALS + 1];

/* What --threshold and --disable changed. A zeroed struct has the defaults. */
struct hp_unusual_limits {
	/* whether the user has set the limit of the finding */
	bool set[HP_UNUSUALS];
	uint64_t limit[HP_UNUSUALS];
	bool disabled[HP_UNUSUALS];
};

static inline uint64_t
hp_unusual_limit(const struct hp_unusual_limits *l, enum hp_unusual kind)
{
	return l->set[kind] ? l->limit[kind] : hp_unusual_kinds[kind].limit;
}

/* Find a finding by its id. Returns HP_OK or HP_DAMAGED with a text. */
HP_MUST_USE enum hp_status hp_unusual_find(const char *id, size_t len,
					   enum hp_unusual *kind,
					   struct hp_error *err);
/* Read "ID=N%" of --threshold. Returns HP_OK or HP_DAMAGED. */
HP_MUST_USE enum hp_status hp_unusual_set_limit(struct hp_unusual_limits *l,
						const char *text,
						struct hp_error *err);
/* Read "ID,..." of --disable. Returns HP_OK or HP_DAMAGED. */
HP_MUST_USE enum hp_status hp_unusual_disable(struct hp_unusual_limits *l,
					      const char *text,
					      struct hp_error *err);

/* Append a line for each finding: id, threshold and what it is. */
void hp_unusual_list(struct hp_buf *b);
/* Append what a finding means, and what to do. */
void hp_unusual_explain(struct hp_buf *b, enum hp_unusual kind);

/* A finding of findings.def, and what a dump has of it. */
struct hp_unusual_fact {
	/* the dump has the data from which the share is computed */
	bool checked;
	bool applies;	/* checked, and the share is at least the limit */
	uint64_t share; /* in millionths of a percent */
	uint64_t count, bytes;
	/*
	 * the class, field, thread or object that is the example; escaped;
	 * NULL: none
	 */
	const char *what;
	/*
	 * whether the first of several dumps also has the finding; valid only
	 * if before_known is set
	 */
	bool before, before_known;
};

/* Append the sentence of a finding. */
void hp_unusual_text(struct hp_buf *b, enum hp_unusual kind,
		     const struct hp_unusual_fact *fact);

#endif
