/*
 * damage.c - what is a symptom of damage, keeping the first ones, their texts
 */
#include "common/model/damage.h"

#include "common/format/foreign_file.h"
#include "common/model/class_name.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what is a symptom ---- */

static const struct {
	enum hp_rule rule;
	int8_t severity;
} container_rules[HP_CONTAINER_PROBLEMS] = {
#define DEFAULT HP_SEVERITY_DEFAULT
	[HP_CONTAINER_GZIP_MEMBER] = {HP_RULE_GZIP_MEMBER, DEFAULT},
	[HP_CONTAINER_GZIP_TRUNCATED] = {HP_RULE_GZIP_TRUNCATED, DEFAULT},
	[HP_CONTAINER_GZIP_TRAILING] = {HP_RULE_GZIP_TRAILING, DEFAULT},
	[HP_CONTAINER_GZIP_PADDING] = {HP_RULE_GZIP_TRAILING, HP_SEVERITY_INFO},
	[HP_CONTAINER_GZIP_BLOCKSIZE] = {HP_RULE_GZIP_BLOCKSIZE, DEFAULT},
	[HP_CONTAINER_ZSTD_FRAME] = {HP_RULE_ZSTD_FRAME, DEFAULT},
	[HP_CONTAINER_ZSTD_TRUNCATED] = {HP_RULE_ZSTD_TRUNCATED, DEFAULT},
	[HP_CONTAINER_ZSTD_TRAILING] = {HP_RULE_ZSTD_TRAILING, DEFAULT},
	[HP_CONTAINER_DEPTH] = {HP_RULE_CONTAINER_DEPTH, DEFAULT},
	[HP_CONTAINER_PACK_BLOCK] = {HP_RULE_PACK_BLOCK, DEFAULT},
	[HP_CONTAINER_PACK_TRUNCATED] = {HP_RULE_PACK_TRUNCATED, DEFAULT},
	[HP_CONTAINER_PACK_DIRECTORY] = {HP_RULE_PACK_DIRECTORY, DEFAULT},
	[HP_CONTAINER_PACK_HASH] = {HP_RULE_PACK_HASH, DEFAULT},
	[HP_CONTAINER_PACK_TRAILING] = {HP_RULE_PACK_TRAILING, DEFAULT},
	/* one of many: the note says which */
	[HP_CONTAINER_TEXT] = {HP_RULE_TEXT_LINE, DEFAULT},
#undef DEFAULT
};

struct hp_symptom
hp_symptom_of_container(const struct hp_container_note *n)
{
	if (n->problem == HP_CONTAINER_TEXT)
		return (struct hp_symptom){.rule = (enum hp_rule)n->got,
					   .severity = HP_SEVERITY_DEFAULT,
					   .offset = n->offset,
					   .line = n->raw};
	return (struct hp_symptom){.rule = container_rules[n->problem].rule,
				   .severity =
					   container_rules[n->problem].severity,
				   .offset = n->offset,
				   .got = n->got,
				   .want = n->want};
}

bool
hp_symptom_of_header(const struct hp_header *h, struct hp_symptom *out)
{
	*out = (struct hp_symptom){.rule = HP_RULE_VERSION_KNOWN,
				   .severity = HP_SEVERITY_DEFAULT};
	switch (h->problem) {
	case HP_HEADER_FINE:
		/* hp_header_readable() is what counts there */
		if (h->version == HP_VERSION_1_0)
			out->severity = HP_SEVERITY_WARNING;
		return h->version == HP_VERSION_1_0;
	case HP_HEADER_EMPTY:
	case HP_HEADER_MAGIC:
		out->rule = HP_RULE_MAGIC;
		out->got = hp_foreign_file(h);
		out->want = h->nstart;
		break;
	case HP_HEADER_VERSION:
		out->got = h->text[0] ? 0 : hp_foreign_file(h);
		break;
	case HP_HEADER_SHORT:
		out->rule = HP_RULE_HEADER_SHORT;
		out->got = h->nstart;
		break;
	case HP_HEADER_ID_SIZE:
		out->rule = HP_RULE_ID_SIZE;
		out->got = h->id_size;
		break;
	}
	return true;
}

