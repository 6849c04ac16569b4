/*
 * reader.h - read the header and the records of a dump
 */
#ifndef HP_FORMAT_READER_H
#define HP_FORMAT_READER_H

#include "common/format/cursor.h"
#include "common/format/format.h"
#include "common/io/source.h"

/*
 * ----------------------------------------------------------------------
 * Read consecutive STRING records that are in memory
 *
 * About 90 % of the records outside the heap are strings, and nearly all of
 * them are complete and short. The functions in this section read such strings
 * faster than hp_reader_next(). All other strings are read with
 * hp_reader_next().
 */

struct hp_string_run {
	/* the bytes in memory; they begin with the header of the next record */
	struct hp_cursor bytes;
	/* position of the next record among all records of the file, from 1 */
	uint64_t ordinal;
	unsigned id_size;
};

/*
 * A text of at most this many bytes is short: it can be copied with a fixed
 * length, without a loop.
 */
enum { HP_STRING_SHORT = 64 };

struct hp_string_row {
	uint32_t time;
	uint32_t length; /* length of the text in bytes, without the id */
	uint64_t id;
	const uint8_t *text;
	/*
	 * The text is short (at most HP_STRING_SHORT bytes), and
	 * HP_STRING_SHORT bytes are readable at its address, so that it can be
	 * copied with this fixed length.
	 */
	bool is_short;
};

/* Returns the offset of the next record in the dump. */
static inline uint64_t
hp_string_run_offset(const struct hp_string_run *run)
{
	return run->bytes.origin + run->bytes.pos;
}

/**
 * hp_string_run_look() - get the next of several STRING records, without
 * stepping over it
 *
 * Layout: u1 tag | u4 time | u4 length | id | u1 text[length - id size]
 * Returns: false if the next record is not a STRING that is completely in
 * memory.
 */
HP_HOT bool
hp_string_run_look(const struct hp_string_run *run, struct hp_string_row *row)
{
	const uint8_t *p = run->bytes.data + run->bytes.pos;
	uint64_t left = hp_left(&run->bytes);
	uint32_t length;

	if (left < HP_HEAD_SIZE + run->id_size || *p != HP_REC_STRING)
		return false;
	length = hp_load4(p + 5);
	if (length < run->id_size || length > left - HP_HEAD_SIZE)
		return false;
	row->time = hp_load4(p + 1);
	row->length = length - run->id_size;
	row->id = hp_load_id(p + HP_HEAD_SIZE, run->id_size);
	row->text = p + HP_HEAD_SIZE + run->id_size;
	row->is_short = (row->length <= HP_STRING_SHORT) &
			(left >= HP_HEAD_SIZE + run->id_size + HP_STRING_SHORT);
	return true;
}

/* Step over the record @row, which hp_string_run_look() has returned. */
HP_HOT void
hp_string_run_step(struct hp_string_run *run, const struct hp_string_row *row)
{
	run->bytes.pos += HP_HEAD_SIZE + run->id_size + row->length;
	run->ordinal++;
}

/*
 * Step over the next @n records in one call. @last: the last of these @n
 * records.
 */
static inline void
hp_string_run_pass(struct hp_string_run *run, const struct hp_string_row *last,
		   uint64_t n)
{
	run->bytes.pos =
		(uint64_t)(last->text + last->length - run->bytes.data);
	run->ordinal += n;
}

/* ----------------------------------------------------------------------
 * Read the file header and the record headers of a dump, in order
 *
 * The reader steps from record to record. It numbers the records and the dumps
 * of the file, and reports damaged lengths and tags. It computes the actual
 * length of a heap record if the length in the file wrapped at 4 GB or was
 * never filled in. scan.h reads the bodies of heap records.
 */

enum hp_version {
	HP_VERSION_UNKNOWN,
	HP_VERSION_1_0, /* version 1.0, which is recognised but not supported */
	HP_VERSION_1_0_1,
	HP_VERSION_1_0_2,
	HP_VERSION_1_0_3,
};

enum hp_header_problem {
	HP_HEADER_FINE,
	HP_HEADER_EMPTY, /* the input is empty */
	HP_HEADER_MAGIC, /* the input does not begin with "JAVA PROFILE " */
	/* an unknown version, or no NUL in the first 32 bytes */
	HP_HEADER_VERSION,
	HP_HEADER_SHORT,   /* the input ends inside the header */
	HP_HEADER_ID_SIZE, /* the id size is neither 4 nor 8 */
};

