/*
 * options.c - the options of hprof-convert, and which of them can be combined
 */
#include "convert/options.h"

#include "common/secrets/secrets.h"
#include "common/components/components.h"
#include "common/base/bytes.h"
#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/format/format.h"

#include <string.h>

enum {
	OPT_TO,
	OPT_COMPRESS,
	OPT_STRIP_ARRAYS,
	OPT_KEEP_FIRST,
	OPT_STRIP_FIELDS,
	OPT_SHAPE_ONLY,
	OPT_SHAREABLE,
	OPT_KEEP,
	OPT_STRIP_MATCHING,
	OPT_HEAPS,
	OPT_PROFILE,
	OPT_MAPPING,
	OPT_SEND,
	OPT_ELEMENTS,
};

#define FORMAT(symbol, name, suffixes, stage, holds) name,
static const char *const tos[] = {
#include "convert/formats.def"
	NULL};
#define FORMAT(symbol, name, suffixes, stage, holds) suffixes,
static const char *const to_suffixes[] = {
#include "convert/formats.def"
	NULL};

/* Short names of the HP_OUTPUT_ bits, for the column "holds" of formats.def. */
enum {
	DUMP = HP_OUTPUT_DUMP,
	PACKED = HP_OUTPUT_PACKED,
	LINES = HP_OUTPUT_LINES,
	JSON = HP_OUTPUT_JSON,
	AGENT_TEXT = HP_OUTPUT_AGENT_TEXT,
	FOLDER = HP_OUTPUT_FOLDER,
	CHOOSES = HP_OUTPUT_CHOOSES,
	STACKS = HP_OUTPUT_STACKS,
};
#define FORMAT(symbol, name, suffixes, stage, holds) holds,
static const unsigned held[] = {
#include "convert/formats.def"
};
static const char *const kinds[] = {"none", "zstd", "gzip", NULL};
/*
 * the names of the primitive types, in the order of enum hp_type from boolean
 * on
 */
static const char *const types[] = {"boolean", "char", "float",
				    "double",  "byte", "short",
				    "int",     "long", NULL};
static const char *const heaps[] = {"app", "image", "zygote", NULL};
static const char *const matching[] = {"secrets",
#define CATEGORY(symbol, standard, word, plural) word,
#include "common/secrets/secret_categories.def"
				       "all", NULL};
static const char *const elements[] = {"none", NULL};
static const char *const profiles[] = {"1.0.1", "1.0.2", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_convert_options, member)}
#define COUNT(member, from, to)                                                \
	.value = {HP_VALUE_COUNT, offsetof(struct hp_convert_options, member), \
		  from, to}

#define GROUP_FORMAT "What to write"
#define GROUP_REMOVE "Remove payload"
#define GROUP_RECOVER "Recover a damaged dump"
#define GROUP_PORT "Android, versions and heaps"
#define GROUP_EXPORT "Text, NDJSON and tables"
#define GROUP_AGENT "Receive from an agent"

