/*
 * salvage.c - recover the valid part of a damaged dump
 *
 * The salvage reads the dump in several rounds. A round is a scan of the whole
 * dump. The first round only learns which classes there are. The second round
 * copies the valid parts to a temporary file: complete records, and complete
 * sub-records as segments. If this round finds classes that were not known
 * before, another round follows. At the end, filter_objects.c writes the result
 * without instances whose class is lost.
 */
#include "convert/salvage/salvage.h"
#include "common/base/memory.h"

#include "convert/copy/copy.h"
#include "convert/salvage/internal.h"

enum {
	/* maximum number of rounds (scans of the damaged dump) */
	ROUNDS = 4,
	/*
	 * number of bytes after the version in a file header: id size and
	 * timestamp
	 */
	HEADER_END = 12,
};

/* ---- keep records, and find the next one ---- */

static void
learn_record(struct hp_salvage *s, uint64_t pos, uint8_t tag)
{
	const uint8_t *p;
	size_t got;

	if (s->out || (tag != HP_REC_LOAD_CLASS && tag != HP_REC_STACK_TRACE))
		return;
	p = hp_resync_peek(&s->w, pos + HP_HEAD_SIZE, 12, &got);
	if (!p || got < 12)
		return;
	s->status = tag == HP_REC_LOAD_CLASS
			    ? hp_plausible_note_load(
				      &s->known,
				      hp_load_id(p + 4, s->w.id_size), s->err)
			    : hp_plausible_note_trace(&s->known, hp_load4(p),
						      s->err);
}

/*
 * Whether the text of the STRING record at @pos contains the byte 0, which no
 * name contains.
 */
static bool
has_zero(struct hp_salvage *s, uint64_t pos, uint64_t end)
{
	pos += HP_HEAD_SIZE + s->w.id_size;
	while (pos < end) {
		size_t got;
		const uint8_t *p = hp_resync_view(&s->w, pos, 1, &got);

		if (!p || got == 0)
			break;
		if (got > end - pos)
			got = (size_t)(end - pos);
		if (memchr(p, 0, got))
			return true;
		pos += got;
	}
	return false;
}

/*
 * Copy a record of @bytes bytes to the output, if its length can be right. Heap
 * records are not copied by this function. Returns the offset where the caller
 * continues.
 */
static uint64_t
salvage_record(struct hp_salvage *s, uint64_t pos, uint8_t tag, uint64_t bytes)
{
	uint64_t end = pos + bytes, next = end;
	enum hp_anchor kind = HP_ANCHOR_RECORD;

	if (s->result->records == 0)
		s->heapless = tag == HP_REC_CONTROL_SETTINGS && !s->android;
	if (!hp_resync_begins(&s->w, end) && !hp_resync_whole_heap(&s->w, end))
		kind = hp_anchor_find(&s->w, &s->known, pos + HP_HEAD_SIZE,
				      s->w.size, NULL, &next);
	else if (tag == HP_REC_STRING && has_zero(s, pos, end))
		kind = hp_anchor_find(&s->w, &s->known, pos + HP_HEAD_SIZE, end,
				      NULL, &next);
	/*
	 * The length of the record is right, because another record follows it.
	 */
	if (next >= end) {
		hp_salvage_note_kept(s, pos, end);
		if (tag == HP_REC_HEAP_DUMP_END)
			hp_salvage_end_dump(s);
		else
			hp_salvage_write_range(s, pos, end);
		s->result->ended = tag == HP_REC_HEAP_DUMP_END;
		learn_record(s, pos, tag);
		s->result->records++;
	}
	return kind == HP_ANCHOR_SUBS
		       ? hp_salvage_heap_body(s, next, s->w.size, false, false)
		       : next;
}

/*
 * Find the next place where records continue, and recover the sub-records
 * before it. Returns the offset of this place.
 */
static uint64_t
find_records(struct hp_salvage *s, uint64_t from)
{
	uint64_t at;

	return hp_anchor_find(&s->w, &s->known, from, s->w.size, NULL, &at) ==
			       HP_ANCHOR_SUBS
		       ? hp_salvage_heap_body(s, at, s->w.size, false, false)
		       : at;
}

static void
salvage_all(struct hp_salvage *s, uint64_t pos)
{
	while (pos < s->w.size && hp_salvage_going(s)) {
		uint64_t bytes;
		const uint8_t *p;
		size_t got;
		uint8_t tag;

		p = hp_resync_peek(&s->w, pos, HP_HEAD_SIZE, &got);
		if (!p || got < HP_HEAD_SIZE)
			break;
		tag = p[0];
		if (hp_resync_header(&s->w, pos)) {
			/*
			 * Stop before the header of a second dump: ids in the
			 * second dump have nothing to do with ids in the first
			 * one.
			 */
			s->result->second = pos;
			break;
		}
		if (tag == HP_REC_HEAP_DUMP && s->result->places > 0 &&
		    s->segments > 0 && !hp_resync_records(&s->w, pos))
			/*
			 * Do not accept a HEAP DUMP here: a false one would end
			 * the dump too early.
			 */
			pos = find_records(s, pos + 1);
		else if (tag == HP_REC_HEAP_DUMP ||
			 tag == HP_REC_HEAP_DUMP_SEGMENT)
			pos = hp_salvage_heap_record(s, pos, tag,
						     hp_load4(p + 5));
		else if (hp_resync_record(&s->w, pos, &bytes))
			pos = salvage_record(s, pos, tag, bytes);
		else
			pos = find_records(s, pos + 1);
	}
	hp_salvage_note_kept(
		s, s->result->second ? s->result->second : s->w.size, 0);
	hp_salvage_end_dump(s);
	hp_salvage_end(s);
	if (s->status == HP_OK)
		s->status = s->w.status;
}