struct hp_symptom
hp_symptom_of_problem(const struct hp_problem *p)
{
	static const enum hp_rule rules[] = {
		[HP_PROBLEM_HEAD_SHORT] = HP_RULE_RECORD_HEADER_SHORT,
		[HP_PROBLEM_CUT] = HP_RULE_RECORD_TRUNCATED,
		[HP_PROBLEM_TAG] = HP_RULE_TAG_UNKNOWN,
		[HP_PROBLEM_LOST_SYNC] = HP_RULE_TAG_UNKNOWN,
		[HP_PROBLEM_OVERFLOW] = HP_RULE_HEAP_DUMP_OVERFLOW,
		[HP_PROBLEM_UNPATCHED] = HP_RULE_HEAP_LENGTH_UNPATCHED,
	};

	return (struct hp_symptom){.rule = rules[p->kind],
				   .severity = p->kind == HP_PROBLEM_LOST_SYNC
						       ? HP_SEVERITY_ERROR
						       : HP_SEVERITY_DEFAULT,
				   .tag = p->tag,
				   .offset = p->offset,
				   .got = p->got,
				   .want = p->want};
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
static bool
is_miscounted(const struct hp_record *rec, const struct hp_cursor *body,
	      unsigned fixed, unsigned row, struct hp_symptom *out)
{
	uint64_t rows = 0;

	if (rec->length >= fixed && body->len >= fixed)
		rows = hp_load4(body->data + fixed - 4);
	out->rule = HP_RULE_COUNTED_LENGTH;
	out->got = rows;
	out->want = rec->length;
	return rec->length < fixed || rec->length != fixed + rows * row;
}

bool
hp_symptom_of_record(const struct hp_record *rec, const struct hp_cursor *body,
		     unsigned id_size, struct hp_symptom *out)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);
	unsigned fixed, row;

	if (!d || rec->cut)
		return false;
	fixed = hp_record_fixed[hp_widen(id_size)][rec->tag];
	row = row_size(d->ending, id_size);
	/* nearly all records: nothing is wrong */
	if (row == 0 && (d->ending == HP_ENDS_TEXT
				 ? rec->length >= fixed
				 : d->ending != HP_ENDS_NOTHING || fixed == 0 ||
					   rec->length == fixed))
		return false;
	*out = (struct hp_symptom){.rule = HP_RULE_FIXED_LENGTH,
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = rec->tag,
				   .offset = rec->offset,
				   .got = rec->length};
	if (row > 0)
		return is_miscounted(rec, body, fixed, row, out);
	out->want = fixed;
	if (d->ending == HP_ENDS_TEXT)
		out->rule = HP_RULE_STRING_SHORT;
	return true;
}

bool
hp_symptom_of_stop(const struct hp_heap_iter *it, struct hp_symptom *out)
{
	static const enum hp_rule rules[] = {
		[HP_HEAP_UNKNOWN_TAG] = HP_RULE_SUBTAG_UNKNOWN,
		[HP_HEAP_REMAINDER] = HP_RULE_SEGMENT_REMAINDER,
		[HP_HEAP_OVERRUN] = HP_RULE_SUBRECORD_OVERRUN,
		[HP_HEAP_ARRAY] = HP_RULE_ARRAY_TOO_LONG,
		[HP_HEAP_TYPE] = HP_RULE_TYPE_CODE,
	};

	if (it->stop == HP_HEAP_END || it->stop == HP_HEAP_CUT)
		return false;
	*out = (struct hp_symptom){.rule = rules[it->stop],
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = it->at[0],
				   .offset = hp_heap_offset(it),
				   .got = hp_heap_limit(it),
				   .want = it->need};
	if (it->stop == HP_HEAP_TYPE)
		out->got = it->at[it->bad - hp_heap_offset(it)];
	return true;
}

