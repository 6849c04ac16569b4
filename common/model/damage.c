/*
 * damage.c - detect symptoms of damage in a dump, keep the first symptom of
 * each rule that the dump breaks, and describe a symptom in a message
 */
#include "common/model/rules.h"

#include "common/format/foreign_file.h"
#include "common/model/class_name.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- detecting symptoms ---- */

static const enum hp_rule container_rules[HP_CONTAINER_PROBLEMS] = {
	[HP_CONTAINER_GZIP_MEMBER] = HP_RULE_GZIP_MEMBER,
	[HP_CONTAINER_GZIP_TRUNCATED] = HP_RULE_GZIP_TRUNCATED,
	[HP_CONTAINER_GZIP_TRAILING] = HP_RULE_GZIP_TRAILING,
	[HP_CONTAINER_GZIP_PADDING] = HP_RULE_GZIP_TRAILING,
	[HP_CONTAINER_GZIP_BLOCKSIZE] = HP_RULE_GZIP_BLOCKSIZE,
	[HP_CONTAINER_ZSTD_FRAME] = HP_RULE_ZSTD_FRAME,
	[HP_CONTAINER_ZSTD_TRUNCATED] = HP_RULE_ZSTD_TRUNCATED,
	[HP_CONTAINER_ZSTD_TRAILING] = HP_RULE_ZSTD_TRAILING,
	[HP_CONTAINER_DEPTH] = HP_RULE_CONTAINER_DEPTH,
	[HP_CONTAINER_ARCHIVE_DAMAGED] = HP_RULE_ARCHIVE_DAMAGED,
	[HP_CONTAINER_ARCHIVE_TRUNCATED] = HP_RULE_ARCHIVE_TRUNCATED,
	[HP_CONTAINER_PACK_BLOCK] = HP_RULE_PACK_BLOCK,
	[HP_CONTAINER_PACK_TRUNCATED] = HP_RULE_PACK_TRUNCATED,
	[HP_CONTAINER_PACK_DIRECTORY] = HP_RULE_PACK_DIRECTORY,
	[HP_CONTAINER_PACK_HASH] = HP_RULE_PACK_HASH,
	[HP_CONTAINER_PACK_TRAILING] = HP_RULE_PACK_TRAILING,
	/*
	 * For this kind of problem, the rule is in `got` (enum hp_rule).
	 * HP_RULE_TEXT_LINE is used if `got` is no valid rule.
	 */
	[HP_CONTAINER_TEXT] = HP_RULE_TEXT_LINE,
};

static struct hp_symptom
symptom_at(enum hp_rule rule, uint8_t tag, uint64_t offset, uint64_t got,
	   uint64_t want)
{
	return (struct hp_symptom){.rule = rule,
				   .severity = HP_SEVERITY_DEFAULT,
				   .tag = tag,
				   .offset = offset,
				   .got = got,
				   .want = want};
}

struct hp_symptom
hp_symptom_of_container(const struct hp_container_note *n)
{
	struct hp_symptom s = symptom_at(container_rules[n->problem], 0,
					 n->offset, n->got, n->want);

	if (n->problem == HP_CONTAINER_GZIP_PADDING)
		s.severity = HP_SEVERITY_INFO;
	if (n->problem == HP_CONTAINER_TEXT) {
		s = symptom_at((enum hp_rule)n->got, 0, n->offset, 0, 0);
		s.line = n->raw;
	}
	return s;
}

bool
hp_symptom_of_header(const struct hp_header *h, struct hp_symptom *out)
{
	*out = symptom_at(HP_RULE_VERSION_KNOWN, 0, 0, 0, 0);
	switch (h->problem) {
	case HP_HEADER_FINE:
		/*
		 * A header of version 1.0 is valid, but the programs cannot
		 * read such a dump. So this symptom is only a warning, and the
		 * caller must also check hp_header_readable().
		 */
		if (h->version == HP_VERSION_1_0)
			out->severity = HP_SEVERITY_WARNING;
		return h->version == HP_VERSION_1_0;
	case HP_HEADER_EMPTY:
	case HP_HEADER_MAGIC:
		out->rule = HP_RULE_MAGIC;
		out->got = h->foreign;
		out->want = h->nstart;
		break;
	case HP_HEADER_VERSION:
		out->got = h->text[0] ? 0 : h->foreign;
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
		[HP_PROBLEM_TRANSFER] = HP_RULE_TRANSFER,
		[HP_PROBLEM_HEAD_SHORT] = HP_RULE_RECORD_HEADER_SHORT,
		[HP_PROBLEM_CUT] = HP_RULE_RECORD_TRUNCATED,
		[HP_PROBLEM_TAG] = HP_RULE_TAG_UNKNOWN,
		[HP_PROBLEM_LOST_SYNC] = HP_RULE_TAG_UNKNOWN,
		[HP_PROBLEM_OVERFLOW] = HP_RULE_HEAP_DUMP_OVERFLOW,
		[HP_PROBLEM_UNPATCHED] = HP_RULE_HEAP_LENGTH_UNPATCHED,
	};

	struct hp_symptom s =
		symptom_at(rules[p->kind], p->tag, p->offset, p->got, p->want);

	if (p->kind == HP_PROBLEM_LOST_SYNC)
		s.severity = HP_SEVERITY_ERROR;
	return s;
}