/*
 * Returns the id size in a file header of any version except 1.0, or 0 if the
 * bytes are not such a header.
 */
static unsigned
id_size_of(const uint8_t *p, size_t n)
{
	unsigned length = hp_header_length(p, n), id_size;

	if (length == 0 || n < length ||
	    strcmp((const char *)p + 13, "1.0") == 0)
		return 0;
	id_size = hp_load4(p + length - HEADER_END);
	return id_size == 4 || id_size == 8 ? id_size : 0;
}

static unsigned
header_at(struct hp_salvage *s, uint64_t at)
{
	size_t got;
	const uint8_t *p =
		hp_resync_peek(&s->w, at, HP_WRECK_HEADER_MOST, &got);

	return p ? id_size_of(p, got) : 0;
}

/*
 * Whether records follow the file header at @at. This test excludes a header
 * that is quoted, for example in a log file.
 */
static bool
begins_dump(struct hp_salvage *s, uint64_t at)
{
	size_t got;
	const uint8_t *p;
	uint64_t end;

	s->w.id_size = header_at(s, at);
	if (s->w.id_size == 0)
		return false;
	p = hp_resync_peek(&s->w, at, HP_WRECK_HEADER_MOST, &got);
	end = at + hp_header_length(p, got);
	return end < s->w.size && hp_resync_records(&s->w, end);
}

/*
 * Find the first file header that is followed by records. Before it there may
 * be HTTP headers of a download, or lines of a shell. Returns the size of the
 * input if there is no header.
 */
static uint64_t
find_header(struct hp_salvage *s)
{
	static const char magic[] = "JAVA PROFILE ";
	const size_t n = sizeof(magic) - 1;
	uint64_t at = 0;

	while (s->w.size - at > n && s->w.status == HP_OK) {
		size_t got;
		const uint8_t *p = hp_resync_view(&s->w, at, n, &got), *found;

		if (!p || got < n)
			break;
		found = memmem(p, got, magic, n);
		hp_resync_earn(&s->w, found ? n : got);
		if (!found) {
			at += got - n + 1;
			continue;
		}
		at += (uint64_t)(found - p);
		if (begins_dump(s, at))
			return at;
		at++;
	}
	return s->w.size;
}

/*
 * Find the file header, and count the bytes before it. Called once, before the
 * first round.
 */
static enum hp_status
skip_preamble(struct hp_salvage *s)
{
	uint64_t at = header_at(s, 0) ? 0 : find_header(s);
	size_t got;
	const uint8_t *p;

	if (s->w.status != HP_OK)
		return s->w.status;
	if (at == s->w.size)
		return hp_fail(s->err, HP_DAMAGED, "found no header of a dump");
	p = hp_resync_peek(&s->w, 0, 5, &got);
	s->preamble = at;
	s->http = at > 0 && p && got >= 5 && memcmp(p, "HTTP/", 5) == 0;
	return HP_OK;
}

/*
 * Write the file header. Version 1.0.1 becomes 1.0.2, because the output has
 * segments. An unknown version becomes 1.0.3 if the dump has records that only
 * Android writes, otherwise 1.0.2. Returns the offset of the first byte after
 * the header in the input.
 */
static uint64_t
salvage_header(struct hp_salvage *s)
{
	uint8_t header[HP_WRECK_HEADER] = "JAVA PROFILE 1.0.2";
	unsigned length, id_size = header_at(s, s->preamble);
	const uint8_t *p;
	size_t got;

	p = hp_resync_peek(&s->w, s->preamble, HP_WRECK_HEADER_MOST, &got);
	if (!p || id_size == 0) {
		s->status = s->w.status;
		return 0;
	}
	length = hp_header_length(p, got);
	s->result->version_unknown = hp_header_id_size(p, got) == 0;
	s->android = s->result->version_unknown ? s->named : p[17] == '3';
	if (s->android)
		header[17] = '3';
	else if (s->giant.wanted && s->giant.alone && p[17] == '1')
		/*
		 * no segment is written, so the version 1.0.1 need not become
		 * 1.0.2
		 */
		header[17] = '1';
	memcpy(header + sizeof(header) - HEADER_END, p + length - HEADER_END,
	       HEADER_END);
	s->w.id_size = s->known.id_size = id_size;
	hp_salvage_write(s, header, sizeof(header));
	s->result->preamble = s->preamble;
	s->result->http = s->http;
	return s->kept_until = s->preamble + length;
}

