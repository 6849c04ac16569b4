/*
 * check.c - print the results of hprof_check_read() and hprof_histogram_read()
 *
 * A script compares this output with the output of the programs. To test the
 * installed library, this program is built with the installed header and
 * library.
 *
 *	check check|graph|histogram DUMP...
 */
#include <hprof.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
check(const char *path, int level)
{
	static const char *const severities[] = {"error", "warning", "info"};
	static const char *const verdicts[] = {"valid", "invalid",
					       "unreadable"};
	struct hprof_error error = {0};
	hprof_check *c;

	if (hprof_check_read(path, NULL, level, &c, &error) != HPROF_OK) {
		printf("%s: %s\n", hprof_strerror(error.status), error.text);
		return;
	}
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       verdicts[hprof_check_verdict(c)], hprof_check_references(c),
	       hprof_check_null(c), hprof_check_dangling(c));
	for (size_t i = 0; i < hprof_check_rows(c); i++) {
		printf("%s %s %" PRIu64, severities[hprof_check_severity(c, i)],
		       hprof_check_rule(c, i), hprof_check_count(c, i));
		for (size_t k = 0; k < hprof_check_examples(c, i); k++)
			printf(" %" PRIu64,
			       hprof_check_example_offset(c, i, k));
		printf("\n");
	}
	hprof_check_free(c);
}

static void
histogram(const char *path)
{
	struct hprof_error error = {0};
	hprof_histogram *h;

	if (hprof_histogram_read(path, NULL, &h, &error) != HPROF_OK) {
		printf("%s: %s\n", hprof_strerror(error.status), error.text);
		return;
	}
	printf("%s %s\n", hprof_histogram_dialect(h),
	       hprof_histogram_partial(h) ? "partial" : "whole");
	for (size_t i = 0; i < hprof_histogram_rows(h); i++)
		printf("%" PRIu64 "\t%" PRIu64 "\t%s\n",
		       hprof_histogram_count(h, i), hprof_histogram_bytes(h, i),
		       hprof_histogram_class(h, i));
	printf("%" PRIu64 "\t%" PRIu64 "\ttotal\n", hprof_histogram_objects(h),
	       hprof_histogram_total_bytes(h));
	hprof_histogram_free(h);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	for (int i = 2; i < argc; i++) {
		printf("-- %s\n", argv[i]);
		if (strcmp(what, "histogram") == 0)
			histogram(argv[i]);
		else if (strcmp(what, "check") == 0)
			check(argv[i], HPROF_REFERENCES);
		else if (strcmp(what, "graph") == 0)
			check(argv[i], HPROF_GRAPH);
		else
			return 2;
	}
	return argc > 2 ? 0 : 2;
}
