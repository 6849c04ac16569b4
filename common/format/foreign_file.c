/*
 * foreign_file.c - recognise two kinds of files by their first bytes: files
 * that users mistake for dumps, and dumps that were damaged by copying them as
 * text
 *
 * A table has an entry for each kind of file: how to detect it, its name, and
 * advice for the user. The first entry that matches is used. Compressed files
 * that the programs decompress (common/io/layer.h) are not in the table.
 */
#include "common/format/foreign_file.h"

#include "common/io/layer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The beginning of a file, from which its kind is recognised. */
struct start {
	const uint8_t *p;
	size_t n;
	/*
	 * A number that the function detect() of the kind of file may set. It
	 * replaces the # in the advice for the user; see the table kinds[].
	 */
	uint64_t at;
};

/*
 * The number of bytes at the start of the file in which texts are searched. It
 * suffices, because error messages of servers are short.
 */
#define TEXT_BYTES ((size_t)4 << 10)

static bool
begins(const struct start *s, const char *text, size_t n)
{
	return s->n >= n && memcmp(s->p, text, n) == 0;
}

/*
 * Returns the offset of @text in the first @most bytes of the file; SIZE_MAX if
 * these do not contain it.
 */
static size_t
find(const struct start *s, const char *text, size_t most)
{
	size_t len = strlen(text), end = s->n < most ? s->n : most;

	for (size_t i = 0; i + len <= end; i++)
		if (s->p[i] == (uint8_t)text[0] &&
		    memcmp(s->p + i, text, len) == 0)
			return i;
	return SIZE_MAX;
}

static bool
has(const struct start *s, const char *text)
{
	return find(s, text, TEXT_BYTES) != SIZE_MAX;
}

/* ---- dumps that were damaged by copying ---- */

static const char dump[] = "JAVA PROFILE ";
static const char bom[] = "\xef\xbb\xbf";

static bool
begins_dump(const struct start *s)
{
	return begins(s, dump, sizeof(dump) - 1);
}

/*
 * Whether every line feed follows a carriage return, as after a copy in text
 * mode. In an intact dump, about one byte in 256 is a line feed, after an
 * arbitrary byte. So the probability that four line feeds follow carriage
 * returns by chance is one in four billion.
 */
static bool
is_text_mode(struct start *s)
{
	enum { ENOUGH = 4 };
	size_t found = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->p[i] != '\n')
			continue;
		if (i == 0 || s->p[i - 1] != '\r')
			return false;
		found++;
	}
	return begins_dump(s) && found >= ENOUGH;
}

/*
 * Counts of certain UTF-8 characters, which show which conversion has damaged a
 * dump.
 */
struct utf8_counts {
	size_t replaced; /* U+FFFD, the replacement character */
	size_t controls; /* U+0080 to U+009F, which are never in names */
	size_t others;	 /* characters above U+00FF, except U+FFFD */
};

/*
 * Decode the UTF-8 character at @p, where @n bytes are available. Returns the
 * length of the character in bytes; 0 if it is invalid; SIZE_MAX if the bytes
 * end inside it. Accepts what RFC 3629 allows, and also surrogates, which are
 * not counted.
 */
static size_t
utf8_char(const uint8_t *p, size_t n, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = p[0] < 0x80   ? 1
		     : p[0] < 0xc2 ? 0
		     : p[0] < 0xe0 ? 2
		     : p[0] < 0xf0 ? 3
		     : p[0] < 0xf5 ? 4
				   : 0;

	*c = len > 1 ? p[0] & (0xffu >> (len + 1)) : p[0];
	for (size_t i = 1; i < len; i++) {
		if (i == n)
			return SIZE_MAX;
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3fu);
	}
	return *c < least[len] ? 0 : len;
}

/*
 * Whether the file is a dump that was damaged by a conversion to UTF-8: all its
 * bytes are valid UTF-8. Counts the characters of the file in @out. In an
 * intact dump, bytes of ids and lengths are invalid UTF-8, mostly within the
 * first few hundred bytes.
 */
static bool
count_utf8(const struct start *s, struct utf8_counts *out)
{
	size_t len;
	uint32_t c;

	*out = (struct utf8_counts){0};
	for (size_t i = 0; i < s->n; i += len) {
		len = utf8_char(s->p + i, s->n - i, &c);
		if (len == SIZE_MAX)
			break;
		if (len == 0)
			return false;
		out->replaced += c == 0xfffd;
		out->controls += c >= 0x80 && c < 0xa0;
		out->others += c > 0xff && c != 0xfffd;
	}
	return begins_dump(s);
}

