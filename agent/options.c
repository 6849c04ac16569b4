/*
 * options.c - parse the options of the agent
 *
 * The options are those of the JDK's old HPROF agent, and a new one: sample=.
 *
 * Source: the manual of the JDK's HPROF agent, for names and defaults. Some
 * defaults differ: format is b; heap is sites; cutoff is 0 if every object is
 * sampled.
 */
#include "agent/options.h"

#include "common/cli/quantity.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

const char hp_agent_help[] =
	"usage: java -agentpath:libhprof-agent.so=[OPTION=VALUE,...]\n"
	"Options (defaults in parentheses):\n"
	"  heap=VALUE        sites: show where objects were allocated "
	"(default);\n"
	"                    dump: let the VM write a heap dump; all: both\n"
	"  sample=BYTES      record about one object for each BYTES that are\n"
	"                    allocated (512k); with 0, record every object\n"
	"  cpu=VALUE         samples: record where threads run, once in each\n"
	"                    interval; times: count and time each call;\n"
	"                    old: like times, for each caller and callee, as "
	"text\n"
	"  only=GLOB[:...]   for heap= and cpu=times, record only these "
	"classes\n"
	"  interval=MS       time between CPU samples (10)\n"
	"  monitor=y|n       record where threads wait for monitors (n)\n"
	"  format=a|b        a: text; b: binary (b)\n"
	"  file=FILE         output file, in which %p is the process id\n"
	"                    (java.hprof; with format=a, java.hprof.txt)\n"
	"  net=HOST:PORT     write to a socket instead of a file\n"
	"  depth=N           record at most N frames of each stack trace (4)\n"
	"  cutoff=SHARE      leave out sites with less than this share of the\n"
	"                    total (0.0001; with sample=0, 0)\n"
	"  lineno=y|n        show line numbers in traces (y)\n"
	"  thread=y|n        record separate traces for each thread (n)\n"
	"  doe=y|n           write a report when the VM exits (y)\n"
	"  force=y|n         replace FILE if it exists (y); with n, write to "
	"a\n"
	"                    name that is free\n"
	"  verbose=y|n       print a message about each file that was written "
	"(y)\n"
	"  msa=y|n           ignored\n";

/*
 * An option whose value is y or n, and the member of the options that it sets.
 */
struct choice {
	const char *name;
	/* offset in struct hp_agent_options of the bool that the option sets */
	size_t at;
};

static const struct choice switches[] = {
	{"monitor", offsetof(struct hp_agent_options, monitor)},
	{"lineno", offsetof(struct hp_agent_options, lineno)},
	{"thread", offsetof(struct hp_agent_options, thread)},
	{"doe", offsetof(struct hp_agent_options, doe)},
	{"force", offsetof(struct hp_agent_options, force)},
	{"verbose", offsetof(struct hp_agent_options, verbose)},
	{"msa", offsetof(struct hp_agent_options, msa)},
};

static enum hp_status
bad_value(const char *name, const char *value, const char *expected,
	  struct hp_error *err)
{
	return hp_fail(err, HP_DAMAGED, "%s=%.60s: expected %s", name, value,
		       expected);
}

static enum hp_status
set_heap(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	if (strcmp(value, "sites") == 0)
		o->heap = HP_AGENT_HEAP_SITES;
	else if (strcmp(value, "dump") == 0)
		o->heap = HP_AGENT_HEAP_DUMP;
	else if (strcmp(value, "all") == 0)
		o->heap = HP_AGENT_HEAP_ALL;
	else
		return bad_value("heap", value, "sites, dump or all", err);
	return HP_OK;
}

static enum hp_status
set_cpu(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	o->cpu = strcmp(value, "samples") == 0;
	o->old = strcmp(value, "old") == 0;
	o->times = o->old || strcmp(value, "times") == 0;
	if (!o->cpu && !o->times)
		return bad_value("cpu", value, "samples, times or old", err);
	return HP_OK;
}

static enum hp_status
set_text(const char *name, const char *value, char *to, size_t room,
	 struct hp_error *err)
{
	size_t n = strlen(value);