/*
 * Whether the length of a record does not match the number of rows that it
 * states. The record has @fixed bytes before the rows; the last four of these
 * bytes are the number of rows. Each row has @row bytes.
 */
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
	row = hp_row_size(d->ending, id_size);
	/* fast path: the length of nearly every record is valid */
	if (row == 0 && (d->ending == HP_ENDS_TEXT
				 ? rec->length >= fixed
				 : d->ending != HP_ENDS_NOTHING || fixed == 0 ||
					   rec->length == fixed))
		return false;
	*out = symptom_at(HP_RULE_FIXED_LENGTH, rec->tag, rec->offset,
			  rec->length, fixed);
	if (row > 0)
		return is_miscounted(rec, body, fixed, row, out);
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
	*out = symptom_at(rules[it->stop], it->at[0], hp_heap_offset(it),
			  hp_heap_limit(it), it->need);
	if (it->stop == HP_HEAP_TYPE)
		out->got = it->at[it->bad - hp_heap_offset(it)];
	return true;
}

bool
hp_symptom_of_array(const struct hp_sub *s, struct hp_symptom *out)
{
	*out = symptom_at(HP_RULE_ARRAY_TOO_LONG, s->tag, s->offset, s->count,
			  0);
	return s->count > INT32_MAX &&
	       (s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
		s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
		s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA);
}

bool
hp_symptom_of_object(const struct hp_sub *s, struct hp_symptom *out)
{
	bool instance = s->tag == HP_SUB_INSTANCE_DUMP;

	*out = symptom_at(HP_RULE_OBJECT_ID_ZERO, s->tag, s->offset, s->count,
			  0);
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
	*out = symptom_at(HP_RULE_INSTSIZE_NEGATIVE, HP_SUB_CLASS_DUMP,
			  c->offset, c->instance_size, c->data_size);
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
	*out = symptom_at(HP_RULE_END_MISSING, HP_REC_HEAP_DUMP_END, offset, 0,
			  0);
	/*
	 * If the dump also has a HEAP DUMP record, a missing HEAP DUMP END
	 * record is only an informational note.
	 */
	if (h->seen_dump)
		out->severity = HP_SEVERITY_INFO;
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
	h->seen_segment |= segment;
	h->seen_dump |= !segment;
	missing = rec->first && end_missing(h, rec->offset, out);
	h->open = segment;
	return missing;
}

bool
hp_heap_records_end(const struct hp_heap_records *h, uint64_t bytes,
		    bool problem, struct hp_symptom *out)
{
	*out = symptom_at(h->records ? HP_RULE_HEAP_MISSING
				     : HP_RULE_EMPTY_BODY,
			  0, bytes, 0, 0);
	if (h->records == 0)
		return !problem;
	return (!h->seen_dump && !h->seen_segment) ||
	       end_missing(h, bytes, out);
}

/* ---- the first symptom of each rule ---- */

/* Whether the symptom is damage, no matter which program wrote the dump. */
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
	s = symptom_at(HP_RULE_INSTANCE_LENGTH, HP_SUB_INSTANCE_DUMP,
		       length.offset, length.bytes, class->data_size);
	hp_damage_note(d, &s);
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
 * Whether the rule is about the compression of the input, or about lines of the
 * text format. Such problems cause other damage, so they are reported first.
 * Returns false for the rule about too many nested layers of compression.
 */
static bool
is_of_input(enum hp_rule rule)
{
	if (rule == HP_RULE_CONTAINER_DEPTH)
		return false;
	if (hp_rule_desc(rule)->section == HP_SECTION_TEXT)
		return true;
	for (size_t i = 0; i < HP_ARRAY_LEN(container_rules); i++)
		if (container_rules[i] == rule)
			return true;
	return false;
}

