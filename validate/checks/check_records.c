/*
 * check_records.c - rules about the file header and the headers of records:
 * tags, lengths, times, and the order of records
 *
 * check_tables.c and check_strings.c check the contents of the records.
 */
#include "validate/checks/check.h"

#include <string.h>
#include <time.h>

#define UNIX_1996_MS UINT64_C(820454400000)
#define DAY_MS UINT64_C(86400000)
/*
 * maximum size of the body of a heap segment that HotSpot writes since JDK 14:
 * 1 MiB, minus the header of the record
 */
#define SEGMENT_MAX 1048567u

static const struct hp_position header_spot;

static void
check_timestamp(struct hp_check *c)
{
	uint64_t t = c->header->timestamp_ms;
	uint64_t now = (uint64_t)time(NULL) * 1000;

	if (t != 0 && t >= UNIX_1996_MS && t <= now + DAY_MS)
		return;
	hp_check_found(c, HP_RULE_TIMESTAMP_SANE, &header_spot,
		       HP_WORD_TIMESTAMP,
		       t == 0		  ? 0
		       : t < UNIX_1996_MS ? 1
					  : 2);
}

static void
check_version(struct hp_check *c, const struct hp_symptom *s)
{
	struct hp_finding f = {HP_CHECK_COMMON(c, s->rule, 0, 0),
			       .place = HP_PLACE_NAME, .index = HP_WORD_VERSION,
			       .args = {0, s->got}};

	f.severity = s->severity;
	if (c->header->problem == HP_HEADER_FINE)
		f.args[0] = 1;
	else if (!c->header->text[0])
		f.args[0] = s->got > 0 ? 3 : 2;
	hp_findings_add(c->findings, &f);
}

/*
 * Whether the compressed file could not be decompressed to its end. Then the
 * dump ends where decompression failed, so the program that wrote the dump has
 * not truncated it.
 */
static bool
lost_by_container(const struct hp_check *c)
{
	size_t n;
	const struct hp_container_note *notes = hp_source_notes(c->src, &n);

	for (size_t i = 0; i < n; i++) {
		const struct hp_symptom s = hp_symptom_of_container(&notes[i]);

		if (notes[i].problem != HP_CONTAINER_TEXT &&
		    s.severity == HP_SEVERITY_DEFAULT &&
		    hp_rule_desc(s.rule)->severity == HP_SEVERITY_ERROR)
			return true;
	}
	return false;
}

void
hp_check_header(struct hp_check *c)
{
	const struct hp_header *h = c->header;
	struct hp_symptom s;
	uint64_t what;

	if (!hp_symptom_of_header(h, &s)) {
		check_timestamp(c);
		return;
	}
	if (h->problem == HP_HEADER_EMPTY && lost_by_container(c))
		return;
	switch (s.rule) {
	case HP_RULE_MAGIC:
		what = s.want == 0 ? 1 : s.got > 0 ? 2 : 0;
		hp_check_whole(c, s.rule, &header_spot, what, s.got);
		break;
	case HP_RULE_HEADER_SHORT:
		hp_check_whole(c, s.rule, &header_spot, s.got);
		break;
	case HP_RULE_ID_SIZE:
		hp_check_found(c, s.rule, &header_spot, HP_WORD_ID_SIZE, s.got);
		break;
	default:
		check_version(c, &s);
	}
	if (hp_header_readable(h))
		check_timestamp(c);
}

/*
 * How a truncated dump ends: at a multiple of 4096 bytes, at any other offset,
 * or because decompression failed. The message of the rule record-truncated
 * depends on this.
 */
enum ending { ENDS_ROUND, ENDS_ANYWHERE, ENDS_UNPACKED };

static enum ending
ending_of(const struct hp_check *c, uint64_t size)
{
	if (lost_by_container(c))
		return ENDS_UNPACKED;
	/* If the size is a multiple of 4096, the disk was probably full. */
	return size % 4096 == 0 ? ENDS_ROUND : ENDS_ANYWHERE;
}

