/*
 * fuzz_page.c - fuzz target: the HTML pages of hprof-diff and hprof-validate
 *
 * A page must contain only the scripts that the build put there. Its data must
 * be JSON that cannot end the HTML element around it, whatever the dump
 * contains.
 */
#include "tests/fuzz/diff_run.h"
#include "validate/report/report.h"
#include "validate/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct hp_page_text hp_validate_page, hp_diff_page;

static void
check_diff_page(const struct hp_result *r, void *ctx)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	HP_FUZZ_CHECK(out && hp_report_html(r, out, NULL) == HP_OK);
	fclose(out);
	hp_fuzz_check_page(&hp_diff_page, text, n);
	free(text);
}

static void
diff_page(char *path, const uint8_t *data, size_t n)
{
	static const enum hp_by ways[] = {HP_BY_CLASS,	   HP_BY_PATH,
					  HP_BY_DOMINATOR, HP_BY_SITE,
					  HP_BY_CPU,	   HP_BY_MONITOR};
	unsigned way = hp_fuzz_choice(data, n, HP_ARRAY_LEN(ways));
	char *paths[] = {path, path};
	struct hp_diff_options o;

	hp_fuzz_diff_options(&o, paths, way == 2 ? 1 : 2);
	o.by = ways[way];
	o.retained = o.by != HP_BY_CPU && o.by != HP_BY_MONITOR;
	o.filter = way == 1 ? "*<*" : NULL;
	hp_fuzz_diff(&o, false, check_diff_page, NULL);
	hp_diff_options_release(&o);
}

static void
validate_page(const char *path)
{
	struct hp_validate_options o = {.threads = 1,
					.memory = 64 << 20,
					.max_size = HP_FUZZ_UNPACKED,
					.level = HP_LEVEL_GRAPH,
					.places = true,
					.max_examples = 100};
	struct hp_validation v;
	const struct hp_validate_report report = {.files = &v,
						  .count = 1,
						  .disabled = o.disabled,
						  .verbose = true,
						  .command = "</script>"};
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	hp_validate_file(path, &o, &v);
	HP_FUZZ_CHECK(out &&
		      hp_validate_report_html(&report, out, NULL) == HP_OK);
	fclose(out);
	hp_fuzz_check_page(&hp_validate_page, text, n);
	free(text);
	hp_validation_release(&v);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	int fd = hp_fuzz_file(data, n);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	diff_page(path, data, n);
	validate_page(path);
	close(fd);
	return 0;
}
