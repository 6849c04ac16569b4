/*
 * reader.c - read the file header and the headers of records; correct wrong
 * lengths, and detect that the file is truncated
 *
 * The bytes of the file are read into a buffer, called the window. After a long
 * skip, only a few bytes are read into it. So stepping over long records is
 * cheap.
 */
#include "common/format/reader.h"

#include "common/base/memory.h"
#include "common/format/foreign_file.h"

enum {
	WINDOW_MIN = 512,
	WINDOW_MAX = 256 << 10,
	LONG_SKIP = 64 << 10,
	/*
	 * The number of bytes that are read to parse the file header. The
	 * header is never longer.
	 */
	START_BYTES = 264,
	/*
	 * After this many unknown tags in a row, the reader no longer knows
	 * where records begin.
	 */
	UNKNOWN_IN_A_ROW = 4,
	/*
	 * After this many known tags in a row, the reader assumes that it knows
	 * again where records begin.
	 */
	KNOWN_IN_A_ROW = 4,
	STRING_PLAUSIBLE = 16 << 20,
};

struct hp_reader {
	struct hp_source *src;
	void (*problem)(void *ctx, const struct hp_problem *p);
	void *ctx;
	struct hp_header header;
	/*
	 * The window (a buffer): the next bytes of the dump are buf[pos] to
	 * buf[fill - 1]. `offset` is the offset of buf[pos] in the dump.
	 */
	uint8_t *buf;
	size_t cap, pos, fill, step;
	uint64_t offset;
	/* the window (buffer) contains the last bytes of the source */
	bool at_end;
	struct hp_record rec;
	/*
	 * The number of bytes of the record's body that were not read yet.
	 * UINT64_MAX: the body extends to the end of the input.
	 */
	uint64_t body_left;
	uint64_t ordinal;
	/*
	 * The start of the current sequence of records with unknown tags: the
	 * offset of its first record, and the position of this record among all
	 * records.
	 */
	uint64_t sync_lost_at;
	uint64_t sync_lost_record;
	/*
	 * The record at sync_lost_at is not a record, but the file header of
	 * another dump.
	 */
	bool sync_lost_to_dump;
	uint64_t last_good;
	/* number of consecutive records with unknown tags, up to now */
	unsigned unknown;
	/*
	 * 0: the reader knows where records begin. Otherwise: the number of
	 * consecutive records with known tags that must still follow until the
	 * reader knows it again.
	 */
	unsigned doubt;
	/*
	 * The number of unknown tags since the reader lost track of where
	 * records begin.
	 */
	uint64_t tags;
	/*
	 * explain_problem() was called, so it is known whether the file was
	 * changed by copying it as text.
	 */
	bool explained;
	unsigned dump; /* number of the last dump of the file that has begun */
	/* the last dump has begun, and its HEAP DUMP END was not read yet */
	bool dump_open;
	bool ended;
};

static HP_APART enum hp_status
window_read(struct hp_reader *r, size_t n, struct hp_error *err)
{
	size_t want, got;
	enum hp_status st;
	uint8_t *grown;

	memmove(r->buf, r->buf + r->pos, r->fill - r->pos);
	r->fill -= r->pos;
	r->pos = 0;
	if (r->step < WINDOW_MAX)
		r->step *= 2;
	while (r->fill < n && !r->at_end) {
		/*
		 * The length in the header of a record may be wrong. So enlarge
		 * the window (buffer) step by step while bytes arrive.
		 */
		if (r->fill == r->cap) {
			grown = hp_realloc(r->buf, r->cap * 2);
			if (!grown)
				return hp_no_memory(err);
			r->buf = grown;
			r->cap *= 2;
		}
		want = r->step > n - r->fill ? r->step : n - r->fill;
		if (want > r->cap - r->fill)
			want = r->cap - r->fill;
		st = hp_source_read(r->src, r->buf + r->fill, want, &got, err);
		if (st != HP_OK)
			return st;
		r->fill += got;
		r->at_end = got < want;
	}
	return HP_OK;
}

/*
 * Make at least @n bytes available in the window (buffer), or fewer at the end
 * of the input.
 */
static inline enum hp_status
window_fill(struct hp_reader *r, size_t n, struct hp_error *err)
{
	return HP_LIKELY(r->fill - r->pos >= n || r->at_end)
		       ? HP_OK
		       : window_read(r, n, err);
}