const struct hp_symptom *
hp_damage_first(const struct hp_damage *d, enum hp_dialect dialect)
{
	const struct hp_symptom *first = NULL;
	/*
	 * whether `first` is a problem of the compressed file or of the agent's
	 * text (see is_of_input()); such a problem may have caused all other
	 * symptoms
	 */
	bool cause = false;

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

/* ---- messages ---- */

/*
 * The message of each rule. {got} and {want} are numbers. "{got bytes}" becomes
 * "1 byte" or "2 bytes". {record} and {sub-record} become the name of the kind
 * of record. {end} becomes the offset at which a truncated input ends; then
 * {got} is the number of bytes of the last record body that are in the input.
 */
static const char *const texts[HP_RULE_COUNT] = {
	/*
	 * messages about the header; they are mostly shown without the id of
	 * the rule
	 */
	[HP_RULE_HEADER_SHORT] = "the input ends inside the header",
	[HP_RULE_TRANSFER] = "it is {guess}",
	[HP_RULE_ID_SIZE] =
		"identifiers have {got bytes}, but only 4 and 8 bytes are "
		"possible",
	/* messages about compression and archives */
	[HP_RULE_GZIP_MEMBER] = "a gzip member is damaged",
	[HP_RULE_GZIP_TRUNCATED] = "the gzip file is truncated",
	[HP_RULE_ZSTD_FRAME] = "a zstd frame is damaged",
	[HP_RULE_ZSTD_TRUNCATED] = "the zstd file is truncated",
	[HP_RULE_CONTAINER_DEPTH] = "more than three layers of compression",
	[HP_RULE_ARCHIVE_DAMAGED] = "the archive is damaged",
	[HP_RULE_ARCHIVE_TRUNCATED] = "the archive is truncated",
	[HP_RULE_PACK_BLOCK] = "block {got} of the pack is damaged",
	[HP_RULE_PACK_TRUNCATED] = "the pack is truncated",
	[HP_RULE_PACK_HASH] = "the contents of the pack do not match its hash",
	/* messages about the text format of the HPROF agent */
	[HP_RULE_TEXT_LINE] = "a line that does not belong to the format",
	[HP_RULE_TEXT_LINE_LONG] = "a line that is too long",
	[HP_RULE_TEXT_LAST_LINE] =
		"the last line has no newline: the text is truncated",
	[HP_RULE_TEXT_END_MISSING] = "a report begins here, but has no END",
	[HP_RULE_TEXT_PROLOGUE] = "the text ends before its first report",
	[HP_RULE_TEXT_ELEMENT] = "an element has an index that its array does "
				 "not have",
	[HP_RULE_TEXT_FIELDS] =
		"a class has more fields or superclasses than any class can "
		"have",
	[HP_RULE_TEXT_ID] = "an identifier has too many bytes",
	/* messages about records and their lengths */
	[HP_RULE_EMPTY_BODY] = "there is no record after the header",
	[HP_RULE_RECORD_HEADER_SHORT] =
		"{got bytes} left, too few for a record",
	[HP_RULE_RECORD_TRUNCATED] =
		"the input ends at offset {end}, inside a record: {got} of "
		"{want bytes}",
	[HP_RULE_TAG_UNKNOWN] = "{got} unknown records in a row",
	[HP_RULE_FIXED_LENGTH] = "{record} has {got bytes} instead of {want}",
	[HP_RULE_COUNTED_LENGTH] =
		"{record} has {want bytes}, which does not fit its number of "
		"rows, {got}",
	[HP_RULE_STRING_SHORT] = "{record} is shorter than an identifier",
	[HP_RULE_HEAP_LENGTH_UNPATCHED] =
		"the length of a heap record was never written",
	[HP_RULE_END_MISSING] =
		"the input ends between two segments: there is no HEAP DUMP "
		"END",
	[HP_RULE_HEAP_MISSING] = "the input ends before the heap",
	/* messages about sub-records and their contents */
	[HP_RULE_SUBTAG_UNKNOWN] = "unknown sub-record {tag}",
	[HP_RULE_SEGMENT_REMAINDER] =
		"{got bytes} left in the record, too few for a sub-record",
	[HP_RULE_SUBRECORD_OVERRUN] = "{sub-record} extends beyond its record",
	[HP_RULE_ARRAY_TOO_LONG] =
		"an array has {got elements}, more than Java allows",
	[HP_RULE_TYPE_CODE] = "unknown type code {got}",
	[HP_RULE_OBJECT_ID_ZERO] = "{sub-record} has id 0",
	[HP_RULE_SUPER_CYCLE] = "a class is its own ancestor",
	[HP_RULE_INSTSIZE_FIELDS] =
		"a class states that its instances have {got bytes}, but its "
		"fields have {want}",
	[HP_RULE_INSTSIZE_NEGATIVE] = "a class has a negative instance size",
	[HP_RULE_INSTANCE_LENGTH] =
		"an instance has {got bytes}, which is not the length that its "
		"class states",
};

static const char *
template_of(const struct hp_symptom *s)
{
	char guess[HP_FOREIGN_TEXT];
	bool guessed = hp_foreign_file_text(s->got, guess);

	if (s->rule == HP_RULE_MAGIC && s->want == 0)
		return "the input is empty";
	if (s->rule == HP_RULE_MAGIC && !guessed)
		return "not a heap dump";
	if (s->rule == HP_RULE_MAGIC ||
	    (s->rule == HP_RULE_VERSION_KNOWN && guessed))
		return "not a heap dump: it is {guess}";
	if (s->rule == HP_RULE_VERSION_KNOWN)
		return s->severity == HP_SEVERITY_WARNING
			       ? "version 1.0 of the format is not supported"
			       : "unknown version of the format";
	if (s->rule == HP_RULE_TAG_UNKNOWN && s->want)
		return "another dump, with a header of its own, begins here";
	if (s->rule == HP_RULE_TAG_UNKNOWN && s->got == 0)
		return "a length extends beyond the end of the input";
	if (s->rule == HP_RULE_TAG_UNKNOWN && s->got == 1)
		return "the input ends inside an unknown record";
	if (s->rule == HP_RULE_ARRAY_TOO_LONG && s->want)
		return "an array extends beyond its record";
	return texts[s->rule] ? texts[s->rule] : hp_rule_desc(s->rule)->line;
}

static void say(char text[HP_SYMPTOM_TEXT], const char *fmt, ...)
	HP_PRINTF(2, 3);

static void
say(char text[HP_SYMPTOM_TEXT], const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + n, HP_SYMPTOM_TEXT - n, fmt, args);
	va_end(args);
}

