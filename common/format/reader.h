/*
 * reader.h - the header and the record heads of a dump, one after the other
 *
 * The reader hops from record to record, numbers records and dumps, repairs
 * what can be repaired (a length that wrapped at 4 GB, one that was never
 * patched) and tells where the framing breaks. Heap bodies are left to scan.h.
 */
#ifndef HP_FORMAT_READER_H
#define HP_FORMAT_READER_H

#include "common/format/cursor.h"
#include "common/format/format.h"
#include "common/format/string_run.h"
#include "common/io/source.h"

enum hp_version {
	HP_VERSION_UNKNOWN,
	HP_VERSION_1_0, /* recognised, not decoded */
	HP_VERSION_1_0_1,
	HP_VERSION_1_0_2,
	HP_VERSION_1_0_3,
};

enum hp_header_problem {
	HP_HEADER_FINE,
	HP_HEADER_EMPTY,   /* no byte at all */
	HP_HEADER_MAGIC,   /* does not begin with "JAVA PROFILE " */
	HP_HEADER_VERSION, /* an unknown version, or no NUL in 32 bytes */
	HP_HEADER_SHORT,   /* the input ends inside the header */
	HP_HEADER_ID_SIZE, /* neither 4 nor 8 */
};

struct hp_header {
	enum hp_header_problem problem;
	enum hp_version version;
	char text[33];	 /* as in the file, up to the NUL */
	unsigned length; /* bytes up to the first record */
	uint32_t id_size;
	uint64_t timestamp_ms; /* since 1970-01-01 UTC */
	/* For hp_foreign_file_text(), or 0. No header of a dump: what the file
	 * is; else how a copy may have changed it, if it proves damaged. */
	uint64_t foreign;
	unsigned nstart; /* bytes that the input has, 264 at most */
};

/* Can records be read after this header? */
static inline bool
hp_header_readable(const struct hp_header *h)
{
	return h->version != HP_VERSION_1_0 &&
	       (h->problem == HP_HEADER_FINE ||
		(h->problem == HP_HEADER_VERSION && h->id_size != 0));
}

struct hp_record {
	uint8_t tag;
	uint32_t time;	  /* microseconds since the header's time */
	uint32_t length;  /* as the file says */
	uint64_t body;	  /* bytes it means; UINT64_MAX: to the end */
	uint64_t offset;  /* of the head */
	uint64_t ordinal; /* from 1 */
	unsigned dump;	  /* heap records: the dump they belong to, from 1 */
	bool first;	  /* heap records: the first of its dump */
	bool overflow;	  /* @body was repaired: a length beyond 4 GB */
	bool unpatched;	  /* @body was repaired: a length never written */
	bool cut;	  /* the input ends inside; may turn true while the
			     body is read */
	bool redaction;	  /* a marker, see hp_is_redaction() */
	bool partial;	  /* hp_reader_body() gave its first part only */
	uint32_t ahead;	  /* bytes behind the body that can be looked at, for
			     what is to be fetched before it is needed */
};

enum hp_problem_kind {
	/* The cause of the problems that follow, at offset 0: a copy changed
	 * the bytes. got: how, for hp_foreign_file_text() */
	HP_PROBLEM_TRANSFER,
	HP_PROBLEM_HEAD_SHORT, /* got: bytes left where a head should be */
	HP_PROBLEM_CUT,	       /* want: bytes claimed, got: bytes there */
	/* got: the unknown tag; want: 1 if it begins another dump's header */
	HP_PROBLEM_TAG,
	/* got: unknown tags; 0: a length points beyond the input's end after a
	 * copy changed the bytes. want: as above, of the first; reading ends */
	HP_PROBLEM_LOST_SYNC,
	HP_PROBLEM_OVERFLOW,  /* got: length claimed, want: length meant */
	HP_PROBLEM_UNPATCHED, /* got: 0: the input ends behind the head */
};

