/*
 * report_pprof.c - write the rows as a profile for pprof
 *
 * The format is the message Profile of profile.proto in the pprof repository,
 * compressed with gzip. A row is a sample, a frame of its stack is a location,
 * and a column is a type of value.
 *
 * The format (protocol buffers) consists of fields. A field has a key and a
 * value; the key contains the number of the field and how the value is encoded.
 *
 * With several dumps, the samples of the first dump have negative values and
 * the label "pprof::base"; pprof itself does this for its option -diff_base. So
 * pprof shows the growth from the first to the last dump, in numbers and in
 * percent of the first dump.
 */
#include "diff/report/report.h"

#include "common/base/memory.h"
#include "diff/report/profile.h"

#include <libdeflate.h>
#include <string.h>

/* The numbers of the fields of each message in profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_NAME = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/*
 * How the value of a field is encoded, a number in the low three bits of the
 * field's key.
 */
enum { VARINT = 0, BYTES = 2 };

enum {
	/*
	 * maximum number of bytes in a gzip member (one of the separately
	 * compressed parts of the file), before compression
	 */
	MEMBER = 1 << 20,
	LEVEL = 6, /* compression level of gzip */
};

struct pprof {
	struct hp_profile profile;
	/*
	 * the strings of the profile; other messages refer to a string by its
	 * index here
	 */
	struct hp_intern strings;
	/*
	 * the functions of the profile: each is the text of a stack frame
	 * without its line number
	 */
	struct hp_intern functions;
	struct hp_buf out, message, part;
	struct libdeflate_compressor *gzip;
	FILE *file;
	/*
	 * the columns of hprof-diff that become types of values in the profile,
	 * one bit for each column
	 */
	unsigned columns;
	bool no_memory;
};

/* --- protocol buffers ----------------------------------------------------- */

/*
 * Append a number in the encoding LEB128: each byte has seven bits of the
 * number, the lowest bits first.
 */
static void
put_varint(struct hp_buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		hp_buf_byte(b, (char)(v | 0x80));
	hp_buf_byte(b, (char)v);
}

static void
put_number(struct hp_buf *b, unsigned field, uint64_t v)
{
	put_varint(b, field << 3 | VARINT);
	put_varint(b, v);
}

static void
put_bytes(struct hp_buf *b, unsigned field, const char *data, size_t n)
{
	put_varint(b, field << 3 | BYTES);
	put_varint(b, n);
	hp_buf_add(b, data, n);
}

/*
 * Append the finished message in @from to the message @to, as a field with
 * bytes, and clear @from.
 */
static void
put_message(struct pprof *p, struct hp_buf *to, unsigned field,
	    struct hp_buf *from)
{
	put_bytes(to, field, hp_buf_string(from), hp_buf_length(from));
	p->no_memory |= !hp_buf_ok(from);
	hp_buf_clear(from);
}

static uint64_t
string_index(struct pprof *p, const char *text, size_t n)
{
	bool fresh;
	uint32_t number = n ? hp_intern_put(&p->strings, text, n, &fresh) : 0;

	p->no_memory |= n > 0 && number == 0;
	return number;
}

static uint64_t
word_index(struct pprof *p, const char *text)
{
	return string_index(p, text, strlen(text));
}

/* --- gzip ----------------------------------------------------------------- */

/*
 * Write the contents of the buffer as a gzip member. A gzip file may have any
 * number of members.
 */
static enum hp_status
write_member(struct pprof *p, struct hp_error *err)
{
	size_t most, n;
	enum hp_status st;
	struct hp_buf packed = {0};
	char *room;

	if (p->no_memory || !hp_buf_ok(&p->out))
		return hp_no_memory(err);
	most = libdeflate_gzip_compress_bound(p->gzip, p->out.len);
	room = hp_malloc(most);
	if (!room)
		return hp_no_memory(err);
	n = libdeflate_gzip_compress(p->gzip, hp_buf_string(&p->out),
				     hp_buf_length(&p->out), room, most);
	hp_buf_add(&packed, room, n);
	hp_free(room);
	st = hp_buf_flush(&packed, p->file, err);
	hp_buf_release(&packed);
	hp_buf_clear(&p->out);
	return st;
}

/* --- the profile ---------------------------------------------------------- */

static void
put_type(struct pprof *p, enum hp_col c)
{
	static const char *const units[] = {[HP_IN_COUNT] = "count",
					    [HP_IN_BYTES] = "bytes",
					    [HP_IN_MS] = "milliseconds"};

	put_number(&p->message, TYPE_NAME, word_index(p, hp_columns[c].word));
	put_number(&p->message, TYPE_UNIT,
		   word_index(p, units[hp_columns[c].unit]));
	put_message(p, &p->out, PROFILE_SAMPLE_TYPE, &p->message);
}

static void
put_head(struct pprof *p, const struct hp_result *r)
{
	const struct hp_dump_info *last = &r->dumps[r->ndumps - 1];

	for (unsigned c = 0; c < HP_COLS; c++)
		if (p->columns >> c & 1)
			put_type(p, (enum hp_col)c);
	put_number(&p->out, PROFILE_DEFAULT_TYPE,
		   word_index(p, hp_columns[r->basis.weight].word));
	put_number(&p->out, PROFILE_TIME_NANOS, last->timestamp_ms * 1000000);
	if (r->command)
		put_number(&p->out, PROFILE_COMMENT, word_index(p, r->command));
}