/*
 * Count a record. If the record turns out to be truncated later,
 * uncount_record() is called.
 */
static void
count_record(struct hp_check *c, const struct hp_record *rec)
{
	c->records[rec->tag]++;
	c->last_counted = rec->ordinal;
	c->last_tag = rec->tag;
}

/*
 * Undo count_record() for the last record, because it turned out to be
 * truncated.
 */
static void
uncount_record(struct hp_check *c, const struct hp_problem *p)
{
	uint64_t cut = p->kind == HP_PROBLEM_CUT ? p->record : p->cut_record;

	if (c->last_counted != 0 && cut == c->last_counted) {
		c->records[c->last_tag]--;
		c->last_counted = 0;
	}
}

void
hp_check_problem(struct hp_check *c, const struct hp_problem *p)
{
	const struct hp_symptom s = hp_symptom_of_problem(p);
	struct hp_finding f = {HP_CHECK_COMMON(c, s.rule, p->offset, p->record),
			       .place = HP_PLACE_NAME, .index = HP_WORD_LENGTH,
			       .args = {p->tag, p->got, p->want}};

	f.severity = s.severity;
	c->problem = true;
	if (p->kind == HP_PROBLEM_CUT || p->kind == HP_PROBLEM_LOST_SYNC)
		uncount_record(c, p);
	switch (p->kind) {
	case HP_PROBLEM_TRANSFER:
		f.place = HP_PLACE_NONE;
		f.args[0] = p->got;
		break;
	case HP_PROBLEM_HEAD_SHORT:
		f.place = HP_PLACE_NONE;
		f.args[0] = p->got;
		f.args[1] = ending_of(c, p->offset + p->got) == ENDS_ROUND;
		break;
	case HP_PROBLEM_CUT:
		f.args[1] = p->want - p->got;
		f.args[2] = p->want;
		f.args[3] = p->offset + HP_HEAD_SIZE + p->got;
		f.args[4] = ending_of(c, p->offset + HP_HEAD_SIZE + p->got);
		break;
	case HP_PROBLEM_TAG:
		f.index = HP_WORD_TAG;
		f.args[1] = p->want ? 3 : 0;
		break;
	case HP_PROBLEM_LOST_SYNC:
		f.index = HP_WORD_TAG;
		f.args[0] = p->got;
		f.args[1] = p->want ? 3 : p->got ? 2 : 4;
		f.args[2] = p->last_good;
		break;
	case HP_PROBLEM_OVERFLOW:
	case HP_PROBLEM_UNPATCHED:
		break;
	}
	hp_findings_add(c->findings, &f);
}

/* --- check the lengths of records ---------------------------------------- */

static void
check_length(struct hp_check *c, const struct hp_record *rec,
	     const struct hp_cursor *body)
{
	struct hp_symptom s;

	if (hp_symptom_of_record(rec, body, c->id_size, &s))
		hp_record_found(c, s.rule, rec,
				s.rule == HP_RULE_COUNTED_LENGTH
					? HP_WORD_COUNT
					: HP_WORD_LENGTH,
				rec->tag, s.got, s.want);
	if (rec->tag == HP_REC_HEAP_DUMP_END && rec->length != 0)
		hp_record_found(c, HP_RULE_END_NONZERO, rec, HP_WORD_LENGTH,
				rec->tag, rec->length);
}

/* --- check the order of records ------------------------------------------ */

static void
check_time(struct hp_check *c, const struct hp_record *rec)
{
	if (c->heaps.records > 1 &&
	    hp_check_is_earlier(rec->time, c->last_time))
		hp_record_found(c, HP_RULE_TIME_ORDER, rec, HP_WORD_TIME,
				c->last_time, rec->time);
	c->last_time = rec->time;
}

/*
 * Report that the file has no heap dump, or that no HEAP DUMP END follows the
 * last heap segment.
 */
