/*
 * framing.c - which problems of an input are errors, and their texts
 */
#include "convert/framing.h"

#include "common/buf.h"
#include "common/format/guess.h"
#include "common/text/translation.h"

#include <stdio.h>

void
hp_framing_init(struct hp_framing *f)
{
	*f = (struct hp_framing){.offset = UINT64_MAX};
}

static void note(struct hp_framing *f, uint64_t offset, const char *fmt, ...)
	HP_PRINTF(3, 4);

/* Keep what stands first in the file; of two at one place, the first noted. */
static void
note(struct hp_framing *f, uint64_t offset, const char *fmt, ...)
{
	char text[200];
	va_list args;

	if (offset >= f->offset)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	f->offset = offset;
	f->error = (struct hp_error){0};
	hp_fail(&f->error, HP_DAMAGED, "offset %llu: %s",
		(unsigned long long)offset, text);
}

void
hp_framing_problem(struct hp_framing *f, const struct hp_problem *p)
{
	unsigned long long got = p->got, want = p->want;

	switch (p->kind) {
	case HP_PROBLEM_HEAD_SHORT:
		note(f, p->offset, "%llu bytes are left, too few for a record",
		     got);
		break;
	case HP_PROBLEM_CUT:
		note(f, p->offset,
		     "the input ends inside a record: %llu of %llu bytes", got,
		     want);
		break;
	case HP_PROBLEM_LOST_SYNC:
		note(f, p->offset, "%llu unknown records in a row", got);
		break;
	case HP_PROBLEM_UNPATCHED:
		note(f, p->offset,
		     "the length of a heap record was never written");
		break;
	case HP_PROBLEM_TAG:
	case HP_PROBLEM_OVERFLOW:
		break;
	}
}

void
hp_framing_header(struct hp_framing *f, const struct hp_header *h)
{
	const char *what = hp_guess_text(hp_guess(h));

	f->id_size = h->id_size;
	switch (h->problem) {
	case HP_HEADER_FINE:
		break;
	case HP_HEADER_EMPTY:
		note(f, 0, "the input is empty");
		break;
	case HP_HEADER_MAGIC:
	case HP_HEADER_VERSION:
		if (what && !h->text[0])
			note(f, 0, "this is no HPROF dump: it is %s", what);
		else
			note(f, 0,
			     h->problem == HP_HEADER_MAGIC
				     ? "this is no HPROF dump"
				     : "unknown version of the format");
		break;
	case HP_HEADER_SHORT:
		note(f, 0, "the input ends inside the header");
		break;
	case HP_HEADER_ID_SIZE:
		note(f, 0, "identifiers of %u bytes: only 4 and 8 are known",
		     h->id_size);
		break;
	}
	if (h->problem == HP_HEADER_FINE && !hp_header_readable(h))
		note(f, 0, "version 1.0 of the format is not supported");
}

/* Bytes of a row behind a record's fields; 0: there are none. */
static unsigned
row_size(enum hp_ending ending, unsigned id_size)
{
	switch (ending) {
	case HP_ENDS_FRAME_IDS:
		return id_size;
	case HP_ENDS_SITE_ROWS:
		return 25;
	case HP_ENDS_SAMPLE_ROWS:
		return 8;
	default:
		return 0;
	}
}

/* A record that counts rows: the count is its fields' last four bytes. */
static void
check_counted(struct hp_framing *f, const struct hp_record *rec,
	      const struct hp_cursor *body, const char *name, unsigned row)
{
	unsigned fixed = hp_record_fixed[hp_wide(f->id_size)][rec->tag];
	uint64_t n;

	if (rec->body < fixed || body->len < fixed) {
		note(f, rec->offset, "%s of %llu bytes is too short", name,
		     (unsigned long long)rec->body);
		return;
	}
	n = hp_load4(body->data + fixed - 4);
	if (n * row != rec->body - fixed)
		note(f, rec->offset,
		     "%s of %llu bytes does not fit its count, %llu", name,
		     (unsigned long long)rec->body, (unsigned long long)n);
}

void
hp_framing_record(struct hp_framing *f, const struct hp_record *rec,
		  struct hp_cursor body)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);
	unsigned fixed, row;

	f->records++;
	if (!d || rec->cut)
		return;
	fixed = hp_record_fixed[hp_wide(f->id_size)][rec->tag];
	row = row_size(d->ending, f->id_size);
	if (row > 0) {
		check_counted(f, rec, &body, d->name, row);
	} else if (d->ending == HP_ENDS_TEXT) {
		if (rec->body < fixed)
			note(f, rec->offset, "%s shorter than its id", d->name);
	} else if (d->ending == HP_ENDS_NOTHING && fixed > 0 &&
		   rec->body != fixed) {
		note(f, rec->offset, "%s of %llu bytes, not %u", d->name,
		     (unsigned long long)rec->body, fixed);
	}
}

