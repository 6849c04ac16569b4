/*
 * parse.c - the format of each kind of line in the agent's text
 *
 * The widths of columns are minimums, and names are not escaped. So values
 * before a name are parsed from the left, and values after a name from the
 * right.
 */
#include "common/text/lines/parse.h"

#include "common/base/bytes.h"
#include "common/format/format.h"

#include <string.h>
#include <time.h>

/* The rest of a line: its characters that were not parsed yet. */
struct rest {
	const char *at, *end;
};

static bool
take_text(struct rest *r, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
		return false;
	r->at += n;
	return true;
}

/*
 * Remove @text from the end of the line. Returns false if the line does not end
 * with @text.
 */
static bool
take_last(struct rest *r, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(r->end - r->at) < n || memcmp(r->end - n, text, n) != 0)
		return false;
	r->end -= n;
	return true;
}

static bool
take_number(struct rest *r, uint64_t *out)
{
	const char *behind = hp_decimal_number(r->at, r->end, out);

	if (behind)
		r->at = behind;
	return behind != NULL;
}

static bool
take_serial(struct rest *r, uint32_t *out)
{
	uint64_t v;

	if (!take_number(r, &v) || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool
take_signed(struct rest *r, int32_t *out)
{
	bool minus = take_text(r, "-");
	uint64_t v;

	if (!take_number(r, &v) || v > (uint64_t)INT32_MAX + minus)
		return false;
	*out = (int32_t)(minus ? -(int64_t)v : (int64_t)v);
	return true;
}

static bool
take_hex(struct rest *r, uint64_t *out)
{
	const char *behind = hp_hex_number(r->at, r->end, out);

	if (behind)
		r->at = behind;
	return behind != NULL;
}

/*
 * Parse a hexadecimal number at the end of the line, after the character
 * @before.
 */
static bool
take_last_hex(struct rest *r, char before, uint64_t *out)
{
	const char *p = r->end;
	unsigned shift = 0;
	uint64_t v = 0;
	int digit;

	for (; p > r->at && (digit = hp_hex_digit(p[-1])) >= 0; p--) {
		if (shift < 64)
			v |= (uint64_t)digit << shift;
		shift += 4;
	}
	if (p == r->at || p[-1] != before || shift == 0 || shift > 64)
		return false;
	*out = v;
	r->end = p - 1;
	return true;
}

static bool
at_end(const struct rest *r)
{
	return r->at == r->end;
}

static struct hp_slice
word(const struct rest *r)
{
	return (struct hp_slice){r->at, (size_t)(r->end - r->at)};
}

static const char *
last_of(const char *from, const char *end, char c)
{
	return from < end ? memrchr(from, c, (size_t)(end - from)) : NULL;
}

/* ---- times, names ---- */

uint64_t
hp_text_time_ms(const char *text, size_t length)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct rest r = {text, text + length};
	struct tm tm = {0};
	uint64_t day, hour, minute, second, year;
	const char *month;
	char name[4] = {0};
	int64_t t;

	if (length < 20)
		return 0;
	memcpy(name, text + 4, 3);
	month = strstr(months, name);
	r.at += 8;
	while (take_text(&r, " "))
		;
	if (!month || (month - months) % 3 || !take_number(&r, &day) ||
	    !take_text(&r, " ") || !take_number(&r, &hour) ||
	    !take_text(&r, ":") || !take_number(&r, &minute) ||
	    !take_text(&r, ":") || !take_number(&r, &second) ||
	    !take_text(&r, " ") || !take_number(&r, &year) || day > 31 ||
	    hour > 23 || minute > 59 || second > 60 || year < 1970 ||
	    year > 9999)
		return 0;
	tm.tm_mon = (int)(month - months) / 3;
	tm.tm_mday = (int)day;
	tm.tm_hour = (int)hour;
	tm.tm_min = (int)minute;
	tm.tm_sec = (int)second;
	tm.tm_year = (int)year - 1900;
	t = timegm(&tm);
	return t > 0 ? (uint64_t)t * 1000 : 0;
}

unsigned
hp_text_array_type(struct hp_slice name)
{
	static const struct {
		char text[10];
		uint8_t length;
		uint8_t type;
	} types[] = {{"boolean[]", 9, 4}, {"char[]", 6, 5}, {"float[]", 7, 6},
		     {"double[]", 8, 7},  {"byte[]", 6, 8}, {"short[]", 7, 9},
		     {"int[]", 5, 10},	  {"long[]", 6, 11}};

	for (size_t i = 0; i < HP_ARRAY_LEN(types); i++)
		if (name.length == types[i].length &&
		    memcmp(name.text, types[i].text, name.length) == 0)
			return types[i].type;
	return 0;
}

bool
hp_text_is_array(struct hp_slice name)
{
	return hp_ends_with(name.text, name.length, "[]");
}

unsigned
hp_text_element_type(struct hp_slice name)
{
	for (unsigned type = HP_TYPE_BOOLEAN; type < HP_TYPE_END; type++)
		if (hp_slice_is(name, hp_type_name(type)))
			return type;
	return hp_text_array_type(name);
}

bool
hp_text_method(struct hp_slice text, struct hp_text_method *out)
{
	const char *end = text.text + text.length;
	const char *open = memchr(text.text, '(', text.length);
	const char *stop = open ? open : end;
	const char *dot = last_of(text.text, stop, '.');

	if (!dot)
		return false;
	out->class_name =
		(struct hp_slice){text.text, (size_t)(dot - text.text)};
	out->name = (struct hp_slice){dot + 1, (size_t)(stop - dot - 1)};
	out->signature = (struct hp_slice){stop, (size_t)(end - stop)};
	return true;
}

/* ---- threads and traces; each comment shows the format of the line ---- */

/* Parse THREAD START (obj=%x, id = %d, name="%s", group="%s"). */
static bool
thread_start(struct rest r, struct hp_text_item *i)
{
	static const char between[] = "\", group=\"";
	const char *p;

	i->kind = HP_TEXT_THREAD_START;
	if (!take_text(&r, "THREAD START (obj=") || !take_hex(&r, &i->id) ||
	    !take_text(&r, ", id = ") || !take_serial(&r, &i->serial) ||
	    !take_text(&r, ", name=\"") || !take_last(&r, "\")"))
		return false;
	if ((size_t)(r.end - r.at) < strlen(between))
		return false;
	p = r.end - strlen(between);
	while (p > r.at && memcmp(p, between, strlen(between)) != 0)
		p--;
	if (memcmp(p, between, strlen(between)) != 0)
		return false;
	i->name = (struct hp_slice){r.at, (size_t)(p - r.at)};
	r.at = p + strlen(between);
	i->method = word(&r);
	return true;
}

/* Parse THREAD END (id = %d). */
static bool
thread_end(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_THREAD_END;
	return take_text(&r, "THREAD END (id = ") &&
	       take_serial(&r, &i->serial) && take_text(&r, ")") && at_end(&r);
}

/*
 * Parse TRACE %u:[ (thread=%d)][ (from %s phase of JVM)]. The parts in brackets
 * may be missing in the line.
 */
static bool
trace(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_TRACE;
	if (!take_text(&r, "TRACE ") || !take_serial(&r, &i->trace) ||
	    !take_text(&r, ":"))
		return false;
	if (take_text(&r, " (thread=") &&
	    (!take_serial(&r, &i->serial) || !take_text(&r, ")")))
		return false;
	return at_end(&r) || (take_text(&r, " (from ") && take_last(&r, ")"));
}

static bool
frame_line(struct rest r, int32_t *line)
{
	if (take_text(&r, "Unknown line"))
		*line = -1;
	else if (take_text(&r, "Compiled method"))
		*line = -2;
	else if (take_text(&r, "Native method"))
		*line = -3;
	else if (!take_signed(&r, line))
		return false;
	return at_end(&r);
}

/*
 * Parse a frame: \t%s.%s(%s:%s) with class, method, source file and line; or
 * "\t<empty>".
 */
static bool
frame(struct rest r, struct hp_text_item *i)
{
	const char *colon, *open, *dot;

	i->kind = HP_TEXT_NO_FRAME;
	if (take_text(&r, "<empty>") && at_end(&r))
		return true;
	i->kind = HP_TEXT_FRAME;
	if (!take_last(&r, ")"))
		return false;
	colon = last_of(r.at, r.end, ':');
	open = colon ? last_of(r.at, colon, '(') : NULL;
	dot = open ? last_of(r.at, open, '.') : NULL;
	if (!dot || !frame_line((struct rest){colon + 1, r.end}, &i->line))
		return false;
	i->name = (struct hp_slice){r.at, (size_t)(dot - r.at)};
	i->method = (struct hp_slice){dot + 1, (size_t)(open - dot - 1)};
	i->source = (struct hp_slice){open + 1, (size_t)(colon - open - 1)};
	return true;
}

/* ---- the heap ---- */

/* Parse HEAP DUMP BEGIN (%u objects, %u bytes), followed by a time. */
static bool
heap_begin(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_HEAP_BEGIN;
	if (!take_text(&r, "HEAP DUMP BEGIN (") ||
	    !take_number(&r, &i->count) || !take_text(&r, " objects, ") ||
	    !take_number(&r, &i->size) || !take_text(&r, " bytes)"))
		return false;
	if (take_text(&r, " "))
		i->time_ms = hp_text_time_ms(r.at, (size_t)(r.end - r.at));
	return true;
}

/*
 * Parse the end of a ROOT line, after the kind of the root. It is empty, or has
 * one or two values with their names, such as "thread=1".
 */
static bool
root_numbers(struct rest *r, struct hp_text_item *i)
{
	switch (i->count) {
	case HP_TEXT_ROOT_THREAD:
		return take_text(r, ", id=") && take_serial(r, &i->serial) &&
		       take_text(r, ", trace=") && take_serial(r, &i->trace);
	case HP_TEXT_ROOT_JNI_GLOBAL:
		return take_text(r, ", id=") && take_hex(r, &i->other) &&
		       take_text(r, ", trace=") && take_serial(r, &i->trace);
	case HP_TEXT_ROOT_JNI_LOCAL:
	case HP_TEXT_ROOT_JAVA_FRAME:
		return take_text(r, ", thread=") &&
		       take_serial(r, &i->serial) && take_text(r, ", frame=") &&
		       take_signed(r, &i->line);
	case HP_TEXT_ROOT_THREAD_BLOCK:
	case HP_TEXT_ROOT_NATIVE:
		return take_text(r, ", thread=") && take_serial(r, &i->serial);
	case HP_TEXT_ROOT_CLASS:
		if (!take_text(r, ", name=") || !take_last(r, ")"))
			return false;
		i->name = word(r);
		r->at = r->end++;
		return true;
	default:
		return true;
	}
}

/* Parse ROOT %x (kind=<%s>...). */
static bool
root(struct rest r, struct hp_text_item *i)
{
	static const struct {
		const char *text;
		enum hp_text_root root;
	} kinds[] = {{"Java stack>", HP_TEXT_ROOT_JAVA_FRAME},
		     {"unknown>", HP_TEXT_ROOT_UNKNOWN},
		     {"thread>", HP_TEXT_ROOT_THREAD},
		     {"JNI global ref>", HP_TEXT_ROOT_JNI_GLOBAL},
		     {"JNI local ref>", HP_TEXT_ROOT_JNI_LOCAL},
		     {"system class>", HP_TEXT_ROOT_CLASS},
		     {"busy monitor>", HP_TEXT_ROOT_MONITOR},
		     {"thread block>", HP_TEXT_ROOT_THREAD_BLOCK},
		     {"native stack>", HP_TEXT_ROOT_NATIVE}};
	size_t k = 0;

	i->kind = HP_TEXT_ROOT;
	if (!take_text(&r, "ROOT ") || !take_hex(&r, &i->id) ||
	    !take_text(&r, " (kind=<"))
		return false;
	while (k < HP_ARRAY_LEN(kinds) && !take_text(&r, kinds[k].text))
		k++;
	if (k == HP_ARRAY_LEN(kinds))
		return false;
	i->count = kinds[k].root;
	return root_numbers(&r, i) && take_text(&r, ")") && at_end(&r);
}

/*
 * Parse OBJ %x (sz=%u, trace=%u, class=%s@%x). With --strings, hprof-convert
 * appends the value of a string.
 */
static bool
object(struct rest r, struct hp_text_item *i)
{
	struct rest rest;
	const char *value;

	i->kind = HP_TEXT_OBJECT;
	if (!take_text(&r, "OBJ ") || !take_hex(&r, &i->id) ||
	    !take_text(&r, " (sz=") || !take_number(&r, &i->size) ||
	    !take_text(&r, ", trace=") || !take_serial(&r, &i->trace) ||
	    !take_text(&r, ", class=") || !take_last(&r, ")"))
		return false;
	rest = r;
	if (!take_last_hex(&rest, '@', &i->other)) {
		/* hprof-convert --strings appends , value="..." */
		value = memmem(r.at, (size_t)(r.end - r.at), ", value=\"", 9);
		if (!value)
			return false;
		rest = (struct rest){r.at, value};
		if (!take_last_hex(&rest, '@', &i->other))
			return false;
	}
	i->name = word(&rest);
	return true;
}

/*
 * Parse ARR %x (sz=%u, trace=%u, nelems=%u, elem type=%s[@%x]).
 *
 * The agents of JDK 5 to 8 print the type of the array, for example "char[]".
 * The agent of JDK 1.4 prints the type of the elements: "char".
 */
static bool
array(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_ARRAY;
	if (!take_text(&r, "ARR ") || !take_hex(&r, &i->id) ||
	    !take_text(&r, " (sz=") || !take_number(&r, &i->size) ||
	    !take_text(&r, ", trace=") || !take_serial(&r, &i->trace) ||
	    !take_text(&r, ", nelems=") || !take_number(&r, &i->count) ||
	    !take_text(&r, ", elem type=") || !take_last(&r, ")") ||
	    i->count > INT32_MAX)
		return false;
	i->primitive = !take_last_hex(&r, '@', &i->other);
	i->name = word(&r);
	return !i->primitive || hp_text_element_type(i->name);
}

/* Parse CLS %x (name=%s, trace=%u). */
static bool class(struct rest r, struct hp_text_item *i)
{
	static const char between[] = ", trace=";
	struct rest number;
	const char *comma;

	i->kind = HP_TEXT_CLASS;
	if (!take_text(&r, "CLS ") || !take_hex(&r, &i->id) ||
	    !take_text(&r, " (name=") || !take_last(&r, ")"))
		return false;
	comma = last_of(r.at, r.end, ',');
	if (!comma)
		return false;
	number = (struct rest){comma, r.end};
	if (!take_text(&number, between) || !take_serial(&number, &i->trace) ||
	    !at_end(&number))
		return false;
	i->name = (struct hp_slice){r.at, (size_t)(comma - r.at)};
	return true;
}

/* Parse a reference field: \t%s\t[\t]%x. The first tab is already parsed. */
static bool
field(struct rest r, struct hp_text_item *i)
{
	bool two;

	i->kind = HP_TEXT_FIELD;
	if (!take_last_hex(&r, '\t', &i->other))
		return false;
	two = r.end > r.at && r.end[-1] == '\t';
	r.end -= two;
	i->name = word(&r);
	/* If there are two tabs, the name may be empty. */
	return two || i->name.length > 0;
}

/* Parse an array element: \t[%u]\t\t%x. The first tab is already parsed. */
static bool
element(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_ELEMENT;
	return hp_array_element(r.at - 1, r.end, &i->count, &i->other) == r.end;
}

/*
 * Parse one of the lines that follow a CLS line and describe the same class:
 * its super class, a static field and others.
 */
static bool
of_class(struct rest r, struct hp_text_item *i)
{
	static const char *const links[] = {[HP_TEXT_SUPER] = "super\t\t",
					    [HP_TEXT_LOADER] = "loader\t\t",
					    [HP_TEXT_SIGNERS] = "signers\t\t",
					    [HP_TEXT_DOMAIN] = "domain\t\t"};

	if (take_text(&r, "constant pool entry ")) {
		i->kind = HP_TEXT_CONSTANT;
		return take_number(&r, &i->count) && take_text(&r, "\t") &&
		       take_hex(&r, &i->other) && at_end(&r);
	}
	if (take_text(&r, "static ")) {
		i->kind = HP_TEXT_STATIC;
		if (!take_last_hex(&r, '\t', &i->other))
			return false;
		i->name = word(&r);
		return true;
	}
	i->kind = HP_TEXT_LINK;
	for (i->count = 0; i->count < HP_ARRAY_LEN(links); i->count++)
		if (take_text(&r, links[i->count]))
			return take_hex(&r, &i->other) && at_end(&r);
	return false;
}

/* ---- tables ---- */

static void
skip_blanks(struct rest *r)
{
	while (r->at < r->end && *r->at == ' ')
		r->at++;
}

static bool
take_column(struct rest *r, uint64_t *out)
{
	skip_blanks(r);
	return take_number(r, out);
}

/*
 * Parse a percentage: the result is in units of 0.01 %, so 1234 for "12.34%".
 */
static bool
take_percent(struct rest *r, uint32_t *out)
{
	uint64_t whole, part;
	const char *point;

	if (!take_column(r, &whole) || !take_text(r, "."))
		return false;
	point = r->at;
	if (!take_number(r, &part) || r->at != point + 2 ||
	    !take_text(r, "%") || whole > UINT32_MAX / 100 - 1)
		return false;
	*out = (uint32_t)(whole * 100 + part);
	return true;
}

static bool
row_begin(struct rest *r, struct hp_text_item *i)
{
	uint64_t rank;

	if (!take_column(r, &rank) || rank > UINT32_MAX)
		return false;
	i->rank = (uint32_t)rank;
	return take_percent(r, &i->self) && take_percent(r, &i->accum);
}

static bool
row_trace(struct rest *r, struct hp_text_item *i)
{
	uint64_t v;

	if (!take_column(r, &v) || v > UINT32_MAX || !take_text(r, " "))
		return false;
	i->trace = (uint32_t)v;
	i->name = word(r);
	return i->name.length > 0;
}

/* Parse a row of SITES: %5u %5.2f%% %5.2f%% %9u %4u %9u %5u %5u %s. */
static bool
site(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_SITE;
	return row_begin(&r, i) && take_column(&r, &i->live_bytes) &&
	       take_column(&r, &i->live_count) &&
	       take_column(&r, &i->all_bytes) &&
	       take_column(&r, &i->all_count) && row_trace(&r, i);
}

/*
 * Parse a row of CPU SAMPLES, CPU TIME or MONITOR TIME: %4u %5.2f%% %5.2f%% %7u
 * %5u, then %s.%s, "<empty trace>" or "%s (Java)".
 */
static bool
row(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_ROW;
	return row_begin(&r, i) && take_column(&r, &i->count) &&
	       row_trace(&r, i);
}

/*
 * Parse a row of a cpu=old report: %d %s %s %d. The values are count, called
 * method, calling method and time. The name of the calling method may contain
 * blanks.
 */
static bool
old_row(struct rest r, struct hp_text_item *i)
{
	const char *blank, *middle;
	struct rest time;

	i->kind = HP_TEXT_OLD_ROW;
	if (!take_number(&r, &i->count) || !take_text(&r, " "))
		return false;
	blank = last_of(r.at, r.end, ' ');
	if (!blank)
		return false;
	time = (struct rest){blank + 1, r.end};
	if (!take_number(&time, &i->size) || !at_end(&time))
		return false;
	r.end = blank;
	if (take_text(&r, "<unknown callee>"))
		middle = r.at;
	else
		middle = memchr(r.at, ' ', (size_t)(r.end - r.at));
	if (!middle)
		return false;
	if (middle > r.at)
		i->name = (struct hp_slice){r.at, (size_t)(middle - r.at)};
	r.at = middle + 1;
	if (r.at > r.end)
		return false;
	if (!take_text(&r, "<unknown caller>"))
		i->method = word(&r);
	return true;
}

/*
 * Parse the first line of a report. It begins with @text; a total and a time
 * follow.
 */
static bool
report_begin(struct rest r, const char *text, enum hp_text_kind kind,
	     struct hp_text_item *i)
{
	if (!take_text(&r, text))
		return false;
	i->kind = kind;
	if (kind == HP_TEXT_SITES_BEGIN) {
		i->by_allocated = take_text(&r, "allocated bytes)");
		if (!i->by_allocated && !take_text(&r, "live bytes)"))
			return false;
	} else if (!take_number(&r, &i->size) ||
		   (kind == HP_TEXT_MONITORS_BEGIN && !take_text(&r, " ms")) ||
		   !take_text(&r, ")")) {
		return false;
	}
	skip_blanks(&r);
	i->time_ms = hp_text_time_ms(r.at, (size_t)(r.end - r.at));
	return true;
}

/* The kind of a line whose text is always the same, such as "HEAP DUMP END". */
static enum hp_text_kind
fixed_line(const char *line, size_t length)
{
	static const struct {
		const char *text;
		enum hp_text_kind kind;
	} lines[] = {{"HEAP DUMP END", HP_TEXT_HEAP_END},
		     {"SITES END", HP_TEXT_SITES_END},
		     {"CPU SAMPLES END", HP_TEXT_SAMPLES_END},
		     {"CPU TIME (ms) END", HP_TEXT_TIMES_END},
		     {"MONITOR TIME END", HP_TEXT_MONITORS_END},
		     {"MONITOR DUMP BEGIN", HP_TEXT_MONITOR_DUMP_BEGIN},
		     {"MONITOR DUMP END", HP_TEXT_MONITOR_DUMP_END},
		     {"count callee caller time", HP_TEXT_OLD_BEGIN}};

	for (size_t k = 0; k < HP_ARRAY_LEN(lines); k++)
		if (length == strlen(lines[k].text) &&
		    memcmp(line, lines[k].text, length) == 0)
			return lines[k].kind;
	return HP_TEXT_OTHER;
}

static bool
capital_line(struct rest r, struct hp_text_item *i)
{
	static const char *const events[] = {
		"WAIT: ", "WAITED: ", "SLEEP: ", "EXIT: "};

	i->kind = fixed_line(r.at, (size_t)(r.end - r.at));
	if (i->kind != HP_TEXT_OTHER)
		return true;
	for (size_t k = 0; k < HP_ARRAY_LEN(events); k++) {
		i->kind = HP_TEXT_MONITOR_EVENT;
		if (take_text(&r, events[k]))
			return true;
	}
	return heap_begin(r, i) ||
	       report_begin(r, "SITES BEGIN (ordered by ", HP_TEXT_SITES_BEGIN,
			    i) ||
	       report_begin(r, "CPU SAMPLES BEGIN (total = ",
			    HP_TEXT_SAMPLES_BEGIN, i) ||
	       report_begin(r, "CPU TIME (ms) BEGIN (total = ",
			    HP_TEXT_TIMES_BEGIN, i) ||
	       report_begin(r, "MONITOR TIME BEGIN (total = ",
			    HP_TEXT_MONITORS_BEGIN, i);
}

static bool
heading(struct rest r)
{
	static const char *const lines[] = {
		("          percent          live          alloc'ed  stack "
		 "class"),
		" rank   self  accum     bytes objs     bytes  objs trace name",
		"rank   self  accum   count trace method",
		"rank   self  accum   count trace monitor"};
	const struct hp_slice line = {r.at, (size_t)(r.end - r.at)};

	for (size_t k = 0; k < HP_ARRAY_LEN(lines); k++)
		if (hp_slice_is(line, lines[k]))
			return true;
	return false;
}

/*
 * Parse "    THREAD %d, trace %d, status: %s". Other lines of a MONITOR DUMP
 * are accepted without values.
 */
static bool
monitor_line(struct rest r, struct hp_text_item *i)
{
	i->kind = HP_TEXT_MONITOR_LINE;
	if (take_text(&r, "    THREAD ") &&
	    !(take_serial(&r, &i->serial) && take_text(&r, ", trace ") &&
	      take_serial(&r, &i->trace) && take_text(&r, ", status: ")))
		return false;
	return true;
}

static bool
table_line(struct rest r, enum hp_text_within within, struct hp_text_item *i)
{
	if (within == HP_WITHIN_OLD)
		return old_row(r, i);
	i->kind = HP_TEXT_HEADING;
	if (heading(r))
		return true;
	switch (within) {
	case HP_WITHIN_SITES:
		return site(r, i);
	case HP_WITHIN_SAMPLES:
	case HP_WITHIN_TIMES:
	case HP_WITHIN_MONITORS:
		return row(r, i);
	case HP_WITHIN_MONITOR_DUMP:
		return monitor_line(r, i);
	default:
		return false;
	}
}

static bool
tab_line(struct rest r, enum hp_text_within within, struct hp_text_item *i)
{
	r.at++;
	switch (within) {
	case HP_WITHIN_TRACE:
		return frame(r, i);
	case HP_WITHIN_OBJECT:
		return field(r, i);
	case HP_WITHIN_ARRAY:
		return element(r, i);
	case HP_WITHIN_CLASS:
		return of_class(r, i);
	case HP_WITHIN_MONITOR_DUMP:
		i->kind = HP_TEXT_MONITOR_LINE;
		return true;
	default:
		return false;
	}
}

/*
 * Whether the line belongs to an object, array or class of a heap dump, judged
 * by its first character. A heap dump has hundreds of millions of such lines.
 * They use few members of the result, so only these members are set: clearing
 * all members took a tenth of the parsing time. The lines of stack frames also
 * begin with a tab, but their parser sets all members that it uses.
 */
static bool
is_of_heap(char first)
{
	return first == '\t' || first == 'O' || first == 'A' || first == 'R';
}

enum hp_text_kind
hp_text_parse(const char *line, size_t length, enum hp_text_within within,
	      struct hp_text_item *i)
{
	const struct rest r = {line, line + length};
	bool fine;

	memset(i, 0, offsetof(struct hp_text_item, method));
	i->kind = HP_TEXT_BLANK;
	if (length == 0)
		return i->kind;
	if (!is_of_heap(line[0]))
		memset(&i->method, 0,
		       sizeof(*i) - offsetof(struct hp_text_item, method));
	switch (line[0]) {
	case '\t':
		fine = tab_line(r, within, i);
		break;
	case 'O':
		fine = object(r, i);
		break;
	case 'A':
		fine = array(r, i);
		break;
	case 'R':
		fine = root(r, i);
		break;
	case 'T':
		fine = trace(r, i) || thread_start(r, i) || thread_end(r, i);
		break;
	case 'C':
		fine = class(r, i) || capital_line(r, i);
		break;
	default:
		if ((line[0] >= '0' && line[0] <= '9') || line[0] == ' ')
			fine = table_line(r, within, i);
		else
			fine = capital_line(r, i) || table_line(r, within, i);
		break;
	}
	if (!fine)
		i->kind = HP_TEXT_OTHER;
	return i->kind;
}