bool
hp_symptom_of_array(const struct hp_sub *s, struct hp_symptom *out)
{
	*out = (struct hp_symptom){.rule = HP_RULE_ARRAY_TOO_LONG,
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = s->tag,
				   .offset = s->offset,
				   .got = s->count};
	return s->count > INT32_MAX && (s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
					s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP);
}

bool
hp_symptom_of_object(const struct hp_sub *s, struct hp_symptom *out)
{
	bool instance = s->tag == HP_SUB_INSTANCE_DUMP;

	*out = (struct hp_symptom){.rule = HP_RULE_OBJECT_ID_ZERO,
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = s->tag,
				   .offset = s->offset,
				   .got = s->count};
	if (s->id == 0 && (instance || s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
			   s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
			   s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA))
		return true;
	out->rule = HP_RULE_INSTANCE_LENGTH;
	return instance && !s->data;
}

static bool
is_array_class(const struct hp_class *c, const struct hp_tables *tables)
{
	const struct hp_string *name = hp_tables_class_name(tables, c->id);

	return name && (name->looks & HP_LOOKS_ARRAY);
}

bool
hp_symptom_of_class(const struct hp_class *c, const struct hp_tables *tables,
		    struct hp_symptom *out)
{
	*out = (struct hp_symptom){.rule = HP_RULE_INSTSIZE_NEGATIVE,
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = HP_SUB_CLASS_DUMP,
				   .offset = c->offset,
				   .got = c->instance_size,
				   .want = c->data_size};
	if (c->instance_size >> 31)
		return true;
	out->rule = HP_RULE_INSTSIZE_FIELDS;
	return c->chain == HP_CHAIN_FINE && c->instance_size != c->data_size &&
	       !is_array_class(c, tables);
}

static bool
end_missing(const struct hp_heap_records *h, uint64_t offset,
	    struct hp_symptom *out)
{
	/* a file with a HEAP DUMP has segments for another reason */
	*out = (struct hp_symptom){.rule = HP_RULE_END_MISSING,
				   .severity = h->seen_dump
						       ? HP_SEVERITY_INFO
						       : HP_SEVERITY_DEFAULT,
				   .tag = HP_REC_HEAP_DUMP_END,
				   .offset = offset};
	return h->open;
}

bool
hp_heap_records_see(struct hp_heap_records *h, const struct hp_record *rec,
		    struct hp_symptom *out)
{
	bool segment = rec->tag == HP_REC_HEAP_DUMP_SEGMENT;
	bool missing;

	h->records++;
	if (rec->tag == HP_REC_HEAP_DUMP_END)
		h->open = false;
	if (!segment && rec->tag != HP_REC_HEAP_DUMP)
		return false;
	missing = rec->first && end_missing(h, rec->offset, out);
	h->open = segment;
	h->seen_segment |= segment;
	h->seen_dump |= !segment;
	return missing;
}

bool
hp_heap_records_end(const struct hp_heap_records *h, uint64_t bytes,
		    bool problem, struct hp_symptom *out)
{
	*out = (struct hp_symptom){.rule = h->records ? HP_RULE_HEAP_MISSING
						      : HP_RULE_EMPTY_BODY,
				   .severity = HP_SEVERITY_DEFAULT,
				   .offset = bytes};
	if (h->records == 0)
		return !problem;
	return (!h->seen_dump && !h->seen_segment) ||
	       end_missing(h, bytes, out);
}

/* ---- the first symptom of each rule ---- */

/* Is it damage, whatever the dialect? */
static bool
is_sure(const struct hp_symptom *s)
{
	enum hp_dialect dialect;
	enum hp_severity how;
	size_t at = 0;

	return s->severity == HP_SEVERITY_ERROR ||
	       (hp_rule_desc(s->rule)->severity == HP_SEVERITY_ERROR &&
		!hp_rule_habit(s->rule, &at, &dialect, &how));
}

