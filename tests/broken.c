/*
 * broken.c - a program that falsifies the output of another program, for
 * tests/check-harness
 *
 * check-harness installs this program under the name of one of the programs, to
 * find out whether the tests notice wrong results. It runs the real program,
 * which is in the folder HPROF_REAL, and changes its standard output and its
 * output file. HPROF_BREAK selects the change:
 *
 * - nothing: does nothing, with exit status 0
 * - refuses: does nothing, with exit status 1
 * - count: changes the last digit of the last number in each line
 * - offset: adds 8 to each number that is an offset, or swaps two bytes
 * - line: removes the line in the middle
 *
 * In output that is not text, one byte is changed or two bytes are swapped in
 * the middle, or the output is truncated. The dumps that the builder writes for
 * tests are never changed; they can only be missing.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64 << 20 /* number of bytes; longer output is not changed */ };

static pid_t child;

static void
pass_signal(int number)
{
	if (child > 0)
		kill(child, number);
}

/* ---- make the output wrong ---- */

static bool
is_text(const char *p, size_t n)
{
	return memchr(p, 0, n < 4096 ? n : 4096) == NULL &&
	       (n < 4 || (memcmp(p, "\x28\xb5\x2f\xfd", 4) != 0 &&
			  memcmp(p, "\x1f\x8b", 2) != 0));
}

static void
change_counts(char *p, size_t n)
{
	char *last = NULL;

	for (size_t i = 0; i < n; i++) {
		if (isdigit((unsigned char)p[i]))
			last = &p[i];
		if (p[i] == '\n' || i == n - 1) {
			if (last)
				*last = (char)(*last == '9' ? '0' : *last + 1);
			last = NULL;
		}
	}
}

/* Change the first digit after each word "offset": add 8, modulo 10. */
static void
change_offsets(char *p, size_t n)
{
	static const char word[] = "offset";
	const size_t length = sizeof(word) - 1;

	for (size_t i = 0; i + length < n; i++) {
		size_t at = i + length;

		if (memcmp(p + i, word, length) != 0)
			continue;
		while (at < n && at < i + length + 4 &&
		       !isdigit((unsigned char)p[at]))
			at++;
		if (at < n && isdigit((unsigned char)p[at]))
			p[at] = (char)('0' + (p[at] - '0' + 8) % 10);
	}
}

static size_t
drop_line(char *p, size_t n)
{
	size_t from = n / 2, to;

	while (from > 0 && p[from - 1] != '\n')
		from--;
	to = from;
	while (to < n && p[to] != '\n')
		to++;
	if (to < n)
		to++;
	memmove(p + from, p + to, n - to);
	return n - (to - from);
}

static size_t
spoil_bytes(const char *how, char *p, size_t n)
{
	char *middle = p + n / 2, byte = *middle;

	if (strcmp(how, "line") == 0)
		return n - (n < 9 ? n : 9);
	if (strcmp(how, "offset") == 0 && n > 1 && middle[-1] != byte) {
		*middle = middle[-1];
		middle[-1] = byte;
	} else {
		(*middle)++;
	}
	return n;
}

static size_t
spoil(const char *how, char *p, size_t n)
{
	if (n == 0)
		return 0;
	if (!is_text(p, n))
		return spoil_bytes(how, p, n);
	if (strcmp(how, "count") == 0)
		change_counts(p, n);
	else if (strcmp(how, "offset") == 0)
		change_offsets(p, n);
	else
		return drop_line(p, n);
	return n;
}

/* ---- change the standard output and the output file ---- */

static void
write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t wrote = write(fd, p, n);

		if (wrote <= 0)
			return;
		p += wrote;
		n -= (size_t)wrote;
	}
}

static void
pass_on(const char *how, int from, int to)
{
	char *p = malloc(MOST);
	bool whole = true;
	size_t n = 0;
	ssize_t got;

	while (p && (got = read(from, p + n, MOST - n)) > 0) {
		n += (size_t)got;
		if (n == MOST) {
			write_all(to, p, n);
			whole = false;
			n = 0;
		}
	}
	if (p)
		write_all(to, p, whole ? spoil(how, p, n) : n);
	free(p);
}

static const char *
output_of(int argc, char **argv)
{
	const char *path = NULL;
	unsigned plain = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			return argv[i + 1];
		if (strncmp(argv[i], "--output=", 9) == 0)
			return argv[i] + 9;
		if (argv[i][0] != '-' || !argv[i][1])
			path = ++plain == 2 ? argv[i] : path;
	}
	return strstr(argv[0], "hprof-convert") ? path : NULL;
}

static bool
is_newer(const struct stat *now, const struct stat *before)
{
	return S_ISREG(now->st_mode) && now->st_size <= MOST &&
	       (now->st_ino != before->st_ino ||
		now->st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now->st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static void
spoil_file(const char *how, const char *path)
{
	int fd = open(path, O_RDWR);
	char *p = malloc(MOST);
	ssize_t got = fd >= 0 && p ? read(fd, p, MOST) : 0;

	if (got > 0) {
		size_t n = spoil(how, p, (size_t)got);

		if (pwrite(fd, p, n, 0) != (ssize_t)n ||
		    ftruncate(fd, (off_t)n) != 0)
			perror(path);
	}
	free(p);
	if (fd >= 0)
		close(fd);
}

/* ---- run the real program ---- */

static void
run(char **argv, int *from)
{
	const char *name = strrchr(argv[0], '/');
	char path[4096];
	int ends[2];

	if (pipe(ends) != 0)
		exit(2);
	child = fork();
	if (child == 0) {
		snprintf(path, sizeof(path), "%s/%s", getenv("HPROF_REAL"),
			 name ? name + 1 : argv[0]);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(path, argv);
		_exit(127);
	}
	close(ends[1]);
	*from = ends[0];
	signal(SIGTERM, pass_signal);
	signal(SIGINT, pass_signal);
	signal(SIGHUP, pass_signal);
}

int
main(int argc, char **argv)
{
	const char *how = getenv("HPROF_BREAK"), *path = output_of(argc, argv);
	struct stat before = {0}, now = {0};
	int status = 0, from;

	if (!how || strcmp(how, "nothing") == 0)
		return 0;
	if (strcmp(how, "refuses") == 0)
		return 1;
	if (path)
		stat(path, &before);
	run(argv, &from);
	pass_on(how, from, STDOUT_FILENO);
	close(from);
	waitpid(child, &status, 0);
	if (path && stat(path, &now) == 0 && is_newer(&now, &before))
		spoil_file(how, path);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WEXITSTATUS(status);
}
