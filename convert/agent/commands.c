/*
 * commands.c - encode commands for the HPROF agent of a running JVM; the agent
 * accepts them on a socket
 */
#include "convert/agent/agent.h"

#include "common/base/bytes.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

enum takes { NOTHING, SITES, CUTOFF, THREAD, COUNT };

struct known {
	const char *name;
	enum hp_agent_command command;
	/* only for HP_CMD_CONTROL: the action of the command */
	enum hp_agent_control control;
	enum takes takes;
	bool dangerous, ends;
};

/*
 * The commands of the agent. Those that can end the JVM are marked. dump-heap
 * ends the JVM if it was not started with heap=dump or heap=all. clear-sites
 * ends it at the next garbage collection, if the agent tracks live objects.
 */
static const struct known commands[] = {
	{"gc", HP_CMD_GC},
	{"dump-heap", HP_CMD_DUMP, .dangerous = true},
	{"alloc-sites", HP_CMD_SITES, .takes = SITES},
	{"heap-summary", HP_CMD_SUMMARY},
	{"exit", HP_CMD_EXIT, .dangerous = true, .ends = true},
	{"dump-traces", HP_CMD_TRACES},
	{"cpu-samples", HP_CMD_SAMPLES, .takes = CUTOFF},
	{"traces-on", HP_CMD_CONTROL, HP_CTL_SITES_ON},
	{"traces-off", HP_CMD_CONTROL, HP_CTL_SITES_OFF},
	{"samples-on", HP_CMD_CONTROL, HP_CTL_CPU_ON, THREAD},
	{"samples-off", HP_CMD_CONTROL, HP_CTL_CPU_OFF, THREAD},
	{"clear-samples", HP_CMD_CONTROL, HP_CTL_CPU_CLEAR},
	{"clear-sites", HP_CMD_CONTROL, HP_CTL_SITES_CLEAR, .dangerous = true},
	{"depth", HP_CMD_CONTROL, HP_CTL_DEPTH, COUNT},
	{"eof", HP_CMD_EOF, .ends = true},
};

static void
put_number(struct hp_buf *b, uint64_t v, unsigned width)
{
	while (width-- > 0)
		hp_buf_byte(b, (char)(v >> 8 * width));
}

/*
 * Parse the @n bytes at @text as a number, in decimal or with 0x. Returns false
 * if the text is not a number, or if the number exceeds @most.
 */
static bool
parse_number(const char *text, size_t n, uint64_t most, uint64_t *out)
{
	char copy[24] = {0};
	char *end;
	bool hex;

	if (n == 0 || n >= sizeof(copy) || text[0] < '0' || text[0] > '9')
		return false;
	memcpy(copy, text, n);
	hex = copy[0] == '0' && (copy[1] == 'x' || copy[1] == 'X');
	/* a leading 0 does not mean octal: 010 is ten */
	*out = strtoull(copy, &end, hex ? 16 : 10);
	return *end == '\0' && *out <= most;
}

/*
 * Parse a number from 0 to 1. @bits receives the bits of the number as a float.
 * Returns false if the text is not such a number.
 */
static bool
parse_cutoff(const char *text, size_t n, uint32_t *bits)
{
	char copy[24] = {0};
	char *end;
	float v;

	if (n == 0 || n >= sizeof(copy))
		return false;
	memcpy(copy, text, n);
	v = strtof(copy, &end);
	memcpy(bits, &v, sizeof(v));
	return *end == '\0' && v >= 0 && v <= 1;
}

/*
 * Find the next argument of a command, and move *@at to the end of the
 * argument. An argument begins after a colon. Returns the length of the
 * argument, or 0 if there is none.
 */
static size_t
next_argument(const char **at, const char *end, const char **text)
{
	const char *stop;

	*text = *at;
	if (*at == end || **at != ':')
		return 0;
	*text = ++*at;
	stop = memchr(*at, ':', (size_t)(end - *at));
	*at = stop ? stop : end;
	return (size_t)(*at - *text);
}

/*
 * Append the id of a thread in the byte order of the machine where the agent
 * runs. The default is the order of this machine. Returns false if @order is
 * neither "le" nor "be".
 */