void
hp_damage_note(struct hp_damage *d, const struct hp_symptom *s)
{
	bool error = s->severity == HP_SEVERITY_ERROR;
	struct hp_symptom *first = &d->first[error][s->rule];

	if (!hp_rule_is_damage(s->rule) ||
	    (s->severity != HP_SEVERITY_DEFAULT &&
	     s->severity != HP_SEVERITY_ERROR))
		return;
	if (d->found[error][s->rule] && first->offset <= s->offset)
		return;
	d->found[error][s->rule] = true;
	*first = *s;
	if ((d->sure && d->surest.offset <= s->offset) || !is_sure(s))
		return;
	d->sure = true;
	d->surest = *s;
}

void
hp_damage_merge(struct hp_damage *into, const struct hp_damage *from)
{
	for (unsigned r = 0; r < HP_RULE_COUNT; r++)
		for (unsigned error = 0; error < 2; error++)
			if (from->found[error][r])
				hp_damage_note(into, &from->first[error][r]);
}

void
hp_damage_classes(struct hp_damage *d, const struct hp_classes *classes,
		  const struct hp_tables *tables,
		  const struct hp_instance_lengths *lengths)
{
	struct hp_symptom s;
	struct hp_length length;
	const struct hp_class *class;

	for (size_t i = 0; i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];

		if (hp_symptom_of_class(c, tables, &s))
			hp_damage_note(d, &s);
		s.rule = HP_RULE_SUPER_CYCLE;
		if (c->chain == HP_CHAIN_CYCLE)
			hp_damage_note(d, &s);
	}
	if (!hp_instance_lengths_wrong(lengths, classes, &length, &class))
		return;
	hp_damage_note(d, &(struct hp_symptom){.rule = HP_RULE_INSTANCE_LENGTH,
					       .severity = HP_SEVERITY_DEFAULT,
					       .tag = HP_SUB_INSTANCE_DUMP,
					       .offset = length.offset,
					       .got = length.bytes,
					       .want = class->data_size});
}

void
hp_damage_container(struct hp_damage *d, struct hp_source *src)
{
	size_t n;
	const struct hp_container_note *notes = hp_source_notes(src, &n);

	for (size_t i = 0; i < n; i++) {
		const struct hp_symptom s = hp_symptom_of_container(&notes[i]);

		hp_damage_note(d, &s);
	}
}

/*
 * Of the compression, or of the lines that records are made of. But for too
 * many layers: what is in them tells more.
 */
static bool
is_of_input(enum hp_rule rule)
{
	if (rule == HP_RULE_CONTAINER_DEPTH)
		return false;
	if (hp_rule_desc(rule)->section == HP_SECTION_TEXT)
		return true;
	for (size_t i = 0; i < HP_ARRAY_LEN(container_rules); i++)
		if (container_rules[i].rule == rule)
			return true;
	return false;
}

const struct hp_symptom *
hp_damage_first(const struct hp_damage *d, enum hp_dialect dialect)
{
	const struct hp_symptom *first = NULL;
	bool cause = false; /* is the first one of the input? */

	for (unsigned i = 0; i < 2 * HP_RULE_COUNT; i++) {
		unsigned r = i / 2;
		const struct hp_symptom *s = &d->first[i % 2][r];
		bool container = is_of_input((enum hp_rule)r);

		if (!d->found[i % 2][r] ||
		    (s->severity != HP_SEVERITY_ERROR &&
		     hp_rule_severity(s->rule, dialect) != HP_SEVERITY_ERROR))
			continue;
		if (first &&
		    (cause > container ||
		     (cause == container && first->offset <= s->offset)))
			continue;
		first = s;
		cause = container;
	}
	return first;
}

/* ---- texts ---- */

static const char *
record_name(uint8_t tag)
{
	const struct hp_record_desc *d = hp_record_desc(tag);

	return d ? d->name : "a record";
}

