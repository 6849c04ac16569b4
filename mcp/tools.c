/*
 * tools.c - the tools of hprof-mcp: their arguments, the command lines that
 * they run, and their answers
 */
#include "mcp/mcp.h"

#include "common/base/buf.h"
#include "common/base/memory.h"

#include <string.h>

#define TOOL(symbol, ...) TOOL_##symbol,
enum tool_id {
#include "mcp/tools.def"
	TOOLS
};

static const struct tool {
	const char *name, *program, *fixed, *keep, *description;
} tools[TOOLS] = {
#define TOOL(symbol, name, program, fixed, keep, description)                  \
	{name, program, fixed, keep, description},
#include "mcp/tools.def"
};

/* ----------------------------------------------------------------------
 * The arguments of the tools
 */

enum argument_kind {
	ARGUMENT_FILE, /* the path of an existing file */
	/* the path of a file or folder that the tool creates */
	ARGUMENT_NEW_FILE,
	/* a text that the program gets as --OPTION=TEXT */
	ARGUMENT_TEXT,
	/*
	 * one of several values; each value stands for certain options of the
	 * program
	 */
	ARGUMENT_CHOICE,
	/* the maximum number of elements of each list in the answer */
	ARGUMENT_LIMIT,
};

/*
 * One possible value of an ARGUMENT_CHOICE, and the options of the program that
 * it stands for.
 */
struct choice {
	const char *name, *options;
	/* this value is used if the client does not give the argument */
	bool is_default;
};

static const struct choice groups[] = {
	{"class", "--by=class --retained --sort=retained", true},
	{"package", "--by=package --retained", false},
	{"loader", "--by=loader --retained", false},
	{"path", "--by=path", false},
	{"dominator", "--by=dominator", false},
	{"holder", "--by=holder", false},
	{"root", "--by=root", false},
	{NULL, NULL, false}};

static const struct choice levels[] = {
	{"records", "--level=framing", false},
	{"references", "--level=references", false},
	{"graph", "--level=graph", false},
	{NULL, NULL, false}};

enum { OF_ALL = ~0u, MOST_ARGUMENTS = 12, MOST_WORDS = 40 };

#define OF(tool) (1u << TOOL_##tool)
#define OF_COMPARING (OF(COMPARE) | OF(WHY) | OF(WASTE) | OF(FINDINGS))

/*
 * All arguments of all tools. If a call has several files, the program gets
 * them in the order of this table.
 */
static const struct argument {
	const char *name;
	/* the tools that have this argument, as bits OF(tool) */
	unsigned tools;
	enum argument_kind kind;
	bool required;
	const char *option;
	const struct choice *choices;
	const char *description;
} arguments[] = {
	{"before", OF_COMPARING, ARGUMENT_FILE, false, NULL, NULL,
	 "An earlier dump to compare with."},
	{"file", OF_ALL, ARGUMENT_FILE, true, NULL, NULL,
	 "The heap dump, a path below the root folder."},
	{"output", OF(STRIP), ARGUMENT_NEW_FILE, true, NULL, NULL,
	 "The file to create."},
	{"folder", OF(TABLES), ARGUMENT_NEW_FILE, true, NULL, NULL,
	 "The folder to create."},
	{"level", OF(VALIDATE), ARGUMENT_CHOICE, false, NULL, levels,
	 "What to check. Default: records and references."},
	{"by", OF(COMPARE), ARGUMENT_CHOICE, false, NULL, groups,
	 "What a row stands for. Default: class."},
	{"filter", OF(COMPARE) | OF(WASTE), ARGUMENT_TEXT, false, "--filter",
	 NULL, "Show only rows whose name matches, such as com.acme.*"},
	{"what", OF(WHY), ARGUMENT_TEXT, true, "--why", NULL,
	 "A class name, in which * and ? are special, or an object id such as "
	 "0x7f00."},
	{"id", OF(OBJECT), ARGUMENT_TEXT, true, "--object", NULL,
	 "The id of the object, such as 0x7f00."},
	{"limit", OF_ALL, ARGUMENT_LIMIT, false, NULL, NULL,
	 "The number of elements to return of each list. Default: 20."},
};
enum { ARGUMENTS = sizeof(arguments) / sizeof(arguments[0]) };