static bool
put_thread(struct hp_buf *b, uint64_t id, const char *order, size_t n)
{
	const uint32_t own = (uint32_t)id;
	bool le = n == 2 && memcmp(order, "le", 2) == 0;
	bool be = n == 2 && memcmp(order, "be", 2) == 0;

	if (n == 0)
		hp_buf_add(b, &own, sizeof(own));
	else if (be)
		put_number(b, id, 4);
	else if (le)
		put_number(b, __builtin_bswap32(own), 4);
	return n == 0 || le || be;
}

/*
 * Append the bytes for the arguments of a command, after its fixed bytes.
 * Returns false if the arguments are wrong.
 */
static bool
put_body(struct hp_buf *b, const struct known *k, const char *at,
	 const char *end)
{
	const char *first, *second;
	size_t n = next_argument(&at, end, &first),
	       m = next_argument(&at, end, &second);
	uint64_t v = 0;
	uint32_t bits = 0;

	if (at != end)
		return false;
	switch (k->takes) {
	case NOTHING:
		return first == end;
	case SITES:
		if ((n && !parse_number(first, n, 7, &v)) ||
		    (m && !parse_cutoff(second, m, &bits)))
			return false;
		put_number(b, v, 2);
		put_number(b, bits, 4);
		return true;
	case CUTOFF:
		if (m || (n && !parse_cutoff(first, n, &bits)))
			return false;
		put_number(b, 0, 2);
		put_number(b, bits, 4);
		return true;
	case THREAD:
		return (!n || parse_number(first, n, UINT32_MAX, &v)) &&
		       put_thread(b, v, second, m);
	default:
		if (m || !parse_number(first, n, UINT16_MAX, &v))
			return false;
		put_number(b, v, 2);
		return true;
	}
}

static const struct known *
find_command(const char *name, size_t n)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(commands); i++)
		if (strlen(commands[i].name) == n &&
		    memcmp(commands[i].name, name, n) == 0)
			return &commands[i];
	return NULL;
}

/*
 * Encode the command in the @n bytes of text at @text, and append the result to
 * @out. Returns false if there is no such command, or if its arguments are
 * wrong.
 */
static bool
add_command(struct hp_agent_commands *out, const char *text, size_t n)
{
	const char *colon = memchr(text, ':', n);
	const struct known *k =
		find_command(text, colon ? (size_t)(colon - text) : n);
	struct hp_buf body = {0};
	bool fine;

	if (!k)
		return false;
	if (k->command == HP_CMD_CONTROL)
		put_number(&body, k->control, 2);
	fine = put_body(&body, k, colon ? colon : text + n, text + n);
	put_number(&out->bytes, k->command, 1);
	if (k->command != HP_CMD_EOF) {
		put_number(&out->bytes, 0, 4);
		put_number(&out->bytes, body.len, 4);
		hp_buf_add(&out->bytes, body.data, body.len);
	}
	if (k->dangerous && !out->dangerous)
		out->dangerous = k->name;
	out->ends |= k->ends;
	hp_buf_inherit(&out->bytes, &body);
	hp_buf_release(&body);
	return fine;
}

enum hp_status
hp_agent_commands_parse(const char *list, struct hp_agent_commands *out,
			struct hp_error *err)
{
	struct hp_slice word;

	*out = (struct hp_agent_commands){0};
	while (hp_list_next(&list, &word)) {
		if (out->ends)
			return hp_fail(err, HP_DAMAGED,
				       "no command can follow exit or eof");
		if (!add_command(out, word.text, word.length))
			return hp_fail(
				err, HP_DAMAGED,
				"'%.*s': expected one of gc, dump-heap, "
				"alloc-sites[:FLAGS[:CUTOFF]], "
				"heap-summary, exit, dump-traces, "
				"cpu-samples[:CUTOFF], traces-on, "
				"traces-off, samples-on[:THREAD], "
				"samples-off[:THREAD], clear-samples, "
				"clear-sites, depth:N, eof",
				(int)(word.length < 60 ? word.length : 60),
				word.text);
	}
	return hp_buf_ok(&out->bytes) ? HP_OK : hp_no_memory(err);
}
