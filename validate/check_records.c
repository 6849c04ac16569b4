/*
 * check_records.c - the header and the frames of records: what stands where,
 * how long it is, in which order
 *
 * What records say is check_tables.c's and check_strings.c's.
 */
#include "validate/check.h"

#include "common/format/guess.h"

#include <string.h>
#include <time.h>

#define UNIX_1996_MS UINT64_C(820454400000)
#define DAY_MS UINT64_C(86400000)
#define SEGMENT_MAX 1048567u /* HotSpot from 14 on: 1 MiB with the head */

void
hp_check_init(struct hp_check *c, struct hp_findings *findings,
	      struct hp_tables *tables, const struct hp_header *header)
{
	memset(c, 0, sizeof(*c));
	c->findings = findings;
	c->tables = tables;
	c->header = header;
	c->id_size = header->id_size;
	c->evidence.version = header->version;
	c->evidence.id_size = header->id_size;
}

uint64_t
hp_check_bytes(const struct hp_check *c)
{
	return c->big.cap * sizeof(struct hp_big_segment) +
	       c->string_spots.cap * sizeof(struct hp_spot) + c->used_bytes +
	       c->uses.cap * sizeof(struct hp_mention) +
	       hp_id_map_bytes(&c->awaited) + hp_id_map_bytes(&c->dumped);
}

void
hp_check_release(struct hp_check *c)
{
	free(c->big.items);
	free(c->string_spots.items);
	free(c->used);
	free(c->uses.items);
	hp_id_map_release(&c->awaited);
	hp_id_map_release(&c->dumped);
}

static void
check_timestamp(struct hp_check *c)
{
	uint64_t t = c->header->timestamp_ms;
	uint64_t now = (uint64_t)time(NULL) * 1000;

	if (t != 0 && t >= UNIX_1996_MS && t <= now + DAY_MS)
		return;
	hp_check_found(c, HP_RULE_TIMESTAMP_SANE, 0, 0, HP_WORD_TIMESTAMP,
		       t == 0		  ? 0
		       : t < UNIX_1996_MS ? 1
					  : 2);
}

void
hp_check_header(struct hp_check *c)
{
	const struct hp_header *h = c->header;
	struct hp_finding f = {HP_CHECK_COMMON(c, HP_RULE_VERSION_KNOWN, 0, 0),
			       .place = HP_PLACE_NAME,
			       .index = HP_WORD_VERSION};
	unsigned guess;

	switch (h->problem) {
	case HP_HEADER_EMPTY:
	case HP_HEADER_MAGIC:
		guess = hp_guess(h);
		hp_check_whole(c, HP_RULE_MAGIC, 0, 0,
			       h->nstart == 0 ? 1
			       : guess > 0    ? 2
					      : 0,
			       guess);
		return;
	case HP_HEADER_SHORT:
		hp_check_whole(c, HP_RULE_HEADER_SHORT, 0, 0, h->nstart);
		return;
	case HP_HEADER_ID_SIZE:
		hp_check_found(c, HP_RULE_ID_SIZE, 0, 0, HP_WORD_ID_SIZE,
			       h->id_size);
		return;
	case HP_HEADER_VERSION:
		f.args[0] = h->text[0] ? 0 : 2;
		f.args[1] = hp_guess(h);
		if (f.args[0] == 2 && f.args[1] > 0)
			f.args[0] = 3;
		hp_findings_add(c->findings, &f);
		break;
	case HP_HEADER_FINE:
		if (h->version != HP_VERSION_1_0)
			break;
		f.args[0] = 1;
		f.severity = HP_SEVERITY_WARNING;
		hp_findings_add(c->findings, &f);
		return;
	}
	if (hp_header_readable(h))
		check_timestamp(c);
}

/* Disks fill up at a multiple of this. */
static bool
is_round(uint64_t size)
{
	return size % 4096 == 0;
}

/* The last record counted turned out to be cut: it does not count. */
static void
uncount(struct hp_check *c, const struct hp_problem *p)
{
	bool last = p->kind == HP_PROBLEM_CUT ? p->record == c->last_counted
					      : p->got == c->unknown;

	if (c->last_counted != 0 && last) {
		c->records[c->last_tag]--;
		c->last_counted = 0;
	}
}

