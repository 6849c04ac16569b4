/*
 * rows.h - the rows of a comparison: each has a key (its name), and values for
 * every dump
 *
 * In keys, control characters are escaped as in cli/escape.h, so that all
 * formats and saved results have equal keys. A row is identified by its key.
 * With --by=site, it is identified by its key and its stack.
 */
#ifndef HP_DIFF_ROWS_H
#define HP_DIFF_ROWS_H

#include "common/base/arena.h"
#include "common/base/buf.h"
#include "common/base/hash.h"
#include "diff/budget.h"
#include "diff/tables/columns.h"

struct hp_row_frames {
	uint32_t count;
	/*
	 * the stack frames, innermost first, as texts with control characters
	 * escaped
	 */
	const char *const *text;
	/*
	 * frames of the stack were left out; the last text then shows how many
	 */
	bool cut;
	/*
	 * the set of rows already owns the list of frames, so it need not be
	 * copied
	 */
	bool kept;
};

/*
 * For a row of --by=path whose path begins with a static field: the paths that
 * keep the class of this field alive. The key of the row does not contain these
 * paths, but saved results do. There is an entry for each dump in which no root
 * refers to the class.
 */
struct hp_row_within {
	/*
	 * count: number of used entries of `by`. cap: number of allocated
	 * entries.
	 */
	uint32_t count, cap;
	struct hp_row_kept {
		const char *text;
		/*
		 * index of a dump; the entries are sorted by this index
		 */
		uint32_t dump;
		/*
		 * number of the step of the static field, which comes after the
		 * path `text`; 0: the step was not created yet
		 */
		uint32_t step;
	} by[];
};

struct hp_row {
	const char *key; /* the key (name) of the row; ends with NUL */
	size_t key_len;
	/*
	 * hash of the key (or of the key and the stack), by which the row is
	 * found
	 */
	uint64_t hash[2];
	struct hp_row_frames frames;
	/*
	 * with three or more dumps: the value has increased from each dump to
	 * the next
	 */
	bool grows;
	/* the row is a sum of other rows, so it is not added to the total */
	bool rollup;
	/*
	 * the row is shown below the total and is not included in it, because
	 * other rows count the same objects
	 */
	bool beside;
	bool hidden;  /* a comparison shows the row only with --all */
	bool ignored; /* the row is never shown, but the totals include it */
	/*
	 * the row is ignored because its growth is not known: the saved result
	 * of the first dump has no such row, but may have counted its objects
	 * in the sum of all small paths
	 */
	bool unknown;
	/*
	 * Whether the class in the name of the row belongs to the JDK or to the
	 * application (enum hp_class_origin). For a path, this is set only if
	 * the name of its last class suggests the wrong origin.
	 */
	uint8_t origin;
	/*
	 * For a rollup. parts: number of rows in the sum. stamp: number of the
	 * row that was added last, so that no row is added twice.
	 */
	size_t parts, stamp;
	/*
	 * For each column: an array with a value for every dump. NULL if
	 * hp_rows.columns does not have the column. All arrays are in one block
	 * of memory.
	 */
	union {
		uint64_t *value[HP_COLS];
#define COLUMN(symbol, key, ...) uint64_t *key;
		struct {
#include "common/cli/columns.def"
		};
	};
	size_t index; /* index of the row in hp_rows.list */
	/* with --by=holder: length of the key before the arrow; otherwise 0 */
	size_t holder_len;
	/*
	 * With --by=path. moved_count: how many objects of the row were
	 * probably on another path in the first dump. moved_from: the path of
	 * most of them in the first dump; NULL: no objects have moved.
	 */
	uint64_t moved_count;
	const char *moved_from;
	/*
	 * the description of the only object of the row in the last dump, for
	 * example "list of 1,500 CartItem"; NULL: the row has several objects,
	 * or the object is no container and no class loader
	 */
	const char *label;
	/*
	 * With --by=waste and --show-values, for the last dump: the text whose
	 * duplicates waste the most in this row. text: its beginning, with
	 * control characters escaped; NULL: not known. characters: its length.
	 * count, waste: number and bytes of its duplicates.
	 */
	struct hp_row_example {
		const char *text;
		uint64_t characters, count, waste;
	} example;
	/*
	 * if the row's path begins with a static field: the paths that keep the
	 * class of this field alive; NULL: not known, or there are none
	 */
	struct hp_row_within *within;
};

/*
 * The text between the reference and the class in a key of --by=holder, with an
 * arrow.
 */
#define HP_ROW_ARROW " \xe2\x86\x92 "
/*
 * The maximum number of levels of packages (a.b.c has three) for which rows
 * with sums are made. Real programs have fewer. But in a manipulated dump, a
 * name of 8 KiB can have 4,000 levels. The rows for such names would take
 * gigabytes, and each level would take a pass over all objects.
 */
