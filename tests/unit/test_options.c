/*
 * test_options.c - tests of the command line, --help, messages, and report
 * files
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cli/resources.h"
#include "common/cli/message.h"
#include "common/options/options.h"
#include "common/cli/output.h"

Suite *test_options_suite(void);

enum { OWN_STRICT, OWN_TOP, OWN_STRIP };

struct own_values {
	bool strict;
	const char *top, *strip;
	int strips;
	bool flag, second;
	const char *text;
	uint64_t count;
	enum hp_when choice;
};

static const char *const colors[] = {"red", "green", "blue", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct own_values, member), 2, 9}

static const struct hp_option own[] = {
	{"strict", 's', false, NULL, OWN_STRICT, "warnings are errors",
	 .group = "First", .brief = "fail for warnings"},
	{"top", 0, false, "N", OWN_TOP,
	 "show N rows and no more than that, which is said here at such a "
	 "length that it has to be wrapped",
	 .group = "Second", .brief_argument = "NUMBER", .brief = "show rows"},
	{"strip-arrays", 0, true, "TYPE,...", OWN_STRIP, "zero the elements",
	 .group = "First"},
	{"flag", 0, false, NULL, HP_OPTION_VALUE, "it is given",
	 VALUE(FLAG, flag), .group = "First"},
	{"other", 0, false, NULL, HP_OPTION_VALUE, "red or green", colors,
	 VALUE(FLAG, second), .group = "First"},
	{"text", 0, false, "TEXT", HP_OPTION_VALUE, "any", VALUE(TEXT, text),
	 .group = "First"},
	{"count", 0, false, "N", HP_OPTION_VALUE, "2 to 9", VALUE(COUNT, count),
	 .group = "First"},
	{"choice", 0, false, NULL, HP_OPTION_VALUE, "by its place", colors,
	 VALUE(CHOICE, choice), .group = "First"},
};

static enum hp_status
own_set(void *context, int id, const char *argument, struct hp_error *err)
{
	struct own_values *v = context;

	switch (id) {
	case OWN_STRICT:
		v->strict = true;
		break;
	case OWN_TOP:
		if (*argument == 'x')
			return hp_fail(err, HP_DAMAGED, "bad '%s'", argument);
		v->top = argument;
		break;
	default:
		v->strip = argument;
		v->strips++;
	}
	return HP_OK;
}

static const char *const formats[] = {"text", "json", NULL};
static const char *const groups[] = {"Second", "First", HP_GROUP_OUTPUT, NULL};
static const struct hp_usage_example examples[] = {
	{"hprof-test a.hprof", "do this"}, {NULL, NULL}};
static const struct hp_program program = {
	.name = "hprof-test",
	.usage = "[OPTION]... FILE...",
	.summary = "Does this and that with dumps.",
	.formats = formats,
	.options = own,
	.option_count = HP_ARRAY_LEN(own),
	.groups = groups,
	.examples = examples,
	.epilog = "Exit status: 0 no error,\n1 an error.\n\nThe end.",
	.set = own_set,
};

struct run {
	struct hp_options o;
	struct own_values v;
	int result;
	char out[8192], errors[1024];
	char *argv[16];
};

static void
parse(struct run *r, const char *line)
{
	static char copy[512];
	int argc = 1;
	FILE *out, *errors;

	memset(r, 0, sizeof(*r));
	strcpy(copy, line);
	r->argv[0] = (char *)"hprof-test";
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		r->argv[argc++] = w;
	out = fmemopen(r->out, sizeof(r->out), "w");
	errors = fmemopen(r->errors, sizeof(r->errors), "w");
	r->result = hp_options_parse(&program, argc, r->argv, &r->o, &r->v, out,
				     errors);
	fclose(out);
	fclose(errors);
}

START_TEST(defaults)
{
	struct run r;

	parse(&r, "");
	ck_assert_int_eq(r.result, HP_GO_ON);
	ck_assert_str_eq(r.o.format, "text");
	ck_assert(!r.o.memory_given);
	ck_assert_ptr_null(r.o.output);
	ck_assert_uint_ge(r.o.threads, 1);
	ck_assert_uint_ge(r.o.memory, 64 << 20);
	ck_assert_uint_eq(r.o.dump, 0);
	ck_assert_uint_eq(r.o.max_size, 0);
	ck_assert(r.o.sandbox && !r.o.force && !r.o.sync);
	ck_assert_int_eq(r.o.color, HP_AUTO);
	ck_assert_uint_eq(r.o.argument_count, 0);
}
END_TEST

START_TEST(values)
{
	struct run r;

	parse(&r, "--flag --other=green --text=t --count=9 --choice=blue");
	ck_assert_int_eq(r.result, HP_GO_ON);
	ck_assert(r.v.flag && r.v.second);
	ck_assert_str_eq(r.v.text, "t");
	ck_assert_uint_eq(r.v.count, 9);
	ck_assert_int_eq((int)r.v.choice, 2);
	parse(&r, "--other=green --other=red --choice=blue --choice=red");
	ck_assert_int_eq(r.result, HP_GO_ON);
	ck_assert(!r.v.flag && !r.v.second && r.v.choice == 0);
	parse(&r, "--count=10");
	ck_assert_int_eq(r.result, HP_EXIT_TROUBLE);
	ck_assert_ptr_nonnull(strstr(r.errors, "--count: "));
	parse(&r, "--choice=yellow");
	ck_assert_int_eq(r.result, HP_EXIT_TROUBLE);
}
END_TEST

START_TEST(everything)
{
	struct run r;

	parse(&r, "a --format=json -oout --force --sync --dump=3 --threads 4 "
		  "--memory=256M -");
	ck_assert_int_eq(r.result, HP_GO_ON);
	ck_assert_str_eq(r.o.format, "json");
	ck_assert_str_eq(r.o.output, "out");
	ck_assert(r.o.force && r.o.sync && r.o.memory_given);
	ck_assert_uint_eq(r.o.dump, 3);
	ck_assert_uint_eq(r.o.threads, 4);
	ck_assert_uint_eq(r.o.memory, 256 << 20);
	ck_assert_uint_eq(r.o.argument_count, 2);
	ck_assert_str_eq(r.o.arguments[0], "a");
	ck_assert_str_eq(r.o.arguments[1], "-");
	parse(&r, "-sqv --top=5 --strip-arrays --strip-arrays=int "
		  "--color=never --prog=always --sandbox=off "
		  "--max-size=1.5K -- -x");
	ck_assert_int_eq(r.result, HP_GO_ON);
	ck_assert(r.v.strict && r.o.verbose && !r.o.quiet && !r.o.sandbox);
	ck_assert_str_eq(r.v.top, "5");
	ck_assert_int_eq(r.v.strips, 2);
	ck_assert_str_eq(r.v.strip, "int");
	ck_assert_int_eq(r.o.color, HP_NEVER);
	ck_assert_int_eq(r.o.progress, HP_ALWAYS);
	ck_assert_uint_eq(r.o.max_size, 1536);
	ck_assert_str_eq(r.o.arguments[0], "-x");
}
END_TEST

START_TEST(usage_errors)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{"--nope", "unknown option --nope\n"},
		{"-Z", "unknown option -Z\n"},
		{"-sZ", "unknown option -Z\n"},
		{"--s=1",
		 "option --s=1 could be --strict, --strip-arrays, --sync, "
		 "--sandbox\n"},
		{"--stri", "option --stri could be --strict, --strip-arrays\n"},
		{"--top", "option --top needs N\n"},
		{"-o", "option --output needs FILE\n"},
		{"--force=1", "option --force takes no argument\n"},
		{"--top=xyz", "--top: bad 'xyz'\n"},
		{"--format=xml",
		 "--format: 'xml': expected one of text, json\n"},
		{"--threads=0", "--threads: '0' is not between 1 and 1024\n"},
		{"--dump=0", "--dump: '0' is not between 1 and 4294967295\n"},
		{"--dump=4294967297",
		 "--dump: '4294967297' is not between 1 and 4294967295\n"},
		{"--memory=0", "--memory: must be greater than 0\n"},
		{"--memory=16E", "--memory: the size '16E' is too large\n"},
		{"--color=red",
		 "--color: 'red': expected one of auto, always, never\n"},
		{"--sandbox=on",
		 "--sandbox: 'on': expected one of auto, off\n"},
		{"--output=", "--output: the file name is empty\n"},
		{"--n\x1B[31m", "unknown option --n\\u{1B}[31m\n"},
		{"-\xFF", "unknown option -\\xFF\n"},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct run r;
		char want[256];
		parse(&r, cases[i].line);
		ck_assert_int_eq(r.result, HP_EXIT_TROUBLE);
		snprintf(want, sizeof(want),
			 "hprof-test: %sTry 'hprof-test --help'.\n",
			 cases[i].message);
		ck_assert_str_eq(r.errors, want);
		ck_assert_str_eq(r.out, "");
	}
}
END_TEST

START_TEST(help_and_version)
{
	struct run r;

	parse(&r, "--version --nope");
	ck_assert_int_eq(r.result, HP_EXIT_OK);
	ck_assert_str_eq(r.out, "hprof-test " HP_VERSION "\n");
	parse(&r, "--help");
	ck_assert_int_eq(r.result, HP_EXIT_OK);
	ck_assert_str_eq(r.errors, "");
	ck_assert_str_eq(
		r.out,
		"Usage: hprof-test [OPTION]... FILE...\n"
		"Does this and that with dumps.\n\n"
		"  -s, --strict              fail for warnings\n"
		"      --top=NUMBER          show rows\n"
		"      --format=FORMAT       output format: text, json\n"
		"  -o, --output=FILE         write the result to FILE\n"
		"      --force               replace an existing output file\n"
		"      --memory=SIZE         use at most SIZE of memory\n"
		"  -q, --quiet               print no warnings and notes\n"
		"  -v, --verbose             print more details\n"
		"  -h, --help[=all]          show this help, or all options\n"
		"\nExamples:\n  do this:\n    hprof-test a.hprof\n"
		"\nExit status: 0 no error,\n1 an error.\n\nThe end.\n"
		"All options: hprof-test --help=all, man hprof-test\n");
	parse(&r, "--help=all");
	ck_assert_int_eq(r.result, HP_EXIT_OK);
	ck_assert_ptr_nonnull(
		strstr(r.out, "dumps.\n\nSecond:\n      --top=N"));
	ck_assert_ptr_nonnull(
		strstr(r.out, "\nFirst:\n  -s, --strict            warnings"));
	ck_assert_ptr_nonnull(strstr(
		r.out,
		"--format=FORMAT     write the result in this format: "));
	ck_assert_ptr_nonnull(strstr(r.out, "text (default), json\n"));
	ck_assert_ptr_nonnull(strstr(r.out,
				     "\n      --strip-arrays[=TYPE,...]"
				     "\n                          zero"));
	ck_assert_ptr_nonnull(strstr(
		r.out,
		"\nExit status: 0 no error,\n1 an error.\n\nThe end.\n"));
	for (char *line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_uint_lt(strlen(line), 80);
}
END_TEST

START_TEST(listing)
{
	const struct hp_option *a, *b;
	struct hp_program bare = {.name = "bare"};
	size_t n = 0;

	for (size_t i = 0; (a = hp_program_option(&program, i)); i++, n++) {
		for (size_t j = 0; j < i; j++) {
			b = hp_program_option(&program, j);
			ck_assert_str_ne(a->name, b->name);
			ck_assert(!a->letter || a->letter != b->letter);
		}
	}
	for (size_t i = 0; (a = hp_program_option(&bare, i)); i++, n--)
		ck_assert_str_ne(a->name, "format");
	ck_assert_uint_eq(n, HP_ARRAY_LEN(own) + 1);
}
END_TEST

START_TEST(machine)
{
	ck_assert_uint_ge(hp_default_threads(), 1);
	ck_assert_uint_le(hp_default_threads(), HP_THREADS_MAX);
	ck_assert_uint_gt(hp_memory_budget(), 1 << 20);
	ck_assert_int_eq(hp_exit_worse(2, 1), 2);
	ck_assert_int_eq(hp_exit_worse(0, 1), 1);
}
END_TEST

START_TEST(messages)
{
	char text[8192] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");
	struct hp_messages m = {.program = "hprof-test", .file = file};
	struct hp_error err = {HP_IO, "cannot open: gone"};

	hp_message(&m, HP_MESSAGE_ERROR, "a\nb\x1B.hprof", "bad %s", "\xFF");
	hp_message(&m, HP_MESSAGE_WARNING, NULL, "mind %d%%", 5);
	hp_message(&m, HP_MESSAGE_DETAIL, NULL, "not shown");
	hp_message_failure(&m, "-", &err);
	m.quiet = true;
	hp_message(&m, HP_MESSAGE_NOTE, NULL, "not shown");
	hp_message(&m, HP_MESSAGE_WARNING, NULL, "not shown");
	hp_message(&m, HP_MESSAGE_RESULT, NULL, "shown");
	hp_message(&m, HP_MESSAGE_ERROR, NULL, "shown");
	fclose(file);
	ck_assert_str_eq(text, "hprof-test: a\\u{A}b\\u{1B}.hprof: bad \\xFF\n"
			       "hprof-test: warning: mind 5%\n"
			       "hprof-test: standard input: cannot open: gone\n"
			       "hprof-test: warning: shown\n"
			       "hprof-test: shown\n");
}
END_TEST

static void
enter_folder(char *folder)
{
	strcpy(folder, "/tmp/hprof-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void
leave_folder(const char *folder)
{
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}

static void
expect_file(const char *path, const char *want)
{
	char text[256] = "";
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	ck_assert_str_eq(text, want);
}

START_TEST(output_file)
{
	char folder[64];
	struct hp_output o;
	struct hp_output_options options = {.path = "r.txt"};
	struct hp_error err = {0};

	enter_folder(folder);
	ck_assert_int_eq(hp_output_open(&o, &options, &err), HP_OK);
	fputs("one\n", o.file);
	fflush(o.file);
	ck_assert_int_ne(access("r.txt", F_OK), 0);
	ck_assert_int_eq(hp_output_close(&o, &err), HP_OK);
	expect_file("r.txt", "one\n");
	/* the file exists, so it is written only with --force */
	ck_assert_int_eq(hp_output_open(&o, &options, &err), HP_IO);
	options.force = true;
	ck_assert_int_eq(hp_output_open(&o, &options, NULL), HP_OK);
	fputs("two\n", o.file);
	hp_output_abort(&o);
	expect_file("r.txt", "one\n");
	/* the output is one of the inputs, under another name */
	char *inputs[] = {(char *)"-", (char *)"gone", (char *)"./r.txt"};
	options.inputs = inputs;
	options.input_count = 3;
	ck_assert_int_eq(hp_output_open(&o, &options, NULL), HP_IO);
	expect_file("r.txt", "one\n");
	unlink("r.txt");
	leave_folder(folder);
}
END_TEST

