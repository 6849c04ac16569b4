/*
 * options.c - the option table of hprof-convert, and what goes together
 */
#include "convert/options.h"

#include "common/base/affix.h"
#include "common/options/choices.h"
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
	OPT_KEEP,
	OPT_HEAPS,
	OPT_PROFILE,
	OPT_SEND,
	OPT_ELEMENTS,
};

static const char *const tos[] = {"hprof", "text",   "ndjson",
				  "pack",  "tables", NULL};
static const char *const kinds[] = {"none", "zstd", "gzip", NULL};
/* In the order of enum hp_type. */
static const char *const types[] = {"boolean", "char", "float",
				    "double",  "byte", "short",
				    "int",     "long", NULL};
static const char *const heaps[] = {"app", "image", "zygote", NULL};
static const char *const elements[] = {"none", NULL};
static const char *const profiles[] = {"1.0.1", "1.0.2", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_convert_options, member)}
#define COUNT(member, from, to)                                                \
	.value = {HP_VALUE_COUNT, offsetof(struct hp_convert_options, member), \
		  from, to}

static const struct hp_option table[] = {
	{"to", 0, false, NULL, OPT_TO,
	 "what to write: hprof (default), text: the ASCII format of the JVMTI "
	 "agent, or ndjson: one JSON object a line for every record and "
	 "sub-record, or pack: a columnar archive of the dump, which all "
	 "three programs read, or tables: a new folder OUTPUT of TSV files for "
	 "database engines, or a tar archive of them (OUTPUT.tar, standard "
	 "output)",
	 tos},
	{"compress", 0, false, "KIND[:LEVEL]", OPT_COMPRESS,
	 "none, zstd (level 1 by default; 3 takes twice as long and is no "
	 "smaller) or gzip (1 to 12), with a level; by default from OUTPUT's "
	 "suffix, .zst or .gz; with --to=pack zstd:LEVEL, 1 to 19 (3)",
	 kinds, HP_CHOICE_HEAD},
	{"raw", 0, false, NULL, HP_OPTION_VALUE,
	 "compress or decompress the bytes as they are, without looking at "
	 "them",
	 VALUE(FLAG, raw)},
	{"verify", 0, false, NULL, HP_OPTION_VALUE,
	 "read the output, a file, back and compare it with what was "
	 "written",
	 VALUE(FLAG, verify)},
	{"strip-arrays", 0, true, "TYPE,...", OPT_STRIP_ARRAYS,
	 "zero the elements of arrays of primitives, of all types or of "
	 "those named: boolean, char, float, double, byte, short, int, long",
	 types, HP_CHOICE_LIST},
	{"keep-first", 0, false, "N", OPT_KEEP_FIRST,
	 "leave the first N elements of each array"},
	{"strip-fields", 0, true, "TYPE,...", OPT_STRIP_FIELDS,
	 "zero primitive fields of instances, statics and constants, of all "
	 "types or of those named",
	 types, HP_CHOICE_LIST},
	{"strip-strings", 0, false, NULL, HP_OPTION_VALUE,
	 "blank the STRING records that name no class, field, method, "
	 "signature, source file, thread or heap",
	 VALUE(FLAG, policy.strings)},
	{"shape-only", 0, false, NULL, OPT_SHAPE_ONLY,
	 "all three of --strip-arrays, --strip-fields and --strip-strings"},
	{"keep", 0, false, "CLASS#FIELD", OPT_KEEP,
	 "leave what that field of CLASS, or of a sub-class, names as it is: "
	 "an object's own primitive fields, an array, a String with its "
	 "array; repeatable"},
	{"join-traces", 0, false, NULL, HP_OPTION_VALUE,
	 "objects get the traces that libhprof-agent left in the heap",
	 VALUE(FLAG, join_traces)},
	{"standard", 0, false, NULL, HP_OPTION_VALUE,
	 "an Android dump (1.0.3) as a standard one (1.0.2)",
	 VALUE(FLAG, standard)},
	{"heaps", 0, false, "NAME,...", OPT_HEAPS,
	 "drop the objects of Android's other heaps, and what would dangle",
	 heaps, HP_CHOICE_HEAD},
	{"prune-classes", 0, false, NULL, HP_OPTION_VALUE,
	 "with --heaps: drop classes, too, that nothing uses then: without "
	 "objects, arrays, sub-classes or references that stay, and whose "
	 "statics hold nothing that stays",
	 VALUE(FLAG, prune)},
	{"profile", 0, false, "VERSION", OPT_PROFILE,
	 "write version 1.0.1 or 1.0.2: segments joined, or a HEAP DUMP cut "
	 "into segments",
	 profiles},
	{"salvage", 0, false, NULL, HP_OPTION_VALUE,
	 "write the valid part of a damaged dump as a valid dump",
	 VALUE(FLAG, salvage)},
	{"null-dangling", 0, false, NULL, HP_OPTION_VALUE,
	 "with --salvage: null references that lead nowhere",
	 VALUE(FLAG, null_dangling)},
	{"strings", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=text or --to=ndjson: the values of Strings in their lines, "
	 "as JSON strings",
	 VALUE(FLAG, strings)},
	{"edges", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=ndjson: behind all other lines one for each reference, "
	 "with "
	 "from, to, holder, held and field",
	 VALUE(FLAG, edges)},
	{"graph", 0, false, NULL, HP_OPTION_VALUE,
	 "with --to=ndjson: how far from the roots each object is, its "
	 "dominator, and what it retains, in its line",
	 VALUE(FLAG, graph)},
	{"elements", 0, false, "none|N", OPT_ELEMENTS,
	 "with --to=ndjson or tables: of arrays of primitives no elements, or "
	 "the first N; element_count or length says how many there are",
	 elements, HP_CHOICE_HEAD},
	{"listen", 0, false, "HOST:PORT", HP_OPTION_VALUE,
	 "in place of INPUT: take the connection of an hprof agent "
	 "(net=HOST:PORT) and convert what it sends; without HOST only this "
	 "machine can connect",
	 VALUE(TEXT, agent.address)},
	{"send", 0, false, "COMMAND,...", OPT_SEND,
	 "with --listen: commands for the agent: gc, dump-heap, "
	 "alloc-sites[:FLAGS[:CUTOFF]], heap-summary, exit, dump-traces, "
	 "cpu-samples[:CUTOFF], traces-on, traces-off, samples-on[:THREAD], "
	 "samples-off[:THREAD], clear-samples, clear-sites, depth:N, eof; sent "
	 "once, and on SIGUSR1; dump-heap, exit and clear-sites, which can end "
	 "the VM, need --force"},
	{"send-every", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --send: send them again and again",
	 COUNT(agent.every, 1, 1 << 30)},
	{"idle", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --listen: an agent that is silent for so long has vanished "
	 "(default: any time)",
	 COUNT(agent.idle, 1, 1 << 30)},
	{"listen-time", 0, false, "SECONDS", HP_OPTION_VALUE,
	 "with --listen: wait and receive for so long, then save what came "
	 "(default: until the agent ends)",
	 COUNT(agent.most, 1, 1 << 30)},
};