enum { DEFAULT_LIMIT = 20, LARGEST_LIMIT = 500 };

static bool
has_argument(enum tool_id tool, const struct argument *a)
{
	return a->tools & 1u << tool;
}

static json_t *
argument_schema(const struct argument *a)
{
	json_t *schema =
		json_pack("{s:s, s:s}", "type",
			  a->kind == ARGUMENT_LIMIT ? "integer" : "string",
			  "description", a->description);
	json_t *names;

	if (a->kind == ARGUMENT_LIMIT) {
		(void)json_object_set_new(schema, "minimum", json_integer(1));
		(void)json_object_set_new(schema, "maximum",
					  json_integer(LARGEST_LIMIT));
	}
	if (!a->choices)
		return schema;
	names = json_array();
	for (const struct choice *c = a->choices; c->name; c++)
		(void)json_array_append_new(names, json_string(c->name));
	(void)json_object_set_new(schema, "enum", names);
	return schema;
}

static json_t *
tool_schema(enum tool_id tool)
{
	json_t *properties = json_object(), *required = json_array();

	for (size_t i = 0; i < ARGUMENTS; i++) {
		if (!has_argument(tool, &arguments[i]))
			continue;
		(void)json_object_set_new(properties, arguments[i].name,
					  argument_schema(&arguments[i]));
		if (arguments[i].required)
			(void)json_array_append_new(
				required, json_string(arguments[i].name));
	}
	return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties",
			 properties, "required", required,
			 "additionalProperties", false);
}

/*
 * The JSON Schema of the answer of a tool (structuredContent in the protocol).
 * docs/schema describes the same members.
 */
static json_t *
answer_schema(void)
{
	return json_pack(
		"{s:s, s:{s:{s:s}, s:{s:s}, s:{s:s, s:{s:s}}, s:{}, s:{s:s}, "
		"s:{s:s}}}",
		"type", "object", "properties", "command", "type", "string",
		"exit_status", "type", "integer", "messages", "type", "array",
		"items", "type", "string", "result", "error", "type", "string",
		"path", "type", "string");
}

json_t *
mcp_tools(void)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < TOOLS; i++) {
		bool writes = i == TOOL_STRIP || i == TOOL_TABLES;

		(void)json_array_append_new(
			list,
			json_pack("{s:s, s:s, s:o, s:o, s:{s:b, s:b, s:b}}",
				  "name", tools[i].name, "description",
				  tools[i].description, "inputSchema",
				  tool_schema((enum tool_id)i), "outputSchema",
				  answer_schema(), "annotations",
				  "readOnlyHint", !writes, "destructiveHint",
				  false, "openWorldHint", false));
	}
	return list;
}

/* ----------------------------------------------------------------------
 * The command line of a call
 */

struct call {
	const struct mcp_options *o;
	enum tool_id tool;
	json_t *given; /* the arguments that the client gave with the call */
	/* the words of the command line; from hp_malloc() */
	char *words[MOST_WORDS + 1];
	size_t count;
	/* maximum number of elements of each list in the answer */
	size_t limit;
	/*
	 * If the tool must not use a file: `refused_path` is the path of the
	 * file, and `refused` the reason. The answer contains both; it is not
	 * an error message of the protocol.
	 */
	const char *refused, *refused_path;
};

/*
 * Append a word to the command line, and take ownership of it. Does nothing if
 * @word is NULL.
 */
static void
add_word(struct call *c, char *word)
{
	if (word && c->count < MOST_WORDS)
		c->words[c->count++] = word;
	else
		hp_free(word);
}

static void
add_words(struct call *c, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		add_word(c, hp_strndup(text, n));
		text += n + (text[n] == ' ');
	}
}

static void
add_option(struct call *c, const char *option, const char *value)
{
	struct hp_buf word = {0};

	if (!value)
		return;
	hp_buf_printf(&word, "%s=", option);
	hp_buf_text(&word, value);
	if (hp_buf_ok(&word))
		add_word(c, hp_strndup(word.data, word.len));
	hp_buf_release(&word);
}

static const char *
text_of(const struct call *c, const struct argument *a)
{
	return json_string_value(json_object_get(c->given, a->name));
}