static const struct hp_option table[] = {
	{"to", 0, false, NULL, OPT_TO,
	 "format of the output: hprof (default); text, the ASCII format of the "
	 "HPROF agent; ndjson, one line with a JSON object for each record and "
	 "sub-record; pack, a columnar archive that all three programs read; "
	 "threads, the threads and their stacks as jstack prints them; tables, "
	 "a new folder OUTPUT (or OUTPUT.tar) of TSV files for databases",
	 tos, .group = GROUP_FORMAT, .brief_argument = "FORMAT",
	 .brief = "hprof (default), pack, ndjson, threads, ..."},
	{"compress", 0, false, "KIND[:LEVEL]", OPT_COMPRESS,
	 "compress the output: none, zstd[:1-22] (default level 1) or "
	 "gzip[:1-12]; without this option the suffix of OUTPUT decides (.zst, "
	 ".gz); with --to=pack, zstd[:1-19] (default level 3)",
	 kinds, HP_CHOICE_HEAD, .group = GROUP_FORMAT, .brief_argument = "KIND",
	 .brief = "zstd, gzip or none (default: by OUTPUT's suffix)"},
	{"raw", 0, false, NULL, HP_OPTION_VALUE,
	 "copy the bytes as they are, and only compress or decompress them; "
	 "works for any file",
	 VALUE(FLAG, raw), .group = GROUP_FORMAT},
	{"verify", 0, false, NULL, HP_OPTION_VALUE,
	 "read the output file again and compare it with what was written",
	 VALUE(FLAG, verify), .group = GROUP_FORMAT,
	 .brief = "read the output again and compare"},
	{"shareable", 0, false, NULL, OPT_SHAREABLE,
	 "make a dump that you can send to others: remove all payload as "
	 "--shape-only does, and print what was removed and what is left",
	 .group = GROUP_REMOVE, .brief = "remove all payload, to share a dump"},
	{"no-times", 0, false, NULL, HP_OPTION_VALUE,
	 "set the time of the dump and the times of its records to zero",
	 VALUE(FLAG, policy.times), .group = GROUP_REMOVE},
	{"shape-only", 0, false, NULL, OPT_SHAPE_ONLY,
	 "remove all payload: --strip-arrays, --strip-fields and "
	 "--strip-strings together",
	 .group = GROUP_REMOVE},
	{"strip-arrays", 0, true, "TYPE,...", OPT_STRIP_ARRAYS,
	 "set the elements of primitive arrays to zero; with TYPE, only arrays "
	 "of these types: boolean, char, float, double, byte, short, int, long",
	 types, HP_CHOICE_LIST, .group = GROUP_REMOVE,
	 .brief = "set elements of primitive arrays to zero"},
	{"strip-fields", 0, true, "TYPE,...", OPT_STRIP_FIELDS,
	 "set primitive fields, static fields and constants to zero; with "
	 "TYPE, only those of these types",
	 types, HP_CHOICE_LIST, .group = GROUP_REMOVE,
	 .brief = "set primitive fields to zero"},
	{"strip-strings", 0, false, NULL, HP_OPTION_VALUE,
	 "remove the text of STRING records, except the names of classes, "
	 "fields, methods, signatures, source files, threads and heaps",
	 VALUE(FLAG, policy.strings), .group = GROUP_REMOVE},
	{"strip-matching", 0, false, "secrets[,CATEGORY...]",
	 OPT_STRIP_MATCHING,
	 "remove only the contents of arrays and STRING records in which "
	 "hprof-validate --secrets finds a secret; the categories are the "
	 "same: sessions, email, cards or all",
	 matching, HP_CHOICE_LIST, .group = GROUP_REMOVE},
	{"keep-first", 0, false, "N", OPT_KEEP_FIRST,
	 "keep the first N elements of each array", .group = GROUP_REMOVE},
	{"keep", 0, false, "CLASS#FIELD", OPT_KEEP,
	 "do not remove the payload of the objects to which this field of "
	 "CLASS or of a subclass refers; payload is primitive fields, the "
	 "elements of an array and the text of a String; may be repeated",
	 .group = GROUP_REMOVE,
	 .brief = "keep the payload of the objects in a field"},
	{"salvage", 0, false, NULL, HP_OPTION_VALUE,
	 "write the recoverable part of a damaged dump as a valid dump",
	 VALUE(FLAG, salvage), .group = GROUP_RECOVER,
	 .brief = "recover a damaged or truncated dump"},
	{"null-dangling", 0, false, NULL, HP_OPTION_VALUE,
	 "with --salvage, set references to lost objects to null",
	 VALUE(FLAG, null_dangling), .group = GROUP_RECOVER},
	{"standard", 0, false, NULL, HP_OPTION_VALUE,
	 "convert an Android dump (1.0.3) to the standard format (1.0.2)",
	 VALUE(FLAG, standard), .group = GROUP_PORT,
	 .brief = "convert an Android dump to the standard format"},
	{"heaps", 0, false, "NAME,...", OPT_HEAPS,
	 "keep only the objects of these Android heaps, for example app; "
	 "references to other objects become null",
	 heaps, HP_CHOICE_HEAD, .group = GROUP_PORT,
	 .brief = "keep only these Android heaps, for example app"},
	{"prune-classes", 0, false, NULL, HP_OPTION_VALUE,
	 "with --heaps, also remove classes that no remaining object uses",
	 VALUE(FLAG, prune), .group = GROUP_PORT},
	{"mapping", 0, false, "FILE", OPT_MAPPING,
	 "write the original names of classes, fields and methods that R8 or "
	 "ProGuard renamed; FILE is the mapping.txt of the build; may be "
	 "repeated",
	 .group = GROUP_PORT},
	{"profile", 0, false, "VERSION", OPT_PROFILE,
	 "write format version 1.0.1 (one HEAP DUMP record) or 1.0.2 "
	 "(segments)",
	 profiles, .group = GROUP_PORT},
	{"join-traces", 0, false, NULL, HP_OPTION_VALUE,
	 "add to each object the allocation trace that libhprof-agent recorded",
	 VALUE(FLAG, join_traces), .group = GROUP_AGENT},
	{"strings", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=text or ndjson, add the text of each String to its line",
	 VALUE(FLAG, strings), .group = GROUP_EXPORT},
	{"edges", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=ndjson, also write a line for each reference: the ids and "
	 "the classes of both objects, and the field",
	 VALUE(FLAG, edges), .group = GROUP_EXPORT},
	{"graph", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=ndjson, add to each object its depth, its dominator and "
	 "its retained size",
	 VALUE(FLAG, graph), .group = GROUP_EXPORT},
	{"elements", 0, false, "none|N", OPT_ELEMENTS,
	 "with --to=ndjson or tables, write no elements of primitive arrays, "
	 "or only the first N of each array",
	 elements, HP_CHOICE_HEAD, .group = GROUP_EXPORT},
	{"listen", 0, false, "HOST:PORT", HP_OPTION_VALUE,
	 "wait for an HPROF agent (net=HOST:PORT) instead of reading INPUT, "
	 "and convert what the agent sends; without HOST, only agents on this "
	 "machine can connect",
	 VALUE(TEXT, agent.address), .group = GROUP_AGENT},
	{"send", 0, false, "COMMAND,...", OPT_SEND,
	 "with --listen, send commands to the agent, once at the start and "
	 "again on each SIGUSR1: gc, dump-heap, alloc-sites[:FLAGS[:CUTOFF]], "
	 "heap-summary, exit, dump-traces, cpu-samples[:CUTOFF], traces-on, "
	 "traces-off, samples-on[:THREAD], samples-off[:THREAD], "
	 "clear-samples, clear-sites, depth:N, eof; dump-heap, exit and "
	 "clear-sites can end the VM and need --force",
	 .group = GROUP_AGENT},
	{"send-every", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --send, repeat the commands", COUNT(agent.every, 1, 1 << 30),
	 .group = GROUP_AGENT},
	{"idle", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --listen, give up if the agent sends nothing for this time "
	 "(default: never)",
	 COUNT(agent.idle, 1, 1 << 30), .group = GROUP_AGENT},
	{"listen-time", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --listen, stop after this time and save what arrived (default: "
	 "when the agent ends)",
	 COUNT(agent.most, 1, 1 << 30), .group = GROUP_AGENT},
};

static const char *const groups[] = {GROUP_FORMAT,
				     GROUP_REMOVE,
				     GROUP_RECOVER,
				     GROUP_PORT,
				     GROUP_EXPORT,
				     GROUP_AGENT,
				     HP_GROUP_INPUT,
				     HP_GROUP_OUTPUT,
				     HP_GROUP_LIMITS,
				     HP_GROUP_MESSAGES,
				     NULL};

static const struct hp_usage_example examples[] = {
	{"hprof-convert app.hprof app.hprof.zst", "compress a dump"},
	{"hprof-convert --shareable app.hprof shared.hprof.zst",
	 "remove the payload, to share a dump"},
	{"hprof-convert --salvage broken.hprof fixed.hprof",
	 "recover a damaged dump"},
	{"hprof-convert --standard android.hprof app.hprof",
	 "convert a dump of an Android app"},
	{NULL, NULL}};

/*
 * Add the types in a list such as "byte,char" to the set @bits. NULL stands for
 * all types. Because types are only added, the order of the options does not
 * matter.
 */
static enum hp_status
add_types(const char *text, unsigned *bits, struct hp_error *err)
{
	struct hp_slice type;
	int i;

	if (!text)
		*bits = HP_POLICY_ALL_TYPES;
	while (hp_list_next(&text, &type)) {
		i = hp_choice_find(types, type.text, type.length);
		if (i < 0)
			return hp_choice_unknown(types, type.text, type.length,
						 err);
		*bits |= 1u << (HP_TYPE_BOOLEAN + i);
	}
	return HP_OK;
}

/*
 * Parse the level of a compression, for example "19". Levels of zstd can be
 * negative.
 */
static enum hp_status
parse_level(const char *text, enum hp_compression kind, int *level,
	    struct hp_error *err)
{
	bool zstd = kind == HP_COMPRESSION_ZSTD, minus = zstd && *text == '-';
	uint64_t most = minus ? 7 : zstd ? 22 : 12, n;
	enum hp_status st;

	st = hp_count_parse(text + minus, 1, most, &n, zstd ? NULL : err);
	if (st == HP_OK)
		*level = minus ? -(int)n : (int)n;
	else if (zstd)
		st = hp_fail(err, st,
			     "'%.80s' is no level of zstd; levels are 1 to 22 "
			     "and -1 to -7",
			     text);
	return st;
}

static enum hp_status
parse_compress(struct hp_convert_options *o, const char *text,
	       struct hp_error *err)
{
	size_t n = strcspn(text, ":");

	int kind = hp_choice_find(kinds, text, n);

	o->compress_given = true;
	o->level = 0;
	if (kind < 0 || (kind == 0 && text[n]))
		return hp_choice_unknown(kinds, text, strlen(text), err);
	o->compression = kind == 0   ? HP_COMPRESSION_NONE
			 : kind == 1 ? HP_COMPRESSION_ZSTD
				     : HP_COMPRESSION_GZIP;
	return text[n] ? parse_level(text + n + 1, o->compression, &o->level,
				     err)
		       : HP_OK;
}

bool
hp_convert_holds(const struct hp_convert_options *o, unsigned what)
{
	return held[o->to] & what;
}

static void
set_to(struct hp_convert_options *o, int format)
{
	o->to = (enum hp_convert_to)format;
	o->pack = hp_convert_holds(o, HP_OUTPUT_PACKED);
}

static enum hp_status
add_keep(struct hp_policy *p, const char *text, struct hp_error *err)
{
	size_t n = strcspn(text, "#"), m = text[n] ? strlen(text + n + 1) : 0;

	if (n == 0 || m == 0 || strchr(text + n + 1, '#'))
		return hp_fail(err, HP_DAMAGED, "'%s' is not CLASS#FIELD",
			       text);
	if (n >= HP_KEEP_TEXT || m >= HP_KEEP_TEXT)
		return hp_fail(err, HP_DAMAGED, "a name is too long");
	if (p->nkeep == HP_KEEP_MAX)
		return hp_fail(err, HP_DAMAGED, "at most %d fields can be kept",
			       HP_KEEP_MAX);
	p->keep[p->nkeep++] = text;
	return HP_OK;
}

static enum hp_status
add_matching(const char *text, unsigned *categories, struct hp_error *err)
{
	size_t n = strcspn(text, ",");
	const char *wrong = NULL;

	if (hp_choice_find(matching, text, n) != 0)
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' does not begin with the word secrets",
			       text);
	*categories |= HP_SECRETS_STANDARD;
	if (text[n])
		wrong = hp_secret_categories_add(text + n + 1, categories);
	return wrong ? hp_choice_unknown(hp_secret_words, wrong,
					 strcspn(wrong, ","), err)
		     : HP_OK;
}