static size_t
window_length(const struct hp_reader *r)
{
	return r->fill - r->pos;
}

static const uint8_t *
window_at(const struct hp_reader *r)
{
	return r->buf + r->pos;
}

static void
window_skip(struct hp_reader *r, size_t n)
{
	r->pos += n;
	r->offset += n;
}

/*
 * Skip @n bytes: first those in the window (buffer), then bytes of the source.
 * *@passed receives the number of bytes that were skipped, which is less than
 * @n only if the input ends before.
 */
static enum hp_status
skip_bytes(struct hp_reader *r, uint64_t n, uint64_t *passed,
	   struct hp_error *err)
{
	uint64_t skipped = 0;
	enum hp_status st;

	*passed = n < window_length(r) ? n : window_length(r);
	window_skip(r, (size_t)*passed);
	if (*passed == n || r->at_end)
		return HP_OK;
	st = hp_source_skip(r->src, n - *passed, &skipped, err);
	r->offset += skipped;
	*passed += skipped;
	r->at_end = *passed < n;
	r->pos = r->fill = 0;
	if (skipped > LONG_SKIP)
		r->step = WINDOW_MIN / 2;
	return st;
}

/*
 * Called before the first message about damage. If the file seems to have been
 * changed when it was copied as text, report this first, because it is the
 * cause. Wrong lengths that HotSpot itself writes are not reported in this way.
 */
static void
explain_problem(struct hp_reader *r, enum hp_problem_kind kind)
{
	const struct hp_problem p = {.kind = HP_PROBLEM_TRANSFER,
				     .got = r->header.foreign};

	if (r->explained || kind == HP_PROBLEM_OVERFLOW ||
	    kind == HP_PROBLEM_UNPATCHED)
		return;
	r->explained = true;
	if (p.got)
		r->problem(r->ctx, &p);
}

/*
 * Report damage in a record. @offset: the offset of the record in the dump;
 * @ordinal: its position among all records of the file, from 1.
 */
static void
report_problem_at(struct hp_reader *r, uint64_t offset, uint64_t ordinal,
		  enum hp_problem_kind kind, uint64_t got, uint64_t want)
{
	struct hp_problem p = {
		.kind = kind,
		.tag = r->rec.tag,
		.offset = offset,
		.record = ordinal,
		.got = got,
		.want = want,
		.last_good = r->last_good,
		.cut_record = r->rec.cut ? r->ordinal : 0,
	};

	explain_problem(r, kind);
	r->problem(r->ctx, &p);
}

static void
report_problem(struct hp_reader *r, enum hp_problem_kind kind, uint64_t got,
	       uint64_t want)
{
	report_problem_at(r, r->rec.offset, r->rec.ordinal, kind, got, want);
}

/*
 * Report that the reader no longer knows where records begin. The report is
 * about the first record with an unknown tag. The current record is not
 * changed: the caller may still read its body, and report damage there with the
 * offset and the number of this record.
 */
static void
report_lost_sync(struct hp_reader *r)
{
	report_problem_at(r, r->sync_lost_at, r->sync_lost_record,
			  HP_PROBLEM_LOST_SYNC, r->tags, r->sync_lost_to_dump);
}

/*
 * Report once that the input ends inside the body of a record.
 *
 * If there was an unknown tag shortly before, or if the bytes were changed when
 * the file was copied as text, the input is probably complete and the length is
 * wrong. In this case, report that the reader no longer knows where records
 * begin.
 */
static void
note_truncated_body(struct hp_reader *r)
{
	uint64_t there = r->offset - r->rec.offset - HP_HEAD_SIZE;

	r->body_left = 0;
	/*
	 * the length of the body was unknown because it extends to the end of
	 * the input, which was reached now
	 */
	if (r->rec.body == UINT64_MAX) {
		r->rec.body = there;
		return;
	}
	r->rec.cut = true;
	if (r->doubt > 0) {
		report_lost_sync(r);
	} else if (r->header.foreign) {
		r->tags = 0;
		r->sync_lost_at = r->rec.offset;
		r->sync_lost_record = r->rec.ordinal;
		r->sync_lost_to_dump = false;
		report_lost_sync(r);
	} else {
		report_problem(r, HP_PROBLEM_CUT, there, r->rec.body);
	}
}