void
hp_check_problem(struct hp_check *c, const struct hp_problem *p)
{
	struct hp_finding f = {
		HP_CHECK_COMMON(c, HP_RULE_TAG_UNKNOWN, p->offset, p->record),
		.place = HP_PLACE_NAME, .index = HP_WORD_LENGTH,
		.args = {p->tag, p->got, p->want}};

	c->problem = true;
	if (p->kind == HP_PROBLEM_CUT || p->kind == HP_PROBLEM_LOST_SYNC)
		uncount(c, p);
	switch (p->kind) {
	case HP_PROBLEM_HEAD_SHORT:
		f.rule = HP_RULE_RECORD_HEADER_SHORT;
		f.place = HP_PLACE_NONE;
		f.args[0] = p->got;
		f.args[1] = is_round(p->offset + p->got);
		break;
	case HP_PROBLEM_CUT:
		f.rule = HP_RULE_RECORD_TRUNCATED;
		f.args[1] = p->want - p->got;
		f.args[2] = p->want;
		f.args[3] = p->offset;
		f.args[4] = !is_round(p->offset + HP_HEAD_SIZE + p->got);
		break;
	case HP_PROBLEM_TAG:
		f.index = HP_WORD_TAG;
		f.args[1] = 0;
		break;
	case HP_PROBLEM_LOST_SYNC:
		f.index = HP_WORD_TAG;
		f.severity = HP_SEVERITY_ERROR;
		f.args[0] = p->got;
		f.args[1] = 2;
		f.args[2] = p->last_good;
		break;
	case HP_PROBLEM_OVERFLOW:
		f.rule = HP_RULE_HEAP_DUMP_OVERFLOW;
		break;
	case HP_PROBLEM_UNPATCHED:
		f.rule = HP_RULE_HEAP_LENGTH_UNPATCHED;
		break;
	}
	hp_findings_add(c->findings, &f);
}

/* --- lengths ------------------------------------------------------------- */

static void
check_fixed(struct hp_check *c, const struct hp_record *rec)
{
	unsigned want = hp_record_fixed[hp_wide(c->id_size)][rec->tag];

	if (rec->length != want)
		hp_check_found(c, HP_RULE_FIXED_LENGTH, rec->offset,
			       rec->ordinal, HP_WORD_LENGTH, rec->tag,
			       rec->length, want);
}

/* A record whose last field counts rows of @row bytes. */
static void
check_counted(struct hp_check *c, const struct hp_record *rec,
	      const struct hp_cursor *body, unsigned row)
{
	unsigned fixed = hp_record_fixed[hp_wide(c->id_size)][rec->tag];
	uint64_t rows = 0;

	if (rec->cut)
		return;
	if (rec->length >= fixed && body->len >= fixed)
		rows = hp_load4(body->data + fixed - 4);
	if (rec->length < fixed || rec->length != fixed + rows * row)
		hp_check_found(c, HP_RULE_COUNTED_LENGTH, rec->offset,
			       rec->ordinal, HP_WORD_COUNT, rec->tag, rows,
			       rec->length);
}

static void
check_length(struct hp_check *c, const struct hp_record *rec,
	     const struct hp_cursor *body)
{
	switch (rec->tag) {
	case HP_REC_STRING:
		if (rec->length < c->id_size)
			hp_check_found(c, HP_RULE_STRING_SHORT, rec->offset,
				       rec->ordinal, HP_WORD_LENGTH, rec->tag,
				       rec->length);
		break;
	case HP_REC_LOAD_CLASS:
	case HP_REC_UNLOAD_CLASS:
	case HP_REC_STACK_FRAME:
	case HP_REC_HEAP_SUMMARY:
	case HP_REC_START_THREAD:
	case HP_REC_END_THREAD:
	case HP_REC_CONTROL_SETTINGS:
		check_fixed(c, rec);
		break;
	case HP_REC_STACK_TRACE:
		check_counted(c, rec, body, c->id_size);
		break;
	case HP_REC_ALLOC_SITES:
		check_counted(c, rec, body, 25);
		break;
	case HP_REC_CPU_SAMPLES:
		check_counted(c, rec, body, 8);
		break;
	case HP_REC_HEAP_DUMP_END:
		if (rec->length != 0)
			hp_check_found(c, HP_RULE_END_NONZERO, rec->offset,
				       rec->ordinal, HP_WORD_LENGTH, rec->tag,
				       rec->length);
		break;
	default:
		break;
	}
}

/* --- order --------------------------------------------------------------- */

static void
check_time(struct hp_check *c, const struct hp_record *rec)
{
	if (c->count > 1 && rec->time < c->last_time &&
	    c->last_time - rec->time < UINT32_C(1) << 31)
		hp_check_found(c, HP_RULE_TIME_ORDER, rec->offset, rec->ordinal,
			       HP_WORD_TIME, c->last_time, rec->time);
	c->last_time = rec->time;
}

/* The segments of a dump were not ended before @offset. */
static void
end_is_missing(struct hp_check *c, uint64_t offset)
{
	struct hp_finding f = {HP_CHECK_COMMON(c, HP_RULE_END_MISSING, offset,
					       c->segment.record)};

	c->open = false;
	if (c->seen_dump)
		f.severity = HP_SEVERITY_INFO;
	hp_findings_add(c->findings, &f);
}