static enum hp_status
set_option(void *context, int id, const char *argument, struct hp_error *err)
{
	struct hp_convert_options *o = context;

	switch (id) {
	case OPT_TO:
		o->to_given = hp_choice_find(tos, argument, strlen(argument));
		set_to(o, o->to_given);
		return HP_OK;
	case OPT_COMPRESS:
		return parse_compress(o, argument, err);
	case OPT_STRIP_ARRAYS:
		return add_types(argument, &o->policy.array_types, err);
	case OPT_STRIP_FIELDS:
		return add_types(argument, &o->policy.field_types, err);
	case OPT_SHAREABLE:
	case OPT_SHAPE_ONLY:
		o->shareable |= id == OPT_SHAREABLE;
		o->policy.array_types = HP_POLICY_ALL_TYPES;
		o->policy.field_types = HP_POLICY_ALL_TYPES;
		o->policy.strings = true;
		return HP_OK;
	case OPT_STRIP_MATCHING:
		return add_matching(argument, &o->policy.matching, err);
	case OPT_KEEP:
		return add_keep(&o->policy, argument, err);
	case OPT_HEAPS:
		if (*argument == '\0')
			return hp_fail(err, HP_DAMAGED,
				       "needs the name of a heap, for example "
				       "app or image");
		o->heaps = argument;
		return HP_OK;
	case OPT_ELEMENTS:
		o->elements_given = true;
		o->elements = HP_NDJSON_NO_ELEMENTS;
		if (strcmp(argument, elements[0]) == 0)
			return HP_OK;
		return hp_count_parse(argument, 0, INT32_MAX, &o->elements,
				      err);
	case OPT_PROFILE:
		o->profile = (unsigned)(argument[4] - '0');
		return HP_OK;
	case OPT_MAPPING:
		return hp_mappings_add(&o->mappings, argument, err);
	case OPT_SEND:
		hp_buf_release(&o->send.bytes);
		o->send_given = true;
		return hp_agent_commands_parse(argument, &o->send, err);
	case OPT_KEEP_FIRST:
		o->keep_first_given = true;
		return hp_count_parse(argument, 0, INT64_MAX,
				      &o->policy.keep_first, err);
	default:
		return hp_fail(err, HP_UNSUPPORTED,
			       "not supported by this version");
	}
}