struct hp_header {
	enum hp_header_problem problem;
	enum hp_version version;
	/* the text with the version, as in the file, without its NUL */
	char text[33];
	/* length of the header in bytes, up to the first record */
	unsigned length;
	uint32_t id_size;
	/* time of the dump in milliseconds since 1970-01-01 UTC */
	uint64_t timestamp_ms;
	/*
	 * A number for hp_foreign_file_text(); 0: none. If the header is
	 * invalid, the number says which kind of file this is. If the header is
	 * valid, the number says how the dump may have been changed when it was
	 * copied as text. Programs report this only if they find damage.
	 */
	uint64_t foreign;
	/*
	 * number of bytes in `start`: the length of the input, but at most 264
	 */
	unsigned nstart;
};

/* Whether the header is valid, so that the records after it can be read. */
static inline bool
hp_header_readable(const struct hp_header *h)
{
	return h->version != HP_VERSION_1_0 &&
	       (h->problem == HP_HEADER_FINE ||
		(h->problem == HP_HEADER_VERSION && h->id_size != 0));
}

struct hp_record {
	uint8_t tag;
	uint32_t time; /* microseconds since the time in the file header */
	/*
	 * length of the body in bytes, as the file states it in the header of
	 * the record
	 */
	uint32_t length;
	/*
	 * The actual length of the body in bytes. It may differ from `length`
	 * (see `overflow` and `unpatched` below). UINT64_MAX: the body ends at
	 * the end of the input.
	 */
	uint64_t body;
	uint64_t offset; /* offset of the header of the record in the dump */
	/* position of the record among all records of the file, from 1 */
	uint64_t ordinal;
	/*
	 * The number of the dump, from 1, to which a heap record belongs. Not
	 * set for other records.
	 */
	unsigned dump;
	/* this is the first heap record of its dump */
	bool first;
	/*
	 * `body` differs from `length`, because the 32-bit length in the file
	 * wrapped at 4 GB.
	 */
	bool overflow;
	/*
	 * `body` differs from `length`, because the program that wrote the dump
	 * never filled in the length.
	 */
	bool unpatched;
	/*
	 * The input ends inside the record. May become true only while the body
	 * is read.
	 */
	bool cut;
	/* this record marks a redacted dump, see hp_is_redaction() */
	bool redaction;
	/* hp_reader_body() returned only a part of the body */
	bool partial;
	/*
	 * The number of bytes after the body that are already in memory and can
	 * be prefetched.
	 */
	uint32_t ahead;
};

enum hp_problem_kind {
	/*
	 * The dump was changed by copying it as text. This explains the
	 * problems that are reported after this one. The offset is 0. got: a
	 * number for hp_foreign_file_text().
	 */
	HP_PROBLEM_TRANSFER,
	/*
	 * The input ends inside a record header. got: the number of bytes of
	 * the header that are in the input.
	 */
	HP_PROBLEM_HEAD_SHORT,
	/*
	 * The input ends inside a record. want: the length of its body. got:
	 * the number of bytes of the body that are in the input.
	 */
	HP_PROBLEM_CUT,
	/*
	 * A record has an unknown tag. got: the tag. want: 1 if the header of
	 * another dump begins here, otherwise 0.
	 */
	HP_PROBLEM_TAG,
	/*
	 * Reading ends, because the reader finds no further records. got: the
	 * number of consecutive records with unknown tags. got is 0 if the
	 * reader found no unknown tag, but the input was copied as text, and
	 * the length of a record points past the end of the input. want: 1 if
	 * the header of another dump begins at the first unknown tag.
	 */
	HP_PROBLEM_LOST_SYNC,
	/*
	 * The 32-bit length of a record wrapped at 4 GB. got: the length in the
	 * file. want: the actual length.
	 */
	HP_PROBLEM_OVERFLOW,
	/*
	 * The program that wrote the dump has not filled in the length of a
	 * heap record. got: 0 if the input ends after the record header,
	 * otherwise 1.
	 */
	HP_PROBLEM_UNPATCHED,
};

/* A problem: damage in the length or the tag of a record. */
struct hp_problem {
	enum hp_problem_kind kind;
	uint8_t tag;
	/* offset of the header of the damaged record in the dump */
	uint64_t offset;
	/*
	 * position of the damaged record among all records of the file, from 1
	 */
	uint64_t record;
	uint64_t got, want;
	/*
	 * The offset of the end of the last record with a known tag. Set only
	 * for HP_PROBLEM_LOST_SYNC.
	 */
	uint64_t last_good;
	/*
	 * The position, from 1, of the record in which the input ends. 0: it
	 * does not end inside a record. Set only for HP_PROBLEM_LOST_SYNC.
	 */
	uint64_t cut_record;
};

struct hp_reader;

/**
 * hp_reader_open() - open a reader and read the file header
 * @problem: called with @ctx for each problem, in file order; not NULL
 *
 * Returns: HP_OK, even if the header is invalid (check hp_reader_header());
 *          HP_IO; HP_LIMIT; HP_NOMEM.
 * Ownership: the reader borrows @src until hp_reader_close().
 */