static enum hp_version
version_of(const char *text)
{
	static const char *const known[] = {"1.0", "1.0.1", "1.0.2", "1.0.3"};
	unsigned i;

	for (i = 0; i < HP_ARRAY_LEN(known); i++)
		if (strcmp(text + 13, known[i]) == 0)
			return (enum hp_version)(HP_VERSION_1_0 + i);
	return HP_VERSION_UNKNOWN;
}

/*
 * Read the header: text | NUL | u4 id size | u8 milliseconds. Sets
 * header.problem.
 */
static enum hp_status
read_header(struct hp_reader *r, struct hp_error *err)
{
	static const char magic[] = "JAVA PROFILE ";
	struct hp_header *h = &r->header;
	enum hp_status st = window_fill(r, HP_FOREIGN_BYTES, err);
	const uint8_t *p = window_at(r), *nul;
	size_t have = window_length(r), magic_len = sizeof(magic) - 1;

	if (st != HP_OK)
		return st;
	if (have > HP_FOREIGN_BYTES)
		have = HP_FOREIGN_BYTES;
	h->nstart = have < START_BYTES ? (unsigned)have : START_BYTES;
	h->foreign = hp_foreign_file(p, have);
	h->problem = HP_HEADER_EMPTY;
	if (have == 0)
		return HP_OK;
	h->problem = HP_HEADER_MAGIC;
	if (memcmp(p, magic, have < magic_len ? have : magic_len) != 0)
		return HP_OK;
	nul = memchr(p, 0, have < 32 ? have : 32);
	h->problem = nul || have >= 32 ? HP_HEADER_VERSION : HP_HEADER_SHORT;
	if (!nul)
		return HP_OK;
	memcpy(h->text, p, (size_t)(nul - p) + 1);
	h->version = version_of(h->text);
	h->length = (unsigned)(nul - p) + 13;
	h->problem = HP_HEADER_SHORT;
	if (have < h->length)
		return HP_OK;
	h->foreign = hp_foreign_transfer(p, have);
	h->id_size = hp_load4(nul + 1);
	h->timestamp_ms = hp_load8(nul + 5);
	window_skip(r, h->length);
	h->problem = HP_HEADER_FINE;
	if (h->id_size != 4 && h->id_size != 8)
		h->problem = HP_HEADER_ID_SIZE;
	else if (h->version == HP_VERSION_UNKNOWN)
		h->problem = HP_HEADER_VERSION;
	return HP_OK;
}

/*
 * Check that the file header is the same as in earlier passes. The program uses
 * the id size that the first pass has found, so a later pass must fail if the
 * header has changed.
 */
static enum hp_status
check_source_unchanged(struct hp_reader *r, struct hp_error *err)
{
	const struct hp_header *h = &r->header;
	uint64_t *mark = hp_source_mark(r->src);
	uint64_t is = 1 | (uint64_t)h->problem << 8 |
		      (uint64_t)h->version << 16 | (uint64_t)h->id_size << 32;

	if (*mark != 0 && *mark != is)
		return hp_fail(err, HP_IO,
			       "the file was changed while it was read");
	*mark = is;
	return HP_OK;
}

enum hp_status
hp_reader_open(struct hp_reader **out, struct hp_source *src,
	       void (*problem)(void *ctx, const struct hp_problem *p),
	       void *ctx, struct hp_error *err)
{
	struct hp_reader *r = hp_calloc(1, sizeof(*r));
	enum hp_status st;

	*out = NULL;
	if (r)
		r->buf = hp_malloc(WINDOW_MAX);
	if (!r || !r->buf) {
		hp_free(r);
		return hp_no_memory(err);
	}
	/*
	 * Zero only the first bytes of the buffer. The kernel allocates the
	 * other pages of the buffer only when they are used.
	 */
	memset(r->buf, 0, WINDOW_MIN);
	r->src = src;
	r->problem = problem;
	r->ctx = ctx;
	r->cap = WINDOW_MAX;
	r->step = WINDOW_MIN / 2;
	st = read_header(r, err);
	if (st == HP_OK)
		st = check_source_unchanged(r, err);
	if (st != HP_OK) {
		hp_reader_close(r);
		return st;
	}
	r->last_good = r->offset;
	r->ended = !hp_header_readable(&r->header);
	*out = r;
	return HP_OK;
}