static const struct hp_option_alias aliases[] = {{"format", "to"}, {NULL}};

const struct hp_program hp_convert_program = {
	.name = "hprof-convert",
	.usage = "[OPTION]... INPUT [OUTPUT]",
	.summary = "Compresses a heap dump (HPROF), removes its payload, "
		   "recovers it, or writes it in another format. INPUT is a "
		   "path, or - for standard input; without OUTPUT the result "
		   "goes to standard output.",
	.options = table,
	.option_count = HP_ARRAY_LEN(table),
	.aliases = aliases,
	.groups = groups,
	.examples = examples,
	.epilog = "Exit status: 0 success; 1 the input is damaged, or the "
		  "check of a stripped output failed (then no file is "
		  "written); 2 a file cannot be read or written, or the "
		  "command line is wrong.",
	.set = set_option,
};

static bool
ends_with(const char *text, const char *end)
{
	return hp_ends_with(text, strlen(text), end);
}

/*
 * Returns the length of a path without a suffix of a compression, such as
 * ".gz".
 */
static size_t
length_inside(const char *path)
{
	static const char *const ends[] = {".gz", ".zst", ".zstd"};
	size_t len = strlen(path);

	for (size_t i = 0; i < HP_ARRAY_LEN(ends); i++)
		if (ends_with(path, ends[i]))
			return len - strlen(ends[i]);
	return len;
}