/*
 * A file was converted if it has at least this many characters of one kind (see
 * struct utf8_counts). Fewer may occur in names.
 */
enum { UTF8_ENOUGH = 4 };

static bool
is_replaced(struct start *s)
{
	struct utf8_counts u;

	return count_utf8(s, &u) && u.replaced >= UTF8_ENOUGH;
}

static bool
is_latin_1_as_utf8(struct start *s)
{
	struct utf8_counts u;

	return count_utf8(s, &u) && u.controls >= UTF8_ENOUGH && !u.replaced &&
	       !u.others;
}

/* ---- other files ---- */

static size_t
space_at(const struct start *s, size_t i)
{
	while (i < s->n && i < TEXT_BYTES && isspace(s->p[i]))
		i++;
	return i;
}

/*
 * Whether the file begins with @text (in lower case; case is ignored), possibly
 * after a byte order mark and white space.
 */
static bool
begins_text(const struct start *s, const char *text)
{
	size_t i = space_at(s, begins(s, bom, 3) ? 3 : 0), n = strlen(text);

	if (s->n < n || i > s->n - n)
		return false;
	for (size_t k = 0; k < n; k++)
		if (tolower(s->p[i + k]) != text[k])
			return false;
	return true;
}

static bool
is_core(struct start *s)
{
	enum { DATA = 5, TYPE = 16, BIG_ENDIAN_DATA = 2, CORE = 4 };
	size_t low = TYPE;

	if (!begins(s, "\177ELF", 4) || s->n < TYPE + 2)
		return false;
	if (s->p[DATA] == BIG_ENDIAN_DATA)
		low++;
	return s->p[low] == CORE && s->p[low ^ 1] == 0;
}

/*
 * Whether the bytes are still compressed: the source decompresses at most three
 * nested containers, and this file has more.
 */
static bool
is_container(struct start *s)
{
	size_t n = s->n < HP_LAYER_HEAD ? s->n : HP_LAYER_HEAD;

	return hp_container_find(NULL, s->p, n) != NULL;
}

static bool
is_json(struct start *s)
{
	return (begins_text(s, "{") || begins_text(s, "[")) &&
	       memchr(s->p, 0, s->n < TEXT_BYTES ? s->n : TEXT_BYTES) == NULL;
}

/*
 * Whether the file is a heap snapshot of V8: JSON that begins with the members
 * that V8's profiler writes first.
 */
static bool
is_v8_snapshot(struct start *s)
{
	return begins_text(s, "{") && has(s, "\"snapshot\"") &&
	       (has(s, "\"node_fields\"") || has(s, "\"meta\""));
}

static bool
is_our_result(struct start *s)
{
	return is_json(s) && has(s, "\"hprof-diff\"");
}

/*
 * Whether the file is an error message in JSON. Spring's actuator and similar
 * servers send it instead of a dump.
 */
static bool
is_json_error(struct start *s)
{
	return is_json(s) && (has(s, "\"error\"") || has(s, "\"errors\"") ||
			      has(s, "\"status\"") || has(s, "\"message\""));
}

static bool
is_html(struct start *s)
{
	return begins_text(s, "<!doctype html") || begins_text(s, "<html") ||
	       begins_text(s, "<head") || begins_text(s, "<body");
}

static bool
is_xml(struct start *s)
{
	return begins_text(s, "<?xml") || begins_text(s, "<error");
}

/*
 * Returns the offset of the end of the HTTP headers, if the file is an HTTP
 * response; otherwise SIZE_MAX.
 */
static size_t
http_headers_end(const struct start *s)
{
	size_t crlf, lf;

	if (!begins(s, "HTTP/", 5))
		return SIZE_MAX;
	crlf = find(s, "\r\n\r\n", s->n);
	lf = find(s, "\n\n", s->n);
	if (crlf != SIZE_MAX && crlf < lf)
		return crlf + 4;
	return lf == SIZE_MAX ? SIZE_MAX : lf + 2;
}

static bool
is_dump_after_http(struct start *s)
{
	size_t end = http_headers_end(s);
	struct start rest;

	if (end == SIZE_MAX)
		return false;
	rest = (struct start){.p = s->p + end, .n = s->n - end};
	s->at = end + 1;
	return begins_dump(&rest);
}