enum { HP_PACKAGE_LEVELS = 32 };
/*
 * With --by=dominator, the prefix of the keys of rows whose objects are kept
 * alive by several roots.
 */
#define HP_ROW_SEVERAL "several roots:"
/* With --by=dominator, the prefix of the keys of rows that are classes. */
#define HP_ROW_CLASS "class "
/* The suffix of the keys of rows that are static fields. */
#define HP_ROW_STATIC " (static)"
/* The key of the row for the VM's bootstrap class loader. */
#define HP_LOADER_BOOTSTRAP "(bootstrap)"

struct hp_rows {
	/*
	 * number of values in each column of a row, which is the number of
	 * dumps
	 */
	size_t dumps;
	/*
	 * the columns of the rows, one bit for each; set before the first row
	 * is made
	 */
	unsigned columns;
	bool retained; /* the rows have retained sizes */
	/*
	 * the columns that the options ask for: these are shown, and compared
	 * between dumps
	 */
	unsigned asked;
	struct hp_row **list;
	size_t count, cap;
	struct hp_hash_table table;
	/*
	 * a random number for the hashes of keys without a stack, so that an
	 * attacker cannot construct equal hashes
	 */
	uint64_t seed;
	/*
	 * the texts of stack frames; each text is stored once, because many
	 * stacks have the same frames
	 */
	struct hp_intern texts;
	struct hp_arena arena;
};

/*
 * Initialise an empty set of rows for @dumps dumps. At first, the rows have the
 * columns "count" and "bytes", as rows of objects do.
 */
void hp_rows_init(struct hp_rows *r, size_t dumps);
void hp_rows_release(struct hp_rows *r);

/**
 * hp_rows_put() - find a row by its key, or create it
 *
 * @hash: a hash that identifies the row together with the key, for example of
 *   its stack; NULL: use the hash of the key
 * @frames: the stack of the row, copied if the row is created; may be NULL
 *
 * Keys and frames with equal texts are stored once.
 *
 * Returns: the row, whose values are 0 at first; NULL if out of memory.
 */
struct hp_row *hp_rows_put(struct hp_rows *r, const char *key, size_t key_len,
			   const uint64_t hash[2],
			   const struct hp_row_frames *frames);

/*
 * Find or create the row with the key @key and without a stack. Returns NULL if
 * out of memory.
 */
struct hp_row *hp_rows_put_word(struct hp_rows *r, const char *key);

/*
 * Find or create the rollup row (a sum of other rows) with the key @key. An
 * ordinary row with the same key is a different row, because a package may be
 * called "*".
 */
struct hp_row *hp_rows_put_rollup(struct hp_rows *r, const char *key,
				  size_t key_len);

/*
 * Find or create the row without a stack whose key is the text in the buffer
 * @key. Returns NULL if out of memory, or if the buffer has failed.
 */
struct hp_row *hp_rows_put_text(struct hp_rows *r, const struct hp_buf *key);

/*
 * Create a row for the total. It is not in the list of rows. Returns NULL if
 * out of memory.
 */
struct hp_row *hp_rows_make_total(struct hp_rows *r);

/*
 * Find a row that has the key @key and no stack. Returns NULL if there is none.
 */
struct hp_row *hp_rows_find(const struct hp_rows *r, const char *key,
			    size_t key_len);

/*
 * Compute the hash of a key. @seed: 0 if a saved result will contain the hash,
 * so that it must be equal in every run; otherwise a random number, so that an
 * attacker cannot construct equal hashes.
 */
void hp_row_hash(const char *key, size_t key_len, uint64_t seed,
		 uint64_t hash[2]);

/*
 * Whether a pattern matches the key of a row. With --by=holder, it may also
 * match only the reference or only the class in the key.
 */
bool hp_row_matches(const struct hp_row *row, const char *glob);

/*
 * Returns the value of a row in a column, for one dump. The values of derived
 * columns, such as percent, are computed. Returns 0 if the row has no value.
 */
static inline uint64_t
hp_row_value(const struct hp_row *row, enum hp_col c, size_t dump,
	     const struct hp_basis *basis)
{
	if (hp_columns[c].derive)
		return hp_columns[c].derive(row->value, dump, basis);
	return row->value[c] ? row->value[c][dump] : 0;
}

/*
 * Add the values of a row to the row @into, in all columns whose values can be
 * added up.
 */
void hp_row_join(const struct hp_rows *r, struct hp_row *into,
		 const struct hp_row *row);

/* Returns the growth from the first dump to the last, see hp_growth(). */
int64_t hp_row_growth(const struct hp_rows *r, const uint64_t *values);

/*
 * Whether a row has changed: a value differs from the value in the first dump,
 * in a column that the options ask for.
 */
bool hp_row_changed(const struct hp_rows *r, const struct hp_row *row);
/* As hp_row_changed(), but retained sizes are not compared. */
bool hp_row_counts_changed(const struct hp_rows *r, const struct hp_row *row);

#endif