/*
 * Append the options that the value of an ARGUMENT_CHOICE stands for. Returns
 * false if the value is unknown.
 */
static bool
add_choice(struct call *c, const struct argument *a)
{
	const char *name = text_of(c, a);
	const struct choice *found = a->choices;

	while (found->name &&
	       (name ? strcmp(found->name, name) != 0 : !found->is_default))
		found++;
	if (found->name)
		add_words(c, found->options);
	return found->name || !name;
}

static void
add_file(struct call *c, const struct argument *a)
{
	const char *path = text_of(c, a), *wrong = NULL;
	char *word;

	if (!path || c->refused)
		return;
	word = a->kind == ARGUMENT_FILE ? mcp_file(c->o, path, &wrong)
					: mcp_new_file(c->o, path, &wrong);
	if (!word) {
		c->refused = wrong;
		c->refused_path = path;
	}
	add_word(c, word);
}

/*
 * Whether the client gave only arguments that the tool has, with the right
 * types.
 */
static bool
check_names(const struct call *c)
{
	const char *name;
	json_t *value;

	json_object_foreach(c->given, name, value)
	{
		size_t i = 0;

		while (i < ARGUMENTS &&
		       (!has_argument(c->tool, &arguments[i]) ||
			strcmp(arguments[i].name, name) != 0))
			i++;
		if (i == ARGUMENTS || (arguments[i].kind == ARGUMENT_LIMIT
					       ? !json_is_integer(value)
					       : !json_is_string(value)))
			return false;
	}
	return true;
}

static const char *
check_arguments(struct call *c)
{
	json_int_t limit =
		json_integer_value(json_object_get(c->given, "limit"));

	if (!check_names(c))
		return "an argument is unknown or has the wrong type";
	for (size_t i = 0; i < ARGUMENTS; i++)
		if (has_argument(c->tool, &arguments[i]) &&
		    arguments[i].required && !text_of(c, &arguments[i]))
			return "a required argument is missing";
	if (json_object_get(c->given, "limit") &&
	    (limit < 1 || limit > LARGEST_LIMIT))
		return "the limit is not from 1 to 500";
	c->limit = limit ? (size_t)limit : DEFAULT_LIMIT;
	return NULL;
}

/*
 * Compose the command line of the program. Returns a text that describes what
 * is wrong; NULL if nothing is wrong.
 */
static const char *
compose(struct call *c)
{
	const struct tool *t = &tools[c->tool];
	const char *wrong = check_arguments(c);

	if (wrong)
		return wrong;
	add_words(c, t->program);
	add_words(c, t->fixed);
	if (c->o->show_values &&
	    (c->tool == TOOL_WASTE || c->tool == TOOL_OBJECT))
		add_words(c, "--show-values");
	add_option(c, "--memory", c->o->memory);
	add_option(c, "--threads", c->o->threads);
	for (size_t i = 0; i < ARGUMENTS; i++) {
		const struct argument *a = &arguments[i];

		if (!has_argument(c->tool, a))
			continue;
		if (a->kind == ARGUMENT_TEXT)
			add_option(c, a->option, text_of(c, a));
		if (a->kind == ARGUMENT_CHOICE && !add_choice(c, a))
			return "an argument has a value that does not exist";
	}
	add_words(c, "--");
	for (size_t i = 0; i < ARGUMENTS; i++)
		if (has_argument(c->tool, &arguments[i]) &&
		    (arguments[i].kind == ARGUMENT_FILE ||
		     arguments[i].kind == ARGUMENT_NEW_FILE))
			add_file(c, &arguments[i]);
	return NULL;
}

/* ----------------------------------------------------------------------
 * The answer
 */

static bool
is_plain(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789-_=./,:+@%";

	return *word && strspn(word, plain) == strlen(word);
}

static json_t *
command_text(const struct call *c)
{
	struct hp_buf b = {0};
	json_t *value;

	for (size_t i = 0; i < c->count; i++) {
		if (i > 0)
			hp_buf_byte(&b, ' ');
		if (is_plain(c->words[i])) {
			hp_buf_text(&b, c->words[i]);
			continue;
		}
		hp_buf_byte(&b, '\'');
		for (const char *p = c->words[i]; *p; p++)
			if (*p == '\'')
				hp_buf_text(&b, "'\\''");
			else
				hp_buf_byte(&b, *p);
		hp_buf_byte(&b, '\'');
	}
	value = json_string(hp_buf_string(&b));
	hp_buf_release(&b);
	return value ? value : json_null();
}