/*
 * Append the value of a placeholder such as {got bytes}. @p: the @n characters
 * of the placeholder, without the braces.
 */
static void
say_value(char text[HP_SYMPTOM_TEXT], const struct hp_symptom *s, const char *p,
	  size_t n)
{
	const struct hp_record_desc *d;
	const char *space = memchr(p, ' ', n);
	char guess[HP_FOREIGN_TEXT];
	uint64_t v = *p == 'g' ? s->got : s->want;

	switch (*p) {
	case 'r': /* the placeholder {record} */
		d = hp_record_desc(s->tag);
		say(text, "%s", d ? d->name : "a record");
		break;
	case 's': /* the placeholder {sub-record} */
		d = hp_subrecord_desc(s->tag);
		say(text, "%s", d ? d->name : "a sub-record");
		break;
	case 'e': /* the placeholder {end} */
		say(text, "%" PRIu64, s->offset + HP_HEAD_SIZE + s->got);
		break;
	case 't': /* the placeholder {tag} */
		say(text, "0x%02x", (unsigned)s->tag);
		break;
	default: /* the placeholders {got}, {want} and {guess} */
		if (p[1] == 'u' && hp_foreign_file_text(s->got, guess))
			say(text, "%s", guess);
		else
			say(text, "%" PRIu64, v);
		/* if the number is 1, the final s of the noun is left out */
		if (space)
			say(text, "%.*s", (int)(p + n - space) - (v == 1),
			    space);
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
	const char *p = template_of(s), *open;

	text[0] = '\0';
	for (; (open = strchr(p, '{')) != NULL; p = strchr(open, '}') + 1) {
		say(text, "%.*s", (int)(open - p), p);
		say_value(text, s, open + 1, strcspn(open + 1, "}"));
	}
	say(text, "%s", p);
	/* Messages about the header do not contain the id of the rule. */
	if (s->rule != HP_RULE_MAGIC && s->rule != HP_RULE_VERSION_KNOWN &&
	    s->rule != HP_RULE_HEADER_SHORT && s->rule != HP_RULE_ID_SIZE)
		say(text, " [%s]", hp_rule_desc(s->rule)->id);
}