HP_MUST_USE enum hp_status
hp_reader_open(struct hp_reader **out, struct hp_source *src,
	       void (*problem)(void *ctx, const struct hp_problem *p),
	       void *ctx, struct hp_error *err);

void hp_reader_close(struct hp_reader *r);

const struct hp_header *hp_reader_header(const struct hp_reader *r);

/*
 * The position in the input at which a later pass can start: the first record
 * of a dump. If the struct is zeroed, the position is not known.
 */
struct hp_start {
	/*
	 * the offset of the first record of a dump, and its position among all
	 * records of the file
	 */
	uint64_t offset, ordinal;
	unsigned dump; /* number of the dump that begins at this position */
};

/**
 * hp_reader_resume_at() - make the reader start at @place, the first record of
 *                         a dump, and skip everything before it
 *
 * Call it only before the first hp_reader_next(), on the same unchanged input.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_resume_at(struct hp_reader *r,
					       const struct hp_start *place,
					       struct hp_error *err);

/**
 * hp_reader_next() - step to the next top-level record
 * @rec: receives the record, which is valid until the next call
 *
 * Shape:   u1 tag | u4 time | u4 length | body[length]
 * Returns: HP_OK; HP_EOF at the end, also after a problem that ends the
 *          reading; HP_IO, HP_LIMIT, HP_NOMEM.
 * Source:  HPROF manual, "Binary Dump Format"
 */
HP_MUST_USE enum hp_status hp_reader_next(struct hp_reader *r,
					  struct hp_record **rec,
					  struct hp_error *err);

/**
 * hp_reader_strings() - get the STRING records that come next, without
 * consuming them
 * @run: receives the records; borrowed until the next call on @r. The bytes may
 *   also contain other records after the strings
 *
 * The caller reads any number of strings from @run, instead of calling
 * hp_reader_next(), and then calls hp_reader_took().
 * Returns: false if the next record is not a STRING or not in memory yet.
 */
HP_MUST_USE bool hp_reader_strings(const struct hp_reader *r,
				   struct hp_string_run *run);

/*
 * Move the reader past the STRING records that the caller has read from @run,
 * that is, to the current position of @run.
 */
void hp_reader_took(struct hp_reader *r, const struct hp_string_run *run);

/*
 * hp_reader_body() returns at most this many bytes of the body of a record.
 * Heap records can be larger; they are read with other functions.
 */
enum { HP_BODY_MAX = 64 << 20 };

/**
 * hp_reader_body() - read the whole body of the current record
 * @body: borrowed until the next call on @r. It is incomplete if the input is
 *   truncated (rec->cut) or the body is longer than HP_BODY_MAX (rec->partial).
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_body(struct hp_reader *r,
					  struct hp_cursor *body,
					  struct hp_error *err);

/**
 * hp_reader_read() - read the next bytes of the current record's body
 * @got: receives the number of bytes; less than @n only at the end of the body
 *   or of a truncated input
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_read(struct hp_reader *r, void *buf,
					  size_t n, size_t *got,
					  struct hp_error *err);

/**
 * hp_reader_skip() - skip the next @n bytes of the current body
 * @skipped: receives the number of bytes; less than @n only at the end of the
 *   body or of a truncated input
 */
HP_MUST_USE enum hp_status hp_reader_skip(struct hp_reader *r, uint64_t n,
					  uint64_t *skipped,
					  struct hp_error *err);

/*
 * Whether hp_reader_measure() should be called for the current record: the
 * record is a HEAP DUMP in a compressed file, and its 32-bit length may have
 * wrapped at 4 GB.
 */
bool hp_reader_may_measure(const struct hp_reader *r);

/**
 * hp_reader_measure() - check whether the 32-bit length of the current record
 * wrapped at 4 GB, so that the record is longer. Call it at the position where
 * the record ends or becomes invalid
 * @sound: the sub-records end exactly at the end that the length states. In
 *   this case, the function checks whether another record seems to follow.
 * @longer: set to true if the length wrapped; the record then continues to the
 *   end of the input
 *
 * Call it only if hp_reader_may_measure() returns true. If no record seems to
 * follow, the function decompresses the input once more to find its size.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_measure(struct hp_reader *r, bool sound,
					     bool *longer,
					     struct hp_error *err);

/*
 * Returns the number of bytes of the current body that were not read yet;
 * UINT64_MAX if the body extends to the end of the input.
 */
uint64_t hp_reader_left(const struct hp_reader *r);

/* Returns the offset of the next byte to read, in the dump. */
uint64_t hp_reader_tell(const struct hp_reader *r);

#endif