static void
something_is_missing(struct hp_check *c, const struct hp_symptom *s,
		     uint64_t record)
{
	struct hp_finding f = {HP_CHECK_COMMON(c, s->rule, s->offset, record)};

	f.severity = s->severity;
	hp_findings_add(c->findings, &f);
}

static void
check_heap_kind(struct hp_check *c, const struct hp_record *rec)
{
	bool segment = rec->tag == HP_REC_HEAP_DUMP_SEGMENT;

	if (c->heaps.seen_dump && c->heaps.seen_segment && !c->mixed) {
		c->mixed = true;
		hp_record_found(c, HP_RULE_MIXED_HEAP_RECORDS, rec, HP_WORD_TAG,
				rec->tag);
	}
	if (segment && c->header->version == HP_VERSION_1_0_1)
		hp_record_found(c, HP_RULE_TAGS_VS_VERSION, rec, HP_WORD_TAG,
				rec->tag);
}

/* Report records that are between two segments of one heap dump. */
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

	if (rec->first) {
		c->dump = rec->dump;
		c->dump_spot = (struct hp_position){rec->offset, rec->ordinal};
		c->between_count = 0;
		if (rec->dump > 1)
			hp_record_whole(c, HP_RULE_SEGMENT_AFTER_END, rec,
					rec->dump);
	} else {
		flush_between(c);
	}
	check_heap_kind(c, rec);
	c->segment = (struct hp_position){rec->offset, rec->ordinal};
	if (rec->body == 0 && !rec->unpatched)
		hp_record_whole(c, HP_RULE_SEGMENT_EMPTY, rec, rec->tag);
	if (!segment || rec->length <= SEGMENT_MAX)
		return HP_OK;
	return HP_VEC_PUSH(&c->big, struct hp_big_segment, rec->offset,
			   rec->ordinal, rec->length)
		       ? HP_OK
		       : hp_no_memory(err);
}

/*
 * Check a HEAP DUMP END record. @open: the current dump has at least one heap
 * segment before this record.
 */
static void
check_end(struct hp_check *c, const struct hp_record *rec, bool open)
{
	if (!open)
		hp_record_whole(c, HP_RULE_END_WITHOUT_SEGMENT, rec, rec->tag);
	if (c->header->version == HP_VERSION_1_0_1)
		hp_record_found(c, HP_RULE_TAGS_VS_VERSION, rec, HP_WORD_TAG,
				rec->tag);
	c->between_count = 0;
}

/* Check whether a record outside the heap may follow the previous records. */
static void
check_other(struct hp_check *c, const struct hp_record *rec)
{
	if (c->heaps.open && c->between_count++ == 0) {
		c->between = (struct hp_position){rec->offset, rec->ordinal};
		c->between_tag = rec->tag;
	}
	if (rec->tag == HP_REC_LOCKSTATS_WAIT_TIME ||
	    rec->tag == HP_REC_LOCKSTATS_HOLD_TIME || rec->redaction)
		hp_findings_add(
			c->findings,
			&(struct hp_finding){
				.rule = HP_RULE_TAG_UNKNOWN,
				.severity = HP_SEVERITY_INFO,
				.offset = rec->offset,
				.record = rec->ordinal,
				.place = HP_PLACE_NAME,
				.index = HP_WORD_TAG,
				.args = {rec->tag, rec->redaction ? 5 : 1}});
	if (rec->tag != HP_REC_CONTROL_SETTINGS)
		return;
	if (c->settings || c->heaps.records > 1)
		hp_record_whole(c, HP_RULE_SETTINGS_FIRST, rec, c->settings);
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
	bool open = c->heaps.open;
	struct hp_symptom s;

	if (hp_heap_records_see(&c->heaps, rec, &s))
		something_is_missing(c, &s, c->segment.record);
	hp_dialect_evidence_record(&c->evidence, rec, body);
	check_time(c, rec);
	if (is_heap(rec->tag))
		return check_heap(c, rec, err);
	if (!rec->cut) {
		count_record(c, rec);
		check_length(c, rec, &body);
	}
	if (rec->tag == HP_REC_HEAP_DUMP_END)
		check_end(c, rec, open);
	else
		check_other(c, rec);
	return hp_check_tables(c, rec, body, err);
}