/*
 * "byte,char": a bit for each is added, so that no option takes back what
 * another one strips. NULL: all types.
 */
static enum hp_status
add_types(const char *text, unsigned *bits, struct hp_error *err)
{
	const char *at = text;

	if (!text)
		*bits = HP_POLICY_ALL_TYPES;
	while (at) {
		size_t n = strcspn(at, ",");
		int i = hp_choice_find(types, at, n);

		if (i < 0)
			return hp_choice_unknown(types, at, n, err);
		*bits |= 1u << (HP_TYPE_BOOLEAN + i);
		at = at[n] ? at + n + 1 : NULL;
	}
	return HP_OK;
}

/* The levels that the sink takes; zstd has negative ones. */
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
			     "'%.80s' is no level of zstd: they are 1 to 22 "
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

static void
set_to(struct hp_convert_options *o, const char *text)
{
	o->pack = strcmp(text, "pack") == 0;
	o->to = strcmp(text, "tables") == 0   ? HP_TO_TABLES
		: strcmp(text, "ndjson") == 0 ? HP_TO_NDJSON
		: strcmp(text, "text") == 0   ? HP_TO_TEXT
					      : HP_TO_HPROF;
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
		return hp_fail(err, HP_DAMAGED, "more than %d of them",
			       HP_KEEP_MAX);
	p->keep[p->nkeep++] = text;
	return HP_OK;
}

static enum hp_status
set_option(void *context, int id, const char *argument, struct hp_error *err)
{
	struct hp_convert_options *o = context;

	switch (id) {
	case OPT_TO:
		set_to(o, argument);
		return HP_OK;
	case OPT_COMPRESS:
		return parse_compress(o, argument, err);
	case OPT_STRIP_ARRAYS:
		return add_types(argument, &o->policy.array_types, err);
	case OPT_STRIP_FIELDS:
		return add_types(argument, &o->policy.field_types, err);
	case OPT_SHAPE_ONLY:
		o->policy.array_types = HP_POLICY_ALL_TYPES;
		o->policy.field_types = HP_POLICY_ALL_TYPES;
		o->policy.strings = true;
		return HP_OK;
	case OPT_KEEP:
		return add_keep(&o->policy, argument, err);
	case OPT_HEAPS:
		if (*argument == '\0')
			return hp_fail(err, HP_DAMAGED,
				       "needs a heap's name, as app or image");
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
	.summary = "Copies an HPROF heap dump: compressed, decompressed, or "
		   "stripped of its payload. INPUT is a path or '-'; without "
		   "OUTPUT the result goes to standard output.",
	.options = table,
	.option_count = HP_ARRAY_LEN(table),
	.aliases = aliases,
	.epilog = "Exit: 0; 1 the input is damaged, or the output "
		  "could not be proved (no file is written); 2 usage, or "
		  "something could not be read or written.",
	.set = set_option,
};

static bool
ends_with(const char *text, const char *end)
{
	return hp_ends_with(text, strlen(text), end);
}

/* Without --compress the output's name decides. */
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
	if (!o->pack && ends_with(o->output, ".pack"))
		return "the suffix '.pack' does not select the pack format; "
		       "use --to=pack";
	for (size_t i = 0; i < HP_ARRAY_LEN(others); i++)
		if (ends_with(o->output, others[i]))
			return "is not compressed as its name says: .zst and "
			       ".gz are what is known";
	return NULL;
}