/*
 * If --to is absent, choose the output format by the suffix of the output. With
 * --raw there is no format, because bytes are copied. Returns HP_GO_ON, or
 * HP_EXIT_TROUBLE after printing a message.
 */
static int
choose_format(struct hp_convert_options *o)
{
	int chosen;

	if (!o->output || o->raw)
		return HP_GO_ON;
	chosen = hp_format_by_suffix(to_suffixes, o->output,
				     length_inside(o->output), o->to_given);
	if (chosen < 0 || chosen == o->to_given)
		return HP_GO_ON;
	if (o->to_given >= 0)
		return hp_program_usage_error(
			&hp_convert_program, stderr,
			"--to=%s does not suit the suffix of '%.200s', which "
			"asks for --to=%s; change one of them",
			tos[o->to_given], o->output, tos[chosen]);
	set_to(o, chosen);
	return HP_GO_ON;
}

/*
 * Returns the path of the output: the value of -o, or the second argument.
 * NULL: standard output.
 */
static const char *
find_output(const struct hp_convert_options *o)
{
	const size_t before = o->agent.address ? 0 : 1;
	const char *path = o->common.argument_count > before
				   ? o->common.arguments[before]
				   : o->common.output;

	return path && strcmp(path, "-") == 0 ? NULL : path;
}

