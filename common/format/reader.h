/*
 * reader.h - read the header and the records of a dump
 */
#ifndef HP_FORMAT_READER_H
#define HP_FORMAT_READER_H

#include "common/format/cursor.h"
#include "common/format/format.h"
#include "common/io/source.h"

/* ----------------------------------------------------------------------
 * Consecutive STRING records in memory
 *
 * About 90 % of the records outside the heap are strings, and nearly all of
 * them are complete and short. This interface reads them faster than the record
 * reader, which handles all unusual strings.
 */

struct hp_string_run {
	/* bytes from the header of the next record on */
	struct hp_cursor bytes;
	uint64_t ordinal; /* number of the next record in the file */
	unsigned id_size;
};

/* A text with at most this many bytes can be read without a loop. */
enum { HP_STRING_SHORT = 64 };

struct hp_string_row {
	uint32_t time;
	uint32_t length; /* length of the text in bytes, without the id */
	uint64_t id;
	const uint8_t *text;
	/*
	 * the text is short, and HP_STRING_SHORT bytes can be read at its
	 * address
	 */
	bool is_short;
};

/* The offset of the next record in the dump. */
static inline uint64_t
hp_string_run_offset(const struct hp_string_run *run)
{
	return run->bytes.origin + run->bytes.pos;
}

/**
 * hp_string_run_look() - look at the next of several STRING records, without
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

/* Step over a record that hp_string_run_look() has returned. */
HP_HOT void
hp_string_run_step(struct hp_string_run *run, const struct hp_string_row *row)
{
	run->bytes.pos += HP_HEAD_SIZE + run->id_size + row->length;
	run->ordinal++;
}

/* Step over @n records. @last: the last of these records. */
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
 * The reader steps from record to record, numbers records and dumps, and
 * reports framing errors. It repairs a heap record's length that wrapped at 4
 * GB or was never filled in. scan.h reads the bodies of heap records.
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
	char text[33];	 /* the version text in the file, up to the NUL */
	unsigned length; /* bytes of the header, up to the first record */
	uint32_t id_size;
	/* time of the dump in milliseconds since 1970-01-01 UTC */
	uint64_t timestamp_ms;
	/*
	 * A number for hp_foreign_file_text(), or 0. If the header is invalid,
	 * it says what kind of file this is. Otherwise it says how copying may
	 * have changed the dump, for the case that damage is found.
	 */
	uint64_t foreign;
	unsigned nstart; /* length of the input, but at most 264 */
};

/* Whether records can be read after this header. */
static inline bool
hp_header_readable(const struct hp_header *h)
{
	return h->version != HP_VERSION_1_0 &&
	       (h->problem == HP_HEADER_FINE ||
		(h->problem == HP_HEADER_VERSION && h->id_size != 0));
}

struct hp_record {
	uint8_t tag;
	uint32_t time;	 /* microseconds since the time in the file header */
	uint32_t length; /* length of the body as the record header claims */
	/*
	 * actual length of the body, after repairs; UINT64_MAX: up to the end
	 * of the input
	 */
	uint64_t body;
	uint64_t offset;  /* offset in the dump of the record header */
	uint64_t ordinal; /* number of the record in the file, from 1 */
	/* heap records: the dump that the record belongs to, from 1 */
	unsigned dump;
	bool first; /* heap records: the first record of its dump */
	/* body was repaired, because the length wrapped at 4 GB */
	bool overflow;
	/* body was repaired, because the length was never filled in */
	bool unpatched;
	/*
	 * the input ends inside the record; may become true while the body is
	 * read
	 */
	bool cut;
	/* the marker of a redacted dump, see hp_is_redaction() */
	bool redaction;
	/* hp_reader_body() returned only a part of the body */
	bool partial;
	/*
	 * number of bytes after the body that can be read in memory, for
	 * prefetching
	 */
	uint32_t ahead;
};

enum hp_problem_kind {
	/*
	 * Copying has changed the bytes, which explains the problems that
	 * follow. The offset is 0; got: a number for hp_foreign_file_text().
	 */
	HP_PROBLEM_TRANSFER,
	/* got: number of bytes where a record header should be */
	HP_PROBLEM_HEAD_SHORT,
	/*
	 * The input ends inside a record. want: length of its body; got: bytes
	 * of the body in the input.
	 */
	HP_PROBLEM_CUT,
	/*
	 * got: the unknown tag; want: 1 if the header of another dump begins
	 * here
	 */
	HP_PROBLEM_TAG,
	/*
	 * The reader cannot find further records, and reading ends. got: number
	 * of unknown tags; 0: a length points past the end of an input that was
	 * changed by copying. want: 1 if the first unknown tag begins the
	 * header of another dump.
	 */
	HP_PROBLEM_LOST_SYNC,
	/* got: the length in the file; want: the actual length */
	HP_PROBLEM_OVERFLOW,
	/* got: 0 if the input ends after the record header, else 1 */
	HP_PROBLEM_UNPATCHED,
};

/* Damage in the lengths or tags of records. */
struct hp_problem {
	enum hp_problem_kind kind;
	uint8_t tag;
	uint64_t offset; /* offset in the dump of the record header */
	uint64_t record; /* number of the record in the file */
	uint64_t got, want;
	/* HP_PROBLEM_LOST_SYNC: the end of the last known record */
	uint64_t last_good;
	/*
	 * HP_PROBLEM_LOST_SYNC: ordinal of the record in which the input ends;
	 * 0: none
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
 * Where a later pass can start: at this record, which has these numbers. A
 * zeroed struct means that there is no such record.
 */
struct hp_start {
	/* offset of the record, and its number in the file */
	uint64_t offset, ordinal;
	unsigned dump; /* number of the dump that begins there */
};

/**
 * hp_reader_resume_at() - start at this record, the first one of a dump
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
 * @run: borrowed until the next call on @r; may contain other records after the
 *   strings
 *
 * Use this instead of hp_reader_next() for as many strings as you want. Then
 * call hp_reader_took().
 * Returns: false if the next record is not a STRING or not in memory yet.
 */
HP_MUST_USE bool hp_reader_strings(const struct hp_reader *r,
				   struct hp_string_run *run);

/*
 * Step over the strings that the caller has read: all records before the
 * current position of @run.
 */
void hp_reader_took(struct hp_reader *r, const struct hp_string_run *run);

/*
 * The maximum number of bytes of a record's body that are kept in memory. Heap
 * records are not kept in memory.
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
 * Whether the length of the current record may have wrapped at 4 GB. For a HEAP
 * DUMP in a compressed file this is unknown until the input is measured.
 */
bool hp_reader_may_measure(const struct hp_reader *r);

/**
 * hp_reader_measure() - check whether the current record, which ends or becomes
 * invalid here, is really longer
 * @sound: the sub-records end exactly where the length of the record says. Then
 *   the bytes that follow decide whether the record ends there.
 * @longer: set to true if the length wrapped, so that the record continues to
 *   the end of the input
 *
 * Needs hp_reader_may_measure(). If no record seems to follow, the function
 * measures the input by decompressing it once more.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_measure(struct hp_reader *r, bool sound,
					     bool *longer,
					     struct hp_error *err);

/*
 * The number of bytes of the current body that were not read yet; UINT64_MAX:
 * the body extends to the end of the input.
 */
uint64_t hp_reader_left(const struct hp_reader *r);

/* The offset of the next byte. */
uint64_t hp_reader_tell(const struct hp_reader *r);

#endif