/*
 * Called after a round (scan of the damaged dump): decide whether the next
 * round must write a HEAP DUMP as one record, see struct hp_salvage_giant.
 * Returns true if the decision has changed since the current round began, so
 * that a further round is needed.
 */
static bool
choose_giant(struct hp_salvage *s)
{
	struct hp_salvage_giant *g = &s->giant;
	bool last = s->result->records == g->records;
	uint64_t before = g->wanted;

	if (before && (g->bytes == 0 || (g->bytes > UINT32_MAX && !last)))
		g->refused = true;
	if (g->refused)
		g->wanted = 0;
	else if (!before && g->found && last)
		g->wanted = g->found;
	g->alone = s->segments == g->segments && !s->empty_segments;
	return g->wanted != before;
}

/*
 * Run one round (pass) over the input. *@more becomes true if it has found
 * classes that were not known before.
 */
static void
run_round(struct hp_salvage *s, bool *more)
{
	uint64_t pos;

	*s->result = (struct hp_salvage_result){.first = UINT64_MAX};
	s->in_dump = s->begun = s->heap = s->heapless = false;
	s->empty_segments = s->restart = false;
	s->ncropped = 0;
	s->giant.current = s->giant.found = s->giant.bytes = 0;
	s->from = s->to = s->segments = 0;
	s->objects = s->heap_bytes = s->heap_lost = 0;
	pos = salvage_header(s);
	if (s->status == HP_OK)
		s->status = hp_plausible_begin(&s->known, s->err);
	if (s->status == HP_OK)
		salvage_all(s, pos);
	if (s->status == HP_OK && !s->restart)
		s->status = hp_plausible_end(&s->known, more, s->err);
}

/*
 * Run all rounds (scans of the damaged dump). The last one leaves a copy of the
 * valid parts in the temporary file.
 */
static void
run_rounds(struct hp_salvage *s)
{
	unsigned most = ROUNDS;
	bool more = true;

	s->known.learning = true;
	for (unsigned r = 0; r < most && more && s->status == HP_OK; r++) {
		bool learns = s->known.learning;

		if (s->out)
			hp_sink_abort(s->out);
		s->out = NULL;
		if (!learns)
			s->status = hp_sink_open_temporary(&s->out, s->err);
		if (s->status == HP_OK)
			run_round(s, &more);
		/*
		 * A round is repeated if it has found cropped arrays, or if the
		 * next round must write a HEAP DUMP as one record
		 * (choose_giant()). This happens at most three times.
		 */
		if (s->restart || choose_giant(s)) {
			more = true;
			most += r + 1 == most;
		}
		more = more || learns;
	}
}

/*
 * Copy the valid records to a temporary file. This file is a dump with correct
 * lengths. *@found receives a source that reads the file.
 */
static enum hp_status
copy_valid_records(struct hp_source *src, const struct hp_hole *holes,
		   size_t nholes, bool keep_numbers, struct hp_source **found,
		   struct hp_salvage_result *result, struct hp_error *err)
{
	struct hp_salvage s = {.w = {.src = src,
				     .size = hp_source_size(src),
				     .holes = holes,
				     .nholes = nholes,
				     .err = err},
			       .keep_numbers = keep_numbers,
			       .result = result,
			       .err = err};

	s.w.known = &s.known;
	s.status = hp_resync_init(&s.w);
	if (s.status == HP_OK)
		s.status = skip_preamble(&s);
	if (s.status == HP_OK)
		run_rounds(&s);
	hp_free(s.cropped);
	hp_resync_release(&s.w);
	hp_plausible_release(&s.known);
	result->found = s.objects;
	if (s.objects > 0)
		result->objects = (uint64_t)(((double)s.heap_lost +
					      (double)result->missing) *
						     (double)s.objects /
						     (double)s.heap_bytes +
					     0.5);
	if (s.status == HP_OK && result->records == 0)
		s.status = hp_fail(err, HP_DAMAGED, "found no complete record");
	if (s.status == HP_OK)
		return hp_temp_copy_end(s.out, found, err);
	if (s.out)
		hp_sink_abort(s.out);
	return s.status;
}

enum hp_status
hp_salvage(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
	   struct hp_sink *sink, const struct hp_salvage_options *options,
	   struct hp_salvage_result *result, struct hp_error *err)
{
	struct hp_source *found = NULL;
	const struct hp_filter_objects how = {.mend = true,
					      .nulls = options->null_dangling,
					      .memory = options->memory};
	enum hp_status st;

	*result = (struct hp_salvage_result){.first = UINT64_MAX};
	st = copy_valid_records(src, holes, nholes, options->keep_numbers,
				&found, result, err);
	if (st == HP_OK)
		st = hp_filter_objects(found, sink, &how, options->threads,
				       &result->sifted, err);
	hp_source_close(found);
	return st;
}