enum hp_status
hp_reader_resume_at(struct hp_reader *r, const struct hp_start *place,
		    struct hp_error *err)
{
	uint64_t passed;
	enum hp_status st;

	st = skip_bytes(r, place->offset - r->offset, &passed, err);
	r->ordinal = place->ordinal - 1;
	r->dump = place->dump - 1;
	return st;
}

void
hp_reader_close(struct hp_reader *r)
{
	if (!r)
		return;
	hp_free(r->buf);
	hp_free(r);
}

const struct hp_header *
hp_reader_header(const struct hp_reader *r)
{
	return &r->header;
}

/*
 * Whether the @have bytes at @p look like the header of a record. Called, for
 * example, after a heap record of length 0. Such a record is either empty, or
 * the program that wrote the dump has never filled in its length.
 */
static bool
head_plausible(const uint8_t *p, size_t have, unsigned id_size)
{
	const struct hp_record_desc *d = hp_record_desc(p[0]);
	uint32_t length;

	if (!d || have < HP_HEAD_SIZE)
		return false;
	length = hp_load4(p + 5);
	switch (d->ending) {
	case HP_ENDS_NOTHING:
		return length == hp_record_fixed[hp_widen(id_size)][p[0]];
	case HP_ENDS_HEAP:
		if (length == 0 || have <= HP_HEAD_SIZE)
			return length == 0;
		return hp_subrecord_desc(p[HP_HEAD_SIZE]) != NULL;
	default:
		return length >= hp_record_fixed[hp_widen(id_size)][p[0]] &&
		       length < STRING_PLAUSIBLE;
	}
}

/*
 * Returns how many bytes of the input follow the header of the current record;
 * 0 if this is not known.
 */
static uint64_t
bytes_behind_head(const struct hp_reader *r, uint64_t size)
{
	return size == UINT64_MAX ? 0 : size - r->rec.offset - HP_HEAD_SIZE;
}

/*
 * The 32-bit length of a record wraps at 4 GB. If this seems to have happened,
 * let the current record extend to the end of the input, and return true.
 */
static bool
repair_wrapped_length(struct hp_reader *r)
{
	struct hp_record *rec = &r->rec;
	uint64_t rest = bytes_behind_head(r, hp_source_length(r->src));

	if (rec->tag != HP_REC_HEAP_DUMP || !(rest >> 32) ||
	    (uint32_t)rest != rec->length)
		return false;
	rec->overflow = true;
	rec->body = rest;
	report_problem(r, HP_PROBLEM_OVERFLOW, rec->length, rest);
	return true;
}

bool
hp_reader_may_measure(const struct hp_reader *r)
{
	return r->rec.tag == HP_REC_HEAP_DUMP && !r->rec.overflow &&
	       !r->rec.unpatched && !r->rec.cut &&
	       hp_source_length(r->src) == UINT64_MAX &&
	       hp_source_rewindable(r->src) && !hp_source_translated(r->src);
}

enum hp_status
hp_reader_measure(struct hp_reader *r, bool sound, bool *longer,
		  struct hp_error *err)
{
	uint64_t claimed = r->rec.body;
	enum hp_status st = HP_OK;

	*longer = false;
	if (!hp_reader_may_measure(r))
		return HP_OK;
	if (r->body_left == 0)
		st = window_fill(r, HP_HEAD_SIZE + 1, err);
	if (st != HP_OK)
		return st;
	if (r->body_left == 0 &&
	    (window_length(r) == 0 ||
	     (sound && head_plausible(window_at(r), window_length(r),
				      r->header.id_size))))
		return HP_OK;
	st = hp_source_measure(r->src, err);
	if (st != HP_OK)
		return st;
	*longer = repair_wrapped_length(r);
	r->body_left += r->rec.body - claimed;
	return HP_OK;
}

/*
 * Correct the two kinds of wrong lengths that HotSpot writes for heap records.
 */
