/*
 * driver.c - run a fuzz target under AFL++, or on given files
 *
 *         fuzz-NAME [--mutate=N] [--seed=N] [--rounds=N] FILE|FOLDER...
 *
 * If it is built for AFL++, the driver takes the inputs from afl-fuzz, many in
 * one process. Otherwise it runs the given files and N mutations of each (see
 * mutator.c), so that the targets also run in other builds and without AFL++. A
 * given file runs in all rounds of the target (see fuzz.h). The files of a
 * given folder share the rounds: each file runs in N rounds (--rounds), and the
 * next file in the following N.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutator.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __AFL_FUZZ_TESTCASE_LEN
/* the macro of AFL++ contains an implicit conversion */
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
__AFL_FUZZ_INIT();

int
main(void)
{
	const uint8_t *buf;

	__AFL_INIT();
	buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(10000)) {
		size_t n = (size_t)__AFL_FUZZ_TESTCASE_LEN;
		uint8_t *copy = malloc(n ? n : 1);

		/*
		 * a copy with the exact size, so that AddressSanitizer reports
		 * reads beyond its end
		 */
		if (!copy)
			return 2;
		memcpy(copy, buf, n);
		if (n <= HP_FUZZ_MAX)
			hp_fuzz_one(copy, n);
		free(copy);
	}
	return 0;
}
#else
struct replay {
	struct hp_mutator *mutator;
	unsigned long mutations, rounds, runs, files;
	/*
	 * the first round (variant of the test) for the next file of a folder
	 */
	unsigned next;
	/* the previous file, from which the mutator may take records */
	uint8_t *other;
	size_t nother;
};

/*
 * Write the current input to a file, which is removed when the target returns.
 * After a crash, the file contains the input that caused the crash.
 */
static void
keep(const uint8_t *data, size_t n)
{
	FILE *f = fopen("fuzz-last.bin", "wb");

	if (!f)
		return;
	fwrite(data, 1, n, f);
	fclose(f);
}

static void
replay_bytes(struct replay *r, const uint8_t *data, size_t n, bool all)
{
	unsigned long rounds = all ? HP_FUZZ_ROUNDS : r->rounds;
	uint8_t *out;
	size_t len;

	for (unsigned long i = 0; i < rounds; i++) {
		hp_fuzz_round(all ? (unsigned)i : r->next);
		hp_fuzz_one(data, n);
		r->runs++;
		if (!all)
			r->next = (r->next + 1) % HP_FUZZ_ROUNDS;
	}
	for (unsigned long i = 0; i < r->mutations && n > 0; i++) {
		len = hp_mutate(r->mutator, data, n, r->other, r->nother,
				HP_FUZZ_MAX, &out);
		keep(out, len);
		hp_fuzz_one(out, len);
		r->runs++;
	}
	hp_fuzz_round(0);
}

static int
replay_file(struct replay *r, const char *path, bool all)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = malloc(HP_FUZZ_MAX), *exact;
	size_t n;

	if (!f || !data) {
		perror(path);
		free(data);
		return 2;
	}
	n = fread(data, 1, HP_FUZZ_MAX, f);
	fclose(f);
	exact = realloc(data, n ? n : 1);
	r->files++;
	fprintf(stderr, "\r\033[K%s", path);
	replay_bytes(r, exact, n, all);
	free(r->other);
	r->other = exact;
	r->nother = n;
	return 0;
}

static int
replay(struct replay *r, const char *path)
{
	struct dirent **list = NULL;
	struct stat s;
	char *name;
	int n, rc = 0;

	if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
		return replay_file(r, path, true);
	n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.' &&
		    asprintf(&name, "%s/%s", path, list[i]->d_name) > 0) {
			rc |= replay_file(r, name, false);
			free(name);
		}
		free(list[i]);
	}
	free(list);
	return rc;
}

int
main(int argc, char **argv)
{
	struct replay r = {.rounds = HP_FUZZ_ROUNDS};
	unsigned seed = 1;
	int rc = 0;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--mutate=", 9) == 0)
			r.mutations = strtoul(argv[i] + 9, NULL, 10);
		else if (strncmp(argv[i], "--seed=", 7) == 0)
			seed = (unsigned)strtoul(argv[i] + 7, NULL, 10);
		else if (strncmp(argv[i], "--rounds=", 9) == 0)
			r.rounds = strtoul(argv[i] + 9, NULL, 10);
	}
	r.mutator = hp_mutator_new(seed);
	for (int i = 1; i < argc && r.mutator; i++)
		if (argv[i][0] != '-')
			rc |= replay(&r, argv[i]);
	fprintf(stderr, "\r\033[K");
	printf("%s: %lu files, %lu runs\n",
	       strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0],
	       r.files, r.runs);
	if (r.mutations)
		unlink("fuzz-last.bin");
	hp_mutator_free(r.mutator);
	free(r.other);
	return r.files == 0 ? 2 : rc;
}
#endif
