/*
 * diff_run.h - a comparison with hprof-diff's code, and all its reports
 */
#ifndef HP_FUZZ_DIFF_RUN_H
#define HP_FUZZ_DIFF_RUN_H

#include "common/html/page.h"
#include "diff/compare.h"
#include "diff/report/report.h"
#include "tests/fuzz/fuzz.h"

/* Looks at a result before it is released. */
typedef void hp_fuzz_diff_check(const struct hp_result *r, void *ctx);

/**
 * hp_fuzz_diff() - compare the inputs that @o names
 * @reports: also write every report, to memory; each is checked
 * @check:   called with the finished result; NULL: nothing more to check
 *
 * Returns: true: there was a result; false: the inputs were refused.
 */
bool hp_fuzz_diff(const struct hp_diff_options *o, bool reports,
		  hp_fuzz_diff_check *check, void *ctx);

/* Options as --all --partial --format=html give them, for two inputs. */
void hp_fuzz_diff_options(struct hp_diff_options *o, char **paths,
			  size_t npaths);

/*
 * The text is one JSON value, without duplicate members, and valid UTF-8; in
 * a page without the characters that could end the element it is in.
 */
void hp_fuzz_check_json(const char *text, size_t n, bool in_page);
/* The same for the data of a page; the page has no scripts but its own. */
void hp_fuzz_check_page(const struct hp_page_text *own, const char *text,
			size_t n);

#endif