static bool
is_dump_after_bom(struct start *s)
{
	return begins(s, bom, 3) && s->n > 3 &&
	       begins_dump(&(struct start){.p = s->p + 3, .n = s->n - 3});
}

/*
 * Whether the file is a dump that was converted to UTF-16: it begins with
 * "JAVA" in UTF-16, possibly after a byte order mark.
 */
static bool
is_utf16_dump(struct start *s)
{
	static const char little[] = "J\0A\0V\0A", big[] = "\0J\0A\0V\0A";
	struct start rest = *s;

	if (begins(s, "\xff\xfe", 2) || begins(s, "\xfe\xff", 2))
		rest = (struct start){.p = s->p + 2, .n = s->n - 2};
	return begins(&rest, little, sizeof(little) - 1) ||
	       begins(&rest, big, sizeof(big) - 1);
}

static bool
is_utf16(struct start *s)
{
	return begins(s, "\xff\xfe", 2) || begins(s, "\xfe\xff", 2);
}

/* Whether the file is a dump or a gzip file that was encoded as base64. */
static bool
is_base64(struct start *s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
				     "nopqrstuvwxyz0123456789+/=-_\r\n";

	if (!begins(s, "SkFWQSBQUk9GSUxF", 16) && !begins(s, "H4sI", 4))
		return false;
	for (size_t i = 0; i < s->n && i < TEXT_BYTES; i++)
		if (s->p[i] == 0 || !strchr(digits, s->p[i]))
			return false;
	return true;
}

static bool
is_text(struct start *s)
{
	for (size_t i = 0; i < s->n && i < TEXT_BYTES; i++)
		if (s->p[i] == 0 ||
		    (s->p[i] < ' ' && !strchr("\t\n\r", s->p[i])))
			return false;
	return s->n > 0 && !begins_dump(s);
}

/* ---- the table of kinds of files ---- */

enum when {
	/* the entry of the table is for files that do not begin like a dump */
	NO_HEADER,
	/*
	 * The entry is for files that begin like a dump, or that began like a
	 * dump before they were changed by copying them as text.
	 */
	CHANGED,
};

/*
 * The table of kinds of files. A kind is detected by its first bytes (magic) or
 * by a function (detect). MAGIC() also stores the number of bytes, because they
 * may contain NUL. A # in the advice is replaced by the number that the
 * function has found.
 */
#define MAGIC(text) .magic = (text), .length = sizeof(text) - 1

static const struct kind {
	const char *what, *advice;
	const char *magic;
	size_t length;
	bool (*detect)(struct start *s);
	enum when when;
} kinds[] = {
	{"a dump that was copied as text, so that every line feed became a "
	 "carriage return and a line feed",
	 "copy it again in binary mode", .detect = is_text_mode,
	 .when = CHANGED},
	{"a dump that was read as UTF-8 text, so that bytes became U+FFFD and "
	 "are lost",
	 "copy it again as bytes", .detect = is_replaced, .when = CHANGED},
	{"a dump that was converted from Latin-1 to UTF-8",
	 "'iconv -f UTF-8 -t ISO-8859-1' restores it",
	 .detect = is_latin_1_as_utf8, .when = CHANGED},
	/*
	 * the file begins with a text that DataOutputStream.writeUTF() has
	 * written: the length, 18, and then the text
	 */
	{"a portable heap dump (PHD) of OpenJ9",
	 "open it with Eclipse MAT and its DTFJ plug-in, which can export it "
	 "as HPROF",
	 MAGIC("\0\22portable heap dump")},
	{"a JFR recording",
	 "'jfr print' reads it; 'jcmd PID GC.heap_dump FILE' writes a heap "
	 "dump",
	 MAGIC("FLR\0")},
	{"a core file",
	 "'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a heap dump "
	 "of "
	 "it",
	 .detect = is_core},
	{"an ELF file, a program or a library",
	 "'jcmd PID GC.heap_dump FILE' writes a heap dump", MAGIC("\177ELF")},
	{"a minidump of Windows",
	 "'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a heap dump "
	 "of "
	 "it",
	 MAGIC("MDMP")},
	{"compressed with xz", "'xz -d' unpacks it", MAGIC("\3757zXZ\0")},
	{"compressed with bzip2", "'bzip2 -d' unpacks it", MAGIC("BZh")},
	{"compressed with lz4", "'lz4 -d' unpacks it", MAGIC("\4\"M\30")},
	{"a 7-Zip archive", "'7z x' unpacks it", MAGIC("7z\274\257\47\34")},
	{"a RAR archive", "'unrar x' unpacks it", MAGIC("Rar!\32\7")},
	/*
	 * only for builds without packs (PACK=no); other builds read a pack as
	 * a dump
	 */
	{"a pack of hprof-convert",
	 "this build cannot read packs: it was made with PACK=no",
	 MAGIC("\x89HPK\r\n\x1a\n")},
	{"still compressed after three layers", "unpack it first",
	 .detect = is_container},
	{"a dump after the headers of an HTTP answer",
	 "'tail -c +# FILE' or hprof-convert --salvage writes the dump without "
	 "the headers",
	 .detect = is_dump_after_http},
	{"an HTTP answer without a heap dump",
	 "look at the file with 'head', and download the dump again",
	 MAGIC("HTTP/")},
	{"a dump after a byte order mark",
	 "'tail -c +4 FILE' or hprof-convert --salvage writes the dump without "
	 "the mark",
	 .detect = is_dump_after_bom},
	{"a dump that was converted to UTF-16, as '>' of PowerShell does",
	 "write the dump again, but without '>': use the option that sets the "
	 "output file",
	 .detect = is_utf16_dump},
	{"a text in UTF-16", "choose another file", .detect = is_utf16},
	{"a dump in base64", "'base64 -d' restores it", .detect = is_base64},
	{"a heap snapshot of V8 (Node.js, Chrome)",
	 "the Memory panel of Chrome's DevTools opens it",
	 .detect = is_v8_snapshot},
	{"a result of hprof-diff", "hprof-diff reads it",
	 .detect = is_our_result},
	{"JSON with an error message of a server",
	 "look at the file, and download the dump again",
	 .detect = is_json_error},
	{"JSON", "look at the file, and download the dump again",
	 .detect = is_json},
	{"an HTML page, perhaps of a login or an error",
	 "log in, and download the dump again", .detect = is_html},
	{"an XML document, perhaps an error message of a server",
	 "look at the file, and download the dump again", .detect = is_xml},
	{"text", "look at it with 'head'", .detect = is_text},
};