/* Where the framing breaks, as a value. */
struct hp_problem {
	enum hp_problem_kind kind;
	uint8_t tag;
	uint64_t offset; /* of the record's head */
	uint64_t record; /* its ordinal */
	uint64_t got, want;
	uint64_t last_good; /* LOST_SYNC: the end of the last known record */
	/* LOST_SYNC: the ordinal of the record that the input ends in; or 0 */
	uint64_t cut_record;
};

struct hp_reader;

/**
 * hp_reader_open() - read the header
 * @problem: called in file order for each problem, with @ctx; not NULL
 *
 * Returns: HP_OK whatever the header holds (look at hp_reader_header());
 *          HP_IO, HP_LIMIT, HP_NOMEM.
 * Ownership: borrows @src until hp_reader_close().
 */
HP_MUST_USE enum hp_status
hp_reader_open(struct hp_reader **out, struct hp_source *src,
	       void (*problem)(void *ctx, const struct hp_problem *p),
	       void *ctx, struct hp_error *err);

void hp_reader_close(struct hp_reader *r);

const struct hp_header *hp_reader_header(const struct hp_reader *r);

/* Where a record's head is: what was counted before it. Zeroed: nowhere. */
struct hp_start {
	uint64_t offset, ordinal; /* of the record */
	unsigned dump;		  /* that begins with it */
};

/**
 * hp_reader_resume_at() - begin with this record, the first one of a dump
 *
 * Only before the first hp_reader_next(), and on an input that is the same.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_resume_at(struct hp_reader *r,
					       const struct hp_start *place,
					       struct hp_error *err);

/**
 * hp_reader_next() - step to the next top-level record
 * @rec: valid on HP_OK until the next call
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
 * hp_reader_strings() - the STRING records that come next
 * @run: borrowed until the next call on @r; records behind them may be in it
 *
 * Instead of hp_reader_next(), for as many as are wanted: hp_reader_took() says
 * which were.
 * Returns: false: the next record is no STRING, or it is not in memory yet.
 */
HP_MUST_USE bool hp_reader_strings(const struct hp_reader *r,
				   struct hp_string_run *run);

/* Those in front of where @run stands now are done. */
void hp_reader_took(struct hp_reader *r, const struct hp_string_run *run);

/* No record's body but a heap record's is kept in memory beyond this. */
enum { HP_BODY_MAX = 64 << 20 };

/**
 * hp_reader_body() - the whole body of the current record
 * @body: borrowed until the next call on @r. Shorter than the record's
 *        length if the input is cut (rec->cut) or the body is longer than
 *        HP_BODY_MAX (rec->partial)
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_body(struct hp_reader *r,
					  struct hp_cursor *body,
					  struct hp_error *err);

/**
 * hp_reader_read() - the next bytes of the current record's body
 * @got: less than @n only at the body's end or where the input is cut
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_read(struct hp_reader *r, void *buf,
					  size_t n, size_t *got,
					  struct hp_error *err);

/**
 * hp_reader_skip() - pass over the next @n bytes of the current body
 * @skipped: less than @n only at the body's end or where the input is cut
 */
HP_MUST_USE enum hp_status hp_reader_skip(struct hp_reader *r, uint64_t n,
					  uint64_t *skipped,
					  struct hp_error *err);

/*
 * May the length of the current record have wrapped, without the reader knowing
 * it? So it is with a HEAP DUMP in a compressed file, until it is measured.
 */
bool hp_reader_may_measure(const struct hp_reader *r);

/**
 * hp_reader_measure() - the current record cannot be decoded beyond a place
 * @sound:  its sub-records end where its length says; whether it ends there,
 *          too, is told by what follows
 * @longer: its length wrapped, and the record goes on to the end of the input
 *
 * Where hp_reader_may_measure(), and something follows that should not, the
 * input is measured, by unpacking it once more.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_reader_measure(struct hp_reader *r, bool sound,
					     bool *longer,
					     struct hp_error *err);

/* Bytes of the current body not yet read; UINT64_MAX: to the end. */
uint64_t hp_reader_left(const struct hp_reader *r);

/* The offset of the next byte to be read. */
uint64_t hp_reader_tell(const struct hp_reader *r);

#endif