static enum hp_status
repair_heap_length(struct hp_reader *r, struct hp_error *err)
{
	struct hp_record *rec = &r->rec;
	uint64_t size = hp_source_size(r->src);
	enum hp_status st;
	bool follows;

	if (repair_wrapped_length(r))
		return HP_OK;
	if (rec->length != 0)
		return HP_OK;
	st = window_fill(r, HP_HEAD_SIZE + 1, err);
	if (st != HP_OK)
		return st;
	follows = window_length(r) > 0;
	/*
	 * The length of a HEAP DUMP SEGMENT at the end of the input is not
	 * corrected: the HEAP DUMP END after it is missing, so the dump is
	 * incomplete anyway.
	 */
	if (follows ? head_plausible(window_at(r), window_length(r),
				     r->header.id_size)
		    : rec->tag != HP_REC_HEAP_DUMP)
		return HP_OK;
	rec->unpatched = true;
	if (follows)
		rec->body = size == UINT64_MAX ? UINT64_MAX
					       : bytes_behind_head(r, size);
	report_problem(r, HP_PROBLEM_UNPATCHED, follows, 0);
	return HP_OK;
}

static void
assign_dump_number(struct hp_reader *r)
{
	struct hp_record *rec = &r->rec;

	if (rec->tag == HP_REC_HEAP_DUMP || !r->dump_open) {
		r->dump++;
		rec->first = true;
	}
	r->dump_open = rec->tag == HP_REC_HEAP_DUMP_SEGMENT;
	rec->dump = r->dump;
}

/*
 * Handle the record header @head with an unknown tag. Returns true if there
 * were too many consecutive unknown tags, so that reading must end. If it
 * returns false, the caller skips the record.
 */
static bool
sync_is_lost(struct hp_reader *r, const uint8_t *head)
{
	/*
	 * If two dumps were concatenated, these bytes are the file header of
	 * the second dump.
	 */
	bool dump = memcmp(head, "JAVA PROF", HP_HEAD_SIZE) == 0;

	r->unknown++;
	if (r->doubt == 0) {
		r->tags = 0;
		r->sync_lost_at = r->rec.offset;
		r->sync_lost_record = r->rec.ordinal;
		r->sync_lost_to_dump = dump;
	}
	r->doubt = KNOWN_IN_A_ROW;
	r->tags++;
	report_problem(r, HP_PROBLEM_TAG, r->rec.tag, dump);
	if (r->unknown < UNKNOWN_IN_A_ROW)
		return false;
	report_lost_sync(r);
	return true;
}

static enum hp_status
finish_body(struct hp_reader *r, struct hp_error *err)
{
	uint64_t passed;
	enum hp_status st = HP_OK;

	if (r->body_left > 0)
		st = hp_reader_skip(r, r->body_left, &passed, err);
	if (r->doubt == 0)
		r->last_good = r->offset;
	return st;
}

/*
 * A tool that redacts a dump adds a record that marks the dump as redacted.
 * Check whether the current record is this record.
 */
static enum hp_status
look_for_redaction(struct hp_reader *r, struct hp_error *err)
{
	enum hp_status st = window_fill(r, HP_REDACTION_SIGNATURE, err);

	if (st == HP_OK)
		r->rec.redaction =
			hp_is_redaction(r->rec.tag, r->rec.length, window_at(r),
					window_length(r));
	return st;
}

enum hp_status
hp_reader_next(struct hp_reader *r, struct hp_record **rec,
	       struct hp_error *err)
{
	const struct hp_record_desc *d;
	enum hp_status st;
	const uint8_t *p;
	bool heap;