static void
check_heap_kind(struct hp_check *c, const struct hp_record *rec)
{
	bool segment = rec->tag == HP_REC_HEAP_DUMP_SEGMENT;

	if (segment)
		c->seen_segment = true;
	else
		c->seen_dump = true;
	if (c->seen_dump && c->seen_segment && !c->mixed) {
		c->mixed = true;
		hp_check_found(c, HP_RULE_MIXED_HEAP_RECORDS, rec->offset,
			       rec->ordinal, HP_WORD_TAG, rec->tag);
	}
	if (segment && c->header->version == HP_VERSION_1_0_1)
		hp_check_found(c, HP_RULE_TAGS_VS_VERSION, rec->offset,
			       rec->ordinal, HP_WORD_TAG, rec->tag);
}

/* Records were met between two segments of a dump. */
static void
flush_between(struct hp_check *c)
{
	if (c->between_count == 0)
		return;
	hp_findings_add_many(
		c->findings,
		&(struct hp_finding){
			HP_CHECK_COMMON(c, HP_RULE_NONHEAP_INSIDE_DUMP,
					c->between.offset, c->between.record),
			.args = {c->between_tag}},
		c->between_count);
	c->between_count = 0;
}

static enum hp_status
check_heap(struct hp_check *c, const struct hp_record *rec,
	   struct hp_error *err)
{
	bool segment = rec->tag == HP_REC_HEAP_DUMP_SEGMENT;
	struct hp_big_segment *big;

	if (rec->first) {
		if (c->open)
			end_is_missing(c, rec->offset);
		c->dump = rec->dump;
		c->dump_spot = (struct hp_spot){rec->offset, rec->ordinal};
		c->between_count = 0;
		if (rec->dump > 1)
			hp_check_whole(c, HP_RULE_SEGMENT_AFTER_END,
				       rec->offset, rec->ordinal, rec->dump);
	} else {
		flush_between(c);
	}
	check_heap_kind(c, rec);
	c->open = segment;
	c->segment = (struct hp_spot){rec->offset, rec->ordinal};
	if (rec->body == 0)
		hp_check_whole(c, HP_RULE_SEGMENT_EMPTY, rec->offset,
			       rec->ordinal, rec->tag);
	if (!segment || rec->length <= SEGMENT_MAX)
		return HP_OK;
	big = hp_vec_add(&c->big, sizeof(*big));
	if (!big)
		return hp_fail(err, HP_NOMEM, "no memory for the segments");
	*big = (struct hp_big_segment){rec->offset, rec->ordinal, rec->length};
	return HP_OK;
}

static void
check_end(struct hp_check *c, const struct hp_record *rec)
{
	if (!c->open)
		hp_check_whole(c, HP_RULE_END_WITHOUT_SEGMENT, rec->offset,
			       rec->ordinal, rec->tag);
	if (c->header->version == HP_VERSION_1_0_1)
		hp_check_found(c, HP_RULE_TAGS_VS_VERSION, rec->offset,
			       rec->ordinal, HP_WORD_TAG, rec->tag);
	c->open = false;
	c->between_count = 0;
}

/* Records outside the heap that matter for the order. */
static void
check_other(struct hp_check *c, const struct hp_record *rec)
{
	if (c->open && c->between_count++ == 0) {
		c->between = (struct hp_spot){rec->offset, rec->ordinal};
		c->between_tag = rec->tag;
	}
	if (rec->tag == HP_REC_LOCKSTATS_WAIT_TIME ||
	    rec->tag == HP_REC_LOCKSTATS_HOLD_TIME)
		hp_findings_add(
			c->findings,
			&(struct hp_finding){.rule = HP_RULE_TAG_UNKNOWN,
					     .severity = HP_SEVERITY_INFO,
					     .offset = rec->offset,
					     .record = rec->ordinal,
					     .place = HP_PLACE_NAME,
					     .index = HP_WORD_TAG,
					     .args = {rec->tag, 1}});
	if (rec->tag != HP_REC_CONTROL_SETTINGS)
		return;
	if (c->settings || c->count > 1)
		hp_check_whole(c, HP_RULE_SETTINGS_FIRST, rec->offset,
			       rec->ordinal, c->settings);
	c->settings = true;
}

static bool
is_heap(uint8_t tag)
{
	return tag == HP_REC_HEAP_DUMP || tag == HP_REC_HEAP_DUMP_SEGMENT;
}