/*
 * Write a sample: the current stack of p->profile, and the row's values in one
 * dump. Writes nothing if all values are 0.
 */
static void
put_sample(struct pprof *p, const struct hp_row *row, size_t dump, bool base)
{
	bool any = false;

	for (unsigned c = 0; c < HP_COLS; c++) {
		if (!(p->columns >> c & 1))
			continue;
		any |= row->value[c][dump] != 0;
		put_varint(&p->part, base ? 0 - row->value[c][dump]
					  : row->value[c][dump]);
	}
	if (!any) {
		hp_buf_clear(&p->part);
		return;
	}
	put_message(p, &p->message, SAMPLE_VALUE, &p->part);
	/* in pprof, the innermost frame comes first */
	for (size_t i = p->profile.depth; i > 0; i--)
		put_varint(&p->part, p->profile.stack[i - 1]);
	put_message(p, &p->message, SAMPLE_LOCATION, &p->part);
	if (base) {
		put_number(&p->part, LABEL_KEY, word_index(p, "pprof::base"));
		put_number(&p->part, LABEL_TEXT, word_index(p, "true"));
		put_message(p, &p->message, SAMPLE_LABEL, &p->part);
	}
	put_message(p, &p->out, PROFILE_SAMPLE, &p->message);
}

static enum hp_status
put_samples(struct pprof *p, const struct hp_result *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];

		if (!hp_profile_stack(&p->profile, r, row))
			return hp_no_memory(err);
		put_sample(p, row, r->ndumps - 1, false);
		if (r->ndumps > 1)
			put_sample(p, row, 0, true);
		if (p->out.len > MEMBER)
			st = write_member(p, err);
	}
	return st;
}

/*
 * Returns the id of the function of a stack frame. The function is written
 * first if the profile does not have it.
 */
static uint64_t
function_id(struct pprof *p, struct hp_slice frame,
	    const struct hp_profile_place *place)
{
	size_t n = place->file ? (size_t)(place->file - frame.text) +
					 place->file_len
			       : frame.length;
	bool fresh;
	uint32_t id = hp_intern_put(&p->functions, frame.text, n, &fresh);
	uint64_t name;

	p->no_memory |= id == 0;
	if (id == 0 || !fresh)
		return id;
	name = string_index(p, frame.text, place->name);
	put_number(&p->message, FUNCTION_ID, id);
	put_number(&p->message, FUNCTION_NAME, name);
	put_number(&p->message, FUNCTION_SYSTEM_NAME, name);
	if (place->file)
		put_number(&p->message, FUNCTION_FILE,
			   string_index(p, place->file, place->file_len));
	put_message(p, &p->out, PROFILE_FUNCTION, &p->message);
	return id;
}

static enum hp_status
put_locations(struct pprof *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i <= p->profile.frames.count && st == HP_OK; i++) {
		struct hp_slice f = hp_intern_get(&p->profile.frames, i);
		struct hp_profile_place place =
			hp_profile_place(f.text, f.length);

		put_number(&p->part, LINE_FUNCTION, function_id(p, f, &place));
		put_number(&p->part, LINE_NUMBER, place.line);
		put_number(&p->message, LOCATION_ID, i);
		put_message(p, &p->message, LOCATION_LINE, &p->part);
		put_message(p, &p->out, PROFILE_LOCATION, &p->message);
		if (p->out.len > MEMBER)
			st = write_member(p, err);
	}
	return st;
}

/*
 * Write the table of strings. The format requires that the first one is empty.
 */
static enum hp_status
put_strings(struct pprof *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	put_bytes(&p->out, PROFILE_STRING, "", 0);
	for (uint32_t i = 1; i <= p->strings.count && st == HP_OK; i++) {
		struct hp_slice s = hp_intern_get(&p->strings, i);

		put_bytes(&p->out, PROFILE_STRING, s.text, s.length);
		if (p->out.len > MEMBER)
			st = write_member(p, err);
	}
	return st == HP_OK ? write_member(p, err) : st;
}

enum hp_status
hp_report_pprof(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct pprof p = {.file = out,
			  .columns = hp_profile_columns(r),
			  .gzip = libdeflate_alloc_compressor(LEVEL)};
	enum hp_status st = p.gzip ? HP_OK : hp_no_memory(err);

	if (st == HP_OK) {
		put_head(&p, r);
		st = put_samples(&p, r, err);
	}
	if (st == HP_OK)
		st = put_locations(&p, err);
	if (st == HP_OK)
		st = put_strings(&p, err);
	libdeflate_free_compressor(p.gzip);
	hp_buf_release(&p.out);
	hp_buf_release(&p.message);
	hp_buf_release(&p.part);
	hp_intern_release(&p.strings);
	hp_intern_release(&p.functions);
	hp_profile_release(&p.profile);
	return st;
}