	if (n == 0 || n >= room)
		return hp_fail(err, HP_DAMAGED, "%s= is %s", name,
			       n ? "too long" : "empty");
	memcpy(to, value, n + 1);
	return HP_OK;
}

/*
 * Set the host and port of the option net=. The port begins after the last
 * colon, because an IPv6 address contains colons.
 */
static enum hp_status
set_net(struct hp_agent_options *o, char *value, struct hp_error *err)
{
	char *colon = strrchr(value, ':');
	uint64_t port;
	size_t n;

	if (!colon || colon == value ||
	    hp_count_parse(colon + 1, 1, UINT16_MAX, &port, NULL) != HP_OK)
		return bad_value("net", value,
				 "HOST:PORT, a port from 1 to 65535", err);
	*colon = '\0';
	n = strlen(value);
	if (value[0] == '[' && value[n - 1] == ']') {
		value[n - 1] = '\0';
		value++;
	}
	if (set_text("net", value, o->host, sizeof(o->host), err) != HP_OK)
		return err->status;
	return set_text("net", colon + 1, o->port, sizeof(o->port), err);
}

static enum hp_status
set_count(const char *name, const char *value, unsigned most, unsigned *to,
	  struct hp_error *err)
{
	uint64_t n;

	if (hp_count_parse(value, 1, most, &n, NULL) != HP_OK)
		return hp_fail(err, HP_DAMAGED,
			       "%s=%.60s: expected a number from 1 to %u", name,
			       value, most);
	*to = (unsigned)n;
	return HP_OK;
}

static enum hp_status
set_cutoff(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	/*
	 * the JVM sets the user's locale, in which a comma may be the decimal
	 * point
	 */
	locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
	char *end;

	if (!c)
		return hp_no_memory(err);
	errno = 0;
	o->cutoff = strtod_l(value, &end, c);
	freelocale(c);
	if (end == value || *end || errno || !(o->cutoff >= 0) || o->cutoff > 1)
		return bad_value("cutoff", value, "a number from 0 to 1", err);
	return HP_OK;
}

static enum hp_status
set_format(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	o->text = strcmp(value, "a") == 0;
	o->binary = strcmp(value, "b") == 0;
	if (!o->text && !o->binary)
		return bad_value("format", value, "a or b", err);
	return HP_OK;
}

static enum hp_status
set_sample(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	if (hp_size_parse(value, &o->sample, NULL) != HP_OK ||
	    o->sample > INT32_MAX)
		return bad_value("sample", value, "a size below 2 GB", err);
	o->sampled = true;
	return HP_OK;
}

static enum hp_status
set_only(struct hp_agent_options *o, const char *value, struct hp_error *err)
{
	/*
	 * one byte is needed for the empty pattern that ends the list of
	 * patterns
	 */
	enum hp_status st =
		set_text("only", value, o->only, sizeof(o->only) - 1, err);
	char *end = o->only, *p;

	if (st != HP_OK)
		return st;
	for (p = o->only; *p; p++)
		if (*p != ':')
			*end++ = *p;
		else if (end > o->only && end[-1])
			*end++ = '\0';
	memset(end, 0, (size_t)(p - end) + 2);
	return o->only[0] ? HP_OK
			  : bad_value("only", value, "a class name", err);
}

/*
 * Returns the member that a y/n option sets; NULL if there is no such option.
 */
static bool *
find_switch(struct hp_agent_options *o, const char *name)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(switches); i++)
		if (strcmp(name, switches[i].name) == 0)
			return (bool *)((char *)o + switches[i].at);
	return NULL;
}

static enum hp_status
set_switch(struct hp_agent_options *o, const char *name, const char *value,
	   struct hp_error *err)
{
	bool on = strcmp(value, "y") == 0;
	bool *to = find_switch(o, name);

	if (!to)
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' is not an option; help lists them",
			       name);
	if (!on && strcmp(value, "n") != 0)
		return bad_value(name, value, "y or n", err);
	*to = on;
	return HP_OK;
}