enum hp_status
hp_check_record(struct hp_check *c, const struct hp_record *rec,
		struct hp_cursor body, struct hp_error *err)
{
	c->count++;
	hp_evidence_record(&c->evidence, rec, body);
	check_time(c, rec);
	if (is_heap(rec->tag)) {
		c->unknown = 0;
		return check_heap(c, rec, err);
	}
	c->unknown = hp_record_desc(rec->tag) ? 0 : c->unknown + 1;
	if (!rec->cut) {
		c->records[rec->tag]++;
		c->last_counted = rec->ordinal;
		c->last_tag = rec->tag;
		check_length(c, rec, &body);
	}
	if (rec->tag == HP_REC_HEAP_DUMP_END)
		check_end(c, rec);
	else
		check_other(c, rec);
	return hp_check_tables(c, rec, body, err);
}

enum hp_status
hp_check_heap_end(struct hp_check *c, const struct hp_record *rec,
		  struct hp_error *err)
{
	(void)err;
	if (!rec->cut)
		c->records[rec->tag]++;
	return HP_OK;
}

static int
compare_u64(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

/* Large segments with more than one sub-record. */
static void
check_big(struct hp_check *c, const uint64_t *multi, size_t nmulti)
{
	const struct hp_big_segment *big = c->big.items;

	for (size_t i = 0; i < c->big.count && nmulti > 0; i++) {
		if (bsearch(&big[i].record, multi, nmulti, sizeof(*multi),
			    compare_u64))
			hp_check_found(c, HP_RULE_SEGMENT_TOO_BIG,
				       big[i].offset, big[i].record,
				       HP_WORD_LENGTH, 0, big[i].length);
	}
}

void
hp_check_records_end(struct hp_check *c, const uint64_t *multi, size_t nmulti,
		     uint64_t bytes, enum hp_dialect dialect)
{
	if (c->count == 0) {
		if (!c->problem)
			hp_check_whole(c, HP_RULE_EMPTY_BODY, c->header->length,
				       0, 0);
		return;
	}
	if (c->open)
		end_is_missing(c, bytes);
	if (!c->seen_dump && !c->seen_segment)
		hp_check_whole(c, HP_RULE_HEAP_MISSING, bytes, 0, 0);
	if (dialect == HP_DIALECT_HOTSPOT)
		check_big(c, multi, nmulti);
}

/* --- the container ------------------------------------------------------- */

void
hp_check_container(struct hp_findings *f, const struct hp_container_note *notes,
		   size_t count)
{
	static const struct {
		enum hp_rule rule;
		int8_t severity;
	} rules[] = {
		[HP_CONTAINER_GZIP_MEMBER] = {HP_RULE_GZIP_MEMBER,
					      HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_GZIP_TRUNCATED] = {HP_RULE_GZIP_TRUNCATED,
						 HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_GZIP_TRAILING] = {HP_RULE_GZIP_TRAILING,
						HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_GZIP_PADDING] = {HP_RULE_GZIP_TRAILING,
					       HP_SEVERITY_INFO},
		[HP_CONTAINER_GZIP_BLOCKSIZE] = {HP_RULE_GZIP_BLOCKSIZE,
						 HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_ZSTD_FRAME] = {HP_RULE_ZSTD_FRAME,
					     HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_ZSTD_TRUNCATED] = {HP_RULE_ZSTD_TRUNCATED,
						 HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_ZSTD_TRAILING] = {HP_RULE_ZSTD_TRAILING,
						HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_DEPTH] = {HP_RULE_CONTAINER_DEPTH,
					HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_PACK_BLOCK] = {HP_RULE_PACK_BLOCK,
					     HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_PACK_TRUNCATED] = {HP_RULE_PACK_TRUNCATED,
						 HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_PACK_DIRECTORY] = {HP_RULE_PACK_DIRECTORY,
						 HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_PACK_HASH] = {HP_RULE_PACK_HASH,
					    HP_SEVERITY_DEFAULT},
		[HP_CONTAINER_PACK_TRAILING] = {HP_RULE_PACK_TRAILING,
						HP_SEVERITY_DEFAULT},
	};

	for (size_t i = 0; i < count; i++) {
		const struct hp_container_note *n = &notes[i];
		struct hp_finding a = {.offset = n->offset,
				       .args = {n->raw, 0, n->want}};

		if (n->problem == HP_CONTAINER_TEXT)
			continue; /* rules of their own, one by one */
		a.rule = (uint16_t)rules[n->problem].rule;
		a.severity = rules[n->problem].severity;
		if (n->problem == HP_CONTAINER_GZIP_BLOCKSIZE ||
		    n->problem == HP_CONTAINER_PACK_BLOCK ||
		    n->problem == HP_CONTAINER_PACK_TRAILING)
			a.args[1] = n->got;
		else if (n->problem == HP_CONTAINER_GZIP_TRAILING)
			a.args[1] = 0;
		else if (n->problem == HP_CONTAINER_GZIP_PADDING)
			a.args[1] = 1;
		else
			a.args[1] = n->count > 1;
		hp_findings_add_many(f, &a, n->count ? n->count : 1);
	}
}