static json_t *
messages_of(const struct mcp_run *r)
{
	json_t *list = json_array();
	const char *at = r->err.len ? r->err.data : "";
	const char *end = at + r->err.len;

	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((line ? line : end) - at);
		json_t *text = json_stringn(at, n);

		/*
		 * a line that is not valid UTF-8 cannot be in JSON, so it is
		 * left out
		 */
		if (text)
			(void)json_array_append_new(list, text);
		at += n + 1;
	}
	return list;
}

/*
 * Returns the JSON that the program printed, without the members that the tool
 * leaves out.
 */
static json_t *
result_of(const struct call *c, const struct mcp_run *r)
{
	const char *keep = tools[c->tool].keep;
	json_t *whole = r->out.len
				? json_loadb(r->out.data, r->out.len, 0, NULL)
				: NULL;
	json_t *kept;

	if (!whole)
		return json_null();
	/*
	 * leave out "sizes", the sizes of classes, which only hprof-diff itself
	 * reads again
	 */
	(void)json_object_del(whole, "sizes");
	if (!*keep)
		return whole;
	kept = json_object();
	while (*keep) {
		size_t n = strcspn(keep, " ");
		char name[32];
		json_t *value;

		snprintf(name, sizeof(name), "%.*s", (int)n, keep);
		value = json_object_get(whole, name);
		if (value)
			(void)json_object_set(kept, name, value);
		keep += n + (keep[n] == ' ');
	}
	json_decref(whole);
	return kept;
}

static int
append_text(const char *text, size_t n, void *buf)
{
	hp_buf_add(buf, text, n);
	return 0;
}

/*
 * Returns a value in the two forms that the protocol requires: as text, and as
 * JSON.
 */
static json_t *
wrap(json_t *value, bool failed)
{
	struct hp_buf text = {0};
	json_t *answer;

	if (json_dump_callback(value, append_text, &text, JSON_COMPACT) != 0)
		hp_buf_clear(&text);
	answer = json_pack("{s:[{s:s, s:s}], s:o, s:b}", "content", "type",
			   "text", "text", hp_buf_string(&text),
			   "structuredContent", value, "isError", failed);
	hp_buf_release(&text);
	return answer;
}

static json_t *
refuse(const struct call *c)
{
	return wrap(json_pack("{s:s, s:s}", "error", c->refused, "path",
			      c->refused_path),
		    true);
}

static json_t *
run(const struct call *c)
{
	struct mcp_run r;
	json_t *answer;

	mcp_run(&r, c->o, (char **)c->words);
	answer = json_pack("{s:o, s:i, s:o, s:o}", "command", command_text(c),
			   "exit_status", r.status, "messages", messages_of(&r),
			   "result", result_of(c, &r));
	if (r.too_much)
		(void)json_object_set_new(
			answer, "error",
			json_string("the result is too large; use the command "
				    "line"));
	if (r.status < 0)
		(void)json_object_set_new(
			answer, "error",
			json_string("the program did not start, or was "
				    "ended by a signal"));
	mcp_shorten(answer, c->limit);
	mcp_run_release(&r);
	return wrap(answer, r.status < 0 || r.status > 1 || r.too_much);
}

json_t *
mcp_call(const struct mcp_options *o, const char *name, json_t *given,
	 const char **wrong)
{
	struct call c = {.o = o, .given = given};
	unsigned tool = 0;
	json_t *answer = NULL;

	while (tool < TOOLS && strcmp(tools[tool].name, name) != 0)
		tool++;
	*wrong = "there is no such tool";
	if (tool == TOOLS)
		return NULL;
	c.tool = (enum tool_id)tool;
	*wrong = compose(&c);
	if (!*wrong)
		answer = c.refused ? refuse(&c) : run(&c);
	if (!*wrong && !answer)
		*wrong = "out of memory";
	for (size_t i = 0; i < c.count; i++)
		hp_free(c.words[i]);
	return answer;
}