void
hp_framing_unknown(struct hp_framing *f, const struct hp_record *rec)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);

	if (d && (d->ending == HP_ENDS_HEAP || d->ending == HP_ENDS_TEXT ||
		  row_size(d->ending, f->id_size) > 0 ||
		  rec->body == hp_record_fixed[hp_wide(f->id_size)][rec->tag]))
		return;
	note(f, rec->offset,
	     "%s, tag 0x%02x, has %llu bytes of which nobody knows what they "
	     "are; they cannot be stripped",
	     d ? d->name : "a record", rec->tag, (unsigned long long)rec->body);
}

static const char *
container_text(enum hp_container_problem p)
{
	switch (p) {
	case HP_CONTAINER_GZIP_MEMBER:
		return "a gzip member is damaged";
	case HP_CONTAINER_GZIP_TRUNCATED:
		return "the gzip file is cut";
	case HP_CONTAINER_ZSTD_FRAME:
		return "a zstd frame is damaged";
	case HP_CONTAINER_ZSTD_TRUNCATED:
		return "the zstd file is cut";
	case HP_CONTAINER_DEPTH:
		return "more than three layers of compression";
	case HP_CONTAINER_PACK_TRUNCATED:
		return "the pack is cut";
	case HP_CONTAINER_PACK_HASH:
		return "the pack's blocks do not make up what was packed";
	default:
		return NULL;
	}
}

/* Every block of a pack that is lost, with its range of the dump. */
static void
lost_blocks(const struct hp_container_note *notes, size_t n,
	    struct hp_error *out)
{
	struct hp_buf text = {0};

	for (size_t i = 0; i < n; i++) {
		const struct hp_container_note *b = &notes[i];

		if (b->problem != HP_CONTAINER_PACK_BLOCK)
			continue;
		hp_buf_text(&text, text.len ? ", " : "damaged in the pack: ");
		hp_buf_printf(&text, "block %llu (%llu bytes from %llu on)",
			      (unsigned long long)b->got,
			      (unsigned long long)b->want,
			      (unsigned long long)b->offset);
		if (b->count > 1)
			hp_buf_printf(&text, " and %llu others",
				      (unsigned long long)b->count - 1);
	}
	if (text.len)
		hp_fail(out, HP_DAMAGED, "%s", hp_buf_string(&text));
	hp_buf_release(&text);
}

struct hp_error
hp_framing_container(struct hp_source *src)
{
	const struct hp_container_note *notes;
	struct hp_error e = {0};
	size_t n;

	notes = hp_source_notes(src, &n);
	lost_blocks(notes, n, &e);
	for (size_t i = 0; i < n && e.status == HP_OK; i++) {
		const char *text = container_text(notes[i].problem);

		if (notes[i].problem == HP_CONTAINER_TEXT)
			hp_fail(&e, HP_DAMAGED, "line %llu: %s",
				(unsigned long long)notes[i].raw,
				hp_text_oddity_text((unsigned)notes[i].got));
		else if (text)
			hp_fail(&e, HP_DAMAGED, "offset %llu: %s",
				(unsigned long long)notes[i].offset, text);
	}
	return e;
}

void
hp_framing_end(struct hp_framing *f, struct hp_source *src)
{
	const struct hp_error e = hp_framing_container(src);

	if (e.status != HP_OK) { /* the cause comes first */
		f->error = e;
		f->offset = 0;
	}
	if (f->records == 0)
		note(f, 0, "there is no record after the header");
}

bool
hp_framing_sub(const struct hp_heap_iter *it, struct hp_error *err)
{
	unsigned long long at = hp_heap_offset(it);

	switch (it->stop) {
	case HP_HEAP_END:
		return true;
	case HP_HEAP_CUT:
		if (hp_heap_left(it) == 0)
			return true;
		hp_fail(err, HP_DAMAGED, "offset %llu: a sub-record is cut",
			at);
		break;
	case HP_HEAP_UNKNOWN_TAG:
		hp_fail(err, HP_DAMAGED,
			"offset %llu: unknown sub-record 0x%02x", at,
			(unsigned)it->at[0]);
		break;
	case HP_HEAP_REMAINDER:
		hp_fail(err, HP_DAMAGED,
			"offset %llu: %llu bytes are left in the record, too "
			"few for a sub-record",
			at, (unsigned long long)hp_heap_limit(it));
		break;
	case HP_HEAP_OVERRUN:
		hp_fail(err, HP_DAMAGED,
			"offset %llu: a sub-record passes its record's end",
			at);
		break;
	case HP_HEAP_ARRAY:
		hp_fail(err, HP_DAMAGED,
			"offset %llu: an array passes its record's end", at);
		break;
	case HP_HEAP_TYPE:
		hp_fail(err, HP_DAMAGED, "offset %llu: no such type",
			(unsigned long long)it->bad);
		break;
	}
	return false;
}
