/*
 * test_loader_paths.c - check that each example in the table loader_paths.def
 * matches its own row of the table and no earlier row
 */
#include "common/cli/glob.h"
#include "diff/findings/findings.h"
#include "tests/unit/must.h"

#include <check.h>
#include <string.h>

Suite *test_loader_paths_suite(void);

static const struct {
	const char *pattern, *meaning, *example;
} entries[] = {
#define LOADER_PATH(pattern, meaning, example) {pattern, meaning, example},
#include "diff/findings/loader_paths.def"
};

START_TEST(each_example_has_the_meaning_of_its_entry)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(entries); i++) {
		const char *path = entries[i].example;

		ck_assert_str_eq(hp_loader_path_meaning(path),
				 entries[i].meaning);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(!hp_glob_match(entries[k].pattern, path,
						     strlen(path)),
				      "%s matches %s", path,
				      entries[k].pattern);
		ck_assert(
			hp_glob_match(entries[i].pattern, path, strlen(path)));
	}
}

Suite *
test_loader_paths_suite(void)
{
	Suite *s = suite_create("loader_paths");
	TCase *t = tcase_create("meanings");

	tcase_add_test(t, each_example_has_the_meaning_of_its_entry);
	suite_add_tcase(s, t);
	return s;
}