static const char *
sub_name(uint8_t tag)
{
	const struct hp_record_desc *d = hp_subrecord_desc(tag);

	return d ? d->name : "a sub-record";
}

static void say(char text[HP_SYMPTOM_TEXT], const char *fmt, ...)
	HP_PRINTF(2, 3);

static void
say(char text[HP_SYMPTOM_TEXT], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, HP_SYMPTOM_TEXT, fmt, args);
	va_end(args);
}

/* What makes a plural of the word before it. */
static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* The header's; false: the rule is about something else. */
static bool
header_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	const char *guess = hp_foreign_file_text(s->got);

	switch (s->rule) {
	case HP_RULE_MAGIC:
		if (s->want == 0)
			say(text, "the input is empty");
		else
			say(text, "not a heap dump%s%s",
			    guess ? ": it is " : "", guess ? guess : "");
		return true;
	case HP_RULE_VERSION_KNOWN:
		if (guess)
			say(text, "not a heap dump: it is %s", guess);
		else if (s->severity == HP_SEVERITY_WARNING)
			say(text, "version 1.0 of the format is not supported");
		else
			say(text, "unknown version of the format");
		return true;
	case HP_RULE_HEADER_SHORT:
		say(text, "the input ends inside the header");
		return true;
	case HP_RULE_ID_SIZE:
		say(text,
		    "identifiers of %" PRIu64 " byte%s: only 4 and 8 are known",
		    s->got, plural(s->got));
		return true;
	default:
		return false;
	}
}

/* The container's. */
static bool
container_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	switch (s->rule) {
	case HP_RULE_GZIP_MEMBER:
		say(text, "a gzip member is damaged");
		return true;
	case HP_RULE_GZIP_TRUNCATED:
		say(text, "the gzip file is truncated");
		return true;
	case HP_RULE_ZSTD_FRAME:
		say(text, "a zstd frame is damaged");
		return true;
	case HP_RULE_ZSTD_TRUNCATED:
		say(text, "the zstd file is truncated");
		return true;
	case HP_RULE_CONTAINER_DEPTH:
		say(text, "more than three layers of compression");
		return true;
	case HP_RULE_PACK_BLOCK:
		say(text, "block %" PRIu64 " of the pack is damaged", s->got);
		return true;
	case HP_RULE_PACK_TRUNCATED:
		say(text, "the pack is truncated");
		return true;
	case HP_RULE_PACK_HASH:
		say(text, "the pack's blocks do not add up to what was packed");
		return true;
	default:
		return false;
	}
}

/* Those of the agent's text. */
static bool
lines_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	const char *what;

	switch (s->rule) {
	case HP_RULE_TEXT_LINE:
		what = "a line that is none of the format's";
		break;
	case HP_RULE_TEXT_LINE_LONG:
		what = "a line that is too long";
		break;
	case HP_RULE_TEXT_LAST_LINE:
		what = "the last line has no newline: the text is cut";
		break;
	case HP_RULE_TEXT_END_MISSING:
		what = "a report begins here that has no END";
		break;
	case HP_RULE_TEXT_PROLOGUE:
		what = "the text ends before its first report";
		break;
	case HP_RULE_TEXT_ELEMENT:
		what = "an element that is not in its array";
		break;
	case HP_RULE_TEXT_FIELDS:
		what = "a class with more fields, or more classes above it, "
		       "than any has";
		break;
	case HP_RULE_TEXT_ID:
		what = "an identifier that is too wide";
		break;
	default:
		return false;
	}
	say(text, "%s", what);
	return true;
}