START_TEST(output_full)
{
	struct hp_output o;
	struct hp_output_options options = {.path = "/dev/full", .force = true};
	struct hp_error err = {0};

	if (access("/dev/full", W_OK) != 0)
		return;
	ck_assert_int_eq(hp_output_open(&o, &options, &err), HP_OK);
	fputs("one\n", o.file);
	ck_assert_int_eq(hp_output_close(&o, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
	err = (struct hp_error){0};
	ck_assert_int_eq(hp_output_open(&o, &options, &err), HP_OK);
	for (int i = 0; i < 300000; i++)
		fputs("many\n", o.file);
	ck_assert_int_eq(hp_output_close(&o, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
}
END_TEST

static int
child_exit(int fd, size_t n)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct hp_output o;
		struct hp_output_options options = {0};
		dup2(fd, STDOUT_FILENO);
		hp_signals_install();
		if (hp_output_open(&o, &options, NULL) != HP_OK)
			_exit(9);
		while (n-- > 0)
			fputc('x', o.file);
		_exit(hp_output_close(&o, NULL) == HP_OK ? 0 : 2);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

START_TEST(output_broken_pipe_and_full_disk)
{
	int pipes[2];

	ck_assert_int_eq(pipe(pipes), 0);
	close(pipes[0]);
	ck_assert_int_eq(child_exit(pipes[1], 1), 2);
	ck_assert_int_eq(child_exit(pipes[1], 1000000), 2);
	close(pipes[1]);
	int full = open("/dev/full", O_WRONLY);
	if (full >= 0) {
		ck_assert_int_eq(child_exit(full, 1), 2);
		ck_assert_int_eq(child_exit(full, 100000), 2);
		close(full);
	}
	int null = open("/dev/null", O_WRONLY);
	ck_assert_int_eq(child_exit(null, 100000), 0);
	close(null);
}
END_TEST

START_TEST(signal_removes_outputs)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	char folder[64];

	enter_folder(folder);
	for (size_t i = 0; i < HP_ARRAY_LEN(numbers); i++) {
		pid_t pid = fork();
		if (pid == 0) {
			struct hp_output o;
			struct hp_output_options options = {.path = "x"};
			signal(numbers[i], SIG_DFL);
			hp_signals_install();
			if (hp_output_open(&o, &options, NULL) != HP_OK)
				_exit(9);
			fputs("half", o.file);
			fflush(o.file);
			raise(numbers[i]);
			_exit(8);
		}
		int status = 0;
		waitpid(pid, &status, 0);
		ck_assert(WIFSIGNALED(status));
		ck_assert_int_eq(WTERMSIG(status), numbers[i]);
	}
	/* removing the folder fails unless it is empty, so no file is left */
	leave_folder(folder);
}
END_TEST

/*
 * Let a child write to a socket from which nobody reads any more. Returns the
 * exit status of the child.
 */
static int
write_unread(bool ignored, bool unread_left)
{
	int ends[2], status = 0;
	pid_t pid;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	/* if unread bytes exist, the error is ECONNRESET instead of EPIPE */
	if (unread_left)
		ck_assert_int_eq(write(ends[0], "x", 1), 1);
	pid = fork();
	if (pid == 0) {
		struct hp_output_options options = {0};
		struct hp_error err = {0};
		struct hp_output o;
		struct hp_buf b = {0};
		enum hp_status st;

		signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL);
		hp_signals_install();
		dup2(ends[0], STDOUT_FILENO);
		close(ends[1]);
		st = hp_output_open(&o, &options, &err);
		hp_buf_fill(&b, 'x', 1 << 20);
		if (st == HP_OK)
			st = hp_buf_flush(&b, o.file, &err);
		if (st == HP_OK)
			st = hp_output_close(&o, &err);
		hp_signals_end_closed(&err);
		_exit(st == HP_CLOSED ? 7 : 8);
	}
	close(ends[0]);
	close(ends[1]);
	waitpid(pid, &status, 0);
	return status;
}

START_TEST(reader_gone)
{
	for (int left = 0; left < 2; left++) {
		int status = write_unread(false, left);

		ck_assert(WIFSIGNALED(status));
		ck_assert_int_eq(WTERMSIG(status), SIGPIPE);
		status = write_unread(true, left);
		ck_assert(WIFEXITED(status));
		ck_assert_int_eq(WEXITSTATUS(status), 7);
	}
}
END_TEST

START_TEST(edit_distances)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "bac", 1},
		{"abcd", "acbd", 1},
		{"ab", "abcd", 2},
		{"kitten", "sitting", 3},
		/*
		 * in this edit distance, two swapped letters cannot be changed
		 * again, so the distance is 3, not 2
		 */
		{"ca", "abc", 3},
	};
	static const char *const words[] = {"magic", "framing", "graph", NULL};
	char longest[HP_SUGGEST_MAX + 1];

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++)
		ck_assert_uint_eq(
			hp_edit_distance(cases[i].a, strlen(cases[i].a),
					 cases[i].b, strlen(cases[i].b)),
			cases[i].distance);
	memset(longest, 'a', sizeof(longest));
	ck_assert_uint_eq(hp_edit_distance(longest, HP_SUGGEST_MAX, "a", 1),
			  HP_SUGGEST_MAX - 1);
	ck_assert_uint_eq(hp_edit_distance(longest, sizeof(longest), "a", 1),
			  SIZE_MAX);
	ck_assert_str_eq(hp_suggest("magc", 4, words), "magic");
	ck_assert_str_eq(hp_suggest("garph", 5, words), "graph");
	ck_assert_ptr_null(hp_suggest("", 0, words));
	ck_assert_ptr_null(hp_suggest("zzz", 3, words));
	ck_assert_ptr_null(hp_suggest(longest, sizeof(longest), words));
}
END_TEST

Suite *
test_options_suite(void)
{
	Suite *s = suite_create("options");
	TCase *t = tcase_create("options");

	tcase_add_test(t, defaults);
	tcase_add_test(t, everything);
	tcase_add_test(t, values);
	tcase_add_test(t, usage_errors);
	tcase_add_test(t, help_and_version);
	tcase_add_test(t, edit_distances);
	tcase_add_test(t, listing);
	tcase_add_test(t, machine);
	tcase_add_test(t, messages);
	tcase_add_test(t, output_file);
	tcase_add_test(t, output_full);
	tcase_add_test(t, output_broken_pipe_and_full_disk);
	tcase_add_test(t, signal_removes_outputs);
	tcase_add_test(t, reader_gone);
	suite_add_tcase(s, t);
	return s;
}