/*
 * The number for hp_foreign_file_text() contains two numbers: the index of the
 * kind of file in the low NUMBER_BITS bits, and the number that replaces the #
 * in the advice in the other bits.
 */
enum { NUMBER_BITS = 8 };
_Static_assert(HP_ARRAY_LEN(kinds) < 1 << NUMBER_BITS,
	       "the number of a kind fits in NUMBER_BITS");

static uint64_t
detect(struct start *s, enum when when)
{
	for (unsigned i = 0; i < HP_ARRAY_LEN(kinds); i++) {
		const struct kind *k = &kinds[i];

		s->at = 0;
		if (k->when == when &&
		    (k->detect ? k->detect(s) : begins(s, k->magic, k->length)))
			return (i + 1) | s->at << NUMBER_BITS;
	}
	return 0;
}

uint64_t
hp_foreign_transfer(const uint8_t *p, size_t n)
{
	return detect(&(struct start){.p = p, .n = n}, CHANGED);
}

uint64_t
hp_foreign_file(const uint8_t *p, size_t n)
{
	struct start s = {.p = p, .n = n};
	uint64_t changed = 0;

	/*
	 * A program that adds a byte order mark often also changes other bytes
	 * of the file. So examine the bytes after the mark.
	 */
	if (is_dump_after_bom(&s))
		changed = hp_foreign_transfer(p + 3, n - 3);
	return changed ? changed : detect(&s, NO_HEADER);
}

bool
hp_foreign_is_other_json(const uint8_t *p, size_t n)
{
	struct start s = {.p = p, .n = n};

	return !is_our_result(&s) && (is_v8_snapshot(&s) || is_json_error(&s));
}

bool
hp_foreign_file_text(uint64_t kind, char text[HP_FOREIGN_TEXT])
{
	uint64_t i = kind & ((1u << NUMBER_BITS) - 1);
	const struct kind *k;
	size_t before;

	text[0] = '\0';
	if (i == 0 || i > HP_ARRAY_LEN(kinds))
		return false;
	k = &kinds[i - 1];
	before = strcspn(k->advice, "#");
	if (k->advice[before])
		snprintf(text, HP_FOREIGN_TEXT, "%s; %.*s%" PRIu64 "%s",
			 k->what, (int)before, k->advice, kind >> NUMBER_BITS,
			 k->advice + before + 1);
	else
		snprintf(text, HP_FOREIGN_TEXT, "%s; %s", k->what, k->advice);
	return true;
}