/*
 * Count @n consecutive STRING records. The first of them is at the position
 * @first. The result is the same as if hp_check_record() had counted each of
 * them.
 */
static void
count_strings(struct hp_check *c, struct hp_position first, uint64_t n)
{
	c->heaps.records += n;
	hp_dialect_evidence_strings(&c->evidence, n);
	c->records[HP_REC_STRING] += n;
	c->last_counted = first.record + n - 1;
	c->last_tag = HP_REC_STRING;
	if (!c->heaps.open)
		return;
	if (c->between_count == 0) {
		c->between = first;
		c->between_tag = HP_REC_STRING;
	}
	c->between_count += n;
}

enum hp_status
hp_check_strings(struct hp_check *c, struct hp_string_run *run, size_t most,
		 struct hp_error *err)
{
	struct hp_string_row rows[HP_ID_INDEX_TOGETHER];
	const struct hp_position first = {hp_string_run_offset(run),
					  run->ordinal};
	enum hp_status st;
	size_t n, taken;

	if (most > HP_ARRAY_LEN(rows))
		most = HP_ARRAY_LEN(rows);
	n = hp_check_ordinary_strings(c, run, rows, most);
	if (n == 0)
		return HP_OK;
	st = hp_tables_strings(c->tables, rows, n, &taken, err);
	if (st != HP_OK || taken == 0)
		return st;
	hp_string_run_pass(run, &rows[taken - 1], taken);
	st = hp_check_strings_taken(c, first, rows, taken, err);
	c->last_time = rows[taken - 1].time;
	count_strings(c, first, taken);
	return st;
}

void
hp_check_passed_over(struct hp_check *c, const struct hp_record *rec)
{
	if (is_heap(rec->tag))
		count_record(c, rec);
}

void
hp_check_heap_end(struct hp_check *c, const struct hp_record *rec)
{
	if (!rec->cut)
		c->records[rec->tag]++;
}

/*
 * Report heap segments that have several sub-records and are larger than the
 * segments of HotSpot.
 */
static void
check_big(struct hp_check *c, const uint64_t *multi, size_t nmulti)
{
	const struct hp_big_segment *big = c->big.items;

	for (size_t i = 0; i < c->big.count && nmulti > 0; i++) {
		if (bsearch(&big[i].record, multi, nmulti, sizeof(*multi),
			    hp_compare_u64))
			hp_check_found(c, HP_RULE_SEGMENT_TOO_BIG, &big[i],
				       HP_WORD_LENGTH, 0, big[i].length);
	}
}

void
hp_check_records_end(struct hp_check *c, const uint64_t *multi, size_t nmulti,
		     uint64_t bytes, enum hp_dialect dialect)
{
	struct hp_symptom s;

	if (hp_heap_records_end(&c->heaps, bytes, c->problem, &s))
		something_is_missing(
			c, &s,
			s.rule == HP_RULE_END_MISSING ? c->segment.record : 0);
	if (dialect == HP_DIALECT_HOTSPOT)
		check_big(c, multi, nmulti);
}

/* --- report damage of the compression or archive ------------------------- */

void
hp_check_container(struct hp_findings *f, const struct hp_container_note *notes,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct hp_container_note *n = &notes[i];
		const struct hp_symptom s = hp_symptom_of_container(n);
		struct hp_finding a = {.rule = (uint16_t)s.rule,
				       .severity = s.severity,
				       .offset = n->offset,
				       .args = {n->raw, 0, n->want}};

		if (n->problem == HP_CONTAINER_TEXT)
			/*
			 * The code that translates text dumps has already
			 * reported damaged lines, with rules of its own.
			 */
			continue;
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