/* Those of records. */
static bool
record_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	switch (s->rule) {
	case HP_RULE_EMPTY_BODY:
		say(text, "there is no record after the header");
		return true;
	case HP_RULE_RECORD_HEADER_SHORT:
		say(text, "%" PRIu64 " byte%s left, too few for a record",
		    s->got, plural(s->got));
		return true;
	case HP_RULE_RECORD_TRUNCATED:
		say(text,
		    "the input ends inside a record: %" PRIu64 " of %" PRIu64
		    " byte%s",
		    s->got, s->want, plural(s->want));
		return true;
	case HP_RULE_TAG_UNKNOWN:
		if (s->got == 1)
			say(text, "an unknown record that the input ends in");
		else
			say(text, "%" PRIu64 " unknown records in a row",
			    s->got);
		return true;
	case HP_RULE_FIXED_LENGTH:
		say(text, "%s of %" PRIu64 " byte%s, not %" PRIu64,
		    record_name(s->tag), s->got, plural(s->got), s->want);
		return true;
	case HP_RULE_COUNTED_LENGTH:
		say(text,
		    "%s of %" PRIu64 " byte%s does not fit its count, %" PRIu64,
		    record_name(s->tag), s->want, plural(s->want), s->got);
		return true;
	case HP_RULE_STRING_SHORT:
		say(text, "%s shorter than its id", record_name(s->tag));
		return true;
	case HP_RULE_HEAP_LENGTH_UNPATCHED:
		say(text, "the length of a heap record was never written");
		return true;
	case HP_RULE_END_MISSING:
		say(text, "the input ends between two segments: there is no "
			  "HEAP DUMP END");
		return true;
	case HP_RULE_HEAP_MISSING:
		say(text, "the input ends before the heap");
		return true;
	default:
		return false;
	}
}

/* Those of sub-records and of what they say. */
static void
heap_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	switch (s->rule) {
	case HP_RULE_SUBTAG_UNKNOWN:
		say(text, "unknown sub-record 0x%02x", (unsigned)s->tag);
		break;
	case HP_RULE_SEGMENT_REMAINDER:
		say(text,
		    "%" PRIu64 " byte%s left in the record, too few for a "
		    "sub-record",
		    s->got, plural(s->got));
		break;
	case HP_RULE_SUBRECORD_OVERRUN:
		say(text, "%s passes its record's end", sub_name(s->tag));
		break;
	case HP_RULE_ARRAY_TOO_LONG:
		if (s->want)
			say(text, "an array passes its record's end");
		else
			say(text,
			    "an array of %" PRIu64
			    " element%s, more than there can be",
			    s->got, plural(s->got));
		break;
	case HP_RULE_TYPE_CODE:
		say(text, "there is no type %" PRIu64, s->got);
		break;
	case HP_RULE_OBJECT_ID_ZERO:
		say(text, "%s with id 0", sub_name(s->tag));
		break;
	case HP_RULE_SUPER_CYCLE:
		say(text, "a class is its own ancestor");
		break;
	case HP_RULE_INSTSIZE_FIELDS:
		say(text,
		    "a class says its instances have %" PRIu64
		    " byte%s, its fields add up to %" PRIu64,
		    s->got, plural(s->got), s->want);
		break;
	case HP_RULE_INSTSIZE_NEGATIVE:
		say(text, "a class has a negative instance size");
		break;
	case HP_RULE_INSTANCE_LENGTH:
		say(text,
		    "an instance is %" PRIu64
		    " byte%s long, not as long as its class says",
		    s->got, plural(s->got));
		break;
	default:
		say(text, "%s", hp_rule_desc(s->rule)->line);
		break;
	}
}

void
hp_symptom_place(const struct hp_symptom *s, char text[HP_SYMPTOM_PLACE])
{
	snprintf(text, HP_SYMPTOM_PLACE, "%s %" PRIu64,
		 s->line ? "line" : "offset", s->line ? s->line : s->offset);
}

void
hp_symptom_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT])
{
	size_t n;

	if (header_text(s, text)) /* that says all there is to say */
		return;
	if (!container_text(s, text) && !lines_text(s, text) &&
	    !record_text(s, text))
		heap_text(s, text);
	n = strlen(text);
	snprintf(text + n, HP_SYMPTOM_TEXT - n, " [%s]",
		 hp_rule_desc(s->rule)->id);
}
