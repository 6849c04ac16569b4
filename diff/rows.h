/*
 * rows.h - rows of a comparison: a key, and a value for every dump
 *
 * Keys are in the visible form of cli/escape.h, so that all formats and saved
 * results agree. A row's identity is its key and, for sites, its stack.
 */
#ifndef HP_DIFF_ROWS_H
#define HP_DIFF_ROWS_H

#include "common/base/arena.h"
#include "common/base/buf.h"
#include "common/base/intern.h"
#include "diff/budget.h"
#include "diff/columns.h"

struct hp_row_frames {
	uint32_t count;
	const char *const *text; /* visible form, innermost first */
	bool cut;  /* the last text stands for all further frames */
	bool kept; /* by the rows that they are given to: not to be copied */
};

/*
 * By path, of one dump and of saved results: the path of the row begins with a
 * static field of a class that its loader keeps alive. These are the paths that
 * keep the class alive; of a dump where a root does, there is none.
 */
struct hp_row_within {
	uint32_t count, cap; /* entries, and how many have room */
	struct hp_row_kept {
		const char *text;
		uint32_t dump; /* whose index; ascending */
		uint32_t step; /* the row's there; 0: none yet */
	} by[];
};

struct hp_row {
	const char *key; /* NUL behind it */
	size_t key_len;
	uint64_t hash[2]; /* of what the row stands for */
	struct hp_row_frames frames;
	bool grows;   /* in every step, three dumps and more */
	bool rollup;  /* sums other rows: not part of totals */
	bool hidden;  /* of comparisons: shown with --all only */
	bool ignored; /* counts for the totals only */
	/* ignored as a saved result does not have it by itself: growth of this
	   row is not known */
	bool unknown;
	/* enum hp_class_origin: of the class that the row is the name of; of a
	   path its last class's, where the name alone would mislead */
	uint8_t origin;
	size_t parts, stamp; /* of a roll-up: how many rows, the last one */
	/* a value for every dump, of each column that struct hp_rows lists;
	   NULL for the others. One block of memory */
	union {
		uint64_t *value[HP_COLS];
#define COLUMN(symbol, key, ...) uint64_t *key;
		struct {
#include "common/cli/columns.def"
		};
	};
	size_t index; /* in the list of rows */
	/* by holder: bytes of the key up to the arrow; else 0 */
	size_t holder_len;
	/* by path: instances that may have been on another path before, and
	   on which; NULL: it is none of these */
	uint64_t moved_count;
	const char *moved_from;
	struct hp_row_within *within; /* or NULL */
};

/* What stands between holder and held in a key. */
#define HP_ROW_ARROW " \xe2\x86\x92 "
/*
 * Levels of packages that are summed: more than any program has. Else names of
 * 8 KiB, which may have 4,000 levels, would make rows of gigabytes, and a walk
 * over all objects for each level.
 */
enum { HP_PACKAGE_LEVELS = 32 };
/* How the rows of what several roots keep begin, by dominator. */
#define HP_ROW_SEVERAL "several roots:"
/* How the rows of classes begin, by dominator. */
#define HP_ROW_CLASS "class "
/* How those of static fields end. */
#define HP_ROW_STATIC " (static)"
/* The row of the loader that is the VM's own. */
#define HP_LOADER_BOOTSTRAP "(bootstrap)"

struct hp_rows {
	size_t dumps; /* values a row has */
	/* the columns that rows have, as bits; set before the first one */
	unsigned columns;
	bool retained;	/* retained sizes are among them */
	unsigned asked; /* all that --columns asks for: shown, and compared */
	struct hp_row **list;
	size_t count, cap;
	struct hp_row **slots;
	size_t slot_cap;	/* a power of two */
	uint64_t seed;		/* of the table, and of keys alone */
	struct hp_intern texts; /* many stacks share a frame */
	struct hp_arena arena;
	uint64_t noted; /* bytes, for the budget */
};

/* Rows of objects: with their count and their bytes. */
void hp_rows_init(struct hp_rows *r, size_t dumps);
void hp_rows_release(struct hp_rows *r);

/* Is there room for what they take from the system now? HP_OK; HP_LIMIT. */
HP_MUST_USE enum hp_status hp_rows_fit(struct hp_rows *r, struct hp_budget *b,
				       struct hp_error *err);

/**
 * hp_rows_put() - find or make a row
 * @hash:   its identity with the key; NULL: that of the key alone
 * @frames: copied if the row is made; may be NULL
 *
 * Texts are copied once, however many rows have them.
 *
 * Returns: the row, all values 0 at first; NULL: out of memory.
 */
struct hp_row *hp_rows_put(struct hp_rows *r, const char *key, size_t key_len,
			   const uint64_t hash[2],
			   const struct hp_row_frames *frames);

/* As hp_rows_put() for a key alone. */
struct hp_row *hp_rows_put_word(struct hp_rows *r, const char *key);

/*
 * The row that sums others, by a key alone. It is none that has the same key of
 * its own: a package may be called "*".
 */
struct hp_row *hp_rows_put_rollup(struct hp_rows *r, const char *key,
				  size_t key_len);

/* As hp_rows_put() for a key alone; NULL, too, if the buffer has failed. */
struct hp_row *hp_rows_put_text(struct hp_rows *r, const struct hp_buf *key);

/* A row of its own, for sums of the others: it is none of them. NULL as above.
 */
struct hp_row *hp_rows_make_total(struct hp_rows *r);

/* The row with this key alone; NULL: there is none. */
struct hp_row *hp_rows_find(const struct hp_rows *r, const char *key,
			    size_t key_len);

/*
 * The identity of a key alone. @seed: 0 where the hash is saved and has to be
 * the same in every run; else a secret, so that none can be made to be equal.
 */
void hp_row_hash(const char *key, size_t key_len, uint64_t seed,
		 uint64_t hash[2]);

/* A pattern of the key or, by holder, of one of its halves: does it match? */
bool hp_row_matches(const struct hp_row *row, const char *glob);

/* A value of a dump; of a derived column it is computed. 0: the row has none.
 */
static inline uint64_t
hp_row_value(const struct hp_row *row, enum hp_col c, size_t dump,
	     const struct hp_basis *basis)
{
	if (hp_columns[c].derive)
		return hp_columns[c].derive(row->value, dump, basis);
	return row->value[c] ? row->value[c][dump] : 0;
}

/* What the values of a sum that can be joined become with a row's. */
void hp_row_join(const struct hp_rows *r, struct hp_row *into,
		 const struct hp_row *row);

/* Growth of the last dump over the first: hp_growth(). */
int64_t hp_row_growth(const struct hp_rows *r, const uint64_t *values);

/* Does any value that is told differ from the first dump's? */
bool hp_row_changed(const struct hp_rows *r, const struct hp_row *row);

#endif
