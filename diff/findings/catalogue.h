/*
 * catalogue.h - the table of findings from findings.def, and the options
 * --threshold and --disable
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

/* An entry of findings.def: one fact about a heap that can be unusual. */
struct hp_unusual_kind {
	const char *id;
	/*
	 * the finding applies if its share is at least this limit, in
	 * millionths of a percent
	 */
	uint64_t limit;
	const char *whole, *line, *message, *paragraph, *advice;
};

extern const struct hp_unusual_kind hp_unusual_kinds[HP_UNUSUALS];
/* The ids of all findings; the last element is NULL. */
extern const char *const hp_unusual_ids[HP_UNUSUALS + 1];

/*
 * The changes by the options --threshold (another limit for a finding) and
 * --disable (leave out a finding). A zeroed struct changes nothing.
 */
struct hp_unusual_limits {
	/* the user has changed the limit of the finding */
	bool set[HP_UNUSUALS];
	uint64_t limit[HP_UNUSUALS];
	bool disabled[HP_UNUSUALS];
};

static inline uint64_t
hp_unusual_limit(const struct hp_unusual_limits *l, enum hp_unusual kind)
{
	return l->set[kind] ? l->limit[kind] : hp_unusual_kinds[kind].limit;
}

/*
 * Find an entry of findings.def by its id, such as "duplicate-strings". Returns
 * HP_OK, or HP_DAMAGED with a text in @err if there is no such entry.
 */
HP_MUST_USE enum hp_status hp_unusual_find(const char *id, size_t len,
					   enum hp_unusual *kind,
					   struct hp_error *err);
/* Parse the argument "ID=N%" of --threshold. Returns HP_OK or HP_DAMAGED. */
HP_MUST_USE enum hp_status hp_unusual_set_limit(struct hp_unusual_limits *l,
						const char *text,
						struct hp_error *err);
/* Parse the argument "ID,..." of --disable. Returns HP_OK or HP_DAMAGED. */
HP_MUST_USE enum hp_status hp_unusual_disable(struct hp_unusual_limits *l,
					      const char *text,
					      struct hp_error *err);

/*
 * Append one line for each entry of findings.def: its id, its limit and a short
 * description.
 */
void hp_unusual_list(struct hp_buf *b);
/*
 * Append the explanation of a finding: what it means, and what to do
 * (--explain).
 */
void hp_unusual_explain(struct hp_buf *b, enum hp_unusual kind);

/* The result of the search for one finding of findings.def in a dump. */
struct hp_unusual_fact {
	/*
	 * the dump has the data from which the share of this finding is
	 * computed
	 */
	bool checked;
	/*
	 * the dump has this finding: its share is known, and at least as large
	 * as the limit
	 */
	bool applies;
	/*
	 * the share that is compared with the limit, in millionths of a percent
	 */
	uint64_t share;
	/* what the share refers to; NULL: the quantity in findings.def */
	const char *whole;
	/*
	 * the number of the suspect that the finding is about, from 1; 0: the
	 * finding is not about a suspect
	 */
	size_t suspect;
	uint64_t count, bytes;
	/*
	 * an example: the name of a class, field, thread or object, escaped;
	 * NULL: there is none
	 */
	const char *what;
	/*
	 * If there are several dumps. before: the first dump also has this
	 * finding. before_known: `before` is valid.
	 */
	bool before, before_known;
};

/*
 * Returns the quantity to which the share of a finding refers, for example "the
 * heap".
 */
const char *hp_unusual_whole(enum hp_unusual kind,
			     const struct hp_unusual_fact *fact);

/* Append the sentence that describes a finding. */
void hp_unusual_text(struct hp_buf *b, enum hp_unusual kind,
		     const struct hp_unusual_fact *fact);
/*
 * Append the sentence that describes a finding, in a report that shows suspects
 * just before. If the finding is about one of the first @shown suspects, the
 * sentence refers to it and does not describe it again. @noun: what the report
 * calls suspects, such as "suspect".
 */
void hp_unusual_text_after(struct hp_buf *b, enum hp_unusual kind,
			   const struct hp_unusual_fact *fact, const char *noun,
			   size_t shown);

/*
 * A class loader of the last dump that has defined duplicate classes (other
 * loaders have defined classes with the same names), and the path that keeps
 * this loader alive. All texts are escaped.
 */
enum { HP_KEPT_LOADERS = 16 };
struct hp_kept_loader {
	uint64_t id;
	const char *class;
	/*
	 * the owner of the loader, for example "webapp 'shop'"; NULL: not known
	 */
	const char *name;
	/* number of duplicate classes that the loader has defined */
	uint64_t classes;
	/*
	 * the text of the shortest path from a root to the loader; NULL: the
	 * loader is unreachable
	 */
	const char *path;
	/* a text that explains what the path means, see loader_paths.def */
	const char *meaning;
};

/*
 * Returns the word between "class loader" and the name of a loader: "of " in
 * "class loader of webapp 'shop'", nothing in "class loader 'app'".
 */
static inline const char *
hp_loader_name_word(const char *name)
{
	return name[0] == '\'' ? "" : "of ";
}

#endif