static void
guess_compression(struct hp_convert_options *o)
{
	if (o->compress_given || !o->output)
		return;
	if (ends_with(o->output, ".zst") || ends_with(o->output, ".zstd") ||
	    ends_with(o->output, ".tzst"))
		o->compression = HP_COMPRESSION_ZSTD;
	else if (ends_with(o->output, ".gz") || ends_with(o->output, ".tgz"))
		o->compression = HP_COMPRESSION_GZIP;
}

const char *
hp_convert_name_mismatch(const struct hp_convert_options *o)
{
	static const char *const others[] = {".xz",  ".bz2", ".lz4",
					     ".zip", ".7z",  ".br"};

	if (!o->output || o->raw)
		return NULL;
	for (size_t i = 0; i < HP_ARRAY_LEN(others); i++)
		if (ends_with(o->output, others[i]))
			return "is written without compression: of the "
			       "suffixes, only .zst and .gz select a "
			       "compression";
	return NULL;
}

static const char *
find_conflict(const struct hp_convert_options *o)
{
	const bool listens = o->agent.address,
		   ndjson = hp_convert_holds(o, HP_OUTPUT_JSON);
	const bool strips = hp_policy_strips(&o->policy);
	const size_t arguments = o->common.argument_count;
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
#define CONFLICT(wrong, text) {wrong, text},
#include "convert/conflicts.def"
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return rules[i].text;
	return NULL;
}

static bool
is_archive(const char *output)
{
	static const char *const ends[] = {".tar",     ".tar.gz",   ".tgz",
					   ".tar.zst", ".tar.zstd", ".tzst"};

	for (size_t i = 0; i < HP_ARRAY_LEN(ends); i++)
		if (ends_with(output, ends[i]))
			return true;
	return false;
}

int
hp_convert_options_parse(struct hp_convert_options *o, int argc, char **argv)
{
	const char *wrong;
	int code;

	*o = (struct hp_convert_options){.elements = HP_NDJSON_ELEMENTS,
					 .to_given = -1};
	code = hp_options_parse(&hp_convert_program, argc, argv, &o->common, o,
				stdout, stderr);
	if (code != HP_GO_ON)
		return code;
	o->output = find_output(o);
	code = choose_format(o);
	if (code != HP_GO_ON)
		return code;
	wrong = find_conflict(o);
	if (wrong)
		return hp_program_usage_error(&hp_convert_program, stderr, "%s",
					      wrong);
	o->input = o->agent.address ? o->agent.address : o->common.arguments[0];
	o->common.output_is_folder = hp_convert_holds(o, HP_OUTPUT_FOLDER) &&
				     o->output && !is_archive(o->output);
	if (o->common.output_is_folder && (o->compress_given || o->verify))
		return hp_program_usage_error(
			&hp_convert_program, stderr,
			"--compress and --verify need an archive of the "
			"tables, OUTPUT.tar, instead of a folder");
	if (hp_convert_holds(o, HP_OUTPUT_FOLDER) && !o->elements_given)
		o->elements = HP_NDJSON_NO_ELEMENTS;
	if (!o->common.output_is_folder)
		guess_compression(o);
	/*
	 * The program reads the output file again in three cases: to verify it,
	 * to prove that a strip is complete, and to write tables into an
	 * archive.
	 */
	o->common.output_is_read = o->verify || o->common.output_is_folder ||
				   hp_policy_strips(&o->policy);
	if (o->pack)
		o->compression = HP_COMPRESSION_PACK;
	if (o->verify && !o->output)
		return hp_program_usage_error(&hp_convert_program, stderr,
					      "--verify needs an output file");
	return HP_GO_ON;
}