	if (r->ended)
		return HP_EOF;
	st = finish_body(r, err);
	if (st == HP_OK)
		st = window_fill(r, HP_HEAD_SIZE, err);
	if (st != HP_OK)
		return st;
	if (window_length(r) == 0 || r->rec.cut) {
		r->ended = true;
		return HP_EOF;
	}
	p = window_at(r);
	r->rec = (struct hp_record){
		.tag = p[0], .offset = r->offset, .ordinal = ++r->ordinal};
	if (window_length(r) < HP_HEAD_SIZE) {
		report_problem(r, HP_PROBLEM_HEAD_SHORT, window_length(r),
			       HP_HEAD_SIZE);
		r->ended = true;
		return HP_EOF;
	}
	r->rec.time = hp_load4(p + 1);
	r->rec.length = hp_load4(p + 5);
	r->rec.body = r->rec.length;
	window_skip(r, HP_HEAD_SIZE);
	d = hp_record_desc(r->rec.tag);
	heap = d && d->ending == HP_ENDS_HEAP;
	if (heap) {
		st = repair_heap_length(r, err);
		assign_dump_number(r);
	} else if (r->rec.tag == HP_REC_HEAP_DUMP_END) {
		r->rec.dump = r->dump_open ? r->dump : 0;
		r->dump_open = false;
	}
	if (st == HP_OK && r->rec.tag == HP_TAG_REDACTION)
		st = look_for_redaction(r, err);
	if (d || r->rec.redaction) {
		r->unknown = 0;
		r->doubt -= r->doubt > 0;
	} else if (sync_is_lost(r, p)) {
		r->ended = true;
		return HP_EOF;
	}
	r->body_left = r->rec.body;
	*rec = &r->rec;
	return st;
}

bool
hp_reader_strings(const struct hp_reader *r, struct hp_string_run *run)
{
	*run = (struct hp_string_run){.bytes = {.data = window_at(r),
						.len = window_length(r),
						.origin = r->offset},
				      .ordinal = r->ordinal + 1,
				      .id_size = r->header.id_size};
	return !r->ended && r->body_left == 0 && !r->rec.cut &&
	       window_length(r) > 0 && *window_at(r) == HP_REC_STRING;
}

void
hp_reader_took(struct hp_reader *r, const struct hp_string_run *run)
{
	uint64_t records = run->ordinal - 1 - r->ordinal;

	window_skip(r, (size_t)run->bytes.pos);
	if (records > 0)
		r->unknown = 0;
	r->doubt -= records < r->doubt ? (unsigned)records : r->doubt;
	r->ordinal = run->ordinal - 1;
}

enum hp_status
hp_reader_body(struct hp_reader *r, struct hp_cursor *body,
	       struct hp_error *err)
{
	uint64_t n = r->body_left;
	enum hp_status st;

	if (n > HP_BODY_MAX) {
		n = HP_BODY_MAX;
		r->rec.partial = true;
	}
	st = window_fill(r, (size_t)n, err);
	if (st != HP_OK)
		return st;
	if (n > window_length(r))
		n = window_length(r);
	*body = (struct hp_cursor){
		.data = window_at(r), .len = n, .origin = r->offset};
	window_skip(r, (size_t)n);
	r->body_left -= n;
	r->rec.ahead = r->body_left ? 0 : (uint32_t)window_length(r);
	if (r->at_end && window_length(r) == 0 && r->body_left > 0)
		note_truncated_body(r);
	return HP_OK;
}

enum hp_status
hp_reader_read(struct hp_reader *r, void *buf, size_t n, size_t *got,
	       struct hp_error *err)
{
	size_t have, direct = 0;
	enum hp_status st = HP_OK;

	if (n > r->body_left)
		n = (size_t)r->body_left;
	have = window_length(r) < n ? window_length(r) : n;
	memcpy(buf, window_at(r), have);
	window_skip(r, have);
	if (have < n && !r->at_end) {
		st = hp_source_read(r->src, (uint8_t *)buf + have, n - have,
				    &direct, err);
		r->offset += direct;
		r->at_end = have + direct < n;
		r->pos = r->fill = 0;
		r->step = WINDOW_MIN / 2;
	}
	*got = have + direct;
	if (r->body_left != UINT64_MAX)
		r->body_left -= *got;
	if (st == HP_OK && *got < n)
		note_truncated_body(r);
	return st;
}

enum hp_status
hp_reader_skip(struct hp_reader *r, uint64_t n, uint64_t *skipped,
	       struct hp_error *err)
{
	enum hp_status st;

	if (n > r->body_left)
		n = r->body_left;
	st = skip_bytes(r, n, skipped, err);
	if (r->body_left != UINT64_MAX)
		r->body_left -= *skipped;
	if (st == HP_OK && *skipped < n)
		note_truncated_body(r);
	return st;
}

uint64_t
hp_reader_left(const struct hp_reader *r)
{
	return r->body_left;
}

uint64_t
hp_reader_tell(const struct hp_reader *r)
{
	return r->offset;
}