/* What excludes what; NULL: all is well. */
static const char *
find_conflict(const struct hp_convert_options *o)
{
	const bool listens = o->agent.address, ndjson = o->to == HP_TO_NDJSON;
	const bool strips = hp_policy_strips(&o->policy);
	const size_t arguments = o->common.argument_count;
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{!listens && (o->send_given || o->agent.idle || o->agent.most),
		 "--send, --idle and --listen-time need --listen"},
		{o->agent.every && !o->send_given, "--send-every needs --send"},
		{listens && arguments > 1,
		 "--listen takes the place of the input: one output, no more"},
		{o->send.dangerous && !o->common.force,
		 "dump-heap, exit and clear-sites can end the VM: they need "
		 "--force"},
		{o->send.ends && o->agent.every,
		 "after exit or eof nothing can be sent again"},
		{arguments == 0 && !listens, "an input is needed"},
		{arguments > 2, "one input and one output, no more"},
		{arguments == (listens ? 1 : 2) && o->common.output,
		 "OUTPUT and --output exclude each other"},
		{o->common.dump > UINT32_MAX, "no file has that many dumps"},
		{o->raw && (o->to != HP_TO_HPROF || hp_convert_rewrites(o) ||
			    strips),
		 "--raw does not look at the bytes: it goes with nothing that "
		 "changes them"},
		{o->pack && o->compress_given &&
			 (o->compression != HP_COMPRESSION_ZSTD ||
			  o->level < 0 || o->level > 19),
		 "a pack's streams are compressed by zstd, level 1 to 19"},
		{o->keep_first_given && !o->policy.array_types,
		 "--keep-first needs --strip-arrays"},
		{o->policy.nkeep && !o->policy.array_types &&
			 !o->policy.field_types,
		 "--keep needs --strip-arrays or --strip-fields"},
		{o->null_dangling && !o->salvage,
		 "--null-dangling needs --salvage"},
		{o->strings && o->to != HP_TO_TEXT && !ndjson,
		 "--strings needs --to=text or --to=ndjson"},
		{o->edges && !ndjson, "--edges needs --to=ndjson"},
		{o->graph && !ndjson, "--graph needs --to=ndjson"},
		{o->elements_given && !ndjson && o->to != HP_TO_TABLES,
		 "--elements needs --to=ndjson or --to=tables"},
		{o->prune && !o->heaps, "--prune-classes needs --heaps"},
		{o->profile && o->to != HP_TO_HPROF,
		 "--profile is the version of the output's header: it goes "
		 "with --to=hprof"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return rules[i].text;
	return NULL;
}

/* Tables: is the output an archive of them, by its name? */
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

	*o = (struct hp_convert_options){.elements = HP_NDJSON_ELEMENTS};
	code = hp_options_parse(&hp_convert_program, argc, argv, &o->common, o,
				stdout, stderr);
	if (code != HP_GO_ON)
		return code;
	wrong = find_conflict(o);
	if (wrong)
		return hp_program_usage_error(&hp_convert_program, stderr, "%s",
					      wrong);
	o->input = o->agent.address ? o->agent.address : o->common.arguments[0];
	o->output = o->common.argument_count == (o->agent.address ? 1 : 2)
			    ? o->common.arguments[o->agent.address ? 0 : 1]
			    : o->common.output;
	if (o->output && strcmp(o->output, "-") == 0)
		o->output = NULL;
	o->common.output_is_folder =
		o->to == HP_TO_TABLES && o->output && !is_archive(o->output);
	if (o->common.output_is_folder && (o->compress_given || o->verify))
		return hp_program_usage_error(
			&hp_convert_program, stderr,
			"a folder of tables goes without --compress and "
			"--verify; an archive, OUTPUT.tar, goes with them");
	if (o->to == HP_TO_TABLES && !o->elements_given)
		o->elements = HP_NDJSON_NO_ELEMENTS;
	if (!o->common.output_is_folder)
		guess_compression(o);
	if (o->pack)
		o->compression = HP_COMPRESSION_PACK;
	if (o->verify && !o->output)
		return hp_program_usage_error(&hp_convert_program, stderr,
					      "--verify needs an output file");
	return HP_GO_ON;
}
