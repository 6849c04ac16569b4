/*
 * diff_run.h - run hprof-diff's comparison for a fuzz target, and check all its
 * reports
 */
#ifndef HP_FUZZ_DIFF_RUN_H
#define HP_FUZZ_DIFF_RUN_H

#include "common/html/html.h"
#include "diff/internal.h"
#include "diff/report/report.h"
#include "tests/fuzz/fuzz.h"

typedef void hp_fuzz_diff_check(const struct hp_result *r, void *ctx);

/**
 * hp_fuzz_diff() - compare the inputs that @o lists, as hprof-diff does
 *
 * @reports: if true, write every report to memory and check it
 * @check:   called with the finished result; may be NULL
 *
 * Returns: true if there was a result, false if hprof-diff refused the inputs.
 */
bool hp_fuzz_diff(const struct hp_diff_options *o, bool reports,
		  hp_fuzz_diff_check *check, void *ctx);

/*
 * Set the options as for the command line --all --partial --format=html with
 * two inputs.
 */
void hp_fuzz_diff_options(struct hp_diff_options *o, char **paths,
			  size_t npaths);

/*
 * Check that the text is valid UTF-8 and one JSON value, in which no object has
 * two members of the same name. If @in_page is true, the text is inside an HTML
 * element: also check that it cannot end this element.
 */
void hp_fuzz_check_json(const char *text, size_t n, bool in_page);
/*
 * Check the JSON data of an HTML page, and check that the page has no scripts
 * except those of the program. @own contains the parts that are equal in every
 * page.
 */
void hp_fuzz_check_page(const struct hp_page_text *own, const char *text,
			size_t n);

#endif