static enum hp_status
set_option(struct hp_agent_options *o, const char *name, char *value,
	   struct hp_error *err)
{
	if (strcmp(name, "heap") == 0)
		return set_heap(o, value, err);
	if (strcmp(name, "cpu") == 0)
		return set_cpu(o, value, err);
	if (strcmp(name, "only") == 0)
		return set_only(o, value, err);
	if (strcmp(name, "format") == 0)
		return set_format(o, value, err);
	if (strcmp(name, "file") == 0)
		return set_text(name, value, o->file, sizeof(o->file), err);
	if (strcmp(name, "net") == 0)
		return set_net(o, value, err);
	if (strcmp(name, "depth") == 0)
		return set_count(name, value, HP_AGENT_DEPTH_MOST, &o->depth,
				 err);
	if (strcmp(name, "interval") == 0)
		return set_count(name, value, 60000, &o->interval_ms, err);
	if (strcmp(name, "cutoff") == 0)
		return set_cutoff(o, value, err);
	if (strcmp(name, "sample") == 0)
		return set_sample(o, value, err);
	return set_switch(o, name, value, err);
}

static enum hp_status
finish_times(struct hp_agent_options *o, struct hp_error *err)
{
	if (!o->old)
		return HP_OK;
	if (o->heap || o->sampled || o->monitor || o->host[0] || o->binary)
		return hp_fail(err, HP_UNSUPPORTED,
			       "with cpu=old, the agent writes only a text "
			       "file; for format=b, heap=, monitor= or net=, "
			       "use cpu=times");
	/*
	 * a row of cpu=old contains two frames: the called method and its
	 * caller
	 */
	o->depth = 2;
	o->text = true;
	return HP_OK;
}

static enum hp_status
finish(struct hp_agent_options *o, struct hp_error *err)
{
	if (finish_times(o, err) != HP_OK)
		return err->status;
	if (!o->heap && ((!o->cpu && !o->times && !o->monitor) || o->sampled))
		o->heap = HP_AGENT_HEAP_SITES;
	if (o->only[0] && !o->times && !o->heap)
		return hp_fail(err, HP_DAMAGED,
			       "only= needs heap=, cpu=times or cpu=old");
	o->calls_cutoff = o->cutoff < 0 ? 0 : o->cutoff;
	if (o->cutoff < 0)
		o->cutoff = o->sample ? 0.0001 : 0;
	if (!o->file[0])
		strcpy(o->file, o->text ? "java.hprof.txt" : "java.hprof");
	if (o->heap & HP_AGENT_HEAP_DUMP && o->text)
		return hp_fail(
			err, HP_UNSUPPORTED,
			"heap=dump and heap=all are binary, because "
			"the VM writes the dump; hprof-convert --to=text "
			"converts it to text");
	return HP_OK;
}

/*
 * Returns an error, because an option has no "=" and value. Only the word
 * "help" may have none.
 */
static enum hp_status
no_value(const char *word, struct hp_error *err)
{
	if (strcmp(word, "report") == 0)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the option 'report' needs an agent that "
			       "already runs in the VM; load the agent first");
	return hp_fail(err, HP_DAMAGED,
		       "'%.60s' has no value; a shell or jcmd may have removed "
		       "the text after '=': quote the options twice",
		       word);
}

enum hp_status
hp_agent_options_parse(struct hp_agent_options *o, const char *text,
		       struct hp_error *err)
{
	enum hp_status st = HP_OK;
	char *copy, *item, *rest;

	*o = (struct hp_agent_options){.depth = 4,
				       .interval_ms = 10,
				       .sample = 512 << 10,
				       .cutoff = -1,
				       .lineno = true,
				       .doe = true,
				       .force = true,
				       .verbose = true};
	copy = rest = strdup(text ? text : "");
	if (!copy)
		return hp_no_memory(err);
	while (st == HP_OK && (item = strsep(&rest, ","))) {
		char *value = strchr(item, '=');

		if (!*item)
			continue;
		if (strcmp(item, "help") == 0) {
			o->help = true;
			continue;
		}
		if (value)
			*value++ = '\0';
		st = value ? set_option(o, item, value, err)
			   : no_value(item, err);
	}
	free(copy);
	return st == HP_OK ? finish(o, err) : st;
}
